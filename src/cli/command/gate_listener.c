/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/command/gate_listener.h"

#include "core/text.h"
#include "report/number.h"

#include <stdlib.h>
#include <string.h>

void cli_listener_overhears(void *state, const char *line)
{
    const struct cli_listener *const listener = state;

    if (!listener->name) {
        cli_stderr_relay(listener->progress, line);
        return;
    }
    char name[256];

    cli_progress_end(listener->progress);
    sb_sanitize_log_text(listener->name, name, sizeof name);
    fprintf(stderr, "subject %s: %s\n", name, line);
}

/* Returns the verdict as reports print it. */
static const char *listener_verdict(const char *verdict)
{
    return strcmp(verdict, "pass") == 0 ? "PASS" : strcmp(verdict, "fail") == 0 ? "FAIL" : "INCONCLUSIVE";
}

void cli_listener_finishes(void *state, const struct sb_suite_part *part)
{
    const struct cli_listener *const listener = state;
    struct sb_gate_summary summary;

    cli_progress_end(listener->progress);
    if (part->error && part->error->status == SB_STOPPED)
        return; /* Ctrl-C came before its first permutation */
    if (part->error) {
        char *const typed = cli_flags(part->error->text);

        cli_usage("gate", "%s: BROKEN: %s", part->name, typed ? typed : part->error->text);
        free(typed);
        return;
    }
    sb_gate_summary_get(part->gate, &summary);
    cli_usage("gate", "%s: %s after %s permutation%s", part->name, listener_verdict(summary.verdict),
              sb_number_grouped(summary.total).text, summary.total == 1 ? "" : "s");
}
