/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results of tests, and effect sizes: how far a law is from uniform. A number that does not exist is
 * NaN here, and null in JSON.
 */
#ifndef SB_CORE_FINDING_H
#define SB_CORE_FINDING_H

#include "core/evidence.h"

#include <math.h>

/* One test's outcome, with an effect size and an interval beside every p. */
struct sb_finding {
    const char *statistic, *test;   /* "rank" "pearson"; static */
    double value;                   /* value of the test statistic */
    double dof;                     /* degrees of freedom */
    double p, ln_p;                 /* p may underflow to 0, ln_p does not; NaN if no test was possible */
    double effect;                  /* noncentrality per sample, (value - dof) / N, at least 0 */
    double effect_low, effect_high; /* confidence interval of the effect, at level 1 - alpha */
    double expected_least;          /* the smallest expected count */
    double expected_needed;         /* how large expected_least must be for a reliable p */
    bool increments;                /* the test is of the steps from one deal to the next */
    const char *context;            /* of a bettor: what its predictions went by; else NULL; static */
};

/* Decks that equal an earlier deck. */
struct sb_repeats {
    uint64_t decks;   /* number of decks compared with each other; 0: none */
    uint64_t repeats; /* how many of them equal an earlier one */
    double expected;  /* upper bound of the expected number for a fair shuffle */
};

enum {
    SB_EXTREMES_MOST = 12, /* most likely deals listed, and least likely deals */
    SB_ROWS_ALL = 24,      /* a table of up to this many deals shows all of them; */
    SB_ROWS_END = 10,      /* a table of more deals shows this many from each end */
    SB_PLACES_MOST = 12,   /* cells of a matrix listed */
};

/* How far the law is from uniform. */
struct sb_effect {
    double total_variation;      /* 0..1; the middle of its bounds if only these are known */
    double total_variation_fair; /* sampled and by seeds: the average for the same number of fair shuffles;
                                      else NaN */
    double kl_bits;              /* sum p log2(p K) */
    double chi2_per_sample;      /* sum (p - 1/K)^2 K */
    double max_ratio, min_ratio; /* largest and smallest p K */
    /* p K - 1 of these two deals, accurate even if tiny; if part of the law is unresolved, computed from
     * the resolved part */
    double max_excess, min_excess;
    mpq_t total_variation_exact;    /* exact and by seeds: the fraction, -1 if unknown; sampled: 0 */
    size_t most_count, least_count; /* how many are listed below */
    size_t most_total, least_total; /* how many there are in total; SIZE_MAX if too many to count */
    size_t most[SB_EXTREMES_MOST], least[SB_EXTREMES_MOST]; /* ranks, ascending */
    sb_item *most_deal, *least_deal; /* [deal] one deal of each, if deals have no ranks; owned; else NULL */
    double total_variation_error;    /* half the distance of those bounds; 0 if it is exact */
    /* Sampled and by seeds: the averages of these for the same number of fair shuffles; else NaN. */
    double kl_bits_fair, chi2_per_sample_fair, max_ratio_fair, min_ratio_fair;
    double shuffles_to_see; /* exact: the average number for a likelihood-ratio test of level alpha to see the
                               bias, ln(1/alpha) / Kullback-Leibler in nats; else NaN */
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

/* The cells of a sampled matrix whose interval excludes the fair share. */
struct sb_places {
    size_t cells;  /* cells of the matrix; 0: not examined */
    size_t beyond; /* cells whose interval excludes the fair share */
    size_t count;  /* cells listed below, the farthest first */
    struct sb_place place[SB_PLACES_MOST];
};

/* Whether the test has a p-value, and expected counts large enough for the test's null law to hold. */
static inline bool sb_finding_reliable(const struct sb_finding *finding)
{
    return !isnan(finding->ln_p) && finding->expected_least >= finding->expected_needed;
}

/* Whether the bias of an exact law is too small to show in a sample of a feasible size, at most 10^12. */
static inline bool sb_effect_invisible(const struct sb_effect *effect)
{
    return effect->shuffles_to_see > 1e12;
}

void sb_effect_close(struct sb_effect *effect);

#endif
