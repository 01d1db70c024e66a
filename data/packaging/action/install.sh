#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The first step of action.yml: puts shufflebias on the path of the steps that follow.
set -eu
source=$(cd "$(dirname "$0")/../../.." && pwd)
version=${INPUT_VERSION:-$(sed -n "s/^  version: '\(.*\)',\$/\1/p" "$source/meson.build")}

if [ "$INPUT_BUILD" = true ] || [ "$(uname -sm)" != 'Linux x86_64' ]; then
    sh "$source/setup.sh"
    echo "$source/build" >>"$GITHUB_PATH"
    exit
fi
release=$INPUT_RELEASE
if [ -z "$release" ]; then
    [ -n "$ACTION_REPOSITORY" ] || {
        echo "shufflebias: the runner does not say where this action comes from: set the input 'release'" >&2
        exit 2
    }
    release=$GITHUB_SERVER_URL/$ACTION_REPOSITORY/releases/download/v$version
fi
folder=$RUNNER_TEMP/shufflebias-$version
sh "$source/data/packaging/action/fetch.sh" "$folder" "$version" "$release" "$INPUT_SHA256"
echo "$folder/bin" >>"$GITHUB_PATH"
