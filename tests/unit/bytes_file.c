/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files and pipes: what is read, how long the reader waits, and the errors for files that cannot be read. */
#include "unit/test.h"

#include "core/system.h"
#include "unit/stream_script.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct sb_form text_form = { .base = -1, .timeout = 60 };
static const struct sb_patience patient = { .timeout = 60 };

/* A folder of its own, and a name in it. */
struct place {
    char folder[32], path[64];
};

static struct place place_open(void)
{
    struct place place = { .folder = "/tmp/stream-XXXXXX" };

    assert_non_null(mkdtemp(place.folder));
    snprintf(place.path, sizeof place.path, "%s/decks", place.folder);
    return place;
}

static void place_close(const struct place *place)
{
    unlink(place->path);
    rmdir(place->folder);
}

static void place_write(const struct place *place, const char *text)
{
    FILE *const file = fopen(place->path, "w");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static struct sb_bytes *open_or_fail(const char *path, const struct sb_patience *patience)
{
    struct sb_bytes *bytes = NULL;
    struct sb_error error = { 0 };

    if (sb_bytes_open_file(path, patience, &error, &bytes))
        fail_msg("%s", error.text);
    return bytes;
}

TEST(a_recording_is_read)
{
    const struct place place = place_open();
    struct sb_feed *feed;

    place_write(&place, "0 1 2\n2 1 0\n");
    assert_int_equal(sb_stream_new(open_or_fail(place.path, &patient), &text_form, NULL, &feed), SB_OK);
    struct outcome outcome = outcome_of(feed, 100);
    assert_int_equal(outcome.error.status, SB_OK);
    assert_int_equal(outcome.count, 2);
    outcome_close(&outcome);
    place_write(&place, "0 1 2\n2 1\n");
    assert_int_equal(sb_stream_new(open_or_fail(place.path, &patient), &text_form, NULL, &feed), SB_OK);
    outcome = outcome_of(feed, 100);
    assert_int_equal(outcome.error.status, SB_SUBJECT);
    assert_ptr_equal(strstr(outcome.error.text, place.path), outcome.error.text);
    assert_non_null(strstr(outcome.error.text, "/decks, line 2: 2 integers instead of 3"));
    outcome_close(&outcome);
    place_close(&place);
}

TEST(what_cannot_be_read_is_named)
{
    const struct place place = place_open();
    struct sb_error error = { 0 };
    struct sb_bytes *bytes;

    assert_int_equal(sb_bytes_open_file(place.path, &patient, &error, &bytes), SB_INVALID);
    assert_non_null(strstr(error.text, "/decks: No such file or directory"));
    assert_int_equal(sb_bytes_open_file(place.folder, &patient, &error, &bytes), SB_INVALID);
    assert_non_null(strstr(error.text, " is a directory: name a file"));
    assert_int_equal(sb_bytes_open_file("a\nb\x1b[31m", &patient, &error, &bytes), SB_INVALID);
    assert_string_equal(error.text, "cannot read a b\xef\xbf\xbd[31m: No such file or directory");
    place_close(&place);
}

/* Puts the reading end of a pipe in place of standard input; `*kept` is what was there. */
static int pipe_to_standard_input(int *kept)
{
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    *kept = dup(STDIN_FILENO);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    return ends[1];
}

static void standard_input_back(int kept)
{
    if (kept >= 0) {
        dup2(kept, STDIN_FILENO);
        close(kept);
    } else {
        close(STDIN_FILENO);
    }
}

TEST(a_deal_is_given_as_soon_as_it_is_there)
{
    const char *const text = "[1, 2, 3]\n\n[3, 1, 2] # done\n";
    const sb_item expected[] = { 0, 1, 2, 2, 0, 1 };
    int kept;
    const int in = pipe_to_standard_input(&kept);
    const struct sb_patience short_patience = { .timeout = 1e-4 };
    const struct sb_form form = { .base = -1, .timeout = 1e-4 };
    size_t written = 0;

    for (size_t deal = 0; deal < 2; deal++) {
        struct sb_bytes *const bytes = open_or_fail("-", &patient);
        struct sb_feed *feed;
        const sb_item *items;
        size_t count = 0;

        assert_string_equal(bytes->name, "standard input");
        assert_int_equal(sb_stream_new(bytes, &text_form, NULL, &feed), SB_OK);
        do
            assert_int_equal(write(in, text + written, 1), 1);
        while (text[written++] != '\n' || written == 11);
        assert_int_equal(feed->next(feed, 10, &items, &count, NULL), SB_OK);
        assert_int_equal(count, 1);
        assert_memory_equal(items, expected + 3 * deal, 3 * sizeof items[0]);
        sb_feed_free(feed);
    }
    struct sb_feed *feed;
    struct sb_error error;
    const sb_item *items;
    size_t count;

    assert_int_equal(sb_stream_new(open_or_fail("-", &short_patience), &form, NULL, &feed), SB_OK);
    assert_int_equal(feed->next(feed, 10, &items, &count, &error), SB_SUBJECT);
    assert_string_equal(error.text, "standard input: no permutation for 0.0001 s: raise `timeout`");
    sb_feed_free(feed);
    close(in);
    standard_input_back(kept);
}

/* A named pipe that nobody writes to; and a file, when there is no time left: blank lines could go on for
 * ever. */
TEST(patience_ends)
{
    const struct place place = place_open();
    const struct sb_patience patience = { .timeout = 0.05 };
    const double began = sb_clock_now();
    struct sb_error error = { 0 };
    struct sb_bytes *bytes;
    char buffer[8];
    size_t got;

    assert_int_equal(mkfifo(place.path, 0600), 0);
    bytes = open_or_fail(place.path, &patience);
    assert_int_equal(bytes->read(bytes, buffer, 3, began + 0.05, &got, &error), SB_SUBJECT);
    assert_non_null(strstr(error.text, "/decks: no permutation for 0.05 s: raise `timeout`"));
    assert_true(sb_clock_now() - began >= 0.05 && sb_clock_now() - began < 20);
    bytes->free(bytes);
    unlink(place.path);
    place_write(&place, "\n\n\n");
    bytes = open_or_fail(place.path, &patience);
    assert_int_equal(bytes->read(bytes, buffer, 3, sb_clock_now() - 0.001, &got, &error), SB_SUBJECT);
    bytes->free(bytes);
    place_close(&place);
}

TEST(the_stop_flag_ends_the_waiting)
{
    const struct place place = place_open();
    volatile sig_atomic_t stop = 0;
    const struct sb_patience patience = { .timeout = 60, .stop = &stop };
    struct sb_bytes *bytes;
    struct sb_error error = { 0 };
    char buffer[8];
    size_t got;

    place_write(&place, "0 1 2\n");
    bytes = open_or_fail(place.path, &patience);
    assert_int_equal(bytes->read(bytes, buffer, 3, sb_clock_now() + 60, &got, &error), SB_OK);
    assert_int_equal(got, 3);
    stop = 1;
    assert_int_equal(bytes->read(bytes, buffer, 3, sb_clock_now() + 60, &got, &error), SB_STOPPED);
    bytes->free(bytes);
    place_close(&place);
}
