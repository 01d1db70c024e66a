/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The saved evidence of a gate: --save, --checkpoint, --resume, or a file of evidence among the words. */
#include "cli/command/gate_evidence.h"

#include "cli/shared_options.h"

void cli_evidence_options(struct cli_evidence *evidence, struct cli_option options[])
{
    const struct cli_option rows[] = {
        { .name = "save",
          .argument = "FILE",
          .file = &evidence->save,
          .help = "save the run in FILE; you can show its result or resume it later",
          .group = CLI_RUNS },
        cli_option_checkpoint(&evidence->checkpoint),
        { .name = "resume",
          .argument = "FILE",
          .file = &evidence->resume,
          .help = "resume the run saved in FILE; if the run had a command, a file or '-', use the same",
          .group = CLI_RUNS },
    };

    cli_options_add(options, rows, sizeof rows / sizeof rows[0]);
}

const char *cli_evidence_named(const struct cli_subject *subject, const char *const words[])
{
    return !subject->command && !cli_subject_is_read(subject) && words && words[0] && !words[1] &&
                   sb_saved_is(words[0])
               ? words[0]
               : NULL;
}

int cli_evidence_settle(struct cli_evidence *evidence, const char *named, struct sb_subject *subject,
                        struct sb_gate_options *options)
{
    const char *const file = evidence->resume ? evidence->resume : named;
    struct sb_error error = { 0 };

    evidence->file = file ? file : evidence->save;
    options->save = evidence->resume ? evidence->resume : evidence->save;
    if (file && evidence->save)
        return cli_usage("gate", "'%s' is saved evidence: leave --save out", file);
    if (options->ledger && evidence->file)
        return cli_usage("gate",
                         "--ledger %s: a ledger already stores evidence, with --key: drop --ledger or '%s'",
                         options->ledger, evidence->file);
    if (evidence->checkpoint && !options->save)
        return cli_usage("gate", "--checkpoint %s: only goes with --save or --resume", evidence->checkpoint);
    if (evidence->checkpoint &&
        !cli_seconds("gate", "--checkpoint", evidence->checkpoint, &options->checkpoint))
        return EXIT_USAGE;
    if (!file)
        return EXIT_DONE;
    if (sb_gate_saved_new(file, &error, &evidence->saved))
        return cli_failed("gate", &error);
    sb_gate_saved_asked(evidence->saved, subject, options);
    return EXIT_DONE;
}

bool cli_evidence_looks(const struct cli_evidence *evidence)
{
    return evidence->saved && !evidence->resume;
}

void cli_evidence_close(struct cli_evidence *evidence)
{
    sb_gate_saved_free(evidence->saved);
    evidence->saved = NULL;
}
