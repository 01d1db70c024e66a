/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The subject under test (a command after "--", standard input, a file of permutations or a scheme), and the
 * options that say how to read a stream. */
#include "cli/shared_options.h"
#include "cli/word_kinds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char **cli_command_split(int *argc, const char *argv[])
{
    for (int i = 1; i < *argc; i++)
        if (strcmp(argv[i], "--") == 0) {
            argv[i] = NULL;
            *argc = i;
            return argv + i + 1; /* argv ends with NULL */
        }
    return NULL;
}

void cli_subject_options(struct cli_subject *typed, struct cli_option options[])
{
    const struct cli_option rows[] = {
        { .name = "input",
          .argument = "FORM",
          .text = &typed->input,
          .help = "format of the permutations: text, or binary u8, u16 or u32 (text)",
          .group = CLI_STREAM },
        { .name = "base",
          .argument = "B",
          .text = &typed->base,
          .help = "in text input, the number of the first item: 0 or 1 (detected from the first line)",
          .group = CLI_STREAM },
        cli_option_cards(&typed->cards),
        { .name = "title",
          .argument = "TEXT",
          .text = &typed->title,
          .help = "what the output calls the subject (its name)",
          .group = CLI_OUTPUT },
        { .name = "match",
          .argument = "REGEX",
          .text = &typed->match,
          .help = "in text input, the permutation is the first group of REGEX (PCRE2) in each line; "
                  "skip lines that do not match",
          .group = CLI_STREAM },
        { .name = "json-path",
          .argument = "PATH",
          .text = &typed->json_path,
          .help = "each line is JSON, and PATH leads to the permutation, as in .deck or .hands[0]",
          .group = CLI_STREAM },
        { .name = "field",
          .argument = "N",
          .text = &typed->field,
          .help = "in text input, the permutation is field N of each line, or N- (up to the last) or N-M",
          .group = CLI_STREAM },
        { .name = "separator",
          .argument = "TEXT",
          .text = &typed->separator,
          .help = "with --field, what separates fields; \\t is a tab (any number of blanks)",
          .group = CLI_STREAM },
        { .name = "free",
          .flag = &typed->free,
          .help = "ignore line ends in text input; needs -n",
          .group = CLI_STREAM },
        { .name = "chained",
          .flag = &typed->chained,
          .help = "each permutation is a shuffle of the previous one",
          .group = CLI_STREAM },
        { .name = "ordered",
          .flag = &typed->ordered,
          .help = "sorted lines are no error: they show the order of the draw",
          .group = CLI_STREAM },
        { .name = "once",
          .flag = &typed->once,
          .help = "for a command that deals once: start it anew for each permutation, which takes about 1 ms "
                  "(C) to 0.1 s (node) each; a loop in the command is much faster",
          .group = CLI_STREAM },
        { .name = "timeout",
          .argument = "S",
          .text = &typed->timeout,
          .help = "fail if no permutation arrives for S seconds (60; with 'watch', never)",
          .group = CLI_STREAM },
    };

    cli_options_add(options, rows, sizeof rows / sizeof rows[0]);
}

bool cli_subject_is_read(const struct cli_subject *typed)
{
    return typed->input || typed->match || typed->json_path || typed->field;
}

/* Prints a line with the advice to type "--" before the command. */
static void subject_show_command(const char *command, const char *const words[])
{
    const char *const interpreter = cli_word_interpreter(words[0]);
    char line[200], typed[200];
    size_t used =
        (size_t)snprintf(line, sizeof line, "%s%s", interpreter ? " " : "", interpreter ? interpreter : "");

    for (size_t i = 0; words[i] && used < sizeof line; i++)
        used += (size_t)snprintf(line + used, sizeof line - used, " %s",
                                 cli_typed(words[i], typed, sizeof typed));
    cli_usage(command, "'%.100s' is not a %s: a command goes after '--', as in: %s --%s", words[0],
              cli_word_is_file(words[0]) ? "recording" : "scheme", command, line);
}

/* Returns a typed option that requires a scheme, or NULL if there is none. */
static const char *subject_of_scheme(const struct cli_common *common)
{
    return common->seed ? "--seed" : common->draw ? "--draw" : common->rng ? "--rng" : NULL;
}

static const char *subject_of_stream(const struct cli_subject *typed)
{
    return typed->input       ? "--input"
           : typed->base      ? "--base"
           : typed->match     ? "--match"
           : typed->json_path ? "--json-path"
           : typed->field     ? "--field"
           : typed->separator ? "--separator"
           : typed->free      ? "--free"
           : typed->chained   ? "--chained"
           : typed->ordered   ? "--ordered"
           : typed->once      ? "--once"
           : typed->timeout   ? "--timeout"
                              : NULL;
}

const char *cli_subject_misplaced(const struct cli_subject *typed, const struct cli_common *common)
{
    const char *const scheme = subject_of_scheme(common);

    return scheme ? scheme : subject_of_stream(typed);
}

/* Finds a subject outside the library. Returns 1 if there is such a subject, 0 if the words are schemes, and
 * -1 after printing an error line. */
static int subject_find(const char *command, const struct cli_subject *typed, const char *const words[],
                        struct sb_subject *subject)
{
    size_t count = 0;
    const char *file = typed->file;

    for (; words && words[count]; count++)
        if (!file && cli_word_is_file(words[count]))
            file = words[count];
    if (typed->command && !typed->command[0]) {
        cli_usage(command, "no command after '--': write the command and its arguments there");
        return -1;
    }
    if (typed->command && count) {
        cli_usage(command, "one subject at a time: leave '%s' out, or the command", words[0]);
        return -1;
    }
    if (words && cli_words_are_command(words)) {
        subject_show_command(command, words);
        return -1;
    }
    if (!file && words && count == 1 && !cli_word_is_scheme(words[0]) && cli_word_is_missing_file(words[0]))
        file = words[0];
    if (file && count > 1 && sb_saved_is(file)) {
        cli_usage(command,
                  "'%s' is saved evidence: give one file of it and nothing else; parts of a run are added up "
                  "with 'shufflebias merge'",
                  file);
        return -1;
    }
    if (file && count > 1) {
        cli_usage(command,
                  "a file must be the only subject: leave '%s' or the others out; a command goes "
                  "after '--'",
                  file);
        return -1;
    }
    subject->command = typed->command;
    subject->file = file;
    return typed->command || file;
}

/* Reads the numbers of a subject. If a number is wrong, prints a line and returns false. */
static bool subject_numbers(const char *command, const struct cli_subject *typed,
                            const struct cli_common *common, struct sb_subject *subject)
{
    const size_t most = 10000000; /* the library has lower limits for each use */
    size_t n = 0, deal = 0;

    if ((common->n && !cli_size(command, "-n", common->n, 0, most, &n)) ||
        (common->deal && !cli_size(command, "--deal", common->deal, 1, n ? n : most, &deal)) ||
        (common->seed && !cli_number(command, "--seed", common->seed, 0, INT64_MAX, &subject->seed)) ||
        (typed->timeout && !cli_seconds(command, "--timeout", typed->timeout, &subject->timeout)))
        return false;
    if (common->n && n < 2) {
        cli_usage(command, "-n %s: there is only one order, and nothing to test: use 2 or more", common->n);
        return false;
    }
    subject->n = n;
    subject->deal = deal;
    return true;
}

enum cli_kind cli_subject_settle(const char *command, const struct cli_subject *typed,
                                 const struct cli_common *common, const char *const words[],
                                 struct sb_subject *subject)
{
    *subject = (struct sb_subject) {
        .seed = 1,
        .draw = common->draw,
        .rng = common->rng,
        .input = typed->input,
        .base = typed->base,
        .cards = typed->cards,
        .title = typed->title,
        .match = typed->match,
        .json_path = typed->json_path,
        .field = typed->field,
        .separator = typed->separator,
        .free = typed->free,
        .chained = typed->chained,
        .ordered = typed->ordered,
        .once = typed->once,
        .cwd = typed->cwd,
        .group = cli_group(0),
    };
    const int outside = subject_find(command, typed, words, subject);

    if (outside < 0)
        return CLI_NOTHING;
    if (typed->title && !*typed->title) {
        cli_usage(command, "--title: there is no text: leave it out");
        return CLI_NOTHING;
    }
    const char *const misplaced = outside ? subject_of_scheme(common) : subject_of_stream(typed);

    if (misplaced) {
        cli_usage(command, "%s: only goes with %s", misplaced,
                  outside ? "a scheme" : "a command, a file or '-'");
        return CLI_NOTHING;
    }
    if (typed->once && !typed->command) {
        cli_usage(command, "--once: only goes with a command: leave it out");
        return CLI_NOTHING;
    }
    if (!outside)
        return CLI_SCHEMES;
    return subject_numbers(command, typed, common, subject) ? CLI_OUTSIDE : CLI_NOTHING;
}

bool cli_subject_scheme(const char *command, const struct cli_common *common, const char *scheme,
                        struct sb_subject *subject)
{
    const struct cli_subject nothing = { 0 };

    subject->scheme = scheme;
    return subject_numbers(command, &nothing, common, subject);
}

int cli_subject_failed(const char *command, const char *const words[], struct sb_error *error)
{
    const char *const word =
        error->status == SB_INVALID && words && !(words[0] && words[1]) ? words[0] : NULL;
    const size_t used = strlen(error->text), room = sizeof error->text - used;
    char nearest[4096];

    if (!word || cli_word_is_scheme(word) || strcmp(word, "-") == 0 || access(word, F_OK) == 0)
        return cli_failed(command, error);
    if (cli_file_nearest(word, nearest, sizeof nearest))
        snprintf(error->text + used, room, "; did you mean the file '%.200s'?", nearest);
    else if (!cli_word_is_file(word) && !cli_word_is_missing_file(word))
        snprintf(error->text + used, room, " (and there is no such file%s)",
                 strchr(word, ' ') ? "; a command goes after '--'" : "");
    return cli_failed(command, error);
}

void cli_subject_note(const char *command, const struct cli_subject *typed, bool ended, uint64_t total)
{
    char line[200] = "";

    if (!typed->command || typed->once || !ended || total != 1)
        return;
    for (size_t i = 0; typed->command[i]; i++) {
        const size_t used = strlen(line);

        snprintf(line + used, sizeof line - used, "%s%s", i ? " " : "", typed->command[i]);
        if (!cli_word_is_plain(typed->command[i])) {
            snprintf(line, sizeof line, "COMMAND");
            break;
        }
    }
    cli_usage(command,
              "the command dealt once and exited: let it deal in a loop, as in: %s -- sh -c 'while :; do %s; "
              "done', or add --once, which starts it anew for each permutation",
              command, line);
}

void cli_stderr_relay(void *state, const char *line)
{
    cli_progress_end(state);
    fprintf(stderr, "subject: %s\n", line);
}
