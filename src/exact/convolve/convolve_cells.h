/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of `convolve` that depend on the type of the cells. There is one file for each type, such as
 * convolve_small.c. */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_CELLS_H
#define SB_EXACT_CONVOLVE_CONVOLVE_CELLS_H

#include "exact/convolve/convolve_plan.h"

/* Takes a permutation and the cell of this permutation. a[j] is the item at position j. */
typedef void sb_convolve_put(void *state, const sb_item a[], const void *cell);

struct sb_convolve_cells {
    size_t width; /* bytes of a cell */
    /*
     * Does the first steps, at most `steps`, permutation by permutation, as long as there are few
     * permutations. Sets *done to the number of steps done, and then calls `put` for each permutation whose
     * cell is not 0. A modulus of 0 stands for the natural modulus of the cell type, such as 2^32. NULL if
     * cells of one type are read and cells of another type are written, as in convolve_widen.c.
     */
    enum sb_status (*start)(const struct sb_convolve_plan *plan, uint64_t modulus, size_t steps, size_t *done,
                            sb_convolve_put *put, void *state);
    /* Allocates the scratch space of a thread, with the weights of a step converted to the cell type. The
     * caller frees the scratch space. Returns NULL if memory runs out. */
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
