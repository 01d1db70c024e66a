/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A step of `convolve` on tiles; m and K are as in convolve.h. A tile consists of all permutations with the same
 * items q at the m low positions. The permutations of a tile with the same item c at the centre form the run
 * (c, q) of (K-1)! cells. If a low position takes part in an exchange, the exchange maps this run to other runs:
 *
 *   centre and a low position    the run of (q_j, q with c in place of q_j)
 *   two low positions            the run of (c, q exchanged)
 *   a low and another position   K runs, (c, q with u in place of q_j) for each u; 1/K of each run is used
 *
 * These runs are added cell by cell. The other exchanges stay within the tile. They use a table of indices,
 * which is the same for all tiles. So SIDE tiles are interleaved, and one look-up in the table serves all of them: a
 * vector holds the same cell of LANES tiles, and PARTS vectors are adjacent. Wider vectors would gain little, because
 * the walk waits for memory; so each loop over a run also prefetches the next one.
 *
 * Cost: an addition for each cell and pair. The tiles and their tables stay in the second-level cache.
 *
 * src/meson.build compiles this file for each type of cell: CONVOLVE_CELL is the type, CONVOLVE_LANES
 * the number of lanes, CONVOLVE_NUMBER the member of union sb_convolve_number, and CONVOLVE_CELLS the name of the
 * resulting variable.
 */
#include "exact/convolve/convolve.h"

typedef CONVOLVE_CELL tile_cell;

enum {
    ITEMS = SB_CONVOLVE_ITEMS_MOST,
    CELLS = SB_CONVOLVE_CELLS,
    RUN = SB_CONVOLVE_CELLS / SB_CONVOLVE_TILE,
    LANES = CONVOLVE_LANES,
    PARTS = 2,
    SIDE = LANES * PARTS,
    LINE = sizeof(tile_cell) < 4 ? 16 : 64 / sizeof(tile_cell), /* number of cells per prefetch: at most a cache line */
    SOURCES = 1 + (ITEMS - SB_CONVOLVE_TILE + 1) * (ITEMS - SB_CONVOLVE_TILE) / 2,
};

/* The scratch space is aligned to 16 bytes, and a run only to its cells. */
typedef tile_cell tile_lanes __attribute__((vector_size(LANES * sizeof(tile_cell)), aligned(16), may_alias));
typedef tile_cell tile_loose
    __attribute__((vector_size(LANES * sizeof(tile_cell)), aligned(sizeof(tile_cell)), may_alias));

/* The source runs that are added up to make one new run, each with a weight. The first source is the old run
 * itself; the other sources result from exchanges among the centre and the low positions. */
struct tile_sources {
    size_t count;
    const tile_cell *run[SOURCES];
    tile_cell weight[SOURCES];
};

/* SIDE interleaved tiles, of which the first `count` are used. */
struct tile_scratch {
    tile_lanes own[CELLS + LANES][PARTS]; /* the tiles before the step, cell by cell */
    tile_lanes sum[CELLS + LANES][PARTS]; /* contributions from other tiles, and from making no exchange */
    tile_cell own_flat[SIDE][RUN + LANES], sum_flat[SIDE][RUN + LANES]; /* one run of each tile, not interleaved yet */
    tile_cell beside[CELLS];                                            /* K runs from other tiles */
    size_t count;
    sb_item s[SIDE][ITEMS];      /* [m+1] the current item at the centre, and then the items q */
    sb_item centre[SIDE][ITEMS]; /* [K] the items that are not in q */
    /* [K * count] the sources with centre[0] for all tiles, then the sources with centre[1] for all tiles, ... */
    struct tile_sources sources[SB_CONVOLVE_TILE * SIDE];
};

static tile_cell tile_weight(union sb_convolve_number weight)
{
    return (tile_cell)weight.CONVOLVE_NUMBER;
}

/* Multiplies as unsigned numbers, since C would promote narrow numbers to signed int. */
static inline tile_cell tile_product(tile_cell a, tile_cell b)
{
    return (tile_cell)(1U * a * b);
}

/* Sets to[i] = from[i], for each i < run. Also prefetches `next`, the run that is needed next. */
static void tile_copy(size_t run, const tile_cell *restrict from, const tile_cell *next, tile_cell *restrict to)
{
    for (size_t i = 0; i < run; i += LINE)
        __builtin_prefetch(next + i);
    memcpy(to, from, run * sizeof *to);
}

/* Adds weight * from[i] to sum[i], for each i < run. Other tiles exist only if the runs are whole lines. */
static void tile_add(size_t run, tile_cell weight, const tile_cell *restrict from, const tile_cell *next,
                     tile_cell *restrict sum)
{
    _Static_assert(RUN % LINE == 0, "there is no rest of a run");

    for (size_t i = 0; i < run; i += LINE) {
        __builtin_prefetch(next + i);
#pragma GCC unroll 8
        for (size_t k = 0; k < LINE; k += LANES) {
            tile_lanes lanes = *(const tile_loose *)(from + i + k);

            if (weight != 1)
                lanes *= weight;
            *(tile_loose *)(sum + i + k) += lanes;
        }
    }
}

static size_t tile_run_number(const struct sb_convolve_plan *plan, const sb_item s[])
{
    return (size_t)sb_permutation_rank(plan->n, plan->m + 1, s);
}

static const tile_cell *tile_run(const struct sb_convolve_plan *plan, const tile_cell *old, const sb_item s[])
{
    return old + tile_run_number(plan, s) * plan->run;
}

/* Sets others[0..n-count-1] to the items that are not in s[0..count-1], in ascending order. */
static void tile_others(size_t n, const sb_item s[], size_t count, sb_item others[])
{
    size_t found = 0;

    for (size_t v = 0; v < n; v++) {
        bool taken = false;

        for (size_t i = 0; i < count; i++)
            taken = taken || s[i] == v;
        if (!taken)
            others[found++] = (sb_item)v;
    }
}

/* For each i < run, adds the products weight[k] * from[index[i][k]], k < count, to sum[i], in the order of k. */
__attribute__((always_inline)) static inline void tile_gather(size_t run, size_t count, const tile_cell weight[],
                                                              const uint16_t index[], const tile_cell *restrict from,
                                                              tile_cell *restrict sum)
{
    for (size_t i = 0; i < run; i++, index += count) {
        tile_cell all = sum[i];

#pragma GCC unroll 6
        for (size_t k = 0; k < count; k++)
            all = (tile_cell)(all + tile_product(weight[k], from[index[k]]));
        sum[i] = all;
    }
}

/* Adds to `sum`, the run of s, what the exchanges of low coordinate j with coordinates above m contribute. */
static void tile_mixed(const struct sb_convolve_step *step, struct tile_scratch *scratch, size_t j, const sb_item s[],
                       const tile_cell *old, tile_cell *sum)
{
    const struct sb_convolve_plan *const plan = step->plan;
    const size_t run = plan->run, others = plan->size - 1;
    const tile_cell *from[SB_CONVOLVE_TILE];
    tile_cell weight[SB_CONVOLVE_TILE];
    sb_item t[ITEMS], item[ITEMS];
    size_t mine = 0;

    memcpy(t, s, (plan->m + 1) * sizeof t[0]);
    t[j] = t[0]; /* t now lacks s[j], so item[] becomes the items that can be at coordinate j */
    tile_others(plan->n, t, plan->m + 1, item);
    for (size_t u = 0; u < plan->size; u++) {
        t[j] = item[u];
        mine = item[u] == s[j] ? u : mine;
        from[u] = tile_run(plan, old, t);
    }
    for (size_t u = 0; u < plan->size; u++)
        if (u != mine) /* skips the tile's own run */
            tile_copy(run, from[u], from[u + 1 < plan->size ? u + 1 : u], scratch->beside + u * run);
    for (size_t k = 0; k < others; k++)
        weight[k] = tile_weight(step->weight[j][plan->m + 1 + k]);
    if (others == SB_CONVOLVE_TILE - 1) /* so that the compiler unrolls the loop */
        tile_gather(run, SB_CONVOLVE_TILE - 1, weight, step->front + mine * run * others, scratch->beside, sum);
    else
        tile_gather(run, others, weight, step->front + mine * run * others, scratch->beside, sum);
}

static void tile_find(const struct sb_convolve_step *step, sb_item s[], const tile_cell *old,
                      struct tile_sources *sources)
{
    const struct sb_convolve_plan *const plan = step->plan;
    size_t count = 0;

    sources->run[count] = tile_run(plan, old, s);
    sources->weight[count++] = tile_weight(step->stay);
    for (size_t x = 0; x <= plan->m; x++)
        for (size_t y = x + 1; y <= plan->m; y++) {
            const sb_item a = s[x], b = s[y];

            if (!step->exchanges[x][y])
                continue;
            s[x] = b;
            s[y] = a;
            sources->run[count] = tile_run(plan, old, s);
            sources->weight[count++] = tile_weight(step->weight[x][y]);
            s[x] = a;
            s[y] = b;
        }
    sources->count = count;
}

/* Computes the contributions from other tiles, and from making no exchange, to one run of tile l: the run
 * with the tile's r-th item at the centre. */
static void tile_outer(const struct sb_convolve_step *step, struct tile_scratch *scratch, size_t r, size_t l,
                       const tile_cell *old)
{
    const struct sb_convolve_plan *const plan = step->plan;
    const size_t number = r * scratch->count + l, last = plan->size * scratch->count - 1;
    const struct tile_sources *const here = &scratch->sources[number];
    const struct tile_sources *const next = &scratch->sources[number < last ? number + 1 : last];
    tile_cell *const sum = scratch->sum_flat[l], *const own = scratch->own_flat[l];

    tile_copy(plan->run, here->run[0], next->run[0], own);
    for (size_t i = 0; i < plan->run; i++)
        sum[i] = here->weight[0] == 1 ? own[i] : tile_product(here->weight[0], own[i]);
    for (size_t k = 1; k < here->count; k++)
        tile_add(plan->run, here->weight[k], here->run[k], next->run[k], sum);
    scratch->s[l][0] = scratch->centre[l][r];
    for (size_t j = 1; j <= plan->m; j++)
        if (step->mixed[j])
            tile_mixed(step, scratch, j, scratch->s[l], old, sum);
}

/* Transposes a square of cells in log2(LANES) rounds. Each round interleaves rows i and i + LANES / 2 into rows 2i and
 * 2i + 1. */
static inline void tile_transpose(tile_lanes square[LANES])
{
#pragma GCC unroll 3
    for (int round = 1; round < LANES; round *= 2) {
        tile_lanes row[LANES];

#pragma GCC unroll 8
        for (int i = 0; i < LANES; i++)
            row[i] = square[i];
#pragma GCC unroll 4
        for (int i = 0; i < LANES / 2; i++) {
            const tile_lanes a = row[i], b = row[i + LANES / 2];

#if CONVOLVE_LANES == 8
            square[2 * i] = (tile_lanes) { a[0], b[0], a[1], b[1], a[2], b[2], a[3], b[3] };
            square[2 * i + 1] = (tile_lanes) { a[4], b[4], a[5], b[5], a[6], b[6], a[7], b[7] };
#elif CONVOLVE_LANES == 4
            square[2 * i] = (tile_lanes) { a[0], b[0], a[1], b[1] };
            square[2 * i + 1] = (tile_lanes) { a[2], b[2], a[3], b[3] };
#else
            square[2 * i] = (tile_lanes) { a[0], b[0] };
            square[2 * i + 1] = (tile_lanes) { a[1], b[1] };
#endif
        }
    }
}

/* Interleaves a run of each tile into to[0..run-1]. Writes up to LANES - 1 elements beyond the end. */
static void tile_interleave(size_t run, tile_cell from[SIDE][RUN + LANES], tile_lanes to[][PARTS])
{
    for (size_t i = 0; i < run; i += LANES)
#pragma GCC unroll 2
        for (size_t p = 0; p < PARTS; p++) {
            tile_lanes square[LANES];

#pragma GCC unroll 8
            for (size_t l = 0; l < LANES; l++)
                square[l] = *(const tile_loose *)(from[p * LANES + l] + i);
            tile_transpose(square);
#pragma GCC unroll 8
            for (size_t k = 0; k < LANES; k++)
                to[i + k][p] = square[k];
        }
}

static void tile_read(const struct sb_convolve_step *step, struct tile_scratch *scratch, size_t tile,
                      const tile_cell *old)
{
    const struct sb_convolve_plan *const plan = step->plan;
    const size_t count = scratch->count;

    for (size_t l = 0; l < count; l++) {
        sb_item *const s = scratch->s[l], *const centre = scratch->centre[l];

        sb_permutation_unrank(plan->n, plan->m, tile + l, s + 1);
        tile_others(plan->n, s + 1, plan->m, centre);
        for (size_t r = 0; r < plan->size; r++) {
            s[0] = centre[r];
            tile_find(step, s, old, &scratch->sources[r * count + l]);
        }
    }
    for (size_t r = 0; r < plan->size; r++) {
        for (size_t l = 0; l < count; l++)
            tile_outer(step, scratch, r, l, old);
        tile_interleave(plan->run, scratch->own_flat, scratch->own + r * plan->run);
        tile_interleave(plan->run, scratch->sum_flat, scratch->sum + r * plan->run);
    }
}

/* Computes one cell of all tiles: `sum` plus all weight[k] * own[index[k]], k < count. The result goes to
 * square[p][row]. */
__attribute__((always_inline)) static inline void tile_exchange_cell(const struct tile_scratch *scratch, size_t count,
                                                                     const tile_cell *weight, size_t order,
                                                                     const uint16_t index[], size_t row,
                                                                     tile_lanes square[PARTS][LANES])
{
    tile_lanes sum[PARTS];

#pragma GCC unroll 2
    for (size_t p = 0; p < PARTS; p++)
        sum[p] = scratch->sum[order][p];
#pragma GCC unroll 6
    for (size_t k = 0; k < count; k++)
#pragma GCC unroll 2
        for (size_t p = 0; p < PARTS; p++)
            if (weight)
                sum[p] += weight[k] * scratch->own[index[k]][p];
            else
                sum[p] += scratch->own[index[k]][p];
#pragma GCC unroll 2
    for (size_t p = 0; p < PARTS; p++)
        square[p][row] = sum[p];
}

/* Computes run r of each tile. */
__attribute__((always_inline)) static inline void tile_exchange_some(const struct sb_convolve_step *step,
                                                                     const struct tile_scratch *scratch, size_t r,
                                                                     size_t count, const tile_cell *weight,
                                                                     tile_cell *const to[])
{
    const size_t run = step->plan->run;
    const uint16_t *const order = step->order + r * run, *const index = step->index + r * run * count;

    for (size_t i = 0; i < run; i += LANES) {
        const size_t left = run - i < LANES ? run - i : LANES;
        tile_lanes square[PARTS][LANES] = { 0 };

#pragma GCC unroll 8
        for (size_t row = 0; row < LANES; row++)
            if (row < left)
                tile_exchange_cell(scratch, count, weight, order[i + row], index + (i + row) * count, row, square);
#pragma GCC unroll 2
        for (size_t p = 0; p < PARTS; p++) {
            tile_transpose(square[p]);
#pragma GCC unroll 8
            for (size_t l = 0; l < LANES; l++)
                if (p * LANES + l < scratch->count && left == LANES)
                    *(tile_loose *)(to[p * LANES + l] + i) = square[p][l];
                else if (p * LANES + l < scratch->count)
                    memcpy(to[p * LANES + l] + i, &square[p][l], left * sizeof(tile_cell));
        }
    }
}

/* In the common case, all weights are 1, and there are SB_CONVOLVE_TILE - 1 pairs. Then tile_exchange_some() gets
 * constant arguments, so that the compiler makes separate code for this case. */
static void tile_exchange(const struct sb_convolve_step *step, const struct tile_scratch *scratch, size_t r,
                          tile_cell *const to[])
{
    tile_cell weight[SB_CONVOLVE_INNER];
    bool common = step->inner == SB_CONVOLVE_TILE - 1;

    for (size_t k = 0; k < step->inner; k++) {
        weight[k] = tile_weight(step->inner_weight[k]);
        common = common && weight[k] == 1;
    }
    if (common)
        tile_exchange_some(step, scratch, r, SB_CONVOLVE_TILE - 1, NULL, to);
    else
        tile_exchange_some(step, scratch, r, step->inner, weight, to);
}

static void tile_write(const struct sb_convolve_step *step, const struct tile_scratch *scratch, tile_cell *new)
{
    const struct sb_convolve_plan *const plan = step->plan;

    for (size_t r = 0; r < plan->size; r++) {
        tile_cell *to[SIDE];

        for (size_t l = 0; l < scratch->count; l++) {
            sb_item s[ITEMS];

            for (size_t c = 0; c <= plan->m; c++)
                s[c] = step->source[c] ? scratch->s[l][step->source[c]] : scratch->centre[l][r];
            to[l] = new + tile_run_number(plan, s) * plan->run;
        }
        tile_exchange(step, scratch, r, to);
    }
}

static void tile_steps(const struct sb_convolve_step *step, void *held, size_t first, size_t end, const void *old,
                       void *new)
{
    struct tile_scratch *const scratch = held;

    for (size_t tile = first; tile < end; tile += SIDE) {
        scratch->count = end - tile < SIDE ? end - tile : SIDE;
        tile_read(step, scratch, tile, old);
        tile_write(step, scratch, new);
    }
}

const struct sb_convolve_cells CONVOLVE_CELLS = {
    .width = sizeof(tile_cell),
    .shares = (tile_cell)1 / 2 > 0,
    .room = sizeof(struct tile_scratch),
    .tiles = tile_steps,
};
