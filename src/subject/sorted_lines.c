/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line is sorted in blocks of g items if each place where the next item has the wrong order is a multiple of
 * g. So the largest g of all lines is the greatest common divisor of these places and the number of items in a
 * line. It is 1 after few lines of a fair shuffle.
 *
 * Given the keys in a block, a fair shuffle sorts them with probability (product of m!)/g!, where m are the
 * numbers of equal keys. The product over all blocks and lines is the probability that chance sorts the lines.
 * If g becomes smaller, the product starts again with this line: the probability of the later lines alone is an
 * upper bound. This bound is multiplied by the number of orders that were tried: keys, directions and divisors.
 *
 * Lines whose blocks always have the same sets of items are not counted as sorted: a shuffle that always gives the
 * same result, or moves blocks as a whole, is not fair, whether or not the blocks are sorted. The first line is
 * compared with the order before the shuffle. Nor are lines whose order mostly goes on from block to block: two
 * blocks of g items in a fair deal do so with probability 1/C(2g, g), at most 1/6, but a deck that is hardly shuffled
 * at most places.
 */
#include "core/core.h"
#include "core/numbers.h"
#include "subject/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SORTED_SUIT_ORDERS = 24,
    SORTED_KEYS_MOST = 3 + 2 + 2 * SORTED_SUIT_ORDERS, /* a number, names, ranks, ranks within suits */
};

static const double sorted_ln_rare = -13.815510557964274; /* ln 1e-6 */

/* What items may be sorted by. */
struct sorted_key {
    const char *by;
    uint32_t *of; /* [n] the key of each item; owned */
};

struct sorted_order {
    const struct sorted_key *key;
    bool falling;
    size_t block; /* each line is sorted in blocks of this many items; 1: the lines are not sorted */
    double ln_p;  /* ln of the probability that chance sorts the lines since `block` has this value */
    uint64_t lines,
        broken; /* number of these lines; number of places in them where the next block has the wrong order */
    bool moved; /* whether the blocks of one of these lines have other sets of items than the first line */
};

struct sb_sorted_lines {
    size_t n, deal, keys;
    struct sorted_key key[SORTED_KEYS_MOST];
    struct sorted_order order[2 * SORTED_KEYS_MOST];
    bool alive;     /* whether a block is longer than 1 */
    uint64_t lines; /* number of lines */
    /* [n] the place of each item in the first line, or before that, in the order before the shuffle; n: not dealt;
     * owned */
    uint32_t *place;
};

static uint32_t *sorted_add_key(struct sb_sorted_lines *sorted, const char *by)
{
    uint32_t *const of = calloc(sorted->n, sizeof *of);

    if (of)
        sorted->key[sorted->keys++] = (struct sorted_key) { .by = by, .of = of };
    return of;
}

/* Equal items are of one kind, and have the number of this kind. */
static bool sorted_by_number(struct sb_sorted_lines *sorted, const struct sb_item_names *names)
{
    const struct sb_multiset *const multiset = sb_item_multiset(names);
    uint32_t *const of = sorted_add_key(sorted, "by number");

    for (size_t i = 0; of && i < sorted->n; i++)
        of[i] = multiset ? multiset->kind[i] : (uint32_t)i;
    return of;
}

static char sorted_lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Compares names without regard to the case of letters from A to Z. */
static int sorted_compare(const void *x, const void *y)
{
    const struct sb_sorted_name *const a = x, *const b = y;
    size_t i = 0;

    while (a->name[i] && sorted_lower(a->name[i]) == sorted_lower(b->name[i]))
        i++;
    const unsigned char p = (unsigned char)sorted_lower(a->name[i]), q = (unsigned char)sorted_lower(b->name[i]);

    return p < q ? -1 : p > q ? 1 : strcmp(a->name, b->name);
}

/* Adds a key by names, of which name[names->distinct] is the order. */
static bool sorted_by_name(struct sb_sorted_lines *sorted, const struct sb_item_names *names,
                           const struct sb_sorted_name name[])
{
    const struct sb_multiset *const multiset = names->multiset;
    uint32_t *const of = sorted_add_key(sorted, "by name");

    for (size_t i = 0; of && i < names->distinct; i++)
        of[name[i].item] = (uint32_t)i;
    for (size_t i = 0; of && multiset && i < sorted->n; i++)
        of[i] = of[multiset->member[multiset->begin[multiset->kind[i]]]];
    return of;
}

static bool sorted_by_names(struct sb_sorted_lines *sorted, const struct sb_item_names *names)
{
    struct sb_sorted_name *const name = calloc(names->distinct, sizeof *name);
    bool done = name && sorted_by_name(sorted, names, names->sorted);

    if (done) {
        memcpy(name, names->sorted, names->distinct * sizeof *name);
        qsort(name, names->distinct, sizeof *name, sorted_compare);
        done = sorted_by_name(sorted, names, name);
    }
    free(name);
    return done;
}

/* Adds the keys of ranks, and of ranks within suits in the given order: suit[s] is the place of suit s. */
static bool sorted_by_cards(struct sb_sorted_lines *sorted, const uint32_t card[], const sb_item suit[])
{
    for (uint32_t ace = 0; ace < 2; ace++) { /* the ace is below 2, or above the king */
        uint32_t *const of = sorted_add_key(sorted, suit ? "by suit and rank" : "by rank");

        for (size_t i = 0; of && i < sorted->n; i++) {
            const uint32_t rank = (card[i] + ace * (SB_PLAYING_RANKS - 1)) % SB_PLAYING_RANKS;

            of[i] = (suit ? suit[card[i] / SB_PLAYING_RANKS] * SB_PLAYING_RANKS : 0) + rank;
        }
        if (!of)
            return false;
    }
    return true;
}

/* Sets card[n] to the playing cards that the items are; returns false if an item is no playing card. */
static bool sorted_read_cards(const struct sb_item_names *names, uint32_t card[])
{
    for (size_t i = 0; i < names->n; i++) {
        enum sb_card_notation notation;
        const char *end;

        card[i] = sb_playing_card(names->given[i], &end, &notation);
        if (card[i] == SB_PLAYING_CARDS || *end)
            return false;
    }
    return true;
}

static bool sorted_by_playing_cards(struct sb_sorted_lines *sorted, const struct sb_item_names *names)
{
    uint32_t *const card = calloc(sorted->n, sizeof *card);
    const bool cards = card && sorted_read_cards(names, card);
    bool done = card && (!cards || sorted_by_cards(sorted, card, NULL));

    for (size_t r = 0; done && cards && r < SORTED_SUIT_ORDERS; r++) {
        sb_item suit[SB_PLAYING_SUITS];

        sb_permutation_unrank(SB_PLAYING_SUITS, SB_PLAYING_SUITS, r, suit);
        done = sorted_by_cards(sorted, card, suit);
    }
    free(card);
    return done;
}

enum sb_status sb_sorted_lines_new(const struct sb_item_names *names, size_t n, size_t deal,
                                   struct sb_sorted_lines **made)
{
    struct sb_sorted_lines *const sorted = calloc(1, sizeof *sorted);
    bool done = false;

    if (!sorted)
        return SB_NO_MEMORY;
    sorted->n = n;
    sorted->deal = deal;
    sorted->alive = deal > 1;
    sorted->place = calloc(n, sizeof sorted->place[0]);
    for (size_t i = 0; sorted->place && i < n; i++)
        sorted->place[i] = (uint32_t)i;
    done = sorted->place && sorted_by_number(sorted, names);
    if (done && sb_item_names_given(names))
        done = sorted_by_names(sorted, names) && sorted_by_playing_cards(sorted, names);
    for (size_t i = 0; i < 2 * sorted->keys; i++)
        sorted->order[i] = (struct sorted_order) { .key = &sorted->key[i / 2], .falling = i % 2, .block = deal };
    if (done)
        *made = sorted;
    else
        sb_sorted_lines_free(sorted);
    return done ? SB_OK : SB_NO_MEMORY;
}

static size_t sorted_divisor(size_t a, size_t b)
{
    while (b) {
        const size_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Returns the largest block in which the line and all lines before it are sorted. Sets *broken to the number
 * of places where the next item has the wrong order, if the block is longer than 1. */
static size_t sorted_block(const struct sorted_order *order, const sb_item line[], size_t deal, uint64_t *broken)
{
    const uint32_t *const of = order->key->of;
    size_t block = order->block;

    *broken = 0;
    for (size_t i = 1; i < deal && block > 1; i++) {
        const uint32_t a = of[line[i - 1]], b = of[line[i]];

        if (order->falling ? a < b : a > b) {
            block = sorted_divisor(block, i);
            ++*broken;
        }
    }
    return block;
}

/* Returns ln of the probability that chance sorts the line, given the keys in each of its blocks. */
static double sorted_ln_p(const struct sorted_order *order, const sb_item line[], size_t deal)
{
    const uint32_t *const of = order->key->of;
    const size_t blocks = deal / order->block;
    double ln_p = -(double)blocks * sb_ln_gamma((double)order->block + 1);
    size_t equal = 1;

    for (size_t i = 1; i < deal; i++) {
        equal = i % order->block && of[line[i]] == of[line[i - 1]] ? equal + 1 : 1;
        ln_p += equal > 1 ? log((double)equal) : 0;
    }
    return ln_p;
}

static bool sorted_moved(const struct sb_sorted_lines *sorted, size_t block, const sb_item line[])
{
    for (size_t i = 0; i < sorted->deal; i++) {
        const uint32_t place = sorted->place[line[i]], start = sorted->place[line[i - i % block]];

        if (place == sorted->n || place / block != start / block)
            return true;
    }
    return false;
}

static void sorted_take(const struct sb_sorted_lines *sorted, const sb_item line[], struct sorted_order *order)
{
    uint64_t broken;
    const size_t block = sorted_block(order, line, sorted->deal, &broken);

    if (block < order->block)
        *order = (struct sorted_order) { .key = order->key, .falling = order->falling, .block = block };
    if (block == 1)
        return;
    order->ln_p += sorted_ln_p(order, line, sorted->deal);
    order->lines++;
    order->broken += broken;
    order->moved = (order->moved && sorted->lines > 1) || sorted_moved(sorted, block, line);
}

/* Whether the lines are sorted in blocks, and mostly not from block to block. */
static bool sorted_in_blocks(const struct sorted_order *order, size_t deal)
{
    return order->block > 1 && order->moved && 2 * order->broken >= order->lines * (uint64_t)(deal / order->block - 1);
}

static void sorted_keep(struct sb_sorted_lines *sorted, const sb_item line[])
{
    for (size_t i = 0; i < sorted->n; i++)
        sorted->place[i] = (uint32_t)sorted->n;
    for (size_t i = 0; i < sorted->deal; i++)
        sorted->place[line[i]] = (uint32_t)i;
}

void sb_sorted_lines_add(struct sb_sorted_lines *sorted, const sb_item items[], size_t count)
{
    for (size_t t = 0; t < count && sorted->alive; t++, items += sorted->deal) {
        sorted->alive = false;
        for (size_t i = 0; i < 2 * sorted->keys; i++) {
            if (sorted->order[i].block > 1)
                sorted_take(sorted, items, &sorted->order[i]);
            sorted->alive = sorted->alive || sorted->order[i].block > 1;
        }
        if (sorted->lines++ == 0)
            sorted_keep(sorted, items);
    }
}

static double sorted_tried(const struct sb_sorted_lines *sorted)
{
    double divisors = 0;

    for (size_t block = 2; block <= sorted->deal; block++)
        divisors += sorted->deal % block == 0;
    return 2 * (double)sorted->keys * divisors;
}

static enum sb_status sorted_say(const struct sb_sorted_lines *sorted, const struct sorted_order *order, double ln_p,
                                 const char *name, struct sb_error *error)
{
    const bool whole = order->block == sorted->deal;
    char lines[40] = "the only line is", hands[40] = "";

    if (sorted->lines > 1)
        snprintf(lines, sizeof lines, "all %llu lines are", (unsigned long long)sorted->lines);
    if (!whole)
        snprintf(hands, sizeof hands, " in hands of %zu,", order->block);
    return sb_error_set(error, SB_SUBJECT,
                        "%.100s: %s in %s order %s,%s by chance with probability 1e%.0f at most, so lines do not "
                        "show the order of the draw: say `ordered` if this order is meant; otherwise test the "
                        "sets: print a letter for each of the %zu items, %s ...\" (docs/gate.md)",
                        name, lines, order->falling ? "descending" : "ascending", order->key->by, hands,
                        ceil(ln_p / log(10)), sorted->n,
                        whole ? "i if it was drawn or o if not, with `cards` \"i i ... o o"
                              : "that of the hand that has it, with `cards` \"a a ... b b");
}

enum sb_status sb_sorted_lines_check(const struct sb_sorted_lines *sorted, const char *name, struct sb_error *error)
{
    const struct sorted_order *least = NULL;

    if (!sorted || !sorted->alive)
        return SB_OK;
    for (size_t i = 0; i < 2 * sorted->keys; i++) {
        const struct sorted_order *const order = &sorted->order[i];

        if (sorted_in_blocks(order, sorted->deal) && (!least || order->ln_p < least->ln_p))
            least = order;
    }
    if (!least)
        return SB_OK;
    const double ln_p = least->ln_p + log(sorted_tried(sorted));

    return ln_p < sorted_ln_rare ? sorted_say(sorted, least, ln_p, name, error) : SB_OK;
}

void sb_sorted_lines_free(struct sb_sorted_lines *sorted)
{
    if (!sorted)
        return;
    for (size_t i = 0; i < sorted->keys; i++)
        free(sorted->key[i].of);
    free(sorted->place);
    free(sorted);
}
