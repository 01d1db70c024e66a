/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias prove: the exact law of an outside program's shuffle. */
#include "cli/cli.h"
#include "study/report/report_result.h"
#include "study/results.h"

#include <string.h>

static const char prove_examples[] =
    "  shufflebias prove -n 3 -- ./my-shuffle 3\n"
    "                         for each draw, my-shuffle prints 'draw K' and reads a\n"
    "                         number below K; at the end it prints its result, as in\n"
    "                         'deck 2 0 1'\n"
    "  shufflebias prove -n 3 -- node data/adapters/prove.js data/articles/naive.js 3\n"
    "                         a shuffle in JavaScript that calls Math.random()\n"
    "  shufflebias prove -n 6 -- python3 data/adapters/prove.py 6\n"
    "                         Python's random.shuffle()\n";

static int prove_verdict(const struct sb_reports *reports)
{
    struct sb_summary summary = { .verdict = "inconclusive" };

    sb_reports_summary(reports, 0, &summary);
    if (sb_reports_interrupted(reports))
        return EXIT_INTERRUPTED;
    if (strcmp(summary.verdict, "biased") == 0)
        return EXIT_BIASED;
    return strcmp(summary.verdict, "uniform") == 0 ? EXIT_DONE : EXIT_INCONCLUSIVE;
}

static int prove_run(struct cli_line *line)
{
    struct sb_request *const proof = &line->request;
    struct sb_error error = { 0 };
    struct sb_reports *reports = NULL;

    if (line->words[0])
        return cli_usage("prove", "unexpected '%s': the command goes after '--', as in: prove -n 3 -- ./my-shuffle 3",
                         line->words[0]);
    if (!line->program || !line->program[0])
        return cli_usage("prove", "name a command after '--', as in: prove -n 3 -- ./my-shuffle 3");
    int status = cli_prepare(line);

    if (status)
        return status;
    proof->group = cli_group(0);
    proof->overheard = cli_stderr_relay;
    proof->overheard_state = &line->progress;
    const enum sb_status made = sb_prove_command(line->program, proof, &error, &reports);

    if (!made)
        cli_flags_reports(reports);
    status = cli_end(line, made, &error, reports);
    if (status == EXIT_DONE)
        status = prove_verdict(reports);
    sb_reports_free(reports);
    return status;
}

const struct cli_command_type cli_command_prove = {
    .name = "prove",
    .of = SB_PROVE,
    .arguments = "[OPTION ...] -- COMMAND [ARGUMENT ...]",
    .examples = prove_examples,
    .program = true,
    .result = &sb_reports_result,
    .run = prove_run,
    .example = { { "-n 3 -- ./my-shuffle", "exact probabilities of your shuffle" } },
};
