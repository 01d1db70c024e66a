/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory for GMP. GMP calls abort() if it gets no memory.
 *
 * If malloc() fails, GMP's numbers come from a reserve in the library's static data. The program can use
 * these numbers like all other numbers. Code that builds numbers in a loop calls sb_gmp_short() in each
 * iteration, and gives up with SB_NO_MEMORY. So the reserve only has to hold what one iteration allocates.
 * This is a few numbers of at most 120 kB, the size of 65535!, and the memory that GMP needs to multiply
 * them.
 *
 * GMP has one set of allocation functions for the whole process, so the library sets these functions when the
 * library is loaded. While there is memory, the library's functions only call malloc(), realloc() and free(),
 * as GMP's own functions do. So a program may create numbers before the library is loaded, and free them
 * after the library is unloaded. A program may set allocation functions of its own, before or after the
 * library is loaded. Then the program's functions stay in place, and the program must handle a lack of
 * memory.
 */
#ifndef SB_CORE_SYSTEM_GMP_MEMORY_H
#define SB_CORE_SYSTEM_GMP_MEMORY_H

#include <stdbool.h>

/* Returns whether the reserve holds numbers of any thread. If so, the caller should create no more numbers.
 * The answer may change from call to call, so a loop calls this function only once per iteration. */
bool sb_gmp_short(void);

#endif
