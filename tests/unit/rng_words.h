/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the tests of generators: a generator by its name, and its words from a seed. */
#ifndef TESTS_UNIT_RNG_WORDS_H
#define TESTS_UNIT_RNG_WORDS_H

#include "rng/rng.h"

#include <string.h>

static struct sb_rng rng_named(const char *name)
{
    struct sb_rng rng;
    const char *title;

    for (size_t i = 0; sb_rng_get(i, &rng, &title); i++)
        if (strcmp(rng.name, name) == 0)
            return rng;
    fail_msg("no generator is called %s", name);
    return rng;
}

static struct sb_words *words_from(const struct sb_rng *rng, uint64_t seed)
{
    struct sb_words *words = NULL;

    assert_int_equal(sb_rng_open(rng, seed, &words), SB_OK);
    assert_true(words->largest == rng->largest);
    return words;
}

#endif
