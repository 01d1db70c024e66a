/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeated whole decks: which decks are remembered, and the test of the number of repeats. */
#include "unit/test.h"

#include "fit/fit.h"
#include "statistic/statistic.h"
#include "tally/order.h"
#include "tally/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DECKS = 3000, ITEMS = 25 };

/* Knuth's 64-bit linear congruential generator, for decks of no importance. */
static uint32_t word(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* One of so many decks. */
static void deal(uint64_t which, size_t n, sb_item a[])
{
    uint64_t state = which;

    for (size_t i = 0; i < n; i++) {
        const size_t j = word(&state) % (i + 1);

        a[i] = a[j];
        a[j] = (sb_item)i;
    }
}

/* Items beyond 65,536 take more than 16 bits: decks of such items that differ have keys that differ. */
TEST(keys_of_many_items)
{
    enum { MANY = 70000 };
    static const sb_item deck[][4] = {
        { 65543, 2, 5, 9 }, { 65543, 3, 5, 9 }, { 7, 3, 5, 9 }, { 7, 65539, 5, 9 }, { 7, 3, 5, 65545 }
    };

    for (size_t i = 0; i < sizeof deck / sizeof deck[0]; i++)
        for (size_t j = 0; j < i; j++) {
            const struct sb_deck_key a = sb_deck_key(MANY, 4, deck[i]), b = sb_deck_key(MANY, 4, deck[j]);

            assert_true(a.high != b.high && a.low != b.low);
        }
}

/* The set against all pairs, at a size whose ranks fit 64 bits and at one whose do not. */
TEST(decks_are_remembered)
{
    static sb_item deck[DECKS][ITEMS];

    for (size_t n = 5; n <= ITEMS; n += 10) {
        struct sb_repeats_stream *const repeat = sb_repeats_stream_new(n, n);
        uint64_t random = 7, kept = 0;

        assert_non_null(repeat);
        for (size_t t = 0; t < DECKS; t++) {
            bool before = false;

            deal(word(&random) % 2000, n, deck[t]);
            for (size_t s = 0; s < t && !before; s++)
                before = memcmp(deck[s], deck[t], n * sizeof deck[t][0]) == 0;
            assert_int_equal(sb_repeats_stream_add(repeat, sb_repeats_stream_key(repeat, deck[t])), before);
            kept += !before;
            assert_int_equal(sb_repeats_stream_kept(repeat), kept);
        }
        sb_repeats_stream_free(repeat);
    }
    sb_repeats_stream_free(NULL);
}

/* Of a part of the decks: as many as there should be, each is compared or never; and they are forgotten. */
TEST(decks_of_a_part)
{
    struct sb_repeats_stream *const repeat = sb_repeats_stream_new_part(ITEMS, ITEMS);
    const double ln_pair = sb_deck_key_ln_pair(ITEMS, ITEMS);
    sb_item deck[ITEMS], first[ITEMS] = { 0 };
    uint64_t wanted = 0, which = 0;

    assert_non_null(repeat);
    for (; which < 160000; which++) {
        deal(which, ITEMS, deck);
        if (!sb_repeats_stream_wants(repeat, sb_repeats_stream_key(repeat, deck)))
            continue;
        if (wanted++ == 0)
            memcpy(first, deck, sizeof first);
        assert_false(sb_repeats_stream_add(repeat, sb_repeats_stream_key(repeat, deck)));
    }
    assert_in_range(wanted, 9600, 10400); /* four standard deviations about 10,000 */
    assert_true(sb_repeats_stream_wants(repeat, sb_repeats_stream_key(repeat, first)) &&
                sb_repeats_stream_add(repeat, sb_repeats_stream_key(repeat, first)));
    assert_int_equal(sb_repeats_stream_kept(repeat), wanted);
    for (; wanted < SB_REPEATS_ERA + 1; which++) { /* whether they are wanted or not: it is as good a deck */
        deal(which, ITEMS, deck);
        wanted += !sb_repeats_stream_add(repeat, sb_repeats_stream_key(repeat, deck));
    }
    assert_int_equal(sb_repeats_stream_kept(repeat), 1);
    assert_false(sb_repeats_stream_add(repeat, sb_repeats_stream_key(repeat, first)));
    sb_repeats_stream_free(repeat);
    assert_true(fabs(sb_repeats_stream_ln_pair_part(ITEMS, ITEMS) - ln_pair - log(16)) < 1e-9);
    assert_true(sb_repeats_stream_ln_pair_part(9, 9) > -log(362880 / 16.0));
}

/* How many decks of nine there are of the part: no fewer than the probability of a pair says. */
TEST(a_part_of_few_decks)
{
    struct sb_repeats_stream *const repeat = sb_repeats_stream_new_part(9, 9);
    uint64_t decks = 0;

    assert_non_null(repeat);
    for (uint64_t rank = 0; rank < 362880; rank++) {
        sb_item deck[9];

        sb_permutation_unrank(9, 9, rank, deck);
        decks += sb_repeats_stream_wants(repeat, sb_repeats_stream_key(repeat, deck));
    }
    assert_true((double)decks >= exp(-sb_repeats_stream_ln_pair_part(9, 9)));
    assert_true((double)decks <= 1.05 * 362880 / 16);
    sb_repeats_stream_free(repeat);
}

/* Under a fair shuffle the mean of E over all series of decks is 1: here of five decks out of seven. */
TEST(mean_is_one)
{
    enum { KINDS = 7, LENGTH = 5 };
    double mean = 0;
    size_t series = 1;

    for (size_t i = 0; i < LENGTH; i++)
        series *= KINDS;
    for (size_t code = 0; code < series; code++) {
        struct sb_birthday birthday = { .ln_pair = -log(KINDS) };
        bool seen[KINDS] = { false };
        uint64_t known = 0;
        size_t left = code;

        for (size_t i = 0; i < LENGTH; i++, left /= KINDS) {
            const size_t kind = left % KINDS;

            sb_birthday_step(&birthday, known, seen[kind]);
            known += !seen[kind];
            seen[kind] = true;
        }
        mean += exp(sb_birthday_ln_e(&birthday)) / (double)series;
    }
    assert_true(fabs(mean - 1) < 1e-12);
}

/* The likelihood ratios by their definition: new, new, again, new of 52! decks. */
TEST(likelihood_ratios)
{
    const double ln_deals = lgamma(53), m[] = { 0x1p16, 0x1p31, 0x1p32, 0x1p48 }, s[] = { 0.1, 0.01, 0.001 };
    struct sb_birthday birthday = { .ln_pair = -ln_deals };
    long double sum = 0;

    assert_true(fabs(sb_birthday_ln_e(&birthday)) < 1e-15);
    sb_birthday_step(&birthday, 0, false);
    sb_birthday_step(&birthday, 1, false);
    sb_birthday_step(&birthday, 2, true);
    sb_birthday_step(&birthday, 2, false);
    for (int i = 0; i < 4; i++)
        sum += (1 - 1 / (long double)m[i]) * (2 / (long double)m[i]) * (1 - 2 / (long double)m[i]) / 11;
    for (int i = 0; i < 3; i++) /* a share s of copies, of which 1/(2/D) outweighs all else */
        sum += (1 - (long double)s[i]) * (long double)s[i] * (1 - (long double)s[i]) / 11;
    /* without predictions, four products remain 1 */
    sum += 4 / 11.0L * expl((long double)(log(2) - ln_deals));
    assert_true(fabs(sb_birthday_ln_e(&birthday) - ((double)logl(sum) + ln_deals - log(2))) < 1e-11);
    assert_int_equal(birthday.decks, 4);
    assert_int_equal(birthday.repeats, 1);
}

/* More decks than there are in an alternative: E falls without ever being NaN, and comes back. */
TEST(alternatives_that_are_used_up)
{
    struct sb_birthday birthday = { .ln_pair = -lgamma(53) };

    for (uint64_t d = 0; d < 200000; d++)
        sb_birthday_step(&birthday, d, false);
    assert_true(sb_birthday_ln_e(&birthday) < 0 && sb_birthday_ln_e(&birthday) > -2);
    sb_birthday_step(&birthday, 200000, true);
    assert_true(sb_birthday_ln_e(&birthday) > 100);
}

/* How many decks a bound on the number of seeds takes, against a count of the pairs, deck by deck: each is compared
 * with those before it, of which so many are kept. */
TEST(decks_that_a_bound_on_seeds_takes)
{
    static const double seeds[] = { 1, 10, 1000, 20000 }, kept[] = { 2, 100, 1e9 }, delta = 1e-6;

    for (size_t i = 0; i < sizeof seeds / sizeof seeds[0]; i++)
        for (size_t j = 0; j < sizeof kept / sizeof kept[0]; j++) {
            double decks = 0, pairs = 0;

            while (pairs < seeds[i] * -log(delta))
                pairs += fmin(decks++, kept[j]);
            assert_true(sb_birthday_decks_needed(seeds[i], delta, kept[j]) == decks);
        }
}

/* The same decks noted in pieces, out of order and in part: the repeats are those of the set. */
TEST(decks_are_compared)
{
    static sb_item deck[DECKS * ITEMS];
    enum { PIECE = 700 };

    for (size_t n = 13; n <= ITEMS; n += 12) {
        struct sb_repeats_stream *const repeat = sb_repeats_stream_new(n, n);
        struct sb_repeats_sample *const again = sb_repeats_sample_new(NULL, n, n, DECKS + 5);
        uint64_t random = 7, before = 0, decks, repeats;

        assert_non_null(repeat);
        assert_non_null(again);
        for (size_t t = 0; t < DECKS; t++) {
            deal(word(&random) % 2000, n, deck + t * n);
            before += sb_repeats_stream_add(repeat, sb_repeats_stream_key(repeat, deck + t * n));
        }
        for (size_t end = DECKS; end > 0; end -= end < PIECE ? end : PIECE) {
            const size_t from = end < PIECE ? 0 : end - PIECE;

            sb_repeats_sample_note(again, from, deck + from * n, end - from);
        }
        sb_repeats_sample_count(again, 2, &decks, &repeats);
        assert_int_equal(decks, DECKS);
        assert_int_equal(repeats, before);
        sb_repeats_sample_count(again, 1, &decks, &repeats); /* they are forgotten */
        assert_int_equal(decks + repeats, 0);
        sb_repeats_stream_free(repeat);
        sb_repeats_sample_free(again);
    }
    sb_repeats_sample_free(NULL);
}

/* Of 11!: no more than half of its power 3/4, 251,094; of a million, the first of them. */
TEST(few_enough_are_compared)
{
    static sb_item deck[11];
    struct sb_repeats_sample *const again = sb_repeats_sample_new(NULL, 11, 11, 1000000);
    uint64_t decks, repeats;

    assert_non_null(again);
    deal(1, 11, deck);
    for (uint64_t t = 0; t < 300000; t++)
        sb_repeats_sample_note(again, t, deck, 1);
    sb_repeats_sample_count(again, 1, &decks, &repeats);
    assert_int_equal(decks, 251094);
    assert_int_equal(repeats, 251093);
    sb_repeats_sample_free(again);
}

/* The probability of a pair is 1/n! where decks are told apart by their ranks, and never below it. */
TEST(pairs)
{
    assert_true(fabs(sb_deck_key_ln_pair(10, 10) + log(3628800)) < 1e-12);
    assert_true(fabs(sb_deck_key_ln_pair(52, 2) + log(52 * 51)) < 1e-12);
    assert_true(sb_deck_key_ln_pair(52, 52) > -lgamma(53));
    assert_true(sb_deck_key_ln_pair(52, 52) < -70);
}

/* Any alternative may be far ahead of the others. */
TEST(the_mean_of_large_e)
{
    for (size_t i = 0; i < SB_BIRTHDAY_ALTERNATIVES; i++) {
        struct sb_birthday birthday = { .ln_pair = 0 };

        birthday.ln_e[i] = 2000; /* beyond the range of exp() */
        assert_true(fabs(sb_birthday_ln_e(&birthday) - (2000 - log(SB_BIRTHDAY_ALTERNATIVES))) < 1e-12);
    }
}

/* ---- lags ---- */

/*
 * Steps at several lags, tallied without composing them, against steps that are composed one by one and
 * classified by the statistics themselves.
 */

enum { LAGS_DECKS = 2000 };

/* Permutations in which every third is a swap away from the one before: steps of all kinds. */
static sb_item *lags_decks(size_t n)
{
    sb_item *const decks = calloc(LAGS_DECKS * n, sizeof *decks);
    uint64_t state = n;

    assert_non_null(decks);
    for (size_t t = 0; t < LAGS_DECKS; t++) {
        sb_item *const a = decks + t * n;
        const size_t swaps = t % 3 ? n : 1;

        for (size_t j = 0; j < n; j++)
            a[j] = t ? decks[(t - 1) * n + j] : (sb_item)j;
        for (size_t s = 0; s < swaps; s++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            const size_t i = (size_t)(state >> 33) % n, j = s % n;
            const sb_item swapped = a[i];

            a[i] = a[j];
            a[j] = swapped;
        }
    }
    return decks;
}

/* The statistics of steps at one lag, composed. */
static void lags_expect(size_t n, size_t lag, const sb_item decks[], const struct sb_tally tally[], size_t types)
{
    const struct sb_statistic_type *type[SB_LAGS_STATISTICS];
    struct sb_tally expected[SB_LAGS_STATISTICS];
    struct sb_observer *observer;
    struct sb_error error;
    sb_item *const place = calloc(2 * n, sizeof *place), *const step = place + n;

    assert_non_null(place);
    for (size_t i = 0; i < types; i++)
        type[i] = sb_statistic_find(tally[i].statistic);
    assert_int_equal(sb_observer_new(NULL, n, n, type, types, SB_LAGS_CELLS_MOST, false, &error, &observer), SB_OK);
    for (size_t t = lag; t < LAGS_DECKS; t++) {
        for (size_t j = 0; j < n; j++)
            place[decks[(t - lag) * n + j]] = (sb_item)j;
        for (size_t j = 0; j < n; j++)
            step[j] = place[decks[t * n + j]];
        sb_observer_add(observer, step, 1);
    }
    sb_observer_read(observer, expected);
    for (size_t i = 0; i < types; i++) {
        assert_int_equal(tally[i].lag, lag);
        assert_true(tally[i].dependence);
        assert_int_equal(tally[i].members, 1);
        assert_int_equal(tally[i].total, LAGS_DECKS - lag);
        assert_int_equal(tally[i].cells, expected[i].cells);
        assert_memory_equal(tally[i].count, expected[i].count, expected[i].cells * sizeof expected[i].count[0]);
    }
    sb_observer_free(observer);
    free(place);
}

TEST(steps_are_those_composed)
{
    static const size_t items[] = { 2, 3, 4, 5, 6, 7, 8, 9, 52, 200, 201, 1000, 1001 };

    for (size_t k = 0; k < sizeof items / sizeof items[0]; k++) {
        const size_t n = items[k];
        sb_item *const decks = lags_decks(n);
        struct sb_tally tally[SB_LAGS * SB_LAGS_STATISTICS];
        struct sb_lags *lags;
        struct sb_error error;

        assert_int_equal(sb_lags_new(NULL, n, n, true, &error, &lags), SB_OK);
        for (size_t t = 0, some; t < LAGS_DECKS; t += some) { /* in batches of all sizes */
            some = t % 97 + 1 < LAGS_DECKS - t ? t % 97 + 1 : LAGS_DECKS - t;
            sb_lags_add(lags, decks + t * n, some);
        }
        const size_t types = sb_lags_count(lags) / SB_LAGS;

        sb_lags_read(lags, tally);
        for (size_t l = 0; l < SB_LAGS; l++)
            lags_expect(n, (size_t)1 << l, decks, tally + l * types, types);
        sb_lags_free(lags);
        free(decks);
    }
}

/* What is remembered is the start of steps, and counted itself it is not; what is resumed is no start. */
TEST(a_run_is_interrupted)
{
    static const size_t items[] = { 5, 52, 300 };

    for (size_t k = 0; k < sizeof items / sizeof items[0]; k++) {
        const size_t n = items[k], half = LAGS_DECKS / 2;
        sb_item *const decks = lags_decks(n);
        struct sb_tally tally[SB_LAGS * SB_LAGS_STATISTICS];
        struct sb_lags *first, *second;
        struct sb_error error;

        assert_int_equal(sb_lags_new(NULL, n, n, true, &error, &first), SB_OK);
        assert_int_equal(sb_lags_new(NULL, n, n, true, &error, &second), SB_OK);
        sb_lags_add(first, decks, half);
        sb_lags_read(first, tally);
        sb_lags_resume(second, tally);
        sb_lags_remember(second, decks, half);
        sb_lags_add(second, decks + half * n, LAGS_DECKS - half);
        const size_t types = sb_lags_count(second) / SB_LAGS;

        sb_lags_read(second, tally);
        for (size_t l = 0; l < SB_LAGS; l++)
            lags_expect(n, (size_t)1 << l, decks, tally + l * types, types);
        sb_lags_free(first);
        sb_lags_free(second);
        free(decks);
    }
}

/* No more than SB_LAGS_STEPS are counted at a lag. */
TEST(there_is_an_end)
{
    static const sb_item decks[] = { 0, 1, 1, 0 };
    struct sb_tally tally[SB_LAGS * SB_LAGS_STATISTICS];
    struct sb_lags *lags;
    struct sb_error error;

    assert_int_equal(sb_lags_new(NULL, 2, 2, false, &error, &lags), SB_OK);
    for (size_t t = 0; t < SB_LAGS_STEPS; t++)
        sb_lags_add(lags, decks, 2);
    assert_int_equal(sb_lags_count(lags), SB_LAGS - 1);
    sb_lags_read(lags, tally);
    for (size_t l = 0; l < SB_LAGS - 1; l++) {
        assert_int_equal(tally[l].lag, 2 << l);
        assert_int_equal(tally[l].total, SB_LAGS_STEPS);
        assert_int_equal(tally[l].count[0], SB_LAGS_STEPS);
    }
    sb_lags_free(lags);
}

/* By its definition: a deck is compared with all that came before, those of earlier runs
 * included. */
TEST(carried_decks_are_compared_with)
{
    struct sb_deck_key key[4], newest[8];
    sb_item deck[4][20];
    struct sb_repeats_stream *const repeat = sb_repeats_stream_new(20, 20);

    assert_non_null(repeat);
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 20; j++)
            deck[i][j] = (sb_item)((j + i) % 20);
        key[i] = sb_deck_key(20, 20, deck[i]);
    }
    assert_int_equal(sb_repeats_stream_newest(repeat, newest), 0);
    assert_true(sb_repeats_stream_carry(repeat, key, 2));
    assert_int_equal(sb_repeats_stream_kept(repeat), 2);
    assert_true(sb_repeats_stream_add(repeat, sb_repeats_stream_key(repeat, deck[1])));
    assert_false(sb_repeats_stream_add(repeat, sb_repeats_stream_key(repeat, deck[3])));
    assert_int_equal(sb_repeats_stream_newest(repeat, newest), 3);
    assert_memory_equal(&newest[0], &key[0], sizeof key[0]);
    assert_memory_equal(&newest[2], &key[3], sizeof key[0]);
    sb_repeats_stream_free(repeat);
}
