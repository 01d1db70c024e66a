/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the weights of a draw's answers, in lowest terms. A common factor g of the weights also divides
 * their sum s, so floor((s - 1) / g) = s / g - 1.
 */
#include "exact/weights.h"

#include "core/numbers.h"

static uint64_t weights_gcd(uint64_t a, uint64_t b)
{
    while (b) {
        const uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

uint64_t sb_weights_get(const struct sb_law *law, size_t bound, uint64_t weight[])
{
    uint64_t factor = 0;

    if (bound < 2 || !law->draw || !law->draw->type->law) {
        for (size_t j = 0; j < bound; j++)
            weight[j] = 1;
        return bound - 1;
    }
    law->draw->type->law(law->draw, law->largest, (uint32_t)bound, weight);
    for (size_t j = 0; j < bound && factor != 1; j++)
        factor = weights_gcd(weight[j], factor);
    for (size_t j = 0; j < bound && factor > 1; j++)
        weight[j] /= factor;
    return law->largest / factor;
}

void sb_weights_total(const struct sb_law *law, size_t bound, uint64_t weight[], mpz_t total)
{
    sb_mpz_set_u64(total, sb_weights_get(law, bound, weight));
    mpz_add_ui(total, total, 1);
}

void sb_weights_denominator(const struct sb_law *law, uint64_t weight[], mpz_t denominator)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    mpz_t total;

    mpz_init(total);
    mpz_set_ui(denominator, 1);
    for (size_t s = 0; s < shuffler->count; s++) {
        sb_weights_total(law, shuffler->steps[s].at_bound, weight, total);
        mpz_mul(denominator, denominator, total);
        sb_weights_total(law, shuffler->steps[s].bound, weight, total);
        mpz_mul(denominator, denominator, total);
    }
    mpz_clear(total);
}
