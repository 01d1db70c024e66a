/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Several threads use the library at the same time, each with requests of its own. Each result is the one that a single
 * thread gets.
 *
 * tests/analysis/threads.sh runs this program with the thread sanitizer, which reports data races.
 */
#include "unit/ask.h"

#include <gsl/gsl_rng.h>
#include <pthread.h>

enum { ROUNDS = 3, DECKS = 200, MOST = 6 };

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

/* A request, and what is taken of its result: all JSON, or one value, because that of a watch has the time. */
struct kind {
    const char *command, *options, *value;
};

static const struct kind kinds[MOST] = {
    { "gate", "scheme=naive rng=taus2 n=8 limit=2000", NULL },
    { "report", "scheme=naive scheme=fisher-yates/modulo:15/mt19937 n=5 samples=20000 threads=2", NULL },
    { "law", "statistic=inversions n=52", NULL },
    { "deal", "scheme=fisher-yates/ideal/ranlxs0 n=52", NULL },
    { "prove", "n=5", NULL },
    { "watch", "scheme=sattolo draw=modulo:31 rng=mt19937 n=8 limit=2000 window=1", "statistics" },
};

/* The first items of DECKS decks, as characters. */
static char *dealt_items(struct sb_request *request)
{
    char *const text = calloc(DECKS + 1, 1);

    for (size_t i = 0; text && i < DECKS; i++)
        text[i] = (char)('A' + sb_next(request)[0]);
    sb_request_free(request);
    return text;
}

static char *result_of(const struct kind *kind)
{
    struct sb_request *const request = ask(kind->command, kind->options);

    if (strcmp(kind->command, "deal") == 0)
        return dealt_items(request);
    if (strcmp(kind->command, "prove") == 0)
        sb_set_draws(request, naive_drawn, NULL);
    struct sb_result *const result = sb_run(request);
    char *const text =
        result ? strdup(kind->value ? sb_get(result, kind->value) : sb_text(result, "json", NULL)) : NULL;

    sb_result_free(result);
    sb_request_free(request);
    return text;
}

/* One thread's work, and what it got in each round. */
struct work {
    const struct kind *kind;
    pthread_barrier_t *start;
    char *got[ROUNDS];
};

static void *work_in_thread(void *state)
{
    struct work *const work = state;

    for (size_t round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(work->start);
        work->got[round] = result_of(work->kind);
    }
    return NULL;
}

/* Runs all of work[] at the same time, ROUNDS times, and compares each result with that of this thread. */
static void work_side_by_side(struct work work[MOST])
{
    pthread_barrier_t start;
    pthread_t threads[MOST];

    assert_int_equal(pthread_barrier_init(&start, NULL, MOST), 0);
    for (size_t i = 0; i < MOST; i++) {
        work[i].start = &start;
        assert_int_equal(pthread_create(&threads[i], NULL, work_in_thread, &work[i]), 0);
    }
    for (size_t i = 0; i < MOST; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    pthread_barrier_destroy(&start);
    for (size_t i = 0; i < MOST; i++) {
        char *const alone = result_of(work[i].kind);

        assert_non_null(alone);
        assert_true(strlen(alone) > 100);
        for (size_t round = 0; round < ROUNDS; round++) {
            assert_non_null(work[i].got[round]);
            assert_string_equal(work[i].got[round], alone);
            free(work[i].got[round]);
        }
        free(alone);
    }
}

TEST(six_kinds_of_work)
{
    struct work work[MOST];

    for (size_t i = 0; i < MOST; i++)
        work[i] = (struct work) { .kind = &kinds[i] };
    work_side_by_side(work);
}

/* The same code in each thread. */
TEST(six_gates)
{
    struct work work[MOST];

    for (size_t i = 0; i < MOST; i++)
        work[i] = (struct work) { .kind = &kinds[0] };
    work_side_by_side(work);
}
