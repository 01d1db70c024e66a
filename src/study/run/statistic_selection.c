/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects the statistics to test. */
#include "study/run/statistic_selection.h"

#include "gate/gate.h"
#include "tally/tally.h"

#include <math.h>

enum sb_status sb_selection_check(size_t n, size_t deal, const char *profile, bool increments,
                                  struct sb_error *error)
{
    enum sb_status status = sb_tallies_check(n, error);

    if (status == SB_OK)
        status = sb_statistic_profile_check(profile, n, error);
    if (status == SB_OK && increments)
        status = sb_increments_check(n, deal, error);
    return status;
}

/* Returns an upper bound for the number of a statistic's cells after cells are merged. */
static size_t selection_cells(const struct sb_multiset *multiset, size_t n, size_t deal,
                              const struct sb_statistic_type *type)
{
    const size_t cells = sb_statistic_cells(type, multiset, n, deal);

    return !sb_statistic_merges(type, n) || cells < SB_TALLIES_CELLS_MOST ? cells : SB_TALLIES_CELLS_MOST;
}

static bool selection_joins(const struct sb_multiset *multiset, size_t n, size_t deal, const char *profile,
                            const struct sb_gate_terms *terms, const struct sb_statistic_type *type)
{
    const bool joins = sb_statistic_joins_equal(type, multiset, n, deal);

    if (type == &sb_statistic_position || type == &sb_statistic_card_at)
        return joins;
    return (joins || (!multiset && sb_statistic_joins_profile(type, profile, n, deal))) &&
           (sb_gate_reaches(terms, selection_cells(multiset, n, deal, type)) ||
            (type != &sb_statistic_rank &&
             !sb_gate_reaches(terms, selection_cells(NULL, n, deal, &sb_statistic_position))));
}

size_t sb_selection_choose(const struct sb_multiset *multiset, size_t n, size_t deal, const char *profile,
                           const struct sb_gate_terms *terms, const struct sb_statistic_type *type[])
{
    size_t count = 0;

    for (size_t i = 0; i < sb_statistic_types_count; i++)
        if (selection_joins(multiset, n, deal, profile, terms, sb_statistic_types[i]))
            type[count++] = sb_statistic_types[i];
    return count;
}

bool sb_selection_repeats(const struct sb_multiset *multiset, size_t n, size_t deal,
                          const struct sb_statistic_type *first)
{
    if (multiset && (deal < n || sb_multiset_ln_arrangements(multiset) < 16 * log(2)))
        return false;
    return first && first != &sb_statistic_rank && sb_deals(n, deal) > 1 << 16;
}

bool sb_selection_bets(size_t n, size_t deal, const struct sb_statistic_type *first)
{
    return first && first != &sb_statistic_rank && deal == n && n >= SB_BETTOR_LEAST && n <= SB_BETTOR_MOST;
}
