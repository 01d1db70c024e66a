/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The verdict of a suite is the worst verdict of its subjects. */
#include "gate/findings.h"

#include <math.h>

enum sb_verdict sb_suite_item_verdict(const struct sb_suite_item *item)
{
    return item->gate ? item->gate->verdict : SB_VERDICT_BROKEN;
}

enum sb_verdict sb_suite_verdict(const struct sb_suite *suite)
{
    static const int badness[] = {
        [SB_VERDICT_PASS] = 0,
        [SB_VERDICT_INCONCLUSIVE] = 1,
        [SB_VERDICT_FAIL] = 2,
        [SB_VERDICT_BROKEN] = 3,
    };
    enum sb_verdict worst = SB_VERDICT_PASS;

    for (size_t i = 0; i < suite->count; i++) {
        const enum sb_verdict verdict = sb_suite_item_verdict(&suite->item[i]);

        if (badness[verdict] > badness[worst])
            worst = verdict;
    }
    return worst;
}

double sb_suite_alpha(const struct sb_suite *suite)
{
    double sum = 0;
    bool found = false;

    for (size_t i = 0; i < suite->count; i++) {
        const struct sb_gate *const gate = suite->item[i].gate;

        sum += gate ? gate->terms.alpha : suite->item[i].alpha;
        found = found || gate;
    }
    return found ? sum : NAN;
}

bool sb_suite_interrupted(const struct sb_suite *suite)
{
    for (size_t i = 0; i < suite->count; i++)
        if (suite->item[i].gate ? suite->item[i].gate->interrupted
                                : suite->item[i].error.status == SB_STOPPED)
            return true;
    return false;
}
