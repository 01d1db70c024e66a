#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds data/packaging/Dockerfile without a Docker engine, as root: dockerfile.sh DEBIAN
#
# buildah runs the steps by chroot. DEBIAN is the root of a clean Debian, which takes the place of the base image.
set -eu
base=$1
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BUILDAH_ISOLATION=chroot
storage="--root $work/root --runroot $work/run --storage-driver vfs"

# shellcheck disable=SC2086 # options
buildah() {
    command buildah $storage "$@"
}

began=$(date +%s)
tar -C "$base" --exclude=./proc/* --exclude=./sys/* --exclude=./dev/* -cf "$work/base.tar" .
container=$(buildah from scratch)
buildah add --quiet "$container" "$work/base.tar" /
buildah commit --quiet "$container" localhost/debian
buildah bud --build-arg BASE=localhost/debian -f "$source/data/packaging/Dockerfile" -t shufflebias "$source"

buildah images
container=$(buildah from localhost/shufflebias)
# The image's entry point, which `buildah run` leaves out.
buildah inspect --type image --format '{{.OCIv1.Config.Entrypoint}}' localhost/shufflebias | grep -Fx '[/bin/shufflebias]'
root=$(buildah mount "$container")
du -sb "$root"
chroot "$root" /bin/shufflebias --version
status=0
chroot "$root" /bin/shufflebias gate --quiet naive || status=$?
[ "$status" -eq 1 ]
echo "dockerfile.sh: $(($(date +%s) - began)) s"
