/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls that POSIX.1-2008 lacks, and their replacements; and threads. */
#define _GNU_SOURCE /* the calls of Linux, environ and wcwidth() */

#include "core/system.h"
#include "core/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <wchar.h>

#ifdef __APPLE__
#include <crt_externs.h>
#endif

#if !SB_HAS_PIPE2 || !SB_HAS_MKOSTEMP
/* Another thread that starts a program between the opening of the descriptor and this call leaves it open there. */
static int portable_close_on_exec(int descriptor)
{
    return fcntl(descriptor, F_SETFD, FD_CLOEXEC) < 0 ? errno : 0;
}
#endif

int sb_portable_pipe(int ends[2])
{
#if SB_HAS_PIPE2
    return pipe2(ends, O_CLOEXEC) ? errno : 0;
#else
    if (pipe(ends))
        return errno;
    const int first = portable_close_on_exec(ends[0]), second = portable_close_on_exec(ends[1]);

    if (first || second) {
        close(ends[0]);
        close(ends[1]);
    }
    return first ? first : second;
#endif
}

int sb_portable_temporary(char path[])
{
#if SB_HAS_MKOSTEMP
    return mkostemp(path, O_CLOEXEC);
#else
    const int descriptor = mkstemp(path);

    if (descriptor >= 0)
        (void)portable_close_on_exec(descriptor); /* cannot fail for an open descriptor */
    return descriptor;
#endif
}

void sb_portable_discard_sigpipe(void)
{
    sigset_t pipe;

    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
#if SB_HAS_SIGTIMEDWAIT
    const struct timespec none = { 0 };

    while (sigtimedwait(&pipe, NULL, &none) == SIGPIPE)
        continue;
#else
    sigset_t pending;
    int signal;

    while (sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1 && sigwait(&pipe, &signal) == 0)
        continue;
#endif
}

size_t sb_portable_processors(void)
{
#if SB_HAS_SCHED_SETAFFINITY
    cpu_set_t mine;

    if (sched_getaffinity(0, sizeof mine, &mine) == 0)
        return (size_t)CPU_COUNT(&mine);
        /* sched_getaffinity() fails if the machine has more processors than a cpu_set_t holds */
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);

    return online > 0 ? (size_t)online : 1;
}

int sb_portable_spawn_in(posix_spawn_file_actions_t *actions, const char *folder)
{
#if SB_HAS_POSIX_SPAWN_FILE_ACTIONS_ADDCHDIR_NP
    return posix_spawn_file_actions_addchdir_np(actions, folder);
#else
    return ENOTSUP;
#endif
}

char **sb_portable_environment(void)
{
#ifdef __APPLE__
    return *_NSGetEnviron(); /* `environ` is not visible in a shared library there */
#else
    return environ;
#endif
}

/* Asks the system how much memory there is. */

enum { MEMORY_TEXT_ROOM = 4096 };

/* Reads the beginning of a system file, such as /proc/meminfo, as text. Returns false if there is no such
 * file. */
static bool memory_read(const char *path, char text[MEMORY_TEXT_ROOM])
{
    const int file = sb_file_open(path, O_RDONLY | O_CLOEXEC, 0);
    ssize_t length;

    if (file < 0)
        return false;
    length = read(file, text, MEMORY_TEXT_ROOM - 1);
    close(file);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

/* Returns the available memory of the machine. */
static double memory_machine(void)
{
    static const char label[] = "MemAvailable:";
    char text[MEMORY_TEXT_ROOM];
    const char *const at = memory_read("/proc/meminfo", text) ? strstr(text, label) : NULL;

    if (at)
        return (double)strtoull(at + sizeof label - 1, NULL, 10) * 1024;
#ifdef _SC_PHYS_PAGES
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

    if (pages > 0 && size > 0)
        return (double)pages * (double)size;
#endif
    return HUGE_VAL;
}

/* Returns the number of bytes that the process may still add to its address space. */
static double memory_address_space(void)
{
    char text[MEMORY_TEXT_ROOM];
    struct rlimit limit;

    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return HUGE_VAL;
    const double used =
        memory_read("/proc/self/statm", text) ? (double)strtoull(text, NULL, 10) * (double)sysconf(_SC_PAGESIZE) : 0;

    return fmax(0, (double)limit.rlim_cur - used);
}

/* Returns the memory limit of the control group. If there is no limit, the group's file says "max". */
static double memory_group(void)
{
    char text[MEMORY_TEXT_ROOM];

    if (!memory_read("/sys/fs/cgroup/memory.max", text) || text[0] < '0' || text[0] > '9')
        return HUGE_VAL;
    return (double)strtoull(text, NULL, 10);
}

double sb_memory_available(void)
{
    return fmin(memory_machine(), fmin(memory_address_space(), memory_group()));
}

/*
 * The locale in which numbers have a decimal point. A thread uses it for the length of one call of the C library, so
 * that callbacks of the calling program never see it. glibc and musl have it as a constant, so it takes no memory
 * there.
 */

locale_t sb_decimal_begin(void)
{
    return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

void sb_decimal_end(locale_t before)
{
    const locale_t own = uselocale(before);

    if (own != before)
        freelocale(own);
}

/*
 * The columns of a text in a terminal, by wcwidth(3) in a locale of its own, so that the result does not depend on the
 * program's locale: a Chinese character or an emoji takes two columns, a combining accent none.
 */

/* Most texts are ASCII, and need no locale. */
static bool width_plain(const char *text)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c >= 128)
            return false;
    return true;
}

size_t sb_utf8_width(const char *text)
{
    if (width_plain(text))
        return strlen(text);
    const locale_t own = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    const locale_t before = own ? uselocale(own) : (locale_t)0;
    size_t width = 0;

    for (uint32_t point; (point = sb_utf8_next(&text));) {
        const int columns = own ? wcwidth((wchar_t)point) : 1;

        width += columns >= 0 ? (size_t)columns : 1;
    }
    if (own) {
        uselocale(before);
        freelocale(own);
    }
    return width;
}

/*
 * POSIX threads that live for one piece of work.
 *
 * This file does not use OpenMP. If a thread cannot start, OpenMP's runtimes end the process with exit status
 * 1, which would look like a verdict of the gate. This can happen, because containers often limit processes
 * or address space. In this file, the threads that did start do all the work.
 *
 * Cost: about 20 us per thread.
 */

/* Large decks take 1.25 MB of the stack, but by default musl gives a thread 128 KiB, and macOS 512. */
enum { THREADS_STACK = 4 << 20 };

/* The state that the threads of one call share. */
struct threads_run {
    void (*work)(void *state, size_t thread);
    void *state;
    atomic_size_t started; /* how many threads have taken a number so far */
};

/* Whether this thread is inside sb_threads_run(). A nested call starts no threads, since otherwise there
 * would be more threads than processors. */
static _Thread_local bool threads_inside;

size_t sb_threads_count(size_t asked, uint64_t useful)
{
    const size_t wanted = asked ? asked : sb_portable_processors(), count = wanted < useful ? wanted : (size_t)useful;

    return count ? count : 1;
}

static void *threads_work(void *shared)
{
    struct threads_run *const run = shared;

    threads_inside = true;
    run->work(run->state, atomic_fetch_add(&run->started, 1));
    return NULL;
}

/* Sets `handled` to all signals except those that a fault of the thread itself raises. */
static void threads_handled_signals(sigset_t *handled)
{
    static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP };

    sigfillset(handled);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        sigdelset(handled, faults[i]);
}

/* Asks for a stack of THREADS_STACK bytes or more. Returns whether the attributes are ready. */
static bool threads_stack(pthread_attr_t *attributes)
{
    size_t size;

    if (pthread_attr_init(attributes))
        return false;
    if (pthread_attr_getstacksize(attributes, &size) == 0 && size < THREADS_STACK)
        (void)pthread_attr_setstacksize(attributes, THREADS_STACK);
    return true;
}

/* Starts up to `count` threads, which inherit the signal mask; returns how many started. */
static size_t threads_start(struct threads_run *run, size_t count, pthread_t thread[])
{
    pthread_attr_t attributes;
    sigset_t handled, before;
    size_t started = 0;

    if (!threads_stack(&attributes))
        return 0;
    threads_handled_signals(&handled);
    if (pthread_sigmask(SIG_BLOCK, &handled, &before) == 0) {
        while (started < count && pthread_create(&thread[started], &attributes, threads_work, run) == 0)
            started++;
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    pthread_attr_destroy(&attributes);
    return started;
}

void sb_threads_run(size_t threads, void (*work)(void *state, size_t thread), void *state)
{
    struct threads_run run = { .work = work, .state = state, .started = 1 };
    const bool outermost = !threads_inside;
    pthread_t *const thread = outermost && threads > 1 ? calloc(threads - 1, sizeof *thread) : NULL;
    const size_t started = thread ? threads_start(&run, threads - 1, thread) : 0;

    threads_inside = true;
    work(state, 0);
    threads_inside = !outermost;
    for (size_t i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    free(thread);
}
