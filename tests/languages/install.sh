#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs the languages that tests/languages/run.sh tries, with apt: about 300 MB to download on a Debian without any of them.
set -eu
as_root=
[ "$(id -u)" -eq 0 ] || as_root=sudo
$as_root apt-get update
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    g++ libgtest-dev golang-go rustc cargo default-jdk-headless junit5 r-base-core r-cran-testthat pkg-config
