#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Compiles GSL, GMP and Jansson for WebAssembly from their Debian sources: dependencies.sh FOLDER
# The folder then has include/, lib/ and the file `made`, a checksum of this script and of all versions. If that
# checksum is right already, the script does nothing.
set -eu
script=$(readlink -f "$0")
mkdir -p "$1"
folder=$(readlink -f "$1")
jobs=$(nproc)

# apt with one list of sources of its own, so that the lists of this machine stay unchanged.
own_apt() {
    apt-get -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=- \
        -o "Dir::State::lists=$folder/lists" -o Dir::Cache::srcpkgcache= -o Dir::Cache::pkgcache= \
        -o APT::Sandbox::User= "$@"
}

made=$( (cat "$script" && clang --version && dpkg-query -W wasi-libc) | sha256sum)
if [ "$(cat "$folder/made" 2>/dev/null)" = "$made" ]; then
    exit 0
fi
rm -rf "$folder"
mkdir -p "$folder/lists/partial" "$folder/sources" "$folder/include/gsl" "$folder/lib/pkgconfig"
# The sources that belong to this machine's Debian packages.
apt-get indextargets --format 'deb-src $(REPO_URI) $(CODENAME) $(COMPONENT)' \
    'Created-By: Packages' 'Origin: Debian' 'Component: main' | sort -u >"$folder/sources.list"

cd "$folder/sources"
own_apt update
own_apt source gsl gmp jansson # unpacks each into NAME-VERSION/

# configure OPTION...: configures the sources in this folder. $options go to the compiler, too.
options=
configure() {
    ./configure CC='clang --target=wasm32-wasi' CFLAGS="-Os -D_WASI_EMULATED_SIGNAL $options" AR=llvm-ar-14 RANLIB=llvm-ranlib-14 NM=llvm-nm-14 \
        --prefix="$folder" --disable-shared "$@"
}

# GSL: a program needs few of its folders. Several folders have files of the same name, so the archive is made by
# appending (q).
cd "$folder"/sources/gsl-*/
configure --host=wasm32-unknown-none
parts='err sys utils complex rng randist specfunc cdf'
for part in gsl $parts; do
    make -C "$part" -j"$jobs"
done
cp -L gsl/*.h "$folder/include/gsl/"
make gsl.pc
cp gsl.pc "$folder/lib/pkgconfig/"
for part in $parts; do
    llvm-ar-14 qc "$folder/lib/libgsl.a" "$part"/*.o
done

# GMP in plain C: --host=none selects no assembler. Debian's tarball lacks the folder doc/, which `configure` asks for.
# The algorithms for integers of many thousand digits are left out by thresholds that no size reaches, which GMP's own
# tuning uses for this. They are 28 KB of a compressed module; Karatsuba's multiplication (toom22) stays.
for algorithm in MUL_TOOM33 MUL_TOOM32_TO_TOOM43 MUL_TOOM42_TO_TOOM53 SQR_TOOM3 MUL_FFT SQR_FFT DC_DIV_QR DC_DIVAPPR_Q \
    DC_BDIV_QR DC_BDIV_Q MU_DIVAPPR_Q MU_DIV_QR MU_BDIV_Q MU_BDIV_QR GCD_DC GCDEXT_DC SET_STR_DC FAC_DSC REDC_1_TO_REDC_N; do
    options="$options -D${algorithm}_THRESHOLD=MP_SIZE_T_MAX"
done
cd "$folder"/sources/gmp-*/
mkdir doc
printf 'all install clean:\n' >doc/Makefile.in
configure --host=none
make -j"$jobs"
cp gmp.h "$folder/include/"
cp .libs/libgmp.a "$folder/lib/"
cp gmp.pc "$folder/lib/pkgconfig/"

# Jansson's sources need two headers from its configuration, and there is no `configure` in them.
cd "$folder"/sources/jansson-*/src
sed 's/@json_inline@/inline/; s/@json_have_long_long@/1/; s/@[a-z_]*@/0/' jansson_config.h.in \
    >"$folder/include/jansson_config.h"
cp jansson.h "$folder/include/"
: >jansson_private_config.h
for file in *.c; do
    clang --target=wasm32-wasi -Os -DHAVE_STDINT_H "-I$folder/include" -c "$file"
done
llvm-ar-14 rc "$folder/lib/libjansson.a" ./*.o
cat >"$folder/lib/pkgconfig/jansson.pc" <<FILE
libdir=$folder/lib
Name: Jansson
Description: JSON for C
Version: $(sed -n 's/#define JANSSON_VERSION *"\(.*\)"/\1/p' jansson.h)
Libs: -L$folder/lib -ljansson
Cflags: -I$folder/include
FILE

# Random123 consists of headers.
cp -r /usr/include/Random123 "$folder/include/"

rm -rf "$folder/sources" "$folder/lists"
echo "$made" >"$folder/made"
