/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does the walk of `convolve`. Each step reads one array of n! cells and writes another array.
 *
 * The threads share the tiles of a step. Each cell is written by only one thread, from cells that no thread
 * writes, so the result does not depend on the number of threads. Cost: two arrays, and n! additions for each
 * pair of positions.
 */
#include "exact/convolve/convolve_walk.h"

#include "core/system.h"
#include "exact/convolve/convolve_memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { WALK_BLOCK = 16 }; /* number of tiles that a thread takes at once */

/* State that the threads of one step share. */
struct walk_step {
    const struct sb_convolve_walk *walk;
    const struct sb_convolve_step *step;
    size_t number, tiles;
    const void *old;
    void *new;
    atomic_size_t next; /* index of the next tile to take */
};

/* Returns the functions for the type of cell that step k writes. */
static const struct sb_convolve_cells *walk_arithmetic(const struct sb_convolve_walk *walk, size_t k)
{
    if (k < walk->narrow)
        return &sb_convolve_narrow;
    return walk->narrow > 0 && k == walk->narrow ? &sb_convolve_widen : walk->cells;
}

static bool walk_stopped(const struct sb_convolve_walk *walk)
{
    return walk->law->stop && *walk->law->stop;
}

static void walk_report(const struct walk_step *w, size_t tile)
{
    const struct sb_law *const law = w->walk->law;
    const uint64_t steps = w->walk->plan->count, done = w->walk->done * steps + w->number;

    if (law->progress)
        law->progress(law->progress_state, law->subject, (done * w->tiles + tile) * w->walk->plan->tile,
                      steps * w->walk->rounds * w->tiles * w->walk->plan->tile);
}

/* Does the work of a thread: takes tiles until none is left. Thread 0 is the calling thread. */
static void walk_work(void *state, size_t thread)
{
    struct walk_step *const w = state;
    const struct sb_convolve_cells *const cells = walk_arithmetic(w->walk, w->number);
    void *const scratch = cells->open(w->step, w->walk->modulus);

    while (scratch && !walk_stopped(w->walk)) {
        const size_t first = atomic_fetch_add(&w->next, WALK_BLOCK);

        if (first >= w->tiles)
            break;
        const size_t end = first + WALK_BLOCK < w->tiles ? first + WALK_BLOCK : w->tiles;

        cells->tiles(w->step, scratch, first, end, w->old, w->new);
        if (thread == 0)
            walk_report(w, first);
    }
    free(scratch);
}

static size_t walk_threads(const struct sb_convolve_walk *walk)
{
    const size_t blocks = (walk->plan->cells / walk->plan->tile + WALK_BLOCK - 1) / WALK_BLOCK;

    return sb_threads_count(walk->law->threads, blocks);
}

/* Does all steps after the first `done` steps. After each step, the two arrays are exchanged. */
static enum sb_status walk_steps(const struct sb_convolve_walk *walk, struct sb_convolve_step *step,
                                 size_t done, void *cells[2])
{
    const struct sb_convolve_plan *const plan = walk->plan;
    struct sb_convolve_layout from, to;

    sb_convolve_layout(plan, done < plan->count ? plan->swap[done].centre : 0, plan->m, &from);
    for (size_t k = done; k < plan->count; k++) {
        struct walk_step w = {
            .walk = walk,
            .step = step,
            .number = k,
            .tiles = plan->cells / plan->tile,
            .old = cells[0],
            .new = cells[1],
        };

        sb_convolve_layout(plan, k + 1 < plan->count ? plan->swap[k + 1].centre : 0, from.missing, &to);
        sb_convolve_step_set(&plan->swap[k], &from, &to, step);
        sb_threads_run(walk_threads(walk), walk_work, &w);
        if (walk_stopped(walk))
            return SB_STOPPED;
        if (w.next < w.tiles) /* true if no thread had enough memory to start */
            return SB_NO_MEMORY;
        cells[1] = cells[0];
        cells[0] = w.new;
        from = to;
    }
    return SB_OK;
}

/* The place where the first steps store their results. These steps handle permutations one by one. */
struct walk_start {
    const struct sb_convolve_walk *walk;
    size_t width; /* bytes of a cell */
    size_t done;  /* number of steps done */
    bool ready;   /* whether `layout` is set */
    struct sb_convolve_layout layout;
    char *cells; /* [n!], all 0 before the first steps */
};

/* Stores the cell of a permutation in the layout that the next step reads. */
static void walk_put(void *state, const sb_item a[], const void *cell)
{
    struct walk_start *const start = state;
    const struct sb_convolve_plan *const plan = start->walk->plan;
    sb_item b[SB_CONVOLVE_ITEMS_MOST];

    if (!start->ready)
        sb_convolve_layout(plan, start->done < plan->count ? plan->swap[start->done].centre : 0, plan->m,
                           &start->layout);
    start->ready = true;
    for (size_t c = 0; c < plan->n; c++)
        b[c] = a[start->layout.position[c]];
    char *const to = start->cells + sb_permutation_rank(plan->n, plan->n, b) * start->width;

    if (start->width == 4) /* the usual width: without this line, each cell is a call of memcpy() */
        memcpy(to, cell, 4);
    else
        memcpy(to, cell, start->width);
}

/* Walks from the identity to the law. At the end, the law is in pair[0]. */
static enum sb_status walk_all(const struct sb_convolve_walk *walk, struct sb_convolve_step *step,
                               void *pair[2])
{
    const struct sb_convolve_cells *const cells = walk_arithmetic(walk, 0);
    const size_t steps = walk->narrow ? walk->narrow : walk->plan->count;
    struct walk_start start = { .walk = walk, .width = cells->width, .cells = pair[0] };
    enum sb_status status;

    /* touches only the first array, because the first step touches the pages of the second array */
    sb_convolve_touch(walk->law, pair[0], walk->plan->cells * cells->width);
    if (walk_stopped(walk))
        return SB_STOPPED;
    status = cells->start(walk->plan, walk->modulus, steps, &start.done, walk_put, &start);
    return status ? status : walk_steps(walk, step, start.done, pair);
}

enum sb_status sb_convolve_walk_run(const struct sb_convolve_walk *walk, void **cells)
{
    const struct sb_convolve_plan *const plan = walk->plan;
    void *pair[2] = { sb_convolve_new(plan->cells, walk->cells->width),
                      sb_convolve_new(plan->cells, walk->cells->width) };
    struct sb_convolve_step *const step = calloc(1, sizeof *step);
    enum sb_status status = pair[0] && pair[1] && step ? sb_convolve_step_open(plan, step) : SB_NO_MEMORY;

    if (status == SB_OK) {
        status = walk_all(walk, step, pair);
        sb_convolve_step_close(step);
    }
    free(step);
    free(pair[1]);
    if (status == SB_OK)
        *cells = pair[0];
    else
        free(pair[0]);
    return status;
}

double sb_convolve_walk_bytes(const struct sb_convolve_plan *plan, const struct sb_convolve_cells *cells)
{
    return 2.0 * (double)plan->cells * (double)cells->width + 64e6;
}
