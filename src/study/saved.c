/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saved evidence in memory: what run it is of, and how a report picks it up. */
#include "study/saved.h"

#include "core/error.h"
#include "study/study.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAVED_VALUES = 64 }; /* bytes of two numbers in words */

void sb_saved_free(struct sb_saved *saved)
{
    if (!saved)
        return;
    sb_evidence_close(&saved->evidence);
    sb_counts_free(saved->counts, saved->counts_count);
    free(saved->path);
    free(saved->version);
    free(saved->statistics);
    free(saved->profile);
    free(saved->parts.part);
    free(saved);
}

bool sb_saved_done(const struct sb_saved *saved)
{
    return saved->evidence.total == sb_parts_decks(&saved->parts, saved->evidence.n, saved->samples);
}

void sb_saved_options(const struct sb_saved *saved, struct sb_options *options)
{
    options->n = saved->evidence.n;
    options->deal = saved->evidence.deal;
    options->seed = saved->evidence.seed;
    options->samples = saved->samples;
    options->by = SB_BY_SAMPLE;
    options->statistics = saved->statistics;
    options->profile = saved->profile;
    options->increments = saved->increments;
    options->shard = saved->parts.count == 1 ? (unsigned)saved->parts.part[0].number : 0;
    options->shards = saved->parts.count == 1 ? (unsigned)saved->parts.of : 0;
    options->draw = NULL;
    options->rng = NULL;
}

/* Whether two texts are the same, or both missing. */
static bool saved_same(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) == 0 : one == other;
}

/* Whether the options mean the part, or the parts, that were saved. */
static bool saved_same_part(const struct sb_saved *saved, const struct sb_options *options)
{
    struct sb_options own = { 0 };

    sb_saved_options(saved, &own);
    return options->shard == own.shard && options->shards == own.shards;
}

/* The first option by which another run is meant; NULL if there is none. */
static const char *saved_differs(const struct sb_saved *saved, const struct sb_options *options)
{
    const struct sb_evidence *const evidence = &saved->evidence;

    return options->n != evidence->n                                ? "-n"
           : options->deal && options->deal != evidence->deal       ? "--deal"
           : options->seed != evidence->seed                        ? "--seed"
           : options->samples && options->samples != saved->samples ? "--samples"
           : options->by && options->by != SB_BY_SAMPLE             ? "--by"
           : !saved_same(options->statistics, saved->statistics)    ? "--statistics"
           : !saved_same(options->profile, saved->profile)          ? "--profile"
           : options->increments != saved->increments               ? "--increments"
                                                                    : NULL;
}

/* What a number was and what is said; nothing of other options. */
static void saved_say(const struct sb_saved *saved, const struct sb_options *options, const char *differs,
                      char values[SAVED_VALUES])
{
    const struct {
        const char *option;
        uint64_t was, said;
    } number[] = {
        { "-n", saved->evidence.n, options->n },
        { "--deal", saved->evidence.deal, options->deal },
        { "--seed", saved->evidence.seed, options->seed },
        { "--samples", saved->samples, options->samples },
    };

    values[0] = '\0';
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
        if (strcmp(number[i].option, differs) == 0)
            snprintf(values, SAVED_VALUES, " (%" PRIu64 ", not %" PRIu64 ")", number[i].was, number[i].said);
}

const char *sb_saved_differs(const struct sb_saved *one, const struct sb_saved *other)
{
    struct sb_options options = { 0 };

    if (strcmp(one->version, other->version) != 0)
        return "the version of shufflebias";
    if (strcmp(one->scheme.name, other->scheme.name) != 0)
        return "the scheme";
    if (one->parts.of != other->parts.of)
        return "the number of parts";
    sb_saved_options(other, &options);
    return saved_differs(one, &options);
}

enum sb_status sb_saved_agrees(const struct sb_saved *saved, const char *scheme,
                               const struct sb_options *options, struct sb_error *error)
{
    const struct sb_scheme *const own = &saved->scheme;
    const char *const draw = options->draw ? options->draw : own->draw_name;
    const char *const rng = options->rng ? options->rng : own->rng.name;
    const char *differs = saved_differs(saved, options);
    char values[SAVED_VALUES];
    struct sb_scheme asked;
    enum sb_status status = SB_OK;

    if (!differs && !saved_same_part(saved, options))
        differs = "--shard";
    if (!differs)
        status = sb_scheme_parse(scheme ? scheme : own->shuffle_name, draw, rng, error, &asked);
    if (status)
        return status;
    if (!differs && strcmp(asked.name, own->name) != 0)
        differs = scheme ? scheme : strcmp(asked.draw_name, own->draw_name) != 0 ? "--draw" : "--rng";
    if (!differs)
        return SB_OK;
    saved_say(saved, options, differs, values);
    return sb_error_set(error, SB_INVALID,
                        "%.100s: differs from the run of %s that '%.200s' holds%s: leave it out", differs,
                        own->name, saved->path, values);
}

/* What the statistics had seen, and the repeats if they are known. */
static enum sb_status saved_resume(const struct sb_saved *saved, struct sb_error *error,
                                   struct sb_statistics *statistics)
{
    if (sb_statistics_resume(statistics, saved->counts, saved->counts_count))
        return SB_OK;
    return sb_error_set(
        error, SB_IO,
        "'%.200s' is no sound evidence: tallies are of other statistics than version %s has, or "
        "of other cells: use version %.20s",
        saved->path, SB_VERSION, saved->version);
}

enum sb_status sb_saved_lend(struct sb_saved *saved, struct sb_error *error, struct sb_statistics *statistics,
                             struct sb_evidence *evidence)
{
    const enum sb_status status = saved_resume(saved, error, statistics);

    if (status)
        return status;
    if (saved->compared) {
        statistics->compared = true;
        statistics->decks = saved->decks;
        statistics->repeats = saved->repeats;
    } else {
        sb_statistics_forget(statistics);
    }
    *evidence = saved->evidence;
    saved->evidence = (struct sb_evidence) { 0 };
    return SB_OK;
}

enum sb_status sb_saved_add(const struct sb_saved *saved, struct sb_error *error,
                            struct sb_statistics *statistics)
{
    if (strcmp(saved->version, SB_VERSION) != 0)
        return sb_error_set(
            error, SB_INVALID,
            "'%.200s' is of version %.20s, and its shuffles may not be those of %s: go on with that version",
            saved->path, saved->version, SB_VERSION);
    return saved_resume(saved, error, statistics);
}

enum sb_status sb_saved_go_on(const struct sb_saved *saved, struct sb_error *error,
                              struct sb_statistics *statistics)
{
    if (saved->parts.count > 1)
        return sb_error_set(error, SB_INVALID,
                            "'%.200s' is merged: go on with its parts, and merge them again", saved->path);
    return sb_saved_add(saved, error, statistics);
}
