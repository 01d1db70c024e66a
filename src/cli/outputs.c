/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes one result to several files, each in its own format: --format, -o and --export. */
#include "cli/cli.h"
#include "core/text.h"

#include <stdlib.h>
#include <string.h>

/* Prints the help of the program, and that of a command: examples, the usage, and the options by groups. */

/* columns of the help, and of its examples */
enum { HELP_WIDTH = 79, HELP_LEAST = 60, HELP_MOST = 120, HELP_EXAMPLE = 37, HELP_ROOM = SB_RESULT_FORMATS_ROOM + 64 };

/* Returns the help of an option. Where it lists the formats or the figures of the command's result, it is written to
 * `room`. */
static const char *help_option(const struct cli_command_type *type, const struct sb_option *row, char room[HELP_ROOM])
{
    char names[SB_RESULT_FORMATS_ROOM];

    if (row->help)
        return row->help;
    if (strcmp(row->name, "format") == 0)
        snprintf(room, HELP_ROOM, "%s (text)", sb_result_formats(type->result, names));
    else
        snprintf(room, HELP_ROOM, "figure to draw as svg: %s (default: the figure that suits the result)",
                 sb_result_figures(type->result, names));
    return room;
}

/* Returns the width of the help: HELP_WIDTH, or one column less than the terminal has. */
static size_t help_width(void)
{
    const unsigned columns = cli_terminal_columns(stdout);

    if (columns == 0)
        return HELP_WIDTH;
    return columns < HELP_LEAST ? HELP_LEAST - 1 : columns > HELP_MOST ? HELP_MOST - 1 : columns - 1;
}

/* Writes a row's names, as in "  -n, --name=ARGUMENT", and returns the length of the text. */
static size_t help_left(const struct sb_option *row, char left[128])
{
    const char *const value = row->value ? row->value : "";

    if (!cli_option_is_long(row))
        return (size_t)snprintf(left, 128, "  -%s%s%s", row->name, row->value ? " " : "", value);
    return (size_t)snprintf(left, 128, "  %c%c%c --%s%s%s", row->letter ? '-' : ' ', row->letter ? row->letter : ' ',
                            row->letter ? ',' : ' ', row->name, row->value ? "=" : "", value);
}

void cli_wrap(const char *text, size_t column, size_t width)
{
    while (width > column && sb_utf8_width(text) > width - column) {
        size_t line = 0;

        for (size_t i = 0, used = 0; text[i] && (line == 0 || used < width - column); i++) {
            used += ((unsigned char)text[i] & 0xC0) != 0x80; /* counts characters of UTF-8 */
            line = text[i] == ' ' ? i : line;
        }
        if (line == 0)
            break; /* only one word */
        printf("%.*s\n%*s", (int)line, text, (int)column, "");
        text += line + 1;
    }
    printf("%s\n", text);
}

/* Returns the next row after `row` that a help shows: all rows, or only those that most people need. */
static const struct sb_option *help_next(const struct cli_command_type *type, bool all, const struct sb_option *row)
{
    do
        row = cli_option_next(type, row);
    while (row && !all && !(row->first & type->of));
    return row;
}

/* Prints a row. The help is in a column of its own, with line breaks between words. */
static void help_row(const struct cli_command_type *type, const struct sb_option *row, size_t column)
{
    char left[128], room[HELP_ROOM];

    help_left(row, left);
    printf("%-*s", (int)column, left);
    cli_wrap(help_option(type, row, room), column, help_width());
}

static bool help_defaults(const struct cli_command_type *type, bool all)
{
    for (const struct sb_option *row = NULL; (row = help_next(type, all, row));)
        if (!row->help || row->help[strlen(row->help) - 1] == ')')
            return true;
    return false;
}

/* Prints the rows of a group, after its heading; prints nothing if the group has no rows. The help of the options that
 * most people need is one group. */
static void help_group(const struct cli_command_type *type, bool all, enum sb_option_group group, size_t column)
{
    static const char *const heading[SB_GROUPS] = {
        [SB_GROUP_TEST] = "Options",    [SB_GROUP_SHUFFLE] = "The shuffle", [SB_GROUP_STREAM] = "Reading permutations",
        [SB_GROUP_RUNS] = "Saved runs", [SB_GROUP_OUTPUT] = "Output",       [SB_GROUP_PROGRAM] = "The program",
    };
    bool any = false;

    for (const struct sb_option *row = NULL; (row = help_next(type, all, row));) {
        if (all && row->group != group)
            continue;
        if (!any)
            printf("\n%s:\n", heading[group]);
        any = true;
        help_row(type, row, column);
    }
}

/* Prints the examples, `most` at most, with what they do in a column of its own. */
static void help_examples(const struct cli_command_type *type, size_t most)
{
    puts("Examples:");
    for (const struct cli_example *example = type->examples; example->purpose && most > 0; example++, most--) {
        if (strlen(example->typed) > HELP_EXAMPLE - 4)
            printf("  %s\n%*s", example->typed, HELP_EXAMPLE, "");
        else
            printf("  %-*s", HELP_EXAMPLE - 2, example->typed);
        cli_wrap(example->purpose, HELP_EXAMPLE, help_width());
    }
    printf("%s%s\n", type->notes ? "\n" : "", type->notes ? type->notes : "");
}

/* Returns the column of the help, right of the names of all options. */
static size_t help_column(const struct cli_command_type *type, bool all)
{
    size_t column = 0;
    char left[128];

    for (const struct sb_option *row = NULL; (row = help_next(type, all, row));) {
        const size_t length = help_left(row, left);

        column = length > column ? length : column;
    }
    return column + 5;
}

int cli_help_command(const struct cli_command_type *type, bool all)
{
    size_t count = 0;

    all = all || !help_next(type, false, NULL); /* few options are all needed */
    help_examples(type, all ? CLI_EXAMPLES_MOST : 2);
    printf("Usage: shufflebias %s %s\n", type->name, type->arguments);
    if (strstr(type->arguments, "SCHEME"))
        puts(all ? "SCHEME is SHUFFLE, SHUFFLE/DRAW or SHUFFLE/DRAW/RNG. SHUFFLE is a shuffling\n"
                   "algorithm. RNG is a random number generator. DRAW turns its output into random\n"
                   "numbers below a bound. 'shufflebias list' shows all names."
                 : "SCHEME is a built-in shuffle: 'shufflebias list' shows them.");
    if (help_defaults(type, all))
        puts("Defaults are in parentheses.");
    for (enum sb_option_group group = SB_GROUP_TEST; group < (all ? SB_GROUPS : SB_GROUP_TEST + 1); group++)
        help_group(type, all, group, help_column(type, all));
    for (const struct sb_option *row = NULL; (row = cli_option_next(type, row));)
        count++;
    if (!all)
        printf("\n'shufflebias %s --help all' shows all %zu options and more examples.\n", type->name, count);
    return cli_finish(type->name, EXIT_DONE);
}

void cli_help_program(FILE *stream)
{
    fputs("Usage: shufflebias COMMAND [OPTION ...] [ARGUMENT ...]\n"
          "\n"
          "Tells whether a shuffle is fair, how far from fair it is, and how certain the\n"
          "answer is.\n",
          stream);
    for (size_t i = 0; i < cli_command_types_count; i++) {
        if (cli_command_types[i]->heading)
            fprintf(stream, "\n%s\n", cli_command_types[i]->heading);
        for (const struct cli_example *example = cli_command_types[i]->first; example->purpose; example++)
            fprintf(stream, "  shufflebias %-27s %s\n", example->typed, example->purpose);
    }
    fputs("\n"
          "  shufflebias COMMAND --help              the options that most people need; 'all' shows all\n"
          "  shufflebias --version                   show the version\n"
          "\n"
          "Exit status: 0 done or fair, 1 biased, 2 wrong arguments, 3 inconclusive,\n"
          "             4 a program, a file or memory failed, 130 interrupted.\n",
          stream);
}

static int outputs_unknown(const struct cli_outputs *outputs, const char *format)
{
    char formats[SB_RESULT_FORMATS_ROOM];

    return cli_usage(outputs->command, "unknown format '%s': use %s", format,
                     sb_result_formats(outputs->type, formats));
}

/* Opens one more output; returns the exit status. */
static int outputs_open(struct cli_outputs *outputs, const char *format, const char *path)
{
    struct cli_place *const last = &outputs->place[outputs->count];

    if (!sb_result_has(outputs->type, format))
        return outputs_unknown(outputs, format);
    if (!cli_output_open(outputs->command, path, &last->output))
        return EXIT_BROKEN;
    snprintf(last->format, sizeof last->format, "%s", format);
    outputs->count++;
    for (size_t i = 0; &outputs->place[i] < last; i++)
        if (cli_output_same(&outputs->place[i].output, &last->output))
            return cli_usage(outputs->command, "%s and %s would both go to %s: give each a file of its own",
                             outputs->place[i].format, format, path ? path : "standard output");
    return EXIT_DONE;
}

/* Checks that the requested figure exists and that an svg output will draw it; returns the exit status. */
static int outputs_figure(const struct cli_outputs *outputs)
{
    char figures[SB_RESULT_FORMATS_ROOM];

    if (!outputs->figure)
        return EXIT_DONE;
    if (!sb_result_draws(outputs->type, outputs->figure))
        return cli_usage(outputs->command, "unknown figure '%s': use %s", outputs->figure,
                         sb_result_figures(outputs->type, figures));
    for (size_t i = 0; i < outputs->count; i++)
        if (strcmp(outputs->place[i].format, "svg") == 0)
            return EXIT_DONE;
    return cli_usage(outputs->command, "--figure %s: only goes with the format svg", outputs->figure);
}

/* Opens the output of one option --export; returns the exit status. */
static int outputs_export(struct cli_outputs *outputs, const char *text)
{
    const char *const colon = strchr(text, ':');
    char format[64];

    if (!colon || !colon[1])
        return cli_usage(outputs->command, "--export %s: write FORMAT:FILE, as in json:report.json", text);
    snprintf(format, sizeof format, "%.*s", (int)(colon - text), text);
    return outputs_open(outputs, format, colon + 1);
}

int cli_outputs_open(struct cli_outputs *outputs, const struct sb_request *request)
{
    int status = EXIT_DONE;

    cli_stop_flag();
    outputs->figure = request->figure;
    outputs->details = request->details;
    for (size_t i = 0; i < request->exports.count && status == EXIT_DONE; i++)
        status = outputs_export(outputs, request->exports.text[i]);
    if (status == EXIT_DONE)
        status = outputs_open(outputs, request->format ? request->format : "text", request->output);
    return status ? status : outputs_figure(outputs);
}

int cli_outputs_spare(const struct cli_outputs *outputs, const struct cli_spared files[])
{
    for (; files->what; files++)
        for (size_t i = 0; files->path && i < outputs->count; i++)
            if (cli_output_replaces(&outputs->place[i].output, files->path))
                return cli_usage(outputs->command, "'%s' is %s, and cannot take the %s: name another file", files->path,
                                 files->what, outputs->place[i].format);
    return EXIT_DONE;
}

int cli_outputs_write(struct cli_outputs *outputs, const void *result)
{
    struct sb_error said = { 0 };
    int status = EXIT_DONE;

    for (size_t i = 0; i < outputs->count; i++) {
        struct cli_place *const place = &outputs->place[i];
        struct sb_look look = cli_look(place->output.stream);
        struct sb_error error = { 0 };

        look.figure = outputs->figure;
        look.details = outputs->details;
        const enum sb_status written =
            sb_result_write(outputs->type, result, place->format, &look, &error, place->output.stream);

        if (written && written != SB_IO && strcmp(said.text, error.text) == 0)
            continue; /* the same error in several formats needs only one line */
        if (written && written != SB_IO) {
            status = cli_failed(outputs->command, &error);
            said = error;
        } else if (!cli_output_keep(outputs->command, &place->output)) {
            status = EXIT_BROKEN;
        }
    }
    return status;
}

void cli_outputs_keep(struct cli_outputs *outputs, bool (*wanted)(const char *format))
{
    size_t kept = 0;

    for (size_t i = 0; i < outputs->count; i++)
        if (wanted(outputs->place[i].format))
            outputs->place[kept++] = outputs->place[i];
        else
            cli_output_drop(&outputs->place[i].output);
    outputs->count = kept;
}

void cli_outputs_close(struct cli_outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++)
        cli_output_drop(&outputs->place[i].output);
    outputs->count = 0;
}

int cli_finish(const char *command, int status)
{
    struct cli_output standard = { .stream = stdout };

    return cli_output_keep(command, &standard) ? status : EXIT_BROKEN;
}
