/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A log is truncated after any of its bytes, and then written anew. Its complete lines or records count, an
 * incomplete one does not, and what is written anew is read as from the start of a line.
 */
#include "unit/test.h"

#include "subject/parts.h"
#include "subject/subject.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    DEAL = 3,
    DEALS = 4,
    FEW = 60, /* after so many bytes, a log is truncated only after every so many */
};

#define BYTES(text) text, sizeof(text) - 1
#define MARK "\xEF\xBB\xBF" /* UTF-8's byte order mark */
#define LETTERS                                                                                              \
    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwx" \
    "yz"

/* What a log has before it is truncated, what it has then, and the deals of both. */
struct row {
    struct sb_form form;
    struct sb_line_form lines;
    const char *before;
    size_t before_length;
    const char *after;
    size_t after_length;
    const char *deals[DEALS]; /* in digits; the last two are those of `after` */
};

static const struct row rows[] = {
    /* numbers, with n known and unknown: the start of a number, and the end of a line with CR */
    { .form = { .base = 0, .n = DEAL },
      .before = BYTES("0 1 2\n2 1 0\n0 2 1"),
      .after = BYTES("1 0 2\n1 2 0\n"),
      .deals = { "012", "210", "102", "120" } },
    { .form = { .base = -1 },
      .before = BYTES("0 1 2\r\n2 1 0\r\n0 2 1\r"),
      .after = BYTES("1 0 2\r\n1 2 0\r\n"),
      .deals = { "012", "210", "102", "120" } },
    { .form = { .base = 0, .n = 30, .deal = DEAL },
      .before = BYTES("1 2 3\n3 2 1\n12 1 20"),
      .after = BYTES("2 5 7\n7 5 2\n"),
      .deals = { "123", "321", "257", "752" } },
    /* a comment */
    { .form = { .base = -1 },
      .before = BYTES("0 1 2 # a\n2 1 0 # b\n# c"),
      .after = BYTES("1 0 2\n1 2 0\n"),
      .deals = { "012", "210", "102", "120" } },
    /* words before the numbers of each line, more of them than fit, of each number, and of a first line that does not
     * count; the later lines look different, because a line that looks like an earlier one is not parsed */
    { .form = { .base = -1 },
      .before = BYTES("a deck: 0 1 2\na deck: 2 1 0\na deck: 0 " LETTERS LETTERS LETTERS),
      .after = BYTES("a deck: 1, 0, 2\na deck: 1  2  0\n"),
      .deals = { "012", "210", "102", "120" } },
    { .form = { .base = -1 },
      .before = BYTES("c0 c1 c2\nc2 c1 c0\nc0 c"),
      .after = BYTES("c1, c0, c2\nc1  c2  c0\n"),
      .deals = { "012", "210", "102", "120" } },
    { .form = { .base = -1 },
      .before = BYTES("a0 a1 a"),
      .after = BYTES("deck: 1, 0, 2\ndeck: 1  2  0\n"),
      .deals = { "", "", "102", "120" } },
    { .form = { .base = -1 },
      .before = BYTES("a de"),
      .after = BYTES("\xE2\x86\x92 1 0 2\n1  2 0\n"), /* an arrow, which is not a word */
      .deals = { "", "", "102", "120" } },
    /* names, and playing cards */
    { .form = { .base = -1, .cards = "AB BB CB" },
      .before = BYTES("AB BB CB\nCB BB AB\nAB CB B"),
      .after = BYTES("BB AB CB\nBB CB AB\n"),
      .deals = { "012", "210", "102", "120" } },
    { .form = { .base = -1, .n = 52, .deal = DEAL },
      .lines = { .n = 52, .deal = DEAL, .cards = true },
      .before = BYTES("AS 2S 3S\n3S 2S AS\nAS 1"),
      .after = BYTES("2S AS 3S\n2S 3S AS\n"),
      .deals = { "012", "210", "102", "120" } },
    /* the deck is a part of a line; the file may begin with a byte order mark */
    { .form = { .base = -1 },
      .lines = { .match = "^deck=(.*);" },
      .before = BYTES(MARK "deck=0 1 2;\ndeck=2 1 0;\na line of another kind"),
      .after = BYTES("deck=1 0 2;\ndeck=1 2 0;\n"),
      .deals = { "012", "210", "102", "120" } },
    { .form = { .base = -1 },
      .lines = { .match = "^deck=(.*);" },
      .before = BYTES("deck=0 1 2;\ndeck=2 1 0;\ndeck="),
      .after = BYTES(MARK "deck=1 0 2;\ndeck=1 2 0;\n"),
      .deals = { "012", "210", "102", "120" } },
    /* records of bytes */
    { .form = { .base = 0, .n = DEAL, .input = SB_INPUT_U8 },
      .before = BYTES("\0\1\2\2\1\0\0\1"),
      .after = BYTES("\1\0\2\1\2\0"),
      .deals = { "012", "210", "102", "120" } },
    { .form = { .base = 0, .n = DEAL, .input = SB_INPUT_U16 },
      .before = BYTES("\0\0\1\0\2\0\2\0\1\0\0\0\0\0\1\0\2"),
      .after = BYTES("\1\0\0\0\2\0\1\0\2\0\0\0"),
      .deals = { "012", "210", "102", "120" } },
};

/* A log, its reader, and what the reader has read. */
struct log {
    const struct row *row;
    char path[40];
    size_t had; /* bytes of `before` that the log has */
    unsigned step;
    volatile sig_atomic_t stop;
    struct sb_feed *feed;
    char deals[DEALS * (DEAL + 1) + 1];
    size_t count;
};

static void log_append(const struct log *log, const char *bytes, size_t length)
{
    const int file = open(log->path, O_WRONLY | O_APPEND);

    assert_int_equal(write(file, bytes, length), length);
    close(file);
}

/* Truncates the log when its reader waits, and writes to it in two pieces when its reader has seen that. */
static void log_step(void *state)
{
    struct log *const log = state;
    const struct row *const row = log->row;
    const size_t first = row->after_length / 2 - 2; /* ends within a line or record */
    struct sb_log_position position;

    log->feed->position(log->feed, &position);
    if (log->step == 0) {
        assert_int_equal(truncate(log->path, 0), 0);
    } else if (log->step == 1) {
        assert_int_equal(position.offset, 0);
        log_append(log, row->after, first);
    } else if (log->step == 2) {
        log_append(log, row->after + first, row->after_length - first);
    } else {
        assert_int_equal(position.offset, row->after_length);
    }
    log->stop = log->step++ == 3;
}

static void log_open(const struct row *row, size_t had, bool on, struct log *log)
{
    const struct sb_patience patience = {
        .timeout = 60, .stop = &log->stop, .idle = log_step, .idle_state = log
    };
    const bool text = row->form.input == SB_INPUT_TEXT;
    const struct sb_following following = { .on = on, .lines = text };
    struct sb_form form = row->form;
    struct sb_error error = { 0 };
    struct sb_bytes *bytes;

    *log = (struct log) { .row = row, .path = "/tmp/truncated-XXXXXX", .had = had };
    close(mkstemp(log->path));
    log_append(log, row->before, had);
    form.timeout = 60;
    if (sb_bytes_open_follow(log->path, &following, &patience, &error, &bytes) ||
        (text && sb_lines_new(bytes, &row->lines, &error, &bytes)) ||
        sb_stream_new(bytes, &form, &error, &log->feed))
        fail_msg("%s", error.text);
}

static void log_close(struct log *log)
{
    sb_feed_free(log->feed);
    unlink(log->path);
}

/* Reads the next deals. Returns false at the end of the log, or if the reader was stopped. */
static bool log_read(struct log *log)
{
    struct sb_error error = { 0 };
    const sb_item *items;
    size_t count;
    const enum sb_status status = log->feed->next(log->feed, DEALS, &items, &count, &error);

    if (status && status != SB_STOPPED)
        fail_msg("'%.*s': %s", (int)log->had, log->row->before, error.text);
    for (size_t i = 0; status == SB_OK && i < count; i++) {
        assert_true(log->count++ < DEALS);
        for (size_t j = 0; j < DEAL; j++)
            sprintf(log->deals + strlen(log->deals), "%u", items[DEAL * i + j]);
        strcat(log->deals, " ");
    }
    return status == SB_OK && count > 0;
}

/* How many lines or records the log has before it is truncated. */
static size_t log_complete(const struct log *log)
{
    const enum sb_input input = log->row->form.input;
    size_t lines = 0;

    for (size_t i = 0; i < log->had; i++)
        lines += log->row->before[i] == '\n';
    return input == SB_INPUT_U8 ? log->had / DEAL : input == SB_INPUT_U16 ? log->had / (2 * DEAL) : lines;
}

/* The reader has read what was complete, and what came later. */
static void log_check(const struct log *log, bool later)
{
    char expected[sizeof log->deals] = "";

    for (size_t i = 0; i < (later ? DEALS : 2); i++)
        if (i >= 2 || i < log_complete(log))
            sprintf(expected + strlen(expected), "%s ", log->row->deals[i]);
    if (strcmp(log->deals, expected) != 0)
        fail_msg("'%.*s': %s instead of %s", (int)log->had, log->row->before, log->deals, expected);
}

TEST(an_incomplete_line_is_dropped)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t had = 0; had <= rows[i].before_length; had += had < FEW ? 1 : FEW) {
            struct log log;

            log_open(&rows[i], had, true, &log);
            while (log_read(&log))
                continue;
            log_check(&log, true);
            log_close(&log);
        }
}

/* The same for a reader that does not wait. It has read the complete lines when the log is truncated. */
TEST(a_reader_that_does_not_wait_drops_it)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t had = 0; had <= rows[i].before_length; had += had < FEW ? 1 : FEW)
            for (int later = 0; later < 2; later++) {
                struct log log;

                log_open(&rows[i], had, false, &log);
                if (log_complete(&log) > 0) {
                    assert_true(log_read(&log));
                    assert_int_equal(truncate(log.path, 0), 0);
                    log_append(&log, rows[i].after, later ? rows[i].after_length : 0);
                    while (log_read(&log))
                        continue;
                    log_check(&log, later);
                }
                log_close(&log);
            }
}

/* Truncates a log of a reader that does not wait, and moves it away. The reader finds an error in the next file. */
static void expect_error(const char *before, const char *after, const char *message)
{
    const struct row cut = { .form = { .base = -1 }, .before = before };
    struct sb_error error = { 0 };
    const sb_item *items;
    struct log log;
    char moved[44];
    size_t count;

    log_open(&cut, strlen(before), false, &log);
    snprintf(moved, sizeof moved, "%s.1", log.path);
    assert_true(log_read(&log));
    assert_int_equal(truncate(log.path, 0), 0);
    assert_int_equal(rename(log.path, moved), 0);
    close(open(log.path, O_WRONLY | O_CREAT, 0666));
    log_append(&log, after, strlen(after));
    assert_int_equal(log.feed->next(log.feed, DEALS, &items, &count, &error), SB_SUBJECT);
    if (!strstr(error.text, message))
        fail_msg("%s instead of %s", error.text, message);
    unlink(moved);
    log_close(&log);
}

/* A line that is dropped has no number, and does not change what the next line must be. */
TEST(errors_are_those_without_the_dropped_line)
{
    expect_error("0 1 2\n2 1", "1 1 1\n", "line 2: ");
    expect_error("deck: 0 1 2\ndeck: 2 1", "1 0 2\n", "'deck' comes before the numbers of only some lines");
}
