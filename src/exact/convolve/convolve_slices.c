/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The walk by slices: the steps, and the threads that share the tiles of each slice. */
#include "exact/convolve/convolve_slices_walk.h"

#include "core/system/threads.h"
#include "exact/convolve/convolve_memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SLICES_BLOCK = 16 }; /* number of tiles that a thread takes at once */

/* The new slice that the threads compute. */
struct slices_task {
    struct sb_slices_walk *walk;
    const struct sb_convolve_cells *cells; /* for slices other than that of the centre; else NULL */
    const void *old;
    const struct sb_slices_pull *pull; /* for the slice of the centre */
    void *new;                         /* NULL: the counts go to the census */
    size_t tiles;
    atomic_size_t next; /* index of the next tile to take */
};

static bool slices_stopped(const struct sb_slices_walk *walk)
{
    return walk->law->stop && *walk->law->stop;
}

/* The work of a thread: takes tiles until none is left. Thread 0 is the calling thread. */
static void slices_work(void *state, size_t thread)
{
    struct slices_task *const task = state;
    const struct sb_slices_walk *const walk = task->walk;
    const struct sb_law *const law = walk->law;
    void *const new = task->new ? task->new : &walk->part[thread];
    void *const scratch =
        task->cells ? task->cells->open(walk->step, 0) : calloc(1, sizeof(struct sb_slices_scratch));

    while (scratch && !slices_stopped(walk)) {
        const size_t first = atomic_fetch_add(&task->next, SLICES_BLOCK);
        const size_t end = first + SLICES_BLOCK < task->tiles ? first + SLICES_BLOCK : task->tiles;

        if (first >= task->tiles)
            break;
        if (task->cells)
            task->cells->tiles(walk->step, scratch, first, end, task->old, new);
        else
            sb_slices_pull(task->pull, scratch, first, end, new);
        if (thread == 0 && law->progress)
            law->progress(law->progress_state, law->subject, walk->done * task->tiles + first,
                          walk->work * task->tiles);
    }
    free(scratch);
}

/* Lets the threads compute slice x, whose next layout is `to`. */
static enum sb_status slices_run(struct sb_slices_walk *walk, struct slices_task *task, size_t x,
                                 const struct sb_convolve_layout *to)
{
    task->walk = walk;
    task->tiles = walk->slices->inner.cells / SB_CONVOLVE_CELLS;
    for (size_t i = 0; !task->new &&i < walk->threads; i++) {
        walk->part[i].position = x;
        walk->part[i].layout = *to;
    }
    sb_threads_run(walk->threads, slices_work, task);
    if (slices_stopped(walk))
        return SB_STOPPED;
    if (task->next < task->tiles) /* true if no thread had enough memory to start */
        return SB_NO_MEMORY;
    if (!task->new)
        sb_convolve_census_collect(walk->part, walk->threads, walk->times);
    walk->done++;
    return SB_OK;
}

/* Takes memory for a slice. The plan counts how much is needed at most. */
static void *slices_take(struct sb_slices_walk *walk)
{
    return walk->spare[--walk->spares];
}

static void slices_give(struct sb_slices_walk *walk, void *cells)
{
    if (cells)
        walk->spare[walk->spares++] = cells;
}

/* Computes the new slice of the centre. Sets *new to its cells, or to NULL if the slice is empty or the step is
 * the last. */
static enum sb_status slices_centre(struct sb_slices_walk *walk, size_t k, const sb_item next[], void **new)
{
    const struct sb_slices_plan *const slices = walk->slices;
    const struct sb_convolve_swap *const swap = &slices->plan->swap[k];
    const size_t m = slices->inner.m, n = slices->plan->n;
    const bool last = k + 1 == slices->plan->count, packed = sb_slices_packed(slices, k + 1);
    struct sb_slices_pull pull = {
        .slices = slices,
        .tables = &walk->tables,
        .packed = sb_slices_packed(slices, k),
        .to_place = next[0] == swap->centre ? m + 1 : sb_slices_place(walk->order, next[0]),
        .put = last     ? sb_convolve_census_put
               : packed ? sb_convolve_run20_put
                        : sb_convolve_run16_put,
    };
    struct sb_convolve_layout to;

    *new = NULL;
    for (size_t x = 0; x < n; x++) {
        const sb_wide weight = x == swap->centre ? swap->stay : sb_slices_weight(swap, x, swap->centre);

        if (!walk->cells[x] || sb_wide_is_zero(weight))
            continue;
        pull.from[pull.count].cells = walk->cells[x];
        pull.from[pull.count].place = x == swap->centre ? m + 1 : sb_slices_place(walk->order, x);
        pull.from[pull.count++].weight = (uint32_t)sb_wide_low(weight);
    }
    if (!last && pull.count == 0)
        return SB_OK;
    *new = last ? NULL : slices_take(walk);
    sb_slices_layout(slices, next, swap->centre, &to);
    return slices_run(walk, &(struct slices_task) { .pull = &pull, .new = *new }, swap->centre, &to);
}

/* Computes new slice x, which is not that of the centre. The old slice may be empty if the step is the last. */
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
        walk->step->push.cells = walk->cells[swap->centre];
    sb_slices_layout(slices, walk->order, x, &from);
    sb_slices_layout(slices, next, x, &to);
    sb_convolve_step_set(own, &from, &to, walk->step);
    status = slices_run(walk, &task, x, &to);
    slices_give(walk, walk->cells[x]);
    walk->cells[x] = task.new;
    return status;
}

/* Does step k. */
static enum sb_status slices_step(struct sb_slices_walk *walk, size_t k)
{
    const struct sb_slices_plan *const slices = walk->slices;
    const size_t n = slices->plan->n, centre = slices->plan->swap[k].centre;
    const bool last = k + 1 == slices->plan->count;
    const unsigned opened =
        last ? ((1U << n) - 1) & ~sb_slices_filled(slices, k) & ~(1U << centre) : sb_slices_opened(slices, k);
    sb_item next[SB_CONVOLVE_ITEMS_MOST];
    void *new = NULL;
    enum sb_status status;

    memcpy(next, walk->order, sizeof next);
    if (!last && slices->plan->swap[k + 1].centre != centre)
        sb_slices_order_next(slices->plan->swap[k + 1].centre, next);
    status = slices_centre(walk, k, next, &new);
    for (size_t x = 0; x < n && status == SB_OK; x++) {
        if (opened >> x & 1) {
            walk->cells[x] = slices_take(walk);
            memset(walk->cells[x], 0, sb_slices_width(slices, sb_slices_packed(slices, k)));
        }
        if (x != centre && walk->cells[x])
            status = slices_other(walk, k, next, x);
    }
    slices_give(walk, walk->cells[centre]);
    walk->cells[centre] = new;
    memcpy(walk->order, next, sizeof next);
    return status;
}

/* The number of slices that the steps from `first` on compute. */
static uint64_t slices_count(const struct sb_slices_plan *slices, size_t first)
{
    uint64_t count = 0;

    for (size_t k = first; k + 1 < slices->plan->count; k++)
        count += (uint64_t)__builtin_popcount(sb_slices_filled(slices, k + 1));
    return count + slices->plan->n;
}

enum sb_status sb_slices_steps(struct sb_slices_walk *walk, size_t first)
{
    enum sb_status status = slices_stopped(walk) ? SB_STOPPED : SB_OK;

    walk->work = slices_count(walk->slices, first);
    for (size_t k = first; k < walk->slices->plan->count && status == SB_OK; k++)
        status = slices_step(walk, k);
    return status;
}
