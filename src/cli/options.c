/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints help, reads argv with the table of options (core/options.c), and opens the outputs that it names. Options may
 * stand anywhere before "--". The names of options are not abbreviated, because a new option could change the meaning
 * of an abbreviation.
 */
#include "cli/cli.h"
#include "core/text.h"

#include <sys/stat.h>

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

/* Prints the help of a command: the options that most people need, or all; returns the exit status. */
static int help_command(const struct cli_command_type *type, bool all)
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
          "  shufflebias COMMAND --help              the options that most people need\n"
          "  shufflebias COMMAND --help all          all options of the command\n"
          "  shufflebias --version                   show the version\n"
          "\n"
          "Exit status: 0 done or fair, 1 biased, 2 wrong arguments, 3 inconclusive,\n"
          "             4 a program or a file failed, or memory was short, 130 interrupted.\n",
          stream);
}

/* Writes one result to several files, each in its own format: --format, -o and --export. */

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

/* Opens all outputs of a request, before the work begins; returns the exit status. Also installs the handler of signals
 * that removes unfinished outputs. */
static int outputs_open_all(struct cli_outputs *outputs, const struct sb_request *request)
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

/* Closes and removes the outputs that were not written. */
static void outputs_close(struct cli_outputs *outputs)
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

/* Whether the `length` letters after the dashes of a word are this name. */
static bool options_named(const char *name, const char *word, size_t length)
{
    return strlen(name) == length && strncmp(name, word + 2, length) == 0;
}

/* Returns the option in `word`, such as "--samples=9", "-n9" or "-n"; NULL: the command has none of this name. */
static const struct sb_option *options_find(const struct cli_command_type *type, const char *word)
{
    const size_t length = strcspn(word + 2, "=");

    for (const struct sb_option *row = NULL; (row = cli_option_next(type, row));)
        if (word[1] != '-' ? cli_option_letter(row) == word[1]
                           : cli_option_is_long(row) && (options_named(row->name, word, length) ||
                                                         (row->old && options_named(row->old, word, length))))
            return row;
    return NULL;
}

/* The long name nearest to the option in `word`, such as "--sampl=9"; NULL if none is near. */
static const char *options_nearest(const struct cli_command_type *type, const char *word)
{
    char name[64];
    struct sb_name_nearest nearest = { .name = name };

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    nearest.name += strspn(name, "-");
    for (const struct sb_option *row = NULL; (row = cli_option_next(type, row));)
        if (cli_option_is_long(row))
            sb_name_offer(&nearest, row->name);
    return nearest.nearest[0];
}

/* What people type, as another command or another program calls it, and the option that they mean. */
static const struct {
    const char *typed, *meant;
} options_synonyms[] = {
    { "samples", "limit" },    { "samples", "decks" }, { "limit", "samples" },      { "limit", "decks" },
    { "decks", "limit" },      { "decks", "samples" }, { "permutations", "limit" }, { "shuffles", "limit" },
    { "shuffles", "samples" }, { "jobs", "threads" },  { "names", "cards" },        { "delimiter", "separator" },
    { "regex", "match" },      { "out", "output" },
};

/* The option that this command has for the name of `length` bytes; NULL if there is none. */
static const char *options_synonym(const struct cli_command_type *type, const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof options_synonyms / sizeof options_synonyms[0]; i++)
        if (strlen(options_synonyms[i].typed) == length && strncmp(name, options_synonyms[i].typed, length) == 0)
            for (const struct sb_option *row = NULL; (row = cli_option_next(type, row));)
                if (strcmp(row->name, options_synonyms[i].meant) == 0)
                    return row->name;
    return NULL;
}

/* The option that is right with another number of dashes: "-n" for "--n", and "--limit" for "-limit"; empty if
 * there is none. */
static void options_dashes(const struct cli_command_type *type, const char *word, char meant[64])
{
    const char *const name = word + 1 + (word[1] == '-');
    const size_t length = strcspn(name, "=");

    meant[0] = '\0';
    for (const struct sb_option *row = NULL; (row = cli_option_next(type, row));)
        if (name == word + 2 && length == 1 && cli_option_letter(row) == *name)
            snprintf(meant, 64, "-%c", *name);
        else if (name == word + 1 && cli_option_is_long(row) && strlen(row->name) == length &&
                 strncmp(row->name, name, length) == 0)
            snprintf(meant, 64, "--%s", row->name);
}

/* Prints a line about an option without its argument, or with one that it does not take, or about an unknown option
 * if `row` is NULL; returns the exit status. */
static int options_wrong(const struct cli_command_type *type, const struct sb_option *row, const char *word)
{
    const char *const command = type->name;
    const bool named = !row && word[1] == '-';
    const size_t length = strcspn(word, "=");
    const char *const synonym = named ? options_synonym(type, word + 2, length - 2) : NULL;
    const char *const nearest = named ? options_nearest(type, word) : NULL;
    char meant[64] = "";

    if (row)
        return cli_usage(command, "%s: %s; 'shufflebias %s --help' shows the options", word,
                         row->value ? "missing argument" : "option does not take an argument", command);
    options_dashes(type, word, meant);
    if (synonym)
        return cli_usage(command, "%.*s: %s calls this --%s", (int)length, word, command, synonym);
    if (nearest && !meant[0])
        snprintf(meant, sizeof meant, "--%s", nearest);
    return cli_usage(command, "%s: unknown option%s%s%s 'shufflebias %s --help' shows the options", word,
                     meant[0] ? ": did you mean " : ";", meant, meant[0] ? "?" : "", command);
}

/* Checks the name of an evidence file; returns the exit status. The option may not be repeated, and the file
 * may not be a stream. */
static int options_file(const char *command, const struct sb_option *row, const char *before, const char *text)
{
    struct stat there;

    if (before)
        return cli_usage(command, "--%s %s: --%s %s was given already: leave one out", row->name, text, row->name,
                         before);
    if (!text[0] || strcmp(text, "-") == 0 || (stat(text, &there) == 0 && !S_ISREG(there.st_mode)))
        return cli_usage(command, "--%s '%s': evidence must be saved in a regular file: name one", row->name, text);
    return EXIT_DONE;
}

static int options_store(struct cli_line *line, const struct sb_option *row, const char *text)
{
    const char *const command = line->type->name, *const before = line->request.given[row - sb_options_table];

    if (row->kind == SB_KIND_FILE && options_file(command, row, before, text))
        return EXIT_USAGE;
    if (row->kind == SB_KIND_LIST)
        return cli_set(command, &line->request, row, text) ? EXIT_DONE : EXIT_USAGE;
    line->request.given[row - sb_options_table] = text;
    return EXIT_DONE;
}

/*
 * Reads the options in argv. Returns true if the command should run; argv[1] and the following elements are
 * then the words that are not options, followed by NULL. Returns false and sets *status to the exit status
 * after --help, or after printing a line about a wrong option.
 */
static bool options_read(struct cli_line *line, int argc, const char *argv[], int *status)
{
    int words = 1;

    for (int at = 1, rest = argc; at < argc; at++) {
        const char *const word = argv[at];
        const bool is_long = word[0] == '-' && word[1] == '-';

        if (at > rest || word[0] != '-' || !word[1]) {
            argv[words++] = word;
            continue;
        }
        if (is_long && !word[2]) { /* the words after "--" are no options */
            rest = at;
            continue;
        }
        const struct sb_option *const row = options_find(line->type, word);
        const char *text = is_long ? strchr(word, '=') : word[2] ? word + 1 + (word[2] == '=') : NULL; /* -n=52: -n52 */

        if (row && row->kind == SB_KIND_HELP && (!text || strcmp(text, "=all") == 0))
            *status = help_command(line->type, text || (at + 1 < argc && strcmp(argv[at + 1], "all") == 0));
        else if (!row || (!row->value && text) || (row->value && !text && at + 1 == argc))
            *status = options_wrong(line->type, row, word);
        else
            *status = options_store(line, row, !row->value ? "1" : text ? text + 1 : argv[++at]);
        if (*status || row->kind == SB_KIND_HELP)
            return false;
    }
    argv[words] = NULL;
    *status = cli_set_given(line->type->name, &line->request) ? EXIT_DONE : EXIT_USAGE;
    return *status == EXIT_DONE;
}

/* Cuts the arguments at the first "--" and returns the program after the cut; NULL if there is no "--". */
static const char **options_split(int *argc, const char *argv[])
{
    for (int i = 1; i < *argc; i++)
        if (strcmp(argv[i], "--") == 0) {
            argv[i] = NULL;
            *argc = i;
            return argv + i + 1; /* argv ends with NULL */
        }
    return NULL;
}

/* ---- running a command ---- */

static size_t options_count(const char *const words[])
{
    size_t count = 0;

    while (words[count])
        count++;
    return count;
}

/* Gives the request the flag that stops the work, and the callbacks that print on standard error. */
static void options_listen(struct cli_line *line)
{
    line->request.stop = cli_stop_flag();
    line->request.progress = cli_progress;
    line->request.overheard = cli_stderr_relay;
    line->request.progress_state = line->request.overheard_state = &line->progress;
    line->request.group = cli_group(0);
}

int cli_begin(struct cli_line *line)
{
    const bool shown = sb_option_find(line->type->of, "quiet") && !line->request.quiet;
    const int status = line->type->result ? outputs_open_all(&line->outputs, &line->request) : EXIT_DONE;

    if (!status)
        cli_progress_begin(!shown, &line->progress);
    return status;
}

int cli_prepare(struct cli_line *line)
{
    return cli_settle_items(line->type->name, &line->request, true) ? cli_begin(line) : EXIT_USAGE;
}

int cli_run(struct cli_line *line)
{
    struct sb_error error = { 0 };
    int status = cli_prepare(line);

    if (status)
        return status;
    struct sb_result *const result = sb_call_run(&line->request, &error);

    if (result && result->type == &sb_reports_result)
        cli_flags_reports(result->reports);
    cli_progress_end(&line->progress);
    if (!result)
        return cli_failed(line->type->name, &error);
    status = cli_outputs_write(&line->outputs, result->made);
    if (status == EXIT_DONE && line->type->verdict)
        status = line->type->verdict(result->made);
    sb_result_free(result);
    return status;
}

/* Checks the number of words. If it is wrong, prints a line and returns false. */
static bool options_words(const struct cli_line *line)
{
    const struct cli_command_type *const type = line->type;

    if (type->stray && line->words[0])
        return cli_refuse(type->name, "unexpected '%s': %s", line->words[0], type->stray);
    if (type->word && !line->words[0] && !(line->program && line->program[0]) &&
        !(type->of == SB_DEAL && line->request.fair)) /* the law is dealt from */
        return cli_refuse(type->name, "%s", type->word);
    if (type->single && line->words[0] && line->words[1])
        return cli_refuse(type->name, "one %s at a time: leave '%s' out", type->single, line->words[1]);
    return true;
}

int cli_command_run(const struct cli_command_type *type, int argc, const char *argv[])
{
    struct cli_line line = { .type = type, .outputs = { .command = type->name, .type = type->result } };
    int status = EXIT_DONE;

    sb_request_init(&line.request, type->of);
    line.program = type->program ? options_split(&argc, argv) : NULL;
    if (options_read(&line, argc, argv, &status)) {
        /* `odds` has a scheme before its words */
        const size_t count = options_count(argv + 1), schemes = type->of == SB_ODDS;

        options_listen(&line);
        line.words = argv + 1;
        line.request.call = &line.call;
        line.call.schemes = (struct sb_call_texts) { schemes ? schemes : count, line.words };
        line.call.words = (struct sb_call_texts) { count - schemes, line.words + schemes };
        line.call.program.text = line.program;
        status = !options_words(&line) ? EXIT_USAGE : type->run ? type->run(&line) : cli_run(&line);
    }
    outputs_close(&line.outputs);
    return status;
}
