/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias report: how biased shuffles are. */
#include "cli/cli.h"
#include "study/report/report_result.h"

#include <stdlib.h>
#include <string.h>

static const char report_examples[] =
    "  shufflebias report                               all shuffles at n = 3, and details of the biased "
    "ones\n"
    "  shufflebias report naive fisher-yates -n 4       two shuffles in detail\n"
    "  shufflebias report naive --by exact --format json\n"
    "  shufflebias report fisher-yates/modulo:4         with draws that are a 4-bit word modulo the bound\n"
    "  shufflebias report splice -n 52 --deal 5 --samples 1e7\n"
    "  shufflebias report fisher-yates/modulo/msvc-rand -n 8 --by seeds --seeds 0..65535\n"
    "  shufflebias report -- python3 shuffle.py          of a program that prints a permutation a line\n"
    "  shufflebias report --matrix counts.csv            of a matrix of counts, a line per item\n"
    "  shufflebias report naive --samples 1e11 --save naive.json\n"
    "  shufflebias report --resume naive.json            goes on, if that was interrupted\n"
    "  shufflebias report naive.json                     what is there so far\n"
    "  shufflebias report naive --samples 1e11 --shard 3/7 --save part3.json\n"
    "  shufflebias report naive --export json:naive.json --export csv:naive.csv\n";

/* The report's own options, as typed. */
struct report_typed {
    struct cli_common common;
    struct cli_subject subject;
    struct cli_outputs outputs;
    char *by, *seeds, *alpha, *statistics, *matrix, *profile, *save, *checkpoint, *resume, *shard;
    int counts, increments, quiet;
    struct sb_saved *saved; /* evidence that is picked up; owned; NULL: none */
};

static bool report_settle_by(const char *by, struct sb_options *options)
{
    if (!by)
        return true;
    if (strcmp(by, "exact") == 0)
        options->by = SB_BY_EXACT;
    else if (strcmp(by, "sample") == 0)
        options->by = SB_BY_SAMPLE;
    else if (strcmp(by, "both") == 0)
        options->by = SB_BY_EXACT | SB_BY_SAMPLE;
    else if (strcmp(by, "seeds") == 0)
        options->by = SB_BY_SEEDS;
    else
        cli_usage("report", "--by %s: use exact, sample or both, or seeds", by);
    return options->by;
}

/* A..B, both among the seeds. */
static bool report_settle_seeds(char *seeds, struct sb_options *options)
{
    char *const dots = seeds ? strstr(seeds, "..") : NULL;
    const uint64_t most = INT64_MAX - 1;
    uint64_t first, last;

    if (!seeds)
        return true;
    if (options->by != SB_BY_SEEDS) {
        cli_usage("report", "--seeds %s: only goes with --by seeds", seeds);
        return false;
    }
    if (!dots) {
        cli_usage("report", "--seeds %s: write the first and the last, as in 0..65535", seeds);
        return false;
    }
    *dots = '\0';
    if (!cli_number("report", "--seeds", seeds, 0, most, &first) ||
        !cli_number("report", "--seeds", dots + 2, first, most, &last))
        return false;
    options->seeds_first = first;
    options->seeds_count = last - first + 1;
    return true;
}

/* K/M: the K-th of M parts. */
static bool report_settle_shard(const char *shard, struct sb_options *options)
{
    const char *const slash = shard ? strchr(shard, '/') : NULL;
    const uint64_t most = 1000000;
    uint64_t part, parts;
    char number[16];

    if (!shard)
        return true;
    snprintf(number, sizeof number, "%.*s", slash ? (int)(slash - shard) : 0, shard);
    if (slash && cli_number_is(slash + 1, 1, most, &parts) && cli_number_is(number, 1, parts, &part)) {
        options->shard = (unsigned)part;
        options->shards = (unsigned)parts;
        return true;
    }
    cli_usage("report", "--shard %s: must be K/M, the part K from 1 to M of M parts, as in 3/7; %llu at most",
              shard, (unsigned long long)most);
    return false;
}

/* Makes the reports on the saved evidence, the recorded matrix or the subject that stands outside, or on the
 * schemes where all these are NULL. */
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
        subject->overheard = cli_overheard;
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

    options->stop = cli_stop_flag(); /* before there is a file to be left behind */
    status = cli_outputs_open(&typed->outputs);
    if (status == EXIT_DONE && cli_outputs_over(&typed->outputs, evidence))
        status = cli_usage("report", "'%s' is the evidence, and cannot take the %s: name another file",
                           evidence, cli_outputs_over(&typed->outputs, evidence)->format);
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
    status = cli_outputs_write(&typed->outputs, reports);
    if (status == EXIT_DONE && sb_reports_interrupted(reports))
        status = cli_resumable("report", options->save);
    sb_reports_free(reports);
    return status;
}

/* Puts what was typed into the options of the library; false after a line about what is wrong. */
static bool report_settle(const struct report_typed *typed, enum cli_kind kind, struct sb_options *options)
{
    struct cli_common common = typed->common;

    if (kind == CLI_OUTSIDE)
        common.n = common.deal = NULL; /* the subject's own */
    if (!cli_common_settle("report", &common, options) || !report_settle_by(typed->by, options) ||
        !report_settle_seeds(typed->seeds, options) || !report_settle_shard(typed->shard, options) ||
        (typed->alpha && !cli_alpha("report", "--alpha", typed->alpha, &options->alpha)))
        return false;
    if (kind == CLI_OUTSIDE && options->by && options->by != SB_BY_SAMPLE) {
        cli_usage("report", "--by %s: only goes with a scheme", typed->by);
        return false;
    }
    if (typed->increments && options->by && !(options->by & SB_BY_SAMPLE)) {
        cli_usage("report", "--increments: are those of a sample: leave --by %s out", typed->by);
        return false;
    }
    options->counts = typed->counts;
    options->increments = options->increments || typed->increments;
    options->profile = typed->profile ? typed->profile : options->profile;
    options->save = typed->resume ? typed->resume : typed->save;
    if (typed->statistics)
        options->statistics = strcmp(typed->statistics, "all") == 0    ? NULL
                              : strcmp(typed->statistics, "none") == 0 ? ""
                                                                       : typed->statistics;
    if (typed->checkpoint && !options->save) {
        cli_usage("report", "--checkpoint %s: only goes with --save or --resume", typed->checkpoint);
        return false;
    }
    if (typed->shard && !options->save && !typed->saved) {
        cli_usage("report", "--shard %s: a part is saved, to be merged with the others: add --save",
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

/* Whether nothing was typed that does not go with a recorded matrix; else false after a line about it. */
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
        cli_usage("report", "--matrix %s: is all there is to report on, so leave %s out", typed->matrix,
                  misplaced);
    return !misplaced;
}

/* The file of saved evidence that is to be reported on; NULL if there is none. */
static const char *report_saved_file(const struct report_typed *typed, const char *const words[])
{
    if (typed->resume)
        return typed->resume;
    return !typed->subject.command && !typed->subject.input && words && words[0] && !words[1] &&
                   sb_saved_is(words[0])
               ? words[0]
               : NULL;
}

/* Whether nothing was typed that does not go with saved evidence; else false after a line about it. */
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

/* Reports on saved evidence, which is gone on from with --resume. What was typed must not mean another run.
 */
static int report_pick_up(const char *file, const char *const words[], struct report_typed *typed)
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
        return report_pick_up(saved, words, typed);
    const enum cli_kind kind = cli_subject_settle("report", &typed->subject, &typed->common, words, &subject);

    sb_options_init(&options);
    if (typed->matrix)
        options.n = UINT16_MAX; /* the matrix has its own n, and --deal is up to that */
    if (kind == CLI_NOTHING || !report_settle(typed, kind, &options))
        return EXIT_USAGE;
    return report_run(words, typed, kind == CLI_OUTSIDE ? &subject : NULL, &options);
}

int cli_report(int argc, const char *argv[])
{
    struct report_typed typed = { .outputs = { .command = "report", .type = &sb_reports_result } };
    struct cli_common *const common = &typed.common;
    struct cli_option options[CLI_OPTIONS_MOST] = {
        { NULL, 'n', "items, 0 to 65535 (3)", "N", .text = &common->n },
        { "deal", 0, "cards dealt of the N (all)", "K", .text = &common->deal },
        { "samples", 0,
          "shuffles per scheme (about a second's work); of a stream the most to read (2,000,000)", "M",
          .text = &common->samples },
        { "seed", 0, "of the generator (1)", "SEED", .text = &common->seed },
        { "draw", 0, "how draws are made, if a scheme does not say (ideal)", "DRAW", .text = &common->draw },
        { "rng", 0, "the generator, if a scheme does not say (philox)", "RNG", .text = &common->rng },
        { "by", 0, "exact, sample, both (where the exact law can be had), or seeds", "KIND",
          .text = &typed.by },
        { "seeds", 0, "with --by seeds: the first and the last to try (all of the generator)", "A..B",
          .text = &typed.seeds },
        { "threads", 0, "results do not depend on it (all processors)", "T", .text = &common->threads },
        { "profile", 0, "cards: more statistics, of 52 playing cards in the order of a new deck", "PROFILE",
          .text = &typed.profile },
        { "matrix", 0, "report on counts that were recorded: a line per item, a column per position", "FILE",
          .text = &typed.matrix },
        { "counts", 0, "list all counts above 8 items too, in JSON", NULL, .flag = &typed.counts },
        { "statistics", 0,
          "what a sample is tested by beside rank and position: all, none or names with commas (all)", "S",
          .text = &typed.statistics },
        { "increments", 0, "test a sample's steps from one permutation to the next, too", NULL,
          .flag = &typed.increments },
        { "save", 0, "save the sample in FILE, to report on it or to go on from it", "FILE",
          .file = &typed.save },
        { "checkpoint", 0, "with --save and --resume: save every S seconds, and at the end (60)", "S",
          .text = &typed.checkpoint },
        { "resume", 0, "go on with the run that FILE has saved, to its end", "FILE", .file = &typed.resume },
        { "shard", 0, "with --save: only the Kth of M parts of the sample", "K/M", .text = &typed.shard },
        { "alpha", 0, "level of verdicts and intervals (0.001)", "A", .text = &typed.alpha },
        { "quiet", 0, "no progress line", NULL, .flag = &typed.quiet },
        { "help", 'h', "show this", NULL, .text = NULL },
        { .name = NULL },
    };
    const struct cli_syntax syntax = { "report",
                                       "[OPTION ...] [SCHEME ...] | FILE | - | -- COMMAND [ARGUMENT ...]",
                                       report_examples, options };
    int status = EXIT_DONE;

    cli_subject_options(&typed.subject, options);
    cli_outputs_options(&typed.outputs, options);
    typed.subject.command = cli_command_split(&argc, argv);

    if (cli_options_read(&syntax, argc, argv, &status))
        status = report_read(argv + 1, &typed);
    cli_outputs_close(&typed.outputs);
    sb_saved_free(typed.saved);
    return status;
}
