/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arithmetic of `convolve` for one type of cell. There is one file for each type, such as
 * convolve_small.c. */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_CELLS_H
#define SB_EXACT_CONVOLVE_CONVOLVE_CELLS_H

#include "exact/convolve/convolve_plan.h"

struct sb_convolve_cells {
    size_t width; /* bytes of a cell */
    /*
     * Does the first steps, at most `steps`, permutation by permutation, as long as there are few
     * permutations. Writes the result into cells[n!], which are all 0 before the call, in the layout that the
     * next step reads. Sets *done to the number of steps done. A modulus of 0 stands for that of the cell
     * type. This function is NULL in convolve_widen.c, which does no first steps.
     */
    enum sb_status (*start)(const struct sb_convolve_plan *plan, uint64_t modulus, size_t steps, size_t *done,
                            void *cells);
    /* Allocates the scratch space of a thread, with the weights of a step in this arithmetic. The caller
     * frees it. Returns NULL if memory runs out. */
    void *(*open)(const struct sb_convolve_step *step, uint64_t modulus);
    /* Does the step for tiles first..end-1. */
    void (*tiles)(const struct sb_convolve_step *step, void *scratch, size_t first, size_t end,
                  const void *old, void *new);
};

extern const struct sb_convolve_cells sb_convolve_narrow; /* uint16_t, modulo 2^16 */
extern const struct sb_convolve_cells sb_convolve_widen;  /* reads 16 bits, writes 32 bits */
extern const struct sb_convolve_cells sb_convolve_small;  /* uint32_t, modulo 2^32 */
extern const struct sb_convolve_cells sb_convolve_count;  /* uint64_t, modulo 2^64 or a modulus below 2^28 */
extern const struct sb_convolve_cells sb_convolve_share;  /* double, probabilities */

#endif
