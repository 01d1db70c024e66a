/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text, for people and for programs. A number that does not exist (NaN, infinite) is shown to
 * people as a dash. */
#ifndef SB_REPORT_NUMBER_H
#define SB_REPORT_NUMBER_H

#include <stdint.h>

/* Big enough for every form below; used as `sb_number_full(x).text` inside one expression. */
struct sb_number {
    char text[336];
};

/* Writes a number for programs: 17 significant digits, always with a point or an exponent; empty if the
 * number does not exist. */
struct sb_number sb_number_full(double x);
/* Writes a p-value in the same way. If p has underflowed, writes it from ln p as `1.30000e-4521`, which
 * programs read as 0. */
struct sb_number sb_number_full_p(double p, double ln_p);

/* Writes a number for people, with `digits` significant digits. */
struct sb_number sb_number_short(double x, int digits);
/* Writes a number for people, with `decimals` decimals. */
struct sb_number sb_number_fixed(double x, int decimals);
/* Writes 0.25 as `25.00%`. */
struct sb_number sb_number_percent(double x, int decimals);
/* Writes a ratio to uniform: four decimals below 1000; `1+2.3e-7` if four decimals would round it to 1;
 * `0` for 0. */
struct sb_number sb_number_ratio(double x);
/* Writes three digits, or two if the number is tiny: `0.532`, `1.3e-7`, `1.3e-4521`. */
struct sb_number sb_number_p(double p, double ln_p);
/* Writes e^x for a likelihood ratio, however large: `0.532`, `27.9`, `1.3e12`; infinity as `infinite`. */
struct sb_number sb_number_exp(double x);
/* Writes two numbers with a dash between them, or only the dash if neither exists. */
struct sb_number sb_number_range(struct sb_number low, struct sb_number high);
/* Writes `10,000,000`. */
struct sb_number sb_number_grouped(uint64_t x);

/* The number of decimals for percentages around 1/cells: five significant digits for few cells
 * (`16.667%`), three for many. */
int sb_number_share_decimals(double cells);

#endif
