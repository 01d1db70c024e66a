/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias explain: how a shuffle works, and why it is fair or biased. */
#include "study/explain/explain.h"
#include "cli/cli.h"

static const char explain_examples[] =
    "  shufflebias explain naive          why the naive swap is biased: 27 paths\n"
    "                                     cannot be divided evenly among six orders\n"
    "  shufflebias explain fisher-yates -n 4\n"
    "                                     24 paths lead to 24 orders\n"
    "  shufflebias explain naive --path 0,2,1\n"
    "                                     one path, swap by swap\n"
    "  shufflebias explain fisher-yates/modulo:15 -n 6\n"
    "                                     a fair shuffle with biased draws\n"
    "\n"
    "A draw is one random number below a bound. A path is one possible series of\n"
    "draws, from the first to the last.\n";

static int explain_run(struct cli_line *line)
{
    const struct sb_request *const request = &line->request;
    const char *const path = request->path ? request->path : request->step ? "first" : NULL;
    const char *const scheme = line->words[0];
    struct sb_explain *explain = NULL;
    struct sb_error error = { 0 };
    struct sb_request options;

    if (!scheme)
        return cli_usage("explain", "name a scheme: 'shufflebias list shuffles' shows them");
    if (line->words[1])
        return cli_usage("explain", "one scheme at a time: leave '%s' out", line->words[1]);
    int status = cli_prepare(line, &options);

    if (status)
        return status;
    const enum sb_status made = sb_explain_new(scheme, path, &options, &error, &explain);

    status = cli_end(line, made, &error, explain);
    sb_explain_free(explain);
    return status;
}

const struct cli_command_type cli_command_explain = {
    .name = "explain",
    .of = SB_EXPLAIN,
    .arguments = "[OPTION ...] SCHEME",
    .examples = explain_examples,
    .result = &sb_explain_result,
    .run = explain_run,
    .example = { { "naive", "why a shuffle is fair or biased" } },
};
