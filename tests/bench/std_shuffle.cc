// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * std::shuffle with std::mt19937_64, the rank of each result and an array of counts. At its best: n is known
 * when it is compiled, items are bytes, the deck and the rank stay in registers as far as the compiler can
 * keep them there.
 */
#include "std_shuffle.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <random>

template <unsigned n> static void sample(uint64_t seed, uint64_t shuffles, uint32_t count[])
{
    std::mt19937_64 rng(seed);
    std::array<uint8_t, n> a;

    for (uint64_t s = 0; s < shuffles; s++) {
        uint32_t rank = 0;

        std::iota(a.begin(), a.end(), uint8_t { 0 });
        std::shuffle(a.begin(), a.end(), rng);
        for (unsigned i = 0; i < n; i++) {
            uint32_t digit = a[i];

            for (unsigned j = 0; j < i; j++)
                digit -= a[j] < a[i];
            rank = rank * (n - i) + digit;
        }
        count[rank]++;
    }
}

void std_shuffle_sample(unsigned n, uint64_t seed, uint64_t shuffles, uint32_t count[])
{
    using sampler = void(uint64_t, uint64_t, uint32_t[]);
    static constexpr sampler *samplers[] = { sample<2>, sample<3>, sample<4>, sample<5>, sample<6>,
                                             sample<7>, sample<8>, sample<9>, sample<10> };

    samplers[n - 2](seed, shuffles, count);
}
