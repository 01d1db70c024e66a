/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls on files, repeated after a temporary failure (core/system/retry.h). */
#include "core/system/file_calls.h"

#include "core/system/retry.h"

#include <errno.h>
#include <fcntl.h>

int sb_file_open(const char *path, int flags, mode_t mode)
{
    struct sb_retry retry = { .began = 0 };
    int descriptor;

    do
        descriptor = open(path, flags, mode);
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
