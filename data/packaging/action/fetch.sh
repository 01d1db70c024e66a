#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Unpacks the static program of a release: fetch.sh FOLDER VERSION RELEASE [SHA256]
#
# RELEASE is the address, or the local folder, of the release's files. Without SHA256, the .sha256 file beside the tarball
# guards against a damaged download only. FOLDER/bin/shufflebias is the program.
set -eu
folder=$1
version=$2
release=${3#file://}
sum=${4:-}

fail() {
    echo "shufflebias: $*" >&2
    exit 1
}

name=shufflebias-$version-linux-$(uname -m)
mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT
get() {
    if [ -d "$release" ]; then
        cp "$release/$1" "$work"
    else
        curl --fail --silent --show-error --location --retry 3 -o "$work/$1" "$release/$1"
    fi || fail "cannot get '$release/$1': is $version a release for $(uname -sm)?"
}
get "$name.tar.gz"
[ -n "$sum" ] || { get "$name.tar.gz.sha256" && read -r sum _ <"$work/$name.tar.gz.sha256"; }
echo "$sum  $work/$name.tar.gz" | sha256sum --check --status ||
    fail "'$release/$name.tar.gz' does not have the SHA-256 '$sum': do not use it"
mkdir "$work/tree"
tar -xzf "$work/$name.tar.gz" -C "$work/tree" --strip-components=1
rm -rf "$folder"
mv "$work/tree" "$folder"
