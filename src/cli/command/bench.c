/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias bench: what shuffles cost. */
#include "cli/shared_options.h"
#include "study/results.h"

#include <string.h>

static const char bench_examples[] =
    "  shufflebias bench                  all shuffles of 52 items\n"
    "  shufflebias bench fisher-yates fisher-yates-forward --deal 9\n"
    "                                     two shuffles that deal nine of 52 cards\n"
    "  shufflebias bench redraw splice -n 1000 --decks 1e4\n"
    "                                     two slow shuffles of 1,000 items\n"
    "  shufflebias bench fisher-yates/modulo/mt19937 --format json\n"
    "                                     another draw method and another generator,\n"
    "                                     as JSON\n";

enum { BENCH_ITEMS = 52 };

/* The options as typed; NULL for an option that was not typed. */
struct bench_typed {
    struct cli_common common;
    struct cli_outputs outputs;
    char *decks;
    int quiet;
};

static int bench_run(const char *schemes[], struct bench_typed *typed)
{
    struct cli_progress_state progress;
    struct sb_error error = { 0 };
    struct sb_options options;
    struct sb_costs *costs = NULL;
    size_t count = 0;

    sb_options_init(&options);
    options.n = BENCH_ITEMS;
    if (!cli_common_settle("bench", &typed->common, &options) ||
        (typed->decks &&
         !cli_number("bench", "--decks", typed->decks, 1, UINT64_C(1) << 40, &options.samples)))
        return EXIT_USAGE;
    /* cli_stop_flag() also installs the handler that removes unfinished outputs, so the call comes first */
    options.stop = cli_stop_flag();
    int status = cli_outputs_open(&typed->outputs);
    if (status)
        return status;
    while (schemes && schemes[count])
        count++;
    cli_progress_begin(typed->quiet, &progress);
    options.progress = cli_progress;
    options.progress_state = &progress;
    const enum sb_status made = sb_costs_new(schemes, count, &options, &error, &costs);
    cli_progress_end(&progress);
    status = made ? cli_failed("bench", &error) : cli_outputs_write(&typed->outputs, costs);
    sb_costs_free(costs);
    return status;
}

static int bench_main(int argc, const char *argv[])
{
    struct bench_typed typed = { .outputs = { .command = "bench", .type = &sb_costs_result } };
    struct cli_common *const common = &typed.common;
    struct cli_option options[CLI_OPTIONS_MOST] = {
        cli_option_n(&common->n, "number of items, 0 to 65,535 (52)"),
        cli_option_deal(&common->deal),
        { .name = "decks",
          .argument = "M",
          .text = &typed.decks,
          .help = "number of shuffles to time for each scheme (1,000,000)" },
        cli_option_seed(&common->seed),
        cli_option_draw(&common->draw),
        cli_option_rng(&common->rng),
        cli_option_quiet(&typed.quiet),
        cli_option_help(),
        { .name = NULL },
    };
    const struct cli_syntax syntax = {
        .command = "bench",
        .arguments = "[OPTION ...] [SCHEME ...]",
        .examples = bench_examples,
        .options = options,
    };
    int status = EXIT_DONE;

    cli_outputs_options(&typed.outputs, options);
    if (cli_options_read(&syntax, argc, argv, &status))
        status = bench_run(argv + 1, &typed);
    cli_outputs_close(&typed.outputs);
    return status;
}

const struct cli_command_type cli_command_bench = {
    .name = "bench",
    .run = bench_main,
    .example = { { "", "the cost of each shuffle" } },
};
