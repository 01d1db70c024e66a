/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results of tests, and effect sizes: how far a law is from uniform. A number that does not exist is NaN
 * here, and null in JSON.
 */
#ifndef SB_CORE_FINDING_H
#define SB_CORE_FINDING_H

#include "core/evidence.h"

#include <math.h>

/* The smallest p that any N samples can have: ln p = ln_factor + N ln_share or, if a single sample decides, ln_factor +
 * ln N + ln_share. ln_share is 0 if this is unknown. */
struct sb_least_p {
    double ln_factor, ln_share;
    bool single;
};

enum { SB_LEAST_PARTS = 2 }; /* a test may be the smaller of this many p-values, times their number */

/* The result of one test: p, an effect size, and an interval for the effect size. */
struct sb_finding {
    const char *statistic, *test; /* names of both, such as "rank" and "pearson"; static */
    double value;                 /* value of the test statistic */
    double dof;                   /* degrees of freedom */
    /* p may underflow to 0, but ln_p does not; both are NaN if no test was possible */
    double p, ln_p;
    double effect;                  /* noncentrality per sample, (value - dof) / N, at least 0 */
    double effect_low, effect_high; /* confidence interval of the effect, at level 1 - alpha */
    double expected_least;          /* the smallest expected count */
    double expected_needed; /* how large expected_least must be for a reliable p; 0 if there is never a p */
    const char *context;    /* in a test by betting: what the bets are based on; else NULL; static */
    /* L, if the test is applied to the steps from each deal of a stream to the deal that comes L deals later; else 0 */
    size_t lag;
    struct sb_least_p
        least[SB_LEAST_PARTS]; /* how small p can be; a second part only if the first has ln_share */
    bool increments;           /* whether the test is applied to the steps from one deal to the next */
    bool
        dependent; /* whether the steps of `lag` show that the deals depend on each other, and not only a bias */
};

/* Decks that equal an earlier deck. */
struct sb_repeats {
    uint64_t decks;   /* number of decks that were compared with each other */
    uint64_t repeats; /* how many of the compared decks equal an earlier deck */
    double expected;  /* upper bound on the expected number of repeats for a fair shuffle */
};

enum {
    /* the largest number of deals in the list of the most likely deals, and in the list of the least likely
     * deals */
    SB_EXTREMES_MOST = 12,
    SB_ROWS_ALL = 24,    /* if there are at most this many deals, a table shows all deals */
    SB_ROWS_END = 10,    /* a table of more deals shows this many deals from each end */
    SB_PLACES_MOST = 12, /* the largest number of cells in a list of cells of a matrix */
};

/* How far the law is from uniform. K is the number of possible deals, and p is the probability of a deal. */
struct sb_effect {
    double total_variation; /* 0..1; if only bounds are known, the middle between the bounds */
    /* sampled and by seeds: the average of total_variation for the same number of fair shuffles; else NaN */
    double total_variation_fair;
    double kl_bits;              /* sum p log2(p K) */
    double chi2_per_sample;      /* sum (p - 1/K)^2 K */
    double max_ratio, min_ratio; /* largest and smallest p K */
    /* p K - 1 of the most and of the least likely deal, accurate even if tiny. If part of the law is
     * unresolved, both numbers are computed from the resolved part. */
    double max_excess, min_excess;
    /* exact and by seeds: total_variation as a fraction, -1 if unknown; sampled: 0 */
    mpq_t total_variation_exact;
    size_t most_count, least_count; /* number of deals in `most` and in `least` */
    /* number of deals with the ratio max_ratio, or min_ratio; SIZE_MAX if there are too many to count */
    size_t most_total, least_total;
    /* ranks of the most likely and of the least likely deals, ascending */
    size_t most[SB_EXTREMES_MOST], least[SB_EXTREMES_MOST];
    /* [deal] one most likely and one least likely deal, if deals have no ranks; owned; else NULL */
    sb_item *most_deal, *least_deal;
    /* half the distance between the bounds of total_variation, or its rounding error if the law is in doubles; 0 if
     * total_variation is exact */
    double total_variation_error;
    /* Sampled and by seeds: the averages of kl_bits, chi2_per_sample, max_ratio and min_ratio for the same
     * number of fair shuffles; else NaN. */
    double kl_bits_fair, chi2_per_sample_fair, max_ratio_fair, min_ratio_fair;
    /* exact: the number of shuffles that a likelihood-ratio test of level alpha needs at least, on average, to see
     * the bias, ln(1/alpha) / (Kullback-Leibler divergence in nats); else NaN */
    double shuffles_to_see;
};

/* One line of the table of deals. */
struct sb_row {
    size_t rank;
    double share, ratio; /* p and p K */
    double low, high;    /* sampled: simultaneous confidence interval of the share; else NaN */
};

/* A cell of a sampled matrix. */
struct sb_place {
    size_t item, position;
    uint64_t count;
    double share, ratio; /* p and p n */
    double low, high;    /* simultaneous confidence interval of the share, over all cells */
};

/* Those cells of a sampled matrix whose confidence interval excludes the fair share. */
struct sb_places {
    size_t cells;  /* number of cells of the matrix; 0 if none were examined */
    size_t beyond; /* number of cells whose interval excludes the fair share */
    size_t count;  /* number of cells in `place`; the first of these is farthest from fair */
    struct sb_place place[SB_PLACES_MOST];
};

/* Returns whether expected counts are large enough for the test's null law to hold. A billionth may be missing, because
 * of rounding: 55 shuffles of 11 items expect each item 5 times at each position. */
static inline bool sb_finding_expects(const struct sb_finding *finding)
{
    return finding->expected_least >= finding->expected_needed * (1 - 1e-9);
}

/* Returns whether the test has a p-value, and expected counts large enough for it. */
static inline bool sb_finding_reliable(const struct sb_finding *finding)
{
    return !isnan(finding->ln_p) && sb_finding_expects(finding);
}

/* Returns ln of the smallest p of a number of samples; -INFINITY if it is unknown. */
double sb_least_ln_p(const struct sb_least_p *least, double samples);

/* Returns ln of the smallest p that the test can have. A part of the test that cannot reach alpha takes no share of
 * p. */
double sb_finding_least(const struct sb_finding *finding, double samples, double alpha);

/* Returns whether the bias of an exact law is too small to show in a feasible sample, of at most 10^12
 * shuffles. */
static inline bool sb_effect_invisible(const struct sb_effect *effect)
{
    return effect->shuffles_to_see > 1e12;
}

/* Returns whether the effects come from the probabilities of all deals in doubles, and so have their rounding errors. */
static inline bool sb_effect_rounded(const struct sb_evidence *evidence, const struct sb_effect *effect)
{
    return evidence->counts.form == SB_NUMBERS_SHARE && !effect->most_deal;
}

void sb_effect_close(struct sb_effect *effect);

#endif
