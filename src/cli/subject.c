/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The subject under test (a command after "--", standard input, a file of permutations or a scheme), and the
 * options that say how to read a stream. */
#include "cli/cli.h"

#include "core/system.h"
#include "core/text.h"

#include <errno.h>
#include <unistd.h>

/* ---- what the words of a command line probably are ---- */

/* Returns whether a word begins with the name of a shuffle, and is therefore a scheme. */
static bool word_is_scheme(const char *word)
{
    const size_t length = strcspn(word, "/:");
    struct sb_entry entry;

    /* the shuffles come first in the list */
    for (size_t i = 0; sb_entry_get(i, &entry) && strcmp(entry.family, "shuffle") == 0; i++)
        if (strlen(entry.name) == length && strncmp(entry.name, word, length) == 0)
            return true;
    return false;
}

/* Returns whether a word that is neither a scheme nor a file is probably a mistyped path, and not a mistyped
 * scheme: no shuffle has a similar name, and the word has a dot or a slash, or a file has a similar name. */
static bool word_is_missing_file(const char *word)
{
    char begins[64], nearest[4096];
    struct sb_name_nearest shuffle = { .name = begins };
    struct sb_entry entry;

    snprintf(begins, sizeof begins, "%.*s", (int)strcspn(word, "/:"), word);
    for (size_t i = 0; sb_entry_get(i, &entry) && strcmp(entry.family, "shuffle") == 0; i++)
        sb_name_offer(&shuffle, entry.name);
    return !shuffle.nearest[0] && !strchr(word, ' ') &&
           (strpbrk(word, "./") || cli_file_nearest(word, nearest, sizeof nearest));
}

static bool word_begins(const char *word, const char *with)
{
    return strncmp(word, with, strlen(with)) == 0;
}

/* Returns whether a word names a file, that is, the file exists or the word looks like a path. */
static bool word_is_file(const char *word)
{
    if (word_is_scheme(word))
        return false;
    return strcmp(word, "-") == 0 || word_begins(word, "/") || word_begins(word, "./") || word_begins(word, "../") ||
           access(word, F_OK) == 0 ||
           sb_fault_kind(errno) ==
               SB_FAULT_PASSING; /* after a temporary failure, the library tries again to open the file */
}

/* Returns whether a word names a program: the file is executable and begins with "#!" or with the magic
 * number of ELF. */
static bool word_is_program(const char *word)
{
    struct stat there;
    char begins[4] = "";

    if (!word_is_file(word) || stat(word, &there) || !S_ISREG(there.st_mode) || access(word, X_OK))
        return false;
    FILE *const file = fopen(word, "rb");
    const size_t got = file ? fread(begins, 1, sizeof begins, file) : 0;

    if (file)
        fclose(file);
    return (got >= 2 && memcmp(begins, "#!", 2) == 0) || (got == 4 && memcmp(begins, "\177ELF", 4) == 0);
}

/* Returns the usual interpreter of a file that does not start by itself, by the ending of its name; NULL if it is no
 * script. */
static const char *word_interpreter(const char *word)
{
    static const struct {
        const char *ending, *interpreter;
    } known[] = {
        { ".awk", "awk -f" }, { ".cjs", "node" },  { ".java", "java" }, { ".js", "node" },
        { ".lua", "lua" },    { ".mjs", "node" },  { ".php", "php" },   { ".pl", "perl" },
        { ".py", "python3" }, { ".R", "Rscript" }, { ".rb", "ruby" },   { ".sh", "sh" },
    };
    const char *const ending = strrchr(word, '.');
    struct stat there;

    if (!ending || stat(word, &there) || !S_ISREG(there.st_mode) || word_is_program(word))
        return NULL;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(ending, known[i].ending) == 0)
            return known[i].interpreter;
    return NULL;
}

/* Returns whether words look like a command without "--". They do if no word is a scheme, and one of these is
 * true: the first word is a program or a script; or there are several words, and the first is not a file. */
static bool words_are_command(const char *const words[])
{
    const char *const first = words ? words[0] : NULL;

    if (!first)
        return false;
    for (size_t i = 0; words[i]; i++)
        if (word_is_scheme(words[i]))
            return false;
    return word_is_program(first) || word_interpreter(first) || (words[1] && !word_is_file(first));
}

/* ---- the subject ---- */

bool cli_subject_is_read(const struct sb_request *request)
{
    return request->input || request->match || request->json_path || request->field;
}

const char *cli_evidence_named(const struct cli_line *line)
{
    const char *const *const words = line->words;

    return !line->program && !cli_subject_is_read(&line->request) && words[0] && !words[1] && sb_saved_is(words[0])
               ? words[0]
               : NULL;
}

/* Prints a line with the advice to type "--" before the command. */
static void subject_show_command(const char *command, const char *const words[])
{
    const char *const interpreter = word_interpreter(words[0]);
    const char *const kind = word_is_file(words[0]) ? "recording" : "scheme";
    char line[200], typed[200];
    size_t used = (size_t)snprintf(line, sizeof line, "%s%s", interpreter ? " " : "", interpreter ? interpreter : "");

    for (size_t i = 0; words[i] && used < sizeof line; i++)
        used += (size_t)snprintf(line + used, sizeof line - used, " %s", cli_typed(words[i], typed, sizeof typed));
    cli_usage(command, "'%.100s' is not a %s: a command goes after '--', as in: %s --%s", words[0], kind, command,
              line);
}

const char *cli_subject_misplaced(const struct sb_request *request, bool scheme)
{
    static const char *const of_scheme[] = { "seed", "draw", "rng", NULL };
    static const char *const of_stream[] = { "input", "base",    "match",   "json-path", "field",   "separator",
                                             "free",  "chained", "ordered", "once",      "timeout", NULL };

    for (const char *const *name = scheme ? of_scheme : of_stream; *name; name++)
        if (sb_request_given(request, *name))
            return *name;
    return NULL;
}

/* Finds a subject outside the library. Returns 1 if there is such a subject, 0 if the words are schemes, and
 * -1 after printing an error line. */
static int subject_find(const char *where, struct sb_call *call)
{
    const char *const *const words = call->schemes.text;
    const size_t count = call->schemes.count;
    const char *const *const program = call->program.text;
    const char *file = call->file;

    for (size_t i = 0; i < count && !file; i++)
        if (word_is_file(words[i]))
            file = words[i];
    if (program && !program[0]) {
        cli_usage(where, "no command after '--': write the command and its arguments there");
        return -1;
    }
    if (program && count) {
        cli_usage(where, "one subject at a time: leave '%s' out, or the command", words[0]);
        return -1;
    }
    if (count && words_are_command(words)) {
        subject_show_command(where, words);
        return -1;
    }
    if (!file && count == 1 && !word_is_scheme(words[0]) && word_is_missing_file(words[0]))
        file = words[0];
    if (file && count > 1) {
        cli_usage(where,
                  sb_saved_is(file)
                      ? "'%s' is saved evidence: give one file of it and nothing else; parts of a run are added up "
                        "with 'shufflebias merge'"
                      : "a file must be the only subject: leave '%s' or the others out, or join files, as cat FILES | "
                        "shufflebias "
                        "... -; a command goes after '--'",
                  file);
        return -1;
    }
    if (file)
        call->schemes.count = 0;
    call->file = file;
    return program || file;
}

/* Reads the numbers of a subject. If a number is wrong, prints a line and returns false. */
static bool subject_numbers(const char *where, struct sb_request *request)
{
    const size_t most = 10000000; /* the library has lower limits for each use */
    const char *const n = sb_request_given(request, "n");

    request->n = request->deal = 0;
    if (!cli_settle_within(where, request, "n", 0, most) ||
        !cli_settle_within(where, request, "deal", 1, request->n ? request->n : most))
        return false;
    return !n || request->n >= 2 ||
           cli_refuse(where, "-n %s: there is only one order, and nothing to test: use 2 or more", n);
}

enum cli_kind cli_subject_settle(const char *where, struct sb_request *request)
{
    const int outside = subject_find(where, request->call);

    if (outside < 0)
        return CLI_NOTHING;
    if (request->title && !*request->title) {
        cli_usage(where, "--title: there is no text: leave it out");
        return CLI_NOTHING;
    }
    const char *const misplaced = cli_subject_misplaced(request, outside);

    if (misplaced) {
        cli_usage(where, "--%s: only goes with %s", misplaced, outside ? "a scheme" : "a command, a file or '-'");
        return CLI_NOTHING;
    }
    if (request->once && !request->call->program.text) {
        cli_usage(where, "--once: only goes with a command: leave it out");
        return CLI_NOTHING;
    }
    if (!outside)
        return CLI_SCHEMES;
    return subject_numbers(where, request) ? CLI_OUTSIDE : CLI_NOTHING;
}

bool cli_subject_one(const char *where, struct sb_request *request, const char *missing)
{
    const enum cli_kind kind = cli_subject_settle(where, request);
    const struct sb_call_texts *const words = &request->call->schemes;

    if (kind != CLI_SCHEMES)
        return kind == CLI_OUTSIDE;
    if (missing && !words->count)
        return cli_refuse(where, "%s", missing);
    if (words->count > 1)
        return cli_refuse(where, "one subject at a time: leave '%s' out; a command goes after '--'", words->text[1]);
    return subject_numbers(where, request);
}

int cli_subject_failed(const char *command, const char *const words[], struct sb_error *error)
{
    const char *const word = error->status == SB_INVALID && words && !(words[0] && words[1]) ? words[0] : NULL;
    const size_t used = strlen(error->text), room = sizeof error->text - used;
    char nearest[4096];

    if (!word || word_is_scheme(word) || strcmp(word, "-") == 0 || access(word, F_OK) == 0)
        return cli_failed(command, error);
    if (cli_file_nearest(word, nearest, sizeof nearest))
        snprintf(error->text + used, room, "; did you mean the file '%.200s'?", nearest);
    else if (!word_is_file(word) && !word_is_missing_file(word))
        snprintf(error->text + used, room, " (and there is no such file%s)",
                 strchr(word, ' ') ? "; a command goes after '--'" : "");
    return cli_failed(command, error);
}

void cli_subject_note(const struct cli_line *line, bool ended, uint64_t total)
{
    const char *const command = line->type->name;
    char text[200] = "";

    if (!line->program || line->request.once || !ended || total != 1)
        return;
    for (size_t i = 0; line->program[i]; i++) {
        const size_t used = strlen(text);

        snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "", line->program[i]);
        if (!sb_shell_plain(line->program[i])) {
            snprintf(text, sizeof text, "COMMAND");
            break;
        }
    }
    cli_usage(command,
              "the command dealt once and exited: let it deal in a loop, as in: %s -- sh -c 'while :; do %s; "
              "done', or add --once, which starts it anew for each permutation",
              command, text);
}

void cli_stderr_relay(void *state, const char *line)
{
    cli_progress_end(state);
    fprintf(stderr, "subject: %s\n", line);
}
