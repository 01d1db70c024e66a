/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Buffers of Philox words, from many counters at once. The words are the same for every instruction set.
 *
 * Words are numbered from the start of a block. A group has 64 words. Let g be the number of a group, c < 16
 * and w < 4, and let i = 16 g + c. Then word 64 g + 16 w + c is output word w of Philox4x32-10 with the key
 * {low half of seed, high half of seed} and the counter {low half of i, high half of i, low half of block,
 * high half of block}.
 */
#ifndef SB_RNG_PHILOX_WIDE_H
#define SB_RNG_PHILOX_WIDE_H

#include <stddef.h>
#include <stdint.h>

/* Fills word[0 .. 64 * groups - 1] with the groups first_group, first_group + 1, ... of the block. */
typedef void sb_philox_filler(uint64_t seed, uint64_t block, uint64_t first_group, size_t groups,
                              uint32_t word[]);

/* One function for each instruction set that the library was built for, all compiled from
 * rng/philox_wide.c. */
sb_philox_filler sb_philox_fill_plain;
#if defined __x86_64__ || defined __i386__
sb_philox_filler sb_philox_fill_avx2;
sb_philox_filler sb_philox_fill_avx512;
#endif

/* Returns function `index` of the functions that this machine can run; function 0 is the fastest. NULL if
 * `index` is beyond the last. */
sb_philox_filler *sb_philox_filler_get(size_t index);

/* Calls the fastest function that this machine can run. */
sb_philox_filler sb_philox_fill;

#endif
