/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a test finds, and how far a law is from uniform. A number that does not exist is NaN here, and null in
 * JSON.
 */
#ifndef SB_CORE_FINDING_H
#define SB_CORE_FINDING_H

#include "core/evidence.h"

#include <math.h>

/* One test's outcome, with an effect size and an interval beside every p. */
struct sb_finding {
    const char *statistic, *test; /* "rank" "pearson"; static */
    double value;                 /* of the test statistic */
    double dof;                   /* degrees of freedom */
    double p, ln_p; /* p may have underflowed to 0; ln_p has not; NaN where no test was possible */
    double effect;  /* noncentrality per sample, (value - dof) / N, at least 0 */
    double effect_low, effect_high; /* its confidence interval at 1 - alpha */
    double expected_least;          /* the smallest expected count ... */
    double expected_needed;         /* ... and how large it must be for the p to be relied on */
    bool increments;                /* of the steps from one deal to the next */
};

/* Whole decks that came up again. */
struct sb_repeats {
    uint64_t decks;   /* that were compared with each other; 0 where none were */
    uint64_t repeats; /* those of them that were there before */
    double expected;  /* as many of a fair shuffle, at most */
};

enum {
    SB_EXTREMES_MOST = 12, /* as many most and least likely deals are listed */
    SB_ROWS_ALL = 24,      /* up to so many deals a table shows them all, ... */
    SB_ROWS_END = 10,      /* ... else so many from each end */
    SB_PLACES_MOST = 12,   /* as many cells of a matrix are listed */
};

/* How far the law is from uniform. */
struct sb_effect {
    double total_variation;        /* 0..1; the middle of a bracket where it is known no better */
    double total_variation_fair;   /* sampled and by seeds: what as many fair shuffles give on average; else
                                      NaN */
    double kl_bits;                /* sum p log2(p K) */
    double chi2_per_sample;        /* sum (p - 1/K)^2 K */
    double max_ratio, min_ratio;   /* largest and smallest p K */
    double max_excess, min_excess; /* p K - 1 of the same, with all its digits where that is tiny; of what is
                                      resolved, where that is not the whole law */
    mpq_t total_variation_exact; /* exact and by seeds: the fraction, -1 where it is not known; sampled: 0 */
    size_t most_count, least_count; /* how many are listed below */
    size_t most_total, least_total; /* how many there are in all; SIZE_MAX for more than can be counted */
    size_t most[SB_EXTREMES_MOST], least[SB_EXTREMES_MOST]; /* ranks, ascending */
    sb_item *most_deal, *least_deal; /* [deal] one of each, where the deals have no ranks; owned; else NULL */
    double total_variation_error;    /* half the width of that bracket; 0 where there is none */
    /* Sampled and by seeds: what as many fair shuffles show on average of each of these; else NaN. */
    double kl_bits_fair, chi2_per_sample_fair, max_ratio_fair, min_ratio_fair;
    double shuffles_to_see; /* exact: as many on average, and a likelihood-ratio test of level alpha sees the
                               bias: ln(1/alpha) / Kullback-Leibler in nats; else NaN */
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

/* The cells of a sampled matrix whose interval leaves out the fair share. */
struct sb_places {
    size_t cells;  /* of the matrix; 0 where none were looked at */
    size_t beyond; /* of them those whose interval does */
    size_t count;  /* ... that are listed, the farthest first */
    struct sb_place place[SB_PLACES_MOST];
};

/* Whether the test has a p-value, and expected counts large enough for the test's null law to hold. */
static inline bool sb_finding_reliable(const struct sb_finding *finding)
{
    return !isnan(finding->ln_p) && finding->expected_least >= finding->expected_needed;
}

/* Whether an exact law is biased so little that no sample of a feasible size, 10^12 at most, would show it.
 */
static inline bool sb_effect_invisible(const struct sb_effect *effect)
{
    return effect->shuffles_to_see > 1e12;
}

void sb_effect_close(struct sb_effect *effect);

#endif
