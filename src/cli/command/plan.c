/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias plan: how many shuffles it takes to show a given bias, or which bias a given number of shuffles
 * can show. */
#include "cli/shared_options.h"
#include "study/plan/plan_result.h"

#include <string.h>

static const char plan_examples[] =
    "  shufflebias plan naive             with three items, how many shuffles each\n"
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

/* The options of the command `plan`, as typed. */
struct plan_typed {
    struct cli_common common;
    struct cli_outputs outputs;
    char *alpha, *power, *detect;
    int quiet;
};

/* Makes the plan and writes it to the open outputs; returns the exit status. */
static int plan_make(const struct sb_aim *aim, struct plan_typed *typed, struct sb_options *options)
{
    struct cli_progress_state progress;
    struct sb_error error = { 0 };
    struct sb_plan *plan = NULL;

    cli_progress_begin(typed->quiet, &progress);
    options->progress = cli_progress;
    options->progress_state = &progress;
    const enum sb_status made = sb_plan_new(aim, options, &error, &plan);
    cli_progress_end(&progress);
    const int status = made ? cli_failed("plan", &error) : cli_outputs_write(&typed->outputs, plan);
    sb_plan_free(plan);
    return status;
}

static int plan_run(const char *const words[], struct plan_typed *typed, struct sb_options *options)
{
    struct sb_aim aim = { .scheme = words[0] };

    if (aim.scheme && words[1])
        return cli_usage("plan", "one scheme at a time: leave '%s' out", words[1]);
    if (aim.scheme && typed->detect)
        return cli_usage("plan", "--detect %s: %s has its own bias: leave one of them out", typed->detect,
                         aim.scheme);
    if (!aim.scheme && !typed->detect && !typed->common.samples)
        return cli_usage(
            "plan", "name a scheme, or use --detect TV or --samples M; 'shufflebias plan --help' shows how");
    if (!cli_common_settle("plan", &typed->common, options) ||
        (typed->alpha && !cli_alpha("plan", "--alpha", typed->alpha, &options->alpha)) ||
        (typed->power && !cli_share("plan", "--power", typed->power, &aim.power)) ||
        (typed->detect && !cli_share("plan", "--detect", typed->detect, &aim.detect)))
        return EXIT_USAGE;
    /* cli_stop_flag() also installs the handler that removes unfinished outputs, so the call comes first */
    options->stop = cli_stop_flag();
    const int status = cli_outputs_open(&typed->outputs);
    return status ? status : plan_make(&aim, typed, options);
}

static int plan_main(int argc, const char *argv[])
{
    struct plan_typed typed = { .outputs = { .command = "plan", .type = &sb_plan_result } };
    struct cli_common *const common = &typed.common;
    struct cli_option options[CLI_OPTIONS_MOST] = {
        cli_option_n(&common->n, "number of items, 0 to 65,535 (3)"),
        cli_option_deal(&common->deal),
        { .name = "alpha",
          .argument = "A",
          .text = &typed.alpha,
          .help = "significance level of each test (0.001)" },
        { .name = "power",
          .argument = "P",
          .text = &typed.power,
          .help = "probability that a test detects the bias (0.9)" },
        { .name = "detect",
          .argument = "TV",
          .text = &typed.detect,
          .help = "plan for any bias of total variation distance TV, instead of SCHEME's bias" },
        { .name = "samples",
          .argument = "M",
          .text = &common->samples,
          .help = "show how likely M shuffles are to reveal the bias; without SCHEME, show the smallest bias "
                  "that M shuffles reveal" },
        cli_option_draw(&common->draw),
        cli_option_rng(&common->rng),
        cli_option_threads(&common->threads),
        cli_option_quiet(&typed.quiet),
        cli_option_help(),
        { .name = NULL },
    };
    const struct cli_syntax syntax = {
        .command = "plan",
        .arguments = "[OPTION ...] [SCHEME]",
        .examples = plan_examples,
        .options = options,
    };
    struct sb_options settled;
    int status = EXIT_DONE;

    sb_options_init(&settled);
    cli_outputs_options(&typed.outputs, options);
    if (cli_options_read(&syntax, argc, argv, &status))
        status = plan_run(argv + 1, &typed, &settled);
    cli_outputs_close(&typed.outputs);
    return status;
}

const struct cli_command_type cli_command_plan = {
    .name = "plan",
    .run = plan_main,
    .example = { { "naive", "how many shuffles it takes to show a bias" } },
};
