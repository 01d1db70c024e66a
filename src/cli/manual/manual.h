/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of the program that writes the manual pages and the completions. The build runs the program, and
 * does not install it. The program asks each command for its help, so that pages and completions come from
 * the tables of options.
 */
#ifndef SB_CLI_MANUAL_MANUAL_H
#define SB_CLI_MANUAL_MANUAL_H

#include "cli/cli.h"

/* Ends the program with a line that contains `what` and the reason in errno. */
_Noreturn void manual_fail(const char *what);

/* manual_open() calls manual_fail() if it cannot open FOLDER/NAME, and manual_close() does so if anything
 * could not be written. */
FILE *manual_open(const char *folder, const char *name);
void manual_close(FILE *file);

/* Calls `printer` with the table of each command. */
void manual_each(cli_help_printer *printer);

/* ---- page.c ---- */

/* Writes shufflebias.1 and a page shufflebias-COMMAND.1 for each command. */
void manual_pages(const char *folder);

/* ---- completion.c ---- */

/* Writes the completions for bash, zsh and fish: shufflebias, _shufflebias and shufflebias.fish. */
void manual_completions(const char *folder);

#endif
