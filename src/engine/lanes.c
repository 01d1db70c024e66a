/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes programs for decks side by side: shares the random words out among the draws, packs the digits of the
 * rank.
 *
 * Draws share a word as long as that rejects at most 64 decks in 65536: from each draw on the longest such
 * run is taken. 65520 is divisible by 5040 and 720, so all draws of Fisher-Yates on ten items fit two words.
 * A rank has mixed radix digits (core/permutation.c); as many as possible go into a byte, as many such bytes
 * into 16 bits, and two of those are always enough: the first has more than 65535/256 values, leaving at most
 * 10!/256 for the second.
 */
#include "engine/lanes.h"

enum {
    WORD = 65536,
    REJECT_MOST = 64, /* of WORD; a bound by itself may need more */
};

static struct sb_lanes_step lanes_step(const struct sb_swap *swap)
{
    struct sb_lanes_step step = {
        .at = { .low = (uint8_t)swap->at, .bound = (uint8_t)swap->at_bound },
        .from = { .low = (uint8_t)swap->from, .bound = (uint8_t)swap->bound },
        .first = (uint8_t)swap->from,
        .end = (uint8_t)(swap->from + swap->bound),
    };

    if (swap->at_bound == 1 && swap->at == step.first)
        step.first++;
    else if (swap->at_bound == 1 && swap->at + 1 == step.end)
        step.end--;
    return step;
}

/* Collects the draws of the steps. */
static void lanes_collect(struct sb_lanes_program *program)
{
    for (size_t k = 0; k < program->steps; k++) {
        if (program->step[k].at.bound > 1)
            program->draw[program->draws++] = program->step[k].at;
        if (program->step[k].from.bound > 1)
            program->draw[program->draws++] = program->step[k].from;
    }
}

/* Shares words out among the draws. */
static void lanes_share(struct sb_lanes_program *program)
{
    for (size_t first = 0; first < program->draws; first = program->word[program->words++].end) {
        struct sb_lanes_word *const word = &program->word[program->words];
        uint32_t product = 1;

        for (size_t k = first; k < program->draws && product * program->draw[k].bound <= WORD; k++) {
            product *= program->draw[k].bound;
            if (k == first || WORD % product <= REJECT_MOST)
                *word = (struct sb_lanes_word) { .first = (uint16_t)first,
                                                 .end = (uint16_t)(k + 1),
                                                 .reject = (uint16_t)(WORD % product) };
        }
    }
}

/* Packs the digits of the rank; the last digit of a whole permutation is always 0 and left out. */
static void lanes_pack(struct sb_lanes_program *program)
{
    const size_t digits = program->deal == program->n ? program->n - 1 : program->deal;
    uint32_t product = 1;

    program->weight = 1;
    for (size_t i = 0; i < digits; i++) {
        const uint32_t radix = (uint32_t)(program->n - i);

        if (program->bytes == 0 || program->byte[program->bytes - 1].radix * radix > 256)
            program->byte[program->bytes++] = (struct sb_lanes_byte) { .first = (uint8_t)i, .radix = 1 };

        struct sb_lanes_byte *const byte = &program->byte[program->bytes - 1];

        byte->end = (uint8_t)(i + 1);
        byte->radix = (uint16_t)(byte->radix * radix);
    }
    while (program->split < program->bytes && product * program->byte[program->split].radix < WORD)
        product *= program->byte[program->split++].radix;
    for (size_t k = program->split; k < program->bytes; k++)
        program->weight *= program->byte[k].radix;
}

enum sb_status sb_lanes_prepare(const struct sb_shuffler *shuffler, struct sb_lanes_program *program)
{
    struct sb_lanes_program made = {
        .n = shuffler->n,
        .deal = shuffler->deal,
        .cells = sb_cells(shuffler->n, shuffler->deal),
        .steps = shuffler->count,
    };

    if (!shuffler->steps || made.n < 2 || made.n > SB_LANES_ITEMS_MOST || made.steps > SB_LANES_STEPS_MOST ||
        made.cells == 0)
        return SB_TOO_LARGE;
    for (size_t k = 0; k < made.steps; k++)
        made.step[k] = lanes_step(&shuffler->steps[k]);
    lanes_collect(&made);
    lanes_share(&made);
    lanes_pack(&made);
    *program = made;
    return SB_OK;
}
