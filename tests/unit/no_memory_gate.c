/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole runs of the gate without each of their allocations, and without each of their calls on files: on each kind
 * of subject and each format of a stream, with evidence that is saved and resumed, and on a ledger. Without memory a
 * run returns SB_NO_MEMORY, and after another failed call any error or the result. It frees the rest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/failing_memory.h"
#include "unit/ledger_house.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PERMUTATIONS = 60, LIMIT = 50 };

/* The stream's file, in the house's folder. */
static char stream_path[96];

struct question {
    struct ledger_house *house;
    struct sb_subject subject;
    struct sb_request options;
    bool twice; /* the second run resumes the evidence of the first */
};

/* Writes fair permutations of four items, each by `line`. */
static void write_stream(void (*line)(FILE *file, const uint16_t items[4]))
{
    FILE *const file = fopen(stream_path, "w");
    uint64_t word = 5;

    assert_non_null(file);
    for (int i = 0; i < PERMUTATIONS; i++) {
        uint16_t items[4] = { 0, 1, 2, 3 };

        ledger_house_fair(items, 4, sizeof items[0], &word);
        line(file, items);
    }
    assert_int_equal(fclose(file), 0);
}

static void line_numbers(FILE *file, const uint16_t items[4])
{
    fprintf(file, "%d %d %d %d\n", items[0] + 1, items[1] + 1, items[2] + 1, items[3] + 1);
}

static void line_cards(FILE *file, const uint16_t items[4])
{
    static const char *const name[] = { "A", "K", "Q", "J" };

    fprintf(file, "%s %s %s %s\n", name[items[0]], name[items[1]], name[items[2]], name[items[3]]);
}

static void line_json(FILE *file, const uint16_t items[4])
{
    fprintf(file, "{\"id\": 7, \"deck\": [%d, %d, %d, %d]}\n", items[0], items[1], items[2], items[3]);
}

static void line_log(FILE *file, const uint16_t items[4])
{
    fprintf(file, "12:00 dealt;%d,%d,%d,%d;to 3\n", items[0], items[1], items[2], items[3]);
}

static void line_binary(FILE *file, const uint16_t items[4])
{
    for (int i = 0; i < 4; i++)
        fputc(items[i], file);
}

/* Removes what the last run left. */
static void clean(const struct ledger_house *house)
{
    static const char *const ends[] = { "", ".lock", ".new", ".decks", ".decks.new" };
    char name[96];

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        snprintf(name, sizeof name, "%s%s", house->path, ends[i]);
        unlink(name);
    }
}

static enum sb_status gate_once(const struct question *question, bool resumes)
{
    struct sb_subject subject = question->subject;
    struct sb_request options = question->options;
    struct sb_gate_saved *saved = NULL;
    struct sb_gate *gate = NULL;
    struct sb_error error = { .text = "" };
    enum sb_status status = SB_OK;

    if (resumes && options.save)
        status = sb_gate_saved_new(options.save, &error, &saved);
    options.saved = saved;
    if (!status)
        status = sb_gate_new(&subject, &options, &error, &gate);
    sb_gate_free(gate);
    sb_gate_saved_free(saved);
    assert_true(status == SB_OK || error.text[0] != '\0'); /* each error has its line */
    return status;
}

static enum sb_status gate_run(const void *argument)
{
    const struct question *const question = argument;
    uint64_t word[2] = { 1 };
    struct question own = *question;
    enum sb_status status;

    own.subject.state = own.subject.shuffle ? word : NULL;
    clean(question->house);
    status = gate_once(&own, false);
    if (!status && own.twice) {
        own.options.limit = own.options.save ? own.options.limit : 2 * own.options.limit;
        status = gate_once(&own, true);
    }
    return status;
}

/* EIO may pass, and the run tries again; EACCES lasts. */
static void without_each_call(const struct question *question)
{
    assert_true(failing_memory_each(gate_run, question) > 100);
    assert_true(failing_files_each(gate_run, question, EIO) > 3);
    assert_true(failing_files_each(gate_run, question, EACCES) > 3);
}

static struct question question_of(void **state)
{
    struct question made = { .house = *state };

    snprintf(stream_path, sizeof stream_path, "%s/stream", made.house->folder);
    made.subject = (struct sb_subject) { 0 };
    sb_request_init(&made.options, SB_GATE);
    made.options.limit = LIMIT;
    made.subject.n = 4;
    return made;
}

static int close_house(void **state)
{
    unlink(stream_path);
    return ledger_house_close(state);
}

static void a_scheme(void **state)
{
    struct question question = question_of(state);

    question.subject.scheme = "fisher-yates/modulo:15/msvc-rand";
    question.options.increments = true;
    assert_true(failing_memory_each(gate_run, &question) > 100);
    question.subject.scheme =
        "naive"; /* which fails: its cells are listed, and the shuffles that it looks like */
    question.subject.n = 3;
    question.options.alpha = 0.01;
    question.options.limit = 2000;
    assert_true(failing_memory_each(gate_run, &question) > 100);
}

static void a_function(void **state)
{
    struct question question = question_of(state);

    question.subject.shuffle = ledger_house_fair;
    question.subject.chained = true;
    question.options.increments = true;
    question.options.seeds = 50;
    question.subject.n = 30;
    assert_true(failing_memory_each(gate_run, &question) > 100);
}

static void a_command(void **state)
{
    struct question question = question_of(state);
    const char *const command[] = { "cat", stream_path, NULL };

    write_stream(line_numbers);
    question.subject.command = command;
    question.subject.cwd = "/";
    without_each_call(&question);
}

static void numbers(void **state)
{
    struct question question = question_of(state);

    write_stream(line_numbers);
    question.subject.file = stream_path;
    without_each_call(&question);
    question.subject.free = true;
    without_each_call(&question);
}

static void cards(void **state)
{
    struct question question = question_of(state);

    write_stream(line_cards);
    question.subject.file = stream_path;
    question.subject.n = 0;
    question.subject.cards = "A K Q J";
    without_each_call(&question);
}

static void json_lines(void **state)
{
    struct question question = question_of(state);

    write_stream(line_json);
    question.subject.file = stream_path;
    question.subject.json_path = ".deck";
    without_each_call(&question);
}

static void a_log(void **state)
{
    struct question question = question_of(state);

    write_stream(line_log);
    question.subject.file = stream_path;
    question.subject.match = "dealt(;[^ ]*)";
    question.subject.field = "2";
    question.subject.separator = ";";
    without_each_call(&question);
}

static void bytes(void **state)
{
    struct question question = question_of(state);

    write_stream(line_binary);
    question.subject.file = stream_path;
    question.subject.input = "u8";
    without_each_call(&question);
}

static void saved_evidence(void **state)
{
    struct question question = question_of(state);

    question.subject.shuffle = ledger_house_fair;
    question.options.save = question.house->path;
    question.options.increments = true;
    question.subject.n = 12; /* with whole decks, a bettor and a catalogue */
    question.options.limit = 20;
    question.twice = true;
    without_each_call(&question);
}

static void a_ledger(void **state)
{
    struct question question = question_of(state);

    question.subject.shuffle = ledger_house_fair;
    question.options.ledger = question.house->path;
    question.options.key = "v1";
    question.subject.n = 12;
    question.options.limit = 20;
    question.twice = true;
    without_each_call(&question);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_scheme, ledger_house_open, close_house),
        cmocka_unit_test_setup_teardown(a_function, ledger_house_open, close_house),
        cmocka_unit_test_setup_teardown(a_command, ledger_house_open, close_house),
        cmocka_unit_test_setup_teardown(numbers, ledger_house_open, close_house),
        cmocka_unit_test_setup_teardown(cards, ledger_house_open, close_house),
        cmocka_unit_test_setup_teardown(json_lines, ledger_house_open, close_house),
        cmocka_unit_test_setup_teardown(a_log, ledger_house_open, close_house),
        cmocka_unit_test_setup_teardown(bytes, ledger_house_open, close_house),
        cmocka_unit_test_setup_teardown(saved_evidence, ledger_house_open, close_house),
        cmocka_unit_test_setup_teardown(a_ledger, ledger_house_open, close_house),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
