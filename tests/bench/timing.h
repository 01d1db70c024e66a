/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the benchmarks measure with: clocks and medians. */
#ifndef TESTS_BENCH_TIMING_H
#define TESTS_BENCH_TIMING_H

#include <stdlib.h>
#include <time.h>

/*
 * Seconds on a clock. CLOCK_PROCESS_CPUTIME_ID and CLOCK_THREAD_CPUTIME_ID leave out what other processes of the
 * machine do; CLOCK_MONOTONIC also measures waiting, and threads that work side by side.
 */
static inline double timing_seconds(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline int timing_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The median of an odd number of times, which the function sorts. */
static inline double timing_median(double times[], size_t count)
{
    qsort(times, count, sizeof times[0], timing_compare);
    return times[count / 2];
}

#endif
