/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saves a gate's evidence repeatedly and at the end: data/schema/gate-evidence-2.json. A look that took place
 * only because the stream ended or the limit was reached is not saved, so the looks of a resumed run take
 * place after the same numbers of permutations as those of an uninterrupted run. Cost: writing the counts.
 */
#include "study/gate/gate_run.h"

#include "core/core.h"
#include "core/system.h"
#include "store/checksummed_file.h"
#include "study/gate/gate_text.h"

#include <stdlib.h>
#include <unistd.h>

/* Returns the number of looks to save. This is the number of all looks or, if an uninterrupted run would not
 * have the last look, one less. */
static size_t save_points(const struct sb_gate *gate)
{
    const size_t count = gate->points_count;
    const uint64_t before = count > 1 ? gate->point[count - 2].total : 0;

    return count && gate->point[count - 1].total != sb_gate_next_look(before) ? count - 1 : count;
}

static enum sb_status save_now(struct sb_gate_run *run, bool ended, struct sb_error *error)
{
    const struct sb_gate *const gate = run->gate;
    struct sb_gate_saved saved = {
        .version = SB_VERSION,
        .subject = sb_subject_saved_of(gate->kind, gate->name, run->subject),
        .deal = run->deal,
        .terms = gate->terms,
        .profile = run->options->profile,
        .increments = run->options->increments,
        .verdict = ended ? sb_verdict_name(gate->verdict) : NULL,
        .points_count = save_points(gate),
        .point = gate->point,
        .snapshot = { .n = run->n, .total = run->loop.total, .tallies = &run->tallies },
        .fingerprints = run->fingerprints,
    };
    char *const items = gate->names && !run->subject->cards ? sb_item_names_list(gate->names) : NULL;
    enum sb_status status;

    if (gate->names && !run->subject->cards && !items)
        return sb_error_memory(error, "the names of items");
    saved.items = items;
    sb_fingerprints_add(&saved.fingerprints, &run->fingerprint);
    sb_tallies_read(&run->tallies);
    status = sb_gate_saved_write(run->options->save, &saved, &run->lock, error);
    free(items);
    run->next = sb_clock_now() + run->options->checkpoint;
    return status;
}

enum sb_status sb_gate_save_begin(struct sb_gate_run *run)
{
    enum sb_status status;

    if (!run->options->save)
        return SB_OK;
    run->next = sb_clock_now() + run->options->checkpoint;
    if (!run->options->saved)
        return save_now(run, false, run->error);
    status = sb_checksummed_lock(run->options->save, run->options->saved->checksum, run->error, &run->lock);
    return status ? status : sb_gate_replay(run);
}

void sb_gate_save_close(struct sb_gate_run *run)
{
    if (run->lock >= 0)
        close(run->lock);
    run->lock = -1;
}

enum sb_status sb_gate_save_pause(void *state)
{
    struct sb_gate_run *const run = state;

    if (!run->options->save || sb_clock_now() < run->next)
        return SB_OK;
    return save_now(run, false, run->error);
}

enum sb_status sb_gate_save_end(struct sb_gate_run *run, enum sb_status status)
{
    struct sb_error error = { 0 };
    enum sb_status saved;

    if (!run->options->save || run->lock < 0 || !run->savable)
        return status;
    saved = save_now(run, status == SB_OK && !run->loop.interrupted, &error);
    if (status || !saved)
        return status;
    return sb_error_set(run->error, saved, "%.400s (the verdict was %s)", error.text,
                        sb_verdict_name(run->gate->verdict));
}
