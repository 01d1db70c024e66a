/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locks on files. A run locks the file of saved evidence itself, so that a killed run leaves no lock file
 * behind. A run that replaces the file locks the new file, renames it, and only then closes the old file; so
 * the path is locked at all times. If another run has replaced a file in the meantime, a lock on the old file
 * has no effect.
 *
 * Every run replaces the ledger, so the lock of the ledger is on a separate, empty file, which is never
 * removed.
 *
 * Some cluster file systems have no locks. There, saved evidence is not protected against other runs. A
 * ledger is refused there, because other runs are expected to use the ledger.
 */
#include "store/file/file_lock.h"

#include "core/core.h"
#include "core/system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const struct timespec lock_pause = { .tv_nsec = 2000000 };

enum sb_status sb_file_lock_take(int descriptor, const char *path, struct sb_error *error, bool *taken)
{
    const int locked = sb_file_flock(descriptor);
    const bool no_locks = locked == ENOLCK || locked == EOPNOTSUPP || locked == ENOSYS;
    struct stat own, about;
    bool there = false;
    int number = no_locks ? 0 : locked;

    if (number == 0)
        number = sb_file_status_open(descriptor, &own);
    if (number == 0)
        number = sb_file_status(path, false, &there, &about);
    if (number && number != EWOULDBLOCK) {
        errno = number;
        return sb_error_set(error, SB_IO, "cannot lock '%.200s': %s", path, strerror(number));
    }
    *taken = there && own.st_dev == about.st_dev && own.st_ino == about.st_ino;
    return SB_OK;
}

enum sb_status sb_file_lock_busy(const char *path, struct sb_error *error)
{
    errno = EWOULDBLOCK;
    return sb_error_set(error, SB_IO,
                        "'%.200s' is in use: another run saves to it: let that come to its end, or end it",
                        path);
}

enum sb_status sb_file_lock_open(const char *path, struct sb_error *error, int *lock)
{
    int descriptor = sb_file_open(path, O_RDWR | O_CLOEXEC | O_NOCTTY,
                                  0); /* NFS locks only files that are open for writing */
    bool taken = false;
    enum sb_status status;

    if (descriptor < 0 && errno == EACCES)
        descriptor = sb_file_open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);
    if (descriptor < 0)
        return sb_error_set(error, SB_IO, "cannot read '%.200s': %s", path, strerror(errno));
    status = sb_file_lock_take(descriptor, path, error, &taken);
    if (status == SB_OK && taken)
        *lock = descriptor;
    else
        close(descriptor);
    return status || taken ? status : sb_file_lock_busy(path, error);
}

static enum sb_status lock_complain(const char *path, int number, struct sb_error *error)
{
    errno = number;
    return sb_error_set(error, SB_IO, "cannot lock '%.200s.lock': %s%s", path, strerror(number),
                        number == ENOENT ? ": make its folder, or name another file" : "");
}

enum sb_status sb_file_lock_wait(const char *path, const volatile sig_atomic_t *stop, struct sb_error *error,
                                 int *lock)
{
    char name[PATH_MAX];
    int descriptor, number;

    if (snprintf(name, sizeof name, "%s.lock", path) >= PATH_MAX)
        return lock_complain(path, ENAMETOOLONG, error);
    descriptor = sb_file_open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (descriptor < 0)
        return lock_complain(path, errno, error);
    while ((number = sb_file_flock(descriptor)) == EWOULDBLOCK && !(stop && *stop))
        nanosleep(&lock_pause, NULL);
    if (number == 0) {
        *lock = descriptor;
        return SB_OK;
    }
    close(descriptor);
    return number == EWOULDBLOCK ? sb_error_set(error, SB_STOPPED, "stopped while '%.200s' was in use", path)
                                 : lock_complain(path, number, error);
}
