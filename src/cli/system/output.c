/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Paths that users type: the nearest name of a missing file, and files to write.
 *
 * Output files appear complete or not at all. The program opens a file before the work begins, under a
 * temporary name in the same folder, and renames the file when everything is written. If the path is a
 * symbolic link, the link stays, and the program replaces the link's target.
 *
 * The temporary name is always the same, so that a run can reuse the file that a killed run left. The writer
 * locks the file. If another run holds the lock, or another user owns the file, the name is random instead.
 * In three cases an output is written in place, that is, without a temporary file: the output is not a
 * regular file (a pipe, /dev/null), the path leads through an open descriptor (/dev/stdout), or the folder
 * accepts no new files.
 */
#define _XOPEN_SOURCE 700 /* realpath() */

#include "cli/cli.h"
#include "core/system.h"
#include "core/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

/* Finds the file that a user may have meant by a path to a missing file: the nearest name in the same folder. */

bool cli_file_nearest(const char *path, char nearest[], size_t room)
{
    const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
    const int length = (int)(name - path);
    char folder[4096] = ".", found[256] = "";
    size_t least = SIZE_MAX;
    DIR *directory;

    if (slash)
        snprintf(folder, sizeof folder, "%.*s", length, path);
    directory = *name ? opendir(folder) : NULL;
    for (const struct dirent *entry; directory && (entry = readdir(directory));) {
        struct sb_name_nearest near = { .name = name };

        if (entry->d_name[0] != '.')
            sb_name_offer(&near, entry->d_name);
        if (!near.nearest[0] || near.distance[0] > least ||
            (near.distance[0] == least && strcmp(entry->d_name, found) > 0))
            continue;
        least = near.distance[0];
        snprintf(found, sizeof found, "%s", entry->d_name);
    }
    if (directory)
        closedir(directory);
    snprintf(nearest, room, "%.*s%s", length, path, found);
    return found[0];
}

enum { OUTPUT_LINKS_MOST = 40 }; /* Linux's own limit */

static bool output_complain(const char *command, const char *path, int number)
{
    cli_usage(command, "cannot write '%s': %s%s", path ? path : "standard output", strerror(number),
              number == ENOENT ? ": make its folder, or name another file" : "");
    return false;
}

/*
 * A list of the temporary files. A second Ctrl-C removes these files. The signal may arrive at any time in
 * any thread, so the list gets an entry before the file exists, and no entry is ever freed.
 */
struct output_name {
    struct output_name *before;
    char text[];
};

static struct output_name *_Atomic output_names; /* mutable and global, because a signal handler reads it */

void cli_output_unlink(void)
{
    for (const struct output_name *name = output_names; name; name = name->before)
        if (unlink(name->text))
            rmdir(
                /* the name may be that of a folder; the folder's files come earlier in the list; rmdir()
                 * fails if the folder has other files */
                name->text);
}

/* Adds a name to the list. The name is `text` followed by `suffix`. Returns NULL if memory runs out. */
static struct output_name *output_list(const char *text, const char *suffix)
{
    const size_t room = strlen(text) + strlen(suffix) + 1;
    struct output_name *const name = calloc(1, sizeof *name + room);

    if (!name)
        return NULL;
    snprintf(name->text, room, "%s%s", text, suffix);
    name->before = output_names;
    output_names = name;
    return name;
}

bool cli_output_folder(const char *command, const char *path)
{
    struct output_name *const name = output_list(path, "");

    errno = 0;
    if (name && mkdir(path, 0777) == 0)
        return true;
    cli_usage(command, "cannot make the folder '%s': %s", path, strerror(errno ? errno : ENOMEM));
    if (name)
        name->text[0] = '\0'; /* this run did not make the folder, so it must not remove the folder */
    return false;
}

static bool output_begins(const char *path, const char *folder)
{
    return strncmp(path, folder, strlen(folder)) == 0;
}

/* Resolves all links in a path, except in the last component. */
static bool output_locate(char at[PATH_MAX])
{
    char folder[PATH_MAX], base[PATH_MAX];
    char *const slash = strrchr(at, '/');

    strcpy(base, slash ? slash + 1 : at);
    if (slash)
        slash[slash == at] = '\0'; /* the root keeps its slash */
    if (!realpath(slash ? at : ".", folder))
        return false;
    return snprintf(at, PATH_MAX, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, base) < PATH_MAX;
}

/*
 * Resolves all links in a path, and returns the resulting path, which the caller frees. Returns NULL if the
 * output must be written in place: the output is not a regular file, the path leads through an open
 * descriptor (/dev/stdout, /proc/self/fd/1), or the path cannot be resolved.
 */
static char *output_follow(const char *path)
{
    char at[PATH_MAX], link[PATH_MAX];
    struct stat there;

    if (snprintf(at, sizeof at, "%s", path) >= PATH_MAX)
        return NULL;
    for (int links = 0; links < OUTPUT_LINKS_MOST; links++) {
        if (!output_locate(at) || output_begins(at, "/dev/") || output_begins(at, "/proc/"))
            return NULL;
        if (lstat(at, &there))
            return errno == ENOENT ? strdup(at) : NULL;
        if (!S_ISLNK(there.st_mode))
            return S_ISREG(there.st_mode) ? strdup(at) : NULL;
        const ssize_t length = readlink(at, link, sizeof link - 1);
        const size_t folder = (size_t)(strrchr(at, '/') + 1 - at), from = link[0] == '/' ? 0 : folder;
        if (length <= 0 || from + (size_t)length >= sizeof at)
            return NULL;
        memcpy(at + from, link, (size_t)length);
        at[from + (size_t)length] = '\0';
    }
    return NULL;
}

/* Returns whether an open file still has this name, and belongs to this user or to the owner of the old
 * file. */
static bool output_ours(int descriptor, const char *path, const struct stat *old)
{
    struct stat own, about;

    return fstat(descriptor, &own) == 0 && lstat(path, &about) == 0 && own.st_dev == about.st_dev &&
           own.st_ino == about.st_ino && S_ISREG(own.st_mode) && own.st_nlink == 1 &&
           (own.st_uid == geteuid() || (old && own.st_uid == old->st_uid));
}

/* Opens and locks the temporary file with the fixed name, which may be a file that a killed run left. Returns
 * a negative number if another run has locked the file or another user owns the file. */
static int output_open_same(const char *path, const struct stat *old)
{
    int descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool made = descriptor >= 0;

    if (!made && errno == EEXIST)
        descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    const int locked = sb_file_flock(descriptor);
    if (locked) {
        if (made && locked != EWOULDBLOCK) /* the file system has no locks */
            unlink(path);
    } else if (output_ours(descriptor, path, old) && ftruncate(descriptor, 0) == 0) {
        return descriptor;
    }
    close(descriptor);
    return -1;
}

/* Duplicates the descriptor, so that the lock lasts until the file is renamed. */
static bool output_keep_lock(struct cli_output *output, int descriptor)
{
    output->lock = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    return output->lock > 0;
}

/* Unlocks the temporary file, which has been renamed or removed; another run may then use the temporary
 * name. */
static void output_release(struct cli_output *output)
{
    if (output->temporary && output->lock > 0)
        output->temporary[0] = '\0';
    output->temporary = NULL;
    if (output->lock > 0)
        close(output->lock);
    output->lock = 0;
}

/* Opens a temporary file whose name ends with six random characters in place of those of `end`. On failure
 * returns a negative number and sets errno. */
static int output_open_random(struct cli_output *output, const char *end)
{
    struct output_name *const name = output_list(output->target, end);
    const int descriptor = name ? mkstemp(name->text) : -1;

    if (name && descriptor < 0)
        name->text[0] = '\0'; /* mkstemp() failed: this run has no such file */
    else if (name)
        output->temporary = name->text;
    return descriptor;
}

/* Opens a temporary file beside the target and adds the file's name to the list. On failure returns a
 * negative number and sets errno. */
static int output_open_temporary(struct cli_output *output, const struct stat *old)
{
    struct output_name *name = output_list(output->target, SB_OUTPUT_TEMPORARY "new");
    char same[PATH_MAX];
    int descriptor;

    if (!name)
        return -1;
    snprintf(same, sizeof same, "%s", name->text);
    name->text[0] = '\0'; /* the entry is empty until this run has locked the file */
    descriptor = strlen(same) + 1 < sizeof same ? output_open_same(same, old) : -1;
    if (descriptor >= 0) {
        strcpy(name->text, same);
        output->temporary = name->text;
        if (output_keep_lock(output, descriptor))
            return descriptor;
        close(descriptor);
        return -1;
    }
    descriptor = output_open_random(output, SB_OUTPUT_TEMPORARY "XXXXXX");
    if (descriptor < 0 && errno == ENAMETOOLONG)
        descriptor = output_open_random(output, ".XXXXXX");
    if (descriptor >= 0 && sb_file_flock(descriptor) == 0)
        /* other runs remove the files of killed runs; the lock shows that this run is alive */
        output_keep_lock(output, descriptor);
    return descriptor;
}

/* Opens a temporary file beside the target, with the mode and, if permitted, the owner of the old file. */
static bool output_open_beside(struct cli_output *output, const struct stat *old)
{
    const mode_t mask = umask(0);

    umask(mask);
    const int descriptor = output_open_temporary(output, old);
    if (descriptor < 0)
        return false;
    if (old && fchown(descriptor, old->st_uid, old->st_gid))
        errno = 0; /* not permitted: this user stays the owner */
    (void)fchmod(descriptor, old ? old->st_mode & 0777 : 0666 & ~mask);
    output->stream = fdopen(descriptor, "w");
    return output->stream;
}

void cli_output_clean(const char *path)
{
    const int descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

    if (descriptor < 0)
        return;
    if (sb_file_flock(descriptor) == 0 && output_ours(descriptor, path, NULL))
        unlink(path);
    close(descriptor);
}

/* Opens the output at a path: under a temporary name beside the path, or in place if a temporary file is not
 * possible. */
static bool output_open_path(struct cli_output *output)
{
    struct stat old;
    bool exists;

    output->target = output_follow(output->path);
    if (output->target) {
        exists = stat(output->target, &old) == 0;
        if (exists && access(output->target, W_OK))
            return false;
        if (output_open_beside(output, exists ? &old : NULL))
            return true;
        if (!exists || (errno != EACCES && errno != EPERM && errno != EROFS))
            return false;
        free(output->target);
        output->target = NULL;
    }
    cli_stop_interrupts(true); /* a named pipe waits for a reader */
    output->stream = fopen(output->path, "w");
    cli_stop_interrupts(false);
    return output->stream;
}

bool cli_output_open(const char *command, const char *path, struct cli_output *output)
{
    *output = (struct cli_output) { 0 };
    if (!path || strcmp(path, "-") == 0) {
        output->stream = stdout;
        return true;
    }
    output->path = strdup(path);
    errno = 0;
    if (output->path && output_open_path(output)) {
        /* commands under test must not inherit the descriptor */
        fcntl(fileno(output->stream), F_SETFD, FD_CLOEXEC);
        return true;
    }
    output_complain(command, path, errno ? errno : ENOMEM);
    cli_output_drop(output);
    return false;
}

/* Finds the file that an output will change. Returns false for a device such as /dev/null, which several
 * outputs may share. */
static bool output_identify(const struct cli_output *output, struct stat *there)
{
    if (output->target)
        return stat(output->target, there) == 0;
    return fstat(fileno(output->stream), there) == 0 && (!S_ISCHR(there->st_mode) || isatty(fileno(output->stream)));
}

bool cli_output_same(const struct cli_output *one, const struct cli_output *other)
{
    struct stat first, second;

    if (one->target && other->target && strcmp(one->target, other->target) == 0)
        return true;
    if (one->stream == other->stream)
        return true;
    return output_identify(one, &first) && output_identify(other, &second) && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

bool cli_output_replaces(const struct cli_output *output, const char *path)
{
    char *const target = output->target ? output_follow(path) : NULL;
    const bool same = target && strcmp(target, output->target) == 0; /* also if neither exists */
    struct stat first, second;

    free(target);
    return same || (output->target && stat(path, &first) == 0 && stat(output->target, &second) == 0 &&
                    first.st_dev == second.st_dev && first.st_ino == second.st_ino);
}

bool cli_output_keep(const char *command, struct cli_output *output)
{
    const bool file = output->path;
    const int before = errno; /* the reason if an earlier write failed */
    bool well = !ferror(output->stream);
    int number = well ? 0 : before;

    if (well && fflush(output->stream)) {
        number = errno;
        well = false;
    }

    if (file) {
        if (fclose(output->stream)) {
            number = number ? number : errno;
            well = false;
        }
        output->stream = NULL;
        if (well && output->temporary) {
            number = sb_file_rename(output->lock > 0 ? output->lock : -1, output->temporary, output->target);
            well = number == 0;
        }
        if (well)
            output_release(output);
    }
    if (!well && number != EPIPE)
        output_complain(command, output->path, number ? number : EIO);
    return well;
}

void cli_output_drop(struct cli_output *output)
{
    if (output->stream && output->path)
        fclose(output->stream);
    if (output->temporary)
        unlink(output->temporary);
    output_release(output);
    free(output->target);
    free(output->path);
    *output = (struct cli_output) { 0 };
}
