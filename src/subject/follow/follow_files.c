/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The follower's moves between files: these functions find the next file, switch to the next file, and
 * restart after a truncation. */
#include "subject/follow/follow.h"

#include "core/system.h"
#include "core/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLLOW_TELLS = 256 }; /* the fewest first bytes of a file that identify the file */

/* Seconds between two looks in which a log may be rotated twice. A look at the end of the log is due each 0.128 s. */
static const double follow_away = 2;

static void follow_tell_list(const struct sb_follow *self, const char *format, va_list arguments)
{
    char line[SB_FOLLOW_NAME + 200];

    if (!self->following.tell)
        return;
    sb_decimal_format_list(line, sizeof line, format, arguments);
    self->following.tell(self->following.state, line);
}

void sb_follow_tell(const struct sb_follow *self, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    follow_tell_list(self, format, arguments);
    va_end(arguments);
}

void sb_follow_tell_lost(const struct sb_follow *self, const char *format, ...)
{
    va_list arguments;

    if (self->following.gaps)
        ++*self->following.gaps;
    va_start(arguments, format);
    follow_tell_list(self, format, arguments);
    va_end(arguments);
}

/* Switches to the file `file` at `offset`. If offset is not 0, `file` is a copy whose bytes before `offset`
 * have already been read. So an incomplete line continues in `file`. The first `known` bytes of the file after
 * `zeros`, which may be more, are its head. */
static int follow_turn(struct sb_follow *self, int file, uint64_t offset, uint64_t zeros, uint64_t known)
{
    struct sb_log_position_head head;
    const int number =
        sb_log_position_open_head(file, zeros, zeros + known > offset ? zeros + known : offset, &head);

    if (number)
        return number;
    if (self->file >= 0 && offset == 0)
        sb_rotated_files_add(&self->rotated, &self->head, self->offset, self->cut && self->following.lines);
    if (self->file >= 0)
        close(self->file);
    self->file = file;
    self->offset = offset;
    self->head = head;
    self->waited = self->missed = self->away = self->unsure = false;
    self->looked = sb_clock_now();
    return 0;
}

void sb_follow_drop_next(struct sb_follow *self)
{
    if (self->next >= 0)
        close(self->next);
    self->next = -1;
}

static void follow_drop_empty(struct sb_follow *self)
{
    if (self->empty >= 0)
        close(self->empty);
    self->empty = -1;
}

/* Continues at the same offset in another file with the same content. */
static int follow_turn_same(struct sb_follow *self, int file)
{
    const int number = follow_turn(self, file, self->offset, self->head.zeros, self->head.had);

    if (number)
        close(file);
    return number;
}

int sb_follow_restart(struct sb_follow *self)
{
    const struct sb_log_position position = sb_log_position_of(&self->head, self->offset);
    int copy = -1;
    const int number = sb_log_position_find(self->path, &position, &copy);

    if (number)
        return number;
    if (copy >= 0)
        return follow_turn_same(self, copy);
    sb_follow_tell_lost(self, "%s was cut: what it had and was not read before is lost", self->bytes.name);
    self->offset = self->head.zeros = 0;
    self->rotated.count = 0;
    self->head.had = 0;
    self->cut = self->waited = false;
    self->bytes.gap = true;
    return 0;
}

int sb_follow_begin(struct sb_follow *self)
{
    struct sb_log_position *const from = &self->following.from;
    int file = -1, number = from->inode ? sb_log_position_find(self->path, from, &file) : 0;
    const bool found = file >= 0;

    if (number == 0 && !found)
        number = sb_log_position_open(self->path, &file);
    if (number || file < 0)
        return number;
    number = found ? follow_turn(self, file, from->offset, from->zeros, from->head)
                   : follow_turn(self, file, 0, 0, 0);
    if (number) {
        close(file);
        return number;
    }
    if (!found && from->inode)
        sb_follow_tell_lost(
            self,
            "%s: the file that was read last is not here any more, nor beside it: what came after "
            "its byte %llu is lost",
            self->bytes.name, (unsigned long long)from->offset);
    from->inode = 0;
    return 0;
}

/* Sets *written to whether the file or a later file has content. */
static int follow_written(const struct sb_follow *self, int file, bool *written)
{
    struct stat about, log;
    int later = file, number = 0;

    for (*written = false; number == 0 && later >= 0;) {
        int next = -1;

        if (fstat(later, &about)) {
            number = errno;
            break;
        }
        *written = about.st_size > 0;
        const bool there = !*written && stat(self->path, &log) == 0;

        if (!*written && !there && sb_fault_kind(errno) != SB_FAULT_ABSENT)
            number = errno;
        if (number || *written || (there && log.st_ino == about.st_ino && log.st_dev == about.st_dev))
            break;
        bool beside;

        number = sb_log_position_next(self->path, about.st_ino, &next, &beside);
        if (later != file)
            close(later);
        later = next;
    }
    if (later >= 0 && later != file)
        close(later);
    return number;
}

/* Sets *moved to whether the path leads to another file than the open file, or to none: a file that was renamed twice may have
 * a successor before a new file has the path. */
static int follow_moved(const struct sb_follow *self, const struct stat *about, bool *moved)
{
    struct stat other;

    *moved = true;
    if (stat(self->path, &other))
        return sb_fault_kind(errno) == SB_FAULT_ABSENT ? 0 : errno;
    *moved = other.st_ino != about->st_ino || other.st_dev != about->st_dev;
    return 0;
}

/* Prefers the file that was next and empty, if that file has content now: the log may have been rotated once more since. */
static int follow_prefer_empty(struct sb_follow *self, bool *written)
{
    struct stat about;

    if (self->empty < 0)
        return 0;
    if (fstat(self->empty, &about))
        return errno;
    if (about.st_size == 0)
        return 0;
    sb_follow_drop_next(self);
    self->next = self->empty;
    self->empty = -1;
    self->unsure = false;
    *written = true;
    return 0;
}

/* Finds the file that follows the current file at the path or beside it. */
static int follow_find_next(struct sb_follow *self, const struct stat *about, bool *written)
{
    bool beside = false;
    int number = sb_log_position_next(self->path, about->st_ino, &self->next, &beside);

    self->unsure = self->away && !beside;
    if (number == 0 && self->next >= 0)
        number = follow_written(self, self->next, written);
    return number;
}

/* Opens the file that follows the current file. The file is `next` if that file or a later file has content, else
 * `empty`. */
static int follow_open_next(struct sb_follow *self, const struct stat *about,
                            const struct sb_log_position *here)
{
    bool written = false, fits = false;
    int number = follow_find_next(self, about, &written);

    if (number == 0)
        number = follow_prefer_empty(self, &written);
    if (number == 0 && written && here->head >= FOLLOW_TELLS)
        number = sb_log_position_fits(self->next, here, &fits);
    if (number) {
        sb_follow_drop_next(self);
    } else if (!written) {
        follow_drop_empty(self);
        self->empty = self->next;
        self->next = -1;
    } else if (fits) { /* the current file is a copy, and the original has not been truncated yet */
        const int original = self->next;

        self->next = -1;
        number = follow_turn_same(self, original);
    }
    return number;
}

int sb_follow_look(struct sb_follow *self)
{
    const struct sb_log_position here = sb_log_position_of(&self->head, self->offset);
    struct stat about;
    bool fits = false, moved = false;

    if (fstat(self->file, &about))
        return errno;
    const double now = sb_clock_now();
    int number = sb_log_position_fits(self->file, &here, &fits);

    self->away = self->away || now - self->looked > follow_away;
    self->looked = now;
    if (number == 0 && !fits)
        return sb_follow_restart(self);
    if (number == 0)
        number = follow_moved(self, &about, &moved);
    self->away = self->away && (number || moved);
    if (number == 0 && !moved)
        follow_drop_empty(self);
    return number == 0 && moved ? follow_open_next(self, &about, &here) : number;
}

int sb_follow_over(struct sb_follow *self, char buffer[], size_t *got)
{
    const bool unsure = self->unsure;
    const int number = follow_turn(self, self->next, 0, 0, 0);

    if (number)
        return number;
    if (unsure)
        sb_follow_tell_lost(self,
                            "%s: the file that was read is not beside it any more, and it was not looked at "
                            "for a while: what other files "
                            "had between that file and this one may be lost",
                            self->bytes.name);
    if (self->cut && self->following.lines) {
        buffer[0] = '\n';
        *got = 1;
    }
    self->next = -1;
    self->cut = false;
    return 0;
}

void sb_follow_reopen(struct sb_follow *self)
{
    struct stat about, other;
    int again = -1;

    *self->following.reopen = 0;
    if (self->file < 0 || self->next >= 0 || sb_log_position_open(self->path, &again) || again < 0)
        return;
    if (fstat(self->file, &about) == 0 && fstat(again, &other) == 0 && about.st_ino == other.st_ino &&
        about.st_dev == other.st_dev) {
        close(self->file);
        self->file = again;
    } else {
        close(again); /* the follower switches to the new file when it has read this file to the end */
    }
}

void sb_follow_renew(struct sb_follow *self)
{
    const struct sb_log_position here = sb_log_position_of(&self->head, self->offset);
    int file = -1;

    if (self->file >= 0 && sb_log_position_find(self->path, &here, &file) == 0 && file >= 0)
        (void)follow_turn_same(self, file);
}
