/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a run of a gate begins whose evidence is carried on: its first permutations are kept back until it is
 * known that it is another one. Where nothing is carried on yet a short run is a run like others, but with a
 * key, which stands for more.
 */
#include "study/gate_run.h"

/* Whether they may be added to what is there. */
static enum sb_status first_check(struct sb_gate_run *run)
{
    const struct sb_gate_options *const options = run->options;
    enum sb_status status;

    if (run->first.count < SB_OPENING) {
        if (!options->key && run->total == 0)
            return SB_OK;
        return sb_first_few(&run->first, run->trial.name, options->key ? options->ledger : options->save,
                            run->error);
    }
    status = sb_ledger_see(&run->claim, run->first.items, run->first.count, run->deal, run->error);
    return status ? status : sb_gate_save_see(run, run->first.items, run->first.count);
}

enum sb_status sb_gate_first(struct sb_gate_run *run)
{
    enum sb_status status;

    if (run->first.items || (!run->claim.entry && (!run->options->save || run->trial.replays)))
        return SB_OK;
    status = sb_first_read(&run->trial, run->options->stop, run->error, &run->first);
    run->interrupted = status == SB_STOPPED;
    if (run->interrupted) {
        run->first.count = run->trial.count = 0;
        return SB_OK;
    }
    if (status == SB_OK)
        status = first_check(run);
    run->seen = run->seen && status == SB_OK;
    return status;
}
