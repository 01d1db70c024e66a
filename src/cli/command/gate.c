/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias gate: whether anybody's shuffle is fair, as an exit status. */
#include "cli/command/gate_evidence.h"
#include "core/text/log_text.h"
#include "study/gate/gate_text.h"

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
    "  shufflebias gate --ledger gate.json -- ./deal    one of many runs that share alpha\n"
    "  shufflebias gate naive -n 52                     a shuffle that shufflebias knows\n"
    "  shufflebias gate naive -n 52 --limit 1e9 --save naive.json\n"
    "  shufflebias gate --resume naive.json             goes on, if that was interrupted\n"
    "  shufflebias gate naive.json                      what is known so far\n"
    "  shufflebias gate whole.json                      what 'report --save' has counted, or 'merge'\n"
    "  shufflebias gate --suite shuffles.json --export junit:shuffles.xml\n"
    "\n"
    "Exit status: 0 PASS, 1 FAIL, 2 usage, 3 INCONCLUSIVE, 4 the subject or a file broke, 130 interrupted.\n";

/* The gate's own options, as typed. */
struct gate_typed {
    struct cli_asked asked;
    struct cli_outputs outputs;
    struct cli_github github;
    struct cli_evidence evidence;
    char *alpha, *delta, *ledger, *key, *suite, *jobs;
    int quiet;
};

/* Whether a format has a word for a subject that broke. */
static bool gate_reports_broken(const char *format)
{
    return strcmp(format, "junit") == 0 || strcmp(format, "tap") == 0;
}

/* The exit status of the verdicts; evidence that is looked at as it is was interrupted earlier. */
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
 * Writes the findings; the exit status. One subject that broke has a line on standard error, and of the
 * formats only those that have a word for it; among others it is one of the findings.
 */
static int gate_report(const char *const words[], struct gate_typed *typed, const struct sb_suite *suite)
{
    struct sb_suite_part only;
    int status = gate_status(typed, suite);

    if (!typed->suite && sb_suite_get(suite, 0, &only) && only.error) {
        struct sb_error error = *only.error;

        status = cli_subject_failed("gate", words, &error);
        if (status != EXIT_BROKEN)
            return status;
        cli_outputs_keep(&typed->outputs, gate_reports_broken);
    }
    const int written = cli_outputs_write(&typed->outputs, suite);
    const int told = written ? EXIT_DONE : cli_github_write("gate", &typed->github, suite);

    return written ? written : told ? told : status;
}

/* Who listens to a subject. */
struct gate_listener {
    const char *name; /* NULL where there is but one */
    struct cli_progress_state *progress;
};

static void gate_overheard(void *state, const char *line)
{
    const struct gate_listener *const listener = state;

    if (!listener->name) {
        cli_overheard(listener->progress, line);
        return;
    }
    char name[256];

    cli_progress_end(listener->progress);
    sb_sanitize_log_text(listener->name, name, sizeof name);
    fprintf(stderr, "subject %s: %s\n", name, line);
}

/* Tries the subjects, whose callbacks are not set yet. */
static int gate_try(const char *const words[], struct gate_typed *typed, struct sb_suite_case cases[],
                    size_t count, unsigned jobs)
{
    struct gate_listener *const listener = calloc(count, sizeof *listener);
    struct cli_progress_state progress;
    struct sb_error error = { 0 };
    struct sb_suite *suite = NULL;

    if (!listener)
        return cli_usage("gate", "not enough memory for a suite"), EXIT_BROKEN;
    cli_progress_begin(typed->quiet || jobs > 1, &progress);
    for (size_t i = 0; i < count; i++) {
        struct sb_suite_case *const one = &cases[i];

        listener[i] = (struct gate_listener) { .name = one->name, .progress = &progress };
        one->subject.overheard = gate_overheard;
        one->subject.overheard_state = &listener[i];
        one->options.stop = cli_stop_flag();
        one->options.progress = jobs > 1 ? NULL : cli_progress;
        one->options.progress_state = &progress;
    }
    const enum sb_status made = sb_suite_new(cases, count, jobs, &error, &suite);
    cli_progress_end(&progress);
    for (size_t i = 0; i < count; i++) /* what these point to ends here */
        cases[i].subject.overheard_state = cases[i].options.progress_state = NULL;
    if (!made)
        cli_flags_suite(suite);
    const int status = made ? cli_subject_failed("gate", words, &error) : gate_report(words, typed, suite);
    sb_suite_free(suite);
    free(listener);
    return status == EXIT_INTERRUPTED ? cli_resumable("gate", cases[0].options.save) : status;
}

/* Opens all that will be written, and tries the subjects. */
static int gate_run(const char *const words[], struct gate_typed *typed, struct sb_suite_case cases[],
                    size_t count, unsigned jobs)
{
    const char *const kept = typed->ledger ? typed->ledger : typed->evidence.file;
    int status;

    cli_stop_flag(); /* before there is a file to be left behind */
    status = cli_outputs_open(&typed->outputs);
    if (status == EXIT_DONE && cli_outputs_over(&typed->outputs, kept))
        status =
            cli_usage("gate", "'%s' is the %s, and cannot take the %s: name another file", kept,
                      typed->ledger ? "ledger" : "evidence", cli_outputs_over(&typed->outputs, kept)->format);
    if (status == EXIT_DONE)
        status = cli_github_open("gate", &typed->github);
    return status ? status : gate_try(words, typed, cases, count, jobs);
}

/* The one subject that the words and the options name. */
static int gate_single(const char *const words[], struct gate_typed *typed, struct sb_suite_case *only)
{
    struct cli_asked *const asked = &typed->asked;
    const uint64_t seed = only->subject.seed; /* of evidence */

    switch (cli_subject_settle("gate", &asked->subject, &asked->common, words, &only->subject)) {
    case CLI_NOTHING:
        return EXIT_USAGE;
    case CLI_SCHEMES:
        if (!typed->evidence.saved && (!words || !words[0]))
            return cli_usage("gate",
                             "say what is to be tested: '-- COMMAND', a file, '-' for standard input, "
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

/* Those of a file. */
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
    struct sb_suite_case only = { .name = NULL };
    struct sb_gate_options *const options = &only.options;
    uint64_t jobs = 1;
    int status = EXIT_DONE;

    sb_gate_options_init(options);
    options->ledger = typed->ledger;
    options->key = typed->key;

    const char *const named = typed->suite ? NULL : cli_evidence_named(&typed->asked.subject, words);

    if (typed->suite && (typed->evidence.resume || typed->evidence.save))
        return cli_usage("gate", "%s %s: goes with one subject, and not with --suite",
                         typed->evidence.resume ? "--resume" : "--save",
                         typed->evidence.resume ? typed->evidence.resume : typed->evidence.save);
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

int cli_gate(int argc, const char *argv[])
{
    struct gate_typed typed = { .outputs = { .command = "gate", .type = &sb_suite_result } };
    struct cli_option options[CLI_OPTIONS_MOST] = {
        { "exclude", 0, "the bias that a pass rules out, in total variation (0.01)", "TV",
          .text = &typed.asked.exclude },
        { "tolerate", 0, "the bias that is no failure, in total variation (0)", "TV",
          .text = &typed.asked.tolerate },
        { "limit", 0, "permutations to look at, at most (2,000,000)", "M", .text = &typed.asked.limit },
        { "seeds", 0, "a pass rules out fewer than M equally likely decks, as from a short seed: 2^32", "M",
          .text = &typed.asked.seeds },
        { "profile", 0, "cards: more statistics, of 52 playing cards in the order of a new deck", "PROFILE",
          .text = &typed.asked.profile },
        { "increments", 0, "look at the steps from one permutation to the next, too", NULL,
          .flag = &typed.asked.increments },
        { "alpha", 0, "a fair shuffle fails with this probability at most (1e-9)", "A",
          .text = &typed.alpha },
        { "delta", 0, "one with the excluded bias passes with this probability at most (1e-6)", "D",
          .text = &typed.delta },
        { "ledger", 0, "a file in which all runs that name it share alpha and delta", "FILE",
          .text = &typed.ledger },
        { "key", 0, "the version of what is tested: its runs add up their evidence in the ledger", "VERSION",
          .text = &typed.key },
        { "suite", 0,
          "several subjects with options of their own: a list in JSON; they share alpha and delta", "FILE",
          .text = &typed.suite },
        { "jobs", 0, "subjects of a suite at a time (1)", "J", .text = &typed.jobs },
        { "github", 0, "annotations for a GitHub workflow, and a summary for its page", NULL,
          .flag = &typed.github.wanted },
        { "quiet", 0, "no progress line", NULL, .flag = &typed.quiet },
        { "help", 'h', "show this", NULL, .text = NULL },
        { .name = NULL },
    };
    const struct cli_syntax syntax = { "gate", "[OPTION ...] -- COMMAND [ARGUMENT ...] | FILE | - | SCHEME",
                                       gate_examples, options };
    int status = EXIT_DONE;

    cli_common_options(&typed.asked.common, options);
    cli_subject_options(&typed.asked.subject, options);
    cli_evidence_options(&typed.evidence, options);
    cli_outputs_options(&typed.outputs, options);
    typed.asked.subject.command = cli_command_split(&argc, argv);

    if (cli_options_read(&syntax, argc, argv, &status))
        status = gate_read(argv + 1, &typed);
    cli_outputs_close(&typed.outputs);
    cli_github_close(&typed.github);
    cli_evidence_close(&typed.evidence);
    return status;
}
