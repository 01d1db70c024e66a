/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is tallied of permutations. Of a fair shuffle that starts anew each time the increments are fair and
 * independent, too. The first permutation has none, so that there is one of them fewer.
 */
#include "study/watch.h"

#include "core/error.h"

#include <stdlib.h>

/* The observers and what goes with them. */
static enum sb_status watch_open_parts(const struct sb_statistic_type *const types[], size_t count,
                                       unsigned what, struct sb_error *error, struct sb_watch *watch)
{
    const size_t n = watch->n, deal = watch->deal;
    enum sb_status status =
        sb_observer_new(n, deal, types, count, SB_WATCH_CELLS_MOST, error, &watch->observer);

    if (status == SB_OK && what & SB_WATCH_INCREMENTS)
        status = sb_observer_new(n, deal, types, count, SB_WATCH_CELLS_MOST, error, &watch->increments);
    if (status == SB_OK && what & SB_WATCH_INCREMENTS)
        status = sb_increment_open(n, &watch->step) ? sb_error_memory(error, "increments") : SB_OK;
    if (status == SB_OK && what & SB_WATCH_REPEATS) {
        watch->repeat = sb_repeat_new(n, deal);
        watch->birthday.ln_pair = sb_repeat_ln_pair(n, deal);
        status = watch->repeat ? SB_OK : sb_error_memory(error, "decks to be remembered");
    }
    return status;
}

enum sb_status sb_watch_open(size_t n, size_t deal, const struct sb_statistic_type *const types[],
                             size_t count, unsigned what, struct sb_error *error, struct sb_watch *watch)
{
    *watch = (struct sb_watch) {
        .n = n,
        .deal = deal,
        .statistics = count,
        .count = count * (what & SB_WATCH_INCREMENTS ? 2 : 1) + (what & SB_WATCH_REPEATS ? 1 : 0),
        .tally = calloc(2 * count + 2, sizeof watch->tally[0]),
    };
    if (!watch->tally)
        return sb_error_memory(error, "tallies");
    const enum sb_status status = watch_open_parts(types, count, what, error, watch);

    if (status == SB_OK)
        sb_watch_read(watch);
    return status;
}

void sb_watch_close(struct sb_watch *watch)
{
    sb_observer_free(watch->observer);
    sb_observer_free(watch->increments);
    sb_increment_close(&watch->step);
    sb_repeat_free(watch->repeat);
    free(watch->tally);
    *watch = (struct sb_watch) { .count = 0 };
}

void sb_watch_add(struct sb_watch *watch, const sb_item items[], size_t count)
{
    sb_observer_add(watch->observer, items, count);
    if (!watch->increments && !watch->repeat)
        return;
    for (size_t i = 0; i < count; i++, items += watch->deal) {
        if (watch->increments && sb_increment_take(&watch->step, items))
            sb_observer_add(watch->increments, watch->step.items, 1);
        if (watch->repeat) {
            const uint64_t kept = sb_repeat_kept(watch->repeat);

            sb_birthday_step(&watch->birthday, kept, sb_repeat_see(watch->repeat, items));
        }
    }
}

void sb_watch_read(struct sb_watch *watch)
{
    struct sb_tally *next = watch->tally + watch->statistics;

    sb_observer_read(watch->observer, watch->tally);
    if (watch->increments) {
        sb_observer_read(watch->increments, next);
        for (size_t i = 0; i < watch->statistics; i++)
            next++->increments = true;
    }
    if (watch->repeat) {
        watch->ln_e = sb_birthday_ln_e(&watch->birthday);
        *next = (struct sb_tally) {
            .statistic = "repeat",
            .members = 1,
            .total = watch->birthday.decks,
            .ln_e = &watch->ln_e,
        };
    }
}
