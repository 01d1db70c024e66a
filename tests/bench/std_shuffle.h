/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The peer of the sampling benchmark: the same shuffles and counts as a C++ program would make them. */
#ifndef SB_BENCH_STD_SHUFFLE_H
#define SB_BENCH_STD_SHUFFLE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adds `shuffles` shuffles of n items, n in 2..10, to count[n!] by rank. */
void std_shuffle_sample(unsigned n, uint64_t seed, uint64_t shuffles, uint32_t count[]);

#ifdef __cplusplus
}
#endif

#endif
