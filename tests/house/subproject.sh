#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A project with this one as a Meson subproject finds its headers and its library: subproject.sh SOURCE CC...
#
# The library itself is not built, which would take a minute.
set -eu
source=$1
shift
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir "$root/subprojects"
ln -s "$source" "$root/subprojects/shufflebias"
cat >"$root/host.c" <<'END'
#include <shufflebias.h>

int main(void)
{
    return !sb_version();
}
END

for kind in static shared; do
    build=$root/build-$kind
    cat >"$root/meson.build" <<END
project('host', 'c')
shufflebias = dependency('shufflebias', default_options: ['tests=false', 'default_library=$kind'])
executable('host', 'host.c', dependencies: shufflebias)
END
    CC=$* meson setup "$build" "$root" --wrap-mode=forcefallback >"$root/log" 2>&1 ||
        { cat "$root/log" >&2; exit 1; }
    ninja -C "$build" host.p/host.c.o >"$root/log" 2>&1 || { cat "$root/log" >&2; exit 1; }
    library=$(ninja -C "$build" -t commands host | grep -o 'libshufflebias\.[as][^ ]*' | tail -n 1)
    case $kind-$library in
        static-libshufflebias.a | shared-libshufflebias.so*) ;;
        *) echo "subproject: with default_library=$kind, the host links '$library'" >&2 && exit 1 ;;
    esac
done
