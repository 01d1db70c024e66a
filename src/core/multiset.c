/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks of arrangements: of N arrangements of the items that are left, N m/l begin with a kind of which m of
 * the l items are left. Knuth, The Art of Computer Programming, vol. 4A, 7.2.1.2.
 */
#include "core/multiset.h"

#include "core/ln_gamma.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the number of arrangements; 0 if they are not counted one by one. */
static size_t multiset_count(const struct sb_multiset *multiset)
{
    uint64_t count = 1, items = 0;

    for (size_t kind = 0; multiset->n <= SB_ARRANGED_MOST && kind < multiset->kinds; kind++)
        for (size_t copy = 1; copy <= sb_multiset_copies(multiset, kind); copy++) {
            count = count * ++items / copy; /* whole at each step, as a product of binomial coefficients */
            if (count > SB_CELLS_MOST)
                return 0;
        }
    return multiset->n <= SB_ARRANGED_MOST ? (size_t)count : 0;
}

enum sb_status sb_multiset_new(size_t n, const uint32_t same[], struct sb_multiset **made)
{
    struct sb_multiset *const m = calloc(1, sizeof *m);

    if (!m)
        return SB_NO_MEMORY;
    m->n = n;
    m->kind = calloc(n + 1, sizeof m->kind[0]);
    m->begin = calloc(n + 2, sizeof m->begin[0]);
    m->member = calloc(n + 1, sizeof m->member[0]);
    if (!m->kind || !m->begin || !m->member) {
        sb_multiset_free(m);
        return SB_NO_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        m->kind[i] = same[i] == i ? (uint32_t)m->kinds++ : m->kind[same[i]];
    /* counting sort: begin[kind + 1] first counts the items, and then is where the next item goes */
    for (size_t i = 0; i < n; i++)
        m->begin[m->kind[i] + 1]++;
    for (size_t kind = 0; kind < m->kinds; kind++)
        m->begin[kind + 1] += m->begin[kind];
    for (size_t i = n; i-- > 0;)
        m->member[--m->begin[m->kind[i] + 1]] = (uint32_t)i;
    for (size_t kind = 0; kind < m->kinds; kind++) /* each begin is now one kind too far to the right */
        m->begin[kind] = m->begin[kind + 1];
    m->begin[m->kinds] = (uint32_t)n;
    m->arrangements = multiset_count(m);
    *made = m;
    return SB_OK;
}

void sb_multiset_free(struct sb_multiset *multiset)
{
    if (!multiset)
        return;
    free(multiset->kind);
    free(multiset->begin);
    free(multiset->member);
    free(multiset);
}

double sb_multiset_ln_arrangements(const struct sb_multiset *multiset)
{
    double ln = sb_ln_gamma((double)multiset->n + 1);

    for (size_t kind = 0; kind < multiset->kinds; kind++)
        ln -= sb_ln_gamma((double)sb_multiset_copies(multiset, kind) + 1);
    return ln;
}

size_t sb_multiset_rank(const struct sb_multiset *multiset, const sb_item a[])
{
    uint32_t left[SB_ARRANGED_MOST] = { 0 };
    uint64_t count = multiset->arrangements, rank = 0;

    for (size_t kind = 0; kind < multiset->kinds; kind++)
        left[kind] = (uint32_t)sb_multiset_copies(multiset, kind);
    for (size_t j = 0; j < multiset->n; j++) {
        const uint32_t kind = multiset->kind[a[j]];
        uint64_t smaller = 0;

        for (uint32_t c = 0; c < kind; c++)
            smaller += left[c];
        rank += count * smaller / (multiset->n - j);
        count = count * left[kind]-- / (multiset->n - j);
    }
    return (size_t)rank;
}

void sb_multiset_unrank(const struct sb_multiset *multiset, size_t rank, sb_item a[])
{
    uint32_t left[SB_ARRANGED_MOST] = { 0 };
    uint64_t count = multiset->arrangements, below = rank;

    for (size_t kind = 0; kind < multiset->kinds; kind++)
        left[kind] = (uint32_t)sb_multiset_copies(multiset, kind);
    for (size_t j = 0; j < multiset->n; j++) {
        uint32_t kind = 0;
        uint64_t share;

        while (below >= (share = count * left[kind] / (multiset->n - j))) {
            below -= share;
            kind++;
        }
        a[j] = multiset->member[multiset->begin[kind + 1] - left[kind]--];
        count = share;
    }
}

bool sb_multiset_order(const struct sb_multiset *multiset, size_t k, sb_item a[], uint32_t used[],
                       sb_item *surplus)
{
    memset(used, 0, multiset->kinds * sizeof used[0]);
    for (size_t j = 0; j < k; j++) {
        const uint32_t kind = multiset->kind[a[j]];

        if (used[kind] == sb_multiset_copies(multiset, kind)) {
            *surplus = a[j];
            return false;
        }
        a[j] = multiset->member[multiset->begin[kind] + used[kind]++];
    }
    return true;
}
