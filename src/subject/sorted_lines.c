/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The lines are sorted in groups if the places where the next item has the wrong order are always the same: the groups
 * are the runs between these places. After few lines of a fair shuffle, each group has a single item.
 *
 * Given the keys in a group of g items, a fair shuffle sorts them with probability (product of m!)/g!, where m are the
 * numbers of equal keys. The product over all groups and lines is the probability that chance sorts the lines. If a
 * place is added, the product starts again with this line: the probability of the later lines alone is an upper bound.
 * The bound is multiplied by the number of orders that were tried: keys, directions, and for b places in a deal of k
 * items 2 (b + 1)^2 C(k - 1, b), because the sum of 1/(b + 1)^2 is less than 2.
 *
 * Lines are not counted as sorted if another explanation is likelier:
 * - The groups always have the same sets of items: a shuffle that always gives the same result, or moves blocks as a
 *   whole, is not fair, whether or not the blocks are sorted. The first line is compared with the order before the
 *   shuffle.
 * - The order mostly continues from group to group: two hands of g items in a fair deal do so with probability
 *   1/C(2g, g), at most 1/6, but a deck that is hardly shuffled at most places.
 * - In whole decks, only one group has two items or more, or most items are alone: a shuffle that moves a few cards to
 *   the top, or sorts two of them, is likelier than hands.
 * - An item of a group never leaves its place, or neighbours, in the sorted order or before the shuffle, are in one
 * group much more often than sets at random put them.
 */
#include "subject/parts.h"

enum {
    SORTED_SUIT_ORDERS = 24,
    SORTED_KEYS_MOST = 3 + 2 + 2 * SORTED_SUIT_ORDERS, /* a number, names, ranks, ranks within suits */
};

static const double sorted_ln_rare = -13.815510557964274; /* ln 1e-6 */

/* What items may be sorted by. */
struct sorted_key {
    const char *by;
    uint32_t *of;  /* [n] the key of each item; owned */
    bool distinct; /* whether the keys are 0 to n - 1 */
};

struct sorted_order {
    const struct sorted_key *key;
    bool falling;
    uint8_t *ends;          /* [deal] whether a group ends before this place; owned */
    size_t ended;           /* number of places in `ends` */
    size_t groups, grouped; /* number of groups of two items or more, and of their items */
    /* since the groups have these sizes: */
    double ln_p;            /* ln of the probability that chance sorts the lines */
    double together, pairs; /* number of neighbouring keys in one group, and its mean for sets at random */
    uint64_t lines, broken; /* number of lines; number of places in them where the next group has the wrong order */
    bool moved;             /* whether the groups of one of these lines have other sets of items than the first line */
};

struct sb_sorted_lines {
    size_t n, deal, keys;
    struct sorted_key key[SORTED_KEYS_MOST];
    struct sorted_order order[2 * SORTED_KEYS_MOST];
    bool equal;     /* whether some items are equal */
    bool alive;     /* whether a group has two items or more */
    uint64_t lines; /* number of lines */
    /* [n] the place of each item in the first line, or before that, in the order before the shuffle; n: not dealt;
     * owned */
    uint32_t *place;
    uint8_t *left;   /* [deal] whether this place had two different items; owned */
    uint32_t *group; /* [deal] scratch; owned */
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

static bool sorted_distinct(const uint32_t of[], size_t n, uint32_t seen[])
{
    memset(seen, 0, n * sizeof *seen);
    for (size_t i = 0; i < n; i++)
        if (of[i] >= n || seen[of[i]]++)
            return false;
    return true;
}

/* Begins the search for each key and direction. */
static bool sorted_begin(struct sb_sorted_lines *sorted)
{
    bool done = true;

    for (size_t i = 0; i < 2 * sorted->keys; i++) {
        struct sorted_key *const key = &sorted->key[i / 2];

        key->distinct = sorted_distinct(key->of, sorted->n, sorted->place);
        sorted->order[i] = (struct sorted_order) {
            .key = key,
            .falling = i % 2,
            .groups = 1,
            .grouped = sorted->deal,
            .ends = calloc(sorted->deal, 1),
        };
        done = done && sorted->order[i].ends;
    }
    for (size_t i = 0; i < sorted->n; i++)
        sorted->place[i] = (uint32_t)i;
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
    sorted->equal = sb_item_multiset(names);
    sorted->place = calloc(n, sizeof sorted->place[0]);
    sorted->left = calloc(deal, 1);
    sorted->group = calloc(deal, sizeof sorted->group[0]);
    done = sorted->place && sorted->left && sorted->group && sorted_by_number(sorted, names);
    if (done && sb_item_names_given(names))
        done = sorted_by_names(sorted, names) && sorted_by_playing_cards(sorted, names);
    if (done && sorted_begin(sorted))
        *made = sorted;
    else {
        sb_sorted_lines_free(sorted);
        return SB_NO_MEMORY;
    }
    return SB_OK;
}

/* Counts the groups of two items or more, and their items. */
static void sorted_count_groups(struct sorted_order *order, size_t deal)
{
    size_t size = 1;

    order->groups = order->grouped = 0;
    for (size_t i = 1; i <= deal; i++) {
        if (i < deal && !order->ends[i]) {
            size++;
            continue;
        }
        order->groups += size > 1;
        order->grouped += size > 1 ? size : 0;
        size = 1;
    }
}

/* Divides the groups at the places of the line where the next item has the wrong order. If there is a new place, the
 * search starts again with this line. */
static void sorted_divide(struct sorted_order *order, const sb_item line[], size_t deal)
{
    const uint32_t *const of = order->key->of;
    const size_t ended = order->ended;
    uint64_t broken = 0;

    for (size_t i = 1; i < deal; i++) {
        const uint32_t a = of[line[i - 1]], b = of[line[i]];

        if (order->falling ? a >= b : a <= b)
            continue;
        order->ended += !order->ends[i];
        order->ends[i] = true;
        broken++;
    }
    if (order->ended > ended) {
        order->ln_p = order->together = order->pairs = 0;
        order->lines = order->broken = 0;
        order->moved = false;
        sorted_count_groups(order, deal);
    }
    order->lines++;
    order->broken += broken;
}

/* Adds ln of the probability that chance sorts the line, given the keys in each of its groups. A group of g items has
 * g (g - 1)/n neighbours in the sorted order on average if it is a set at random. If keys are equal, neighbours are
 * those in the order before the shuffle, and at most as many of them are beside each other. */
static void sorted_add_groups(struct sorted_order *order, const sb_item line[], size_t n, size_t deal)
{
    const uint32_t *const of = order->key->of;
    size_t equal = 1, size = 1;

    for (size_t i = 1; i < deal; i++) {
        if (order->ends[i]) {
            equal = size = 1;
            continue;
        }
        const uint32_t a = of[line[i - 1]], b = of[line[i]];

        equal = a == b ? equal + 1 : 1;
        order->ln_p += log((double)equal) - log((double)(size + 1));
        const uint32_t before = order->key->distinct ? a : line[i - 1], after = order->key->distinct ? b : line[i];

        order->together += before + 1 == after || after + 1 == before;
        order->pairs += 2 * (double)size++ / (double)n;
    }
}

/* Whether the groups of the line have other sets of items than those of the first line. */
static bool sorted_moved(struct sb_sorted_lines *sorted, const struct sorted_order *order, const sb_item line[])
{
    uint32_t *const group = sorted->group;
    size_t start = 0;

    for (size_t i = 1; i < sorted->deal; i++)
        group[i] = group[i - 1] + order->ends[i];
    for (size_t i = 0; i < sorted->deal; i++) {
        start = order->ends[i] ? i : start;
        const uint32_t place = sorted->place[line[i]], first = sorted->place[line[start]];

        if (place >= sorted->deal || first >= sorted->deal || group[place] != group[first])
            return true;
    }
    return false;
}

static void sorted_take(struct sb_sorted_lines *sorted, const sb_item line[], struct sorted_order *order)
{
    sorted_divide(order, line, sorted->deal);
    sorted_add_groups(order, line, sorted->n, sorted->deal);
    order->moved = (order->moved && sorted->lines > 1) || sorted_moved(sorted, order, line);
}

/* Whether later lines can show that the lines are sorted. Groups only become smaller. */
static bool sorted_alive(const struct sb_sorted_lines *sorted, const struct sorted_order *order)
{
    return order->grouped > (sorted->deal < sorted->n ? 0 : sorted->n / 2);
}

/* Whether an item of a group stays at its place in all lines, which a set at random does with probability
 * (g/n)^(lines - 1) at most, and this is less than 1 in 1,000. Of equal items, one often stays. */
static bool sorted_stays(const struct sb_sorted_lines *sorted, const struct sorted_order *order)
{
    const double others = (double)(sorted->lines - 1);
    size_t start = 0;
    bool stays = false;

    for (size_t i = 1; !sorted->equal && i <= sorted->deal; i++) {
        stays = stays || !sorted->left[i - 1];
        if (i < sorted->deal && !order->ends[i])
            continue;
        if (stays && i - start > 1 && others * log((double)sorted->n / (double)(i - start)) > log(1000))
            return true;
        start = i;
        stays = false;
    }
    return false;
}

/* Whether neighbours are in one group more often than sets at random put them, by more than three
 * standard deviations. */
static bool sorted_together(const struct sb_sorted_lines *sorted, const struct sorted_order *order)
{
    const double most = (double)order->lines * (double)(sorted->n - 1);

    return order->together > order->pairs + 1 + 3 * sqrt(order->pairs * (1 - order->pairs / most));
}

/* Whether the lines are sorted in groups, and no other explanation is likelier. A second line must have confirmed the
 * groups. */
static bool sorted_in_groups(const struct sb_sorted_lines *sorted, const struct sorted_order *order)
{
    return sorted_alive(sorted, order) && order->moved && (order->lines > 1 || sorted->lines == 1) &&
           5 * order->broken >= 2 * order->lines * (uint64_t)order->ended &&
           (sorted->deal < sorted->n || order->groups > 1) && !sorted_stays(sorted, order) &&
           !sorted_together(sorted, order);
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
            if (sorted_alive(sorted, &sorted->order[i]))
                sorted_take(sorted, items, &sorted->order[i]);
            sorted->alive = sorted->alive || sorted_alive(sorted, &sorted->order[i]);
        }
        for (size_t i = 0; sorted->lines && i < sorted->deal; i++)
            sorted->left[i] |= sorted->place[items[i]] != i;
        if (sorted->lines++ == 0)
            sorted_keep(sorted, items);
    }
}

/* Returns ln of the number of orders that were tried. */
static double sorted_ln_tried(const struct sb_sorted_lines *sorted, const struct sorted_order *order)
{
    const double deal = (double)sorted->deal, ended = (double)order->ended;

    return log(2 * (double)sorted->keys) + log(2 * (ended + 1) * (ended + 1)) + sb_ln_gamma(deal) -
           sb_ln_gamma(ended + 1) - sb_ln_gamma(deal - ended);
}

/* Whether all groups have `size` items. */
static bool sorted_hands(const struct sorted_order *order, size_t size, size_t deal)
{
    for (size_t i = 1; i < deal; i++)
        if (order->ends[i] != (i % size == 0))
            return false;
    return deal % size == 0;
}

/* Writes the sizes of the groups: "" if there is one, " in hands of 13," or " in groups of 10, 10, 10 and 2,". */
static void sorted_say_groups(const struct sorted_order *order, size_t deal, char text[], size_t room)
{
    size_t size = 1, start = 0, used = 0;

    while (size < deal && !order->ends[size])
        size++;
    *text = '\0';
    if (sorted_hands(order, size, deal)) {
        if (size < deal)
            snprintf(text, room, " in hands of %zu,", size);
        return;
    }
    for (size_t i = 1; i <= deal; i++) {
        if (i < deal && !order->ends[i])
            continue;
        used += (size_t)snprintf(text + used, room - used, "%s%zu%s",
                                 start == 0 ? " in groups of "
                                 : i < deal ? ", "
                                            : " and ",
                                 i - start, i < deal ? "" : ",");
        start = i;
        if (used + 30 > room) {
            snprintf(text, room, " in groups of several sizes,");
            return;
        }
    }
}

/* Writes the option with which these lines are tested: "sets", or "hands=13,13,13,13". */
static void sorted_say_option(const struct sorted_order *order, size_t deal, char text[], size_t room)
{
    size_t start = 0, used = (size_t)snprintf(text, room, "%s", order->ended ? "hands=" : "sets");

    for (size_t i = 1; order->ended && i <= deal; i++) {
        if (i < deal && !order->ends[i])
            continue;
        used += (size_t)snprintf(text + used, room - used, "%s%zu", start ? "," : "", i - start);
        start = i;
        if (used + 30 > room) {
            snprintf(text, room, "hands=K,K,...");
            return;
        }
    }
}

static enum sb_status sorted_say(const struct sb_sorted_lines *sorted, const struct sorted_order *order, double ln_p,
                                 const char *name, struct sb_error *error)
{
    char lines[40] = "the only line is", groups[100], option[160];

    if (sorted->lines > 1)
        snprintf(lines, sizeof lines, "all %llu lines are", (unsigned long long)sorted->lines);
    sorted_say_groups(order, sorted->deal, groups, sizeof groups);
    sorted_say_option(order, sorted->deal, option, sizeof option);
    return sb_error_set(error, SB_SUBJECT,
                        "%.100s: %s in %s order %s,%s by chance with probability 1e%.0f at most, so lines do not "
                        "show the order of the draw: say `%s` to test what was drawn, or `ordered` if this order is "
                        "meant",
                        name, lines, order->falling ? "descending" : "ascending", order->key->by, groups,
                        ceil(ln_p / log(10)), option);
}

enum sb_status sb_sorted_lines_check(const struct sb_sorted_lines *sorted, const char *name, struct sb_error *error)
{
    const struct sorted_order *least = NULL;
    double least_ln_p = sorted_ln_rare;

    if (!sorted || !sorted->alive)
        return SB_OK;
    for (size_t i = 0; i < 2 * sorted->keys; i++) {
        const struct sorted_order *const order = &sorted->order[i];
        const double ln_p = order->ln_p + sorted_ln_tried(sorted, order);

        if (ln_p < least_ln_p && sorted_in_groups(sorted, order)) {
            least = order;
            least_ln_p = ln_p;
        }
    }
    return least ? sorted_say(sorted, least, least_ln_p, name, error) : SB_OK;
}

void sb_sorted_lines_free(struct sb_sorted_lines *sorted)
{
    if (!sorted)
        return;
    for (size_t i = 0; i < sorted->keys; i++) {
        free(sorted->key[i].of);
        free(sorted->order[2 * i].ends);
        free(sorted->order[2 * i + 1].ends);
    }
    free(sorted->group);
    free(sorted->left);
    free(sorted->place);
    free(sorted);
}
