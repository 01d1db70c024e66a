#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the static program for Linux and packs it: static.sh [OUTPUT]
#
# Writes shufflebias-VERSION-linux-ARCH.tar.gz and its .sha256 file to OUTPUT (build/static), and prints the sizes and
# the time. The tarball has the program, which needs no library, its manual pages and completions, and the licences.
# PLAYGROUND=FILE names the page of `shufflebias playground`. The same source and compiler give the same bytes in any
# folder.
set -eu
output=${1:-build/static}
case $output in /*) ;; *) output=$PWD/$output ;; esac
cd "$(dirname "$0")/../.."
. data/packaging/release.sh
mkdir -p "$output"
began=$(date +%s)

name=shufflebias-$version-linux-$(uname -m)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
build=$PWD/build-static # always here, because a message of assert() has the path from there to the source
tree=$work/$name
rm -rf "$build"
if ! { meson setup "$build" --buildtype=release -Dtests=false -Dprefer_static=true -Dc_link_args=-static-pie \
    ${PLAYGROUND:+"-Dplayground=$PLAYGROUND"} &&
    meson compile -C "$build" shufflebias:executable manual; } >"$output/build.log" 2>&1; then
    tail -n 40 "$output/build.log" >&2
    echo "static.sh: the build failed (its last lines are above): sh setup.sh installs what it needs" >&2
    exit 1
fi

install -d "$tree/bin" "$tree/share/doc/shufflebias"
install -s "$build/shufflebias" "$tree/bin/shufflebias"
install -m 644 COPYING README.md CHANGELOG.md "$tree/share/doc/shufflebias"
manual=$build/src/cli/manual
for page in "$manual"/*.[1-8]; do
    install -D -m 644 "$page" "$tree/share/man/man${page##*.}/${page##*/}"
done
install -D -m 644 "$manual/shufflebias" "$tree/share/bash-completion/completions/shufflebias"
install -D -m 644 "$manual/_shufflebias" "$tree/share/zsh/site-functions/_shufflebias"
install -D -m 644 "$manual/shufflebias.fish" "$tree/share/fish/vendor_completions.d/shufflebias.fish"
# The licences of the libraries that the program contains ask to go with it; Debian keeps them here.
for package in libc6-dev libgmp-dev libgsl-dev libjansson-dev libpcre2-dev librandom123-dev zlib1g-dev; do
    licence=/usr/share/doc/$package/copyright
    [ ! -r "$licence" ] || install -D -m 644 "$licence" "$tree/share/doc/shufflebias/licences/$package"
done

tarball=$output/$name.tar.gz
tar -c --sort=name --mtime="@$SOURCE_DATE_EPOCH" --mode=u=rwX,go=rX --owner=0 --group=0 --numeric-owner \
    --format=ustar -C "$work" "$name" |
    gzip -9n >"$tarball"
rm -rf "$build"
(cd "$output" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
echo "$name/bin/shufflebias: $(wc -c <"$tree/bin/shufflebias") bytes"
echo "$name.tar.gz: $(wc -c <"$tarball") bytes"
echo "static.sh: wrote $output in $(($(date +%s) - began)) s"
