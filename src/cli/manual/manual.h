/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of the program that writes the manual pages and the completions. The build runs the program, and
 * does not install it. Pages and completions come from the table of
 * options.
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

/* ---- roff.c ---- */

/* Writes a character so that roff prints it: roff must neither turn "-" into a hyphen nor take a backslash for a
 * command. */
void manual_letter(FILE *page, char letter);

/* Does this for a text. In addition, roff must not take a line that begins with "." or "'" for a command. */
void manual_text(FILE *page, const char *text);

/* Writes lines that keep their line breaks. */
void manual_lines(FILE *page, const char *text);

/* Writes the title and the section NAME. */
void manual_title(FILE *page, const char *name, int section, const char *purpose);

/* ---- markdown.c ---- */

/* Writes a page of Markdown without its heading, or its section `section` alone. Calls manual_fail() if there is no
 * such page or section. */
void manual_markdown(FILE *page, const char *path, const char *section);

/* ---- library.c, files.c: `source` is the folder of the source ---- */

/* Writes shufflebias.3. */
void manual_library(const char *folder, const char *source);

/* Writes the pages of section 5. */
void manual_files(const char *folder, const char *source);

/* Writes the names of the pages of section 5, each with a comma behind it. */
void manual_file_pages(FILE *page);

/* ---- page.c ---- */

/* Writes shufflebias.1 and a page shufflebias-COMMAND.1 for each command. */
void manual_pages(const char *folder);

/* ---- completion.c ---- */

/* Writes the completions for bash, zsh and fish: shufflebias, _shufflebias and shufflebias.fish. */
void manual_completions(const char *folder);

#endif
