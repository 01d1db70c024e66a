/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The saved evidence of a gate on one subject: the file, and the evidence loaded from the file. */
#ifndef SB_CLI_COMMAND_GATE_EVIDENCE_H
#define SB_CLI_COMMAND_GATE_EVIDENCE_H

#include "cli/cli.h"

struct cli_evidence {
    char *save, *checkpoint, *resume; /* arguments of --save, --checkpoint and --resume; NULL if not typed */
    /* name of the file to which evidence is saved or from which it is loaded; NULL: no file */
    const char *file;
    /* the loaded evidence, of a gate or of a report; owned; NULL: no evidence was loaded */
    struct sb_gate_saved *saved;
};

/* Adds --save, --checkpoint and --resume to a command's table. */
void cli_evidence_options(struct cli_evidence *evidence, struct cli_option options[]);

/* Returns the word that names a file of saved evidence, or NULL if there is none. */
const char *cli_evidence_named(const struct cli_subject *subject, const char *const words[]);

/*
 * Loads the evidence from the file `named`, which may be NULL, or from the file of --resume. Sets the subject
 * and the options to those of the saved run. The options on the command line must agree with the saved run.
 * Returns the exit status.
 */
int cli_evidence_settle(struct cli_evidence *evidence, const char *named, struct sb_subject *subject,
                        struct sb_gate_options *options);

/* Returns whether the command only shows loaded evidence and does not resume the run. */
bool cli_evidence_looks(const struct cli_evidence *evidence);

void cli_evidence_close(struct cli_evidence *evidence);

#endif
