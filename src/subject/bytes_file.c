/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes of a file, a pipe or a terminal. The reader waits in slices of time and checks the stop flag
 * after each slice, because a signal just before poll(2) would not end poll(2).
 */
#include "core/system.h"
#include "core/text.h"
#include "subject/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

struct bytes_file {
    struct sb_bytes bytes;
    struct sb_patience patience;
    int fd;
};

enum {
    BYTES_SLICE = 100, /* milliseconds between two checks of the stop flag */
    BYTES_NAME = 200,  /* the most bytes of a name to show */
};

static enum sb_status file_wait(const struct bytes_file *self, double deadline, struct sb_error *error)
{
    const char *const name = self->bytes.name;
    struct pollfd watched = { .fd = self->fd, .events = POLLIN };

    for (;;) {
        const double left = deadline - sb_clock_now();

        if (self->patience.stop && *self->patience.stop)
            return sb_error_set(error, SB_STOPPED, "stopped while %s was read", name);
        if (!(left > 0))
            return sb_error_set(error, SB_SUBJECT, "%s: no permutation for %g s: raise `timeout`", name,
                                self->patience.timeout);
        const int ready = poll(&watched, 1, (int)fmin(ceil(1e3 * left), BYTES_SLICE));
        if (ready > 0)
            return SB_OK;
        if (ready < 0 && errno != EINTR)
            return sb_error_set(error, SB_IO, "cannot read %s: %s", name, strerror(errno));
        if (self->patience.idle)
            self->patience.idle(self->patience.idle_state);
    }
}

static enum sb_status file_read(struct sb_bytes *bytes, char buffer[], size_t room, double deadline, size_t *got,
                                struct sb_error *error)
{
    struct bytes_file *const self = (struct bytes_file *)bytes;

    for (;;) {
        const enum sb_status status = file_wait(self, deadline, error);

        if (status)
            return status;
        const ssize_t count = read(self->fd, buffer, room);
        if (count >= 0) {
            *got = (size_t)count;
            return SB_OK;
        }
        if (errno != EINTR && errno != EAGAIN)
            return sb_error_set(error, SB_IO, "cannot read %s: %s", self->bytes.name, strerror(errno));
    }
}

static void file_free(struct sb_bytes *bytes)
{
    struct bytes_file *const self = (struct bytes_file *)bytes;

    if (self->fd != STDIN_FILENO)
        close(self->fd);
    free((char *)self->bytes.name);
    free(self);
}

static enum sb_status file_check(int fd, const char *name, struct sb_error *error)
{
    struct stat about;
    const int number = sb_file_status_open(fd, &about);

    if (number)
        return sb_error_set(error, SB_IO, "cannot read %s: %s", name, strerror(number));
    return S_ISDIR(about.st_mode)
               ? sb_error_set(error, SB_INVALID,
                              "%s is a directory: name a file, or join several, as cat FILES | shufflebias ... -", name)
               : SB_OK;
}

static enum sb_status file_open(const char *path, const char *name, struct sb_error *error, int *fd)
{
    enum sb_status status;

    if (strcmp(path, "-") == 0) {
        *fd = STDIN_FILENO;
        return file_check(*fd, name, error);
    }
    /* O_NONBLOCK prevents a named pipe without a writer from blocking open(); poll() waits instead. */
    *fd = sb_file_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
    if (*fd < 0)
        return sb_error_set(error, sb_fault_kind(errno) == SB_FAULT_PASSING ? SB_IO : SB_INVALID, "cannot read %s: %s",
                            name, strerror(errno));
    status = file_check(*fd, name, error);
    if (status)
        close(*fd);
    return status;
}

enum sb_status sb_bytes_open_file(const char *path, const struct sb_patience *patience, struct sb_error *error,
                                  struct sb_bytes **bytes)
{
    char *const name = sb_sanitize_text(strcmp(path, "-") == 0 ? "standard input" : path, BYTES_NAME);
    struct bytes_file *const self = name ? calloc(1, sizeof *self) : NULL;
    int fd = -1;
    const enum sb_status status = self ? file_open(path, name, error, &fd) : sb_error_memory(error, "a file's name");

    if (!self || status) {
        free(name);
        free(self);
        return status;
    }
    *self = (struct bytes_file) {
        .bytes = { .name = name, .read = file_read, .free = file_free, },
        .patience = *patience,
        .fd = fd,
    };
    *bytes = &self->bytes;
    return SB_OK;
}

/* ---- foreign ---- */

/* Compares the first bytes of a file with those of formats that people take for text. */

const char *sb_foreign(const char bytes[], size_t length)
{
    static const struct {
        const char *begins, *what;
    } format[] = {
        { "\xFF\xFE", "this is UTF-16: convert it to UTF-8, as with 'iconv -f UTF-16 -t UTF-8'" },
        { "\xFE\xFF", "this is UTF-16: convert it to UTF-8, as with 'iconv -f UTF-16 -t UTF-8'" },
        { "\x1F\x8B", "this is gzip data: read it with zcat" },
        { "BZh9", "this is bzip2 data: read it with bzcat" },
        { "\xFD"
          "7zX",
          "this is xz data: read it with xzcat" },
        { "(\xB5/\xFD", "this is zstd data: read it with zstdcat" },
        { "PK\3\4", "this is a zip archive: read it with 'unzip -p', or save a spreadsheet as CSV" },
    };

    for (size_t i = 0; i < sizeof format / sizeof format[0]; i++)
        if (length >= strlen(format[i].begins) && memcmp(bytes, format[i].begins, strlen(format[i].begins)) == 0)
            return format[i].what;
    return NULL;
}

void sb_bytes_wrong(struct sb_bytes *bytes, const char *where, const char *what, bool again, struct sb_error *error)
{
    bytes->faulty = true;
    sb_error_set(error, SB_SUBJECT, "%.120s, %s: %s%s", bytes->name, where, what,
                 again ? "; the next start meets it again: mend it there, or cut it out" : "");
}
