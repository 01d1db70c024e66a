/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps at several lags of 6 to 64 items, for 64 permutations side by side. */
#include "tally/lags_parts.h"

#include <string.h>

/* Counts, at each lag, the steps to the first `count` permutations in the second halves of the rows of positions. */
static void lags_count_steps(struct sb_lags *lags, size_t count)
{
    sb_lag_steps *const steps = sb_lag_steps_get(0);

    for (size_t l = lags->begin; l < SB_LAGS; l++) {
        const size_t lag = sb_lags_lag(l), from = lags->known < lag ? lag - lags->known : 0;
        const uint64_t left = SB_LAGS_STEPS - lags->taken[l];
        uint16_t fixed[SB_ROWS_DEALS], displacement[SB_ROWS_DEALS];
        size_t to = count;

        if (from >= count || left == 0)
            continue;
        if (to - from > left)
            to = from + (size_t)left;
        steps((const sb_lag_places *)lags->places, lags->n, lag, fixed, displacement);
        sb_observer_add_cells_of(lags->observer[l],
                                 (const uint16_t *[]) { fixed + from, displacement + from }, to - from);
        lags->taken[l] += to - from;
    }
}

void sb_lags_take_rows(struct sb_lags *lags, struct sb_rows *rows, bool counted)
{
    const size_t n = lags->n, known = lags->known + rows->deals;

    sb_rows_get(0)->find_places(rows);
    for (size_t i = 0; i < n; i++)
        memcpy(lags->places[i] + SB_ROWS_DEALS, rows->place[i], SB_ROWS_DEALS);
    if (counted)
        lags_count_steps(lags, rows->deals);
    for (size_t i = 0; i < n; i++)
        memmove(lags->places[i], lags->places[i] + rows->deals, SB_ROWS_DEALS);
    lags->known = known < SB_LAGS_FARTHEST ? known : SB_LAGS_FARTHEST;
}

void sb_lags_add_deals(struct sb_lags *lags, const sb_item items[], size_t count, bool counted)
{
    for (size_t deals; count; count -= deals, items += deals * lags->n) {
        struct sb_rows rows;

        deals = count < SB_ROWS_DEALS ? count : SB_ROWS_DEALS;
        sb_rows_fill(lags->n, lags->n, items, deals, &rows);
        sb_lags_take_rows(lags, &rows, counted);
    }
}
