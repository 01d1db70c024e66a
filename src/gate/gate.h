/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gate: its findings, and how tallies become a verdict. */
#ifndef SB_GATE_GATE_H
#define SB_GATE_GATE_H

#include "core/evidence.h"

/*
 * The gate's findings on one subject, and on a suite of several subjects. A number that does not exist is
 * NaN.
 */

enum sb_verdict {
    SB_VERDICT_INCONCLUSIVE,
    SB_VERDICT_PASS,
    SB_VERDICT_FAIL,
    SB_VERDICT_BROKEN, /* the subject violated the protocol: there are no findings */
};

/* The promises that a verdict makes. */
struct sb_gate_terms {
    double alpha;   /* highest probability that a fair shuffle ever fails, in [1e-100, 1) */
    double delta;   /* highest probability that a shuffle as biased as `exclude` passes, in [1e-100, 1) */
    double exclude; /* total variation that a pass rules out, in (0, 1) */
    /* largest total variation that the gate tolerates; at most `exclude`; 0: no bias is tolerated */
    double tolerate;
    uint64_t limit; /* the most permutations to count; at least 1 */
    /* a pass rules out a shuffle with fewer equally likely decks than this; 0: a pass need not rule out such
     * a shuffle */
    uint64_t seeds;
};

struct sb_e_table;

/* One tested member of one statistic. */
struct sb_gate_line {
    const char *statistic; /* such as "rank" or "position"; static */
    /* `member`: index in the statistic's family, from 0; for "position", the index of the item. `members`:
     * size of the family */
    size_t member, members;
    size_t cells;    /* number of cells; 0: the line tests the whole stream, and has no bounds */
    size_t possible; /* number of cells that can occur; 0: all */
    /* the line's share of alpha; at the end of the run, tv_high uses the same share of delta; the weights of
     * all lines add up to 1 */
    double weight;
    double ln_e;       /* ln of the line's e-process; infinite once an impossible cell has a count */
    double ln_e_error; /* an upper bound on the rounding error of ln_e */
    /* bounds on the member's total variation from the null law, valid at all times */
    double tv_low, tv_high;
    bool rejected; /* the gate names this line after a fail; see gate/budget.c */
    /* kind of thing that each member stands for, such as "position"; NULL: an item; static */
    const char *each;
    /* 0: the line tests the permutations; else the line tests the steps from each permutation to the
     * permutation `lag` later */
    size_t lag;
    bool outliers;   /* looks for single unlikely permutations or steps, and has no bounds */
    bool dependence; /* tests whether permutations depend on each other, and has no bounds */
    double tv_seen;  /* observed total variation at the end, without a confidence level; NaN: not computed */
    double tv_fair;  /* average of tv_seen for the same number of fair deals */
    /* what a bettor based its best predictions on; NULL: not a bettor's line; static */
    const char *context;
    bool merged; /* some cells are groups of values, and the bounds are on the law of these groups */
    bool even;   /* all cells are equally likely, and a pass comes sooner (fit/tv_sets.c) */
};

/* A cell that occurred too often or too rarely. The struct only describes the counts; it has no confidence
 * level. */
struct sb_gate_cell {
    size_t line; /* index of the cell's line */
    /* Index of the cell in its line. The cell stands for a rank, a position or, if merged, a range of
     * values. */
    size_t cell;
    uint64_t count;
    double expected; /* under the null law */
    double z;        /* (count - expected) / (standard deviation of the count under the null law) */
    /* A label to show in messages: "231", "item 3 at position 1", "how many cycles there are: 1". */
    char where[SB_NOTATION_ROOM + 128];
};

/* The evidence at one look. */
struct sb_gate_point {
    uint64_t total;         /* permutations counted so far */
    double ln_e;            /* ln of the weighted average of the lines' E */
    double tv_low, tv_high; /* the bounds that decide the verdict */
};

/* The run's part of the error budget, which the runs on one ledger divide among them. If there is no ledger,
 * all fields but `carried` are zero. */
struct sb_gate_budget {
    char *ledger; /* the ledger's file; owned */
    /* `run`: index of this run on the ledger; `share`: index of this run's part of alpha and delta (see
     * sb_gate_share()); both indexes start at 1 */
    uint64_t run, share;
    double alpha, delta; /* error probabilities of all runs together */
    uint64_t carried; /* number of permutations of earlier runs, to which this run adds; sb_gate.total includes them */
    uint64_t decks;   /* number of decks of earlier runs that this run's decks are compared with */
};

enum { SB_GATE_CELLS_MOST = 12 }; /* the largest number of listed cells */

/* What the order of the permutations has to do with a fail. */
enum sb_gate_order {
    SB_ORDER_UNKNOWN,
    SB_ORDER_CHAIN, /* each is a shuffle of the one before, as if the shuffle never started anew */
    SB_ORDER_SAME,  /* many are the same as the one before */
    SB_ORDER_ANY,   /* nothing: in another order, they fail as well */
};

/* The gate's findings on one subject. Also the opaque handle of shufflebias.h. */
struct sb_gate {
    char *name;       /* name of the subject: a scheme, a command line, a file; owned */
    char *title;      /* what the caller calls the run; owned; NULL: nothing */
    const char *kind; /* "scheme", "command", "file" or "callback"; static */
    size_t n, deal;
    struct sb_item_names *names; /* what the items are called; owned; NULL: numbers from 1 */
    char *fair;                  /* the intended law in words; owned; NULL: all orders are equally likely */
    char *context;               /* what the bets on weights are based on; owned; NULL: no such bets */
    uint64_t seed;               /* seed of a scheme's generator */
    bool chained;                /* each permutation is a shuffle of the previous one, and the gate tested increments */
    char *command;               /* the command line that makes the page again; owned */
    struct sb_gate_terms terms;  /* `limit` is the limit of this run */
    struct sb_gate_budget budget;

    uint64_t total;     /* permutations counted */
    uint64_t uncounted; /* permutations read only to recognise a repeated run: study/run/run.h */
    enum sb_verdict verdict;
    /* ln of the weighted average of the lines' E. For a fair shuffle, the probability that this average ever
     * reaches 1/alpha is at most alpha. */
    double ln_e;
    /* `tv_low` is the largest tv_low of all lines. `tv_high` is the bound that decides a pass: if the rank is
     * tested, the upper bound of the rank, else the largest upper bound of all lines. */
    double tv_low, tv_high;
    /* among the lines that decide a pass, the line with the largest excess of tv_seen over tv_fair; NULL:
     * none of these lines has both numbers */
    const struct sb_gate_line *telling;
    bool whole;                  /* the rank is tested, so the bounds are on the whole law */
    bool watched;                /* the gate compared whole decks */
    uint64_t repeats;            /* number of compared decks that equal an earlier one */
    struct sb_replay_run replay; /* of decks of this run, unless a fair shuffle has such a run; length 0: none */
    /* the evidence rules out a shuffle with fewer equally likely decks than this; 0: rules out nothing */
    double seeds_low;
    /* number of permutations after which seeds_low reaches terms.seeds, if no deck repeats; 0: terms.seeds is
     * 0 */
    double seeds_total;
    bool merged; /* some line has merged cells; if `whole` is set, no claim depends on merged cells */
    /* the gate judged the evidence of a report, in one look; evidence.part names the report's shards */
    bool reported;
    /* no line is rejected by itself, but at least one of the lines marked `rejected` deviates */
    bool jointly;
    enum sb_gate_order order; /* after a fail: whether it is due to the order of the permutations */
    double report_ln_p; /* if inconclusive and below 0: ln p of a report on these permutations, which shows a bias */
    /* after a fail: how many of the compared permutations equal an earlier one, if a fair shuffle hardly ever has so
     * many, else 0; and how many a fair shuffle has on average */
    uint64_t again;
    double again_fair;
    /* Of deals of one item that depend on earlier lines: in how many lines the item is one of the last `within` lines,
     * and the mean of this number by chance, given those lines. within = 0: not known. */
    size_t within;
    uint64_t within_again;
    double within_fair;
    uint64_t same, compared; /* after a fail: how many of the compared permutations equal the one before */
    /* if inconclusive, about how many more permutations a verdict needs; NaN if no number leads to one, or else */
    double needed;

    size_t left_out_count;
    /* [left_out_count] the statistics that are not tested. If `reported` is set, these are the statistics
     * that the report lacks; else the statistics that the gate leaves out at this n. The array is owned, the
     * names are static. */
    const char **left_out;
    size_t lines_count;
    struct sb_gate_line *line; /* [lines_count], family by family; owned */
    size_t cells_count;
    /* The most deviant cells, by falling |z|. Empty unless the verdict is a fail. */
    struct sb_gate_cell cell[SB_GATE_CELLS_MOST];
    size_t points_count, points_room;
    struct sb_gate_point *point; /* [points_count] one point per look; owned */

    struct sb_evidence evidence;     /* a sample: the matrix, and the counts by rank if they were kept */
    struct sb_odd outlier;           /* after a fail that only outliers explain */
    struct sb_looks_like looks_like; /* after a fail: the faulty shuffle that the permutations look like */
    char *sentence;                  /* the verdict in a line; owned */
    char *details;                   /* what it covers or what may be the cause, and how often it errs: lines; owned */
    bool interrupted;
    /* a cache for the e-processes (fit/sequential.h); all looks share this cache; owned; NULL
     * before the first look */
    struct sb_e_table *table;
};

/* One subject of a suite. */
struct sb_suite_item {
    char *name;            /* name of the subject in the suite; owned */
    struct sb_gate *gate;  /* owned; NULL: there are no findings */
    struct sb_error error; /* why there are no findings */
    double alpha;          /* its share of alpha if it has no findings and no ledger; else 0 */
};

/* The gate's findings on several subjects. Also the opaque handle of shufflebias.h. */
struct sb_suite {
    size_t count;
    struct sb_suite_item *item; /* [count], in the given order; owned */
};

/* Returns what to call the gate on a page: its title, or else the name of its subject. */
const char *sb_gate_title(const struct sb_gate *gate);

/* The verdict on a subject; broken if there are no findings. */
enum sb_verdict sb_suite_item_verdict(const struct sb_suite_item *item);
/* The worst verdict of the suite's subjects. From worst to best: broken, fail, inconclusive, pass. */
enum sb_verdict sb_suite_verdict(const struct sb_suite *suite);

/* The highest probability that at least one subject fails if all are fair: the sum of the subjects' shares of
 * alpha, also of those without findings, unless a ledger would have given the share. NaN: no subject has
 * findings. */
double sb_suite_alpha(const struct sb_suite *suite);

/* Whether the stop flag ended a subject early, or prevented its start. */
bool sb_suite_interrupted(const struct sb_suite *suite);

/*
 * Turns tallies into a verdict that is valid at any time: the error budget, the schedule of looks,
 * e-processes, bounds on total variation, and the rejection of statistics. The gate sees a statistic only as
 * a tally and its null law; it knows no shuffle.
 */

/*
 * Returns the number of permutations at the next look after the look at `total` permutations. This number
 * exceeds `total` by 2%, rounded down, but at least by 1. The next look depends only on `total`, so a stream
 * has the same verdict everywhere. This function takes account of neither the limit nor the last look at the
 * end of a stream.
 */
uint64_t sb_gate_next_look(uint64_t total);

/* The part of `level` that the test with the index `share` may spend. Indexes start at 1, and the parts of
 * all tests add up to `level`. */
double sb_gate_share(double level, uint64_t share);

/*
 * Whether `cells` equally likely cells are few enough for a fair subject to pass within the limit. If so,
 * the gate tests the rank.
 */
bool sb_gate_reaches(const struct sb_gate_terms *terms, size_t cells);

/*
 * Makes the lines for these statistics, sets the weights of the lines, and copies the terms. All other
 * findings are still empty. Only the shapes of the tallies matter. The statistic named "rank" has a special
 * role: tally[] must contain this statistic only if the rank is tested. SB_NO_MEMORY.
 */
enum sb_status sb_gate_open(const struct sb_gate_terms *terms, const struct sb_tally tally[], size_t count,
                            struct sb_gate *gate);

/* Frees everything that the gate owns; closing a gate twice, or closing a struct of zeroes, is allowed. */
void sb_gate_close(struct sb_gate *gate);

/* Restores the looks of an earlier gate on the same statistics and terms. SB_NO_MEMORY. */
enum sb_status sb_gate_restore(const struct sb_gate_point point[], size_t count, struct sb_gate *gate);

/*
 * Looks at the tallies so far. The statistics must be the same as in sb_gate_open(). Fills in the lines, the
 * bounds and the verdict, and adds a point. Does not change the bounds of lines that do not decide the
 * verdict. SB_NO_MEMORY.
 */
enum sb_status sb_gate_look(const struct sb_tally tally[], size_t count, struct sb_gate *gate);

/* ln of the weighted average of E, less its rounding error; and whether E has reached 1/alpha for certain. */
double sb_gate_certain_ln_e(const struct sb_gate *gate);
bool sb_gate_shows_bias(const struct sb_gate *gate);

/* Whether E reaches 1/alpha only with the lines that look for outliers. */
bool sb_gate_shows_only_outliers(const struct sb_gate *gate);

/* Whether a single line of the lags has reached 1/alpha for certain. Then permutations depend on each other, and the
 * upper bounds on total variation do not hold. Only a run that tolerates a bias goes on after that. */
bool sb_gate_shows_dependence(const struct sb_gate *gate);

/* Returns the rejected line with the most evidence if all rejected lines test for dependence between
 * permutations, else NULL. A rejected bettor and outliers are ignored, because a dependence may show in them, too. */
const struct sb_gate_line *sb_gate_dependence(const struct sb_gate *gate);

/*
 * Completes the findings from the counts of the last look: fills in the bounds of all lines. After a fail,
 * marks the rejected lines and lists their most deviant cells. If the verdict is inconclusive, estimates how
 * many more permutations are needed. SB_NO_MEMORY.
 */
enum sb_status sb_gate_sum_up(const struct sb_tally tally[], size_t count, struct sb_gate *gate);

/* Functions that the files of this folder share. */

/* Whether this is the tally of the rank, which bounds the whole law. */
bool sb_gate_is_rank(const struct sb_tally *tally);

/* The share of alpha and delta of each member of tally[at]. */
double sb_gate_weight(const struct sb_tally tally[], size_t count, size_t at);

/* ln(1/(weight level)): the threshold that ln E of a line with this weight must reach at this level. */
double sb_gate_ln_level(double weight, double level);

/* ---- budget.c ---- */

/* ln of the weighted average of E. Of each line's ln E, `errors` times its rounding error is subtracted. */
double sb_gate_ln_average(const struct sb_gate *gate, double errors);

/* Whether some line's lower bound exceeds the tolerated bias, for certain. */
bool sb_gate_exceeds(const struct sb_gate *gate);

/* Whether the upper bound that decides is below `exclude`, and fewer decks than `seeds` are ruled out, for
 * certain. */
bool sb_gate_excludes(const struct sb_gate *gate);

/* About how many deals of a fair subject bring this line's upper bound below `exclude`; infinite if no number does. */
double sb_gate_deals_needed(const struct sb_gate_terms *terms, const struct sb_gate_line *line);

/* After a fail, marks the rejected lines. */
void sb_gate_reject(struct sb_gate *gate);
/* After sb_gate_reject(), lists the most deviant cells. */
void sb_gate_list_cells(const struct sb_tally tally[], size_t count, struct sb_gate *gate);

#endif
