/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias zoo: which statistic detects which bias. */
#include "cli/cli.h"

static int zoo_run(struct cli_line *line)
{
    const char *const test = line->request.test;

    if (line->words[0])
        return cli_usage("zoo", "zoo takes no scheme: drop '%s'", line->words[0]);
    if (test && !*test)
        return cli_usage("zoo", "--test: its argument is empty: name a command, or leave the option out");
    return cli_run(line);
}

const struct cli_command_type cli_command_zoo = {
    .name = "zoo",
    .of = SB_ZOO,
    .arguments = "[OPTION ...]",
    .examples = {
        { "shufflebias zoo", "tests every biased shuffle of 8 items with every statistic" },
        { "shufflebias zoo -n 52 --samples 1e5", "up to 100,000 decks of 52 cards per run" },
        { "shufflebias zoo -n 52 --deal 9", "hands of nine of 52 cards" },
        { "shufflebias zoo -n 4 --test 'python3 test.py'",
          "how good is your own test, test.py? It reads one permutation per line from standard input. Its exit "
          "status 0 means fair." },
    },
    .result = &sb_zoo_result,
    .run = zoo_run,
    .first = { { "zoo", "which statistic detects which bias" } },
};
