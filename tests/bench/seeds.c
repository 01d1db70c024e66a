/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nanoseconds per seed at n = 8, on one thread: seeding, Fisher-Yates by the remainder, the rank and a
 * count. The peer is the plain program that does the same: two lines of C for Microsoft's generator, and the
 * C library's own srandom_r() and random_r() for glibc's.
 *
 * The figures are medians of repetitions in turn, so that both programs see the same state of the machine.
 * The counts of both must agree.
 */
#define _DEFAULT_SOURCE /* srandom_r() */

#include "bench/timing.h"
#include "sample/sample.h"
#include "subject/subject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 8, CELLS = 40320, SEEDS = 1000000, REPEATS = 7 };

struct peer {
    uint32_t msvc;
#ifdef __GLIBC__
    struct random_data data;
    char state[128];
#endif
};

static uint32_t peer_msvc(struct peer *peer)
{
    peer->msvc = peer->msvc * 214013 + 2531011;
    return peer->msvc >> 16 & 0x7fff;
}

#ifdef __GLIBC__
static uint32_t peer_glibc(struct peer *peer)
{
    int32_t word;

    random_r(&peer->data, &word);
    return (uint32_t)word;
}
#endif

/* Seconds for all seeds by the plain program. */
static double peer_time(uint32_t (*next)(struct peer *), uint64_t count[])
{
    struct peer peer = { 0 };
    const double began = timing_seconds(CLOCK_MONOTONIC);

#ifdef __GLIBC__
    initstate_r(1, peer.state, sizeof peer.state, &peer.data);
#endif
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        sb_item a[N];

        peer.msvc = seed;
#ifdef __GLIBC__
        if (next == peer_glibc)
            srandom_r(seed, &peer.data);
#endif
        for (int i = 0; i < N; i++)
            a[i] = (sb_item)i;
        for (uint32_t i = N - 1; i > 0; i--) {
            const uint32_t j = next(&peer) % (i + 1);
            const sb_item item = a[i];

            a[i] = a[j];
            a[j] = item;
        }
        count[sb_permutation_rank(N, N, a)]++;
    }
    return timing_seconds(CLOCK_MONOTONIC) - began;
}

static double our_time(const struct sb_scheme *scheme, uint64_t count[])
{
    struct sb_shuffler shuffler;
    struct sb_evidence evidence;
    const struct sb_seeds seeds = {
        .recipe = { &shuffler, &scheme->draw, &scheme->rng, 0, NULL },
        .last = SEEDS - 1,
        .threads = 1,
    };
    double began;

    if (sb_shuffler_open(scheme->shuffle, N, N, &shuffler))
        abort();
    began = timing_seconds(CLOCK_MONOTONIC);
    if (sb_seeds_reach(&seeds, NULL, &evidence))
        abort();
    const double took = timing_seconds(CLOCK_MONOTONIC) - began;
    memcpy(count, evidence.counts.u64, CELLS * sizeof *count);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
    return took;
}

static void measure(const char *text, uint32_t (*next)(struct peer *))
{
    double theirs[REPEATS], ours[REPEATS];
    struct sb_scheme scheme;

    if (sb_scheme_parse(text, NULL, NULL, NULL, &scheme))
        abort();
    for (int r = 0; r < REPEATS; r++) {
        static uint64_t expected[CELLS], count[CELLS];

        memset(expected, 0, sizeof expected);
        theirs[r] = peer_time(next, expected);
        ours[r] = our_time(&scheme, count);
        if (memcmp(expected, count, sizeof count) != 0)
            abort();
    }
    printf("%-32s %7.1f ns, the plain program %7.1f, ratio %.2f\n", text, 1e9 * timing_median(ours, REPEATS) / SEEDS,
           1e9 * timing_median(theirs, REPEATS) / SEEDS, timing_median(theirs, REPEATS) / timing_median(ours, REPEATS));
}

int main(void)
{
    measure("fisher-yates/modulo/msvc-rand", peer_msvc);
#ifdef __GLIBC__
    measure("fisher-yates/modulo/glibc-rand", peer_glibc);
#endif
    return 0;
}
