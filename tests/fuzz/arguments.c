/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arguments: commands run within this process, with options from the table and values from the bytes,
 * and with the stop flag raised, so that long work ends at once. A command returns a status that the manual
 * has; wrong arguments print one line and no result; and the same arguments do the same again.
 *
 * Files are in the scratch folder, no program is started, and sizes are small.
 */
#include "fuzz/fuzz.h"
#include "fuzz/scratch.h"
#include "fuzz/stderr_text.h"

#include "cli/cli.h"

#include <ctype.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <unistd.h>

enum { ARGUMENTS_WORDS = 12, ARGUMENTS_TEXT = 40 };

/* A command and its options. */
struct table {
    const struct cli_command_type *type;
    const struct sb_option *option[SB_OPTIONS_MOST];
    size_t count;
};

/* Fills the table of a command that neither starts programs nor takes long in any case. */
static struct table arguments_table(size_t index)
{
    static const char *const left_out[] = { "bench", "lesson", "playground", "prove" };
    struct table table = { .count = 0 };
    bool out = true;

    for (size_t i = index; out; i++) {
        table.type = cli_command_types[i % cli_command_types_count];
        out = false;
        for (size_t j = 0; j < sizeof left_out / sizeof left_out[0]; j++)
            out = out || strcmp(table.type->name, left_out[j]) == 0;
    }
    for (const struct sb_option *row = NULL; (row = cli_option_next(table.type, row));)
        table.option[table.count++] = row;
    return table;
}

/* Whether an option names a file. */
static bool arguments_is_file(const struct sb_option *option)
{
    return strstr(option->value, "FILE") || strstr(option->value, "FOLDER");
}

/* Whether a word starts a program or reads standard input: "--", "-", or the start of --test or --on-alarm. */
static bool arguments_is_left_out(const char *word)
{
    return strcmp(word, "--") == 0 || strcmp(word, "-") == 0 || strncmp(word, "--te", 4) == 0 ||
           (strncmp(word, "--o", 3) == 0 && strcmp(word, "--once") != 0);
}

/* A name of a file, of which one can be read and some can be written. */
static void arguments_file(struct fuzz *fuzz, const struct sb_option *option, char text[128])
{
    static const char *const names[] = { "decks", "new.json", "none/new", "saved" };
    const char *const path = scratch_path(names[fuzz_byte(fuzz) % 4]);

    if (strstr(option->value, "FORMAT"))
        snprintf(text, 128, "%s:%s", fuzz_byte(fuzz) % 2 ? "json" : "csv", path);
    else
        snprintf(text, 128, "%s", path);
}

/* Shortens a number that is large but may be accepted, because it could ask for much work. */
static void arguments_shrink(char text[])
{
    char *end;
    const double number = strtod(text, &end);

    if (end > text && number > 9 && number < 1e25 && isdigit((unsigned char)text[0]))
        text[1] = '\0';
}

/* Makes paths relative, because a word may name a file that is written. */
static void arguments_stay(char text[])
{
    for (size_t i = 0; text[i]; i++)
        if (text[i] == '/' && (i == 0 || text[0] == '-' || strchr("=:", text[i - 1])))
            text[i] = '_';
}

/* Makes a word from the bytes; a text of the command line has no zero byte. */
static void arguments_word(struct fuzz *fuzz, char text[128])
{
    static const char *const words[] = { "naive", "fisher-yates", "sattolo", "riffle", "rank", "position",
                                         "text",  "json",         "3",       "1e1",    "0.5",  "sample" };
    const unsigned how = fuzz_byte(fuzz);

    if (how < 128)
        snprintf(text, 128, "%s", words[how % (sizeof words / sizeof words[0])]);
    else
        fuzz_text(fuzz, text, ARGUMENTS_TEXT);
    arguments_shrink(text);
    arguments_stay(text);
}

/* Appends an option and its value. */
static size_t arguments_add(struct fuzz *fuzz, const struct table *table, char text[][128], size_t count)
{
    const struct sb_option *const option = table->option[fuzz_byte(fuzz) % table->count];
    const char letter = cli_option_letter(option);

    if (cli_option_is_long(option) && (!letter || fuzz_byte(fuzz) % 2))
        snprintf(text[count], 128, "--%s", option->name);
    else
        snprintf(text[count], 128, "-%c", letter);
    count++;
    if (!option->value)
        return count;
    if (arguments_is_file(option))
        arguments_file(fuzz, option, text[count]);
    else
        arguments_word(fuzz, text[count]);
    return count + 1;
}

/* Lets getopt_long() forget the rest of a word in which it found a mistake. A process reads its arguments only
 * once, so the program has no need for that. */
static void arguments_forget(void)
{
    char name[] = "", *argv[] = { name, NULL };

    optind = 0;
    getopt(1, argv, "-");
}

/* What a run of a command printed and returned. */
struct printed {
    int status;
    char *out, *error;
};

static struct printed arguments_run(const struct table *table, char text[][128], size_t count)
{
    struct printed printed = { .status = 0 };
    const char *argv[ARGUMENTS_WORDS + 3] = { table->type->name };
    const int here = open(".", O_RDONLY | O_DIRECTORY);
    char own[ARGUMENTS_WORDS + 2][128]; /* a command may cut its arguments */
    FILE *const before = stdout, *error;
    size_t length;

    for (size_t i = 0; i < count; i++)
        argv[i + 1] = strcpy(own[i], text[i]);
    arguments_forget();
    scratch_clear();
    scratch_write("decks", "1 2 3\n3 1 2\n", 12);
    scratch_write("saved", "{\"schema\": \"shufflebias.evidence/1\"}\n", 37);
    if (here < 0 || chdir(scratch_path(".")))
        abort();
    *(volatile sig_atomic_t *)cli_stop_flag() = SIGTERM;
    stdout = open_memstream(&printed.out, &length);
    error = stderr_take(&printed.error);
    printed.status = cli_command_run(table->type, (int)count + 1, argv);
    stderr_give(error);
    if (fclose(stdout))
        abort();
    stdout = before;
    if (fchdir(here) || close(here))
        abort();
    return printed;
}

/* Replaces the time of a watch's last permutation, which may be another second in the second run, by zeros. */
static void arguments_stop_clock(char text[])
{
    static const char key[] = "\"last\": ";
    char *const at = strstr(text, key);

    if (at)
        memset(at + strlen(key), '0', strspn(at + strlen(key), "0123456789"));
}

/* Shows the words before the rule that they break. */
static void arguments_check(bool holds, const char *rule, const struct table *table, char text[][128],
                            size_t count, const struct printed *printed)
{
    if (!holds) {
        fprintf(stderr, "shufflebias %s", table->type->name);
        for (size_t i = 0; i < count; i++)
            fprintf(stderr, " '%s'", text[i]);
        fprintf(stderr, "\nstatus %d: %s%s", printed->status, printed->error, printed->out);
    }
    fuzz_check(holds, rule);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = { data, size };
    char text[ARGUMENTS_WORDS + 2][128];
    size_t count = 0;

    const struct table commands = arguments_table(fuzz_byte(&fuzz)), *const table = &commands;

    while (fuzz.size > 0 && count < ARGUMENTS_WORDS)
        if (fuzz_byte(&fuzz) % 4 == 0)
            arguments_word(&fuzz, text[count++]);
        else
            count = arguments_add(&fuzz, table, text, count);
    for (size_t i = 0; i < count; i++)
        if (arguments_is_left_out(text[i]))
            strcpy(text[i], "-?");
    const struct printed one = arguments_run(table, text, count), two = arguments_run(table, text, count);

    arguments_stop_clock(one.out);
    arguments_stop_clock(two.out);
    const bool known =
        (one.status >= EXIT_DONE && one.status <= EXIT_BROKEN) || one.status == EXIT_INTERRUPTED;

    arguments_check(known, "the manual has the status", table, text, count, &one);
    arguments_check(one.status != EXIT_USAGE || (!one.out[0] && stderr_is_line(one.error)),
                    "wrong arguments print one line and no result", table, text, count, &one);
    arguments_check(one.status == two.status && strcmp(one.out, two.out) == 0 &&
                        strcmp(one.error, two.error) == 0,
                    "the same arguments do the same again", table, text, count, &two);
    free(one.out);
    free(one.error);
    free(two.out);
    free(two.error);
    return 0;
}
