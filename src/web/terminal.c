/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file replaces src/cli/system/terminal.c in the module, which has no signals and no terminal. The
 * host's function `progress` can stop the work.
 */
#include "cli/cli.h"
#include "web/web.h"

#include <stdlib.h>

/* These variables are mutable and global, because the interface of signals has no state. */
volatile sig_atomic_t sb_web_stop;
static volatile sig_atomic_t terminal_reopen, terminal_group;

void sb_web_progress(void *state, const char *subject, uint64_t done, uint64_t total)
{
    (void)state;
    (void)subject;
    if (sb_web_host_progress((double)done, (double)total))
        sb_web_stop = SIGINT;
}

void cli_standard_descriptors(void)
{
}

const volatile sig_atomic_t *cli_stop_flag(void)
{
    return &sb_web_stop;
}

bool cli_interrupted(void)
{
    return sb_web_stop;
}

volatile sig_atomic_t *cli_reopen_flag(void)
{
    return &terminal_reopen;
}

volatile sig_atomic_t *cli_group(size_t index)
{
    (void)index;
    return &terminal_group;
}

unsigned cli_terminal_columns(FILE *stream)
{
    (void)stream;
    return 0;
}

struct sb_look cli_look(FILE *stream)
{
    (void)stream;
    return (struct sb_look) { .unicode = true };
}

void cli_progress_begin(bool quiet, struct cli_progress_state *state)
{
    (void)quiet;
    *state = (struct cli_progress_state) { 0 };
}

void cli_progress(void *state, const char *subject, uint64_t done, uint64_t total)
{
    sb_web_progress(state, subject, done, total);
}

void cli_progress_bound(void *state, double bound, double goal)
{
    (void)state;
    (void)bound;
    (void)goal;
}

void cli_progress_end(struct cli_progress_state *state)
{
    (void)state;
}
