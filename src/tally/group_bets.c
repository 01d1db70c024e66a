/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bets on which items are in the next set or hand, for the bettor (bettor.c).
 *
 * The items are taken in their order. Before item i, let m items be left, and m(g) places of group g for them. Given
 * the groups of the items before, a fair shuffle puts item i in group g with probability p(g) = m(g)/m, whatever the
 * lines before were. A wealth is multiplied by
 *
 *   r(g) / sum over h of p(h) r(h),    r(g) = N(g) n/s(g) + a,
 *
 * where the item came to group g, which is one of s(g) items. The mean of this factor is 1, so a wealth is an
 * e-process, as long as r depends only on what came before. N(g) is how often an item with the same key came to group g, and a is
 * a pseudo-count. The key is the item, the group of the next lower item, the group that the item had some lines ago, or
 * the item with that group.
 *
 * Rounding: let u = 2^-53. r has a relative error of 3u, the sum of G positive products one of (G + 4) u, and quotient
 * and product add 2u. So a line adds at most (G + 9) n u to the error of ln of a wealth.
 *
 * Cost: for each item and context, a sum over the G groups. Memory: 4 n G (G + 1) bytes for a context.
 */
#include "tally/group_bets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GROUPS_MOST = 8,
    LINES_MOST = 8, /* more than the lines that a context looks back */
    TOGETHER = 8,   /* factors between 2^-40 and 2^40 that are multiplied at once */
};

/* The group of the next lower item is the key if there is neither an item nor a line. */
static const struct bets_context {
    bool own;   /* whether the key contains the item */
    size_t ago; /* how many lines back to look up the item's group; 0: that is no part of the key */
    const char *name;
} bets_contexts[SB_BETTOR_CONTEXTS] = {
    { true, 0, "where each item was in the lines before" },
    { false, 0, "where the item before it is" },
    { false, 1, "the last line" },
    { true, 1, "where each item was in the last line" },
    { false, 2, "the second last line" },
    { true, 2, "where each item was in the second last line" },
    { false, 3, "the third last line" },
    { true, 3, "where each item was in the third last line" },
    { false, 5, "the fifth last line" },
    { true, 5, "where each item was in the fifth last line" },
    { false, 7, "the seventh last line" },
    { true, 7, "where each item was in the seventh last line" },
};

struct sb_group_bets {
    const struct sb_multiset *groups; /* borrowed */
    size_t n, count;                  /* numbers of items and of groups */
    double scale[GROUPS_MOST];        /* n/s(g) */
    uint64_t lines;
    uint8_t group[LINES_MOST][SB_BETTOR_MOST]; /* of each item in the latest lines */
    uint32_t *seen[SB_BETTOR_CONTEXTS];        /* [keys * count] N; part of `all` */
    size_t all_count;
    uint32_t *all; /* [all_count] owned */
};

static size_t bets_keys(const struct sb_group_bets *bets, const struct bets_context *context)
{
    return (context->own ? bets->n : 1) * (bets->count + 1);
}

bool sb_group_bets_can(const struct sb_multiset *multiset)
{
    return multiset->kinds <= GROUPS_MOST && multiset->n <= SB_BETTOR_MOST;
}

struct sb_group_bets *sb_group_bets_new(const struct sb_multiset *multiset)
{
    struct sb_group_bets *const made = calloc(1, sizeof *made);
    size_t used = 0;

    if (!made)
        return NULL;
    made->groups = multiset;
    made->n = multiset->n;
    made->count = multiset->kinds;
    for (size_t g = 0; g < made->count; g++)
        made->scale[g] = (double)made->n / (double)sb_multiset_copies(multiset, g);
    for (size_t c = 0; c < SB_BETTOR_CONTEXTS; c++)
        made->all_count += bets_keys(made, &bets_contexts[c]) * made->count;
    made->all = calloc(made->all_count, sizeof made->all[0]);
    if (!made->all) {
        free(made);
        return NULL;
    }
    for (size_t c = 0; c < SB_BETTOR_CONTEXTS; c++) {
        made->seen[c] = made->all + used;
        used += bets_keys(made, &bets_contexts[c]) * made->count;
    }
    return made;
}

void sb_group_bets_free(struct sb_group_bets *bets)
{
    if (!bets)
        return;
    free(bets->all);
    free(bets);
}

void sb_group_bets_forget(struct sb_group_bets *bets)
{
    memset(bets->all, 0, bets->all_count * sizeof bets->all[0]);
    bets->lines = 0;
}

const char *sb_group_bets_name(size_t context)
{
    return bets_contexts[context].name;
}

size_t sb_group_bets_ago(size_t context)
{
    return bets_contexts[context].ago;
}

double sb_group_bets_error(const struct sb_group_bets *bets)
{
    return ((double)bets->count + 9) * (double)bets->n;
}

/* Returns N of the item's key in a context. */
static uint32_t *bets_find(struct sb_group_bets *bets, size_t c, size_t item, const uint8_t now[])
{
    const struct bets_context *const context = &bets_contexts[c];
    const uint8_t *const before = bets->group[(bets->lines + LINES_MOST - context->ago) % LINES_MOST];
    size_t key = bets->count; /* nothing is known */

    if (context->ago)
        key = before[item];
    else if (!context->own && item > 0)
        key = now[item - 1];
    return bets->seen[c] + ((context->own ? item * (bets->count + 1) : 0) + key) * bets->count;
}

/* Bets on the line in one context, and learns from it. */
static void bets_play(struct sb_group_bets *bets, size_t c, const uint8_t now[], double part[], int64_t power[])
{
    const size_t n = bets->n, count = bets->count;
    double product[SB_BETTOR_PSEUDO], places[GROUPS_MOST];

    for (size_t g = 0; g < count; g++)
        places[g] = (double)sb_multiset_copies(bets->groups, g);
    for (size_t a = 0; a < SB_BETTOR_PSEUDO; a++)
        product[a] = 1;
    for (size_t i = 0; i < n; i++) {
        uint32_t *const seen = bets_find(bets, c, i, now);
        const double left = (double)(n - i), own = seen[now[i]] * bets->scale[now[i]];
        double mean = 0;

        for (size_t g = 0; g < count; g++)
            mean += places[g] / left * (seen[g] * bets->scale[g]);
        for (size_t a = 0; a < SB_BETTOR_PSEUDO; a++)
            product[a] *= (own + sb_bettor_pseudo[a]) / (mean + sb_bettor_pseudo[a]);
        seen[now[i]]++;
        places[now[i]]--;
        for (size_t a = 0; a < SB_BETTOR_PSEUDO && (i + 1 == n || (i + 1) % TOGETHER == 0); a++) {
            int shift;

            part[a] = frexp(part[a] * product[a], &shift);
            power[a] += shift;
            product[a] = 1;
        }
    }
}

void sb_group_bets_add(struct sb_group_bets *bets, const sb_item deck[], double part[], int64_t power[])
{
    uint8_t *const now = bets->group[bets->lines % LINES_MOST];

    for (size_t i = 0; i < bets->n; i++)
        now[i] = (uint8_t)bets->groups->kind[deck[i]];
    for (size_t c = 0; c < SB_BETTOR_CONTEXTS; c++)
        if (bets->lines >= bets_contexts[c].ago)
            bets_play(bets, c, now, part + c * SB_BETTOR_PSEUDO, power + c * SB_BETTOR_PSEUDO);
    bets->lines++;
}
