/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the shuffle by the positions: the biased shuffle of the registry, or the shuffle buffer of the
 * observed size, in one of its variants, whose exact matrix gives the observed positions the largest
 * likelihood. This likelihood treats the positions of different items as independent, although they are not.
 * So the result is a description, not evidence.
 *
 * The matrix must fit: the sum of (O-E)^2/E over the cells that can occur, scaled by (n-1)/n, is at most six
 * standard deviations above its mean. O is the observed count, and E the expected count. The positions must
 * be more than e^7 times as likely under this matrix as under the uniform matrix. Matrices that differ by at
 * most 1e-9 in each cell count as equal. Inverting the decks transposes the matrix, and reversing the decks
 * mirrors its columns.
 *
 * Cost: for 52 items, the engines need half a second to compute the matrices.
 */
#include "exact/engine.h"
#include "study/catalogue/catalogue_build.h"
#include "study/catalogue/catalogue_look.h"
#include "subject/scheme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* the largest cost of one matrix, in nanoseconds, according to the engine's estimate */
static const double look_cost = 1e8;
static const double look_ln_least = 7, look_deviations = 6, look_equal = 1e-9;

/* The state of the search. */
struct look {
    size_t n;
    double total;
    double *seen;  /* [n * n] observed counts; owned */
    double *share; /* [n * n] the matrix that is compared with the counts; owned */
    double *best;  /* [n * n] the best matrix so far; owned */
    double ln_best;
    struct sb_looks_like *looks_like;
};

/* Returns the sum over all cells of count times ln(n p), where p is the cell's probability. Returns -HUGE_VAL
 * if the counts are impossible under the matrix, or do not fit the matrix. */
static double look_ln_ratio(const struct look *look)
{
    const double n = (double)look->n;
    double sum = 0, square = 0, cells = 0;

    for (size_t i = 0; i < look->n * look->n; i++) {
        const double expected = look->total * look->share[i], excess = look->seen[i] - expected;

        if (expected <= 0 && look->seen[i] > 0)
            return -HUGE_VAL;
        if (expected <= 0)
            continue;
        sum += look->seen[i] * log(n * look->share[i]);
        square += excess * excess / expected * (n - 1) / n;
        cells++;
    }
    const double freedom = fmax(1, cells - 2 * n + 1);

    return square > freedom + look_deviations * sqrt(2 * freedom) ? -HUGE_VAL : sum;
}

static bool look_is_best(const struct look *look)
{
    for (size_t i = 0; i < look->n * look->n; i++)
        if (fabs(look->share[i] - look->best[i]) > look_equal)
            return false;
    return true;
}

/* Compares the matrix of a scheme in one variant. */
static enum sb_status look_compare(struct look *look, const struct sb_evidence *matrix, const char *scheme,
                                   unsigned variant)
{
    const size_t n = look->n;
    char name[SB_CATALOGUE_NAME];
    double ln_ratio;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const size_t at = variant & SB_VARIANT_REVERSED ? n - 1 - j : j;

            look->share[i * n + j] = variant & SB_VARIANT_INVERTED ? sb_evidence_matrix_share(matrix, at, i)
                                                                   : sb_evidence_matrix_share(matrix, i, at);
        }
    ln_ratio = look_ln_ratio(look);
    sb_catalogue_name(scheme, variant, name);
    if (look->looks_like->scheme && look_is_best(look))
        return sb_catalogue_look_also(name, look->looks_like);
    if (ln_ratio <= look->ln_best)
        return SB_OK;
    for (size_t i = 0; i < n * n; i++)
        look->best[i] = look->share[i];
    look->ln_best = ln_ratio;
    sb_looks_like_close(look->looks_like);
    return sb_catalogue_look_named(scheme, variant, look->looks_like);
}

/* Compares all variants of a shuffle, if its matrix is known. */
static enum sb_status look_try(struct look *look, const char *name, struct sb_error *error)
{
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_evidence matrix = { 0 };
    struct sb_options options;
    enum sb_status status = SB_OK;
    double cost;

    sb_options_init(&options);
    if (sb_scheme_parse(name, NULL, NULL, NULL, &scheme) || sb_scheme_check(&scheme, look->n, look->n, NULL))
        return SB_OK;
    if (sb_shuffler_open(scheme.shuffle, look->n, look->n, &shuffler))
        return SB_NO_MEMORY;
    const struct sb_law law = sb_scheme_law(&scheme, &shuffler, &options);
    const struct sb_engine_type *const engine = sb_engine_for(&law, SB_TASK_MATRIX, &cost);

    if (cost <= look_cost)
        status = engine->matrix(&law, error, &matrix);
    for (unsigned v = 0; v < SB_VARIANTS && cost <= look_cost && status == SB_OK; v++)
        status = look_compare(look, &matrix, scheme.name, v);
    sb_evidence_close(&matrix);
    sb_shuffler_close(&shuffler);
    return status == SB_NO_MEMORY ? status : SB_OK;
}

/* Returns the size of a shuffle buffer whose items come as early as the earliest observed item, compared with
 * its own position. */
static size_t look_buffer(const struct look *look)
{
    size_t early = 0;

    for (size_t item = 0; item < look->n; item++)
        for (size_t at = 0; at < item; at++)
            if (look->seen[item * look->n + at] > 0 && item - at > early)
                early = item - at;
    return early + 1;
}

static enum sb_status look_all(struct look *look, struct sb_error *error)
{
    const size_t buffer = look_buffer(look);
    enum sb_status status = SB_OK;
    char name[SB_CATALOGUE_NAME];

    for (size_t i = 0; i < sb_shuffles_unnamed() && status == SB_OK; i++)
        if (sb_shuffle_types[i]->claim == SB_BIASED)
            status = look_try(look, sb_shuffle_types[i]->name, error);
    snprintf(name, sizeof name, "shuffle-buffer:%zu", buffer);
    /* some items come as early by accident in many shuffles; they would pass for a larger buffer */
    if (buffer > 1 && buffer <= look->n / 2 && status == SB_OK)
        status = look_try(look, name, error);
    return status;
}

enum sb_status sb_catalogue_look_positions(const struct sb_evidence *evidence, double ln_least,
                                           struct sb_error *error, struct sb_looks_like *looks_like)
{
    const size_t n = evidence->n, cells = n * n;
    struct sb_looks_like found = { .asked = true };
    struct look look = {
        .n = n,
        .total = (double)evidence->total,
        .ln_best = fmax(ln_least, look_ln_least),
        .looks_like = &found,
    };
    enum sb_status status = SB_NO_MEMORY;

    if (n > SB_LOOK_ITEMS || !sb_numbers_narrow(&evidence->matrix))
        return SB_OK;
    look.seen = calloc(cells, sizeof *look.seen);
    look.share = calloc(cells, sizeof *look.share);
    look.best = calloc(cells, sizeof *look.best);
    if (look.seen && look.share && look.best) {
        for (size_t i = 0; i < cells; i++)
            look.seen[i] = (double)sb_numbers_u64(&evidence->matrix, i);
        status = look_all(&look, error);
    }
    free(look.seen);
    free(look.share);
    free(look.best);
    if (status || !found.scheme) {
        sb_looks_like_close(&found);
        return status;
    }
    found.by_positions = true;
    found.ln_ratio = NAN;
    sb_looks_like_close(looks_like);
    *looks_like = found;
    return SB_OK;
}
