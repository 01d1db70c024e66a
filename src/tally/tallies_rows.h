/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tallies that can share deals in rows (statistic/rows/rows.h). */
#ifndef SB_TALLY_TALLIES_ROWS_H
#define SB_TALLY_TALLIES_ROWS_H

#include "tally/tallies.h"

/* Adds valid deals, items[count * deal], to the statistics, the lags and the catalogue. */
void sb_tallies_add_rows(struct sb_tallies *tallies, const sb_item items[], size_t count);

#endif
