/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes of a log, as tail -F has them: on and on, and over from the file that was moved away to the one
 * that was begun in its place.
 *
 * Nothing is lost where one program at a time writes. It has written the last of the old file before the
 * first of the new one: so the old one is read to its end once more after there was something in the new one,
 * and then is done with. One that was cut begins anew; what it had and was not read yet is looked for in a
 * copy beside it, and else said to be lost.
 */
#include "core/error.h"

#include "core/clock.h"
#include "subject/bookmark.h"
#include "subject/bytes.h"
#include "subject/harmless.h"
#include "subject/passed.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FOLLOW_SLICE = 128, /* milliseconds between two looks; from 1 on it doubles until there is something */
    FOLLOW_TELLS = 256, /* bytes that two files have no more than once in common */
    FOLLOW_NAME = 200,  /* bytes of a name that are shown */
};

struct follow {
    struct sb_bytes bytes; /* first: what the caller has */
    struct sb_patience patience;
    struct sb_following following;
    const char *path;             /* borrowed */
    int file, next;               /* what is read, and what will be after it; -1 for none */
    uint64_t offset;              /* in the file: what has been read */
    struct sb_bookmark_head head; /* of the file, by which it is seen that it was cut */
    struct sb_passed passed;      /* those that came before, without a gap */
    bool cut;                     /* its last byte ended no line */
    bool waited;                  /* it was at its end at the last look */
    bool missed;                  /* it was said that there is no file */
    int slice;                    /* milliseconds that the last wait took */
};

__attribute__((format(printf, 2, 3))) static void follow_tell(const struct follow *self, const char *format,
                                                              ...)
{
    char line[FOLLOW_NAME + 200];
    va_list arguments;

    if (!self->following.tell)
        return;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    self->following.tell(self->following.state, line);
}

/* Reads this file from now on, from `offset` on; a line that has begun goes on. One that is not read from its
 * begin is a copy: what came before it has not changed. */
static void follow_turn(struct follow *self, int file, uint64_t offset)
{
    if (self->file >= 0 && offset == 0)
        sb_passed_add(&self->passed, &self->head, self->offset, self->cut && self->following.lines);
    if (self->file >= 0)
        close(self->file);
    self->file = file;
    self->offset = offset;
    sb_bookmark_open_head(file, offset, &self->head);
    self->waited = self->missed = false;
    (void)lseek(file, (off_t)offset, SEEK_SET);
}

static void follow_drop_next(struct follow *self)
{
    if (self->next >= 0)
        close(self->next);
    self->next = -1;
}

/* The file is not what it was: it goes on in a copy, or begins anew. */
static void follow_restart(struct follow *self)
{
    const struct sb_bookmark bookmark = sb_bookmark_of(&self->head, self->offset);
    int copy;

    copy = sb_bookmark_find(self->path, &bookmark);
    if (copy >= 0) {
        follow_turn(self, copy, self->offset);
        return;
    }
    follow_tell(self, "%s was cut: what it had and was not read before is lost", self->bytes.name);
    self->offset = 0;
    self->passed.count = 0;
    self->head.had = 0;
    self->waited = false;
    (void)lseek(self->file, 0, SEEK_SET);
}

/* The file where it was left, or at the path, where none is open; false: there is none yet. */
static bool follow_begin(struct follow *self)
{
    struct sb_bookmark *const from = &self->following.from;
    int file = from->inode ? sb_bookmark_find(self->path, from) : -1;
    const bool found = file >= 0;

    if (!found)
        file = sb_bookmark_open(self->path);
    if (file < 0)
        return false;
    if (!found && from->inode)
        follow_tell(self,
                    "%s: the file that was read last is not here any more, nor beside it: what came after "
                    "its byte %llu is lost",
                    self->bytes.name, (unsigned long long)from->offset);
    follow_turn(self, file, found ? from->offset : 0);
    from->inode = 0;
    return true;
}

/* Whether something was written to a file, or to one that was begun after it. */
static bool follow_written(const struct follow *self, int file)
{
    struct stat about, log;
    int later = dup(file);
    bool written = false;

    while (later >= 0 && fstat(later, &about) == 0) {
        written = about.st_size > 0;
        if (written ||
            (stat(self->path, &log) == 0 && log.st_ino == about.st_ino && log.st_dev == about.st_dev))
            break;
        close(later);
        later = sb_bookmark_next(self->path, about.st_ino);
    }
    if (later >= 0)
        close(later);
    return written;
}

/*
 * At the end of the file: whether there is another now, and something was written there, or later. It is kept
 * open, and the old one is read once more before it is its turn.
 */
static void follow_look(struct follow *self)
{
    struct stat about, other;

    if (fstat(self->file, &about))
        return;
    const struct sb_bookmark here = sb_bookmark_of(&self->head, self->offset);

    if (!sb_bookmark_fits(self->file, &here)) {
        follow_restart(self);
        return;
    }
    if (stat(self->path, &other) || (other.st_ino == about.st_ino && other.st_dev == about.st_dev))
        return;
    self->next = sb_bookmark_next(self->path, about.st_ino);
    if (self->next >= 0 && !follow_written(self, self->next))
        follow_drop_next(self);
    if (self->next >= 0 && here.head >= FOLLOW_TELLS && sb_bookmark_fits(self->next, &here)) {
        const int original = self->next; /* this was a copy, and the other is not cut yet */

        self->next = -1;
        follow_turn(self, original, here.offset);
    }
}

/* Opens the same file anew, where it is still at the path. */
static void follow_reopen(struct follow *self)
{
    int again = -1;

    *self->following.reopen = 0;
    if (self->file >= 0 && self->next < 0)
        again = sb_bookmark_open(self->path);
    if (again < 0)
        return;
    struct stat about, other;

    if (fstat(self->file, &about) == 0 && fstat(again, &other) == 0 && about.st_ino == other.st_ino &&
        about.st_dev == other.st_dev && lseek(again, (off_t)self->offset, SEEK_SET) >= 0) {
        close(self->file);
        self->file = again;
    } else {
        close(again); /* its turn comes when this one is read to its end */
    }
}

/* Waits a little. */
static enum sb_status follow_wait(struct follow *self, double deadline, struct sb_error *error)
{
    const struct sb_patience *const patience = &self->patience;

    if (patience->stop && *patience->stop)
        return sb_error_set(error, SB_STOPPED, "stopped while %s was read", self->bytes.name);
    if (!(deadline - sb_clock_now() > 0))
        return sb_error_set(error, SB_SUBJECT, "%s: no permutation for %g s: raise --timeout",
                            self->bytes.name, patience->timeout);
    if (patience->idle)
        patience->idle(patience->idle_state);
    self->slice = self->slice ? self->slice < FOLLOW_SLICE ? 2 * self->slice : FOLLOW_SLICE : 1;
    poll(NULL, 0, self->slice);
    return SB_OK;
}

/* What the file has now: how many bytes, 0 at its end; it may turn out to be another file. */
static enum sb_status follow_take(struct follow *self, char buffer[], size_t room, size_t *got,
                                  struct sb_error *error)
{
    ssize_t count;

    *got = 0;
    do
        count = read(self->file, buffer, room);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return sb_error_set(error, SB_IO, "cannot read %s: %s", self->bytes.name, strerror(errno));
    const struct sb_bookmark here = sb_bookmark_of(&self->head, self->offset);

    if (count > 0 && !sb_bookmark_fits(self->file, &here)) { /* what was read is of another file */
        follow_restart(self);
        return SB_OK;
    }
    self->waited = count == 0;
    if (count == 0)
        return SB_OK;
    self->slice = 0;
    sb_bookmark_add(&self->head, self->offset, buffer, (size_t)count);
    self->offset += (uint64_t)count;
    self->cut = buffer[count - 1] != '\n';
    *got = (size_t)count;
    return SB_OK;
}

static enum sb_status follow_read(struct sb_bytes *bytes, char buffer[], size_t room, double deadline,
                                  size_t *got, struct sb_error *error)
{
    struct follow *const self = (struct follow *)bytes;
    enum sb_status status = SB_OK;

    for (*got = 0; status == SB_OK && *got == 0;) {
        if (self->following.reopen && *self->following.reopen)
            follow_reopen(self);
        if (self->file >= 0)
            status = follow_take(self, buffer, room, got, error);
        if (status || *got || (self->file >= 0 && !self->waited))
            continue;
        if (self->file >= 0 && !self->following.on)
            return SB_OK;
        if (self->next >= 0) { /* the old one has been read once more */
            if (self->cut && self->following.lines) {
                buffer[0] = '\n';
                *got = 1;
            }
            follow_turn(self, self->next, 0);
            self->next = -1;
            self->cut = false;
            continue;
        }
        if (self->file >= 0)
            follow_look(self);
        else if (!follow_begin(self) && !self->missed)
            follow_tell(self, "%s is not there: it is waited for", self->bytes.name);
        self->missed = self->file < 0;
        if (self->next < 0 && (self->file < 0 || self->waited))
            status = follow_wait(self, deadline, error);
    }
    return status;
}

/* As long as nothing of a file is done with it is in one before, at its end or where the record begins that
 * they have parts of: that file can be told from others. */
static void follow_bookmark(const struct sb_bytes *bytes, uint64_t behind, struct sb_bookmark *bookmark)
{
    const struct follow *const self = (const struct follow *)bytes;

    if (self->file < 0) {
        *bookmark = self->following.from;
    } else if (self->offset > behind || self->passed.count == 0) {
        *bookmark = sb_bookmark_of(&self->head, self->offset > behind ? self->offset - behind : 0);
    } else {
        *bookmark = sb_passed_bookmark(&self->passed, behind - self->offset);
    }
}

static void follow_free(struct sb_bytes *bytes)
{
    struct follow *const self = (struct follow *)bytes;

    follow_drop_next(self);
    if (self->file >= 0)
        close(self->file);
    free((char *)self->bytes.name);
    free(self);
}

/* Whether it is a file, or may become one. */
static enum sb_status follow_check(const struct follow *self, struct sb_error *error)
{
    struct stat about;

    if (stat(self->path, &about))
        return errno == ENOENT && self->following.on
                   ? SB_OK
                   : sb_error_set(error, SB_INVALID, "cannot read %s: %s", self->bytes.name, strerror(errno));
    if (!S_ISREG(about.st_mode))
        return sb_error_set(error, SB_INVALID, "%s is no file that could be followed: name one, or use '-'",
                            self->bytes.name);
    return access(self->path, R_OK) == 0
               ? SB_OK
               : sb_error_set(error, SB_INVALID, "cannot read %s: %s", self->bytes.name, strerror(errno));
}

enum sb_status sb_bytes_open_follow(const char *path, const struct sb_following *following,
                                    const struct sb_patience *patience, struct sb_error *error,
                                    struct sb_bytes **bytes)
{
    char *const name = sb_harmless(path, FOLLOW_NAME);
    struct follow *const self = name ? calloc(1, sizeof *self) : NULL;
    enum sb_status status;

    if (!self) {
        free(name);
        return sb_error_memory(error, "a file's name");
    }
    *self = (struct follow) {
        .bytes = { .name = name, .read = follow_read, .bookmark = follow_bookmark, .free = follow_free, },
        .patience = *patience,
        .following = *following,
        .path = path,
        .file = -1,
        .next = -1,
    };
    status = follow_check(self, error);
    if (status) {
        follow_free(&self->bytes);
        return status;
    }
    follow_begin(self);
    *bytes = &self->bytes;
    return SB_OK;
}
