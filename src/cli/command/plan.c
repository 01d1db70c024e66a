/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias plan: how many shuffles it takes to show a given bias, or which bias a given number of shuffles
 * can show. */
#include "cli/cli.h"
#include "study/results.h"

static int plan_run(struct cli_line *line)
{
    const char *const scheme = line->words[0], *const detect = sb_request_given(&line->request, "detect");

    if (scheme && detect)
        return cli_usage("plan", "--detect %s: %s has its own bias: leave one of them out", detect, scheme);
    if (!scheme && !detect && !sb_request_given(&line->request, "samples"))
        return cli_usage("plan",
                         "name a scheme, or use --detect TV or --samples M; 'shufflebias plan --help' shows how");
    return cli_run(line);
}

const struct cli_command_type cli_command_plan = {
    .name = "plan",
    .of = SB_PLAN,
    .arguments = "[OPTION ...] [SCHEME]",
    .examples = {
        { "shufflebias plan naive", "with three items, how many shuffles each test needs to show the bias" },
        { "shufflebias plan fisher-yates/modulo:15 -n 6", "a small bias, which takes many shuffles to show" },
        { "shufflebias plan naive -n 5 --samples 1e4", "how likely it is that 10,000 shuffles show the bias" },
        { "shufflebias plan --detect 0.01 -n 5",
          "how many shuffles are enough to show any bias of total variation distance 0.01" },
        { "shufflebias plan --samples 1e6 -n 5", "the smallest bias that a million shuffles show" },
        { "shufflebias plan naive -n 4 --alpha 0.01 --power 0.99 --format json",
          "other error probabilities, and JSON" },
    },
    .single = "scheme",
    .result = &sb_plan_result,
    .run = plan_run,
    .first = { { "plan naive", "how many shuffles it takes to show a bias" } },
};
