/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rolls of a die, and the true likelihood ratios of what a detector follows. */
#include "certified/exact_dice.h"

#include "fit/sequential.h"

#include <math.h>
#include <string.h>

enum { BITS = 256 };

struct dice dice_at[ROLLS + 1];
static const double ln_is[] = { -1.0986122886681098, -0.40546510810816438 }; /* ln 1/3, ln 2/3 */
static double ln_given[2]; /* what the detector knows of them: laws may be off by 1e-11 (fit/e_process.c) */
static const double weights[] = { 0.4, 0.3, 0.1, 0.1, 0.1 };
static const double alternatives[SB_BIRTHDAY_ALTERNATIVES] = { 0x1p16, 0x1p31, 0x1p32, 0x1p48, 0.1, 0.01, 0.001 };

/* One more deck; one in 500 comes again. */
static void dice_deal(struct dice *dice, uint64_t *seed)
{
    const uint64_t known = dice->birthday.decks - dice->birthday.repeats;
    const bool again = known && random_below(seed, 500) == 0;
    ARBS(each);

    arb_set_d(each, dice->birthday.ln_pair);
    arb_exp(each, each, BITS);
    sb_birthday_step(&dice->birthday, known, again);
    for (size_t i = 0; i < SB_BIRTHDAY_ALTERNATIVES && known; i++)
        exact_repeat(alternatives[i], each, (double)known, again, &dice->repeat[i]);
}

/* Each bet wins or loses a fraction. */
static void dice_bet(struct dice *dice, uint64_t *seed)
{
    for (size_t i = 0; i < BETS; i++) {
        const ulong won = 50 + random_below(seed, 120), staked = 100 + random_below(seed, 7);

        if (dice->total % ROUND == 0) {
            dice->wealth[i] = 1;
            arb_one(&dice->bet[i]);
        }
        dice->wealth[i] *= (double)won / (double)staked;
        arb_mul_ui(&dice->bet[i], &dice->bet[i], won, BITS);
        arb_div_ui(&dice->bet[i], &dice->bet[i], staked, BITS);
    }
}

void dice_begin(double error)
{
    ln_given[0] = ln_is[0] + error;
    ln_given[1] = log1p(-exp(ln_given[0]));
    dice_at[0] = (struct dice) { .birthday = { .ln_pair = -lgamma(9) }, .wealth = { 1, 1 } };
    for (size_t i = 0; i < SB_BIRTHDAY_ALTERNATIVES; i++)
        arb_one(&dice_at[0].repeat[i]);
}

void dice_roll(uint64_t t, double first, uint64_t *seed)
{
    const struct dice *const from = &dice_at[t - 1];
    struct dice *const to = &dice_at[t];
    const double u = random_share(seed);
    const size_t side = u < first ? 0 : u < first + (1 - first) / 2 ? 1 : 2;

    *to = *from;
    for (size_t i = 0; i < SB_BIRTHDAY_ALTERNATIVES; i++) {
        arb_init(&to->repeat[i]);
        arb_set(&to->repeat[i], &from->repeat[i]);
    }
    for (size_t i = 0; i < BETS; i++) {
        arb_init(&to->bet[i]);
        arb_set(&to->bet[i], &from->bet[i]);
    }
    dice_deal(to, seed);
    dice_bet(to, seed);
    to->total++;
    to->side[side]++;
    to->is[side != 0]++;
    to->is[2 + (side != 1)]++;
}

void dice_clear(void)
{
    for (size_t t = 0; t <= ROLLS; t++) {
        for (size_t i = 0; i < SB_BIRTHDAY_ALTERNATIVES; i++)
            arb_clear(&dice_at[t].repeat[i]);
        for (size_t i = 0; i < BETS; i++)
            arb_clear(&dice_at[t].bet[i]);
    }
}

size_t dice_tally(uint64_t t, unsigned use, double ln_bet[BETS], double weight[], struct sb_tally tally[STATISTICS])
{
    const struct dice *const dice = &dice_at[t];
    static const double unused = 0;
    const struct sb_tally all[STATISTICS] = {
        { .members = 1, .cells = SIDES, .total = dice->total, .count = dice->side },
        { .members = 2, .cells = 2, .total = dice->total, .count = dice->is, .ln_p = ln_given },
        {
            .members = 1,
            .total = dice->total,
            .ln_e = &unused,
            .bets = SB_BIRTHDAY_ALTERNATIVES,
            .ln_bet = dice->birthday.ln_e,
            .bet_range = sb_birthday_range(&dice->birthday),
        },
        {
            .members = 1,
            .total = dice->total,
            .ln_e = &unused,
            .bets = BETS,
            .ln_bet = ln_bet,
            .bet_error = 3 * 0x1p-53, /* a quotient and a product */
            .round = ROUND,
        },
    };
    size_t count = 0, line = 0, lines = 0;

    for (size_t i = 0; i < BETS; i++)
        ln_bet[i] = log(dice->wealth[i]);
    for (size_t i = 0; i < STATISTICS; line += all[i++].members) {
        if (!(use & 1U << i))
            continue;
        for (size_t member = 0; member < all[i].members; member++)
            weight[lines++] = weights[line + member];
        tally[count++] = all[i];
    }
    return count;
}

/* Adds weight * E of the counts since `then` of one member to `sum`. */
static void add_member(const uint64_t now[], const uint64_t then[], size_t cells, bool even, double weight, arb_t sum)
{
    uint64_t unused = 0;
    ARBS(e, factor);

    memcpy(drawn_ln_p, ln_is, sizeof ln_is);
    if (even)
        random_law(&unused, cells, true);
    else
        given_law(cells);
    for (size_t i = 0; i < cells; i++)
        drawn.total += drawn_count[i] = now[i] - then[i];
    exact_ln_e(1, BITS, e);
    arb_exp(e, e, BITS);
    arb_set_d(factor, weight);
    arb_addmul(sum, e, factor, BITS);
}

/* Adds weight * (the average growth of the ratios since `then`) to `sum`. If `then` is NULL, they began with 1. */
static void add_growth(const arb_struct now[], const arb_struct then[], size_t count, double weight, arb_t sum)
{
    ARBS(total, term);

    for (size_t i = 0; i < count; i++) {
        if (then)
            arb_div(term, &now[i], &then[i], BITS);
        else
            arb_set(term, &now[i]);
        arb_add(total, total, term, BITS);
    }
    arb_div_ui(total, total, count, BITS);
    arb_set_d(term, weight);
    arb_addmul(sum, total, term, BITS);
}

/* E of a level of 2^k rolls since `then`, by the definition in fit/detector.c. */
static void exact_level(const struct dice *then, const struct dice *now, unsigned use, unsigned k, arb_t e)
{
    arb_t one;

    arb_zero(e);
    if (use & USE_SIDES)
        add_member(now->side, then->side, SIDES, true, weights[0], e);
    for (size_t i = 0; i < 2 && use & USE_LAW; i++)
        add_member(now->is + 2 * i, then->is + 2 * i, 2, false, weights[1 + i], e);
    if (use & USE_REPEATS)
        add_growth(now->repeat, then->repeat, SB_BIRTHDAY_ALTERNATIVES, weights[3], e);
    if (!(use & USE_BETS))
        return;
    if (UINT64_C(1) << k <= ROUND) {
        add_growth(now->bet, then->total % ROUND ? then->bet : NULL, BETS, weights[4], e);
    } else {
        arb_init(one);
        arb_set_d(one, weights[4]);
        arb_add(e, e, one, BITS);
        arb_clear(one);
    }
}

void exact_ln_sum(unsigned use, uint64_t t, uint64_t before, arb_t sum)
{
    uint64_t known = UINT64_MAX;
    ARBS(e);
    unsigned step = 0;

    while (UINT64_C(2048) << step <= before)
        step++;
    arb_zero(sum);
    for (unsigned k = step; k < SB_DETECTOR_LEVELS; k++) {
        const uint64_t length = UINT64_C(1) << k, start = (t - 1) / length * length;

        if (start == 0 || (k > 5 && t % (length / 32)))
            continue;
        if (start != known || length == 2 * ROUND)
            exact_level(&dice_at[start], &dice_at[t], use, k, e);
        known = start;
        arb_addmul_ui(sum, e, (ulong)length, BITS);
    }
    arb_div_ui(sum, sum, SB_DETECTOR_LEVELS, BITS);
    arb_log(sum, sum, BITS);
}
