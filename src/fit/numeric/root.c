/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The zero of a rising function, by secants and bisection.
 *
 * The secant through the two ends of the bracket gives the next point. If one end of the bracket has stayed
 * the same for two steps, the code halves the value of f at this end before it draws the secant (the Illinois
 * rule). If three steps have not halved the bracket, the next point is the middle of the bracket. So the
 * search never leaves the bracket and always ends. For a smooth function it takes about 10 evaluations.
 * Dowell and Jarratt, doi:10.1007/BF01934364.
 */
#include "fit/numeric/root.h"

#include <math.h>
#include <stdbool.h>

enum {
    ROOT_STEPS = 300, /* more than three for each bit of a double */
};

double sb_root_find(sb_rising *f, const void *state, double low, double high, double tolerance)
{
    double f_low = f(state, low), f_high = f(state, high), t = high, width = high - low;
    /* positive: number of steps in a row in which `high` has stayed the same; negative: minus the number of
     * steps in a row in which `low` has stayed the same */
    int stayed = 0;

    for (int step = 1; step <= ROOT_STEPS; step++) {
        const double last = t;
        const bool third = step % 3 == 0, slow = third && high - low > 0.5 * width;

        if (third)
            width = high - low;
        t = high - f_high * ((high - low) / (f_high - f_low));
        if (slow || !(t > low && t < high)) /* t is outside if f is infinite at an end */
            t = low + 0.5 * (high - low);
        const double value = f(state, t);
        if (value == 0 || fabs(t - last) <= tolerance * (1 + fabs(t)))
            return t;
        if (value < 0) {
            low = t;
            f_low = value;
            stayed = stayed > 0 ? stayed + 1 : 1;
            if (stayed > 1)
                f_high *= 0.5;
        } else {
            high = t;
            f_high = value;
            stayed = stayed < 0 ? stayed - 1 : -1;
            if (stayed < -1)
                f_low *= 0.5;
        }
    }
    return t;
}
