/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report reads its stream to the end. Its test of the bettor uses the largest E of the bettor at any look
 * on the way (fit/betting.c). The looks take place after the same numbers of permutations as a gate's
 * looks. These numbers do not depend on how the stream arrives, so the same stream has the same p everywhere.
 * Compared with a maximum over all permutations, a maximum over fewer looks can only make p larger.
 *
 * Cost: 36 logarithms for each of about 400 looks.
 */
#include "study/report/report_bettor.h"

#include "core/core.h"
#include "gate/gate.h"
#include "tally/tally.h"

#include <math.h>

enum sb_status sb_report_bettor_open(const struct sb_options *options, size_t n, size_t deal,
                                     struct sb_error *error, struct sb_report_bettor *bettor)
{
    *bettor = (struct sb_report_bettor) { .ln_e = -HUGE_VAL };
    if (sb_statistics_bet(options->statistics, n, deal) && sb_bettor_new(n, &bettor->bettor))
        return sb_error_memory(error, "the bettor");
    return SB_OK;
}

void sb_report_bettor_close(struct sb_report_bettor *bettor)
{
    sb_bettor_free(bettor->bettor);
    bettor->bettor = NULL;
}

void sb_report_bettor_add(struct sb_report_bettor *bettor, const sb_item items[], size_t count)
{
    if (bettor->bettor)
        sb_bettor_add(bettor->bettor, items, count);
}

uint64_t sb_report_bettor_look(struct sb_report_bettor *bettor, uint64_t total)
{
    if (!bettor->bettor)
        return UINT64_MAX;
    if (total) {
        const struct sb_tally tally = sb_bettor_read(bettor->bettor);

        if (*tally.ln_e > bettor->ln_e) {
            bettor->ln_e = *tally.ln_e;
            bettor->most = tally;
            bettor->most.ln_e = &bettor->ln_e;
        }
    }
    return total < SB_BETTOR_DECKS ? sb_gate_next_look(total) : UINT64_MAX;
}

const struct sb_tally *sb_report_bettor_most(const struct sb_report_bettor *bettor)
{
    return bettor->most.statistic ? &bettor->most : NULL;
}
