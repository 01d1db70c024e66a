#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Unpacks the static program of a release: fetch.sh FOLDER VERSION RELEASE [SHA256]
#
# RELEASE is the https address, or the local folder, of the release's files. Without SHA256, a tarball from an address
# must have the SHA-256 that the file `sha256sums` beside this script has for it, and a tarball from a folder the one in
# the .sha256 file beside the tarball. (At an address, whoever can replace the tarball can replace the .sha256 file too.)
# FOLDER/bin/shufflebias is the program.
set -eu
folder=$1
version=$2
release=${3#file://}
sum=${4:-}

fail() {
    printf 'shufflebias: %s\n' "$*" >&2
    exit 1
}

case $version in
*[!0-9A-Za-z.~+-]* | .* | '') fail "'$version' is not a version" ;; # it becomes a part of paths
esac
name=shufflebias-$version-linux-$(uname -m)
if [ -d "$release" ]; then
    local=true
else
    local=false
    case $release in
    https://*) ;;
    *) fail "'$release' is neither an address that begins with https:// nor a folder" ;;
    esac
    [ -n "$sum" ] || sum=$(awk -v file="$name.tar.gz" '$2 == file { print $1 }' "$(dirname "$0")/sha256sums")
    [ -n "$sum" ] ||
        fail "no SHA-256 is known for $name.tar.gz: give it (the input 'sha256'), or compile (the input 'build')"
fi

mkdir -p "$(dirname "$folder")"
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT
get() {
    if $local; then
        cp -- "$release/$1" "$work"
    else
        curl --fail --silent --show-error --location --retry 3 --proto '=https' -o "$work/$1" --url "$release/$1"
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
