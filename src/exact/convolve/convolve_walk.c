/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The walk of `convolve`: each step goes from one array of n! cells to another.
 *
 * The threads share the tiles of a step. Each cell is written by only one thread, from cells that no thread
 * writes, so the result does not depend on the number of threads. Cost: two arrays, and n! additions for each
 * pair of positions.
 */
#define _DEFAULT_SOURCE /* for madvise() */

#include "exact/convolve/convolve_walk.h"

#include "core/system/threads.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

enum {
    WALK_BLOCK = 16, /* number of tiles that a thread takes at once */
    WALK_PAGE = 4096,
    WALK_HUGE_PAGE = 2 * 1024 * 1024,
};

/* State that the threads of one step share. */
struct walk_step {
    const struct sb_convolve_walk *walk;
    const struct sb_convolve_step *step;
    size_t number, tiles;
    const void *old;
    void *new;
    atomic_size_t next; /* index of the next tile to take */
};

/* Allocates zeroed cells, on huge pages if available. */
static void *walk_cells(size_t count, size_t width)
{
    char *const cells = calloc(count, width);

#ifdef MADV_HUGEPAGE
    if (cells && count * width >= 2 * WALK_HUGE_PAGE) {
        const size_t skip = WALK_HUGE_PAGE - (uintptr_t)cells % WALK_HUGE_PAGE;

        (void)madvise(cells + skip, (count * width - skip) / WALK_HUGE_PAGE * WALK_HUGE_PAGE, MADV_HUGEPAGE);
    }
#endif
    return cells;
}

/* Returns the arithmetic of step k. */
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

/* The work of a thread: takes tiles until none is left. Thread 0 is the calling thread. */
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

/* Does all steps after the first `done`. After each step, the two arrays are exchanged. */
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

/* An array whose pages the threads touch. */
struct walk_memory {
    const struct sb_convolve_walk *walk;
    char *cells;
    size_t bytes;
    atomic_size_t next; /* index of the next byte to take */
};

/* The work of a thread: takes ranges of the size of a huge page until none is left, and touches each page in
 * them. */
static void walk_touch_pages(void *state, size_t thread)
{
    struct walk_memory *const memory = state;
    size_t first;

    (void)thread;
    while ((first = atomic_fetch_add(&memory->next, WALK_HUGE_PAGE)) < memory->bytes &&
           !walk_stopped(memory->walk))
        for (size_t i = first; i < memory->bytes && i < first + WALK_HUGE_PAGE; i += WALK_PAGE)
            memory->cells[i] = 0;
}

/* Lets the threads touch the pages of the first array, so that the system provides the memory in parallel.
 * The first step touches the pages of the second array. */
static void walk_touch(const struct sb_convolve_walk *walk, void *cells)
{
    const size_t bytes = walk->plan->cells * walk_arithmetic(walk, 0)->width;
    struct walk_memory memory = { .walk = walk, .cells = cells, .bytes = bytes };

    sb_threads_run(bytes > (size_t)8 * WALK_HUGE_PAGE ? walk_threads(walk) : 1, walk_touch_pages, &memory);
}

/* Walks from the identity to the law. At the end, the law is in pair[0]. */
static enum sb_status walk_all(const struct sb_convolve_walk *walk, struct sb_convolve_step *step,
                               void *pair[2])
{
    const size_t steps = walk->narrow ? walk->narrow : walk->plan->count;
    size_t done = 0;
    enum sb_status status;

    walk_touch(walk, pair[0]);
    if (walk_stopped(walk))
        return SB_STOPPED;
    status = walk_arithmetic(walk, 0)->start(walk->plan, walk->modulus, steps, &done, pair[0]);
    return status ? status : walk_steps(walk, step, done, pair);
}

enum sb_status sb_convolve_walk_run(const struct sb_convolve_walk *walk, void **cells)
{
    const struct sb_convolve_plan *const plan = walk->plan;
    void *pair[2] = { walk_cells(plan->cells, walk->cells->width),
                      walk_cells(plan->cells, walk->cells->width) };
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
