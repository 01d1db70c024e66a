/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tallies of a scheme. A shard does not compare decks, because it has only some of the decks that a whole
 * run compares. When the shards are merged, all decks to compare are dealt again.
 */
#include "study/report/sampled.h"

#include "core/core.h"
#include "sample/sample.h"
#include "store/checksummed_file.h"
#include "study/report/report_ranks.h"

enum sb_status sb_sampled_count(const struct sb_sampling *sampling, const struct sb_shards *parts,
                                const struct sb_pause *pause, struct sb_statistics *statistics,
                                struct sb_error *error, struct sb_evidence *evidence)
{
    const struct sb_options *const options = sampling->options;
    const struct sb_scheme *const scheme = sampling->scheme;
    const struct sb_blocks blocks = sb_shards_blocks(parts, 0, options->n, options->samples);
    const struct sb_sample sample = {
        .recipe = { sampling->shuffler, &scheme->draw, &scheme->rng, options->seed, options->stop },
        .total = options->samples,
        .part = &blocks,
        .threads = options->threads,
        .progress = options->progress,
        .progress_state = options->progress_state,
        .subject = scheme->name,
        .tallies = &statistics->tallies,
        .pause = pause,
        .ranks = sb_ranks_begin(options, SB_BY_SAMPLE, scheme, statistics->tallies.noted),
    };

    return sb_sample_tally(&sample, error, evidence);
}

/* Tallies the decks, starting from saved evidence if there is any, and saves the evidence if requested. */
static enum sb_status sampled_run(const struct sb_sampling *sampling, struct sb_saving *saving,
                                  struct sb_statistics *statistics, struct sb_error *error,
                                  struct sb_evidence *evidence)
{
    const struct sb_saved *const saved = sampling->saved;
    const struct sb_pause pause = sb_saving_pause(saving, saved ? &saved->evidence : NULL);
    struct sb_evidence made = { 0 };
    enum sb_status status = SB_OK;

    if (saved)
        status = sb_checksummed_lock(saving->path, saved->checksum, error, &saving->lock);
    if (saved && status == SB_OK)
        status = sb_saved_go_on(saved, error, statistics);
    if (!saved && saving->path)
        status = sb_saving_begin(saving, error);
    if (status == SB_OK)
        status =
            sb_sampled_count(sampling, saving->parts, saving->path ? &pause : NULL, statistics, error, &made);
    if (status == SB_OK && sb_statistics_read(&made, sampling->options->threads, statistics))
        status = sb_error_memory(error, "a report");
    saving->ended = true;
    if (status == SB_OK && saving->path)
        status = sb_saving_write(saving, &made, error);
    sb_saving_end(saving);
    if (status)
        sb_evidence_close(&made);
    else
        *evidence = made;
    return status;
}

/* Uses the evidence of a file unchanged. */
static enum sb_status sampled_lend(const struct sb_sampling *sampling, struct sb_statistics *statistics,
                                   struct sb_error *error, struct sb_evidence *evidence)
{
    struct sb_evidence made = { 0 };
    enum sb_status status = sb_saved_lend(sampling->saved, error, statistics, &made);

    if (status == SB_OK && sb_statistics_read(&made, sampling->options->threads, statistics))
        status = sb_error_memory(error, "a report");
    if (status)
        sb_evidence_close(&made);
    else
        *evidence = made;
    return status;
}

enum sb_status sb_sampled(const struct sb_sampling *sampling, struct sb_statistics *statistics,
                          struct sb_error *error, struct sb_evidence *evidence)
{
    const struct sb_options *const options = sampling->options;
    struct sb_shard part = { .number = options->shard };
    const struct sb_shards asked = { .of = options->shards, .count = 1, .part = &part };
    const struct sb_shards *const parts = sampling->saved ? &sampling->saved->parts : &asked;
    struct sb_saving saving = {
        .path = options->save,
        .scheme = sampling->scheme,
        .options = options,
        .parts = parts,
        .statistics = statistics,
        .lock = -1,
    };
    /* merged evidence cannot be resumed: sampled_run() returns an error */
    const bool merged = parts->count > 1;
    struct sb_evidence made;
    enum sb_status status;

    if (parts->of)
        sb_tallies_forget_repeats(&statistics->tallies);
    if (sampling->saved && (!options->save || (sb_saved_done(sampling->saved) && !merged)))
        status = sampled_lend(sampling, statistics, error, &made);
    else
        status = sampled_run(sampling, &saving, statistics, error, &made);
    if (status)
        return status;
    made.asked = sb_shards_decks(parts, options->n, options->samples);
    sb_shards_say(parts, made.part);
    *evidence = made;
    return SB_OK;
}
