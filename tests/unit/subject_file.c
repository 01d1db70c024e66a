/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files as subjects: text and binary files are read, and options that do not go together are errors. */
#include "unit/test.h"

#include "core/core.h"
#include "subject/subject.h"

#include <stdio.h>
#include <string.h>
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
                      fields[] = "a;0 1 2;b\na;2 1 0;b\n",
                      json[] = "{\"deck\": [0, 1, 2]}\n{\"deck\": [2, 1, 0]}\n", letters[] = "A B C\nC B A\n";

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
    expect_error((struct sb_subject) { .input = "u16", .n = 3, .json_path = "a" },
                 "`json_path`: is for text");
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
    expect_error((struct sb_subject) { .n = 0 },
                 "a single item: print all items of a permutation in one line");
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
