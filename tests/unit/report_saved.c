/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A saved sample knows the run that recorded it: its options come back, and each difference has its name. */
#include "store/store.h"
#include "study/results.h"
#include "unit/test.h"

#include "core/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Computes and saves a sample, and reads it. The caller frees it. */
static struct sb_saved *save(const char *scheme, const struct sb_request *asked)
{
    char path[] = "/tmp/report-XXXXXX";
    const int file = mkstemp(path);
    struct sb_request options = *asked;
    struct sb_reports *reports = NULL;
    struct sb_saved *saved = NULL;
    struct sb_error error = { .status = SB_OK };

    assert_true(file >= 0 && close(file) == 0 && unlink(path) == 0);
    options.save = path;
    if (sb_reports_new(&scheme, 1, &options, &error, &reports) || sb_saved_new(path, &error, &saved))
        fail_msg("%s", error.text);
    sb_reports_free(reports);
    unlink(path);
    return saved;
}

static struct sb_request small_options(void)
{
    struct sb_request options;

    sb_request_init(&options, SB_REPORT);
    options.n = 6;
    options.deal = 6;
    options.samples = 2000;
    options.seed = 7;
    options.by = SB_BY_SAMPLE;
    options.statistics = "rank";
    options.increments = true;
    return options;
}

TEST(the_options_come_back)
{
    const struct sb_request asked = small_options();
    struct sb_saved *saved = save("naive", &asked);
    struct sb_request found;

    sb_request_init(&found, SB_REPORT);
    found.draw = "lemire:32";
    found.rng = "mt19937";
    found.alpha = 0.25;
    sb_saved_options(saved, &found);
    assert_int_equal(found.n, 6);
    assert_int_equal(found.deal, 6);
    assert_int_equal(found.samples, 2000);
    assert_int_equal(found.seed, 7);
    assert_int_equal(found.by, SB_BY_SAMPLE);
    assert_string_equal(found.statistics, "rank");
    assert_null(found.profile);
    assert_true(found.increments);
    assert_null(found.cards);
    assert_null(found.draw);
    assert_null(found.rng);
    assert_int_equal(found.shard.number, 0);
    assert_int_equal(found.shard.of, 0);
    assert_true(found.alpha == 0.25); /* which does not belong to the sample */
    sb_saved_free(saved);
}

TEST(a_shard_comes_back)
{
    struct sb_request asked = small_options(), found;

    asked.shard.number = 2;
    asked.shard.of = 3;
    asked.n = 5;
    asked.deal = 5;
    asked.cards = "A B C D E";
    struct sb_saved *const saved = save("naive", &asked);

    sb_request_init(&found, SB_REPORT);
    sb_saved_options(saved, &found);
    assert_int_equal(found.shard.number, 2);
    assert_int_equal(found.shard.of, 3);
    assert_string_equal(found.cards, "A B C D E");
    assert_int_equal(sb_saved_agrees(saved, "naive", &found, NULL), SB_OK);
    sb_saved_free(saved);
}

static void count_progress(void *state, const char *subject, uint64_t done, uint64_t total)
{
    ++*(unsigned *)state;
}

/* A place that cannot be written is known before a shuffle is dealt. */
TEST(the_place_of_a_file_is_tried_first)
{
    const char *const scheme = "naive";
    struct sb_request options = small_options();
    struct sb_reports *reports = NULL;
    struct sb_error error = { .status = SB_OK };
    unsigned calls = 0;

    options.progress = count_progress;
    options.progress_state = &calls;
    options.save = "/tmp/no such folder/report";
    assert_int_equal(sb_reports_new(&scheme, 1, &options, &error, &reports), SB_IO);
    assert_int_equal(calls, 0);
    options.save = NULL;
    assert_int_equal(sb_reports_new(&scheme, 1, &options, &error, &reports), SB_OK);
    assert_true(calls > 0);
    sb_reports_free(reports);
}

/* Expects that `options` differ from the saved run in this field. */
static void expect_difference(const struct sb_saved *saved, const char *scheme, const struct sb_request *options,
                              const char *field, const char *value)
{
    struct sb_error error = { .status = SB_OK };

    assert_int_equal(sb_saved_agrees(saved, scheme, options, &error), SB_INVALID);
    assert_string_equal(error.field, field);
    assert_string_equal(error.value, value);
}

TEST(each_difference_has_a_name)
{
    const struct sb_request asked = small_options();
    struct sb_saved *const saved = save("naive", &asked);
    struct sb_request other = asked;

    assert_int_equal(sb_saved_agrees(saved, "naive", &asked, NULL), SB_OK);
    assert_int_equal(sb_saved_agrees(saved, NULL, &asked, NULL), SB_OK);
    assert_int_equal(sb_saved_agrees(saved, "naive/ideal/philox", &asked, NULL), SB_OK);
    expect_difference(saved, "fisher-yates", &asked, "scheme", "fisher-yates");
    expect_difference(saved, "naive/modulo:15", &asked, "scheme", "naive/modulo:15");
    other.draw = "modulo:15";
    expect_difference(saved, "naive", &other, "draw", "modulo:15");
    other = asked;
    other.rng = "mt19937";
    expect_difference(saved, NULL, &other, "rng", "mt19937");
    other = asked;
    other.n = 7;
    expect_difference(saved, "naive", &other, "n", "7");
    other = asked;
    other.deal = 5;
    expect_difference(saved, "naive", &other, "deal", "5");
    other.deal = 0; /* says nothing about the deal */
    assert_int_equal(sb_saved_agrees(saved, "naive", &other, NULL), SB_OK);
    other = asked;
    other.samples = 2001;
    expect_difference(saved, "naive", &other, "samples", "2001");
    other.samples = 0;
    assert_int_equal(sb_saved_agrees(saved, "naive", &other, NULL), SB_OK);
    other = asked;
    other.seed = 8;
    expect_difference(saved, "naive", &other, "seed", "8");
    other = asked;
    other.by = 0;
    assert_int_equal(sb_saved_agrees(saved, "naive", &other, NULL), SB_OK);
    other.by = SB_BY_EXACT;
    expect_difference(saved, "naive", &other, "by", "exact");
    other.by = SB_BY_SEEDS;
    expect_difference(saved, "naive", &other, "by", "seeds");
    other.by = SB_BY_EXACT | SB_BY_SAMPLE;
    expect_difference(saved, "naive", &other, "by", "both");
    other = asked;
    other.statistics = "position";
    expect_difference(saved, "naive", &other, "statistics", "position");
    other = asked;
    other.profile = "cards";
    expect_difference(saved, "naive", &other, "profile", "cards");
    other = asked;
    other.increments = false;
    expect_difference(saved, "naive", &other, "increments", "not given");
    other = asked;
    other.shard.of = 4;
    other.shard.number = 1;
    expect_difference(saved, "naive", &other, "shard", "1/4");
    sb_saved_free(saved);
}
