/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports on a fair shuffle do not call it biased more often than alpha says, even with many cells whose
 * expected counts are as small as a report allows (5). There the mean of the likelihood ratio is off, and
 * the report must not rely on it.
 *
 * These are 130 reports at alpha = 0.001, with fixed seeds. With other seeds, more than 2 of them would be
 * called biased in 4 of 10,000 runs, by the binomial law; Bonferroni makes it rarer.
 */
#include "study/report/report_result.h"
#include "study/results.h"
#include "unit/test.h"

#include "core/calls.h"

#include <string.h>

static size_t called_biased(size_t n, uint64_t samples, uint64_t seeds)
{
    const char *const scheme = "fisher-yates";
    size_t biased = 0;

    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct sb_request options;
        struct sb_reports *reports;

        sb_request_init(&options, SB_REPORT);
        options.n = n;
        options.samples = samples;
        options.seed = seed;
        options.by = SB_BY_SAMPLE;
        assert_int_equal(sb_reports_new(&scheme, 1, &options, NULL, &reports), SB_OK);
        biased += strcmp(reports->report->verdict, "biased") == 0;
        sb_reports_free(reports);
    }
    return biased;
}

TEST(fair_shuffles_are_not_called_biased)
{
    const size_t biased = called_biased(3, 30, 40) + called_biased(5, 600, 40) + called_biased(7, 25200, 40) +
                          called_biased(8, 201600, 10);

    assert_true(biased <= 2);
}
