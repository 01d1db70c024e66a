/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads argv with the table of a command's options. getopt_long() finds the options, which may stand anywhere
 * before "--"; as called here, it neither allocates nor prints. Abbreviations of names are rejected, because
 * a new option could change the meaning of an abbreviation.
 */
#include "cli/cli.h"

#include "core/text.h"

#include <assert.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
    OPTIONS_LONG = 256, /* getopt's value for the first row's long name; letters have smaller values */
};

/* A table in the form that getopt_long() needs. */
struct options_getopt {
    struct option names[CLI_OPTIONS_MOST];
    char letters[2 + 2 * CLI_OPTIONS_MOST];
};

bool cli_option_ends(const struct cli_option *row)
{
    return !row->name && !row->letter;
}

void cli_options_add(struct cli_option options[], const struct cli_option rows[], size_t count)
{
    size_t used = 0;

    while (!cli_option_ends(&options[used]))
        used++;
    assert(used + count < CLI_OPTIONS_MOST); /* the last row marks the end */
    for (size_t i = 0; i < count; i++)
        options[used++] = rows[i];
    options[used] = (struct cli_option) { .name = NULL };
}

/* Makes getopt's tables. The character "-" before the letters makes getopt return words in the order typed.
 * The character ":" makes getopt distinguish a missing argument from an unknown option. */
static void options_prepare(const struct cli_option options[], struct options_getopt *wanted)
{
    size_t names = 0, letters = 2;

    *wanted = (struct options_getopt) { .letters = "-:" };
    for (size_t i = 0; !cli_option_ends(&options[i]); i++) {
        const struct cli_option *const row = &options[i];

        if (row->name)
            wanted->names[names++] = (struct option) {
                .name = row->name,
                .has_arg = row->argument ? required_argument : no_argument,
                .val = OPTIONS_LONG + (int)i,
            };
        if (row->letter)
            wanted->letters[letters++] = row->letter;
        if (row->letter && row->argument)
            wanted->letters[letters++] = ':';
    }
}

/* Returns the row for getopt's value, or NULL if `word` abbreviates the row's name. */
static const struct cli_option *options_row(const struct cli_option options[], int value, const char *word)
{
    if (value >= OPTIONS_LONG) {
        const struct cli_option *const row = &options[value - OPTIONS_LONG];

        return strcspn(word + 2, "=") == strlen(row->name) ? row : NULL;
    }
    while (options->letter != value)
        options++;
    return options;
}

/* The long name nearest to the option in `word`, such as "--sampl=9"; NULL if none is near. */
static const char *options_nearest(const struct cli_option options[], const char *word)
{
    char name[64];
    struct sb_name_nearest nearest = { .name = name };

    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
    nearest.name += strspn(name, "-");
    for (size_t i = 0; !cli_option_ends(&options[i]); i++)
        if (options[i].name)
            sb_name_offer(&nearest, options[i].name);
    return nearest.nearest[0];
}

/* What people type, as another command or another program calls it, and the option that they mean. */
static const struct {
    const char *typed, *meant;
} options_synonyms[] = {
    { "samples", "limit" },      { "samples", "decks" },  { "limit", "samples" },
    { "limit", "decks" },        { "decks", "limit" },    { "decks", "samples" },
    { "permutations", "limit" }, { "shuffles", "limit" }, { "shuffles", "samples" },
    { "jobs", "threads" },       { "names", "cards" },    { "delimiter", "separator" },
    { "regex", "match" },        { "out", "output" },
};

/* The option that this command has for the name of `length` bytes; NULL if there is none. */
static const char *options_synonym(const struct cli_option options[], const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof options_synonyms / sizeof options_synonyms[0]; i++)
        if (strlen(options_synonyms[i].typed) == length &&
            strncmp(name, options_synonyms[i].typed, length) == 0)
            for (const struct cli_option *row = options; !cli_option_ends(row); row++)
                if (row->name && strcmp(row->name, options_synonyms[i].meant) == 0)
                    return row->name;
    return NULL;
}

/* The option that is right with another number of dashes: "-n" for "--n", and "--limit" for "-limit"; empty if
 * there is none. */
static void options_dashes(const struct cli_option options[], const char *word, char meant[64])
{
    const char *const name = word + 1 + (word[1] == '-');
    const size_t length = strcspn(name, "=");

    meant[0] = '\0';
    for (const struct cli_option *row = options; !cli_option_ends(row); row++)
        if (name == word + 2 && length == 1 && row->letter == *name)
            snprintf(meant, 64, "-%c", row->letter);
        else if (name == word + 1 && row->name && strlen(row->name) == length &&
                 strncmp(row->name, name, length) == 0)
            snprintf(meant, 64, "--%s", row->name);
}

/* Prints a line about an option that getopt rejects; returns the exit status. If optopt is the value of a
 * row, the option exists but takes no argument, and the mistake is that it has one. */
static int options_wrong(const struct cli_syntax *syntax, int value, const char *word)
{
    const char *const command = syntax->command;
    const bool missing = value == ':', surplus = !missing && optopt >= OPTIONS_LONG && strchr(word, '=');
    const bool unknown = !missing && !surplus, named = unknown && word[1] == '-';
    const size_t length = strcspn(word, "=");
    const char *const synonym = named ? options_synonym(syntax->options, word + 2, length - 2) : NULL;
    const char *const nearest = named ? options_nearest(syntax->options, word) : NULL;
    char meant[64] = "";

    if (unknown)
        options_dashes(syntax->options, word, meant);
    if (synonym)
        return cli_usage(command, "%.*s: %s calls this --%s", (int)length, word, command, synonym);
    if (nearest && !meant[0])
        snprintf(meant, sizeof meant, "--%s", nearest);
    if (meant[0])
        return cli_usage(command,
                         "%s: unknown option: did you mean %s? 'shufflebias %s --help' shows the options",
                         word, meant, command);
    return cli_usage(command, "%s: %s; 'shufflebias %s --help' shows the options", word,
                     missing   ? "missing argument"
                     : surplus ? "option does not take an argument"
                               : "unknown option",
                     command);
}

/* Stores the name of an evidence file; returns the exit status. The option may not be repeated, and the file
 * may not be a stream. */
static int options_file(const char *command, const struct cli_option *row, char *text)
{
    struct stat there;

    if (*row->file)
        return cli_usage(command, "--%s %s: --%s %s was given already: leave one out", row->name, text,
                         row->name, *row->file);
    if (!text[0] || strcmp(text, "-") == 0 || (stat(text, &there) == 0 && !S_ISREG(there.st_mode)))
        return cli_usage(command, "--%s '%s': evidence must be saved in a regular file: name one", row->name,
                         text);
    *row->file = text;
    return EXIT_DONE;
}

static int options_list(const char *command, const struct cli_option *row, char *text)
{
    struct cli_texts *const list = row->list;

    if (list->count == CLI_TEXTS_MOST)
        return cli_usage(command, "more than %d options --%s: use fewer", CLI_TEXTS_MOST, row->name);
    list->text[list->count++] = text;
    return EXIT_DONE;
}

/* Stores an option as its row says; returns the exit status. */
static int options_store(const char *command, const struct cli_option *row, char *text)
{
    if (row->file)
        return options_file(command, row, text);
    if (row->list)
        return options_list(command, row, text);
    if (row->text)
        *row->text = text;
    if (row->flag)
        *row->flag = 1;
    return EXIT_DONE;
}

bool cli_options_read(const struct cli_syntax *syntax, int argc, const char *argv[], int *status)
{
    struct options_getopt wanted;
    int words = 1, value;

    options_prepare(syntax->options, &wanted);
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
        const struct cli_option *const row =
            value == '?' || value == ':' ? NULL : options_row(syntax->options, value, word);

        if (!row) {
            *status = options_wrong(syntax, value, word);
            return false;
        }
        if (!row->argument && !row->flag) {
            *status = cli_help(syntax);
            return false;
        }
        if (row->argument && value < OPTIONS_LONG && optind == at + 1 && *optarg == '=')
            optarg++; /* -n=52 means -n52 */
        *status = options_store(syntax->command, row, optarg);
        if (*status)
            return false;
    }
    while (optind < argc) /* the words after "--" */
        argv[words++] = argv[optind++];
    argv[words] = NULL;
    return true;
}
