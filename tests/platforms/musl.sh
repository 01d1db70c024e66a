#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds shufflebias with musl, the C library of Alpine Linux, runs its tests and compares it with the native program:
#
#     sh tests/platforms/musl.sh [PROGRAM]     PROGRAM is build/shufflebias
#
# It needs a Debian with musl-gcc. It compiles GSL, GMP, Jansson, PCRE2 and cmocka from their Debian sources below
# build/platforms/musl, without zlib, and changes nothing else on this machine. It ends with a table row for
# docs/platforms.md.
set -eu
cd "$(dirname "$0")/../.."

fail() {
    echo "musl.sh: $*" >&2
    exit 1
}

native=$(realpath "${1-build/shufflebias}")
folder=$PWD/build/platforms/musl
parts='err sys utils complex rng randist specfunc cdf' # what a program needs of GSL
for tool in musl-gcc dpkg-source cmake make meson ninja pkg-config python3; do
    command -v "$tool" >/dev/null ||
        fail "$tool is missing: as root run 'apt-get install musl-tools dpkg-dev cmake make meson pkg-config python3'"
done
[ -x "$native" ] || fail "'$native' is no program: run 'sh setup.sh' first, or name another one"
[ -d /usr/include/Random123 ] || fail "Random123 is missing: as root run 'apt-get install librandom123-dev'"
export CC=musl-gcc CFLAGS='-O2 -fPIC'

# apt with one list of sources of its own, so that the lists of this machine stay unchanged
own_apt() {
    apt-get -q -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=- \
        -o "Dir::State::lists=$folder/lists" -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache= \
        -o APT::Sandbox::User= "$@"
}

unpack_sources() {
    mkdir -p "$folder/lists/partial" "$folder/sources"
    # shellcheck disable=SC2016 # the words are those of apt
    apt-get indextargets --format 'deb-src $(REPO_URI) $(CODENAME) $(COMPONENT)' \
        'Created-By: Packages' 'Origin: Debian' 'Component: main' | sort -u >"$folder/sources.list"
    cd "$folder/sources"
    own_apt update
    own_apt source gsl gmp jansson pcre2 cmocka # unpacks each into NAME-VERSION/
}

# Several folders of GSL have files of the same name, so the archive is made by appending (q).
make_gsl() {
    cd "$folder"/sources/gsl-*/
    ./configure --disable-shared "--prefix=$folder"
    for part in gsl $parts; do
        make -C "$part" -j2
    done
    make gsl.pc
    mkdir -p "$folder/include/gsl" "$folder/lib/pkgconfig"
    cp -L gsl/*.h "$folder/include/gsl/"
    sed 's/^GSL_CBLAS_LIB=.*/GSL_CBLAS_LIB=/' gsl.pc >"$folder/lib/pkgconfig/gsl.pc"
    for part in $parts; do
        ar qc "$folder/lib/libgsl.a" "$part"/*.o
    done
}

# Plain C: --host=none selects no assembler. Debian's tarball lacks the folder doc/, which `configure` asks for.
make_gmp() {
    cd "$folder"/sources/gmp-*/
    mkdir -p doc
    printf 'all install clean:\n' >doc/Makefile.in
    ./configure --host=none --disable-shared "--prefix=$folder"
    make -j2
    make install
}

# Makes a library with CMake: by_cmake NAME OPTION...
by_cmake() {
    cd "$folder"/sources/"$1"-*/
    shift
    cmake -S . -B made -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON "-DCMAKE_INSTALL_PREFIX=$folder" \
        -DCMAKE_INSTALL_LIBDIR=lib "$@"
    cmake --build made -j2 --target install
}

make_libraries() {
    unpack_sources
    make_gsl
    make_gmp
    by_cmake jansson -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON -DJANSSON_EXAMPLES=OFF
    by_cmake pcre2 -DPCRE2_BUILD_TESTS=OFF -DPCRE2_BUILD_PCRE2GREP=OFF
    by_cmake cmocka -DWITH_EXAMPLES=OFF
    cp -r /usr/include/Random123 "$folder/include/"
    touch "$folder/made"
}

[ -e "$folder/made" ] || (
    rm -rf "$folder"
    make_libraries
)
export CFLAGS="-isystem $folder/include" PKG_CONFIG_LIBDIR="$folder/lib/pkgconfig" LD_LIBRARY_PATH="$folder/lib"
# Programs whose own threads call the library need larger stacks than those of musl (docs/platforms.md).
[ -f "$folder/build/build.ninja" ] ||
    meson setup "$folder/build" --buildtype=release --werror -Dzlib=disabled -Dc_link_args=-Wl,-z,stack-size=8388608
nice ninja -C "$folder/build" shufflebias
nice meson test -C "$folder/build" --timeout-multiplier 10 --suite unit --suite known --suite property --suite golden || failed=1
agreement=$(nice python3 tests/platforms/compare.py "$native" "$folder/build/shufflebias") || failed=1
echo "$agreement"
passed=$(sed -n 's/^Ok: *\([0-9]*\).*/\1/p' "$folder/build/meson-logs/testlog.txt")
echo "| musl $(dpkg-query -W -f '${Version}' musl) | $passed passed | $(echo "$agreement" | tail -n 1) |"
[ "${failed-0}" -eq 0 ]
