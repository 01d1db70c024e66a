/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sampling benchmark: Fisher-Yates counted by rank, on one thread. For each n and instruction set it
 * prints nanoseconds per shuffle, and how many times faster that is than std::shuffle with mt19937_64 in the
 * same run: first as the sampler does it, which counts series of draws, then with every deck shuffled and
 * ranked. The figures are medians of repetitions in turn. At the end it prints the cost of random words.
 */
#include "bench/timing.h"
#include "rng/rng.h"
#include "sample/lanes/lanes.h"
#include "std_shuffle.h"

#include <stdio.h>
#include <stdlib.h>

enum { REPETITIONS = 9, ISAS_MOST = 4, BLOCKS = 32, GROUPS = 256 };

/* Nanoseconds of this thread. */
static double bench_now(void)
{
    return 1e9 * timing_seconds(CLOCK_THREAD_CPUTIME_ID);
}

/* Both: ns per shuffle. */
static double bench_peer(unsigned n, uint64_t seed, uint64_t shuffles, uint32_t count[])
{
    const double start = bench_now();

    std_shuffle_sample(n, seed, shuffles, count);
    return (bench_now() - start) / (double)shuffles;
}

static double bench_lanes(const struct sb_lanes_isa *isa, const struct sb_lanes_program *program, uint64_t seed,
                          uint64_t blocks, struct sb_lanes_tally *tally)
{
    const double start = bench_now();

    for (uint64_t block = 0; block < blocks; block++)
        isa->tally(program, seed, block, SB_LANES_BLOCK_MOST, tally);
    return (bench_now() - start) / (double)(blocks * SB_LANES_BLOCK_MOST);
}

/* The figures of one instruction set: by series of draws, and deck by deck. */
struct bench_isa {
    double series[REPETITIONS], decks[REPETITIONS];
};

static void bench_print(size_t n, const char *name, const double peer[REPETITIONS], struct bench_isa *figures)
{
    double series[REPETITIONS], decks[REPETITIONS];

    for (size_t r = 0; r < REPETITIONS; r++) {
        series[r] = peer[r] / figures->series[r];
        decks[r] = peer[r] / figures->decks[r];
    }
    printf("%2zu  %-12s %8.2f %12.1f %12.2f %12.1f\n", n, name, timing_median(figures->series, REPETITIONS),
           timing_median(series, REPETITIONS), timing_median(figures->decks, REPETITIONS),
           timing_median(decks, REPETITIONS));
}

static void bench_measure(size_t n, const struct sb_lanes_program *program, struct sb_lanes_tally *series,
                          struct sb_lanes_tally *decks, uint32_t count[])
{
    static struct bench_isa isa[ISAS_MOST];
    double peer[REPETITIONS];

    for (uint64_t r = 0; r < REPETITIONS; r++) {
        peer[r] = bench_peer((unsigned)n, r, n < 9 ? 500000 : 300000, count);
        for (size_t i = 0; i < ISAS_MOST && sb_lanes_get(i); i++) {
            isa[i].series[r] = bench_lanes(sb_lanes_get(i), program, r, BLOCKS, series);
            isa[i].decks[r] = bench_lanes(sb_lanes_get(i), program, r, BLOCKS, decks);
        }
    }
    for (size_t i = 0; i < ISAS_MOST && sb_lanes_get(i); i++)
        bench_print(n, sb_lanes_get(i)->name, peer, &isa[i]);
    printf("%2zu  %-12s %8.2f %12.1f\n", n, "std::shuffle", timing_median(peer, REPETITIONS), 1.0);
}

static int bench_line(size_t n)
{
    extern const struct sb_shuffle_type sb_shuffle_fisher_yates;
    struct sb_shuffler shuffler;
    struct sb_lanes_program program;
    struct sb_lanes_tally series, decks;
    uint32_t *const count = calloc(sb_cells(n, n), sizeof *count);

    if (!count || sb_shuffler_open((struct sb_shuffle) { .type = &sb_shuffle_fisher_yates }, n, n, &shuffler) ||
        sb_lanes_prepare(&shuffler, &program) || sb_lanes_tally_open_series(&program, &series) ||
        sb_lanes_tally_open(&program, &decks))
        return EXIT_FAILURE;
    bench_measure(n, &program, &series, &decks, count);
    sb_lanes_tally_close(&series);
    sb_lanes_tally_close(&decks);
    sb_shuffler_close(&shuffler);
    free(count);
    return EXIT_SUCCESS;
}

/* Buffers of words, as plain C shuffles read them: ns per 64 bits. */
static void bench_words(void)
{
    static uint32_t word[64 * GROUPS];
    double time[REPETITIONS];

    for (uint64_t r = 0; r < REPETITIONS; r++) {
        const double start = bench_now();

        for (uint64_t k = 0; k < 64; k++)
            sb_philox_fill(r, k, 0, GROUPS, word);
        time[r] = (bench_now() - start) / (64 * 32 * GROUPS);
    }
    printf("\nphilox words, 64 bits:  %.2f ns\n", timing_median(time, REPETITIONS));
}

int main(void)
{
    static const size_t items[] = { 3, 4, 5, 6, 7, 8, 9, 10 };

    printf(" n  by              series times faster   deck by deck times faster\n");
    for (size_t k = 0; k < sizeof items / sizeof *items; k++)
        if (bench_line(items[k]) != EXIT_SUCCESS)
            return EXIT_FAILURE;
    bench_words();
    return EXIT_SUCCESS;
}
