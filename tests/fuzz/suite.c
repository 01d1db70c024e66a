/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cli.h"
#include "fuzz/fuzz.h"

#include <ctype.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* ---- what the command line prints on standard error: the GNU C library allows that `stderr` is set ---- */

/* Turns `stderr` into a text in memory, which stderr_give() completes; the caller frees *text afterwards.
 * Returns the stream that stderr_give() restores. */
static FILE *stderr_take(char **text)
{
    static size_t length;
    FILE *const before = stderr, *const stream = open_memstream(text, &length);

    if (!stream)
        abort();
    stderr = stream;
    return before;
}

static void stderr_give(FILE *before)
{
    FILE *const stream = stderr;

    stderr = before;
    if (fclose(stream))
        abort();
}

/* Returns whether the text is one line of the program, which is safe to show on a terminal. */
static bool stderr_is_line(const char *text)
{
    const size_t length = strlen(text);

    if (strncmp(text, "shufflebias", 11) != 0 || length < 20 || text[length - 1] != '\n')
        return false;
    for (size_t i = 0; i + 1 < length; i++)
        if ((unsigned char)text[i] < ' ' || text[i] == 127)
            return false;
    return true;
}

/* ---- suite ---- */

/*
 * Suites. From the first bytes a grammar makes a suite that is right, which must be accepted with exactly the
 * options that the grammar wrote; if it has only schemes, its gates run, and come to the same whether one or
 * two run at once. Then values of the suite are changed, as the rest of the bytes says: it may be refused, with a line
 * and the status for wrong arguments.
 */
enum { SUITE_SUBJECTS = 4, SUITE_LIMIT = 12 }; /* gates of at most 12 permutations run */

/* What the grammar wrote for a subject. */
struct wanted {
    size_t n, deal;
    uint64_t seed, limit, seeds;
    double exclude, tolerate, timeout;
    bool free, chained, ordered, once;
    const char *kind;                                          /* "command", "file" or "scheme" */
    const char *cards, *match, *json_path, *field, *separator; /* NULL: not given */
};

static const char *choose(struct fuzz *fuzz, const char *const words[], size_t count)
{
    return words[fuzz_byte(fuzz) % count];
}

/* Sets a key to a text. */
static void suite_add(json_t *one, const char *key, const char *text, const char **wanted)
{
    *wanted = text;
    json_object_set_new(one, key, json_string(text));
}

/* Sets the keys that say where permutations are in a text. */
static void suite_add_text(struct fuzz *fuzz, json_t *one, struct wanted *wanted)
{
    static const char *const cards[] = { "A B C", "A B C D", "A B C D E", "A B C D E F" };
    const unsigned how = fuzz_byte(fuzz);

    if (how % 4 == 1) {
        wanted->free = true;
        json_object_set_new(one, "free", json_true());
    }
    if (how % 4 == 2)
        suite_add(one, "match", "deck: (.*)", &wanted->match);
    if (how % 4 > 1 && how & 4)
        suite_add(one, "json-path", ".deck[0]", &wanted->json_path);
    else if (how % 4 > 1 && how & 8)
        suite_add(one, "field", "2-", &wanted->field);
    if (wanted->field && how & 16)
        suite_add(one, "separator", ", ", &wanted->separator);
    if (how & 32)
        suite_add(one, "cards", cards[wanted->n - 3], &wanted->cards);
    else if (how & 64)
        json_object_set_new(one, "base", json_integer(how >> 7));
}

/* Sets the keys of a subject outside the library. */
static void suite_add_stream(struct fuzz *fuzz, json_t *one, struct wanted *wanted)
{
    static const char *const inputs[] = { "text", "u8", "u16", "u32" };
    const bool command = strcmp(wanted->kind, "command") == 0;
    const char *const input = choose(fuzz, inputs, 4);
    const unsigned how = fuzz_byte(fuzz);

    json_object_set_new(one, wanted->kind,
                        command ? json_pack("[ss]", "./deck", "--forever") : json_string("decks.txt"));
    if (how & 1)
        json_object_set_new(one, "cwd", json_string("/tmp"));
    if (how & 2)
        json_object_set_new(one, "input", json_string(input));
    if (how & 4) {
        wanted->timeout = (1 + fuzz_byte(fuzz)) / 8.0;
        json_object_set_new(one, "timeout", json_real(wanted->timeout));
    }
    if (how & 8) {
        wanted->chained = how & 16;
        json_object_set_new(one, "chained", json_boolean(wanted->chained));
    }
    if (how & 64) {
        wanted->ordered = true;
        json_object_set_new(one, "ordered", json_true());
    }
    if (command && how & 32) {
        wanted->once = true;
        json_object_set_new(one, "once", json_true());
    }
    if (how & 2 && strcmp(input, "text") != 0)
        return;
    suite_add_text(fuzz, one, wanted);
}

/* Sets the keys of a scheme. */
static void suite_add_scheme(struct fuzz *fuzz, json_t *one, struct wanted *wanted)
{
    static const char *const schemes[] = { "fisher-yates/ideal/taus", "naive", "sattolo/ideal/taus",
                                           "sort-by-key:5/ideal/taus", "riffle:2/ideal/taus" };
    static const char *const draws[] = { "ideal", "modulo:16", "lemire:32", "multiply:53" };
    static const char *const rngs[] = { "philox", "mt19937", "taus", "ranlxd2" };
    const unsigned how = fuzz_byte(fuzz);

    json_object_set_new(one, "scheme", json_string(choose(fuzz, schemes, 5)));
    if (how & 1)
        json_object_set_new(one, "draw", json_string(choose(fuzz, draws, how & 2 ? 1 : 2)));
    if (how & 2)
        json_object_set_new(one, "rng", json_string(choose(fuzz, rngs, 4)));
    if (how & 4) {
        wanted->seed = fuzz_number(fuzz, 4);
        json_object_set_new(one, "seed", json_integer((json_int_t)wanted->seed));
    }
}

/* Makes a subject. */
static json_t *suite_one(struct fuzz *fuzz, size_t index, struct wanted *wanted)
{
    static const char *const kinds[] = { "scheme", "scheme", "command", "file" };
    json_t *const one = json_object();
    const unsigned how = fuzz_byte(fuzz);
    char name[32];

    *wanted = (struct wanted) { .kind = choose(fuzz, kinds, 4), .seed = 1, .exclude = -1, .tolerate = -1 };
    snprintf(name, sizeof name, "subject %zu", index);
    json_object_set_new(one, "name", json_string(name));
    wanted->n = 3 + fuzz_byte(fuzz) % 4;
    json_object_set_new(one, "n", json_integer((json_int_t)wanted->n));
    if (how & 1) {
        wanted->deal = 1 + fuzz_byte(fuzz) % wanted->n;
        json_object_set_new(one, "deal", json_integer((json_int_t)wanted->deal));
    }
    wanted->limit = 1 + fuzz_number(fuzz, how & 2 ? 1 : 2) % 1000;
    json_object_set_new(one, "limit", json_integer((json_int_t)wanted->limit));
    if (how & 4) {
        wanted->exclude = (1 + fuzz_byte(fuzz)) / 257.0;
        json_object_set_new(one, "max-bias", json_real(wanted->exclude));
        if (how & 8) {
            wanted->tolerate = wanted->exclude / 2;
            json_object_set_new(one, "tolerate", json_real(wanted->tolerate));
        }
    }
    if (how & 16) {
        wanted->seeds = 1 + fuzz_number(fuzz, 2);
        json_object_set_new(one, "seeds", json_integer((json_int_t)wanted->seeds));
    }
    if (strcmp(wanted->kind, "scheme") == 0)
        suite_add_scheme(fuzz, one, wanted);
    else
        suite_add_stream(fuzz, one, wanted);
    return one;
}

/* Changes a value, removes it, or moves it to another key. */
static void suite_spoil(struct fuzz *fuzz, json_t *one)
{
    static const char *const keys[] = { "name", "n",     "deal",  "limit", "scheme", "command", "file",
                                        "seed", "input", "field", "cwd",   "Deal",   "timeout" };
    const char *const key = choose(fuzz, keys, sizeof keys / sizeof keys[0]);
    char text[32];

    switch (fuzz_byte(fuzz) % 7) {
    case 0:
        json_object_del(one, key);
        break;
    case 1:
        json_object_set_new(one, key, json_integer((json_int_t)fuzz_number(fuzz, 8)));
        break;
    case 2:
        json_object_set_new(one, key, json_real(ldexp((double)fuzz_number(fuzz, 3), (int)fuzz_byte(fuzz) - 128)));
        break;
    case 3:
        json_object_set_new(one, key, json_stringn_nocheck(text, strlen(fuzz_text(fuzz, text, sizeof text))));
        break;
    case 4:
        json_object_set_new(one, key, json_true());
        break;
    case 5:
        json_object_set_new(one, key, json_pack("[s]", fuzz_text(fuzz, text, sizeof text)));
        break;
    default:
        json_object_set(one, key, json_object_get(one, choose(fuzz, keys, sizeof keys / sizeof keys[0])));
    }
}

/* Opens the suite as `gate --suite` does; returns the exit status. */
static int suite_open(const json_t *list, struct cli_suite *suite, char **said)
{
    struct sb_request request;
    char *const text = json_dumps(list, JSON_ENSURE_ASCII);
    FILE *const before = stderr_take(said);

    sb_request_init(&request, SB_GATE);
    const int status = cli_suite_open(text ? scratch_write("suite", text, strlen(text)) : "", &request, suite);

    stderr_give(before);
    free(text);
    return status;
}

static bool suite_same(const char *is, const char *wanted)
{
    return wanted ? is && strcmp(is, wanted) == 0 : !is;
}

static void suite_compare(const struct cli_case *is, const struct wanted *wanted)
{
    const struct sb_request *const subject = &is->request;

    fuzz_check(subject->n == wanted->n && subject->deal == wanted->deal && subject->free == wanted->free &&
                   subject->chained == wanted->chained && subject->ordered == wanted->ordered &&
                   subject->once == wanted->once,
               "the subject is as the suite says");
    fuzz_check(strcmp(wanted->kind, "scheme") != 0 || subject->seed == wanted->seed, "the seed is given");
    fuzz_check(subject->timeout == wanted->timeout || wanted->timeout == 0, "the timeout is given");
    fuzz_check(suite_same(subject->cards, wanted->cards) && suite_same(subject->match, wanted->match) &&
                   suite_same(subject->json_path, wanted->json_path) && suite_same(subject->field, wanted->field) &&
                   suite_same(subject->separator, wanted->separator),
               "the texts are given");
    fuzz_check(is->request.limit == wanted->limit && is->request.seeds == wanted->seeds,
               "the gate's integers are as the suite says");
    fuzz_check((wanted->exclude < 0 || is->request.exclude == wanted->exclude) &&
                   (wanted->tolerate < 0 || is->request.tolerate == wanted->tolerate),
               "the gate's levels are as the suite says");
}

/* Runs the gates, this many at once. Returns their findings as JSON, or the line that says why they do not run. */
static char *suite_run(const struct cli_suite *suite, unsigned jobs)
{
    struct sb_call call = { .gates = suite->gates, .gates_count = suite->count };
    struct sb_request request;
    struct sb_error error;
    size_t length;
    char *text;

    sb_request_init(&request, SB_GATE);
    request.jobs = jobs;
    request.call = &call;
    struct sb_result *const result = sb_call_run(&request, &error);

    if (!result) {
        fuzz_check(error.status == SB_INVALID, "a suite runs, or options do not go together");
        return strdup(error.text);
    }
    fuzz_check(sb_result_text(&sb_suite_result, result->suite, "json", NULL, &error, &text, &length) == SB_OK,
               "findings can be written");
    sb_result_free(result);
    return text;
}

static void part_suite(struct fuzz *fuzz)
{
    const size_t count = 1 + fuzz_byte(fuzz) % SUITE_SUBJECTS;
    bool runs = fuzz_byte(fuzz) % 8 == 0;
    struct wanted wanted[SUITE_SUBJECTS];
    struct cli_suite suite;
    json_t *const list = json_array();
    char *said;

    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, suite_one(fuzz, i, &wanted[i]));
        runs = runs && strcmp(wanted[i].kind, "scheme") == 0 && wanted[i].limit <= SUITE_LIMIT;
    }
    const int status = suite_open(list, &suite, &said);

    if (status)
        fprintf(stderr, "%s", said);
    fuzz_check(status == EXIT_DONE && !said[0] && suite.count == count, "a right suite is accepted");
    for (size_t i = 0; i < count; i++)
        suite_compare(&suite.cases[i], &wanted[i]);
    if (runs) {
        char *const one = suite_run(&suite, 1), *const two = suite_run(&suite, 2);

        fuzz_check(one && two && strcmp(one, two) == 0, "gates at once find what gates in turn find");
        free(one);
        free(two);
    }
    cli_suite_close(&suite);
    free(said);
    if (fuzz->size > 0) {
        suite_spoil(fuzz, json_array_get(list, fuzz_byte(fuzz) % count));
        const int spoilt = suite_open(list, &suite, &said);

        fuzz_check(spoilt == EXIT_DONE || spoilt == EXIT_USAGE, "a wrong suite is a wrong argument");
        fuzz_check(spoilt == EXIT_DONE ? !said[0] : stderr_is_line(said), "a refused suite has a line");
        cli_suite_close(&suite);
        free(said);
    }
    json_decref(list);
}

/* ---- arguments ---- */

/*
 * Arguments: commands run within this process, with options from the table and values from the bytes,
 * and with the stop flag raised, so that long work ends at once. A command returns a status that the manual
 * has; wrong arguments print one line and no result; and the same arguments do the same again.
 *
 * Files are in the scratch folder, no program is started, and sizes are small.
 */
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
static void arguments_check(bool holds, const char *rule, const struct table *table, char text[][128], size_t count,
                            const struct printed *printed)
{
    if (!holds) {
        fprintf(stderr, "shufflebias %s", table->type->name);
        for (size_t i = 0; i < count; i++)
            fprintf(stderr, " '%s'", text[i]);
        fprintf(stderr, "\nstatus %d: %s%s", printed->status, printed->error, printed->out);
    }
    fuzz_check(holds, rule);
}

static void part_arguments(struct fuzz *fuzz)
{
    char text[ARGUMENTS_WORDS + 2][128];
    size_t count = 0;

    const struct table commands = arguments_table(fuzz_byte(fuzz)), *const table = &commands;

    while (fuzz->size > 0 && count < ARGUMENTS_WORDS)
        if (fuzz_byte(fuzz) % 4 == 0)
            arguments_word(fuzz, text[count++]);
        else
            count = arguments_add(fuzz, table, text, count);
    for (size_t i = 0; i < count; i++)
        if (arguments_is_left_out(text[i]))
            strcpy(text[i], "-?");
    const struct printed one = arguments_run(table, text, count), two = arguments_run(table, text, count);

    arguments_stop_clock(one.out);
    arguments_stop_clock(two.out);
    const bool known = (one.status >= EXIT_DONE && one.status <= EXIT_BROKEN) || one.status == EXIT_INTERRUPTED;

    arguments_check(known, "the manual has the status", table, text, count, &one);
    arguments_check(one.status != EXIT_USAGE || (!one.out[0] && stderr_is_line(one.error)),
                    "wrong arguments print one line and no result", table, text, count, &one);
    arguments_check(one.status == two.status && strcmp(one.out, two.out) == 0 && strcmp(one.error, two.error) == 0,
                    "the same arguments do the same again", table, text, count, &two);
    free(one.out);
    free(one.error);
    free(two.out);
    free(two.error);
}

FUZZ_TARGET(part_suite, part_arguments)
