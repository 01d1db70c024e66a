/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Doubles that agree to a relative or an absolute error: cmocka compares floats. */
#ifndef TESTS_UNIT_ASSERT_NEAR_H
#define TESTS_UNIT_ASSERT_NEAR_H

#include <math.h>

static inline void assert_near(double got, double expected, double relative)
{
    if (!(fabs(got - expected) <= relative * fabs(expected)))
        fail_msg("%.17g, not %.17g", got, expected);
}

static inline void assert_within(double got, double expected, double absolute)
{
    if (!(fabs(got - expected) <= absolute))
        fail_msg("%.17g, not %.17g", got, expected);
}

#endif
