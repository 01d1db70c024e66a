/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Milliseconds for an exact matrix of items by positions: n = 52 in doubles and in integers, beside the
 * plain way, a product of n dense matrices by gsl_blas_dgemm; and n = 1000 in doubles. One thread.
 *
 * The figures are medians of repetitions in turn, so that both programs see the same state of the machine.
 */
#include "bench/timing.h"
#include "exact/engines.h"
#include "subject/subject.h"

#include <gsl/gsl_blas.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPEATS = 9 };

/* Milliseconds. */
static double median(double times[], size_t count)
{
    return 1e3 * timing_median(times, count);
}

static double ours(const char *text, size_t n, bool exact)
{
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_evidence evidence;

    if (sb_scheme_parse(text, NULL, NULL, NULL, &scheme) || sb_shuffler_open(scheme.shuffle, n, n, &shuffler))
        abort();
    const struct sb_law law = {
        .shuffler = &shuffler,
        .draw = &scheme.draw,
        .largest = sb_draw_largest(&scheme.draw, scheme.rng.largest),
        .threads = 1,
    };
    const double began = timing_seconds(CLOCK_MONOTONIC);
    if (sb_position_matrix(&law, exact, NULL, &evidence))
        abort();
    const double took = timing_seconds(CLOCK_MONOTONIC) - began;
    sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
    return took;
}

/* The naive swap's steps as dense matrices, multiplied out. */
static double peer(size_t n)
{
    const double share = 1 / (double)n;
    gsl_matrix *now = gsl_matrix_alloc(n, n), *next = gsl_matrix_alloc(n, n), *const step = gsl_matrix_alloc(n, n);
    const double began = timing_seconds(CLOCK_MONOTONIC);

    gsl_matrix_set_identity(now);
    for (size_t at = 0; at < n; at++) {
        gsl_matrix *const old = now;

        gsl_matrix_set_identity(step);
        for (size_t j = 0; j < n; j++) {
            gsl_matrix_set(step, j, j, 1 - share);
            gsl_matrix_set(step, at, j, share);
            gsl_matrix_set(step, j, at, share);
        }
        gsl_blas_dgemm(CblasNoTrans, CblasNoTrans, 1, old, step, 0, next);
        now = next;
        next = old;
    }
    const double took = timing_seconds(CLOCK_MONOTONIC) - began;
    gsl_matrix_free(now);
    gsl_matrix_free(next);
    gsl_matrix_free(step);
    return took;
}

static void side_by_side(const char *text)
{
    double doubles[REPEATS], integers[REPEATS], dense[REPEATS];

    for (int r = 0; r < REPEATS; r++) {
        doubles[r] = ours(text, 52, false);
        integers[r] = ours(text, 52, true);
        dense[r] = peer(52);
    }
    const double plain = median(dense, REPEATS), fast = median(doubles, REPEATS);
    printf("%-28s n = 52: doubles %.3f ms, integers %.2f ms; dense matrices %.2f ms, %.0f times the doubles\n", text,
           fast, median(integers, REPEATS), plain, plain / fast);
}

/* A shuffle whose steps are matrices themselves. */
static void alone(const char *text)
{
    double doubles[REPEATS], integers[REPEATS];

    for (int r = 0; r < REPEATS; r++) {
        doubles[r] = ours(text, 52, false);
        integers[r] = ours(text, 52, true);
    }
    printf("%-28s n = 52: doubles %.2f ms, integers %.2f ms\n", text, median(doubles, REPEATS),
           median(integers, REPEATS));
}

int main(void)
{
    double large[3];

    side_by_side("naive");
    side_by_side("fisher-yates/modulo:15");
    side_by_side("transpositions");
    side_by_side("transpositions/modulo:31");
    alone("overhand");
    alone("riffle:7");
    alone("splice");
    alone("sort-bubble");
    for (int r = 0; r < 3; r++)
        large[r] = ours("naive", 1000, false);
    printf("%-28s n = 1000: doubles %.0f ms\n", "naive", median(large, 3));
    return 0;
}
