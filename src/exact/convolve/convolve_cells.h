/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arithmetic of `convolve`, once for each type of cell: what convolve_small.c and its like provide. */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_CELLS_H
#define SB_EXACT_CONVOLVE_CONVOLVE_CELLS_H

#include "exact/convolve/convolve_plan.h"

struct sb_convolve_cells {
    size_t width; /* bytes of a cell */
    /*
     * Does the first steps, `steps` at most, permutation by permutation, while there are few; writes what
     * came of them into cells[n!], all 0 before, in the layout that the next step reads, and how many were
     * done. A modulus of 0 stands for the type's own.
     */
    enum sb_status (*start)(const struct sb_convolve_plan *plan, uint64_t modulus, size_t steps, size_t *done,
                            void *cells);
    /* What a thread works in, and a step's weights in this arithmetic; the caller frees it. NULL: no memory.
     */
    void *(*open)(const struct sb_convolve_step *step, uint64_t modulus);
    /* Does the step for tiles first..end-1. */
    void (*tiles)(const struct sb_convolve_step *step, void *scratch, size_t first, size_t end,
                  const void *old, void *new);
};

extern const struct sb_convolve_cells sb_convolve_narrow; /* uint16_t, modulo 2^16 */
extern const struct sb_convolve_cells sb_convolve_widen;  /* reads these, and writes the following */
extern const struct sb_convolve_cells sb_convolve_small;  /* uint32_t, modulo 2^32 */
extern const struct sb_convolve_cells sb_convolve_count;  /* uint64_t, modulo 2^64 or a modulus below 2^28 */
extern const struct sb_convolve_cells sb_convolve_share;  /* double, probabilities */

#endif
