/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every shuffle's exact law for n <= 5, against a brute-force computation that shares no code with it.
 *
 * The computation keeps a weight for each arrangement. An arrangement is the number whose digits to the base
 * n are the items, position 0 first. A shuffle by random moves is a series of mixtures of such weights. A
 * sort by coins is run for each of the 2^c strings of c coins. All other shuffles are enumerated. Everything
 * is written from the descriptions of the shuffles.
 */
#include "unit/test.h"

#include "core/evidence.h"
#include "exact/engine.h"
#include "shuffle_brute.h"
#include "shuffle_brute_cards.h"
#include "shuffle_brute_coins.h"
#include "shuffle_brute_named.h"

#include <stdbool.h>
#include <string.h>

struct brute {
    const char *name;
    uint64_t parameter;
    void (*law)(struct law *law); /* n >= 2, law->deal cards are looked at; all weights are 0 before */
};

static const struct brute brutes[] = {
    { "fisher-yates", 0, fisher_yates },
    { "fisher-yates-forward", 0, fisher_yates_forward },
    { "fisher-yates-original", 0, fisher_yates_original },
    { "splice", 0, splice },
    { "redraw", 0, redraw },
    { "inside-out", 0, inside_out },
    { "sort-by-key", 1, sort_by_1_bit },
    { "sort-by-key", 2, sort_by_2_bits },
    { "naive", 0, naive },
    { "naive-backward", 0, naive_backward },
    { "transpositions", 0, transpositions },
    { "sattolo", 0, sattolo },
    { "fisher-yates-stops-early", 0, fisher_yates_stops_early },
    { "fisher-yates-full-range", 0, fisher_yates_full_range },
    { "naive-no-self", 0, naive_no_self },
    { "planet-poker", 0, planet_poker },
    { "rotate", 0, rotate },
    { "inside-out-truncated", 0, inside_out_truncated },
    { "fisher-yates-partial-head", 0, fisher_yates_partial_head },
    { "reservoir", 0, reservoir },
    { "riffle", 1, riffle_once },
    { "riffle", 3, riffle_thrice },
    { "overhand", 2, overhand_2 },
    { "overhand", 5, overhand_5 },
    { "cut", 0, cut },
    { "sort-insertion", 0, sort_insertion },
    { "sort-binary-insertion", 0, sort_binary_insertion },
    { "sort-timsort", 0, sort_timsort },
    { "sort-merge", 0, sort_merge },
    { "sort-quick", 0, sort_quick },
    { "sort-heap", 0, sort_heap },
    { "sort-selection", 0, sort_selection },
    { "sort-bubble", 0, sort_bubble },
    { "shuffle-buffer", 1, shuffle_buffer_1 },
    { "shuffle-buffer", 2, shuffle_buffer_2 },
    { "shuffle-buffer", 4, shuffle_buffer_4 },
    { "chunks", 2, chunks_2 },
    { "chunks", 3, chunks_3 },
    { "insertion", 0, insertion },
    { "identity", 0, identity },
    { "fisher-yates-starts-late", 0, fisher_yates_starts_late },
    { "forward-stops-early", 0, forward_stops_early },
    { "swap-or-not", 1, swap_or_not_1 },
    { "swap-or-not", 3, swap_or_not_3 },
    { "floyd", 0, floyd },
    { "array-rand", 0, array_rand },
};

enum { BRUTES = sizeof brutes / sizeof brutes[0] };

/* Whether the k digits of a deal, to the base n, are different. */
static bool different(size_t n, size_t k, size_t deal)
{
    unsigned seen = 0;

    for (size_t j = 0; j < k; j++, deal /= n) {
        if (seen & 1U << deal % n)
            return false;
        seen |= 1U << deal % n;
    }
    return true;
}

/* That the evidence is this law, or for deals of k < n its first k positions. */
static void assert_law(const struct law *law, size_t k, const struct sb_evidence *evidence)
{
    const size_t n = law->n, tails = power(n, n - k);
    uint64_t total = 0;
    size_t rank = 0;
    mpq_t found, expected;

    mpq_inits(found, expected, NULL);
    for (size_t code = 0; code < power(n, n); code++)
        total += law->weight[code];
    for (size_t deal = 0; deal < power(n, k); deal++) { /* in the order of rank, but for the impossible */
        uint64_t weight = 0;

        for (size_t tail = 0; tail < tails; tail++)
            weight += law->weight[deal * tails + tail];
        if (!different(n, k, deal)) {
            assert_int_equal(weight, 0);
            continue;
        }
        sb_mpz_set_u64(mpq_numref(expected), weight);
        sb_mpz_set_u64(mpq_denref(expected), total);
        mpq_canonicalize(expected);
        sb_evidence_fraction(evidence, rank++, found);
        assert_true(mpq_equal(found, expected));
    }
    assert_int_equal(rank, evidence->cells);
    mpq_clears(found, expected, NULL);
}

static const struct sb_shuffle_type *registered(const char *name)
{
    for (size_t i = 0; i < sb_shuffle_types_count; i++)
        if (strcmp(sb_shuffle_types[i]->name, name) == 0)
            return sb_shuffle_types[i];
    return NULL;
}

static void check(const struct brute *brute, size_t n, size_t k)
{
    const struct sb_shuffle shuffle = { .type = registered(brute->name), .parameter = brute->parameter };
    struct sb_shuffler shuffler;
    struct sb_evidence evidence;
    struct law law = { .n = n, .deal = k };

    if (n < 2)
        start(&law);
    else
        brute->law(&law);
    assert_int_equal(sb_shuffler_open(shuffle, n, k, &shuffler), SB_OK);
    assert_int_equal(sb_tree_law(&(struct sb_law) { .shuffler = &shuffler }, NULL, &evidence), SB_OK);
    assert_law(&law, k, &evidence);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
}

TEST(test_every_shuffle_has_a_brute_force)
{
    for (size_t i = 0; i < sb_shuffle_types_count; i++) {
        bool known = false;

        for (size_t b = 0; b < BRUTES; b++)
            known = known || strcmp(brutes[b].name, sb_shuffle_types[i]->name) == 0;
        if (!known)
            fail_msg("%s has no brute force", sb_shuffle_types[i]->name);
    }
    for (size_t b = 0; b < BRUTES; b++)
        assert_non_null(registered(brutes[b].name));
}

TEST(test_laws_agree_up_to_5_items)
{
    for (size_t b = 0; b < BRUTES; b++)
        for (size_t n = 0; n <= MOST; n++)
            check(&brutes[b], n, n);
}

TEST(test_laws_of_deals_agree)
{
    for (size_t b = 0; b < BRUTES; b++) {
        check(&brutes[b], 4, 2);
        if (strcmp(brutes[b].name, "transpositions") != 0) /* 5^10 series of draws, once is enough */
            check(&brutes[b], 5, 3);
    }
}
