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
 *
 * Decks are counted by item and position two at a time, so each card costs half an increment. Cells have 16 bits, so
 * that the cells of one position fit in the nearest cache. The cells are emptied before any of them can overflow.
 * Additional cost: for each pair of decks, a product and a sum, which the compiler vectorises; for every 65,536 pairs,
 * about (n + 1)^2 additions at each position.
 */
#define _DEFAULT_SOURCE /* for madvise() */

#include "sample/lanes/lanes.h"

#include "core/system.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

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

/* Finds out whether decks can be counted by their series of draws. If so, sets the members of the program
 * from which the index of a series is computed. */
static void lanes_number_series(struct sb_lanes_program *program)
{
    const size_t most = program->cells > WORD ? program->cells : WORD;
    uint32_t high = 1;
    size_t series = 1;

    for (size_t k = 0; k < program->words; k++) {
        series *= program->word[k].product;
        if (program->word[k].product == WORD || series > most)
            return;
    }
    while (program->series_split < program->words && high * program->word[program->series_split].product < WORD)
        high *= program->word[program->series_split++].product;
    program->series_weight = (uint32_t)(series / high);
    program->series = program->series_weight < WORD ? series : 0;
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
        lanes_number_series(&made);
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

enum {
    CACHE_LINE = 64,
    HUGE_PAGE = 2 * 1024 * 1024,
    /* the largest number of cells if one increment counts several decks, so that all cells fit in the nearest cache */
    TOGETHER_MOST = 16384,
};

static size_t tally_together(size_t cells, size_t fold)
{
    size_t together = 1;

    for (size_t k = 0; k < fold; k++)
        together *= cells + 1;
    return together;
}

static enum sb_status tally_open(size_t cells, struct sb_lanes_tally *tally)
{
    const size_t fold = tally_together(cells, 4) <= TOGETHER_MOST   ? 4
                        : tally_together(cells, 2) <= TOGETHER_MOST ? 2
                                                                    : 1;
    const size_t count = tally_together(cells, fold);
    const bool huge = count >= HUGE_PAGE / 2;
    const size_t unit = huge ? HUGE_PAGE : CACHE_LINE, size = (count + unit - 1) / unit * unit;
    void *const cell = aligned_alloc(unit, size);
    uint64_t *const wraps = calloc(count, sizeof *wraps);

    if (!cell || !wraps) {
        free(cell);
        free(wraps);
        return SB_NO_MEMORY;
    }
#ifdef MADV_HUGEPAGE
    if (huge)
        (void)madvise(cell, size, MADV_HUGEPAGE); /* if the kernel refuses, counting is slower but correct */
#endif
    memset(cell, 0, size);
    *tally = (struct sb_lanes_tally) {
        .cells = cells,
        .fold = fold,
        .together = count,
        .cell = cell,
        .wraps = wraps,
    };
    return SB_OK;
}

enum sb_status sb_lanes_tally_open(const struct sb_lanes_program *program, struct sb_lanes_tally *tally)
{
    return tally_open(program->cells, tally);
}

enum sb_status sb_lanes_tally_open_series(const struct sb_lanes_program *program, struct sb_lanes_tally *tally)
{
    uint32_t *const rank = malloc(program->series * sizeof *rank);
    const enum sb_status status = rank ? tally_open(program->series, tally) : SB_NO_MEMORY;

    if (status) {
        free(rank);
        return status;
    }
    sb_lanes_best()->series_ranks(program, rank);
    tally->rank = rank;
    return SB_OK;
}

void sb_lanes_tally_close(struct sb_lanes_tally *tally)
{
    free(tally->cell);
    free(tally->wraps);
    free(tally->rank);
    *tally = (struct sb_lanes_tally) { 0 };
}

void sb_lanes_tally_add(const struct sb_lanes_tally *tally, uint64_t count[])
{
    const size_t base = tally->cells + 1;

    for (size_t i = 0; i < tally->together; i++) {
        const uint64_t decks = (tally->wraps[i] << 8) + tally->cell[i];

        for (size_t k = 0, numbers = i; k < tally->fold; k++, numbers /= base) {
            const size_t number = numbers % base;

            if (number < tally->cells)
                count[tally->rank ? tally->rank[number] : number] += decks;
        }
    }
}

/* ---- counts by item and position ---- */

enum { PAIRS = SB_LANES_QUEUE / 2 };

enum sb_status sb_lanes_matrix_open(size_t n, size_t deal, struct sb_lanes_matrix *matrix)
{
    struct sb_lanes_matrix made = { .n = n, .deal = deal };

    /* rows are whole cache lines, since access to a vector that lies in two lines costs twice as much */
    made.queue = aligned_alloc(CACHE_LINE, (deal + 1) * SB_LANES_QUEUE_ROW);
    made.pair = calloc(deal * (n + 1) * (n + 1) + 1, sizeof *made.pair);
    made.count = calloc(n * deal + 1, sizeof *made.count);
    if (!made.queue || !made.pair || !made.count) {
        sb_lanes_matrix_close(&made);
        return SB_NO_MEMORY;
    }
    *matrix = made;
    return SB_OK;
}

void sb_lanes_matrix_close(struct sb_lanes_matrix *matrix)
{
    free(matrix->queue);
    free(matrix->pair);
    free(matrix->count);
    *matrix = (struct sb_lanes_matrix) { 0 };
}

static void matrix_count_pairs(const uint8_t queue[SB_LANES_QUEUE], uint16_t row, uint16_t pair[])
{
    uint16_t cell[PAIRS];

    for (size_t k = 0; k < PAIRS; k++)
        cell[k] = (uint16_t)(queue[2 * k] * row + queue[2 * k + 1]);
#pragma GCC unroll 8
    for (size_t k = 0; k < PAIRS; k++)
        pair[cell[k]]++;
}

static void matrix_empty(const struct sb_lanes_matrix *matrix, size_t j)
{
    const size_t n = matrix->n;
    uint16_t *cell = matrix->pair + j * (n + 1) * (n + 1);
    uint32_t first[SB_LANES_ITEMS_MOST + 1] = { 0 }, second[SB_LANES_ITEMS_MOST + 1] = { 0 };

    for (size_t x = 0; x <= n; x++)
        for (size_t y = 0; y <= n; y++, cell++) {
            first[x] += *cell;
            second[y] += *cell;
            *cell = 0;
        }
    for (size_t i = 0; i < n; i++)
        matrix->count[i * matrix->deal + j] += first[i] + second[i];
}

void sb_lanes_matrix_count(struct sb_lanes_matrix *matrix)
{
    const size_t row = matrix->n + 1;

    for (size_t j = 0; j < matrix->deal; j++) {
        uint8_t *const queue = matrix->queue + j * SB_LANES_QUEUE_ROW;

        memset(queue + matrix->waiting, (int)matrix->n, SB_LANES_QUEUE - matrix->waiting);
        matrix_count_pairs(queue, (uint16_t)row, matrix->pair + j * row * row);
        if (matrix->pairs + 2 * PAIRS > UINT16_MAX)
            matrix_empty(matrix, j);
    }
    matrix->pairs = matrix->pairs + 2 * PAIRS > UINT16_MAX ? 0 : matrix->pairs + PAIRS;
    matrix->waiting = 0;
}

void sb_lanes_matrix_settle(struct sb_lanes_matrix *matrix)
{
    sb_lanes_matrix_count(matrix);
    for (size_t j = 0; j < matrix->deal; j++)
        matrix_empty(matrix, j);
    matrix->pairs = 0;
}
