/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares doubles with intervals that contain the true value. F. Johansson, Arb,
 * doi:10.1109/TC.2017.2690633. */
#include "certified/certify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BITS_LEAST = 128,
    BITS_MOST = 1 << 20,
    CERTIFY_NARROW = 1000, /* an interval is narrow enough if its width is below this part of the stated error */
    ENCLOSE_BITS = 256,
    ENCLOSE_ROUNDS = 3,
    ENCLOSE_SHRINK = 13, /* each round divides the error of a root by 2^13 */
};

static size_t certify_times = 1;

enum { CLAIMS_MOST = 64 };

/* The claims that were tried. */
static const struct claim *claims[CLAIMS_MOST];
static size_t claims_count;

/* The stated error at a true value. */
static void allowed_error(const struct claim *claim, const arb_t truth, arb_t allowed)
{
    ARBS(part);

    arb_set_d(part, claim->relative);
    arb_abs(allowed, truth);
    arb_mul(allowed, allowed, part, BITS_LEAST);
    arb_set_d(part, claim->absolute);
    arb_add(allowed, allowed, part, BITS_LEAST);
}

/* An upper bound on the error of `got`, as a share of the stated error; infinite if nothing is known. */
static double error_share(const struct claim *claim, double got, const arb_t truth)
{
    ARBS(error, allowed);
    arf_t upper;
    double share;

    arf_init(upper);
    allowed_error(claim, truth, allowed);
    arb_set_d(error, got);
    arb_sub(error, error, truth, BITS_MOST);
    arb_abs(error, error);
    if (arb_is_zero(error)) {
        share = 0;
    } else {
        arb_div(error, error, allowed, BITS_LEAST);
        arb_get_ubound_arf(upper, error, BITS_LEAST);
        share = arf_is_nan(upper) ? HUGE_VAL : arf_get_d(upper, ARF_RND_UP);
    }
    arf_clear(upper);
    return share;
}

/* Whether the width of the interval is negligible. */
static bool is_narrow(const struct claim *claim, const arb_t truth)
{
    ARBS(allowed, radius);
    bool narrow;

    if (!arb_is_finite(truth))
        return false;
    allowed_error(claim, truth, allowed);
    arb_get_rad_arb(radius, truth);
    arb_div_ui(allowed, allowed, CERTIFY_NARROW, BITS_LEAST);
    narrow = arb_is_zero(radius) || arb_le(radius, allowed);
    return narrow;
}

static void claim_note(struct claim *claim, double got, double share, const double x[CLAIM_ARGUMENTS])
{
    if (claim->cases++ == 0 && claims_count < CLAIMS_MOST)
        claims[claims_count++] = claim;
    if (share > claim->worst) {
        claim->worst = share;
        memcpy(claim->at, x, sizeof claim->at);
    }
    if (!(share <= 1))
        fail_msg("%s(%.17g, %.17g, %.17g, %.17g) = %.17g has %.3g times the stated error", claim->function, x[0], x[1],
                 x[2], x[3], got, share);
}

void certify_enclosed(struct claim *claim, double got, const arb_t truth, const double x[CLAIM_ARGUMENTS])
{
    claim_note(claim, got, error_share(claim, got, truth), x);
}

void certify(struct claim *claim, double got, exact_value *exact, const double x[CLAIM_ARGUMENTS])
{
    ARBS(truth);

    for (slong bits = BITS_LEAST; bits <= BITS_MOST; bits *= 2) {
        exact(x, bits, truth);
        if (is_narrow(claim, truth))
            break;
    }
    certify_enclosed(claim, got, truth, x);
}

/* The sign of the function: -1, 0 (is not known) or 1. `value` becomes the function's value. */
static int sign_at(exact_sign *sign, const double x[], const arb_t at, arb_t value)
{
    int found = 0;

    for (slong bits = BITS_LEAST; bits <= BITS_MOST && !found; bits *= 2) {
        sign(x, at, bits, value);
        found = arb_is_positive(value) ? 1 : arb_is_negative(value) ? -1 : 0;
    }
    return found;
}

void certify_root(struct claim *claim, double root, double least, double most, exact_sign *sign,
                  const double x[CLAIM_ARGUMENTS])
{
    const double allowed = claim->relative * fabs(root) + claim->absolute;
    ARBS(shift, at, below, above);
    double share = 0;

    arb_set_d(shift, allowed);
    arb_set_d(at, root);
    arb_sub(at, at, shift, BITS_MOST);
    if (root - allowed > least && sign_at(sign, x, at, below) >= 0)
        share = HUGE_VAL;
    arb_set_d(at, root);
    arb_add(at, at, shift, BITS_MOST);
    if (root + allowed < most && sign_at(sign, x, at, above) <= 0)
        share = HUGE_VAL;
    if (share == 0 && !arb_is_zero(below) && !arb_is_zero(above)) {
        /* the secant through both values crosses 0 at this share of the stated error */
        arb_add(shift, above, below, BITS_LEAST);
        arb_sub(above, above, below, BITS_LEAST);
        arb_div(shift, shift, above, BITS_LEAST);
        share = fabs(arf_get_d(arb_midref(shift), ARF_RND_NEAR));
    }
    claim_note(claim, root, share, x);
}

/* Fails unless the function is negative at `middle` - reach, and positive at `middle` + reach. below[] and
 * above[] become these two places and the function's values there. */
static void bracket(exact_sign *sign, const double x[], const arb_t middle, const arb_t reach, arb_ptr below,
                    arb_ptr above)
{
    arb_sub(below, middle, reach, ENCLOSE_BITS);
    arb_add(above, middle, reach, ENCLOSE_BITS);
    arb_get_mid_arb(below, below);
    arb_get_mid_arb(above, above);
    if (sign_at(sign, x, below, below + 1) >= 0 || sign_at(sign, x, above, above + 1) <= 0)
        fail_msg("no root within %g of %.17g", arf_get_d(arb_midref(reach), ARF_RND_NEAR),
                 arf_get_d(arb_midref(middle), ARF_RND_NEAR));
}

void enclose_root(exact_sign *sign, const double x[], double guess, double error, arb_t root)
{
    arb_ptr below = _arb_vec_init(2), above = _arb_vec_init(2);
    ARBS(reach, part);

    arb_set_d(root, guess);
    arb_set_d(reach, error);
    bracket(sign, x, root, reach, below, above);
    for (int i = 0; i < ENCLOSE_ROUNDS; i++) {
        arb_sub(part, above + 1, below + 1, ENCLOSE_BITS); /* the secant crosses 0 near the root */
        arb_sub(root, above, below, ENCLOSE_BITS);
        arb_mul(root, root, below + 1, ENCLOSE_BITS);
        arb_div(root, root, part, ENCLOSE_BITS);
        arb_sub(root, below, root, ENCLOSE_BITS);
        arb_get_mid_arb(root, root);
        arb_mul_2exp_si(reach, reach, -ENCLOSE_SHRINK);
        bracket(sign, x, root, reach, below, above);
    }
    arb_add_error(root, reach);
    _arb_vec_clear(above, 2);
    _arb_vec_clear(below, 2);
}

static uint64_t random_word(uint64_t *seed)
{
    uint64_t z = *seed += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

double random_share(uint64_t *seed)
{
    return ((double)(random_word(seed) >> 12) + 0.5) * 0x1p-52;
}

double random_scale(uint64_t *seed, double low, double high)
{
    return low * exp(random_share(seed) * log(high / low));
}

size_t random_below(uint64_t *seed, size_t bound)
{
    return (size_t)(random_word(seed) % bound);
}

size_t certify_cases(size_t few)
{
    return few * certify_times;
}

int main(int argc, char *argv[])
{
    if (argc > 1)
        certify_times = (size_t)strtoul(argv[1], NULL, 10);
    const int failed = test_run();

    for (size_t i = 0; argc > 1 && i < claims_count; i++)
        printf("%-34s %9llu cases, stated %g relative + %g, largest %.2g of that, at %.6g %.6g %.6g %.6g\n",
               claims[i]->function, (unsigned long long)claims[i]->cases, claims[i]->relative, claims[i]->absolute,
               claims[i]->worst, claims[i]->at[0], claims[i]->at[1], claims[i]->at[2], claims[i]->at[3]);
    flint_cleanup();
    return failed;
}
