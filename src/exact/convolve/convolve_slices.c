/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does the steps of the walk by slices, and lets threads share the tiles of each slice. */
#include "exact/convolve/convolve_slices_walk.h"

#include "core/system/threads.h"
#include "exact/convolve/convolve_memory.h"

#include <stdlib.h>
#include <string.h>

enum { SLICES_BLOCK = 16 }; /* number of tiles that a thread takes at once */

/* What the threads do with each tile. */
enum slices_work {
    SLICES_STEP,  /* compute a tile of a slice other than the slice of the centre */
    SLICES_PULL,  /* compute a tile of the slice of the centre */
    SLICES_SUM,   /* compute this rank's part of a tile of the slice of the centre */
    SLICES_STORE, /* store a tile of the slice of the centre, after the ranks have added up their parts */
};

/* A task that the threads share: to compute the tiles first..end-1 of a new slice. */
struct slices_task {
    enum slices_work work;
    struct sb_slices_walk *walk;
    const struct sb_convolve_cells *cells; /* for SLICES_STEP; else NULL */
    const void *old;                       /* for SLICES_STEP */
    const struct sb_slices_pull *pull;     /* for the other kinds of work */
    void *new;                             /* NULL: the counts go to the census */
    size_t first, end;
    atomic_size_t next; /* index of the next tile to take */
};

static size_t slices_tiles(const struct sb_slices_walk *walk)
{
    return walk->slices->inner.cells / SB_CONVOLVE_CELLS;
}

/* Does the task's work on one tile; task->work must not be SLICES_STEP. */
static void slices_tile(const struct slices_task *task, struct sb_slices_scratch *scratch, size_t tile,
                        void *new)
{
    const size_t cells = SB_CONVOLVE_CELLS;
    uint32_t *const sum =
        task->work == SLICES_PULL ? NULL : task->walk->sum + (tile - task->first) * cells; /* the counts */

    if (task->work == SLICES_STORE)
        memcpy(scratch->sum, sum, sizeof scratch->sum);
    else
        sb_slices_pull_sum(task->pull, tile, scratch);
    if (task->work == SLICES_SUM)
        memcpy(sum, scratch->sum, sizeof scratch->sum);
    else
        sb_slices_pull_store(task->pull, tile, scratch, new);
}

/* Does the work of a thread: takes tiles until none is left. Thread 0 is the calling thread. */
static void slices_work(void *state, size_t thread)
{
    struct slices_task *const task = state;
    struct sb_slices_walk *const walk = task->walk;
    const struct sb_law *const law = walk->law;
    void *const new = task->new ? task->new : &walk->part[thread];
    void *const scratch =
        task->cells ? task->cells->open(walk->step, 0) : calloc(1, sizeof(struct sb_slices_scratch));

    while (scratch && !sb_slices_stopped(walk, thread)) {
        const size_t first = atomic_fetch_add(&task->next, SLICES_BLOCK);
        const size_t end = first + SLICES_BLOCK < task->end ? first + SLICES_BLOCK : task->end;

        if (first >= task->end)
            break;
        if (task->work == SLICES_STEP)
            task->cells->tiles(walk->step, scratch, first, end, task->old, new);
        else
            for (size_t tile = first; tile < end; tile++)
                slices_tile(task, scratch, tile, new);
        if (thread == 0 && law->progress)
            law->progress(law->progress_state, law->subject, walk->done * slices_tiles(walk) + first,
                          walk->work * slices_tiles(walk));
    }
    free(scratch);
}

/* Lets the threads work on tiles. */
static enum sb_status slices_share(struct sb_slices_walk *walk, struct slices_task *task)
{
    task->walk = walk;
    task->next = task->first;
    sb_threads_run(walk->threads, slices_work, task);
    if (sb_slices_stopped(walk, 0))
        return SB_STOPPED;
    return task->next < task->end ? SB_NO_MEMORY : SB_OK; /* no thread had enough memory to start */
}

/* Tells the census which slice comes next. */
static void slices_expect(struct sb_slices_walk *walk, size_t x, const struct sb_convolve_layout *to)
{
    for (size_t i = 0; i < walk->threads; i++) {
        walk->part[i].position = x;
        walk->part[i].layout = *to;
    }
}

/* Records that a slice is computed. `last` is true in the last step. */
static void slices_done(struct sb_slices_walk *walk, bool last)
{
    if (last)
        walk->entries = sb_convolve_census_collect(walk->part, walk->threads, walk->times);
    walk->done++;
}

/* Takes memory for a slice. There is always memory left, because memory for sb_slices_most() slices was
 * allocated. */
static void *slices_take(struct sb_slices_walk *walk)
{
    return walk->spare[--walk->spares];
}

static void slices_give(struct sb_slices_walk *walk, void *cells)
{
    if (cells)
        walk->spare[walk->spares++] = cells;
}

/* Lists, in *pull, the slices of this rank that contribute to the new slice of the centre. */
static void slices_sources(const struct sb_slices_walk *walk, size_t k, struct sb_slices_pull *pull)
{
    const struct sb_convolve_swap *const swap = &walk->slices->plan->swap[k];

    for (size_t x = 0; x < walk->slices->plan->n; x++) {
        const bool centre = x == swap->centre;
        const sb_wide weight = centre ? swap->stay : sb_slices_weight(swap, x, swap->centre);

        if (!walk->cells[x] || sb_wide_is_zero(weight))
            continue;
        pull->from[pull->count].cells = walk->cells[x];
        pull->from[pull->count].place = centre ? walk->slices->inner.m + 1 : sb_slices_place(walk->order, x);
        pull->from[pull->count++].weight = (uint32_t)sb_wide_low(weight);
    }
}

/* Adds up the parts of all ranks, some tiles at a time, and stores the sums if this rank has the slice of the
 * centre. If the root is told to stop, it still takes part in the sum that has begun. */
static enum sb_status slices_pull_ranks(struct sb_slices_walk *walk, struct slices_task *task, bool mine)
{
    const size_t tiles = slices_tiles(walk);
    enum sb_status status = SB_OK;

    for (task->first = 0; task->first < tiles; task->first = task->end) {
        task->end =
            task->first + SB_SLICES_SHARED_TILES < tiles ? task->first + SB_SLICES_SHARED_TILES : tiles;
        status = sb_slices_agree(walk->law->ranks, status);
        if (status)
            return status;
        task->work = SLICES_SUM;
        status = slices_share(walk, task);
        sb_slices_sum(walk, (task->end - task->first) * SB_CONVOLVE_CELLS);
        task->work = SLICES_STORE;
        if (mine && status == SB_OK)
            status = slices_share(walk, task);
    }
    return sb_slices_agree(walk->law->ranks, status);
}

/* Computes the new slice of the centre. Sets *new to the cells of the slice. Leaves *new unchanged if the
 * slice is empty, if another rank has the slice, or if the step is the last. */
static enum sb_status slices_centre(struct sb_slices_walk *walk, size_t k, const sb_item next[], void **new)
{
    const struct sb_slices_plan *const slices = walk->slices;
    const size_t centre = slices->plan->swap[k].centre, m = slices->inner.m;
    const bool last = k + 1 == slices->plan->count, packed = sb_slices_packed(slices, k + 1);
    const bool filled = sb_slices_filled(slices, k + 1) >> centre & 1, mine = walk->mine >> centre & 1;
    struct sb_slices_pull pull = {
        .slices = slices,
        .tables = &walk->tables,
        .packed = sb_slices_packed(slices, k),
        .to_place = next[0] == centre ? m + 1 : sb_slices_place(walk->order, next[0]),
        .put = last     ? sb_convolve_census_put
               : packed ? sb_convolve_run20_put
                        : sb_convolve_run16_put,
    };
    struct slices_task task = { .work = SLICES_PULL, .pull = &pull, .end = slices_tiles(walk) };
    struct sb_convolve_layout to;
    enum sb_status status;

    if (!last && !filled)
        return SB_OK;
    slices_sources(walk, k, &pull);
    if (!last && mine)
        *new = task.new = slices_take(walk);
    sb_slices_layout(slices, next, centre, &to);
    slices_expect(walk, centre, &to);
    status = walk->law->ranks ? slices_pull_ranks(walk, &task, mine) : slices_share(walk, &task);
    slices_done(walk, last);
    return status;
}

/* Computes new slice x, where x is not the centre. The old slice may be empty if the step is the last. */
static enum sb_status slices_other(struct sb_slices_walk *walk, size_t k, const sb_item next[], size_t x)
{
    const struct sb_slices_plan *const slices = walk->slices;
    const struct sb_convolve_swap *const swap = &slices->plan->swap[k];
    const size_t place = sb_slices_place(walk->order, x), m = slices->inner.m;
    const bool last = k + 1 == slices->plan->count, packed = sb_slices_packed(slices, k + 1);
    struct slices_task task = {
        .cells = last                          ? &sb_convolve_last
                 : !packed                     ? &sb_convolve_narrow
                 : sb_slices_packed(slices, k) ? &sb_convolve_packed
                                               : &sb_convolve_pack,
        .old = walk->cells[x],
        .new = last ? NULL : slices_take(walk),
        .end = slices_tiles(walk),
    };
    struct sb_convolve_swap *const own = &walk->swap;
    struct sb_convolve_layout from, to;
    enum sb_status status;

    *own = *swap;
    own->pairs = 0;
    for (size_t i = 0; i < swap->pairs; i++)
        if (swap->pair[i].x != x && swap->pair[i].y != x)
            own->pair[own->pairs++] = swap->pair[i];
    walk->step->push = (struct sb_convolve_push) {
        .weight = sb_slices_weight(swap, x, swap->centre),
        .place = place,
        .table = place > m + 1 ? walk->tables.insert + (place - m - 1) * SB_CONVOLVE_CELLS : NULL,
    };
    if (!sb_wide_is_zero(walk->step->push.weight))
        walk->step->push.cells = walk->centre;
    sb_slices_layout(slices, walk->order, x, &from);
    sb_slices_layout(slices, next, x, &to);
    sb_convolve_step_set(own, &from, &to, walk->step);
    slices_expect(walk, x, &to);
    status = slices_share(walk, &task);
    slices_done(walk, last);
    slices_give(walk, walk->cells[x]);
    walk->cells[x] = task.new;
    return status;
}

/* Sets walk->centre to the old slice of the centre, which all ranks need if the slice is not empty. If
 * another rank has this slice, sets *copy to the memory of the copy. */
static void slices_fetch(struct sb_slices_walk *walk, size_t k, void **copy)
{
    const size_t centre = walk->slices->plan->swap[k].centre;
    void *cells = walk->cells[centre];

    if (walk->law->ranks && sb_slices_filled(walk->slices, k) >> centre & 1) {
        if (!cells)
            cells = *copy = slices_take(walk);
        sb_slices_copy(walk, centre, cells, sb_slices_width(walk->slices, sb_slices_packed(walk->slices, k)));
    }
    walk->centre = cells;
}

/* Computes all new slices of this rank except the slice of the centre. */
static enum sb_status slices_others(struct sb_slices_walk *walk, size_t k, const sb_item next[])
{
    const struct sb_slices_plan *const slices = walk->slices;
    const unsigned filled = sb_slices_filled(slices, k);
    /* the last step also passes the zeroes of empty slices to the census */
    const unsigned opened = k + 1 == slices->plan->count ? ~filled : sb_slices_opened(slices, k);
    enum sb_status status = SB_OK;

    for (size_t x = 0; x < slices->plan->n && status == SB_OK; x++) {
        if (x == slices->plan->swap[k].centre || !((filled | opened) & walk->mine & 1U << x))
            continue;
        if (!walk->cells[x]) {
            walk->cells[x] = slices_take(walk);
            memset(walk->cells[x], 0, sb_slices_width(slices, sb_slices_packed(slices, k)));
        }
        status = slices_other(walk, k, next, x);
    }
    return status;
}

/* Does step k. */
static enum sb_status slices_step(struct sb_slices_walk *walk, size_t k)
{
    const struct sb_slices_plan *const slices = walk->slices;
    const size_t centre = slices->plan->swap[k].centre;
    sb_item next[SB_CONVOLVE_ITEMS_MOST];
    void *new = NULL, *copy = NULL;
    enum sb_status status;

    memcpy(next, walk->order, sizeof next);
    if (k + 1 < slices->plan->count && slices->plan->swap[k + 1].centre != centre)
        sb_slices_order_next(slices->plan->swap[k + 1].centre, next);
    status = slices_centre(walk, k, next, &new);
    if (status == SB_OK) {
        slices_fetch(walk, k, &copy);
        status = slices_others(walk, k, next);
    }
    slices_give(walk, copy);
    slices_give(walk, walk->cells[centre]);
    walk->cells[centre] = new;
    memcpy(walk->order, next, sizeof next);
    return status;
}

/* Returns the number of slices that this rank computes, alone or with other ranks, in the steps from `first`
 * on. */
static uint64_t slices_count(const struct sb_slices_walk *walk, size_t first)
{
    const struct sb_slices_plan *const slices = walk->slices;
    uint64_t count = 0;

    for (size_t k = first; k < slices->plan->count; k++) {
        const bool last = k + 1 == slices->plan->count;
        const unsigned new = last ? (1U << slices->plan->n) - 1 : sb_slices_filled(slices, k + 1);

        count += (uint64_t)__builtin_popcount(new &(walk->mine | 1U << slices->plan->swap[k].centre));
    }
    return count;
}

enum sb_status sb_slices_steps(struct sb_slices_walk *walk, size_t first)
{
    const struct sb_ranks *const ranks = walk->law->ranks;
    enum sb_status status = SB_OK;

    walk->work = slices_count(walk, first);
    sb_slices_begin(walk);
    for (size_t k = first; k < walk->slices->plan->count && status == SB_OK; k++) {
        status = slices_step(walk, k);
        status = sb_slices_agree(ranks, status);
    }
    sb_slices_end(walk);
    return status;
}
