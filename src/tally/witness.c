/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decks in series, each beginning somewhere in the sample, are shown to all that ask for them. What comes of
 * it does not depend on who sees which series, nor on their order. Cost: that of those who ask.
 */
#include "tally/witness.h"

enum sb_status sb_witness_open(struct sb_witness *witness)
{
    return witness->increments ? sb_increment_open(witness->n, &witness->step) : SB_OK;
}

void sb_witness_close(struct sb_witness *witness)
{
    sb_increment_close(&witness->step);
    if (witness->forked) {
        sb_observer_free(witness->observer);
        sb_observer_free(witness->increments);
    }
    *witness = (struct sb_witness) { .n = 0 };
}

bool sb_witness_wanted(const struct sb_witness *witness)
{
    return witness->observer || witness->increments || witness->again;
}

void sb_witness_begin(struct sb_witness *witness, uint64_t first)
{
    witness->next = first;
    witness->step.begun = false;
}

void sb_witness_add(struct sb_witness *witness, const sb_item items[], size_t count)
{
    if (witness->observer)
        sb_observer_add(witness->observer, items, count);
    if (witness->again)
        sb_again_note(witness->again, witness->next, items, count);
    witness->next += count;
    for (size_t i = 0; witness->increments && i < count; i++)
        if (sb_increment_take(&witness->step, items + i * witness->deal))
            sb_observer_add(witness->increments, witness->step.items, 1);
}

enum sb_status sb_witness_fork(const struct sb_witness *witness, struct sb_witness *forked)
{
    enum sb_status status = SB_OK;

    *forked = (struct sb_witness) {
        .n = witness->n, .deal = witness->deal, .again = witness->again, .forked = true
    };
    if (witness->observer)
        status = sb_observer_fork(witness->observer, &forked->observer);
    if (status == SB_OK && witness->increments)
        status = sb_observer_fork(witness->increments, &forked->increments);
    return status ? status : sb_witness_open(forked);
}

void sb_witness_join(struct sb_witness *witness, const struct sb_witness *forked)
{
    if (witness->observer)
        sb_observer_join(witness->observer, forked->observer);
    if (witness->increments)
        sb_observer_join(witness->increments, forked->increments);
}

void sb_witness_meet(struct sb_witness *witness, const struct sb_ranks *ranks)
{
    if (witness->observer)
        sb_observer_meet(witness->observer, ranks);
    if (witness->increments)
        sb_observer_meet(witness->increments, ranks);
}
