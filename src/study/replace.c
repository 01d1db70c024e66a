/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file is put into the place of another: written under another name, forced to the disk, and renamed, so
 * that whoever reads the file, and whatever ends this program or the machine, has the old one or the new one
 * whole.
 */
#include "study/replace.h"

#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens the new file, with the mode of the old one; it can be read, too. */
static FILE *replace_open(const char *path, const char *name)
{
    const int descriptor = open(name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    FILE *const stream = descriptor < 0 ? NULL : fdopen(descriptor, "w+");
    struct stat old;

    if (stream && stat(path, &old) == 0)
        (void)fchmod(descriptor, old.st_mode & 0777);
    if (!stream && descriptor >= 0)
        close(descriptor);
    return stream;
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

enum sb_status sb_replace(const char *path, sb_replace_writer *writer, const void *what,
                          struct sb_error *error)
{
    char name[PATH_MAX];
    FILE *stream = NULL;
    bool well = false;
    int number = ENAMETOOLONG;

    if (snprintf(name, sizeof name, "%s.new", path) < PATH_MAX) {
        errno = 0;
        stream = replace_open(path, name);
        number = errno;
    }
    if (stream) {
        writer(what, stream);
        well = !ferror(stream) && fflush(stream) == 0 && fsync(fileno(stream)) == 0;
        number = errno;
        if (fclose(stream) && well) {
            well = false;
            number = errno;
        }
        if (well && rename(name, path)) {
            well = false;
            number = errno;
        }
        if (!well)
            unlink(name);
    }
    if (!well)
        return sb_error_set(error, SB_IO, "cannot write '%.200s': %s", path, strerror(number ? number : EIO));
    replace_settle(path);
    return SB_OK;
}
