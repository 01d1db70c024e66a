/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts the draws and memory accesses of a shuffle, and measures its time.
 *
 * src/shuffle is compiled a second time, without optimisation and with a call of the thread sanitizer before each memory
 * access; cost_hooks.h turns these calls over to this file. Names in this second build begin with sb_counted. The counts
 * are the accesses that the source code makes, so they are the same for every compiler.
 *
 * Times are medians of interleaved repetitions, so that all parts run while the machine is in the same state, and
 * processor time, which other programs disturb less than elapsed time.
 */
#include "sample/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COST_ARRAYS = 3, COST_TURNS = 5, COST_PARTS = 5 };

extern const struct sb_shuffle_type *const sb_counted_types[];
enum sb_status sb_counted_open(struct sb_shuffle shuffle, size_t n, size_t deal,
                               struct sb_shuffler *shuffler);
void sb_counted_close(struct sb_shuffler *shuffler);
void sb_counted_run(const struct sb_shuffler *shuffler, struct sb_deck *deck, struct sb_source *src);

/* One of the arrays a, b and key of struct sb_deck. */
struct cost_array {
    const void *start;
    size_t bytes, element; /* size of the array and size of one element, in bytes */
    uint64_t reads, writes;
};

/* What is counted in this thread. Generators, and the calls that the compiler makes, pass no state. */
static _Thread_local struct {
    const struct sb_recipe *recipe;
    struct sb_words *words;
    uint64_t (*next)(struct sb_words *words); /* the generator's own function; that of `words` also counts */
    uint64_t drawn, taken, redraws;           /* draws, words, and rejected answers for the current deck */
    struct cost_array array[COST_ARRAYS];     /* all 0: no accesses are counted */
} cost;

static void cost_see(const void *where, size_t bytes, bool write)
{
    for (struct cost_array *array = cost.array; array < cost.array + COST_ARRAYS; array++)
        /* if the address is before the array, the offset wraps to a very large number */
        if ((uintptr_t)where - (uintptr_t)array->start < array->bytes)
            *(write ? &array->writes : &array->reads) += (bytes + array->element - 1) / array->element;
}

/* Only code that the compiler generates calls these functions. An access reads or writes one item or key. */
void sb_cost_none(void);
void sb_cost_read(const void *where);
void sb_cost_write(const void *where);
void *sb_cost_memmove(void *to, const void *from, size_t bytes);
void *sb_cost_memset(void *to, int byte, size_t bytes);

void sb_cost_none(void)
{
}

void sb_cost_read(const void *where)
{
    cost_see(where, 1, false);
}

void sb_cost_write(const void *where)
{
    cost_see(where, 1, true);
}

void *sb_cost_memmove(void *to, const void *from, size_t bytes)
{
    cost_see(from, bytes, false);
    cost_see(to, bytes, true);
    return memmove(to, from, bytes);
}

void *sb_cost_memset(void *to, int byte, size_t bytes)
{
    cost_see(to, bytes, true);
    return memset(to, byte, bytes);
}

static uint64_t cost_next(struct sb_words *words)
{
    cost.taken++;
    return cost.next(words);
}

/* Counts a draw. Returns whether the shuffle may make it. */
static bool cost_goes_on(struct sb_source *src)
{
    cost.drawn++;
    if (sb_recipe_stopped(cost.recipe))
        src->status = SB_STOPPED;
    if (cost.words->stuck)
        src->status = SB_BROKEN;
    return src->status == SB_OK;
}

static uint32_t cost_choose(struct sb_source *src, uint32_t bound)
{
    return cost_goes_on(src) ? cost.recipe->draw->type->pick(cost.recipe->draw, cost.words, bound) : 0;
}

static uint64_t cost_bits(struct sb_source *src, unsigned bits)
{
    return cost_goes_on(src) ? sb_words_bits(cost.words, bits) : 0;
}

static void cost_again(struct sb_source *src)
{
    if (++cost.redraws >= SB_PLAIN_REDRAWS_MOST)
        src->status = SB_BROKEN;
}

static enum sb_status cost_run(const struct sb_shuffler *shuffler, struct sb_deck *deck, size_t decks,
                               struct sb_cost_counts *counts)
{
    const size_t items = deck->n * sizeof *deck->a;
    const double share = 1 / (double)decks;
    struct sb_source src = { .choose = cost_choose, .bits = cost_bits, .again = cost_again };

    cost.array[0] = (struct cost_array) { deck->a, items, sizeof *deck->a, 0, 0 };
    cost.array[1] = (struct cost_array) { deck->b, items, sizeof *deck->b, 0, 0 };
    cost.array[2] = (struct cost_array) { deck->key, deck->n * sizeof *deck->key, sizeof *deck->key, 0, 0 };
    for (size_t d = 0; d < decks && src.status == SB_OK; d++) {
        cost.redraws = 0;
        sb_counted_run(shuffler, deck, &src);
    }
    *counts =
        (struct sb_cost_counts) { .draws = (double)cost.drawn * share, .words = (double)cost.taken * share };
    for (size_t i = 0; i < COST_ARRAYS; i++) {
        counts->reads += (double)cost.array[i].reads * share;
        counts->writes += (double)cost.array[i].writes * share;
        counts->bytes += cost.array[i].reads + cost.array[i].writes > 0 ? cost.array[i].bytes : 0;
    }
    counts->writes -= (double)deck->n; /* the initial fill of the deck does not count */
    if (!SB_COUNTS_ACCESSES)
        counts->reads = counts->writes = NAN;
    return src.status;
}

enum sb_status sb_cost_count(const struct sb_recipe *recipe, size_t decks, struct sb_cost_counts *counts)
{
    struct sb_shuffle shuffle = recipe->shuffler->shuffle;
    struct sb_shuffler shuffler = { 0 };
    struct sb_words *words = NULL;
    struct sb_deck deck = { 0 };
    size_t twin = 0; /* index of the same shuffle in the second build */

    while (strcmp(sb_counted_types[twin]->name, shuffle.type->name) != 0)
        twin++;
    shuffle.type = sb_counted_types[twin];
    enum sb_status status = sb_counted_open(shuffle, recipe->shuffler->n, recipe->shuffler->deal, &shuffler);
    if (status == SB_OK)
        status = sb_deck_open(shuffler.n, shuffler.deal, &deck);
    if (status == SB_OK)
        status = sb_rng_open(recipe->rng, recipe->seed, &words);
    if (status == SB_OK) {
        memset(&cost, 0, sizeof cost);
        cost.recipe = recipe;
        cost.words = words;
        cost.next = words->next;
        words->next = cost_next;
        status = cost_run(&shuffler, &deck, decks, counts);
        memset(&cost, 0, sizeof cost);
        sb_rng_close(words);
    }
    sb_deck_close(&deck);
    sb_counted_close(&shuffler);
    return status;
}

/* State of one call of sb_cost_time(). */
struct cost_timing {
    const struct sb_recipe *recipe;
    size_t decks;   /* number of decks per repetition */
    uint64_t words; /* number of words of these decks */
    struct sb_plain plain;
    bool side_by_side;
    struct sb_lanes_program program;
    struct sb_lanes_tally tally;
    struct sb_lanes_matrix matrix;
};

/* The parts of the work, in the order of the members of struct sb_cost_times. */
static enum sb_status cost_part(struct cost_timing *timing, int part)
{
    struct sb_plain *const plain = &timing->plain;
    const struct sb_rng_type *const rng = timing->recipe->rng->type;
    const struct sb_lanes_isa *const isa = sb_lanes_best();
    const size_t n = plain->deck.n, block = sb_block_decks(timing->program.n), size = n * sizeof(sb_item);
    volatile uint64_t sink = 0; /* so that the compiler leaves no work out */

    for (size_t d = 0; part == 0 && d < timing->decks; d++)
        if (sb_plain_next(plain))
            return plain->src.status;
    for (size_t d = 0, k = 0; part == 1 && timing->side_by_side && d < timing->decks; d += block, k++) {
        const size_t left = timing->decks - d, decks = left < block ? left : block;

        if (timing->program.cells > 0)
            isa->tally(&timing->program, timing->recipe->seed, k, decks, &timing->tally);
        else
            isa->matrix(&timing->program, timing->recipe->seed, k, decks, &timing->matrix, NULL);
    }
    for (uint64_t w = 0; part == 2 && w < timing->words; w += plain->src.word ? SB_PLAIN_WORDS : 1)
        if (plain->src.word) /* the source reads from a buffer */
            rng->fill(plain->words, SB_PLAIN_WORDS, plain->buffer);
        else
            sink += sb_words_next(plain->words);
    for (size_t d = 0; part >= 3 && n > 0 && d < timing->decks; d++) {
        if (part == 3)
            sb_deck_reset(&plain->deck);
        else
            memcpy(plain->deck.b, plain->deck.a, size);
        sink = (part == 3 ? plain->deck.a : plain->deck.b)[d % n];
    }
    (void)sink;
    return SB_OK;
}

static int cost_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static enum sb_status cost_turns(struct cost_timing *timing, struct sb_cost_times *times)
{
    double *const into[COST_PARTS] = { &times->plain, &times->side_by_side, &times->generator, &times->fill,
                                       &times->copy };
    double took[COST_PARTS][COST_TURNS];
    struct timespec at[2];

    for (int turn = 0; turn < COST_TURNS; turn++)
        for (int k = 0; k < COST_PARTS; k++) {
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at[0]);
            const enum sb_status status = cost_part(timing, k);
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at[1]);
            if (status)
                return status;
            took[k][turn] =
                ((double)(at[1].tv_sec - at[0].tv_sec) * 1e9 + (double)(at[1].tv_nsec - at[0].tv_nsec)) /
                (double)timing->decks;
        }
    for (int k = 0; k < COST_PARTS; k++) {
        qsort(took[k], COST_TURNS, sizeof took[k][0], cost_compare);
        *into[k] = k == 1 && !timing->side_by_side ? NAN : took[k][COST_TURNS / 2];
    }
    return SB_OK;
}

enum sb_status sb_cost_time(const struct sb_recipe *recipe, size_t decks, double words,
                            struct sb_cost_times *times)
{
    struct cost_timing *const timing = calloc(1, sizeof *timing);
    enum sb_status status = SB_OK;

    if (!timing)
        return SB_NO_MEMORY;
    timing->recipe = recipe;
    timing->decks = decks / COST_TURNS + 1;
    timing->words = (uint64_t)(words * (double)timing->decks);
    timing->side_by_side = sb_sample_side_by_side(recipe, &timing->program);
    if (timing->side_by_side && timing->program.cells > 0)
        status = sb_lanes_tally_open(&timing->program, &timing->tally);
    else if (timing->side_by_side)
        status = sb_lanes_matrix_open(timing->program.n, timing->program.deal, &timing->matrix);
    if (status == SB_OK)
        status = sb_plain_open(recipe, &timing->plain);
    if (status == SB_OK)
        status = cost_turns(timing, times);
    sb_plain_close(&timing->plain);
    sb_lanes_tally_close(&timing->tally);
    sb_lanes_matrix_close(&timing->matrix);
    free(timing);
    return status;
}
