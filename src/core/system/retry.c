/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classifies failures of system calls. Some failures are temporary. A file on NFS or FUSE fails with EIO,
 * ESTALE, ETIMEDOUT or ENOTCONN while its server restarts. Descriptors and memory become available again when
 * another program ends. If the library confused such a failure with a missing file, the library would lose
 * the log's position or the evidence, and would start from zero.
 */
#include "core/system/retry.h"

#include "core/system/clock.h"

#include <errno.h>
#include <time.h>

/* nanoseconds; each pause is twice as long as the previous one, up to RETRY_LONGEST */
enum { RETRY_FIRST = 1000000, RETRY_LONGEST = 128000000 };

enum sb_fault sb_fault_kind(int number)
{
    switch (number) {
    case ENOENT:
    case ENOTDIR:
        return SB_FAULT_ABSENT;
    case EACCES:
    case EPERM:
    case EROFS:
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case ELOOP:
    case ENAMETOOLONG:
    case EISDIR:
    case EEXIST:
    case EBADF:
    case EINVAL:
    case ENXIO:
    case ENODEV:
    case ENOSYS:
    case ENOTSUP:
    case EOVERFLOW:
    case EPIPE:
    case ESPIPE:
    case ENOLCK:
    case EXDEV:
        return SB_FAULT_LASTING;
    default:
        return SB_FAULT_PASSING;
    }
}

bool sb_retry_again(struct sb_retry *retry, int number)
{
    const double now = sb_clock_now();

    errno = number;
    if (sb_fault_kind(number) != SB_FAULT_PASSING)
        return false;
    if (retry->began == 0)
        retry->began = now;
    if (now - retry->began >= SB_RETRY_SAVED)
        return false;
    retry->pause = !retry->pause                  ? RETRY_FIRST
                   : retry->pause < RETRY_LONGEST ? 2 * retry->pause
                                                  : retry->pause;
    nanosleep(&(struct timespec) { .tv_nsec = retry->pause }, NULL);
    errno = number;
    return true;
}
