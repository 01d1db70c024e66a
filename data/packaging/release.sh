# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh disable=SC2034
# Sourced in the root of the source by the scripts beside it: sets `version`, from meson.build, and the time that the
# packages carry in place of the time of their build, from the newest entry of debian/changelog.
version=$(sed -n "s/^  version: '\(.*\)',\$/\1/p" meson.build)
SOURCE_DATE_EPOCH=$(date -d "$(sed -n 's/^ -- .*>  //p' data/packaging/debian/changelog | head -n 1)" +%s)
export SOURCE_DATE_EPOCH

# Copies the source, with the same times and modes wherever it came from: the files that git knows, or all files of an
# unpacked tarball. copy_source FOLDER
copy_source() {
    if [ -e .git ]; then
        git -c safe.directory='*' ls-files
    else
        find . -type f ! -path './build*' ! -name '*.pyc' | LC_ALL=C sort
    fi | tar -c --mtime="@$SOURCE_DATE_EPOCH" --mode=u=rwX,go=rX -T - -f "$1.tar" || return # a file is missing
    tar -x -C "$1" -f "$1.tar"
    rm "$1.tar"
}

# Runs a command as root, with sudo if there is one.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    else
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    fi
}
