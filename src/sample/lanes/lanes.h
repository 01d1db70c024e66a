/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs swap shuffles on many decks side by side. In a vector of bytes, each byte lane stands for a deck. There is a
 * vector for each position.
 *
 * The decks of a seed and a block do not depend on the width of the vectors, the compiler, or the number of threads.
 * Decks and words are numbered from 0, and rejected decks are numbered, too. Word w of deck d has 16 bits. If d >> 1 is
 * even, the word is the low half of an output word, else the high half. The output word is word (d & 1) + 2 (d >> 2 &
 * 1) of Philox4x32-10 with the key {low half of seed, high half of seed} and the counter {d >> 3, w, low half of block,
 * high half of block}.
 *
 * One word x serves several draws with bounds b1, b2, ...: the high half of the product x b1 is the first draw, and the
 * low half of the product replaces x for the next draw. A deck is rejected if the last low half is below 65536 mod (b1
 * b2 ...). This makes all draws exactly uniform and independent, as long as no bound depends on an earlier draw.
 *
 * Which draws share a word depends only on the plan. Let P be the product of the bounds of the draws that a word
 * serves. The limits are P <= 65536 and 65536 mod P <= R, where R is 64, or 512 if there are at most n /
 * 2 draws. Each word serves as many consecutive draws as the limits allow, starting with the first draw that
 * has no word yet. (Draws that have a word are skipped.) If a word can serve only one draw in this way, the word also
 * serves later draws. Of these, in order, the word takes each draw that keeps P within the limits. N. Brackett-Rozinsky
 * and D. Lemire, Batched ranged random integer generation, Software: Practice and Experience 55 (2025) 155,
 * doi:10.1002/spe.3369.
 */
#ifndef SB_SAMPLE_LANES_LANES_H
#define SB_SAMPLE_LANES_LANES_H

#include "shuffle/shuffle.h"

enum {
    SB_LANES_ITEMS_MOST = 128,                     /* the largest n; signed bytes can hold 0..127 */
    SB_LANES_STEPS_MOST = 256,                     /* the largest number of swaps in a plan */
    SB_LANES_DRAWS_MOST = 2 * SB_LANES_STEPS_MOST, /* the largest number of draws in a plan */
    SB_LANES_BYTES_MOST = 8,                       /* the largest number of bytes of rank digits */
    SB_LANES_SERIES_MOST = 65535,                  /* the largest number of series; it fits in 16 bits */
};

/* A position: `low` plus a draw below `bound`. A bound of 1 takes no draw. */
struct sb_lanes_place {
    uint8_t low, bound; /* 0..127, 1..128 */
};

/* Exchanges a[at] with a[from]. If `at` is fixed, first..end-1 are the candidates for `from`, without `at` if
 * `at` would be the first or the last candidate. */
struct sb_lanes_step {
    struct sb_lanes_place at, from; /* drawn in the order of these members */
    uint8_t first, end;
};

/* A random word for the draws serve[first..end-1]. A deck is rejected if the last low half of its word is
 * below `reject`. */
struct sb_lanes_word {
    uint16_t first, end, reject;
    uint32_t product; /* product of the bounds of the draws, 2..65536 */
};

/* Digits first..end-1 of the rank, packed into a byte in mixed radix; digit i has the radix n - i. */
struct sb_lanes_byte {
    uint8_t first, end;
    uint16_t radix; /* product of the radices of the digits, 1..256 */
};

/* A prepared swap plan, with all data for ranking the deals of this plan. A program has no pointers, so
 * programs can be copied, and threads can share one. */
struct sb_lanes_program {
    size_t n, deal, cells; /* cells = sb_cells(n, deal); 0: there are no ranks */
    size_t steps;
    struct sb_lanes_step step[SB_LANES_STEPS_MOST]; /* [steps] */
    size_t draws, words;
    /* [draws] the positions with a bound above 1, in the order of the steps */
    struct sb_lanes_place draw[SB_LANES_DRAWS_MOST];
    /* [draws] indexes of the draws, in the order in which words serve them */
    uint16_t serve[SB_LANES_DRAWS_MOST];
    /* [words]; each word is generated when the first of its draws is due */
    struct sb_lanes_word word[SB_LANES_DRAWS_MOST];
    /* The number of series of draws, which is the product of all bounds; 0 if it is above SB_LANES_SERIES_MOST or there
     * are no ranks. The number of a series has the draws as its digits, in the order of `serve`. */
    size_t series;
    /* Whether each step settles its position `at`: every step draws only `from`, and chooses among positions
     * that no earlier step has settled. */
    bool settled;
    /* [n] the step that settles each position, or `steps` if no step does; only if `settled` */
    uint16_t settles[SB_LANES_ITEMS_MOST];
    /* rank = u weight + v. Bytes 0..split-1 form u, and the later bytes form v. Both u and v fit in 16 bits. */
    size_t bytes, split;                            /* if there is no v, split = bytes and weight = 1 */
    struct sb_lanes_byte byte[SB_LANES_BYTES_MOST]; /* [bytes] */
    uint32_t weight;
};

/* Makes a program from the shuffler's plan. SB_TOO_LARGE if decks cannot be shuffled side by side: the shuffle is plain
 * C, n < 2 or n > 128, or there are more than 256 swaps. */
enum sb_status sb_lanes_prepare(const struct sb_shuffler *shuffler, struct sb_lanes_program *program);

/*
 * Counts decks by rank or by series of draws, in cells of one byte, so that many cells fit in the caches. Another array
 * counts how often each cell has wrapped to 0. If there are few ranks or series, one increment counts `fold` decks
 * together. If r1, r2, ... are the ranks or series of these decks, the increment is in cell (r1 (cells + 1) + r2)
 * (cells + 1) + ... Counting decks together takes fewer increments, and an increment waits less often for an earlier
 * increment of the same cell. A rejected or missing deck has r = cells. Each thread needs a tally of its own.
 *
 * Decks with the same draws have the same order. So a tally by series counts how often each series of draws occurs, and
 * shuffles and ranks only one deck for each series, at the end.
 */
struct sb_lanes_tally {
    bool series;     /* whether the decks are counted by series */
    size_t cells;    /* number of ranks or of series */
    size_t fold;     /* number of decks that one increment counts: 1, 2 or 4 */
    size_t together; /* (cells + 1)^fold */
    uint8_t *cell;   /* [together]; owned */
    uint64_t *wraps; /* [together]; owned */
};

/* Makes a tally with all counts 0. Requires program->cells > 0, and program->series > 0 if `series`. SB_NO_MEMORY. */
enum sb_status sb_lanes_tally_open(const struct sb_lanes_program *program, bool series, struct sb_lanes_tally *tally);
void sb_lanes_tally_close(struct sb_lanes_tally *tally);

/* Adds the counts of all ranks to count[0..program->cells-1]. Cost: one shuffle and rank for each series. */
void sb_lanes_tally_add(const struct sb_lanes_program *program, const struct sb_lanes_tally *tally, uint64_t count[]);

/* The functions for one instruction set, each compiled from sample/lanes/lanes_wide.c. */
struct sb_lanes_isa {
    const char *name; /* "plain", "avx2" */
    /* Counts the first `decks` accepted decks of the block. Requires decks <= 65536 and program->cells > 0. */
    void (*tally)(const struct sb_lanes_program *program, uint64_t seed, uint64_t block, size_t decks,
                  struct sb_lanes_tally *tally);
    /* Deals the first `decks` accepted decks of the block. Unless `items` is NULL, writes them, in order, into
     * items[decks * deal]. Unless `matrix` is NULL, counts item i at position j in matrix[j * (n + 1) + i], and
     * rejected decks as item n. */
    void (*deal)(const struct sb_lanes_program *program, uint64_t seed, uint64_t block, size_t decks, sb_item items[],
                 uint64_t matrix[]);
};

extern const struct sb_lanes_isa sb_lanes_plain;
#if defined __x86_64__ || defined __i386__
extern const struct sb_lanes_isa sb_lanes_avx2;
#endif

/* Returns one of the instruction sets that this machine has; index 0 is the fastest. NULL if `index` is
 * beyond the last. */
const struct sb_lanes_isa *sb_lanes_get(size_t index);

/* Returns the fastest instruction set of this machine. */
const struct sb_lanes_isa *sb_lanes_best(void);

#endif
