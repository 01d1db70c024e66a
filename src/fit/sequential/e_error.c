/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far rounding can move an e-value, so that no decision rests on it. Let u = 2^-53, and let log, log1p
 * and exp have relative errors of at most 4u. In the notation of e_process.c, with T deals, K cells,
 * probabilities p of relative error d, L = -ln of the least probability, and A >= K/10:
 *
 * One term f(x, k) = x - (k - 1/2) ln(1 + x/k) + rest(k) - rest(a). Its slopes are df/dx = (x + 1/2)/m and
 * df/dk = (1 - 1/(2k)) x/m - ln(1 + x/k).
 *   If x > -k/2, then m = k + x >= k/2 and |x| <= m. The error of x is at most (d + 2u)(pT + |x|), and that of
 *   k is (d + 2u) k.
 *   So they move f by at most (4 d + 8u)(|x| + 1). The operations round by 16u (|x| + 1).
 *   If x <= -k/2, then m is computed by itself, with the error (d + 3u) m, k <= 2|x|, and |ln(m/k)| <= L. So all
 *   errors together move f by at most (4 d + 20u L + 16u)(|x| + 1).
 *   Each `rest` has an error of at most 2e-15 < 20u, and 9u of its value, which is at most 2 + L/2.
 * The sum of all |x| is at most X = T sqrt(2 KL(c/T||q)) = sqrt(2 T ln_best), by Pinsker's inequality. So the
 * errors of the terms are at most (4 d + (32 + 20 L) u) X + K (128 + 32 L) u + 4 d K.
 *
 * Their sum. An addition of K terms has an error of at most (K - 1) u times the sum of the terms' sizes. In each
 * term, x - k ln(1 + x/k) is not negative and falls as k rises, so these parts add up to at most their sum for
 * k = c, which is ln_best. What is left of a term is ln(m/k)/2 + rest(k) - rest(a). It is at most H = ln(1 + T)/2 +
 * 3/2 L + 4, because |ln(m/k)| <= L + ln(1 + T). If all cells are equally likely, then rest(a) < 0.6, ln(m/k) <=
 * ln(1 + 10 T/K), and the k/m add up to K, so that the ln(k/m) above 0 add up to at most K/e; then H = ln(1 + 10
 * T/K)/2 + 2 is enough on average. So the error is at most K u (ln_best + K H).
 *
 * The rest: (K-1)/2 ln(1 + t/A), the remainders of A and the average over the concentrations round by at most 16u
 * (ln_best + K H + 8).
 *
 * d is the error of exp(ln_p), and of ln_p itself: laws are tested to 1e-11. For equally likely cells, d = u.
 *
 * N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 2002, sections 3.1 and 4.2.
 */
#include "fit/sequential/e_process.h"

#include <float.h>
#include <math.h>

static const double error_unit = DBL_EPSILON / 2; /* u */
static const double error_law = 1e-11;            /* d, unless all cells are equally likely */

struct sb_e_error sb_e_process_error(const struct sb_tally *tally)
{
    const double total = (double)tally->total, cells = (double)tally->cells, u = error_unit;
    const double law = tally->ln_p ? error_law : u;
    double least = 0;

    for (size_t i = 0; tally->ln_p && i < tally->cells; i++)
        least = isinf(tally->ln_p[i]) ? least : fmax(least, -tally->ln_p[i]);
    if (!tally->ln_p)
        least = log(cells + 1);
    const double size = tally->ln_p ? 0.5 * log1p(total) + 1.5 * least + 4
                                    : 0.5 * log1p(10 * total / fmax(cells, 1)) + 2; /* H */

    return (struct sb_e_error) {
        .fixed = u * cells * ((cells + 16) * size + 128 + 32 * least) + 4 * law * cells + 128 * u,
        .per_best = u * (cells + 16),
        .deviation = (4 * law + (32 + 20 * least) * u) * sqrt(2 * total),
    };
}

double sb_e_error_of(const struct sb_e_error *error, const struct sb_e_value *e)
{
    if (isinf(e->ln_e))
        return 0;
    return error->fixed + error->per_best * e->ln_best + error->deviation * sqrt(e->ln_best + 1);
}
