/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the tests of the catalogue: all decks in an order of their own, and what one deck is worth. */
#ifndef TEST_UNIT_CATALOGUE_DECKS_H
#define TEST_UNIT_CATALOGUE_DECKS_H

#include "study/catalogue/look.h"

#include <math.h>
#include <string.h>

enum { DECK_MOST = 7, DECKS_MOST = 5040 };

static inline size_t factorial(size_t n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

/* The deck with this number in a counting that has nothing to do with ranks: Durstenfeld's loop on its digits. */
static inline void deck_of(size_t n, size_t number, size_t d[], sb_item a[])
{
    for (size_t j = 0; j < n; j++)
        a[j] = (sb_item)j;
    for (size_t i = n - 1; i > 0; i--) {
        d[i] = number % (i + 1);
        number /= i + 1;

        const sb_item swapped = a[i];

        a[i] = a[d[i]];
        a[d[i]] = swapped;
    }
}

static inline struct sb_catalogue *build(size_t n, bool ranked)
{
    struct sb_catalogue *catalogue;
    struct sb_error error;

    assert_int_equal(sb_catalogue_build(n, ranked, &error, &catalogue), SB_OK);
    assert_non_null(catalogue);
    return catalogue;
}

/* ln(p/q) of one deck for each candidate: ln_e of the candidates. */
static inline void read_deck(struct sb_catalogue *catalogue, const sb_item a[])
{
    const size_t n = catalogue->n;
    uint64_t count[720] = { 0 };
    const struct sb_tally rank = { .members = 1, .cells = factorial(n), .total = 1, .count = count };

    if (sb_catalogue_by_rank(catalogue)) {
        count[sb_permutation_rank(n, n, a)] = 1;
        sb_catalogue_read(catalogue, &rank);
        return;
    }
    catalogue->decks = 0;
    for (size_t k = 0; k < catalogue->count; k++)
        catalogue->candidate[k].sum = 0;
    sb_catalogue_add(catalogue, a, 1);
    sb_catalogue_read(catalogue, NULL);
}

/* The candidate of this name, or of this name among its equivalents. */
static inline const struct sb_candidate *find(const struct sb_catalogue *catalogue, const char *name)
{
    for (size_t k = 0; k < catalogue->count; k++) {
        const struct sb_candidate *const candidate = &catalogue->candidate[k];

        if (strcmp(candidate->name, name) == 0)
            return candidate;
        for (size_t i = 0; i < candidate->equivalents; i++)
            if (strcmp(candidate->equivalent[i], name) == 0)
                return candidate;
    }
    fail_msg("no candidate %s", name);
    return NULL;
}

#endif
