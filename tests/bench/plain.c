/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nanoseconds per shuffle, rank and count at n = 5, on one thread: every shuffle through the sampler, beside
 * gsl_ran_shuffle with mt19937 and the same rank and count. Then the sampler on 1, 2 and 4 threads.
 *
 * The figures are medians of repetitions in turn, so that both programs see the same state of the machine. A
 * ratio above 1 means faster than GSL.
 */
#include "bench/timing.h"
#include "sample/sample.h"
#include "statistic/statistic.h"
#include "subject/subject.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 5, DECKS = 1000000, REPEATS = 7 };

/* Seconds for DECKS shuffles by GSL, ranked and counted as the sampler does it. */
static double peer(gsl_rng *rng)
{
    static uint64_t count[120];
    const double began = timing_seconds(CLOCK_PROCESS_CPUTIME_ID);

    for (int d = 0; d < DECKS; d++) {
        sb_item a[N];
        uint32_t cell;

        for (int i = 0; i < N; i++)
            a[i] = (sb_item)i;
        gsl_ran_shuffle(rng, a, N, sizeof a[0]);
        sb_statistic_rank.classify(N, N, a, &cell);
        count[cell]++;
    }
    return timing_seconds(CLOCK_PROCESS_CPUTIME_ID) - began;
}

static double ours(const struct sb_scheme *scheme, uint64_t decks, unsigned threads, clockid_t clock)
{
    struct sb_shuffler shuffler;
    struct sb_evidence evidence;

    if (sb_shuffler_open(scheme->shuffle, N, N, &shuffler))
        abort();
    const struct sb_sample sample = {
        .recipe = { &shuffler, &scheme->draw, &scheme->rng, 1, NULL },
        .total = decks,
        .threads = threads,
    };
    const double began = timing_seconds(clock);
    if (sb_sample_tally(&sample, NULL, &evidence))
        abort();
    const double took = timing_seconds(clock) - began;
    sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
    return took;
}

static void every_shuffle(gsl_rng *rng)
{
    printf("n = %d, one thread, ns per shuffle with rank and count\n%-26s %8s %8s %8s\n", N, "", "ours", "GSL",
           "ratio");
    for (size_t i = 0; i < sb_shuffle_types_count; i++) {
        struct sb_scheme scheme;
        double us[REPEATS], gsl[REPEATS];

        if (sb_scheme_parse(sb_shuffle_types[i]->name, NULL, NULL, NULL, &scheme))
            abort();
        for (int r = 0; r < REPEATS; r++) {
            us[r] = ours(&scheme, DECKS, 1, CLOCK_PROCESS_CPUTIME_ID);
            gsl[r] = peer(rng);
        }
        printf("%-26s %8.2f %8.2f %8.2f%s\n", scheme.name, 1e9 * timing_median(us, REPEATS) / DECKS,
               1e9 * timing_median(gsl, REPEATS) / DECKS, timing_median(gsl, REPEATS) / timing_median(us, REPEATS),
               sb_shuffle_types[i]->plan ? "  decks side by side" : "");
    }
}

static void threads(const char *name, uint64_t decks)
{
    struct sb_scheme scheme;

    if (sb_scheme_parse(name, NULL, NULL, NULL, &scheme))
        abort();
    for (unsigned count = 2; count <= 4; count += 2) {
        double one[REPEATS], many[REPEATS];

        for (int r = 0; r < REPEATS; r++) {
            one[r] = ours(&scheme, decks, 1, CLOCK_MONOTONIC);
            many[r] = ours(&scheme, decks, count, CLOCK_MONOTONIC);
        }
        printf("%-26s %u threads: %.2f times one\n", name, count,
               timing_median(one, REPEATS) / timing_median(many, REPEATS));
    }
}

int main(void)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);

    if (!rng)
        return 1;
    every_shuffle(rng);
    threads("fisher-yates", 200 * (uint64_t)DECKS);
    threads("inside-out", 10 * (uint64_t)DECKS);
    gsl_rng_free(rng);
    return 0;
}
