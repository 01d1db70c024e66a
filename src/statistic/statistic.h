/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Permutation statistics, their null laws, and playing cards. */
#ifndef SB_STATISTIC_STATISTIC_H
#define SB_STATISTIC_STATISTIC_H

#include "core/core.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The cells of a statistic whose values are counts: one cell for each value in a window. The first and the
 * last cell may also hold all values beyond the window. So the number of cells need not grow with the number
 * of items.
 */

struct sb_window {
    size_t low, cells; /* cell c holds the value low + c */
    /* whether the first cell also holds all smaller values, and the last all larger values */
    bool below, above;
};

/* Returns the window from 6.5 standard deviations below the mean to 6.5 above the mean. Under a normal law,
 * all but 1 in 10^10 values are in this window. */
struct sb_window sb_window_about(double mean, double deviation);

/* Returns the cell of a value. */
static inline uint32_t sb_window_cell(const struct sb_window *window, size_t value)
{
    const size_t cell = value > window->low ? value - window->low : 0;

    return (uint32_t)(cell < window->cells ? cell : window->cells - 1);
}

/* Writes the label of the values in cells first..last, such as "499", "480 to 490", "480 or fewer", "520 or
 * more". */
enum { SB_WINDOW_ROOM = 64 };
void sb_window_label(const struct sb_window *window, size_t first, size_t last, char text[SB_WINDOW_ROOM]);

/*
 * Permutation statistics: functions that map a deal to one of a few cells. If all deals are equally likely,
 * the probabilities of the cells are known exactly (the null law). Each statistic has its own file, and the
 * last thing in the file is the statistic's descriptor, a constant. Every question about a shuffle is put as
 * a statistic. So each test, interval and picture needs to be written only once, for the cells of any
 * statistic. A statistic may be a family of members that classify the same deal, such as the position of each
 * item.
 */

enum {
    SB_LABEL_ROOM = SB_NOTATION_ROOM, /* bytes of a cell's label, including the final zero byte */
    SB_LAW_ITEMS_MOST = 1000,         /* up to this n, laws are computed item by item, and each value has a cell */
    SB_UNMERGED_ITEMS_MOST = 1024,    /* up to this n, cells of position and successor are never merged */
    SB_PLACED_ITEMS_MOST = 8192,      /* up to this n, all pairs of an item and a position are counted */
    /* the statistics `band` and `distance`, which are for large decks, examine only this many items */
    SB_SAMPLED_ITEMS = 64,
};

/* The methods of a statistic for decks with equal items. They are like those of struct sb_statistic_type, but `members`
 * and `cells` are never NULL. The items a[] of classify() are different items, of which equal ones were told apart at
 * random. */
struct sb_statistic_equal {
    size_t (*members)(const struct sb_multiset *multiset, size_t k);
    size_t (*cells)(const struct sb_multiset *multiset, size_t k);
    enum sb_status (*null_law)(const struct sb_multiset *multiset, size_t k, double ln_p[]);
    void (*classify)(const struct sb_multiset *multiset, size_t k, const sb_item a[], uint32_t cell[]);
    void (*label)(const struct sb_item_names *names, size_t k, size_t cell, char text[SB_LABEL_ROOM]);
};

#define SB_STATISTIC_GATED "gate" /* not a profile that can be asked for */

struct sb_statistic_type {
    const char *name, *title, *cite;
    const char *obtained; /* how the null law is computed, such as "closed form" */
    const char *range;    /* the deals that have cells, such as "whole permutations of up to 60 items" */
    /* the profile that includes the statistic, such as "cards"; SB_STATISTIC_GATED if every gate and watch does;
     * NULL if no profile is needed */
    const char *profile;
    /* what each member belongs to, such as "position"; NULL if each member belongs to an item, or if there is
     * only one member */
    const char *each;
    size_t unmerged; /* up to this n, cells are never merged; see sb_statistic_merges() */
    /* Returns how many members the family has for deals of k out of n. For example, `position` has one for
     * each item. NULL: one member. */
    size_t (*members)(size_t n, size_t k);
    /* Returns how many cells each member has; 0 if no law is available. NULL: the cells of `window`. */
    size_t (*cells)(size_t n, size_t k);
    /* Sets ln_p[cell], for each cell of one member, to the natural logarithm of the cell's probability if all
     * deals are equally likely; -inf for a cell that cannot occur. All members have the same law, so a tally
     * stores the law once. SB_NO_MEMORY. NULL: all cells are equally likely. */
    enum sb_status (*null_law)(size_t n, size_t k, double ln_p[]);
    /* Sets cell[member], for every member, to the cell of the deal a[0..k-1]. NULL: only decks with equal items have
     * members and cells. */
    void (*classify)(size_t n, size_t k, const sb_item a[], uint32_t cell[]);
    /* Returns the window of values that the cells stand for. NULL if the value of each cell is the cell's
     * index. */
    struct sb_window (*window)(size_t n, size_t k);
    /* Sets the mean and the variance of the values, where an end cell of the window holds several values with a
     * probability that matters. NULL: the cells give both. */
    void (*moments)(size_t n, size_t k, double *mean, double *variance);
    /* Writes a label of the cell, for people, in which items have their names. NULL if the label is the value
     * of the cell. */
    void (*label)(const struct sb_item_names *names, size_t n, size_t k, size_t member, size_t cell,
                  char text[SB_LABEL_ROOM]);
    /*
     * How the statistic treats equal items. NULL: like different items, of which equal ones are told apart at
     * random. An arrangement of a fair shuffle whose equal items are told apart at random is a fair
     * permutation, so all laws hold.
     */
    const struct sb_statistic_equal *equal;
};

/* Statistics that other code uses directly: `rank`, which has a cell for each deal or arrangement; `position`; and, for
 * decks with equal items, `card-at`, which then takes the place of `position`. */
extern const struct sb_statistic_type sb_statistic_rank, sb_statistic_position, sb_statistic_card_at;

extern const struct sb_statistic_type *const sb_statistic_types[];
extern const size_t sb_statistic_types_count;

/* Whether the statistic `overlap` has a law for the groups of the multiset or, if it has none, for deals of k out of n
 * different items. `multiset` may be NULL. */
bool sb_overlap_known(const struct sb_multiset *multiset, size_t n, size_t k);

/* The statistics `kind-count`, `kind-count-2` and so on, one for each of the first kinds. Returns the index of the kind
 * that a statistic counts; SB_KIND_COUNTS if it is none of them. */
enum { SB_KIND_COUNTS = 4 };
size_t sb_kind_count_kind(const char *statistic);

/* Returns the statistic with this name; NULL if there is no such statistic. */
const struct sb_statistic_type *sb_statistic_find(const char *name);

/* Returns whether this statistic is useful for deals of k out of n. A useful statistic has at least two
 * cells. If there are no more than six deals, as with three items, only rank and position are useful, since
 * the rank says everything. */
bool sb_statistic_joins(const struct sb_statistic_type *type, size_t n, size_t k);

/* These functions return the numbers of members and of cells, and compute the law of a member: the methods of the
 * statistic, or what stands for a method of NULL. `multiset` says which items are equal; NULL: all differ. */
size_t sb_statistic_members(const struct sb_statistic_type *type, const struct sb_multiset *multiset, size_t n,
                            size_t k);
size_t sb_statistic_cells(const struct sb_statistic_type *type, const struct sb_multiset *multiset, size_t n, size_t k);
enum sb_status sb_statistic_null_law(const struct sb_statistic_type *type, const struct sb_multiset *multiset, size_t n,
                                     size_t k, double ln_p[]);

/* The same as sb_statistic_joins(), for a deck in which items may be equal. */
bool sb_statistic_joins_equal(const struct sb_statistic_type *type, const struct sb_multiset *multiset, size_t n,
                              size_t k);

/* Returns whether this statistic belongs to the requested profile and has at least two cells. `profile` is
 * NULL if no profile is requested; the result is then false. */
bool sb_statistic_joins_profile(const struct sb_statistic_type *type, const char *profile, size_t n, size_t k);

/* Returns SB_INVALID if there is no profile with this name. NULL stands for no profile, and is valid. */
enum sb_status sb_statistic_profile_known(const char *profile, struct sb_error *error);

/* Returns SB_INVALID if there is no profile with this name, or if the profile is not for decks of n items, or of equal
 * cards, sets or hands (`multiset`; NULL: they are different cards). A profile of NULL is valid. */
enum sb_status sb_statistic_profile_check(const char *profile, const struct sb_multiset *multiset, size_t n,
                                          struct sb_error *error);

/* Returns whether a test may merge unlikely cells with their neighbours. A test never merges cells of the
 * statistic `rank`. A test merges cells of another statistic only if n > type->unmerged, because many faulty
 * shuffles only exchange an item with its neighbour. */
bool sb_statistic_merges(const struct sb_statistic_type *type, size_t n);

/* Returns the item that `member` stands for in a family of SB_SAMPLED_ITEMS members. The members stand for
 * the first of n items, the last, and 62 items that are evenly spaced between these two. */
static inline size_t sb_sampled_item(size_t n, size_t member)
{
    return member * (n - 1) / (SB_SAMPLED_ITEMS - 1);
}

/* Returns the only member that can stand for this item: the first member whose item is not below `item`. */
static inline size_t sb_sampled_member(size_t n, size_t item)
{
    return (item * (SB_SAMPLED_ITEMS - 1) + n - 2) / (n - 1);
}

/* Writes the cell's label for people, such as "25", "not dealt" or "231". Returns `text`. */
char *sb_statistic_label(const struct sb_statistic_type *type, const struct sb_item_names *names, size_t n, size_t k,
                         size_t member, size_t cell, char text[SB_LABEL_ROOM]);

/*
 * The law that a shuffle is meant to have, if not every order is equally likely (option `fair`). Each member of a
 * statistic then has a law of its own: an item of a derangement, say, is never where it was.
 */

enum sb_fair_rule {
    SB_FAIR_LIST,        /* the probability of each order is given */
    SB_FAIR_DERANGEMENT, /* no item stays at its place; all such orders are equally likely, as in the next three */
    SB_FAIR_CYCLE,       /* the order is one cycle of all items */
    SB_FAIR_FIXED,       /* some items have fixed places */
    SB_FAIR_APART,       /* no two neighbours are equal items */
    SB_FAIR_WEIGHTS,     /* each next item comes with a probability proportional to its weight (Plackett and Luce) */
};

enum {
    SB_FAIR_LISTED_MOST = 8,        /* up to this n, the probabilities of all orders are listed */
    SB_FAIR_ARRANGED_MOST = 1 << 20 /* up to as many arrangements, those of all arrangements of larger decks are */
};

struct sb_fair {
    const struct sb_item_names *names; /* borrowed; NULL: numbers from 1 */
    char *words;                       /* what the law is, such as "a uniform derangement"; owned, like all arrays */
    size_t n,
        deal; /* of each order only the first `deal` items are seen; only with weights if p is NULL and deal < n */
    enum sb_fair_rule rule;
    size_t
        orders; /* number of listed orders: n!, or of arrangements if `arranged`, or of order[]; 0: none are listed */
    bool arranged;    /* the orders are arrangements of more than SB_FAIR_LISTED_MOST items, some of which are equal */
    bool counted;     /* p[] are the counts of a sample, and no law */
    double *p;        /* [orders] the probability of each order, by rank unless order[] lists the orders; NULL: none */
    sb_item *order;   /* [orders * n] the listed orders of more than SB_FAIR_LISTED_MOST items; NULL: orders by rank */
    double *position; /* [n * n] the probability of each item at each position, of a scheme of more items; NULL: none */
    char *scheme;     /* of a scheme that does not have the probabilities of all orders: its name; else NULL */
    sb_item *at;      /* [n] with SB_FAIR_FIXED: the item at each position; n: any */
    double *weight;   /* [n] with SB_FAIR_WEIGHTS: the weight of each item, above 0 */
};

/* Lists the probabilities of all orders by the rule, or makes a given list add up to 1. `multiset` says which items are
 * equal; NULL: all differ. Above SB_FAIR_LISTED_MOST items, its arrangements must have ranks. SB_INVALID: no order is
 * possible; SB_NO_MEMORY. */
enum sb_status sb_fair_list(const struct sb_multiset *multiset, struct sb_fair *fair);

/* Frees the law; NULL is allowed. */
void sb_fair_free(struct sb_fair *fair);

/* Sets a[n] to the listed order with this index. `multiset` is that of the items; NULL: all differ. */
void sb_fair_order(const struct sb_fair *fair, const struct sb_multiset *multiset, size_t index, sb_item a[]);

/* Returns whether the law, or the laws of some statistics, are known only by a sample. */
static inline bool sb_fair_sampled(const struct sb_fair *fair)
{
    return fair->counted || fair->scheme;
}

/* Returns how many permutations are possible, of a law that lists the probabilities of all; else 0. */
size_t sb_fair_orders(const struct sb_fair *fair);

/* Returns whether some laws are known of as many items without the probabilities of all orders. */
bool sb_fair_many(const struct sb_fair *fair);

/* Returns ln of the number of orders, if all that are possible are equally likely by the rule; else 0. Equal items are
 * told apart. */
double sb_fair_ln_orders(const struct sb_fair *fair);

/* Returns whether to compare whole decks: if all possible orders are equally likely, and more than seeds of 16 bits. */
bool sb_fair_repeats(const struct sb_fair *fair);

/* Returns whether to bet on each next item (tally/weigher.c): with weights, and of larger decks without equal
 * neighbours. */
static inline bool sb_fair_bets(const struct sb_fair *fair)
{
    return fair->weight ? !fair->p : fair->arranged && fair->deal == fair->n;
}

/* Returns whether the law of a statistic of the deals is known. */
bool sb_fair_knows(const struct sb_fair *fair, const struct sb_statistic_type *type);

/* Sets ln_p[members * cells] to the laws of all members of a statistic whose law is known. SB_NO_MEMORY. */
enum sb_status sb_fair_null_law(const struct sb_fair *fair, const struct sb_statistic_type *type,
                                const struct sb_multiset *multiset, double ln_p[]);

/* Null laws that several statistics share. */

/* The laws of cycles and records, and those of fixed points and adjacent pairs, of more than SB_LAW_ITEMS_MOST items
 * have one cell for each number 0..63, and one for all larger numbers. */
enum { SB_STIRLING_CELLS = 65, SB_MATCHES_CELLS = 65 };

/* The window of a number whose least value is 0: a cell for each of `values` values or, for more than SB_LAW_ITEMS_MOST
 * items, `large` cells, the last of which also holds all larger values. */
static inline struct sb_window sb_window_from_0(size_t items, size_t values, size_t large)
{
    const bool above = items > SB_LAW_ITEMS_MOST;

    return (struct sb_window) { .cells = above ? large : values, .above = above };
}

/* Sets ln_p[] to the law of the number of cycles of n items, 0..n, which is also the law of the number of records.
 * O(n^2), or O(n) for more than SB_LAW_ITEMS_MOST items. */
void sb_law_stirling(size_t n, double ln_p[]);

/* Sets ln_p[] to the law of the number of descents of n items, 0..n-1; for more than SB_LAW_ITEMS_MOST items, in the
 * cells of the window. n >= 1. O(n^2), or O(sqrt(n)) for more than SB_LAW_ITEMS_MOST items. */
void sb_law_eulerian(size_t n, double ln_p[]);
struct sb_window sb_law_eulerian_window(size_t n);

/* Sets ln_p[] to the law of the number of fixed points of n items, 0..n or, if `pairs` is set, of the number of
 * adjacent pairs, 0..n-1. O(n), or O(1) for more than SB_LAW_ITEMS_MOST items. */
void sb_law_matches(size_t n, bool pairs, double ln_p[]);

/*
 * Numbers for recurrences of probabilities. They are 0 or positive, and may be far below the smallest double.
 * A number is m * 2^(512 e), with m between 2^-256 and 2^256, or m = 0. Each operation is as exact as the
 * operation on the doubles m. The operations are nearly as fast as those on doubles, because neighbours in a
 * law almost always have the same e: even 1/1000! needs only e = -17.
 */

struct sb_scaled {
    double m;
    int32_t e;
};

/* Zero has a lower exponent than all other numbers. */
static const struct sb_scaled sb_scaled_zero = { .m = 0, .e = -(1 << 24) };

/* Brings m back into its range. m may be outside by a factor of less than 2^256. */
static inline struct sb_scaled sb_scaled_settle(struct sb_scaled x)
{
    if (x.m >= 0x1p256)
        return (struct sb_scaled) { x.m * 0x1p-512, x.e + 1 };
    if (x.m < 0x1p-256 && x.m > 0)
        return (struct sb_scaled) { x.m * 0x1p512, x.e - 1 };
    return x;
}

static inline struct sb_scaled sb_scaled_add(struct sb_scaled x, struct sb_scaled y)
{
    if (x.e < y.e) {
        const struct sb_scaled smaller = x;

        x = y;
        y = smaller;
    }
    if (x.e == y.e)
        x.m += y.m;
    else if (x.e == y.e + 1)
        x.m += y.m * 0x1p-512;
    /* if the exponents differ by two or more, the smaller term is below the rounding error */
    return sb_scaled_settle(x);
}

/* Returns x times `factor`, which is 0 or between 2^-255 and 2^255. */
static inline struct sb_scaled sb_scaled_times(struct sb_scaled x, double factor)
{
    if (factor == 0)
        return sb_scaled_zero;
    x.m *= factor;
    return sb_scaled_settle(x);
}

/* Returns the natural logarithm; -inf for 0. If x fits in a double, the result is as accurate as log(). */
static inline double sb_scaled_ln(struct sb_scaled x)
{
    if (x.e >= -1 && x.m > 0)
        return log(ldexp(x.m, 512 * x.e));
    return x.m > 0 ? log(x.m) + 512 * 0.69314718055994530942 * x.e : -HUGE_VAL;
}

/*
 * Playing cards: item i is the card of suit i / 13 and rank i % 13. The ace has rank 0, and the king has rank
 * 12. So the deck starts in new-deck order: suit by suit, from ace to king.
 */

enum { SB_CARDS = 52, SB_SUITS = 4, SB_CARD_RANKS = 13, SB_POKER_HAND = 5, SB_BRIDGE_HAND = 13 };

static inline uint32_t sb_card_suit(sb_item card)
{
    return card / SB_CARD_RANKS;
}

static inline uint32_t sb_card_rank(sb_item card)
{
    return card % SB_CARD_RANKS;
}

/* How many cards the statistics first-k and first-k-set take. */

/* more cards than either statistic takes: 8 of 16 cards already have C(16, 8) > 10,000 sets */
enum { SB_FIRST_K_CARDS_MOST = 16 };

/* Returns the number of cards that first-k takes from deals of k out of n. */
size_t sb_first_k_cards(size_t n, size_t k);

/* Returns the number of cards that first-k-set takes from deals of k out of n. */
size_t sb_first_k_set_cards(size_t n, size_t k);

/* ---- deals in rows ---- */

/*
 * Statistics of many deals at once. Deals of at most 64 items lie side by side in rows: row j has, for each deal, one
 * byte with the item at position j. So an operation on a vector of bytes processes one position of several deals. The
 * unused bytes, after the last deal and after the last item of each deal, have the items of the identity.
 */
enum {
    SB_ROWS_DEALS = 64, /* number of deals side by side */
    /* the largest number of items: a set of items fits in a 64-bit word, and an item fits in a signed byte */
    SB_ROWS_ITEMS_MOST = 64,
};

struct sb_rows {
    uint8_t deck[SB_ROWS_DEALS][SB_ROWS_ITEMS_MOST] __attribute__((aligned(64))); /* [deal][position] */
    uint8_t item[SB_ROWS_ITEMS_MOST][SB_ROWS_DEALS] __attribute__((aligned(64))); /* [position][deal] */
    /* `n`: number of items, 2..64; `deal`: items of each deal, 1..n; `deals`: number of deals, 1..64 */
    size_t n, deal, deals;
    uint8_t inverse[SB_ROWS_DEALS][SB_ROWS_ITEMS_MOST]; /* [deal][item] the position of the item; valid if `inverted` */
    /* number of cycles, and length of the cycle of item 0; valid if `cycled` */
    uint8_t cycles[SB_ROWS_DEALS], first_cycle[SB_ROWS_DEALS];
    bool inverted, cycled; /* whether `inverse`, and whether `cycles` and `first_cycle` are set */
};

/* A method that computes one statistic from rows. */
struct sb_rows_method {
    const char *statistic;
    bool partial; /* whether the method also works for deals of fewer than n items */
    /* For a statistic with one member: computes the cell of each deal. cell[] must be zero before. NULL: the method has
     * `count` instead. */
    void (*cells)(struct sb_rows *rows, uint16_t cell[SB_ROWS_DEALS]);
    /* For a statistic with several members: adds the first rows->deals deals to the counts, count[members *
     * cells]. NULL: the method has `cells` instead. */
    void (*count)(struct sb_rows *rows, uint64_t count[]);
};

/* to[j][i] = from[i][j] */
void sb_rows_transpose(uint8_t from[SB_ROWS_DEALS][SB_ROWS_DEALS], uint8_t to[SB_ROWS_DEALS][SB_ROWS_DEALS]);

/* All methods, and their number. */
extern const struct sb_rows_method sb_rows_methods[];
extern const size_t sb_rows_methods_count;

/* Returns the method for a statistic of deals of k out of n; NULL if there is no method. */
const struct sb_rows_method *sb_rows_find(const char *statistic, size_t n, size_t k);

/* Fills the rows with deals of k out of n, items[deals * k]; 1 <= deals <= 64. */
void sb_rows_fill(size_t n, size_t k, const sb_item items[], size_t deals, struct sb_rows *rows);

#endif
