/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A suite's file lists the subjects to test, in JSON:
 *
 *     [{ "name": "deck", "command": ["python3", "deck.py"], "n": 52, "max-bias": 0.05 },
 *      { "name": "hand", "file": "hands.txt", "n": 52, "deal": 5 }]
 *
 * Every key except the name and the subject is an option of the command line, and a number is read as the text
 * that a user would type. Error lines name the place in the file.
 */
#include "cli/cli.h"

#include "core/system.h"
#include "core/text.h"

#include <errno.h>

enum { SUITE_NAME_MOST = 200, SUITE_WHERE = 512 };

/* Returns whether a key is an option of one subject, and not of the whole suite. */
static bool suite_is_option(const struct sb_option *row)
{
    static const char *const whole[] = { "suite", "jobs", "alpha", "delta" };

    for (size_t i = 0; row && i < sizeof whole / sizeof whole[0]; i++)
        if (strcmp(row->name, whole[i]) == 0)
            return false;
    return row && row->of & SB_GATE && (row->group <= SB_GROUP_STREAM || strcmp(row->name, "save") == 0);
}

static int suite_wrong_key(const char *where, const char *key)
{
    static const char *const words[] = { "name", "command", "file", "cwd", "scheme" };
    struct sb_name_nearest nearest = { .name = key };
    const size_t count = sizeof words / sizeof words[0];
    char known[400] = ": use ", suggestion[100];

    for (size_t i = 0; i < count + sb_options_count; i++) {
        const struct sb_option *const row = i < count ? NULL : &sb_options_table[i - count];

        if (row && !suite_is_option(row))
            continue;
        sb_name_offer(&nearest, row ? row->name : words[i]);
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i ? ", " : "",
                 row ? row->name : words[i]);
    }
    sb_name_suggest(&nearest, suggestion, sizeof suggestion);
    return cli_usage(where, "unknown key '%s'%s", key, suggestion[0] ? suggestion : known);
}

static int suite_wrong_kind(const char *where, const char *key, const char *wanted)
{
    return cli_usage(where, "key '%s': must be %s", key, wanted);
}

/* Writes a number as a user would type it: the shortest text whose value is the same double. */
static void suite_digits(const json_t *value, char text[32])
{
    const double x = json_number_value(value);

    if (json_is_integer(value)) {
        snprintf(text, 32, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            return;
    }
}

static int suite_no_memory(const char *where)
{
    cli_usage(where, "not enough memory for a suite");
    return EXIT_BROKEN;
}

/* Returns whether the value is a list of at least one string. */
static bool suite_words_are(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_string(json_array_get(list, i)))
            return false;
    return json_array_size(list) > 0;
}

/* Stores the program of a subject, followed by NULL; returns the exit status. */
static int suite_set_program(const char *where, const json_t *list, struct cli_case *one)
{
    const size_t count = json_array_size(list);

    if (!suite_words_are(list))
        return suite_wrong_kind(where, "command", "a list of strings, a program and its arguments");
    const char **const program = calloc(count + 1, sizeof *program);

    for (size_t i = 0; program && i < count; i++)
        program[i] = json_string_value(json_array_get(list, i));
    one->call.program.text = program;
    return program ? EXIT_DONE : suite_no_memory(where);
}

/* Sets an option to a value. A number in the JSON tree is replaced by its text, so that the text lives as long as the
 * tree. Returns the exit status. */
static int suite_set_option(const char *where, const char *key, const struct sb_option *option, json_t *object,
                            json_t *value, struct sb_request *request)
{
    const bool text =
        (option->kind == SB_KIND_TEXT || option->kind == SB_KIND_FILE) && strcmp(option->name, "base") != 0;
    const bool any = strcmp(option->name, "field") == 0;
    char digits[32];

    if (option->kind == SB_KIND_FLAG) {
        if (!json_is_boolean(value))
            return suite_wrong_kind(where, key, "true or false");
        cli_set(where, request, option, json_is_true(value) ? "1" : "0"); /* false, too, may differ from the suite's */
        request->given[option - sb_options_table] = json_is_true(value) ? "1" : NULL;
        return EXIT_DONE;
    }
    if (!(text && json_is_string(value)) && !((!text || any) && json_is_number(value)))
        return suite_wrong_kind(where, key, any ? "a number or a string" : text ? "a string" : "a number");
    if (json_is_number(value)) {
        suite_digits(value, digits);
        if (json_object_set_new(object, key, json_string(digits)))
            return suite_no_memory(where);
        value = json_object_get(object, key);
    }
    request->given[option - sb_options_table] = json_string_value(value); /* suite_add() sets what was given */
    return EXIT_DONE;
}

/* Stores the value of a key; returns the exit status. */
static int suite_set(const char *where, const char *key, json_t *object, json_t *value, struct cli_case *one)
{
    const struct {
        const char *key, **text;
    } texts[] = {
        { "name", &one->call.name },
        { "file", &one->call.file },
        { "cwd", &one->call.cwd },
        { "scheme", &one->scheme[0] },
    };
    const struct sb_option *const option = sb_option_find(SB_GATE, key);

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(key, texts[i].key) == 0) {
            *texts[i].text = json_string_value(value);
            return *texts[i].text ? EXIT_DONE : suite_wrong_kind(where, key, "a string");
        }
    if (strcmp(key, "command") == 0)
        return suite_set_program(where, value, one);
    if (suite_is_option(option))
        return suite_set_option(where, key, option, object, value, &one->request);
    return suite_wrong_key(where, key);
}

/* Reads the keys of one subject; returns the exit status. */
static int suite_read(const char *where, json_t *object, struct cli_case *one)
{
    const char *name;
    json_t *value;
    void *next;

    if (!json_is_object(object))
        return cli_usage(where, "must be an object, as in { \"name\": \"deck\", \"command\": [\"./deck\"] }");
    json_object_foreach_safe(object, next, name, value)
    {
        const int status = suite_set(where, name, object, value, one);

        if (status)
            return status;
    }
    return EXIT_DONE;
}

/* Checks a subject's name, and checks that the subject has exactly one of command, file and scheme. */
static int suite_check(const char *where, const struct cli_case *one)
{
    const char *const name = one->call.name;
    const int subjects = !!one->call.program.text + !!one->call.file + !!one->scheme[0];

    if (!name || !*name)
        return cli_usage(where, "has no name: give it one, as in \"name\": \"deck\"");
    if (strlen(name) > SUITE_NAME_MOST)
        return cli_usage(where, "key 'name': longer than %d bytes: shorten it", SUITE_NAME_MOST);
    if (strpbrk(name, "\a\b\t\n\v\f\r\033"))
        return cli_usage(where, "key 'name': has a control character: leave it out");
    if (subjects != 1)
        return cli_usage(where, "has %s: give it a command, a file or a scheme",
                         subjects ? "more than one subject" : "no subject");
    return EXIT_DONE;
}

/* Makes the path of a subject's file start in the subject's folder, as a command does. The path lives as long as
 * the JSON tree. Returns the exit status. */
static int suite_move_file(const char *where, json_t *object, struct sb_call *call)
{
    const char *const cwd = call->cwd;
    char path[4096];

    if (cwd && !*cwd)
        return cli_usage(where, "key 'cwd': is empty: name a folder, or leave it out");
    if (!cwd || call->program.text)
        return EXIT_DONE;
    if (!call->file || strcmp(call->file, "-") == 0)
        return cli_usage(where, "key 'cwd': only goes with a command or a file: leave it out");
    if (call->file[0] != '/') {
        if (snprintf(path, sizeof path, "%s/%s", cwd, call->file) >= (int)sizeof path)
            return cli_usage(where, "keys 'cwd' and 'file': too long a path: shorten it");
        if (json_object_set_new(object, "file", json_string(path)))
            return suite_no_memory(where);
        call->file = json_string_value(json_object_get(object, "file"));
    }
    call->cwd = NULL;
    return EXIT_DONE;
}

/* Reads and checks one subject; returns the exit status. */
static int suite_add(const char *path, size_t index, struct cli_suite *suite)
{
    struct cli_case *const one = &suite->cases[index];
    json_t *const object = json_array_get(suite->root, index);
    char where[SUITE_WHERE];

    snprintf(where, sizeof where, "gate: %.300s: subject %zu", path, index + 1);
    int status = suite_read(where, object, one);

    if (status == EXIT_DONE)
        status = suite_check(where, one);
    if (status)
        return status;
    snprintf(where, sizeof where, "gate: %.200s: subject %zu (%.*s)", path, index + 1, SUITE_NAME_MOST, one->call.name);
    status = suite_move_file(where, object, &one->call);
    if (status)
        return status;
    if (!cli_set_given(where, &one->request) || !cli_subject_one(where, &one->request, NULL))
        return EXIT_USAGE;
    one->call.schemes =
        (struct sb_call_texts) { one->scheme[0] != NULL, one->scheme }; /* even if a file has its name */
    one->request.group = cli_group(index);
    return EXIT_DONE;
}

/* Checks that at most one subject reads standard input, which can be read only once. */
static bool suite_one_input(const char *path, const struct cli_suite *suite)
{
    size_t inputs = 0;

    for (size_t i = 0; i < suite->count; i++)
        inputs += suite->cases[i].call.file && strcmp(suite->cases[i].call.file, "-") == 0;
    if (inputs > 1)
        cli_usage("gate", "%s: %zu subjects read standard input: only one subject may", path, inputs);
    return inputs <= 1;
}

/* Skips a byte order mark, with which some editors begin a file: EF BB BF. JSON never begins with EF. */
static void suite_skip_mark(FILE *stream)
{
    const int first = fgetc(stream);

    if (first != 0xEF)
        (void)ungetc(first, stream);
    else
        for (int i = 0; i < 2; i++)
            (void)fgetc(stream);
}

/* Parses the file. On failure prints a line, sets *status to the exit status and returns NULL. */
static json_t *suite_load(const char *path, int *status)
{
    FILE *const stream = fopen(path, "rb");
    json_error_t error;

    if (!stream) {
        const int number = errno;
        char nearest[4096];
        const bool near = number == ENOENT && cli_file_nearest(path, nearest, sizeof nearest);

        cli_usage("gate", "unable to open %s: %s%s%s%s", path, strerror(number), near ? "; did you mean '" : "",
                  near ? nearest : "", near ? "'?" : "");
        *status = number == ENOENT || number == EACCES ? EXIT_USAGE : EXIT_BROKEN;
        return NULL;
    }
    suite_skip_mark(stream);
    json_t *const root = sb_json_load(stream, &error);
    const int fault = !root && (errno == ENOMEM || ferror(stream)) ? errno : 0;

    fclose(stream);
    if (fault) {
        cli_usage("gate", "cannot read '%s': %s", path, strerror(fault));
        *status = fault == EISDIR ? EXIT_USAGE : EXIT_BROKEN;
    } else if (!root) {
        *status = cli_usage("gate", "%s: line %d, column %d: %s", path, error.line, error.column, error.text);
    }
    return root;
}

int cli_suite_open(const char *path, const struct sb_request *request, struct cli_suite *suite)
{
    int status = EXIT_DONE;

    *suite = (struct cli_suite) { .root = suite_load(path, &status) };
    if (!suite->root)
        return status;
    const size_t count = json_array_size(suite->root);

    if (count < 1 || count > CLI_GROUPS_MOST)
        return cli_usage("gate", "%s: must be a list of 1 to %d subjects, as in [{ \"name\": \"deck\", ... }]", path,
                         CLI_GROUPS_MOST);
    suite->cases = calloc(count, sizeof *suite->cases);
    suite->gates = calloc(count, sizeof *suite->gates);
    if (!suite->cases || !suite->gates)
        return suite_no_memory("gate");
    suite->count = count;
    for (size_t i = 0; i < count; i++) {
        suite->gates[i] = &suite->cases[i].request;
        suite->cases[i].request = *request;
        suite->cases[i].request.call = &suite->cases[i].call;
        status = suite_add(path, i, suite);
        if (status)
            return status;
    }
    return suite_one_input(path, suite) ? EXIT_DONE : EXIT_USAGE;
}

void cli_suite_close(struct cli_suite *suite)
{
    for (size_t i = 0; i < suite->count; i++)
        free(suite->cases[i].call.program.text);
    free(suite->cases);
    free(suite->gates);
    json_decref(suite->root);
    *suite = (struct cli_suite) { 0 };
}
