#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the WebAssembly module and its npm package, and tests them in node, Chromium and Firefox, if they are there: run.sh [BUILD].
# BUILD has the native program, and is build/ by default.
set -eu
root=$(readlink -f "$(dirname "$0")/../..")
build=$(readlink -f "${1:-$root/build}")
here=$root/tests/web

sh "$root/src/web/build.sh" "$build"
node "$here/size.mjs" "$build/web"
SHUFFLEBIAS_WEB=$build/web node --test "$here/calls.mjs" "$here/page.mjs"
SHUFFLEBIAS_WEB=$build/web SHUFFLEBIAS=$build/shufflebias MODULES=$build/browser/node_modules node --test "$here/playground.mjs" "$here/typed.mjs"
SHUFFLEBIAS_WEB=$build/web SHUFFLEBIAS=$build/shufflebias MODULES=$build/browser/node_modules node --test "$here/firefox.mjs"
node "$here/same.mjs" "$build/web" shufflebias.wasm "$build/shufflebias" "$root" 1
node "$here/same.mjs" "$build/web" shufflebias-plain.wasm "$build/shufflebias" "$root" 5
sh "$root/src/web/npm/pack.sh" "$build"
sh "$here/npm/install.sh" "$build"
SHUFFLEBIAS_BUILD=$build node --test "$here/package.mjs"
