/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias plan: how many shuffles show a bias, and which bias a number of shuffles shows. */
#include "cli/cli.h"

#include <string.h>

static const char plan_examples[] =
    "  shufflebias plan naive                           how many shuffles of three cards each test needs\n"
    "  shufflebias plan fisher-yates/modulo:15 -n 6     a small bias takes many\n"
    "  shufflebias plan naive -n 5 --samples 1e4        what the chances of 10000 shuffles are\n"
    "  shufflebias plan --detect 0.01 -n 5              any bias that sends 1% of the decks elsewhere\n"
    "  shufflebias plan --samples 1e6 -n 5              the smallest bias that a million shuffles show\n"
    "  shufflebias plan naive -n 4 --alpha 0.01 --power 0.99 --format json\n";

/* The plan's own options, as typed. */
struct plan_typed {
    struct cli_common common;
    char *alpha, *power, *detect, *format, *file;
    int quiet;
};

static bool plan_format_known(const char *format)
{
    return strcmp(format, "text") == 0 || strcmp(format, "markdown") == 0 || strcmp(format, "json") == 0;
}

/* Makes the plan and writes it to an output that is open; the exit status. */
static int plan_make(const struct sb_aim *aim, const struct plan_typed *typed, struct sb_options *options,
                     struct cli_output *output)
{
    const struct sb_look look = cli_look(output->stream);
    struct cli_progress_state progress;
    struct sb_error error = { 0 };
    struct sb_plan *plan = NULL;
    int status = EXIT_DONE;

    cli_progress_begin(typed->quiet, &progress);
    options->progress = cli_progress;
    options->progress_state = &progress;
    enum sb_status done = sb_plan_new(aim, options, &error, &plan);
    cli_progress_end(&progress);
    if (done)
        return cli_failed("plan", &error);
    done = sb_plan_write(plan, typed->format ? typed->format : "text", &look, &error, output->stream);
    if (done && done != SB_IO)
        status = cli_failed("plan", &error);
    else if (!cli_output_keep("plan", output))
        status = EXIT_BROKEN;
    sb_plan_free(plan);
    return status;
}

static int plan_run(const char *const words[], const struct plan_typed *typed, struct sb_options *options)
{
    struct sb_aim aim = { .scheme = words[0] };
    struct cli_output output;

    if (aim.scheme && words[1])
        return cli_usage("plan", "one scheme at a time: leave '%s' out", words[1]);
    if (aim.scheme && typed->detect)
        return cli_usage("plan", "--detect %s: %s has its own bias: leave one of them out", typed->detect,
                         aim.scheme);
    if (!aim.scheme && !typed->detect && !typed->common.samples)
        return cli_usage("plan",
                         "name a scheme, or use --detect TV or --samples M; 'shufflebias plan --help'");
    if (typed->format && !plan_format_known(typed->format))
        return cli_usage("plan", "unknown format '%s': use text, markdown or json", typed->format);
    if (!cli_common_settle("plan", &typed->common, options) ||
        (typed->alpha && !cli_alpha("plan", "--alpha", typed->alpha, &options->alpha)) ||
        (typed->power && !cli_share("plan", "--power", typed->power, &aim.power)) ||
        (typed->detect && !cli_share("plan", "--detect", typed->detect, &aim.detect)))
        return EXIT_USAGE;
    options->stop = cli_stop_flag(); /* before there is a file to be left behind */
    if (!cli_output_open("plan", typed->file, &output))
        return EXIT_BROKEN;
    const int status = plan_make(&aim, typed, options, &output);
    cli_output_drop(&output);
    return status;
}

int cli_plan(int argc, const char *argv[])
{
    struct plan_typed typed = { 0 };
    struct cli_common *const common = &typed.common;
    const struct cli_option options[] = {
        { NULL, 'n', "items, 0 to 65535 (3)", "N", .text = &common->n },
        { "deal", 0, "cards dealt of the N (all)", "K", .text = &common->deal },
        { "alpha", 0, "level of each test (0.001)", "A", .text = &typed.alpha },
        { "power", 0, "probability of seeing the bias (0.9)", "P", .text = &typed.power },
        { "detect", 0, "instead of a scheme: a bias of this total variation", "TV", .text = &typed.detect },
        { "samples", 0, "what so many shuffles show: their power, or alone the smallest bias", "M",
          .text = &common->samples },
        { "draw", 0, "how draws are made, if the scheme does not say (ideal)", "DRAW",
          .text = &common->draw },
        { "rng", 0, "the generator, if the scheme does not say (philox)", "RNG", .text = &common->rng },
        { "threads", 0, "results do not depend on it (all processors)", "T", .text = &common->threads },
        { "format", 0, "text, markdown or json (text)", "FORMAT", .text = &typed.format },
        { NULL, 'o', "write to FILE and not to standard output", "FILE", .text = &typed.file },
        { "quiet", 0, "no progress line", NULL, .flag = &typed.quiet },
        { "help", 'h', "show this", NULL, .text = NULL },
        { .name = NULL },
    };
    const struct cli_syntax syntax = { "plan", "[OPTION ...] [SCHEME]", plan_examples, options };
    struct sb_options settled;
    int status = EXIT_DONE;

    sb_options_init(&settled);
    if (cli_options_read(&syntax, argc, argv, &status))
        status = plan_run(argv + 1, &typed, &settled);
    return status;
}
