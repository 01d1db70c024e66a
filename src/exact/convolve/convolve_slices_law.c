/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the law by slices: prepares the walk, and makes evidence from the walk's census. */
#include "core/exact.h"
#include "core/system/threads.h"
#include "exact/convolve/convolve_memory.h"
#include "exact/convolve/convolve_slices_walk.h"
#include "exact/position/position.h"

#include <stdlib.h>

static void slices_close(struct sb_slices_walk *walk)
{
    for (size_t x = 0; x < SB_CONVOLVE_ITEMS_MOST; x++)
        free(walk->cells[x]);
    while (walk->spares > 0)
        free(walk->spare[--walk->spares]);
    if (walk->step)
        sb_convolve_step_close(walk->step);
    free(walk->step);
    sb_slices_tables_close(&walk->tables);
    sb_convolve_census_close(walk->part, walk->part ? walk->threads : 0);
    free(walk->part);
    free(walk->times);
    free(walk->sum);
    free(walk->pair);
    free(walk->list);
}

/* Allocates all memory of a walk, so that a lack of memory is found before the work starts. The caller closes
 * the walk in any case. */
static enum sb_status slices_open(const struct sb_law *law, const struct sb_slices_plan *slices,
                                  struct sb_slices_walk *walk)
{
    const size_t tiles = slices->inner.cells / SB_CONVOLVE_CELLS;
    const size_t shared = (size_t)SB_SLICES_SHARED_TILES * SB_CONVOLVE_CELLS;
    bool had;

    *walk = (struct sb_slices_walk) {
        .law = law,
        .slices = slices,
        .mine = sb_slices_mine(slices, law->ranks),
        .step = calloc(1, sizeof *walk->step),
        .threads = sb_threads_count(law->threads, tiles),
        .times = calloc((size_t)1 << SB_CENSUS_COUNT_BITS, sizeof *walk->times),
    };
    walk->part = sb_convolve_census_open(slices->plan->n, slices->item, walk->threads);
    had = walk->step && walk->times && walk->part && sb_slices_tables_open(&walk->tables) == SB_OK &&
          sb_convolve_step_open(&slices->inner, walk->step) == SB_OK;
    if (law->ranks) {
        walk->sum = calloc(shared, sizeof *walk->sum);
        walk->pair = calloc(shared / 2, sizeof *walk->pair);
        walk->list = calloc(law->ranks->size, sizeof *walk->list);
        had = had && walk->sum && walk->pair && walk->list;
    }
    for (size_t i = sb_slices_most(slices, law->ranks); had && i > 0; i--) {
        void *const cells = sb_convolve_new(sb_slices_width(slices, true), 1);

        had = cells;
        if (had)
            walk->spare[walk->spares++] = cells;
    }
    return had ? SB_OK : SB_NO_MEMORY;
}

/* The walk after its first steps. */
struct slices_start {
    struct sb_slices_walk *walk;
    size_t done; /* number of steps done */
    bool ready;  /* whether the common order, the layouts and the slices are set up */
    bool packed; /* whether cells have 20 bits */
    struct sb_convolve_layout layout[SB_CONVOLVE_ITEMS_MOST];
};

/* Sets up the slices that the first steps fill. */
static void slices_prepare(struct slices_start *start)
{
    struct sb_slices_walk *const walk = start->walk;
    const struct sb_slices_plan *const slices = walk->slices;
    const unsigned filled = sb_slices_filled(slices, start->done);

    start->ready = true;
    start->packed = sb_slices_packed(slices, start->done);
    sb_slices_order(slices->plan->n, slices->plan->swap[start->done].centre, walk->order);
    for (size_t x = 0; x < slices->plan->n; x++) {
        sb_slices_layout(slices, walk->order, x, &start->layout[x]);
        if (!(filled & walk->mine & 1U << x))
            continue;
        walk->cells[x] = walk->spare[--walk->spares];
        sb_convolve_touch(walk->law, walk->cells[x], sb_slices_width(slices, start->packed));
    }
}

static bool slices_interrupted(const struct sb_law *law)
{
    return law->stop && *law->stop;
}

/* Stores the count of a permutation. */
static void slices_put(void *state, const sb_item a[], const void *cell)
{
    struct slices_start *const start = state;
    const struct sb_slices_plan *const slices = start->walk->slices;
    const size_t n = slices->plan->n;
    const uint32_t count = slices->narrow > 0 ? *(const uint16_t *)cell : *(const uint32_t *)cell;
    sb_item b[SB_CONVOLVE_ITEMS_MOST];
    size_t x = 0;

    if (!start->ready)
        slices_prepare(start);
    if (slices_interrupted(start->walk->law)) /* if so, memory may be untouched, and slow to write */
        return;
    while (a[x] != slices->item)
        x++;
    if (!start->walk->cells[x]) /* another rank's slice */
        return;
    for (size_t c = 0; c + 1 < n; c++) {
        const sb_item item = a[start->layout[x].position[c]];

        b[c] = item - (item > slices->item);
    }
    sb_convolve_run_set((size_t)sb_permutation_rank(n - 1, n - 1, b), start->packed, count,
                        start->walk->cells[x]);
}

static enum sb_status slices_walk(struct sb_slices_walk *walk)
{
    const struct sb_slices_plan *const slices = walk->slices;
    const struct sb_convolve_cells *const cells = slices->narrow ? &sb_convolve_narrow : &sb_convolve_small;
    struct slices_start start = { .walk = walk };
    enum sb_status status =
        cells->start(slices->plan, 0, slices->narrow ? slices->narrow : slices->plan->count - 1, &start.done,
                     slices_put, &start);

    if (status == SB_OK && slices_interrupted(walk->law))
        status = SB_STOPPED;
    status = sb_slices_agree(walk->law->ranks, status);
    return status ? status : sb_slices_steps(walk, start.done);
}

/* Returns whether the counts add up to the denominator. */
static bool slices_certain(const struct sb_evidence *evidence, const struct sb_slices_walk *walk)
{
    sb_wide sum = sb_wide_from(0);

    for (size_t i = 0; i < walk->entries; i++)
        sum = sb_wide_add(sum, sb_wide_product(walk->times[i], i));
    return sb_wide_equal(sum, sb_wide_from(evidence->total));
}

/* Sets the matrix of the evidence. The Markov chain of positions (exact/position) gives this matrix exactly,
 * over the same denominator. */
static enum sb_status slices_matrix(const struct sb_law *law, struct sb_evidence *evidence)
{
    struct sb_law quiet = *law;
    struct sb_evidence made = { 0 };

    quiet.progress = NULL;
    enum sb_status status = sb_position_matrix(&quiet, true, NULL, &made);

    if (status)
        return status;
    status = mpz_cmp(made.denominator, evidence->denominator) == 0
                 ? sb_numbers_open(SB_NUMBERS_U64, made.matrix.size, &evidence->matrix)
                 : SB_BROKEN;
    for (size_t i = 0; status == SB_OK && i < made.matrix.size; i++)
        evidence->matrix.u64[i] = sb_mpz_get_u64(made.matrix.wide[i]);
    sb_evidence_close(&made);
    return status;
}

enum sb_status sb_slices_law(const struct sb_law *law, const struct sb_slices_plan *slices,
                             struct sb_evidence *evidence, bool *certain)
{
    struct sb_slices_walk walk;
    enum sb_status status = sb_slices_agree(law->ranks, slices_open(law, slices, &walk));

    *certain = false;
    if (status == SB_OK)
        status = slices_walk(&walk);
    if (status == SB_OK && law->ranks)
        sb_slices_join(&walk);
    if (status == SB_OK) {
        *certain = slices_certain(evidence, &walk);
        sb_ranks_broadcast(law->ranks, certain, sizeof *certain);
    }
    if (*certain && sb_ranks_is_root(law->ranks)) {
        struct sb_census *const census =
            sb_convolve_census_join(walk.part, walk.threads, walk.times, walk.entries);

        status = census ? slices_matrix(law, evidence) : SB_NO_MEMORY;
        if (census)
            evidence->counts =
                (struct sb_numbers) { .form = SB_NUMBERS_CENSUS, .size = evidence->cells, .census = census };
    }
    slices_close(&walk);
    return status;
}
