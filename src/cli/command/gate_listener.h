/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the gate prints on standard error while it runs: lines of the command under test, and the verdicts of a
 * suite's subjects. */
#ifndef SB_CLI_COMMAND_GATE_LISTENER_H
#define SB_CLI_COMMAND_GATE_LISTENER_H

#include "cli/cli.h"

/* The state of the callbacks for one subject. */
struct cli_listener {
    const char *name; /* name of the subject; NULL if there is only one subject */
    struct cli_progress_state *progress;
};

sb_overheard cli_listener_overhears;
sb_suite_finished cli_listener_finishes;

#endif
