/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What depends on the order of decks: their steps, repeats, bets on them, and the catalogue of known faulty
 * shuffles. */
#ifndef SB_TALLY_ORDER_H
#define SB_TALLY_ORDER_H

#include "core/evidence.h"

/*
 * A code of a deal's first four items, each below 8: three bits for each item. The items are loaded two at a time. On a
 * little-endian machine the code is the sum of a[j] 8^j; on a big-endian machine the items of each pair change places.
 */

enum {
    SB_DEAL_CODED = 4,      /* number of items in a code */
    SB_DEAL_CODED_MOST = 8, /* each item in a code is below this number */
    SB_DEAL_CODES = 1 << 12,
};

static inline size_t sb_deal_code(const sb_item a[SB_DEAL_CODED])
{
    uint64_t first, second;

    memcpy(&first, a, sizeof first);
    memcpy(&second, a + 2, sizeof second);
    first |= second << 6; /* bits 0 and 32 on have the first pair, bits 6 and 38 on the second */
    return (first | first >> 29) & (SB_DEAL_CODES - 1);
}

/* Steps X[t-L]^-1 X[t] at the lags L = 1, 2, 4, ..., 64, which show whether permutations depend on earlier
 * permutations. If a fair shuffle starts afresh each time, each step is uniform, whatever came before. */

enum {
    SB_LAGS = 7,             /* number of lags: 1, 2, 4, ..., 64 */
    SB_LAGS_FARTHEST = 64,   /* the largest lag */
    SB_LAGS_STATISTICS = 2,  /* the most statistics of each lag */
    SB_LAGS_STEPS = 1 << 20, /* the most steps counted at each lag; later steps are ignored */
    /* the most cells of a statistic after merging; the rank's cells are not merged */
    SB_LAGS_CELLS_MOST = 64,
};

struct sb_lags;

/* Makes empty tallies for permutations of n items, at all lags; of sets, hands and deals of fewer than n items, for the
 * numbers of items that are in the same group again, or dealt again. *lags is NULL if these have no law. `multiset` may
 * be NULL, and must outlive the tallies. If `first` is false, leaves out lag 1. The caller frees the tallies; freeing
 * NULL is allowed. SB_NO_MEMORY. */
enum sb_status sb_lags_new(const struct sb_multiset *multiset, size_t n, size_t deal, bool first,
                           struct sb_error *error, struct sb_lags **lags);
void sb_lags_free(struct sb_lags *lags);

/* Adds valid permutations, items[count * n], and counts the steps from earlier permutations to these permutations. */
void sb_lags_add(struct sb_lags *lags, const sb_item items[], size_t count);

/* Remembers permutations without counting the steps to them, because the tallies already include these steps. */
void sb_lags_remember(struct sb_lags *lags, const sb_item items[], size_t count);

/* The number of tallies, at most SB_LAGS * SB_LAGS_STATISTICS. They are ordered by lag. */
size_t sb_lags_count(const struct sb_lags *lags);

/* Reads the tallies into tally[sb_lags_count()]. The tallies are valid until the next permutations are added. */
void sb_lags_read(struct sb_lags *lags, struct sb_tally tally[]);

/* Adds earlier tallies for the same n and lags, as sb_lags_read() returned them. Steps from the earlier
 * permutations to later permutations are not counted. */
void sb_lags_resume(struct sb_lags *lags, const struct sb_tally tally[]);

/* Adds the statistics of steps to a family. The permutations that are added next follow `before` others. */
struct sb_outliers;
void sb_lags_join(struct sb_lags *lags, struct sb_outliers *outliers);
void sb_lags_begin(struct sb_lags *lags, uint64_t before);

/* Leaves only the steps to the next permutation, without an end and without tallies: for outliers. */
void sb_lags_only_next(struct sb_lags *lags);

/* Repeated whole decks, found by their keys. A gate compares each deck of a stream with the earlier decks as soon as
 * the deck arrives. In a sample, threads and MPI ranks store the keys in any order, and the repeats are counted at the
 * end. So there are two algorithms, but the null law of the repeats is the same. */

/* each deck is compared with at most this many decks, which are the first decks */
enum { SB_REPEATS_MOST = 1 << 24 };

/* The key of a deck. Keys are evenly distributed whatever the law of the decks. */
struct sb_deck_key {
    uint64_t high, low;
};

/* The key of a deal of k out of n. If ranks fit in 64 bits, the key is the rank with its bits mixed, so different deals
 * have different keys. Otherwise the key is a hash of 122 bits, and two given different deals have the same key with a
 * probability below (n / 2^61)^2. */
struct sb_deck_key sb_deck_key(size_t n, size_t k, const sb_item deal[]);

/* Stores the number of distinct keys in `*distinct`, and how often the most frequent key occurs in `*most`.
 * Changes the order of the keys. */
void sb_deck_key_count(struct sb_deck_key key[], size_t count, size_t threads, uint64_t *distinct, uint64_t *most);

/* ln of an upper bound of the probability that a fair shuffle's deal has the key of one given earlier deal. The bound
 * is 1 over the number of deals. If ranks do not fit in 64 bits, the bound also includes the probability of an equal
 * hash. */
double sb_deck_key_ln_pair(size_t n, size_t k);

/* The same for whole decks with equal items, whose keys are those of their arrangements (sb_multiset_order()). */
double sb_deck_key_ln_pair_equal(const struct sb_multiset *multiset);

/* ---- a stream: a set of the decks so far ---- */

struct sb_repeats_stream;

/* Makes an empty set for deals of k out of n. The caller frees the set; freeing NULL is allowed. NULL if
 * memory runs out. */
struct sb_repeats_stream *sb_repeats_stream_new(size_t n, size_t k);
void sb_repeats_stream_free(struct sb_repeats_stream *repeats);

/* Makes a set in constant memory, for an unlimited number of decks. The set compares only one in 2^SB_REPEATS_PART
 * decks, chosen by their keys, and keeps at most SB_REPEATS_ERA of these decks, in 12 MB. A full set forgets all decks
 * and starts again, so that it also detects a fault that begins late. */
struct sb_repeats_stream *sb_repeats_stream_new_part(size_t n, size_t k);

enum { SB_REPEATS_PART = 4, SB_REPEATS_ERA = 1 << 19 };

/* The key of a deck. Prefetches the memory that adding this key needs, so computing several keys before
 * adding them reduces waiting. */
struct sb_deck_key sb_repeats_stream_key(const struct sb_repeats_stream *repeats, const sb_item deck[]);

bool sb_repeats_stream_wants(const struct sb_repeats_stream *repeats, struct sb_deck_key key);

uint64_t sb_repeats_stream_kept(const struct sb_repeats_stream *repeats);

/* Returns whether the set has the deck with this key. If not, adds the deck, as long as there is memory. */
bool sb_repeats_stream_add(struct sb_repeats_stream *repeats, struct sb_deck_key key);

enum { SB_REPEATS_CARRIED = 1 << 17 }; /* the most decks that one run passes to the next: 4 MB of hexadecimal digits */

/* Adds the decks with the keys key[0..count-1], and makes the set record the order of decks, for
 * sb_repeats_stream_newest(). Call this function at most once, before adding any deck. Returns false if memory runs
 * out. */
bool sb_repeats_stream_carry(struct sb_repeats_stream *repeats, const struct sb_deck_key key[], size_t count);

/* Copies the keys of the newest decks in the set to key[]. The oldest of these decks comes first. key[] has room for
 * SB_REPEATS_CARRIED keys. Returns the number of copied keys. Without sb_repeats_stream_carry(), this number is 0. */
size_t sb_repeats_stream_newest(const struct sb_repeats_stream *repeats, struct sb_deck_key key[]);

/* The same as sb_deck_key_ln_pair(), for two decks in the part that sb_repeats_stream_new_part() compares. As a safety
 * margin, the number of possible decks in this part is taken to be six standard deviations below its mean. */
double sb_repeats_stream_ln_pair_part(size_t n, size_t k);

/* ---- runs of decks that come again ---- */

struct sb_replay;

/* Makes an empty memory for a shuffle with exp(ln_decks) decks, at least 2. The caller frees it; freeing NULL is
 * allowed. NULL if memory runs out. */
struct sb_replay *sb_replay_new(double ln_decks);
void sb_replay_free(struct sb_replay *replay);

enum sb_replay_bet { SB_REPLAY_NONE, SB_REPLAY_MISS, SB_REPLAY_HIT };
enum { SB_REPLAY_TOGETHER = 64, SB_REPLAY_MOST = 1 << 16 }; /* the second is how many are remembered */
/* Forgets all decks, and counts `count` more that are not added. */
void sb_replay_skip(struct sb_replay *replay, uint64_t count);

/* Adds up to SB_REPLAY_TOGETHER decks. bet[i] becomes whether the decks before deck i predicted it, and well. Decks are
 * compared by the high words of their keys. */
void sb_replay_add(struct sb_replay *replay, const struct sb_deck_key key[], size_t count, enum sb_replay_bet bet[]);

#define SB_REPLAY_LN_P (-13.815510557964274) /* ln 1e-6 */

/* Forgets which run was the longest. */
void sb_replay_forget(struct sb_replay *replay);

/* The longest run that came again, if a fair shuffle hardly has one as long: with probability exp(SB_REPLAY_LN_P). */
struct sb_replay_run sb_replay_longest(const struct sb_replay *replay, double ln_decks);

/* ---- a sample: a list of keys by the index of the deck; equal keys are counted at the end ---- */

enum { SB_REPEATS_GROUPED = 1024 }; /* the most items of sets and hands that are compared */

struct sb_repeats_sample;

/*
 * Makes a list for a sample of `total` deals of k out of n. Only the first deals of the sample are compared
 * with each other: at most SB_REPEATS_MOST, at 16 bytes each, and at most D^(3/4) / 2, where D is the number
 * of possible deals. This second limit keeps the law of the repeats close to Poisson's. Sets and hands are
 * decks of a multiset, of n <= SB_REPEATS_GROUPED; it is NULL for other deals, and borrowed. The caller frees the list;
 * freeing NULL is allowed. NULL if memory runs out.
 */
struct sb_repeats_sample *sb_repeats_sample_new(const struct sb_multiset *multiset, size_t n, size_t k, uint64_t total);
void sb_repeats_sample_free(struct sb_repeats_sample *repeats);

/* Whether the deal with index `first` in the sample is compared. */
bool sb_repeats_sample_wants(const struct sb_repeats_sample *repeats, uint64_t first);

/* Stores the keys of the deals items[count * k]. Their indexes in the sample are `first`, `first` + 1, and so
 * on. Several threads may call this function at the same time with different deals. */
void sb_repeats_sample_note(struct sb_repeats_sample *repeats, uint64_t first, const sb_item items[], size_t count);

/* Collects the keys of all MPI ranks at the root. Each deal must have been noted by exactly one rank. */
void sb_repeats_sample_meet(struct sb_repeats_sample *repeats, const struct sb_ranks *ranks);

/* After the last deal, stores the number of compared deals in `*decks`. Stores in `*count` how many of the
 * compared deals equal an earlier deal. Frees the keys. */
void sb_repeats_sample_count(struct sb_repeats_sample *repeats, size_t threads, uint64_t *decks, uint64_t *count);

/* A bettor that learns. The bettor predicts each card of each permutation from what came before. After each card, the
 * bettor's wealth is multiplied by (predicted probability of the card) x (number of cards that were left). If the
 * shuffle is fair and starts afresh each time, no prediction gains on average, so the wealth is an e-process. */

enum {
    SB_BETTOR_LEAST = 6,  /* the fewest items for which a bettor is worth its cost */
    SB_BETTOR_MOST = 128, /* the most items */
    /* the most decks that a bettor learns from; if it bets in rounds, the most in each round */
    SB_BETTOR_DECKS = 65535,
    /* number of decks in a round; a bettor learns from all decks of a round but the last */
    SB_BETTOR_ROUND = 65536,
    SB_BETTOR_CONTEXTS = 12,
    SB_BETTOR_PSEUDO = 3, /* number of pseudo-counts of each context */
    SB_BETTOR_WEALTHS = SB_BETTOR_CONTEXTS * SB_BETTOR_PSEUDO,
};

/* The bettor's wealths so far, one for each context and pseudo-count. Wealth i equals part[i] * 2^power[i].
 * Its context has the index i / SB_BETTOR_PSEUDO. */
struct sb_bettor_wealth {
    uint64_t decks;                 /* number of permutations on which the bettor has bet */
    double part[SB_BETTOR_WEALTHS]; /* in [0.5, 1) */
    int64_t power[SB_BETTOR_WEALTHS];
    uint64_t round; /* index of the current round, from 1; 0: there are no rounds */
    /* ln of the sum, over all earlier rounds, of share times final wealth; not used in round 1 */
    double ln_won;
};

struct sb_bettor;

/* The statistic's name in the bettor's tally. The registry does not list this name, because a bettor is not a
 * function of one permutation. */
extern const char sb_bettor_name[];

/* Whether `context`, which may be NULL, is what a bettor bases its bets on, and concerns single decks: the place in the
 * deck, or the previous cards. */
bool sb_bettor_single(const char *context);
/* The same for the last deck. */
bool sb_bettor_last(const char *context);

/* Whether there is a bettor for decks or deals of n items; `multiset` may be NULL. */
bool sb_bettor_can(const struct sb_multiset *multiset, size_t n);

/* Makes a bettor for deals of `deal` of 2 to SB_BETTOR_MOST items or, if `multiset` has groups, for sets and hands: it
 * must then outlive the bettor, and may be NULL otherwise. All wealths start at 1. The caller frees the bettor; freeing
 * NULL is allowed. SB_NO_MEMORY. */
enum sb_status sb_bettor_new(const struct sb_multiset *multiset, size_t n, size_t deal, struct sb_bettor **bettor);

/* Makes a new bettor bet in an unlimited number of rounds (tally/bettor.c). */
void sb_bettor_begin_rounds(struct sb_bettor *bettor);
void sb_bettor_free(struct sb_bettor *bettor);

/* Bets on valid permutations, items[count * n], and learns from them. Without rounds, ignores all
 * permutations after the first SB_BETTOR_DECKS. */
void sb_bettor_add(struct sb_bettor *bettor, const sb_item items[], size_t count);

/* Learns from permutations without betting on them. */
void sb_bettor_learn(struct sb_bettor *bettor, const sb_item items[], size_t count);

/* The bettor's tally, which has no cells. E of the tally is the average wealth or, if the bettor bets in
 * rounds, E of all rounds together. The bets of the tally are the wealths, and its context is that of the
 * largest wealth. The tally is valid until the next permutations are added. */
struct sb_tally sb_bettor_read(struct sb_bettor *bettor);

/* ---- for tests ---- */

extern const double sb_bettor_pseudo[SB_BETTOR_PSEUDO];

enum { SB_BETTOR_PAIR = 2 }; /* number of contexts with the same label that are computed together */

/* A deck, with its labels and keys in two contexts. */
struct sb_bettor_deck {
    size_t n, width;       /* `width`: number of counts in a row, a multiple of 16; the counts from index n on are 0 */
    const double *inverse; /* 1 / (number of cards left) at each turn; 0 from index n on */
    int16_t turn[SB_BETTOR_MOST];   /* [width] for each label, the turn at which its card is dealt; 0 from index n on */
    uint16_t label[SB_BETTOR_MOST]; /* [n] label of the card at each turn */
    uint16_t
        *row[SB_BETTOR_PAIR][SB_BETTOR_MOST]; /* [n] for each card, the row of counts of the card's key; borrowed */
};

/* Multiplies the wealths of both contexts by the factors of this deck, and adds the deck to the counts. Wealth i, i < 2
 * * SB_BETTOR_PSEUDO, is part[i] * 2^power[i]. */
void sb_bettor_play(const struct sb_bettor_deck *deck, double part[], int64_t power[]);

/* Sets all wealths of a round to 1. */
void sb_bettor_stakes(struct sb_bettor_wealth *wealth);

/* Returns ln of the average wealth. Fills in ln_wealth[SB_BETTOR_WEALTHS], and sets *best to the index of the
 * largest wealth. */
double sb_bettor_average(const struct sb_bettor_wealth *wealth, double ln_wealth[], size_t *best);

/* Of bets in rounds: what ln_won becomes at the end of a round, and ln E of all rounds together. `ln_e` is ln E of this
 * round alone. */
double sb_rounds_ln_won(uint64_t round, double ln_won, double ln_e);
double sb_rounds_ln_e(uint64_t round, double ln_won, double ln_e);

/* Starts the next round. `ln_e` is ln of the average wealth at the end of the current round. */
void sb_bettor_round_next(double ln_e, struct sb_bettor_wealth *wealth);

/* An upper bound on the rounding error of ln E of a bettor on n items, where `ln_e` is ln E of all rounds together. */
double sb_bettor_error(const struct sb_bettor_wealth *wealth, size_t n, double ln_e);

/* ---- */

/* The wealths; borrowed. */
const struct sb_bettor_wealth *sb_bettor_wealth(const struct sb_bettor *bettor);
/* Sets the wealths of a bettor that resumes. The bettor keeps what it has learnt. */
void sb_bettor_resume(struct sb_bettor *bettor, const struct sb_bettor_wealth *wealth);

/*
 * The e-process of a catalogue is a weighted average of likelihood ratios. The average is over known faulty
 * shuffles and a fair shuffle. Each ratio compares the shuffle's exact law with the law of a fair shuffle.
 *
 * A candidate is the law of one faulty shuffle. Its likelihood ratio is a product over cells of one kind:
 * ranks of permutations; draws that lead to a deck in one view (enum sb_deck_view); numbers of rising sequences or
 * of descents; or rotations. The worth of a cell is ln(p/q), where p is the cell's probability under the
 * candidate, and q its probability under a fair shuffle. So ln of the candidate's likelihood ratio is the sum
 * over all cells of count times worth. Worths are rounded down to multiples of 2^-32, so that sums do not
 * depend on the order of their terms, and E is at most the true E.
 */

enum { SB_DECK_DRAWS_MOST = 256 }; /* the most items */

/*
 * The eight ways in which a program may write down the loop's deck B: B or its inverse, each of them with the positions
 * reversed, the items reversed, both or neither. These eight ways are the symmetries of the permutation matrix. Let w
 * be the reversal of n items. The first four views are B plain, inverted, reversed, and inverted and reversed; a
 * catalogue has names for these four views. The last four views are the same views of w B w. Fisher-Yates from the
 * front produces the deck w B w if each of its draws is n-1-d instead of d.
 */
enum sb_deck_view {
    SB_VIEW_PLAIN,
    SB_VIEW_INVERTED,
    SB_VIEW_REVERSED,          /* the deck is B read from its end */
    SB_VIEW_INVERTED_REVERSED, /* the deck is B's inverse read from its end */
    SB_VIEW_FORWARD,           /* SB_VIEW_FORWARD + one of the above: that view of w B w instead of B */
    SB_VIEWS = 8,
};

/* The number of pairs (i, d) with 1 <= i < n and 0 <= d <= i. */
static inline size_t sb_deck_draws_cells(size_t n)
{
    return (n - 1) * (n + 2) / 2;
}

/* The index of the pair (i, d) among the pairs with 1 <= i < n and 0 <= d <= i. */
static inline size_t sb_deck_draws_cell(size_t i, size_t d)
{
    return (i - 1) * (i + 2) / 2 + d;
}

/* Finds, for each view, the draws d[i] with which the loop "for i = n-1 .. 1 swap b[i] with b[d[i]]" produces a deck
 * that is a[0..n-1] in this view, and adds 1 to the view's count of each pair (i, d[i]). place[] is the inverse of a[].
 * A view may have no counts; spare[], of as many cells, is scratch. 2 <= n <= SB_DECK_DRAWS_MOST. */
void sb_deck_draws_count(size_t n, const sb_item a[], const sb_item place[], uint32_t *const count[SB_VIEWS],
                         uint32_t spare[]);

#define SB_WORTH_UNIT 0x1p-32
#define SB_WORTH_IMPOSSIBLE INT64_MIN /* worth of a cell that the candidate never has */

enum {
    SB_CATALOGUE_RANKED = 6,                 /* the most items if the cells are ranks */
    SB_CATALOGUE_ITEMS = SB_DECK_DRAWS_MOST, /* the most items otherwise */
    /* the most decks that are tallied, unless decks are counted by rank */
    SB_CATALOGUE_DECKS = 1 << 18,
    SB_COUNTS_RISES = SB_VIEWS, /* number of rising sequences of the deck, minus 1: n cells */
    SB_COUNTS_DESCENTS,         /* number of descents of the deck: n cells */
    /* a[j] = j + k mod n: cell k; a[j] = k - j mod n: cell n + k; other decks: cell 2n */
    SB_COUNTS_ROTATIONS,
    SB_COUNTS_RANKS,     /* rank of the permutation: n! cells */
    SB_CATALOGUE_COUNTS, /* number of kinds of cells */
};

struct sb_candidate {
    char *name;        /* such as "naive" or "naive, inverted"; owned */
    char *scheme;      /* the scheme alone, such as "naive"; owned */
    char **equivalent; /* [equivalents] names of other shuffles with the same law; owned */
    size_t equivalents;
    double weight;        /* weight in the average, relative to the other candidates */
    size_t of;            /* kind of cells: a view, or one of SB_COUNTS_... */
    const int64_t *worth; /* [cells of that kind]; the catalogue owns it */
    /* sum of the worths so far, or SB_WORTH_IMPOSSIBLE; not used if the cells are ranks */
    int64_t sum;
    /* ln of the likelihood ratio at the last sb_catalogue_read(); -HUGE_VAL if the candidate cannot have
     * dealt these permutations */
    double ln_e;
};

struct sb_catalogue {
    size_t n;
    size_t count, room;
    struct sb_candidate *candidate; /* [room] only the first `count` are used; owned */
    size_t tables;
    int64_t **table; /* [tables] tables of worths; owned */
    /* number of tallied decks, at most SB_CATALOGUE_DECKS; 0 if decks are counted by rank */
    uint64_t decks;
    /* for each kind of cells, counts of the decks since the last sb_catalogue_read(); owned; NULL: this kind
     * is not needed */
    uint32_t *counts[SB_CATALOGUE_COUNTS];
    uint32_t *touched; /* scratch: the cells of one kind with nonzero counts; owned */
    double ln_e;       /* ln of the average at the last sb_catalogue_read() */
    double ln_e_error; /* an upper bound on the error of ln_e */
};

/* The number of cells of a kind. */
size_t sb_catalogue_cells(size_t n, size_t of);

/* Makes an empty catalogue, which the caller frees. NULL if memory runs out. Freeing NULL is allowed. */
struct sb_catalogue *sb_catalogue_new(size_t n);
void sb_catalogue_free(struct sb_catalogue *catalogue);

/* Adds a table of worths, and returns the table. ln_ratio[] has ln(p/q) of each cell, or -HUGE_VAL if p is 0.
 * NULL if memory runs out. */
const int64_t *sb_catalogue_table(struct sb_catalogue *catalogue, const double ln_ratio[], size_t cells);

/* Adds a candidate with these values; `worth` is one of the catalogue's tables. Copies the texts. SB_NO_MEMORY. */
enum sb_status sb_catalogue_candidate(struct sb_catalogue *catalogue, const char *scheme, const char *name,
                                      double weight, size_t of, const int64_t *worth);

/* Adds another shuffle with the same law to the candidate's equivalents. SB_NO_MEMORY. */
enum sb_status sb_catalogue_also(struct sb_candidate *candidate, const char *name);

/* Tallies valid decks, items[count * n], for all candidates whose cells are not ranks. */
void sb_catalogue_add(struct sb_catalogue *catalogue, const sb_item items[], size_t count);

/* Updates ln_e of the candidates and of the average; `rank` is the tally of the rank, or NULL. */
void sb_catalogue_read(struct sb_catalogue *catalogue, const struct sb_tally *rank);

/* The catalogue's tally after sb_catalogue_read(), for a gate that has tallied `total` permutations. */
struct sb_tally sb_catalogue_tally(const struct sb_catalogue *catalogue, uint64_t total);

/* Whether the cells of all candidates are ranks. */
bool sb_catalogue_by_rank(const struct sb_catalogue *catalogue);

/* A hash of the names of the candidates, in order. */
uint64_t sb_catalogue_hash(const struct sb_catalogue *catalogue);

/* ---- outliers.c: single decks, and steps between decks, that hardly ever come from a fair shuffle ---- */

#define SB_OUTLIER_SUM_MOST (INT64_C(1) << 61) /* the largest size of ln of a product, in SB_WORTH_UNIT */

enum sb_tail { SB_TAIL_LOW, SB_TAIL_HIGH, SB_TAILS };

enum {
    SB_OUTLIER_EPS = 4,                          /* number of shares eps of faulty decks */
    SB_OUTLIER_SUMS = SB_TAILS * SB_OUTLIER_EPS, /* number of products of a statistic: eps by eps for each tail */
    SB_OUTLIER_RUNS = 4,                         /* rising and falling, at the start and at the end */
    SB_OUTLIERS_LEAST = 8,                       /* the fewest items whose statistics have unlikely values */
    SB_OUTLIERS_MOST = 64,                       /* the most statistics of a family */
};

/* The tails of a statistic, and what each value is worth. */
struct sb_outlier_law {
    size_t cells, low;   /* cell c holds the value low + c */
    bool below, above;   /* whether the first cell also holds all smaller values, and the last all larger ones */
    bool used[SB_TAILS]; /* the tails that take part */
    double *ln_tail;     /* [SB_TAILS * cells] ln of the probability of a value as small, and as large; owned */
    double *least;       /* [cells] the smaller one of the tails that take part; owned */
    int64_t *worth;      /* [cells * SB_OUTLIER_SUMS] in SB_WORTH_UNIT; owned */
};

/* ln_p[cells] is the law. SB_NO_MEMORY. Freeing NULL is allowed. */
enum sb_status sb_outlier_law_new(const double ln_p[], size_t cells, size_t low, struct sb_outlier_law **law);
void sb_outlier_law_free(struct sb_outlier_law *law);

/* The worth of a value whose tail has this logarithm, for eps = 10^-(eps + 1). */
int64_t sb_outlier_worth(double ln_tail, size_t eps);

/* One statistic of decks or steps. */
struct sb_outlier {
    const char *statistic, *title; /* static */
    size_t lag;                    /* 0: of decks; L: of the steps from the deck L before */
    size_t deal;
    struct sb_outlier_law *law; /* owned, unless forked */
    bool forked;
    uint64_t *fresh, *seen; /* [cells] how often each value occurred since the last read, and before; `fresh` owned */
    int64_t sum[SB_OUTLIER_SUMS]; /* ln of the products at the last read, in SB_WORTH_UNIT */
    /* the first of the least likely decks: ln of its tail, its number from 1, its cell and its items, [deal], owned; no
     * deck: the number is 0 */
    double least;
    uint64_t number;
    uint32_t cell;
    sb_item *items;
    uint64_t before; /* how many such decks earlier evidence has */
};

/* Makes a statistic of deals of `deal` items. *outlier is NULL if no tail takes part, or if there are too many cells.
 * A fork borrows the law. SB_NO_MEMORY. Freeing NULL is allowed. */
enum sb_status sb_outlier_new(const char *statistic, const char *title, const double ln_p[], size_t cells, size_t low,
                              size_t deal, struct sb_outlier **outlier);
enum sb_status sb_outlier_fork(const struct sb_outlier *of, struct sb_outlier **outlier);
void sb_outlier_free(struct sb_outlier *outlier);

/* Keeps a deck that is less likely than all before. */
void sb_outlier_keep(struct sb_outlier *outlier, uint32_t cell, uint64_t number, const sb_item items[]);

/* Counts the deck with this number. */
static inline void sb_outlier_note(struct sb_outlier *outlier, uint32_t cell, uint64_t number, const sb_item items[])
{
    outlier->fresh[cell]++;
    if (outlier->law->least[cell] < outlier->least)
        sb_outlier_keep(outlier, cell, number, items);
}

/* The tail of the least likely deck, and how many decks are so far out in this tail that a fair deck is with a
 * probability of 10^-9 at most. */
enum sb_tail sb_outlier_tail(const struct sb_outlier *outlier);
uint64_t sb_outlier_alike(const struct sb_outlier *outlier);

/* A family of statistics, whose E is the average of all products. */
struct sb_outliers {
    size_t count;
    struct sb_outlier *of[SB_OUTLIERS_MOST]; /* [count] borrowed */
    struct sb_outlier *run[SB_OUTLIER_RUNS]; /* owned; NULL: none */
    double ln_e, ln_e_error;                 /* at the last read */
    /* as in sb_bettor_wealth: index of the current round of SB_BETTOR_ROUND decks, and what earlier rounds have won */
    uint64_t round;
    double ln_won;
    size_t bets;
    double *ln_bet; /* [bets] with rounds, ln of each product at the last read; owned */
};

extern const double sb_outlier_share; /* share of alpha of a family */

/* The names of both families. The registry does not list them. */
extern const char sb_outliers_decks[], sb_outliers_steps[];

/* Makes an empty family or, if `runs` is set, one with the runs at the ends of deals. SB_NO_MEMORY. */
enum sb_status sb_outliers_new(size_t deal, bool runs, struct sb_outliers **outliers);
void sb_outliers_free(struct sb_outliers *outliers);

/* Adds a statistic, which must outlive the family; NULL is ignored. */
void sb_outliers_join(struct sb_outliers *outliers, struct sb_outlier *outlier);

/* Counts the runs of decks, the first of which has this number. */
void sb_outliers_add(struct sb_outliers *outliers, uint64_t number, const sb_item items[], size_t count);

/* Makes the products start anew in each of an unlimited number of rounds, like a bettor. SB_NO_MEMORY. */
enum sb_status sb_outliers_begin_rounds(struct sb_outliers *outliers);

/* Starts the next round; forgets the least likely decks. NULL is ignored. */
void sb_outliers_round_next(struct sb_outliers *outliers);
void sb_outliers_forget(struct sb_outliers *outliers);

void sb_outliers_read(struct sb_outliers *outliers);
struct sb_tally sb_outliers_tally(const struct sb_outliers *outliers, const char *name, uint64_t total);

/* ln p of the least likely deck: times the number of decks, statistics and tails that were looked at. */
double sb_outliers_ln_p(const struct sb_outliers *outliers);

/* The statistic with the least likely deck; NULL: none. `outliers` may be NULL. */
const struct sb_outlier *sb_outliers_worst(const struct sb_outliers *outliers);

/* A hash of the statistics, in order. */
uint64_t sb_outliers_hash(const struct sb_outliers *outliers);

/* ---- weigher.c: bets on the next items of a shuffle with weights ---- */

struct sb_weigher;
struct sb_fair;

/* Makes a weigher for a law for which sb_fair_bets() holds, or that has weights; it borrows the law. The caller frees
 * the weigher; freeing NULL is allowed. SB_NO_MEMORY. */
enum sb_status sb_weigher_new(const struct sb_fair *fair, struct sb_weigher **weigher);
void sb_weigher_free(struct sb_weigher *weigher);

/* Bets on whole permutations. */
void sb_weigher_add(struct sb_weigher *weigher, const sb_item items[], size_t count);

/* Returns the tally of the weigher, a test without cells. Its context says what the best bet is. The weigher owns what
 * the tally borrows, which is valid until the next call. */
struct sb_tally sb_weigher_read(struct sb_weigher *weigher);

/* The bettor's bets on sets and hands: weigher.c. */

struct sb_group_bets;

/* Whether the multiset has few enough items and groups for bets. */
bool sb_group_bets_can(const struct sb_multiset *multiset);

/* Makes bets on decks of groups; `multiset` must outlive them. The caller frees them; freeing NULL is allowed. NULL if
 * memory runs out. */
struct sb_group_bets *sb_group_bets_new(const struct sb_multiset *multiset);
void sb_group_bets_free(struct sb_group_bets *bets);

/* Forgets what was learnt. */
void sb_group_bets_forget(struct sb_group_bets *bets);

/* Bets on a valid deck, and learns from it: multiplies the wealths part[SB_BETTOR_WEALTHS] 2^power[]. */
void sb_group_bets_add(struct sb_group_bets *bets, const sb_item deck[], double part[], int64_t power[]);

/* The name of a context, and how many lines it looks back. */
const char *sb_group_bets_name(size_t context);
size_t sb_group_bets_ago(size_t context);

/* What a deck adds to the rounding error of ln of each wealth, in units of 2^-53. */
double sb_group_bets_error(const struct sb_group_bets *bets);

#endif
