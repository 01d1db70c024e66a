/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The entrants of the zoo, in this order: a fair shuffle; all biased shuffles of the registry, with ideal
 * draws; a fair shuffle with biased draws; and a fair shuffle whose generator gets a new short seed for each
 * deck. Some shuffles are fair for whole decks but biased for deals. Such a shuffle takes part only if fewer
 * than n cards are dealt.
 */
#include "core/core.h"
#include "study/zoo/zoo.h"
#include "subject/reseeded.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
    const char *scheme;
    unsigned bits;
} entrants_more[] = {
    { "fisher-yates/modulo:8", 0 },
    { "fisher-yates/modulo:15", 0 },
    { "fisher-yates", 16 },
    { "fisher-yates", 32 },
};

enum { ENTRANTS_MORE = sizeof entrants_more / sizeof entrants_more[0] };

/* Adds an entrant if its scheme can shuffle n items. */
static void entrants_add(const char *scheme, unsigned bits, bool fair, size_t n, size_t deal,
                         struct sb_zoo_entrant entrant[], size_t *count)
{
    struct sb_zoo_entrant *const next = &entrant[*count];

    next->bits = bits;
    next->fair = fair;
    if (sb_scheme_parse(scheme, NULL, NULL, NULL, &next->scheme) ||
        sb_scheme_check(&next->scheme, n, deal, NULL))
        return;
    if (bits)
        snprintf(next->name, sizeof next->name, "%.40s, seeds of %u bits", next->scheme.name, bits);
    else
        snprintf(next->name, sizeof next->name, "%.90s", next->scheme.name);
    ++*count;
}

/* Returns whether a shuffle is biased for deals of `deal` out of n items. */
static bool entrants_biased(const struct sb_shuffle_type *type, size_t n, size_t deal)
{
    return type->claim == SB_BIASED || (type->claim == SB_BIASED_DEALS && deal < n);
}

enum sb_status sb_zoo_entrants(size_t n, size_t deal, struct sb_error *error,
                               struct sb_zoo_entrant **entrants, size_t *count)
{
    struct sb_zoo_entrant *const made = calloc(sb_shuffles_unnamed() + ENTRANTS_MORE + 1, sizeof *made);

    if (!made)
        return sb_error_memory(error, "the zoo");
    *count = 0;
    entrants_add("fisher-yates", 0, true, n, deal, made, count);
    for (size_t i = 0; i < sb_shuffles_unnamed(); i++)
        if (entrants_biased(sb_shuffle_types[i], n, deal))
            entrants_add(sb_shuffle_types[i]->name, 0, false, n, deal, made, count);
    for (size_t i = 0; i < ENTRANTS_MORE; i++)
        entrants_add(entrants_more[i].scheme, entrants_more[i].bits, false, n, deal, made, count);
    *entrants = made;
    return SB_OK;
}

enum sb_status sb_zoo_feed(const struct sb_zoo_entrant *entrant, size_t n, size_t deal, uint64_t seed,
                           const volatile sig_atomic_t *stop, struct sb_error *error, struct sb_feed **feed)
{
    const struct sb_dealt dealt = { &entrant->scheme, n, deal, seed, stop };

    return entrant->bits ? sb_reseeded_new(&dealt, entrant->bits, error, feed)
                         : sb_dealt_new(&dealt, error, feed);
}
