/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A watch in several runs is the watch in one run: the saved files agree but for the numbers of runs, and the
 * results agree. A window keeps the counts at the moments when its levels started, so they are saved, too.
 * With 9 or more items, a watch also compares decks. It forgets them between runs, so E differs there.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/calls.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A path that no file has. */
static void new_path(char path[32])
{
    strcpy(path, "/tmp/watch-XXXXXX");
    const int file = mkstemp(path);

    assert_true(file >= 0 && close(file) == 0 && unlink(path) == 0);
}

/* Watches `limit` more permutations, with the evidence in this file. */
static struct sb_watch_summary watch_more(const char *scheme, size_t n, bool window, uint64_t limit,
                                          const char *path)
{
    const struct sb_subject subject = { .scheme = scheme, .n = n, .seed = 1 };
    struct sb_request options;
    struct sb_watch_summary summary;
    struct sb_error error = { .status = SB_OK };
    struct sb_watch *watch = NULL;

    sb_request_init(&options, SB_WATCH);
    options.window = window;
    options.limit = limit;
    options.save = path;
    if (sb_watch_new(&subject, &options, &error, &watch))
        fail_msg("%s", error.text);
    sb_watch_summary_get(watch, &summary);
    summary.sentence = NULL;
    sb_watch_free(watch);
    return summary;
}

static json_t *load(const char *path)
{
    json_t *const record = json_load_file(path, 0, NULL);

    assert_non_null(record);
    unlink(path);
    return record;
}

static void expect_same(const char *scheme, size_t n, bool window)
{
    static const char *const fields[] = { "n",       "deal",   "window",    "total", "alarms",
                                          "tallies", "bettor", "catalogue", "starts" };
    char whole[32], parts[32];
    struct sb_watch_summary one, two = { 0 };

    new_path(whole);
    new_path(parts);
    one = watch_more(scheme, n, window, 1500, whole);
    for (uint64_t limit = 100; limit < 900; limit += 400) { /* 100, 500, 900 */
        two = watch_more(scheme, n, window, limit, parts);
        assert_true(two.total < 1500);
    }
    two = watch_more(scheme, n, window, 900, parts);
    assert_int_equal(two.total, one.total);
    assert_int_equal(two.alarms, one.alarms);
    assert_true(n > 8 || two.ln_e == one.ln_e);

    json_t *const first = load(whole), *const second = load(parts);

    for (size_t i = 0; i < sizeof fields / sizeof fields[0] - (n > 8); i++) {
        json_t *const a = json_object_get(first, fields[i]), *const b = json_object_get(second, fields[i]);

        if ((a || b) && !json_equal(a, b))
            fail_msg("%s of %s at n = %zu: %s and %s", fields[i], scheme, n, json_dumps(a, JSON_ENCODE_ANY),
                     json_dumps(b, JSON_ENCODE_ANY));
    }
    json_decref(first);
    json_decref(second);
}

static void a_watch_in_parts_is_the_whole_watch(void **state)
{
    static const size_t sizes[] = { 3, 7, 12 }; /* with the rank; with the bettor from 9 on */

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int window = 0; window < 2; window++) {
            expect_same("fisher-yates", sizes[i], window);
            expect_same("naive", sizes[i], window);
        }
}

/* Level k of a window starts anew every 2^k permutations. The file lists the moments and the levels. */
static void the_levels_of_a_window_are_saved(void **state)
{
    char path[32];
    bool listed[64] = { false };

    new_path(path);
    watch_more("fisher-yates", 4, true, 1000, path);

    json_t *const record = load(path), *const starts = json_object_get(record, "starts");

    assert_true(json_array_size(starts) > 1);
    for (size_t i = 0; i < json_array_size(starts); i++) {
        const json_t *const start = json_array_get(starts, i), *const levels =
                                                                   json_object_get(start, "levels");
        const json_int_t moment = json_integer_value(json_object_get(start, "start"));

        assert_true(moment > 0 && moment <= 1000 && json_array_size(levels) > 0);
        for (size_t k = 0; k < json_array_size(levels); k++) {
            const json_int_t level = json_integer_value(json_array_get(levels, k));

            assert_false(listed[level]);
            listed[level] = true;
            assert_int_equal(moment % (INT64_C(1) << level), 0);
            assert_true(1000 - moment < INT64_C(1) << level << 1);
        }
    }
    json_decref(record);
}

static void append(const char *path, const char *text)
{
    FILE *const file = fopen(path, "a");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Watches `limit` more permutations of a log that is followed. */
static struct sb_watch_summary follow_more(const char *log, uint64_t limit, const char *path)
{
    const struct sb_subject subject = { .file = log, .timeout = 20 };
    struct sb_request options;
    struct sb_watch_summary summary;
    struct sb_error error = { .status = SB_OK };
    struct sb_watch *watch = NULL;

    sb_request_init(&options, SB_WATCH);
    options.follow = true;
    options.limit = limit;
    options.save = path;
    if (sb_watch_new(&subject, &options, &error, &watch))
        fail_msg("%s", error.text);
    sb_watch_summary_get(watch, &summary);
    summary.sentence = NULL;
    sb_watch_free(watch);
    return summary;
}

/* The evidence tells where the reader of a log was: its file, and the byte. A scheme has no such place. */
static void the_place_in_a_log_is_saved(void **state)
{
    char log[32], path[32];
    struct stat about;

    new_path(log);
    new_path(path);
    append(log, "1 2 3\n2 3 1\n3 1 2\n2 1 3\n");
    follow_more(log, 3, path);
    json_t *const followed = load(path), *const place = json_object_get(followed, "bookmark");

    assert_int_equal(stat(log, &about), 0);
    assert_int_equal(strtoull(json_string_value(json_object_get(place, "inode")), NULL, 16), about.st_ino);
    assert_int_equal(json_integer_value(json_object_get(place, "offset")), 3 * strlen("1 2 3\n"));
    json_decref(followed);
    watch_more("naive", 3, false, 10, path);
    json_t *const dealt = load(path);

    assert_true(json_is_null(json_object_get(dealt, "bookmark")));
    json_decref(dealt);
    unlink(log);
}

/* The last line of the file that was moved away lacks its newline, and is a permutation nevertheless. */
static void a_watch_resumes_in_the_file_before(void **state)
{
    char log[32], older[40], path[32];

    new_path(log);
    new_path(path);
    snprintf(older, sizeof older, "%s.1", log);
    append(log, "1 2 3\n2 3 1");
    assert_int_equal(follow_more(log, 1, path).total, 1);
    assert_int_equal(rename(log, older), 0);
    append(log, "3 1 2\n");
    assert_int_equal(follow_more(log, 2, path).total, 3);
    unlink(log);
    unlink(older);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_watch_in_parts_is_the_whole_watch),
        cmocka_unit_test(the_levels_of_a_window_are_saved),
        cmocka_unit_test(the_place_in_a_log_is_saved),
        cmocka_unit_test(a_watch_resumes_in_the_file_before),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
