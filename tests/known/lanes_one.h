/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One deck at a time: a second implementation, in scalar C with Random123's own Philox, of the words that
 * sample/lanes/lanes.h promises to each deck, and of the draws that share them.
 */
#ifndef SB_TESTS_LANES_ONE_H
#define SB_TESTS_LANES_ONE_H

#include "sample/lanes/lanes.h"

#include <Random123/philox.h>

#include <stdbool.h>

static inline philox4x32_ctr_t philox(uint64_t seed, uint32_t c0, uint32_t c1, uint64_t block)
{
    const philox4x32_ctr_t counter = { { c0, c1, (uint32_t)block, (uint32_t)(block >> 32) } };
    const philox4x32_key_t key = { { (uint32_t)seed, (uint32_t)(seed >> 32) } };

    return philox4x32_R(10, counter, key);
}

/* The w-th 16-bit word of deck d. */
static inline uint32_t deck_word(uint64_t seed, uint64_t block, uint32_t d, uint32_t w)
{
    const philox4x32_ctr_t x = philox(seed, d / 8, w, block);
    const uint32_t word = x.v[(d & 1) + 2 * (d / 4 & 1)];

    return d / 2 & 1 ? word >> 16 : word & 0xFFFF;
}

static inline bool fits(uint32_t product, uint32_t most)
{
    return product <= 65536 && 65536 % product <= most;
}

/* Which word serves each draw: the smallest draw without one has the next, with the longest run after it that
 * fits; where there is none, with all that fit, one after another. */
static inline size_t share(size_t n, const uint32_t bound[], size_t count, size_t word[])
{
    const uint32_t most = count <= n / 2 ? 512 : 64;
    size_t words = 0;

    for (size_t k = 0; k < count; k++)
        word[k] = SIZE_MAX;
    for (size_t first = 0; first < count; first++) {
        uint32_t product = 1;
        size_t last = first;

        if (word[first] != SIZE_MAX)
            continue;
        for (size_t k = first; k < count && product <= 65536; k++) {
            product *= word[k] == SIZE_MAX ? bound[k] : 1;
            if (word[k] == SIZE_MAX && fits(product, most))
                last = k;
        }
        product = last == first ? bound[first] : 65536;
        for (size_t k = first; k <= last; k++)
            if (word[k] == SIZE_MAX)
                word[k] = words;
        for (size_t k = first + 1; k < count; k++)
            if (word[k] == SIZE_MAX && fits(product * bound[k], most)) {
                word[k] = words;
                product *= bound[k];
            }
        words++;
    }
    return words;
}

/* All draws of deck d; false if it is rejected. */
static inline bool deck_draws(uint64_t seed, uint64_t block, uint32_t d, size_t n, const uint32_t bound[], size_t count,
                              uint32_t draw[])
{
    size_t word[2 * SB_LANES_STEPS_MOST];
    const size_t words = share(n, bound, count, word);
    bool accepted = true;

    for (size_t w = 0; w < words; w++) {
        uint32_t x = deck_word(seed, block, d, (uint32_t)w), product = 1;

        for (size_t k = 0; k < count; k++) {
            if (word[k] != w)
                continue;
            draw[k] = x * bound[k] >> 16;
            x = x * bound[k] & 0xFFFF;
            product *= bound[k];
        }
        accepted = accepted && x >= 65536 % product;
    }
    return accepted;
}

/* Shuffles deck d; false if it is rejected. */
static inline bool deck_shuffle(const struct sb_shuffler *shuffler, uint64_t seed, uint64_t block, uint32_t d,
                                sb_item a[])
{
    uint32_t bound[2 * SB_LANES_STEPS_MOST], draw[2 * SB_LANES_STEPS_MOST] = { 0 };
    size_t count = 0;

    for (size_t k = 0; k < shuffler->count; k++) {
        if (shuffler->steps[k].at_bound > 1)
            bound[count++] = (uint32_t)shuffler->steps[k].at_bound;
        if (shuffler->steps[k].bound > 1)
            bound[count++] = (uint32_t)shuffler->steps[k].bound;
    }
    if (!deck_draws(seed, block, d, shuffler->n, bound, count, draw))
        return false;
    for (size_t i = 0; i < shuffler->n; i++)
        a[i] = (sb_item)i;
    count = 0;
    for (size_t k = 0; k < shuffler->count; k++) {
        const size_t i = shuffler->steps[k].at + (shuffler->steps[k].at_bound > 1 ? draw[count++] : 0);
        const size_t j = shuffler->steps[k].from + (shuffler->steps[k].bound > 1 ? draw[count++] : 0);
        const sb_item item = a[i];

        a[i] = a[j];
        a[j] = item;
    }
    return true;
}

#endif
