/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle: the exact law of functions in the test, and the errors for functions that violate the
 * contract.
 */
#include "unit/test.h"

#include "core/calls.h"
#include "exact/oracle.h"
#include "study/results.h"
#include "subject/subject.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void swap(uint16_t items[], size_t i, size_t j)
{
    const uint16_t item = items[i];

    items[i] = items[j];
    items[j] = item;
}

static void naive(void *state, struct sb_draws *draws, uint16_t items[], size_t n)
{
    for (size_t i = 0; i < n; i++)
        swap(items, i, sb_draws_below(draws, (uint32_t)n));
}

static void fisher_yates(void *state, struct sb_draws *draws, uint16_t items[], size_t n)
{
    for (size_t i = n; i > 0; i--) /* the last draw is below 1 */
        swap(items, i - 1, sb_draws_below(draws, (uint32_t)i));
}

/* Half the share for the first and the last, as Math.round(Math.random() * i) has it. */
static void rounds(void *state, struct sb_draws *draws, uint16_t items[], size_t n)
{
    for (size_t i = n - 1; i > 0; i--)
        swap(items, i, (size_t)round(sb_draws_uniform(draws) * (double)i));
}

/* Sorts by random keys, which is fair; but two keys in one cell are no tie. */
static void keys(void *state, struct sb_draws *draws, uint16_t items[], size_t n)
{
    double key[SB_ORACLE_ITEMS_MOST];

    for (size_t i = 0; i < n; i++)
        key[i] = sb_draws_uniform(draws);
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && key[j - 1] > key[j]; j--) {
            const double above = key[j - 1];

            key[j - 1] = key[j];
            key[j] = above;
            swap(items, j - 1, j);
        }
}

/* Draws again while 2 comes up, and then exchanges the first two or not. */
static void again(void *state, struct sb_draws *draws, uint16_t items[], size_t n)
{
    uint32_t drawn;

    do
        drawn = sb_draws_below(draws, 3);
    while (drawn == 2);
    swap(items, 0, drawn);
}

static void again_twice(void *state, struct sb_draws *draws, uint16_t items[], size_t n)
{
    again(state, draws, items, n);
    again(state, draws, items, n);
}

/* A shuffle of this page, and its state, as the library calls it. */
typedef void shuffle_of(void *state, struct sb_draws *draws, uint16_t items[], size_t n);
struct tried {
    shuffle_of *shuffle;
    void *state;
};

static int call(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    const struct tried *const tried = state;

    assert_int_equal(size, sizeof(uint16_t));
    tried->shuffle(tried->state, draws, items, n);
    return 0;
}

/* The law of a function in words, "4 5 5 5 4 4 of 27", and what is not resolved; or the error. */
static const char *law_of(shuffle_of *shuffle, void *state, struct sb_oracle oracle, char line[640])
{
    struct tried tried = { shuffle, state };
    struct sb_evidence evidence;
    struct sb_error error = { 0 };
    size_t used = 0;
    mpz_t count;

    oracle.cells = oracle.cells ? oracle.cells : sb_oracle_cells(oracle.n);
    oracle.draws_most = oracle.draws_most ? oracle.draws_most : 100;
    oracle.paths_most = oracle.paths_most ? oracle.paths_most : 100000;
    assert_int_equal(sb_callback_peer_open("peer", call, &tried, oracle.n, 0, &error, &oracle.peer), SB_OK);
    const enum sb_status status = sb_oracle_law(&oracle, &error, &evidence);
    oracle.peer->free(oracle.peer);
    assert_int_equal(status, error.status);
    if (status) {
        snprintf(line, 640, "%d: %s", status, error.text);
        return line;
    }
    mpz_init(count);
    for (size_t rank = 0; rank < evidence.cells; rank++) {
        sb_numbers_integer(&evidence.counts, rank, count);
        used += (size_t)gmp_snprintf(line + used, 640 - used, "%Zd ", count);
    }
    mpz_clear(count);
    used += (size_t)gmp_snprintf(line + used, 640 - used, "of %Zd", evidence.denominator);
    if (mpq_sgn(evidence.inquiry->unresolved))
        gmp_snprintf(line + used, 640 - used, ", %Qd open", evidence.inquiry->unresolved);
    sb_evidence_close(&evidence);
    return line;
}

static const char *law(shuffle_of *shuffle, size_t n, char line[640])
{
    return law_of(shuffle, NULL, (struct sb_oracle) { .n = n }, line);
}

/* floor(u k) does not change within 2^-48 of the ends of a cell, for any k that divides the cells. */
TEST(ends_lie_within_their_cells)
{
    for (uint32_t k = 1; k <= 10; k++)
        for (uint32_t cell = 0; cell < 2520; cell++)
            for (size_t index = 0; index < 1000; index += 333) {
                const double low = sb_oracle_number(cell, 2520, index, SB_ORACLE_LOW),
                             middle = sb_oracle_number(cell, 2520, index, SB_ORACLE_MIDDLE),
                             high = sb_oracle_number(cell, 2520, index, SB_ORACLE_HIGH);

                assert_true(low < middle && middle < high);
                assert_int_equal(floor(low * k), cell * k / 2520);
                assert_int_equal(floor(middle * k), cell * k / 2520);
                assert_int_equal(floor(high * k), cell * k / 2520);
            }
}

TEST(numbers_that_do_not_fit_their_cells_are_seen)
{
    char line[640];

    /* Position 3 gets 0, 1, 2 for u below 1/4, below 3/4, and from there on; 1/4 and 3/4 are within sixths.
     */
    assert_string_equal(law(rounds, 3, line), "1 2 1 1 2 1 of 12, 1/3 open");
    assert_string_equal(law_of(rounds, NULL, (struct sb_oracle) { .n = 3, .cells = 4 }, line), "1 2 1 1 2 1 of 8");
    /* Of 216 triples of sixths 120 are all different; a tie at the middle is none at the ends. */
    assert_string_equal(law(keys, 3, line), "5 5 5 5 5 5 of 54, 4/9 open");
}

TEST(trees_without_end_are_cut)
{
    char line[640];

    /* Each draw is the last with 2/3: after 5 of them 3^-5 is left. */
    assert_string_equal(law_of(again, NULL, (struct sb_oracle) { .n = 2, .draws_most = 5 }, line),
                        "121 121 of 243, 1/243 open");
    /* Of 41 draws, at most one is not 2 with (1 + 2 * 41) / 3^41. The denominator is beyond 64 bits. */
    assert_string_equal(law_of(again_twice, NULL, (struct sb_oracle) { .n = 2, .draws_most = 41 }, line),
                        "18236498188585393160 18236498188585393160 of 36472996377170786403, "
                        "83/36472996377170786403 open");
}

/* After 38 draws, 3^-38 is left, which is below 2^-60. One answer to draw 39 was tried already. */
TEST(trees_without_end_are_followed_until_the_rest_is_negligible)
{
    char line[640];

    assert_string_equal(law_of(again, NULL, (struct sb_oracle) { .n = 2, .draws_most = 1000 }, line),
                        "2026277576509488133 2026277576509488132 of 4052555153018976267, 2/4052555153018976267 open");
}

TEST(large_trees_are_refused_with_an_estimate)
{
    char line[640];

    assert_non_null(strstr(law(naive, 7, line), "about 8.2e+05 series of answers")); /* 7^7 */
    assert_non_null(strstr(law(naive, 11, line), "n <= 10"));
}

static void doubled(void *state, struct sb_draws *draws, uint16_t items[], size_t n)
{
    naive(state, draws, items, n);
    if (items[0] == 2)
        items[1] = 2;
}

static void outside(void *state, struct sb_draws *draws, uint16_t items[], size_t n)
{
    naive(state, draws, items, n);
    items[0] = (uint16_t)n;
}

static void boundless(void *state, struct sb_draws *draws, uint16_t items[], size_t n)
{
    swap(items, 0, sb_draws_below(draws, 0));
}

static void endless(void *state, struct sb_draws *draws, uint16_t items[], size_t n)
{
    for (int i = 0; !draws->over; i++) /* until the oracle gives up */
        assert_true(i < 10000 && sb_draws_below(draws, 2) < 2);
}

TEST(broken_words_are_named)
{
    char line[640];

    assert_non_null(strstr(law(doubled, 3, line), "item 2 stands twice"));
    assert_non_null(strstr(law(outside, 3, line), "item 3 at position 0 of a deck of 3"));
    assert_non_null(strstr(law(boundless, 3, line), "bounds are 1 or more"));
    assert_non_null(strstr(law(endless, 3, line), "does it end?"));
}

/* A law that is open in part is biased if one deal has too much already, and only then. */
TEST(verdicts_do_not_lean_on_what_is_open)
{
    const struct {
        shuffle_of *shuffle;
        uint32_t cells;
        const char *verdict, *says;
    } cases[] = {
        { naive, 0, "biased", "132, 213 and 231 come up 11% too often" },
        { fisher_yates, 0, "uniform", "each of the 6 orders is equally likely" },
        { keys, 0, "inconclusive", "nothing shows a bias yet" },
        { rounds, 0, "inconclusive", "nothing shows a bias yet" },
        { rounds, 49, "biased", "whatever the rest of the probability does" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tried tried = { cases[i].shuffle, NULL };
        struct sb_reports *reports;
        struct sb_summary summary;
        struct sb_error error;
        struct sb_request proof;

        sb_request_init(&proof, SB_PROVE);
        proof.cells = cases[i].cells;
        assert_int_equal(sb_prove_callback("peer", call, &tried, &proof, &error, &reports), SB_OK);
        assert_true(sb_reports_summary(reports, 0, &summary));
        assert_string_equal(summary.verdict, cases[i].verdict);
        assert_non_null(strstr(summary.sentence, cases[i].says));
        sb_reports_free(reports);
    }
}

/* A name may be left out, and nothing else. */
TEST(what_is_left_out)
{
    static const char *const nothing[] = { NULL };
    struct tried tried = { fisher_yates, NULL };
    struct sb_reports *reports;
    struct sb_summary summary;
    struct sb_error error;
    struct sb_request proof;

    sb_request_init(&proof, SB_PROVE);
    assert_int_equal(sb_prove_callback(NULL, call, &tried, &proof, &error, &reports), SB_OK);
    assert_true(sb_reports_summary(reports, 0, &summary));
    assert_string_equal(summary.subject, "callback");
    sb_reports_free(reports);
    assert_int_equal(sb_prove_callback("peer", NULL, NULL, &proof, &error, &reports), SB_INVALID);
    assert_non_null(strstr(error.text, "name a function"));
    assert_int_equal(sb_prove_command(NULL, &proof, &error, &reports), SB_INVALID);
    assert_int_equal(sb_prove_command(nothing, &proof, &error, &reports), SB_INVALID);
    assert_non_null(strstr(error.text, "the command is empty"));
}

/* ---- oracle cancel ---- */

/* Numbers in [0, 1) with thresholds inside the cells of a proof, whose effects on the deck cancel out in pairs. If all numbers
 * moved at once within their cells, the deck would not change, and the proof would count a wrong law. */

static void exchange(uint16_t items[], size_t i, size_t j)
{
    const uint16_t item = items[i];

    items[i] = items[j];
    items[j] = item;
}

/* The naive swap with Math.floor(Math.random() * 100) % 2, on two items. */
static int hundredths(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    for (size_t i = 0; i < n; i++)
        exchange(items, i, (size_t)(sb_draws_uniform(draws) * 100) % n);
    return 0;
}

/* Exchanges two items up to four times, each time with probability 3/10. */
static int exchanges(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    for (int i = 0; i < 4; i++)
        if (sb_draws_uniform(draws) < 0.3)
            exchange(items, 0, 1);
    return 0;
}

/* Proves a shuffle of two items. */
static struct sb_reports *prove(sb_drawn_shuffle *shuffle, uint32_t cells)
{
    struct sb_reports *reports = NULL;
    struct sb_error error;
    struct sb_request proof;

    sb_request_init(&proof, SB_PROVE);
    proof.n = 2;
    proof.cells = cells;
    assert_int_equal(sb_prove_callback("mine", shuffle, NULL, &proof, &error, &reports), SB_OK);
    return reports;
}

static void assert_verdict(sb_drawn_shuffle *shuffle, uint32_t cells, const char *verdict)
{
    struct sb_reports *const reports = prove(shuffle, cells);
    struct sb_summary summary;

    assert_true(sb_reports_summary(reports, 0, &summary));
    assert_string_equal(summary.verdict, verdict);
    sb_reports_free(reports);
}

TEST(changes_that_cancel_out_are_seen)
{
    /* 50 of the 100 numbers are even, so each draw is fair, and so is the naive swap of two items */
    assert_verdict(hundredths, 2, "inconclusive");
    assert_verdict(hundredths, 100, "uniform");
    /* an even number of exchanges has probability (1 + (1 - 6/10)^4) / 2 = 641/1250 */
    assert_verdict(exchanges, 1, "inconclusive");
    assert_verdict(exchanges, 10, "biased");
}

/* ---- oracle open ---- */

/* Reports on proofs of which a part is open. */

/* Draws again while 2 comes up, and then exchanges two items or not. */
static int open_again(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    uint16_t *const item = items;
    uint32_t drawn;

    do
        drawn = sb_draws_below(draws, 3);
    while (drawn == 2);
    item[drawn] = 0;
    item[1 - drawn] = 1;
    return 0;
}

/* 2 comes up 25 times in a row with probability 3^-25 = 1.2e-12, and 26 times with probability 3.9e-13: the limit of
 * a law that is called uniform is 1e-12. */
static void assert_open(uint32_t draws, const char *words)
{
    struct sb_reports *reports;
    struct sb_error error;
    struct sb_request proof;
    size_t length;
    char *text;

    sb_request_init(&proof, SB_PROVE);
    proof.n = 2;
    proof.draws = draws;
    assert_int_equal(sb_prove_callback("mine", open_again, NULL, &proof, &error, &reports), SB_OK);
    assert_int_equal(sb_result_text(&sb_reports_result, reports, "text", NULL, &error, &text, &length), SB_OK);
    assert_non_null(strstr(text, words));
    free(text);
    sb_reports_free(reports);
}

TEST(what_is_open_bounds_the_bias)
{
    assert_open(25, "Warning: 1.2e-12 of the probability is not resolved");
    assert_open(25, "Verdict: inconclusive.");
    assert_open(25, "bias is at most 1.2e-12 in total variation.");
    assert_open(26, "Verdict: uniform. Each of the 2 orders is equally likely, to within 4.0e-13:");
}

/* ---- oracle progress ---- */

/* How far a proof says that it is: the paths so far, and how many there will probably be. */

static int progress_naive(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    for (size_t i = 0; i < n; i++)
        exchange(items, i, sb_draws_below(draws, (uint32_t)n));
    return 0;
}

/* Fisher-Yates with draws below 4 that are drawn again if they are too large. */
static int rejects(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    for (size_t i = n; i > 1; i--) {
        uint32_t drawn;

        do
            drawn = sb_draws_below(draws, 4);
        while (drawn >= i);
        exchange(items, i - 1, drawn);
    }
    return 0;
}

struct seen {
    uint64_t calls, last, total, halfway; /* `halfway` is the total after 500 paths */
};

static void look(void *state, const char *name, uint64_t done, uint64_t total)
{
    struct seen *const seen = state;

    assert_string_equal(name, "mine");
    assert_int_equal(done, ++seen->calls);
    assert_true(done <= total);
    seen->last = done;
    seen->total = total;
    if (done == 500)
        seen->halfway = total;
}

static struct seen watch(sb_drawn_shuffle *shuffle, size_t n, uint64_t paths)
{
    struct sb_reports *reports = NULL;
    struct seen seen = { 0 };
    struct sb_error error;
    struct sb_request proof;

    sb_request_init(&proof, SB_PROVE);
    proof.n = n;
    proof.paths = paths;
    proof.progress = look;
    proof.progress_state = &seen;
    assert_int_equal(sb_prove_callback("mine", shuffle, NULL, &proof, &error, &reports), SB_OK);
    sb_reports_free(reports);
    return seen;
}

TEST(a_tree_with_an_end_is_followed_to_its_end)
{
    const struct seen seen = watch(progress_naive, 4, 1000000);

    assert_int_equal(seen.last, 256);
    assert_int_equal(seen.total, 256);
}

TEST(a_tree_without_an_end_is_followed_to_the_limit)
{
    const struct seen seen = watch(rejects, 3, 1000);

    assert_int_equal(seen.halfway, 1000);
    assert_int_equal(seen.last, 1000);
    assert_int_equal(seen.total, 1000);
}

/* ---- oracle random ---- */

/*
 * The oracle's random answers are the upper halves of Knuth's MMIX generator, x <- 6364136223846793005 x +
 * 1442695040888963407 modulo 2^64. The expected values were computed with Python's integers.
 */

TEST(random_answers_are_knuths)
{
    static const uint32_t expected[] = { 1817669548, 2187888307, 2784682393, 1644385741 };
    uint64_t series = 1;

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(sb_oracle_random(&series), expected[i]);
}

/* ---- oracle strays ---- */

/* After a proof has followed all paths, it repeats some. A function that asks otherwise then has a hidden state, even if
 * its decks are as before. */

enum { REPEATS = 64 }; /* the last calls of a proof with few paths */

struct counter {
    unsigned calls;
    unsigned late; /* the call that asks for one more draw */
};

/* Asks for a draw, and leaves all items where they are. */
static int asks(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    struct counter *const counter = state;

    sb_draws_below(draws, 3);
    if (++counter->calls == counter->late)
        sb_draws_below(draws, 3);
    return 0;
}

static enum sb_status strays_prove(struct counter *counter, struct sb_error *error)
{
    struct sb_reports *reports = NULL;
    struct sb_request proof;

    sb_request_init(&proof, SB_PROVE);
    proof.n = 2;
    const enum sb_status status = sb_prove_callback("mine", asks, counter, &proof, error, &reports);

    sb_reports_free(reports);
    return status;
}

TEST(a_question_too_many_is_found_in_any_repeat)
{
    struct counter steady = { .late = 0 };
    struct sb_error error = { .text = "" };

    assert_int_equal(strays_prove(&steady, &error), SB_OK);
    assert_true(steady.calls > REPEATS + 3); /* first an estimate, and the three paths */
    for (unsigned late = steady.calls - REPEATS + 1; late <= steady.calls; late++) {
        struct counter counter = { .late = late };

        assert_int_equal(strays_prove(&counter, &error), SB_SUBJECT);
        assert_non_null(strstr(error.text, "the same answers do not lead to the same shuffle"));
    }
}
