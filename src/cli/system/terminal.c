/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Standard streams, signals such as Ctrl-C, and what the terminal can show. */
#include "cli/cli.h"
#include "core/system.h"
#include "report/page.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* These variables are mutable and global, because signal handlers write to them. */
/* number of the signal that raised the stop flag; 0: no signal yet */
static volatile sig_atomic_t terminal_stop;
/* number of the signal that requested to reopen the log; 0: no request */
static volatile sig_atomic_t terminal_reopen;
/* process groups of commands under test; 0: no command */
static volatile sig_atomic_t terminal_group[CLI_GROUPS_MOST];
static atomic_llong terminal_since; /* time of the first signal in milliseconds; 0: no signal yet */

void cli_standard_descriptors(void)
{
    for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++)
        if (fcntl(number, F_GETFD) < 0 && errno == EBADF)
            /* open() returns the lowest free number, which is this one */
            (void)open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static long long terminal_milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000 + 1;
}

/* The first signal raises the stop flag; the second signal ends the program. timeout(1) and closing terminals
 * send a signal twice, so a second signal within a quarter of a second is ignored. */
static void terminal_catch(int number)
{
    const long long now = terminal_milliseconds();
    long long since = 0;

    if (!atomic_compare_exchange_strong(&terminal_since, &since, now) && now - since > 250) {
        for (size_t i = 0; i < CLI_GROUPS_MOST; i++)
            if (terminal_group[i] > 0)
                kill(-(pid_t)terminal_group[i], SIGKILL);
        cli_output_unlink();
        _exit(EXIT_INTERRUPTED);
    }
    terminal_stop = number;
}

/* Returns the action that calls a handler. A write to a slow reader goes on after the signal, because a stream loses
 * the bytes of a write that ends with EINTR; poll() and nanosleep() end nevertheless. */
static struct sigaction terminal_action(void (*handler)(int))
{
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };

    sigemptyset(&action.sa_mask);
    return action;
}

const volatile sig_atomic_t *cli_stop_flag(void)
{
    const struct sigaction action = terminal_action(terminal_catch);
    struct sigaction before;

    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    /* nohup ignores SIGHUP, and a watch has a handler of its own */
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(SIGHUP, &action, NULL);
    return &terminal_stop;
}

bool cli_interrupted(void)
{
    return terminal_stop == SIGINT;
}

void cli_stop_interrupts(bool interrupts)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action;

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sigaction(numbers[i], NULL, &action) == 0) {
            action.sa_flags = interrupts ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
            sigaction(numbers[i], &action, NULL);
        }
}

static void terminal_catch_reopen(int number)
{
    terminal_reopen = number;
}

volatile sig_atomic_t *cli_reopen_flag(void)
{
    const struct sigaction action = terminal_action(terminal_catch_reopen);

    sigaction(SIGHUP, &action, NULL);
    return &terminal_reopen;
}

volatile sig_atomic_t *cli_group(size_t index)
{
    return &terminal_group[index];
}

/* Returns whether the stream is a terminal. Keeps errno, which may be that of a write that failed and that the caller
 * has not looked at yet. */
static bool terminal_is(FILE *stream)
{
    const int before = errno;
    const bool is = isatty(fileno(stream));

    errno = before;
    return is;
}

unsigned cli_terminal_columns(FILE *stream)
{
    const char *const columns = getenv("COLUMNS");
    struct winsize window;
    uint64_t number = 0;

    if (!terminal_is(stream))
        return 0;
    if (ioctl(fileno(stream), TIOCGWINSZ, &window) == 0 && window.ws_col)
        return window.ws_col;
    return columns && sb_whole_number(columns, 1, 10000, &number) ? (unsigned)number : 0;
}

struct sb_look cli_look(FILE *stream)
{
    const char *const no_color = getenv("NO_COLOR"), *const term = getenv("TERM");
    const bool plain = (no_color && *no_color) || !term || strcmp(term, "dumb") == 0;

    return (struct sb_look) {
        .unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
        .colour = !plain && terminal_is(stream),
        .columns = cli_terminal_columns(stream),
    };
}

/*
 * The progress line on a terminal, such as
 *
 *     naive: 70,000 decks, bias below 0.021, goal 0.01, about 12 s left
 *
 * The bound on the bias falls like 1/sqrt(number of decks). So a gate that passes needs about
 * (bound/goal)^2 times the decks so far, but never more than its limit.
 */

enum { PROGRESS_NAME = 30, PROGRESS_LINE = 240 };

void cli_progress_begin(bool quiet, struct cli_progress_state *state)
{
    const double now = sb_clock_now();

    *state = (struct cli_progress_state) {
        .wanted = !quiet && isatty(STDERR_FILENO),
        .began = now,
        .subject_began = now,
    };
}

void cli_progress_bound(void *state, double bound, double goal)
{
    struct cli_progress_state *const progress = state;

    progress->bound = bound;
    progress->goal = goal;
    progress->looked = true;
}

/* Returns the number of shuffles that the work will probably take. */
static double progress_needed(const struct cli_progress_state *progress, double total)
{
    const double ratio = progress->goal > 0 ? fmax(1, progress->bound / progress->goal) : HUGE_VAL;

    return fmin(total, (double)progress->bound_done * ratio * ratio);
}

/* Writes a number of seconds for people: "12 s", "3 min", "1.5 h". */
static void progress_time(double seconds, char text[32])
{
    if (seconds < 100)
        snprintf(text, 32, "%.0f s", ceil(seconds));
    else if (seconds < 100 * 60)
        snprintf(text, 32, "%.0f min", seconds / 60);
    else
        snprintf(text, 32, "%.1f h", seconds / 3600);
}

/* Writes the line. It is cut to the width of the terminal, because a line that wraps cannot be replaced. */
static void progress_write(const struct cli_progress_state *progress, const char *subject, uint64_t done,
                           uint64_t total, double elapsed)
{
    const unsigned columns = cli_terminal_columns(stderr);
    const double needed = progress_needed(progress, (double)total);
    char line[PROGRESS_LINE], left[32] = "";
    int name = (int)strnlen(subject, PROGRESS_NAME), used;

    while (name > 0 && ((unsigned char)subject[name] & 0xC0) == 0x80) /* keeps characters of UTF-8 whole */
        name--;
    if (done > 0)
        progress_time(elapsed * fmax(0, needed - (double)done) / (double)done, left);
    used = snprintf(line, sizeof line, "%.*s: %s ", name, subject, sb_number_grouped(done).text);
    if (progress->goal > 0 && progress->bound < 1)
        used += snprintf(line + used, sizeof line - (size_t)used, "decks, bias below %s, goal %s",
                         sb_number_short_up(progress->bound, 2).text, sb_number_given(progress->goal).text);
    else if (progress->goal > 0)
        used += snprintf(line + used, sizeof line - (size_t)used, "of at most %s decks", sb_number_grouped(total).text);
    else /* decks, seeds, series of draws, or steps of an exact law */
        used += snprintf(line + used, sizeof line - (size_t)used, "of %s", sb_number_grouped(total).text);
    if (left[0])
        snprintf(line + used, sizeof line - (size_t)used, ", about %s left", left);
    if (columns > 1 && strlen(line) >= columns)
        line[columns - 1] = '\0';
    fprintf(stderr, "\r%s\033[K", line);
}

void cli_progress(void *state, const char *subject, uint64_t done, uint64_t total)
{
    struct cli_progress_state *const progress = state;

    if (!progress->wanted)
        return;
    const double now = sb_clock_now();

    if (done < progress->done) { /* the next subject */
        progress->subject_began = now;
        if (!progress->looked)
            progress->goal = 0;
    }
    progress->done = done;
    if (progress->looked || progress->goal <= 0)
        progress->bound_done = done;
    progress->looked = false;
    if (now - progress->began < 1 || now - progress->last < 0.2)
        return;
    progress->last = now;
    progress->shown = true;
    progress_write(progress, subject, done, total, now - progress->subject_began);
}

void cli_progress_end(struct cli_progress_state *state)
{
    /* the subjects of a suite share the state and may end at once: they read it only */
    if (!state->shown)
        return;
    fputs("\r\033[K", stderr);
    state->shown = false;
}
