/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sample that is resumed, and a run that saves its evidence when it starts, at intervals, and when it ends. */
#include "core/system.h"
#include "store/store.h"

#include <unistd.h>

static enum sb_status saved_resume(const struct sb_saved *saved, struct sb_error *error,
                                   struct sb_statistics *statistics)
{
    const struct sb_snapshot *const counted = &saved->snapshot;

    return sb_statistics_resume(statistics, counted->counts, counted->counts_count) ? SB_OK
                                                                                    : sb_saved_foreign(saved, error);
}

enum sb_status sb_saved_lend(struct sb_saved *saved, struct sb_error *error, struct sb_statistics *statistics,
                             struct sb_evidence *evidence)
{
    const enum sb_status status = saved_resume(saved, error, statistics);

    if (status)
        return status;
    if (saved->snapshot.watched) {
        statistics->compared = true;
        statistics->tallies.birthday.decks = saved->snapshot.birthday.decks;
        statistics->tallies.birthday.repeats = saved->snapshot.birthday.repeats;
    } else {
        sb_tallies_forget_repeats(&statistics->tallies);
    }
    *evidence = saved->evidence;
    saved->evidence = (struct sb_evidence) { 0 };
    return SB_OK;
}

enum sb_status sb_saved_add(const struct sb_saved *saved, struct sb_error *error, struct sb_statistics *statistics)
{
    const enum sb_status status = sb_saved_current(saved, error);

    return status ? status : saved_resume(saved, error, statistics);
}

enum sb_status sb_saved_go_on(const struct sb_saved *saved, struct sb_error *error, struct sb_statistics *statistics)
{
    if (saved->parts.count > 1)
        return sb_error_set(error, SB_INVALID, "'%.200s' is merged: resume its parts, and merge them again",
                            saved->path);
    return sb_saved_add(saved, error, statistics);
}

/* ---- a run that saves its evidence ---- */

enum sb_status sb_saving_write(struct sb_saving *saving, const struct sb_evidence *evidence, struct sb_error *error)
{
    const struct sb_statistics *const statistics = saving->statistics;
    const struct sb_birthday *const birthday = &statistics->tallies.birthday;
    const char *const chosen = saving->options->statistics;
    char names[SB_STATISTICS_NAMES];
    struct sb_shard one = { 0 };
    struct sb_saved saved = {
        .version = SB_VERSION,
        .command = "report",
        .subject = { .kind = "scheme", .name = saving->scheme->name },
        .asked = *saving->options,
        .evidence = *evidence,
        .parts = *saving->parts,
        .snapshot = {
            .total = evidence->total,
            .watched = saving->ended && statistics->tallies.noted,
            .birthday = { .decks = birthday->decks, .repeats = birthday->repeats },
        },
    };
    struct sb_tally *const tally = calloc(statistics->types + statistics->steps + 1, sizeof *tally);
    const size_t count = tally ? sb_statistics_seen(statistics, tally) : 0;
    enum sb_status status;

    saved.asked.statistics = chosen && chosen[0] ? sb_statistics_names(chosen, names) : chosen;
    saved.snapshot.counts = tally ? sb_counts_borrow(tally, count) : NULL;
    saved.snapshot.counts_count = count;
    free(tally);
    if (!saved.snapshot.counts)
        return sb_error_memory(error, "tallies");
    if (saved.parts.of && saved.parts.count == 1) { /* for a single shard, `done` follows from the evidence */
        one.number = saved.parts.part[0].number;
        one.done = sb_blocks_all(evidence->n, evidence->total).count;
        saved.parts.part = &one;
    }
    status = sb_saved_write(saving->path, &saved, "`save`", &saving->lock, error);
    free(saved.snapshot.counts);
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
    const struct sb_request *const options = saving->options;
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
