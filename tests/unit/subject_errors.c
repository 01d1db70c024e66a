/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Subjects that the library refuses, and subjects that fail in rare ways: each error says what to do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/ledger_house.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const no_command[] = { NULL };
static const char *const prints_gzip[] = { "printf", "\\037\\213\\010", NULL };
static const char *const says_nothing[] = { "sleep", "9", NULL };
static const char *const deals[] = { "echo", "1 2 3", NULL };

static const struct refused {
    struct sb_subject subject;
    const char *line; /* part of the error's line */
} refused[] = {
    { { .file = "decks", .cwd = "/" }, "`cwd`: only goes with a command" },
    { { .file = "decks", .once = true }, "`once`: only goes with a command" },
    { { .scheme = "naive", .chained = true }, "a scheme shuffles a new deck each time" },
    { { .scheme = "naive", .input = "u8" }, "a scheme" },
    { { .scheme = "naive", .n = 1 }, "there is only one order, and nothing to test" },
    { { .scheme = "a-name-that-is-longer-than-the-longest-name-of-a-shuffle-a-draw-or-a-generator" },
      "unknown name 'a-name-that-is-longer-than-the" },
    { { .shuffle = ledger_house_fair, .match = "x" }, "a function" },
    { { .shuffle = ledger_house_fair, .json_path = ".deck" }, "a function" },
    { { .shuffle = ledger_house_fair, .separator = ";" }, "a function" },
    { { .shuffle = ledger_house_fair, .base = "0" }, "a function" },
    { { .shuffle = ledger_house_fair, .free = true }, "a function" },
    { { .command = no_command }, "the command is empty" },
    { { .command = prints_gzip, .once = true }, "gzip data" }, /* a build without zlib has another remedy */
    { { .command = says_nothing, .once = true, .timeout = 0.1 }, "from 'sleep 9' within 0.1 s" },
};

static enum sb_status gate(const struct sb_subject *subject, struct sb_error *error)
{
    struct sb_subject own = *subject;
    struct sb_request options;
    struct sb_gate *made = NULL;
    uint64_t word[2] = { 1 };
    own.state = own.shuffle ? word : NULL;
    sb_request_init(&options, SB_GATE);
    options.limit = 10;
    const enum sb_status status = sb_gate_new(&own, &options, error, &made);

    sb_gate_free(made);
    return status;
}

static void each_error_says_why(void **state)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        struct sb_error error = { .text = "" };
        const enum sb_status status = gate(&refused[i].subject, &error);

        if ((status != SB_INVALID && status != SB_SUBJECT) || !strstr(error.text, refused[i].line))
            fail_msg("%s: status %d, %s", refused[i].line, (int)status, error.text);
    }
}

static void write_file(const char *name, const char *text)
{
    FILE *const file = fopen(name, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fclose(file) == 0);
}

/* A program of text that does not say what runs it. */
static void a_program_without_its_interpreter(void **state)
{
    const struct ledger_house *const house = *state;
    const char *const command[] = { house->path, NULL };
    struct sb_error error;

    write_file(house->path, "\001 1 2 3\n");
    assert_int_equal(chmod(house->path, 0700), 0);
    assert_int_equal(gate(&(struct sb_subject) { .command = command }, &error), SB_SUBJECT);
    assert_non_null(strstr(error.text, "let it begin with #! and what runs it"));
}

/* A program that ignores SIGCHLD never learns how its children have exited. */
static void nobody_waits_for_children(void **state)
{
    struct sb_error error, asked;
    struct sb_request options;
    struct sb_zoo *zoo = NULL;

    sb_request_init(&options, SB_ZOO);
    options.n = 3;
    options.test = "true";
    signal(SIGCHLD, SIG_IGN);
    assert_int_equal(gate(&(struct sb_subject) { .command = deals }, &error), SB_SUBJECT);
    assert_int_equal(sb_zoo_new(&options, &asked, &zoo), SB_SUBJECT);
    signal(SIGCHLD, SIG_DFL);
    assert_non_null(strstr(error.text, "do not ignore SIGCHLD"));
    assert_string_equal(asked.text,
                        "cannot tell how 'true' exited: do not ignore SIGCHLD in the program that starts it");
    assert_int_equal(gate(&(struct sb_subject) { .command = deals }, &error), SB_OK);
}

static enum sb_status follow(const char *file, const char *cards, bool free, const char *save,
                             struct sb_error *error)
{
    const struct sb_subject subject = { .file = file, .cards = cards, .free = free, .timeout = 0.1 };
    struct sb_request options;
    struct sb_watch *watch = NULL;

    sb_request_init(&options, SB_WATCH);
    options.follow = true;
    options.limit = 3;
    options.save = save;
    const enum sb_status status = sb_watch_new(&subject, &options, error, &watch);

    sb_watch_free(watch);
    return status;
}

static void logs_that_cannot_be_followed(void **state)
{
    const struct ledger_house *const house = *state;
    struct sb_error error;

    assert_int_equal(follow("/", NULL, false, NULL, &error), SB_INVALID);
    assert_non_null(strstr(error.text, "is no file that could be followed"));
    write_file(house->path, "1 2 3\n");
    assert_int_equal(follow(house->path, NULL, true, house->folder, &error), SB_INVALID);
    assert_int_equal(follow(house->path, NULL, false, NULL, &error),
                     SB_SUBJECT); /* two of three decks never come */
    assert_non_null(strstr(error.text, "no permutation for 0.1 s: raise `timeout`"));
}

/* Six decks with equal cards, three in each run: the second run continues after the third deck. */
static void equal_cards_in_a_log(void **state)
{
    const struct ledger_house *const house = *state;
    char save[96];
    struct sb_error error;

    snprintf(save, sizeof save, "%s/save", house->folder);
    write_file(house->path, "K K Q Q\nK Q K Q\nQ K K Q\nQ Q K K\nK Q Q K\nQ K Q K\n");
    assert_int_equal(follow(house->path, "K K Q Q", false, save, &error), SB_OK);
    assert_int_equal(follow(house->path, "K K Q Q", false, save, &error), SB_OK);
    assert_int_equal(follow(house->path, "K K Q Q", false, save, &error), SB_SUBJECT); /* no deck is left */
    unlink(save);
}

/* A matrix of 200 items whose text is longer than a first block: item i was 150 times at each position. */
static void a_long_matrix(void **state)
{
    enum { N = 200 };
    const struct ledger_house *const house = *state;
    struct sb_request options;
    struct sb_reports *reports = NULL;
    struct sb_summary summary;
    struct sb_error error;
    FILE *const file = fopen(house->path, "w");

    assert_non_null(file);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            fprintf(file, "150%s", j + 1 < N ? "," : "\n");
    assert_int_equal(fclose(file), 0);
    sb_request_init(&options, SB_REPORT);
    assert_int_equal(sb_reports_recorded(house->path, &options, &error, &reports), SB_OK);
    assert_true(sb_reports_summary(reports, 0, &summary));
    assert_string_equal(summary.verdict, "no bias seen");
    sb_reports_free(reports);
}

static void options_out_of_range(void **state)
{
    static const char *const naive[] = { "naive" };
    struct sb_request options;
    struct sb_reports *reports;
    struct sb_error error;

    sb_request_init(&options, SB_REPORT);
    options.seed = UINT64_C(1) << 63;
    assert_int_equal(sb_reports_new(naive, 1, &options, &error, &reports), SB_INVALID);
    assert_non_null(strstr(error.text, "must be below 2^63"));
    sb_request_init(&options, SB_REPORT);
    options.seed_range.first = INT64_MAX;
    options.seed_range.count = 2;
    assert_int_equal(sb_reports_new(naive, 1, &options, &error, &reports), SB_INVALID);
    assert_non_null(strstr(error.text, "the last seed must be below 2^63"));
    sb_dealer_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_error_says_why),
        cmocka_unit_test_setup_teardown(a_program_without_its_interpreter, ledger_house_open,
                                        ledger_house_close),
        cmocka_unit_test(nobody_waits_for_children),
        cmocka_unit_test_setup_teardown(logs_that_cannot_be_followed, ledger_house_open, ledger_house_close),
        cmocka_unit_test_setup_teardown(equal_cards_in_a_log, ledger_house_open, ledger_house_close),
        cmocka_unit_test_setup_teardown(a_long_matrix, ledger_house_open, ledger_house_close),
        cmocka_unit_test(options_out_of_range),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
