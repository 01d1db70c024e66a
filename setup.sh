#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what the build needs and does not find, with apt, and builds the program and the library into build/. Run
# again, it rebuilds only what changed and needs no network. CC chooses another compiler for the first run, as Meson
# has it.
set -u
cd "$(dirname "$0")" || exit 1

say() {
    echo "setup: $*"
}

fail() {
    echo "setup: $*" >&2
    exit 1
}

# The output of a quiet command, shown only if it fails: quietly REMEDY COMMAND...
quietly() {
    remedy=$1
    shift
    "$@" >"$log" 2>&1 </dev/null && return
    tail -n 30 "$log" >&2
    fail "'$*' failed (its last lines are above): $remedy"
}

# Debian package | how it is seen to be there | what it is
needs() {
    cat <<'END'
gcc|compiles '#include <stddef.h>'|a C17 compiler
libc6-dev|compiles '#include <stdio.h>'|the headers of the C library
meson|new_meson|Meson 1.0 or newer
ninja-build|command -v ninja|Ninja
pkg-config|command -v pkg-config|pkg-config
libgsl-dev|pkg-config --exists 'gsl >= 2.7'|GNU Scientific Library 2.7 or newer
libgmp-dev|compiles '#include <gmp.h>'|GNU multiple precision arithmetic
librandom123-dev|compiles '#include <Random123/philox.h>'|Random123, counter-based generators
libjansson-dev|pkg-config --exists jansson|Jansson, JSON for C
libpcre2-dev|pkg-config --exists 'libpcre2-8 >= 10.30'|PCRE2 10.30 or newer, regular expressions
zlib1g-dev|pkg-config --exists zlib|zlib, gzip data
libcmocka-dev|pkg-config --exists cmocka|cmocka, unit tests
END
}

compiles() {
    echo "$1" | ${CC:-cc} -E -
}

new_meson() {
    case $(meson --version) in
    '' | 0.*) return 1 ;;
    esac
}

# The lines of needs() that are not met.
missing() {
    needs | while IFS='|' read -r package probe what; do
        eval "$probe" >/dev/null 2>&1 </dev/null || echo "$package|$what"
    done
}

install_packages() {
    # shellcheck disable=SC2046 # a list of names
    set -- $(echo "$lacking" | cut -d '|' -f 1)
    if ! command -v apt-get >/dev/null; then
        echo "$lacking" | sed 's/\(.*\)|\(.*\)/setup: missing: \2 (\1 on Debian)/' >&2
        fail "there is no apt here: install the above with this system's packages, then run sh setup.sh again"
    fi
    as_root=
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "no sudo here: as root run 'apt-get install $*', then run sh setup.sh again"
        as_root=sudo
    fi
    say "installing $*"
    quietly 'is the network up?' $as_root apt-get update
    quietly 'mend what apt names, then run sh setup.sh again' \
        $as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
    lacking=$(missing)
    [ -z "$lacking" ] ||
        fail "installed, but still not usable: $(echo "$lacking" | cut -d '|' -f 2 | paste -s -d ';' - | sed 's,;,; ,g')"
}

log=$(mktemp) || fail 'no room for a temporary file: is TMPDIR full?'
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM

lacking=$(missing)
[ -z "$lacking" ] || install_packages
if [ ! -f build/build.ninja ]; then
    say 'configuring build/'
    # Where Debian's loader and pkg-config look, which Meson knows only if dpkg-dev is installed.
    folder=$(${CC:-cc} -print-multiarch 2>/dev/null)
    quietly 'remove build/ and run sh setup.sh again' \
        meson setup build --buildtype=release ${folder:+"--libdir=lib/$folder"}
fi
say 'building'
# What gets installed. `meson test` builds the tests.
quietly 'mend it, or remove build/ if it comes from elsewhere, then run sh setup.sh again' \
    meson compile -C build shufflebias:executable shufflebias:shared_library shufflebias:static_library manual
say 'done: build/shufflebias'
