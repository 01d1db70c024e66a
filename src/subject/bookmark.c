/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a log has gone. Its inode moves with it where it is renamed, but may be given to the next file once
 * it is gone; what it begins with stays, also where it is copied and then cut. So a file is known by the hash
 * of its first bytes: lines of permutations are hardly ever the same for a kilobyte.
 */
#include "subject/bookmark.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BOOKMARK_OLDEST = 1000 }; /* FILE.1000 is the oldest that is looked for by its number */

int sb_bookmark_open(const char *path)
{
    return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* The hash of the first bytes; false where there are fewer. */
static bool bookmark_hash(int descriptor, uint64_t length, uint64_t *hash)
{
    unsigned char head[SB_BOOKMARK_HEAD];
    size_t had = 0;

    while (had < length) {
        const ssize_t got = pread(descriptor, head + had, (size_t)length - had, (off_t)had);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        had += (size_t)got;
    }
    *hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < had; i++)
        *hash = (*hash ^ head[i]) * UINT64_C(0x100000001b3);
    return true;
}

struct sb_bookmark sb_bookmark_of(int descriptor, uint64_t offset)
{
    struct sb_bookmark bookmark = { .offset = offset,
                                    .head = offset < SB_BOOKMARK_HEAD ? offset : SB_BOOKMARK_HEAD };
    struct stat about;

    if (fstat(descriptor, &about) == 0)
        bookmark.inode = about.st_ino;
    bookmark_hash(descriptor, bookmark.head, &bookmark.hash);
    return bookmark;
}

bool sb_bookmark_fits(int descriptor, const struct sb_bookmark *bookmark)
{
    struct stat about;
    uint64_t hash;

    return fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) &&
           (uint64_t)about.st_size >= bookmark->offset &&
           (bookmark->head ? bookmark_hash(descriptor, bookmark->head, &hash) && hash == bookmark->hash
                           : about.st_ino == bookmark->inode);
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

/* Tries all files beside FILE whose names go on from its own. */
static int bookmark_beside(const char *path, const struct sb_bookmark *bookmark, bool same)
{
    const char *const slash = strrchr(path, '/'), *const base = slash ? slash + 1 : path;
    const size_t length = strlen(base), folder_length = slash == path ? 1 : (size_t)(base - path);
    char folder[PATH_MAX], name[PATH_MAX];
    int found = -1;

    snprintf(folder, sizeof folder, "%.*s", slash ? (int)folder_length : 1, slash ? path : ".");
    DIR *const list = opendir(folder);

    for (const struct dirent *entry; list && found < 0 && (entry = readdir(list));) {
        const char *const more = entry->d_name + length;

        if (strncmp(entry->d_name, base, length) != 0 || (*more != '.' && *more != '-'))
            continue;
        if (snprintf(name, sizeof name, "%.*s%s", (int)(base - path), path, entry->d_name) < PATH_MAX)
            found = bookmark_try(name, bookmark, same);
    }
    if (list)
        closedir(list);
    return found;
}

int sb_bookmark_find(const char *path, const struct sb_bookmark *bookmark)
{
    char name[PATH_MAX];
    int found = bookmark_try(path, bookmark, true);

    if (found < 0)
        found = bookmark_beside(path, bookmark, true);
    if (found < 0 && bookmark->head) /* a copy: the youngest is the likeliest where its head is short */
        found = bookmark_try(path, bookmark, false);
    for (int k = 0; found < 0 && bookmark->head && k < BOOKMARK_OLDEST && bookmark_numbered(path, k, name);
         k++) {
        if (k > 0 && access(name, F_OK))
            break;
        found = bookmark_try(name, bookmark, false);
    }
    return found < 0 && bookmark->head ? bookmark_beside(path, bookmark, false) : found;
}

int sb_bookmark_next(const char *path, ino_t inode)
{
    char before[PATH_MAX], name[PATH_MAX];
    struct stat about;

    snprintf(before, sizeof before, "%s", path);
    for (int k = 0; k < BOOKMARK_OLDEST && bookmark_numbered(path, k, name); k++) {
        if (stat(name, &about)) {
            if (k == 0) /* most begin with FILE.1 */
                continue;
            break;
        }
        if (about.st_ino == inode)
            return sb_bookmark_open(before);
        memcpy(before, name, sizeof before);
    }
    return sb_bookmark_open(path);
}
