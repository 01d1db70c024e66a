/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a run of a gate begins whose evidence is carried on: its first permutations are kept back until there
 * are as many as a run is known again by, and none of them is tallied before. So a run that ends earlier, or
 * that was there already, adds nothing to the evidence of others, and that depends on its length or on all of
 * its beginning, and never on what a look at a part of it would say.
 *
 * Where nothing is carried on yet a short run is a run like others, but with a key, which stands for more.
 */
#include "study/gate_run.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/* Reads on until there are enough, or no more. */
static enum sb_status first_read(struct sb_gate_run *run)
{
    const volatile sig_atomic_t *const stop = run->options->stop;
    struct sb_trial *const trial = &run->trial;
    enum sb_status status = SB_OK;

    while (run->first_count < SB_OPENING) {
        if (trial->count == 0)
            status = sb_trial_next(trial, SB_OPENING - run->first_count, run->error);
        run->interrupted = status == SB_STOPPED || (stop && *stop);
        if (status || run->interrupted || trial->count == 0)
            break;
        memcpy(run->first + run->first_count * run->deal, trial->items,
               trial->count * run->deal * sizeof *run->first);
        run->first_count += trial->count;
        trial->count = 0;
    }
    if (run->interrupted)
        run->first_count = trial->count = 0;
    return status == SB_STOPPED ? SB_OK : status;
}

/* Whether they may be added to what is there. */
static enum sb_status first_check(struct sb_gate_run *run)
{
    const struct sb_gate_options *const options = run->options;
    enum sb_status status;

    if (run->first_count < SB_OPENING) {
        if (run->interrupted || (!options->key && run->total == 0))
            return SB_OK;
        return sb_error_set(run->error, SB_SUBJECT,
                            "%.100s: ended after %zu permutations, too few to recognise a run by, and "
                            "'%.200s' takes none of them: print at least %d in each run",
                            run->trial.name, run->first_count, options->key ? options->ledger : options->save,
                            SB_OPENING);
    }
    status = sb_ledger_see(&run->claim, run->first, run->first_count, run->deal, run->error);
    return status ? status : sb_gate_save_see(run, run->first, run->first_count);
}

enum sb_status sb_gate_first(struct sb_gate_run *run)
{
    enum sb_status status;

    if (run->first || (!run->claim.entry && (!run->options->save || run->trial.replays)))
        return SB_OK;
    run->first = calloc(SB_OPENING * run->deal, sizeof *run->first);
    if (!run->first)
        return sb_error_memory(run->error, "the first permutations");
    status = first_read(run);
    if (status == SB_OK)
        status = first_check(run);
    run->seen = run->seen && status == SB_OK;
    return status;
}

bool sb_gate_first_take(struct sb_gate_run *run, uint64_t most)
{
    const size_t left = run->first_count - run->first_taken;

    if (left == 0)
        return false;
    run->trial.items = run->first + run->first_taken * run->deal;
    run->trial.count = left < most ? left : (size_t)most;
    run->first_taken += run->trial.count;
    return true;
}
