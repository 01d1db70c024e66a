#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds shufflebias for another processor, runs it under qemu-user and compares it with the native program:
#
#     sh tests/platforms/qemu.sh ARCH [PROGRAM]     ARCH is arm64, armhf, i386 or s390x; PROGRAM is build/shufflebias
#
# It needs a Debian on x86-64 with the cross compiler of ARCH and qemu-user-static. It unpacks the libraries of ARCH
# below build/platforms/ARCH and changes nothing else on this machine. It ends with a table row for docs/platforms.md.
set -eu
cd "$(dirname "$0")/../.."

fail() {
    echo "qemu.sh: $*" >&2
    exit 1
}

# What Meson and qemu call the processor: triplet | cpu_family | qemu | endian | flags of the C compiler
case ${1-} in
arm64) target='aarch64-linux-gnu aarch64 aarch64 little' flags= ;;
armhf) target='arm-linux-gnueabihf arm arm little' flags= ;;
# the x87's 80-bit registers would round doubles in another way
i386) target='i686-linux-gnu x86 i386 little' flags="'-msse2', '-mfpmath=sse', " ;;
s390x) target='s390x-linux-gnu s390x s390x big' flags= ;;
*) fail "the processor is missing or unknown: run 'sh tests/platforms/qemu.sh arm64', or armhf, i386 or s390x" ;;
esac
arch=$1
native=$(realpath "${2-build/shufflebias}")
read -r triplet family emulator endian <<END
$target
END
folder=$PWD/build/platforms/$arch
root=$folder/root
emulator=qemu-$emulator-static
for tool in "$triplet-gcc" "$emulator" meson ninja pkg-config python3; do
    command -v "$tool" >/dev/null ||
        fail "$tool is missing: as root run 'apt-get install gcc-$triplet qemu-user-static meson pkg-config python3'"
done
[ -x "$native" ] || fail "'$native' is no program: run 'sh setup.sh' first, or name another one"

# apt with lists, a cache and a status of its own, for the other processor
other_apt() {
    apt-get -q -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o "Dir::State=$folder/apt" \
        -o "Dir::State::status=$folder/apt/status" -o "Dir::Cache=$folder/apt/cache" -o APT::Sandbox::User=root \
        -o APT::Get::Assume-Yes=true -o Debug::NoLocking=true "$@"
}

unpack_libraries() {
    mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial" "$root"
    : >"$folder/apt/status"
    other_apt update || echo 'qemu.sh: a list of packages is missing; the others may be enough' >&2
    other_apt install --download-only --no-install-recommends \
        libc-bin libc6-dev libgsl-dev libgmp-dev libjansson-dev libpcre2-dev libcmocka-dev librandom123-dev
    for package in "$folder"/apt/cache/archives/*.deb; do
        dpkg-deb --extract "$package" "$root"
    done
    touch "$root/unpacked"
}

cross_file() {
    cat <<END
[binaries]
c = '$triplet-gcc'
ar = '$triplet-gcc-ar'
strip = '$triplet-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['$emulator', '-L', '$root']
[properties]
sys_root = '$root'
pkg_config_libdir = ['$root/usr/lib/$libraries/pkgconfig', '$root/usr/share/pkgconfig']
needs_exe_wrapper = true
[built-in options]
c_args = [$flags'--sysroot=$root']
c_link_args = ['--sysroot=$root']
[host_machine]
system = 'linux'
cpu_family = '$family'
cpu = '$family'
endian = '$endian'
END
}

[ -e "$root/unpacked" ] || unpack_libraries
case $arch in
i386) libraries=i386-linux-gnu ;;
*) libraries=$triplet ;;
esac
cross_file >"$folder/cross.ini"
[ -f "$folder/build/build.ninja" ] ||
    meson setup "$folder/build" --buildtype=release --werror --cross-file "$folder/cross.ini"

# the tests of words, vectors, samples and saved files
tests='known-rng known-draw known-core known-lanes unit-sample known-repeats unit-gate_saved known-bettor property-rows'
# shellcheck disable=SC2046,SC2086 # lists of names
{
    nice ninja -C "$folder/build" shufflebias $(printf 'tests/%s ' $tests)
    nice meson test -C "$folder/build" --no-rebuild --timeout-multiplier 20 $tests || failed=1
}
agreement=$(nice python3 tests/platforms/compare.py "$native" "$emulator -L $root $folder/build/shufflebias") ||
    failed=1
echo "$agreement"
passed=$(sed -n 's/^Ok: *\([0-9]*\).*/\1/p' "$folder/build/meson-logs/testlog.txt")
compiler="$triplet-gcc $("$triplet-gcc" -dumpfullversion)"
echo "| $arch | $endian | $compiler | $passed of $(echo "$tests" | wc -w) | $(echo "$agreement" | tail -n 1) |"
[ "${failed-0}" -eq 0 ]
