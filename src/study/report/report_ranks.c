/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How several MPI ranks work on the same reports: the root makes the reports as if it were alone, and calls
 * the other ranks whenever decks are tallied or seeds are tried. The other ranks know only what the root broadcasts: a scheme, and the options that determine the decks and the tallies.
 */
#include "study/report/report_ranks.h"

#include "core/error.h"
#include "core/ranks.h"
#include "sample/sample.h"
#include "study/report/report_parts.h"
#include "study/results.h"
#include "tally/statistics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Receives a broadcast text, which the caller frees. Does not set *text if `length` is 0. */
static enum sb_status ranks_hear(const struct sb_ranks *ranks, size_t length, char **text)
{
    if (length == 0)
        return SB_OK;
    *text = calloc(length, 1);
    if (!*text)
        return SB_NO_MEMORY;
    sb_ranks_broadcast(ranks, *text, length);
    return SB_OK;
}

/* Tallies this rank's part of a sample. */
static enum sb_status ranks_sample(const struct sb_options *options, bool compares,
                                   const struct sb_scheme *scheme, const struct sb_shuffler *shuffler,
                                   struct sb_error *error, struct sb_evidence *evidence)
{
    struct sb_statistics statistics = { 0 };
    const struct sb_sample sample = {
        .recipe = { shuffler, &scheme->draw, &scheme->rng, options->seed, NULL },
        .total = options->samples,
        .threads = options->threads,
        .subject = scheme->name,
        .tallies = &statistics.tallies,
        .ranks = options->ranks,
    };
    enum sb_status status =
        sb_statistics_open(options, options->n, options->deal, options->samples, error, &statistics);

    if (!compares)
        sb_tallies_forget_repeats(&statistics.tallies);
    if (status == SB_OK)
        status = sb_sample_tally(&sample, error, evidence);
    sb_statistics_close(&statistics);
    return status;
}

/* Computes this rank's part of the work for one call. */
static enum sb_status ranks_answer(const struct sb_ranks_call *call, const struct sb_options *options,
                                   struct sb_error *error)
{
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_evidence evidence = { 0 };
    enum sb_status status = sb_scheme_parse(call->scheme, NULL, NULL, error, &scheme);

    if (status)
        return status;
    if (sb_shuffler_open(scheme.shuffle, options->n, options->deal, &shuffler))
        return sb_error_memory(error, "the steps of a shuffle");
    status = call->by == SB_BY_SAMPLE
                 ? ranks_sample(options, call->compares, &scheme, &shuffler, error, &evidence)
                 : sb_seeds_evidence(&scheme, &shuffler, options, NULL, error, &evidence);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
    return status;
}

/* Receives the rest of a call, and does the work. */
static enum sb_status ranks_listen(const struct sb_ranks *ranks, const struct sb_ranks_call *call,
                                   struct sb_error *error)
{
    char *statistics = NULL, *profile = NULL;
    enum sb_status status = ranks_hear(ranks, call->statistics, &statistics);

    if (status == SB_OK)
        status = ranks_hear(ranks, call->profile, &profile);
    const struct sb_options options = {
        .n = call->n,
        .deal = call->deal,
        .samples = call->samples,
        .seed = call->seed,
        .seeds_first = call->seeds_first,
        .seeds_count = call->seeds_count,
        .threads = (unsigned)call->threads,
        .increments = call->increments,
        .statistics = statistics,
        .profile = profile,
        .ranks = ranks,
    };
    status = status ? sb_error_memory(error, "what is to be done") : ranks_answer(call, &options, error);
    free(statistics);
    free(profile);
    return status;
}

enum sb_status sb_ranks_serve(const struct sb_ranks *ranks, struct sb_error *error)
{
    struct sb_ranks_call call = { .by = 0 };
    enum sb_status status = sb_ranks_check(ranks, error);

    while (status == SB_OK) {
        sb_ranks_broadcast(ranks, &call, sizeof call);
        if (strncmp(call.version, SB_VERSION, sizeof call.version) != 0)
            return sb_error_set(
                error, SB_INVALID,
                "this rank runs version %s, and the root runs version %.15s: run one version on all ranks",
                SB_VERSION, call.version);
        if (!call.by)
            break;
        status = ranks_listen(ranks, &call, error);
    }
    return status;
}
