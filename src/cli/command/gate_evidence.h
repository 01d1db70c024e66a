/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evidence of a gate on one subject: where it is put down, and what is picked up from there. */
#ifndef SB_CLI_COMMAND_GATE_EVIDENCE_H
#define SB_CLI_COMMAND_GATE_EVIDENCE_H

#include "cli/cli.h"

struct cli_evidence {
    char *save, *checkpoint, *resume; /* as typed; NULL where they were not */
    const char *file;                 /* that it is put down in, or picked up from; NULL: none */
    struct sb_gate_saved *saved;      /* a gate's or a report's, as it was picked up; owned; NULL: none */
};

/* Adds the options that were typed to a command's table. */
void cli_evidence_options(struct cli_evidence *evidence, struct cli_option options[]);

/* The file among the words that is evidence to be picked up; NULL if there is none. */
const char *cli_evidence_named(const struct cli_subject *subject, const char *const words[]);

/*
 * Picks up what `named`, which may be NULL, or --resume has; the subject and the options are then those of
 * that run, which everything that was typed is held against. The exit status.
 */
int cli_evidence_settle(struct cli_evidence *evidence, const char *named, struct sb_subject *subject,
                        struct sb_gate_options *options);

/* Whether what was picked up is only looked at. */
bool cli_evidence_looks(const struct cli_evidence *evidence);

void cli_evidence_close(struct cli_evidence *evidence);

#endif
