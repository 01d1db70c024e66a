/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The root calls the other MPI ranks to work, and dismisses them. */
#include "study/report/report_ranks.h"

#include <string.h>

static size_t ranks_length(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

const struct sb_ranks *sb_ranks_begin(const struct sb_options *options, enum sb_by by,
                                      const struct sb_scheme *scheme, bool compares)
{
    const struct sb_ranks *const ranks = options->ranks;
    struct sb_ranks_call call = {
        .version = SB_VERSION,
        .by = by,
        .n = options->n,
        .deal = options->deal,
        .samples = options->samples,
        .seed = options->seed,
        .seeds_first = options->seeds_first,
        .seeds_count = options->seeds_count,
        .threads = options->threads,
        .increments = options->increments,
        .compares = compares,
        .statistics = ranks_length(options->statistics),
        .profile = ranks_length(options->profile),
    };

    if (!ranks || (by == SB_BY_SAMPLE && !scheme->rng.type->seek))
        return NULL;
    if (!sb_ranks_is_root(ranks)) /* this rank is not the root: the root has called it */
        return ranks;
    memcpy(call.scheme, scheme->name, sizeof call.scheme);
    sb_ranks_broadcast(ranks, &call, sizeof call);
    sb_ranks_broadcast(ranks, (char *)options->statistics, call.statistics);
    sb_ranks_broadcast(ranks, (char *)options->profile, call.profile);
    return ranks;
}

void sb_ranks_dismiss(const struct sb_ranks *ranks)
{
    struct sb_ranks_call call = { .version = SB_VERSION };

    sb_ranks_broadcast(ranks, &call, sizeof call);
}
