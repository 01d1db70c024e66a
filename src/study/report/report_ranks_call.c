/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The root rank calls the others to work, and lets them go. */
#include "study/report/report_ranks.h"

#include <string.h>

static size_t crew_length(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

const struct sb_crew *sb_crew_call(const struct sb_options *options, enum sb_by by,
                                   const struct sb_scheme *scheme, bool compares)
{
    const struct sb_crew *const crew = options->crew;
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
        .statistics = crew_length(options->statistics),
        .profile = crew_length(options->profile),
    };

    if (!crew || (by == SB_BY_SAMPLE && !scheme->rng.type->seek))
        return NULL;
    if (!sb_crew_leads(crew)) /* who has been called */
        return crew;
    memcpy(call.scheme, scheme->name, sizeof call.scheme);
    sb_crew_tell(crew, &call, sizeof call);
    sb_crew_tell(crew, (char *)options->statistics, call.statistics);
    sb_crew_tell(crew, (char *)options->profile, call.profile);
    return crew;
}

void sb_crew_dismiss(const struct sb_crew *crew)
{
    struct sb_ranks_call call = { .version = SB_VERSION };

    sb_crew_tell(crew, &call, sizeof call);
}
