/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces a file atomically. The new file is written under another name, forced to the disk, and renamed. So readers
 * see either the whole old file or the whole new file, even if the program or the machine fails. If the old file is
 * locked, the new file is locked before it is renamed. So the path is locked at all times. If the path is a link, the
 * link stays, and the link's target is replaced.
 *
 * Locks on files. A run locks the file of saved evidence itself, so that a killed run leaves no lock file behind. A run
 * that replaces the file locks the new file, renames it, and only then closes the old file; so the path is locked at
 * all times. If another run has replaced a file in the meantime, a lock on the old file has no effect.
 *
 * Every run replaces the ledger, so the lock of the ledger is on a separate, empty file, which is never removed.
 *
 * Some cluster file systems have no locks. There, saved evidence is not protected against other runs. A ledger is
 * refused there, because other runs are expected to use the ledger.
 */
#define _XOPEN_SOURCE 700 /* realpath() */

#include "core/system.h"
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

/* ---- locks ---- */

static const struct timespec lock_pause = { .tv_nsec = 2000000 }; /* between two tries */

/* Tries to lock the file that is open as `descriptor`. Sets `*taken` to false if another run has the lock, or
 * if `path` no longer leads to this file. */
static enum sb_status lock_take(int descriptor, const char *path, struct sb_error *error, bool *taken)
{
    const int locked = sb_file_flock(descriptor);
    const bool no_locks = locked == ENOLCK || locked == EOPNOTSUPP || locked == ENOSYS;
    struct stat own, about;
    bool there = false;
    int number = no_locks ? 0 : locked;

    if (number == 0)
        number = sb_file_status_open(descriptor, &own);
    if (number == 0)
        number = sb_file_status(path, false, &there, &about);
    if (number && number != EWOULDBLOCK) {
        errno = number;
        return sb_error_set(error, SB_IO, "cannot lock '%.200s': %s", path, strerror(number));
    }
    *taken = there && own.st_dev == about.st_dev && own.st_ino == about.st_ino;
    return SB_OK;
}

enum sb_status sb_file_lock_busy(const char *path, struct sb_error *error)
{
    errno = EWOULDBLOCK;
    return sb_error_set(error, SB_IO,
                        "'%.200s' is in use: another run saves to it: let that come to its end, or end it", path);
}

enum sb_status sb_file_lock_open(const char *path, struct sb_error *error, int *lock)
{
    int descriptor =
        sb_file_open(path, O_RDWR | O_CLOEXEC | O_NOCTTY, 0); /* NFS locks only files that are open for writing */
    bool taken = false;
    enum sb_status status;

    if (descriptor < 0 && errno == EACCES)
        descriptor = sb_file_open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);
    if (descriptor < 0)
        return sb_error_set(error, SB_IO, "cannot read '%.200s': %s", path, strerror(errno));
    status = lock_take(descriptor, path, error, &taken);
    if (status == SB_OK && taken)
        *lock = descriptor;
    else
        close(descriptor);
    return status || taken ? status : sb_file_lock_busy(path, error);
}

static enum sb_status lock_complain(const char *path, int number, struct sb_error *error)
{
    errno = number;
    return sb_error_set(error, SB_IO, "cannot lock '%.200s.lock': %s%s", path, strerror(number),
                        number == ENOENT ? ": make its folder, or name another file" : "");
}

enum sb_status sb_file_lock_wait(const char *path, const volatile sig_atomic_t *stop, struct sb_error *error, int *lock)
{
    char name[PATH_MAX];
    int descriptor, number;

    if (snprintf(name, sizeof name, "%s.lock", path) >= PATH_MAX)
        return lock_complain(path, ENAMETOOLONG, error);
    descriptor = sb_file_open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW, 0666);
    if (descriptor < 0)
        return lock_complain(path, errno, error);
    while ((number = sb_file_flock(descriptor)) == EWOULDBLOCK && !(stop && *stop))
        nanosleep(&lock_pause, NULL);
    if (number == 0) {
        *lock = descriptor;
        return SB_OK;
    }
    close(descriptor);
    return number == EWOULDBLOCK ? sb_error_set(error, SB_STOPPED, "stopped while '%.200s' was in use", path)
                                 : lock_complain(path, number, error);
}

/* ---- replacement ---- */

/* A replacement that is not complete yet. */
struct replacement {
    const char *path;
    char at[PATH_MAX];   /* the target, with links resolved */
    char name[PATH_MAX]; /* the temporary name of the new file */
    int descriptor;      /* descriptor of the new file, which also holds the lock if there is one */
    bool fresh;          /* no old file exists, so the user can choose another name */
    bool secret;         /* only the user may read the new file if no old file says otherwise */
    /* for error lines: the name of the field with which a run resumes from the old file; NULL: no such field */
    const char *again;
};

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
        return sb_error_set(error, SB_IO, "cannot write '%.100s': %s: %s, and resume the run with %s %.100s", new->path,
                            why, remedy, new->again, new->path);
    return sb_error_set(error, SB_IO, "cannot write '%.200s': %s: %s", new->path, why, remedy);
}

/* Sets the target and the temporary name, and checks that the temporary name is free or belongs to a regular
 * file of this user, without other links. */
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
    const bool file = there && S_ISREG(about.st_mode);

    if (!there || (file && about.st_uid == geteuid() && about.st_nlink == 1)) /* a killed run left the file */
        return SB_OK;
    errno = EEXIST;
    return sb_error_set(error, SB_IO, "cannot write '%.200s': '%.200s' is in the way, and %s: remove or rename it",
                        new->path, new->name, file ? "not only this run's" : "no file");
}

/* Opens the new file for reading and writing, with the mode of the old file if this user owns it. */
static enum sb_status replace_open(struct replacement *new, struct sb_error *error)
{
    struct stat old;
    bool there;
    const int number = sb_file_status(new->at, false, &there, &old);

    if (number)
        return replace_failed(new, number, error);
    there = there && old.st_uid == geteuid();
    const mode_t mode = there ? old.st_mode & 0777 : new->secret ? 0600 : 0666;
    new->descriptor = sb_file_open(new->name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode);
    if (new->descriptor < 0)
        return replace_failed(new, errno, error);
    if (there || new->secret)
        /* restores the bits that umask() removed, or removes those of a file that a killed run left */
        (void)fchmod(new->descriptor, mode);
    return SB_OK;
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

/* Writes the new file and renames it to the target. If writing fails for a reason that may be temporary, tries again
 * for some time. After a final failure, removes the new file. A new attempt writes the whole file, because a stream
 * loses the bytes that it could not write. Also, after a failed fsync() the content of the disk is unknown. */
static enum sb_status replace_write(const struct replacement *new, sb_atomic_file_writer *writer, const void *what,
                                    struct sb_error *error)
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
    for (int tries = fresh ? 1 : 5000; tries > 0; tries--) {
        enum sb_status status = replace_open(new, error);
        bool taken = false;

        if (status)
            return status;
        status = lock_take(new->descriptor, new->name, error, &taken);
        if (taken)
            return SB_OK;
        if (status) {
            replace_abandon(new);
            return status;
        }
        close(new->descriptor);
        if (tries > 1)
            nanosleep(&lock_pause, NULL);
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
        return sb_error_set(error, SB_INVALID, "'%.200s' is a link to a file that is not there: name that file", path);
    if (number && sb_fault_kind(number) == SB_FAULT_PASSING)
        return sb_error_set(error, SB_IO, "cannot look at '%.200s': %s", path, strerror(number));
    if (!there)
        return SB_OK;
    return sb_error_set(error, SB_INVALID, "'%.200s' is there already: %s", path,
                        remedy ? remedy : "name another file");
}

enum sb_status sb_atomic_file_replace(const char *path, bool secret, sb_atomic_file_writer *writer, const void *what,
                                      int *lock, const char *again, struct sb_error *error)
{
    const bool fresh = lock && *lock < 0;
    struct replacement new = { .path = path, .fresh = fresh, .secret = secret, .again = again };
    enum sb_status status = replace_locate(&new, error);

    if (status == SB_OK)
        status = lock ? replace_lock(&new, fresh, error) : replace_open(&new, error);
    if (status)
        return status;
    if (fresh)
        /* checks once more: from now on, the lock keeps other runs from creating the file */
        status = sb_atomic_file_absent(path, NULL, error);
    if (status) {
        replace_abandon(&new);
        return status;
    }
    status = replace_write(&new, writer, what, error);
    if (status || !lock) {
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
    if (lock_take(new.descriptor, new.name, &error, &taken) == SB_OK && taken)
        unlink(new.name);
    close(new.descriptor);
}
