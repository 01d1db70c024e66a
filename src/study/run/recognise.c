/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A feed that leaves out the permutations that serve only to recognise the run. Cost: a hash of the
 * permutations left out. */
#include "study/run/recognise.h"

#include "core/core.h"

/* Returns the error for a run that is refused. */
static enum sb_status recognise_refuse(struct sb_recogniser *recogniser, struct sb_error *error)
{
    recogniser->repeated = true;
    if (recogniser->key)
        return sb_error_set(
            error, SB_SUBJECT,
            "%.100s: its first %d permutations are those of an earlier run with key '%s', and would "
            "count twice: seed it anew in each run, or leave the key out",
            recogniser->name, SB_FINGERPRINT_DECKS, recogniser->key);
    return sb_error_set(error, SB_SUBJECT,
                        "%.100s: its first %d permutations are those of an earlier run that '%.200s' holds, "
                        "and would count twice: seed it anew in each run",
                        recogniser->name, SB_FINGERPRINT_DECKS, recogniser->path);
}

/* Passes on a batch of the inner feed. */
static void recognise_take(struct sb_recogniser *recogniser, const sb_item **items, size_t *count)
{
    struct sb_feed *const inner = recogniser->inner;

    sb_fingerprint_see(recogniser->own, inner->items, inner->count, inner->deal);
    *items = inner->items;
    *count = inner->count;
    inner->count = 0;
}

/* Returns whether the next permutations serve only to recognise the run. */
static bool recognise_first(const struct sb_recogniser *recogniser)
{
    return recogniser->own->adds && recogniser->own->decks < SB_FINGERPRINT_DECKS;
}

enum sb_status sb_recogniser_begin(struct sb_recogniser *recogniser, struct sb_error *error)
{
    struct sb_feed *const inner = recogniser->inner;

    if (!recognise_first(recogniser))
        return SB_OK;
    while (recognise_first(recogniser)) {
        enum sb_status status = SB_OK;
        const sb_item *items;
        size_t count;

        if (inner->count == 0)
            status = sb_feed_next(inner, SB_FINGERPRINT_DECKS - recogniser->own->decks, error);
        if (status == SB_OK && recogniser->stop && *recogniser->stop)
            status = sb_error_set(error, SB_STOPPED, "%s: stopped", inner->name);
        if (status || inner->count == 0)
            return status;
        recognise_take(recogniser, &items, &count);
        sb_tallies_remember(recogniser->tallies, items, count);
    }
    return sb_fingerprints_have(recogniser->earlier, recogniser->own) ? recognise_refuse(recogniser, error)
                                                                      : SB_OK;
}

enum sb_status sb_recogniser_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                  struct sb_error *error)
{
    struct sb_recogniser *const recogniser = (struct sb_recogniser *)feed;
    struct sb_feed *const inner = recogniser->inner;
    enum sb_status status = sb_recogniser_begin(recogniser, error);

    if (status == SB_OK && inner->count == 0 && !recognise_first(recogniser))
        status = sb_feed_next(inner, most, error);
    if (status == SB_OK)
        recognise_take(recogniser, items, count);
    return status;
}
