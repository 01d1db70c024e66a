/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads argv with the table of options (core/options.c). getopt_long() finds the options, which may stand anywhere
 * before "--"; as called here, it neither allocates nor prints. Abbreviations of names are rejected, because
 * a new option could change the meaning of an abbreviation.
 */
#include "cli/cli.h"

#include "core/text.h"

#include <getopt.h>
#include <string.h>
#include <sys/stat.h>

enum {
    OPTIONS_LONG = 256, /* getopt's value for the first row's long name; letters have smaller values */
};

/* The table in the form that getopt_long() needs. */
struct options_getopt {
    struct option names[SB_OPTIONS_MOST];
    char letters[2 + 2 * SB_OPTIONS_MOST];
};

/* Makes getopt's tables. The character "-" before the letters makes getopt return words in the order typed.
 * The character ":" makes getopt distinguish a missing argument from an unknown option. */
static void options_prepare(const struct cli_command_type *type, struct options_getopt *wanted)
{
    size_t names = 0, letters = 2;

    *wanted = (struct options_getopt) { .letters = "-:" };
    for (const struct sb_option *row = NULL; (row = cli_option_next(type, row));) {
        const char letter = cli_option_letter(row);

        if (cli_option_is_long(row))
            wanted->names[names++] = (struct option) {
                .name = row->name,
                .has_arg = row->value ? required_argument : no_argument,
                .val = OPTIONS_LONG + (int)(row - sb_options_table),
            };
        if (letter)
            wanted->letters[letters++] = letter;
        if (letter && row->value)
            wanted->letters[letters++] = ':';
    }
}

/* Returns the row for getopt's value, or NULL if `word` abbreviates the row's name. */
static const struct sb_option *options_row(const struct cli_command_type *type, int value, const char *word)
{
    const struct sb_option *row = NULL;

    if (value >= OPTIONS_LONG) {
        row = &sb_options_table[value - OPTIONS_LONG];
        return strcspn(word + 2, "=") == strlen(row->name) ? row : NULL;
    }
    while ((row = cli_option_next(type, row)) && cli_option_letter(row) != value)
        continue;
    return row;
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

/* Prints a line about an option that getopt rejects; returns the exit status. If optopt is the value of a
 * row, the option exists but takes no argument, and the mistake is that it has one. */
static int options_wrong(const struct cli_command_type *type, int value, const char *word)
{
    const char *const command = type->name;
    const bool missing = value == ':', surplus = !missing && optopt >= OPTIONS_LONG && strchr(word, '=');
    const bool unknown = !missing && !surplus, named = unknown && word[1] == '-';
    const size_t length = strcspn(word, "=");
    const char *const synonym = named ? options_synonym(type, word + 2, length - 2) : NULL;
    const char *const nearest = named ? options_nearest(type, word) : NULL;
    char meant[64] = "";

    if (unknown)
        options_dashes(type, word, meant);
    if (synonym)
        return cli_usage(command, "%.*s: %s calls this --%s", (int)length, word, command, synonym);
    if (nearest && !meant[0])
        snprintf(meant, sizeof meant, "--%s", nearest);
    if (meant[0])
        return cli_usage(command, "%s: unknown option: did you mean %s? 'shufflebias %s --help' shows the options",
                         word, meant, command);
    return cli_usage(command, "%s: %s; 'shufflebias %s --help' shows the options", word,
                     missing   ? "missing argument"
                     : surplus ? "option does not take an argument"
                               : "unknown option",
                     command);
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

/* Stores the text of an option; returns the exit status. cli_settle() reads the texts of numbers, when it is known what
 * the words are. */
static int options_store(struct cli_line *line, const struct sb_option *row, const char *text)
{
    const char **const given = &line->request.given[row - sb_options_table];
    struct sb_wrong wrong;

    if (row->kind == SB_KIND_FILE && options_file(line->type->name, row, *given, text))
        return EXIT_USAGE;
    if (row->kind == SB_KIND_TEXT || row->kind == SB_KIND_FILE || row->kind == SB_KIND_FLAG ||
        row->kind == SB_KIND_LIST || row->kind == SB_KIND_STATISTICS)
        return sb_request_set(&line->request, row, text, &wrong) ? EXIT_DONE
                                                                 : cli_usage(line->type->name, "%s", wrong.why);
    *given = text;
    return EXIT_DONE;
}

/*
 * Reads the options in argv. Returns true if the command should run; argv[1] and the following elements are
 * then the words that are not options, followed by NULL. Returns false and sets *status to the exit status
 * after --help, or after printing a line about a wrong option.
 */
static bool options_read(struct cli_line *line, int argc, const char *argv[], int *status)
{
    struct options_getopt wanted;
    int words = 1, value;

    options_prepare(line->type, &wanted);
    opterr = 0;
    optind = 1;
    while (optind < argc) {
        const char *const word = argv[optind];
        const int at = optind;

        if (strcmp(word, "-") == 0) { /* where musl's getopt_long() would end */
            argv[words++] = word;
            optind++;
            continue;
        }
        value = getopt_long(argc, (char *const *)argv, wanted.letters, wanted.names, NULL);
        if (value < 0)
            break;
        if (value == 1) { /* a word that is not an option */
            argv[words++] = optarg;
            continue;
        }
        const struct sb_option *const row = value == '?' || value == ':' ? NULL : options_row(line->type, value, word);

        if (!row || row->kind == SB_KIND_HELP) {
            *status = row ? cli_help_command(line->type) : options_wrong(line->type, value, word);
            return false;
        }
        if (row->value && value < OPTIONS_LONG && optind == at + 1 && *optarg == '=')
            optarg++; /* -n=52 means -n52 */
        *status = options_store(line, row, row->value ? optarg : "1");
        if (*status)
            return false;
    }
    while (optind < argc) /* the words after "--" */
        argv[words++] = argv[optind++];
    argv[words] = NULL;
    return true;
}

/* Cuts the arguments at the first "--" and returns the program after the cut; NULL if there is no "--". */
static const char *const *options_split(int *argc, const char *argv[])
{
    for (int i = 1; i < *argc; i++)
        if (strcmp(argv[i], "--") == 0) {
            argv[i] = NULL;
            *argc = i;
            return argv + i + 1; /* argv ends with NULL */
        }
    return NULL;
}

int cli_command_run(const struct cli_command_type *type, int argc, const char *argv[])
{
    struct cli_line line = { .type = type, .outputs = { .command = type->name, .type = type->result } };
    int status = EXIT_DONE;

    sb_request_init(&line.request, type->of);
    line.program = type->program ? options_split(&argc, argv) : NULL;
    if (options_read(&line, argc, argv, &status)) {
        line.words = argv + 1;
        status = type->run(&line);
    }
    cli_outputs_close(&line.outputs);
    return status;
}
