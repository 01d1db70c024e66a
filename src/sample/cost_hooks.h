/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Included before each shuffle in the second compilation, which counts accesses. Assignments of symbols in assembly turn the
 * calls of the thread sanitizer over to sample/cost.c, so that a real sanitizer does not interfere. Clang 16 and later call
 * __tsan_memcpy() and its like. */
#ifndef SB_SAMPLE_COST_HOOKS_H
#define SB_SAMPLE_COST_HOOKS_H

#define COST_HOOKS(which)                                                                               \
    "__tsan_" which "1 = sb_cost_" which "\n__tsan_" which "2 = sb_cost_" which "\n__tsan_" which       \
    "4 = sb_cost_" which "\n__tsan_" which "8 = sb_cost_" which "\n__tsan_" which "16 = sb_cost_" which \
    "\n__tsan_" which "_range = sb_cost_" which "\n"
__asm__(COST_HOOKS("read")
            COST_HOOKS("write") "__tsan_init = sb_cost_none\n__tsan_func_entry = sb_cost_none\n"
                                "__tsan_func_exit = sb_cost_none\nmemcpy = sb_cost_memmove\nmemmove = "
                                "sb_cost_memmove\nmemset = sb_cost_memset\n"
                                "__tsan_memcpy = sb_cost_memmove\n__tsan_memmove = "
                                "sb_cost_memmove\n__tsan_memset = sb_cost_memset\n");

#endif
