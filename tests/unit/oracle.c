/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The oracle: the exact law of functions in the test, and the errors for functions that violate the
 * contract.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exact/oracle.h"
#include "subject/subject.h"

#include <math.h>
#include <stdio.h>
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

/* A binary insertion sort whose comparisons are Math.random() - 0.5. */
static void coins(void *state, struct sb_draws *draws, uint16_t items[], size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint16_t pivot = items[i];
        size_t low = 0, high = i;

        while (low < high) {
            const size_t middle = (low + high) / 2;

            if (sb_draws_uniform(draws) - 0.5 < 0)
                high = middle;
            else
                low = middle + 1;
        }
        memmove(&items[low + 1], &items[low], (i - low) * sizeof items[0]);
        items[low] = pivot;
    }
}

static void floors(void *state, struct sb_draws *draws, uint16_t items[], size_t n)
{
    for (size_t i = n - 1; i > 0; i--)
        swap(items, i, (size_t)(sb_draws_uniform(draws) * (double)(i + 1)));
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

static void every_answer_is_tried(void **state)
{
    char line[640];

    assert_string_equal(law(naive, 3, line), "4 5 5 5 4 4 of 27");
    assert_string_equal(law(fisher_yates, 3, line), "1 1 1 1 1 1 of 6");
    assert_string_equal(law(fisher_yates, 0, line), "1 of 1");
    assert_string_equal(law(fisher_yates, 1, line), "1 of 1");
}

static void numbers_come_from_cells(void **state)
{
    char line[640];

    assert_int_equal(sb_oracle_cells(0), 1);
    assert_int_equal(sb_oracle_cells(4), 12);
    assert_int_equal(sb_oracle_cells(10), 2520);
    /* Two coins leave the third item at its place, after 1 2 or 2 1; else a third puts it first or second. */
    assert_string_equal(law(coins, 3, line), "2 1 2 1 1 1 of 8");
    assert_string_equal(law(floors, 3, line), "1 1 1 1 1 1 of 6");
    assert_string_equal(law(floors, 2, line), "1 1 of 2");
}

/* floor(u k) does not change within 2^-48 of the ends of a cell, for any k that divides the cells. */
static void ends_lie_within_their_cells(void **state)
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

static void numbers_that_do_not_fit_their_cells_are_seen(void **state)
{
    char line[640];

    /* Position 3 gets 0, 1, 2 for u below 1/4, below 3/4, and from there on; 1/4 and 3/4 are within sixths.
     */
    assert_string_equal(law(rounds, 3, line), "1 2 1 1 2 1 of 12, 1/3 open");
    assert_string_equal(law_of(rounds, NULL, (struct sb_oracle) { .n = 3, .cells = 4 }, line),
                        "1 2 1 1 2 1 of 8");
    /* Of 216 triples of sixths 120 are all different; a tie at the middle is none at the ends. */
    assert_string_equal(law(keys, 3, line), "5 5 5 5 5 5 of 54, 4/9 open");
}

static void trees_without_end_are_cut(void **state)
{
    char line[640];

    /* Each draw is the last with 2/3: after 5 of them 3^-5 is left. */
    assert_string_equal(law_of(again, NULL, (struct sb_oracle) { .n = 2, .draws_most = 5 }, line),
                        "121 121 of 243, 1/243 open");
    /* (3^45 - 1) / 2 each, beyond 64 bits. */
    assert_string_equal(law_of(again, NULL, (struct sb_oracle) { .n = 2, .draws_most = 45 }, line),
                        "1477156353275416849321 1477156353275416849321 of 2954312706550833698643, "
                        "1/2954312706550833698643 open");
}

static void large_trees_are_refused_with_an_estimate(void **state)
{
    char line[640];

    assert_non_null(strstr(law(naive, 7, line), "about 8.2e+05 series of answers")); /* 7^7 */
    assert_non_null(strstr(law(naive, 11, line), "n <= 10"));
}

/* Exchanges the first two at every third call. */
static void moody(void *state, struct sb_draws *draws, uint16_t items[], size_t n)
{
    unsigned *const calls = state;

    fisher_yates(NULL, draws, items, n);
    if (++*calls % 3 == 0)
        swap(items, 0, 1);
}

/* Asks another question at every hundredth call. */
static void fickle(void *state, struct sb_draws *draws, uint16_t items[], size_t n)
{
    unsigned *const calls = state;

    fisher_yates(NULL, draws, items, n - (++*calls % 100 == 0));
}

/* Goes on from where it was. */
static void chained(void *state, struct sb_draws *draws, uint16_t items[], size_t n)
{
    uint16_t *const deck = state;

    fisher_yates(NULL, draws, deck, n);
    memcpy(items, deck, n * sizeof items[0]);
}

static void hidden_state_is_found(void **state)
{
    const struct sb_oracle three = { .n = 3 };
    uint16_t deck[] = { 0, 1, 2 };
    unsigned calls = 0;
    char line[640];

    law_of(moody, &calls, three, line);
    assert_non_null(strstr(line, "the same answers do not lead to the same shuffle"));
    assert_non_null(strstr(line, "first 'draw 3: "));
    assert_non_null(strstr(line, "', then 'draw 3: "));
    assert_non_null(strstr(law_of(chained, deck, three, line), "first 'draw 3: "));
    calls = 0;
    law_of(fickle, &calls, (struct sb_oracle) { .n = 4 }, line);
    assert_non_null(strstr(line, "first 'draw 4', then 'draw 3'"));
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

static void broken_words_are_named(void **state)
{
    char line[640];

    assert_non_null(strstr(law(doubled, 3, line), "item 2 stands twice"));
    assert_non_null(strstr(law(outside, 3, line), "item 3 at position 0 of a deck of 3"));
    assert_non_null(strstr(law(boundless, 3, line), "bounds are 1 or more"));
    assert_non_null(strstr(law(endless, 3, line), "does it end?"));
}

/* A law that is open in part is biased if one deal has too much already, and only then. */
static void verdicts_do_not_lean_on_what_is_open(void **state)
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
static void what_is_left_out(void **state)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_tried),
        cmocka_unit_test(numbers_come_from_cells),
        cmocka_unit_test(ends_lie_within_their_cells),
        cmocka_unit_test(numbers_that_do_not_fit_their_cells_are_seen),
        cmocka_unit_test(trees_without_end_are_cut),
        cmocka_unit_test(large_trees_are_refused_with_an_estimate),
        cmocka_unit_test(hidden_state_is_found),
        cmocka_unit_test(broken_words_are_named),
        cmocka_unit_test(verdicts_do_not_lean_on_what_is_open),
        cmocka_unit_test(what_is_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
