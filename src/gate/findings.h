/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the gate knows of a subject, or of several, which are a suite: judged in gate/, collected in
 * study/gate/gate.c, written in report/. A number that does not exist is NaN.
 */
#ifndef SB_GATE_FINDINGS_H
#define SB_GATE_FINDINGS_H

#include "core/evidence.h"

enum sb_verdict {
    SB_VERDICT_INCONCLUSIVE,
    SB_VERDICT_PASS,
    SB_VERDICT_FAIL,
    SB_VERDICT_BROKEN, /* of a subject that broke its word: there are no findings on it */
};

/* What is asked of the subject. */
struct sb_gate_terms {
    double alpha;    /* the most that a fair shuffle fails with, ever, in [1e-100, 1) */
    double delta;    /* the most that a shuffle as biased as `exclude` passes with, likewise */
    double exclude;  /* total variation that a pass rules out, in (0, 1) */
    double tolerate; /* total variation that is forgiven, at most `exclude`; 0: none */
    uint64_t limit;  /* permutations to look at, at most; at least 1 */
    uint64_t seeds;  /* a pass rules out that there are fewer whole decks; 0: it need not */
};

/* One member of one statistic, on trial. */
struct sb_gate_line {
    const char *statistic;  /* "rank", "position"; static */
    size_t member, members; /* which of the family, from 0 (the item, for "position"), of how many */
    size_t cells;           /* 0: a test of the stream, of which there is no bound */
    double weight;          /* its share of alpha and, in the end, of delta; all lines together 1 */
    double ln_e;            /* of its e-process; infinite once what cannot be has been */
    double tv_low, tv_high; /* total variation of its law from its null law, at any time, with its share */
    bool rejected;          /* named by closed testing */
    const char *each;       /* what has a member: "position"; NULL: an item; static */
    size_t lag;             /* 0: of permutations; L: of the steps from each to the one L after it */
    bool dependence;        /* it looks for permutations that depend on each other, and bounds nothing */
    double tv_seen;         /* what its counts show by themselves in the end, without a claim; NaN: nothing */
    double tv_fair;         /* what as many fair deals would show on average */
    bool merged;            /* some of its cells, and its bounds, are of several values together */
};

/* A cell that came up too often or too rarely: a description, without a claim of confidence. */
struct sb_gate_cell {
    size_t line; /* whose */
    size_t cell; /* of the line's, which may be merged: a rank, a position, the first few numbers of cycles */
    uint64_t count;
    double expected; /* under the null law */
    double z;        /* (count - expected) / its standard deviation under the null law */
    /* What the cell means to people: "231", "item 3 at position 1", "how many cycles there are: 1". */
    char where[SB_NOTATION_ROOM + 128];
};

/* The state of things at one look. */
struct sb_gate_point {
    uint64_t total;         /* permutations until then */
    double ln_e;            /* of the weighted average */
    double tv_low, tv_high; /* the bounds that the verdict goes by */
};

/* The run's place in a budget that all runs on one ledger share. All zero: it is the only one. */
struct sb_gate_budget {
    char *ledger;        /* the file; owned */
    char *key;           /* under which evidence is carried on; owned; NULL: it is not */
    uint64_t run, share; /* from 1; the part of alpha and delta that the terms have */
    double alpha, delta; /* of all runs together */
    uint64_t carried;    /* permutations of earlier runs, which the total includes */
    uint64_t decks;      /* whole decks of earlier runs that this run's are compared with */
};

enum { SB_GATE_CELLS_MOST = 12 }; /* deviant cells that are listed */

/* The gate's findings on one subject. Also the opaque handle of shufflebias.h. */
struct sb_gate {
    char *name;       /* of the subject: a scheme, a command line, a file; owned */
    const char *kind; /* "scheme", "command", "file" or "callback"; static */
    size_t n, deal;
    uint64_t seed;              /* of a scheme's generator */
    bool chained;               /* each permutation shuffles the last one, and increments were looked at */
    struct sb_gate_terms terms; /* the limit is that of this run */
    struct sb_gate_budget budget;

    uint64_t total; /* permutations looked at */
    uint64_t
        uncounted; /* permutations beside them that only served to recognise runs: study/run/recognise.h */
    enum sb_verdict verdict;
    double ln_e;            /* of the weighted average; a fair shuffle's reaches ln(1/alpha) with
                               probability alpha at most */
    double tv_low, tv_high; /* the largest tv_low; the tv_high that a pass goes by: that of the rank where it
                               is in play, else the largest */
    const struct sb_gate_line *telling; /* of the lines that a pass goes by, the one whose tv_seen is the most
                                           above its tv_fair; NULL: none has any */
    bool whole;                         /* the rank is in play: the bounds are on the whole law */
    bool watched;                       /* whole decks that come up again were watched for, ... */
    uint64_t repeats;                   /* ... and had been before so often */
    double seeds_low;                   /* fewer equally likely decks are ruled out; 0: none */
    double seeds_total;                 /* permutations that terms.seeds takes in all; 0: none */
    bool merged;                        /* some line's are; with `whole` no claim rests on it */
    bool reported; /* looked at was what a report has counted, once; evidence.part says which part */
    bool jointly;  /* no line is rejected by itself: at least one of those that are marked is */
    double needed; /* inconclusive: about as many more permutations would do; else NaN */

    size_t left_out_count;
    const char **left_out; /* [left_out_count] the statistics in play that the report has not; owned, the
                              names static */
    size_t lines_count;
    struct sb_gate_line *line; /* [lines_count], family by family; owned */
    size_t cells_count;
    struct sb_gate_cell
        cell[SB_GATE_CELLS_MOST]; /* by falling |z|, of the rank or of rejected lines; on a fail
                                                     alone */
    size_t points_count, points_room;
    struct sb_gate_point *point; /* [points_count] a point per look; owned */

    struct sb_evidence evidence; /* by sample: counts by rank where they were kept, and the matrix */
    char *sentence;              /* the verdict in words; owned */
    bool interrupted;
};

/* One subject of a suite. */
struct sb_suite_item {
    char *name;            /* what it is called there; owned */
    struct sb_gate *gate;  /* owned; NULL where there are no findings ... */
    struct sb_error error; /* ... for this reason */
};

/* The gate's findings on several subjects. Also the opaque handle of shufflebias.h. */
struct sb_suite {
    size_t count;
    struct sb_suite_item *item; /* [count], in the order that they were given in; owned */
};

/* A subject's verdict, and the worst of all: broken, then fail, inconclusive and pass. */
enum sb_verdict sb_suite_item_verdict(const struct sb_suite_item *item);
enum sb_verdict sb_suite_verdict(const struct sb_suite *suite);

/* The most that one of them fails with where all are fair: the sum of their shares of alpha. Without a
 * ledger, where all shares are equal, that of a subject without findings is among them. NaN: there are no
 * findings. */
double sb_suite_alpha(const struct sb_suite *suite);

/* Whether the stop flag ended a subject early, or kept it from beginning. */
bool sb_suite_interrupted(const struct sb_suite *suite);

#endif
