/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The person at the other end: Ctrl-C, colours, and a line that says how far the work is. */
#include "cli/cli.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t terminal_stop; /* the one mutable global: a signal has nowhere else to write */

static void terminal_catch(int number)
{
    (void)number;
    terminal_stop = 1;
}

const volatile sig_atomic_t *cli_stop_flag(void)
{
    struct sigaction action = { .sa_handler = terminal_catch, .sa_flags = (int)SA_RESETHAND };

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &terminal_stop;
}

struct sb_look cli_look(FILE *stream)
{
    const char *const no_color = getenv("NO_COLOR"), *const term = getenv("TERM");
    const bool plain = (no_color && *no_color) || !term || strcmp(term, "dumb") == 0;

    return (struct sb_look) {
        .unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
        .colour = !plain && isatty(fileno(stream)),
    };
}

static double terminal_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void cli_progress_begin(bool quiet, struct cli_progress_state *state)
{
    *state = (struct cli_progress_state) { .wanted = !quiet && isatty(STDERR_FILENO),
                                           .began = terminal_seconds() };
}

void cli_progress(void *state, const char *subject, uint64_t done, uint64_t total)
{
    struct cli_progress_state *const progress = state;
    const double now = progress->wanted ? terminal_seconds() : 0;

    if (!progress->wanted || now - progress->began < 1 || now - progress->last < 0.2)
        return;
    progress->last = now;
    progress->shown = true;
    fprintf(stderr, "\r%s: %.0f%% of %.3g\033[K", subject, total ? 100 * (double)done / (double)total : 0,
            (double)total);
}

void cli_progress_end(struct cli_progress_state *state)
{
    if (state->shown)
        fputs("\r\033[K", stderr);
    state->shown = false;
}
