/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file is put into the place of another: written under another name, forced to the disk, and renamed, so
 * that whoever reads the file, and whatever ends this program or the machine, has the old one or the new one
 * whole. Of a file that is held both are, for a moment, so that there is no time between. A link stays, and
 * what it leads to is replaced.
 */
#define _XOPEN_SOURCE 700 /* realpath() */

#include "study/replace.h"

#include "core/error.h"
#include "study/hold.h"
#include "study/sealed.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A file on its way. */
struct replacing {
    const char *path;
    char at[PATH_MAX];   /* where it leads */
    char name[PATH_MAX]; /* until all is there */
    FILE *stream;
    int held;          /* a descriptor that holds it, where somebody is to */
    bool fresh;        /* it could as well stand elsewhere */
    const char *again; /* else the option that goes on from the old one; NULL: none */
};

/* What to do about it. */
static const char *replace_remedy(const struct replacing *new, int number)
{
    return number == ENOSPC || number == EDQUOT ? "make room"
           : number == EFBIG                    ? "raise the limit of 'ulimit -f'"
           : number == ENOENT && !new->fresh    ? "make its folder"
           : number == ENOENT                   ? "make its folder, or name another file"
           : new->fresh                         ? "name another file"
                                                : "mend that";
}

static enum sb_status replace_failed(const struct replacing *new, int number, struct sb_error *error)
{
    const char *const remedy = replace_remedy(new, number), *const why = strerror(number ? number : EIO);

    if (new->again && !new->fresh)
        return sb_error_set(error, SB_IO, "cannot write '%.100s': %s: %s, and go on with %s %.100s",
                            new->path, why, remedy, new->again, new->path);
    return sb_error_set(error, SB_IO, "cannot write '%.200s': %s: %s", new->path, why, remedy);
}

/* Finds where the new file is to be, and whether it may. */
static enum sb_status replace_locate(struct replacing *new, struct sb_error *error)
{
    struct stat there;
    int length = snprintf(new->at, sizeof new->at, "%s", new->path);

    if (lstat(new->path, &there) == 0 && S_ISLNK(there.st_mode) && !realpath(new->path, new->at))
        return replace_failed(new, errno, error);
    if (length < PATH_MAX)
        length = snprintf(new->name, sizeof new->name, "%s.new", new->at);
    if (length >= PATH_MAX)
        return replace_failed(new, ENAMETOOLONG, error);
    if (lstat(new->name, &there) || S_ISREG(there.st_mode)) /* one is what a run that was killed has left */
        return SB_OK;
    errno = EEXIST;
    return sb_error_set(error, SB_IO,
                        "cannot write '%.200s': '%.200s' is in the way, and no file: remove or rename it",
                        new->path, new->name);
}

/* Opens the new file, with the mode of the old one; it can be read, too. */
static bool replace_open(struct replacing *new, int flags)
{
    const int descriptor = open(new->name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0666);
    struct stat old;

    new->stream = descriptor < 0 ? NULL : fdopen(descriptor, "w+");
    if (new->stream && stat(new->at, &old) == 0)
        (void)fchmod(descriptor, old.st_mode & 0777);
    if (!new->stream && descriptor >= 0)
        close(descriptor);
    return new->stream;
}

/* Forces the new name to the disk, too; file systems that cannot do so with folders are let alone. */
static void replace_settle(const char *path)
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

/* Writes the file that is open, and gives it its name. */
static enum sb_status replace_write(struct replacing *new, sb_replace_writer *writer, const void *what,
                                    struct sb_error *error)
{
    bool well;
    int number;

    well = writer(what, new->stream) == SB_OK;
    well = well && !ferror(new->stream) && fflush(new->stream) == 0 && fsync(fileno(new->stream)) == 0;
    number = errno;
    if (fclose(new->stream) && well) {
        well = false;
        number = errno;
    }
    if (well && rename(new->name, new->at)) {
        well = false;
        number = errno;
    }
    if (well)
        replace_settle(new->at);
    else
        unlink(new->name);
    return well ? SB_OK : replace_failed(new, number, error);
}

enum sb_status sb_replace(const char *path, sb_replace_writer *writer, const void *what,
                          struct sb_error *error)
{
    struct replacing new = { .path = path };
    const enum sb_status status = replace_locate(&new, error);

    if (status)
        return status;
    errno = 0;
    if (!replace_open(&new, O_TRUNC))
        return replace_failed(&new, errno, error);
    return replace_write(&new, writer, what, error);
}

/* Opens the new file and holds it. Who finds that the file is there already, or in use, has held the new one
 * for a moment: that is waited for by those who hold the file, and by them alone. */
static enum sb_status replace_hold(struct replacing *new, bool fresh, struct sb_error *error)
{
    static const struct timespec pause = { .tv_nsec = 2000000 };

    for (int tries = fresh ? 1 : 5000; tries > 0; tries--) {
        bool taken = false;
        enum sb_status status = SB_OK;

        errno = 0;
        if (!replace_open(new, 0))
            return replace_failed(new, errno, error);
        new->held = fcntl(fileno(new->stream), F_DUPFD_CLOEXEC, 0);
        if (new->held < 0)
            status = replace_failed(new, errno, error);
        else
            status = sb_hold_take(new->held, new->name, error, &taken);
        if (taken)
            return SB_OK;
        fclose(new->stream);
        if (new->held >= 0)
            close(new->held);
        if (status)
            return status;
        if (tries > 1)
            nanosleep(&pause, NULL);
    }
    return sb_hold_busy(new->path, error);
}

/* Closes a new file that nothing was written to; one that holds something was here before. */
static void replace_leave(struct replacing *new)
{
    struct stat there;

    if (fstat(new->held, &there) == 0 && there.st_size == 0)
        unlink(new->name);
    fclose(new->stream);
}

enum sb_status sb_replace_held(const char *path, sb_replace_writer *writer, const void *what, int *held,
                               const char *again, struct sb_error *error)
{
    struct replacing new = { .path = path, .fresh = *held < 0, .again = again };
    enum sb_status status = replace_locate(&new, error);

    if (status == SB_OK)
        status = replace_hold(&new, *held < 0, error);
    if (status)
        return status;
    if (*held < 0)
        status = sb_sealed_fresh(path, sb_sealed_go_on, error); /* once more: nobody else can make it now */
    if (status == SB_OK && ftruncate(new.held, 0))              /* of a run that was killed */
        status = replace_failed(&new, errno, error);
    if (status == SB_OK) {
        status = replace_write(&new, writer, what, error);
    } else {
        replace_leave(&new);
    }
    if (status) {
        close(new.held);
        return status;
    }
    if (*held >= 0)
        close(*held);
    *held = new.held;
    return SB_OK;
}
