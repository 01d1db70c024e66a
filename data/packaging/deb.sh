#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the Debian packages: deb.sh [OUTPUT]
#
# Writes the source package and the .deb files to OUTPUT (build/deb), and prints their sizes. Installs what the build
# needs with apt. The same source gives the same bytes in any folder.
set -eu
output=${1:-build/deb}
case $output in /*) ;; *) output=$PWD/$output ;; esac
cd "$(dirname "$0")/../.."
. data/packaging/release.sh
umask 022
PATH=/usr/sbin:/usr/bin:/sbin:/bin # Debian's own programs; another Python would lack Debian's modules
mkdir -p "$output"
began=$(date +%s)

command -v dpkg-buildpackage >/dev/null || {
    as_root apt-get update
    as_root apt-get install -y --no-install-recommends build-essential
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
tree=$work/shufflebias-$version
mkdir "$tree"
copy_source "$tree"
cp -R "$tree/data/packaging/debian" "$tree/debian"
cd "$tree"
DEB_BUILD_OPTIONS=parallel=$(nproc)
export DEB_BUILD_OPTIONS
dpkg-checkbuilddeps 2>/dev/null || {
    as_root apt-get update
    as_root apt-get build-dep -y --no-install-recommends ./
}
dpkg-buildpackage -us -uc >"$output/build.log" 2>&1 || {
    tail -n 40 "$output/build.log" >&2
    echo "deb.sh: the build failed (its last lines are above, all of them in $output/build.log)" >&2
    exit 1
}
cd ..
cp -- *.dsc *.tar.* *.deb *.changes *.buildinfo "$output"
for package in *.deb; do
    echo "$package: $(wc -c <"$package") bytes"
done
echo "deb.sh: wrote $output in $(($(date +%s) - began)) s"
