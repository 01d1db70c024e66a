/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules for the deals of a feed. */
#ifndef TESTS_FUZZ_DEALS_H
#define TESTS_FUZZ_DEALS_H

#include "fuzz/fuzz.h"
#include "unit/stream_script.h"

/* Aborts unless the items of each deal are different, and in 0..n-1. */
static inline void deals_check(const struct outcome *outcome)
{
    uint8_t *const seen = calloc(outcome->n + 1, 1);

    if (!seen)
        abort();
    for (size_t i = 0; i < outcome->count; i++) {
        const sb_item *const deal = outcome->items + i * outcome->deal;

        memset(seen, 0, outcome->n);
        for (size_t j = 0; j < outcome->deal; j++)
            fuzz_check(deal[j] < outcome->n && !seen[deal[j]]++, "the items of a deal are different");
    }
    free(seen);
}

/* Aborts unless two ways to read the same bytes agree, and frees both outcomes. */
static inline void deals_check_same(struct outcome *one, struct outcome *other)
{
    deals_check(one);
    fuzz_check(outcome_same(one, other), "the same bytes give the same deals and the same error");
    outcome_close(one);
    outcome_close(other);
}

#endif
