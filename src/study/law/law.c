/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes the law of a statistic under a fair shuffle. */
#include "study/law/null_law.h"

#include "core/error.h"
#include "core/sum.h"
#include "statistic/statistic.h"
#include "study/results.h"
#include "subject/options.h"
#include "tally/statistics.h"

#include <math.h>
#include <stdlib.h>

/* The request: the statistic, and the deals. */
struct null_law_case {
    const struct sb_statistic_type *type;
    const struct sb_multiset *multiset; /* which items are equal; borrowed; NULL: all differ */
    size_t n, deal, member;
};

static size_t null_law_members(const struct null_law_case *one)
{
    return sb_statistic_members(one->type, one->multiset, one->n, one->deal);
}

static size_t null_law_cells(const struct null_law_case *one)
{
    return sb_statistic_cells(one->type, one->multiset, one->n, one->deal);
}

static enum sb_status null_law_check(const struct null_law_case *one, struct sb_error *error)
{
    const struct sb_statistic_type *const type = one->type;
    const size_t members = null_law_members(one), cells = null_law_cells(one);

    if (one->multiset && type == &sb_statistic_position)
        return sb_error_set(error, SB_INVALID,
                            "position is of items that differ, and `cards` has equal names: use card-at");
    if (one->n == 0 && (members == 0 || cells == 0))
        return sb_error_set(error, SB_TOO_LARGE, "%s says nothing of `n = 0` items: use n >= 1", type->name);
    if ((members == 0 || cells == 0) && one->deal == one->n)
        return sb_error_set(error, SB_TOO_LARGE, "the law of %s is not known at `n = %zu`: use %s",
                            type->name, one->n, type->range);
    if (members == 0 || cells == 0)
        return sb_error_set(error, SB_TOO_LARGE,
                            "the law of %s is not known for deals of %zu out of %zu: use %s", type->name,
                            one->deal, one->n, type->range);
    if (one->member < members)
        return SB_OK;
    if (members == 1)
        return sb_error_set(error, SB_INVALID, "%s has one member: leave member %zu out", type->name,
                            one->member + 1);
    return sb_error_set(error, SB_INVALID, "%s has no member %zu: use one of 1 to %zu", type->name,
                        one->member + 1, members);
}

/* Computes the mean and the variance of the statistic: from its formulas if an end cell holds several values, or else
 * from the values of the cells. */
static void null_law_moments(const struct sb_statistic_type *type, struct sb_null_law *law)
{
    struct sb_sum mean = { 0 }, variance = { 0 };

    if (type->moments && (law->window.below || law->window.above)) {
        type->moments(law->n, law->deal, &law->mean, &law->variance);
        return;
    }
    for (size_t i = 0; i < law->count; i++)
        sb_sum_add(&mean, exp(law->ln_p[i]) * (double)(law->window.low + law->cell[i]));
    law->mean = sb_sum_value(&mean);
    for (size_t i = 0; i < law->count; i++) {
        const double off = (double)(law->window.low + law->cell[i]) - law->mean;

        sb_sum_add(&variance, exp(law->ln_p[i]) * off * off);
    }
    law->variance = sb_sum_value(&variance);
}

/* Fills in a law in which only the names are set. */
static enum sb_status null_law_make(const struct null_law_case *one, struct sb_null_law *law)
{
    const struct sb_statistic_type *const type = one->type;
    const struct sb_statistic_equal *const equal = one->multiset ? type->equal : NULL;
    const size_t cells = null_law_cells(one);

    *law = (struct sb_null_law) {
        .statistic = type->name,
        .each = type->each,
        .title = type->title,
        .cite = type->cite,
        .obtained = type->obtained,
        .n = one->n,
        .deal = one->deal,
        .member = one->member,
        .members = null_law_members(one),
        .mean = NAN,
        .variance = NAN,
        .cell = calloc(cells, sizeof *law->cell),
        .ln_p = calloc(cells, sizeof *law->ln_p),
        .window =
            type->window && !equal ? type->window(one->n, one->deal) : (struct sb_window) { .cells = cells },
        .label = equal ? NULL : type->label,
        .equal = equal,
        .names = law->names,
    };
    if (!law->cell || !law->ln_p ||
        (equal ? equal->null_law(one->multiset, one->deal, law->ln_p)
               : type->null_law(one->n, one->deal, one->member, law->ln_p)))
        return SB_NO_MEMORY;
    for (size_t cell = 0; cell < cells; cell++)
        if (law->ln_p[cell] > -HUGE_VAL) {
            law->cell[law->count] = cell;
            law->ln_p[law->count++] = law->ln_p[cell];
        }
    if (!sb_null_law_labelled(law))
        null_law_moments(type, law);
    return SB_OK;
}

enum sb_status sb_null_law_new(const char *statistic, size_t member, const struct sb_options *options,
                               struct sb_error *error, struct sb_null_law **law)
{
    struct null_law_case one = { .member = member };
    struct sb_options settled;

    if (!statistic)
        return sb_error_null(error, "the statistic");
    one.type = sb_statistic_find(statistic);
    if (!one.type && sb_statistics_repeats(statistic))
        return sb_error_set(error, SB_INVALID,
                            "repeat is not computed from a single deck, so it has no cells: of D equally "
                            "likely decks, N fair "
                            "ones have about N(N-1)/(2 D) repeats on average, by Poisson's law");
    if (!one.type)
        return sb_statistics_unknown(statistic, error);
    enum sb_status status = sb_options_settle(options, error, &settled);

    if (status)
        return status;
    one.n = settled.n;
    one.deal = settled.deal;
    struct sb_null_law *const made = calloc(1, sizeof *made);
    if (!made)
        return sb_error_memory(error, "the law");
    status = settled.cards ? sb_item_names_new(settled.cards, error, &made->names) : SB_OK;
    one.multiset = sb_item_multiset(made->names);
    if (status == SB_OK)
        status = null_law_check(&one, error);
    if (status == SB_OK && null_law_make(&one, made))
        status = sb_error_memory(error, "the law");
    if (status) {
        sb_null_law_free(made);
        return status;
    }
    if (settled.stop && *settled.stop) {
        sb_null_law_free(made);
        return sb_error_set(error, SB_STOPPED, "stopped before the law was known");
    }
    *law = made;
    return SB_OK;
}
