/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Certified numbers: compares a double with a value that interval arithmetic (Arb) encloses. The interval has
 * a proven error, so a pass proves that the double is within its stated error.
 */
#ifndef CERTIFIED_CERTIFY_H
#define CERTIFIED_CERTIFY_H

#include "unit/test.h"

#if __has_include(<flint/arb.h>)
#include <flint/arb.h>
#include <flint/arb_hypgeom.h>
#else /* FLINT 2, where Arb is a library of its own */
#include <arb.h>
#include <arb_hypgeom.h>
#endif

#include <stdbool.h>

/* Declares intervals, which are cleared at the end of their block. */
/* clang-format off */
#define ARBS(...) ARBS_PICK(__VA_ARGS__, ARBS_6, ARBS_5, ARBS_4, ARBS_3, ARBS_2, ARBS_1, 0)(__VA_ARGS__)
#define ARBS_PICK(_1, _2, _3, _4, _5, _6, name, ...) name
#define ARBS_1(a) __attribute__((cleanup(certify_clear))) arb_t a; arb_init(a)
#define ARBS_2(a, ...) ARBS_1(a); ARBS_1(__VA_ARGS__)
#define ARBS_3(a, ...) ARBS_1(a); ARBS_2(__VA_ARGS__)
#define ARBS_4(a, ...) ARBS_1(a); ARBS_3(__VA_ARGS__)
#define ARBS_5(a, ...) ARBS_1(a); ARBS_4(__VA_ARGS__)
#define ARBS_6(a, ...) ARBS_1(a); ARBS_5(__VA_ARGS__)
/* clang-format on */

static inline void certify_clear(arb_t *number)
{
    arb_clear(*number);
}

/* What a header states about a number, and the largest error seen. */
struct claim {
    const char *function;
    double relative, absolute; /* stated: |got - true| <= relative * |true| + absolute */
    double worst;              /* the largest error seen, as a share of the stated error */
    double at[4];              /* the arguments of that case */
    uint64_t cases;
};

enum { CLAIM_ARGUMENTS = 4 };

/* Sets `value` to an interval that contains the true value, computed with `bits` bits. */
typedef void exact_value(const double x[], slong bits, arb_t value);

/* Fails unless `got` is within the stated error of exact(x). Computes the interval with more bits until its
 * width is negligible. */
void certify(struct claim *claim, double got, exact_value *exact, const double x[CLAIM_ARGUMENTS]);

/* The same for a value that the caller has already enclosed. */
void certify_enclosed(struct claim *claim, double got, const arb_t truth, const double x[CLAIM_ARGUMENTS]);

/* Fails unless a root is within the stated error: sign(x, root, bits, value) must be negative, for certain,
 * below the root by the stated error, and positive above it. A stated error that reaches below `least` or
 * above `most` is not tried on that side. */
typedef void exact_sign(const double x[], const arb_t root, slong bits, arb_t value);
void certify_root(struct claim *claim, double root, double least, double most, exact_sign *sign,
                  const double x[CLAIM_ARGUMENTS]);

/* Encloses the root of a rising function, by the signs on both sides of the root. `error` is an upper bound on
 * the error of the guess, and should be small enough for the function to be nearly straight. Fails if there is
 * no root that close. */
void enclose_root(exact_sign *sign, const double x[], double guess, double error, arb_t root);

/* A random number from 0 to 1, another that is evenly spread on a logarithmic scale, and a random integer.
 * The same seed gives the same numbers everywhere (SplitMix64). */
double random_share(uint64_t *seed);
double random_scale(uint64_t *seed, double low, double high);
size_t random_below(uint64_t *seed, size_t bound);

/* The number of random cases: `few`, multiplied by the program's argument. With an argument, the program prints a line
 * for each claim that it tried: function, cases, stated error, largest error. */
size_t certify_cases(size_t few);

/* ---- exact_gamma.c ---- */

/* ln of the lower and of the upper tail of the gamma law with the shape a > 0 at y > 0. `value` is neither
 * `a` nor `y`. */
void exact_ln_gamma_p(const arb_t a, const arb_t y, slong bits, arb_t value);
void exact_ln_gamma_q(const arb_t a, const arb_t y, slong bits, arb_t value);

/* ---- exact_binomial.c ---- */

/* The equations of Clopper and Pearson's ends for x[0] successes of x[1], at the level 1 - x[2]/x[3]: ln P(X >= c) -
 * ln(alpha/2) and ln(alpha/2) - ln P(X <= c) at the probability p. Both rise with p. */
void exact_binomial_low(const double x[], const arb_t p, slong bits, arb_t value);
void exact_binomial_high(const double x[], const arb_t p, slong bits, arb_t value);

/* ---- exact_noncentral.c ---- */

/* The upper or the lower tail at x of noncentral chi-square with `dof` degrees of freedom and the noncentrality
 * lambda > 0. */
void exact_noncentral(const arb_t x, const arb_t dof, const arb_t lambda, bool upper, slong bits, arb_t tail);

#endif
