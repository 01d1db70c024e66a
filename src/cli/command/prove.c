/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias prove: the exact law of an outside program's shuffle. */
#include "cli/cli.h"
#include "study/report/report_result.h"

int cli_prove_verdict(const void *result)
{
    const struct sb_reports *const reports = result;
    const char *const verdict = reports->report->verdict;

    if (reports->interrupted)
        return EXIT_INTERRUPTED;
    if (strcmp(verdict, "biased") == 0)
        return EXIT_BIASED;
    return strcmp(verdict, "uniform") == 0 ? EXIT_DONE : EXIT_INCONCLUSIVE;
}
