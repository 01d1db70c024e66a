/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a plan needs to know of a scheme's exact law p against an intended law q that is not uniform. With Pearson's terms
 * Y = e/sqrt(q), where e is the unit vector of an order, the mean of Y less that under q is M = (p - q)/sqrt(q), and the
 * covariance of Y is S = diag(p/q) - (p/sqrt(q)) (p/sqrt(q))'; struct sb_spread has |M|^2, tr S, tr S^2 and M'SM. For the
 * likelihood ratio, M'SM is the variance of ln(p/q). Cost: a pass over the orders.
 */
#include "core/numbers.h"
#include "statistic/statistic.h"
#include "study/results.h"
#include "subject/subject.h"

#include <math.h>
#include <string.h>

static void plan_fair_sums(const double p[], const double q[], size_t orders, struct sb_plan_fair *made)
{
    struct sb_sum variation = { 0 }, forbidden = { 0 }, effect = { 0 }, kl = { 0 }, ratio = { 0 }, square = { 0 };
    struct sb_sum second = { 0 }, third = { 0 }, slope = { 0 }, mean = { 0 }, ln_square = { 0 };

    for (size_t i = 0; i < orders; i++) {
        const double d = p[i] - q[i], r = q[i] > 0 ? p[i] / q[i] : 0, ln = r > 0 ? log(r) : 0;

        sb_sum_add(&variation, fabs(d) / 2);
        if (q[i] <= 0) {
            sb_sum_add(&forbidden, p[i]);
            continue;
        }
        made->possible++;
        made->least = fmin(made->least, q[i]);
        sb_sum_add(&effect, d * d / q[i]);
        sb_sum_add(&kl, p[i] * ln);
        sb_sum_add(&ln_square, p[i] * ln * ln);
        sb_sum_add(&ratio, r);
        sb_sum_add(&square, r * r);
        sb_sum_add(&second, p[i] * r);
        sb_sum_add(&third, p[i] * r * r);
        sb_sum_add(&mean, d * r);
        sb_sum_add(&slope, d * d * r / q[i]);
    }
    const double s2 = sb_sum_value(&second), m = sb_sum_value(&mean), dof = (double)made->possible - 1;

    made->total_variation = sb_sum_value(&variation);
    made->forbidden = sb_sum_value(&forbidden);
    made->kl = sb_sum_value(&kl);
    made->pearson = (struct sb_spread) {
        .effect = sb_sum_value(&effect),
        .noise = sb_sum_value(&ratio) - s2,
        .trace = sb_sum_value(&square) - 2 * sb_sum_value(&third) + s2 * s2,
        .slope = fmax(0, sb_sum_value(&slope) - m * m),
    };
    made->likelihood_ratio = (struct sb_spread) {
        .effect = 2 * made->kl,
        .noise = dof,
        .trace = dof,
        .slope = fmax(0, sb_sum_value(&ln_square) - made->kl * made->kl),
    };
}

enum sb_status sb_plan_fair(const char *scheme, const struct sb_request *options, struct sb_error *error,
                            struct sb_plan_fair *made, char **words)
{
    const size_t n = options->n;
    struct sb_fair *law = NULL, *fair = NULL;
    enum sb_status status = SB_OK;

    *made = (struct sb_plan_fair) { .least = 1 };
    if (n > SB_FAIR_LISTED_MOST || options->deal < n)
        status = sb_error_set(error, SB_TOO_LARGE,
                              "`fair`: a plan needs the probabilities of all orders of both laws: use n <= %d without "
                              "`deal`",
                              SB_FAIR_LISTED_MOST);
    if (status == SB_OK)
        status = sb_fair_new(options->fair, options, n, n, NULL, error, &fair);
    if (status == SB_OK)
        status = sb_fair_new(scheme, options, n, n, NULL, error, &law);
    if (status == SB_OK)
        plan_fair_sums(law->p, fair->p, fair->orders, made);
    if (status == SB_OK && made->total_variation < 1e-12) /* the rounding errors of 8! terms */
        status = sb_error_set(error, SB_INVALID, "no number of shuffles would show a bias: %s has the law `fair = %s`",
                              scheme, options->fair);
    if (status == SB_OK && !(*words = strdup(fair->words)))
        status = sb_error_memory(error, "a plan");
    sb_fair_free(law);
    sb_fair_free(fair);
    return status;
}
