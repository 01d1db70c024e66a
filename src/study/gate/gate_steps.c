/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether permutations that depend on each other are a chain, in which each is a shuffle of the one before, as if the
 * shuffle started from the last result.
 *
 * The steps of a chain are the permutations of a faulty shuffle. But every dependence on the last permutation shows in
 * the steps, also if a program only sees to it that the first card is never the same twice. So the steps are those of
 * a chain only if they are not typical of a law that is fair but for one place (catalogue/look_typical.h).
 *
 * The steps have no part in the verdict. Cost: what the statistics cost, once more, for the first 65,536 permutations.
 */
#include "study/catalogue/look.h"
#include "study/gate/gate_run.h"

#include <stdlib.h>

enum {
    STEPS_MOST = 65536,
    STEPS_ITEMS = SB_BETTOR_MOST, /* the most items, as simulations take time */
};

struct sb_gate_steps {
    struct sb_observer *observer; /* owned */
    struct sb_increment step;     /* owned */
    size_t total;
};

enum sb_status sb_gate_steps_open(struct sb_gate_run *run)
{
    struct sb_gate_steps *made;

    if (!run->feed || !run->tallies.lags || !run->tallies.observer || run->subject->chained || run->subject->scheme ||
        run->tallies.multiset || run->n > STEPS_ITEMS)
        return SB_OK;
    made = calloc(1, sizeof *made);
    if (made && (sb_observer_fork(run->tallies.observer, &made->observer) || sb_increment_open(run->n, &made->step))) {
        sb_gate_steps_free(made);
        made = NULL;
    }
    run->steps = made;
    return made ? SB_OK : sb_error_memory(run->error, "the steps between permutations");
}

void sb_gate_steps_free(struct sb_gate_steps *steps)
{
    if (!steps)
        return;
    sb_observer_free(steps->observer);
    sb_increment_close(&steps->step);
    free(steps);
}

void sb_gate_steps_add(struct sb_gate_steps *steps, const sb_item items[], size_t count)
{
    for (size_t t = 0; steps && t < count && steps->total < STEPS_MOST; t++)
        if (sb_increment_take(&steps->step, items + t * steps->step.n)) {
            sb_observer_add(steps->observer, steps->step.items, 1);
            steps->total++;
        }
}

static bool steps_matter(const struct sb_gate *gate)
{
    bool matter = false;

    for (size_t i = 0; i < gate->lines_count; i++) {
        const struct sb_gate_line *const line = &gate->line[i];
        const bool last = line->dependence ? line->lag == 1 : sb_bettor_last(line->context);

        if (line->rejected && !line->dependence && (!line->context || sb_bettor_single(line->context)))
            return false;
        matter = matter || (line->rejected && last);
    }
    return matter;
}

enum sb_status sb_gate_steps_judge(struct sb_gate_run *run)
{
    const size_t count = run->tallies.statistics;
    struct sb_evidence evidence = { 0 };
    struct sb_look_seen seen = { .evidence = &evidence, .tallies = count };
    bool placed = true;
    enum sb_status status;

    if (!run->steps || run->steps->total == 0 || run->gate->verdict != SB_VERDICT_FAIL || !steps_matter(run->gate))
        return SB_OK;
    struct sb_tally *const tally = calloc(count + 1, sizeof *tally);

    if (!tally)
        return SB_NO_MEMORY;
    sb_observer_read(run->steps->observer, tally);
    status = sb_evidence_tallied(tally, count, run->n, run->n, &evidence);
    seen.observer = run->steps->observer;
    seen.tally = tally;
    if (status == SB_OK)
        status = sb_typical_of_place(&seen, &placed);
    run->gate->chain = status == SB_OK && !placed;
    sb_evidence_close(&evidence);
    free(tally);
    return status;
}
