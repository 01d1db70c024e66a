#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the packages that tests/web/package.mjs needs beside node and npm, below a build directory: install.sh BUILD
# package-lock.json is what npm writes, without licences and with a package per line.
set -eu
[ $# -eq 1 ] || exit 2
here=$(dirname "$0")
mkdir -p "$1/npm"
cmp -s "$here/package-lock.json" "$1/npm/package-lock.json" && [ -d "$1/npm/node_modules" ] && exit
cp "$here/package.json" "$here/package-lock.json" "$1/npm/"
npm ci --prefix "$1/npm" --ignore-scripts --no-audit --no-fund
