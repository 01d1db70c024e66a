/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory for GMP, which calls abort() when it gets none.
 *
 * When malloc() fails, GMP's numbers come from a reserve that is part of the library's data. They are right,
 * wherever they stand. What builds numbers in a loop asks sb_gmp_short() in each turn, and gives up with
 * SB_NO_MEMORY: so the reserve only has to hold what one turn allocates, a few numbers of at most 120 kB
 * (65535!) and what GMP needs to multiply them.
 *
 * The functions are set when the library is loaded, since GMP has one set of them for the whole process.
 * Everything else comes from malloc(), realloc() and free(), as GMP's own functions have it: numbers of the
 * program that uses the library may be made before and freed after. A program that has set functions of its
 * own before, or sets some later, keeps them, and answers for what they do without memory.
 */
#ifndef SB_CORE_SYSTEM_GMP_MEMORY_H
#define SB_CORE_SYSTEM_GMP_MEMORY_H

#include <stdbool.h>

/* Whether numbers stand in the reserve, of this thread or of another: no more of them should be made. The
 * answer may be another one the next time, so that a loop asks once a turn, and keeps the answer that ends
 * it. */
bool sb_gmp_short(void);

#endif
