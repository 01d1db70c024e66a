/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Classifies failures of system calls. Some failures are temporary. A file on NFS or FUSE fails with EIO,
 * ESTALE, ETIMEDOUT or ENOTCONN while its server restarts. Descriptors and memory become available again when
 * another program ends. If the library confused such a failure with a missing file, the library would lose
 * the log's position or the evidence, and would start from zero.
 */
#define _DEFAULT_SOURCE /* flock() and madvise() */

#include "core/system.h"

#include "core/core.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

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
    retry->pause = !retry->pause ? RETRY_FIRST : retry->pause < RETRY_LONGEST ? 2 * retry->pause : retry->pause;
    nanosleep(&(struct timespec) { .tv_nsec = retry->pause }, NULL);
    errno = number;
    return true;
}

/* System calls on files, repeated after a failure that may be temporary (core/system.h). */

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

/* Asks the system for huge pages. A refusal only costs time. */

enum { HUGE_PAGE = 2 * 1024 * 1024 };

void *sb_huge_pages_new(size_t count, size_t width)
{
    char *const table = calloc(count, width);

#ifdef MADV_HUGEPAGE
    if (table && count * width >= 2 * HUGE_PAGE) {
        const size_t skip = HUGE_PAGE - (uintptr_t)table % HUGE_PAGE;

        (void)madvise(table + skip, (count * width - skip) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    }
#endif
    return table;
}

static _Thread_local bool json_short;

static void *json_allocate(size_t size)
{
    void *const block = malloc(size);

    json_short = json_short || !block;
    return block;
}

__attribute__((constructor)) static void json_begin(void)
{
    json_malloc_t allocate;
    json_free_t release;

    json_get_alloc_funcs(&allocate, &release);
    if (allocate == malloc && release == free)
        json_set_alloc_funcs(json_allocate, free);
}

/* Restores Jansson's functions, since Jansson may stay loaded longer than this library. */
__attribute__((destructor)) static void json_end(void)
{
    json_malloc_t allocate;
    json_free_t release;

    json_get_alloc_funcs(&allocate, &release);
    if (allocate == json_allocate)
        json_set_alloc_funcs(malloc, free);
}

/* Drops a value if an allocation failed, and sets errno. */
static json_t *json_settle(json_t *top)
{
    const int number = json_short ? ENOMEM : top ? 0 : errno;

    if (json_short) {
        json_decref(top);
        top = NULL;
    }
    errno = number; /* Jansson sets errno to 0 whenever it reads a number */
    return top;
}

json_t *sb_json_load(FILE *stream, json_error_t *fault)
{
    json_short = false;
    errno = 0;
    return json_settle(json_loadf(stream, JSON_REJECT_DUPLICATES, fault));
}

json_t *sb_json_load_text(const char text[], size_t length, json_error_t *fault)
{
    json_short = false;
    errno = 0;
    return json_settle(json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, fault));
}

/* Adds up the tallies of all ranks (the processes that share a run) at the root. Cost: one reduction. */

enum sb_status sb_ranks_check(const struct sb_ranks *ranks, struct sb_error *error)
{
    if (ranks->size < 2 || ranks->rank >= ranks->size)
        return sb_error_set(error, SB_INVALID, "there is no rank %u of %u: give 2 ranks or more the numbers from 0",
                            ranks->rank, ranks->size);
    if (!ranks->broadcast || !ranks->sum || !ranks->most || !ranks->either || !ranks->gather || !ranks->open ||
        !ranks->close || !ranks->take)
        return sb_error_set(error, SB_INVALID, "a function of struct sb_ranks is NULL: set all eight");
    return SB_OK;
}

void sb_ranks_sum(const struct sb_ranks *ranks, uint64_t tally[], size_t count)
{
    if (!ranks)
        return;
    ranks->sum(ranks->state, tally, count);
    if (!sb_ranks_is_root(ranks))
        memset(tally, 0, count * sizeof tally[0]);
}

double sb_clock_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
