/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes of a log that is rotated between two reads. */
#define _XOPEN_SOURCE 700 /* mkdtemp() */

#include "unit/test.h"

#include "subject/subject.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The paths of a log and of its rotated files, and the reader of the log, which does not wait. */
struct log {
    char folder[32], path[64], one[64], two[64];
    struct sb_bytes *reader;
};

static void log_write(const char *path, const char *text)
{
    FILE *const file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Starts a reader at a position, or at the start of the log. */
static void log_start(struct log *log, const struct sb_log_position *from)
{
    struct sb_following following = { .on = false };
    const struct sb_patience patience = { .timeout = 1 };

    if (from)
        following.from = *from;
    assert_int_equal(sb_bytes_open_follow(log->path, &following, &patience, NULL, &log->reader), SB_OK);
}

static void log_open(struct log *log)
{
    *log = (struct log) { .folder = "/tmp/bytes-XXXXXX" };
    assert_non_null(mkdtemp(log->folder));
    snprintf(log->path, sizeof log->path, "%s/log", log->folder);
    snprintf(log->one, sizeof log->one, "%s/log.1", log->folder);
    snprintf(log->two, sizeof log->two, "%s/log.2", log->folder);
}

static void log_close(struct log *log)
{
    log->reader->free(log->reader);
    unlink(log->path);
    unlink(log->one);
    unlink(log->two);
    assert_int_equal(rmdir(log->folder), 0);
}

/* Returns all bytes up to the end of the last file. */
static const char *log_read(struct log *log)
{
    static char text[200];
    size_t length = 0, got;

    do {
        assert_int_equal(
            log->reader->read(log->reader, text + length, sizeof text - 1 - length, HUGE_VAL, &got, NULL),
            SB_OK);
        length += got;
    } while (got > 0);
    text[length] = '\0';
    return text;
}

/* Reads a log with this text to its end, and ends the reader. Returns the position that is so many bytes before the end. */
static struct sb_log_position log_stop(struct log *log, const char *text, size_t behind)
{
    struct sb_log_position position;

    log_write(log->path, text);
    log_start(log, NULL);
    assert_string_equal(log_read(log), text);
    log->reader->position(log->reader, behind, &position);
    log->reader->free(log->reader);
    return position;
}

/* A log was renamed twice, and no file has its name yet. What came between is read. */
TEST(a_renamed_file_has_a_successor)
{
    struct log log;

    log_open(&log);
    log_write(log.path, "first ");
    log_start(&log, NULL);
    assert_int_equal(rename(log.path, log.two), 0);
    log_write(log.one, "second ");
    assert_string_equal(log_read(&log), "first second ");
    log_write(log.path, "third");
    assert_string_equal(log_read(&log), "third");
    log_close(&log);
}

/* A reader stopped within the first record, so the next one starts with the first byte. What was read after that byte shows
 * that the log was copied and truncated. */
TEST(a_position_remembers_what_came_after_it)
{
    struct log log;

    log_open(&log);
    const struct sb_log_position position = log_stop(&log, "half ", strlen("half "));

    assert_int_equal(position.offset, 0);
    log_write(log.one, "half a record ");
    log_write(log.path, "the next"); /* truncates the log, which keeps its inode */
    log_start(&log, &position);
    assert_string_equal(log_read(&log), "half a record the next");
    log_close(&log);
}

/* The same, if the next reader was started before the log was copied and truncated, and the new content begins as the old. */
TEST(a_new_reader_remembers_it_too)
{
    struct log log;

    log_open(&log);
    const struct sb_log_position position = log_stop(&log, "one two ", strlen("ne two "));

    assert_int_equal(position.offset, 1);
    log_start(&log, &position);
    assert_int_equal(log.reader->read(log.reader, &(char) { 0 }, 1, HUGE_VAL, &(size_t) { 0 }, NULL), SB_OK);
    log_write(log.one, "one two ");
    log_write(log.path, "once again, and more");
    assert_string_equal(log_read(&log), "e two once again, and more");
    log_close(&log);
}
