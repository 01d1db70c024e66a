/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The defaults and the ranges of a report's options. */
#include "subject/options.h"

#include "core/core.h"
#include "core/struct_size.h"
#include "sample/blocks.h"
#include "statistic/statistic.h"
#include "subject/scheme.h"
#include "tally/tally.h"

#include <inttypes.h>

enum { OPTIONS_ITEMS = 3 }; /* the default of n */

void sb_options_init_sized(struct sb_options *options, size_t size)
{
    const struct sb_options defaults = {
        .n = OPTIONS_ITEMS,
        .seed = 1,
        .alpha = 0.001,
        .checkpoint = 60,
    };

    sb_struct_init(&defaults, sizeof defaults, options, size);
}

enum sb_status sb_options_read(const struct sb_options *options, struct sb_error *error,
                               struct sb_options *own)
{
    sb_options_init(own);
    const enum sb_status status = sb_struct_read(options, "sb_options", sizeof *own, error, own);

    return status || !own->ranks ? status : sb_ranks_check(own->ranks, error);
}

/*
 * Returns the default number of shuffles. The slower schemes make this many shuffles in about a second. If
 * deals are tallied by rank, and there are more than a million different deals, the default is 40 million
 * shuffles. If deals are tallied by rank, there are at most a million different deals, and n is at most 12,
 * the default is 10 million. In all other cases the default is 10^8/n shuffles, but at least 10 n, so that
 * each item is expected ten times at each position.
 */
static uint64_t options_samples(size_t n, size_t deal)
{
    const size_t cells = sb_cells(n, deal);
    const uint64_t items = 100000000 / (n + !n), expected = 10 * (uint64_t)n;

    if (cells > 1000000)
        return 40000000;
    if (cells && n <= 12)
        return 10000000;
    return items > expected ? items : expected;
}

/* Checks the numbers other than n and `deal`. */
static enum sb_status options_check(const struct sb_options *made, struct sb_error *error)
{
    if (sb_level_check("alpha", made->alpha, error))
        return SB_INVALID;
    if (made->seed > INT64_MAX)
        return sb_error_set(error, SB_INVALID, "`seed = %" PRIu64 "` must be below 2^63", made->seed);
    if (made->samples > INT64_MAX)
        return sb_error_set(error, SB_INVALID, "`samples = %" PRIu64 "` must be below 2^63", made->samples);
    if (made->seeds_first > INT64_MAX || made->seeds_count > INT64_MAX - made->seeds_first)
        return sb_error_set(error, SB_INVALID,
                            "`seeds_first = %" PRIu64 "` and `seeds_count = %" PRIu64
                            "` go too far: the last seed must be below 2^63",
                            made->seeds_first, made->seeds_count);
    if (!(made->checkpoint > 0 && made->checkpoint <= 1e9))
        return sb_error_set(error, SB_INVALID, "`checkpoint = %g` must be above 0 seconds, and at most 1e9",
                            made->checkpoint);
    if (made->shards > SB_SHARDS_MOST || made->shard > made->shards || (made->shards > 0 && made->shard == 0))
        return sb_error_set(error, SB_INVALID,
                            "there is no `shard = %u` of `shards = %u`: use 1 to M of M, at most %d",
                            made->shard, made->shards, SB_SHARDS_MOST);
    if (made->threads > 1024)
        return sb_error_set(error, SB_INVALID, "`threads = %u` is too large: use 1 to 1024", made->threads);
    if (made->by & ~(unsigned)(SB_BY_EXACT | SB_BY_SAMPLE | SB_BY_SEEDS))
        return sb_error_set(error, SB_INVALID,
                            "`by = %u` is not made of kinds of evidence: join those of enum sb_by with |",
                            made->by);
    return SB_OK;
}

static enum sb_status options_settle(const struct sb_options *options, size_t items, struct sb_error *error,
                                     struct sb_options *settled)
{
    struct sb_options made = *options;

    if (made.cards && made.n == OPTIONS_ITEMS)
        made.n = 0;
    const enum sb_status counted = made.cards ? sb_item_names_count(made.cards, error, &made.n) : SB_OK;

    if (counted)
        return counted;
    if (made.n > items)
        return sb_error_set(error, SB_INVALID, "`n = %zu` is too large: use 0 to %zu", made.n, items);
    if (made.deal > made.n)
        return sb_error_deal(error, made.deal, made.n);
    if (options_check(&made, error) || sb_statistics_check(made.statistics, error) ||
        sb_statistic_profile_known(made.profile, error) ||
        sb_scheme_defaults_check(made.draw, made.rng, error))
        return SB_INVALID;
    if (made.deal == 0)
        made.deal = made.n;
    if (made.samples == 0)
        made.samples = options_samples(made.n, made.deal);
    *settled = made;
    return SB_OK;
}

enum sb_status sb_options_settle(const struct sb_options *options, struct sb_error *error,
                                 struct sb_options *settled)
{
    return options_settle(options, SB_COMPUTED_MOST, error, settled);
}

enum sb_status sb_options_settle_dealt(const struct sb_options *options, struct sb_error *error,
                                       struct sb_options *settled)
{
    return options_settle(options, SB_ITEMS_MOST, error, settled);
}
