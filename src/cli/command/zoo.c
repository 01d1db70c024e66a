/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias zoo: which statistic detects which bias. */
#include "study/zoo/zoo.h"
#include "cli/cli.h"

static const char zoo_examples[] =
    "  shufflebias zoo                    tests every biased shuffle of 8 items with\n"
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
    const struct sb_request *const request = &line->request;
    struct sb_request common;
    struct sb_request options;
    struct sb_error error = { 0 };
    struct sb_zoo *zoo = NULL;

    if (line->words[0])
        return cli_usage("zoo", "zoo takes no scheme: drop '%s'", line->words[0]);
    if (request->test && !request->test[0])
        return cli_usage("zoo", "--test: its argument is empty: name a command, or leave the option out");
    int status = cli_prepare(line, &common);

    if (status)
        return status;
    sb_request_init(&options, SB_ZOO);
    options.n = common.n;
    options.deal = common.deal;
    options.samples = common.samples;
    options.threads = common.threads;
    options.seeds = (unsigned)request->seeds;
    options.alpha = request->alpha;
    options.test = request->test;
    options.stop = common.stop;
    options.group = cli_group(0);
    options.progress = common.progress;
    options.progress_state = common.progress_state;
    const enum sb_status made = sb_zoo_new(&options, &error, &zoo);

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
