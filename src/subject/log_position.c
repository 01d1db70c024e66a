/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds a log after rotation. A renamed file keeps its inode, but after a file is deleted, a new file may get
 * the same inode. The first bytes of a file survive both renaming and copying. So the hash of the first bytes
 * identifies a file. The first kilobytes of two logs of permutations are hardly ever equal.
 */
#include "core/system.h"
#include "subject/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { LOG_GAP = 8 }; /* the search for FILE.k ends after this many consecutive unused values of k */

static bool log_numbered(const char *path, int k, char name[PATH_MAX])
{
    return snprintf(name, PATH_MAX, "%s.%d", path, k) < PATH_MAX;
}

int sb_log_position_open(const char *path, int *descriptor)
{
    struct sb_retry retry = { .began = 0 };
    struct stat about;
    int opened;

    do
        opened = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    while (opened < 0 && errno == EINTR && sb_retry_again(&retry, errno));
    if (opened < 0) {
        if (sb_fault_kind(errno) != SB_FAULT_ABSENT)
            return errno;
    } else if (fstat(opened, &about)) {
        const int number = errno;

        close(opened);
        return number;
    } else if (!S_ISREG(about.st_mode)) {
        close(opened);
        opened = -1;
    }
    *descriptor = opened;
    return 0;
}

/* Reads the first bytes of a file after `zeros`, at most `length` and at most SB_LOG_POSITION_HEAD. Sets `*had` to
 * the number of bytes read. */
static int log_position_read(int descriptor, uint64_t zeros, uint64_t length, unsigned char head[SB_LOG_POSITION_HEAD],
                             size_t *had)
{
    const size_t most = length < SB_LOG_POSITION_HEAD ? (size_t)length : SB_LOG_POSITION_HEAD;
    struct sb_retry retry = { .began = 0 };

    for (*had = 0; *had < most;) {
        const ssize_t got = pread(descriptor, head + *had, most - *had, (off_t)(zeros + *had));

        if (got < 0 && errno == EINTR && sb_retry_again(&retry, errno))
            continue;
        if (got < 0)
            return errno;
        if (got == 0)
            break;
        *had += (size_t)got;
    }
    return 0;
}

int sb_log_position_open_head(int descriptor, uint64_t zeros, uint64_t offset, struct sb_log_position_head *head)
{
    struct sb_log_position_head made = { .zeros = zeros };
    struct stat about;

    if (fstat(descriptor, &about))
        return errno;
    made.inode = about.st_ino;
    const int number = log_position_read(descriptor, zeros, offset - zeros, made.byte, &made.had);

    if (number == 0)
        *head = made;
    return number;
}

void sb_log_position_add(struct sb_log_position_head *head, uint64_t offset, const char bytes[], size_t count)
{
    for (uint64_t end = head->zeros + head->had;
         end >= offset && end < offset + count && head->had < SB_LOG_POSITION_HEAD; end++)
        head->byte[head->had++] = (unsigned char)bytes[end - offset];
}

struct sb_log_position sb_log_position_of(const struct sb_log_position_head *head, uint64_t offset)
{
    return (struct sb_log_position) {
        .inode = head->inode,
        .offset = offset,
        .zeros = head->zeros,
        .head = head->had,
        .hash = sb_hash_add(SB_HASH_EMPTY, head->byte, head->had),
    };
}

int sb_log_position_fits(int descriptor, const struct sb_log_position *position, bool *fits)
{
    unsigned char head[SB_LOG_POSITION_HEAD];
    struct stat about;
    size_t had;

    if (fstat(descriptor, &about))
        return errno;
    if (!S_ISREG(about.st_mode) || (uint64_t)about.st_size < position->offset) {
        *fits = false;
        return 0;
    }
    if (position->head == 0) {
        *fits = about.st_ino == position->inode;
        return 0;
    }
    const int number = log_position_read(descriptor, position->zeros, position->head, head, &had);

    if (number == 0)
        *fits = had == position->head && sb_hash_add(SB_HASH_EMPTY, head, had) == position->hash;
    return number;
}

/* Sets *is to whether an open file is the file of the position. If `same` is true, the file must also have
 * the position's inode. */
static int log_position_is(int descriptor, const struct sb_log_position *position, bool same, bool *is)
{
    struct stat about;
    bool fits = false;
    const int number = sb_log_position_fits(descriptor, position, &fits);

    if (number)
        return number;
    if (fits && same && fstat(descriptor, &about))
        return errno;
    *is = fits && (!same || about.st_ino == position->inode);
    return 0;
}

/* Opens the file at `path` if it is the file of the position; otherwise sets `*found` to -1. If `there` is
 * not NULL, sets `*there` to whether the file exists. */
static int log_position_try(const char *path, const struct sb_log_position *position, bool same, bool *there,
                            int *found)
{
    int descriptor = -1, number = sb_log_position_open(path, &descriptor);
    const bool barred = number && sb_fault_kind(number) == SB_FAULT_LASTING;
    bool is = false;

    if (number && !barred)
        return number;
    if (there)
        *there = barred || descriptor >= 0;
    *found = -1;
    if (descriptor < 0)
        return 0;
    number = log_position_is(descriptor, position, same, &is);
    if (number == 0 && is)
        *found = descriptor;
    else
        close(descriptor);
    return number;
}

/* Tries FILE, FILE.0, FILE.1 and so on. Rotation renames each file to the next number, beginning with the oldest file.
 * So a search that begins with the newest file does not miss a file that is renamed during the search. */
static int log_position_in_order(const char *path, const struct sb_log_position *position, bool same, int *found)
{
    char name[PATH_MAX];
    int number = log_position_try(path, position, same, NULL, found);

    for (int k = 0, missing = 0; number == 0 && *found < 0 && missing < LOG_GAP && log_numbered(path, k, name); k++) {
        bool there = false;

        number = log_position_try(name, position, same, &there, found);
        missing = there ? 0 : missing + 1;
    }
    return number;
}

int sb_log_position_find(const char *path, const struct sb_log_position *position, int *descriptor)
{
    int found = -1, number = log_position_in_order(path, position, true, &found);

    /* no file has the inode, so the log was copied; if the head is short, several files may fit, and the newest is
     * the likeliest */
    if (number == 0 && found < 0 && position->head)
        number = log_position_in_order(path, position, false, &found);
    if (number == 0)
        *descriptor = found;
    return number;
}

/* ---- the successor of a file; rotation may rename all files at the same time ---- */

struct log_sibling {
    ino_t inode; /* 0 if there is no file or no permission to read the file */
    bool empty;
    struct timespec written; /* time of the last write */
};

/* Looks at a file. Returns 0 or an errno. */
static int log_sibling_look(const char *name, struct log_sibling *sibling)
{
    struct stat about;

    *sibling = (struct log_sibling) { .inode = 0 };
    if (stat(name, &about) == 0)
        *sibling = (struct log_sibling) { about.st_ino, about.st_size == 0, about.st_mtim };
    else if (sb_fault_kind(errno) == SB_FAULT_PASSING)
        return errno;
    return 0;
}

static int log_sibling_look_at(const char *path, int k, struct log_sibling *sibling)
{
    char name[PATH_MAX];

    *sibling = (struct log_sibling) { .inode = 0 };
    return log_numbered(path, k, name) ? log_sibling_look(name, sibling) : 0;
}

/* Sets *is to k if FILE.k has this inode, and to -1 if there is no such k. Returns 0 or an errno. */
static int log_sibling_number(const char *path, ino_t inode, int *is)
{
    struct log_sibling at;

    *is = -1;
    for (int k = 0, missing = 0; missing < LOG_GAP; k++) {
        const int number = log_sibling_look_at(path, k, &at);

        if (number)
            return number;
        if (at.inode == inode) {
            *is = k;
            return 0;
        }
        missing = at.inode ? 0 : missing + 1;
    }
    return 0;
}

/* The files on one side of FILE.k: the numbers of the nearest file and of the nearest file with content; -1: none. */
struct log_side {
    int first, content;
    struct log_sibling written; /* the file with content */
};

/* Looks at the files with smaller numbers (step -1) or larger numbers (step 1) than FILE.from. */
static int log_side_look(const char *path, int from, int step, struct log_side *side)
{
    struct log_sibling at;

    *side = (struct log_side) { .first = -1, .content = -1 };
    for (int k = from + step, missing = 0; k >= 0 && (step < 0 || missing < LOG_GAP) && side->content < 0; k += step) {
        const int number = log_sibling_look_at(path, k, &at);

        if (number)
            return number;
        missing = at.inode ? 0 : missing + 1;
        if (at.inode && side->first < 0)
            side->first = k;
        if (at.inode && !at.empty) {
            side->content = k;
            side->written = at;
        }
    }
    return 0;
}

static bool log_sibling_older(const struct log_sibling *a, const struct log_sibling *b)
{
    const struct timespec *const x = &a->written, *const y = &b->written;

    return x->tv_sec != y->tv_sec ? x->tv_sec < y->tv_sec : x->tv_nsec < y->tv_nsec;
}

/* Most programs give the newest of the renamed files the smallest number, others the largest. Returns whether it is the
 * largest: the files with smaller numbers were last written before a file, and those with larger numbers after it. The
 * time of an empty file says nothing, because its program may still write to the file before. */
static bool log_sibling_rises(const struct log_sibling *file, const struct log_side *below,
                              const struct log_side *above)
{
    if (file->empty)
        return below->content >= 0 && above->content >= 0 && log_sibling_older(&below->written, &above->written);
    return (below->content >= 0 && log_sibling_older(&below->written, file)) ||
           (above->content >= 0 && log_sibling_older(file, &above->written));
}

/* Sets *last to the number of the file with this inode, and *next to that of the first later file with content, or, if
 * none has content, of the first later file. The number of FILE itself is -1, as that of a file that is not there. */
static int log_sibling_pair(const char *path, ino_t inode, int *last, int *next)
{
    struct log_sibling from, log;
    struct log_side below, above;
    int number = log_sibling_number(path, inode, last);

    *next = -1;
    if (number || *last < 0)
        return number;
    number = log_sibling_look_at(path, *last, &from);
    if (number == 0)
        number = log_side_look(path, *last, -1, &below);
    if (number == 0)
        number = log_side_look(path, *last, 1, &above);
    if (number == 0)
        number = log_sibling_look(path, &log);
    if (number)
        return number;
    const struct log_side *const later = log_sibling_rises(&from, &below, &above) ? &above : &below;

    if (later->content >= 0)
        *next = later->content;
    else if (!log.inode || log.empty)
        *next = later->first;
    return 0;
}

int sb_log_position_next(const char *path, ino_t inode, int *descriptor, bool *beside)
{
    int last, next, last_now, next_now, opened = -1, number = log_sibling_pair(path, inode, &last, &next);
    char name[PATH_MAX];

    if (number)
        return number;
    *beside = last >= 0;
    if (next >= 0)
        log_numbered(path, next, name);
    number = sb_log_position_open(next >= 0 ? name : path, &opened);
    if (number || opened < 0)
        return number;
    /* If a file was renamed since, the open file might be a later file. */
    number = log_sibling_pair(path, inode, &last_now, &next_now);
    if (number || last_now != last || next_now != next) {
        close(opened);
        return number;
    }
    *descriptor = opened;
    return 0;
}
