/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bettor: its mean wealth over all sequences of decks, a plain implementation from the formula alone, and what
 * a run that is continued has won.
 */
#include "unit/test.h"

#include "tally/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL = 3,      /* items of the decks that are gone through */
    SMALL_DECKS = 6 /* of a sequence: the last one is also predicted from five decks before */
};

/* If all sequences of `lines` of the `kinds` lines decks[kinds * deal] are equally likely, each wealth is 1 on average. */
static void mean_is_1(const struct sb_multiset *multiset, size_t deal, const sb_item decks[], size_t kinds,
                      size_t lines)
{
    double sum[SB_BETTOR_WEALTHS] = { 0 };
    size_t sequences = 1;

    for (size_t t = 0; t < lines; t++)
        sequences *= kinds;
    for (size_t s = 0; s < sequences; s++) {
        struct sb_bettor *bettor;
        size_t left = s;

        assert_int_equal(sb_bettor_new(multiset, SMALL, deal, &bettor), SB_OK);
        for (size_t t = 0; t < lines; t++, left /= kinds)
            sb_bettor_add(bettor, decks + left % kinds * deal, 1);
        for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++)
            sum[i] += ldexp(sb_bettor_wealth(bettor)->part[i], (int)sb_bettor_wealth(bettor)->power[i]);
        sb_bettor_free(bettor);
    }
    for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++)
        assert_true(fabs(sum[i] / (double)sequences - 1) < 1e-12);
}

TEST(wealth_is_1_on_average)
{
    static const sb_item orders[] = { 0, 1, 2, 0, 2, 1, 1, 0, 2, 1, 2, 0, 2, 0, 1, 2, 1, 0 };

    mean_is_1(NULL, SMALL, orders, 6, SMALL_DECKS);
}

/* ---- sets and hands ---- */

/* Makes a deck of groups: `groups` groups are listed, and the cards of a group are neighbours. */
static struct sb_multiset *group_deck(size_t n, const uint32_t same[], size_t groups)
{
    struct sb_multiset *deck;

    assert_int_equal(sb_multiset_new(n, same, &deck), SB_OK);
    deck->groups = groups;
    return deck;
}

/* One of three items: in nine draws, all contexts take part. */
TEST(wealth_of_sets_is_1_on_average)
{
    static const uint32_t same[] = { 0, 1, 1 };
    static const sb_item decks[] = { 0, 1, 2, 1, 0, 2, 1, 2, 0 };
    struct sb_multiset *const one = group_deck(SMALL, same, 1);

    mean_is_1(one, SMALL, decks, 3, 9);
    sb_multiset_free(one);
}

/* One of three items, and two of three in their order. */
TEST(wealth_of_deals_is_1_on_average)
{
    static const sb_item picks[] = { 0, 1, 2 }, pairs[] = { 0, 1, 0, 2, 1, 0, 1, 2, 2, 0, 2, 1 };

    mean_is_1(NULL, 1, picks, 3, 9);
    mean_is_1(NULL, 2, pairs, 6, 6);
}

/* The group of an item is known from the cards: those of group g are from[g] to from[g + 1] - 1. */
static double plain_ln_wealth_groups(size_t context, double pseudo, size_t n, size_t groups, const size_t from[],
                                     const sb_item decks[], size_t count)
{
    static const size_t ago[] = { 0, 0, 1, 1, 2, 2, 3, 3, 5, 5, 7, 7 };
    const bool own = context == 0 || (context > 1 && context % 2);
    double *const seen = calloc(n * (groups + 1) * groups, sizeof *seen), ln_wealth = 0;
    size_t group[200][16];

    assert_non_null(seen);
    for (size_t t = 0; t < count; t++)
        for (size_t i = 0; i < n; i++)
            for (size_t g = 0; g < groups; g++)
                if (decks[t * n + i] >= from[g] && decks[t * n + i] < from[g + 1])
                    group[t][i] = g;
    for (size_t t = ago[context]; t < count; t++)
        for (size_t i = 0; i < n; i++) {
            size_t key = ago[context] ? group[t - ago[context]][i] : !own && i > 0 ? group[t][i - 1] : groups;
            double mean = 0, ratio[16];

            key += own ? i * (groups + 1) : 0;
            for (size_t g = 0; g < groups; g++) {
                size_t left = 0;

                for (size_t j = i; j < n; j++)
                    left += group[t][j] == g;
                ratio[g] = seen[key * groups + g] * (double)n / (double)(from[g + 1] - from[g]) + pseudo;
                mean += (double)left / (double)(n - i) * ratio[g];
            }
            ln_wealth += log(ratio[group[t][i]] / mean);
            seen[key * groups + group[t][i]] += 1;
        }
    free(seen);
    return ln_wealth;
}

TEST(wealth_of_hands_is_that_of_the_formula)
{
    enum { CARDS = 9, LINES = 200, HANDS = 3 };
    static const uint32_t same[] = { 0, 0, 2, 2, 2, 5, 5, 5, 5 };
    static const size_t from[] = { 0, 2, 5, 9 };
    struct sb_multiset *const hands = group_deck(CARDS, same, 2);
    sb_item decks[LINES * CARDS];
    struct sb_bettor *bettor;
    uint64_t state = 3;

    for (size_t t = 0; t < LINES; t++)
        for (size_t j = 0; j < CARDS; j++) { /* inserts card j, often at the place that it had three lines ago */
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            const size_t i = (size_t)(state >> 33) % (j + 1);

            decks[t * CARDS + j] = decks[t * CARDS + i];
            decks[t * CARDS + i] = (sb_item)j;
            if (t >= 3 && t % 2 && j + 1 == CARDS)
                memcpy(decks + t * CARDS, decks + (t - 3) * CARDS, CARDS * sizeof decks[0]);
        }
    assert_int_equal(sb_bettor_new(hands, CARDS, CARDS, &bettor), SB_OK);
    sb_bettor_add(bettor, decks, LINES);
    for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++) {
        const struct sb_bettor_wealth *const wealth = sb_bettor_wealth(bettor);
        const double ln_wealth = log(wealth->part[i]) + log(2) * (double)wealth->power[i];
        const double expected =
            plain_ln_wealth_groups(i / 3, sb_bettor_pseudo[i % 3], CARDS, HANDS, from, decks, LINES);

        assert_true(fabs(ln_wealth - expected) < 1e-9);
    }
    assert_true(*sb_bettor_read(bettor).ln_e > 10);
    assert_true(sb_bettor_last("the last line") && !sb_bettor_single("the last line"));
    assert_true(sb_bettor_single("where each item was in the lines before"));
    sb_bettor_free(bettor);
    sb_multiset_free(hands);
}

/* ---- a plain implementation ---- */

enum { PLAIN_DECKS = 150 };

/* A context: its key is the place ('p'), the card before ('c'), the two before ('t'), or where the card before was
 * (a digit: so many decks ago); its label is the card (0), or its place so many decks ago. */
static const struct {
    char key;
    size_t label;
} plain_contexts[SB_BETTOR_CONTEXTS] = { { 'p', 0 }, { 'c', 0 }, { 't', 0 }, { '1', 0 }, { 'p', 1 }, { '1', 1 },
                                         { 'p', 2 }, { '2', 2 }, { 'p', 3 }, { '3', 3 }, { 'p', 5 }, { '5', 5 } };

static size_t plain_place(size_t n, const sb_item deck[], sb_item card)
{
    size_t place = 0;

    while (place < n && deck[place] != card)
        place++;
    return place;
}

/* The key of card i of deck t, as a number. */
static size_t plain_key(char key, size_t n, const sb_item decks[], size_t t, size_t i)
{
    const sb_item *const deck = decks + t * n;

    if (key == 'p')
        return i;
    if (i == 0)
        return n * n;
    if (key == 'c')
        return deck[i - 1];
    if (key == 't')
        return i == 1 ? n * n + 1 + deck[0] : deck[i - 1] * n + deck[i - 2];
    return plain_place(n, decks + (t - (size_t)(key - '0')) * n, deck[i - 1]);
}

static size_t plain_label(size_t label, size_t n, const sb_item decks[], size_t t, sb_item card)
{
    return label ? plain_place(n, decks + (t - label) * n, card) : card;
}

/* ln of a wealth after all decks. */
static double plain_ln_wealth(size_t context, double pseudo, size_t n, const sb_item decks[])
{
    const char key = plain_contexts[context].key;
    const size_t label = plain_contexts[context].label;
    double *const count = calloc((n * n + n + 1) * n, sizeof *count), ln_wealth = 0;

    assert_non_null(count);
    for (size_t t = 0; t < PLAIN_DECKS; t++) {
        const sb_item *const deck = decks + t * n;

        for (size_t i = 0; i < n && t >= 1 && t >= label; i++) {
            double *const row = count + plain_key(key, n, decks, t, i) * n, sum = 0;
            double *const own = row + plain_label(label, n, decks, t, deck[i]);

            for (size_t j = i; j < n; j++)
                sum += row[plain_label(label, n, decks, t, deck[j])] + pseudo;
            ln_wealth += log((*own + pseudo) / sum * (double)(n - i));
            *own += 1;
        }
    }
    free(count);
    return ln_wealth;
}

/* Decks of which every second one is a few swaps away from the one before. */
static sb_item *plain_decks(size_t n)
{
    sb_item *const decks = calloc(PLAIN_DECKS * n, sizeof *decks);
    uint64_t state = n;

    assert_non_null(decks);
    for (size_t t = 0; t < PLAIN_DECKS; t++) {
        sb_item *const a = decks + t * n;

        for (size_t j = 0; j < n; j++)
            a[j] = t ? decks[(t - 1) * n + j] : (sb_item)j;
        for (size_t s = 0; s < (t % 2 ? n : 3); s++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            const size_t i = (size_t)(state >> 33) % n, j = s % n;
            const sb_item swapped = a[i];

            a[i] = a[j];
            a[j] = swapped;
        }
    }
    return decks;
}

TEST(wealth_is_that_of_the_formula)
{
    static const size_t items[] = { 2, 3, 6, 7, 8, 9, 52, 127, 128 };
    static const double pseudo[] = { 3, 30, 300 };

    for (size_t k = 0; k < sizeof items / sizeof items[0]; k++) {
        const size_t n = items[k];
        sb_item *const decks = plain_decks(n);
        const struct sb_bettor_wealth *wealth;
        struct sb_bettor *bettor;

        assert_int_equal(sb_bettor_new(NULL, n, n, &bettor), SB_OK);
        sb_bettor_add(bettor, decks, 100);
        sb_bettor_add(bettor, decks + 100 * n, PLAIN_DECKS - 100);
        wealth = sb_bettor_wealth(bettor);
        assert_int_equal(wealth->decks, PLAIN_DECKS);
        for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++) {
            const double ln_wealth = log(wealth->part[i]) + log(2) * (double)wealth->power[i];
            const double expected = plain_ln_wealth(i / 3, pseudo[i % 3], n, decks);

            assert_true(fabs(ln_wealth - expected) < 1e-9);
        }
        sb_bettor_free(bettor);
        free(decks);
    }
}

/* After 65,535 decks the wealths stand still, and no count overflows even if all decks are the same. */
TEST(cost_is_bounded)
{
    static const sb_item deck[6] = { 0, 1, 2, 3, 4, 5 };
    struct sb_bettor *bettor;
    struct sb_bettor_wealth full;

    assert_int_equal(sb_bettor_new(NULL, 6, 6, &bettor), SB_OK);
    for (size_t t = 0; t < SB_BETTOR_DECKS; t++)
        sb_bettor_add(bettor, deck, 1);
    full = *sb_bettor_wealth(bettor);
    sb_bettor_add(bettor, deck, 1);
    assert_int_equal(sb_bettor_wealth(bettor)->decks, SB_BETTOR_DECKS + 1);
    assert_memory_equal(sb_bettor_wealth(bettor)->part, full.part, sizeof full.part);
    assert_memory_equal(sb_bettor_wealth(bettor)->power, full.power, sizeof full.power);
    assert_true(*sb_bettor_read(bettor).ln_e > 0.9 * SB_BETTOR_DECKS * log(720));
    sb_bettor_free(bettor);
}

/* ---- bettor rounds ---- */

/* A bettor that bets in rounds. tests/certified/rounding.c has the shares of the rounds. */

enum { ITEMS = 6, ROUND = 65536, AFTER = 5000 };

/* Fair decks in even rounds; in odd ones, one in eight is the one before. */
static sb_item *many_decks(size_t count)
{
    sb_item *const decks = calloc(count * ITEMS, sizeof *decks);
    uint64_t state = 9;

    assert_non_null(decks);
    for (size_t t = 0; t < count; t++) {
        sb_item *const deck = decks + t * ITEMS;

        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        for (size_t j = 0; j < ITEMS; j++)
            deck[j] = t ? deck[(ptrdiff_t)j - ITEMS] : (sb_item)j;
        if (t / ROUND % 2 && state >> 61 == 0)
            continue;
        for (size_t j = ITEMS; j-- > 1;) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            const size_t i = (size_t)(state >> 33) % (j + 1);
            const sb_item swapped = deck[i];

            deck[i] = deck[j];
            deck[j] = swapped;
        }
    }
    return decks;
}

/* However the decks are divided into batches, and if a round is resumed with what it has learnt, the wealth is the
 * same. */
TEST(batches_do_not_matter)
{
    const size_t count = ROUND + AFTER, cut = ROUND + 100;
    sb_item *const decks = many_decks(count);
    struct sb_bettor *whole, *parts, *resumed;

    assert_int_equal(sb_bettor_new(NULL, ITEMS, ITEMS, &whole), SB_OK);
    assert_int_equal(sb_bettor_new(NULL, ITEMS, ITEMS, &parts), SB_OK);
    assert_int_equal(sb_bettor_new(NULL, ITEMS, ITEMS, &resumed), SB_OK);
    sb_bettor_begin_rounds(whole);
    sb_bettor_begin_rounds(parts);
    sb_bettor_begin_rounds(resumed);
    sb_bettor_add(whole, decks, count);
    for (size_t t = 0; t < count; t += 999)
        sb_bettor_add(parts, decks + t * ITEMS, count - t < 999 ? count - t : 999);
    assert_memory_equal(sb_bettor_wealth(whole), sb_bettor_wealth(parts), sizeof(struct sb_bettor_wealth));
    sb_bettor_free(parts);
    assert_int_equal(sb_bettor_new(NULL, ITEMS, ITEMS, &parts), SB_OK);
    sb_bettor_begin_rounds(parts);
    sb_bettor_add(parts, decks, cut);
    sb_bettor_resume(resumed, sb_bettor_wealth(parts));
    sb_bettor_learn(resumed, decks + (size_t)ROUND * ITEMS, cut - ROUND);
    sb_bettor_add(resumed, decks + cut * ITEMS, count - cut);
    assert_memory_equal(sb_bettor_wealth(whole), sb_bettor_wealth(resumed), sizeof(struct sb_bettor_wealth));
    sb_bettor_free(whole);
    sb_bettor_free(parts);
    sb_bettor_free(resumed);
    free(decks);
}
