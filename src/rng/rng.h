/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generators of random words. All generators of GSL are in gsl.c, and each other generator has a file of its
 * own. The last thing in each file is a descriptor, a constant.
 *
 * For each seed, a generator with a counter can jump to any block of words. So threads can share the blocks,
 * and the result does not depend on the number of threads. Every other generator gives one stream, which runs
 * on one thread.
 */
#ifndef SB_RNG_RNG_H
#define SB_RNG_RNG_H

#include "core/draws.h"

struct sb_rng {
    const struct sb_rng_type *type;
    /* name of the generator, such as "philox" or GSL's "mt19937" */
    const char *name;
    const void *member; /* which generator, if its type has several generators; else NULL */
    uint64_t largest;   /* the largest word; words are 0..largest */
    size_t extra;       /* bytes that a stream has beyond the size of its type */
};

struct sb_rng_type {
    const char *name, *title, *cite;
    uint64_t largest; /* the largest word; words are 0..largest; not used if `member` is set */
    /* the seeds 0..seeds-1 give every possible series of words; 0 if there are too many seeds to try all */
    uint64_t seeds;
    /* whether rng/philox_vector.h can generate the words of this type, for many decks side by side */
    bool in_vectors;
    /* For a type with several generators: sets *rng to generator `index`, and *title to its title. Returns
     * false if `index` is beyond the last. NULL if the type is a single generator. */
    bool (*member)(size_t index, struct sb_rng *rng, const char **title);
    /* The size in bytes of a stream, a struct that begins with struct sb_words, and the function that returns its
     * words. */
    size_t size;
    uint64_t (*next)(struct sb_words *words);
    /* Sets what does not depend on the seed, in a new stream of zeros. NULL if there is nothing. */
    void (*prepare)(const struct sb_rng *self, struct sb_words *words);
    /* Restarts the stream at a seed. This is cheaper than opening a new stream. SB_INVALID: the stream only
     * repeats one word. */
    enum sb_status (*reseed)(struct sb_words *words, uint64_t seed);
    /* Moves the stream to the start of block `block` of the same seed. NULL if the generator has no counter,
     * and therefore only one stream for each seed. */
    void (*seek)(struct sb_words *words, uint64_t block);
    /*
     * Fills word[0..count-1] with uniform 32-bit words, for fast samplers; count is a multiple of 64. next()
     * and fill() give the words of a block in different orders, so a caller must use only one of the two.
     * NULL if the generator has no such function.
     */
    void (*fill)(struct sb_words *words, size_t count, uint32_t word[]);
};

extern const struct sb_rng_type *const sb_rng_types[];
extern const size_t sb_rng_types_count;

/* Opens a stream at a seed. The caller closes the stream. SB_NO_MEMORY. SB_INVALID: the stream only repeats one
 * word. */
enum sb_status sb_rng_open(const struct sb_rng *self, uint64_t seed, struct sb_words **words);
void sb_rng_close(struct sb_words *words);

/* Sets *rng to generator `index` in the list of all generators, and *title to its title. If a type has
 * several generators, the list has an entry for each of them. Returns false if `index` is beyond the last. */
bool sb_rng_get(size_t index, struct sb_rng *rng, const char **title);

/* A stream whose state is one number. */
struct sb_rng_state {
    struct sb_words words;
    uint64_t state;
};

/* reseed() of such a stream: the state is the low 32 bits of the seed. */
enum sb_status sb_rng_reseed_32(struct sb_words *words, uint64_t seed);

/* Fills word[0 .. 64 * groups - 1] with the groups first_group, first_group + 1, ... of Philox words (philox.c). */
void sb_philox_fill(uint64_t seed, uint64_t block, uint64_t first_group, size_t groups, uint32_t word[]);

#endif
