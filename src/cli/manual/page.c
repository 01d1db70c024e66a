/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The manual pages of the commands. */
#include "cli/manual/manual.h"

#include <string.h>

/* Writes "-o, --output=FILE" and the help of an option. */
static void page_option(FILE *page, const struct cli_command_type *type, const struct sb_option *row)
{
    const char letter = cli_option_letter(row);
    const bool is_long = cli_option_is_long(row);
    char room[CLI_HELP_ROOM];

    fputs(".TP\n", page);
    if (letter)
        fprintf(page, "\\fB\\-%c\\fR%s", letter, is_long ? ", " : row->value ? " " : "");
    if (is_long) {
        fputs("\\fB\\-\\-", page);
        manual_text(page, row->name);
        fprintf(page, "\\fR%s", row->value ? "=" : "");
    }
    fputs("\\fI", page);
    manual_text(page, row->value ? row->value : "");
    fputs("\\fR\n", page);
    manual_text(page, cli_option_help(type, row, room));
    fputs("\n", page);
}

static void page_group(FILE *page, const struct cli_command_type *type, enum sb_option_group group)
{
    bool any = false;

    for (const struct sb_option *row = NULL; (row = cli_option_next(type, row));) {
        if (row->group != group)
            continue;
        if (!any && group != SB_GROUP_TEST)
            fprintf(page, ".SS %s\n", cli_group_heading(group));
        any = true;
        page_option(page, type, row);
    }
}

/* Writes the page of a command. */
static void page_command(const char *folder, const struct cli_command_type *type)
{
    char name[64], file[72];

    snprintf(name, sizeof name, "shufflebias-%s", type->name);
    snprintf(file, sizeof file, "%s.1", name);
    FILE *const page = manual_open(folder, file);

    manual_title(page, name, 1, type->example[0].purpose);
    fprintf(page, ".SH SYNOPSIS\n\\fBshufflebias %s\\fR ", type->name);
    manual_text(page, type->arguments);
    fputs("\n.SH EXAMPLES\n", page);
    manual_lines(page, type->examples);
    fputs(".SH OPTIONS\n", page);
    if (strstr(type->arguments, "SCHEME")) {
        manual_text(page, cli_help_scheme);
        fputs("\n.PP\n", page);
    }
    if (cli_options_default(type))
        fputs("Defaults are in parentheses.\n", page);
    for (enum sb_option_group group = SB_GROUP_TEST; group < SB_GROUPS; group++)
        page_group(page, type, group);
    fputs(".SH SEE ALSO\n.BR shufflebias (1),\nwhich has the other commands and the exit statuses\n", page);
    manual_close(page);
}

/* Writes the page of the program: its help, and the names of the other pages. */
static void page_program(const char *folder)
{
    FILE *const page = manual_open(folder, "shufflebias.1");
    char help[8192];
    FILE *const memory = fmemopen(help, sizeof help, "w");

    if (!memory)
        manual_fail("help");
    cli_help_program(memory);
    fclose(memory);
    manual_title(page, "shufflebias", 1, "whether a shuffle is fair, how far from fair, and how certain that is");
    fputs(".SH SYNOPSIS\n\\fBshufflebias\\fR COMMAND [OPTION ...] [ARGUMENT ...]\n.SH COMMANDS\n", page);
    manual_lines(page, strstr(help, "  shufflebias"));
    fputs(".SH SEE ALSO\n", page);
    for (size_t i = 0; i < cli_command_types_count; i++)
        fprintf(page, ".BR shufflebias\\-%s (1),\n", cli_command_types[i]->name);
    manual_file_pages(page);
    fputs(".BR shufflebias (3)\n", page);
    manual_close(page);
}

void manual_pages(const char *folder)
{
    page_program(folder);
    for (size_t i = 0; i < cli_command_types_count; i++)
        page_command(folder, cli_command_types[i]);
}
