/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias law: the distribution of a statistic under a fair shuffle. */
#include "cli/cli.h"
#include "study/results.h"

const struct cli_command_type cli_command_law = {
    .name = "law",
    .of = SB_LAW,
    .arguments = "[OPTION ...] STATISTIC",
    .examples = {
        { "shufflebias law descents -n 52", "the number of descents of 52 fairly shuffled cards" },
        { "shufflebias law successor -n 5 --member 3", "which item follows item 3" },
        { "shufflebias law inversions -n 52 --deal 5", "inversions among the first five cards" },
        { "shufflebias law cycles -n 1000 --format json", "cycles of 1,000 items, as JSON" },
    },
    .word = "name a statistic: 'shufflebias list statistics' shows them",
    .single = "statistic",
    .result = &sb_null_law_result,
    .first = { { "law descents -n 52", "the distribution of a statistic under a fair shuffle" } },
};
