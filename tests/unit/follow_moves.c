/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a reader makes of a log that is renamed, replaced or opened again, in short stories: a few lines, and what
 * happens while the reader waits for more.
 */
#define _GNU_SOURCE /* what failing_calls.h needs */

#include "unit/test.h"

#include "subject/subject.h"
#include "unit/failing_calls.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ITEMS = 6, LINE = 2 * ITEMS };

static void append(const char *path, const char *text)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);

    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
}

/* Copies what a file has to the end of another file. */
static void copy(const char *from, const char *to)
{
    char bytes[100 * LINE] = "";
    const int in = open(from, O_RDONLY);

    assert_true(read(in, bytes, sizeof bytes - 1) > 0);
    close(in);
    append(to, bytes);
}

/* A log of few lines, and what happens at each step while its reader waits. */
struct story {
    char folder[32], path[64], other[64];
    unsigned step;
    volatile sig_atomic_t stop, reopen;
    void (*tell)(struct story *story);
    struct sb_following following;
    struct sb_feed *feed;
};

static void story_step(void *state)
{
    struct story *const story = state;

    story->tell(story);
    story->step++;
}

/* Opens the reader of the story's log. */
static void story_read(struct story *story)
{
    const struct sb_form form = { .n = ITEMS, .base = 0, .timeout = 60 };
    const struct sb_patience patience = {
        .timeout = 60, .stop = &story->stop, .idle = story_step, .idle_state = story
    };
    struct sb_bytes *bytes;

    assert_int_equal(sb_bytes_open_follow(story->path, &story->following, &patience, NULL, &bytes), SB_OK);
    assert_int_equal(sb_stream_new(bytes, &form, NULL, &story->feed), SB_OK);
}

static void story_open(void (*tell)(struct story *story), const char *text, struct story *story)
{
    *story = (struct story) { .folder = "/tmp/follow-XXXXXX", .tell = tell };
    assert_non_null(mkdtemp(story->folder));
    snprintf(story->path, sizeof story->path, "%s/log", story->folder);
    snprintf(story->other, sizeof story->other, "%s/log.1", story->folder);
    append(story->path, text);
    story->following = (struct sb_following) { .on = true, .lines = true, .reopen = &story->reopen };
    story_read(story);
}

static void story_close(struct story *story)
{
    sb_feed_free(story->feed);
    unlink(story->path);
    unlink(story->other);
    rmdir(story->folder);
}

/* The next deal of the story, in digits. */
static const char *story_deal(struct story *story)
{
    static char digits[ITEMS + 1];
    const sb_item *items;
    size_t count;

    assert_int_equal(story->feed->next(story->feed, 1, &items, &count, NULL), SB_OK);
    assert_int_equal(count, 1);
    for (size_t i = 0; i < ITEMS; i++)
        digits[i] = (char)('0' + items[i]);
    return digits;
}

static void end_without_a_newline(struct story *story)
{
    if (story->step == 0) {
        assert_int_equal(rename(story->path, story->other), 0);
        append(story->path, "5 4 3 2 1 0\n");
    }
}

/* The last line of a file that is moved away may lack its newline. The next file begins another line. */
TEST(a_last_line_may_lack_its_newline)
{
    struct story story;

    story_open(end_without_a_newline, "0 1 2 3 4 5\n1 0 2 3 4 5", &story);
    assert_string_equal(story_deal(&story), "012345");
    assert_string_equal(story_deal(&story), "102345");
    assert_string_equal(story_deal(&story), "543210");
    story_close(&story);
}

/* And once more, after a day without a line. */
static void rotate_twice(struct story *story)
{
    char older[80];

    end_without_a_newline(story);
    if (story->step > 0)
        return;
    snprintf(older, sizeof older, "%s.2", story->path);
    assert_int_equal(rename(story->other, older), 0);
    assert_int_equal(rename(story->path, story->other), 0);
    assert_int_equal(truncate(story->other, 0), 0);
    append(story->path, "5 4 3 2 1 0\n0 0 0 0 0 0\n");
}

/* An error counts lines: one newline is added, and not one for each file. */
TEST(one_newline_is_added)
{
    struct sb_error error = { .status = SB_OK };
    const sb_item *items;
    struct story story;
    char older[80];
    size_t count;

    story_open(rotate_twice, "0 1 2 3 4 5\n1 0 2 3 4 5", &story);
    assert_string_equal(story_deal(&story), "012345");
    assert_string_equal(story_deal(&story), "102345");
    assert_string_equal(story_deal(&story), "543210");
    assert_int_equal(story.feed->next(story.feed, 1, &items, &count, &error), SB_SUBJECT);
    assert_non_null(strstr(error.text, "line 4: "));
    snprintf(older, sizeof older, "%s.2", story.path);
    unlink(older);
    story_close(&story);
}

/* As an editor or rsync does it. */
static void replace_by_a_longer_copy(struct story *story)
{
    if (story->step > 0)
        return;
    assert_int_equal(rename(story->path, story->other), 0);
    copy(story->other, story->path);
    append(story->path, "5 4 3 2 1 0\n");
}

/* A file that begins with all that was read continues it. */
TEST(a_longer_copy_takes_the_place_of_a_log)
{
    char text[30 * LINE + 1] = "";
    struct story story;

    for (size_t i = 0; i < 30; i++)
        strcat(text, "0 1 2 3 4 5\n");
    story_open(replace_by_a_longer_copy, text, &story);
    for (size_t i = 0; i < 30; i++)
        assert_string_equal(story_deal(&story), "012345");
    assert_string_equal(story_deal(&story), "543210");
    story_close(&story);
}

static void rotate_to_a_broken_file(struct story *story)
{
    struct stat about;

    story->stop = story->step == 1;
    if (story->step > 0)
        return;
    end_without_a_newline(story);
    assert_int_equal(stat(story->path, &about), 0);
    faults.broken = about.st_ino;
}

/* Whether a descriptor of this process is open on the story's log. */
static bool is_open(const struct story *story, int descriptor)
{
    struct stat log, about;

    return stat(story->path, &log) == 0 && fstat(descriptor, &about) == 0 && log.st_ino == about.st_ino;
}

/* A reader that is stopped between two files closes both, wherever the second file has failed. */
TEST(both_files_are_closed)
{
    const int old = dup(0), new = dup(0);
    bool both = false;

    assert_true(close(old) == 0 && close(new) == 0);
    for (unsigned calls = 0; calls < 6; calls++) {
        const sb_item *items;
        struct story story;
        size_t count;

        story_open(rotate_to_a_broken_file, "0 1 2 3 4 5\n", &story);
        assert_true(is_open(&story, old));
        assert_string_equal(story_deal(&story), "012345");
        faults.left = calls;
        if (story.feed->next(story.feed, 1, &items, &count, NULL) == SB_STOPPED) {
            faults.broken = 0;
            both = both || (!is_open(&story, old) && is_open(&story, new));
        }
        faults.broken = 0;
        story_close(&story);
        assert_true(dup(0) == old && dup(0) == new);
        assert_true(close(old) == 0 && close(new) == 0);
    }
    assert_true(both);
}

static void append_a_line(struct story *story)
{
    if (story->step == 0)
        append(story->path, "5 4 3 2 1 0\n");
}

/* A recording whose last line lacks its newline has been read to its end, and not to the start of that line. */
TEST(the_place_is_behind_the_last_line)
{
    static const char text[] = "0 1 2 3 4 5\n1 0 2 3 4 5";
    struct sb_log_position position;
    const sb_item *items;
    struct story story;
    size_t count = 1;

    story_open(append_a_line, text, &story);
    sb_feed_free(story.feed);
    story.following.on = false;
    story_read(&story);
    while (count > 0)
        assert_int_equal(story.feed->next(story.feed, 9, &items, &count, NULL), SB_OK);
    story.feed->position(story.feed, &position);
    assert_int_equal(position.offset, strlen(text));
    story_close(&story);
}

/* Runs a reader that does not wait, from where the last one ended. Returns all deals in digits. */
static const char *story_run(struct story *story)
{
    static char deals[20 * (ITEMS + 1)];
    char *at = deals;
    const sb_item *items;
    size_t count;

    story->following.on = false;
    story_read(story);
    do {
        assert_int_equal(story->feed->next(story->feed, 9, &items, &count, NULL), SB_OK);
        for (size_t i = 0; i < count * ITEMS; i++)
            at += snprintf(at, (size_t)(deals + sizeof deals - at), "%u%s", (unsigned)items[i],
                           i % ITEMS + 1 < ITEMS ? "" : " ");
    } while (count > 0);
    *at = '\0';
    story->feed->position(story->feed, &story->following.from);
    sb_feed_free(story->feed);
    story->feed = NULL;
    return deals;
}

static void nothing_happens(struct story *story)
{
}

/* A log that is read by runs that do not wait, and rotated between them: it is renamed, or copied and cut. */
TEST(runs_go_on_in_the_next_file)
{
    for (int renamed = 0; renamed < 2; renamed++) {
        struct story story;

        story_open(nothing_happens, "0 1 2 3 4 5\n1 0 2 3 4 5\n", &story);
        sb_feed_free(story.feed);
        assert_string_equal(story_run(&story), "012345 102345 ");
        append(story.path, "2 0 1 3 4 5\n0 2 1 3 4 5"); /* the last line lacks its newline */
        if (renamed) {
            assert_int_equal(rename(story.path, story.other), 0);
        } else {
            copy(story.path, story.other);
            assert_int_equal(truncate(story.path, 0), 0);
        }
        append(story.path, ""); /* as yet nothing */
        assert_string_equal(story_run(&story), "201345 021345 ");
        append(story.path, "5 4 3 2 1 0\n");
        assert_string_equal(story_run(&story), "543210 ");
        append(story.path, "4 5 3 2 1 0\n");
        assert_string_equal(story_run(&story), "453210 ");
        assert_string_equal(story_run(&story), "");
        story_close(&story);
    }
}

/* All files that came since the last run are read, in the order in which they were written. */
TEST(a_run_reads_all_files_since_the_last)
{
    struct story story;
    char older[80];

    story_open(nothing_happens, "0 1 2 3 4 5\n", &story);
    sb_feed_free(story.feed);
    snprintf(older, sizeof older, "%s.2", story.path);
    assert_string_equal(story_run(&story), "012345 ");
    append(story.path, "1 0 2 3 4 5"); /* the last line lacks its newline */
    assert_int_equal(rename(story.path, older), 0);
    append(story.other, "5 4 3 2 1 0\n");
    append(story.path, "4 5 3 2 1 0\n");
    assert_string_equal(story_run(&story), "102345 543210 453210 ");
    unlink(older);
    story_close(&story);
}

/* A reader that is told to opens the log again, and closes the old descriptor. Descriptor 0 is one like any other. */
TEST(a_log_is_opened_again)
{
    const int input = dup(0), old = dup(0);
    struct story story;

    assert_int_equal(close(old), 0);
    story_open(append_a_line, "0 1 2 3 4 5\n", &story);
    assert_true(is_open(&story, old));
    assert_string_equal(story_deal(&story), "012345");
    assert_int_equal(close(0), 0);
    story.reopen = 1;
    assert_string_equal(story_deal(&story), "543210");
    assert_int_equal(story.reopen, 0);
    assert_true(is_open(&story, 0) && !is_open(&story, old));
    story_close(&story);
    assert_int_equal(dup(input), 0);
    assert_int_equal(close(input), 0);
}
