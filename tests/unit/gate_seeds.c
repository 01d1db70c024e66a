/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shuffles of whole decks that start each call with a seed of a few bits. No statistic of one deck shows
 * that; a pass only says how few decks it rules out. The seeds of the test are fixed. A fair shuffle fails
 * with probability 1e-9 at most, and a shuffle with as few decks as a pass rules out passes with probability
 * 1e-6 at most.
 */
#include "unit/ask.h"

struct reseeding {
    uint64_t word;
    unsigned bits; /* of a seed; 0: the generator goes on */
};

static int reseeding(void *items, size_t n, size_t size, void *state)
{
    struct reseeding *const self = state;

    if (self->bits == 0)
        return fair_shuffle(items, n, size, &self->word);
    uint64_t own = ((uint64_t)word_below(&self->word, (size_t)1 << self->bits) + 1) * UINT64_C(0x9E3779B97F4A7C15);

    return fair_shuffle(items, n, size, &own);
}

static struct sb_result *gate_on(unsigned bits, const char *options)
{
    struct reseeding self = { .word = 1, .bits = bits };
    struct sb_request *const request = ask("gate", options);

    put(request, "n", "52");
    put(request, "exclude", "0.1");
    sb_set_shuffle(request, reseeding, &self);
    return answer(request);
}

/* The pass comes long before a deck comes up twice; it says how few decks it rules out, and these are fewer. */
TEST(a_pass_states_its_bound)
{
    struct sb_result *const gate = gate_on(32, "");

    check_value(gate, "verdict", "pass");
    assert_true(sb_number(gate, "gates.0.seeds_low") > 1e5 && sb_number(gate, "gates.0.seeds_low") < 0x1p32);
    assert_non_null(strstr(sb_get(gate, "gates.0.details"), "equally likely decks"));
    sb_result_free(gate);
}

TEST(few_seeds_are_found)
{
    static const unsigned bits[] = { 20, 24, 32 };

    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        char seeds[32];

        snprintf(seeds, sizeof seeds, "seeds=%llu", 1ULL << bits[i]);
        struct sb_result *const gate = gate_on(bits[i], seeds);

        check_value(gate, "verdict", "fail");
        assert_non_null(strstr(sb_get(gate, "gates.0.sentence"), "a whole deck came up again"));
        sb_result_free(gate);
    }
}

/* The gate goes on past the point where all else would pass. */
TEST(a_generator_that_goes_on_passes_late)
{
    struct sb_result *const early = gate_on(0, ""), *const late = gate_on(0, "seeds=4294967296");

    check_value(early, "verdict", "pass");
    check_value(late, "verdict", "pass");
    assert_true(sb_number(early, "gates.0.seeds_low") < 0x1p32 && sb_number(late, "gates.0.seeds_low") >= 0x1p32);
    assert_true(sb_number(late, "gates.0.total") > 5 * sb_number(early, "gates.0.total"));
    sb_result_free(early);
    sb_result_free(late);
}
