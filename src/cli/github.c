/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Output for GitHub's workflows. Annotations go to standard error, because standard output may hold a report,
 * and GitHub's runner reads both streams. A table for the job's page is appended to the file that
 * GITHUB_STEP_SUMMARY names; GitHub accepts 1 MiB from one step.
 */
#include "cli/cli.h"

#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { GITHUB_SUMMARY_MOST = 1 << 20 }; /* the most bytes of the file */

static int github_failed(const char *command, const char *path, int number)
{
    cli_usage(command, "cannot write the summary '%s': %s", path ? path : "", strerror(number));
    return EXIT_BROKEN;
}

int cli_github_open(const char *command, struct cli_github *github)
{
    const char *const path = getenv("GITHUB_STEP_SUMMARY");

    if (!github->wanted || !path || !*path)
        return EXIT_DONE;
    github->summary = fopen(path, "a");
    if (!github->summary)
        return github_failed(command, path, errno);
    /* commands under test must not inherit the descriptor */
    fcntl(fileno(github->summary), F_SETFD, FD_CLOEXEC);
    return EXIT_DONE;
}

/* Appends a text to the summary, if the file does not become too long. */
static int github_add(const char *command, struct cli_github *github, const char text[], size_t length)
{
    struct stat there;

    if (fstat(fileno(github->summary), &there) == 0 && there.st_size + (off_t)length >= GITHUB_SUMMARY_MOST) {
        cli_usage(command, "the summary is longer than the 1 MiB that GitHub accepts, and was not written");
        return EXIT_DONE;
    }
    errno = 0;
    const bool well = fwrite(text, 1, length, github->summary) == length && fflush(github->summary) == 0;

    return well ? EXIT_DONE : github_failed(command, getenv("GITHUB_STEP_SUMMARY"), errno ? errno : EIO);
}

int cli_github_write(const char *command, struct cli_github *github, const struct sb_suite *suite)
{
    struct sb_error error = { 0 };
    char *text = NULL;
    size_t length = 0;
    int status = EXIT_DONE;

    if (!github->wanted)
        return EXIT_DONE;
    if (sb_result_write(&sb_suite_result, suite, "github", NULL, &error, stderr))
        return cli_failed(command, &error);
    FILE *const stream = github->summary ? sb_memory_stream_open(&text, &length) : NULL;

    if (!stream)
        return github->summary ? github_failed(command, NULL, ENOMEM) : EXIT_DONE;
    const enum sb_status written = sb_result_write(&sb_suite_result, suite, "github-summary", NULL, &error, stream);

    if (!sb_memory_stream_close(stream, &text) || written)
        status = github_failed(command, NULL, ENOMEM);
    else
        status = github_add(command, github, text, length);
    free(text);
    return status;
}

void cli_github_close(struct cli_github *github)
{
    if (github->summary)
        fclose(github->summary);
    github->summary = NULL;
}
