/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A fair shuffle, and a biased one, that share no code with the library: Durstenfeld's shuffle
 * (doi:10.1145/364520.364540) with SplitMix64 (Steele, Lea and Flood, doi:10.1145/2714064.2660195). A draw below k
 * is the upper half of k times 32 bits, whose probabilities are off by a factor of less than k/2^32.
 */
#include "promise/promise.h"

static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t next(struct promise_random *random)
{
    return mix(random->word += UINT64_C(0x9e3779b97f4a7c15));
}

struct promise_random promise_seed(uint64_t stream, uint64_t index)
{
    return (struct promise_random) { mix(mix(stream + 1) + index) };
}

uint64_t promise_below(struct promise_random *random, uint64_t bound)
{
    return (next(random) >> 32) * bound >> 32;
}

double promise_uniform(struct promise_random *random)
{
    return (double)(next(random) >> 11) * 0x1p-53;
}

int promise_fair(void *items, size_t n, size_t size, void *state)
{
    uint16_t *const item = items;

    for (size_t i = n; i > 1; i--) {
        const size_t j = (size_t)promise_below(state, i);
        const uint16_t moved = item[i - 1];

        item[i - 1] = item[j];
        item[j] = moved;
    }
    return 0;
}

int promise_deranged(void *items, size_t n, size_t size, void *state)
{
    const uint16_t *const item = items;
    size_t i = 0;

    while (i < n) {
        promise_fair(items, n, size, state);
        for (i = 0; i < n && item[i] != i; i++)
            continue;
    }
    return 0;
}

int promise_biased(void *items, size_t n, size_t size, void *state)
{
    uint16_t *const item = items;

    promise_fair(items, n, size, state);
    if (((item[0] > item[1]) ^ (item[0] > item[2]) ^ (item[1] > item[2])) && promise_uniform(state) < 0.6) {
        const uint16_t moved = item[0];

        item[0] = item[1];
        item[1] = moved;
    }
    return 0;
}
