/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tallies of one statistic, with its null law: the input of a test. */
#ifndef SB_CORE_TALLY_H
#define SB_CORE_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
