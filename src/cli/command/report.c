/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias report: how biased shuffles are. */
#include "cli/cli.h"
#include "study/report/report_result.h"
#include "study/results.h"

#include <stdlib.h>
#include <string.h>

/* What is to be reported on: saved evidence, a subject outside the library, or else the schemes or the matrix of the
 * line. */
struct report_of {
    const char *saved;          /* a file of evidence; NULL: no saved evidence */
    struct sb_subject *subject; /* NULL: no subject outside the library */
};

static enum sb_status report_make(const struct cli_line *line, const struct report_of *of, struct sb_error *error,
                                  struct sb_reports **reports)
{
    const struct sb_request *const options = &line->request;

    if (of->saved)
        return sb_reports_saved(of->saved, options->save ? line->words[0] : NULL, options, error, reports);
    if (options->matrix)
        return sb_reports_recorded(options->matrix, options, error, reports);
    if (of->subject) {
        of->subject->overheard = cli_stderr_relay;
        of->subject->overheard_state = options->progress_state;
        return sb_reports_observe(of->subject, options, error, reports);
    }
    return sb_reports_new(line->words, cli_words_count(line->words), options, error, reports);
}

static int report_on(struct cli_line *line, const struct report_of *of)
{
    struct sb_request *const options = &line->request;
    const char *const input = of->subject ? of->subject->file : options->matrix;
    struct sb_error error = { 0 };
    struct sb_reports *reports = NULL;
    int status = cli_begin(line);

    if (status == EXIT_DONE)
        status = cli_outputs_spare(
            &line->outputs, (const struct cli_spared[]) { { of->saved ? of->saved : options->save, "the evidence" },
                                                          { input, "the input" },
                                                          { NULL, NULL } });
    if (status)
        return status;
    options->ranks = cli_ranks_new();
    const enum sb_status made = report_make(line, of, &error, &reports);

    cli_ranks_free(options->ranks);
    cli_progress_end(&line->progress);
    if (made && of->saved)
        return cli_failed("report", &error);
    if (made)
        return cli_subject_failed("report", line->words, &error);
    cli_flags_reports(reports);
    if (of->subject)
        cli_subject_note(line, !reports->interrupted && options->samples != reports->report[0].evidence.total,
                         reports->report[0].evidence.total);
    status = cli_outputs_write(&line->outputs, reports);
    if (status == EXIT_DONE && reports->interrupted)
        status = cli_resumable("report", options->save);
    sb_reports_free(reports);
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

/* Returns whether all options can be used with a recorded matrix. If not, prints a line about the
 * argument that cannot be used. */
static bool report_matrix_alone(const struct cli_line *line)
{
    static const char *const options[] = {
        "n", "samples", "by", "statistics", "profile", "increments", "save", "shard"
    };
    const char *misplaced = line->words[0] ? line->words[0] : line->program ? "the command" : NULL, *option = NULL;

    for (size_t i = 0; !option && i < sizeof options / sizeof options[0]; i++)
        option = sb_request_given(&line->request, options[i]) ? options[i] : NULL;
    for (int scheme = 1; !option && scheme >= 0; scheme--)
        option = cli_subject_misplaced(&line->request, scheme);
    return (!misplaced && !option) ||
           cli_refuse("report", "--matrix %s: the report is on this matrix alone: leave %s%s out", line->request.matrix,
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
    const struct cli_named named = { .words = line->words, .program = line->program };
    struct sb_subject subject;

    if (request->matrix && !report_matrix_alone(line))
        return EXIT_USAGE;
    const char *const named_file = cli_evidence_named(line);
    const bool resumes = !named_file && sb_saved_resumes(request->save);
    const char *const saved = resumes ? request->save : named_file;

    if (saved)
        return report_saved_alone(line, saved, resumes) && report_settle(request, true, false)
                   ? report_on(line, &(struct report_of) { .saved = saved })
                   : EXIT_USAGE;
    const enum cli_kind kind = cli_subject_settle("report", &named, request, &subject);

    if (request->matrix)
        request->n = UINT16_MAX; /* the matrix has its own n, which limits --deal */
    if (kind == CLI_NOTHING || !report_settle(request, false, kind == CLI_OUTSIDE))
        return EXIT_USAGE;
    return report_on(line, &(struct report_of) { .subject = kind == CLI_OUTSIDE ? &subject : NULL });
}
