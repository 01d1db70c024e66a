/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole decks and hands of 52, on one thread, in nanoseconds of processor time.
 *
 * Without arguments: decks side by side, counted in the matrix of items by positions, on each instruction
 * set, beside the same shuffle and count in scalar C. The two run in turn; the figures are medians. With the
 * name of a job and a number of decks, it runs that job once. tests/bench/beside.py uses this to run other
 * languages in turn with it.
 */
#include "bench/timing.h"
#include "rng/rng.h"
#include "sample/sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 52, HAND = 9, REPETITIONS = 9, ISAS_MOST = 4, BLOCK = 16384, GROUPS = 64 };

extern const struct sb_shuffle_type sb_shuffle_fisher_yates, sb_shuffle_fisher_yates_forward, sb_shuffle_inside_out;
extern const struct sb_draw_type sb_draw_ideal;
extern const struct sb_rng_type sb_rng_philox;

static volatile uint64_t sink; /* so that no result is thrown away */

/* Nanoseconds of this thread. */
static double bench_now(void)
{
    return 1e9 * timing_seconds(CLOCK_THREAD_CPUTIME_ID);
}

static struct sb_shuffler bench_shuffler(const struct sb_shuffle_type *type, size_t deal)
{
    struct sb_shuffler shuffler;

    if (sb_shuffler_open((struct sb_shuffle) { .type = type }, N, deal, &shuffler))
        exit(EXIT_FAILURE);
    return shuffler;
}

/* ---- the peer: a scalar C program at its best, with the same generator ---- */

struct words {
    uint64_t group;
    size_t next;
    uint32_t word[64 * GROUPS];
};

static inline uint32_t peer_below(struct words *words, uint32_t bound)
{
    uint64_t product;

    do {
        if (words->next == 64 * GROUPS) {
            sb_philox_fill(1, 0, words->group, GROUPS, words->word);
            words->group += GROUPS;
            words->next = 0;
        }
        product = (uint64_t)words->word[words->next++] * bound;
    } while ((uint32_t)product < bound && (uint32_t)product < -bound % bound);
    return (uint32_t)(product >> 32);
}

/* Fisher-Yates from the top, or the first HAND cards from the front; ns per deck. */
static double bench_peer(struct words *words, size_t deal, size_t decks)
{
    static uint32_t count[N][N];
    const double start = bench_now();

    for (size_t d = 0; d < decks; d++) {
        uint8_t a[N];

        for (uint32_t i = 0; i < N; i++)
            a[i] = (uint8_t)i;
        for (uint32_t k = 0; k < deal && k < N - 1; k++) {
            const uint32_t i = deal < N ? k : N - 1 - k;
            const uint32_t j = deal < N ? k + peer_below(words, N - k) : peer_below(words, i + 1);
            const uint8_t item = a[i];

            a[i] = a[j];
            a[j] = item;
        }
        for (size_t i = 0; i < deal; i++)
            count[i][a[i]]++;
    }
    sink += count[0][0];
    return (bench_now() - start) / (double)decks;
}

/* ---- decks side by side, into the matrix ---- */

static double bench_lanes(const struct sb_lanes_isa *isa, const struct sb_shuffler *shuffler, uint64_t seed,
                          size_t decks)
{
    struct sb_lanes_program program;
    struct sb_lanes_matrix matrix;
    const size_t blocks = decks / BLOCK + 1;

    if (sb_lanes_prepare(shuffler, &program) || sb_lanes_matrix_open(N, shuffler->deal, &matrix))
        exit(EXIT_FAILURE);
    const double start = bench_now();
    for (uint64_t block = 0; block < blocks; block++)
        isa->matrix(&program, seed, block, BLOCK, &matrix, NULL);
    sb_lanes_matrix_settle(&matrix);
    const double time = bench_now() - start;
    sink += matrix.count[0];
    sb_lanes_matrix_close(&matrix);
    return time / (double)(blocks * BLOCK);
}

static void bench_table(const struct sb_shuffle_type *type, size_t deal, size_t decks)
{
    static struct words words = { .next = 64 * GROUPS };
    struct sb_shuffler shuffler = bench_shuffler(type, deal);
    double peer[REPETITIONS], lanes[ISAS_MOST][REPETITIONS], ratio[REPETITIONS];

    for (uint64_t r = 0; r < REPETITIONS; r++) {
        peer[r] = bench_peer(&words, deal, decks / 4);
        for (size_t i = 0; i < ISAS_MOST && sb_lanes_get(i); i++)
            lanes[i][r] = bench_lanes(sb_lanes_get(i), &shuffler, r, decks);
    }
    for (size_t i = 0; i < ISAS_MOST && sb_lanes_get(i); i++) {
        for (size_t r = 0; r < REPETITIONS; r++)
            ratio[r] = peer[r] / lanes[i][r];
        printf("%-22s %2zu of 52  %-10s %8.2f  %8.1f\n", type->name, deal, sb_lanes_get(i)->name,
               timing_median(lanes[i], REPETITIONS), timing_median(ratio, REPETITIONS));
    }
    printf("%-22s %2zu of 52  %-10s %8.2f  %8.1f\n", type->name, deal, "scalar C", timing_median(peer, REPETITIONS),
           1.0);
    sb_shuffler_close(&shuffler);
}

/* ---- single jobs ---- */

/* The shuffle as plain C, and a copy of the hand; ns per deal. */
static double bench_plain(const struct sb_shuffler *shuffler, size_t decks)
{
    static struct sb_plain plain;
    const struct sb_draw draw = { .type = &sb_draw_ideal };
    const struct sb_rng rng = { .type = &sb_rng_philox, .name = "philox", .largest = UINT64_MAX };
    const struct sb_recipe recipe = { shuffler, &draw, &rng, 1, NULL };
    sb_item hand[HAND];

    if (sb_plain_open(&recipe, &plain))
        exit(EXIT_FAILURE);
    const double start = bench_now();
    for (size_t d = 0; d < decks; d++) {
        sb_plain_next(&plain);
        memcpy(hand, plain.deck.a, sizeof hand);
        sink += hand[0] + hand[HAND - 1];
    }
    const double time = bench_now() - start;
    sb_plain_close(&plain);
    return time / (double)decks;
}

/* Decks or hands by the sampler, on all threads; nanoseconds for each by the clock. */
static int bench_sampler(const struct sb_shuffle_type *type, size_t deal, size_t decks)
{
    struct sb_shuffler shuffler = bench_shuffler(type, deal);
    const struct sb_draw draw = { .type = &sb_draw_ideal };
    const struct sb_rng rng = { .type = &sb_rng_philox, .name = "philox", .largest = UINT64_MAX };
    const struct sb_sample sample = { .recipe = { &shuffler, &draw, &rng, 1, NULL }, .total = decks };
    struct sb_evidence evidence;
    struct timespec began, ended;

    clock_gettime(CLOCK_MONOTONIC, &began);
    if (sb_sample_tally(&sample, NULL, &evidence))
        return EXIT_FAILURE;
    clock_gettime(CLOCK_MONOTONIC, &ended);
    printf("%.4f\n",
           (1e9 * (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec)) / (double)decks);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
    return EXIT_SUCCESS;
}

static int bench_job(const char *name, size_t decks)
{
    static const struct {
        const char *name;
        const struct sb_shuffle_type *type;
        size_t deal;
        bool lanes;
    } jobs[] = {
        { "full", &sb_shuffle_fisher_yates, N, false },
        { "partial", &sb_shuffle_fisher_yates_forward, HAND, false },
        { "inside-out", &sb_shuffle_inside_out, N, false },
        { "tallied-hands", &sb_shuffle_fisher_yates_forward, HAND, true },
        { "tallied-decks", &sb_shuffle_fisher_yates, N, true },
    };

    for (size_t k = 0; k < sizeof jobs / sizeof jobs[0]; k++) {
        if (strcmp(name, jobs[k].name) != 0)
            continue;
        struct sb_shuffler shuffler = bench_shuffler(jobs[k].type, jobs[k].deal);
        const double time =
            jobs[k].lanes ? bench_lanes(sb_lanes_best(), &shuffler, 1, decks) : bench_plain(&shuffler, decks);

        printf("%.4f\n", time);
        sb_shuffler_close(&shuffler);
        return EXIT_SUCCESS;
    }
    if (strcmp(name, "sampled-decks") == 0)
        return bench_sampler(&sb_shuffle_fisher_yates, N, decks);
    if (strcmp(name, "sampled-hands") == 0)
        return bench_sampler(&sb_shuffle_fisher_yates_forward, HAND, decks);
    fprintf(stderr, "%s: no such job\n", name);
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    if (argc == 3)
        return bench_job(argv[1], (size_t)strtoul(argv[2], NULL, 10));
    printf("shuffle                deal      by          ns/deck  times faster\n");
    bench_table(&sb_shuffle_fisher_yates, N, 300000);
    bench_table(&sb_shuffle_fisher_yates_forward, HAND, 3000000);
    return EXIT_SUCCESS;
}
