/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact laws and what leads to them, without each of their allocations: SB_NO_MEMORY, a line, and nothing left behind. */
#include "unit/test.h"

#include "unit/failing_memory.h"

#include "exact/engine.h"
#include "exact/engines.h"
#include "subject/parts.h"
#include "subject/subject.h"
#include "unit/ready_scheme.h"

#include <string.h>

extern const struct sb_engine_type sb_engine_convolve;

extern const struct sb_engine_type sb_engine_deals;

static enum sb_status told(enum sb_status status, const struct sb_error *error)
{
    assert_true(status == SB_OK || strstr(error->text, "memory"));
    return status;
}

/* Whether this shuffle can end. */
static enum sb_status check(const void *scheme)
{
    struct sb_error error = { .text = "" };
    struct sb_scheme parsed;
    const enum sb_status status = sb_scheme_parse(scheme, NULL, NULL, &error, &parsed);

    return status ? status : told(sb_scheme_check(&parsed, 4, 4, &error), &error);
}

static enum sb_status reseeded(const void *scheme)
{
    struct sb_error error = { .text = "" };
    struct sb_feed *feed = NULL;
    struct sb_scheme parsed;

    assert_int_equal(sb_scheme_parse(scheme, NULL, NULL, NULL, &parsed), SB_OK);
    const struct sb_dealt dealt = { .scheme = &parsed, .n = 5, .deal = 5, .seed = 1, .bits = 32 };
    const enum sb_status status = sb_dealt_new(&dealt, &error, &feed);

    sb_feed_free(feed);
    return told(status, &error);
}

/* A scheme of five or eight items that is ready, whose own allocations do not fail. */
static struct ready_scheme ready;

static enum sb_status draws(const void *unused)
{
    bool has = false;

    const enum sb_status status = sb_draws_has(&ready.law, &has);

    assert_true(has || status);
    return status;
}

static enum sb_status single(const void *items)
{
    struct sb_error error = { .text = "" };
    mpz_t count, denominator;

    mpz_inits(count, denominator, NULL);
    const enum sb_status status = sb_single_count(&ready.law, items, &error, count, denominator);

    mpz_clears(count, denominator, NULL);
    return status;
}

static enum sb_status walk(const void *unused)
{
    struct sb_error error = { .text = "" };
    struct sb_evidence evidence = { 0 };

    const enum sb_status status = sb_engine_convolve.law(&ready.law, &error, &evidence);

    if (status == SB_OK)
        sb_evidence_close(&evidence);
    assert_true(status == SB_OK || strstr(error.text, "out of memory") == NULL ||
                strstr(error.text, "use n <= 7"));
    return told(status, &error);
}

static enum sb_status deals(const void *unused)
{
    struct sb_error error = { .text = "" };
    struct sb_evidence evidence = { 0 };

    const enum sb_status status = sb_engine_deals.law(&ready.law, &error, &evidence);

    if (status == SB_OK)
        sb_evidence_close(&evidence);
    return told(status, &error);
}

static enum sb_status callback(const void *n)
{
    const struct sb_callback callback = { .name = "items", .n = *(const size_t *)n, .deal = 1, .size = 8 };
    struct sb_error error = { .text = "" };
    struct sb_feed *made = NULL;
    const enum sb_status status = sb_callback_new(&callback, &error, &made);

    if (status == SB_OK)
        sb_feed_free(made);
    return told(status, &error);
}

TEST(schemes)
{
    const size_t n = 3;

    assert_int_equal(failing_memory_each(callback, &n), 7);
    assert_int_equal(failing_memory_each(check, "redraw/modulo:4"), 1);
    assert_true(failing_memory_each(reseeded, "naive") > 2);
}

TEST(laws)
{
    static const sb_item items[] = { 1, 0, 2, 4, 3 };

    ready_open("fisher-yates", 5, 5, &ready);
    assert_true(failing_memory_each(draws, NULL) > 1);
    sb_shuffler_close(&ready.shuffler);
    ready_open("naive", 5, 5, &ready);
    assert_true(failing_memory_each_or_right(single, items) > 3);
    sb_shuffler_close(&ready.shuffler);
    ready_open("naive/modulo:53", 6, 3, &ready);
    assert_true(failing_memory_each_or_right(deals, NULL) > 3);
    sb_shuffler_close(&ready.shuffler);
}

TEST(laws_by_walks)
{
    ready_open("naive", 8, 8, &ready);
    ready.law.threads = 1; /* the failures count allocations of one thread */
    assert_true(failing_memory_each_or_right(walk, NULL) > 3);
    sb_shuffler_close(&ready.shuffler);
}
