/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias odds: how likely named permutations are, exactly. */
#include "cli/cli.h"

#include <string.h>

static const char odds_examples[] =
    "  shufflebias odds naive 123 231 321              three orders of three cards\n"
    "  shufflebias odds naive 2.3.4.1.6.7.8.9.10.5     more than nine items are written with dots\n"
    "  shufflebias odds fisher-yates/modulo:15 123456 654321 --format json\n";

/* The options as typed; NULL where they were not. */
struct odds_typed {
    char *draw, *rng, *format, *file;
    int quiet;
};

static int odds_write(const struct sb_odds *odds, const char *format, struct cli_output *output)
{
    const struct sb_look look = cli_look(output->stream);
    struct sb_error error = { 0 };
    const enum sb_status written = sb_odds_write(odds, format, &look, &error, output->stream);

    if (written && written != SB_IO)
        return cli_failed("odds", &error);
    return cli_output_keep("odds", output) ? EXIT_DONE : EXIT_BROKEN;
}

static int odds_run(const char *scheme, const char *permutations[], const struct odds_typed *typed)
{
    const char *const format = typed->format ? typed->format : "text";
    struct cli_progress_state progress;
    struct cli_output output = { 0 };
    struct sb_error error = { 0 };
    struct sb_options options;
    struct sb_odds *odds = NULL;
    size_t count = 0;
    int status;

    if (strcmp(format, "text") != 0 && strcmp(format, "markdown") != 0 && strcmp(format, "json") != 0)
        return cli_usage("odds", "unknown format '%s': use text, markdown or json", format);
    sb_options_init(&options);
    options.stop = cli_stop_flag(); /* before there is a file to be left behind */
    if (!cli_output_open("odds", typed->file, &output))
        return EXIT_BROKEN;
    while (permutations && permutations[count])
        count++;
    cli_progress_begin(typed->quiet, &progress);
    options.draw = typed->draw;
    options.rng = typed->rng;
    options.progress = cli_progress;
    options.progress_state = &progress;
    const enum sb_status made = sb_odds_new(scheme, permutations, count, &options, &error, &odds);
    cli_progress_end(&progress);
    status = made ? cli_failed("odds", &error) : odds_write(odds, format, &output);
    cli_output_drop(&output);
    sb_odds_free(odds);
    return status;
}

int cli_odds(int argc, const char *argv[])
{
    struct odds_typed typed = { 0 };
    const struct cli_option options[] = {
        { "draw", 0, "how draws are made, if the scheme does not say (ideal)", "DRAW", .text = &typed.draw },
        { "rng", 0, "whose words they are made of, if the scheme does not say (philox)", "RNG",
          .text = &typed.rng },
        { "format", 0, "text, markdown or json (text)", "FORMAT", .text = &typed.format },
        { NULL, 'o', "write to FILE and not to standard output", "FILE", .text = &typed.file },
        { "quiet", 0, "no progress line", NULL, .flag = &typed.quiet },
        { "help", 'h', "show this", NULL, .text = NULL },
        { .name = NULL },
    };
    const struct cli_syntax syntax = { "odds", "[OPTION ...] SCHEME PERMUTATION ...", odds_examples,
                                       options };
    int status = EXIT_DONE;

    if (cli_options_read(&syntax, argc, argv, &status)) {
        const char *const scheme = argv[1];

        status = scheme ? odds_run(scheme, argv + 2, &typed)
                        : cli_usage("odds", "name a scheme: 'shufflebias list shuffles' shows them");
    }
    return status;
}
