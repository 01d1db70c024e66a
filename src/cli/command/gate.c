/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias gate: tests any shuffle, and answers with an exit status. */
#include "cli/command/gate_evidence.h"
#include "cli/command/gate_listener.h"
#include "cli/shared_options.h"
#include "study/gate/gate_text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char gate_examples[] =
    "  shufflebias gate -- python3 shuffle.py\n"
    "                                     a program that prints one permutation per\n"
    "                                     line and never ends\n"
    "  shufflebias gate decks.txt         a file with one permutation per line; '-'\n"
    "                                     means standard input\n"
    "  shufflebias gate --exclude 0.02 -- node a.js\n"
    "                                     rules out a bias of 0.02 instead of 0.01,\n"
    "                                     which takes a quarter of the permutations\n"
    "  shufflebias gate --cards \"A B C\" -- ./deal\n"
    "                                     each line holds the names of the items\n"
    "  shufflebias gate --input u8 -n 52 -- ./deal\n"
    "                                     the program writes one byte per item\n"
    "  shufflebias gate --deal 5 -n 52 decks.txt\n"
    "                                     each line holds five of 52 cards\n"
    "  shufflebias gate --ledger gate.json -- ./deal\n"
    "                                     many runs can share a ledger, which limits\n"
    "                                     the total probability of a false alarm\n"
    "  shufflebias gate naive -n 52       a built-in shuffle\n"
    "  shufflebias gate naive -n 52 --limit 1e9 --save naive.json\n"
    "                                     a long run that saves its counts\n"
    "  shufflebias gate --resume naive.json\n"
    "                                     resumes that run after an interruption\n"
    "  shufflebias gate naive.json        shows the result of that run so far\n"
    "  shufflebias gate whole.json        judges counts saved by 'report' or 'merge'\n"
    "  shufflebias gate --suite shuffles.json --export junit:shuffles.xml\n"
    "                                     several shuffles, with a report for CI\n"
    "\n"
    "Exit status: 0 PASS, 1 FAIL, 2 wrong arguments, 3 INCONCLUSIVE,\n"
    "             4 the tested program or a file failed, 130 interrupted.\n";

/* The options of the command `gate`, as typed. */
struct gate_typed {
    struct cli_asked asked;
    struct cli_outputs outputs;
    struct cli_github github;
    struct cli_evidence evidence;
    char *alpha, *delta, *ledger, *key, *suite, *jobs;
    int quiet;
};

/* Returns whether a format can represent a subject that failed to deliver permutations. */
static bool gate_reports_broken(const char *format)
{
    return strcmp(format, "junit") == 0 || strcmp(format, "tap") == 0;
}

/* Returns the exit status for the verdicts. If the command only shows saved evidence, an interruption of the
 * saved run does not affect the exit status. */
static int gate_status(const struct gate_typed *typed, const struct sb_suite *suite)
{
    struct sb_suite_summary summary;

    sb_suite_summary_get(suite, &summary);
    if (summary.interrupted && !cli_evidence_looks(&typed->evidence))
        return EXIT_INTERRUPTED;
    if (strcmp(summary.verdict, "pass") == 0)
        return EXIT_DONE;
    if (strcmp(summary.verdict, "broken") == 0)
        return EXIT_BROKEN;
    return strcmp(summary.verdict, "fail") == 0 ? EXIT_BIASED : EXIT_INCONCLUSIVE;
}

/*
 * Writes the findings and returns the exit status. If there is only one subject and it failed to yield
 * permutations, the function prints a line on standard error, and writes only the formats that can represent
 * the failure. In a suite the failure is one of the findings. `limit` is the limit of the only subject.
 */
static int gate_report(const char *const words[], struct gate_typed *typed, uint64_t limit,
                       const struct sb_suite *suite)
{
    struct sb_suite_part only;
    int status = gate_status(typed, suite);

    sb_suite_get(suite, 0, &only);
    if (!typed->suite && only.error) {
        struct sb_error error = *only.error;

        status = cli_subject_failed("gate", words, &error);
        if (status != EXIT_BROKEN)
            return status;
        cli_outputs_keep(&typed->outputs, gate_reports_broken);
    }
    if (!typed->suite && only.gate) {
        struct sb_gate_summary summary;

        sb_gate_summary_get(only.gate, &summary);
        /* a gate without a verdict has read what there is, up to its limit */
        cli_subject_note("gate", &typed->asked.subject,
                         strcmp(summary.verdict, "inconclusive") == 0 && !summary.interrupted &&
                             summary.total != limit,
                         summary.total);
    }
    const int written = cli_outputs_write(&typed->outputs, suite);
    const int told = written ? EXIT_DONE : cli_github_write("gate", &typed->github, suite);

    return written ? written : told ? told : status;
}

/* Sets the subjects' callbacks and tests the subjects. */
static int gate_try(const char *const words[], struct gate_typed *typed, struct cli_case cases[],
                    size_t count, unsigned jobs)
{
    struct cli_listener *const listener = calloc(count, sizeof *listener);
    struct sb_suite_case *const asked = calloc(count, sizeof *asked);
    struct cli_progress_state progress;
    struct sb_error error = { 0 };
    struct sb_suite *suite = NULL;

    if (!listener || !asked) {
        free(listener);
        free(asked);
        return cli_usage("gate", "not enough memory for a suite"), EXIT_BROKEN;
    }
    cli_progress_begin(typed->quiet || jobs > 1, &progress);
    for (size_t i = 0; i < count; i++) {
        struct cli_case *const one = &cases[i];

        listener[i] = (struct cli_listener) { .name = one->name, .progress = &progress };
        one->subject.overheard = cli_listener_overhears;
        one->subject.overheard_state = &listener[i];
        one->options.stop = cli_stop_flag();
        one->options.progress = jobs > 1 ? NULL : cli_progress;
        one->options.progress_state = one->options.bound_state = &progress;
        one->options.bound = one->options.progress ? cli_progress_bound : NULL;
        asked[i] = (struct sb_suite_case) { 0 };
        asked[i].name = one->name;
        asked[i].subject = &one->subject;
        asked[i].options = &one->options;
        asked[i].finished = typed->suite && !typed->quiet ? cli_listener_finishes : NULL;
        asked[i].finished_state = &listener[i];
    }
    const enum sb_status made = sb_suite_new(asked, count, jobs, &error, &suite);
    cli_progress_end(&progress);
    for (size_t i = 0; i < count; i++) /* resets fields that point to local objects of this function */
        cases[i].subject.overheard_state = cases[i].options.progress_state = cases[i].options.bound_state =
            NULL;
    if (!made)
        cli_flags_suite(suite);
    const int status = made ? cli_subject_failed("gate", words, &error)
                            : gate_report(words, typed, cases[0].options.limit, suite);
    sb_suite_free(suite);
    free(listener);
    free(asked);
    return status == EXIT_INTERRUPTED ? cli_resumable("gate", cases[0].options.save) : status;
}

/* Reports an error if an output would replace the ledger or one of the files beside it. */
static int gate_spare_ledger(const struct cli_outputs *outputs, const char *ledger)
{
    static const char *const ends[] = { "", ".decks", ".lock" };
    int status = EXIT_DONE;

    for (size_t i = 0; ledger && status == EXIT_DONE && i < sizeof ends / sizeof ends[0]; i++) {
        char path[PATH_MAX];

        /* no file can have a longer name */
        if (snprintf(path, sizeof path, "%s%s", ledger, ends[i]) < (int)sizeof path)
            status = cli_outputs_spare(outputs, path, i == 0 ? "the ledger" : "a file of the ledger");
    }
    return status;
}

/* Opens all outputs, then tests the subjects. */
static int gate_run(const char *const words[], struct gate_typed *typed, struct cli_case cases[],
                    size_t count, unsigned jobs)
{
    int status;

    /* cli_stop_flag() also installs the handler that removes unfinished outputs, so the call comes first */
    cli_stop_flag();
    status = cli_outputs_open(&typed->outputs);
    if (status == EXIT_DONE)
        status = gate_spare_ledger(&typed->outputs, typed->ledger);
    if (status == EXIT_DONE)
        status = cli_outputs_spare(&typed->outputs, typed->evidence.file, "the evidence");
    if (status == EXIT_DONE)
        status = cli_outputs_spare(&typed->outputs, typed->suite, "the suite");
    for (size_t i = 0; status == EXIT_DONE && (i == 0 || i < count); i++) /* there is at least one case */
        status = cli_outputs_spare(&typed->outputs, cases[i].subject.file, "the input");
    if (status == EXIT_DONE)
        status = cli_github_open("gate", &typed->github);
    return status ? status : gate_try(words, typed, cases, count, jobs);
}

/* Tests the one subject that the words and options name. */
static int gate_single(const char *const words[], struct gate_typed *typed, struct cli_case *only)
{
    struct cli_asked *const asked = &typed->asked;
    const uint64_t seed = only->subject.seed; /* the seed of the saved evidence */

    switch (cli_subject_settle("gate", &asked->subject, &asked->common, words, &only->subject)) {
    case CLI_NOTHING:
        return EXIT_USAGE;
    case CLI_SCHEMES:
        if (!typed->evidence.saved && (!words || !words[0]))
            return cli_usage("gate", "name what to test: '-- COMMAND', a file, '-' for standard input, "
                                     "or a scheme");
        if (words && words[0] && words[1])
            return cli_usage("gate", "one subject at a time: leave '%s' out; a command goes after '--'",
                             words[1]);
        if (!cli_subject_scheme("gate", &asked->common, words ? words[0] : NULL, &only->subject))
            return EXIT_USAGE;
        break;
    case CLI_OUTSIDE:
        break;
    }
    if (typed->evidence.saved && !asked->common.seed)
        only->subject.seed = seed;
    if (!cli_asked_settle("gate", asked, &only->options))
        return EXIT_USAGE;
    return gate_run(words, typed, only, 1, 1);
}

/* Tests the subjects of a suite file. */
static int gate_suite(const char *const words[], struct gate_typed *typed,
                      const struct sb_gate_options *options, unsigned jobs)
{
    struct cli_suite suite;
    int status;

    if (words && words[0])
        return cli_usage("gate", "one or the other: leave '%s' or --suite out", words[0]);
    if (typed->asked.subject.command)
        return cli_usage("gate", "one or the other: leave the command or --suite out");
    status = cli_suite_open(typed->suite, &typed->asked, options, &suite);
    if (status == EXIT_DONE)
        status = gate_run(NULL, typed, suite.cases, suite.count, jobs);
    cli_suite_close(&suite);
    return status;
}

static int gate_read(const char *const words[], struct gate_typed *typed)
{
    struct cli_case only = { .name = NULL };
    struct sb_gate_options *const options = &only.options;
    uint64_t jobs = 1;
    int status = EXIT_DONE;

    only.subject = (struct sb_subject) { 0 };
    sb_gate_options_init(options);
    options->ledger = typed->ledger;
    options->key = typed->key;

    const char *const named = typed->suite ? NULL : cli_evidence_named(&typed->asked.subject, words);

    if (typed->suite && (typed->evidence.resume || typed->evidence.save))
        return cli_usage("gate", "%s %s: cannot be used with --suite, which tests several subjects",
                         typed->evidence.resume ? "--resume" : "--save",
                         typed->evidence.resume ? typed->evidence.resume : typed->evidence.save);
    if (typed->ledger && (!typed->ledger[0] || strcmp(typed->ledger, "-") == 0))
        return cli_usage("gate", "--ledger '%s': a ledger must be a regular file: name one", typed->ledger);
    status = cli_evidence_settle(&typed->evidence, named, &only.subject, options);
    if (status)
        return status;
    if ((typed->alpha && !cli_alpha("gate", "--alpha", typed->alpha, &options->alpha)) ||
        (typed->delta && !cli_alpha("gate", "--delta", typed->delta, &options->delta)) ||
        (typed->jobs && !cli_number("gate", "--jobs", typed->jobs, 1, CLI_GROUPS_MOST, &jobs)))
        return EXIT_USAGE;
    if (typed->jobs && !typed->suite)
        return cli_usage("gate", "--jobs %s: only goes with --suite", typed->jobs);
    if (typed->suite)
        return gate_suite(words, typed, options, (unsigned)jobs);
    return gate_single(cli_evidence_looks(&typed->evidence) ? NULL : words, typed, &only);
}

static void gate_options(struct gate_typed *typed, struct cli_option options[])
{
    const struct cli_option rows[] = {
        { .name = "alpha",
          .argument = "A",
          .text = &typed->alpha,
          .help = "highest probability that a fair shuffle fails (1e-9)" },
        { .name = "delta",
          .argument = "D",
          .text = &typed->delta,
          .help = "highest probability of a pass if the bias is as large as --exclude (1e-6)" },
        { .name = "ledger",
          .argument = "FILE",
          .text = &typed->ledger,
          .help = "record this run in FILE; --alpha and --delta then limit the errors of all runs in FILE "
                  "together",
          .group = CLI_RUNS },
        { .name = "key",
          .argument = "VERSION",
          .text = &typed->key,
          .help = "with --ledger: add up the permutations of all runs with the same VERSION, a name that you "
                  "choose for the tested code",
          .group = CLI_RUNS },
        { .name = "suite",
          .argument = "FILE",
          .text = &typed->suite,
          .help = "test all shuffles in FILE, a JSON list of shuffles and their options; --alpha and "
                  "--delta then limit the errors of all shuffles together" },
        { .name = "jobs",
          .argument = "J",
          .text = &typed->jobs,
          .help = "with --suite: test J shuffles at a time (1)" },
        { .name = "github",
          .flag = &typed->github.wanted,
          .help = "in a GitHub workflow, write annotations and a summary for its page",
          .group = CLI_OUTPUT },
        cli_option_quiet(&typed->quiet),
        cli_option_help(),
    };

    cli_asked_options(&typed->asked, options);
    cli_options_add(options, rows, sizeof rows / sizeof rows[0]);
    cli_common_options(&typed->asked.common, options);
    cli_subject_options(&typed->asked.subject, options);
    cli_evidence_options(&typed->evidence, options);
    cli_outputs_options(&typed->outputs, options);
}

static int gate_main(int argc, const char *argv[])
{
    struct gate_typed typed = { .outputs = { .command = "gate", .type = &sb_suite_result } };
    struct cli_option options[CLI_OPTIONS_MOST] = { { .name = NULL } };
    const struct cli_syntax syntax = {
        .command = "gate",
        .arguments = "[OPTION ...] -- COMMAND [ARGUMENT ...] | FILE | - | SCHEME",
        .examples = gate_examples,
        .options = options,
    };
    int status = EXIT_DONE;

    gate_options(&typed, options);
    typed.asked.subject.command = cli_command_split(&argc, argv);

    if (cli_options_read(&syntax, argc, argv, &status))
        status = gate_read(argv + 1, &typed);
    cli_outputs_close(&typed.outputs);
    cli_github_close(&typed.github);
    cli_evidence_close(&typed.evidence);
    return status;
}

const struct cli_command_type cli_command_gate = {
    .name = "gate",
    .run = gate_main,
    .example = { { "-- python3 shuffle.py", "is your own shuffle fair, yes or no?" } },
};
