#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The hook of .pre-commit-hooks.yaml: hook.sh OPTION... runs `shufflebias gate OPTION...`.
#
# The program is that of the path if there is one, else the static program of this version's release, which stays in the
# user's cache. SHUFFLEBIAS_RELEASE is the address of the release's files; without it, they are looked for beside the
# repository that the hook was cloned from.
set -eu
source=$(cd "$(dirname "$0")/../../.." && pwd)
program=shufflebias
if ! command -v shufflebias >/dev/null; then
    version=$(sed -n "s/^  version: '\(.*\)',\$/\1/p" "$source/meson.build")
    folder=${XDG_CACHE_HOME:-$HOME/.cache}/shufflebias/$version
    program=$folder/bin/shufflebias
    if [ ! -x "$program" ]; then
        origin=$(git -C "$source" remote get-url origin)
        sh "$source/data/packaging/action/fetch.sh" "$folder" "$version" \
            "${SHUFFLEBIAS_RELEASE:-${origin%.git}/releases/download/v$version}"
    fi
fi
exec "$program" gate --quiet "$@"
