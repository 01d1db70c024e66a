/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evidence about a subject, tallies, and what tests find. */
#ifndef SB_CORE_EVIDENCE_H
#define SB_CORE_EVIDENCE_H

#include "core/core.h"
#include "core/numbers.h"

/*
 * Evidence about a subject: either its exact law, as integers over one denominator, or the tallies of a
 * sample. Counts are listed by rank of the deal; the matrix has a row per item and a column per position.
 */

enum { SB_SHARD_ROOM = 160, SB_ENGINE_ROOM = 48 };

/* The deals that a range of seeds reaches. Each seed gives one deck. */
struct sb_reach {
    uint64_t first, last; /* the requested seeds, inclusive */
    /* number of seeds that were left out, because from such a seed the generator only repeats a single
     * word */
    uint64_t refused;
    mpz_t deals;          /* total number of deals, n!/(n-k)! */
    uint64_t reached;     /* the number of different deals among the decks */
    double reached_error; /* the relative standard error of `reached`; 0 if `reached` is exact */
    double reached_fair;  /* the average of `reached` for the same number of fair shuffles */
    uint64_t most;        /* count of the most frequent deal; 0 if unknown */
    uint64_t least;       /* count of the least frequent deal, if least_known */
    bool least_known;
    /* log10 of min(1, decks / deals), the largest fraction of the deals that the decks can reach */
    double log10_fraction;
};

/* How completely the law of a peer's shuffle is known. */
struct sb_inquiry {
    uint64_t paths; /* number of series of answers that led to a deck */
    uint64_t cut;   /* number of series that were stopped at the limit of draws */
    /* number of series in which a number in [0, 1) stands for a whole cell of numbers, and whose deck is not
     * the same for all numbers of the cell */
    uint64_t loose;
    uint32_t cells;    /* how many cells [0, 1) was divided into; 0 if no number in [0, 1) was asked for */
    char example[448]; /* description of one of these `loose` series; empty if `loose` is 0 */
    bool complete;     /* whether every answer was tried, except for series of negligible probability */
    mpq_t unresolved;  /* total probability of the series whose deck is unknown; 0 if the law is complete */
};

struct sb_evidence {
    enum sb_by by;
    size_t n, deal;
    const struct sb_item_names *names; /* what the items are called; borrowed; NULL: numbers from 1 */
    /* the number of deals, sb_cells(n, deal), if each deal has a count of its own; 0 if only the matrix is
     * known */
    size_t cells;

    /* Sampled or by seeds: the number of counted decks. Exact: the denominator, or 0 if the denominator does
     * not fit in 64 bits. */
    uint64_t total;
    /* [cells] by rank; 64-bit integers for samples and seeds, any form for exact laws */
    struct sb_numbers counts;
    struct sb_numbers matrix; /* [rows * deal], row = item or kind; empty if unknown or not computed yet */
    struct sb_reach *reach;   /* by seeds: what the seeds reach; owned; NULL for other evidence */
    /* For an exact law that was found by asking a peer: how completely the law is known. If the law is
     * incomplete, the counts add up to less than the denominator. Owned; NULL for other evidence. */
    struct sb_inquiry *inquiry;

    mpz_t denominator; /* exact: the denominator, even if `total` is set; 0 if only doubles are known */
    double error;      /* an upper bound on the relative error if the numbers are doubles; 0 for integers */

    /* exact: name of the engine, such as "tree", or names of several engines; else empty */
    char engine[SB_ENGINE_ROOM];
    const char *rng; /* sampled: the generator and its seed; static */
    uint64_t seed;
    bool interrupted;         /* whether the stop flag ended the count early */
    uint64_t asked;           /* sampled: the requested number of decks; 0: unknown */
    char part[SB_SHARD_ROOM]; /* sampled: the part of the run, such as "part 3 of 7"; empty: the whole run */
    /* whether another program recorded the counts; if so, the sample cannot be extended */
    bool recorded;
    bool arranged; /* whether the numbers are those of arrangements already (sb_evidence_arrange()) */
    bool ended;    /* whether the subject ended before it gave all decks that were asked for */
};

/* Allocates zeroed evidence. It has 64-bit counts if sb_cells(n, deal) > 0. Otherwise sampled and exact
 * evidence has a 64-bit matrix, and evidence by seeds has neither counts nor a matrix. SB_NO_MEMORY. */
enum sb_status sb_evidence_open(enum sb_by by, size_t n, size_t deal, struct sb_evidence *evidence);
void sb_evidence_close(struct sb_evidence *evidence);

/* Returns whether the decks of some series of answers are unknown. If so, each count is only a lower
 * bound. */
static inline bool sb_evidence_partial(const struct sb_evidence *evidence)
{
    return evidence->inquiry && mpq_sgn(evidence->inquiry->unresolved) > 0;
}

/* Decks again, ..., again + length - 1 of a stream are decks first, ..., first + length - 1, from 1; length 0: none. */
struct sb_replay_run {
    uint64_t first, again, length;
};

/* Returns "exact", "sample" or "seeds". */
const char *sb_by_name(enum sb_by by);

/*
 * The matrix has a row for each item or, in a deck with equal items, for each kind of items (core/core.h). These
 * functions return the number of rows, the item that stands for a row, the number of items of the row, the probability
 * that a fair shuffle puts an item of the row at a given position, and the ratio of a share to this probability.
 */
size_t sb_evidence_rows(const struct sb_evidence *evidence);
size_t sb_evidence_item(const struct sb_evidence *evidence, size_t row);
size_t sb_evidence_copies(const struct sb_evidence *evidence, size_t row);
double sb_evidence_fair(const struct sb_evidence *evidence, size_t row);
double sb_evidence_ratio(const struct sb_evidence *evidence, size_t row, double share);

/* The deviation of a ratio from 1 that is too small for any feasible sample, and whose sign rounding hides. */
#define SB_RATIO_FAINT 1e-12

/* Returns what a line is called: "set" of sets, "deal" of hands and of fewer than n items, or else `whole`, such as
 * "permutation". */
const char *sb_evidence_called(const struct sb_evidence *evidence, const char *whole);

/* Sets a[0..deal-1] to the deal or the arrangement of this rank. */
void sb_evidence_unrank(const struct sb_evidence *evidence, size_t rank, sb_item a[]);

/*
 * Turns evidence about permutations into evidence about arrangements, if evidence->names has equal items:
 * adds up the counts of the permutations that look the same, and the rows of the matrix of items of a kind.
 * The counts are dropped if arrangements have no ranks. SB_NO_MEMORY.
 */
enum sb_status sb_evidence_arrange(struct sb_evidence *evidence);

/* Computes the matrix from the counts, unless the evidence already has a matrix. SB_NO_MEMORY. */
enum sb_status sb_evidence_matrix(struct sb_evidence *evidence);

/* These functions give the count of one rank, or of one cell of the matrix, divided by the denominator. The
 * first two functions give a fraction in lowest terms, and the last two give a double. There is no fraction
 * if only doubles are known. */
void sb_evidence_fraction(const struct sb_evidence *evidence, size_t rank, mpq_t fraction);
void sb_evidence_matrix_fraction(const struct sb_evidence *evidence, size_t item, size_t position, mpq_t fraction);
double sb_evidence_share(const struct sb_evidence *evidence, size_t rank);
double sb_evidence_matrix_share(const struct sb_evidence *evidence, size_t item, size_t position);

/* Returns the index, row by row, of the first cell of the matrix that is farthest from the fair share of its row. */
size_t sb_evidence_farthest(const struct sb_evidence *evidence);

/*
 * Builds exact evidence from masses. A mass is a probability num/den that is added to the count of a rank.
 * The counts have one denominator, the least common multiple of all den so far. When the denominator grows,
 * all counts are scaled. Counts are 64-bit integers while the denominator fits in 64 bits, and GMP integers
 * ("wide") after that.
 */

/* Adds num/den. If 64 bits are not enough, returns false and changes nothing. The caller then calls
 * sb_exact_widen() and sb_exact_add_wide(). */
bool sb_exact_add(struct sb_evidence *evidence, size_t rank, uint64_t num, uint64_t den);

/* Makes the counts wide. SB_NO_MEMORY. */
enum sb_status sb_exact_widen(struct sb_evidence *evidence);

/* Adds num/den to wide counts. */
void sb_exact_add_wide(struct sb_evidence *evidence, size_t rank, const mpz_t num, const mpz_t den);

/* Removes all masses. */
void sb_exact_clear(struct sb_evidence *evidence);

/* Sets the denominator of 64-bit counts. Returns whether the masses add up to 1. */
bool sb_exact_finish(struct sb_evidence *evidence);

/* Makes wide counts 64-bit counts if the denominator has at most 64 bits. SB_NO_MEMORY. */
enum sb_status sb_exact_narrow(struct sb_evidence *evidence);

/* For a law from which masses may be missing: brings counts and denominator to lowest terms, and sets
 * `missing` to 1 minus the sum of the masses. */
void sb_exact_settle(struct sb_evidence *evidence, mpq_t missing);

/*
 * The results of tests, and effect sizes: how far a law is from uniform. A number that does not exist is NaN
 * here, and null in JSON.
 */

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
    double expected_needed;         /* how large expected_least must be for a reliable p; 0 if there is never a p */
    const char *context;            /* in a test by betting: what the bets are based on; else NULL; static */
    /* L, if the test is applied to the steps from each deal of a stream to the deal that comes L deals later; else 0 */
    size_t lag;
    struct sb_least_p least[SB_LEAST_PARTS]; /* how small p can be; a second part only if the first has ln_share */
    /* of a number whose average is unusual: this average, and that of a fair shuffle; else both are 0. If `open`, the
     * average is at least or at most the first one, and farther from the second. */
    double average, average_fair;
    bool open;
    bool increments; /* whether the test is applied to the steps from one deal to the next */
    bool outliers;   /* whether the test is of the single deck, or step, that is the least likely */
    bool dependent;  /* whether the steps of `lag` show that the deals depend on each other, and not only a bias */
};

/* The least likely permutation of a stream, or step. */
struct sb_odd {
    uint64_t deck;     /* its number, from 1; 0: none */
    size_t lag;        /* 0: a permutation; L: a step from the permutation L before */
    bool steps;        /* the permutations are the steps of a chain */
    const char *title; /* of the statistic; static */
    size_t value;
    bool high;      /* a larger value would be as unlikely; else a smaller one */
    bool beyond;    /* the value may be farther out */
    double ln_p;    /* ln of the probability of such a value under a fair shuffle */
    uint64_t alike; /* about how many such permutations or steps there were */
    char *items;    /* the permutation; owned; NULL: of sets and hands */
    char where[96]; /* such as "line 5 of game.log, 10:15"; empty: not known */
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

/* Returns whether the effects come from the probabilities of all deals in doubles, and so have their rounding
 * errors. */
static inline bool sb_effect_rounded(const struct sb_evidence *evidence, const struct sb_effect *effect)
{
    return evidence->counts.form == SB_NUMBERS_SHARE && !effect->most_deal;
}

void sb_effect_close(struct sb_effect *effect);

/* The known faulty shuffle that permutations look like, or the one order that all of them have. */

/* What to say of results that were all the same. */
enum sb_always {
    SB_ALWAYS_NOT,      /* the results differ */
    SB_ALWAYS_ORIGINAL, /* each result was the original order */
    SB_ALWAYS_REVERSED, /* each result was the original order from the last item to the first */
    SB_ALWAYS_SAME,     /* each result was the same other order, and there was more than one result */
};

struct sb_looks_like {
    /* whether the permutations were compared with a catalogue of faulty shuffles; if not, all other fields
     * are 0, except `always` and `order` */
    bool asked;
    enum sb_always always;
    char *order; /* the order of each result, as people write it; owned; NULL if the results differ */
    /* such as "sattolo": the likeliest shuffle whose law the permutations do not reject; owned; NULL: the
     * permutations match no shuffle in the catalogue */
    char *scheme;
    const char *
        /* how the deck is printed after the shuffle: "plain", "inverted", "reversed" or "inverted and
         * reversed"; static */
        form;
    size_t equivalents;
    /* [equivalents] shuffles that cannot be distinguished from `scheme`, such as "naive, inverted"; owned */
    char **equivalent;
    size_t others;
    /* [others] other shuffles, one of each series, whose law the permutations do not reject, and which are at most
     * 1,000 times less likely; owned */
    char **other;
    /* ln of how many times as likely the permutations, or their positions, are under `scheme` as under a fair
     * shuffle */
    double ln_e;
    /* the same for the likeliest member of the series that `scheme` belongs to, such as `riffle:6` of `riffle:7`;
     * -HUGE_VAL if there is no other */
    double ln_near;
    double ln_tried; /* ln of the number of shuffles from which `scheme` was chosen, each with its forms */
    /* whether all permutations that are possible under `scheme`, or under one of the others, are equally likely */
    bool level;
    /* whether other forms of `scheme` are not rejected, either; if so, people do not read `form` */
    bool forms;
    bool sure; /* whether `scheme` may be stated as a fact: there are no others, and enough permutations */
    bool few;  /* whether there are so few permutations that more might make the name sure */
    /* whether shuffles were ordered by the positions of the items, since their laws are unknown */
    bool by_positions;
    const char *title, *cause, *fix; /* for people; static; the fix is pseudocode, whose lines end in "\n" */
};

/* Frees everything that the struct owns. The struct may be closed twice, and may be all zeroes. */
void sb_looks_like_close(struct sb_looks_like *looks_like);

/* Tallies of one statistic, with its null law: the input of a test. */

struct sb_tally {
    const char *statistic; /* name of the statistic; static */
    size_t members, cells; /* as in sb_statistic_type, or fewer cells after merging */
    uint64_t total;        /* number of classified deals; the counts of each member add up to this number */
    const uint64_t *count; /* [members * cells], a row per member; borrowed */
    /* [members * cells] the same counts as bytes; NULL if a count is above 255 or the tally has no such
     * array; borrowed */
    const uint8_t *small;
    /* [cells] ln of the null law, which is the same for every member; NULL if all cells are equally likely;
     * borrowed */
    const double *ln_p;
    size_t low; /* the first value, if the cells are those of a number */
    /* [cells] expected counts, the same for every member, if they are computed once for many members; else
     * NULL; borrowed */
    const double *expected;
    /* [cells] the first and the last possible cell of the statistic that each merged cell contains; NULL if
     * cells are not merged; borrowed. */
    const uint32_t *first, *last;
    const char *each; /* what each member belongs to, such as "position"; NULL: an item; static */
    /* 0: tallies of deals; L: tallies of the steps from each deal to the deal that comes L deals later */
    size_t lag;
    /* whether the test looks for dependence between deals; if so, it gives no bound on total variation */
    bool dependence;
    bool outliers; /* whether the test looks for single unlikely deals or steps */
    bool separate; /* each member has a law of its own: ln_p[members * cells] */
    /* whether the cells stand for the values of a number, from `low` on, in ascending order; whether the first cell
     * also holds all smaller values, and the last all larger values */
    bool number, below, above;
    uint8_t small_most; /* the largest byte of `small`; 0: not known */
    /* the statistic's fixed share of alpha; 0: the statistic gets a part of the alpha that remains after all
     * fixed shares */
    double share;
    /* for a test that has no cells: ln E of the only member, where E is the e-value; NULL: E follows from the
     * counts; borrowed */
    const double *ln_e;
    /* an upper bound on the rounding error of *ln_e; 0 if the test has cells, see sb_e_process_error() */
    double ln_e_error;
    /* Also for a test that has no cells, which makes several bets: ln_bet[0..bets-1] holds ln E of each bet.
     * The average of these E is 1 at the start. A detector may start to follow the bets at any time.
     * names[bets] says what each bet is based on; NULL: no names. Borrowed. */
    size_t bets;
    const double *ln_bet;
    const char *const *names;
    /* upper bounds on the rounding error of the bets: what each deal adds to the error of each ln_bet; and,
     * if each ln_bet is a sum of a term for each deal, how much larger than |ln_bet| a partial sum may have
     * been, else 0 */
    double bet_error, bet_range;
    uint64_t round;      /* all bets start anew at each multiple of this number of deals; 0: never */
    const char *context; /* in a test by betting: what the bets are based on; else NULL; static */
    /* only for the statistic `position`: the counts of the same deals by rank; NULL if unknown; borrowed */
    const struct sb_tally *ranks;
};

/* Returns the tally of one member alone, with its law. */
struct sb_tally sb_tally_member(const struct sb_tally *tally, size_t member);

#endif
