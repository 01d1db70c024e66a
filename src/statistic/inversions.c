/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inversions: the number of pairs of items in the wrong order. This number is 0..k(k-1)/2. Only the order of
 * the dealt cards matters, so a deal of k cards has the law of a permutation of k items.
 *
 * Null law: the Mahonian numbers, I(n, j)/n!. This is the law of a sum of n independent integers, uniform
 * below 1, 2, ..., n. Adding the integer below m replaces each cell by the mean of m cells, the last of which
 * is the cell itself. If all cells are divided into blocks of m cells, then these m cells lie in at most two
 * blocks. So their sum is a sum up to the end of the first block plus a sum from the start of the second
 * block, and nothing is ever subtracted. The law is symmetric, so the code computes only half of the law.
 * Cost: n^3/12 steps, 0.15 s at n = 1000, and 6 n^2 bytes.
 *
 * Cost of classifying: k steps, each of a popcount and up to n/64 additions.
 *
 * Stanley, Enumerative Combinatorics 1, 1.3; OEIS A008302.
 */
#include "statistic/statistic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t inversions_cells(size_t n, size_t k)
{
    return n <= SB_LAW_ITEMS_MOST ? k * (k - (k > 0)) / 2 + 1 : 0;
}

/* The law of the number of inversions. The cells below `cut` are scaled numbers (statistic/statistic.h). The
 * cells from `cut` on are plain numbers, which are doubles of at least 2^-768. So sums and means of plain
 * numbers are normal doubles, and have the same bits as the sums and means of scaled numbers. */
struct inversions_law {
    size_t cut;
    struct sb_scaled *p;    /* [cells] the cells below `cut`; owned */
    double *plain;          /* [cells] the other cells; owned */
    struct sb_scaled *tail; /* [room] scratch; owned */
    double *tails;          /* [(INVERSIONS_BLOCKS + 1) * room] the tails of some blocks, one after another; owned */
    size_t room;            /* size of a tail: the sums from each cell of a block to the block's end, and a final 0 */
};

/* number of blocks that are summed side by side; within one block, each addition waits for the previous
 * addition */
enum { INVERSIONS_BLOCKS = 4 };

static const double inversions_plain_least = 0x1p-768;

/* In a block of cells with the same exponent, numbers between these bounds stay in the range of scaled numbers. */
static const double inversions_even_least = 0x1p-254, inversions_even_most = 0x1p254;

/*
 * Whether the block of `width` cells from `start` on and the tail before it have the same exponent, and no sum or mean
 * of them can leave the range of a scaled number. Then scaled numbers have the bits of plain doubles. The cells rise
 * up to the middle of the law, so the first and the last cell and the ends of the tail tell.
 */
static bool inversions_is_even(size_t width, size_t start, size_t last, const struct inversions_law *law)
{
    if (start < width || start + width > law->cut || start + width > last + 1)
        return false;
    const struct sb_scaled first = law->p[start], end = law->p[start + width - 1];
    const struct sb_scaled total = law->tail[0], least = law->tail[width - 1];

    return first.e == end.e && first.e == total.e && first.e == least.e &&
           end.m * (double)width < inversions_even_most && total.m < inversions_even_most &&
           fmin(first.m, least.m) > inversions_even_least * (double)width;
}

/* Computes the means of such a block, and its tail. */
static void inversions_even_block(size_t width, size_t start, struct inversions_law *law)
{
    double *const old = law->tails, *const before = law->tails + law->room, up = 0, down = 0;
    struct sb_scaled *const p = law->p + start, *const tail = law->tail;
    const double factor = 1 / (double)width;
    const int32_t e = p->e;

    for (size_t i = 0; i < width; i++) {
        old[i] = p[i].m;
        before[i] = tail[i + 1].m;
    }
    for (size_t i = 0, j = width - 1; i < width; i++, j--) { /* two sums, because an addition waits for the last one */
        up += old[i];
        p[i] = (struct sb_scaled) { (up + before[i]) * factor, e };
        down += old[j];
        tail[j] = (struct sb_scaled) { down, e };
    }
}

/* Computes the means of the blocks that start below the cut, in scaled numbers. Returns the start of the next
 * block, and leaves the last block's tail in law->tail. */
static size_t inversions_scaled_blocks(size_t width, size_t last, struct inversions_law *law)
{
    struct sb_scaled *const p = law->p, *const tail = law->tail;
    size_t start = 0;

    for (size_t i = 0; i <= width; i++)
        tail[i] = sb_scaled_zero;
    for (; start <= last && start < law->cut; start += width) {
        const size_t end = last - start < width ? last - start + 1 : width;
        struct sb_scaled sum = sb_scaled_zero;

        if (inversions_is_even(width, start, last, law)) {
            inversions_even_block(width, start, law);
            continue;
        }
        for (size_t i = 0; i < end; i++) {
            const struct sb_scaled old =
                start + i < law->cut ? p[start + i] : sb_scaled_settle((struct sb_scaled) { law->plain[start + i], 0 });

            sum = sb_scaled_add(sum, old);
            p[start + i] = sb_scaled_times(sb_scaled_add(sum, tail[i + 1]), 1 / (double)width);
            tail[i] = old; /* the loop below makes this a sum once the block is complete */
        }
        for (size_t i = width; i-- > 0;)
            tail[i] = sb_scaled_add(tail[i], tail[i + 1]);
    }
    return start;
}

/* Computes the tails of `blocks` complete blocks from `start` on, as tails 1, 2, ... of law->tails */
static inline void inversions_tails(size_t width, size_t start, size_t blocks, struct inversions_law *law)
{
    double sum[INVERSIONS_BLOCKS] = { 0 };

    for (size_t i = width; i-- > 0;)
        for (size_t b = 0; b < blocks; b++) {
            sum[b] += law->plain[start + b * width + i];
            law->tails[(b + 1) * law->room + i] = sum[b];
        }
}

/* Computes the means of `blocks` complete blocks from `start` on. Tail 0 of law->tails is the tail of the
 * block before these blocks. */
static inline void inversions_means(size_t width, size_t start, size_t blocks, struct inversions_law *law)
{
    const double factor = 1 / (double)width;
    double sum[INVERSIONS_BLOCKS] = { 0 };

    for (size_t i = 0; i < width; i++)
        for (size_t b = 0; b < blocks; b++) {
            double *const cell = &law->plain[start + b * width + i];

            sum[b] += *cell;
            *cell = (sum[b] + law->tails[b * law->room + i + 1]) * factor;
        }
}

/* Computes the means of the blocks from `start` on, in plain numbers. */
static void inversions_plain_blocks(size_t width, size_t start, size_t last, struct inversions_law *law)
{
    double *const before = law->tails, sum = 0;
    size_t i = 0;

    for (size_t b = 0; b <= INVERSIONS_BLOCKS; b++)
        law->tails[b * law->room + width] = 0;
    for (size_t j = 0; j < width; j++)
        before[j] = law->tail[j].m > 0 ? ldexp(law->tail[j].m, 512 * law->tail[j].e) : 0;
    for (size_t blocks; start + width <= last + 1; start += blocks * width) {
        blocks = start + INVERSIONS_BLOCKS * width <= last + 1 ? INVERSIONS_BLOCKS : 1;
        if (blocks > 1) { /* a constant number of blocks makes the code fast */
            inversions_tails(width, start, INVERSIONS_BLOCKS, law);
            inversions_means(width, start, INVERSIONS_BLOCKS, law);
        } else {
            inversions_tails(width, start, 1, law);
            inversions_means(width, start, 1, law);
        }
        memcpy(before, law->tails + blocks * law->room, width * sizeof *before);
    }
    for (; start + i <= last; i++) {
        sum += law->plain[start + i];
        law->plain[start + i] = (sum + before[i + 1]) * (1 / (double)width);
    }
}

/* Replaces each cell 0..last by the mean of `width` cells, the last of which is the cell itself. */
static void inversions_window(size_t width, size_t last, struct inversions_law *law)
{
    const size_t start = inversions_scaled_blocks(width, last, law);
    size_t cut = law->cut;

    if (start <= last)
        inversions_plain_blocks(width, start, last, law);
    /* the cells below the cut become smaller with every step, so the cut only moves up */
    for (; cut < start && cut <= last && law->p[cut].e < -1; cut++)
        ;
    for (size_t i = cut; i < start && i <= last; i++)
        law->plain[i] = ldexp(law->p[i].m, 512 * law->p[i].e);
    for (; cut >= start && law->plain[cut] < inversions_plain_least; cut++)
        law->p[cut] = sb_scaled_settle(sb_scaled_settle((struct sb_scaled) { law->plain[cut], 0 }));
    law->cut = cut;
}

static void inversions_law_close(struct inversions_law *law)
{
    free(law->p);
    free(law->plain);
    free(law->tail);
    free(law->tails);
}

static enum sb_status inversions_law_open(size_t k, size_t most, struct inversions_law *law)
{
    *law = (struct inversions_law) {
        .p = calloc(most / 2 + 1, sizeof *law->p),
        .plain = calloc(most / 2 + 1, sizeof *law->plain),
        .tail = calloc(k + 1, sizeof *law->tail),
        .tails = calloc((INVERSIONS_BLOCKS + 1) * (k + 1), sizeof *law->tails),
        .room = k + 1,
    };
    if (law->p && law->plain && law->tail && law->tails)
        return SB_OK;
    inversions_law_close(law);
    return SB_NO_MEMORY;
}

static enum sb_status inversions_null_law(size_t n, size_t k, double ln_p[])
{
    const size_t most = inversions_cells(n, k) - 1;
    struct inversions_law law;

    if (inversions_law_open(k, most, &law))
        return SB_NO_MEMORY;
    law.plain[0] = 1;
    for (size_t m = 2; m <= k; m++) {
        const size_t before = (m - 1) * (m - 2) / 2; /* the largest number of inversions of m - 1 items */
        const size_t last = m * (m - 1) / 4;

        for (size_t i = before / 2 + 1; i <= last; i++)
            law.plain[i] = law.plain[before - i];
        inversions_window(m, last, &law);
    }
    for (size_t i = 0; i <= most / 2; i++)
        ln_p[i] = ln_p[most - i] = i < law.cut ? sb_scaled_ln(law.p[i]) : log(law.plain[i]);
    inversions_law_close(&law);
    return SB_OK;
}

static void inversions_classify(size_t n, size_t k, const sb_item a[], uint32_t cell[])
{
    uint64_t seen[SB_LAW_ITEMS_MOST / 64 + 1];          /* the items so far, as bits */
    uint16_t above[SB_LAW_ITEMS_MOST / 64 + 1] = { 0 }; /* for each word, the number of items so far in later words */
    const size_t words = n / 64 + 1;
    uint32_t inversions = 0;

    memset(seen, 0, words * sizeof seen[0]);
    for (size_t i = 0; i < k; i++) { /* count the earlier items that are larger */
        const size_t word = a[i] / 64;

        inversions += above[word] + (uint32_t)__builtin_popcountll(seen[word] >> a[i] % 64);
        seen[word] |= UINT64_C(1) << a[i] % 64;
        for (size_t w = 0; w < word; w++)
            above[w]++;
    }
    cell[0] = inversions;
}

const struct sb_statistic_type sb_statistic_inversions = {
    .name = "inversions",
    .title = "how many pairs of items are in the wrong order",
    .cite = "Stanley, EC1, 1.3; OEIS A008302",
    .obtained = "recurrence",
    .range = "up to 1000 items",
    .cells = inversions_cells,
    .null_law = inversions_null_law,
    .classify = inversions_classify,
};
