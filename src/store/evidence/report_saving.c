/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that saves its evidence when it starts, at intervals, and when it ends. */
#include "store/evidence/report_saved.h"

#include "core/core.h"
#include "core/system.h"
#include "store/file/atomic_file.h"

#include <stdlib.h>
#include <unistd.h>

enum sb_status sb_saving_write(struct sb_saving *saving, const struct sb_evidence *evidence,
                               struct sb_error *error)
{
    const struct sb_statistics *const statistics = saving->statistics;
    const struct sb_options *const options = saving->options;
    const char *const chosen = options->statistics;
    char names[SB_STATISTICS_NAMES];
    struct sb_shard one = { 0 };
    struct sb_saved saved = {
        .version = SB_VERSION,
        .scheme = *saving->scheme,
        .samples = options->samples,
        .statistics = chosen && chosen[0] ? sb_statistics_names(chosen, names) : chosen,
        .profile = options->profile,
        .cards = options->cards,
        .increments = options->increments,
        .evidence = *evidence,
        .parts = *saving->parts,
        .compared = saving->ended && statistics->tallies.noted,
        .decks = statistics->tallies.birthday.decks,
        .repeats = statistics->tallies.birthday.repeats,
    };
    struct sb_tally *const tally = calloc(statistics->types + statistics->steps + 1, sizeof *tally);
    enum sb_status status;

    if (!tally)
        return sb_error_memory(error, "tallies");
    if (saved.parts.of && saved.parts.count == 1) { /* for a single shard, `done` follows from the evidence */
        one.number = saved.parts.part[0].number;
        one.done = sb_blocks_all(evidence->n, evidence->total).count;
        saved.parts.part = &one;
    }
    saved.tally = tally;
    saved.tally_count = sb_statistics_seen(statistics, tally);
    status = sb_checksummed_replace(saving->path, false, sb_saved_form.schema, sb_saved_fields, &saved,
                                    &saving->lock, "`saved`", error);
    free(tally);
    return status;
}

void sb_saving_end(struct sb_saving *saving)
{
    if (saving->lock >= 0)
        close(saving->lock);
    saving->lock = -1;
}

static bool saving_due(void *state)
{
    const struct sb_saving *const saving = state;

    return sb_clock_now() >= saving->next;
}

static enum sb_status saving_take(void *state, const struct sb_evidence *evidence, struct sb_error *error)
{
    struct sb_saving *const saving = state;
    const enum sb_status status = sb_saving_write(saving, evidence, error);

    saving->next = sb_clock_now() + saving->options->checkpoint;
    return status;
}

struct sb_pause sb_saving_pause(struct sb_saving *saving, const struct sb_evidence *before)
{
    saving->next = sb_clock_now() + saving->options->checkpoint;
    return (struct sb_pause) { .due = saving_due, .take = saving_take, .state = saving, .before = before };
}

enum sb_status sb_saving_begin(struct sb_saving *saving, struct sb_error *error)
{
    const struct sb_options *const options = saving->options;
    struct sb_evidence nothing = { 0 };
    enum sb_status status;

    status = sb_atomic_file_absent(saving->path, NULL, error);
    if (status == SB_OK)
        status = sb_sample_check(options->n, options->deal, error); /* checked before the file is created */
    if (status)
        return status;
    if (sb_evidence_open(SB_BY_SAMPLE, options->n, options->deal, &nothing))
        return sb_error_memory(error, "the tallies");
    nothing.seed = options->seed;
    nothing.rng = saving->scheme->rng.name;
    status = sb_saving_write(saving, &nothing, error);
    sb_evidence_close(&nothing);
    return status;
}
