// SPDX-License-Identifier: GPL-3.0-or-later
// Gates shuffles with GoogleTest:
//
//     c++ -std=c++17 shuffle_test.cc $(pkg-config --cflags --libs shufflebias gtest_main) -o shuffle_test && ./shuffle_test
#include <gtest/gtest.h>
#include <shufflebias.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

using Deck = std::vector<uint16_t>;
using Shuffle = std::function<void(Deck &)>;

// A shuffle, and the exception that it threw, which must not pass through the library's frames of C.
struct Trial {
    const Shuffle &shuffle;
    std::exception_ptr thrown;
};

static int call(void *items, size_t n, size_t, void *state)
{
    auto &trial = *static_cast<Trial *>(state);
    const auto first = static_cast<uint16_t *>(items);

    try {
        Deck deck(first, first + n);
        trial.shuffle(deck);
        if (deck.size() != n)
            throw std::length_error("the shuffle changed the number of items");
        std::copy(deck.begin(), deck.end(), first);
        return 0;
    } catch (...) {
        trial.thrown = std::current_exception();
        return 1;
    }
}

// Calls the shuffle with the numbers 0 to n - 1 until the verdict is known. Throws what the shuffle throws.
static testing::AssertionResult is_fair(const Shuffle &shuffle, size_t n, double max_bias)
{
    Trial trial { shuffle, nullptr };
    const std::unique_ptr<sb_request, decltype(&sb_request_free)> request(sb_request_new("gate"),
                                                                          sb_request_free);

    sb_set_shuffle(request.get(), call, &trial);
    const bool set = sb_set(request.get(), "n", std::to_string(n).c_str()) == SB_OK &&
                     sb_set(request.get(), "max-bias", std::to_string(max_bias).c_str()) == SB_OK;
    const std::unique_ptr<sb_result, decltype(&sb_result_free)> result(set ? sb_run(request.get()) : nullptr,
                                                                       sb_result_free);

    if (trial.thrown)
        std::rethrow_exception(trial.thrown);
    if (!result)
        return testing::AssertionFailure() << sb_error(request.get());
    const bool passed = std::string(sb_get(result.get(), "gates.0.verdict")) == "pass";

    return (passed ? testing::AssertionSuccess() : testing::AssertionFailure())
           << sb_get(result.get(), "gates.0.sentence");
}

TEST(Shuffle, Standard)
{
    std::mt19937_64 words { std::random_device {}() };

    EXPECT_TRUE(is_fair([&](Deck &deck) { std::shuffle(deck.begin(), deck.end(), words); }, 5, 0.02));
}

TEST(Shuffle, Naive) // fails
{
    std::mt19937_64 words { std::random_device {}() };

    EXPECT_TRUE(is_fair(
        [&](Deck &deck) {
            for (auto &card : deck)
                std::swap(card, deck[std::uniform_int_distribution<size_t> { 0, deck.size() - 1 }(words)]);
        },
        5, 0.02));
}
