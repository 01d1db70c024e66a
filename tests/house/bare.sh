#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs a command in a clean clone of HEAD on a new, minimal Debian, as a newcomer's machine would, as root:
#
#   tests/house/bare.sh FOLDER COMMAND
#
# The Debian is made in FOLDER by debootstrap; the clone is FOLDER/project there, and stays. The mounts end with the
# command, because they belong to a namespace of its own. Needs Linux, and Debian's package debootstrap.
set -eu
[ $# -eq 2 ] || { echo 'usage: bare.sh FOLDER COMMAND' >&2; exit 2; }
source=$(cd "$(dirname "$0")/../.." && pwd)
root=$1
mkdir -p "$root"
root=$(cd "$root" && pwd)
debootstrap --variant=minbase --include=ca-certificates bookworm "$root"
git clone --quiet --no-hardlinks "$source" "$root/project"
export root command="$2"
# shellcheck disable=SC2016 # the inner shell's variables
exec unshare --mount --pid --fork --kill-child sh -euc '
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/pts" "$root/dev/shm"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
mount -t tmpfs tmpfs "$root/dev/shm"
exec chroot "$root" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
    TERM=dumb sh -c "cd /project && $command"'
