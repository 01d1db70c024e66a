// SPDX-License-Identifier: GPL-3.0-or-later
// Gates shuffles with GoogleTest:
//
//     c++ -std=c++17 shuffle_test.cc $(pkg-config --cflags --libs shufflebias gtest_main) -o shuffle_test && ./shuffle_test
#include <gtest/gtest.h>
#include <shufflebias.h>

#include <algorithm>
#include <exception>
#include <functional>
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
static testing::AssertionResult is_fair(const Shuffle &shuffle, size_t n, double exclude)
{
    Trial trial { shuffle, nullptr };
    sb_subject subject;
    sb_gate_options options;
    sb_gate_summary summary;
    sb_error error;
    sb_gate *gate;

    subject = {};
    subject.n = n;
    subject.state = &trial;
    subject.shuffle = call;
    sb_gate_options_init(&options);
    options.exclude = exclude;
    const auto status = sb_gate_new(&subject, &options, &error, &gate);
    if (trial.thrown)
        std::rethrow_exception(trial.thrown);
    if (status)
        return testing::AssertionFailure() << error.text;
    sb_gate_summary_get(gate, &summary);
    const bool passed = std::string(summary.verdict) == "pass";
    const std::string sentence = summary.sentence;
    sb_gate_free(gate);
    return (passed ? testing::AssertionSuccess() : testing::AssertionFailure()) << sentence;
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
