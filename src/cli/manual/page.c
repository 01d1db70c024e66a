/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The manual pages of the commands. */
#include "cli/manual/manual.h"

#include <string.h>

static const char *page_folder;

/* Writes "-o FILE, --output=FILE" and the help of an option. */
static void page_option(FILE *page, const struct cli_option *row)
{
    const char *const argument = row->argument ? row->argument : "";

    fputs(".TP\n", page);
    if (row->letter)
        fprintf(page, "\\fB\\-%c\\fR%s", row->letter, row->name ? ", " : row->argument ? " " : "");
    if (row->name) {
        fputs("\\fB\\-\\-", page);
        manual_text(page, row->name);
        fprintf(page, "\\fR%s", row->argument ? "=" : "");
    }
    fputs("\\fI", page);
    manual_text(page, argument);
    fputs("\\fR\n", page);
    manual_text(page, row->help);
    fputs("\n", page);
}

static void page_group(FILE *page, const struct cli_option options[], enum cli_group group)
{
    bool any = false;

    for (const struct cli_option *row = options; !cli_option_ends(row); row++) {
        if (row->group != group)
            continue;
        if (!any && group != CLI_TEST)
            fprintf(page, ".SS %s\n", cli_group_heading(group));
        any = true;
        page_option(page, row);
    }
}

static const char *page_purpose(const char *command)
{
    size_t i = 0;

    while (strcmp(cli_command_types[i]->name, command) != 0)
        i++;
    return cli_command_types[i]->example[0].purpose;
}

/* Writes the page of a command. */
static int page_command(const struct cli_syntax *syntax)
{
    char name[64], file[72];

    snprintf(name, sizeof name, "shufflebias-%s", syntax->command);
    snprintf(file, sizeof file, "%s.1", name);
    FILE *const page = manual_open(page_folder, file);

    manual_title(page, name, 1, page_purpose(syntax->command));
    fprintf(page, ".SH SYNOPSIS\n\\fBshufflebias %s\\fR ", syntax->command);
    manual_text(page, syntax->arguments);
    fputs("\n.SH EXAMPLES\n", page);
    manual_lines(page, syntax->examples);
    fputs(".SH OPTIONS\n", page);
    if (strstr(syntax->arguments, "SCHEME")) {
        manual_text(page, cli_help_scheme);
        fputs("\n.PP\n", page);
    }
    if (cli_options_default(syntax->options))
        fputs("Defaults are in parentheses.\n", page);
    for (enum cli_group group = CLI_TEST; group < CLI_GROUPS; group++)
        page_group(page, syntax->options, group);
    fputs(".SH SEE ALSO\n.BR shufflebias (1),\nwhich has the other commands and the exit statuses\n", page);
    manual_close(page);
    return EXIT_DONE;
}

/* Writes the page of the program: its help, and the names of the other pages. */
static void page_program(void)
{
    FILE *const page = manual_open(page_folder, "shufflebias.1");
    char help[8192];
    FILE *const memory = fmemopen(help, sizeof help, "w");

    if (!memory)
        manual_fail("help");
    cli_help_program(memory);
    fclose(memory);
    manual_title(page, "shufflebias", 1,
                 "whether a shuffle is fair, how far from fair, and how certain that is");
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
    page_folder = folder;
    page_program();
    manual_each(page_command);
}
