/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the operator's command at an alarm: `sh -c COMMAND`, with the finding as JSON on standard input.
 * Standard input is an unnamed file and not a pipe. So a command that does not read its input cannot block
 * the watch. If the file cannot be written, the command gets an empty input, because an alarm without details
 * is better than no alarm. The watch keeps reading while the command runs, and kills the command after a
 * minute. At most 16 commands run at a time; before starting another command, the watch waits until a command
 * ends.
 */
#include "cli/cli.h"

#include "core/system.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ALARM_SECONDS = 60,
    ALARM_GROUP = 1, /* slot of the first alarm command's process group; slot 0 belongs to the watched command */
};

/* Starts the command in its own process group, so that Ctrl-C does not reach the command. Returns 0 or an
 * errno. */
static int alarm_spawn(const char *command, int in, pid_t *id)
{
    const char *const argv[] = { "sh", "-c", command, NULL };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    int number = posix_spawn_file_actions_init(&actions);

    if (number)
        return number;
    number = posix_spawnattr_init(&attributes);
    if (!number) {
        sigfillset(&all);
        sigdelset(&all, SIGKILL);
        sigdelset(&all, SIGSTOP);
        sigemptyset(&none);
        number = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
        number = number ? number : posix_spawn_file_actions_addclose(&actions, in);
        number = number ? number
                        : posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                                                    POSIX_SPAWN_SETSIGMASK);
        number = number ? number : posix_spawnattr_setpgroup(&attributes, 0);
        number = number ? number : posix_spawnattr_setsigdefault(&attributes, &all);
        number = number ? number : posix_spawnattr_setsigmask(&attributes, &none);
        if (!number) /* posix_spawn() changes no argument; its prototype lacks const for historical reasons */
            number = posix_spawn(id, "/bin/sh", &actions, &attributes, (char *const *)(void *)argv,
                                 sb_portable_environment());
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return number;
}

void cli_alarm_look(void *state)
{
    struct cli_alarms *const alarms = state;

    for (size_t i = 0; i < CLI_ALARMS_MOST; i++) {
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
static void alarm_wait(struct cli_alarms *alarms, size_t most)
{
    const struct timespec slice = { .tv_nsec = 10 * 1000000L };

    for (;;) {
        size_t running = 0;

        cli_alarm_look(alarms);
        for (size_t i = 0; i < CLI_ALARMS_MOST; i++)
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

void cli_alarm_end(struct cli_alarms *alarms)
{
    alarm_wait(alarms, 0);
}

/* Returns a rewound file that holds the finding as JSON. If the finding cannot be written, prints a line and
 * returns an empty file. If no file can be opened, returns NULL and sets errno. */
static FILE *alarm_write(const struct sb_alarm *alarm)
{
    struct sb_error error = { 0 };
    FILE *const file = tmpfile();

    if (file && sb_alarm_write(alarm, "json", &error, file) == SB_OK && fflush(file) == 0) {
        rewind(file);
        return file;
    }
    cli_usage("watch", "cannot save the finding for the command of --on-alarm, which runs without input: %s",
              error.text[0] ? error.text : strerror(errno));
    if (file)
        fclose(file);
    return fopen("/dev/null", "r");
}

int cli_alarm_start(void *state, const struct sb_alarm *alarm)
{
    struct cli_alarms *const alarms = state;
    size_t free_one = 0;

    fprintf(stderr, "%s\n", sb_alarm_sentence(alarm));
    if (!alarms->command)
        return 0;
    alarm_wait(alarms, CLI_ALARMS_MOST - 1);
    while (alarms->running[free_one].id > 0)
        free_one++;
    FILE *const finding = alarm_write(alarm);
    pid_t *const id = &alarms->running[free_one].id;
    int number = finding ? 0 : errno;

    alarms->running[free_one].began = sb_clock_now();
    if (finding) {
        number = alarm_spawn(alarms->command, fileno(finding), id);
        fclose(finding);
    }
    if (number) {
        *id = 0;
        cli_usage("watch", "cannot run the command of --on-alarm: %s", strerror(number));
    }
    *cli_group(ALARM_GROUP + free_one) = *id;
    return 0;
}
