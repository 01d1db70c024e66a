/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole reports, proofs and watches without each of their allocations, and without each of their calls on files:
 * saved, resumed and merged evidence, recorded matrices, equal cards, a followed log. Without memory a run returns
 * SB_NO_MEMORY, and after another failed call any error or the result. It frees the rest.
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
#include <string.h>
#include <unistd.h>

static char path[3][90]; /* files in the house's folder */

static int open_house(void **state)
{
    const int status = ledger_house_open(state);
    const struct ledger_house *const house = *state;

    for (size_t i = 0; status == 0 && i < 3; i++)
        snprintf(path[i], sizeof path[i], "%s/%zu", house->folder, i);
    return status;
}

/* Removes what the last run left. */
static void clean(void)
{
    static const char *const ends[] = { "", ".lock", ".new" };
    char name[100];

    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < sizeof ends / sizeof ends[0]; j++) {
            snprintf(name, sizeof name, "%.*s%s", (int)sizeof path[i], path[i], ends[j]);
            unlink(name);
        }
}

static int close_house(void **state)
{
    clean();
    return ledger_house_close(state);
}

static void write_file(const char *name, const char *text)
{
    FILE *const file = fopen(name, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* Each error has its line. */
static enum sb_status told(enum sb_status status, const struct sb_error *error)
{
    assert_true(status == SB_OK || error->text[0] != '\0');
    return status;
}

/* EIO may pass, and the run tries again; EACCES lasts. */
static void without_each_file_call(failing_memory_call *call, const void *argument)
{
    assert_true(failing_files_each(call, argument, EIO) > 1);
    assert_true(failing_files_each(call, argument, EACCES) > 1);
}

static struct sb_request report_options(void)
{
    struct sb_request options;

    sb_request_init(&options, SB_REPORT);
    options.samples = 100;
    options.n = 5;
    options.threads = 1; /* the failures count allocations of one thread */
    return options;
}

static enum sb_status report(const void *scheme)
{
    const char *const schemes[] = { scheme };
    struct sb_request options = report_options();
    struct sb_error error = { .text = "" };
    struct sb_reports *reports = NULL;
    const enum sb_status status = sb_reports_new(schemes, 1, &options, &error, &reports);

    sb_reports_free(reports);
    return told(status, &error);
}

/* Both shards of a run are saved, merged, and read again for the report. */
static enum sb_status shards(const void *scheme)
{
    const char *const schemes[] = { scheme }, *const shard[] = { path[0], path[1] };
    struct sb_request options = report_options();
    struct sb_error error = { .text = "" };
    struct sb_reports *reports = NULL;
    struct sb_saved *saved = NULL;
    enum sb_status status = SB_OK;

    clean();
    options.shard.of = 2;
    options.increments = true;
    for (unsigned i = 0; i < 2 && !status; i++) {
        options.shard.number = i + 1;
        options.save = path[i];
        status = sb_reports_new(schemes, 1, &options, &error, &reports);
        sb_reports_free(reports);
        reports = NULL;
    }
    options = report_options();
    options.save = path[2];
    if (!status)
        status = sb_saved_merge(shard, 2, false, &options, &error);
    if (!status)
        status = sb_saved_new(path[2], &error, &saved);
    options.save = NULL;
    if (!status)
        status = sb_reports_saved(saved, &options, &error, &reports);
    sb_reports_free(reports);
    sb_saved_free(saved);
    return told(status, &error);
}

static void reports(void **state)
{
    /* GMP has a reserve of memory, with which the exact law may be right */
    assert_true(failing_memory_each_or_right(report, "naive/modulo:15/msvc-rand") > 50);
    assert_true(failing_memory_each_or_right(shards, "naive") > 50);
    without_each_file_call(shards, "naive");
}

static enum sb_status recorded(const void *deal)
{
    struct sb_request options = report_options();
    struct sb_error error = { .text = "" };
    struct sb_reports *reports = NULL;

    options.deal = *(const size_t *)deal;
    const enum sb_status status = sb_reports_recorded(path[0], &options, &error, &reports);

    sb_reports_free(reports);
    return told(status, &error);
}

static void recorded_matrices(void **state)
{
    const size_t all = 0, two = 2;

    write_file(path[0], "card,1st,2nd,3rd\nace,4,3,3\nking,3,4,3\nqueen,3,3,4\n");
    assert_true(failing_memory_each(recorded, &all) > 5);
    write_file(path[0], "4;3\n3;4\n3;3\n");
    assert_true(failing_memory_each(recorded, &two) > 5);
    without_each_file_call(recorded, &two);
}

/* Fisher and Yates. */
static int fair(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    uint16_t *const a = items;

    for (size_t i = n; i-- > 1;) {
        const uint32_t j = sb_draws_below(draws, (uint32_t)i + 1);
        const uint16_t item = a[i];

        a[i] = a[j];
        a[j] = item;
    }
    return 0;
}

static enum sb_status prove_function(const void *argument)
{
    struct sb_request proof;
    struct sb_error error = { .text = "" };
    struct sb_reports *reports = NULL;

    sb_request_init(&proof, SB_PROVE);
    proof.n = 4;
    const enum sb_status status = sb_prove_callback("mine", fair, NULL, &proof, &error, &reports);

    sb_reports_free(reports);
    return told(status, &error);
}

static enum sb_status prove_program(const void *command)
{
    struct sb_request proof;
    struct sb_error error = { .text = "" };
    struct sb_reports *reports = NULL;

    sb_request_init(&proof, SB_PROVE);
    proof.n = 2;
    const enum sb_status status = sb_prove_command(command, &proof, &error, &reports);

    sb_reports_free(reports);
    return told(status, &error);
}

static void proofs(void **state)
{
    const char *const command[] = { "sh", "-c",
                                    "while read start; do echo draw 2; read a; echo deck $a $((1 - a)); done",
                                    NULL };

    assert_true(failing_memory_each_or_right(prove_function, NULL) > 10);
    assert_true(failing_memory_each_or_right(prove_program, command) > 10);
    without_each_file_call(prove_program, command);
}

struct watched {
    struct ledger_house *house;
    struct sb_subject subject;
    struct sb_request options;
};

static enum sb_status watch(const void *argument)
{
    const struct watched *const watched = argument;
    uint64_t word[2] = { 1 };
    struct sb_subject subject = watched->subject;
    struct sb_error error = { .text = "" };
    struct sb_watch *made = NULL;
    enum sb_status status = SB_OK;

    if (subject.shuffle)
        subject.state = word;
    unlink(path[1]);
    for (int run = 0; run < 2 && !status; run++) { /* the second run resumes the evidence of the first */
        status = sb_watch_new(&subject, &watched->options, &error, &made);
        sb_watch_free(made);
        made = NULL;
    }
    return told(status, &error);
}

static void watches(void **state)
{
    struct watched watched = { .house = *state };

    watched.subject = (struct sb_subject) { 0 };
    sb_request_init(&watched.options, SB_WATCH);
    watched.subject.shuffle = ledger_house_fair;
    watched.subject.n = 12;
    watched.options.limit = 40;
    watched.options.window = true;
    watched.options.increments = true;
    watched.options.save = path[1];
    watched.options.metrics = path[2];
    /* metrics that find no memory are written later */
    assert_true(failing_memory_each_or_right(watch, &watched) > 20);
    without_each_file_call(watch, &watched);
}

/* A log that is followed: the second run resumes where the first has ended. */
static void followed_logs(void **state)
{
    struct watched watched = { .house = *state };

    write_file(path[0], "1 2 3\n2 3 1\n3 1 2\n2 1 3\n1 3 2\n3 2 1\n1 2 3\n");
    watched.subject = (struct sb_subject) { 0 };
    sb_request_init(&watched.options, SB_WATCH);
    watched.subject.file = path[0];
    watched.subject.timeout = 5;
    watched.options.follow = true;
    watched.options.limit = 3;
    watched.options.save = path[1];
    watched.options.metrics = path[2];
    assert_true(failing_memory_each_or_right(watch, &watched) > 20);
    without_each_file_call(watch, &watched);
}

static enum sb_status gate(const void *argument)
{
    const struct sb_subject *const subject = argument;
    struct sb_request options;
    struct sb_error error = { .text = "" };
    struct sb_gate *made = NULL;

    sb_request_init(&options, SB_GATE);
    options.limit = 30;
    const enum sb_status status = sb_gate_new(subject, &options, &error, &made);

    sb_gate_free(made);
    return told(status, &error);
}

/* Two kings and two queens: each deck has equal cards. */
static void equal_cards(void **state)
{
    struct sb_subject subject;

    write_file(path[0], "K K Q Q\nK Q K Q\nQ K K Q\nQ Q K K\nK Q Q K\nQ K Q K\n");
    subject = (struct sb_subject) { 0 };
    subject.file = path[0];
    subject.cards = "K K Q Q";
    assert_true(failing_memory_each_or_right(gate, &subject) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reports, open_house, close_house),
        cmocka_unit_test_setup_teardown(recorded_matrices, open_house, close_house),
        cmocka_unit_test_setup_teardown(proofs, open_house, close_house),
        cmocka_unit_test_setup_teardown(watches, open_house, close_house),
        cmocka_unit_test_setup_teardown(followed_logs, open_house, close_house),
        cmocka_unit_test_setup_teardown(equal_cards, open_house, close_house),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
