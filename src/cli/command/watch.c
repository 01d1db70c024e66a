/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias watch: a gate that runs indefinitely. */
#include "study/watch/watch.h"
#include "cli/cli.h"

#include "core/system.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Runs the operator's command at an alarm: `sh -c COMMAND`, with the finding as JSON on standard input.
 * Standard input is an unnamed file and not a pipe. So a command that does not read its input cannot block
 * the watch. If the file cannot be written, the command gets an empty input, because an alarm without details
 * is better than no alarm. The watch keeps reading while the command runs, and kills the command after a
 * minute. At most 16 commands run at a time; before starting another command, the watch waits until a command
 * ends.
 */
enum {
    ALARMS_MOST = 16, /* the most commands that run at the same time */
    ALARM_SECONDS = 60,
    ALARM_GROUP = 1, /* slot of the first alarm command's process group; slot 0 belongs to the watched command */
};

struct watch_alarms {
    const char *command;               /* a command line for the shell; NULL: no command */
    const volatile sig_atomic_t *stop; /* nonzero when the program should end */
    bool told;                         /* whether the line "commands still run" has been printed */
    struct {
        pid_t id; /* id of the process and of its group; 0: no process */
        double began;
    } running[ALARMS_MOST];
};

static void alarm_look(void *state)
{
    struct watch_alarms *const alarms = state;

    for (size_t i = 0; i < ALARMS_MOST; i++) {
        const pid_t id = alarms->running[i].id;
        int end = 0;

        if (id <= 0)
            continue;
        if (waitpid(id, &end, WNOHANG) != 0) { /* it has exited, or its status is lost */
            alarms->running[i].id = 0;
            *cli_group(ALARM_GROUP + i) = 0;
            if (WIFSIGNALED(end))
                cli_usage("watch", "the command of --on-alarm was killed by signal %d (%s)", WTERMSIG(end),
                          strsignal(WTERMSIG(end)));
            else if (WEXITSTATUS(end))
                cli_usage("watch", "the command of --on-alarm ended with status %d", WEXITSTATUS(end));
        } else if (sb_clock_now() - alarms->running[i].began > ALARM_SECONDS) {
            kill(-id, SIGKILL);
        }
    }
}

/* Waits until at most `most` commands run. If the stop flag is raised during the wait, prints a line about
 * the commands that still run. */
static void alarm_wait(struct watch_alarms *alarms, size_t most)
{
    const struct timespec slice = { .tv_nsec = 10 * 1000000L };

    for (;;) {
        size_t running = 0;

        alarm_look(alarms);
        for (size_t i = 0; i < ALARMS_MOST; i++)
            running += alarms->running[i].id > 0;
        if (running <= most)
            return;
        if (alarms->stop && *alarms->stop && !alarms->told)
            cli_usage("watch", "the command of --on-alarm still runs: waiting for it, for at most a minute; a second "
                               "signal ends the command");
        alarms->told = alarms->told || (alarms->stop && *alarms->stop);
        nanosleep(&slice, NULL);
    }
}

/* Returns a rewound file that holds the finding as JSON. If the finding cannot be written, prints a line and
 * returns an empty file. If no file can be opened, returns NULL and sets errno. */
static FILE *alarm_write(const struct sb_alarm *alarm)
{
    struct sb_error error = { 0 };
    FILE *const file = tmpfile();

    if (file && sb_result_write(&sb_alarm_result, alarm, "json", NULL, &error, file) == SB_OK && fflush(file) == 0) {
        rewind(file);
        return file;
    }
    cli_usage("watch", "cannot save the finding for the command of --on-alarm, which runs without input: %s",
              error.text[0] ? error.text : strerror(errno));
    if (file)
        fclose(file);
    return fopen("/dev/null", "r");
}

static int alarm_start(void *state, const struct sb_alarm *alarm)
{
    struct watch_alarms *const alarms = state;
    size_t free_one = 0;

    fprintf(stderr, "%s\n", alarm->sentence);
    if (!alarms->command)
        return 0;
    alarm_wait(alarms, ALARMS_MOST - 1);
    while (alarms->running[free_one].id > 0)
        free_one++;
    const char *const shell[] = { "/bin/sh", "-c", alarms->command, NULL };
    FILE *const finding = alarm_write(alarm);
    pid_t *const id = &alarms->running[free_one].id;
    int number = finding ? 0 : errno;

    alarms->running[free_one].began = sb_clock_now();
    if (finding) {
        fcntl(fileno(finding), F_SETFD, FD_CLOEXEC);
        number = sb_process_spawn(shell, NULL, fileno(finding), -1, -1, id); /* Ctrl-C does not reach its group */
        fclose(finding);
    }
    if (number) {
        *id = 0;
        cli_usage("watch", "cannot run the command of --on-alarm: %s", strerror(number));
    }
    *cli_group(ALARM_GROUP + free_one) = *id;
    return 0;
}

/* ---- the watch ---- */

/* Prints a message of the library. */
static void watch_tell(void *state, const char *line)
{
    cli_say("watch", line);
}

static int watch_status(const struct sb_watch *watch)
{
    if (watch->interrupted && cli_interrupted())
        return EXIT_INTERRUPTED;
    return watch->alarms ? EXIT_BIASED : EXIT_DONE;
}

static int watch_make(struct cli_line *line)
{
    struct sb_request *const options = &line->request;
    struct watch_alarms alarms = { .command = options->alarm };
    struct sb_error error = { 0 };
    int status = cli_begin(line);

    if (status == EXIT_DONE)
        status =
            cli_outputs_spare(&line->outputs, (const struct cli_spared[]) { { options->save, "the evidence" },
                                                                            { options->metrics, "the file of metrics" },
                                                                            { line->call.file, "the input" },
                                                                            { NULL, NULL } });
    if (status)
        return status;
    alarms.stop = options->stop;
    options->reopen = cli_reopen_flag();
    options->tell = watch_tell;
    options->alarmed = alarm_start;
    options->idle = alarm_look;
    options->alarmed_state = options->idle_state = &alarms;
    struct sb_result *const result = sb_call_run(options, &error);

    alarm_wait(&alarms, 0);
    if (!result)
        return cli_subject_failed("watch", line->words, &error);
    const struct sb_watch *const watch = result->watch;

    cli_subject_note(line, !watch->interrupted && options->limit != watch->total, watch->total);
    status = cli_outputs_write(&line->outputs, watch);
    status = status ? status : watch_status(watch);
    sb_result_free(result);
    return status;
}

/* Checks the options that do not describe the subject; returns the exit status. */
static int watch_check(const struct cli_line *line)
{
    const struct sb_request *const request = &line->request;
    const char *const word = line->words[0];
    const char *const checkpoint = sb_request_given(request, "checkpoint");
    const char *const interval = sb_request_given(request, "interval");

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

int cli_watch_run(struct cli_line *line)
{
    struct sb_request *const request = &line->request;
    const int status = watch_check(line);

    if (status)
        return status;
    line->call.file = request->follow;
    if (!cli_subject_one(
            "watch", request,
            "name what to watch: --follow FILE, '-' for standard input, a file, '-- COMMAND', or a scheme"))
        return EXIT_USAGE;
    const char *const file = line->call.file;

    if (file && !cli_subject_is_read(request) && sb_saved_is(file))
        return cli_usage("watch", "'%s' is saved evidence: pass it to --save, and name what to watch", file);
    return watch_make(line);
}
