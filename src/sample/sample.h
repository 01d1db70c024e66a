/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Laws by counting: shuffles on the words of a generator.
 *
 * plain.c runs a shuffle as its author wrote it, one deck after the other. If the draw is ideal and the generator fills
 * buffers of 32-bit words, the draw is done as Lemire's draw, in most cases without a function call (core/draws.h).
 * Every other draw takes the generator's words one by one. `lanes` runs swap shuffles on many decks side by side.
 *
 * sample.c tallies millions of shuffles: by rank if each deal can have a count of its own, else in the item-by-position
 * matrix. The work is divided into blocks of decks. Each block has its own range of the generator's counter, so the
 * tallies do not depend on the number of threads. A generator without a counter gives one stream, and one
 * thread takes all blocks of this stream.
 *
 * seeds.c shuffles the first deck from each seed of a generator. These decks show which deals a short seed can reach.
 * cost.c counts draws and accesses, and measures time.
 */
#ifndef SB_SAMPLE_SAMPLE_H
#define SB_SAMPLE_SAMPLE_H

#include "draw/draw.h"
#include "rng/rng.h"
#include "sample/lanes/lanes.h"
#include "tally/tally.h"

#include <pthread.h>
#include <stdatomic.h>

/* ---- one deck after the other ---- */

/* What to sample. All pointers are borrowed. */
struct sb_recipe {
    const struct sb_shuffler *shuffler;
    const struct sb_draw *draw;
    const struct sb_rng *rng;
    uint64_t seed;
    const volatile sig_atomic_t *stop; /* stop flag, which ends even a single long shuffle; may be NULL */
};

bool sb_recipe_stopped(const struct sb_recipe *recipe);

/* Returns how many decks a block has, 16..65536. This number depends only on n, so that results do not depend
 * on the number of threads. */
size_t sb_block_decks(size_t n);

enum {
    SB_PLAIN_WORDS = 1024, /* number of 32-bit words in the buffer; a multiple of 64 */
    /* The largest number of rejected answers for one deck. `redraw` needs about 700,000 for 65535 items.
     * After almost 100 times as many rejected answers, the awaited answer will never come. */
    SB_PLAIN_REDRAWS_MOST = 1 << 26,
};

struct sb_plain {
    struct sb_source src; /* must be the first member: a shuffle sees only this member */
    const struct sb_recipe *recipe;
    struct sb_words *words; /* stream of random words; owned */
    struct sb_deck deck;    /* the deck; deck.a is the result of the last shuffle */
    size_t refill;          /* number of words generated at a time, at most SB_PLAIN_WORDS */
    uint64_t drawn;         /* number of draws and keys, if words are not buffered */
    uint32_t buffer[SB_PLAIN_WORDS];
};

/* Opens *plain. The caller closes *plain. The caller must not move *plain in memory while it is open.
 * SB_NO_MEMORY; SB_INVALID: the generator refuses the seed. */
enum sb_status sb_plain_open(const struct sb_recipe *recipe, struct sb_plain *plain);
void sb_plain_close(struct sb_plain *plain);

/* Lets the draw take each word from the generator itself, so that draws and words can be counted. */
void sb_plain_unbuffer(struct sb_plain *plain);

/* Moves to the start of a block. A generator without a counter just continues its stream. */
void sb_plain_seek(struct sb_plain *plain, uint64_t block);

/* Starts again from this seed, as if newly opened. From now on, generates only a few words at a time, so that one or
 * two decks of each seed are cheap. SB_INVALID: the generator refuses the seed. */
enum sb_status sb_plain_reseed(struct sb_plain *plain, uint64_t seed);

/* Shuffles the next deck into plain->deck.a. SB_STOPPED: the stop flag is raised. SB_BROKEN: the generator has such a
 * short period that the shuffle or a draw would redraw indefinitely. After an error the deck is invalid. */
enum sb_status sb_plain_next(struct sb_plain *plain);

/* ---- blocks of decks ---- */

enum { SB_SHARDS_MOST = 1000000 }; /* the largest number of parts (shards) of a sample */

/* A range of blocks, which are numbered from 0. */
struct sb_blocks {
    uint64_t first, count;
};

/* Returns the range of all blocks of a sample of `total` decks of n items. Each block has sb_block_decks(n)
 * decks; the last block may have fewer. */
struct sb_blocks sb_blocks_all(size_t n, uint64_t total);

/* Divides `all` into `parts` consecutive parts and returns part `part`, 1 <= part <= parts <= SB_SHARDS_MOST. The sizes
 * of any two parts differ by at most one block. If there are more parts than blocks, some parts are empty. The last
 * part is empty only if there are no blocks. */
struct sb_blocks sb_blocks_part(struct sb_blocks all, uint64_t part, uint64_t parts);

/* Returns how many decks are in `blocks`, a range of a sample of `total` decks of n items. */
uint64_t sb_blocks_decks(struct sb_blocks blocks, size_t n, uint64_t total);

/* A queue of the blocks from `next` to end-1. Every MPI rank has a struct of its own; all ranks open and
 * close their structs at the same points of the program. */
struct sb_work_blocks {
    const struct sb_ranks *ranks; /* NULL: a single process */
    size_t threads;               /* number of threads of this process that take blocks */
    _Atomic uint64_t next;
    uint64_t end;
    atomic_bool shut;       /* whether threads must stop taking blocks */
    pthread_mutex_t asking; /* held by a thread that requests blocks from the root */
};

/* The blocks that one thread has taken but not done yet. Initialise this struct with zeroes. */
struct sb_work_blocks_hand {
    uint64_t next, end;
    uint64_t size; /* number of blocks to take at once */
    double since;  /* when this thread last took blocks, in seconds of the clock */
};

/* Open and close the queue. Each function waits for all ranks, so no rank takes a block before all ranks have
 * opened the queue, or after one rank has closed the queue. */
void sb_work_blocks_open(struct sb_work_blocks *queue, const struct sb_ranks *ranks, size_t threads, uint64_t first,
                         uint64_t end);
void sb_work_blocks_close(struct sb_work_blocks *queue);

/* Takes the next block. Returns false if no block is left. The thread must do every block that it takes, so
 * that the finished blocks are always the first blocks. */
bool sb_work_blocks_take(struct sb_work_blocks *queue, struct sb_work_blocks_hand *hand, uint64_t *block);

/* Stops all threads from taking further blocks. Only the root may call this function, from any of its threads
 * and any number of times. */
void sb_work_blocks_shut(struct sb_work_blocks *queue);

/* ---- a sample ---- */

/* Pauses, during which the caller can save the tallies of an unfinished sample, to resume the sample later.
 * If there are pauses, every block that a thread begins is counted completely. So the finished blocks are
 * always the first blocks of the sample or, if `part` is not NULL, of this part. */
struct sb_pause {
    /* whether to pause now; called between blocks, in the calling thread; NULL: never pause */
    bool (*due)(void *state);
    /* Receives the counts so far. At this moment no thread is counting, and the tallies are up to date. The
     * sampler does not call this function after the last block is counted. A failure ends the sample. */
    enum sb_status (*take)(void *state, const struct sb_evidence *evidence, struct sb_error *error);
    void *state;
    /* Counts to start from. These must be the counts of the first blocks of the same part of the same sample,
     * without an unfinished block, and the tallies must include the same decks. NULL: start from zero. */
    const struct sb_evidence *before;
};

struct sb_sample {
    struct sb_recipe recipe;
    uint64_t total;               /* number of decks in the sample */
    const struct sb_blocks *part; /* the blocks to count; NULL: all blocks */
    unsigned threads;             /* number of threads; 0: one for each processor */
    sb_progress *progress;        /* called in the calling thread, at most a few times a second; may be NULL */
    void *progress_state;
    const char *subject; /* the name to pass to `progress` */
    /* tallies that also receive the decks of the sample, block by block; may be NULL */
    struct sb_tallies *tallies;
    const struct sb_pause *pause; /* may be NULL */
    /* The MPI ranks that share the blocks. Each rank must call sb_sample_tally(). Only the root receives the
     * result, and only the root uses `progress`, the stop flag and `pause`. The generator must have a
     * counter. NULL: a single process. */
    const struct sb_ranks *ranks;
};

/* Checks that deals of `deal` out of n items can be counted, by rank or in a matrix. SB_TOO_LARGE. */
enum sb_status sb_sample_check(size_t n, size_t deal, struct sb_error *error);

/* Returns whether the decks of this recipe are shuffled side by side. If so, sets *program. If not, the decks
 * are shuffled one by one (sample/plain.c). */
bool sb_sample_side_by_side(const struct sb_recipe *recipe, struct sb_lanes_program *program);

/*
 * Tallies a sample as evidence, which the caller closes. The stop flag ends the sample early; the evidence
 * then holds the counts so far, and `interrupted` is set. SB_TOO_LARGE: there are too many deals to count by
 * rank, and the matrix is too large. SB_INVALID: the generator refuses the seed, or only repeats words.
 * SB_NO_MEMORY. Also returns the errors of pause->take().
 */
enum sb_status sb_sample_tally(const struct sb_sample *sample, struct sb_error *error, struct sb_evidence *evidence);

/* ---- a deck from each seed ---- */

struct sb_seeds {
    struct sb_recipe recipe; /* the shuffle, draw and generator; recipe.seed is ignored */
    uint64_t first, last;    /* inclusive; last - first < 2^63 */
    uint64_t room;           /* bytes of memory for the stored decks; 0 stands for 2 GiB */
    unsigned threads;        /* number of threads; 0: one for each processor */
    sb_progress *progress;   /* called in the calling thread; may be NULL */
    void *progress_state;
    const char *subject; /* the name to pass to `progress` */
    /* The MPI ranks that share the seeds. Each rank must call sb_seeds_reach(). Only the root receives the
     * result, and only the root uses `progress` and the stop flag. NULL: a single process. */
    const struct sb_ranks *ranks;
};

/*
 * Finds the deals that the seeds reach, as evidence that the caller closes. If there are at most
 * SB_CELLS_MOST deals, each deal has a count of its own. If there are more deals and memory suffices, the
 * number of different decks is found exactly, with a key of 16 bytes for each deck or with a bit for each
 * deal. If memory does not suffice, this number is an estimate. The stop flag ends the run early; the
 * evidence then holds the result so far, and `interrupted` is set. SB_NO_MEMORY.
 */
enum sb_status sb_seeds_reach(const struct sb_seeds *seeds, struct sb_error *error, struct sb_evidence *evidence);

/* Adds the decks of the first `most` seeds, one after the other, to the tallies. The increments of the tallies are the
 * steps from the deck of each seed to the deck of the next. The stop flag ends the call early. SB_NO_MEMORY. */
enum sb_status sb_seeds_tally(const struct sb_seeds *seeds, uint64_t most, struct sb_tallies *tallies,
                              struct sb_error *error);

enum {
    SB_SKETCH_BITS = 20,
    SB_SKETCH_SIZE = 1 << SB_SKETCH_BITS, /* number of registers; each is a byte and starts at 0 */
};

/* A sketch estimates the number of different keys. Adds a key; adds the keys of another sketch; estimates; and returns
 * the relative standard error of an estimate. */
void sb_sketch_add(uint8_t sketch[SB_SKETCH_SIZE], struct sb_deck_key key);
void sb_sketch_merge(uint8_t sketch[SB_SKETCH_SIZE], const uint8_t other[SB_SKETCH_SIZE]);
double sb_sketch_estimate(const uint8_t sketch[SB_SKETCH_SIZE]);
double sb_sketch_error(void);

/* ---- what a shuffle costs ---- */

/* The mean counts of one deck. */
struct sb_cost_counts {
    double draws; /* number of bounded draws and of keys */
    double words; /* number of words of the generator, whatever their width */
    /* numbers of reads and of writes of items and keys; filling the deck with 0..n-1 is not counted. NaN if
     * this build cannot count accesses */
    double reads, writes;
    size_t bytes; /* total size in bytes of the arrays (a, b, key) that the shuffle used */
};

/* Shuffles `decks` decks, starting from the recipe's seed, and sets *counts. Uses the second build of the
 * shuffles, which is slow. SB_BROKEN: the shuffle waits for an answer that never comes. SB_INVALID: the
 * generator refuses the seed. SB_STOPPED. SB_NO_MEMORY. */
enum sb_status sb_cost_count(const struct sb_recipe *recipe, size_t decks, struct sb_cost_counts *counts);

/* Nanoseconds of processor time per deck, on one thread: medians of interleaved repetitions. */
struct sb_cost_times {
    double plain;        /* nanoseconds of the shuffle in plain C */
    double side_by_side; /* nanoseconds of shuffling and counting side by side; NaN if impossible */
    double generator;    /* nanoseconds that the generator takes for the same number of words */
    double fill, copy;   /* nanoseconds to write the items 0..n-1, and to copy n items */
};

/* Measures the times with about `decks` decks. `words` is the number of words per deck. Returns the same
 * errors as sb_cost_count(). */
enum sb_status sb_cost_time(const struct sb_recipe *recipe, size_t decks, double words, struct sb_cost_times *times);

#endif
