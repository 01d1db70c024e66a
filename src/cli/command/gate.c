/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias gate: tests any shuffle, and answers with an exit status. */
#include "cli/cli.h"
#include "core/text.h"
#include "study/gate/gate_page.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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

/* Prints a line of a suite's program. */
static void gate_overhears(void *state, const char *line)
{
    const struct sb_request *const request = state;
    char name[256];

    cli_progress_end(request->progress_state);
    sb_sanitize_log_text(request->call->name, name, sizeof name);
    fprintf(stderr, "subject %s: %s\n", name, line);
}

/* Prints the verdict of a suite's subject. */
static void gate_finishes(void *state, const struct sb_suite_item *item)
{
    cli_progress_end(state);
    if (!item->gate && item->error.status == SB_STOPPED)
        return; /* Ctrl-C came before its first permutation */
    if (!item->gate) {
        char *const typed = cli_flags(item->error.text);

        cli_usage("gate", "%s: BROKEN: %s", item->name, typed ? typed : item->error.text);
        free(typed);
        return;
    }
    cli_usage("gate", "%s: %s", item->name, item->gate->sentence);
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
 * the failure. In a suite the failure is one of the findings.
 */
static int gate_report(struct gate_line *gate, const struct sb_suite *suite)
{
    const struct sb_request *const request = &gate->line->request;
    const bool single = !request->suite;
    const struct sb_suite_item *const only = &suite->item[0];
    int status = gate_status(gate, suite);

    if (single && !only->gate) {
        struct sb_error error = only->error;

        status = cli_subject_failed("gate", gate->line->words, &error);
        if (status != EXIT_BROKEN)
            return status;
        cli_outputs_keep(&gate->line->outputs, gate_reports_broken);
    }
    if (single && only->gate) /* a gate without a verdict has read what there is, up to its limit */
        cli_subject_note(gate->line,
                         only->gate->verdict == SB_VERDICT_INCONCLUSIVE && !only->gate->interrupted &&
                             only->gate->total != request->limit,
                         only->gate->total);
    const int written = cli_outputs_write(&gate->line->outputs, suite);
    const int told = written ? EXIT_DONE : github_write(&gate->github, suite);

    return written ? written : told ? told : status;
}

/* ---- the run ---- */

/* Tests the subjects, and prints their findings. */
static int gate_try(struct gate_line *gate)
{
    struct cli_line *const line = gate->line;
    struct sb_error error = { 0 };
    struct sb_result *const result = sb_call_run(&line->request, &error);

    cli_progress_end(&line->progress);
    if (!result)
        return cli_subject_failed("gate", line->words, &error);
    cli_flags_suite(result->suite);
    const int status = gate_report(gate, result->suite);

    sb_result_free(result);
    return status == EXIT_INTERRUPTED ? cli_resumable("gate", line->request.save) : status;
}

/* Opens all outputs, then tests the subjects, of which gates[0..count-1] are the requests. */
static int gate_open(struct gate_line *gate, struct sb_request *const gates[], size_t count)
{
    const struct sb_request *const request = &gate->line->request;
    struct cli_outputs *const outputs = &gate->line->outputs;
    int status = cli_begin(gate->line);
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
    for (size_t i = 0; status == EXIT_DONE && i < count; i++)
        status = cli_outputs_spare(
            outputs, (const struct cli_spared[]) { { gates[i]->call->file, "the input" }, { NULL, NULL } });
    if (status == EXIT_DONE)
        status = github_open(&gate->github);
    return status ? status : gate_try(gate);
}

/* ---- the arguments ---- */

/* Tests the one subject that the line names. */
static int gate_single(struct gate_line *gate)
{
    struct cli_line *const line = gate->line;
    struct sb_request *request = &line->request;
    const char *const missing = gate_looks(gate) || gate->resumes
                                    ? NULL
                                    : "name what to test: '-- COMMAND', a file, '-' for standard input, or a scheme";

    if (gate_looks(gate))
        line->call.schemes.count = 0;
    return cli_subject_one("gate", request, missing) ? gate_open(gate, &request, 1) : EXIT_USAGE;
}

/* Tests the subjects of a suite file. */
static int gate_suite(struct gate_line *gate)
{
    struct cli_line *const line = gate->line;
    struct sb_call *const call = &line->call;
    struct cli_suite suite;

    if (line->words[0])
        return cli_usage("gate", "one or the other: leave '%s' or --suite out", line->words[0]);
    if (line->program)
        return cli_usage("gate", "one or the other: leave the command or --suite out");
    int status = cli_suite_open(line->request.suite, &line->request, &suite);

    for (size_t i = 0; status == EXIT_DONE && i < suite.count; i++) {
        suite.gates[i]->overheard = gate_overhears;
        suite.gates[i]->overheard_state = suite.gates[i];
    }
    call->gates = suite.gates;
    call->gates_count = suite.count;
    call->finished = line->request.quiet ? NULL : gate_finishes;
    call->finished_state = &line->progress;
    if (status == EXIT_DONE)
        status = gate_open(gate, suite.gates, suite.count);
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

    if (request->suite && request->save)
        return cli_usage("gate", "--save %s: cannot be used with --suite, which tests several subjects", request->save);
    if (request->ledger && (!request->ledger[0] || strcmp(request->ledger, "-") == 0))
        return cli_usage("gate", "--ledger '%s': a ledger must be a regular file: name one", request->ledger);
    const int status = gate_find(gate);

    if (status)
        return status;
    if (jobs && !request->suite)
        return cli_usage("gate", "--jobs %s: only goes with --suite", jobs);
    return request->suite ? gate_suite(gate) : gate_single(gate);
}

int cli_gate_run(struct cli_line *line)
{
    struct gate_line gate = { .line = line, .github.wanted = line->request.github };
    struct sb_request *const request = &line->request;

    request->bound = cli_progress_bound;
    request->bound_state = &line->progress;
    if (request->jobs > 1) {
        request->progress = NULL;
        request->bound = NULL;
    }
    const int status = gate_read(&gate);

    github_close(&gate.github);
    return status;
}
