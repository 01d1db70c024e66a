/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a run of a gate begins that adds to earlier evidence: its first permutations only show whether it is
 * another run (study/run/run_start.h).
 */
#include "study/gate/gate_run.h"

#include "core/error.h"

void sb_gate_first_begin(struct sb_gate_run *run)
{
    const struct sb_gate_options *const options = run->options;
    const struct sb_ledger_entry *const entry = run->claim.entry;

    if (entry)
        run->openings = entry->openings;
    else if (options->saved)
        run->openings = options->saved->openings;
    run->opening.adds =
        run->trial.feed && run->total > 0 && (entry || (options->save && !run->trial.replays));
}

static enum sb_status first_twice(const struct sb_gate_run *run)
{
    if (!run->claim.entry)
        return sb_first_twice(run->trial.name, run->options->save, run->error);
    return sb_error_set(
        run->error, SB_SUBJECT,
        "%.100s: its first %d permutations are those of an earlier run with key '%s', and would "
        "count twice: seed it anew in each run, or leave the key out",
        run->claim.entry->subject, SB_FINGERPRINT_DECKS, run->claim.key);
}

enum sb_status sb_gate_first(struct sb_gate_run *run)
{
    enum sb_status status;

    if (!run->opening.adds || run->opening.seen == SB_FINGERPRINT_DECKS)
        return SB_OK;
    status = sb_first_read(&run->trial, run->options->stop, run->error, &run->tallies, &run->opening);
    run->interrupted = status == SB_STOPPED;
    if (run->interrupted) {
        run->trial.count = 0;
        status = SB_OK;
    }
    if (status == SB_OK && sb_fingerprints_have(&run->openings, &run->opening))
        status = first_twice(run);
    run->seen = run->seen && status == SB_OK;
    return status;
}
