/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gsl_ran_shuffle() of the GNU Scientific Library, one permutation per line:
 *
 *     cc gsl_shuffle.c -lgsl -lgslcblas -lm -o gsl_shuffle && shufflebias gate -- ./gsl_shuffle
 */
#include <gsl/gsl_randist.h>
#include <stdio.h>

enum { ITEMS = 3 };

int main(void)
{
    gsl_rng *const rng = gsl_rng_alloc(gsl_rng_mt19937);

    while (rng && !ferror(stdout)) {
        int items[ITEMS];

        for (int i = 0; i < ITEMS; i++)
            items[i] = i;
        gsl_ran_shuffle(rng, items, ITEMS, sizeof items[0]);
        for (int i = 0; i < ITEMS; i++)
            printf("%d%c", items[i], i + 1 < ITEMS ? ' ' : '\n');
    }
    gsl_rng_free(rng);
    return 1;
}
