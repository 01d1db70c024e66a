/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expected counts, computed once for all members of a tally. */
#include "fit/test/cell.h"

#include <stdlib.h>

double *sb_cells_expected(const struct sb_tally *tally)
{
    double *const expected = calloc(tally->cells, sizeof *expected);

    for (size_t cell = 0; expected && cell < tally->cells; cell++)
        expected[cell] = sb_cell_get(tally, 0, cell).expected;
    return expected;
}
