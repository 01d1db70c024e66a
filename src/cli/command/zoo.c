/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias zoo: which statistic detects which bias. */
#include "study/zoo/zoo.h"
#include "cli/shared_options.h"

#include <string.h>

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

/* The options of the command `zoo`, as typed. */
struct zoo_typed {
    struct cli_common common;
    struct cli_outputs outputs;
    char *alpha, *seeds, *test;
    int quiet;
};

static int zoo_run(struct zoo_typed *typed, struct sb_zoo_options *options)
{
    struct cli_progress_state progress;
    struct sb_error error = { 0 };
    struct sb_zoo *zoo = NULL;
    int status;

    /* cli_stop_flag() also installs the handler that removes unfinished outputs, so the call comes first */
    options->stop = cli_stop_flag();
    options->group = cli_group(0);
    status = cli_outputs_open(&typed->outputs);
    if (status)
        return status;
    cli_progress_begin(typed->quiet, &progress);
    options->progress = cli_progress;
    options->progress_state = &progress;
    const enum sb_status made = sb_zoo_new(options, &error, &zoo);
    cli_progress_end(&progress);
    if (made)
        return cli_failed("zoo", &error);
    status = cli_outputs_write(&typed->outputs, zoo);
    sb_zoo_free(zoo);
    return status;
}

static int zoo_read(const char *const words[], struct zoo_typed *typed)
{
    struct sb_zoo_options options;
    struct sb_options common;
    uint64_t seeds;

    if (words[0])
        return cli_usage("zoo", "zoo takes no scheme: drop '%s'", words[0]);
    if (typed->test && !typed->test[0])
        return cli_usage("zoo", "--test: its argument is empty: name a command, or leave the option out");
    sb_zoo_options_init(&options);
    sb_options_init(&common);
    common.n = options.n;
    seeds = options.seeds;
    if (!cli_common_settle("zoo", &typed->common, &common) ||
        (typed->alpha && !cli_alpha("zoo", "--alpha", typed->alpha, &options.alpha)) ||
        (typed->seeds && !cli_number("zoo", "--seeds", typed->seeds, 1, 1000, &seeds)))
        return EXIT_USAGE;
    options.n = common.n;
    options.deal = common.deal;
    options.samples = common.samples;
    options.threads = common.threads;
    options.seeds = (unsigned)seeds;
    options.test = typed->test;
    return zoo_run(typed, &options);
}

static int zoo_main(int argc, const char *argv[])
{
    struct zoo_typed typed = { .outputs = { .command = "zoo", .type = &sb_zoo_result } };
    struct cli_common *const common = &typed.common;
    struct cli_option options[CLI_OPTIONS_MOST] = {
        cli_option_n(&common->n, "number of items, 2 to 1,000 (8)"),
        cli_option_deal(&common->deal),
        { .name = "samples",
          .argument = "M",
          .text = &common->samples,
          .help = "the largest number of permutations per run (20,000); with --test, the exact number per "
                  "run (1,000)" },
        { .name = "seeds",
          .argument = "R",
          .text = &typed.seeds,
          .help = "number of runs per shuffle; each run has its own seed (3)" },
        { .name = "alpha",
          .argument = "A",
          .text = &typed.alpha,
          .help = "significance level of each statistic (1e-6)" },
        { .name = "test",
          .argument = "'COMMAND'",
          .text = &typed.test,
          .help = "judge your own test, the shell command COMMAND, instead of the built-in statistics" },
        cli_option_threads(&common->threads),
        cli_option_quiet(&typed.quiet),
        cli_option_help(),
        { .name = NULL },
    };
    const struct cli_syntax syntax = {
        .command = "zoo",
        .arguments = "[OPTION ...]",
        .examples = zoo_examples,
        .options = options,
    };
    int status = EXIT_DONE;

    cli_outputs_options(&typed.outputs, options);

    if (cli_options_read(&syntax, argc, argv, &status))
        status = zoo_read(argv + 1, &typed);
    cli_outputs_close(&typed.outputs);
    return status;
}

const struct cli_command_type cli_command_zoo = {
    .name = "zoo",
    .run = zoo_main,
    .example = { { "", "which statistic detects which bias" } },
};
