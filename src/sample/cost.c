/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts the draws and memory accesses of a shuffle, and measures its time.
 *
 * src/shuffle is compiled a second time, without optimisation and with a call of the thread sanitizer before each
 * memory access; cost_hooks.h turns these calls over to this file. Names in this second build begin with sb_counted.
 * The counts are the accesses that the source code makes, so they are the same for every compiler.
 *
 * Times are medians of interleaved repetitions, so that all parts run while the machine is in the same state, and
 * processor time, which other programs disturb less than elapsed time.
 */
#include "sample/sample.h"

#include <gsl/gsl_statistics_double.h>
#include <time.h>

enum { COST_ARRAYS = 3, COST_TURNS = 5, COST_PARTS = 5 };

extern const struct sb_shuffle_type *const sb_counted_types[];
enum sb_status sb_counted_open(struct sb_shuffle shuffle, size_t n, size_t deal, struct sb_shuffler *shuffler);
void sb_counted_close(struct sb_shuffler *shuffler);
void sb_counted_run(const struct sb_shuffler *shuffler, struct sb_deck *deck, struct sb_source *src);

/* What is counted in this thread. Generators, and the calls that the compiler makes, pass no state. */
static _Thread_local struct {
    uint64_t (*next)(struct sb_words *words); /* the generator's own function; that of its words also counts */
    uint64_t taken, reads, writes;            /* words, and accesses */
    struct {
        const void *start;
        size_t bytes, element; /* size of the array and of one element */
        bool used;
    } array[COST_ARRAYS]; /* the arrays a, b and key of struct sb_deck; all 0: no accesses are counted */
} cost;

static void cost_see(const void *where, size_t bytes, bool write)
{
    for (size_t i = 0; i < COST_ARRAYS; i++)
        /* if the address is before the array, the offset wraps to a very large number */
        if ((uintptr_t)where - (uintptr_t)cost.array[i].start < cost.array[i].bytes) {
            *(write ? &cost.writes : &cost.reads) += (bytes + cost.array[i].element - 1) / cost.array[i].element;
            cost.array[i].used = true;
        }
}

/* Only code that the compiler generates calls these functions. An access reads or writes one item or key. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"
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

static enum sb_status cost_run(const struct sb_shuffler *shuffler, struct sb_plain *plain, size_t decks,
                               struct sb_cost_counts *counts)
{
    struct sb_deck *const deck = &plain->deck;
    const size_t n = deck->n, size = sizeof *deck->a;
    const double share = 1 / (double)decks;

    memset(&cost, 0, sizeof cost);
    cost.next = plain->words->next;
    plain->words->next = cost_next;
    sb_plain_unbuffer(plain);
    cost.array[0].start = deck->a;
    cost.array[1].start = deck->b;
    cost.array[2].start = deck->key;
    for (size_t i = 0; i < COST_ARRAYS; i++) {
        cost.array[i].element = i < 2 ? size : sizeof *deck->key;
        cost.array[i].bytes = n * cost.array[i].element;
    }
    for (size_t d = 0; d < decks && plain->src.status == SB_OK; d++) {
        plain->src.spare_rejections = SB_PLAIN_REDRAWS_MOST - 1;
        sb_counted_run(shuffler, deck, &plain->src);
    }
    *counts = (struct sb_cost_counts) {
        .draws = (double)plain->drawn * share,
        .words = (double)cost.taken * share,
        .reads = SB_COUNTS_ACCESSES ? (double)cost.reads * share : NAN,
        .writes = SB_COUNTS_ACCESSES ? (double)cost.writes * share - (double)n : NAN, /* without the initial fill */
    };
    for (size_t i = 0; i < COST_ARRAYS; i++)
        counts->bytes += cost.array[i].used ? cost.array[i].bytes : 0;
    memset(&cost, 0, sizeof cost);
    return plain->src.status;
}

enum sb_status sb_cost_count(const struct sb_recipe *recipe, size_t decks, struct sb_cost_counts *counts)
{
    struct sb_shuffle shuffle = recipe->shuffler->shuffle;
    struct sb_plain *const plain = calloc(1, sizeof *plain);
    struct sb_shuffler shuffler = { 0 };
    size_t twin = 0; /* index of the same shuffle in the second build */

    if (!plain)
        return SB_NO_MEMORY;
    while (strcmp(sb_counted_types[twin]->name, shuffle.type->name) != 0)
        twin++;
    shuffle.type = sb_counted_types[twin];
    enum sb_status status = sb_counted_open(shuffle, recipe->shuffler->n, recipe->shuffler->deal, &shuffler);
    if (status == SB_OK)
        status = sb_plain_open(recipe, plain);
    if (status == SB_OK)
        status = cost_run(&shuffler, plain, decks, counts);
    sb_plain_close(plain);
    free(plain);
    sb_counted_close(&shuffler);
    return status;
}

/* State of one call of sb_cost_time(). */
struct cost_timing {
    size_t decks;   /* number of decks per repetition */
    uint64_t words; /* number of words of these decks */
    struct sb_plain plain;
    bool side_by_side;
    struct sb_lanes_program program;
    struct sb_lanes_tally tally;
    uint64_t *matrix; /* [deal * (n + 1)] owned */
};

/* The parts of the work, in the order of the members of struct sb_cost_times. */
static enum sb_status cost_part(struct cost_timing *timing, int part)
{
    struct sb_plain *const plain = &timing->plain;
    const struct sb_rng_type *const rng = timing->plain.recipe->rng->type;
    const struct sb_lanes_isa *const isa = sb_lanes_best();
    const size_t n = plain->deck.n, block = sb_block_decks(timing->program.n), size = n * sizeof(sb_item);
    volatile uint64_t sink = 0; /* so that the compiler leaves no work out */

    for (size_t d = 0; part == 0 && d < timing->decks; d++)
        if (sb_plain_next(plain))
            return plain->src.status;
    for (size_t d = 0, k = 0; part == 1 && timing->side_by_side && d < timing->decks; d += block, k++) {
        const size_t left = timing->decks - d, decks = left < block ? left : block;

        if (timing->program.cells > 0)
            isa->tally(&timing->program, plain->recipe->seed, k, decks, &timing->tally);
        else
            isa->deal(&timing->program, plain->recipe->seed, k, decks, NULL, timing->matrix);
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

static double cost_clock(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static enum sb_status cost_turns(struct cost_timing *timing, struct sb_cost_times *times)
{
    double *const into[COST_PARTS] = { &times->plain, &times->side_by_side, &times->generator, &times->fill,
                                       &times->copy };
    double took[COST_PARTS][COST_TURNS];

    for (int turn = 0; turn < COST_TURNS; turn++)
        for (int k = 0; k < COST_PARTS; k++) {
            const double since = cost_clock();
            const enum sb_status status = cost_part(timing, k);

            if (status)
                return status;
            took[k][turn] = (cost_clock() - since) / (double)timing->decks;
        }
    for (int k = 0; k < COST_PARTS; k++)
        *into[k] = k == 1 && !timing->side_by_side ? NAN : gsl_stats_median(took[k], 1, COST_TURNS);
    return SB_OK;
}

enum sb_status sb_cost_time(const struct sb_recipe *recipe, size_t decks, double words, struct sb_cost_times *times)
{
    struct cost_timing *const timing = calloc(1, sizeof *timing);
    enum sb_status status;

    if (!timing)
        return SB_NO_MEMORY;
    timing->decks = decks / COST_TURNS + 1;
    timing->words = (uint64_t)(words * (double)timing->decks);
    timing->side_by_side = sb_sample_side_by_side(recipe, &timing->program);
    status = sb_lanes_tally_open(&timing->program, false, &timing->tally);
    timing->matrix = calloc(timing->program.deal * (timing->program.n + 1) + 1, sizeof *timing->matrix);
    if (status == SB_OK)
        status = timing->matrix ? sb_plain_open(recipe, &timing->plain) : SB_NO_MEMORY;
    if (status == SB_OK)
        status = cost_turns(timing, times);
    sb_plain_close(&timing->plain);
    sb_lanes_tally_close(&timing->tally);
    free(timing->matrix);
    free(timing);
    return status;
}
