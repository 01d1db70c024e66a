/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program to gate: it prints one shuffle of 0..N-1 per line, each from the same order, until the reader stops.
 * Replace shuffle() with yours, or link the file that contains yours.
 *
 *     shufflebias gate --max-bias 0.05 -- ./shuffle [N [SEED]]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 1000 };

/* SplitMix64. */
static uint64_t word(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

/* A number below the bound, each equally likely: a word beyond the last full multiple of the bound is drawn again. */
static size_t below(uint64_t *state, size_t bound)
{
    const uint64_t whole = UINT64_MAX - UINT64_MAX % bound;
    uint64_t drawn;

    do
        drawn = word(state);
    while (drawn >= whole);
    return (size_t)(drawn % bound);
}

static void shuffle(uint64_t *state, size_t n, int items[])
{
    for (size_t i = n; i-- > 1;) {
        const size_t j = below(state, i + 1);
        const int item = items[i];

        items[i] = items[j];
        items[j] = item;
    }
}

int main(int argc, char *argv[])
{
    const size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 4;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL);
    int items[MOST];

    if (n > MOST)
        return 2;
    for (;;) {
        for (size_t i = 0; i < n; i++)
            items[i] = (int)i;
        shuffle(&state, n, items);
        for (size_t i = 0; i < n; i++)
            printf("%d%c", items[i], i + 1 < n ? ' ' : '\n');
    }
}
