/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias watch: a gate that runs indefinitely. */
#include "study/watch/watch.h"
#include "cli/shared_options.h"

#include <stdlib.h>
#include <string.h>

static const char watch_examples[] =
    "  shufflebias watch --follow deals.log --save deals.json --metrics /var/lib/prometheus/deals.prom\n"
    "                                     a game's log, with one permutation per\n"
    "                                     line\n"
    "  shufflebias watch --window --on-alarm 'mail -s alarm me' --follow deals.log\n"
    "                                     also finds a bias that begins late, and\n"
    "                                     sends each alarm by mail\n"
    "  ./deal | shufflebias watch -       reads permutations from a pipe\n"
    "  shufflebias watch -- python3 shuffle.py\n"
    "                                     a program that prints one permutation per\n"
    "                                     line and never ends\n"
    "  shufflebias watch fisher-yates --limit 1e7\n"
    "                                     a built-in shuffle\n"
    "\n"
    "SIGTERM saves the evidence and ends the watch; SIGHUP reopens the log.\n"
    "Exit status: 0 no alarm, 1 one or more alarms, 2 wrong arguments,\n"
    "             4 the tested program or a file failed, 130 Ctrl-C.\n";

/* The options as typed; NULL for an option that was not typed. */
struct watch_typed {
    struct cli_common common;
    struct cli_subject subject;
    struct cli_outputs outputs;
    struct cli_alarms alarms;
    char *alpha, *delta, *limit, *profile, *follow, *save, *checkpoint, *metrics, *interval;
    int increments, window;
};

/* Prints a message of the library. */
static void watch_tell(void *state, const char *line)
{
    (void)state;
    cli_say("watch", line);
}

static void watch_stderr_relay(void *state, const char *line)
{
    (void)state;
    fprintf(stderr, "subject: %s\n", line);
}

static int watch_status(const struct sb_watch_summary *summary)
{
    if (summary->interrupted && cli_interrupted())
        return EXIT_INTERRUPTED;
    return summary->alarms ? EXIT_BIASED : EXIT_DONE;
}

static int watch_run(const char *const words[], struct watch_typed *typed, struct sb_subject *subject,
                     struct sb_watch_options *options)
{
    struct sb_watch_summary summary;
    struct sb_error error = { 0 };
    struct sb_watch *watch = NULL;
    int status;

    options->stop = cli_stop_flag();
    options->reopen = cli_reopen_flag();
    typed->alarms.stop = options->stop;
    status = cli_outputs_open(&typed->outputs);
    if (status == EXIT_DONE)
        status = cli_outputs_spare(&typed->outputs, options->save, "the evidence");
    if (status == EXIT_DONE)
        status = cli_outputs_spare(&typed->outputs, options->metrics, "the file of metrics");
    if (status == EXIT_DONE)
        status = cli_outputs_spare(&typed->outputs, subject->file, "the input");
    if (status)
        return status;
    subject->overheard = watch_stderr_relay;
    options->tell = watch_tell;
    options->alarmed = cli_alarm_start;
    options->idle = cli_alarm_look;
    options->alarmed_state = options->idle_state = &typed->alarms;
    const enum sb_status made = sb_watch_new(subject, options, &error, &watch);

    cli_alarm_end(&typed->alarms);
    if (made)
        return cli_subject_failed("watch", words, &error);
    sb_watch_summary_get(watch, &summary);
    cli_subject_note("watch", &typed->subject, !summary.interrupted && options->limit != summary.total,
                     summary.total);
    status = cli_outputs_write(&typed->outputs, watch);
    sb_watch_free(watch);
    return status ? status : watch_status(&summary);
}

/* Copies the typed options into the library's options. If an option is wrong, prints a line and returns
 * false. */
static bool watch_settle(const struct watch_typed *typed, struct sb_watch_options *options)
{
    options->increments = typed->increments;
    options->window = typed->window;
    options->profile = typed->profile;
    options->follow = typed->follow;
    options->save = typed->save;
    options->metrics = typed->metrics;
    return (!typed->alpha || cli_alpha("watch", "--alpha", typed->alpha, &options->alpha)) &&
           (!typed->delta || cli_alpha("watch", "--delta", typed->delta, &options->delta)) &&
           (!typed->limit || cli_number("watch", "--limit", typed->limit, 1, INT64_MAX, &options->limit)) &&
           (!typed->checkpoint ||
            cli_seconds("watch", "--checkpoint", typed->checkpoint, &options->checkpoint)) &&
           (!typed->interval || cli_seconds("watch", "--interval", typed->interval, &options->interval));
}

/* Checks the options that do not describe the subject; returns the exit status. */
static int watch_check(const char *const words[], const struct watch_typed *typed)
{
    const struct {
        const char *option, *what, *text;
    } given[] = {
        { "--follow", "a file", typed->follow },
        { "--metrics", "a file", typed->metrics },
        { "--on-alarm", "a command", typed->alarms.command },
    };

    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++)
        if (given[i].text && !given[i].text[0])
            return cli_usage("watch", "%s: its argument is empty: name %s, or leave the option out",
                             given[i].option, given[i].what);
    if (typed->follow && ((words && words[0]) || typed->subject.command))
        return cli_usage("watch", "one subject at a time: leave '%s' out, or --follow",
                         words && words[0] ? words[0] : "the command");
    if (typed->checkpoint && !typed->save)
        return cli_usage("watch", "--checkpoint %s: only goes with --save", typed->checkpoint);
    if (typed->metrics && strcmp(typed->metrics, "-") == 0)
        return cli_usage("watch", "--metrics -: metrics must be a regular file: name one");
    if (typed->interval && !typed->metrics)
        return cli_usage("watch", "--interval %s: only goes with --metrics", typed->interval);
    return EXIT_DONE;
}

static int watch_read(const char *const words[], struct watch_typed *typed)
{
    struct sb_watch_options options;
    struct sb_subject subject;
    const int status = watch_check(words, typed);

    if (status)
        return status;
    sb_watch_options_init(&options);
    typed->subject.file = typed->follow;
    switch (cli_subject_settle("watch", &typed->subject, &typed->common, words, &subject)) {
    case CLI_NOTHING:
        return EXIT_USAGE;
    case CLI_SCHEMES:
        if (!words || !words[0])
            return cli_usage("watch", "name what to watch: --follow FILE, '-' for standard input, a file, "
                                      "'-- COMMAND', or a scheme");
        if (words[1])
            return cli_usage("watch", "one subject at a time: leave '%s' out; a command goes after '--'",
                             words[1]);
        if (!cli_subject_scheme("watch", &typed->common, words[0], &subject))
            return EXIT_USAGE;
        break;
    case CLI_OUTSIDE:
        if (subject.file && !cli_subject_is_read(&typed->subject) && sb_saved_is(subject.file))
            return cli_usage("watch", "'%s' is saved evidence: pass it to --save, and name what to watch",
                             subject.file);
        break;
    }
    return watch_settle(typed, &options) ? watch_run(words, typed, &subject, &options) : EXIT_USAGE;
}

static void watch_options(struct watch_typed *typed, struct cli_option options[])
{
    const struct cli_option rows[] = {
        { .name = "follow",
          .argument = "FILE",
          .text = &typed->follow,
          .help = "read a growing log file, and keep reading after log rotation",
          .group = CLI_STREAM },
        { .name = "window",
          .flag = &typed->window,
          .help = "also detect a bias that begins late; the watch may then raise several alarms" },
        { .name = "on-alarm",
          .argument = "COMMAND",
          .text = &typed->alarms.command,
          .help = "run COMMAND, a shell command, at each alarm; it reads the finding as JSON from standard "
                  "input" },
        { .name = "save",
          .argument = "FILE",
          .file = &typed->save,
          .help = "save the counts in FILE, and resume from FILE at the next start",
          .group = CLI_RUNS },
        { .name = "checkpoint",
          .argument = "S",
          .text = &typed->checkpoint,
          .help = "with --save: save every S seconds, and at the end (60)",
          .group = CLI_RUNS },
        { .name = "metrics",
          .argument = "FILE",
          .text = &typed->metrics,
          .help = "write metrics for Prometheus's node_exporter to FILE, whose name must end in .prom",
          .group = CLI_OUTPUT },
        { .name = "interval",
          .argument = "S",
          .text = &typed->interval,
          .help = "with --metrics: write the file every S seconds, and at the end (5)",
          .group = CLI_OUTPUT },
        { .name = "alpha",
          .argument = "A",
          .text = &typed->alpha,
          .help =
              "highest probability that a fair shuffle ever raises an alarm; with --window, a fair shuffle "
              "raises on average at most one alarm per 1/A permutations (1e-9)" },
        { .name = "delta",
          .argument = "D",
          .text = &typed->delta,
          .help = "highest probability that an upper bound on the total variation distance is ever wrong "
                  "(1e-6)" },
        { .name = "limit",
          .argument = "M",
          .text = &typed->limit,
          .help = "stop after M permutations (no limit)" },
        cli_option_profile(&typed->profile),
        cli_option_increments(&typed->increments),
        cli_option_help(),
    };

    cli_options_add(options, rows, sizeof rows / sizeof rows[0]);
    cli_common_options(&typed->common, options);
    cli_subject_options(&typed->subject, options);
    cli_outputs_options(&typed->outputs, options);
}

static int watch_main(int argc, const char *argv[])
{
    struct watch_typed typed = { .outputs = { .command = "watch", .type = &sb_watch_result } };
    struct cli_option options[CLI_OPTIONS_MOST] = { { .name = NULL } };
    const struct cli_syntax syntax = {
        .command = "watch",
        .arguments = "[OPTION ...] --follow FILE | - | FILE | -- COMMAND [ARGUMENT ...] | SCHEME",
        .examples = watch_examples,
        .options = options,
    };
    int status = EXIT_DONE;

    watch_options(&typed, options);
    typed.subject.command = cli_command_split(&argc, argv);

    if (cli_options_read(&syntax, argc, argv, &status))
        status = watch_read(argv + 1, &typed);
    cli_outputs_close(&typed.outputs);
    return status;
}

const struct cli_command_type cli_command_watch = {
    .name = "watch",
    .run = watch_main,
    .example = { { "--follow deals.log", "monitor the shuffle of a live game" } },
};
