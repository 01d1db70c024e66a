/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is tallied of permutations. Of a fair shuffle that starts anew each time the increments are fair and
 * independent, too. The first permutation has none, so that there is one of them fewer.
 */
#include "tally/tallies.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>

/* One observer of deals or of their steps. */
static enum sb_status tallies_observe(const struct sb_tallies *tallies,
                                      const struct sb_statistic_type *const types[], size_t count,
                                      unsigned what, struct sb_error *error, struct sb_observer **observer)
{
    const size_t n = tallies->n, deal = tallies->deal;

    if (what & SB_TALLIES_COARSE)
        return sb_observer_new(n, deal, types, count, SB_TALLIES_CELLS_MOST, error, observer);
    return sb_observer_new_fine(n, deal, types, count, SB_TALLIES_CELLS_MOST, error, observer);
}

/* The observers and what goes with them. */
static enum sb_status tallies_open_parts(const struct sb_statistic_type *const types[], size_t count,
                                         unsigned what, struct sb_error *error, struct sb_tallies *tallies)
{
    const size_t n = tallies->n;
    enum sb_status status = tallies_observe(tallies, types, count, what, error, &tallies->observer);

    if (status == SB_OK && what & SB_TALLIES_INCREMENTS)
        status = tallies_observe(tallies, types, count, what, error, &tallies->increments);
    if (status == SB_OK && what & SB_TALLIES_INCREMENTS)
        status = sb_increment_open(n, &tallies->step) ? sb_error_memory(error, "increments") : SB_OK;
    if (status == SB_OK && what & SB_TALLIES_LAGS)
        status = sb_lags_new(n, !(what & SB_TALLIES_INCREMENTS), error, &tallies->lags);
    return status;
}

/* The decks that later ones are compared with. */
static enum sb_status tallies_open_repeat(unsigned what, struct sb_error *error, struct sb_tallies *tallies)
{
    const size_t n = tallies->n, deal = tallies->deal;

    if (!(what & (SB_TALLIES_REPEATS | SB_TALLIES_REPEATS_PART)))
        return SB_OK;
    if (what & SB_TALLIES_REPEATS_PART) {
        tallies->repeat = sb_repeat_new_part(n, deal);
        tallies->birthday.ln_pair = sb_repeat_ln_pair_part(n, deal);
        tallies->birthday.ln_part = -SB_REPEAT_PART * log(2);
    } else {
        tallies->repeat = sb_repeat_new(n, deal);
        tallies->birthday.ln_pair = sb_repeat_ln_pair(n, deal);
    }
    return tallies->repeat ? SB_OK : sb_error_memory(error, "decks to be remembered");
}

enum sb_status sb_tallies_open(size_t n, size_t deal, const struct sb_statistic_type *const types[],
                               size_t count, unsigned what, struct sb_error *error,
                               struct sb_tallies *tallies)
{
    *tallies = (struct sb_tallies) {
        .n = n,
        .deal = deal,
        .statistics = count,
        .count = count * (what & SB_TALLIES_INCREMENTS ? 2 : 1) +
                 (what & (SB_TALLIES_REPEATS | SB_TALLIES_REPEATS_PART) ? 1 : 0),
        .tally = calloc(2 * count + SB_LAGS * SB_LAGS_STATISTICS + 2, sizeof tallies->tally[0]),
    };
    if (!tallies->tally)
        return sb_error_memory(error, "tallies");
    enum sb_status status = tallies_open_parts(types, count, what, error, tallies);

    if (status == SB_OK)
        status = tallies_open_repeat(what, error, tallies);
    if (status)
        return status;
    tallies->count += tallies->lags ? sb_lags_count(tallies->lags) : 0;
    sb_tallies_read(tallies);
    return SB_OK;
}

enum sb_status sb_tallies_fork(const struct sb_tallies *of, unsigned what, struct sb_error *error,
                               struct sb_tallies *tallies)
{
    *tallies = (struct sb_tallies) {
        .n = of->n,
        .deal = of->deal,
        .statistics = of->statistics,
        .count = of->statistics + (what & (SB_TALLIES_REPEATS | SB_TALLIES_REPEATS_PART) ? 1 : 0),
        .tally = calloc(of->statistics + 1, sizeof tallies->tally[0]),
    };
    if (!tallies->tally || sb_observer_fork(of->observer, &tallies->observer))
        return sb_error_memory(error, "tallies");
    const enum sb_status status = tallies_open_repeat(what, error, tallies);

    if (status == SB_OK)
        sb_tallies_read(tallies);
    return status;
}

void sb_tallies_close(struct sb_tallies *tallies)
{
    sb_observer_free(tallies->observer);
    sb_observer_free(tallies->increments);
    sb_increment_close(&tallies->step);
    sb_lags_free(tallies->lags);
    sb_repeat_free(tallies->repeat);
    free(tallies->tally);
    *tallies = (struct sb_tallies) { .count = 0 };
}

void sb_tallies_add(struct sb_tallies *tallies, const sb_item items[], size_t count)
{
    sb_observer_add(tallies->observer, items, count);
    if (tallies->lags)
        sb_lags_add(tallies->lags, items, count);
    if (!tallies->increments && !tallies->repeat)
        return;
    for (size_t i = 0; i < count; i++, items += tallies->deal) {
        if (tallies->increments && sb_increment_take(&tallies->step, items))
            sb_observer_add(tallies->increments, tallies->step.items, 1);
        if (tallies->repeat && sb_repeat_wants(tallies->repeat, items)) {
            const uint64_t kept = sb_repeat_kept(tallies->repeat);

            sb_birthday_step(&tallies->birthday, kept, sb_repeat_see(tallies->repeat, items));
        }
    }
}

void sb_tallies_remember(struct sb_tallies *tallies, const sb_item items[], size_t count)
{
    const sb_item *const first = items;

    for (size_t i = 0; i < count; i++, items += tallies->deal) {
        if (tallies->increments)
            sb_increment_take(&tallies->step, items);
        if (tallies->repeat && sb_repeat_wants(tallies->repeat, items))
            sb_repeat_see(tallies->repeat, items);
    }
    if (tallies->lags)
        sb_lags_recall(tallies->lags, first, count);
}

void sb_tallies_read(struct sb_tallies *tallies)
{
    struct sb_tally *next = tallies->tally + tallies->statistics;

    sb_observer_read(tallies->observer, tallies->tally);
    if (tallies->increments) {
        sb_observer_read(tallies->increments, next);
        for (size_t i = 0; i < tallies->statistics; i++)
            next++->lag = 1;
    }
    if (tallies->lags) {
        sb_lags_read(tallies->lags, next);
        next += sb_lags_count(tallies->lags);
    }
    if (tallies->repeat) {
        tallies->ln_e = sb_birthday_ln_e(&tallies->birthday);
        *next = (struct sb_tally) {
            .statistic = "repeat",
            .members = 1,
            .total = tallies->birthday.decks,
            .ln_e = &tallies->ln_e,
        };
    }
}
