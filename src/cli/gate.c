/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias gate: whether anybody's shuffle is fair, as an exit status. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static const char gate_examples[] =
    "  shufflebias gate -- python3 shuffle.py           a program that prints a permutation a line, again "
    "and "
    "again\n"
    "  shufflebias gate decks.txt                       a recording of such lines; - is standard input\n"
    "  shufflebias gate --exclude 0.02 -- node a.js     rules out less, and needs a quarter of the "
    "permutations\n"
    "  shufflebias gate --cards \"A B C\" -- ./deal       lines of names\n"
    "  shufflebias gate --input u8 -n 52 -- ./deal      a byte per item\n"
    "  shufflebias gate --deal 5 -n 52 decks.txt        lines of five cards of 52\n"
    "  shufflebias gate naive -n 52                     a shuffle that shufflebias knows\n"
    "\n"
    "Exit status: 0 PASS, 1 FAIL, 2 usage, 3 INCONCLUSIVE, 4 the subject or a file broke, 130 interrupted.\n";

/* The gate's own options, as typed. */
struct gate_typed {
    struct cli_common common;
    struct cli_subject subject;
    struct cli_outputs outputs;
    char *limit, *alpha, *delta, *exclude, *tolerate;
    int quiet;
};

static enum sb_status gate_write(const void *gate, const char *format, const struct sb_look *look,
                                 struct sb_error *error, FILE *stream)
{
    return sb_gate_write(gate, format, look, error, stream);
}

/* The exit status that a verdict stands for. */
static int gate_status(const struct sb_gate *gate)
{
    struct sb_gate_summary summary;

    sb_gate_summary_get(gate, &summary);
    if (summary.interrupted)
        return EXIT_INTERRUPTED;
    if (strcmp(summary.verdict, "pass") == 0)
        return EXIT_DONE;
    return strcmp(summary.verdict, "fail") == 0 ? EXIT_BIASED : EXIT_INCONCLUSIVE;
}

static int gate_run(const char *const words[], struct gate_typed *typed, struct sb_subject *subject,
                    struct sb_gate_options *options)
{
    struct cli_progress_state progress;
    struct sb_error error = { 0 };
    struct sb_gate *gate = NULL;
    int status;

    options->stop = cli_stop_flag(); /* before there is a file to be left behind */
    status = cli_outputs_open(&typed->outputs);
    if (status)
        return status;
    cli_progress_begin(typed->quiet, &progress);
    options->progress = cli_progress;
    options->progress_state = subject->overheard_state = &progress;
    subject->overheard = cli_overheard;
    const enum sb_status made = sb_gate_new(subject, options, &error, &gate);
    cli_progress_end(&progress);
    if (made)
        return cli_subject_failed("gate", words, &error);
    status = cli_outputs_write(&typed->outputs, gate, gate_write);
    if (status == EXIT_DONE)
        status = gate_status(gate);
    sb_gate_free(gate);
    return status;
}

/* Puts what was typed into the options of the library; false after a line about what is wrong. */
static bool gate_settle(const struct gate_typed *typed, struct sb_gate_options *options)
{
    const bool tolerates = typed->tolerate && strcmp(typed->tolerate, "0") != 0;

    return (!typed->limit || cli_number("gate", "--limit", typed->limit, 1, INT64_MAX, &options->limit)) &&
           (!typed->alpha || cli_alpha("gate", "--alpha", typed->alpha, &options->alpha)) &&
           (!typed->delta || cli_alpha("gate", "--delta", typed->delta, &options->delta)) &&
           (!typed->exclude || cli_share("gate", "--exclude", typed->exclude, &options->exclude)) &&
           (!tolerates || cli_share("gate", "--tolerate", typed->tolerate, &options->tolerate));
}

static int gate_read(poptContext context, const struct cli_syntax *syntax, struct gate_typed *typed)
{
    struct sb_gate_options options;
    struct sb_subject subject;
    int status = EXIT_DONE, option;

    while ((option = cli_next_option(context, syntax, &status)) >= 0)
        if (!cli_outputs_export(&typed->outputs, poptGetOptArg(context)))
            return EXIT_USAGE;
    if (option == -2)
        return status;
    const char *const *const words = poptGetArgs(context);

    sb_gate_options_init(&options);
    switch (cli_subject_settle("gate", &typed->subject, &typed->common, words, &subject)) {
    case CLI_NOTHING:
        return EXIT_USAGE;
    case CLI_SCHEMES:
        if (!words || !words[0])
            return cli_usage("gate",
                             "say what is to be tested: '-- COMMAND', a file, '-' for standard input, "
                             "or a scheme");
        if (words[1])
            return cli_usage("gate", "one subject at a time: leave '%s' out; a command goes behind '--'",
                             words[1]);
        if (!cli_subject_scheme("gate", &typed->common, words[0], &subject))
            return EXIT_USAGE;
        break;
    case CLI_OUTSIDE:
        break;
    }
    return gate_settle(typed, &options) ? gate_run(words, typed, &subject, &options) : EXIT_USAGE;
}

int cli_gate(int argc, const char *argv[])
{
    struct gate_typed typed = { .outputs = { .command = "gate" } };
    struct cli_common *const common = &typed.common;
    struct poptOption options[CLI_OPTIONS_MOST] = {
        { "exclude", 0, POPT_ARG_STRING, &typed.exclude, CLI_TEXT,
          "the bias that a pass rules out, in total variation (0.01)", "TV" },
        { "tolerate", 0, POPT_ARG_STRING, &typed.tolerate, CLI_TEXT,
          "the bias that is no failure, in total variation (0)", "TV" },
        { "limit", 0, POPT_ARG_STRING, &typed.limit, CLI_TEXT, "permutations to look at, at most (2,000,000)",
          "M" },
        { "alpha", 0, POPT_ARG_STRING, &typed.alpha, CLI_TEXT,
          "a fair shuffle fails with this probability at most (1e-9)", "A" },
        { "delta", 0, POPT_ARG_STRING, &typed.delta, CLI_TEXT,
          "one with the excluded bias passes with this probability at most (1e-6)", "D" },
        { NULL, 'n', POPT_ARG_STRING, &common->n, CLI_TEXT, "items (3; a text's first line shows how many)",
          "N" },
        { "deal", 0, POPT_ARG_STRING, &common->deal, CLI_TEXT, "cards dealt of the N (all)", "K" },
        { "seed", 0, POPT_ARG_STRING, &common->seed, CLI_TEXT, "of a scheme's generator (1)", "SEED" },
        { "draw", 0, POPT_ARG_STRING, &common->draw, CLI_TEXT,
          "how draws are made, if the scheme does not say (ideal)", "DRAW" },
        { "rng", 0, POPT_ARG_STRING, &common->rng, CLI_TEXT,
          "the generator, if the scheme does not say (philox)", "RNG" },
        { "quiet", 0, POPT_ARG_NONE, &typed.quiet, 0, "no progress line", NULL },
        { "help", CLI_HELP, POPT_ARG_NONE, NULL, CLI_HELP, "show this", NULL },
        POPT_TABLEEND,
    };
    const struct cli_syntax syntax = { "gate", "[OPTION ...] -- COMMAND [ARGUMENT ...] | FILE | - | SCHEME",
                                       gate_examples, options };
    int status;

    cli_subject_options(&typed.subject, options);
    cli_outputs_options(&typed.outputs, "text, markdown or json (text)", options);
    typed.subject.command = cli_command_split(&argc, argv);
    poptContext context = poptGetContext(NULL, argc, argv, options, 0);

    status = gate_read(context, &syntax, &typed);
    poptFreeContext(context);
    cli_outputs_close(&typed.outputs);
    cli_texts_free(options);
    return status;
}
