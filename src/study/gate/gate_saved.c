/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges saved evidence without a subject, and compares the verdict with the saved one.
 *
 * Another version, whose E or bounds differ slightly, may have reached a verdict slightly sooner than this version
 * would. The saved verdict stands, because the other version guaranteed the error probability. For counts that were
 * saved as inconclusive, this version may reach a verdict. Any other difference means that the file is damaged.
 */
#include "study/gate/gate_run.h"

#include "core/core.h"
#include "gate/gate.h"
#include "study/gate/gate_text.h"

#include <math.h>
#include <string.h>

/*
 * Tolerances for a saved verdict, which an older version of the library may have given. The older version may
 * have averaged E or bounded total variation slightly differently. The gate uses the tolerances only to
 * decide whether it accepts a saved verdict.
 */
static const double gate_slack_ln_e = 1;      /* ln E may be lower by 1; then E is lower by a factor e */
static const double gate_slack_exclude = 1.2; /* the upper bound may exceed `exclude` by this factor */

void sb_gate_saved_load(struct sb_gate_run *run)
{
    const struct sb_gate_saved *const saved = run->options->saved;

    run->n = saved->snapshot.n;
    run->deal = saved->deal;
    run->loop.interrupted = !saved->ended;
}

enum sb_status sb_gate_saved_confirm(struct sb_gate_run *run)
{
    const char *const verdict = run->options->saved->verdict;
    struct sb_gate *const gate = run->gate;

    if (!verdict || strcmp(verdict, sb_verdict_name(gate->verdict)) == 0 ||
        strcmp(verdict, sb_verdict_name(SB_VERDICT_INCONCLUSIVE)) == 0)
        return SB_OK;
    const bool fails = strcmp(verdict, sb_verdict_name(SB_VERDICT_FAIL)) == 0;

    if (gate->verdict != SB_VERDICT_INCONCLUSIVE ||
        (fails ? gate->ln_e + gate_slack_ln_e < -log(gate->terms.alpha)
               : gate->tv_high > gate_slack_exclude * gate->terms.exclude))
        return sb_error_set(
            run->error, SB_IO,
            "'%.200s' is no sound evidence: its stored verdict contradicts its counts: restore it",
            run->options->saved->path);
    gate->verdict = fails ? SB_VERDICT_FAIL : SB_VERDICT_PASS;
    return sb_gate_sum_up(run->tallies.tally, run->tallies.count, gate)
               ? sb_error_memory(run->error, "the gate's verdict")
               : SB_OK;
}
