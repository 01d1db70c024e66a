/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces a file atomically. The new file is written under another name, forced to the disk, and renamed. So
 * readers see either the whole old file or the whole new file, even if the program or the machine fails. If
 * the old file is locked, the new file is locked before it is renamed. So the path is locked at all times. If
 * the path is a link, the link stays, and the link's target is replaced.
 */
#define _XOPEN_SOURCE 700 /* realpath() */

#include "store/file/atomic_file.h"

#include "core/core.h"
#include "core/system.h"
#include "store/file/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char atomic_resume[] = "go on from it with `saved`, or name another file";

/* A replacement that is not complete yet. */
struct replacement {
    const char *path;
    char at[PATH_MAX];   /* the target, with links resolved */
    char name[PATH_MAX]; /* the temporary name of the new file */
    int descriptor;      /* descriptor of the new file, which also holds the lock if there is one */
    bool fresh;          /* no old file exists, so the user can choose another name */
    bool secret;         /* only the user may read the new file if no old file says otherwise */
    /* for error lines: the name of the field with which a run resumes from the old file; NULL: no such
     * field */
    const char *again;
};

/* The advice to the user for this errno. */
static const char *replace_remedy(const struct replacement *new, int number)
{
    return number == ENOSPC || number == EDQUOT ? "make room"
           : number == EFBIG                    ? "raise the limit of 'ulimit -f'"
           : number == ENOENT && !new->fresh    ? "make its folder"
           : number == ENOENT                   ? "make its folder, or name another file"
           : new->fresh                         ? "name another file"
                                                : "mend that";
}

static enum sb_status replace_failed(const struct replacement *new, int number, struct sb_error *error)
{
    const char *const remedy = replace_remedy(new, number), *const why = strerror(number ? number : EIO);

    if (new->again && !new->fresh)
        return sb_error_set(error, SB_IO, "cannot write '%.100s': %s: %s, and resume the run with %s %.100s",
                            new->path, why, remedy, new->again, new->path);
    return sb_error_set(error, SB_IO, "cannot write '%.200s': %s: %s", new->path, why, remedy);
}

/* Sets the target and the temporary name, and checks that the temporary name is free or belongs to a regular
 * file. */
static enum sb_status replace_locate(struct replacement *new, struct sb_error *error)
{
    struct sb_retry retry = { .began = 0 };
    struct stat about;
    bool there;
    int length = snprintf(new->at, sizeof new->at, "%s", new->path),
        number = sb_file_status(new->path, true, &there, &about);

    while (number == 0 && there && S_ISLNK(about.st_mode) && !realpath(new->path, new->at))
        number = sb_retry_again(&retry, errno) ? 0 : errno;
    if (number)
        return replace_failed(new, number, error);
    if (length < PATH_MAX)
        length = snprintf(new->name, sizeof new->name, "%s.new", new->at);
    if (length >= PATH_MAX)
        return replace_failed(new, ENAMETOOLONG, error);
    number = sb_file_status(new->name, true, &there, &about);
    if (number)
        return replace_failed(new, number, error);
    if (!there || S_ISREG(about.st_mode)) /* a killed run left the regular file */
        return SB_OK;
    errno = EEXIST;
    return sb_error_set(error, SB_IO,
                        "cannot write '%.200s': '%.200s' is in the way, and no file: remove or rename it",
                        new->path, new->name);
}

/* Opens the new file for reading and writing, with the mode of the old file. Returns 0 or an errno. */
static int replace_open(struct replacement *new)
{
    struct stat old;
    bool there;
    const int number = sb_file_status(new->at, false, &there, &old);

    if (number)
        return number;
    const mode_t mode = there ? old.st_mode & 0777 : new->secret ? 0600 : 0666;
    new->descriptor = sb_file_open(new->name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode);
    if (new->descriptor < 0)
        return errno;
    if (there || new->secret)
        /* restores the bits that umask() removed, or removes those of a file that a killed run left */
        (void)fchmod(new->descriptor, mode);
    return 0;
}

/* Forces the new name to the disk. Ignores failures, because some file systems cannot sync a folder. */
static void replace_sync_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *const slash = strrchr(path, '/');
    const size_t length = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    int descriptor;

    snprintf(folder, sizeof folder, "%.*s", slash ? (int)length : 1, slash ? path : ".");
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    (void)fsync(descriptor);
    close(descriptor);
}

/* Writes the open file from its start and forces it to the disk. Returns 0 or an errno. */
static int replace_fill(const struct replacement *new, sb_atomic_file_writer *writer, const void *what)
{
    const int copy = fcntl(new->descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    int number = copy < 0 || ftruncate(copy, 0) || lseek(copy, 0, SEEK_SET) < 0 ? errno : 0;
    FILE *const stream = number ? NULL : fdopen(copy, "w+");

    if (!stream) {
        number = number ? number : errno;
        if (copy >= 0)
            close(copy);
        return number;
    }
    errno = 0;
    if (writer(what, stream) || ferror(stream) || fflush(stream))
        number = errno ? errno : EIO;
    if (fclose(stream) && !number)
        number = errno;
    if (!number && fsync(new->descriptor))
        number = errno;
    return number;
}

/*
 * Writes the new file and renames it to the target. If writing fails for a reason that may be temporary,
 * tries again for some time. After a final failure, removes the new file. A new attempt writes the whole
 * file, because a stream loses the bytes that it could not write. Also, after a failed fsync() the content of
 * the disk is unknown.
 */
static enum sb_status replace_write(const struct replacement *new, sb_atomic_file_writer *writer,
                                    const void *what, struct sb_error *error)
{
    struct sb_retry retry = { .began = 0 };
    int number;

    do
        number = replace_fill(new, writer, what);
    while (number && sb_retry_again(&retry, number));
    if (number == 0)
        number = sb_file_rename(new->descriptor, new->name, new->at);
    if (number == 0)
        replace_sync_folder(new->at);
    else
        unlink(new->name);
    return number ? replace_failed(new, number, error) : SB_OK;
}

enum sb_status sb_atomic_file_replace(const char *path, bool secret, sb_atomic_file_writer *writer,
                                      const void *what, struct sb_error *error)
{
    struct replacement new = { .path = path, .secret = secret };
    enum sb_status status = replace_locate(&new, error);
    const int number = status ? 0 : replace_open(&new);

    if (status || number)
        return status ? status : replace_failed(&new, number, error);
    status = replace_write(&new, writer, what, error);
    close(new.descriptor);
    return status;
}

/* Closes a new file to which this run wrote nothing. Removes the file only if it is empty, because otherwise
 * an earlier run wrote it. */
static void replace_abandon(const struct replacement *new)
{
    struct stat about;

    if (fstat(new->descriptor, &about) == 0 && about.st_size == 0)
        unlink(new->name);
    close(new->descriptor);
}

/* Opens and locks the new file. Another run may hold this lock for a moment, until that run finds that the
 * target exists or is locked. Therefore the run that owns the target waits for the lock of the new file. No
 * other run waits. */
static enum sb_status replace_lock(struct replacement *new, bool fresh, struct sb_error *error)
{
    static const struct timespec pause = { .tv_nsec = 2000000 };

    for (int tries = fresh ? 1 : 5000; tries > 0; tries--) {
        const int number = replace_open(new);
        enum sb_status status;
        bool taken = false;

        if (number)
            return replace_failed(new, number, error);
        status = sb_file_lock_take(new->descriptor, new->name, error, &taken);
        if (taken)
            return SB_OK;
        if (status) {
            replace_abandon(new);
            return status;
        }
        close(new->descriptor);
        if (tries > 1)
            nanosleep(&pause, NULL);
    }
    return sb_file_lock_busy(new->path, error);
}

enum sb_status sb_atomic_file_absent(const char *path, const char *remedy, struct sb_error *error)
{
    struct stat about;
    bool there, leads = true;
    int number = sb_file_status(path, true, &there, &about);

    if (number == 0 && !there)
        return SB_OK;
    if (number == 0 && S_ISLNK(about.st_mode))
        number = sb_file_status(path, false, &leads, &about);
    if (number == 0 && !leads)
        return sb_error_set(error, SB_INVALID,
                            "'%.200s' is a link to a file that is not there: name that file", path);
    if (number && sb_fault_kind(number) == SB_FAULT_PASSING)
        return sb_error_set(error, SB_IO, "cannot look at '%.200s': %s", path, strerror(number));
    if (!there)
        return SB_OK;
    return sb_error_set(error, SB_INVALID, "'%.200s' is there already: %s", path,
                        remedy ? remedy : atomic_resume);
}

enum sb_status sb_atomic_file_replace_held(const char *path, bool secret, sb_atomic_file_writer *writer,
                                           const void *what, int *lock, const char *again,
                                           struct sb_error *error)
{
    struct replacement new = { .path = path, .fresh = *lock < 0, .secret = secret, .again = again };
    enum sb_status status = replace_locate(&new, error);

    if (status == SB_OK)
        status = replace_lock(&new, *lock < 0, error);
    if (status)
        return status;
    if (*lock < 0)
        /* checks once more: from now on, the lock keeps other runs from creating the file */
        status = sb_atomic_file_absent(path, NULL, error);
    if (status) {
        replace_abandon(&new);
        return status;
    }
    status = replace_write(&new, writer, what, error);
    if (status) {
        close(new.descriptor);
        return status;
    }
    if (*lock >= 0)
        close(*lock);
    *lock = new.descriptor;
    return SB_OK;
}

void sb_atomic_file_clean(const char *path)
{
    struct replacement new = { .path = path };
    struct sb_error error;
    bool taken = false;

    if (replace_locate(&new, &error))
        return;
    new.descriptor = open(new.name, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (new.descriptor < 0)
        return;
    if (sb_file_lock_take(new.descriptor, new.name, &error, &taken) == SB_OK && taken)
        unlink(new.name);
    close(new.descriptor);
}
