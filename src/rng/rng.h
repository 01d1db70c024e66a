/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generators of random words. One file each, which ends in a const descriptor; GSL's are all in gsl.c.
 *
 * A generator with a counter can jump to any block of a seed, so threads can share the blocks, and the result
 * does not depend on the number of threads. The other generators are one stream on one thread.
 */
#ifndef SB_RNG_RNG_H
#define SB_RNG_RNG_H

#include "core/words.h"
#include "shufflebias.h"

struct sb_rng {
    const struct sb_rng_type *type;
    const char *name;   /* name of the type, or of a member, such as GSL's "mt19937" */
    const void *member; /* index of the generator in a type with several; NULL otherwise */
    uint64_t largest;   /* the largest word; words are 0..largest */
};

struct sb_rng_type {
    const char *name, *title, *cite;
    uint64_t largest; /* the largest word; words are 0..largest; has no meaning if there are members */
    uint64_t seeds;   /* number of seeds, 0..seeds-1, each with its own series of words; 0: too many to try */
    bool in_vectors;  /* whether rng/philox_vector.h generates the same words for many decks side by side */
    /* For a type with many generators: returns generator `index` and its title; false beyond the last.
     * NULL: the type is one generator. */
    bool (*member)(size_t index, struct sb_rng *rng, const char **title);
    /* Opens a stream at a seed; the caller closes it. SB_NO_MEMORY; SB_INVALID: the stream only repeats
     * one word. */
    enum sb_status (*open)(const struct sb_rng *self, uint64_t seed, struct sb_words **words);
    void (*close)(struct sb_words *words);
    /* Restarts at a seed as if newly opened, but cheaper. SB_INVALID: the stream only repeats one word. */
    enum sb_status (*reseed)(struct sb_words *words, uint64_t seed);
    /* Goes to the start of block `block` of the same seed. NULL: the generator has no counter, and so only
     * one stream. */
    void (*seek)(struct sb_words *words, uint64_t block);
    /*
     * Fills word[0..count-1] with uniform 32-bit words, for fast samplers; count is a multiple of 64. next()
     * and fill() read the same block in different orders, so use only one of the two. NULL: the generator
     * cannot do this.
     */
    void (*fill)(struct sb_words *words, size_t count, uint32_t word[]);
};

extern const struct sb_rng_type *const sb_rng_types[];
extern const size_t sb_rng_types_count;

/* Returns generator `index` of all generators, including members, with its title; false beyond the last. */
bool sb_rng_get(size_t index, struct sb_rng *rng, const char **title);

#endif
