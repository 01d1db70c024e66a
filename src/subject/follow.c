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
#include "core/system.h"
#include "core/text.h"
#include "subject/parts.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

enum { FOLLOW_NAME = 200 }; /* the most bytes of a name to show */

enum { ROTATED_MOST = 4 }; /* the most files to keep; older files are dropped */

struct rotated {
    size_t count;
    struct rotated_file {
        struct sb_log_position_head head;
        uint64_t end;     /* number of bytes read */
        bool cut;         /* whether the follower added a byte to end the last line */
    } file[ROTATED_MOST]; /* [count]; oldest first */
};

struct follow {
    struct sb_bytes bytes; /* must be the first member, because callers have a pointer to this member */
    struct sb_patience patience;
    struct sb_following following;
    const char *path;                 /* path of the log; borrowed */
    int file, next;                   /* descriptors of the current and of the next file; -1: not open */
    int empty;                        /* the next file as long as that file has no content; -1: none */
    uint64_t offset;                  /* number of bytes of the current file read so far */
    struct sb_log_position_head head; /* first bytes of the current file, which reveal a truncation */
    struct rotated rotated;           /* the files before the current file, without a gap */
    bool cut;                         /* whether the last line that was read is incomplete */
    bool waited;                      /* whether the last check found the end of the file */
    bool missed;                      /* whether the follower has reported that there is no file */
    int slice;                        /* milliseconds that the last wait took */
    double looked;                    /* when the follower last looked for a later file */
    bool away;      /* whether it looked too rarely, since the path led to the current file, to see each rotation */
    bool unsure;    /* whether there may be files between the current and the next file */
    double failing; /* time since which every step has failed; 0: the last step succeeded */
};

enum { FOLLOW_TELLS = 256 }; /* the fewest first bytes of a file that identify the file */

/* Seconds between two looks in which a log may be rotated twice. A look at the end of the log is due each 0.128 s. */
static const double follow_away = 2;

/* Passes a message to the caller's callback. `lost` tells whether bytes are lost, or may be; this is counted. */
__attribute__((format(printf, 3, 4))) static void follow_tell(const struct follow *self, bool lost, const char *format,
                                                              ...)
{
    char line[FOLLOW_NAME + 200];
    va_list arguments;

    if (lost && self->following.gaps)
        ++*self->following.gaps;
    va_start(arguments, format);
    sb_decimal_format_list(line, sizeof line, format, arguments);
    va_end(arguments);
    if (self->following.tell)
        self->following.tell(self->following.state, line);
}

/* ---- files that the follower has read to the end, and in which an incomplete record may have started ---- */

static void rotated_add(struct rotated *rotated, const struct sb_log_position_head *head, uint64_t end, bool cut)
{
    if (end == 0)
        return;
    if (rotated->count == ROTATED_MOST) {
        rotated->count--;
        memmove(&rotated->file[0], &rotated->file[1], rotated->count * sizeof rotated->file[0]);
    }
    rotated->file[rotated->count++] = (struct rotated_file) { .head = *head, .end = end, .cut = cut };
}

/* Returns the head of the file in which a position is that is `behind` bytes before the end of the last file, of at
 * least one, and sets *offset to the bytes of this file before the position. */
static const struct sb_log_position_head *rotated_position(const struct rotated *rotated, uint64_t behind,
                                                           uint64_t *offset)
{
    for (size_t i = rotated->count - 1;; i--) {
        const struct rotated_file *const file = &rotated->file[i];

        behind -= behind > 0 && file->cut;
        if (behind < file->end || i == 0) {
            *offset = behind < file->end ? file->end - behind : 0;
            return &file->head;
        }
        behind -= file->end;
    }
}

/* ---- moves between files ---- */

/* Switches to the file `file` at `offset`. If offset is not 0, `file` is a copy whose bytes before `offset`
 * have already been read. So an incomplete line continues in `file`. The first `known` bytes of the file after
 * `zeros`, which may be more, are its head. */
static int follow_turn(struct follow *self, int file, uint64_t offset, uint64_t zeros, uint64_t known)
{
    struct sb_log_position_head head;
    const int number = sb_log_position_open_head(file, zeros, zeros + known > offset ? zeros + known : offset, &head);

    if (number)
        return number;
    if (self->file >= 0 && offset == 0)
        rotated_add(&self->rotated, &self->head, self->offset, self->cut && self->following.lines);
    if (self->file >= 0)
        close(self->file);
    self->file = file;
    self->offset = offset;
    self->head = head;
    self->waited = self->missed = self->away = self->unsure = false;
    self->looked = sb_clock_now();
    return 0;
}

static void follow_drop(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

static int follow_turn_same(struct follow *self, int file)
{
    const int number = follow_turn(self, file, self->offset, self->head.zeros, self->head.had);

    if (number)
        close(file);
    return number;
}

/* Continues after a truncation: in a copy of the old content if there is one, otherwise at the beginning of
 * the file, and then sets bytes.gap. */
static int follow_restart(struct follow *self)
{
    const struct sb_log_position position = sb_log_position_of(&self->head, self->offset);
    int copy = -1;
    const int number = sb_log_position_find(self->path, &position, &copy);

    if (number)
        return number;
    if (copy >= 0)
        return follow_turn_same(self, copy);
    follow_tell(self, true, "%s was cut: what it had and was not read before is lost", self->bytes.name);
    self->offset = self->head.zeros = 0;
    self->rotated.count = 0;
    self->head.had = 0;
    self->cut = self->waited = false;
    self->bytes.gap = true;
    return 0;
}

/* If no file is open, opens the file of the saved position, or else the file at the path. It is not an error
 * if neither file exists yet. */
static int follow_begin(struct follow *self)
{
    struct sb_log_position *const from = &self->following.from;
    int file = -1, number = from->inode ? sb_log_position_find(self->path, from, &file) : 0;
    const bool found = file >= 0;

    if (number == 0 && !found)
        number = sb_log_position_open(self->path, &file);
    if (number || file < 0)
        return number;
    number = found ? follow_turn(self, file, from->offset, from->zeros, from->head) : follow_turn(self, file, 0, 0, 0);
    if (number) {
        close(file);
        return number;
    }
    if (!found && from->inode)
        follow_tell(self, true,
                    "%s: the file that was read last is not here any more, nor beside it: what came after "
                    "its byte %llu is lost",
                    self->bytes.name, (unsigned long long)from->offset);
    from->inode = 0;
    return 0;
}

/* Sets *moved to whether the path leads to another file than the open file, or to none: a file that was
 * renamed twice may have a successor before a new file has the path. */
static int follow_moved(const struct follow *self, const struct stat *about, bool *moved)
{
    struct stat other;

    *moved = true;
    if (stat(self->path, &other))
        return sb_fault_kind(errno) == SB_FAULT_ABSENT ? 0 : errno;
    *moved = other.st_ino != about->st_ino || other.st_dev != about->st_dev;
    return 0;
}

/* Prefers the file that was next and empty, if that file has content now. If the current file is not beside the log any
 * more, the log may have been rotated once more since. */
static int follow_prefer_empty(struct follow *self, bool *written)
{
    struct stat about;

    if (self->empty < 0)
        return 0;
    if (fstat(self->empty, &about))
        return errno;
    if (about.st_size == 0)
        return 0;
    follow_drop(&self->next);
    self->next = self->empty;
    self->empty = -1;
    self->unsure = false;
    *written = true;
    return 0;
}

static int follow_find_next(struct follow *self, const struct stat *about, bool *written, bool *beside)
{
    const int number = sb_log_position_next(self->path, about->st_ino, &self->next, beside);
    struct stat later;

    self->unsure = self->away && !*beside;
    if (number || self->next < 0)
        return number;
    if (fstat(self->next, &later))
        return errno;
    *written = later.st_size > 0;
    return 0;
}

/* Opens the file that follows the current file. The file is `next` if it has content, else `empty`. */
static int follow_open_next(struct follow *self, const struct stat *about, const struct sb_log_position *here)
{
    bool written = false, fits = false, beside = false;
    int number = follow_find_next(self, about, &written, &beside);

    if (number == 0 && !beside)
        number = follow_prefer_empty(self, &written);
    if (number == 0 && written && here->head >= FOLLOW_TELLS)
        number = sb_log_position_fits(self->next, here, &fits);
    if (number) {
        follow_drop(&self->next);
    } else if (!written) {
        follow_drop(&self->empty);
        self->empty = self->next;
        self->next = -1;
    } else if (fits) { /* the current file is a copy, and the original has not been truncated yet */
        const int original = self->next;

        self->next = -1;
        number = follow_turn_same(self, original);
    }
    return number;
}

/* Looks for a later file with content. Call this function when the current file is at its end. If there is a later
 * file, keeps it open as `next`; the follower reads the old file once more before it switches. */
static int follow_look(struct follow *self)
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
        return follow_restart(self);
    if (number == 0)
        number = follow_moved(self, &about, &moved);
    self->away = self->away && (number || moved);
    if (number == 0 && !moved)
        follow_drop(&self->empty);
    return number == 0 && moved ? follow_open_next(self, &about, &here) : number;
}

/* Switches to the next file. Before the call, the caller must read the old file once more. If the last line
 * of the old file is incomplete and following.lines is true, puts a line end into `buffer`. */
static int follow_over(struct follow *self, char buffer[], size_t *got)
{
    const bool unsure = self->unsure;
    const int number = follow_turn(self, self->next, 0, 0, 0);

    if (number)
        return number;
    if (unsure)
        follow_tell(self, true,
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

/* Opens the current file again, because a restarted file server does not know the old descriptors. Keeps the old
 * descriptor if that fails. */
static void follow_renew(struct follow *self)
{
    const struct sb_log_position here = sb_log_position_of(&self->head, self->offset);
    int file = -1;

    if (self->file >= 0 && sb_log_position_find(self->path, &here, &file) == 0 && file >= 0)
        (void)follow_turn_same(self, file);
}

/* ---- reading ---- */

enum {
    FOLLOW_SLICE = 128
    /* the longest wait between two checks, in milliseconds; the first wait is 1 ms, and each further wait is
     * twice as long until bytes arrive */
};

static enum sb_status follow_wait(struct follow *self, double deadline, struct sb_error *error)
{
    const struct sb_patience *const patience = &self->patience;

    if (patience->stop && *patience->stop)
        return sb_error_set(error, SB_STOPPED, "stopped while %s was read", self->bytes.name);
    if (!(deadline - sb_clock_now() > 0))
        return sb_error_set(error, SB_SUBJECT, "%s: no permutation for %g s: raise `timeout`", self->bytes.name,
                            patience->timeout);
    if (patience->idle)
        patience->idle(patience->idle_state);
    self->slice = self->slice ? self->slice < FOLLOW_SLICE ? 2 * self->slice : FOLLOW_SLICE : 1;
    poll(NULL, 0, self->slice);
    return SB_OK;
}

/* Removes bytes of 0 before the first text of a file. If a program goes on at its old place after a
 * truncation (`copytruncate` without O_APPEND), the file system puts such bytes before that place. Returns
 * the bytes that are left. */
static size_t follow_skip_zeros(struct follow *self, char buffer[], size_t count)
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
static int follow_take(struct follow *self, char buffer[], size_t room, size_t *got)
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
        return follow_restart(self);
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
static int follow_step(struct follow *self, char buffer[], size_t room, size_t *got, bool *wait, bool *end)
{
    int number = 0;

    *wait = *end = false;
    if (self->file >= 0) {
        number = follow_take(self, buffer, room, got);
        if (number || *got || !self->waited)
            return number;
        if (self->next >= 0)
            return follow_over(self, buffer, got);
        number = follow_look(self);
        *end = number == 0 && self->next < 0 && self->waited && !self->following.on;
    } else {
        number = follow_begin(self);
        if (number == 0 && self->file < 0 && !self->following.on)
            return ENOENT;
        if (number == 0 && self->file < 0 && !self->missed)
            follow_tell(self, false, "%s is not there: it is waited for", self->bytes.name);
        self->missed = number == 0 && self->file < 0;
    }
    *wait = !*end && self->next < 0 && (self->file < 0 || self->waited);
    return number;
}

/* Handles a failed step. If the failure may be temporary, the caller repeats the step for SB_RETRY_FOLLOWED seconds.
 * Missing read permission may be temporary, because a program may create a log first and then change the owner. */
static enum sb_status follow_failed(struct follow *self, int number, struct sb_error *error)
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
        follow_renew(self);
    return SB_OK;
}

static enum sb_status follow_read(struct sb_bytes *bytes, char buffer[], size_t room, double deadline, size_t *got,
                                  struct sb_error *error)
{
    struct follow *const self = (struct follow *)bytes;
    enum sb_status status = SB_OK;
    bool wait, end = false;

    bytes->gap = false;
    for (*got = 0; status == SB_OK && *got == 0 && !end;) {
        if (self->following.reopen && *self->following.reopen) {
            *self->following.reopen = 0;
            if (self->next < 0)
                follow_renew(self);
        }
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
    const struct follow *const self = (const struct follow *)bytes;
    const struct sb_log_position_head *head = &self->head;
    const uint64_t text = self->offset - self->head.zeros; /* number of bytes after the zeros */
    uint64_t offset = text > behind ? self->offset - behind : 0;

    if (self->file < 0) {
        *position = self->following.from;
        return;
    }
    if (text <= behind && self->rotated.count > 0)
        head = rotated_position(&self->rotated, behind - text, &offset);
    struct sb_log_position_head before = *head;

    if (bytes->faulty && before.zeros + before.had > offset) /* the user may change the bytes after the position */
        before.had = offset > before.zeros ? (size_t)(offset - before.zeros) : 0;
    *position = sb_log_position_of(&before, offset);
}

static void follow_free(struct sb_bytes *bytes)
{
    struct follow *const self = (struct follow *)bytes;

    follow_drop(&self->next);
    follow_drop(&self->empty);
    follow_drop(&self->file);
    free((char *)self->bytes.name);
    free(self);
}

/* Checks that the path is a file, or may become a file later. follow_read() handles temporary failures. */
static enum sb_status follow_check(const struct follow *self, struct sb_error *error)
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
                                    const struct sb_patience *patience, struct sb_error *error, struct sb_bytes **bytes)
{
    char *const name = sb_sanitize_text(path, FOLLOW_NAME);
    struct follow *const self = name ? calloc(1, sizeof *self) : NULL;
    enum sb_status status;

    if (!self) {
        free(name);
        return sb_error_memory(error, "a file's name");
    }
    *self = (struct follow) {
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
    (void)follow_begin(self); /* after a failure here, the first read tries again */
    *bytes = &self->bytes;
    return SB_OK;
}
