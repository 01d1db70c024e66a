/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* for lgamma_r() */

#include "core/ln_gamma.h"

#include <math.h>

double sb_ln_gamma(double x)
{
    int sign;

    return lgamma_r(x, &sign);
}
