/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shuffles of whole decks that start each call with a seed of a few bits. No statistic of one deck shows
 * that; a pass only says how few decks it rules out. The seeds of the test are fixed. A fair shuffle fails
 * with probability 1e-9 at most, and a shuffle with as few decks as a pass rules out passes with probability
 * 1e-6 at most.
 */
#include "study/results.h"
#include "unit/test.h"

#include "core/calls.h"
#include "gate/gate.h"

#include <string.h>

enum { ITEMS = 52 };

/* xorshift64*, Vigna, doi:10.1145/2845077. */
static uint64_t next(uint64_t *word)
{
    *word ^= *word >> 12;
    *word ^= *word << 25;
    *word ^= *word >> 27;
    return *word * UINT64_C(2685821657736338717);
}

struct reseeding {
    uint64_t word;
    unsigned bits; /* of a seed; 0: the generator goes on */
};

static int reseeding(void *items, size_t n, size_t size, void *state)
{
    struct reseeding *const self = state;
    uint16_t *const item = items;
    const uint64_t seed = self->bits ? next(&self->word) >> (64 - self->bits) : 0;
    uint64_t own = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15);

    assert_true(size == sizeof item[0]);
    for (size_t i = n; i > 1; i--) {
        const size_t j = (size_t)((next(self->bits ? &own : &self->word) >> 32) * i >> 32);
        const uint16_t moved = item[i - 1];

        item[i - 1] = item[j];
        item[j] = moved;
    }
    return 0;
}

static struct sb_gate *gate_on(unsigned bits, uint64_t seeds)
{
    struct reseeding self = { .word = 1, .bits = bits };
    const struct sb_subject subject = { .shuffle = reseeding, .state = &self, .n = ITEMS, .size = sizeof(uint16_t) };
    struct sb_request options;
    struct sb_gate *gate = NULL;

    sb_request_init(&options, SB_GATE);
    options.exclude = 0.1;
    options.seeds = seeds;
    assert_int_equal(sb_gate_new(&subject, &options, NULL, &gate), SB_OK);
    print_message("# %u bits, --seeds %llu: verdict %d after %llu decks\n", bits, (unsigned long long)seeds,
                  (int)gate->verdict, (unsigned long long)gate->total);
    return gate;
}

/* The pass comes long before a deck comes up twice; it says how few decks it rules out, and these are fewer.
 */
TEST(a_pass_states_its_bound)
{
    struct sb_gate *const gate = gate_on(32, 0);

    assert_int_equal(gate->verdict, SB_VERDICT_PASS);
    assert_true(gate->seeds_low > 1e5 && gate->seeds_low < 0x1p32);
    assert_non_null(strstr(gate->sentence, "equally likely decks"));
    sb_gate_free(gate);
}

TEST(few_seeds_are_found)
{
    static const unsigned bits[] = { 20, 24, 32 };

    for (size_t i = 0; i < sizeof bits / sizeof bits[0]; i++) {
        struct sb_gate *const gate = gate_on(bits[i], UINT64_C(1) << bits[i]);

        assert_int_equal(gate->verdict, SB_VERDICT_FAIL);
        assert_non_null(strstr(gate->sentence, "a whole deck came up again"));
        sb_gate_free(gate);
    }
}

/* The gate goes on past the point where all else would pass. */
TEST(a_generator_that_goes_on_passes_late)
{
    struct sb_gate *const early = gate_on(0, 0), *const late = gate_on(0, UINT64_C(1) << 32);

    assert_int_equal(early->verdict, SB_VERDICT_PASS);
    assert_int_equal(late->verdict, SB_VERDICT_PASS);
    assert_true(early->seeds_low < 0x1p32 && late->seeds_low >= 0x1p32);
    assert_true(late->total > 5 * early->total);
    sb_gate_free(early);
    sb_gate_free(late);
}
