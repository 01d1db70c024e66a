/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias zoo: which test sees which bias. */
#include "cli/cli.h"

#include <string.h>

static const char zoo_examples[] =
    "  shufflebias zoo                                  all biased shuffles of 8 items against all "
    "statistics\n"
    "  shufflebias zoo -n 52 --samples 1e5              of 52 cards, up to 100,000 decks from each seed\n"
    "  shufflebias zoo -n 52 --deal 9                   of hands of nine: the wrong deals among them\n"
    "  shufflebias zoo -n 4 --test 'python3 test.py'    is this test any good? Permutations are on its "
    "standard\n"
    "                                                   input, one a line, and exit status 0 means fair\n";

/* The zoo's own options, as typed. */
struct zoo_typed {
    struct cli_common common;
    struct cli_outputs outputs;
    char *alpha, *seeds, *test;
    int quiet;
};

static enum sb_status zoo_write(const void *zoo, const char *format, const struct sb_look *look,
                                struct sb_error *error, FILE *stream)
{
    return sb_zoo_write(zoo, format, look, error, stream);
}

static int zoo_run(struct zoo_typed *typed, struct sb_zoo_options *options)
{
    struct cli_progress_state progress;
    struct sb_error error = { 0 };
    struct sb_zoo *zoo = NULL;
    int status;

    options->stop = cli_stop_flag(); /* before there is a file to be left behind */
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
    status = cli_outputs_write(&typed->outputs, zoo, zoo_write);
    sb_zoo_free(zoo);
    return status;
}

static int zoo_read(poptContext context, const struct cli_syntax *syntax, struct zoo_typed *typed)
{
    struct sb_zoo_options options;
    struct sb_options common;
    int status = EXIT_DONE;
    uint64_t seeds;

    if (!cli_outputs_read(context, syntax, &typed->outputs, &status))
        return status;
    if (poptPeekArg(context))
        return cli_usage("zoo", "all of them are in it: leave '%s' out", poptPeekArg(context));
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

int cli_zoo(int argc, const char *argv[])
{
    static const char *const formats[] = { "text", "markdown", "json", "csv", NULL };
    struct zoo_typed typed = { .outputs = { .command = "zoo", .formats = formats } };
    struct cli_common *const common = &typed.common;
    struct poptOption options[CLI_OPTIONS_MOST] = {
        { NULL, 'n', POPT_ARG_STRING, &common->n, CLI_TEXT, "items, 2 to 1000 (8)", "N" },
        { "deal", 0, POPT_ARG_STRING, &common->deal, CLI_TEXT, "cards dealt of the N (all)", "K" },
        { "samples", 0, POPT_ARG_STRING, &common->samples, CLI_TEXT,
          "permutations from a seed at most (20000); of each run of a test (1000)", "M" },
        { "seeds", 0, POPT_ARG_STRING, &typed.seeds, CLI_TEXT, "runs of each shuffle (3)", "R" },
        { "alpha", 0, POPT_ARG_STRING, &typed.alpha, CLI_TEXT, "level of each statistic (1e-6)", "A" },
        { "test", 0, POPT_ARG_STRING, &typed.test, CLI_TEXT,
          "instead of the statistics: a test of your own, for the shell", "'COMMAND'" },
        { "threads", 0, POPT_ARG_STRING, &common->threads, CLI_TEXT,
          "results do not depend on it (all processors)", "T" },
        { "quiet", 0, POPT_ARG_NONE, &typed.quiet, 0, "no progress line", NULL },
        { "help", CLI_HELP, POPT_ARG_NONE, NULL, CLI_HELP, "show this", NULL },
        POPT_TABLEEND,
    };
    const struct cli_syntax syntax = { "zoo", "[OPTION ...]", zoo_examples, options };
    int status;

    cli_outputs_options(&typed.outputs, "text, markdown, json or csv (text)", options);
    poptContext context = poptGetContext(NULL, argc, argv, options, 0);

    status = zoo_read(context, &syntax, &typed);
    poptFreeContext(context);
    cli_outputs_close(&typed.outputs);
    cli_texts_free(options);
    return status;
}
