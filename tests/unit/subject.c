/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files as subjects: text and binary files are read, and options that do not go together are errors. */
#include "study/results.h"
#include "unit/test.h"

#include "core/calls.h"
#include "core/core.h"
#include "store/store.h"
#include "subject/subject.h"
#include "unit/ledger_house.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[32];

static void write_file(const char *bytes, size_t length)
{
    strcpy(path, "/tmp/subject-XXXXXX");
    FILE *const file = fdopen(mkstemp(path), "w");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* Expects the decks 0 1 2 and 2 1 0 of this file. */
static void expect_decks(const struct sb_subject *form, const char *bytes, size_t length)
{
    static const sb_item expected[] = { 0, 1, 2, 2, 1, 0 };
    struct sb_subject subject = *form;
    struct sb_error error = { .status = SB_OK };
    struct sb_feed *feed;
    size_t done = 0;

    write_file(bytes, length);
    subject.file = path;
    if (sb_feed_open(&subject, NULL, 100, &error, &feed))
        fail_msg("%s", error.text);
    assert_int_equal(feed->n, 3);
    assert_string_equal(feed->kind, "file");
    while (feed->count > 0) {
        assert_true(done + feed->count <= 2);
        assert_memory_equal(feed->items, expected + 3 * done, 3 * feed->count * sizeof expected[0]);
        done += feed->count;
        assert_int_equal(sb_feed_next(feed, 100, NULL), SB_OK);
    }
    assert_int_equal(done, 2);
    sb_feed_free(feed);
    unlink(path);
}

TEST(files_are_read)
{
    static const char text[] = "0 1 2\n2 1 0\n", ones[] = "1 2 3\n3 2 1\n", bytes[] = { 0, 1, 2, 2, 1, 0 },
                      log[] = "deck=0,1,2 ok\nno deck\ndeck=2,1,0 ok\n", free_text[] = "0 1\n2 2 1\n0\n",
                      fields[] = "a;0 1 2;b\na;2 1 0;b\n", json[] = "{\"deck\": [0, 1, 2]}\n{\"deck\": [2, 1, 0]}\n",
                      letters[] = "A B C\nC B A\n";

    expect_decks(&(struct sb_subject) { .n = 0 }, text, sizeof text - 1);
    expect_decks(&(struct sb_subject) { .base = "1" }, ones, sizeof ones - 1);
    expect_decks(&(struct sb_subject) { .input = "u8", .n = 3 }, bytes, sizeof bytes);
    expect_decks(&(struct sb_subject) { .match = "deck=([0-9,]*)" }, log, sizeof log - 1);
    expect_decks(&(struct sb_subject) { .free = true, .n = 3 }, free_text, sizeof free_text - 1);
    expect_decks(&(struct sb_subject) { .field = "2", .separator = ";" }, fields, sizeof fields - 1);
    expect_decks(&(struct sb_subject) { .json_path = ".deck" }, json, sizeof json - 1);
    expect_decks(&(struct sb_subject) { .cards = "A B C" }, letters, sizeof letters - 1);
}

/* A byte has room for 256 items. */
TEST(a_byte_is_one_of_256_items)
{
    struct sb_subject subject = { .input = "u8", .n = 256 };
    struct sb_error error = { .status = SB_OK };
    struct sb_feed *feed;
    char bytes[257];

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(255 - i);
    write_file(bytes, 256);
    subject.file = path;
    assert_int_equal(sb_feed_open(&subject, NULL, 100, &error, &feed), SB_OK);
    for (size_t i = 0; i < 256; i++)
        assert_int_equal(feed->items[i], 255 - i);
    sb_feed_free(feed);
    subject.n = 257;
    assert_int_equal(sb_feed_open(&subject, NULL, 100, &error, &feed), SB_INVALID);
    unlink(path);
}

static void expect_error(struct sb_subject subject, const char *words)
{
    struct sb_error error = { .status = SB_OK };
    struct sb_feed *feed = NULL;
    subject.file = subject.file ? subject.file : path;
    assert_int_not_equal(sb_feed_open(&subject, NULL, 100, &error, &feed), SB_OK);
    assert_null(feed);
    if (!strstr(error.text, words))
        fail_msg("'%s' lacks '%s'", error.text, words);
}

TEST(options_that_do_not_go_together_are_errors)
{
    write_file("0 1 2\n", 6);
    expect_error((struct sb_subject) { .input = "u8", .n = 3, .field = "1" },
                 "`field`: is for text: leave it or `input=u8` out");
    expect_error((struct sb_subject) { .input = "u8", .n = 3, .match = "(.*)" }, "`match`: is for text");
    expect_error((struct sb_subject) { .input = "u16", .n = 3, .json_path = "a" }, "`json_path`: is for text");
    expect_error((struct sb_subject) { .input = "u8", .n = 3, .separator = ";" }, "`separator`: is for text");
    expect_error((struct sb_subject) { .free = true, .n = 3, .field = "1" },
                 "`field`: reads lines, which `free` ignores");
    expect_error((struct sb_subject) { .separator = ";" }, "`separator`");
    expect_error((struct sb_subject) { .base = "2" }, "unknown base '2'");
    expect_error((struct sb_subject) { .input = "u9" }, "u9");
    expect_error((struct sb_subject) { .input = "u8" }, "");
    unlink(path);
    expect_error((struct sb_subject) { .n = 3 }, path);
    write_file("0\n0\n", 4);
    expect_error((struct sb_subject) { .n = 0 }, "a single item: print all items of a permutation in one line");
    unlink(path);
}

/* Compressed data is read, but not followed. */
TEST(a_compressed_log_does_not_grow)
{
    struct sb_subject subject = { .file = path, .n = 3 };
    const struct sb_waiting waiting = { .positions = true, .following = { .on = true } };
    struct sb_error error = { .status = SB_OK };
    struct sb_feed *feed = NULL;

    write_file("\x1f\x8b\x08", 3);
    assert_int_equal(sb_feed_start(&subject, &waiting, &error, &feed), SB_INVALID);
    assert_non_null(strstr(error.text, " is gzip data, which does not grow: follow the log"));
    unlink(path);
}

/* Bytes that look like compressed data are items, where items are bytes. */
TEST(a_binary_log_may_look_compressed)
{
    struct sb_subject subject = { .file = path, .input = "u8", .n = 256, .deal = 3 };
    const struct sb_waiting waiting = { .positions = true, .following = { .on = true } };
    struct sb_error error = { .status = SB_OK };
    struct sb_feed *feed = NULL;

    write_file("\x1f\x8b\x08", 3);
    assert_int_equal(sb_feed_start(&subject, &waiting, &error, &feed), SB_OK);
    assert_int_equal(sb_feed_next(feed, 1, &error), SB_OK);
    assert_true(feed->count == 1 && feed->items[0] == 0x1f && feed->items[1] == 0x8b && feed->items[2] == 8);
    sb_feed_free(feed);
    unlink(path);
}

/* ---- subject saved ---- */

/* A saved subject fills in what the caller leaves out about the stream, and nothing else. */

/* A subject in which each of these fields has this text. */
static struct sb_subject with_texts(const char *text)
{
    return (struct sb_subject) {
        .input = text,
        .base = text,
        .cards = text,
        .match = text,
        .json_path = text,
        .field = text,
        .separator = text,
    };
}

static void expect_texts(const struct sb_subject *subject, const char *text)
{
    assert_ptr_equal(subject->input, text);
    assert_ptr_equal(subject->base, text);
    assert_ptr_equal(subject->cards, text);
    assert_ptr_equal(subject->match, text);
    assert_ptr_equal(subject->json_path, text);
    assert_ptr_equal(subject->field, text);
    assert_ptr_equal(subject->separator, text);
}

TEST(the_stream_is_filled_in)
{
    static const char was[] = "was", is[] = "is";
    struct sb_subject subject = with_texts(was), other = with_texts(is), empty = with_texts(NULL);

    subject.chained = subject.free = true;
    const struct sb_subject_saved saved = sb_subject_saved_of("file", "decks", &subject);

    sb_subject_saved_fill(&saved, &empty);
    expect_texts(&empty, was);
    assert_true(empty.chained && empty.free);
    sb_subject_saved_fill(&saved, &other);
    expect_texts(&other, is);
    assert_true(other.chained && other.free);
}

TEST(nothing_saved_fills_in_nothing)
{
    struct sb_subject empty = with_texts(NULL), other = with_texts("is");
    const struct sb_subject_saved saved = sb_subject_saved_of("file", "decks", &empty);

    sb_subject_saved_fill(&saved, &empty);
    expect_texts(&empty, NULL);
    assert_false(empty.chained || empty.free);
    other.chained = other.free = true;
    sb_subject_saved_fill(&saved, &other);
    assert_true(other.chained && other.free);
}

/* Only schemes have seeds. */
TEST(a_seed_belongs_to_a_scheme)
{
    struct sb_subject subject = with_texts(NULL);

    subject.seed = 7;
    assert_int_equal(sb_subject_saved_of("file", "decks", &subject).of.seed, 0);
    subject.scheme = "naive";
    assert_int_equal(sb_subject_saved_of("scheme", "naive", &subject).of.seed, 7);
}

/* A command that starts in another folder may be another program. Only commands have folders. */
TEST(a_folder_belongs_to_a_command)
{
    static const char *const command[] = { "./deal", NULL };
    struct sb_subject subject = with_texts(NULL);

    assert_int_equal(sb_subject_saved_of("file", "decks", &subject).words, 0);
    subject.command = command;
    const uint64_t here = sb_subject_saved_of("command", "./deal", &subject).words;

    subject.cwd = "one";
    const uint64_t one = sb_subject_saved_of("command", "./deal", &subject).words;

    subject.cwd = "other";
    const uint64_t other = sb_subject_saved_of("command", "./deal", &subject).words;

    assert_true(here != one && here != other && one != other);
}

/* ---- subject errors ---- */

/* Subjects that the library refuses, and subjects that fail in rare ways: each error says what to do. */

static const char *const no_command[] = { NULL };
static const char *const prints_gzip[] = { "printf", "\\037\\213\\010", NULL };
static const char *const says_nothing[] = { "sleep", "9", NULL };
static const char *const deals[] = { "echo", "1 2 3", NULL };

static const struct refused {
    struct sb_subject subject;
    const char *line; /* part of the error's line */
} refused[] = {
    { { .file = "decks", .cwd = "/" }, "`cwd`: only goes with a command" },
    { { .file = "decks", .once = true }, "`once`: only goes with a command" },
    { { .scheme = "naive", .chained = true }, "a scheme shuffles a new deck each time" },
    { { .scheme = "naive", .input = "u8" }, "a scheme" },
    { { .scheme = "naive", .n = 1 }, "there is only one order, and nothing to test" },
    { { .scheme = "a-name-that-is-longer-than-the-longest-name-of-a-shuffle-a-draw-or-a-generator" },
      "unknown name 'a-name-that-is-longer-than-the" },
    { { .shuffle = ledger_house_fair, .match = "x" }, "a function" },
    { { .shuffle = ledger_house_fair, .json_path = ".deck" }, "a function" },
    { { .shuffle = ledger_house_fair, .separator = ";" }, "a function" },
    { { .shuffle = ledger_house_fair, .base = "0" }, "a function" },
    { { .shuffle = ledger_house_fair, .free = true }, "a function" },
    { { .command = no_command }, "the command is empty" },
    { { .command = prints_gzip, .once = true }, "gzip data" }, /* a build without zlib has another remedy */
    { { .command = says_nothing, .once = true, .timeout = 0.1 }, "from 'sleep 9' within 0.1 s" },
};

static enum sb_status gate(const struct sb_subject *subject, struct sb_error *error)
{
    struct sb_subject own = *subject;
    struct sb_request options;
    struct sb_gate *made = NULL;
    uint64_t word[2] = { 1 };
    own.state = own.shuffle ? word : NULL;
    sb_request_init(&options, SB_GATE);
    options.limit = 10;
    const enum sb_status status = sb_gate_new(&own, &options, error, &made);

    sb_gate_free(made);
    return status;
}

TEST(each_error_says_why)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct sb_error error = { .text = "" };
        const enum sb_status status = gate(&refused[i].subject, &error);

        if ((status != SB_INVALID && status != SB_SUBJECT) || !strstr(error.text, refused[i].line))
            fail_msg("%s: status %d, %s", refused[i].line, (int)status, error.text);
    }
}

static void errors_write_file(const char *name, const char *text)
{
    FILE *const file = fopen(name, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* A program of text that does not say what runs it. */
TEST_WITH(a_program_without_its_interpreter, ledger_house_open, ledger_house_close)
{
    const struct ledger_house *const house = *state;
    const char *const command[] = { house->path, NULL };
    struct sb_error error;

    errors_write_file(house->path, "\001 1 2 3\n");
    assert_int_equal(chmod(house->path, 0700), 0);
    assert_int_equal(gate(&(struct sb_subject) { .command = command }, &error), SB_SUBJECT);
    assert_non_null(strstr(error.text, "let it begin with #! and what runs it"));
}

/* A program that ignores SIGCHLD never learns how its children have exited. */
TEST(nobody_waits_for_children)
{
    struct sb_error error, asked;
    struct sb_request options;
    struct sb_zoo *zoo = NULL;

    sb_request_init(&options, SB_ZOO);
    options.n = 3;
    options.test = "true";
    signal(SIGCHLD, SIG_IGN);
    assert_int_equal(gate(&(struct sb_subject) { .command = deals }, &error), SB_SUBJECT);
    assert_int_equal(sb_zoo_new(&options, &asked, &zoo), SB_SUBJECT);
    signal(SIGCHLD, SIG_DFL);
    assert_non_null(strstr(error.text, "do not ignore SIGCHLD"));
    assert_string_equal(asked.text,
                        "cannot tell how 'true' exited: do not ignore SIGCHLD in the program that starts it");
    assert_int_equal(gate(&(struct sb_subject) { .command = deals }, &error), SB_OK);
}

static enum sb_status follow(const char *file, const char *cards, bool free, const char *save, struct sb_error *error)
{
    const struct sb_subject subject = { .file = file, .cards = cards, .free = free, .timeout = 0.1 };
    struct sb_request options;
    struct sb_watch *watch = NULL;

    sb_request_init(&options, SB_WATCH);
    options.follow = file;
    options.limit = 3;
    options.save = save;
    const enum sb_status status = sb_watch_new(&subject, &options, error, &watch);

    sb_watch_free(watch);
    return status;
}

TEST_WITH(logs_that_cannot_be_followed, ledger_house_open, ledger_house_close)
{
    const struct ledger_house *const house = *state;
    struct sb_error error;

    assert_int_equal(follow("/", NULL, false, NULL, &error), SB_INVALID);
    assert_non_null(strstr(error.text, "is no file that could be followed"));
    errors_write_file(house->path, "1 2 3\n");
    assert_int_equal(follow(house->path, NULL, true, house->folder, &error), SB_INVALID);
    assert_int_equal(follow(house->path, NULL, false, NULL, &error), SB_SUBJECT); /* two of three decks never come */
    assert_non_null(strstr(error.text, "no permutation for 0.1 s: raise `timeout`"));
}

/* Six decks with equal cards, three in each run: the second run continues after the third deck. */
TEST_WITH(equal_cards_in_a_log, ledger_house_open, ledger_house_close)
{
    const struct ledger_house *const house = *state;
    char save[96];
    struct sb_error error;

    snprintf(save, sizeof save, "%s/save", house->folder);
    errors_write_file(house->path, "K K Q Q\nK Q K Q\nQ K K Q\nQ Q K K\nK Q Q K\nQ K Q K\n");
    assert_int_equal(follow(house->path, "K K Q Q", false, save, &error), SB_OK);
    assert_int_equal(follow(house->path, "K K Q Q", false, save, &error), SB_OK);
    assert_int_equal(follow(house->path, "K K Q Q", false, save, &error), SB_SUBJECT); /* no deck is left */
    unlink(save);
}

/* A matrix of 200 items whose text is longer than a first block: item i was 150 times at each position. */
TEST_WITH(a_long_matrix, ledger_house_open, ledger_house_close)
{
    enum { N = 200 };
    const struct ledger_house *const house = *state;
    struct sb_request options;
    struct sb_reports *reports = NULL;
    struct sb_summary summary;
    struct sb_error error;
    FILE *const file = fopen(house->path, "w");

    assert_non_null(file);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            fprintf(file, "150%s", j + 1 < N ? "," : "\n");
    assert_int_equal(fclose(file), 0);
    sb_request_init(&options, SB_REPORT);
    assert_int_equal(sb_reports_recorded(house->path, &options, &error, &reports), SB_OK);
    assert_true(sb_reports_summary(reports, 0, &summary));
    assert_string_equal(summary.verdict, "no bias seen");
    sb_reports_free(reports);
}

TEST(options_out_of_range)
{
    static const char *const naive[] = { "naive" };
    struct sb_request options;
    struct sb_reports *reports;
    struct sb_error error;

    sb_request_init(&options, SB_REPORT);
    options.seed_range.first = INT64_MAX;
    options.seed_range.count = 2;
    assert_int_equal(sb_reports_new(naive, 1, &options, &error, &reports), SB_INVALID);
    assert_non_null(strstr(error.text, "the last seed must be below 2^63"));
    sb_dealer_free(NULL);
}
