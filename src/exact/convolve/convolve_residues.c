/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes counts of any size from their residues modulo primes p_1, p_2, ..., whose product exceeds the
 * denominator. Let M be the product of some of the primes, let x equal a count modulo M, and let r be the
 * residue of the count modulo another prime p. Then the step
 *
 *   x <- x + M ((r - x) M^-1 mod p),   M <- M p
 *
 * makes x equal the count modulo p as well. Cost: a walk for each 28 bits of the denominator, and for each
 * walk a multiplication per deal. Garner, doi:10.1109/TEC.1959.5219515. This file also adds up the cells of
 * the permutations that begin with the same deal.
 */
#include "exact/convolve/convolve_walk.h"

#include "core/evidence.h"

#include <stdlib.h>

enum { RESIDUES_TOP = 1 << 28 };

/* Returns the largest prime below p. */
static uint64_t residues_prime(uint64_t p)
{
    for (bool prime = false; !prime;) {
        prime = --p % 2 == 1;
        for (uint64_t d = 3; prime && d * d <= p; d += 2)
            prime = p % d != 0;
    }
    return p;
}

/* Takes counts that are correct modulo `product`, and makes them correct modulo p, too. Multiplies `product`
 * by p. */
static void residues_join(struct sb_evidence *evidence, const uint64_t residue[], uint64_t p, mpz_t product)
{
    mpz_t inverse, prime;

    mpz_init(inverse);
    mpz_init(prime);
    sb_mpz_set_u64(prime, p);
    mpz_invert(inverse, product, prime);
    const uint64_t factor = mpz_get_ui(inverse); /* below p, which is below 2^28 */

    for (size_t i = 0; i < evidence->cells; i++) {
        const uint64_t known = mpz_fdiv_ui(evidence->counts.wide[i], (unsigned long)p);

        mpz_addmul_ui(evidence->counts.wide[i], product,
                      (unsigned long)((residue[i] % p + p - known) * factor % p));
    }
    mpz_mul(product, product, prime);
    mpz_clear(inverse);
    mpz_clear(prime);
}

static size_t residues_rounds(const struct sb_convolve_plan *plan)
{
    return mpz_sizeinbase(plan->denominator, 2) / 27 + 1;
}

enum sb_status sb_convolve_residues(const struct sb_law *law, const struct sb_convolve_plan *plan,
                                    struct sb_evidence *evidence)
{
    struct sb_convolve_walk walk = {
        .law = law,
        .plan = plan,
        .cells = &sb_convolve_count,
        .modulus = RESIDUES_TOP,
        .rounds = residues_rounds(plan),
    };
    enum sb_status status = SB_OK;
    mpz_t product;

    if (sb_numbers_open(SB_NUMBERS_WIDE, evidence->cells, &evidence->counts))
        return SB_NO_MEMORY;
    mpz_init_set_ui(product, 1);
    while (status == SB_OK && walk.done < walk.rounds) {
        void *cells = NULL;

        walk.modulus = residues_prime(walk.modulus);
        status = sb_convolve_walk_run(&walk, &cells);
        if (status == SB_OK) {
            sb_convolve_deals_count(plan, cells);
            residues_join(evidence, cells, walk.modulus, product);
            walk.done++;
        }
        free(cells);
    }
    mpz_clear(product);
    return status;
}

void sb_convolve_deals_count(const struct sb_convolve_plan *plan, uint64_t cells[])
{
    size_t left = plan->cells;

    for (size_t group = 2; group <= plan->n - plan->deal; group++) {
        left /= group;
        for (size_t i = 0; i < left; i++) {
            uint64_t sum = 0;

            for (size_t k = 0; k < group; k++)
                sum += cells[i * group + k];
            cells[i] = sum;
        }
    }
}

/* Adds up the cells one position at a time, so that the rounding error grows with n instead of n!. */
void sb_convolve_deals_share(const struct sb_convolve_plan *plan, double cells[])
{
    size_t left = plan->cells;

    for (size_t group = 2; group <= plan->n - plan->deal; group++) {
        left /= group;
        for (size_t i = 0; i < left; i++) {
            double sum = 0;

            for (size_t k = 0; k < group; k++)
                sum += cells[i * group + k];
            cells[i] = sum;
        }
    }
}
