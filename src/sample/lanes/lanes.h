/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decks side by side: runs swap shuffles on many decks at once, with a byte lane per deck and a vector per
 * position.
 *
 * The decks of a seed and a block do not depend on the width of the vectors, the compiler, or the number of
 * threads. Deck d of a block, counted from 0 including rejected decks, uses as its w-th random word of 16
 * bits half (d >> 1 & 1), where 0 is the low half, of output word (d & 1) + 2 (d >> 2 & 1) of Philox4x32-10
 * with the key {low half of seed, high half of seed} and the counter {d >> 3, w, low half of block, high half
 * of block}.
 *
 * One word x serves several draws with bounds b1, b2, ...: the high half of x b1 is the first draw, and its
 * low half replaces x for the next draw. A deck is rejected if the last low half is below 65536 mod (b1 b2
 * ...). This makes all draws exactly uniform and independent, as long as no bound depends on an earlier draw.
 *
 * The plan alone determines which draws share a word. Of the draws without a word, a word serves the longest
 * run from the first on whose bounds have a product P of at most 65536 with 65536 mod P <= R. If the first
 * draw does not fit with the next one, the word serves it and each later draw in turn that keeps P within
 * these limits. R is 64, or 512 if there are at most n / 2 draws. N. Brackett-Rozinsky and D. Lemire, Batched
 * ranged random integer generation, Software: Practice and Experience 55 (2025) 155, doi:10.1002/spe.3369.
 */
#ifndef SB_SAMPLE_LANES_LANES_H
#define SB_SAMPLE_LANES_LANES_H

#include "core/permutation.h"
#include "shuffle/shuffle.h"

enum {
    SB_LANES_ITEMS_MOST = 128,                     /* the most items, so that signed bytes can hold them */
    SB_LANES_STEPS_MOST = 256,                     /* the most swaps in a plan */
    SB_LANES_DRAWS_MOST = 2 * SB_LANES_STEPS_MOST, /* the most draws in a plan */
    SB_LANES_BYTES_MOST = 8,                       /* the most bytes of packed rank digits */
    SB_LANES_BLOCK_MOST = 65536,                   /* the most decks requested of one block */
};

/* A position: low plus a draw below bound; a bound of 1 takes no draw. */
struct sb_lanes_place {
    uint8_t low, bound; /* 0..127, 1..128 */
};

/* Exchanges a[at] with a[from]. For a fixed `at`, the candidates of `from` other than `at` are in
 * first..end-1. */
struct sb_lanes_step {
    struct sb_lanes_place at, from; /* drawn in the order of these members */
    uint8_t first, end;
};

/* A random word for the draws serve[first..end-1]. It rejects a deck if the remainder of the word is below
 * `reject`. */
struct sb_lanes_word {
    uint16_t first, end, reject;
};

/* Digits first..end-1 of the rank, packed into a byte in mixed radix; digit i has the radix n - i. */
struct sb_lanes_byte {
    uint8_t first, end;
    uint16_t radix; /* product of the radices, 1..256 */
};

/* A prepared swap plan, and how to rank its deals. It has no pointers, so it can be copied and shared among
 * threads. */
struct sb_lanes_program {
    size_t n, deal, cells; /* cells = sb_cells(n, deal); 0: there are no ranks */
    size_t steps;
    struct sb_lanes_step step[SB_LANES_STEPS_MOST]; /* [steps] */
    size_t draws, words;
    struct sb_lanes_place draw[SB_LANES_DRAWS_MOST]; /* [draws] the places with a bound above 1, in order */
    uint16_t serve[SB_LANES_DRAWS_MOST];             /* [draws] in the order in which words serve them */
    struct sb_lanes_word word[SB_LANES_DRAWS_MOST]; /* [words]; each is generated at the first of its draws */
    /* Whether each step settles a position, its a[at]: every step draws only `from`, among positions that no
     * earlier step has settled. Then settles[i] is the step that settles position i, or `steps`. */
    bool settled;
    uint16_t settles[SB_LANES_ITEMS_MOST]; /* [n] the step that settles each position */
    /* rank = u weight + v: bytes 0..split-1 form u, the others v; both fit in 16 bits */
    size_t bytes, split;                            /* whether v is missing: split = bytes, weight = 1 */
    struct sb_lanes_byte byte[SB_LANES_BYTES_MOST]; /* [bytes] */
    uint32_t weight;
};

/*
 * Makes a program from the shuffler's plan. SB_TOO_LARGE if decks cannot be shuffled side by side: the
 * shuffle is plain C, n < 2 or n > 128, or there are more than 256 swaps.
 */
enum sb_status sb_lanes_prepare(const struct sb_shuffler *shuffler, struct sb_lanes_program *program);

/*
 * Counts by rank, in cells of one byte, so that many fit into the caches. The number of wraps of a cell is
 * counted separately. If there are few ranks, one increment counts `fold` decks together by their ranks r1,
 * r2, ..., in cell (r1 (cells + 1) + r2) (cells + 1) + ... That takes fewer increments, and fewer of them
 * wait for the previous one. The rank `cells` stands for a rejected or missing deck. One tally per thread.
 */
struct sb_lanes_tally {
    size_t cells;    /* number of ranks */
    size_t fold;     /* decks counted by one increment: 1, 2 or 4 */
    size_t together; /* (cells + 1)^fold */
    uint8_t *cell;   /* [together]; owned */
    uint64_t *wraps; /* [together]; owned */
};

/* Makes a tally with all counts 0. SB_NO_MEMORY. */
enum sb_status sb_lanes_tally_open(size_t cells, struct sb_lanes_tally *tally);
void sb_lanes_tally_close(struct sb_lanes_tally *tally);

/* Adds the counts of all ranks to count[cells]. */
void sb_lanes_tally_add(const struct sb_lanes_tally *tally, uint64_t count[]);

enum {
    SB_LANES_QUEUE = 8192, /* the most decks in the queue */
    SB_LANES_QUEUE_ROW =
        SB_LANES_QUEUE + 64, /* rows are not a power of two apart: they would share few cache sets */
};

/*
 * Counts by item and position. A queue collects decks, which are then counted position by position. One per
 * thread and instruction set.
 */
struct sb_lanes_matrix {
    size_t n, deal;
    size_t waiting; /* decks in the queue */
    uint8_t *queue; /* [deal * SB_LANES_QUEUE_ROW] items by position; n: a deck that is not counted; owned */
    uint16_t *pair; /* [deal * (n + 1)^2] counts of pairs of decks; owned */
    size_t pairs;   /* pairs counted per position: at most 65535, so no cell overflows */
    /* [n * deal] of item i at position j, at index i deal + j, without those in `pair`; owned. */
    uint64_t *count;
};

/* Makes a tally with all counts 0. SB_NO_MEMORY. */
enum sb_status sb_lanes_matrix_open(size_t n, size_t deal, struct sb_lanes_matrix *matrix);
void sb_lanes_matrix_close(struct sb_lanes_matrix *matrix);

/* Counts the decks in the queue two at a time: cell x (n + 1) + y of a position counts pairs with item x in
 * one deck and item y in the other. */
void sb_lanes_matrix_count(struct sb_lanes_matrix *matrix);

/* Adds everything that is still waiting to `count`. */
void sb_lanes_matrix_settle(struct sb_lanes_matrix *matrix);

/* The interpreter for one instruction set; sample/lanes/lanes_wide.c is compiled several times. */
struct sb_lanes_isa {
    const char *name; /* "plain", "avx2", "avx512" */
    /* Counts the first `decks` accepted decks of the block by rank, decks <= 65536; there are ranks. */
    void (*tally)(const struct sb_lanes_program *program, uint64_t seed, uint64_t block, size_t decks,
                  struct sb_lanes_tally *tally);
    /* Counts the decks that the function above counts, by item and position. */
    void (*matrix)(const struct sb_lanes_program *program, uint64_t seed, uint64_t block, size_t decks,
                   struct sb_lanes_matrix *matrix);
    /* Writes these decks, in order, into items[decks * deal]. */
    void (*deal)(const struct sb_lanes_program *program, uint64_t seed, uint64_t block, size_t decks,
                 sb_item items[]);
};

extern const struct sb_lanes_isa sb_lanes_plain;
#if defined __x86_64__ || defined __i386__
extern const struct sb_lanes_isa sb_lanes_avx2, sb_lanes_avx512;
#endif

/* Returns the instruction sets that this machine has, best first; NULL beyond the last. */
const struct sb_lanes_isa *sb_lanes_get(size_t index);

/* Returns the best instruction set of this machine. */
const struct sb_lanes_isa *sb_lanes_best(void);

#endif
