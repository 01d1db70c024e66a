/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gate's evidence to its file, now and then and at the end: data/schema/gate-evidence-2.json. A look that
 * is there only because a stream or the limit ended is left out: a run that goes on looks where it would
 * have, had it never ended. Cost: that of the counts.
 */
#include "study/gate/gate_run.h"

#include "core/error.h"
#include "core/system/clock.h"
#include "report/json_writer.h"
#include "store/atomic_file.h"
#include "store/checksummed_file.h"
#include "study/gate/gate_text.h"

#include <unistd.h>

/* What is written. */
struct save_whole {
    const struct sb_gate_run *run;
    bool ended;
};

/* Only the last look can be one that a run which goes on would not have. */
static size_t save_points(const struct sb_gate *gate)
{
    const size_t count = gate->points_count;
    const uint64_t before = count > 1 ? gate->point[count - 2].total : 0;

    return count && gate->point[count - 1].total != sb_gate_next_look(before) ? count - 1 : count;
}

static enum sb_status save_whole(const void *what, FILE *stream)
{
    const struct save_whole *const whole = what;
    const struct sb_gate_run *const run = whole->run;
    const struct sb_gate *const gate = run->gate;
    struct sb_fingerprints openings = run->openings;
    struct sb_json json = { .stream = stream };

    sb_fingerprints_add(&openings, &run->opening);
    sb_json_object(&json, NULL);
    sb_json_string(&json, "schema", "shufflebias.gate-evidence/2");
    sb_json_string(&json, "version", SB_VERSION);
    sb_input_format_write(&json, gate->kind, gate->name, run->subject);
    sb_json_integer(&json, "n", run->n);
    sb_json_integer(&json, "deal", run->deal);
    sb_gate_json_terms(&json, &gate->terms);
    sb_json_string(&json, "profile", run->options->profile);
    sb_json_bool(&json, "increments", run->options->increments);
    sb_json_string(&json, "verdict", whole->ended ? sb_verdict_name(gate->verdict) : NULL);
    sb_json_integer(&json, "total", run->loop.total);
    sb_gate_json_looks(&json, gate->point, save_points(gate));
    sb_snapshot_write(&json, &run->tallies);
    sb_fingerprints_write(&json, &openings);
    return sb_checksummed_end(stream);
}

static enum sb_status save_now(struct sb_gate_run *run, bool ended, struct sb_error *error)
{
    const struct save_whole whole = { .run = run, .ended = ended };
    enum sb_status status;

    sb_tallies_read(&run->tallies);
    status =
        sb_atomic_file_replace_held(run->options->save, save_whole, &whole, &run->held, "--resume", error);
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
    status = sb_checksummed_hold(run->options->save, run->options->saved->seal, run->error, &run->held);
    return status ? status : sb_gate_replay(run);
}

void sb_gate_save_close(struct sb_gate_run *run)
{
    if (run->held >= 0)
        close(run->held);
    run->held = -1;
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

    if (!run->options->save || run->held < 0 || !run->savable)
        return status;
    saved = save_now(run, status == SB_OK && !run->loop.interrupted, &error);
    if (status || !saved)
        return status;
    return sb_error_set(run->error, saved, "%.400s (the verdict was %s)", error.text,
                        sb_verdict_name(run->gate->verdict));
}
