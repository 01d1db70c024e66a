/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run's first permutations, which are not counted. */
#include "study/run/run_start.h"

#include "core/error.h"

enum sb_status sb_first_read(struct sb_trial *trial, const volatile sig_atomic_t *stop,
                             struct sb_error *error, struct sb_tallies *tallies,
                             struct sb_fingerprint *opening)
{
    while (opening->seen < SB_FINGERPRINT_DECKS) {
        enum sb_status status = SB_OK;

        if (trial->count == 0)
            status = sb_trial_next(trial, SB_FINGERPRINT_DECKS - opening->seen, error);
        if (status == SB_OK && stop && *stop)
            status = sb_error_set(error, SB_STOPPED, "%s: stopped", trial->name);
        if (status || trial->count == 0)
            return status;
        sb_fingerprint_see(opening, trial->items, trial->count, tallies->deal);
        sb_tallies_remember(tallies, trial->items, trial->count);
        trial->count = 0;
    }
    return SB_OK;
}

enum sb_status sb_first_twice(const char *name, const char *path, struct sb_error *error)
{
    return sb_error_set(error, SB_SUBJECT,
                        "%.100s: its first %d permutations are those of an earlier run that '%.200s' holds, "
                        "and would count twice: seed it anew in each run",
                        name, SB_FINGERPRINT_DECKS, path);
}
