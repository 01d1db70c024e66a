/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The test of a bettor (tally/order.h). If the shuffle is fair, the bettor's wealth E is a martingale that
 * starts at 1. By Ville's inequality, the probability that E ever reaches x is then at most 1/x. So p =
 * min(1, 1/max E) is a p-value: the probability that p is below a is at most a, whenever the maximum is
 * taken. The value of the test is ln max E, in nats. A bettor has no effect size.
 *
 * Ville, Étude critique de la notion de collectif, 1939. Shafer, Shen, Vereshchagin and Vovk, Test
 * martingales, Bayes factors and p-values, doi:10.1214/10-STS347.
 */
#include "fit/fit.h"

#include <math.h>

/* Runs the test on the tally of a bettor at the moment of its largest E. */
static enum sb_status betting_run(const struct sb_tally *tally, double alpha, struct sb_finding *finding)
{
    if (tally->members != 1 || !tally->ln_e)
        return SB_INVALID;
    *finding = sb_finding_none(tally, "betting");
    finding->context = tally->context;
    if (tally->total == 0)
        return SB_OK;
    finding->value = *tally->ln_e;
    finding->ln_p = fmin(0, -*tally->ln_e);
    finding->p = exp(finding->ln_p);
    return SB_OK;
}

const struct sb_test_type sb_test_betting = {
    .name = "betting",
    .title = "what bets on the next card have won, by Ville's inequality",
    .cite = "Shafer, Shen, Vereshchagin, Vovk, doi:10.1214/10-STS347",
    .statistic = "bettor",
    .run = betting_run,
};
