/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text, for people and for programs. Text for people has a dash for a number that does not exist
 * (NaN or infinite). */
#ifndef SB_REPORT_NUMBER_H
#define SB_REPORT_NUMBER_H

#include <stdint.h>

/* The text of a number. The array is large enough for every function below. An expression can use the text
 * directly: `sb_number_full(x).text`. */
struct sb_number {
    char text[336];
};

/* Writes a number for programs: 17 significant digits, always with a point or an exponent. The text is empty
 * if the number does not exist. */
struct sb_number sb_number_full(double x);
/* Writes a p-value like sb_number_full(). If p has underflowed to 0, the text comes from ln p and is, for
 * example, `1.30000e-4521`; programs read such a text as 0. */
struct sb_number sb_number_full_p(double p, double ln_p);

/* Writes a number for people, with `digits` significant digits. */
struct sb_number sb_number_short(double x, int digits);
/* Writes a number for people, with `decimals` decimals. */
struct sb_number sb_number_fixed(double x, int decimals);
/* The same for a bound, x >= 0: a lower bound is rounded down and an upper bound up, so that the text is a bound,
 * too. A millionth of the last digit counts as a rounding error of x. */
struct sb_number sb_number_short_down(double x, int digits);
struct sb_number sb_number_short_up(double x, int digits);
/* As "%.*g" of printf(), but rounded up: an upper bound stays one. */
struct sb_number sb_number_general_up(double x, int digits);
struct sb_number sb_number_fixed_down(double x, int decimals);
struct sb_number sb_number_fixed_up(double x, int decimals);
/* Writes a number as its user gave it: with as few digits as have the same value, but at least six. */
struct sb_number sb_number_given(double x);
/* Writes what E must reach for an alarm, 1/alpha, rounded up: a fair shuffle's E reaches this with probability alpha at
 * most. */
struct sb_number sb_number_goal(double alpha);
/* Writes 0.25 as `25.00%`. */
struct sb_number sb_number_percent(double x, int decimals);
/* Writes the ratio of a probability to the uniform probability, with four decimals if the ratio is below
 * 1000. A ratio that four decimals would round to 1 becomes `1+2.3e-7`, and 0 becomes `0`. */
struct sb_number sb_number_ratio(double x);
/* Writes the ends of an interval of such a ratio, rounded outwards. */
struct sb_number sb_number_ratio_down(double x);
struct sb_number sb_number_ratio_up(double x);
/* Writes a p-value for people, with three digits, or two if p is tiny: `0.532`, `1.3e-7`, `1.3e-4521`. */
struct sb_number sb_number_p(double p, double ln_p);
/* Writes a likelihood ratio, e^x, which may exceed the range of double: `0.532`, `27.9`, `1.3e12`,
 * `infinite`. */
struct sb_number sb_number_exp(double x);
/* Writes the level of an interval, 1 - alpha: `99.9%`, or `100(1-1e-15)%` if alpha is below 1e-11. */
struct sb_number sb_number_level(double alpha);
/* Writes two numbers with a dash between; writes only the dash if neither number exists. */
struct sb_number sb_number_range(struct sb_number low, struct sb_number high);
/* Writes an integer with separators: `10,000,000`. */
struct sb_number sb_number_grouped(uint64_t x);

/* Returns the number of decimals for percentages around 1/cells. The percentages then have five significant
 * digits if there are few cells (`16.667%`), and three if there are many cells. */
int sb_number_share_decimals(double cells);

#endif
