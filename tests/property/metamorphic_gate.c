/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a gate finds depends on the counts alone: not on the batches in which decks arrive, not on the number
 * of looks, and not on whether the decks were counted one by one or by rank. */
#include "unit/test.h"

#include "gate/gate.h"
#include "property/random_decks.h"
#include "shuffle/shuffle.h"
#include "statistic/statistic.h"
#include "subject/subject.h"
#include "tally/tally.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DECKS = 600, ITEMS = 12, STATISTICS = 64, RANKS = 720 };

static const struct sb_gate_terms terms = { .alpha = 1e-9, .delta = 1e-6, .exclude = 0.1, .limit = 1000000 };

/* The statistics of deals of k out of n. As in a gate, the rank is left out if it has many cells. */
static size_t choose(size_t n, size_t k, const struct sb_statistic_type *type[STATISTICS])
{
    size_t count = 0;

    for (size_t s = 0; s < sb_statistic_types_count; s++)
        if (sb_statistic_joins(sb_statistic_types[s], n, k) &&
            (sb_statistic_types[s] != &sb_statistic_rank || sb_cells(n, k) <= RANKS))
            type[count++] = sb_statistic_types[s];
    return count;
}

/* Takes decks of a shuffle into a[DECKS * k]. */
static void take(const char *name, size_t n, size_t k, uint64_t seed, sb_item a[])
{
    struct sb_request options;
    struct sb_feed *feed;

    sb_request_init(&options, SB_REPORT);
    options.n = n;
    options.deal = k;
    options.seed = seed;
    assert_int_equal(sb_scheme_feed(name, &options, NULL, &feed), SB_OK);
    for (size_t t = 0; t < DECKS; t++) {
        assert_int_equal(sb_feed_next(feed, 1, NULL), SB_OK);
        memcpy(a + t * k, feed->items, k * sizeof a[0]);
    }
    sb_feed_free(feed);
}

static void open(size_t n, size_t k, struct sb_tallies *tallies)
{
    const struct sb_statistic_type *type[STATISTICS] = { NULL };

    assert_int_equal(sb_tallies_open(NULL, n, k, type, choose(n, k, type), 0, NULL, tallies), SB_OK);
}

/* The findings of a gate after one look. The caller closes the gate. */
static struct sb_gate look(const struct sb_tallies *tallies)
{
    struct sb_gate gate;

    assert_int_equal(sb_gate_open(&terms, tallies->tally, tallies->count, &gate), SB_OK);
    assert_int_equal(sb_gate_look(tallies->tally, tallies->count, &gate), SB_OK);
    return gate;
}

/* Byte for byte. */
static void assert_same(const char *name, const struct sb_gate *one, const struct sb_gate *other)
{
    bool same = one->lines_count == other->lines_count && one->verdict == other->verdict &&
                one->total == other->total && memcmp(&one->ln_e, &other->ln_e, sizeof one->ln_e) == 0 &&
                memcmp(&one->tv_low, &other->tv_low, sizeof one->tv_low) == 0 &&
                memcmp(&one->tv_high, &other->tv_high, sizeof one->tv_high) == 0;

    for (size_t i = 0; same && i < one->lines_count; i++)
        same = memcmp(&one->line[i].ln_e, &other->line[i].ln_e, sizeof one->line[i].ln_e) == 0 &&
               memcmp(&one->line[i].tv_low, &other->line[i].tv_low, sizeof one->line[i].tv_low) == 0;
    if (!same)
        fail_msg("%s: verdicts %d and %d, ln E %.17g and %.17g", name, (int)one->verdict, (int)other->verdict,
                 one->ln_e, other->ln_e);
}

/* Decks one by one in random batches, with a look after each, and all at once. */
static void check_stream(const char *name, size_t n, size_t k, const sb_item a[])
{
    struct sb_tallies at_once, in_parts;
    struct sb_gate once, often;

    open(n, k, &at_once);
    open(n, k, &in_parts);
    sb_tallies_add(&at_once, a, DECKS);
    sb_tallies_read(&at_once);
    once = look(&at_once);
    assert_int_equal(sb_gate_open(&terms, in_parts.tally, in_parts.count, &often), SB_OK);
    for (size_t done = 0, next; done < DECKS; done += next) {
        next = 1 + random_below(200);
        next = next < DECKS - done ? next : DECKS - done;
        sb_tallies_add(&in_parts, a + done * k, next);
        sb_tallies_read(&in_parts);
        assert_int_equal(sb_gate_look(in_parts.tally, in_parts.count, &often), SB_OK);
    }
    assert_same(name, &once, &often);
    sb_gate_close(&once);
    sb_gate_close(&often);
    sb_tallies_close(&at_once);
    sb_tallies_close(&in_parts);
}

/* The gate on evidence equals the gate on the stream: the decks, and their counts by rank. */
static void check_evidence(const char *name, size_t n, size_t k, const sb_item a[])
{
    struct sb_tallies stream, counted;
    struct sb_evidence evidence;
    struct sb_gate one, other;

    open(n, k, &stream);
    open(n, k, &counted);
    sb_tallies_add(&stream, a, DECKS);
    sb_tallies_read(&stream);
    one = look(&stream);
    assert_int_equal(sb_evidence_open(SB_BY_SAMPLE, n, k, &evidence), SB_OK);
    for (size_t t = 0; t < DECKS; t++)
        evidence.counts.u64[sb_permutation_cell(n, k, a + t * k)]++;
    evidence.total = DECKS;
    assert_int_equal(sb_classify_counts(&evidence, 1, counted.observer), SB_OK);
    sb_tallies_read(&counted);
    other = look(&counted);
    assert_same(name, &one, &other);
    sb_gate_close(&one);
    sb_gate_close(&other);
    sb_evidence_close(&evidence);
    sb_tallies_close(&stream);
    sb_tallies_close(&counted);
}

/* The order of the decks does not matter. */
static void check_order(const char *name, size_t n, size_t k, const sb_item a[])
{
    static sb_item other[DECKS * ITEMS];
    static sb_item order[DECKS];
    struct sb_tallies one, two;
    struct sb_gate gate, mixed;

    random_deck(DECKS, order);
    for (size_t t = 0; t < DECKS; t++)
        memcpy(other + order[t] * k, a + t * k, k * sizeof a[0]);
    open(n, k, &one);
    open(n, k, &two);
    sb_tallies_add(&one, a, DECKS);
    sb_tallies_add(&two, other, DECKS);
    sb_tallies_read(&one);
    sb_tallies_read(&two);
    gate = look(&one);
    mixed = look(&two);
    assert_same(name, &gate, &mixed);
    sb_gate_close(&gate);
    sb_gate_close(&mixed);
    sb_tallies_close(&one);
    sb_tallies_close(&two);
}

typedef void check(const char *name, size_t n, size_t k, const sb_item a[]);

/* Every shuffle, at a random number of items, whole and dealt in part. */
static void every_shuffle(check *compare, size_t items)
{
    static sb_item a[DECKS * ITEMS];

    for (size_t s = 0; s < sb_shuffle_types_count; s++)
        for (int part = 0; part < 2; part++) {
            const size_t n = 3 + random_below(items - 2), k = part ? 1 + random_below(n - 1) : n;

            take(sb_shuffle_types[s]->name, n, k, s + 1, a);
            compare(sb_shuffle_types[s]->name, n, k, a);
        }
}

TEST(looks_do_not_matter)
{
    every_shuffle(check_stream, ITEMS);
}

TEST(evidence_equals_stream)
{
    every_shuffle(check_evidence, 6);
}

TEST(order_does_not_matter)
{
    every_shuffle(check_order, ITEMS);
}
