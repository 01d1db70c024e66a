/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several threads use the library at the same time: six threads, each with a gate, reports, laws, dealt decks,
 * proofs or a watch of its own. Each result is the one that a single thread gets.
 *
 * tests/analysis/threads.sh runs this program with the thread sanitizer, which reports data races.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "study/results.h"

#include <gsl/gsl_rng.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3, DECKS = 200, SUMMARY = 1000, MOST = 6 };

/*
 * Stands in for GSL's function of this name, and like it writes a static table on every call. GSL itself is
 * compiled without the thread sanitizer, which therefore does not see what GSL writes.
 */
const gsl_rng_type **gsl_rng_types_setup(void)
{
    static const gsl_rng_type *types[4];

    types[0] = gsl_rng_mt19937;
    types[1] = gsl_rng_taus2;
    types[2] = gsl_rng_ranlxs0;
    types[3] = NULL;
    return types;
}

static char *gate_json(void)
{
    const struct sb_subject subject = { .scheme = "naive", .rng = "taus2", .n = 8 };
    struct sb_request options;
    struct sb_error error;
    struct sb_gate *gate;
    char *text = NULL;

    sb_request_init(&options, SB_GATE);
    options.limit = 2000;
    if (sb_gate_new(&subject, &options, &error, &gate))
        return NULL;
    sb_gate_text(gate, "json", NULL, &error, &text, NULL);
    sb_gate_free(gate);
    return text;
}

/* The exact law and a sample, each with threads of its own. */
static char *reports_json(void)
{
    static const char *const schemes[] = { "naive", "fisher-yates/modulo:15/mt19937" };
    struct sb_request options;
    struct sb_error error;
    struct sb_reports *reports;
    char *text = NULL;

    sb_request_init(&options, SB_REPORT);
    options.n = 5;
    options.samples = 20000;
    options.threads = 2;
    if (sb_reports_new(schemes, 2, &options, &error, &reports))
        return NULL;
    sb_result_text(&sb_reports_result, reports, "json", NULL, &error, &text, NULL);
    sb_reports_free(reports);
    return text;
}

static char *law_json(void)
{
    struct sb_request options;
    struct sb_error error;
    struct sb_null_law *law;
    char *text = NULL;

    sb_request_init(&options, SB_REPORT);
    options.n = 52;
    if (sb_null_law_new("inversions", 0, &options, &error, &law))
        return NULL;
    sb_result_text(&sb_null_law_result, law, "json", NULL, &error, &text, NULL);
    sb_null_law_free(law);
    return text;
}

/* The first items of DECKS decks, as characters. */
static char *dealt_items(void)
{
    struct sb_request options;
    struct sb_error error;
    struct sb_dealer *dealer;
    char *text = calloc(DECKS + 1, 1);

    sb_request_init(&options, SB_REPORT);
    options.n = 52;
    if (!text || sb_dealer_new("fisher-yates/ideal/ranlxs0", &options, &error, &dealer))
        return text;
    for (size_t i = 0; i < DECKS; i++) {
        const uint32_t *items;

        if (sb_dealer_next(dealer, &items) == SB_OK)
            text[i] = (char)('A' + items[0]);
    }
    sb_dealer_free(dealer);
    return text;
}

static int swap_naively(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    uint16_t *const deck = items;

    for (size_t i = 0; i < n; i++) {
        const size_t j = sb_draws_below(draws, (uint32_t)n);
        const uint16_t item = deck[i];

        deck[i] = deck[j];
        deck[j] = item;
    }
    return 0;
}

static char *proof_json(void)
{
    struct sb_request proof;
    struct sb_error error;
    struct sb_reports *reports;
    char *text = NULL;

    sb_request_init(&proof, SB_PROVE);
    proof.n = 5;
    if (sb_prove_callback("own", swap_naively, NULL, &proof, &error, &reports))
        return NULL;
    sb_result_text(&sb_reports_result, reports, "json", NULL, &error, &text, NULL);
    sb_reports_free(reports);
    return text;
}

/* What the watch found, without the date. */
static char *watch_summary(void)
{
    const struct sb_subject subject = { .scheme = "sattolo", .draw = "modulo:31", .rng = "mt19937", .n = 8 };
    struct sb_request options;
    struct sb_error error;
    struct sb_watch_summary summary;
    struct sb_watch *watch;
    char *const text = calloc(SUMMARY, 1);

    sb_request_init(&options, SB_WATCH);
    options.limit = 2000;
    options.window = true;
    if (!text || sb_watch_new(&subject, &options, &error, &watch))
        return text;
    sb_watch_summary_get(watch, &summary);
    snprintf(text, SUMMARY, "%llu alarms, ln E %.17g: %s", (unsigned long long)summary.alarms, summary.ln_e,
             summary.sentence);
    sb_watch_free(watch);
    return text;
}

/* One thread's work, and what it got in each round. */
struct work {
    char *(*result)(void);
    pthread_barrier_t *start;
    char *got[ROUNDS];
};

static void *work_in_thread(void *state)
{
    struct work *const work = state;

    for (size_t round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(work->start);
        work->got[round] = work->result();
    }
    return NULL;
}

/* Runs all of work[0..count-1] at the same time, ROUNDS times, and compares each result with that of this thread. */
static void work_side_by_side(struct work work[], size_t count)
{
    pthread_barrier_t start;
    pthread_t threads[MOST];

    assert_int_equal(pthread_barrier_init(&start, NULL, (unsigned)count), 0);
    for (size_t i = 0; i < count; i++) {
        work[i].start = &start;
        assert_int_equal(pthread_create(&threads[i], NULL, work_in_thread, &work[i]), 0);
    }
    for (size_t i = 0; i < count; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    pthread_barrier_destroy(&start);
    for (size_t i = 0; i < count; i++) {
        char *const alone = work[i].result();

        assert_non_null(alone);
        assert_true(strlen(alone) > 100);
        for (size_t round = 0; round < ROUNDS; round++) {
            assert_non_null(work[i].got[round]);
            assert_string_equal(work[i].got[round], alone);
            sb_text_free(work[i].got[round]);
        }
        sb_text_free(alone);
    }
}

static void six_kinds_of_work(void **state)
{
    struct work work[] = { { .result = gate_json },   { .result = reports_json }, { .result = law_json },
                           { .result = dealt_items }, { .result = proof_json },   { .result = watch_summary } };

    work_side_by_side(work, sizeof work / sizeof *work);
}

/* The same code in each thread. */
static void six_gates(void **state)
{
    struct work work[MOST];

    for (size_t i = 0; i < MOST; i++)
        work[i] = (struct work) { .result = gate_json };
    work_side_by_side(work, MOST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_kinds_of_work),
        cmocka_unit_test(six_gates),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
