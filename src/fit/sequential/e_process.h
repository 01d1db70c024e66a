/* SPDX-License-Identifier: GPL-3.0-or-later */
/* E-processes measure the evidence against a null law, and stay valid after any number of looks. */
#ifndef SB_FIT_SEQUENTIAL_E_PROCESS_H
#define SB_FIT_SEQUENTIAL_E_PROCESS_H

#include "core/tally.h"

struct sb_e_value {
    /* ln E of the mixture. Under the null law, the probability that E ever reaches 1/alpha is at most alpha.
     * 0 if nothing was tallied. */
    double ln_e;
    double ln_best; /* sum c ln(p/q) for the counts c, their shares p and the null law q; never below ln_e */
};

/*
 * For each member i of a statistic, sets e[i] to the e-value of this member. For up to 2^31 deals, the error
 * is at most 1e-9, and 1e-14 of ln_best more. If a cell that cannot occur has a count, ln_e and ln_best are
 * infinite.
 */
void sb_e_process(const struct sb_tally *tally, struct sb_e_value e[]);

/* An upper bound on the error of a statistic's e-values, from rounding and from errors of the null law. */
struct sb_e_error {
    double fixed;     /* the part that does not depend on the counts */
    double per_best;  /* times ln_best */
    double deviation; /* times the square root of ln_best + 1 */
};

/* The errors that a tally's e-values may have. Valid for sb_e_process(), sb_e_process_by() and
 * sb_e_process_half(). */
struct sb_e_error sb_e_process_error(const struct sb_tally *tally);

/* The upper bound for one e-value: |ln_e - true ln_e| and |ln_best - true ln_best| are at most this. 0 if
 * ln_e is infinite. */
double sb_e_error_of(const struct sb_e_error *error, const struct sb_e_value *e);

/* A table of terms. Two tallies use the same terms if they have the same total and the same number of equally
 * likely cells. Terms that do not depend on counts are the same at all looks. The caller frees the table;
 * freeing NULL is allowed. NULL if memory runs out. */
struct sb_e_table;
struct sb_e_table *sb_e_table_new(void);
void sb_e_table_free(struct sb_e_table *table);

/* The same as sb_e_process(), but takes known terms from the table, and adds new terms to the table. */
void sb_e_process_by(struct sb_e_table *table, const struct sb_tally *tally, struct sb_e_value e[]);

/* The same as sb_e_process(), but with half of each count, for sb_tv_low(). These values are not evidence by
 * themselves. */
void sb_e_process_half(const struct sb_tally *tally, struct sb_e_value e[]);

#endif
