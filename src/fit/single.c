/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bets on single cells of a matrix: "card 1 is never on top", "the bottom card stays in one deck of ten". The e-process
 * of a row learns all its cells at once, and pays for the noise of each. So a quarter of the stake of a row goes to its
 * single cells, in equal parts. Each is a coin that shows heads with the probability 1/K, and E of a coin is that of
 * e_process.c for two cells: a mixture over the probability of heads, which learns the cell from the earlier decks.
 *
 * E of the row becomes 3/4 E + 1/4 (average of E over the cells). An average of martingales of mean 1, with fixed
 * weights, is a martingale of mean 1, no matter how cells depend on each other. A product of bets on several cells of
 * one deck would not be: the product of n M[i][place of i] has the mean n^n perm(M)/n!, which is at least 1 for any
 * matrix M whose rows and columns add up to 1 (van der Waerden).
 *
 * E of a coin is at most e to the power of its largest likelihood ratio, t KL(c/t || 1/K), which is largest for the
 * smallest or the largest count. If even these have less than ten nats, all coins count as 0, which can only make E
 * smaller.
 *
 * Cost: a pass over the counts; if a count is remarkable, two terms for each count that occurs.
 */
#include "fit/sequential.h"

#include "fit/numeric.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum {
    SINGLE_CELLS_LEAST = 8, /* of fewer, the row learns soon enough */
    SINGLE_CELLS_MOST = 128,
    SINGLE_RANGE_MOST = 1 << 16, /* of the counts; beyond, the rows say enough */
};

static const double single_stake = 0.25, single_nats_least = 10;

struct sb_single {
    uint64_t least, most; /* the counts that occur are between these */
    double *ln_e;         /* [most - least + 1] of a coin, by its count; owned; NULL: all count as 0 */
    double error;         /* an upper bound on the errors of these */
};

bool sb_single_joins(const struct sb_tally *tally)
{
    return !tally->ln_e && !tally->ln_p && !tally->first && tally->members > 1 && tally->cells >= SINGLE_CELLS_LEAST &&
           tally->cells <= SINGLE_CELLS_MOST;
}

/* ln of the largest likelihood ratio of a coin. */
static double single_nats(const struct sb_tally *tally, uint64_t count)
{
    const double total = (double)tally->total, p = 1 / (double)tally->cells, c = (double)count, tails = total - c;

    return (c > 0 ? c * log(c / (p * total)) : 0) + (tails > 0 ? tails * log(tails / ((1 - p) * total)) : 0);
}

/* Computes E of the counts that occur, which ln_e[] marks by 1. */
static enum sb_status single_fill(const struct sb_tally *tally, struct sb_single *single)
{
    const size_t range = (size_t)(single->most - single->least + 1);
    const double ln_p[2] = { -log((double)tally->cells), log1p(-1 / (double)tally->cells) };
    uint64_t *const count = calloc(2 * range, sizeof *count);
    struct sb_e_value *const e = calloc(range, sizeof *e);
    struct sb_tally coins = { .cells = 2, .total = tally->total, .count = count, .ln_p = ln_p };

    for (size_t i = 0; count && e && i < range; i++)
        if (single->ln_e[i] > 0) {
            count[2 * coins.members] = single->least + i;
            count[2 * coins.members++ + 1] = tally->total - single->least - i;
        }
    if (coins.members)
        sb_e_process(&coins, e);
    const struct sb_e_error error = sb_e_process_error(&coins);

    for (size_t k = 0; k < coins.members; k++) {
        single->ln_e[count[2 * k] - single->least] = e[k].ln_e;
        single->error = fmax(single->error, sb_e_error_of(&error, &e[k]));
    }
    free(count);
    free(e);
    return coins.members ? SB_OK : SB_NO_MEMORY;
}

enum sb_status sb_single_new(const struct sb_tally *tally, struct sb_single **single)
{
    struct sb_single *const made = calloc(1, sizeof *made);
    const size_t cells = tally->members * tally->cells;
    enum sb_status status = SB_OK;

    if (!made)
        return SB_NO_MEMORY;
    made->least = UINT64_MAX;
    for (size_t i = 0; i < cells; i++) {
        made->least = tally->count[i] < made->least ? tally->count[i] : made->least;
        made->most = tally->count[i] > made->most ? tally->count[i] : made->most;
    }
    if (made->most - made->least < SINGLE_RANGE_MOST &&
        fmax(single_nats(tally, made->least), single_nats(tally, made->most)) > single_nats_least) {
        made->ln_e = calloc((size_t)(made->most - made->least + 1), sizeof made->ln_e[0]);
        for (size_t i = 0; made->ln_e && i < cells; i++)
            made->ln_e[tally->count[i] - made->least] = 1;
        status = made->ln_e ? single_fill(tally, made) : SB_NO_MEMORY;
    }
    if (status)
        sb_single_free(made);
    else
        *single = made;
    return status;
}

void sb_single_free(struct sb_single *single)
{
    if (!single)
        return;
    free(single->ln_e);
    free(single);
}

void sb_single_share(const struct sb_single *single, const struct sb_tally *tally, size_t member, double *ln_e,
                     double *error)
{
    const uint64_t *const count = tally->count + member * tally->cells;
    const double own = *ln_e + log1p(-single_stake);
    double most = own, sum = 0;

    if (!single->ln_e) {
        *ln_e = own;
        return;
    }
    for (size_t i = 0; i < tally->cells; i++)
        most = fmax(most, single->ln_e[count[i] - single->least]);
    for (size_t i = 0; i < tally->cells; i++)
        sum += exp(single->ln_e[count[i] - single->least] - most);
    *ln_e = most + log(exp(own - most) + single_stake * sum / (double)tally->cells);
    *error = fmax(*error, single->error) + DBL_EPSILON * (2 * (double)tally->cells + 64 + 8 * fabs(most));
}
