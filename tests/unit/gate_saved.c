/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gate on a C function whose evidence is saved and resumed. */
#include "unit/test.h"

#include "study/results.h"
#include "unit/ledger_house.h"

#include <string.h>
#include <unistd.h>

/* The house without a ledger: its file is for evidence. */
static struct ledger_house *saving(void **state)
{
    struct ledger_house *const house = *state;

    house->options.ledger = NULL;
    house->options.save = house->path;
    return house;
}

/* Goes on with what is in the file, for the same subject, if `tried`; else looks at it. */
static enum sb_status pick_up(struct ledger_house *house, bool tried)
{
    const struct sb_subject own = house->subject;

    if (!tried)
        house->subject = (struct sb_subject) { 0 };
    house->options.save = tried ? house->path : NULL;
    house->options.evidence = tried ? NULL : house->path;
    const enum sb_status status = ledger_house_run(house);

    house->options.evidence = NULL;
    house->options.save = house->path;
    house->subject = own;
    return status;
}

/* Each run adds as many as its limit, after the first 64, also after a pass; a fail stays. */
TEST_WITH(test_runs_of_a_function_add_up, ledger_house_open, ledger_house_close)
{
    static volatile sig_atomic_t stopped;
    struct ledger_house *const house = saving(state);

    stopped = 1;
    house->options.stop = &stopped;
    assert_int_equal(ledger_house_run(house), SB_OK);
    const uint64_t first = house->summary.total;

    assert_true(house->summary.interrupted && first < 500);
    house->options.stop = NULL;
    assert_int_equal(pick_up(house, true), SB_OK);
    assert_int_equal(house->summary.total, first + 500);
    assert_string_equal(house->summary.verdict, "inconclusive");
    ledger_house_set(house, "limit", "2000"); /* may change from run to run */
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_int_equal(house->summary.total, first + 2500);
    ledger_house_set(house, "max-bias", "0.5");
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(strstr(house->error.text, "`max_bias` 0.5: differs"));
    unlink(house->path);
    for (unsigned i = 1; i <= 2; i++) {
        assert_int_equal(ledger_house_run(house), SB_OK);
        assert_string_equal(house->summary.verdict, "pass");
        assert_int_equal(house->summary.total, 2000 * i);
    }
    unlink(house->path);
    ledger_house_set(house, "limit", "1000000");
    house->subject.shuffle = ledger_house_naive;
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_string_equal(house->summary.verdict, "fail");
    const uint64_t total = house->summary.total;

    house->subject.shuffle = ledger_house_fair;
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_string_equal(house->summary.verdict, "fail");
    assert_int_equal(house->summary.total, total);
}

/* Decks from one of 2^20 seeds each. */
static int few_seeds(void *items, size_t n, size_t size, void *word)
{
    uint64_t own = UINT64_C(0x9E3779B97F4A7C15) * (ledger_house_below(word, 1 << 20) + 1);

    return ledger_house_fair(items, n, size, &own);
}

/* No run of 200 decks repeats a deck, and all of them together do: a single one is enough. */
TEST_WITH(test_few_seeds_show_across_runs, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = saving(state);
    unsigned run = 0;

    house->subject.n = 20;
    ledger_house_set(house, "limit", "200");
    house->subject.shuffle = few_seeds;
    do
        assert_int_equal(ledger_house_run(house), SB_OK);
    while (strcmp(house->summary.verdict, "fail") != 0 && ++run < 40);
    print_message("# failed at run %u, after %llu decks\n", run + 1, (unsigned long long)house->summary.total);
    assert_in_range(run, 1, 39);
}

/* Hands of two of five cards. */
TEST_WITH(test_hands_are_resumed, ledger_house_open, ledger_house_close)
{
    static volatile sig_atomic_t stopped = 1;
    struct ledger_house *const house = saving(state);

    house->subject.n = 5;
    house->subject.deal = 2;
    house->options.stop = &stopped;
    assert_int_equal(ledger_house_run(house), SB_OK);
    assert_true(house->summary.total < 500);
    const uint64_t first = house->summary.total;

    house->options.stop = NULL;
    assert_int_equal(pick_up(house, true), SB_OK);
    assert_int_equal(house->summary.total, first + 500);
    assert_int_equal(pick_up(house, false), SB_OK);
    assert_int_equal(house->summary.total, first + 500);
    house->subject.deal = 3;
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_non_null(strstr(house->error.text, "`deal` 3: differs"));
}

/* Every run begins with the same seed; the first run breaks its word after 200 permutations. */
static int breaks(void *items, size_t n, size_t size, void *word)
{
    uint64_t *const state = word;

    ledger_house_fair(items, n, size, state);
    if (++state[1] > 200)
        memset(items, 0, n * sizeof(uint16_t));
    return 0;
}

TEST_WITH(test_a_seed_counts_once, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = saving(state);
    uint64_t before;

    house->subject.shuffle = breaks;
    assert_int_equal(ledger_house_run(house), SB_SUBJECT);
    assert_int_equal(pick_up(house, false), SB_OK);
    before = house->summary.total;
    assert_in_range(before, 150, 200); /* those of its last batch are lost */
    house->subject.shuffle = ledger_house_fair;
    house->word[0] = 1;
    assert_int_equal(pick_up(house, true), SB_SUBJECT);
    assert_non_null(strstr(house->error.text, "would count twice"));
    assert_int_equal(pick_up(house, false), SB_OK);
    assert_int_equal(house->summary.total, before);
    house->word[0] = 2;
    assert_int_equal(pick_up(house, true), SB_OK);
    assert_int_equal(house->summary.total, before + 500);
}

/* Evidence belongs to the subject that it was recorded from. */
TEST_WITH(test_another_subject_is_refused, ledger_house_open, ledger_house_close)
{
    static volatile sig_atomic_t stopped = 1;
    struct ledger_house *const house = saving(state);

    house->options.stop = &stopped;
    assert_int_equal(ledger_house_run(house), SB_OK);
    house->options.stop = NULL;
    house->subject.name = "another";
    assert_int_equal(ledger_house_run(house), SB_INVALID);
    assert_string_equal(house->error.value, "another");
    assert_non_null(strstr(house->error.text, "say the callback of that run again"));
}

/* A gate is made of what a report has counted: its terms are the gate's, and no subject is tried. */
TEST_WITH(test_a_report_is_judged, ledger_house_open, ledger_house_close)
{
    static const char *const scheme[] = { "naive" };
    struct ledger_house *const house = saving(state);
    struct sb_request options;
    struct sb_reports *reports;

    sb_request_init(&options, SB_REPORT);
    options.samples = 20000;
    options.save = house->path;
    assert_int_equal(sb_reports_new(scheme, 1, &options, &house->error, &reports), SB_OK);
    sb_reports_free(reports);
    ledger_house_set(house, "alpha", "1e-3");
    assert_int_equal(pick_up(house, false), SB_OK);
    assert_string_equal(house->summary.verdict, "fail");
    assert_int_equal(house->summary.total, 20000);
    assert_true(house->summary.alpha > 0.9e-3 && !house->summary.interrupted);
    assert_int_equal(pick_up(house, true), SB_INVALID);
    assert_non_null(strstr(house->error.text, "which a gate cannot resume"));
}

TEST_WITH(test_what_does_not_go_together, ledger_house_open, ledger_house_close)
{
    struct ledger_house *const house = saving(state);
    struct sb_suite_case cases[2];
    struct sb_suite *suite;

    for (size_t i = 0; i < 2; i++) {
        cases[i] = (struct sb_suite_case) { 0 };
        cases[i].name = i ? "two" : "one";
        cases[i].subject = &house->subject;
        cases[i].options = &house->options;
    }
    assert_int_equal(sb_suite_new(cases, 2, 1, &house->error, &suite), SB_INVALID);
    assert_non_null(strstr(house->error.text, "is the evidence of two subjects: save each elsewhere"));
}
