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

/* Why the lock cannot be had; 0 where it is, or where there are no locks. */
static int hold_lock(int descriptor)
{
    int number;

    do
        number = flock(descriptor, LOCK_EX | LOCK_NB) ? errno : 0;
    while (number == EINTR);
    return number == ENOLCK || number == EOPNOTSUPP || number == ENOSYS ? 0 : number;
}

enum sb_status sb_hold_take(int descriptor, const char *path, struct sb_error *error, bool *taken)
{
    const int number = hold_lock(descriptor);
    struct stat own, there;

    if (number && number != EWOULDBLOCK) {
        errno = number;
        return sb_error_set(error, SB_IO, "cannot lock '%.200s': %s", path, strerror(number));
    }
    *taken = number == 0 && fstat(descriptor, &own) == 0 && stat(path, &there) == 0 &&
             own.st_dev == there.st_dev && own.st_ino == there.st_ino;
    return SB_OK;
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
    bool taken = false;
    enum sb_status status;

    if (descriptor < 0 && errno == EACCES)
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return sb_error_set(error, SB_IO, "cannot read '%.200s': %s", path, strerror(errno));
    status = sb_hold_take(descriptor, path, error, &taken);
    if (status == SB_OK && taken)
        *held = descriptor;
    else
        close(descriptor);
    return status || taken ? status : sb_hold_busy(path, error);
}
