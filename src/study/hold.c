/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file that is held by one run alone: flock() on the file itself, so that nothing lies beside it, and
 * nothing has to be cleaned up after a run that was killed. Who replaces the file holds the new one before it
 * has the name of the old one, and gives that up afterwards: there is no moment between.
 *
 * A lock may be had on a file that has lost its name meanwhile, and is then worth nothing. Where a file
 * system knows no locks, as some of clusters do, nobody is held off.
 */
#define _DEFAULT_SOURCE /* flock() */

#include "study/hold.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool sb_hold_take(int descriptor, const char *path)
{
    struct stat own, there;

    if (flock(descriptor, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return false;
    return fstat(descriptor, &own) == 0 && stat(path, &there) == 0 && own.st_dev == there.st_dev &&
           own.st_ino == there.st_ino;
}

enum sb_status sb_hold_busy(const char *path, struct sb_error *error)
{
    errno = EWOULDBLOCK;
    return sb_error_set(error, SB_IO,
                        "'%.200s' is in use: another run saves to it: let that come to its end, or end it",
                        path);
}

enum sb_status sb_hold_open(const char *path, struct sb_error *error, int *held)
{
    int descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY); /* NFS locks what may be written */

    if (descriptor < 0 && errno == EACCES)
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return sb_error_set(error, SB_IO, "cannot read '%.200s': %s", path, strerror(errno));
    if (!sb_hold_take(descriptor, path)) {
        close(descriptor);
        return sb_hold_busy(path, error);
    }
    *held = descriptor;
    return SB_OK;
}
