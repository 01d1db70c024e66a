/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Included before each shuffle in the second compilation, which counts accesses. Assignments of symbols in assembly
 * turn the calls of the thread sanitizer over to sample/cost.c, so that a real sanitizer does not interfere. Clang 16
 * and later call
 * __tsan_memcpy() and its like. */
#ifndef SB_SAMPLE_COST_HOOKS_H
#define SB_SAMPLE_COST_HOOKS_H

#define COST_HOOK(name, to) "__tsan_" name " = sb_cost_" to "\n"
#define COST_HOOKS(which)       \
    COST_HOOK(which "1", which) \
    COST_HOOK(which "2", which) \
    COST_HOOK(which "4", which) COST_HOOK(which "8", which) COST_HOOK(which "16", which)
__asm__(COST_HOOKS("read") COST_HOOKS("write") COST_HOOK("read_range", "read") COST_HOOK("write_range", "write")
            COST_HOOK("init", "none") COST_HOOK("func_entry", "none") COST_HOOK("func_exit", "none")
                COST_HOOK("memcpy", "memmove") COST_HOOK("memmove", "memmove") COST_HOOK(
                    "memset",
                    "memset") "memcpy = sb_cost_memmove\nmemmove = sb_cost_memmove\nmemset = sb_cost_memset\n");

#endif
