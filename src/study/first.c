/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run's first permutations, kept back. */
#include "study/first.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

void sb_first_close(struct sb_first *first)
{
    free(first->items);
    *first = (struct sb_first) { .count = 0 };
}

enum sb_status sb_first_read(struct sb_trial *trial, const volatile sig_atomic_t *stop,
                             struct sb_error *error, struct sb_first *first)
{
    while (first->count < SB_OPENING) {
        enum sb_status status = SB_OK;

        if (trial->count == 0)
            status = sb_trial_next(trial, SB_OPENING - first->count, error);
        if (status == SB_OK && stop && *stop)
            status = sb_error_set(error, SB_STOPPED, "%s: stopped", trial->name);
        if (status || trial->count == 0)
            return status;
        const size_t deal = trial->feed->deal;

        if (!first->items)
            first->items = calloc(SB_OPENING * deal, sizeof *first->items);
        if (!first->items)
            return sb_error_memory(error, "the first permutations");
        memcpy(first->items + first->count * deal, trial->items, trial->count * deal * sizeof *first->items);
        first->count += trial->count;
        trial->count = 0;
    }
    return SB_OK;
}

enum sb_status sb_first_few(const struct sb_first *first, const char *name, const char *path,
                            struct sb_error *error)
{
    return sb_error_set(error, SB_SUBJECT,
                        "%.100s: ended after %zu permutation%s, too few to recognise a run by, and "
                        "'%.200s' takes none of them: print at least %d in each run",
                        name, first->count, first->count == 1 ? "" : "s", path, SB_OPENING);
}

enum sb_status sb_first_twice(const char *name, const char *path, struct sb_error *error)
{
    return sb_error_set(error, SB_SUBJECT,
                        "%.100s: its first %d permutations are those of an earlier run that '%.200s' holds, "
                        "and would count twice: seed it anew in each run",
                        name, SB_OPENING, path);
}

bool sb_first_take(struct sb_first *first, uint64_t most, struct sb_trial *trial)
{
    const size_t left = first->count - first->taken;

    if (left == 0)
        return false;
    trial->items = first->items + first->taken * trial->feed->deal;
    trial->count = left < most ? left : (size_t)most;
    first->taken += trial->count;
    return true;
}
