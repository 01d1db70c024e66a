/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs another program as a process. The process leads its own group. The library kills the group before it
 * reaps the process (waits for its status). Before the process is reaped, the group's id cannot be reused.
 * Processes that have left the group (setsid) or run as another user (sudo) cannot be killed; the library
 * closes their pipes, and reports them if they still hold one of these pipes.
 */
#define _GNU_SOURCE /* for sched_getcpu() and CPU_SET() */
#include "core/system.h"
#include "subject/subject.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PROCESS_GRACE = 500, /* milliseconds from SIGTERM to SIGKILL */
    PROCESS_STEP = 5,    /* milliseconds between two checks */
    PROCESS_PIPE = 250,  /* milliseconds from SIGTERM until SIGPIPE ends a process that writes */
    PROCESS_DEAD = 200,  /* the most milliseconds from SIGKILL until a process has closed its descriptors */
};

void sb_process_close(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
    *descriptor = -1;
}

/* Makes a pipe. Both descriptors are above the three standard descriptors, and are closed in the new process. */
static int process_pipe(int ends[2])
{
    int number = sb_portable_pipe(ends);

    for (size_t i = 0; i < 2 && !number; i++) {
        const int low = ends[i];

        if (low > STDERR_FILENO)
            continue;
        ends[i] = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        number = ends[i] < 0 ? errno : 0;
        close(low);
    }
    return number;
}

/* Sets the attributes of the new process. All signals are unblocked and have their default actions. This includes
 * SIGPIPE and SIGXFSZ, which this program ignores. But if SIGHUP is ignored (by nohup), SIGHUP stays ignored. */
static int process_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    int number;

    sigemptyset(&none);
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    sigdelset(&all, SIGHUP);
    number =
        posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    number = number ? number : posix_spawnattr_setpgroup(attributes, 0);
    number = number ? number : posix_spawnattr_setsigmask(attributes, &none);
    return number ? number : posix_spawnattr_setsigdefault(attributes, &all);
}

/* Sets the folder and the three standard descriptors of the new process. */
static int process_descriptors(const char *cwd, int in, int out, int err, posix_spawn_file_actions_t *actions)
{
    int number = cwd ? sb_portable_spawn_in(actions, cwd) : 0;

    if (number)
        return number;
    number = in < 0 ? posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
                    : posix_spawn_file_actions_adddup2(actions, in, STDIN_FILENO);

    if (out >= 0 && !number)
        number = posix_spawn_file_actions_adddup2(actions, out, STDOUT_FILENO);
    return err < 0 || number ? number : posix_spawn_file_actions_adddup2(actions, err, STDERR_FILENO);
}

int sb_process_spawn(const char *const command[], const char *cwd, int in, int out, int err, pid_t *id)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int number = posix_spawn_file_actions_init(&actions);

    if (number)
        return number;
    number = posix_spawnattr_init(&attributes);
    if (!number) {
        number = process_attributes(&attributes);
        number = number ? number : process_descriptors(cwd, in, out, err, &actions);
        if (!number) /* posix_spawn() changes no argument; its prototype lacks const for historical reasons */
            number = posix_spawnp(id, command[0], &actions, &attributes, (char *const *)(void *)command,
                                  sb_portable_environment());
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return number;
}

/* Makes writes non-blocking, so that a process that does not read cannot block this program. */
static int process_never_wait(int descriptor)
{
    return descriptor >= 0 && fcntl(descriptor, F_SETFL, O_NONBLOCK) ? errno : 0;
}

int sb_process_start(const char *const command[], const char *cwd, bool dialogue, struct sb_process *process)
{
    int in[] = { -1, -1 }, out[] = { -1, -1 }, err[] = { -1, -1 };
    pid_t id = 0;
    int number = dialogue ? process_pipe(in) : 0;

    number = number ? number : process_pipe(out);
    number = number ? number : process_pipe(err);
    number = number ? number : process_never_wait(in[1]);
    number = number ? number : sb_process_spawn(command, cwd, in[0], out[1], err[1], &id);
    sb_process_close(&in[0]);
    sb_process_close(&out[1]);
    sb_process_close(&err[1]);
    if (number) {
        sb_process_close(&in[1]);
        sb_process_close(&out[0]);
        sb_process_close(&err[0]);
        return number;
    }
    *process = (struct sb_process) { .id = id, .in = in[1], .out = out[0], .err = err[0] };
    return 0;
}

bool sb_process_ended(const struct sb_process *process, siginfo_t *end)
{
    *end = (siginfo_t) { 0 };
    if (waitid(P_PID, (id_t)process->id, end, WEXITED | WNOHANG | WNOWAIT))
        return errno == ECHILD;
    return end->si_pid;
}

static void process_kill(struct sb_process *process)
{
    const struct timespec step = { .tv_nsec = PROCESS_STEP * 1000000L };
    siginfo_t end;

    if (!sb_process_ended(process, &end)) {
        kill(-process->id, SIGTERM);
        kill(-process->id, SIGCONT); /* a stopped process would not receive SIGTERM */
    } else if (!end.si_pid) {
        return; /* another thread has reaped the process, so the id may belong to another process */
    }
    for (int waited = 0; !sb_process_ended(process, &end) && waited < PROCESS_GRACE; waited += PROCESS_STEP) {
        if (waited >= PROCESS_PIPE)
            sb_process_close(&process->out);
        nanosleep(&step, NULL);
    }
    kill(-process->id, SIGKILL);
    if (kill(process->id, SIGKILL) ==
        0) /* kills the process itself, in case it has left its group; fails for a process of another user */
        while (waitpid(process->id, NULL, 0) < 0 && errno == EINTR)
            continue;
}

static bool process_holds(int descriptor, int wait)
{
    struct pollfd end = { .fd = descriptor }; /* poll() always reports that no writer is left */

    return descriptor >= 0 && poll(&end, 1, wait) == 0;
}

bool sb_process_end(struct sb_process *process)
{
    sb_process_close(&process->in);
    process_kill(process);
    const bool holds = process_holds(process->err, PROCESS_DEAD) || process_holds(process->out, PROCESS_DEAD);

    sb_process_close(&process->out);
    sb_process_close(&process->err);
    return !holds;
}

/* ---- cpu affinity ---- */

/* Keeps two processes on one processor, because they never work at the same time. Uses Linux's thread
 * affinity; other systems place the processes as they like. */

#if SB_HAS_SCHED_SETAFFINITY

struct sb_cpu_affinity {
    cpu_set_t before;
};

struct sb_cpu_affinity *sb_cpu_affinity_begin(void)
{
    struct sb_cpu_affinity *const affinity = malloc(sizeof *affinity);
    const int here = sched_getcpu();
    cpu_set_t one;

    CPU_ZERO(&one);
    if (here >= 0 && here < CPU_SETSIZE)
        CPU_SET((size_t)here, &one);
    if (affinity && sched_getaffinity(0, sizeof affinity->before, &affinity->before) == 0 &&
        sched_setaffinity(0, sizeof one, &one) == 0)
        return affinity;
    free(affinity);
    return NULL;
}

void sb_cpu_affinity_end(struct sb_cpu_affinity *affinity)
{
    if (affinity)
        sched_setaffinity(0, sizeof affinity->before, &affinity->before);
    free(affinity);
}

#else

struct sb_cpu_affinity *sb_cpu_affinity_begin(void)
{
    return NULL;
}

void sb_cpu_affinity_end(struct sb_cpu_affinity *affinity)
{
}

#endif
