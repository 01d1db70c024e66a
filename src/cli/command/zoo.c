/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias zoo: which statistic detects which bias. */
#include "study/zoo/zoo.h"
#include "cli/cli.h"

static const char zoo_examples[] = "  shufflebias zoo                    tests every biased shuffle of 8 items with\n"
                                   "                                     every statistic\n"
                                   "  shufflebias zoo -n 52 --samples 1e5\n"
                                   "                                     up to 100,000 decks of 52 cards per run\n"
                                   "  shufflebias zoo -n 52 --deal 9     hands of nine of 52 cards\n"
                                   "  shufflebias zoo -n 4 --test 'python3 test.py'\n"
                                   "                                     how good is your own test, test.py? It\n"
                                   "                                     reads one permutation per line from\n"
                                   "                                     standard input. Its exit status 0 means\n"
                                   "                                     fair.\n";

static int zoo_run(struct cli_line *line)
{
    struct sb_request *const request = &line->request;
    struct sb_error error = { 0 };
    struct sb_zoo *zoo = NULL;

    if (line->words[0])
        return cli_usage("zoo", "zoo takes no scheme: drop '%s'", line->words[0]);
    if (request->test && !request->test[0])
        return cli_usage("zoo", "--test: its argument is empty: name a command, or leave the option out");
    int status = cli_prepare(line);

    if (status)
        return status;
    request->group = cli_group(0);
    const enum sb_status made = sb_zoo_new(request, &error, &zoo);

    status = cli_end(line, made, &error, zoo);
    sb_zoo_free(zoo);
    return status;
}

const struct cli_command_type cli_command_zoo = {
    .name = "zoo",
    .of = SB_ZOO,
    .arguments = "[OPTION ...]",
    .examples = zoo_examples,
    .result = &sb_zoo_result,
    .run = zoo_run,
    .example = { { "", "which statistic detects which bias" } },
};
