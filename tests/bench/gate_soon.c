/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many decks of 52 the gate needs to fail a biased shuffle by default: alpha = 1e-9, with every
 * statistic. The figures of docs/gate-method.md, section "Calibration".
 *
 *     build/tests/bench-gate-soon [SEEDS]
 *
 * It prints a line for each shuffle: the median over the seeds 1 to 100, the quartiles, the smallest and the
 * largest number, and the largest median that is allowed. The exit status is 1 if a median is larger, or if
 * a run did not fail.
 */
#include "core/calls.h"
#include "study/results.h"

#include "core/system.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The decks that a run takes; INFINITY where it does not fail. */
static double decks_of(const char *scheme, uint64_t seed)
{
    const struct sb_subject subject = { .scheme = scheme, .n = 52, .seed = seed };
    struct sb_request options;
    struct sb_gate_summary summary;
    struct sb_gate *gate;

    sb_request_init(&options, SB_GATE);
    if (sb_gate_new(&subject, &options, NULL, &gate))
        abort();
    sb_gate_summary_get(gate, &summary);
    const double decks = strcmp(summary.verdict, "fail") == 0 ? (double)summary.total : INFINITY;

    sb_gate_free(gate);
    return decks;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The value that a share of the sorted ones is below: between two of them their mean. */
static double quantile(size_t count, const double sorted[], double share)
{
    const double place = share * (double)(count - 1);

    return 0.5 * (sorted[(size_t)floor(place)] + sorted[(size_t)ceil(place)]);
}

/* What the threads share. */
struct soon_run {
    const char *scheme;
    double *decks; /* [seeds] */
    size_t seeds;
    atomic_size_t next; /* seed to be taken */
};

static void soon_work(void *state, size_t thread)
{
    struct soon_run *const run = state;
    size_t i;

    while ((i = atomic_fetch_add(&run->next, 1)) < run->seeds)
        run->decks[i] = decks_of(run->scheme, i + 1);
}

static bool fails_within(const char *scheme, double most, size_t seeds)
{
    double *const decks = calloc(seeds, sizeof *decks);
    struct soon_run run = { .scheme = scheme, .decks = decks, .seeds = seeds };

    if (!decks)
        abort();
    sb_threads_run(sb_threads_count(0, seeds), soon_work, &run);
    qsort(decks, seeds, sizeof decks[0], compare);
    const double median = quantile(seeds, decks, 0.5);
    const bool fine = median <= most && decks[seeds - 1] < INFINITY;

    printf("%s  %-26s %8.1f %9.1f %8.1f %8.0f %8.0f %9.0f\n", fine ? "ok  " : "MISS", scheme, median,
           quantile(seeds, decks, 0.25), quantile(seeds, decks, 0.75), decks[0], decks[seeds - 1], most);
    fflush(stdout);
    free(decks);
    return fine;
}

int main(int argc, char *argv[])
{
    static const struct {
        const char *scheme;
        double most; /* decks, of the median */
    } cases[] = {
        { "sattolo", 20 }, { "sort-insertion", 20 },           { "riffle:7", 300 }, { "fisher-yates-stops-early", 700 },
        { "naive", 2500 }, { "fisher-yates/modulo:8", 40000 },
    };
    const size_t seeds = argc > 1 ? strtoul(argv[1], NULL, 10) : 100;
    bool fine = seeds > 0;

    printf("      %-26s %8s %18s %8s %8s %9s\n", "", "median", "quartiles", "least", "most", "limit");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && seeds; i++)
        fine = fails_within(cases[i].scheme, cases[i].most, seeds) && fine;
    return fine ? EXIT_SUCCESS : EXIT_FAILURE;
}
