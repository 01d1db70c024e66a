#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the npm package BUILD/web/shufflebias-VERSION.tgz: pack.sh [BUILD], where BUILD is a folder, build/ by default. It
# has the module, which src/web/build.sh makes first.
set -eu
root=$(readlink -f "$(dirname "$0")/../../..")
web=$(readlink -f "${1:-$root/build}")/web

[ -f "$web/shufflebias-plain.wasm" ] || sh "$root/src/web/build.sh" "${1:-$root/build}"
rm -rf "$web/npm"
mkdir "$web/npm"
node "$root/src/web/npm/pack.mjs" "$root" "$web" "$web/npm"
rm -f "$web"/shufflebias-*.tgz
(cd "$web/npm" && npm pack --ignore-scripts --silent --pack-destination "$web")
