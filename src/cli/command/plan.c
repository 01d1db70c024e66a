/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias plan: how many shuffles it takes to show a given bias, or which bias a given number of shuffles
 * can show. */
#include "cli/cli.h"
#include "study/results.h"

static const char plan_examples[] = "  shufflebias plan naive             with three items, how many shuffles each\n"
                                    "                                     test needs to show the bias\n"
                                    "  shufflebias plan fisher-yates/modulo:15 -n 6\n"
                                    "                                     a small bias, which takes many shuffles to\n"
                                    "                                     show\n"
                                    "  shufflebias plan naive -n 5 --samples 1e4\n"
                                    "                                     how likely it is that 10,000 shuffles show\n"
                                    "                                     the bias\n"
                                    "  shufflebias plan --detect 0.01 -n 5\n"
                                    "                                     how many shuffles are enough to show any\n"
                                    "                                     bias of total variation distance 0.01\n"
                                    "  shufflebias plan --samples 1e6 -n 5\n"
                                    "                                     the smallest bias that a million shuffles\n"
                                    "                                     show\n"
                                    "  shufflebias plan naive -n 4 --alpha 0.01 --power 0.99 --format json\n"
                                    "                                     other error probabilities, and JSON\n";

static int plan_run(struct cli_line *line)
{
    const char *const scheme = line->words[0], *const detect = sb_request_given(&line->request, "detect");
    struct sb_error error = { 0 };
    struct sb_plan *plan = NULL;

    if (scheme && line->words[1])
        return cli_usage("plan", "one scheme at a time: leave '%s' out", line->words[1]);
    if (scheme && detect)
        return cli_usage("plan", "--detect %s: %s has its own bias: leave one of them out", detect, scheme);
    if (!scheme && !detect && !sb_request_given(&line->request, "samples"))
        return cli_usage("plan",
                         "name a scheme, or use --detect TV or --samples M; 'shufflebias plan --help' shows how");
    int status = cli_prepare(line);
    const struct sb_aim aim = { .scheme = scheme, .power = line->request.power, .detect = line->request.detect };

    if (status)
        return status;
    const enum sb_status made = sb_plan_new(&aim, &line->request, &error, &plan);

    status = cli_end(line, made, &error, plan);
    sb_plan_free(plan);
    return status;
}

const struct cli_command_type cli_command_plan = {
    .name = "plan",
    .of = SB_PLAN,
    .arguments = "[OPTION ...] [SCHEME]",
    .examples = plan_examples,
    .result = &sb_plan_result,
    .run = plan_run,
    .example = { { "naive", "how many shuffles it takes to show a bias" } },
};
