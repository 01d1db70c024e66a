/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tallies of a scheme. A shard does not compare decks, because it has only some of the decks that a whole run
 * compares. When the shards are merged, all decks to compare are dealt again. */
#include "study/report/report_result.h"

/*
 * How several MPI ranks work on the same reports: the root makes the reports as if it were alone, and calls the other
 * ranks to tally decks or try seeds. These know only what the root broadcasts. All ranks run the same program on the
 * same type of machine.
 */
struct sb_ranks_call {
    char version[16];
    uint64_t by; /* enum sb_by; 0: no more calls */
    uint64_t samples, seed, threads;
    struct sb_option_range seeds;
    size_t n, deal;
    bool increments, compares, cards;
    char scheme[SB_SCHEME_ROOM];
    char statistics[SB_STATISTICS_NAMES]; /* of sb_statistics_names() */
};

/* Calls the other ranks to work on one sample or on seeds, with options of sb_options_settle(). Returns the ranks for
 * sb_sample_tally() or sb_seeds_reach(); NULL if there are none, or the generator has no counter. */
static const struct sb_ranks *ranks_begin(const struct sb_request *options, enum sb_by by,
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
        .seeds = options->seed_range,
        .threads = options->threads,
        .increments = options->increments,
        .compares = compares,
        .cards = options->profile, /* the only profile */
    };
    char names[SB_STATISTICS_NAMES];

    if (!ranks || (by == SB_BY_SAMPLE && !scheme->rng.type->seek))
        return NULL;
    memcpy(call.scheme, scheme->name, sizeof call.scheme);
    snprintf(call.statistics, sizeof call.statistics, "%s", sb_statistics_names(options->statistics, names));
    if (sb_ranks_is_root(ranks)) /* another rank was called by the root */
        sb_ranks_broadcast(ranks, &call, sizeof call);
    return ranks;
}

void sb_ranks_dismiss(const struct sb_ranks *ranks)
{
    struct sb_ranks_call call = { .version = SB_VERSION };

    sb_ranks_broadcast(ranks, &call, sizeof call);
}

static enum sb_status ranks_sample(const struct sb_request *options, bool compares, const struct sb_scheme *scheme,
                                   const struct sb_shuffler *shuffler, struct sb_error *error,
                                   struct sb_evidence *evidence)
{
    const struct sb_sampling sampling = { .scheme = scheme, .shuffler = shuffler, .options = options };
    const struct sb_shards whole = { .of = 0 };
    struct sb_statistics statistics = { 0 };
    enum sb_status status =
        sb_statistics_open(options, NULL, options->n, options->deal, options->samples, error, &statistics);

    if (!compares)
        sb_tallies_forget_repeats(&statistics.tallies);
    if (status == SB_OK)
        status = sb_sampled_count(&sampling, &whole, NULL, &statistics, error, evidence);
    sb_statistics_close(&statistics);
    return status;
}

static enum sb_status ranks_answer(const struct sb_ranks *ranks, const struct sb_ranks_call *call,
                                   struct sb_error *error)
{
    const char *const names = call->statistics;
    const struct sb_request options = {
        .n = call->n,
        .deal = call->deal,
        .samples = call->samples,
        .seed = call->seed,
        .seed_range = call->seeds,
        .threads = (unsigned)call->threads,
        .increments = call->increments,
        .statistics = strcmp(names, "all") == 0    ? NULL
                      : strcmp(names, "none") == 0 ? ""
                                                   : names,
        .profile = call->cards ? "cards" : NULL,
        .ranks = ranks,
    };
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_evidence evidence = { 0 };
    enum sb_status status = sb_scheme_parse(call->scheme, NULL, NULL, error, &scheme);

    if (status)
        return status;
    if (sb_shuffler_open(scheme.shuffle, options.n, options.deal, &shuffler))
        return sb_error_memory(error, "the steps of a shuffle");
    status = call->by == SB_BY_SAMPLE ? ranks_sample(&options, call->compares, &scheme, &shuffler, error, &evidence)
                                      : sb_seeds_evidence(&scheme, &shuffler, &options, NULL, error, &evidence);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
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
                "this rank runs version %s, and the root runs version %.15s: run one version on all ranks", SB_VERSION,
                call.version);
        if (!call.by)
            break;
        status = ranks_answer(ranks, &call, error);
    }
    return status;
}

enum sb_status sb_sampled_count(const struct sb_sampling *sampling, const struct sb_shards *parts,
                                const struct sb_pause *pause, struct sb_statistics *statistics, struct sb_error *error,
                                struct sb_evidence *evidence)
{
    const struct sb_request *const options = sampling->options;
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
        .ranks = ranks_begin(options, SB_BY_SAMPLE, scheme, statistics->tallies.noted),
    };

    return sb_sample_tally(&sample, error, evidence);
}

static enum sb_status sampled_run(const struct sb_sampling *sampling, struct sb_saving *saving,
                                  struct sb_statistics *statistics, struct sb_error *error,
                                  struct sb_evidence *evidence)
{
    struct sb_saved *const saved = sampling->saved;
    const struct sb_pause pause = sb_saving_pause(saving, saved ? &saved->evidence : NULL);
    enum sb_status status = SB_OK;

    if (saved)
        status = sb_saved_hold(saved, error, &saving->lock);
    if (saved && status == SB_OK)
        status = sb_saved_go_on(saved, error, statistics);
    if (!saved && saving->path)
        status = sb_saving_begin(saving, error);
    if (status == SB_OK)
        status = sb_sampled_count(sampling, saving->parts, saving->path ? &pause : NULL, statistics, error, evidence);
    if (status == SB_OK && sb_statistics_read(evidence, sampling->options->threads, statistics))
        status = sb_error_memory(error, "a report");
    saving->ended = true;
    if (status == SB_OK && saving->path)
        status = sb_saving_write(saving, evidence, error);
    sb_saving_end(saving);
    return status;
}

enum sb_status sb_sampled(const struct sb_sampling *sampling, struct sb_statistics *statistics, struct sb_error *error,
                          struct sb_evidence *evidence)
{
    const struct sb_request *const options = sampling->options;
    struct sb_shard part = { .number = options->shard.number };
    const struct sb_shards asked = { .of = options->shard.of, .count = 1, .part = &part };
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
    struct sb_evidence made = { 0 };
    enum sb_status status;

    if (parts->of)
        sb_tallies_forget_repeats(&statistics->tallies);
    if (sampling->saved && (!options->save || (sb_saved_done(sampling->saved) && !merged))) {
        status = sb_saved_lend(sampling->saved, error, statistics, &made);
        if (status == SB_OK && sb_statistics_read(&made, options->threads, statistics))
            status = sb_error_memory(error, "a report");
    } else {
        status = sampled_run(sampling, &saving, statistics, error, &made);
    }
    if (status) {
        sb_evidence_close(&made);
        return status;
    }
    made.asked = sb_shards_decks(parts, options->n, options->samples);
    sb_shards_say(parts, made.part);
    *evidence = made;
    return SB_OK;
}

/* 256 times as many seeds as have 32 bits; they take about a day. */
static const uint64_t seeds_tried_most = UINT64_C(1) << 40;

enum sb_status sb_seeds_check(const struct sb_request *options, const struct sb_rng *rng, struct sb_error *error)
{
    if (options->seed_range.count || (rng->type->seeds && rng->type->seeds <= seeds_tried_most))
        return SB_OK;
    return sb_error_set(error, SB_INVALID, "%s has too many seeds to try them all: say which, as in `seeds=0..65535`",
                        rng->name);
}

enum sb_status sb_seeds_evidence(const struct sb_scheme *scheme, const struct sb_shuffler *shuffler,
                                 const struct sb_request *options, struct sb_statistics *steps, struct sb_error *error,
                                 struct sb_evidence *evidence)
{
    const uint64_t count = options->seed_range.count ? options->seed_range.count : scheme->rng.type->seeds;
    const uint64_t first = options->seed_range.count ? options->seed_range.first : 0;
    struct sb_seeds seeds = {
        .recipe = { shuffler, &scheme->draw, &scheme->rng, 0, options->stop },
        .first = first,
        .last = first + count - 1,
        .threads = options->threads,
        .progress = options->progress,
        .progress_state = options->progress_state,
        .subject = scheme->name,
    };

    seeds.ranks = ranks_begin(options, SB_BY_SEEDS, scheme, false);
    enum sb_status status = sb_seeds_reach(&seeds, error, evidence);

    if (status || !steps || !steps->steps)
        return status;
    status = sb_seeds_tally(&seeds, options->samples, &steps->tallies, error);
    if (status)
        sb_evidence_close(evidence);
    else
        sb_tallies_read(&steps->tallies);
    return status;
}
