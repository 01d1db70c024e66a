/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls on files, repeated after a failure that may be temporary (core/system/retry.h). */
#define _DEFAULT_SOURCE /* flock() */

#include "core/system/file_calls.h"

#include "core/system/retry.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

/* Moves a descriptor that has the number of a standard stream. */
static int file_above_standard(int descriptor)
{
    if (descriptor < 0 || descriptor > STDERR_FILENO)
        return descriptor;
    const int above = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1), number = errno;

    close(descriptor);
    errno = number;
    return above;
}

int sb_file_open(const char *path, int flags, mode_t mode)
{
    struct sb_retry retry = { .began = 0 };
    int descriptor;

    do
        descriptor = file_above_standard(open(path, flags, mode));
    while (descriptor < 0 && sb_retry_again(&retry, errno));
    return descriptor;
}

int sb_file_status(const char *path, bool link, bool *there, struct stat *about)
{
    struct sb_retry retry = { .began = 0 };
    struct stat found;

    *there = false;
    while (link ? lstat(path, &found) : stat(path, &found)) {
        if (sb_retry_again(&retry, errno))
            continue;
        return sb_fault_kind(errno) == SB_FAULT_ABSENT ? 0 : errno;
    }
    *there = true;
    *about = found;
    return 0;
}

int sb_file_status_open(int descriptor, struct stat *about)
{
    struct sb_retry retry = { .began = 0 };

    while (fstat(descriptor, about))
        if (!sb_retry_again(&retry, errno))
            return errno;
    return 0;
}

int sb_file_flock(int descriptor)
{
    struct sb_retry retry = { .began = 0 };
    int number;

    do
        number = flock(descriptor, LOCK_EX | LOCK_NB) ? errno : 0;
    while (number && number != EWOULDBLOCK && sb_retry_again(&retry, number));
    return number;
}

int sb_file_rename(int descriptor, const char *from, const char *to)
{
    struct sb_retry retry = { .began = 0 };
    struct stat own, about;

    while (rename(from, to)) {
        const int number = errno;

        /* A file server may report a failure although it has renamed the file. In this case the file has the
         * new name. */
        if (fstat(descriptor, &own) == 0 && lstat(to, &about) == 0 && own.st_dev == about.st_dev &&
            own.st_ino == about.st_ino)
            break;
        if (!sb_retry_again(&retry, number))
            return number;
    }
    return 0;
}
