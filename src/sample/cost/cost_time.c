/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures how long a shuffle takes, and how long each part of the work takes. The repetitions of the parts
 * are interleaved, so that all parts run while the machine is in the same state. Each time is the median of
 * five repetitions. All times are processor time, which other programs disturb less than elapsed time.
 */
#include "sample/cost/cost.h"
#include "sample/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COST_TURNS = 5, COST_PARTS = 5 };

/* State of one call of sb_cost_time(). */
struct cost_timing {
    const struct sb_recipe *recipe;
    size_t decks; /* number of decks per repetition */
    double words; /* number of words per deck */
    struct sb_plain plain;
    bool side_by_side;
    struct sb_lanes_program program;
    struct sb_lanes_tally tally;
    struct sb_lanes_matrix matrix;
};

static double cost_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static enum sb_status cost_plain(struct cost_timing *timing)
{
    enum sb_status status = SB_OK;

    for (size_t d = 0; d < timing->decks && status == SB_OK; d++)
        status = sb_plain_next(&timing->plain);
    return status;
}

static enum sb_status cost_side_by_side(struct cost_timing *timing)
{
    const struct sb_lanes_isa *const isa = sb_lanes_best();
    const size_t block = sb_block_decks(timing->program.n);
    const uint64_t seed = timing->recipe->seed;

    for (size_t d = 0, k = 0; timing->side_by_side && d < timing->decks; d += block, k++) {
        const size_t left = timing->decks - d, decks = left < block ? left : block;

        if (timing->program.cells > 0)
            isa->tally(&timing->program, seed, k, decks, &timing->tally);
        else
            isa->matrix(&timing->program, seed, k, decks, &timing->matrix, NULL);
    }
    return SB_OK;
}

/* Generates as many words as the decks take, in the same way as a shuffle in plain C does. */
static enum sb_status cost_generator(struct cost_timing *timing)
{
    struct sb_plain *const plain = &timing->plain;
    const uint64_t words = (uint64_t)(timing->words * (double)timing->decks);
    volatile uint64_t sink = 0;

    if (plain->src.word) /* the source reads from a buffer */
        for (uint64_t w = 0; w < words; w += SB_PLAIN_WORDS)
            timing->recipe->rng->type->fill(plain->words, SB_PLAIN_WORDS, plain->buffer);
    else
        for (uint64_t w = 0; w < words; w++)
            sink += sb_words_next(plain->words);
    (void)sink;
    return SB_OK;
}

static enum sb_status cost_fill(struct cost_timing *timing)
{
    volatile sb_item sink = 0;

    for (size_t d = 0; timing->plain.deck.n > 0 && d < timing->decks; d++) {
        sb_deck_reset(&timing->plain.deck);
        sink = timing->plain.deck.a[d % timing->plain.deck.n];
    }
    (void)sink;
    return SB_OK;
}

static enum sb_status cost_copy(struct cost_timing *timing)
{
    const struct sb_deck *const deck = &timing->plain.deck;
    volatile sb_item sink = 0;

    for (size_t d = 0; deck->n > 0 && d < timing->decks; d++) {
        memcpy(deck->b, deck->a, deck->n * sizeof *deck->a);
        sink = deck->b[d % deck->n];
    }
    (void)sink;
    return SB_OK;
}

static int cost_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Measures all parts, with interleaved repetitions. */
static enum sb_status cost_turns(struct cost_timing *timing, struct sb_cost_times *times)
{
    static enum sb_status (*const part[COST_PARTS])(struct cost_timing *) = {
        cost_plain, cost_side_by_side, cost_generator, cost_fill, cost_copy,
    };
    double *const into[COST_PARTS] = { &times->plain, &times->side_by_side, &times->generator, &times->fill,
                                       &times->copy };
    double took[COST_PARTS][COST_TURNS];
    enum sb_status status = SB_OK;

    for (int turn = 0; turn < COST_TURNS && status == SB_OK; turn++)
        for (int k = 0; k < COST_PARTS && status == SB_OK; k++) {
            const double began = cost_now();

            status = part[k](timing);
            took[k][turn] = (cost_now() - began) / (double)timing->decks;
        }
    for (int k = 0; k < COST_PARTS && status == SB_OK; k++) {
        qsort(took[k], COST_TURNS, sizeof took[k][0], cost_compare);
        *into[k] = took[k][COST_TURNS / 2];
    }
    if (!timing->side_by_side)
        times->side_by_side = NAN;
    return status;
}

enum sb_status sb_cost_time(const struct sb_recipe *recipe, size_t decks, double words,
                            struct sb_cost_times *times)
{
    struct cost_timing *const timing = calloc(1, sizeof *timing);
    enum sb_status status = timing ? SB_OK : SB_NO_MEMORY;

    if (status == SB_OK) {
        timing->recipe = recipe;
        timing->decks = decks / COST_TURNS + 1;
        timing->words = words;
        timing->side_by_side = sb_sample_side_by_side(recipe, &timing->program);
        if (timing->side_by_side && timing->program.cells > 0)
            status = sb_lanes_tally_open(&timing->program, &timing->tally);
        else if (timing->side_by_side)
            status = sb_lanes_matrix_open(timing->program.n, timing->program.deal, &timing->matrix);
    }
    if (status == SB_OK)
        status = sb_plain_open(recipe, &timing->plain);
    if (status == SB_OK)
        status = cost_turns(timing, times);
    if (timing) {
        sb_plain_close(&timing->plain);
        sb_lanes_tally_close(&timing->tally);
        sb_lanes_matrix_close(&timing->matrix);
    }
    free(timing);
    return status;
}
