/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Doubles that agree to a relative error. Include it after cmocka.h. */
#ifndef TESTS_UNIT_ASSERT_NEAR_H
#define TESTS_UNIT_ASSERT_NEAR_H

#include <math.h>

static inline void assert_near(double got, double expected, double relative)
{
    if (!(fabs(got - expected) <= relative * fabs(expected)))
        fail_msg("%.17g, not %.17g", got, expected);
}

#endif
