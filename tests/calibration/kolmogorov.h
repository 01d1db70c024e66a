/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Kolmogorov-Smirnov test: whether p-values are uniform. */
#ifndef KOLMOGOROV_H
#define KOLMOGOROV_H

#include <stddef.h>

/* The largest distance D of the distribution of p[count] from the uniform one, in 0..1. Sorts p. */
double kolmogorov_distance(size_t count, double p[]);

/* The probability of such a distance or a larger one. */
double kolmogorov_p(size_t count, double distance);

#endif
