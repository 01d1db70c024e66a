/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of `convolve`, which is gigabytes for many items. */
#ifndef SB_EXACT_CONVOLVE_CONVOLVE_MEMORY_H
#define SB_EXACT_CONVOLVE_CONVOLVE_MEMORY_H

#include "exact/law.h"

/* Allocates zeroed cells of `width` bytes, on huge pages if available. The caller frees the cells. Returns
 * NULL if memory runs out. */
void *sb_convolve_new(size_t count, size_t width);

/* Lets the law's threads touch the pages of zeroed cells, so that the system provides the memory in parallel.
 * Ends early if the law is stopped. */
void sb_convolve_touch(const struct sb_law *law, void *cells, size_t bytes);

/* Checks that `needs` bytes are available. If not, returns SB_NO_MEMORY, and the error says how many bytes
 * are available and what to do. */
enum sb_status sb_convolve_fits(const struct sb_law *law, double needs, struct sb_error *error);

#endif
