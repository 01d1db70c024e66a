/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The wealths of a bettor, and E of all rounds together.
 *
 * In a stream without an end, the bettor bets in rounds. In each round it learns anew, and bets a separate
 * stake: in round k, the stake is the share 1/(k(k+1)) = 1/k - 1/(k+1) of the initial wealth. So all shares
 * add up to 1, and the shares of the rounds after round k add up to 1/(k+1). Let E_j be what a stake of 1
 * becomes in round j. In round k,
 *
 *   E = sum over j < k of E_j/(j(j+1)) + E_k/(k(k+1)) + 1/(k+1)
 *
 * The three terms are what earlier rounds have won, what is at stake in round k, and what is not staked yet.
 * Each E_j is a martingale that starts at 1 under a fair shuffle, so E is also a martingale that starts at 1.
 * A late round can raise E to 1/alpha, too, but its small share costs a factor of k(k+1). In round 10,000,
 * the logarithm of this factor is 18 nats.
 *
 * Rounding: let u = 2^-53. A deck multiplies a wealth by n factors m P(c) = (N + a)/(mean + a), where the
 * mean is a sum of integers times 1/m. The mean has a relative error of 2u, so a factor has one of at most
 * 3u, and the two products and their quotient, which the wealth is multiplied by, have one of at most (5 n +
 * 12) u per deck (bettor_wide.c). The errors of t decks add up to at most (6 n + 16) t u, as t n u is far
 * below 1/16 (Higham 2002, section 3.1). A round has at most 65,536 decks. Logarithms, exponentials and sums,
 * with relative errors of at most 4u, round by 64u and 32u of ln E and of ln k in each round.
 *
 * N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 2002.
 */
#include "tally/bettor_wealth.h"

#include <math.h>

static const double wealth_ln_2 = 0.69314718055994531;
static const double wealth_unit = 0x1p-53; /* u */

/* ln of the current round's share. */
static double wealth_ln_share(const struct sb_bettor_wealth *wealth)
{
    const double k = (double)wealth->round;

    return -log(k) - log(k + 1);
}

/* ln of what the earlier rounds have won, the first term of E. */
static double wealth_ln_won(const struct sb_bettor_wealth *wealth)
{
    return wealth->round > 1 ? wealth->ln_won : -HUGE_VAL;
}

static double wealth_ln_add(double ln_x, double ln_y)
{
    const double most = fmax(ln_x, ln_y);

    return isinf(most) ? most : most + log1p(exp(fmin(ln_x, ln_y) - most));
}

void sb_bettor_stakes(struct sb_bettor_wealth *wealth)
{
    for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++) {
        wealth->part[i] = 0.5;
        wealth->power[i] = 1;
    }
}

double sb_bettor_average(const struct sb_bettor_wealth *wealth, double ln_wealth[], size_t *best)
{
    double sum = 0;

    *best = 0;
    for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++) {
        ln_wealth[i] = log(wealth->part[i]) + wealth_ln_2 * (double)wealth->power[i];
        *best = ln_wealth[i] > ln_wealth[*best] ? i : *best;
    }
    for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++)
        sum += exp(ln_wealth[i] - ln_wealth[*best]);
    return ln_wealth[*best] + log(sum / SB_BETTOR_WEALTHS);
}

uint64_t sb_bettor_round_left(const struct sb_bettor_wealth *wealth)
{
    return wealth->round == 0 ? UINT64_MAX : wealth->round * SB_BETTOR_ROUND - wealth->decks;
}

void sb_bettor_round_next(double ln_e, struct sb_bettor_wealth *wealth)
{
    wealth->ln_won = wealth_ln_add(wealth_ln_won(wealth), wealth_ln_share(wealth) + ln_e);
    wealth->round++;
    sb_bettor_stakes(wealth);
}

double sb_bettor_rounds_ln_e(const struct sb_bettor_wealth *wealth, double ln_e)
{
    const double ln_later = -log((double)wealth->round + 1);

    return wealth_ln_add(wealth_ln_add(wealth_ln_won(wealth), wealth_ln_share(wealth) + ln_e), ln_later);
}

double sb_bettor_deck_error(size_t n)
{
    return wealth_unit * (6 * (double)n + 16);
}

double sb_bettor_error(const struct sb_bettor_wealth *wealth, size_t n, double ln_e)
{
    const double decks = fmin((double)wealth->decks, SB_BETTOR_ROUND), rounds = (double)wealth->round + 1;

    return decks * sb_bettor_deck_error(n) + wealth_unit * rounds * (64 + 32 * (fabs(ln_e) + log(rounds)));
}
