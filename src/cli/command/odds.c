/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias odds: the exact probabilities of given permutations. */
#include "cli/shared_options.h"
#include "study/results.h"

#include <string.h>

static const char odds_examples[] =
    "  shufflebias odds naive 123 231 321\n"
    "                         three orders of three items\n"
    "  shufflebias odds naive 2.3.4.1.6.7.8.9.10.5\n"
    "                         an order of more than nine items is written with dots\n"
    "  shufflebias odds fisher-yates/modulo:15 123456 654321 --format json\n"
    "                         two orders of six items, as JSON\n";

/* The options as typed; NULL for an option that was not typed. */
struct odds_typed {
    struct cli_outputs outputs;
    char *draw, *rng;
    int quiet;
};

static int odds_run(const char *scheme, const char *permutations[], struct odds_typed *typed)
{
    struct cli_progress_state progress;
    struct sb_error error = { 0 };
    struct sb_options options;
    struct sb_odds *odds = NULL;
    size_t count = 0;

    sb_options_init(&options);
    /* cli_stop_flag() also installs the handler that removes unfinished outputs, so the call comes first */
    options.stop = cli_stop_flag();
    int status = cli_outputs_open(&typed->outputs);
    if (status)
        return status;
    while (permutations && permutations[count])
        count++;
    cli_progress_begin(typed->quiet, &progress);
    options.draw = typed->draw;
    options.rng = typed->rng;
    options.progress = cli_progress;
    options.progress_state = &progress;
    const enum sb_status made = sb_odds_new(scheme, permutations, count, &options, &error, &odds);
    cli_progress_end(&progress);
    status = made ? cli_failed("odds", &error) : cli_outputs_write(&typed->outputs, odds);
    sb_odds_free(odds);
    return status;
}

static int odds_main(int argc, const char *argv[])
{
    struct odds_typed typed = { .outputs = { .command = "odds", .type = &sb_odds_result } };
    struct cli_option options[CLI_OPTIONS_MOST] = {
        cli_option_draw(&typed.draw),
        cli_option_rng(&typed.rng),
        cli_option_quiet(&typed.quiet),
        cli_option_help(),
        { .name = NULL },
    };
    const struct cli_syntax syntax = { "odds", "[OPTION ...] SCHEME PERMUTATION ...", odds_examples,
                                       options };
    int status = EXIT_DONE;

    cli_outputs_options(&typed.outputs, options);
    if (cli_options_read(&syntax, argc, argv, &status)) {
        const char *const scheme = argv[1];

        status = scheme ? odds_run(scheme, argv + 2, &typed)
                        : cli_usage("odds", "name a scheme: 'shufflebias list shuffles' shows them");
    }
    cli_outputs_close(&typed.outputs);
    return status;
}

const struct cli_command_type cli_command_odds = {
    .name = "odds",
    .run = odds_main,
    .example = { { "naive 123 231", "exact probabilities of given orders" } },
};
