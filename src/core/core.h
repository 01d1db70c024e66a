/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Permutations, the names of their items, errors, and what gives permutations. */
#ifndef SB_CORE_CORE_H
#define SB_CORE_CORE_H

#include "core/calls.h"

#include <stdlib.h>

/*
 * Permutations and ordered deals: their number, their ranks, their notation.
 *
 * A deck of n items starts as the identity: item i at position i. After a shuffle, a[j] is the item at
 * position j. A deal is the items at the first k positions; with k = n, a deal is the whole permutation. The
 * rank of a deal is its place, from 0, among all deals in lexicographic order of the one-line notation a[0]
 * a[1] ... a[k-1].
 */

/* An item or a position, from 0. */
typedef uint32_t sb_item;

enum {
    SB_ITEMS_MOST = 10000000,  /* the largest n of a single permutation that is read or dealt */
    SB_TALLIED_MOST = 1000000, /* the largest n of permutations that a gate or a watch tallies */
    SB_COMPUTED_MOST = 65535,  /* the largest n for everything else, such as exact laws, plans and lessons */
    SB_MATRIX_MOST = 1 << 26,  /* the largest number of cells of a position matrix that is tallied */
    SB_CELLS_MOST = 3628800,   /* 10!; if there are at most this many deals, each has a count */
    SB_NOTATION_ROOM = 6 * 64, /* bytes for the notation of up to 64 items, with its closing 0 */
};

/* Returns the number of ordered deals of k out of n, k <= n. This number is n!/(n-k)!. If the number does not
 * fit in 64 bits, returns UINT64_MAX. */
uint64_t sb_deals(size_t n, size_t k);

/* Returns sb_deals(n, k) if this number is at most SB_CELLS_MOST, so that each deal can have a count of its
 * own; else 0. */
size_t sb_cells(size_t n, size_t k);

/* Returns whether a[0..k-1] are k different items below n. Costs O(n) time and n bits of scratch on the
 * stack, at most 1.25 MB. */
bool sb_permutation_valid(size_t n, size_t k, const sb_item a[]);

/* Returns the rank of the deal a[0..k-1] out of n, in 0..sb_deals(n, k)-1. sb_deals(n, k) must fit in 64
 * bits. O(k^2). */
uint64_t sb_permutation_rank(size_t n, size_t k, const sb_item a[]);

/* Returns the rank of a deal, which is the index of the deal's count. sb_cells(n, k) must not be 0. */
static inline size_t sb_permutation_cell(size_t n, size_t k, const sb_item a[])
{
    return (size_t)sb_permutation_rank(n, k, a); /* below SB_CELLS_MOST */
}

/* Sets a[0..k-1] to the deal of this rank: the inverse of sb_permutation_rank(). O(n k). */
void sb_permutation_unrank(size_t n, size_t k, uint64_t rank, sb_item a[]);

/* Returns how many cycles the permutation a[0..n-1] has. O(n) time and n bits of scratch on the stack, at
 * most 1.25 MB. */
size_t sb_permutation_cycles(size_t n, const sb_item a[]);

/*
 * Reads the notation of a whole permutation of 1 to `most` items. If there are fewer than ten items, the dots
 * may be missing. Returns false if the notation is not valid; then a[0..most-1] is undefined.
 */
bool sb_permutation_parse(const char *text, size_t most, sb_item a[], size_t *n);

/*
 * A deck with equal items: a multiset of kinds. Items of one kind look the same, so a shuffle shows only an
 * arrangement of kinds. Every arrangement of a whole deck stands for the same number of permutations, the product of m!
 * over all kinds, where m is the number of items of the kind. So a fair shuffle gives all n!/(product of m!)
 * arrangements the same probability.
 */

struct sb_multiset {
    size_t n, kinds;
    uint32_t *kind;   /* [n] the kind of each item, numbered in the order of their first items; owned */
    uint32_t *begin;  /* [kinds + 1] index in `member` of the first item of each kind; owned */
    uint32_t *member; /* [n] the items, kind by kind; owned */
    /* number of arrangements of the whole deck; 0 if there are more than SB_CELLS_MOST, or n is above
     * SB_ARRANGED_MOST, so that arrangements have no ranks */
    size_t arrangements;
    /* If the kinds are groups into which items are dealt (sets and hands, see below): the number of groups that lines
     * list; one more kind may hold the items that are not dealt. 0: the kinds are cards. */
    size_t groups;
    const struct sb_multiset *placed; /* of groups: the kinds of the items that are dealt; borrowed; NULL: not given */
};

enum { SB_ARRANGED_MOST = 64 };

/* Makes a multiset of n items, where same[i] is the first item that is equal to item i. The caller frees *made with
 * sb_multiset_free(). SB_NO_MEMORY. */
enum sb_status sb_multiset_new(size_t n, const uint32_t same[], struct sb_multiset **made);

/* Frees the multiset; NULL is allowed. */
void sb_multiset_free(struct sb_multiset *multiset);

/* Returns how many items of the kind there are. */
static inline size_t sb_multiset_copies(const struct sb_multiset *multiset, size_t kind)
{
    return multiset->begin[kind + 1] - multiset->begin[kind];
}

/* Returns ln of the number of arrangements of the whole deck. */
double sb_multiset_ln_arrangements(const struct sb_multiset *multiset);

/* Returns the rank of the arrangement that the permutation a[0..n-1] shows, in the lexicographic order of kinds.
 * Arrangements must have ranks. O(n kinds). */
size_t sb_multiset_rank(const struct sb_multiset *multiset, const sb_item a[]);

/* Sets a[0..n-1] to the arrangement of this rank, in which the items of each kind are in order. */
void sb_multiset_unrank(const struct sb_multiset *multiset, size_t rank, sb_item a[]);

/*
 * Replaces each item of a deal by an item of the same kind, so that the items of each kind are in order. Two deals
 * become equal if they look the same. An item may occur several times in a[0..k-1]. Returns false if there are more
 * items of a kind than the deck has; *surplus is then an item of this kind. used[kinds] is scratch.
 */
bool sb_multiset_order(const struct sb_multiset *multiset, size_t k, sb_item a[], uint32_t used[], sb_item *surplus);

/*
 * What the items of a deck are called: by their names ("AS 2S ... KC"), or by numbers from 0 or from 1. A NULL
 * pointer to the names stands for numbers from 1.
 */

/* A name and the first item that has it. */
struct sb_sorted_name {
    const char *name;
    uint32_t item;
};

struct sb_item_names {
    size_t n;        /* number of names; 0: items are numbers */
    uint32_t base;   /* number of the first item, 0 or 1, if items are numbers */
    char *text;      /* the names as given, each followed by a zero byte; owned */
    char **given;    /* [n] the names as given, in the order before the shuffle; they point into `text`; owned */
    char **name;     /* [n] the names to show, which sb_sanitize_text() made safe; owned */
    size_t distinct; /* number of different names */
    struct sb_sorted_name *sorted; /* [distinct] the names as given, in the order of strcmp(); owned */
    struct sb_multiset *multiset;  /* which items are equal; owned; NULL: all names differ */
    bool short_all;                /* each name is a single character, so a deal needs no blanks between names */
    /* of groups: the names of what is dealt, one for each position; owned; NULL: numbers from 1 */
    struct sb_item_names *places;
    struct sb_item_names *kinds; /* of groups: the kinds of what is dealt; owned; NULL: not given */
    /* what separates names that have blanks, such as '|', or '\n' if the list does not show it; 0: no name has any */
    char separator;
};

enum {
    SB_ITEM_NAME_MOST = 255, /* the most bytes of a name */
    SB_ITEM_SHOWN = 60,      /* the most bytes of a name to show, without the dots that mark a cut */
    SB_ITEM_ROOM = 80,       /* bytes of an item in words, including the final zero byte */
};

/* Returns what separates the names in a list or a line: the first of a newline, a tab, a bar, a semicolon and a comma
 * that is outside quotation marks, or else a blank. */
char sb_item_names_between(const char *list);

/*
 * Reads a list of names, separated by sb_item_names_between(). If each line of a list of lines begins with a count, as
 * in "4 Lightning Bolt", so many items have the name. A name may be in quotation marks, as in CSV. Items with equal
 * names are equal items. The caller frees *names with sb_item_names_free(). SB_INVALID: the list is empty or too long,
 * or a name is too long or has a control character, or a # that could begin a comment; SB_NO_MEMORY.
 */
enum sb_status sb_item_names_new(const char *list, struct sb_error *error, struct sb_item_names **names);

/* Checks a list of names. If *n is 0, sets *n to the number of names; otherwise *n must be this number. The
 * errors are those of sb_item_names_new(). */
enum sb_status sb_item_names_count(const char *list, struct sb_error *error, size_t *n);

/* Returns the separator of the names in a list, as in struct sb_item_names; 0 also if the list is NULL or wrong. */
char sb_item_names_separator(const char *list);

/* Takes the names of n items from an array. Names are shortened to SB_ITEM_NAME_MOST bytes, and may occur
 * twice. The caller frees *names. SB_NO_MEMORY. */
enum sb_status sb_item_names_take(const char *const name[], size_t n, struct sb_item_names **names);

/* Makes the names of items that are numbers from `base`. For base 1, *names becomes NULL. The caller frees
 * *names. SB_NO_MEMORY. */
enum sb_status sb_item_names_numbers(uint32_t base, struct sb_item_names **names);

/* Makes a copy, which the caller frees. The copy of NULL is NULL. SB_NO_MEMORY. */
enum sb_status sb_item_names_copy(const struct sb_item_names *names, struct sb_item_names **copy);

/* Returns a list of the names, from which sb_item_names_new() makes the same names, or "0" if items are numbers from 0.
 * The caller frees the list. NULL if memory runs out. */
char *sb_item_names_list(const struct sb_item_names *names);

/* Reads a list of sb_item_names_list(). The errors are those of sb_item_names_new(). */
enum sb_status sb_item_names_read(const char *list, struct sb_error *error, struct sb_item_names **names);

/* Frees the names; NULL is allowed. */
void sb_item_names_free(struct sb_item_names *names);

/* Returns the first item with this name; SB_ITEMS_MOST if there is none. Cost: log2(n) comparisons. */
uint32_t sb_item_names_find(const struct sb_item_names *names, const char *name);

/* Returns which items are equal; NULL if all items differ. */
static inline const struct sb_multiset *sb_item_multiset(const struct sb_item_names *names)
{
    return names ? names->multiset : NULL;
}

/*
 * Sets and hands: the order within a group of dealt items does not count. A line is then a partition of the n items,
 * and the same as a deck with equal cards: the card at position j is the group of item j. A fair shuffle makes all
 * partitions equally likely, as all arrangements of the deck.
 */

/* [4] what files of bridge deals call the hands (subject/groups.c). */
extern const char *const sb_bridge_hands[];

/* Checks the grouping, and sets *deal to the number of items that a line lists, and *n to it if it is 0. *deal must be
 * 0 or this number; of sets, it is given. Error: SB_INVALID. */
enum sb_status sb_grouping_settle(const struct sb_grouping *grouping, size_t *n, size_t *deal, struct sb_error *error);

/* Makes the names of a deck of groups. `items` has the names of the n items, and may be NULL. The grouping is settled.
 * The caller frees *names. Errors: SB_INVALID if the items' names are equal; SB_NO_MEMORY. */
enum sb_status sb_grouping_names(const struct sb_grouping *grouping, const struct sb_item_names *items, size_t n,
                                 size_t deal, struct sb_error *error, struct sb_item_names **names);

/* Makes the names of a scheme's deck, or of its groups: `cards` may be NULL, and *names is then NULL without groups.
 * The caller frees *names. Errors: SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_grouping_open(const struct sb_grouping *grouping, const char *cards, size_t n, size_t deal,
                                struct sb_error *error, struct sb_item_names **names);

/* Makes the names of a deck with kinds of cards, such as "land: 24, spell: 36", in the order of the items. If *n is 0,
 * sets *n to their number; otherwise *n must be this number. The caller frees *names. Errors: SB_INVALID,
 * SB_NO_MEMORY. */
enum sb_status sb_kinds_names(const char *kinds, size_t *n, struct sb_error *error, struct sb_item_names **names);

/* Sets *n to the number of the cards or the kinds that are named, if any; *n is 0 or this number. Both may be NULL.
 * Errors: SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_items_named(const char *cards, const char *kinds, size_t *n, struct sb_error *error);

/* Writes how many of a kind are dealt: "hands with 2 to 4 lands", "hand 2 with 1 land". The label is that of a cell of
 * `kind-count`; `member` is that of a deck of hands. */
char *sb_kinds_words(const struct sb_item_names *names, size_t kind, size_t member, const char *label,
                     char text[3 * SB_ITEM_ROOM]);

/* Checks that kinds go with what else was asked for, and sets *n like sb_kinds_names(). `cards` may be NULL. Error:
 * SB_INVALID. */
enum sb_status sb_kinds_check(const struct sb_grouping *grouping, const char *cards, size_t *n, struct sb_error *error);

/* Makes the groups of a deal of `deal` < n items: what is dealt, as one group or, if `ordered`, a group for each place;
 * and what is not. The caller frees *made with sb_multiset_free(). SB_NO_MEMORY. */
enum sb_status sb_groups_dealt(size_t n, size_t deal, bool ordered, struct sb_multiset **made);

/* Sets deck[n] to the deck of groups in which item i is in group[i]: the card at place i is one of its group, and the
 * cards of a group are numbered in the order of the deck. next[kinds] is scratch. */
void sb_groups_deck(const struct sb_multiset *groups, const uint32_t group[], uint32_t next[], sb_item deck[]);

/* Returns how many of the first groups have the size of the first one; 0 if the deck has no groups. A set is one. */
size_t sb_groups_alike(const struct sb_multiset *multiset);

/* Writes what a member of a statistic of groups belongs to: "item 17" of each position, "item 3 and item 17" of each
 * pair, "hand 2" of each hand. Returns `text`. */
char *sb_groups_member(const struct sb_item_names *names, const char *each, size_t member, char text[2 * SB_ITEM_ROOM]);

/* Returns the groups of the deck; NULL if the deck has none. */
static inline const struct sb_multiset *sb_item_groups(const struct sb_item_names *names)
{
    return names && names->multiset && names->multiset->groups ? names->multiset : NULL;
}

/* Returns how many items a line lists: of a deck of groups, those of the groups; otherwise `deal`. */
static inline size_t sb_items_dealt(const struct sb_item_names *names, size_t deal)
{
    const struct sb_multiset *const groups = sb_item_groups(names);

    return groups ? groups->begin[groups->groups] : deal;
}

/* Returns whether the items have names, and not numbers. */
static inline bool sb_item_names_given(const struct sb_item_names *names)
{
    return names && names->n > 0;
}

/* Returns the name or the number of an item: "AS", "7". `text` is scratch. */
const char *sb_item_name(const struct sb_item_names *names, size_t item, char text[SB_ITEM_ROOM]);

/* Writes an item in words: "AS", or "item 7" if items are numbers. Returns `text`. */
char *sb_item_words(const struct sb_item_names *names, size_t item, char text[SB_ITEM_ROOM]);

/*
 * Writes the one-line notation of a deal of k of n items for people, in which items are numbered from 1: `231`, or
 * `10.2.1` if n > 9; or in names: "BCA", "AS 10H KC"; of a deck of groups the items of each, `1 4 | 2 3`. Writes at most
 * `room` bytes, with the closing 0. A longer notation is cut and ends in "...". Returns `text`. Requires room
 * >= 4.
 */
char *sb_item_notation(const struct sb_item_names *names, size_t n, size_t k, const sb_item a[], char text[],
                       size_t room);

/* The step from one permutation to the next. */

struct sb_increment {
    size_t n;
    bool begun;     /* whether a permutation has been taken */
    sb_item *place; /* [n] the position of each item in the last permutation; owned */
    /* [n] the last step: entry j is the previous position of the item now at position j; owned */
    sb_item *items;
};

/* Opens an increment. The caller closes the increment even after an error. The caller may close an increment
 * twice, and may close a struct of zeroes. SB_NO_MEMORY. */
enum sb_status sb_increment_open(size_t n, struct sb_increment *increment);
void sb_increment_close(struct sb_increment *increment);

/* Takes the next permutation, and sets increment->items to the step from the previous permutation. Returns
 * false for the first permutation, because no step leads to this permutation. */
bool sb_increment_take(struct sb_increment *increment, const sb_item now[]);

/* Errors: a status for the program, and one line of text for people. */

/*
 * Writes the line of an error and returns the status, so that a function can end with `return
 * sb_error_set(error, SB_INVALID, ...)`. The line is in lower case, quotes the offender, names the remedy,
 * and has no full stop. `error` may be NULL.
 *
 * In the line, names of fields of the public header stand between backquotes, in three forms. `deal` is the
 * name alone. `deal=4` adds a value that the caller has set or could set. `deal = 4` is for a line about the
 * value itself. Names of public functions stand between backquotes, too. The first field and its value become
 * error->field and error->value.
 */
__attribute__((format(printf, 3, 4))) enum sb_status sb_error_set(struct sb_error *error, enum sb_status status,
                                                                  const char *format, ...);

/* A name between backquotes in the line of an error. All pointers point into the line. */
struct sb_error_field {
    const char *start, *end; /* the opening backquote, and the byte after the closing one */
    const char *name, *value;
    int name_length, value_length; /* lengths in bytes; value_length is 0 if there is no value */
    bool stated;                   /* whether " = " stands between name and value, rather than "=" */
};

/* Finds the first name between backquotes in the text; returns false if there is no such name. A name must
 * stand where a word can begin, so that file names rarely look like fields. */
bool sb_error_field_next(const char *text, struct sb_error_field *field);

/* Writes the usual line for a request to deal more than n cards, and returns SB_INVALID. */
enum sb_status sb_error_deal(struct sb_error *error, size_t deal, size_t n);

/* Writes the usual line for a name or a list that is NULL, such as `what` = "the scheme", and returns SB_INVALID. */
enum sb_status sb_error_null(struct sb_error *error, const char *what);

/* Writes the usual line for SB_NO_MEMORY: memory ran out for `what`. */
enum sb_status sb_error_memory(struct sb_error *error, const char *what);

/* Writes the usual line for SB_BROKEN: a fault of this library stopped `what`. */
enum sb_status sb_error_broken(struct sb_error *error, const char *what);

/* Writes the usual line for a shuffle that never ends, because with this seed the generator never yields a
 * draw that the shuffle waits for. Returns `status`. */
enum sb_status sb_error_stuck(struct sb_error *error, enum sb_status status, const char *scheme, uint64_t seed);

/* Returns whether an error level (alpha or delta) is at least 1e-100 and below 1. */
bool sb_level_is(double level);

/* Helpers for ranks (struct sb_ranks in shufflebias.h), the processes that share a run. A NULL pointer stands
 * for a single process. */

/* Returns whether this process is the root, which receives all tallies. A process without other ranks is the
 * root. */
static inline bool sb_ranks_is_root(const struct sb_ranks *ranks)
{
    return !ranks || ranks->rank == 0;
}

/* Copies the root's bytes to all ranks. */
static inline void sb_ranks_broadcast(const struct sb_ranks *ranks, void *bytes, size_t size)
{
    if (ranks && size > 0)
        ranks->broadcast(ranks->state, bytes, size);
}

/* Checks the numbers of a caller's struct, all of whose functions are required. Error: SB_INVALID. */
enum sb_status sb_ranks_check(const struct sb_ranks *ranks, struct sb_error *error);

/* Adds up the tallies of all ranks at the root, and sets the tallies of the other ranks to zero. */
void sb_ranks_sum(const struct sb_ranks *ranks, uint64_t tally[], size_t count);

/*
 * The hash FNV-1a of 64 bits, to recognise data and to detect accidental damage. This hash does not protect
 * against tampering. G. Fowler, L. C. Noll, K.-P. Vo and D. Eastlake, The FNV non-cryptographic hash
 * algorithm, IETF draft.
 */

/* The hash of no bytes. */
#define SB_HASH_EMPTY UINT64_C(0xcbf29ce484222325)

/* Continues a hash. `hash` is the hash of all earlier bytes, and `bytes` points to the `count` bytes that
 * follow. Returns the hash of all bytes. */
static inline uint64_t sb_hash_add(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *const byte = bytes;

    for (size_t i = 0; i < count; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* A position in a file that may be renamed, truncated or replaced while it is read. */

enum { SB_LOG_POSITION_HEAD = 1024 }; /* number of bytes whose hash identifies a renamed file */

struct sb_log_position {
    uint64_t inode;  /* inode number of the file; 0: no file */
    uint64_t offset; /* bytes already read */
    uint64_t zeros;  /* number of bytes of 0 at the start of the file that do not belong to the text */
    uint64_t head;   /* number of hashed bytes after the zeros, at most SB_LOG_POSITION_HEAD */
    uint64_t hash;   /* hash of these `head` bytes, FNV-1a of 64 bits */
};

/*
 * A feed gives permutations in batches. The permutations come from a scheme, a command's output, a recording
 * or a callback. The reader of a feed does not know which.
 */

struct sb_feed {
    char *name;           /* name of the subject, for people; owned; NULL: not given */
    const char *kind;     /* "scheme", "command", "file" or "callback"; static */
    bool replays;         /* whether each feed of this subject begins with the same permutations */
    const sb_item *items; /* [count * deal] the deals that sb_feed_next() read; valid until the next call */
    size_t count;         /* number of deals in `items`; the reader sets `count` to 0 after using the deals */
    /* Number of items, and number of items that are dealt. Both are 0 until the first batch, and do not
     * change after that. */
    size_t n, deal;
    /* what the items are called, known with n; owned; NULL: numbers from 1 */
    struct sb_item_names *names;
    const char *const *seats; /* [4] what the file calls four hands, known with n; static; NULL: nothing */
    /*
     * Reads the next deals, at least one and at most `most`. *count becomes the number of these deals, and
     * *items becomes an array of these deals, one after the other. Every deal is valid: it has `deal`
     * different items in 0..n-1. The feed owns this array; the next call invalidates it. *count is 0 at the
     * end of the feed. The function waits for the first deal of a batch but not for more. So the size of a
     * batch depends on timing, but the order of the deals does not. SB_SUBJECT: the subject violated the
     * protocol (a repeated item, an exit status other than 0, no deal in time); SB_STOPPED: the caller's stop
     * flag was raised; SB_NO_MEMORY.
     */
    enum sb_status (*next)(struct sb_feed *self, size_t most, const sb_item **items, size_t *count,
                           struct sb_error *error);
    /* Sets *position to the place in the file where the deals given so far end, so that a later run can
     * continue there. NULL if the feed does not read a file. */
    void (*position)(const struct sb_feed *self, struct sb_log_position *position);
    /* Checks that the deals so far show the order in which their items were drawn. Error: SB_SUBJECT if the items
     * are sorted, which chance hardly ever does. NULL: any order is meant. */
    enum sb_status (*check_order)(const struct sb_feed *self, struct sb_error *error);
    /* Writes where the input has this deal of the last batch: "line 5 of game.log, 10:15". NULL: the feed has no lines. */
    void (*where)(const struct sb_feed *self, const sb_item items[], char text[], size_t room);
    /* Skips up to `most` deals without computing them; returns how many deals were skipped. NULL: this feed
     * cannot skip. */
    uint64_t (*skip)(struct sb_feed *self, uint64_t most);
    /* Ends the subject (kills a command with its children) and frees the feed. */
    void (*free)(struct sb_feed *self);
};

/* Reads the next permutations, at most `most`, into feed->items. At the end of the feed, feed->count is 0. */
static inline enum sb_status sb_feed_next(struct sb_feed *feed, uint64_t most, struct sb_error *error)
{
    return feed->next(feed, most < SIZE_MAX ? (size_t)most : SIZE_MAX, &feed->items, &feed->count, error);
}

enum { SB_SORTED_LINES_LEAST = 8 }; /* a run with fewer lines reads more of them before it says that all are sorted */

/* Checks that the deals so far show the order of the draw. A test of that order may only reject a fair shuffle if
 * this check succeeds. `feed` may be NULL. Error: SB_SUBJECT. */
static inline enum sb_status sb_feed_check_order(const struct sb_feed *feed, struct sb_error *error)
{
    return feed && feed->check_order ? feed->check_order(feed, error) : SB_OK;
}

/* Frees a feed. `feed` may be NULL. */
static inline void sb_feed_free(struct sb_feed *feed)
{
    if (!feed)
        return;
    free(feed->name);
    sb_item_names_free(feed->names);
    feed->free(feed);
}

#endif
