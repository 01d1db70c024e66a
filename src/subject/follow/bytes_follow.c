/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the bytes of a growing log, as `tail -F` does. When the log is renamed and a new file gets its name,
 * reading continues in the new file.
 *
 * No bytes are lost if only one program writes at a time. That program finishes the old file before it begins
 * the new file. So when the new file has content, the old file is complete, and the follower reads it to its
 * end once more. If the log was truncated, the follower first looks for the unread bytes in a copy beside the
 * log. If there is no copy, the follower reports the bytes as lost and reads the log from its start.
 *
 * Each step returns 0 or an errno. A failed step changes nothing, so the caller simply repeats the step. The
 * follower never concludes from a failed call that the file is gone or was truncated. A wrong conclusion
 * would make the follower count permutations twice. The follower reads bytes at offsets that it keeps itself,
 * so it can replace a descriptor at any time.
 */
#include "core/core.h"

#include "core/system.h"
#include "core/text.h"
#include "subject/follow/follow.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FOLLOW_SLICE = 128
    /* the longest wait between two checks, in milliseconds; the first wait is 1 ms, and each further wait is
     * twice as long until bytes arrive */
};

/* Waits for the next check, at most until the deadline. */
static enum sb_status follow_wait(struct sb_follow *self, double deadline, struct sb_error *error)
{
    const struct sb_patience *const patience = &self->patience;

    if (patience->stop && *patience->stop)
        return sb_error_set(error, SB_STOPPED, "stopped while %s was read", self->bytes.name);
    if (!(deadline - sb_clock_now() > 0))
        return sb_error_set(error, SB_SUBJECT, "%s: no permutation for %g s: raise `timeout`",
                            self->bytes.name, patience->timeout);
    if (patience->idle)
        patience->idle(patience->idle_state);
    self->slice = self->slice ? self->slice < FOLLOW_SLICE ? 2 * self->slice : FOLLOW_SLICE : 1;
    poll(NULL, 0, self->slice);
    return SB_OK;
}

/* Removes bytes of 0 before the first text of a file. If a program goes on at its old place after a truncation
 * (`copytruncate` without O_APPEND), the file system puts such bytes before that place. Returns the bytes that are left. */
static size_t follow_skip_zeros(struct sb_follow *self, char buffer[], size_t count)
{
    size_t zeros = 0;

    if (!self->following.lines || self->offset != self->head.zeros)
        return count;
    while (zeros < count && buffer[zeros] == '\0')
        zeros++;
    self->offset += zeros;
    self->head.zeros += zeros;
    memmove(buffer, buffer + zeros, count - zeros);
    return count - zeros;
}

/* Reads the bytes that the current file has now. At the end of the file, *got is 0. The path may already lead
 * to another file. */
static int follow_take(struct sb_follow *self, char buffer[], size_t room, size_t *got)
{
    const struct sb_log_position here = sb_log_position_of(&self->head, self->offset);
    bool fits = true;
    struct sb_retry retry = { .began = 0 };
    ssize_t count;
    int number;

    do
        count = pread(self->file, buffer, room, (off_t)self->offset);
    while (count < 0 && errno == EINTR && sb_retry_again(&retry, errno));
    if (count < 0)
        return errno;
    number = count > 0 ? sb_log_position_fits(self->file, &here, &fits) : 0;
    if (number)
        return number;
    if (!fits) /* the bytes belong to another file */
        return sb_follow_restart(self);
    self->waited = count == 0;
    if (count == 0)
        return 0;
    self->slice = 0;
    const size_t left = follow_skip_zeros(self, buffer, (size_t)count);
    if (left == 0)
        return 0;
    sb_log_position_add(&self->head, self->offset, buffer, left);
    self->offset += left;
    self->cut = buffer[left - 1] != '\n';
    *got = left;
    return 0;
}

/* Does one step: reads bytes, switches to another file, or looks for another file. Sets `*wait` if there is
 * nothing to do now, and `*end` if the caller does not want to wait at the end of the last file. */
static int follow_step(struct sb_follow *self, char buffer[], size_t room, size_t *got, bool *wait, bool *end)
{
    int number = 0;

    *wait = *end = false;
    if (self->file >= 0) {
        number = follow_take(self, buffer, room, got);
        if (number || *got || !self->waited)
            return number;
        if (self->next >= 0)
            return sb_follow_over(self, buffer, got);
        number = sb_follow_look(self);
        *end = number == 0 && self->next < 0 && self->waited && !self->following.on;
    } else {
        number = sb_follow_begin(self);
        if (number == 0 && self->file < 0 && !self->following.on)
            return ENOENT;
        if (number == 0 && self->file < 0 && !self->missed)
            sb_follow_tell(self, "%s is not there: it is waited for", self->bytes.name);
        self->missed = number == 0 && self->file < 0;
    }
    *wait = !*end && self->next < 0 && (self->file < 0 || self->waited);
    return number;
}

/* Handles a failed step. If the failure may be temporary, the caller repeats the step for SB_RETRY_FOLLOWED
 * seconds. Missing read permission may be temporary, because a program may create a log first and then change
 * the owner. */
static enum sb_status follow_failed(struct sb_follow *self, int number, struct sb_error *error)
{
    const double now = sb_clock_now();
    const bool passing = sb_fault_kind(number) == SB_FAULT_PASSING || number == EACCES;
    const char *const name = self->bytes.name;

    self->failing = self->failing > 0 ? self->failing : now;
    if (!passing)
        return sb_error_set(error, SB_IO, "cannot read %s: %s", name, strerror(number));
    if (now - self->failing >= SB_RETRY_FOLLOWED)
        return sb_error_set(error, SB_IO, "cannot read %s, tried for %d s: %s", name, SB_RETRY_FOLLOWED,
                            strerror(number));
    if (number == ESTALE)
        sb_follow_renew(self);
    return SB_OK;
}

static enum sb_status follow_read(struct sb_bytes *bytes, char buffer[], size_t room, double deadline,
                                  size_t *got, struct sb_error *error)
{
    struct sb_follow *const self = (struct sb_follow *)bytes;
    enum sb_status status = SB_OK;
    bool wait, end = false;

    bytes->gap = false;
    for (*got = 0; status == SB_OK && *got == 0 && !end;) {
        if (self->following.reopen && *self->following.reopen)
            sb_follow_reopen(self);
        const int number = follow_step(self, buffer, room, got, &wait, &end);

        if (number)
            status = follow_failed(self, number, error);
        else
            self->failing = 0;
        if (status == SB_OK && (number || wait))
            status = follow_wait(self, deadline, error);
    }
    return status;
}

/* Sets the position to save. As long as no record of the current file is complete, the position is in an
 * earlier file. The position is then at the end of that file, or at the start of the incomplete record. The
 * head of an earlier file (the hash of its first bytes) covers enough bytes to identify the file. */
static void follow_position(const struct sb_bytes *bytes, uint64_t behind, struct sb_log_position *position)
{
    const struct sb_follow *const self = (const struct sb_follow *)bytes;
    const struct sb_log_position_head *head = &self->head;
    const uint64_t text = self->offset - self->head.zeros; /* number of bytes after the zeros */
    uint64_t offset = text > behind ? self->offset - behind : 0;

    if (self->file < 0) {
        *position = self->following.from;
        return;
    }
    if (text <= behind && self->rotated.count > 0)
        head = sb_rotated_files_position(&self->rotated, behind - text, &offset);
    *position = bytes->faulty ? sb_log_position_before_fault(head, offset) : sb_log_position_of(head, offset);
}

static void follow_free(struct sb_bytes *bytes)
{
    struct sb_follow *const self = (struct sb_follow *)bytes;

    sb_follow_drop_next(self);
    if (self->empty >= 0)
        close(self->empty);
    if (self->file >= 0)
        close(self->file);
    free((char *)self->bytes.name);
    free(self);
}

/* Checks that the path is a file, or may become a file later. follow_read() handles temporary failures. */
static enum sb_status follow_check(const struct sb_follow *self, struct sb_error *error)
{
    struct stat about;
    int number = stat(self->path, &about) ? errno : 0;

    if (number == 0 && !S_ISREG(about.st_mode))
        return sb_error_set(error, SB_INVALID, "%s is no file that could be followed: name one, or use '-'",
                            self->bytes.name);
    if (number == 0 && access(self->path, R_OK))
        number = errno;
    if (number == 0 || sb_fault_kind(number) == SB_FAULT_PASSING || (number == ENOENT && self->following.on))
        return SB_OK;
    return sb_error_set(error, SB_INVALID, "cannot read %s: %s", self->bytes.name, strerror(number));
}

enum sb_status sb_bytes_open_follow(const char *path, const struct sb_following *following,
                                    const struct sb_patience *patience, struct sb_error *error,
                                    struct sb_bytes **bytes)
{
    char *const name = sb_sanitize_text(path, SB_FOLLOW_NAME);
    struct sb_follow *const self = name ? calloc(1, sizeof *self) : NULL;
    enum sb_status status;

    if (!self) {
        free(name);
        return sb_error_memory(error, "a file's name");
    }
    *self = (struct sb_follow) {
        .bytes = { .name = name, .read = follow_read, .position = follow_position, .free = follow_free, },
        .patience = *patience,
        .following = *following,
        .path = path,
        .file = -1,
        .next = -1,
        .empty = -1,
    };
    status = follow_check(self, error);
    if (status) {
        follow_free(&self->bytes);
        return status;
    }
    (void)sb_follow_begin(self); /* after a failure here, the first read tries again */
    *bytes = &self->bytes;
    return SB_OK;
}
