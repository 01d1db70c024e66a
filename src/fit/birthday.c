/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole decks that come up again. With d different decks so far, the next is one of them with probability p =
 * d/D, D the number of all decks; or q = d/m, were there m of them only, as from a generator with a short
 * seed. The likelihood ratio of a step is q/p for a repeat and (1-q)/(1-p) for a new deck; their product is
 * an e-process, and so is the average over m = 2^16, 2^31, 2^32, 2^48. Where d reaches m, q stays below 1. A
 * p that is larger than the true one, as long as it is below q, makes E smaller only. Cost: five logarithms.
 *
 * The p-value is that of N(N-1)/2 pairs with a repeat each by Poisson's law, whose upper tail is that of a
 * Gamma variable: P(R >= r) = P(r, mean), a sum of few terms where the mean is small.
 *
 * Arratia, Goldstein and Gordon, Two moments suffice for Poisson approximations: the Chen-Stein method,
 * doi:10.1214/aop/1176991491.
 */
#include "fit/birthday.h"

#include "fit/special.h"

#include <math.h>

static const double birthday_decks[SB_BIRTHDAY_ALTERNATIVES] = { 0x1p16, 0x1p31, 0x1p32, 0x1p48 };

void sb_birthday_step(struct sb_birthday *birthday, uint64_t known, bool again)
{
    const double d = (double)known, p = d * exp(birthday->ln_pair);

    birthday->decks++;
    birthday->repeats += again;
    for (int i = 0; i < SB_BIRTHDAY_ALTERNATIVES && known; i++) {
        const double m = birthday_decks[i], q = d < m ? d / m : 1;
        const double capped = fmin(q, 1 - 1 / m);

        birthday->ln_e[i] += again ? log(capped) - log(d) - birthday->ln_pair : log1p(-capped) - log1p(-p);
    }
}

/* ln(exp(a) + exp(b)) of several. */
static double birthday_ln_sum(const double ln_x[], int count)
{
    double most = ln_x[0], sum = 0;

    for (int i = 1; i < count; i++)
        most = fmax(most, ln_x[i]);
    for (int i = 0; i < count; i++)
        sum += exp(ln_x[i] - most);
    return most + log(sum);
}

double sb_birthday_ln_e(const struct sb_birthday *birthday)
{
    return birthday_ln_sum(birthday->ln_e, SB_BIRTHDAY_ALTERNATIVES) - log(SB_BIRTHDAY_ALTERNATIVES);
}

double sb_birthday_ln_p(const struct sb_birthday *birthday)
{
    const double decks = (double)birthday->decks, r = (double)birthday->repeats;
    const double ln_mean = log(decks) + log(fmax(decks - 1, 0)) - log(2) + birthday->ln_pair;
    const double mean = exp(ln_mean);
    double term = 1, sum = 1;

    if (birthday->repeats == 0)
        return 0;
    if (mean > r) /* the repeats are no more than were to be expected */
        return 0;
    for (double k = r + 1; term > 1e-17 * sum; k++) {
        term *= mean / k;
        sum += term;
    }
    return fmin(0, sb_ln_poisson(r, mean) + log(sum));
}
