#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the suite `browser` and the playground's tests need beside node, Chromium and Firefox, below a build directory: install.sh BUILD
set -u
[ $# -eq 1 ] || exit 2
mkdir -p "$1/browser" &&
    npm install --prefix "$1/browser" --no-save --no-package-lock --ignore-scripts --no-audit --no-fund \
        axe-core@4.10.3 playwright-core@1.55.0 puppeteer-core@24.43.1
