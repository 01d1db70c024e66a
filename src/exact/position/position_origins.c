/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the item-by-position matrix of a shuffle that has the method `origin`. This method says where a
 * single item comes from. Each step has a matrix T, where T_qr is the probability that position q gets its
 * item from position r. The step turns the row p of an item into p'_q = sum_r T_qr p_r.
 *
 * In doubles, a sum of m non-negative terms has a relative error of (m - 1)u, u = 2^-53. So the error bound
 * of a step is the sum of three parts: u for each series of answers, 6u for each question in the longest
 * series, and (n + 1)u for the product with p. The first two parts differ from position to position; the code
 * takes the position for which their sum is largest. These bounds leave room for the squares of u.
 *
 * Cost of a step: at most n^3 / 4 series of answers for all positions together, and n products for each entry
 * of T that is not 0. Memory: three matrices.
 */
#include "exact/position/position.h"

#include "core/evidence.h"
#include "exact/position/origins.h"

#include <math.h>
#include <stdlib.h>

static bool origins_stopped(const struct sb_law *law)
{
    return law->stop && *law->stop;
}

/* Reports progress. Returns whether to stop. */
static bool origins_pause(const struct sb_law *law, size_t step, size_t steps)
{
    if (law->progress)
        law->progress(law->progress_state, law->subject, step, steps);
    return origins_stopped(law);
}

/* Computes the matrix of one step, as counts [q * n + r] over one denominator. Starts with the last
 * positions, which have the most answers, so that the denominator reaches its final size early. */
static enum sb_status origins_step_integers(struct sb_origins *origins, size_t step, struct sb_evidence *made)
{
    const size_t n = origins->law->shuffler->n;
    mpz_t weight, total;
    size_t from;

    mpz_inits(weight, total, NULL);
    sb_exact_clear(made);
    for (size_t q = n; q-- > 0 && !origins_stopped(origins->law);)
        while (sb_origins_next(origins, step, q, &from)) {
            sb_origins_weigh(origins, weight, total);
            sb_exact_add_wide(made, q * n + from, weight, total);
        }
    mpz_clears(weight, total, NULL);
    return origins->src.status;
}

/* Computes next = T * now, a product of matrices. Rows are positions, and columns are items. */
static void origins_multiply_integers(const struct sb_law *law, mpz_t step[], mpz_t now[], mpz_t next[])
{
    const size_t n = law->shuffler->n;

    for (size_t c = 0; c < n * n; c++)
        mpz_set_ui(next[c], 0);
    for (size_t q = 0; q < n && !origins_stopped(law); q++)
        for (size_t r = 0; r < n; r++)
            for (size_t i = 0; i < n && mpz_sgn(step[q * n + r]) != 0; i++)
                mpz_addmul(next[q * n + i], step[q * n + r], now[r * n + i]);
}

/* Applies all steps to the identity, which is in *now. After each step, *now and *next are exchanged. */
static enum sb_status origins_run_integers(struct sb_origins *origins, struct sb_evidence *step, mpz_t **now,
                                           mpz_t **next, mpz_t denominator)
{
    const struct sb_law *const law = origins->law;
    const size_t steps = sb_origins_steps(law->shuffler);
    enum sb_status status = SB_OK;

    for (size_t k = 0; k < steps && status == SB_OK; k++) {
        if (origins_pause(law, k, steps))
            return SB_STOPPED;
        status = origins_step_integers(origins, k, step);
        if (status == SB_OK)
            origins_multiply_integers(law, step->counts.wide, *now, *next);
        mpz_mul(denominator, denominator, step->denominator);
        mpz_t *const old = *now;
        *now = *next;
        *next = old;
    }
    return status == SB_OK && origins_stopped(law) ? SB_STOPPED : status;
}

enum sb_status sb_position_origins_integers(const struct sb_law *law, struct sb_evidence *evidence)
{
    const size_t n = evidence->n, deal = evidence->deal;
    struct sb_evidence step = { .by = SB_BY_EXACT, .cells = n * n };
    mpz_t *now = sb_mpz_new(n * n, 64), *next = sb_mpz_new(n * n, 64);
    enum sb_status status = now && next ? SB_OK : SB_NO_MEMORY;
    struct sb_origins origins;

    if (status == SB_OK)
        status = sb_numbers_open(SB_NUMBERS_WIDE, n * n, &step.counts);
    if (status == SB_OK)
        status = sb_numbers_open(SB_NUMBERS_WIDE, n * deal, &evidence->matrix);
    mpz_init(step.denominator);
    sb_origins_open(law, &origins);
    mpz_set_ui(evidence->denominator, 1);
    for (size_t i = 0; status == SB_OK && i < n; i++)
        mpz_set_ui(now[i * n + i], 1);
    if (status == SB_OK)
        status = origins_run_integers(&origins, &step, &now, &next, evidence->denominator);
    for (size_t c = 0; status == SB_OK && c < n * deal; c++)
        mpz_swap(evidence->matrix.wide[c], now[c % deal * n + c / deal]);
    sb_origins_close(&origins);
    sb_evidence_close(&step);
    sb_mpz_free(now, n * n);
    sb_mpz_free(next, n * n);
    return status;
}

/* Computes the matrix of one step, [q * n + r]. Returns a bound on the relative error of the matrix entries,
 * in units of u. */
static double origins_step_doubles(struct sb_origins *origins, size_t step, double made[])
{
    const size_t n = origins->law->shuffler->n;
    double error = 0;
    size_t from;

    for (size_t q = 0; q < n && !origins_stopped(origins->law); q++) {
        double terms = 0;
        size_t questions = 0;

        for (size_t r = 0; r < n; r++)
            made[q * n + r] = 0;
        while (sb_origins_next(origins, step, q, &from)) {
            made[q * n + from] += sb_origins_share(origins);
            questions = origins->length > questions ? origins->length : questions;
            terms++;
        }
        error = fmax(error, terms + 6 * (double)questions);
    }
    return error;
}

/* Computes next = T * now, a product of matrices. Rows are positions, and columns are items. */
static void origins_multiply_doubles(const struct sb_law *law, const double step[], const double now[],
                                     double next[])
{
    const size_t n = law->shuffler->n;

    for (size_t q = 0; q < n && !origins_stopped(law); q++) {
        double *const row = next + q * n;

        for (size_t i = 0; i < n; i++)
            row[i] = 0;
        for (size_t r = 0; r < n; r++) {
            const double share = step[q * n + r];

            if (share == 0)
                continue;
            for (size_t i = 0; i < n; i++)
                row[i] += share * now[r * n + i];
        }
    }
}

enum sb_status sb_position_origins_doubles(const struct sb_law *law, struct sb_evidence *evidence)
{
    const size_t n = evidence->n, deal = evidence->deal, steps = sb_origins_steps(law->shuffler);
    double *const step = calloc(n * n + 1, sizeof *step);
    double *now = calloc(n * n + 1, sizeof *now), *next = calloc(n * n + 1, sizeof *next);
    enum sb_status status = step && now && next ? SB_OK : SB_NO_MEMORY;
    struct sb_origins origins;
    double roundings = 0;

    if (status == SB_OK)
        status = sb_numbers_open(SB_NUMBERS_SHARE, n * deal, &evidence->matrix);
    sb_origins_open(law, &origins);
    for (size_t i = 0; status == SB_OK && i < n; i++)
        now[i * n + i] = 1;
    for (size_t k = 0; status == SB_OK && k < steps; k++) {
        double *const old = now;

        if (origins_pause(law, k, steps)) {
            status = SB_STOPPED;
            break;
        }
        roundings += origins_step_doubles(&origins, k, step) + (double)n + 1;
        origins_multiply_doubles(law, step, now, next);
        now = next;
        next = old;
        status = origins.src.status;
    }
    if (status == SB_OK && origins_stopped(law))
        status = SB_STOPPED;
    for (size_t c = 0; status == SB_OK && c < n * deal; c++)
        evidence->matrix.share[c] = fmin(1, now[c % deal * n + c / deal]);
    sb_origins_close(&origins);
    free(step);
    free(now);
    free(next);
    evidence->error = roundings * 0x1p-53;
    return status;
}
