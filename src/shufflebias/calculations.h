/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calculations that test no shuffle: odds of permutations, sample sizes, laws of fair shuffles, and costs. */
#ifndef SHUFFLEBIAS_CALCULATIONS_H
#define SHUFFLEBIAS_CALCULATIONS_H

#include "shufflebias/basics.h"
#include "shufflebias/reports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- odds: docs/odds.md ---- */

/* The exact probability of one permutation. The strings live as long as the odds. */
struct sb_odds_line {
    const char *permutation; /* one-line notation, items from 1: "231"; with 10 or more: "10.2.1..." */
    const char *count;       /* the numerator in decimal digits; all lines have the same denominator */
    const char *probability; /* the probability in lowest terms: "p/q", "0" or "1" */
    /* the probability, and the probability times n!; a value that is too small or too large for a double is 0
     * or infinity */
    double share, ratio;
};

/* The odds of several permutations. Opaque and immutable. */
struct sb_odds;

/*
 * Computes the exact odds of permutations[0..count-1]. All permutations must have the same number of items,
 * at most 128. If the shuffle is made of swaps, the library computes the odds of each permutation separately,
 * by running the swaps backwards. For any other shuffle the library computes the whole law. The call uses
 * only these options: draw, rng, threads, stop and progress. The caller frees *odds with sb_odds_free().
 * Errors: SB_INVALID, SB_TOO_LARGE, SB_NO_MEMORY, SB_STOPPED. Example: calculate.c.
 */
SB_API enum sb_status sb_odds_new(const char *scheme, const char *const permutations[], size_t count,
                                  const struct sb_request *options, struct sb_error *error,
                                  struct sb_odds **odds);

/* Frees the odds; NULL is allowed. Example: calculate.c. */
SB_API void sb_odds_free(struct sb_odds *odds);

/*
 * Copies line `index`; the first is line 0. The lines have the order of the permutations. Beyond the last
 * line the function returns false and leaves *line unchanged. Example: calculate.c.
 */
SB_API bool sb_odds_line_get(const struct sb_odds *odds, size_t index, struct sb_odds_line *line);

/*
 * Writes the odds as "text", "markdown", "json", "csv", "html" or "svg". Otherwise the function is like
 * sb_reports_write(). Example: calculate.c.
 */
SB_API enum sb_status sb_odds_write(const struct sb_odds *odds, const char *format,
                                    const struct sb_look *look, struct sb_error *error, FILE *stream);

/*
 * Writes the odds to memory in a format of sb_odds_write(). Otherwise the function is like
 * sb_reports_text(). Example: text_in_memory.c.
 */
SB_API enum sb_status sb_odds_text(const struct sb_odds *odds, const char *format, const struct sb_look *look,
                                   struct sb_error *error, char **text, size_t *length);

/* ---- plans: docs/plan.md ---- */

/* The bias that a test should detect. */
struct sb_aim {
    const char *scheme; /* the scheme whose bias is to be detected; NULL: any bias of the size `detect` */
    /*
     * the size of the bias if `scheme` is NULL: a total variation of at most 1. If `scheme` is NULL and
     * `detect` is 0, the plan computes how large a bias must be to be detected in options->samples shuffles
     */
    double detect;
    double power; /* the probability of detecting the bias, in (0, 1); 0 stands for 0.9 */
};

/* The number of shuffles that one test needs. A field that has no value is NaN. The strings are static. */
struct sb_plan_line {
    const char *statistic; /* name of the statistic: "rank" or "position" */
    /* name of the test: "pearson", "likelihood-ratio", "matrix" or "known-alternative" */
    const char *test;
    /* which bias of the given size: "worst" (the hardest to detect) or "typical" (in a random direction);
     * NULL if the aim has a scheme */
    const char *direction;
    double total_variation; /* total variation distance of the law from uniform, 0..1 */
    /*
     * The smallest number of shuffles in which the test detects the bias with the probability aim->power; an
     * integer if the number is below 2^53. For "known-alternative", this is a lower bound on the average
     * number of shuffles until the test detects the bias, which need not be an integer. NaN: the test never detects the bias.
     */
    double samples;
    /* noncentrality per shuffle; for "known-alternative" the Kullback-Leibler divergence in nats */
    double effect;
    double dof;            /* degrees of freedom; NaN for "known-alternative" */
    double expected_least; /* the smallest expected count of a cell in `samples` shuffles */
    /* the test's power on options->samples shuffles; NaN if options->samples is 0 */
    double power;
    const char *warning; /* why `samples` is unreliable, or NULL */
};

/* The number of shuffles that each test needs to detect a bias. Opaque and immutable. */
struct sb_plan;

/*
 * Computes how many shuffles each test needs to detect the bias of aim->scheme. Without a scheme, the plan is
 * for a bias of size aim->detect. With neither a scheme nor a size, options->samples is required, and the
 * plan computes how large a bias must be to be detected in options->samples shuffles. With a scheme or a
 * size, options->samples is optional, and each line then also has the test's power on options->samples
 * shuffles. The call uses only these options: n, deal, samples, alpha (the level of each test), draw, rng,
 * threads, stop and progress. The caller frees *plan with sb_plan_free(). Errors: SB_INVALID, also for a
 * uniform scheme; SB_TOO_LARGE, SB_NO_MEMORY, SB_STOPPED. Example: calculate.c.
 */
SB_API enum sb_status sb_plan_new(const struct sb_aim *aim, const struct sb_request *options,
                                  struct sb_error *error, struct sb_plan **plan);

/* Frees the plan; NULL is allowed. Example: calculate.c. */
SB_API void sb_plan_free(struct sb_plan *plan);

/*
 * Copies line `index`; the first is line 0. Beyond the last line the function returns false and leaves *line
 * unchanged. Example: calculate.c.
 */
SB_API bool sb_plan_line_get(const struct sb_plan *plan, size_t index, struct sb_plan_line *line);

/*
 * Writes the plan as "text", "markdown", "json", "csv", "html" or "svg". Otherwise the function is like
 * sb_reports_write(). Example: calculate.c.
 */
SB_API enum sb_status sb_plan_write(const struct sb_plan *plan, const char *format,
                                    const struct sb_look *look, struct sb_error *error, FILE *stream);

/*
 * Writes the plan to memory in a format of sb_plan_write(). Otherwise the function is like
 * sb_reports_text(). Example: text_in_memory.c.
 */
SB_API enum sb_status sb_plan_text(const struct sb_plan *plan, const char *format, const struct sb_look *look,
                                   struct sb_error *error, char **text, size_t *length);

/* ---- laws of fair shuffles: docs/law.md ---- */

/* One cell of a statistic's law. */
struct sb_null_cell {
    size_t cell;     /* the value of the statistic, or a number that the label explains */
    double p, ln_p;  /* the value's probability (0 if too small for a double) and ln of the probability */
    char label[384]; /* meaning of the value: "25", "not dealt", "231" */
};

/* The law of a statistic under a fair shuffle. Opaque and immutable. */
struct sb_null_law;

/*
 * Computes the law of the statistic named `statistic`, for the options n and deal. Some statistics have
 * several members, for example one per item, and each member has its own law. `member` is the index of the
 * member, counted from 0. For all other statistics `member` is 0. The error of ln_p is a few units in the
 * last place. The call uses only these options: n, deal and stop. The caller frees *law with
 * sb_null_law_free(). Errors: SB_INVALID, SB_TOO_LARGE, SB_STOPPED, SB_NO_MEMORY. Example: calculate.c.
 */
SB_API enum sb_status sb_null_law_new(const char *statistic, size_t member, const struct sb_request *options,
                                      struct sb_error *error, struct sb_null_law **law);

/* Frees the law; NULL is allowed. Example: calculate.c. */
SB_API void sb_null_law_free(struct sb_null_law *law);

/*
 * Copies cell `index`; the first is cell 0. The law lists only the cells with a positive probability, in
 * increasing order. Beyond the last cell the function returns false and leaves *cell unchanged. Example:
 * calculate.c.
 */
SB_API bool sb_null_law_cell_get(const struct sb_null_law *law, size_t index, struct sb_null_cell *cell);

/*
 * Writes the law as "text", "markdown", "json", "csv", "html" or "svg". Otherwise the function is like
 * sb_reports_write(). Example: calculate.c.
 */
SB_API enum sb_status sb_null_law_write(const struct sb_null_law *law, const char *format,
                                        const struct sb_look *look, struct sb_error *error, FILE *stream);

/*
 * Writes the law to memory in a format of sb_null_law_write(). Otherwise the function is like
 * sb_reports_text(). Example: text_in_memory.c.
 */
SB_API enum sb_status sb_null_law_text(const struct sb_null_law *law, const char *format,
                                       const struct sb_look *look, struct sb_error *error, char **text,
                                       size_t *length);

/* ---- costs: docs/bench.md ---- */

/* The costs of shuffles: draws, memory accesses, memory and time. Opaque and immutable. */
struct sb_costs;

/*
 * Measures the costs of schemes[0..count-1] in the calling thread; if count is 0, of the shuffles of a report
 * without schemes. The call uses only these options: n, deal, seed, draw, rng, stop, progress, and samples
 * (the number of decks to time per scheme; 0 means a million). The caller frees *costs with sb_costs_free().
 * Errors: SB_INVALID, SB_NO_MEMORY, SB_STOPPED. Example: calculate.c.
 */
SB_API enum sb_status sb_costs_new(const char *const schemes[], size_t count,
                                   const struct sb_request *options, struct sb_error *error,
                                   struct sb_costs **costs);

/* Frees the costs; NULL is allowed. Example: calculate.c. */
SB_API void sb_costs_free(struct sb_costs *costs);

/*
 * Writes the costs as "text", "markdown", "json", "csv", "html" or "svg". Otherwise the function is like
 * sb_reports_write(). Example: calculate.c.
 */
SB_API enum sb_status sb_costs_write(const struct sb_costs *costs, const char *format,
                                     const struct sb_look *look, struct sb_error *error, FILE *stream);

/*
 * Writes the costs to memory in a format of sb_costs_write(). Otherwise the function is like
 * sb_reports_text(). Example: text_in_memory.c.
 */
SB_API enum sb_status sb_costs_text(const struct sb_costs *costs, const char *format,
                                    const struct sb_look *look, struct sb_error *error, char **text,
                                    size_t *length);

#ifdef __cplusplus
}
#endif

#endif
