/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's test is a shell command. The command's standard input has one permutation per line; the first item has
 * the number 1. Standard input is an unnamed file, so the command may stop reading early. The command's output is
 * discarded. */
#include "core/system.h"
#include "study/zoo/zoo.h"

#include <errno.h>
#include <unistd.h>

enum { ASK_STEP = 2 }; /* milliseconds between two checks whether the command has exited */

static enum sb_status ask_unwritten(struct sb_error *error)
{
    return sb_error_set(error, SB_IO, "cannot write permutations to /tmp: %s", strerror(errno));
}

/* Writes `samples` permutations. The caller still has to close the file, which writes the last of them. */
static enum sb_status ask_write(uint64_t samples, struct sb_feed *feed, struct sb_error *error, FILE *file)
{
    for (uint64_t left = samples; left > 0; left -= feed->count) {
        const enum sb_status status = sb_feed_next(feed, left, error);

        if (status)
            return status;
        for (size_t i = 0; i < feed->count * feed->deal; i++)
            fprintf(file, "%u%c", feed->items[i] + 1U, (i + 1) % feed->deal ? ' ' : '\n');
        if (ferror(file))
            return ask_unwritten(error);
    }
    return SB_OK;
}

static enum sb_status ask_wait(const struct sb_request *options, struct sb_process *process, struct sb_error *error,
                               bool *passed)
{
    const struct timespec step = { .tv_nsec = ASK_STEP * 1000000L };
    siginfo_t end;

    while (!sb_process_ended(process, &end)) {
        if (options->stop && *options->stop)
            return sb_error_set(error, SB_STOPPED, "stopped while '%.200s' ran", options->test);
        nanosleep(&step, NULL);
    }
    if (end.si_pid && end.si_code == CLD_EXITED && end.si_status < 126) {
        *passed = end.si_status == 0;
        return SB_OK;
    }
    if (!end.si_pid)
        return sb_error_set(error, SB_SUBJECT,
                            "cannot tell how '%.200s' exited: do not ignore SIGCHLD in the program that starts it",
                            options->test);
    return sb_error_set(error, SB_SUBJECT,
                        "'%.200s' did not run to its end (%s %d): exit status 0 says that the permutations "
                        "are fair, 1 that they are not",
                        options->test, end.si_code == CLD_EXITED ? "exit status" : "signal", end.si_status);
}

static enum sb_status ask_run(const struct sb_request *options, const char *path, struct sb_error *error, bool *passed)
{
    const char *const command[] = {
        "sh", "-c", "exec <\"$1\" >/dev/null 2>&1; eval \"$2\"", "sh", path, options->test, NULL,
    };
    struct sb_process process;
    const int number = sb_process_start(command, NULL, false, &process);
    enum sb_status status;

    if (number)
        return sb_error_set(error, SB_SUBJECT, "cannot start sh: %s", strerror(number));
    if (options->group)
        *options->group = (sig_atomic_t)process.id;
    status = ask_wait(options, &process, error, passed);
    sb_process_end(&process);
    if (options->group)
        *options->group = 0;
    return status;
}

enum sb_status sb_zoo_ask(const struct sb_request *options, struct sb_feed *feed, struct sb_error *error, bool *passed)
{
    char path[] = "/tmp/shufflebias-XXXXXX";
    const int descriptor = sb_portable_temporary(path);
    FILE *const file = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    enum sb_status status;

    if (!file)
        return ask_unwritten(error);
    status = ask_write(options->samples, feed, error, file);
    if (fclose(file) && status == SB_OK)
        status = ask_unwritten(error);
    if (status == SB_OK)
        status = ask_run(options, path, error, passed);
    unlink(path);
    return status;
}
