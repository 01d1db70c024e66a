// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A peer of speed.py: std::shuffle with std::mt19937_64, the rank of each result and an array of counts. At its best: n is known
 * when it is compiled, items are bytes, the deck and the rank stay in registers as far as the compiler can keep them there.
 *
 *     std_shuffle N SHUFFLES     N in 2..10
 */
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

template <unsigned n> static uint32_t sample(uint64_t shuffles)
{
    std::mt19937_64 rng(1);
    std::array<uint8_t, n> a;
    std::vector<uint32_t> count(3628800);

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
    return *std::max_element(count.begin(), count.end());
}

int main(int argc, char **argv)
{
    static constexpr uint32_t (*samplers[])(uint64_t) = { sample<2>, sample<3>, sample<4>, sample<5>, sample<6>,
                                                          sample<7>, sample<8>, sample<9>, sample<10> };
    const unsigned n = argc == 3 ? (unsigned)std::atoi(argv[1]) : 0;

    return n >= 2 && n <= 10 && samplers[n - 2](std::strtoull(argv[2], nullptr, 10)) ? 0 : 1;
}
