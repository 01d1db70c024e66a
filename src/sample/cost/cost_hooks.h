/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This header is included before each shuffle in the second compilation, which counts accesses. The
 * compiler's thread sanitizer inserts a call before each memory access. These calls, and calls of memcpy(),
 * memmove() and memset(), go to functions in sample/cost/cost_watch.c. Assignments of symbols in assembly
 * redirect all of these calls, so that a real sanitizer does not interfere.
 */
#ifndef SB_SAMPLE_COST_COST_HOOKS_H
#define SB_SAMPLE_COST_COST_HOOKS_H

__asm__("__tsan_init = sb_cost_none\n"
        "__tsan_func_entry = sb_cost_none\n"
        "__tsan_func_exit = sb_cost_none\n"
        "__tsan_read1 = sb_cost_read1\n"
        "__tsan_read2 = sb_cost_read2\n"
        "__tsan_read4 = sb_cost_read4\n"
        "__tsan_read8 = sb_cost_read8\n"
        "__tsan_read16 = sb_cost_read16\n"
        "__tsan_write1 = sb_cost_write1\n"
        "__tsan_write2 = sb_cost_write2\n"
        "__tsan_write4 = sb_cost_write4\n"
        "__tsan_write8 = sb_cost_write8\n"
        "__tsan_write16 = sb_cost_write16\n"
        "__tsan_read_range = sb_cost_read_range\n"
        "__tsan_write_range = sb_cost_write_range\n"
        "memcpy = sb_cost_memcpy\n"
        "memmove = sb_cost_memmove\n"
        "memset = sb_cost_memset\n"
        "__tsan_memcpy = sb_cost_memcpy\n" /* the names that clang 16 and later call */
        "__tsan_memmove = sb_cost_memmove\n"
        "__tsan_memset = sb_cost_memset\n");

#endif
