#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds and tries all packages, on Debian 12 as root: run.sh [CHECK...]
#
# The checks, all by default, are the functions below. Logs and packages stay in build/packaging. A clean Debian is made
# once with debootstrap, and copied for each check that changes it.
set -u
cd "$(dirname "$0")/../.." || exit 1
. data/packaging/release.sh
output=$PWD/build/packaging
base=$output/debian
mkdir -p "$output"
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

# The same files in both folders: same FOLDER FOLDER PATTERN...
same() {
    first=$1
    second=$2
    shift 2
    for pattern in "$@"; do
        found=
        for file in "$first"/$pattern; do
            cmp "$file" "$second/${file##*/}" && sha256sum "$file" || return 1
            found=yes
        done
        [ -n "$found" ] || return 1
    done
}

tools() {
    as_root apt-get update &&
        as_root apt-get install -y --no-install-recommends debootstrap lintian autopkgtest buildah curl git ca-certificates
}

clean_debian() {
    [ -e "$base/.ready" ] && return
    rm -rf "$base"
    debootstrap --variant=minbase --include=ca-certificates bookworm "$base" && touch "$base/.ready"
}

deb() {
    rm -rf "$output/deb" && sh data/packaging/deb.sh "$output/deb"
}

# deb.sh builds in a new folder each time.
deb_reproducible() {
    rm -rf "$output/deb-again" && sh data/packaging/deb.sh "$output/deb-again" && same "$output/deb" "$output/deb-again" '*.deb' '*.dsc' '*.tar.xz'
}

deb_lintian() {
    lintian --allow-root --fail-on error,warning "$output"/deb/*.changes
}

# debian/tests, with nothing but the packages installed.
deb_installed() {
    root=$output/root
    rm -rf "$root" && cp -a "$base" "$root" || return 1
    mount -t proc proc "$root/proc" && mkdir -p "$root/dev/pts" && mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    autopkgtest "$output"/deb/*.deb "$output"/deb/*.dsc -- chroot "$root"
    status=$?
    umount "$root/dev/pts" "$root/proc"
    rm -rf --one-file-system "$root"
    return $status
}

static() {
    rm -rf "$output/static" && sh data/packaging/static.sh "$output/static"
}

static_reproducible() {
    elsewhere=$output/elsewhere/source
    rm -rf "$elsewhere" && mkdir -p "$elsewhere" &&
        copy_source "$elsewhere" &&
        sh "$elsewhere/data/packaging/static.sh" "$output/static-again" &&
        same "$output/static" "$output/static-again" '*.tar.gz' '*.sha256'
}

# In a root with nothing else: under 4 MB, its tarball has the pages, and it counts with threads. It is a static-pie.
static_alone() {
    root=$output/alone
    rm -rf "$root" && mkdir -p "$root" &&
        sh data/packaging/action/fetch.sh "$root/usr" "$version" "$output/static" || return 1
    program=$root/usr/bin/shufflebias
    size=$(wc -c <"$program")
    echo "$size bytes"
    [ "$size" -lt 4000000 ] && [ -s "$root/usr/share/man/man1/shufflebias-gate.1" ] || return 1
    python3 tests/house/hardening.py --static "$program" || return 1
    chroot "$root" /usr/bin/shufflebias report naive -n 5 --samples 1e6 --threads 2 || return 1
    chroot "$root" /usr/bin/shufflebias gate naive --quiet
    [ $? -eq 1 ]
}

dockerfile() {
    sh tests/packaging/dockerfile.sh "$base"
}

failed=0
[ $# -gt 0 ] || set -- tools clean_debian deb deb_reproducible deb_lintian deb_installed static static_reproducible \
    static_alone dockerfile
for name in "$@"; do
    began=$(date +%s)
    if "$name" >"$output/$name.log" 2>&1 </dev/null; then
        echo "ok    $name ($(($(date +%s) - began)) s)"
    else
        failed=$((failed + 1))
        echo "FAIL  $name ($(($(date +%s) - began)) s)"
        tail -n 30 "$output/$name.log"
    fi
done
[ $failed -eq 0 ]
