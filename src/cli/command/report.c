/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias report: how biased shuffles are. */
#include "cli/cli.h"
#include "study/report/report_result.h"

/* Makes and writes the report; `saved` is the file of evidence whose run is reported on or resumed, or NULL. */
static int report_on(struct cli_line *line, const char *saved)
{
    struct sb_request *const options = &line->request;
    const char *const input = options->matrix ? options->matrix : options->counts ? options->counts : line->call.file;
    struct sb_error error = { 0 };
    int status = cli_begin(line);

    if (status == EXIT_DONE)
        status = cli_outputs_spare(&line->outputs,
                                   (const struct cli_spared[]) { { saved ? saved : options->save, "the evidence" },
                                                                 { input, "the input" },
                                                                 { NULL, NULL } });
    if (status)
        return status;
    options->ranks = cli_ranks_new();
    struct sb_result *const result = sb_call_run(options, &error);

    cli_ranks_free(options->ranks);
    cli_progress_end(&line->progress);
    if (!result)
        return saved ? cli_failed("report", &error) : cli_subject_failed("report", line->words, &error);
    struct sb_reports *const reports = result->reports;

    cli_flags_reports(reports);
    if (line->program)
        cli_subject_note(line, !reports->interrupted && options->samples != reports->report[0].evidence.total,
                         reports->report[0].evidence.total);
    status = cli_outputs_write(&line->outputs, reports);
    if (status == EXIT_DONE && reports->interrupted)
        status = cli_resumable("report", options->save);
    sb_result_free(result);
    return status;
}

/* Checks the options of saved runs. If an option is wrong, prints a line and returns false. */
static bool report_check_saving(const struct sb_request *request, bool saved, bool outside)
{
    const char *const save = request->save;
    const char *const checkpoint = sb_request_given(request, "checkpoint");
    const char *const shard = sb_request_given(request, "shard");

    if (checkpoint && !save)
        return cli_refuse("report", "--checkpoint %s: only goes with --save", checkpoint);
    if (shard && !save && !saved)
        return cli_refuse(
            "report", "--shard %s: a part must be saved, so that it can be merged with the others: add --save", shard);
    if (outside && save)
        return cli_refuse("report", "--save %s: only goes with a scheme", save);
    return true;
}

/* Reads the texts of the options. If an option is wrong, prints a line and returns false. */
static bool report_settle(struct sb_request *request, bool saved, bool outside)
{
    const char *const by = sb_request_given(request, "by"), *const seeds = sb_request_given(request, "seeds");

    if (saved ? !cli_settle_within("report", request, "n", 0, UINT16_MAX) ||
                    !cli_settle_within("report", request, "deal", 1, UINT16_MAX)
              : !outside && !cli_settle_items("report", request, !request->matrix))
        return false;
    if (seeds && (!by || strcmp(by, "seeds") != 0))
        return cli_refuse("report", "--seeds %s: only goes with --by seeds", seeds);
    if (outside && by && request->by != SB_BY_SAMPLE)
        return cli_refuse("report", "--by %s: only goes with a scheme", by);
    if (sb_request_given(request, "increments") && by && !(request->by & (SB_BY_SAMPLE | SB_BY_SEEDS)))
        return cli_refuse("report", "--increments needs a sample or seeds: drop --by %s", by);
    return report_check_saving(request, saved, outside);
}

/* Returns whether all options can be used with a recorded matrix or a table of counts. If not, prints a line about the
 * argument that cannot be used. */
static bool report_table_alone(const struct cli_line *line)
{
    /* the last ones can be used with a table of counts */
    static const char *const options[] = { "samples", "by",    "profile", "increments", "save",
                                           "shard",   "seeds", "counts",  "n",          "statistics" };
    enum { COUNTED = 2 };
    const char *const matrix = line->request.matrix;
    const size_t count = sizeof options / sizeof options[0] - (matrix ? 0 : COUNTED + 1);
    const char *misplaced = line->words[0] ? line->words[0] : line->program ? "the command" : NULL, *option = NULL;

    for (size_t i = 0; !option && i < count; i++)
        option = sb_request_given(&line->request, options[i]) ? options[i] : NULL;
    for (int scheme = 1; !option && scheme >= 0; scheme--)
        option = cli_subject_misplaced(&line->request, scheme);
    return (!misplaced && !option) ||
           cli_refuse("report", "--%s %s: the report is on this %s alone: leave %s%s out", matrix ? "matrix" : "counts",
                      matrix ? matrix : line->request.counts, matrix ? "matrix" : "table",
                      misplaced                  ? ""
                      : strcmp(option, "n") == 0 ? "-"
                                                 : "--",
                      misplaced ? misplaced : option);
}

/* Returns whether all arguments can be used with saved evidence, which the line names, or if `resumes` is true,
 * resumes. If not, prints a line about the argument that cannot be used. */
static bool report_saved_alone(const struct cli_line *line, const char *file, bool resumes)
{
    const char *const option = cli_subject_misplaced(&line->request, false);
    const char *const misplaced = line->program                               ? "the command"
                                  : line->request.save && !resumes            ? "--save"
                                  : sb_request_given(&line->request, "seeds") ? "--seeds"
                                  : line->words[0]                            ? line->words[1]
                                                                              : NULL;

    return (!misplaced && !option) || cli_refuse("report", "'%s' is saved evidence of one scheme: leave %s%s out", file,
                                                 misplaced ? "" : "--", misplaced ? misplaced : option);
}

int cli_report_run(struct cli_line *line)
{
    struct sb_request *const request = &line->request;

    if ((request->matrix || request->counts) && !report_table_alone(line))
        return EXIT_USAGE;
    request->evidence = cli_evidence_named(line);
    const bool resumes = !request->evidence && sb_saved_resumes(request->save);
    const char *const saved = resumes ? request->save : request->evidence;

    if (saved)
        return report_saved_alone(line, saved, resumes) && report_settle(request, true, false) ? report_on(line, saved)
                                                                                               : EXIT_USAGE;
    const enum cli_kind kind = cli_subject_settle("report", request);

    if (request->matrix)
        request->n = UINT16_MAX; /* the matrix has its own n, which limits --deal */
    if (request->counts)
        return cli_settle_within("report", request, "n", 2, UINT16_MAX) &&
                       cli_settle_within("report", request, "deal", 1, UINT16_MAX)
                   ? report_on(line, NULL)
                   : EXIT_USAGE;
    if (kind == CLI_NOTHING || !report_settle(request, false, kind == CLI_OUTSIDE))
        return EXIT_USAGE;
    return report_on(line, NULL);
}
