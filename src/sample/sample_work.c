/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does a thread's part of a sample: shuffles decks side by side if the recipe allows this, else one by one.
 * Cost: the shuffles, and at most about 13 bytes for each cell in each thread.
 */
#include "sample/sample_work.h"

#include <stdlib.h>
#include <string.h>

/* with at least this many decks for each series of draws, counting by series saves more time than its table
 * of ranks costs */
enum { WORK_DECKS_PER_SERIES = 16 };

void sb_sample_worker_clear(struct sb_sample_worker *worker)
{
    sb_lanes_tally_close(&worker->lanes);
    sb_lanes_matrix_close(&worker->matrix);
    free(worker->dealt);
    free(worker->count);
    free(worker->cell);
    worker->dealt = NULL;
    worker->count = NULL;
    worker->cell = NULL;
    worker->counted = 0;
    sb_tallies_close(&worker->tallies);
}

void sb_sample_worker_close(struct sb_sample_worker *worker)
{
    sb_sample_worker_clear(worker);
    sb_plain_close(&worker->plain);
    free(worker);
}

static enum sb_status sample_lanes_open(const struct sb_sample_run *run, struct sb_sample_worker *worker)
{
    const struct sb_lanes_program *const program = &run->program;

    if (program->cells > 0 && program->series > 0 && run->total / program->series >= WORK_DECKS_PER_SERIES)
        return sb_lanes_tally_open_series(program, &worker->lanes);
    if (program->cells > 0)
        return sb_lanes_tally_open(program, &worker->lanes);
    return sb_lanes_matrix_open(program->n, program->deal, &worker->matrix);
}

static enum sb_status sample_plain_open(const struct sb_sample_run *run, struct sb_sample_worker *worker)
{
    worker->count = calloc(worker->members * worker->cells + 1, sizeof *worker->count);
    worker->cell = calloc(worker->members + 1, sizeof *worker->cell);
    if (!worker->count || !worker->cell)
        return SB_NO_MEMORY;
    return worker->plain.words ? SB_OK : sb_plain_open(&run->recipe, &worker->plain);
}

enum sb_status sb_sample_worker_open(const struct sb_sample_run *run, struct sb_sample_worker **opened)
{
    const struct sb_recipe *const recipe = &run->sample->recipe;
    const size_t n = recipe->shuffler->n, deal = recipe->shuffler->deal;
    struct sb_sample_worker *const worker = *opened ? *opened : calloc(1, sizeof *worker);
    enum sb_status status;

    if (!worker)
        return SB_NO_MEMORY;
    worker->members = run->statistic->members(n, deal);
    worker->cells = run->statistic->cells(n, deal);
    if (run->tallies)
        worker->dealt = calloc(run->block * deal + 1, sizeof *worker->dealt);
    if (run->tallies && !worker->dealt)
        status = SB_NO_MEMORY;
    else
        status = run->side_by_side ? sample_lanes_open(run, worker) : sample_plain_open(run, worker);
    if (status == SB_OK && run->tallies)
        status = sb_tallies_fork(run->tallies, 0, NULL, &worker->tallies);
    *opened = worker;
    if (status) {
        sb_sample_worker_close(worker);
        *opened = NULL;
    }
    return status;
}

/* Counts the decks of a block side by side, and adds the decks to the tallies one after the other. Decks that
 * are counted by rank are dealt again for the tallies. */
static void sample_lanes(const struct sb_sample_run *run, struct sb_sample_worker *worker, uint64_t block,
                         size_t decks)
{
    const struct sb_lanes_isa *const isa = sb_lanes_best();
    const struct sb_lanes_program *const program = &run->program;
    const uint64_t seed = run->sample->recipe.seed;

    if (program->cells > 0)
        isa->tally(program, seed, block, decks, &worker->lanes);
    else
        isa->matrix(program, seed, block, decks, &worker->matrix, worker->dealt);
    if (run->tallies && program->cells > 0)
        isa->deal(program, seed, block, decks, worker->dealt);
    if (run->tallies)
        sb_tallies_add(&worker->tallies, worker->dealt, decks);
}

/* Shuffles and counts decks one by one, and adds the decks to the tallies. Returns the number of decks, which
 * is smaller than `decks` if the shuffle ended early. */
static size_t sample_plain(const struct sb_sample_run *run, struct sb_sample_worker *worker, uint64_t block,
                           size_t decks)
{
    const struct sb_recipe *const recipe = &run->sample->recipe;
    const size_t n = recipe->shuffler->n, deal = recipe->shuffler->deal;
    const size_t members = worker->members, cells = worker->cells;
    uint64_t *const count = worker->count;
    uint32_t *const cell = worker->cell;
    size_t counted = 0;

    sb_plain_seek(&worker->plain, block);
    for (; counted < decks && sb_plain_next(&worker->plain) == SB_OK; counted++) {
        run->statistic->classify(n, deal, worker->plain.deck.a, cell);
        for (size_t m = 0; m < members; m++)
            count[m * cells + cell[m]]++;
        if (run->tallies)
            memcpy(worker->dealt + counted * deal, worker->plain.deck.a, deal * sizeof worker->dealt[0]);
    }
    if (run->tallies)
        sb_tallies_add(&worker->tallies, worker->dealt, counted);
    return counted;
}

size_t sb_sample_block(const struct sb_sample_run *run, struct sb_sample_worker *worker, uint64_t block,
                       size_t decks)
{
    sb_tallies_begin(&worker->tallies, block * run->block);
    if (run->side_by_side) {
        sample_lanes(run, worker, block, decks);
        return decks;
    }
    return sample_plain(run, worker, block, decks);
}

bool sb_sample_needs(const struct sb_sample_run *run, uint64_t block)
{
    const struct sb_repeats_sample *const noted = run->tallies ? run->tallies->noted : NULL;

    return !run->recipe.rng->type->seek || (noted && sb_repeats_sample_wants(noted, block * run->block));
}

void sb_sample_pass(const struct sb_sample_run *run, struct sb_sample_worker *worker, uint64_t block,
                    size_t decks)
{
    struct sb_repeats_sample *const noted = run->tallies ? run->tallies->noted : NULL;
    const uint64_t first = block * run->block;

    if (run->side_by_side) {
        sb_lanes_best()->deal(&run->program, run->recipe.seed, block, decks, worker->dealt);
        if (noted)
            sb_repeats_sample_note(noted, first, worker->dealt, decks);
        return;
    }
    sb_plain_seek(&worker->plain, block);
    for (size_t d = 0; d < decks && sb_plain_next(&worker->plain) == SB_OK; d++)
        if (noted)
            sb_repeats_sample_note(noted, first + d, worker->plain.deck.a, 1);
}

void sb_sample_collect(struct sb_sample_run *run, struct sb_sample_worker *worker)
{
    struct sb_evidence *const evidence = run->evidence;

    evidence->total += worker->counted;
    if (run->tallies)
        sb_tallies_join(run->tallies, &worker->tallies);
    if (run->side_by_side && evidence->cells > 0) {
        sb_lanes_tally_add(&worker->lanes, evidence->counts.u64);
        return;
    }
    if (run->side_by_side) {
        sb_lanes_matrix_settle(&worker->matrix);
        for (size_t i = 0; i < evidence->n * evidence->deal; i++)
            evidence->matrix.u64[i] += worker->matrix.count[i];
        return;
    }
    for (size_t i = 0; i < evidence->cells; i++)
        evidence->counts.u64[i] += worker->count[i];
    for (size_t i = 0; evidence->cells == 0 && i < evidence->n; i++)
        for (size_t j = 0; j < evidence->deal; j++)
            evidence->matrix.u64[i * evidence->deal + j] += worker->count[i * worker->cells + j];
}
