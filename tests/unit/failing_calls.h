/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * System calls that fail from time to time, instead of the system's. For one source of a test, which defines
 * _GNU_SOURCE.
 */
#ifndef SB_TESTS_FAILING_CALLS_H
#define SB_TESTS_FAILING_CALLS_H

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* Knuth's 64-bit linear congruential generator: a number below `bound`. */
static unsigned below(uint64_t *state, unsigned bound)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((*state >> 33) % bound);
}

/* How the reader's system calls fail. */
static struct {
    bool on;         /* the reader is at work, and nobody else */
    unsigned one_in; /* of so many calls fails one; 0: none does */
    uint64_t random;
    unsigned count; /* failures so far */
    ino_t broken;   /* fstat() of this file fails after `left` calls; 0: none does */
    unsigned left;
} faults;

static bool fault_comes(void)
{
    static const int numbers[] = { EIO, ESTALE, EMFILE, ENOMEM, EINTR, ETIMEDOUT };

    if (!faults.on || !faults.one_in || below(&faults.random, faults.one_in) > 0)
        return false;
    faults.count++;
    errno = numbers[below(&faults.random, sizeof numbers / sizeof numbers[0])];
    return true;
}

/* In place of the system's. */
int stat(const char *path, struct stat *about)
{
    return fault_comes() ? -1 : fstatat(AT_FDCWD, path, about, 0);
}

int fstat(int descriptor, struct stat *about)
{
    if (fault_comes() || fstatat(descriptor, "", about, AT_EMPTY_PATH))
        return -1;
    if (!faults.broken || about->st_ino != faults.broken || (faults.left > 0 && faults.left--))
        return 0;
    errno = EIO;
    return -1;
}

ssize_t pread(int descriptor, void *bytes, size_t room, off_t offset)
{
    const struct iovec part = { bytes, room > 700 ? 700 : room }; /* a short read, too */

    return fault_comes() ? -1 : preadv(descriptor, &part, 1, offset);
}

int open(const char *path, int flags, ...)
{
    return fault_comes() ? -1 : openat(AT_FDCWD, path, flags, 0666);
}

#endif
