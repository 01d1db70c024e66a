/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a log has gone. Its inode moves with it where it is renamed, but may be given to the next file once
 * it is gone; what it begins with stays, also where it is copied and then cut. So a file is known by the hash
 * of its first bytes: lines of permutations are hardly ever the same for a kilobyte.
 */
#include "subject/bookmark.h"

#include "core/hash.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BOOKMARK_GAP = 8 }; /* so many numbers in a row that no file has: there are no further ones */

int sb_bookmark_open(const char *path)
{
    return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* The first bytes, so many at most; how many there are. */
static size_t bookmark_read(int descriptor, uint64_t length, unsigned char head[SB_BOOKMARK_HEAD])
{
    size_t had = 0;

    while (had < length && had < SB_BOOKMARK_HEAD) {
        const size_t left = (length < SB_BOOKMARK_HEAD ? (size_t)length : SB_BOOKMARK_HEAD) - had;
        const ssize_t got = pread(descriptor, head + had, left, (off_t)had);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        had += (size_t)got;
    }
    return had;
}

void sb_bookmark_open_head(int descriptor, uint64_t offset, struct sb_bookmark_head *head)
{
    struct stat about;

    head->inode = fstat(descriptor, &about) == 0 ? about.st_ino : 0;
    head->had = bookmark_read(descriptor, offset, head->byte);
}

void sb_bookmark_add(struct sb_bookmark_head *head, uint64_t offset, const char bytes[], size_t count)
{
    for (size_t i = 0; i < count && head->had == offset + i && head->had < SB_BOOKMARK_HEAD; i++)
        head->byte[head->had++] = (unsigned char)bytes[i];
}

struct sb_bookmark sb_bookmark_of(const struct sb_bookmark_head *head, uint64_t offset)
{
    const uint64_t length = offset < head->had ? offset : head->had;

    return (struct sb_bookmark) {
        .inode = head->inode,
        .offset = offset,
        .head = length,
        .hash = sb_hash_add(SB_HASH_EMPTY, head->byte, length),
    };
}

bool sb_bookmark_fits(int descriptor, const struct sb_bookmark *bookmark)
{
    unsigned char head[SB_BOOKMARK_HEAD];
    struct stat about;

    if (fstat(descriptor, &about) || !S_ISREG(about.st_mode) || (uint64_t)about.st_size < bookmark->offset)
        return false;
    if (bookmark->head == 0)
        return about.st_ino == bookmark->inode;
    return bookmark_read(descriptor, bookmark->head, head) == bookmark->head &&
           sb_hash_add(SB_HASH_EMPTY, head, bookmark->head) == bookmark->hash;
}

/* Opens a file if the bookmark is in it, and where that is asked for if it also has its inode; else -1. */
static int bookmark_try(const char *path, const struct sb_bookmark *bookmark, bool same)
{
    const int descriptor = sb_bookmark_open(path);
    struct stat about;

    if (descriptor < 0 || (sb_bookmark_fits(descriptor, bookmark) &&
                           (!same || (fstat(descriptor, &about) == 0 && about.st_ino == bookmark->inode))))
        return descriptor;
    close(descriptor);
    return -1;
}

/* FILE.k; false where that is too long. */
static bool bookmark_numbered(const char *path, int k, char name[PATH_MAX])
{
    return snprintf(name, PATH_MAX, "%s.%d", path, k) < PATH_MAX;
}

/* The folder that FILE is in, to be closed by the caller; NULL: it cannot be read. */
static DIR *bookmark_folder(const char *path)
{
    const char *const slash = strrchr(path, '/');
    char folder[PATH_MAX];

    snprintf(folder, sizeof folder, "%.*s", slash && slash != path ? (int)(slash - path) : 1,
             slash ? path : ".");
    return opendir(folder);
}

/* The next file there whose name goes on from FILE's with one of these bytes; false: there is no other. */
static bool bookmark_each(DIR *list, const char *path, const char *bytes, char name[PATH_MAX])
{
    const char *const slash = strrchr(path, '/'), *const base = slash ? slash + 1 : path;
    const size_t length = strlen(base);

    for (const struct dirent *entry; list && (entry = readdir(list));) {
        const char *const more = entry->d_name + length;

        if (strncmp(entry->d_name, base, length) == 0 && *more && strchr(bytes, *more) &&
            snprintf(name, PATH_MAX, "%.*s%s", (int)(base - path), path, entry->d_name) < PATH_MAX)
            return true;
    }
    return false;
}

/* Tries all files beside FILE whose names go on from its own. */
static int bookmark_beside(const char *path, const struct sb_bookmark *bookmark, bool same)
{
    DIR *const list = bookmark_folder(path);
    char name[PATH_MAX];
    int found = -1;

    while (found < 0 && bookmark_each(list, path, ".-", name))
        found = bookmark_try(name, bookmark, same);
    if (list)
        closedir(list);
    return found;
}

/*
 * Tries FILE, FILE.0, FILE.1 and so on. Whoever rotates moves the oldest first, and each to the next number:
 * who looks from the youngest on misses none that moves meanwhile.
 */
static int bookmark_in_order(const char *path, const struct sb_bookmark *bookmark, bool same)
{
    char name[PATH_MAX];
    int found = bookmark_try(path, bookmark, same);

    for (int k = 0, missing = 0; found < 0 && missing < BOOKMARK_GAP && bookmark_numbered(path, k, name);
         k++) {
        missing = access(name, F_OK) ? missing + 1 : 0;
        found = bookmark_try(name, bookmark, same);
    }
    return found;
}

int sb_bookmark_find(const char *path, const struct sb_bookmark *bookmark)
{
    int found = bookmark_in_order(path, bookmark, true);

    if (found < 0)
        found = bookmark_beside(path, bookmark, true);
    if (found < 0 && bookmark->head) /* a copy: the youngest is the likeliest where its head is short */
        found = bookmark_in_order(path, bookmark, false);
    return found < 0 && bookmark->head ? bookmark_beside(path, bookmark, false) : found;
}

/* The inode of FILE.k; 0: there is none. */
static ino_t bookmark_inode(const char *path, int k)
{
    char name[PATH_MAX];
    struct stat about;

    return bookmark_numbered(path, k, name) && stat(name, &about) == 0 ? about.st_ino : 0;
}

/* The number of the file with this inode; -1: it has none. */
static int bookmark_number(const char *path, ino_t inode)
{
    for (int k = 0, missing = 0; missing < BOOKMARK_GAP; k++) {
        const ino_t is = bookmark_inode(path, k);

        if (is == inode)
            return k;
        missing = is ? 0 : missing + 1;
    }
    return -1;
}

/* The next file beside FILE that is called after a date, FILE-20261122, and has not been compressed. */
static bool bookmark_each_dated(DIR *list, const char *path, char name[PATH_MAX])
{
    while (bookmark_each(list, path, "-", name)) {
        const char *const more = name + strlen(path);

        if (strspn(more, "-_0123456789") == strlen(more))
            return true;
    }
    return false;
}

/* Where the file with this inode is called after a date, the first one with a later date; false: none is. */
static bool bookmark_dated(const char *path, ino_t inode, char next[PATH_MAX])
{
    DIR *const list = bookmark_folder(path);
    char name[PATH_MAX], own[PATH_MAX] = "";
    struct stat about;

    while (bookmark_each_dated(list, path, name))
        if (stat(name, &about) == 0 && about.st_ino == inode)
            memcpy(own, name, sizeof own);
    next[0] = '\0';
    if (list)
        rewinddir(list);
    while (own[0] && bookmark_each_dated(list, path, name))
        if (strcmp(name, own) > 0 && (!next[0] || strcmp(name, next) < 0))
            memcpy(next, name, PATH_MAX);
    if (list)
        closedir(list);
    return next[0] != '\0';
}

/* Opens that one, or else the one at the path, unless this has got a date meanwhile. */
static int bookmark_next_dated(const char *path, ino_t inode)
{
    char name[PATH_MAX];
    int descriptor;

    if (bookmark_dated(path, inode, name))
        return sb_bookmark_open(name);
    descriptor = sb_bookmark_open(path);
    if (descriptor < 0 || !bookmark_dated(path, inode, name))
        return descriptor;
    close(descriptor);
    errno = EAGAIN;
    return -1;
}

int sb_bookmark_next(const char *path, ino_t inode)
{
    const int number = bookmark_number(path, inode);
    char name[PATH_MAX];
    int next = number - 1, descriptor;

    if (number < 0)
        return bookmark_next_dated(path, inode);
    while (next >= 0 && !bookmark_inode(path, next))
        next--;
    if (next >= 0)
        bookmark_numbered(path, next, name);
    descriptor = sb_bookmark_open(next >= 0 ? name : path);
    for (int k = next + 1; k < number && descriptor >= 0; k++)
        if (bookmark_inode(path, k)) {
            close(descriptor);
            descriptor = -1;
        }
    if (descriptor < 0 || bookmark_inode(path, number) == inode)
        return descriptor;
    close(descriptor); /* they are being moved: it may be a later one that was opened */
    errno = EAGAIN;
    return -1;
}
