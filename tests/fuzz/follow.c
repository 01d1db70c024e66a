/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A log that grows, is renamed or copied and truncated, while a reader reads it and starts anew from
 * its position. The reader gets each byte once, and in order. If lines are read, the end of a file ends its last line.
 */
#include "fuzz/fuzz.h"
#include "fuzz/scratch.h"
#include "subject/parts.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FOLLOW_STEPS = 60,
    FOLLOW_TEXT = 32768,
    FOLLOW_LINE = 24,
    FOLLOW_LEAST = 20,
    FOLLOW_FILES = 12,
    FOLLOW_KEPT = 4
};

struct text {
    size_t length;
    char byte[FOLLOW_TEXT];
};

struct log {
    bool lines;            /* whether lines are read */
    bool fresh;            /* nothing was written since the last rotation */
    bool late;             /* the program may still write to the file that was renamed last */
    size_t rotations;      /* how many rotated files there are */
    size_t before;         /* how many there were when the reader was started */
    uint64_t random;       /* makes the content, in which no two parts are equal */
    struct text written;   /* what the reader should get */
    struct text got;       /* what it got */
    size_t since;          /* how much it got since it was started */
    struct sb_bytes *read; /* the reader */
    char path[128];        /* the path that it reads */
};

static void follow_add(struct text *text, const char bytes[], size_t length)
{
    fuzz_check(text->length + length <= FOLLOW_TEXT, "there is room");
    memcpy(text->byte + text->length, bytes, length);
    text->length += length;
}

/* The path of the file that was rotated `ago` rotations before the last one. */
static const char *follow_rotated(size_t ago)
{
    char name[32];

    snprintf(name, sizeof name, "log.%zu", 1 + ago);
    return scratch_path(name);
}

/* Appends bytes to the log or, as a program that still has the renamed file open, to this file. */
static void follow_append(struct log *log, size_t length, bool ended, bool late)
{
    const struct text *const written = &log->written;
    char bytes[FOLLOW_TEXT];

    for (size_t i = 0; i < length; i++) {
        log->random = log->random * 6364136223846793005 + 1442695040888963407;
        bytes[i] = i % FOLLOW_LINE == FOLLOW_LINE - 1 ? '\n' : (char)('a' + (log->random >> 60));
    }
    if (ended)
        bytes[length - 1] = '\n';
    late = late && log->late;
    if (!late && log->lines && log->fresh && written->length && written->byte[written->length - 1] != '\n')
        follow_add(&log->written, "\n", 1);
    log->fresh = log->fresh && late;
    log->late = late;
    FILE *const file = fopen(late ? follow_rotated(0) : scratch_path("log"), "ab");

    fuzz_check(file && fwrite(bytes, 1, length, file) == length && fclose(file) == 0, "the log is written");
    follow_add(&log->written, bytes, length);
}

static void follow_told(void *state, const char *line)
{
    fuzz_check(!strstr(line, "lost"), "nothing is lost");
}

static void follow_start(struct log *log, const struct sb_log_position *from)
{
    const struct sb_following following = { .lines = log->lines, .from = *from, .tell = follow_told };
    const struct sb_patience patience = { .timeout = 1 };
    struct sb_error error = { .status = SB_OK };

    fuzz_check(sb_bytes_open_follow(log->path, &following, &patience, &error, &log->read) == SB_OK,
               "the reader starts");
    log->since = 0;
    log->before = log->rotations;
}

/* Reads once. Returns whether bytes came. */
static bool follow_read(struct log *log, size_t room)
{
    struct sb_error error = { .status = SB_OK };
    char buffer[512];
    size_t got;

    fuzz_check(log->read->read(log->read, buffer, room, HUGE_VAL, &got, &error) == SB_OK, "the log is read");
    fuzz_check(!log->read->gap && got <= room, "there is no gap");
    follow_add(&log->got, buffer, got);
    log->since += got;
    fuzz_check(log->got.length <= log->written.length &&
                   memcmp(log->got.byte, log->written.byte, log->got.length) == 0,
               "each byte is read once, and in order");
    return got > 0;
}

static void follow_drain(struct log *log)
{
    while (follow_read(log, 512))
        ;
    fuzz_check(log->got.length == log->written.length, "all is read");
}

/* Gives all rotated files the next numbers, so that the last one can be number 1. */
static void follow_shift(struct log *log)
{
    for (size_t k = log->rotations; k > 0; k--)
        fuzz_check(rename(follow_rotated(k - 1), follow_rotated(k)) == 0, "a file is renamed");
    log->rotations++;
}

static void follow_rename(struct log *log, bool create)
{
    follow_shift(log);
    fuzz_check(rename(scratch_path("log"), follow_rotated(0)) == 0, "the log is renamed");
    log->late = !log->fresh;
    log->fresh = true;
    if (create)
        scratch_write("log", "", 0);
}

/* Copies the log, and lets the reader read if `between` is set before the log is truncated. */
static void follow_copy(struct log *log, bool between)
{
    struct sb_log_position position;
    struct stat about;
    size_t size;

    log->read->position(log->read, 0, &position);
    if (stat(scratch_path("log"), &about) || position.inode != about.st_ino ||
        position.offset == 0) /* otherwise nothing shows that the log was truncated */
        follow_drain(log);
    follow_shift(log);
    char *const bytes = scratch_read(scratch_path("log"), &size);
    const char *const copy = follow_rotated(0);

    scratch_write(strrchr(copy, '/') + 1, bytes, size);
    free(bytes);
    if (between)
        follow_read(log, 64);
    fuzz_check(truncate(scratch_path("log"), 0) == 0, "the log is truncated");
    log->fresh = true;
    log->late = false;
}

/* Stops the reader and starts another one from a position at least `behind` bytes back, which is the start of a line if
 * lines are read. */
static void follow_again(struct log *log, size_t behind)
{
    struct text *const got = &log->got;
    struct sb_log_position position;

    while (log->lines && behind < got->length && got->byte[got->length - behind - 1] != '\n')
        behind++;
    if (behind > log->since || log->rotations - log->before >= FOLLOW_KEPT)
        return; /* the reader was not started yet, or has dropped the file */
    log->read->position(log->read, behind, &position);
    got->length -= behind;
    log->read->free(log->read);
    follow_start(log, &position);
}

static void follow_step(struct log *log, unsigned how, unsigned size)
{
    const bool there = access(scratch_path("log"), F_OK) == 0,
               rotates = there && log->rotations < FOLLOW_FILES;

    switch (how % 8) {
    case 0:
    case 1:
        follow_append(log, FOLLOW_LEAST + size, how & 8, how & 16);
        break;
    case 2:
        if (rotates)
            follow_rename(log, how & 8);
        break;
    case 3:
        if (rotates)
            follow_copy(log, how & 8);
        break;
    case 4:
        if (there)
            follow_again(log, size);
        break;
    case 5:
        follow_drain(log);
        break;
    default:
        (void)follow_read(log, 32 + size);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct sb_log_position none;
    static struct log log;
    struct fuzz fuzz = { data, size };
    const unsigned how = fuzz_byte(&fuzz);

    log = (struct log) { .lines = how & 2, .random = how };
    snprintf(log.path, sizeof log.path, "%s", scratch_path("log"));
    scratch_clear();
    follow_append(&log, 2 * FOLLOW_LEAST, true, false);
    follow_start(&log, &none);
    for (int i = 0; i < FOLLOW_STEPS && fuzz.size; i++) {
        const unsigned step = fuzz_byte(&fuzz);

        follow_step(&log, step, fuzz_byte(&fuzz));
    }
    follow_append(&log, FOLLOW_LEAST, true, false);
    follow_drain(&log);
    log.read->free(log.read);
    return 0;
}
