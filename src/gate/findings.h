/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate's findings on a subject, or on several, which form a suite. A number that does not exist is NaN.
 */
#ifndef SB_GATE_FINDINGS_H
#define SB_GATE_FINDINGS_H

#include "core/evidence.h"
#include "core/looks_like.h"

enum sb_verdict {
    SB_VERDICT_INCONCLUSIVE,
    SB_VERDICT_PASS,
    SB_VERDICT_FAIL,
    SB_VERDICT_BROKEN, /* the subject violated the protocol: there are no findings */
};

/* The promises that a verdict makes. */
struct sb_gate_terms {
    double alpha;    /* highest probability that a fair shuffle ever fails, in [1e-100, 1) */
    double delta;    /* highest probability that a shuffle as biased as `exclude` passes, likewise */
    double exclude;  /* total variation that a pass rules out, in (0, 1) */
    double tolerate; /* total variation that is no failure, at most `exclude`; 0: none */
    uint64_t limit;  /* the most permutations to count; at least 1 */
    uint64_t seeds;  /* a pass rules out fewer equally likely decks than this; 0: not required */
};

/* One tested member of one statistic. */
struct sb_gate_line {
    const char *statistic; /* "rank", "position"; static */
    size_t member,
        members;   /* index in the family, from 0 (the item, for "position"), and the size of the family */
    size_t cells;  /* 0: a test of the stream, which has no bounds */
    double weight; /* its share of alpha and, in the table, of delta; the weights of all lines add up to 1 */
    double ln_e;   /* of its e-process; infinite once an impossible cell has a count */
    double tv_low, tv_high; /* bounds of the total variation from its null law, valid at all times */
    bool rejected;          /* named by closed testing */
    const char *each;       /* what each member belongs to: "position"; NULL: an item; static */
    size_t lag;             /* 0: of permutations; L: of the steps from each to the one L after it */
    bool dependence;        /* tests whether permutations depend on each other, and has no bounds */
    double tv_seen;         /* observed total variation at the end, without a confidence level; or NaN */
    double tv_fair;         /* the average for the same number of fair deals */
    const char *context;    /* what a bettor's predictions went by; NULL: no bettor; static */
    bool merged; /* some of its cells are groups of values, and its bounds are on the law of the groups */
};

/* A cell that occurred too often or too rarely: a description, without a confidence level. */
struct sb_gate_cell {
    size_t line; /* index of its line */
    /* Index in the line, whose cells may be merged: a rank, a position, a range of cycle numbers. */
    size_t cell;
    uint64_t count;
    double expected; /* under the null law */
    double z;        /* (count - expected) / its standard deviation under the null law */
    /* A label for people: "231", "item 3 at position 1", "how many cycles there are: 1". */
    char where[SB_NOTATION_ROOM + 128];
};

/* The evidence at one look. */
struct sb_gate_point {
    uint64_t total;         /* permutations counted so far */
    double ln_e;            /* of the weighted average */
    double tv_low, tv_high; /* the bounds that decide the verdict */
};

/* The run's share of the budget that all runs on one ledger share. All zero: no ledger. */
struct sb_gate_budget {
    char *ledger;        /* the ledger's file; owned */
    char *key;           /* the key whose evidence the run continues; owned; NULL: none */
    uint64_t run, share; /* from 1; `share` determines the alpha and delta of the terms */
    double alpha, delta; /* of all runs together */
    uint64_t carried;    /* permutations of earlier runs, which the total includes */
    uint64_t decks;      /* number of earlier runs' decks that this run's decks are compared with */
};

enum { SB_GATE_CELLS_MOST = 12 }; /* deviating cells listed */

/* The gate's findings on one subject. Also the opaque handle of shufflebias.h. */
struct sb_gate {
    char *name;       /* of the subject: a scheme, a command line, a file; owned */
    const char *kind; /* "scheme", "command", "file" or "callback"; static */
    size_t n, deal;
    uint64_t seed; /* of a scheme's generator */
    bool chained;  /* each permutation is a shuffle of the previous one, and the gate tested increments */
    struct sb_gate_terms terms; /* the limit is this run's */
    struct sb_gate_budget budget;

    uint64_t total;     /* permutations counted */
    uint64_t uncounted; /* more permutations, which only served to recognise runs: study/run/recognise.h */
    enum sb_verdict verdict;
    double ln_e; /* of the weighted average; of a fair shuffle, it ever reaches ln(1/alpha) with probability
                    at most alpha */
    /* The largest tv_low of all lines; and the tv_high that decides a pass: that of the rank if the rank is
     * tested, else the largest of all lines. */
    double tv_low, tv_high;
    /* Of the lines that decide a pass, the one whose tv_seen exceeds its tv_fair most; NULL: none has both. */
    const struct sb_gate_line *telling;
    bool whole;         /* the rank is tested: the bounds are on the whole law */
    bool watched;       /* the gate compared whole decks, ... */
    uint64_t repeats;   /* ... and this many equal an earlier one */
    double seeds_low;   /* the evidence rules out fewer equally likely decks than this; 0: nothing */
    double seeds_total; /* permutations needed in total to rule out terms.seeds; 0: not required */
    bool merged;        /* some line has merged cells; with `whole`, no claim depends on them */
    bool reported;      /* the evidence was a report's, judged once; evidence.part names its shards */
    bool jointly;       /* no single line is rejected: at least one of the marked lines deviates */
    double needed;      /* inconclusive: about how many more permutations a verdict needs; else NaN */

    size_t left_out_count;
    /* [left_out_count] the statistics that the report lacks, or without a report those that are left out at this n;
     * the array is owned, the names are static. */
    const char **left_out;
    size_t lines_count;
    struct sb_gate_line *line; /* [lines_count], family by family; owned */
    size_t cells_count;
    struct sb_gate_cell
        /* By falling |z|, of the rank or of rejected lines; only after a fail. */
        cell[SB_GATE_CELLS_MOST];
    size_t points_count, points_room;
    struct sb_gate_point *point; /* [points_count] one point per look; owned */

    struct sb_evidence evidence;     /* sampled: counts by rank if they were kept, and the matrix */
    struct sb_looks_like looks_like; /* after a fail: the faulty shuffle that it looks like */
    char *sentence;                  /* the verdict in words; owned */
    bool interrupted;
};

/* One subject of a suite. */
struct sb_suite_item {
    char *name;            /* its name in the suite; owned */
    struct sb_gate *gate;  /* owned; NULL: no findings, */
    struct sb_error error; /* for this reason */
};

/* The gate's findings on several subjects. Also the opaque handle of shufflebias.h. */
struct sb_suite {
    size_t count;
    struct sb_suite_item *item; /* [count], in the given order; owned */
};

/* A subject's verdict, and the worst verdict of the suite: broken, then fail, inconclusive and pass. */
enum sb_verdict sb_suite_item_verdict(const struct sb_suite_item *item);
enum sb_verdict sb_suite_verdict(const struct sb_suite *suite);

/* The highest probability that some subject fails if all are fair: the sum of their shares of alpha.
 * Without a ledger all shares are equal, and the sum includes subjects without findings. NaN: there are no
 * findings. */
double sb_suite_alpha(const struct sb_suite *suite);

/* Whether the stop flag ended a subject early, or prevented its start. */
bool sb_suite_interrupted(const struct sb_suite *suite);

#endif
