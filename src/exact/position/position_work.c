/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimates the cost of an exact matrix. */
#include "exact/position/position.h"

double sb_position_work(const struct sb_law *law)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    double draws = 0;

    for (size_t k = 0; k < shuffler->count; k++)
        draws += shuffler->steps[k].at_bound > 1 ? (double)shuffler->n : (double)shuffler->steps[k].bound;
    return draws * (double)shuffler->n;
}
