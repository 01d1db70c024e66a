/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bettor that bets in rounds, against a new bettor for each round; and its shares, which are 1 together.
 */
#include "unit/test.h"

#include "tally/order.h"

#include <math.h>
#include <stdlib.h>

enum { ITEMS = 6, ROUNDS = 4, ROUND = 65536, AFTER = 5000 };

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

/* ln E of a bettor of its own, without rounds. */
static double round_ln_e(const sb_item decks[], size_t count)
{
    struct sb_bettor *bettor;
    double ln_e;

    assert_int_equal(sb_bettor_new(ITEMS, &bettor), SB_OK);
    sb_bettor_add(bettor, decks, count);
    ln_e = *sb_bettor_read(bettor).ln_e;
    sb_bettor_free(bettor);
    return ln_e;
}

/* E = sum of E_j/(j(j+1)) over the rounds so far + 1/(k+1), also at the end of a round and just after it. */
TEST(each_round_has_its_share)
{
    static const size_t past[] = { 1, AFTER, ROUND };
    const size_t count = ROUNDS * (size_t)ROUND;
    sb_item *const decks = many_decks(count);
    struct sb_bettor *bettor;
    long double won = 0;
    size_t at = 0;

    assert_int_equal(sb_bettor_new(ITEMS, &bettor), SB_OK);
    sb_bettor_begin_rounds(bettor);
    assert_true(fabs(*sb_bettor_read(bettor).ln_e) < 1e-15);
    for (size_t k = 1; k <= ROUNDS; k++) {
        const sb_item *const round = decks + (k - 1) * ROUND * ITEMS;
        const long double share = 1 / ((long double)k * (k + 1));

        for (size_t p = 0; p < sizeof past / sizeof past[0]; p++) {
            const size_t to = (k - 1) * ROUND + past[p];
            const long double e =
                won + share * expl((long double)round_ln_e(round, past[p])) + 1.0L / (k + 1);

            sb_bettor_add(bettor, decks + at * ITEMS, to - at);
            at = to;
            const struct sb_tally tally = sb_bettor_read(bettor);

            assert_true(fabs(*tally.ln_e - (double)logl(e)) < 1e-9 * (1 + fabs(*tally.ln_e)));
            assert_int_equal(tally.total, to);
            assert_int_equal(tally.round, ROUND);
            assert_int_equal(sb_bettor_wealth(bettor)->round, k);
        }
        won += share * expl((long double)round_ln_e(round, ROUND));
    }
    assert_true(*sb_bettor_read(bettor).ln_e > 100); /* rounds 2 and 4 win */
    sb_bettor_free(bettor);
    free(decks);
}

/* However the decks are divided into batches, and if a round is resumed with what it has learnt, the wealth is the
 * same. */
TEST(batches_do_not_matter)
{
    const size_t count = ROUND + AFTER, cut = ROUND + 100;
    sb_item *const decks = many_decks(count);
    struct sb_bettor *whole, *parts, *resumed;

    assert_int_equal(sb_bettor_new(ITEMS, &whole), SB_OK);
    assert_int_equal(sb_bettor_new(ITEMS, &parts), SB_OK);
    assert_int_equal(sb_bettor_new(ITEMS, &resumed), SB_OK);
    sb_bettor_begin_rounds(whole);
    sb_bettor_begin_rounds(parts);
    sb_bettor_begin_rounds(resumed);
    sb_bettor_add(whole, decks, count);
    for (size_t t = 0; t < count; t += 999)
        sb_bettor_add(parts, decks + t * ITEMS, count - t < 999 ? count - t : 999);
    assert_memory_equal(sb_bettor_wealth(whole), sb_bettor_wealth(parts), sizeof(struct sb_bettor_wealth));
    sb_bettor_free(parts);
    assert_int_equal(sb_bettor_new(ITEMS, &parts), SB_OK);
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
