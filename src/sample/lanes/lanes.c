/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes the programs that shuffle decks side by side: assigns the draws to random words, and packs the digits of the
 * rank.
 *
 * Several draws share a word if this rejects at most 64 decks in 65536. For example, 65520 = 65536 - 16 is divisible by
 * 5040 = 10!/6! and by 720 = 6!. So two words serve all draws of Fisher-Yates on ten items. A draw with a large bound
 * can seldom share a word with the next draw, but may share a word with a later draw:
 * 65520 is also divisible by 52 * 45 * 28. So 23 words serve the 51 draws of 52 items. If few cards are
 * dealt, generating words is most of the work, so it pays to use fewer words, although more decks are rejected. The
 * nine draws of a hand of 9 of 52 take five words instead of seven, and 1.2 decks in a hundred are rejected.
 *
 * A rank has mixed radix digits (core/permutation.c). As many consecutive digits as possible are packed into each byte,
 * and as many of these bytes as possible are packed into a 16-bit number. Two 16-bit numbers always suffice: the first
 * number has at least 65536/256 = 256 values unless it holds all digits, so the second number has at most 10!/256
 * values.
 *
 * Decks are counted by rank or by series of draws in cells of one byte. Cost: one byte per cell, and eight more bytes
 * that stay untouched until the cell wraps. Large tables use huge pages: with millions of cells on small pages, each
 * increment would also need a page look-up.
 */
#include "sample/lanes/lanes.h"

#include "core/system.h"

enum {
    WORD = 65536,
    /* a 16-bit word serves several draws only if at most this many of the word's values are rejected */
    REJECT_MOST = 64,
    REJECT_MOST_OF_FEW = 512, /* replaces REJECT_MOST if there are at most n / 2 draws */
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

static void lanes_collect(struct sb_lanes_program *program)
{
    for (size_t k = 0; k < program->steps; k++) {
        if (program->step[k].at.bound > 1)
            program->draw[program->draws++] = program->step[k].at;
        if (program->step[k].from.bound > 1)
            program->draw[program->draws++] = program->step[k].from;
    }
}

static bool lanes_fits(const struct sb_lanes_program *program, uint32_t product)
{
    const bool few = 2 * program->draws <= program->n;

    return product <= WORD && WORD % product <= (few ? REJECT_MOST_OF_FEW : REJECT_MOST);
}

/* Returns how many of the first draws in `left` share the next word. */
static size_t lanes_run(const struct sb_lanes_program *program, const uint16_t left[], size_t count)
{
    uint32_t product = 1;
    size_t run = 1;

    for (size_t k = 0; k < count && product <= WORD; k++) {
        product *= program->draw[left[k]].bound;
        if (lanes_fits(program, product))
            run = k + 1;
    }
    return run;
}

static void lanes_share(struct sb_lanes_program *program)
{
    uint16_t left[SB_LANES_DRAWS_MOST]; /* indexes of the draws that have no word yet */
    size_t count = program->draws, served = 0;

    for (size_t k = 0; k < count; k++)
        left[k] = (uint16_t)k;
    while (count > 0) {
        struct sb_lanes_word *const word = &program->word[program->words++];
        const size_t run = lanes_run(program, left, count);
        uint32_t product = 1;
        size_t kept = 0;

        word->first = (uint16_t)served;
        for (size_t k = 0; k < count; k++) {
            const uint32_t bound = program->draw[left[k]].bound;

            if (k < run || (run == 1 && lanes_fits(program, product * bound))) {
                program->serve[served++] = left[k];
                product *= bound;
            } else {
                left[kept++] = left[k];
            }
        }
        word->end = (uint16_t)served;
        word->reject = (uint16_t)(WORD % product);
        word->product = product;
        count = kept;
    }
}

/* Finds the step that settles each position. A step settles a position if no later step changes the item at
 * this position. Returns whether every step settles a position. */
static bool lanes_settle(struct sb_lanes_program *program)
{
    bool settled = true;

    for (size_t i = 0; i < program->n; i++)
        program->settles[i] = (uint16_t)program->steps;
    for (size_t k = 0; settled && k < program->steps; k++) {
        const struct sb_lanes_step *const step = &program->step[k];

        settled = step->at.bound == 1 && step->from.bound > 1 && program->settles[step->at.low] == program->steps;
        for (size_t i = 0; settled && i < step->from.bound; i++)
            settled = program->settles[step->from.low + i] == program->steps;
        program->settles[step->at.low] = (uint16_t)k;
    }
    return settled;
}

static size_t lanes_series(const struct sb_lanes_program *program)
{
    size_t series = 1;

    for (size_t k = 0; k < program->words && series <= SB_LANES_SERIES_MOST; k++)
        series *= program->word[k].product;
    return series <= SB_LANES_SERIES_MOST ? series : 0;
}

/* Packs the digits of the rank. Leaves out the last digit of a whole permutation, which is always 0. */
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

    if (!shuffler->steps || made.n < 2 || made.n > SB_LANES_ITEMS_MOST || made.steps > SB_LANES_STEPS_MOST)
        return SB_TOO_LARGE;
    for (size_t k = 0; k < made.steps; k++)
        made.step[k] = lanes_step(&shuffler->steps[k]);
    lanes_collect(&made);
    lanes_share(&made);
    made.settled = lanes_settle(&made);
    if (made.cells > 0) {
        lanes_pack(&made);
        made.series = lanes_series(&made);
    }
    *program = made;
    return SB_OK;
}

/* ---- instruction sets ---- */

const struct sb_lanes_isa *sb_lanes_get(size_t index)
{
#if defined __x86_64__ || defined __i386__
    if (__builtin_cpu_supports("avx2"))
        return index == 0 ? &sb_lanes_avx2 : index == 1 ? &sb_lanes_plain : NULL;
#endif
    return index == 0 ? &sb_lanes_plain : NULL;
}

const struct sb_lanes_isa *sb_lanes_best(void)
{
    return sb_lanes_get(0);
}

/* ---- counts by rank or by series ---- */

enum { TOGETHER_MOST = 16384 }; /* up to this many cells fit in the nearest cache */

static size_t tally_together(size_t cells, size_t fold)
{
    size_t together = 1;

    for (size_t k = 0; k < fold; k++)
        together *= cells + 1;
    return together;
}

enum sb_status sb_lanes_tally_open(const struct sb_lanes_program *program, bool series, struct sb_lanes_tally *tally)
{
    const size_t cells = series ? program->series : program->cells;
    size_t fold = 4;

    while (fold > 1 && tally_together(cells, fold) > TOGETHER_MOST)
        fold /= 2;
    *tally = (struct sb_lanes_tally) {
        .series = series,
        .cells = cells,
        .fold = fold,
        .together = tally_together(cells, fold),
    };
    tally->cell = sb_huge_pages_new(tally->together, sizeof *tally->cell);
    tally->wraps = calloc(tally->together, sizeof *tally->wraps);
    if (tally->cell && tally->wraps)
        return SB_OK;
    sb_lanes_tally_close(tally);
    return SB_NO_MEMORY;
}

void sb_lanes_tally_close(struct sb_lanes_tally *tally)
{
    free(tally->cell);
    free(tally->wraps);
    *tally = (struct sb_lanes_tally) { 0 };
}

static size_t tally_place(struct sb_lanes_place place, const uint8_t draw[], size_t *taken)
{
    return place.low + (place.bound > 1 ? draw[(*taken)++] : 0U);
}

/* Returns the rank of the deck that this series of draws makes. */
static uint64_t tally_rank(const struct sb_lanes_program *program, size_t series)
{
    uint8_t draw[SB_LANES_DRAWS_MOST] = { 0 };
    sb_item a[SB_LANES_ITEMS_MOST];
    size_t taken = 0;

    for (size_t k = program->draws; k-- > 0;) {
        const size_t bound = program->draw[program->serve[k]].bound;

        draw[program->serve[k]] = (uint8_t)(series % bound);
        series /= bound;
    }
    for (size_t i = 0; i < program->n; i++)
        a[i] = (sb_item)i;
    for (size_t k = 0; k < program->steps; k++) {
        const size_t at = tally_place(program->step[k].at, draw, &taken);
        const size_t from = tally_place(program->step[k].from, draw, &taken);
        const sb_item item = a[at];

        a[at] = a[from];
        a[from] = item;
    }
    return sb_permutation_rank(program->n, program->deal, a);
}

void sb_lanes_tally_add(const struct sb_lanes_program *program, const struct sb_lanes_tally *tally, uint64_t count[])
{
    const size_t base = tally->cells + 1;

    for (size_t i = 0; i < tally->together; i++) {
        const uint64_t decks = (tally->wraps[i] << 8) + tally->cell[i];

        for (size_t k = 0, numbers = i; decks > 0 && k < tally->fold; k++, numbers /= base) {
            const size_t number = numbers % base;

            if (number < tally->cells)
                count[tally->series ? tally_rank(program, number) : number] += decks;
        }
    }
}
