/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts deals in rows once, for the statistics, the lags and the catalogue. */
#include "tally/tallies_rows.h"

enum {
    ROWS_LEAST = 8,       /* the fewest deals that are worth putting in rows */
    ROWS_ITEMS_LEAST = 6, /* fewer items are counted by rank */
};

/* Adds these deals to what processes deals one at a time or in rows of its own. */
static void tallies_add_deals(struct sb_tallies *tallies, const sb_item items[], size_t count)
{
    if (tallies->observer && !tallies->ranked)
        sb_observer_add(tallies->observer, items, count);
    if (tallies->lags)
        sb_lags_add(tallies->lags, items, count);
    if (tallies->catalogue)
        sb_catalogue_add(tallies->catalogue, items, count);
}

/* Adds whole permutations, which statistics, lags and the catalogue share in rows. */
static void tallies_add_rows(struct sb_tallies *tallies, const sb_item items[], size_t count)
{
    const size_t n = tallies->n;

    for (size_t deals; count; count -= deals, items += deals * n) {
        struct sb_rows rows;

        deals = count < SB_ROWS_DEALS ? count : SB_ROWS_DEALS;
        if (deals < ROWS_LEAST) {
            tallies_add_deals(tallies, items, deals);
            continue;
        }
        sb_rows_fill(n, n, items, deals, &rows);
        sb_observer_add_rows(tallies->observer, items, &rows);
        sb_lags_add_rows(tallies->lags, &rows);
        if (tallies->catalogue)
            sb_catalogue_add_rows(tallies->catalogue, items, &rows);
    }
}

void sb_tallies_add_rows(struct sb_tallies *tallies, const sb_item items[], size_t count)
{
    const bool rows = tallies->n >= ROWS_ITEMS_LEAST && tallies->n <= SB_ROWS_ITEMS_MOST;

    if (rows && tallies->observer && !tallies->ranked && tallies->lags)
        tallies_add_rows(tallies, items, count);
    else
        tallies_add_deals(tallies, items, count);
}
