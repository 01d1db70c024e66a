/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias law: the distribution of a statistic under a fair shuffle. */
#include "cli/cli.h"
#include "study/results.h"

static const char law_examples[] = "  shufflebias law descents -n 52     the number of descents of 52 fairly\n"
                                   "                                     shuffled cards\n"
                                   "  shufflebias law successor -n 5 --member 3\n"
                                   "                                     which item follows item 3\n"
                                   "  shufflebias law inversions -n 52 --deal 5\n"
                                   "                                     inversions among the first five cards\n"
                                   "  shufflebias law cycles -n 1000 --format json\n"
                                   "                                     cycles of 1,000 items, as JSON\n";

static int law_run(struct cli_line *line)
{
    const char *const statistic = line->words[0];
    struct sb_error error = { 0 };
    struct sb_null_law *law = NULL;

    if (!statistic)
        return cli_usage("law", "name a statistic: 'shufflebias list statistics' shows them");
    if (line->words[1])
        return cli_usage("law", "one statistic at a time: leave '%s' out", line->words[1]);
    int status = cli_prepare(line);

    if (status)
        return status;
    const enum sb_status made =
        sb_null_law_new(statistic, (size_t)line->request.member - 1, &line->request, &error, &law);

    status = cli_end(line, made, &error, law);
    sb_null_law_free(law);
    return status;
}

const struct cli_command_type cli_command_law = {
    .name = "law",
    .of = SB_LAW,
    .arguments = "[OPTION ...] STATISTIC",
    .examples = law_examples,
    .result = &sb_null_law_result,
    .run = law_run,
    .example = { { "descents -n 52", "the distribution of a statistic under a fair shuffle" } },
};
