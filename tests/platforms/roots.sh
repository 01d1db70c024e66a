#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds and tests the last commit in a clean Debian 12 and a clean Debian 13, with each compiler, and prints the table
# of docs/platforms.md:
#
#     sh tests/platforms/roots.sh [COMPILER...]     as root; default all: gcc-12 clang-14 clang-16 gcc-14 clang-19
#
# The roots are made by debootstrap below build/platforms/roots (1.5 GB each) and stay there: remove a root to make it
# anew. A compiler takes about six minutes of a processor, and a root about two minutes more.
set -eu
cd "$(dirname "$0")/../.."
here=$PWD/build/platforms/roots

fail() {
    echo "roots.sh: $*" >&2
    exit 1
}

[ "$(id -u)" -eq 0 ] || fail "debootstrap and chroot need root: run 'sudo sh tests/platforms/roots.sh'"
command -v debootstrap >/dev/null || fail "debootstrap is missing: run 'apt-get install debootstrap'"
bookworm='gcc-12 clang-14 clang-16'
trixie='gcc-14 clang-19'
# shellcheck disable=SC2086 # lists of names
[ $# -gt 0 ] || set -- $bookworm $trixie
packages=libc6-dev,meson,ninja-build,pkg-config,python3,procps,libgsl-dev,libgmp-dev,librandom123-dev,libjansson-dev
packages=$packages,libpcre2-dev,libcmocka-dev

make_root() { # RELEASE COMPILERS
    rm -rf "$here/$1.new"
    debootstrap --variant=minbase --include="$packages,$(echo "$2" | tr ' ' ',')" "$1" "$here/$1.new" >&2
    mv "$here/$1.new" "$here/$1"
}

in_root() { # RELEASE COMPILERS COMPILER
    [ -d "$here/$1" ] || make_root "$1" "$2"
    rm -rf "$here/$1/src"
    mkdir "$here/$1/src"
    git archive HEAD | tar -x -C "$here/$1/src"
    mount -t proc proc "$here/$1/proc"
    status=0
    chroot "$here/$1" sh /src/tests/platforms/in_root.sh "$3" || status=1
    umount "$here/$1/proc"
    return $status
}

mkdir -p "$here"
cat <<'END'
| system | compiler | libraries | build with `--werror` | tests |
|---|---|---|---|---|
END
failed=0
for compiler in "$@"; do
    case " $bookworm | $trixie " in
    *" $compiler "*\|*) in_root bookworm "$bookworm" "$compiler" || failed=1 ;;
    *\|*" $compiler "*) in_root trixie "$trixie" "$compiler" || failed=1 ;;
    *) fail "'$compiler' is in neither root: name some of $bookworm $trixie" ;;
    esac
done
exit $failed
