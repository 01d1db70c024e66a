/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Suites. From the first bytes a grammar makes a suite that is right, which must be accepted with exactly the
 * options that the grammar wrote; if it has only schemes, its gates run, and come to the same whether one or
 * two run at once. Then values of the suite are changed, as the rest of the bytes says: it may be refused, with a line
 * and the status for wrong arguments.
 */
#include "fuzz/fuzz.h"
#include "fuzz/scratch.h"
#include "fuzz/stderr_text.h"

#include "cli/cli.h"
#include "study/results.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

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
        json_object_set_new(one, "exclude", json_real(wanted->exclude));
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
        json_object_set_new(one, key,
                            json_real(ldexp((double)fuzz_number(fuzz, 3), (int)fuzz_byte(fuzz) - 128)));
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
    const int status =
        cli_suite_open(text ? scratch_write("suite", text, strlen(text)) : "", &request, suite);

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
    const struct sb_subject *const subject = &is->subject;

    fuzz_check(subject->n == wanted->n && subject->deal == wanted->deal && subject->free == wanted->free &&
                   subject->chained == wanted->chained && subject->ordered == wanted->ordered &&
                   subject->once == wanted->once,
               "the subject is as the suite says");
    fuzz_check(strcmp(wanted->kind, "scheme") != 0 || subject->seed == wanted->seed, "the seed is given");
    fuzz_check(subject->timeout == wanted->timeout || wanted->timeout == 0, "the timeout is given");
    fuzz_check(suite_same(subject->cards, wanted->cards) && suite_same(subject->match, wanted->match) &&
                   suite_same(subject->json_path, wanted->json_path) &&
                   suite_same(subject->field, wanted->field) &&
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
    struct sb_suite_case cases[SUITE_SUBJECTS];
    struct sb_error error;
    struct sb_suite *made;
    size_t length;
    char *text;

    for (size_t i = 0; i < suite->count; i++) {
        cases[i] = (struct sb_suite_case) { 0 };
        cases[i].name = suite->cases[i].name;
        cases[i].subject = &suite->cases[i].subject;
        cases[i].options = &suite->cases[i].request;
    }
    if (sb_suite_new(cases, suite->count, jobs, &error, &made)) {
        fuzz_check(error.status == SB_INVALID, "a suite runs, or options do not go together");
        return strdup(error.text);
    }
    fuzz_check(sb_suite_text(made, "json", NULL, &error, &text, &length) == SB_OK, "findings can be written");
    sb_suite_free(made);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz fuzz = { data, size };
    const size_t count = 1 + fuzz_byte(&fuzz) % SUITE_SUBJECTS;
    bool runs = fuzz_byte(&fuzz) % 8 == 0;
    struct wanted wanted[SUITE_SUBJECTS];
    struct cli_suite suite;
    json_t *const list = json_array();
    char *said;

    for (size_t i = 0; i < count; i++) {
        json_array_append_new(list, suite_one(&fuzz, i, &wanted[i]));
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
    if (fuzz.size > 0) {
        suite_spoil(&fuzz, json_array_get(list, fuzz_byte(&fuzz) % count));
        const int spoilt = suite_open(list, &suite, &said);

        fuzz_check(spoilt == EXIT_DONE || spoilt == EXIT_USAGE, "a wrong suite is a wrong argument");
        fuzz_check(spoilt == EXIT_DONE ? !said[0] : stderr_is_line(said), "a refused suite has a line");
        cli_suite_close(&suite);
        free(said);
    }
    json_decref(list);
    return 0;
}
