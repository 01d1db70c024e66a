/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias report: how biased shuffles are. */
#include "cli/shared_options.h"
#include "study/report/report_result.h"

#include <stdlib.h>
#include <string.h>

static const char report_examples[] =
    "  shufflebias report                 all built-in shuffles of three items, with\n"
    "                                     details of the biased ones\n"
    "  shufflebias report naive fisher-yates -n 4\n"
    "                                     two shuffles of four items in detail\n"
    "  shufflebias report naive --by exact --format json\n"
    "                                     the exact probabilities, as JSON\n"
    "  shufflebias report fisher-yates/modulo:4\n"
    "                                     each draw is a 4-bit random number modulo\n"
    "                                     the number of choices\n"
    "  shufflebias report splice -n 52 --deal 5 --samples 1e7\n"
    "                                     ten million hands of five cards from a\n"
    "                                     deck of 52\n"
    "  shufflebias report fisher-yates/modulo/msvc-rand -n 8 --by seeds --seeds 0..65535\n"
    "                                     the orders that 65,536 seeds can produce\n"
    "  shufflebias report -- python3 shuffle.py\n"
    "                                     a program that prints one permutation per\n"
    "                                     line\n"
    "  shufflebias report --matrix counts.csv\n"
    "                                     a recorded matrix of counts, one line per\n"
    "                                     item\n"
    "  shufflebias report naive --samples 1e11 --save naive.json\n"
    "                                     a long run that saves its counts\n"
    "  shufflebias report --resume naive.json\n"
    "                                     resumes that run after an interruption\n"
    "  shufflebias report naive.json      shows the result of that run so far\n"
    "  shufflebias report naive --samples 1e11 --shard 3/7 --save part3.json\n"
    "                                     runs the third of seven parts of a run\n"
    "  shufflebias report naive --export json:naive.json --export csv:naive.csv\n"
    "                                     prints the report and also writes two\n"
    "                                     files\n";

/* The options of the command `report`, as typed. */
struct report_typed {
    struct cli_common common;
    struct cli_subject subject;
    struct cli_outputs outputs;
    char *by, *seeds, *alpha, *statistics, *matrix, *profile, *save, *checkpoint, *resume, *shard;
    int counts, increments, quiet;
    struct sb_saved *saved; /* loaded evidence; owned; NULL: no evidence was loaded */
};

/* Makes the reports on the saved evidence, on the recorded matrix or on the subject outside the library. If
 * there is none of these three, makes the reports on the schemes. */
static enum sb_status report_make(const char *const words[], const struct report_typed *typed,
                                  struct sb_subject *subject, struct sb_options *options,
                                  struct sb_error *error, struct sb_reports **reports)
{
    size_t count = 0;

    if (typed->saved)
        return sb_reports_saved(typed->saved, options, error, reports);
    if (typed->matrix)
        return sb_reports_recorded(typed->matrix, options, error, reports);
    if (subject) {
        subject->overheard = cli_stderr_relay;
        subject->overheard_state = options->progress_state;
        return sb_reports_observe(subject, options, error, reports);
    }
    while (words && words[count])
        count++;
    return sb_reports_new(words, count, options, error, reports);
}

static int report_run(const char *const words[], struct report_typed *typed, struct sb_subject *subject,
                      struct sb_options *options)
{
    const char *const evidence = options->save || !typed->saved ? options->save : words[0];
    struct cli_progress_state progress;
    struct sb_error error = { 0 };
    struct sb_reports *reports = NULL;
    int status;

    /* cli_stop_flag() also installs the handler that removes unfinished outputs, so the call comes first */
    options->stop = cli_stop_flag();
    status = cli_outputs_open(&typed->outputs);
    if (status == EXIT_DONE)
        status = cli_outputs_spare(&typed->outputs, evidence, "the evidence");
    if (status == EXIT_DONE)
        status = cli_outputs_spare(&typed->outputs, subject ? subject->file : typed->matrix, "the input");
    if (status)
        return status;
    cli_progress_begin(typed->quiet, &progress);
    options->progress = cli_progress;
    options->progress_state = &progress;
    options->ranks = cli_ranks_new();
    const enum sb_status made = report_make(words, typed, subject, options, &error, &reports);
    cli_ranks_free(options->ranks);
    cli_progress_end(&progress);
    if (made)
        return cli_subject_failed("report", typed->saved ? NULL : words, &error);
    cli_flags_reports(reports);
    if (subject)
        cli_subject_note("report", &typed->subject,
                         !sb_reports_interrupted(reports) &&
                             options->samples != reports->report[0].evidence.total,
                         reports->report[0].evidence.total);
    status = cli_outputs_write(&typed->outputs, reports);
    if (status == EXIT_DONE && sb_reports_interrupted(reports))
        status = cli_resumable("report", options->save);
    sb_reports_free(reports);
    return status;
}

/* Copies the options of saved runs into the library's options. If an option is wrong, prints a line and returns false. */
static bool report_settle_saving(const struct report_typed *typed, enum cli_kind kind,
                                 struct sb_options *options)
{
    options->save = typed->resume ? typed->resume : typed->save;
    if (typed->checkpoint && !options->save) {
        cli_usage("report", "--checkpoint %s: only goes with --save or --resume", typed->checkpoint);
        return false;
    }
    if (typed->shard && !options->save && !typed->saved) {
        cli_usage("report",
                  "--shard %s: a part must be saved, so that it can be merged with the others: add --save",
                  typed->shard);
        return false;
    }
    if (kind == CLI_OUTSIDE && options->save) {
        cli_usage("report", "--save %s: only goes with a scheme", options->save);
        return false;
    }
    return !typed->checkpoint ||
           cli_seconds("report", "--checkpoint", typed->checkpoint, &options->checkpoint);
}

/* Copies the typed options into the library's options. If an option is wrong, prints a line and returns
 * false. */
static bool report_settle(const struct report_typed *typed, enum cli_kind kind, struct sb_options *options)
{
    struct cli_common common = typed->common;

    if (!typed->matrix)
        common.cards = typed->subject.cards;
    if (kind == CLI_OUTSIDE)
        common.n = common.deal = common.cards = NULL; /* the subject has its own n, deal and cards */
    if (!cli_common_settle("report", &common, options) || !cli_report_by(typed->by, options) ||
        !cli_report_seeds(typed->seeds, options) || !cli_report_shard(typed->shard, options) ||
        (typed->alpha && !cli_alpha("report", "--alpha", typed->alpha, &options->alpha)))
        return false;
    if (kind == CLI_OUTSIDE && options->by && options->by != SB_BY_SAMPLE) {
        cli_usage("report", "--by %s: only goes with a scheme", typed->by);
        return false;
    }
    if (typed->increments && options->by && !(options->by & (SB_BY_SAMPLE | SB_BY_SEEDS))) {
        cli_usage("report", "--increments needs a sample or seeds: drop --by %s", typed->by);
        return false;
    }
    if (typed->matrix)
        options->cards = typed->subject.cards;
    options->title = typed->subject.title;
    options->counts = typed->counts;
    options->increments = options->increments || typed->increments;
    options->profile = typed->profile ? typed->profile : options->profile;
    if (typed->statistics)
        options->statistics = strcmp(typed->statistics, "all") == 0    ? NULL
                              : strcmp(typed->statistics, "none") == 0 ? ""
                                                                       : typed->statistics;
    return report_settle_saving(typed, kind, options);
}

/* Returns whether all typed arguments can be used with a recorded matrix. If not, prints a line about the
 * argument that cannot be used. */
static bool report_matrix_alone(const struct report_typed *typed, const char *const words[])
{
    const struct cli_common *const common = &typed->common;
    const struct cli_subject *const subject = &typed->subject;
    const char *const misplaced = words && words[0]   ? words[0]
                                  : subject->command  ? "the command"
                                  : common->n         ? "-n"
                                  : common->samples   ? "--samples"
                                  : typed->by         ? "--by"
                                  : typed->statistics ? "--statistics"
                                  : typed->profile    ? "--profile"
                                  : typed->increments ? "--increments"
                                  : typed->save       ? "--save"
                                  : typed->resume     ? "--resume"
                                  : typed->shard      ? "--shard"
                                                      : cli_subject_misplaced(subject, common);

    if (misplaced)
        cli_usage("report", "--matrix %s: the report is on this matrix alone: leave %s out", typed->matrix,
                  misplaced);
    return !misplaced;
}

/* Returns the file of saved evidence to report on, or NULL if there is none. */
static const char *report_saved_file(const struct report_typed *typed, const char *const words[])
{
    if (typed->resume)
        return typed->resume;
    return !typed->subject.command && !cli_subject_is_read(&typed->subject) && words && words[0] &&
                   !words[1] && sb_saved_is(words[0])
               ? words[0]
               : NULL;
}

/* Returns whether all typed arguments can be used with saved evidence. If not, prints a line about the
 * argument that cannot be used. */
static bool report_saved_alone(const struct report_typed *typed, const char *file, const char *const words[])
{
    const struct cli_common none = { 0 };
    const char *const misplaced = typed->subject.command ? "the command"
                                  : typed->save          ? "--save"
                                  : typed->seeds         ? "--seeds"
                                  : words && words[0] && words[1]
                                      ? words[1]
                                      : cli_subject_misplaced(&typed->subject, &none);

    if (misplaced)
        cli_usage("report", "'%s' is saved evidence of one scheme: leave %s out", file, misplaced);
    return !misplaced;
}

/* Reports on saved evidence; with --resume, first continues the saved run. The typed options must agree with
 * the saved run. */
static int report_load(const char *file, const char *const words[], struct report_typed *typed)
{
    const char *const scheme = typed->resume && words ? words[0] : NULL;
    const char *const name[] = { file, NULL };
    struct sb_options options;
    struct sb_error error = { 0 };

    if (!report_saved_alone(typed, file, words))
        return EXIT_USAGE;
    if (sb_saved_new(file, &error, &typed->saved))
        return cli_failed("report", &error);
    sb_options_init(&options);
    sb_saved_options(typed->saved, &options);
    if (!report_settle(typed, CLI_SCHEMES, &options))
        return EXIT_USAGE;
    if (sb_saved_agrees(typed->saved, scheme, &options, &error))
        return cli_failed("report", &error);
    return report_run(name, typed, NULL, &options);
}

static int report_read(const char *const words[], struct report_typed *typed)
{
    struct sb_options options;
    struct sb_subject subject;

    if (typed->matrix && !report_matrix_alone(typed, words))
        return EXIT_USAGE;
    const char *const saved = report_saved_file(typed, words);

    if (saved)
        return report_load(saved, words, typed);
    const enum cli_kind kind = cli_subject_settle("report", &typed->subject, &typed->common, words, &subject);

    sb_options_init(&options);
    if (typed->matrix)
        options.n = UINT16_MAX; /* the matrix has its own n, which limits --deal */
    if (kind == CLI_NOTHING || !report_settle(typed, kind, &options))
        return EXIT_USAGE;
    return report_run(words, typed, kind == CLI_OUTSIDE ? &subject : NULL, &options);
}

/* Adds the options that choose the subject and the tests. */
static void report_test_options(struct report_typed *typed, struct cli_option options[])
{
    struct cli_common *const common = &typed->common;
    const struct cli_option rows[] = {
        cli_option_n(&common->n, "number of items, 0 to 65,535 (3)"),
        cli_option_deal(&common->deal),
        { .name = "samples",
          .argument = "M",
          .text = &common->samples,
          .help = "number of shuffles per SCHEME (as many as take about a second); for a command, FILE or "
                  "'-', the largest number of permutations to read (2,000,000)" },
        cli_option_seed(&common->seed),
        cli_option_draw(&common->draw),
        cli_option_rng(&common->rng),
        { .name = "by",
          .argument = "KIND",
          .text = &typed->by,
          .help =
              "how to find the probabilities: 'exact' computes them, 'sample' counts random shuffles, 'both' "
              "does both, 'seeds' tries every seed (both if exact results are quick, else sample)" },
        { .name = "seeds",
          .argument = "A..B",
          .text = &typed->seeds,
          .help = "with --by seeds: the first and last seed to try (all seeds of the generator)" },
        cli_option_threads(&common->threads),
        cli_option_profile(&typed->profile),
        { .name = "matrix",
          .argument = "FILE",
          .text = &typed->matrix,
          .help = "report on recorded counts: one line per item, one column per position" },
        cli_option_counts(&typed->counts),
        { .name = "statistics",
          .argument = "S",
          .text = &typed->statistics,
          .help =
              "names, separated by commas, of the statistics to test in addition to rank and position; or "
              "all, or none (all)" },
        { .name = "increments",
          .flag = &typed->increments,
          .help = "with a sample or --by seeds: also test the permutations that turn each result into the "
                  "next" },
    };

    cli_options_add(options, rows, sizeof rows / sizeof rows[0]);
}

static void report_options(struct report_typed *typed, struct cli_option options[])
{
    const struct cli_option rows[] = {
        { .name = "save",
          .argument = "FILE",
          .file = &typed->save,
          .help = "save the counts of the sample in FILE; you can report on FILE or resume the run later",
          .group = CLI_RUNS },
        cli_option_checkpoint(&typed->checkpoint),
        { .name = "resume",
          .argument = "FILE",
          .file = &typed->resume,
          .help = "resume the run saved in FILE and complete it",
          .group = CLI_RUNS },
        { .name = "shard",
          .argument = "K/M",
          .text = &typed->shard,
          .help = "with --save: divide the sample into M parts, and run only part K",
          .group = CLI_RUNS },
        { .name = "alpha",
          .argument = "A",
          .text = &typed->alpha,
          .help = "significance level of verdicts and intervals (0.001)" },
        cli_option_quiet(&typed->quiet),
        cli_option_help(),
    };

    report_test_options(typed, options);
    cli_options_add(options, rows, sizeof rows / sizeof rows[0]);
    cli_subject_options(&typed->subject, options);
    cli_outputs_options(&typed->outputs, options);
}

static int report_main(int argc, const char *argv[])
{
    struct report_typed typed = { .outputs = { .command = "report", .type = &sb_reports_result } };
    struct cli_option options[CLI_OPTIONS_MOST] = { { .name = NULL } };
    const struct cli_syntax syntax = {
        .command = "report",
        .arguments = "[OPTION ...] [SCHEME ...] | FILE | - | -- COMMAND [ARGUMENT ...]",
        .examples = report_examples,
        .options = options,
    };
    int status = EXIT_DONE;

    report_options(&typed, options);
    typed.subject.command = cli_command_split(&argc, argv);

    if (cli_options_read(&syntax, argc, argv, &status))
        status = report_read(argv + 1, &typed);
    cli_outputs_close(&typed.outputs);
    sb_saved_free(typed.saved);
    return status;
}

const struct cli_command_type cli_command_report = {
    .name = "report",
    .run = report_main,
    .example = { { "", "which built-in shuffles are biased" },
                 { "naive fisher-yates", "two of these shuffles in detail" } },
};
