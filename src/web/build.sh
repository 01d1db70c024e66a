#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the WebAssembly module: build.sh [BUILD], where BUILD is a folder, build/ by default. The script makes
#   BUILD/web/shufflebias.wasm         the module, with SIMD
#   BUILD/web/shufflebias-plain.wasm   the module without SIMD
#   BUILD/web/shufflebias.mjs          the module's host, for node and browsers
#   BUILD/web/playground.html          the playground, one page with the module in it, if node is installed
# Missing Debian packages are installed with apt. The compiled dependencies stay in BUILD/web/dependencies.
set -eu
root=$(readlink -f "$(dirname "$0")/../..")
mkdir -p "${1:-$root/build}/web"
web=$(readlink -f "${1:-$root/build}/web")

install_packages() {
    for package in "$@"; do
        dpkg -s "$package" 2>/dev/null | grep -q '^Status: install ok installed' && continue
        as_root=
        [ "$(id -u)" -eq 0 ] || as_root='sudo -n'
        $as_root apt-get update
        $as_root env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
        return
    done
}

# build NAME [ARGUMENT]: builds the module in $web/NAME and passes the argument to clang. Users download the module, so
# all code is optimised for size, except the loops compiled with -O3. This costs a tenth of the speed.
build() {
    cat >"$web/$1.ini" <<FILE
[constants]
root = '$root'
dependencies = '$web/dependencies'
simd = [${2:+'$2'}]
FILE
    [ -f "$web/$1/build.ninja" ] ||
        meson setup "$web/$1" "$root" --buildtype=release -Doptimization=s --werror \
            --cross-file "$web/$1.ini" --cross-file "$root/src/web/wasm32-wasi.ini"
    meson compile -C "$web/$1"
}

install_packages clang lld llvm-14 wasi-libc libclang-rt-14-dev-wasm32 binaryen librandom123-dev dpkg-dev make gcc \
    libc6-dev meson ninja-build pkg-config
sh "$root/src/web/dependencies.sh" "$web/dependencies"
build simd -msimd128
build plain
cp "$web/simd/src/web/shufflebias.wasm" "$web/shufflebias.wasm"
cp "$web/plain/src/web/shufflebias.wasm" "$web/shufflebias-plain.wasm"
{
    echo '// SPDX-License-Identifier: GPL-3.0-or-later'
    sed -e '/^\/\/ SPDX/d' -e 's/^export //' "$root/src/web/wasi.mjs" "$root/src/web/sources.mjs"
    sed -e '/^\/\/ SPDX/d' -e '/^import /d' "$root/src/web/shufflebias.mjs"
} >"$web/shufflebias.mjs"
if command -v node >/dev/null; then
    node "$root/src/web/page/pack.mjs" "$web" "$web/playground.html"
fi
