/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does the walk of `convolve`. Each step reads one array of n! cells and writes another array.
 *
 * The first steps reach only few permutations. So these steps handle the permutations one by one, in a hash table with
 * linear probing. The key of a permutation has four bits for each item. For two items or more, a key is never 0.
 *
 * The threads share the tiles of a later step. Each cell is written by only one thread, from cells that no thread
 * writes, so the result does not depend on the number of threads.
 *
 * Cost: two arrays; n! additions for each pair of positions; for each step, the ranks of K! arrangements of K items
 * for each exchange within a tile.
 */
#include "core/system.h"
#include "exact/convolve/convolve.h"

#include <stdatomic.h>

enum {
    FRONT = SB_CONVOLVE_TILE - 1,
    WALK_BLOCK = 16,      /* number of tiles that a thread takes at once */
    START_MOST = 1 << 20, /* the largest number of permutations after one of the first steps */
};

/* An order of the positions. */
struct walk_layout {
    size_t missing; /* the one of 0..m that is not a low position: the centre, if it is at most m */
    sb_item position[SB_CONVOLVE_ITEMS_MOST];
};

/* Returns the layout that step k reads, or the natural one after the last step. The argument `missing` is the `missing`
 * of the previous layout, or m for the first layout. */
static struct walk_layout walk_layout(const struct sb_convolve_plan *plan, size_t k, size_t missing)
{
    const size_t centre = k < plan->count ? plan->swap[k].centre : 0;
    struct walk_layout layout = { .missing = centre <= plan->m ? centre : missing, .position = { (sb_item)centre } };
    size_t count = 1;

    for (size_t p = 0; p <= plan->m; p++)
        if (p != layout.missing)
            layout.position[count++] = (sb_item)p;
    for (size_t p = 0; p < plan->n; p++)
        if (p != centre && (p > plan->m || p == layout.missing))
            layout.position[count++] = (sb_item)p;
    return layout;
}

static union sb_convolve_number walk_weight(const struct sb_convolve_walk *walk, const struct sb_convolve_swap *swap,
                                            sb_wide weight)
{
    if (walk->cells->shares)
        return (union sb_convolve_number) {
            .share = sb_wide_double(sb_wide_multiply(weight, swap->common)) /
                     (sb_wide_double(swap->sum_at) * sb_wide_double(swap->sum_from)),
        };
    if (walk->modulus)
        (void)sb_wide_divide(weight, sb_wide_from(walk->modulus), &weight);
    return (union sb_convolve_number) { .count = sb_wide_low(weight) };
}

static const struct sb_convolve_cells *walk_cells(const struct sb_convolve_walk *walk, size_t k)
{
    return k < walk->narrow ? &sb_convolve_narrow : walk->cells;
}

/* ---- the tables of a step ---- */

/* Two coordinates within the tile. */
struct step_pair {
    uint8_t x, y;
};

static uint16_t step_exchanged(size_t size, const sb_item a[], size_t x, size_t y)
{
    sb_item b[SB_CONVOLVE_TILE];

    memcpy(b, a, size * sizeof b[0]);
    b[x] = a[y];
    b[y] = a[x];
    return (uint16_t)sb_permutation_rank(size, size, b);
}

static void step_close(struct sb_convolve_step *step)
{
    if (step) {
        free(step->index);
        free(step->front);
    }
    free(step);
}

static struct sb_convolve_step *step_open(const struct sb_convolve_plan *plan)
{
    const size_t size = plan->size;
    struct sb_convolve_step *const step = calloc(1, sizeof *step);

    if (!step)
        return NULL;
    step->plan = plan;
    step->index = calloc(plan->tile * SB_CONVOLVE_INNER, sizeof *step->index);
    step->front = calloc(plan->tile * FRONT, sizeof *step->front);
    if (!step->index || !step->front) {
        step_close(step);
        return NULL;
    }
    for (size_t g = 0; g < plan->tile; g++) {
        sb_item a[SB_CONVOLVE_TILE];

        sb_permutation_unrank(size, size, g, a);
        for (size_t t = 1; t < size; t++)
            step->front[g * (size - 1) + t - 1] = step_exchanged(size, a, 0, t);
    }
    return step;
}

static size_t step_coordinate(const struct walk_layout *layout, size_t position)
{
    size_t c = 0;

    while (layout->position[c] != position)
        c++;
    return c;
}

/* Returns the index of a coordinate within the tile: first the centre, then the coordinates above m. */
static size_t step_inner(const struct sb_convolve_plan *plan, size_t coordinate)
{
    return coordinate ? coordinate - plan->m : 0;
}

static bool step_in_tile(const struct sb_convolve_plan *plan, size_t coordinate)
{
    return coordinate == 0 || coordinate > plan->m;
}

/* Sets where a tile's cells go, and the exchanges within the tile. The tile is read in the old layout and written in
 * the new layout. For each coordinate of the tile in the new layout, home[0..K-1] holds the index of the same position
 * in the old layout. The entries for the exchanges of one cell are adjacent, so that they are read together. */
static void step_set_tile(struct sb_convolve_step *step, const size_t home[], const struct step_pair pair[])
{
    const size_t size = step->plan->size;

    for (size_t i = 0; i < step->plan->tile; i++) {
        sb_item written[SB_CONVOLVE_TILE], read[SB_CONVOLVE_TILE] = { 0 };
        uint16_t *const index = step->index + i * step->inner;

        sb_permutation_unrank(size, size, i, written);
        for (size_t k = 0; k < size; k++)
            read[home[k]] = written[k];
        step->order[i] = (uint16_t)sb_permutation_rank(size, size, read);
        for (size_t k = 0; k < step->inner; k++)
            index[k] = pair[k].x == 0 ? step->front[step->order[i] * (size - 1) + pair[k].y - 1]
                                      : step_exchanged(size, read, pair[k].x, pair[k].y);
    }
}

/* Sets the weights of the exchanges, in the coordinates of the layout that the step reads. Sets pair[] to those within
 * the tile. */
static void step_set_weights(const struct sb_convolve_walk *walk, const struct sb_convolve_swap *swap,
                             const struct walk_layout *from, struct sb_convolve_step *step, struct step_pair pair[])
{
    const struct sb_convolve_plan *const plan = walk->plan;

    step->stay = walk_weight(walk, swap, swap->stay);
    step->inner = 0;
    memset(step->exchanges, 0, sizeof step->exchanges);
    memset(step->weight, 0, sizeof step->weight);
    memset(step->mixed, 0, sizeof step->mixed);
    for (size_t k = 0; k < swap->pairs; k++) {
        const size_t a = step_coordinate(from, swap->pair[k].x), b = step_coordinate(from, swap->pair[k].y);
        const size_t x = a < b ? a : b, y = a < b ? b : a;
        const union sb_convolve_number weight = walk_weight(walk, swap, swap->pair[k].weight);

        step->weight[x][y] = weight;
        step->exchanges[x][y] = true;
        if (step_in_tile(plan, x) && step_in_tile(plan, y)) {
            pair[step->inner] = (struct step_pair) { (uint8_t)step_inner(plan, x), (uint8_t)step_inner(plan, y) };
            step->inner_weight[step->inner++] = weight;
        } else if (x > 0 && y > plan->m) {
            step->mixed[x] = true;
        }
    }
}

static void step_set(const struct sb_convolve_walk *walk, const struct sb_convolve_swap *swap,
                     const struct walk_layout *from, const struct walk_layout *to, struct sb_convolve_step *step)
{
    const struct sb_convolve_plan *const plan = walk->plan;
    struct step_pair pair[SB_CONVOLVE_INNER];
    size_t home[SB_CONVOLVE_TILE] = { 0 };

    step_set_weights(walk, swap, from, step, pair);
    for (size_t c = 0; c < plan->n; c++) {
        const size_t coordinate = step_coordinate(from, to->position[c]);
        const bool in_tile = step_in_tile(plan, coordinate);

        if (c <= plan->m)
            step->source[c] = in_tile ? 0 : coordinate;
        /* if a coordinate of the tile is among the first m + 1 coordinates of the new layout, the tile of the
         * new layout has this coordinate at its centre */
        if (in_tile)
            home[c <= plan->m ? 0 : c - plan->m] = step_inner(plan, coordinate);
    }
    step_set_tile(step, home, pair);
}

/* ---- the first steps ---- */

struct start_table {
    unsigned bits; /* log2 of the number of slots */
    size_t used;
    uint64_t *key;                   /* [2^bits] key of a permutation; 0: the slot is free; owned */
    union sb_convolve_number *value; /* [2^bits] owned */
};

static void start_close(struct start_table *table)
{
    free(table->key);
    free(table->value);
}

static enum sb_status start_open(size_t most, struct start_table *table)
{
    *table = (struct start_table) { .bits = 4 };
    while ((size_t)1 << table->bits < 2 * most)
        table->bits++;
    table->key = calloc((size_t)1 << table->bits, sizeof *table->key);
    table->value = calloc((size_t)1 << table->bits, sizeof *table->value);
    return table->key && table->value ? SB_OK : SB_NO_MEMORY;
}

static void start_add(const struct sb_convolve_walk *walk, struct start_table *table, uint64_t key,
                      union sb_convolve_number weight, union sb_convolve_number value)
{
    const size_t mask = ((size_t)1 << table->bits) - 1;
    size_t place = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> (64 - table->bits));

    while (table->key[place] != 0 && table->key[place] != key)
        place = (place + 1) & mask;
    table->used += table->key[place] == 0;
    table->key[place] = key;
    if (walk->cells->shares)
        table->value[place].share += weight.share * value.share;
    else
        table->value[place].count += weight.count * value.count;
    if (walk->modulus)
        table->value[place].count %= walk->modulus;
}

static void start_swap(const struct sb_convolve_walk *walk, const struct sb_convolve_swap *swap,
                       const struct start_table *old, struct start_table *new)
{
    union sb_convolve_number weight[SB_CONVOLVE_PAIRS];
    const union sb_convolve_number stay = walk_weight(walk, swap, swap->stay);

    for (size_t k = 0; k < swap->pairs; k++)
        weight[k] = walk_weight(walk, swap, swap->pair[k].weight);
    for (size_t place = 0; place < (size_t)1 << old->bits; place++) {
        const uint64_t key = old->key[place];

        if (key == 0)
            continue;
        if (!sb_wide_is_zero(swap->stay))
            start_add(walk, new, key, stay, old->value[place]);
        for (size_t k = 0; k < swap->pairs; k++) {
            const unsigned x = 4U * swap->pair[k].x, y = 4U * swap->pair[k].y;
            const uint64_t differ = (key >> x ^ key >> y) & 15;

            start_add(walk, new, key ^ differ << x ^ differ << y, weight[k], old->value[place]);
        }
    }
}

/* Stores the permutations of a table in the layout that step k reads, in cells that are all 0. */
static void start_store(const struct sb_convolve_walk *walk, const struct start_table *table, size_t k, void *cells)
{
    const struct sb_convolve_plan *const plan = walk->plan;
    const struct walk_layout layout = walk_layout(plan, k, plan->m);
    const size_t width = walk_cells(walk, k)->width;

    for (size_t place = 0; place < (size_t)1 << table->bits; place++) {
        sb_item a[SB_CONVOLVE_ITEMS_MOST];

        if (table->key[place] == 0)
            continue;
        for (size_t c = 0; c < plan->n; c++)
            a[c] = table->key[place] >> 4 * layout.position[c] & 15;
        const uint64_t rank = sb_permutation_rank(plan->n, plan->n, a);
        if (width == sizeof(uint16_t))
            ((uint16_t *)cells)[rank] = (uint16_t)table->value[place].count;
        else if (width == sizeof(uint32_t))
            ((uint32_t *)cells)[rank] = (uint32_t)table->value[place].count;
        else
            ((union sb_convolve_number *)cells)[rank] = table->value[place];
    }
}

/* Enters the identity. Its count before the first step is the product of the common factors of all swaps. */
static void start_identity(const struct sb_convolve_walk *walk, struct start_table *table)
{
    const struct sb_convolve_plan *const plan = walk->plan;
    union sb_convolve_number value = { .count = 1 }, one = { .count = 1 };
    uint64_t key = 0;

    for (size_t i = 0; i < plan->n; i++)
        key |= (uint64_t)i << 4 * i;
    if (walk->cells->shares)
        value.share = one.share = 1;
    for (size_t k = 0; k < plan->count && !walk->cells->shares; k++) {
        value.count *= walk_weight(walk, &plan->swap[k], plan->swap[k].common).count;
        value.count = walk->modulus ? value.count % walk->modulus : value.count;
    }
    start_add(walk, table, key, one, value);
}

/* Does the first steps, as long as there are few permutations. Sets *done to the number of steps done. */
static enum sb_status start_steps(const struct sb_convolve_walk *walk, size_t *done, void *cells)
{
    const struct sb_convolve_plan *const plan = walk->plan;
    const size_t most = plan->cells / 4 < START_MOST ? plan->cells / 4 : START_MOST;
    struct start_table table, next = { 0 };
    enum sb_status status = start_open(1, &table);
    size_t k = 0;

    if (status == SB_OK)
        start_identity(walk, &table);
    while (status == SB_OK && k < plan->count && table.used * (plan->swap[k].pairs + 1) <= most) {
        status = start_open(table.used * (plan->swap[k].pairs + 1), &next);
        if (status == SB_OK)
            start_swap(walk, &plan->swap[k++], &table, &next);
        start_close(&table);
        table = next;
    }
    if (status == SB_OK)
        start_store(walk, &table, k, cells);
    *done = k;
    start_close(&table);
    return status;
}

/* ---- all steps ---- */

/* State that the threads of one step share. */
struct walk_step {
    const struct sb_convolve_walk *walk;
    const struct sb_convolve_step *step;
    size_t number, tiles;
    const void *old;
    void *new;
    atomic_size_t next; /* index of the next tile to take */
};

static void walk_report(const struct walk_step *w, size_t tile)
{
    const struct sb_law *const law = w->walk->law;
    const uint64_t steps = w->walk->plan->count, done = w->walk->done * steps + w->number;

    sb_law_report(law, (done * w->tiles + tile) * w->walk->plan->tile,
                  steps * w->walk->rounds * w->tiles * w->walk->plan->tile);
}

static void walk_work(void *state, size_t thread)
{
    struct walk_step *const w = state;
    const struct sb_convolve_cells *const cells = walk_cells(w->walk, w->number);
    void *const scratch = calloc(1, cells->room);

    while (scratch && !sb_law_stopped(w->walk->law)) {
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

/* Copies the cells of 16 bits to cells of 32 bits, and exchanges the two arrays. */
static void walk_widen(const struct sb_convolve_plan *plan, void *cells[2])
{
    const uint16_t *const from = cells[0];
    uint32_t *const to = cells[1];

    for (size_t i = 0; i < plan->cells; i++)
        to[i] = from[i];
    cells[1] = cells[0];
    cells[0] = to;
}

/* Does all steps after the first `done` steps. After each step, the two arrays are exchanged. */
static enum sb_status walk_steps(const struct sb_convolve_walk *walk, struct sb_convolve_step *step, size_t done,
                                 void *cells[2])
{
    const struct sb_convolve_plan *const plan = walk->plan;
    const size_t tiles = plan->cells / plan->tile;
    const size_t threads = sb_threads_count(walk->law->threads, (tiles + WALK_BLOCK - 1) / WALK_BLOCK);
    struct walk_layout from = walk_layout(plan, done, plan->m);

    for (size_t k = done; k < plan->count; k++) {
        if (k == walk->narrow && done < k)
            walk_widen(plan, cells);
        struct walk_step w = { walk, step, .number = k, .tiles = tiles, .old = cells[0], .new = cells[1] };
        const struct walk_layout to = walk_layout(plan, k + 1, from.missing);

        step_set(walk, &plan->swap[k], &from, &to, step);
        sb_threads_run(threads, walk_work, &w);
        if (sb_law_stopped(walk->law))
            return SB_STOPPED;
        if (w.next < w.tiles) /* true if no thread had enough memory to start */
            return SB_NO_MEMORY;
        for (size_t i = 0; walk->modulus && i < plan->cells; i++)
            ((uint64_t *)w.new)[i] %= walk->modulus;
        cells[1] = cells[0];
        cells[0] = w.new;
        from = to;
    }
    return SB_OK;
}

enum sb_status sb_convolve_walk_run(const struct sb_convolve_walk *walk, void **cells)
{
    const struct sb_convolve_plan *const plan = walk->plan;
    void *pair[2] = { sb_huge_pages_new(plan->cells, walk->cells->width),
                      sb_huge_pages_new(plan->cells, walk->cells->width) };
    struct sb_convolve_step *const step = step_open(plan);
    enum sb_status status = pair[0] && pair[1] && step ? SB_OK : SB_NO_MEMORY;
    size_t done;

    if (status == SB_OK)
        status = start_steps(walk, &done, pair[0]);
    if (status == SB_OK)
        status = sb_law_stopped(walk->law) ? SB_STOPPED : walk_steps(walk, step, done, pair);
    step_close(step);
    free(pair[1]);
    if (status == SB_OK)
        *cells = pair[0];
    else
        free(pair[0]);
    return status;
}
