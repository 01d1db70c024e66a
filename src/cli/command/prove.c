/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias prove: the exact law of an outside program's shuffle. */
#include "cli/cli.h"
#include "study/report/report_result.h"

#include <string.h>

static int prove_verdict(const void *result)
{
    const struct sb_reports *const reports = result;
    const char *const verdict = reports->report->verdict;

    if (reports->interrupted)
        return EXIT_INTERRUPTED;
    if (strcmp(verdict, "biased") == 0)
        return EXIT_BIASED;
    return strcmp(verdict, "uniform") == 0 ? EXIT_DONE : EXIT_INCONCLUSIVE;
}

static int prove_run(struct cli_line *line)
{
    if (line->words[0])
        return cli_usage("prove", "unexpected '%s': the command goes after '--', as in: prove -n 3 -- ./my-shuffle 3",
                         line->words[0]);
    if (!line->program || !line->program[0])
        return cli_usage("prove", "name a command after '--', as in: prove -n 3 -- ./my-shuffle 3");
    return cli_run(line);
}

const struct cli_command_type cli_command_prove = {
    .name = "prove",
    .of = SB_PROVE,
    .arguments = "[OPTION ...] -- COMMAND [ARGUMENT ...]",
    .examples = {
        { "shufflebias prove -n 3 -- ./my-shuffle 3",
          "for each draw, my-shuffle prints 'draw K' and reads a number below K; at the end it prints its result, "
          "as in 'deck 2 0 1'" },
        { "shufflebias prove -n 3 -- node data/adapters/prove.js data/articles/naive.js 3",
          "a shuffle in JavaScript that calls Math.random()" },
        { "shufflebias prove -n 6 -- python3 data/adapters/prove.py 6", "Python's random.shuffle()" },
    },
    .program = true,
    .result = &sb_reports_result,
    .verdict = prove_verdict,
    .run = prove_run,
    .first = { { "prove -n 3 -- ./my-shuffle", "exact probabilities of your shuffle" } },
};
