/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias report: how biased shuffles are. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { REPORT_EXPORT = 'x' };

static const char report_examples[] =
    "  shufflebias report                               all shuffles at n = 3, and details of the biased "
    "ones\n"
    "  shufflebias report naive fisher-yates -n 4       two shuffles in detail\n"
    "  shufflebias report naive --by exact --format json\n"
    "  shufflebias report fisher-yates/modulo:4         with draws that are a 4-bit word modulo the bound\n"
    "  shufflebias report splice -n 52 --deal 5 --samples 1e7\n"
    "  shufflebias report fisher-yates/modulo/msvc-rand -n 8 --by seeds --seeds 0..65535\n"
    "  shufflebias report naive --export json:naive.json --export csv:naive.csv\n";

/* The report's own options, as typed. */
struct report_typed {
    struct cli_common common;
    struct cli_outputs outputs;
    char *by, *seeds, *alpha;
    int counts, quiet;
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

static enum sb_status report_write(const void *reports, const char *format, const struct sb_look *look,
                                   struct sb_error *error, FILE *stream)
{
    return sb_reports_write(reports, format, look, error, stream);
}

static int report_run(const char *schemes[], struct report_typed *typed, struct sb_options *options)
{
    struct cli_progress_state progress;
    struct sb_error error = { 0 };
    struct sb_reports *reports = NULL;
    size_t schemes_count = 0;
    int status;

    options->stop = cli_stop_flag(); /* before there is a file to be left behind */
    status = cli_outputs_open(&typed->outputs);
    while (schemes && schemes[schemes_count])
        schemes_count++;
    if (status == EXIT_DONE) {
        cli_progress_begin(typed->quiet, &progress);
        options->progress = cli_progress;
        options->progress_state = &progress;
        const enum sb_status made = sb_reports_new(schemes, schemes_count, options, &error, &reports);
        cli_progress_end(&progress);
        status =
            made ? cli_failed("report", &error) : cli_outputs_write(&typed->outputs, reports, report_write);
        if (status == EXIT_DONE && sb_reports_interrupted(reports))
            status = EXIT_INTERRUPTED;
    }
    sb_reports_free(reports);
    return status;
}

static int report_read(poptContext context, const struct cli_syntax *syntax, struct report_typed *typed,
                       struct sb_options *options)
{
    int status = EXIT_DONE, option;

    while ((option = cli_next_option(context, syntax, &status)) >= 0)
        if (!cli_outputs_export(&typed->outputs, poptGetOptArg(context)))
            return EXIT_USAGE;
    if (option == -2)
        return status;
    if (!cli_common_settle("report", &typed->common, options) || !report_settle_by(typed->by, options) ||
        !report_settle_seeds(typed->seeds, options) ||
        (typed->alpha && !cli_alpha("report", typed->alpha, &options->alpha)))
        return EXIT_USAGE;
    options->counts = typed->counts;
    return report_run(poptGetArgs(context), typed, options);
}

int cli_report(int argc, const char *argv[])
{
    struct report_typed typed = { .outputs = { .command = "report", .known = sb_format_known } };
    struct cli_common *const common = &typed.common;
    const struct poptOption options[] = {
        { NULL, 'n', POPT_ARG_STRING, &common->n, CLI_TEXT, "items, 0 to 65535 (3)", "N" },
        { "deal", 0, POPT_ARG_STRING, &common->deal, CLI_TEXT, "cards dealt of the N (all)", "K" },
        { "samples", 0, POPT_ARG_STRING, &common->samples, CLI_TEXT,
          "shuffles per scheme (about a second's work)", "M" },
        { "seed", 0, POPT_ARG_STRING, &common->seed, CLI_TEXT, "of the generator (1)", "SEED" },
        { "draw", 0, POPT_ARG_STRING, &common->draw, CLI_TEXT,
          "how draws are made, if a scheme does not say (ideal)", "DRAW" },
        { "rng", 0, POPT_ARG_STRING, &common->rng, CLI_TEXT,
          "the generator, if a scheme does not say (philox)", "RNG" },
        { "by", 0, POPT_ARG_STRING, &typed.by, CLI_TEXT,
          "exact, sample, both (where the exact law can be had), or seeds", "KIND" },
        { "seeds", 0, POPT_ARG_STRING, &typed.seeds, CLI_TEXT,
          "with --by seeds: the first and the last to try (all of the generator)", "A..B" },
        { "threads", 0, POPT_ARG_STRING, &common->threads, CLI_TEXT,
          "results do not depend on it (all processors)", "T" },
        { "counts", 0, POPT_ARG_NONE, &typed.counts, 0, "list all counts above 8 items too, in JSON", NULL },
        { "alpha", 0, POPT_ARG_STRING, &typed.alpha, CLI_TEXT, "level of verdicts and intervals (0.001)",
          "A" },
        { "format", 0, POPT_ARG_STRING, &typed.outputs.format, CLI_TEXT, "text, markdown, json or csv (text)",
          "FORMAT" },
        { NULL, 'o', POPT_ARG_STRING, &typed.outputs.file, CLI_TEXT,
          "write to FILE and not to standard output", "FILE" },
        { "export", 0, POPT_ARG_STRING, NULL, REPORT_EXPORT, "also write this format there; repeatable",
          "FORMAT:FILE" },
        { "quiet", 0, POPT_ARG_NONE, &typed.quiet, 0, "no progress line", NULL },
        { "help", CLI_HELP, POPT_ARG_NONE, NULL, CLI_HELP, "show this", NULL },
        POPT_TABLEEND,
    };
    const struct cli_syntax syntax = { "report", "[OPTION ...] [SCHEME ...]", report_examples, options };
    poptContext context = poptGetContext(NULL, argc, argv, options, 0);
    struct sb_options settled;
    int status;

    sb_options_init(&settled);
    status = report_read(context, &syntax, &typed, &settled);
    poptFreeContext(context);
    cli_outputs_close(&typed.outputs);
    cli_texts_free(options);
    return status;
}
