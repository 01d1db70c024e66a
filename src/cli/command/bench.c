/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias bench: what shuffles cost. */
#include "cli/cli.h"
#include "study/results.h"

static const char bench_examples[] = "  shufflebias bench                  all shuffles of 52 items\n"
                                     "  shufflebias bench fisher-yates fisher-yates-forward --deal 9\n"
                                     "                                     two shuffles that deal nine of 52 cards\n"
                                     "  shufflebias bench redraw splice -n 1000 --decks 1e4\n"
                                     "                                     two slow shuffles of 1,000 items\n"
                                     "  shufflebias bench fisher-yates/modulo/mt19937 --format json\n"
                                     "                                     another draw method and another generator,\n"
                                     "                                     as JSON\n";

static int bench_run(struct cli_line *line)
{
    struct sb_error error = { 0 };
    struct sb_costs *costs = NULL;
    int status = cli_prepare(line);

    if (status)
        return status;
    const enum sb_status made = sb_costs_new(line->words, cli_words_count(line->words), &line->request, &error, &costs);

    status = cli_end(line, made, &error, costs);
    sb_costs_free(costs);
    return status;
}

const struct cli_command_type cli_command_bench = {
    .name = "bench",
    .of = SB_BENCH,
    .arguments = "[OPTION ...] [SCHEME ...]",
    .examples = bench_examples,
    .result = &sb_costs_result,
    .run = bench_run,
    .example = { { "", "the cost of each shuffle" } },
};
