/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias gate: tests any shuffle, and answers with an exit status. */
#include "cli/cli.h"
#include "core/text.h"
#include "report/page.h"
#include "study/gate/gate_page.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/*
 * ---- GitHub's workflows ----
 *
 * Annotations go to standard error, because standard output may hold a report, and GitHub's runner reads both
 * streams. A table for the job's page is appended to the file that GITHUB_STEP_SUMMARY names; GitHub accepts 1 MiB
 * from one step.
 */
struct gate_github {
    bool wanted;   /* --github */
    FILE *summary; /* the file for the summary on the job's page; NULL: no summary */
};

enum { GITHUB_SUMMARY_MOST = 1 << 20 }; /* the most bytes of the file */

static int github_failed(const char *path, int number)
{
    cli_usage("gate", "cannot write the summary '%s': %s", path ? path : "", strerror(number));
    return EXIT_BROKEN;
}

static int github_open(struct gate_github *github)
{
    const char *const path = getenv("GITHUB_STEP_SUMMARY");

    if (!github->wanted || !path || !*path)
        return EXIT_DONE;
    github->summary = fopen(path, "a");
    if (!github->summary)
        return github_failed(path, errno);
    /* commands under test must not inherit the descriptor */
    fcntl(fileno(github->summary), F_SETFD, FD_CLOEXEC);
    return EXIT_DONE;
}

/* Appends a text to the summary, if the file does not become too long. */
static int github_add(struct gate_github *github, const char text[], size_t length)
{
    struct stat there;

    if (fstat(fileno(github->summary), &there) == 0 && there.st_size + (off_t)length >= GITHUB_SUMMARY_MOST) {
        cli_usage("gate", "the summary is longer than the 1 MiB that GitHub accepts, and was not written");
        return EXIT_DONE;
    }
    errno = 0;
    const bool well = fwrite(text, 1, length, github->summary) == length && fflush(github->summary) == 0;

    return well ? EXIT_DONE : github_failed(getenv("GITHUB_STEP_SUMMARY"), errno ? errno : EIO);
}

static int github_write(struct gate_github *github, const struct sb_suite *suite)
{
    struct sb_error error = { 0 };
    char *text = NULL;
    size_t length = 0;
    int status = EXIT_DONE;

    if (!github->wanted)
        return EXIT_DONE;
    if (sb_result_write(&sb_suite_result, suite, "github", NULL, &error, stderr))
        return cli_failed("gate", &error);
    if (!github->summary)
        return EXIT_DONE;
    if (sb_result_text(&sb_suite_result, suite, "github-summary", NULL, &error, &text, &length))
        return github_failed(NULL, ENOMEM);
    status = github_add(github, text, length);
    sb_text_free(text);
    return status;
}

static void github_close(struct gate_github *github)
{
    if (github->summary)
        fclose(github->summary);
    github->summary = NULL;
}

/* The gate's line, and what belongs to it. */
struct gate_line {
    struct cli_line *line;
    struct gate_github github;
    const char *evidence; /* the file to which evidence is saved, or which is judged; NULL: no file */
    bool resumes;         /* whether the run of that file continues */
};

/* ---- what the gate prints on standard error while it runs ---- */

/* Prints a line of the program under test. */
static void gate_overhears(void *state, const char *line)
{
    const struct cli_case *const one = state;
    char name[256];

    if (!one->name) {
        cli_stderr_relay(one->progress, line);
        return;
    }
    cli_progress_end(one->progress);
    sb_sanitize_log_text(one->name, name, sizeof name);
    fprintf(stderr, "subject %s: %s\n", name, line);
}

/* Prints the verdict of a suite's subject. */
static void gate_finishes(void *state, const struct sb_suite_item *item)
{
    const struct cli_case *const one = state;

    cli_progress_end(one->progress);
    if (!item->gate && item->error.status == SB_STOPPED)
        return; /* Ctrl-C came before its first permutation */
    if (!item->gate) {
        char *const typed = cli_flags(item->error.text);

        cli_usage("gate", "%s: BROKEN: %s", item->name, typed ? typed : item->error.text);
        free(typed);
        return;
    }
    /* the sentence begins "PASS after 4,404 permutations: " */
    cli_usage("gate", "%s: %.*s", item->name, (int)strcspn(item->gate->sentence, ":"), item->gate->sentence);
}

/* ---- the verdict ---- */

/* Returns whether the command only shows loaded evidence and does not resume the run. */
static bool gate_looks(const struct gate_line *gate)
{
    return gate->line->request.evidence;
}

/* Returns whether a format can represent a subject that failed to deliver permutations. */
static bool gate_reports_broken(const char *format)
{
    return strcmp(format, "junit") == 0 || strcmp(format, "tap") == 0;
}

/* Returns the exit status for the verdicts. If the command only shows saved evidence, an interruption of the
 * saved run does not affect the exit status. */
static int gate_status(const struct gate_line *gate, const struct sb_suite *suite)
{
    static const int status[] = {
        [SB_VERDICT_INCONCLUSIVE] = EXIT_INCONCLUSIVE,
        [SB_VERDICT_PASS] = EXIT_DONE,
        [SB_VERDICT_FAIL] = EXIT_BIASED,
        [SB_VERDICT_BROKEN] = EXIT_BROKEN,
    };

    return sb_suite_interrupted(suite) && !gate_looks(gate) ? EXIT_INTERRUPTED : status[sb_suite_verdict(suite)];
}

/*
 * Writes the findings and returns the exit status. If there is only one subject and it failed to yield
 * permutations, the function prints a line on standard error, and writes only the formats that can represent
 * the failure. In a suite the failure is one of the findings. `limit` is the limit of the only subject.
 */
static int gate_report(const char *const words[], struct gate_line *gate, uint64_t limit, const struct sb_suite *suite)
{
    const bool single = !gate->line->request.suite;
    const struct sb_suite_item *const only = &suite->item[0];
    int status = gate_status(gate, suite);

    if (single && !only->gate) {
        struct sb_error error = only->error;

        status = cli_subject_failed("gate", words, &error);
        if (status != EXIT_BROKEN)
            return status;
        cli_outputs_keep(&gate->line->outputs, gate_reports_broken);
    }
    if (single && only->gate) /* a gate without a verdict has read what there is, up to its limit */
        cli_subject_note(gate->line,
                         only->gate->verdict == SB_VERDICT_INCONCLUSIVE && !only->gate->interrupted &&
                             only->gate->total != limit,
                         only->gate->total);
    const int written = cli_outputs_write(&gate->line->outputs, suite);
    const int told = written ? EXIT_DONE : github_write(&gate->github, suite);

    return written ? written : told ? told : status;
}

/* ---- the run ---- */

/* Sets the subjects' callbacks and tests the subjects. */
static int gate_try(const char *const words[], struct gate_line *gate, struct cli_case cases[], size_t count)
{
    const struct sb_request *const request = &gate->line->request;
    const unsigned jobs = request->jobs;
    struct cli_progress_state *const progress = &gate->line->progress;
    struct sb_suite_case *const asked = calloc(count, sizeof *asked);
    struct sb_error error = { 0 };
    struct sb_suite *suite = NULL;

    if (!asked)
        return cli_usage("gate", "not enough memory for a suite"), EXIT_BROKEN;
    cli_progress_begin(request->quiet || jobs > 1, progress);
    for (size_t i = 0; i < count; i++) {
        struct cli_case *const one = &cases[i];

        one->progress = progress;
        one->subject.overheard = gate_overhears;
        one->subject.overheard_state = one;
        one->request.stop = cli_stop_flag();
        one->request.progress = jobs > 1 ? NULL : cli_progress;
        one->request.progress_state = one->request.bound_state = progress;
        one->request.bound = one->request.progress ? cli_progress_bound : NULL;
        asked[i] = (struct sb_suite_case) {
            .name = one->name,
            .subject = &one->subject,
            .options = &one->request,
            .finished = request->suite && !request->quiet ? gate_finishes : NULL,
            .finished_state = one,
        };
    }
    const enum sb_status made = sb_suite_new(asked, count, jobs, &error, &suite);

    cli_progress_end(progress);
    if (!made)
        cli_flags_suite(suite);
    const int status =
        made ? cli_subject_failed("gate", words, &error) : gate_report(words, gate, cases[0].request.limit, suite);

    sb_suite_free(suite);
    free(asked);
    return status == EXIT_INTERRUPTED ? cli_resumable("gate", cases[0].request.save) : status;
}

/* Opens all outputs, then tests the subjects. */
static int gate_open(const char *const words[], struct gate_line *gate, struct cli_case cases[], size_t count)
{
    const struct sb_request *const request = &gate->line->request;
    struct cli_outputs *const outputs = &gate->line->outputs;
    int status = cli_outputs_open(outputs, request);
    char lock[PATH_MAX];

    if (snprintf(lock, sizeof lock, "%s.lock", request->ledger ? request->ledger : "") >= (int)sizeof lock)
        lock[0] = '\0'; /* no file can have a longer name */
    if (status == EXIT_DONE)
        status = cli_outputs_spare(
            outputs, (const struct cli_spared[]) { { request->ledger, "the ledger" },
                                                   { request->ledger ? lock : NULL, "a file of the ledger" },
                                                   { gate->evidence, "the evidence" },
                                                   { request->suite, "the suite" },
                                                   { NULL, NULL } });
    for (size_t i = 0; status == EXIT_DONE && (i == 0 || i < count); i++) /* there is at least one case */
        status = cli_outputs_spare(
            outputs, (const struct cli_spared[]) { { cases[i].subject.file, "the input" }, { NULL, NULL } });
    if (status == EXIT_DONE)
        status = github_open(&gate->github);
    return status ? status : gate_try(words, gate, cases, count);
}

/* ---- the arguments ---- */

/* Tests the one subject that the line names. */
static int gate_single(struct gate_line *gate, struct cli_case *only)
{
    static const char *const none[] = { NULL };
    const struct cli_line *const line = gate->line;
    const char *const *const words = gate_looks(gate) ? none : line->words;
    const struct cli_named named = { .words = words, .program = line->program };
    const char *const missing = gate_looks(gate) || gate->resumes
                                    ? NULL
                                    : "name what to test: '-- COMMAND', a file, '-' for standard input, or a scheme";

    if (!cli_subject_one("gate", &named, &only->request, &only->subject, missing))
        return EXIT_USAGE;
    return gate_open(words, gate, only, 1);
}

/* Tests the subjects of a suite file. */
static int gate_suite(struct gate_line *gate)
{
    const struct cli_line *const line = gate->line;
    struct cli_suite suite;

    if (line->words[0])
        return cli_usage("gate", "one or the other: leave '%s' or --suite out", line->words[0]);
    if (line->program)
        return cli_usage("gate", "one or the other: leave the command or --suite out");
    int status = cli_suite_open(line->request.suite, &line->request, &suite);

    if (status == EXIT_DONE)
        status = gate_open(NULL, gate, suite.cases, suite.count);
    cli_suite_close(&suite);
    return status;
}

/* Finds the evidence that the line names, whose run gives the subject and the options; returns the exit status. */
static int gate_find(struct gate_line *gate)
{
    struct sb_request *const request = &gate->line->request;
    const char *const named = request->suite ? NULL : cli_evidence_named(gate->line);
    const char *const checkpoint = sb_request_given(request, "checkpoint");

    gate->resumes = !named && sb_saved_resumes(request->save);
    gate->evidence = named ? named : request->save;
    request->evidence = named;
    if (named && request->save)
        return cli_usage("gate", "'%s' is saved evidence: leave --save out", named);
    if (named && request->ledger)
        return cli_usage("gate", "--ledger %s: a ledger is for runs, and '%s' is only judged: leave --ledger out",
                         request->ledger, named);
    if (checkpoint && !request->save)
        return cli_usage("gate", "--checkpoint %s: only goes with --save", checkpoint);
    return EXIT_DONE;
}

static int gate_read(struct gate_line *gate)
{
    struct sb_request *const request = &gate->line->request;
    const char *const jobs = sb_request_given(request, "jobs");
    struct cli_case only = { .name = NULL };

    if (request->suite && request->save)
        return cli_usage("gate", "--save %s: cannot be used with --suite, which tests several subjects", request->save);
    if (request->ledger && (!request->ledger[0] || strcmp(request->ledger, "-") == 0))
        return cli_usage("gate", "--ledger '%s': a ledger must be a regular file: name one", request->ledger);
    const int status = gate_find(gate);

    if (status)
        return status;
    if (jobs && !request->suite)
        return cli_usage("gate", "--jobs %s: only goes with --suite", jobs);
    if (request->suite)
        return gate_suite(gate);
    only.request = *request;
    return gate_single(gate, &only);
}

int cli_gate_run(struct cli_line *line)
{
    struct gate_line gate = { .line = line, .github.wanted = line->request.github };
    const int status = gate_read(&gate);

    github_close(&gate.github);
    return status;
}
