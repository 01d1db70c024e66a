/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decks side by side: swap shuffles run on many decks at once, a byte lane per deck and a vector per
 * position.
 *
 * The decks of a seed and a block are the same whatever the width of the vectors, the compiler and the number
 * of threads. Deck d of a block, counted from 0, rejected ones included, gets as its w-th random word of 16
 * bits half (d >> 1 & 1), 0 the low one, of output word (d & 1) + 2 (d >> 2 & 1) of Philox4x32-10 with the
 * key {low half of seed, high half of seed} and the counter {d >> 3, w, low half of block, high half of
 * block}.
 *
 * One word x serves several draws in a row, of bounds b1, b2, ...: x b1 has the first draw in its high half,
 * and its low half takes the place of x for the next. The deck is rejected when the last low half is below
 * 65536 mod (b1 b2 ...), which makes all draws exactly uniform and independent, as long as no bound depends
 * on an earlier draw. Which draws share a word follows from the plan alone: of the draws that have no word
 * yet, from the first on, the longest run whose bounds have a product P of at most 65536 with 65536 mod P <=
 * R; where that draw does not go with the next, it and every later one in turn with which P still is so. R is
 * 64, or 512 where there are at most n / 2 draws. N. Brackett-Rozinsky and D. Lemire, Batched ranged random
 * integer generation, Software: Practice and Experience 55 (2025) 155, doi:10.1002/spe.3369.
 */
#ifndef SB_SAMPLE_LANES_LANES_H
#define SB_SAMPLE_LANES_LANES_H

#include "core/permutation.h"
#include "shuffle/shuffle.h"

enum {
    SB_LANES_ITEMS_MOST = 128,                     /* items, so that bytes with a sign can hold them */
    SB_LANES_STEPS_MOST = 256,                     /* swaps in a plan */
    SB_LANES_DRAWS_MOST = 2 * SB_LANES_STEPS_MOST, /* draws in a plan */
    SB_LANES_BYTES_MOST = 8,                       /* bytes that the digits of a rank are packed into */
    SB_LANES_BLOCK_MOST = 65536,                   /* decks asked for of one block */
};

/* A position: low plus a draw below bound; a bound of 1 takes no draw. */
struct sb_lanes_place {
    uint8_t low, bound; /* 0..127, 1..128 */
};

/* Exchanges a[at] with a[from]. The candidates of `from` that can differ from a fixed `at` are first..end-1.
 */
struct sb_lanes_step {
    struct sb_lanes_place at, from; /* drawn in this order */
    uint8_t first, end;
};

/* A random word serves the draws serve[first..end-1]; then a deck is rejected where the rest of the word is
 * below `reject`. */
struct sb_lanes_word {
    uint16_t first, end, reject;
};

/* Digits first..end-1 of the rank, packed into a byte in mixed radix; digit i has the radix n - i. */
struct sb_lanes_byte {
    uint8_t first, end;
    uint16_t radix; /* their product, 1..256 */
};

/* A swap plan made ready, and how to rank its deals. No pointers: it can be copied, and shared among threads.
 */
struct sb_lanes_program {
    size_t n, deal, cells; /* cells = sb_cells(n, deal); 0: there are no ranks */
    size_t steps;
    struct sb_lanes_step step[SB_LANES_STEPS_MOST]; /* [steps] */
    size_t draws, words;
    struct sb_lanes_place draw[SB_LANES_DRAWS_MOST]; /* [draws] the places with a bound above 1, in order */
    uint16_t serve[SB_LANES_DRAWS_MOST];             /* [draws] as words serve them */
    struct sb_lanes_word
        word[SB_LANES_DRAWS_MOST]; /* [words]; each is made when its first draw is asked for */
    /* Whether each step settles a position, its a[at]: all steps draw `from`, and it alone, among positions
     * that no step before has settled. Then settles[i] is the step that settles position i, or `steps`. */
    bool settled;
    uint16_t settles[SB_LANES_ITEMS_MOST]; /* [n] */
    /* rank = u weight + v: u is made of the bytes 0..split-1, v of the rest, and both fit 16 bits */
    size_t bytes, split;                            /* without v: split = bytes, weight = 1 */
    struct sb_lanes_byte byte[SB_LANES_BYTES_MOST]; /* [bytes] */
    uint32_t weight;
};

/*
 * Makes a program of the shuffler's plan. SB_TOO_LARGE where decks side by side are not the way: a shuffle
 * that is plain C, n < 2 or n > 128, more than 256 swaps.
 */
enum sb_status sb_lanes_prepare(const struct sb_shuffler *shuffler, struct sb_lanes_program *program);

/*
 * Counts by rank, in cells of a byte each, so that many fit the caches; how often a cell wrapped is counted
 * apart. Where ranks are few, `fold` decks are counted at once by their ranks r1, r2, ... together, in cell
 * (r1 (cells + 1) + r2) (cells + 1) + ...: fewer increments, and fewer that wait for the one before. The rank
 * `cells` stands for a rejected deck, or none at all. One per thread.
 */
struct sb_lanes_tally {
    size_t cells;    /* ranks */
    size_t fold;     /* decks counted at once: 1, 2 or 4 */
    size_t together; /* (cells + 1)^fold */
    uint8_t *cell;   /* [together]; owned */
    uint64_t *wraps; /* [together]; owned */
};

/* All counts 0. SB_NO_MEMORY. */
enum sb_status sb_lanes_tally_open(size_t cells, struct sb_lanes_tally *tally);
void sb_lanes_tally_close(struct sb_lanes_tally *tally);

/* Adds the counts of all ranks to count[cells]. */
void sb_lanes_tally_add(const struct sb_lanes_tally *tally, uint64_t count[]);

enum {
    SB_LANES_QUEUE = 8192, /* decks that wait at most */
    SB_LANES_QUEUE_ROW =
        SB_LANES_QUEUE + 64, /* rows are not a power of two apart: they would share few cache sets */
};

/*
 * Counts by item and position. Decks wait in a queue until they are many, and are counted position by
 * position. One per thread, and of one instruction set.
 */
struct sb_lanes_matrix {
    size_t n, deal;
    size_t waiting;  /* decks in the queue */
    uint8_t *queue;  /* [deal * SB_LANES_QUEUE_ROW] items by position; n: a deck that is not counted; owned */
    uint16_t *pair;  /* [deal * (n + 1)^2] by two decks at once; owned */
    size_t pairs;    /* in `pair` of each position: at most 65535, so no cell overflows */
    uint64_t *count; /* [n * deal] of item i at position j, in i deal + j, without those above; owned */
};

/* All counts 0. SB_NO_MEMORY. */
enum sb_status sb_lanes_matrix_open(size_t n, size_t deal, struct sb_lanes_matrix *matrix);
void sb_lanes_matrix_close(struct sb_lanes_matrix *matrix);

/* Counts the decks that wait, two at once: in cell x (n + 1) + y of a position where one has item x and the
 * other y. */
void sb_lanes_matrix_count(struct sb_lanes_matrix *matrix);

/* Counts all that waits into `count`. */
void sb_lanes_matrix_settle(struct sb_lanes_matrix *matrix);

/* The interpreter as compiled for one instruction set: sample/lanes/lanes_wide.c, several times. */
struct sb_lanes_isa {
    const char *name; /* "plain", "avx2", "avx512" */
    /* Counts the first `decks` accepted decks of the block by rank, decks <= 65536; there are ranks. */
    void (*tally)(const struct sb_lanes_program *program, uint64_t seed, uint64_t block, size_t decks,
                  struct sb_lanes_tally *tally);
    /* Counts the same decks by item and position. */
    void (*matrix)(const struct sb_lanes_program *program, uint64_t seed, uint64_t block, size_t decks,
                   struct sb_lanes_matrix *matrix);
    /* Writes the very same decks, in their order, into items[decks * deal], one deck after the other. */
    void (*deal)(const struct sb_lanes_program *program, uint64_t seed, uint64_t block, size_t decks,
                 sb_item items[]);
};

extern const struct sb_lanes_isa sb_lanes_plain;
#if defined __x86_64__ || defined __i386__
extern const struct sb_lanes_isa sb_lanes_avx2, sb_lanes_avx512;
#endif

/* The instruction sets that this machine has, best first; NULL beyond the last. */
const struct sb_lanes_isa *sb_lanes_get(size_t index);

/* The first of them. */
const struct sb_lanes_isa *sb_lanes_best(void);

#endif
