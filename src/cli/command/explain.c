/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias explain: how a shuffle works, and why it is fair or biased. */
#include "study/explain/explain.h"
#include "cli/shared_options.h"

static const char explain_examples[] =
    "  shufflebias explain naive          why the naive swap is biased: 27 paths\n"
    "                                     cannot be divided evenly among six orders\n"
    "  shufflebias explain fisher-yates -n 4\n"
    "                                     24 paths lead to 24 orders\n"
    "  shufflebias explain naive --path 0,2,1\n"
    "                                     one path, swap by swap\n"
    "  shufflebias explain fisher-yates/modulo:15 -n 6\n"
    "                                     a fair shuffle with biased draws\n"
    "\n"
    "A draw is one random number below a bound. A path is one possible series of\n"
    "draws, from the first to the last.\n";

/* The options as typed; NULL for an option that was not typed. */
struct explain_typed {
    struct cli_common common;
    struct cli_outputs outputs;
    char *path;
    int step;
};

static int explain_run(const char *scheme, struct explain_typed *typed)
{
    const char *const path = typed->path ? typed->path : typed->step ? "first" : NULL;
    struct sb_explain *explain = NULL;
    struct sb_error error = { 0 };
    struct sb_options options;

    sb_options_init(&options);
    if (!cli_common_settle("explain", &typed->common, &options))
        return EXIT_USAGE;
    /* cli_stop_flag() also installs the handler that removes unfinished outputs, so the call comes first */
    options.stop = cli_stop_flag();
    int status = cli_outputs_open(&typed->outputs);
    if (status)
        return status;
    status = sb_explain_new(scheme, path, &options, &error, &explain)
                 ? cli_failed("explain", &error)
                 : cli_outputs_write(&typed->outputs, explain);
    sb_explain_free(explain);
    return status;
}

static int explain_read(const char *const words[], struct explain_typed *typed)
{
    const char *const scheme = words[0];
    if (!scheme)
        return cli_usage("explain", "name a scheme: 'shufflebias list shuffles' shows them");
    if (words[1])
        return cli_usage("explain", "one scheme at a time: leave '%s' out", words[1]);
    return explain_run(scheme, typed);
}

static int explain_main(int argc, const char *argv[])
{
    struct explain_typed typed = { .outputs = { .command = "explain", .type = &sb_explain_result } };
    struct cli_option options[CLI_OPTIONS_MOST] = {
        cli_option_n(&typed.common.n, "number of items (3)"),
        cli_option_deal(&typed.common.deal),
        { .name = "step", .flag = &typed.step, .help = "follow the first path, one draw at a time" },
        { .name = "path",
          .argument = "PATH",
          .text = &typed.path,
          .help = "follow the path whose draws are these numbers, as in 0,2,1" },
        cli_option_draw(&typed.common.draw),
        cli_option_rng(&typed.common.rng),
        cli_option_help(),
        { .name = NULL },
    };
    const struct cli_syntax syntax = {
        .command = "explain",
        .arguments = "[OPTION ...] SCHEME",
        .examples = explain_examples,
        .options = options,
    };

    cli_outputs_options(&typed.outputs, options);
    int status = EXIT_DONE;

    if (cli_options_read(&syntax, argc, argv, &status))
        status = explain_read(argv + 1, &typed);
    cli_outputs_close(&typed.outputs);
    return status;
}

const struct cli_command_type cli_command_explain = {
    .name = "explain",
    .run = explain_main,
    .example = { { "naive", "why a shuffle is fair or biased" } },
};
