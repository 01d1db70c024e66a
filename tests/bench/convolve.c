/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares `convolve` with its peers in one run, in seconds of processor time.
 *
 * - The naive swap at n = 9, beside a tight depth-first search over the 9^9 paths.
 * - The naive swap at n = 11, beside dynamic programming that ranks and unranks at each access.
 * - Every other shuffle made of swaps, with even and uneven draws, beside the naive swap at n = 10.
 *
 * All use one thread. At n = 11 the program also measures `convolve` on all threads, in wall time. Then it
 * measures n = 12 on four threads: seconds, and the largest memory of the whole run.
 *
 * With an argument, 9 to 12, it measures only up to that n.
 */
#include "bench/timing.h"
#include "exact/engine.h"
#include "subject/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

extern const struct sb_engine_type sb_engine_convolve;

/* ---- the peers, for n <= 15: a permutation is its items in nibbles ---- */

static uint64_t exchanged(uint64_t p, int i, int j)
{
    const uint64_t differ = (p >> 4 * i ^ p >> 4 * j) & 15;

    return p ^ differ << 4 * i ^ differ << 4 * j;
}

static uint32_t rank_of(uint64_t p, int n)
{
    uint32_t left = (1U << n) - 1, rank = 0;

    for (int i = 0; i < n - 1; i++) {
        const uint32_t bit = 1U << (p >> 4 * i & 15);

        left ^= bit;
        rank = rank * (uint32_t)(n - i) + (uint32_t)__builtin_popcount(left & (bit - 1));
    }
    return rank;
}

static uint64_t unrank(uint32_t rank, int n, const uint32_t factorial[])
{
    uint32_t left = (1U << n) - 1;
    uint64_t p = 0;

    for (int i = 0; i < n; i++) {
        uint32_t skip = rank / factorial[n - 1 - i], items = left;

        rank %= factorial[n - 1 - i];
        while (skip--)
            items &= items - 1;
        left ^= items & -items;
        p |= (uint64_t)__builtin_ctz(items) << 4 * i;
    }
    return p;
}

static void search(uint64_t *count, uint64_t p, int i, int n)
{
    if (i == n) {
        count[rank_of(p, n)]++;
        return;
    }
    for (int j = 0; j < n; j++)
        search(count, exchanged(p, i, j), i + 1, n);
}

static void dynamic(uint64_t *old, uint64_t *new, int n, size_t cells)
{
    uint32_t factorial[16] = { 1 };

    for (int i = 1; i < n; i++)
        factorial[i] = factorial[i - 1] * (uint32_t)i;
    old[0] = 1;
    for (int i = 0; i < n; i++) {
        uint64_t *const other = old;

        memset(new, 0, cells * sizeof *new);
        for (size_t rank = 0; rank < cells; rank++) {
            if (old[rank] == 0)
                continue;
            const uint64_t p = unrank((uint32_t)rank, n, factorial);
            for (int j = 0; j < n; j++)
                new[rank_of(exchanged(p, i, j), n)] += old[rank];
        }
        old = new;
        new = other;
    }
}

static double peer(int n, bool by_search)
{
    const size_t cells = (size_t)sb_deals((size_t)n, (size_t)n);
    uint64_t *const old = calloc(cells, sizeof *old), *const new = calloc(cells, sizeof *new);
    uint64_t identity = 0;

    if (!old || !new)
        abort();
    for (int i = 0; i < n; i++)
        identity |= (uint64_t)i << 4 * i;
    const double began = timing_seconds(CLOCK_PROCESS_CPUTIME_ID);
    if (by_search)
        search(old, identity, 0, n);
    else
        dynamic(old, new, n, cells);
    const double took = timing_seconds(CLOCK_PROCESS_CPUTIME_ID) - began;
    free(old);
    free(new);
    return took;
}

/* ---- ours ---- */

static double once(const char *text, size_t n, unsigned threads, struct sb_evidence *law)
{
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_error error;

    if (sb_scheme_parse(text, NULL, NULL, NULL, &scheme) || sb_shuffler_open(scheme.shuffle, n, n, &shuffler))
        abort();
    const struct sb_law asked = {
        .shuffler = &shuffler,
        .draw = &scheme.draw,
        .largest = sb_draw_largest(&scheme.draw, scheme.rng.largest),
        .threads = threads,
    };
    const double began = timing_seconds(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC);
    if (sb_engine_convolve.law(&asked, &error, law)) {
        puts(error.text);
        exit(1);
    }
    const double took = timing_seconds(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC) - began;
    sb_shuffler_close(&shuffler);
    return took;
}

/* The best of some, as the peers run only once and the machine is not ours alone. 0 threads: all. */
static double ours(const char *text, size_t n, unsigned threads, int repeats)
{
    double best = 1e9;

    for (int r = 0; r < repeats; r++) {
        struct sb_evidence law;
        const double took = once(text, n, threads, &law);

        best = took < best ? took : best;
        sb_evidence_close(&law);
    }
    return best;
}

static void beside(const char *what, double peer_took, double took)
{
    printf("%-52s %8.3f s  ours %8.4f s  ratio %6.0f\n", what, peer_took, took, peer_took / took);
    fflush(stdout);
}

static void every_plan(void)
{
    static const char *const draws[] = { "ideal", "modulo:15", "multiply:53" };
    const double naive = ours("naive", 10, 1, 5);

    printf("\nn = 10, one thread: the naive swap takes %.3f s; others, in that unit\n%-26s", naive, "");
    for (size_t d = 0; d < 3; d++)
        printf(" %12s", draws[d]);
    for (size_t i = 0; i < sb_shuffle_types_count; i++) {
        if (!sb_shuffle_types[i]->plan)
            continue;
        printf("\n%-26s", sb_shuffle_types[i]->name);
        for (size_t d = 0; d < 3; d++) {
            char text[SB_SCHEME_ROOM];

            snprintf(text, sizeof text, "%s/%s", sb_shuffle_types[i]->name, draws[d]);
            printf(" %12.2f", ours(text, 10, 1, 3) / naive);
        }
        fflush(stdout);
    }
    printf("\n\n");
}

static void largest(size_t n)
{
    struct sb_evidence law;
    struct rusage used;
    uint32_t most = 0, least = UINT32_MAX;
    const double took = once("naive", n, 4, &law);

    for (size_t i = 0; law.counts.form == SB_NUMBERS_U32 && i < law.cells; i++) {
        most = law.counts.u32[i] > most ? law.counts.u32[i] : most;
        least = law.counts.u32[i] < least ? law.counts.u32[i] : least;
    }
    getrusage(RUSAGE_SELF, &used);
    printf("naive, n = %zu, 4 threads: %.2f s; counts %lu to %lu, of the identity %lu; %.2f GiB at most so "
           "far\n",
           n, took, (unsigned long)least, (unsigned long)most,
           law.counts.form == SB_NUMBERS_U32 ? (unsigned long)law.counts.u32[0] : 0, (double)used.ru_maxrss / 1048576);
    fflush(stdout);
    sb_evidence_close(&law);
}

int main(int argc, char **argv)
{
    const int most = argc > 1 ? atoi(argv[1]) : 12;

    beside("naive, n = 9: depth-first search over 9^9 paths", peer(9, true), ours("naive", 9, 1, 10));
    if (most >= 10)
        every_plan();
    if (most >= 11) {
        largest(11);
        const double dynamic_took = peer(11, false);

        beside("naive, n = 11: ranks and unranks at each access", dynamic_took, ours("naive", 11, 1, 5));
        beside("    and all threads that there are, by the clock", dynamic_took, ours("naive", 11, 0, 5));
    }
    if (most >= 12)
        largest(12);
    return 0;
}
