#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the Homebrew formula of a release: formula.sh HOMEPAGE URL TARBALL
#
# URL is where the source is offered, and TARBALL the same file here, whose checksum the formula gets.
set -eu
sum=$(sha256sum <"$3")
sed -e "s,^  homepage \".*\",  homepage \"$1\"," -e "s,^  url \".*\",  url \"$2\"," \
    -e "s,^  sha256 \".*\",  sha256 \"${sum%% *}\"," "$(dirname "$0")/shufflebias.rb"
