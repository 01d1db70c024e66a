/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias watch: a gate that runs indefinitely. */
#include "study/watch/watch.h"
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* Prints a message of the library. */
static void watch_tell(void *state, const char *line)
{
    cli_say("watch", line);
}

static void watch_stderr_relay(void *state, const char *line)
{
    fprintf(stderr, "subject: %s\n", line);
}

static int watch_status(const struct sb_watch_summary *summary)
{
    if (summary->interrupted && cli_interrupted())
        return EXIT_INTERRUPTED;
    return summary->alarms ? EXIT_BIASED : EXIT_DONE;
}

static int watch_make(struct cli_line *line, struct sb_subject *subject, struct sb_request *options)
{
    struct cli_outputs *const outputs = &line->outputs;
    struct cli_alarms alarms = { .command = line->request.alarm, .stop = cli_stop_flag() };
    struct sb_watch_summary summary;
    struct sb_error error = { 0 };
    struct sb_watch *watch = NULL;
    int status = cli_outputs_open(outputs, &line->request);

    if (status == EXIT_DONE)
        status = cli_outputs_spare(outputs, options->save, "the evidence");
    if (status == EXIT_DONE)
        status = cli_outputs_spare(outputs, options->metrics, "the file of metrics");
    if (status == EXIT_DONE)
        status = cli_outputs_spare(outputs, subject->file, "the input");
    if (status)
        return status;
    subject->overheard = watch_stderr_relay;
    options->stop = alarms.stop;
    options->reopen = cli_reopen_flag();
    options->tell = watch_tell;
    options->alarmed = cli_alarm_start;
    options->idle = cli_alarm_look;
    options->alarmed_state = options->idle_state = &alarms;
    const enum sb_status made = sb_watch_new(subject, options, &error, &watch);

    cli_alarm_end(&alarms);
    if (made)
        return cli_subject_failed("watch", line->words, &error);
    sb_watch_summary_get(watch, &summary);
    cli_subject_note(line, !summary.interrupted && options->limit != summary.total, summary.total);
    status = cli_outputs_write(outputs, watch);
    sb_watch_free(watch);
    return status ? status : watch_status(&summary);
}

/* Checks the options that do not describe the subject; returns the exit status. */
static int watch_check(const struct cli_line *line)
{
    const struct sb_request *const request = &line->request;
    const char *const word = line->words[0];
    const char *const checkpoint = sb_request_given(request, "checkpoint");
    const char *const interval = sb_request_given(request, "interval");
    const struct {
        const char *option, *what, *text;
    } given[] = {
        { "--follow", "a file", request->follow },
        { "--metrics", "a file", request->metrics },
        { "--on-alarm", "a command", request->alarm },
    };

    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        if (given[i].text && !given[i].text[0])
            return cli_usage("watch", "%s: its argument is empty: name %s, or leave the option out", given[i].option,
                             given[i].what);
    if (request->follow && (word || line->program))
        return cli_usage("watch", "one subject at a time: leave '%s' out, or --follow", word ? word : "the command");
    if (checkpoint && !request->save)
        return cli_usage("watch", "--checkpoint %s: only goes with --save", checkpoint);
    if (request->metrics && strcmp(request->metrics, "-") == 0)
        return cli_usage("watch", "--metrics -: metrics must be a regular file: name one");
    if (interval && !request->metrics)
        return cli_usage("watch", "--interval %s: only goes with --metrics", interval);
    return EXIT_DONE;
}

static int watch_run(struct cli_line *line)
{
    struct sb_request *const request = &line->request;
    const char *const *const words = line->words;
    const struct cli_named named = { .words = words, .program = line->program, .file = request->follow };
    struct sb_subject subject;
    const int status = watch_check(line);

    if (status)
        return status;
    switch (cli_subject_settle("watch", &named, request, &subject)) {
    case CLI_NOTHING:
        return EXIT_USAGE;
    case CLI_SCHEMES:
        if (!words[0])
            return cli_usage("watch", "name what to watch: --follow FILE, '-' for standard input, a file, "
                                      "'-- COMMAND', or a scheme");
        if (words[1])
            return cli_usage("watch", "one subject at a time: leave '%s' out; a command goes after '--'", words[1]);
        if (!cli_subject_scheme("watch", request, words[0], &subject))
            return EXIT_USAGE;
        break;
    case CLI_OUTSIDE:
        if (subject.file && !cli_subject_is_read(request) && sb_saved_is(subject.file))
            return cli_usage("watch", "'%s' is saved evidence: pass it to --save, and name what to watch",
                             subject.file);
        break;
    }
    return watch_make(line, &subject, request);
}

const struct cli_command_type cli_command_watch = {
    .name = "watch",
    .of = SB_WATCH,
    .arguments = "[OPTION ...] --follow FILE | - | FILE | -- COMMAND [ARGUMENT ...] | SCHEME",
    .examples = {
        { "shufflebias watch --follow deals.log --save deals.json --metrics /var/lib/prometheus/deals.prom", "a game's log, with one permutation per line" },
        { "shufflebias watch --window --on-alarm 'mail -s alarm me' --follow deals.log", "also finds a bias that begins late, and sends each alarm by mail" },
        { "./deal | shufflebias watch -", "reads permutations from a pipe" },
        { "shufflebias watch -- python3 shuffle.py", "a program that prints one permutation per line and never ends" },
        { "shufflebias watch fisher-yates --limit 1e7", "a built-in shuffle" },
    },
    .notes = "SIGTERM saves the evidence and ends the watch; SIGHUP reopens the log.\n"
             "Exit status: 0 no alarm, 1 one or more alarms, 2 wrong arguments,\n"
             "             4 the tested program or a file failed, 130 Ctrl-C.\n",
    .program = true,
    .result = &sb_watch_result,
    .run = watch_run,
    .first = { { "watch --follow deals.log", "monitor the shuffle of a live game" } },
};
