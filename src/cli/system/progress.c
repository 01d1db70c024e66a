/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The progress line on a terminal, such as
 *
 *     naive: 70,000 decks, bias below 0.021, goal 0.01, about 12 s left
 *
 * The bound on the bias falls like 1/sqrt(number of decks). So a gate that passes needs about
 * (bound/goal)^2 times the decks so far, but never more than its limit.
 */
#include "cli/cli.h"

#include "core/system.h"
#include "report/page.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

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
