/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The saved evidence of a gate on one subject: where it is saved, and what is loaded from there. */
#ifndef SB_CLI_COMMAND_GATE_EVIDENCE_H
#define SB_CLI_COMMAND_GATE_EVIDENCE_H

#include "cli/cli.h"

struct cli_evidence {
    char *save, *checkpoint, *resume; /* what was typed with these options; NULL if not typed */
    const char *file;                 /* the evidence is saved here, or loaded from here; NULL: none */
    struct sb_gate_saved *saved;      /* the loaded evidence, of a gate or of a report; owned; NULL: none */
};

/* Adds --save, --checkpoint and --resume to a command's table. */
void cli_evidence_options(struct cli_evidence *evidence, struct cli_option options[]);

/* The file of saved evidence among the words; NULL if there is none. */
const char *cli_evidence_named(const struct cli_subject *subject, const char *const words[]);

/*
 * Loads the evidence in `named`, which may be NULL, or in the file of --resume, and sets the subject and the
 * options to those of the saved run. Options typed later must agree with them. Returns the exit status.
 */
int cli_evidence_settle(struct cli_evidence *evidence, const char *named, struct sb_subject *subject,
                        struct sb_gate_options *options);

/* Whether loaded evidence is only shown, and the run is not resumed. */
bool cli_evidence_looks(const struct cli_evidence *evidence);

void cli_evidence_close(struct cli_evidence *evidence);

#endif
