/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads argv with the table of options (core/options.c). Options may stand anywhere before "--". The names of options
 * are not abbreviated, because a new option could change the meaning of an abbreviation.
 */
#include "cli/cli.h"

#include "core/text.h"

#include <string.h>
#include <sys/stat.h>

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
            *status = cli_help_command(line->type, text || (at + 1 < argc && strcmp(argv[at + 1], "all") == 0));
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
    const int status = line->type->result ? cli_outputs_open(&line->outputs, &line->request) : EXIT_DONE;

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
    cli_outputs_close(&line.outputs);
    return status;
}
