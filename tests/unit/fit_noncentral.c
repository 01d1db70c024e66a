/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The noncentral chi-square distribution and its interval, against high-precision values
 * (data/vectors/noncentral.txt).
 */
#include "unit/test.h"

#include "fit/numeric.h"
#include "unit/assert_near.h"
#include "unit/vectors.h"

#include <math.h>

static void compute_tails(const struct vector *v, struct vector_field got[])
{
    got[0].real = sb_noncentral_q(v->in[0].real, v->in[1].real, v->in[2].real);
    got[1].real = sb_noncentral_p(v->in[0].real, v->in[1].real, v->in[2].real);
}

static void compute_interval(const struct vector *v, struct vector_field got[])
{
    sb_noncentral_interval(v->in[0].real, v->in[1].real, v->in[2].real, &got[0].real, &got[1].real);
}

TEST(known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "tails", .in = "rrr", .out = "rr", .relative = 1e-10, .least = 11, .compute = compute_tails },
        { "interval", .in = "rrr", .out = "rr", .relative = 1e-10, .least = 3, .compute = compute_interval },
        { .name = NULL },
    };

    vectors_check("noncentral.txt", kinds);
}

TEST(nothing_and_nonsense)
{
    double low, high;

    assert_true(sb_noncentral_q(0, 5, 3) == 1 && sb_noncentral_p(0, 5, 3) == 0);
    assert_true(isnan(sb_noncentral_q(1, 5, NAN)));
    sb_noncentral_interval(0, 5, 0.05, &low, &high);
    assert_true(low == 0 && high == 0);
}
