/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the successor of a given file of a log. Rotation may rename all files at the same time. */
#include "subject/follow/log_position.h"

#include "core/system.h"
#include "subject/follow/log_siblings.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Finds the inode of a file; 0 if there is no file or no permission to read the file. */
static int log_position_inode_at(const char *path, ino_t *inode)
{
    struct stat about;

    *inode = 0;
    if (stat(path, &about) == 0)
        *inode = about.st_ino;
    else if (sb_fault_kind(errno) == SB_FAULT_PASSING)
        return errno;
    return 0;
}

/* Finds the inode of FILE.k. */
static int log_position_inode(const char *path, int k, ino_t *inode)
{
    char name[PATH_MAX];

    *inode = 0;
    return sb_log_numbered(path, k, name) ? log_position_inode_at(name, inode) : 0;
}

/* Sets *is to k if FILE.k has this inode, and to -1 if there is no such k. Returns 0 or an errno. */
static int log_position_number(const char *path, ino_t inode, int *is)
{
    *is = -1;
    for (int k = 0, missing = 0; missing < SB_LOG_GAP; k++) {
        ino_t at;
        const int number = log_position_inode(path, k, &at);

        if (number)
            return number;
        if (at == inode) {
            *is = k;
            return 0;
        }
        missing = at ? 0 : missing + 1;
    }
    return 0;
}

/* Finds the next uncompressed file beside FILE whose name has a date, such as FILE-20261122. */
static int log_position_each_dated(DIR *list, const char *path, char name[PATH_MAX], bool *more)
{
    int number;

    do
        number = sb_log_each(list, path, "-", name, more);
    while (number == 0 && *more && name[strlen(path) + strspn(name + strlen(path), "-_0123456789")]);
    return number;
}

/* Finds the file with this inode among the files whose names have a date. Sets `own` to its name, or to "" if
 * there is no such file. */
static int log_position_dated_own(DIR *list, const char *path, ino_t inode, char own[PATH_MAX])
{
    char name[PATH_MAX];
    bool more = true;
    int number = 0;

    for (own[0] = '\0'; number == 0 && more;) {
        ino_t at = 0;

        number = log_position_each_dated(list, path, name, &more);
        if (number == 0 && more)
            number = log_position_inode_at(name, &at);
        if (at == inode && at)
            memcpy(own, name, sizeof name);
    }
    return number;
}

/* Sets `next` to the first dated name after the name of the file with this inode. Sets `next` to "" if the
 * name of this file has no date, or if there is no later date. Sets *beside to whether the name has a date. */
static int log_position_dated(const char *path, ino_t inode, char next[PATH_MAX], bool *beside)
{
    char name[PATH_MAX], own[PATH_MAX] = "";
    DIR *list;
    int number = sb_log_folder(path, &list);
    bool more = true;

    next[0] = '\0';
    if (number == 0)
        number = log_position_dated_own(list, path, inode, own);
    if (list)
        rewinddir(list);
    while (number == 0 && own[0] && more) {
        number = log_position_each_dated(list, path, name, &more);
        if (number == 0 && more && strcmp(name, own) > 0 && (!next[0] || strcmp(name, next) < 0))
            memcpy(next, name, PATH_MAX);
    }
    if (list)
        closedir(list);
    *beside = own[0];
    return number;
}

/* If `next` says that the file `opened` is the next file, sets *descriptor to `opened`. Otherwise, or if
 * `number` is the errno of a failure, closes `opened`. */
static int log_position_keep(int opened, bool next, int number, int *descriptor)
{
    if (opened >= 0 && (number || !next))
        close(opened);
    if (number == 0)
        *descriptor = next ? opened : -1;
    return number;
}

/* Opens the file with the next date. If there is no such file, opens the file at the path, unless that file
 * has been renamed in the meantime. */
static int log_position_next_dated(const char *path, ino_t inode, int *descriptor, bool *beside)
{
    char name[PATH_MAX];
    int opened = -1, number = log_position_dated(path, inode, name, beside);

    if (number)
        return number;
    if (name[0])
        return sb_log_position_open(name, descriptor);
    number = sb_log_position_open(path, &opened);
    if (number == 0 && opened >= 0)
        number = log_position_dated(path, inode, name, beside);
    return log_position_keep(opened, !name[0], number, descriptor);
}

/* Checks that no rotation took place during the search: there must be no file between FILE.next, which is
 * open, and FILE.last, and FILE.last must still have this inode. After a rotation the open file might be a
 * later file. */
static int log_position_unmoved(const char *path, int next, int last, ino_t inode, bool *unmoved)
{
    *unmoved = true;
    for (int k = next + 1; k <= last && *unmoved; k++) {
        ino_t at;
        const int number = log_position_inode(path, k, &at);

        if (number)
            return number;
        *unmoved = k < last ? !at : at == inode;
    }
    return 0;
}

int sb_log_position_next(const char *path, ino_t inode, int *descriptor, bool *beside)
{
    int last, opened = -1, number = log_position_number(path, inode, &last), next = last;
    char name[PATH_MAX];
    bool unmoved = false;
    ino_t at = 0;

    if (number)
        return number;
    *beside = last >= 0;
    if (last < 0)
        return log_position_next_dated(path, inode, descriptor, beside);
    while (number == 0 && !at && --next >= 0)
        number = log_position_inode(path, next, &at);
    if (number)
        return number;
    if (next >= 0)
        sb_log_numbered(path, next, name);
    number = sb_log_position_open(next >= 0 ? name : path, &opened);
    if (number == 0 && opened >= 0)
        number = log_position_unmoved(path, next, last, inode, &unmoved);
    return log_position_keep(opened, unmoved, number, descriptor);
}
