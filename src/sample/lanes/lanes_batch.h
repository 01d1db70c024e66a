/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batches of decks that are shuffled side by side, and their ranks. Only sample/lanes/lanes_wide.c includes this
 * header. That file is compiled once per instruction set.
 *
 * Each byte lane stands for a deck, and each vector stands for a position, so one instruction moves one item
 * in every deck of a vector. Different decks may have drawn different positions. So an exchange goes through
 * all candidate positions, and for each candidate changes only the lanes of the decks that drew this
 * position. If each step settles a position, no item is moved at all: the code follows each dealt card back
 * through the steps to the position where the card started. This position is the number of the card. A batch
 * has several vectors for each position, so that one look-up of a step serves several vectors.
 *
 * The lanes are laid out so that the random words need not be reordered. In a pair of vectors, each 32-bit
 * lane takes its random words from one counter, and the counters are in the order of the lanes. Output words
 * 0 and 1 of a counter serve the even and the odd byte lanes of the first vector of the pair; output words 2
 * and 3 serve the even and the odd byte lanes of the second vector. So deck 8 q + 4 h + b of a pair is in
 * vector h, in byte b (0 is the lowest) of 32-bit lane q.
 *
 * Cost of an exchange, per vector and candidate: a load, a comparison, two selections and a store. Cost of a
 * card that is followed back, per vector and step: a comparison and a selection. Cost of a word, per vector:
 * half a Philox vector. Cost of a draw: four multiplications and a store.
 *
 * The rank is a number in mixed radix. Digit i is a[i] - #{j < i : a[j] < a[i]}, with radix n - i. Horner's
 * rule combines the digits: in bytes as long as bytes suffice, then in 16 bits, finally in 32 bits. Cost, per
 * vector: k(k-1)/2 comparisons for deals of k, two operations for each digit and six for each byte of digits.
 */
#ifndef SB_SAMPLE_LANES_LANES_BATCH_H
#define SB_SAMPLE_LANES_LANES_BATCH_H

#include "rng/philox_vector.h"
#include "sample/lanes/lanes.h"

enum {
    VECTORS = 4,                       /* number of vectors in a batch; an even number */
    LANES = SB_VECTOR_COUNTERS,        /* number of 32-bit lanes in a vector */
    BATCH = VECTORS * SB_VECTOR_BYTES, /* number of decks in a batch */
};

/* The decks of the previous batch that are still to be counted, by rank or by series. Counting these decks
 * alternates with generating words. Counting uses memory and generating uses arithmetic, and a processor does
 * both at the same time. */
struct lanes_queue {
    struct sb_lanes_tally *tally;
    const uint32_t *number; /* [left] */
    size_t left, share;     /* how many decks remain, and how many to count at a time; multiples of 4 */
};

struct lanes_batch {
    const struct sb_lanes_program *program;
    struct sb_philox_keys keys;
    uint64_t block;
    uint32_t first; /* Philox counter of the first deck */
    /* number of words and of draws that each deck has used so far */
    uint32_t words, taken;
    sb_vector8 item[SB_LANES_ITEMS_MOST][VECTORS];  /* [position] */
    sb_vector8 place[SB_LANES_DRAWS_MOST][VECTORS]; /* [draw] the drawn position */
    sb_vector8 at[SB_LANES_STEPS_MOST];             /* [step] the position `at`, if it is fixed */
    /* [u][o] has a 16-bit lane for each deck that is in an even byte (o = 0) or an odd byte (o = 1) of vector
     * u; all bits of this lane are 1 if the deck is rejected */
    sb_vector16 rejected[VECTORS][2];
    bool rejects; /* whether a deck may be rejected; if not, `rejected` is all 0 */
    struct lanes_queue queue;
};

/* Counts the next `most` decks of the queue, or all that remain if there are fewer. `most` is a multiple of 4. */
static inline void lanes_count(struct lanes_queue *queue, size_t most)
{
    uint8_t *const cell = queue->tally->cell;
    uint64_t *const wraps = queue->tally->wraps;
    const uint32_t *const number = queue->number;
    const size_t count = queue->left < most ? queue->left : most;

#pragma GCC unroll 4
    for (size_t i = 0; i < count; i++)
        if (__builtin_expect(++cell[number[i]] == 0, 0))
            wraps[number[i]]++;
    queue->number += count;
    queue->left -= count;
}

static inline sb_vector8 lanes_all(size_t value)
{
    return (sb_vector8) { 0 } + (uint8_t)value;
}

/* Generates the next word for each deck, and counts a share of the queue. */
static inline void lanes_words(struct lanes_batch *f, sb_vector32 pair[VECTORS / 2][4])
{
    sb_philox_vector(&f->keys, f->first, f->words++, f->block, VECTORS / 2, pair);
    if (f->queue.left > 0)
        lanes_count(&f->queue, f->queue.share);
}

/* Rejects the decks for which the last low half of the word is below `reject`. */
static inline void lanes_reject(struct lanes_batch *f, const sb_vector16 low[VECTORS][2], uint16_t reject)
{
    f->rejects = true;
#pragma GCC unroll 4
    for (int u = 0; u < VECTORS; u++)
#pragma GCC unroll 2
        for (int o = 0; o < 2; o++)
            f->rejected[u][o] |= (sb_vector16)(low[u][o] < reject);
}

/* Generates the next word for each deck, and makes the draws that this word serves. */
static inline void lanes_draw(struct lanes_batch *f)
{
    const struct sb_lanes_word word = f->program->word[f->words];
    sb_vector32 pair[VECTORS / 2][4]; /* words of all decks; after each draw, low halves of products */
    sb_vector32(*const x)[2] = (sb_vector32(*)[2])pair; /* [VECTORS] */

    lanes_words(f, pair);
    for (size_t k = word.first; k < word.end; k++) {
        const size_t draw = f->program->serve[k];
        const struct sb_lanes_place place = f->program->draw[draw];
        const uint16_t bound = place.bound;

#pragma GCC unroll 4
        for (int u = 0; u < VECTORS; u++) {
            const sb_vector16 even = (sb_vector16)x[u][0], odd = (sb_vector16)x[u][1];
            const sb_vector16 draws = sb_vector_multiply_high(even, bound) | sb_vector_multiply_high(odd, bound) << 8;

            f->place[draw][u] = (sb_vector8)draws + place.low;
            x[u][0] = (sb_vector32)(even * bound);
            x[u][1] = (sb_vector32)(odd * bound);
        }
    }
    lanes_reject(f, (const sb_vector16(*)[2])x, word.reject);
}

static inline const sb_vector8 *lanes_next_place(struct lanes_batch *f)
{
    const struct sb_lanes_program *const program = f->program;
    const uint32_t draw = f->taken++;

    if (f->words < program->words && program->serve[program->word[f->words].first] == draw)
        lanes_draw(f);
    return f->place[draw];
}

/* Exchanges a[at] with a[from]. `at` is the same in all decks; `from` is drawn. */
static inline void lanes_exchange(struct lanes_batch *f, const struct sb_lanes_step *step,
                                  const sb_vector8 place[VECTORS])
{
    sb_vector8 *const at = f->item[step->at.low];
    sb_vector8 from[VECTORS], given[VECTORS], taken[VECTORS];

#pragma GCC unroll 4
    for (int u = 0; u < VECTORS; u++) {
        from[u] = place[u];
        given[u] = taken[u] = at[u];
    }
    for (size_t c = step->first; c < step->end; c++)
#pragma GCC unroll 4
        for (int u = 0; u < VECTORS; u++) {
            const sb_vector8 item = f->item[c][u];

            f->item[c][u] = sb_vector_where_equal(from[u], lanes_all(c), given[u], item);
            taken[u] = sb_vector_where_equal(from[u], lanes_all(c), item, taken[u]);
        }
#pragma GCC unroll 4
    for (int u = 0; u < VECTORS; u++)
        at[u] = taken[u];
}

/* Exchanges a[at] with a[from]. Both positions may differ from deck to deck. */
static inline void lanes_exchange_any(struct lanes_batch *f, const sb_vector8 at[VECTORS],
                                      const sb_vector8 from[VECTORS])
{
    const size_t n = f->program->n;

    for (int u = 0; u < VECTORS; u++) {
        sb_vector8 x = { 0 }, y = { 0 };

        for (size_t c = 0; c < n; c++) {
            x |= f->item[c][u] & (sb_vector8)(at[u] == (uint8_t)c);
            y |= f->item[c][u] & (sb_vector8)(from[u] == (uint8_t)c);
        }
        for (size_t c = 0; c < n; c++) {
            const sb_vector8 item = sb_vector_where_equal(at[u], lanes_all(c), y, f->item[c][u]);

            f->item[c][u] = sb_vector_where_equal(from[u], lanes_all(c), x, item);
        }
    }
}

/* Runs a step that draws both positions, only `at`, or neither. (lanes_exchange() is for steps that draw only
 * `from`.) */
static void lanes_step_any(struct lanes_batch *f, const struct sb_lanes_step *step)
{
    sb_vector8 at[VECTORS], from[VECTORS];

    for (int u = 0; u < VECTORS; u++) {
        at[u] = lanes_all(step->at.low);
        from[u] = lanes_all(step->from.low);
    }

    const sb_vector8 *const first = step->at.bound > 1 ? lanes_next_place(f) : at;
    const sb_vector8 *const second = step->from.bound > 1 ? lanes_next_place(f) : from;

    lanes_exchange_any(f, first, second);
}

/*
 * Follows cards back through the steps from `after` - 1 down to `until`. card[] holds the positions of the cards after
 * these steps, and is set to the positions of the same cards before these steps. A card that step t put into the drawn
 * position came from the position that t settled. `count` is VECTORS for one dealt position, and 2 * VECTORS for two.
 * This function is only for shuffles in which each step settles a position.
 */
static inline void lanes_follow(const struct lanes_batch *f, size_t after, size_t until, size_t count,
                                sb_vector8 card[])
{
    sb_vector8 place[2 * VECTORS];

#pragma GCC unroll 8
    for (size_t u = 0; u < count; u++)
        place[u] = card[u];
    for (size_t t = after; t-- > until;)
#pragma GCC unroll 8
        for (size_t u = 0; u < count; u++)
            place[u] = sb_vector_where_equal(place[u], f->place[t][u % VECTORS], f->at[t], place[u]);
#pragma GCC unroll 8
    for (size_t u = 0; u < count; u++)
        card[u] = place[u];
}

/* Shuffles fresh decks by finding where each dealt card came from. This function is only for shuffles in
 * which each step settles a position. It handles two positions at a time, because each comparison for one
 * position must wait for the previous one. */
static inline void lanes_settle(struct lanes_batch *f)
{
    const size_t deal = f->program->deal, steps = f->program->steps;
    const uint16_t *const settles = f->program->settles;
    size_t i = 0;

    while (f->words < f->program->words)
        lanes_draw(f);
    for (size_t j = 0; j < deal; j++)
        for (int u = 0; u < VECTORS; u++)
            f->item[j][u] = settles[j] < steps ? f->place[settles[j]][u] : lanes_all(j);
    for (; i + 1 < deal; i += 2) {
        const size_t k = settles[i], next = settles[i + 1], both = k < next ? k : next;

        lanes_follow(f, k, both, VECTORS, f->item[i]);
        lanes_follow(f, next, both, VECTORS, f->item[i + 1]);
        lanes_follow(f, both, 0, 2 * VECTORS, f->item[i]);
    }
    if (i < deal)
        lanes_follow(f, settles[i], 0, VECTORS, f->item[i]);
}

static inline void lanes_begin(struct lanes_batch *f, size_t deck)
{
    const sb_vector8 zero = { 0 };

    f->first = (uint32_t)(deck / 8);
    f->words = f->taken = 0;
    f->rejects = false;
    for (int u = 0; u < VECTORS; u++)
        f->rejected[u][0] = f->rejected[u][1] = (sb_vector16)zero;
}

/* Carries out all steps. Makes the draws for which no word has been generated yet. */
static inline void lanes_run(struct lanes_batch *f)
{
    const struct sb_lanes_program *const program = f->program;
    const struct sb_lanes_step *const end = program->step + program->steps;

    if (program->settled) {
        lanes_settle(f);
        return;
    }
    for (size_t i = 0; i < program->n; i++)
        for (int u = 0; u < VECTORS; u++)
            f->item[i][u] = lanes_all(i);
    for (const struct sb_lanes_step *step = program->step; step < end; step++)
        if (step->at.bound == 1 && step->from.bound > 1)
            lanes_exchange(f, step, lanes_next_place(f));
        else
            lanes_step_any(f, step);
}

static void lanes_shuffle(struct lanes_batch *f, size_t deck)
{
    lanes_begin(f, deck);
    lanes_run(f);
}

/* Combines the digits of one byte by Horner's rule. Digit i is a[i] minus the number of smaller items before a[i]. */
static inline void lanes_pack(const struct lanes_batch *f, const struct sb_lanes_byte *byte, sb_vector8 code[VECTORS])
{
    for (size_t i = byte->first; i < byte->end; i++) {
        const uint16_t radix = (uint16_t)(i == byte->first ? 0 : f->program->n - i);
        sb_vector8 digit[VECTORS], item[VECTORS];

#pragma GCC unroll 4
        for (int u = 0; u < VECTORS; u++)
            digit[u] = item[u] = f->item[i][u];
        for (size_t j = 0; j < i; j++)
#pragma GCC unroll 4
            for (int u = 0; u < VECTORS; u++)
                digit[u] += (sb_vector8)((sb_signed8)f->item[j][u] < (sb_signed8)item[u]);
#pragma GCC unroll 4
        /* no product overflows its byte, so one 16-bit multiplication serves two bytes */
        for (int u = 0; u < VECTORS; u++)
            code[u] = (sb_vector8)((sb_vector16)code[u] * radix) + digit[u];
    }
}

/* Combines bytes first..end-1 by Horner's rule into one half of the rank. half[u][0] is for the decks in the
 * even byte lanes of vector u, and half[u][1] is for the decks in the odd byte lanes. */
static inline void lanes_rank_half(const struct lanes_batch *f, size_t first, size_t end, sb_vector16 half[VECTORS][2])
{
    const sb_vector8 zero = { 0 };
    sb_vector8 code[VECTORS];

#pragma GCC unroll 4
    for (int u = 0; u < VECTORS; u++) {
        code[u] = zero;
        half[u][0] = half[u][1] = (sb_vector16)zero;
    }
    for (size_t k = first; k < end; k++) {
        const struct sb_lanes_byte *const byte = &f->program->byte[k];

        lanes_pack(f, byte, code);
#pragma GCC unroll 4
        for (int u = 0; u < VECTORS; u++) {
            half[u][0] = half[u][0] * byte->radix + ((sb_vector16)code[u] & 0xFF);
            half[u][1] = half[u][1] * byte->radix + ((sb_vector16)code[u] >> 8);
        }
    }
}

/* The ranks or the series of a batch's decks, each as high * weight + low. The arrays are indexed as in
 * lanes_rank_half(). */
struct lanes_halves {
    sb_vector16 high[VECTORS][2];
    sb_vector16 low[VECTORS][2]; /* all 0 if weight = 1 */
    uint32_t weight;             /* 1..65535 */
};

static void lanes_rank(const struct lanes_batch *f, struct lanes_halves *rank)
{
    const struct sb_lanes_program *const program = f->program;

    rank->weight = program->weight;
    lanes_rank_half(f, 0, program->split, rank->high);
    if (rank->weight > 1)
        lanes_rank_half(f, program->split, program->bytes, rank->low);
}

/* Sets the rank or series of each rejected deck to `cells`, which marks the deck as rejected. */
static inline void lanes_mark(const struct lanes_batch *f, size_t cells, struct lanes_halves *x)
{
    const uint16_t beyond = (uint16_t)(cells / x->weight);

#pragma GCC unroll 4
    for (int u = 0; u < VECTORS; u++)
#pragma GCC unroll 2
        for (int o = 0; o < 2; o++) {
            const sb_vector16 rejected = f->rejected[u][o];

            x->high[u][o] = (rejected & beyond) | (~rejected & x->high[u][o]);
            if (x->weight > 1)
                x->low[u][o] &= ~rejected;
        }
}

/* Sets number[u][b][q] to the rank or series of the deck in byte b of 32-bit lane q of vector u, for the
 * first `vectors` vectors. */
static inline void lanes_widen(const struct lanes_halves *x, size_t vectors, sb_vector32 number[VECTORS][4])
{
    for (size_t u = 0; u < vectors; u++)
#pragma GCC unroll 2
        for (size_t o = 0; o < 2; o++) {
            number[u][o] = (sb_vector32)x->high[u][o] & 0xFFFF;
            number[u][o + 2] = (sb_vector32)x->high[u][o] >> 16;
        }
    for (size_t u = 0; x->weight > 1 && u < vectors; u++)
#pragma GCC unroll 2
        for (size_t o = 0; o < 2; o++) {
            number[u][o] = number[u][o] * x->weight + ((sb_vector32)x->low[u][o] & 0xFFFF);
            number[u][o + 2] = number[u][o + 2] * x->weight + ((sb_vector32)x->low[u][o] >> 16);
        }
}

/* The place of a deck in the arrays of lanes_rank() and of the batch. */
struct lanes_index {
    size_t vector, byte, lane;
};

static inline struct lanes_index lanes_index(size_t d)
{
    const size_t pair = d / (2 * SB_VECTOR_BYTES);

    return (struct lanes_index) { .vector = 2 * pair + (d >> 2 & 1), .byte = d & 3, .lane = (d >> 3) % LANES };
}

/* Returns a pointer to the mark of the deck with this index. The mark is not 0 if the deck is rejected. */
static inline uint16_t *lanes_rejected(struct lanes_batch *f, struct lanes_index index)
{
    return (uint16_t *)&f->rejected[index.vector][index.byte & 1] +
           sb_part_in_memory(2 * index.lane + index.byte / 2, 2);
}

/* Rejects all decks of the batch after the first `most` accepted decks. Returns how many accepted decks remain. */
static inline size_t lanes_admit(struct lanes_batch *f, size_t most)
{
    sb_vector16 minus = { 0 }; /* the sum of the marks, which are -1 for rejected decks */
    size_t accepted = BATCH;

    for (int u = 0; u < VECTORS; u++)
        minus += f->rejected[u][0] + f->rejected[u][1];
    for (int i = 0; i < SB_VECTOR_BYTES / 2; i++)
        accepted -= (uint16_t)-minus[i];
    for (size_t d = BATCH; accepted > most; d--) {
        uint16_t *const rejected = lanes_rejected(f, lanes_index(d - 1));

        accepted -= *rejected == 0;
        *rejected = UINT16_MAX;
    }
    return accepted;
}

#endif
