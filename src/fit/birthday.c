/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeated decks. Suppose that d of the D possible decks have occurred so far. Then the next deck is one of
 * these d decks with probability p = d/D. If only m decks are possible, as from a generator with a short
 * seed, this probability is q = d/m. The likelihood ratio of the next deck is q/p for a repeat and
 * (1-q)/(1-p) for a new deck. If instead a share s of decks are copies of any earlier deck, as from a cache, the ratio
 * is 1 - s + s/p for a repeat and 1 - s for a new deck. A product of these ratios is an e-process, and so is the average
 * of the products for m = 2^16, 2^31, 2^32, 2^48, s = 1/10, 1/100, 1/1000, and runs (below). If d reaches m, the code
 * keeps q below 1. The code may use a value for p that is above the true p but below q. Then the mean of the ratio is
 * at most 1, so E stays valid. Cost: one to eight logarithms. If only a fraction of all possible decks is compared, the
 * code replaces D and m by this fraction of D and this fraction of m.
 *
 * Runs that come again. Suppose that the decks so far predict the next deck (tally/replay.c). A fair shuffle deals the
 * predicted deck with probability 1/D, so a factor of 1/2 + D/2 for a hit and 1/2 for a miss has the mean 1. Let F be
 * the product of these factors since the predictions began; it ends with a miss. A share s = 1/10, ..., 1/10000 of what
 * E has then is staked on F, so E is multiplied by 1 - s + s F, step by step. Each step is rounded down, by more than
 * its rounding error. Again D may be too small.
 *
 * The p-value is an upper bound on P(R >= r), where R is the number of repeats of a fair shuffle and r is the
 * observed number. Given all earlier decks, deck t+1 is a repeat with probability at most t/D, so R is
 * stochastically at most a sum of independent indicators with these probabilities. An indicator of
 * probability p is stochastically at most a Poisson variable with mean -ln(1-p). So R is stochastically at
 * most a Poisson variable whose mean is the sum of -ln(1 - t/D) over t < N. This mean is N(N-1)/(2D), the
 * number of pairs times 1/D, plus at most about N^3/(6 D^2). The second term is small relative to the
 * standard deviation as long as N^2 is small relative to D^(3/2).
 *
 * The effect is the number of repeats divided by its average for a fair shuffle, N(N-1)/(2D), minus 1. The interval of
 * the effect comes from the interval of the mean of a Poisson count (Garwood). The effect and both ends x have errors
 * of at most 2e-12 (1 + x). While hardly any deck occurs three times, repeats are equal pairs, and the effect estimates
 * D sum p^2 - 1, where p is the law of the decks: the chi-square distance from uniform per sample, as in the test of
 * the rank. Otherwise there are fewer repeats than equal pairs, and the effect is smaller than that distance: 50
 * equally likely decks of 12 items have the distance D/50 - 1 = 9.6e6, and the effect 4.8e4 after 20,000 decks.
 *
 * The lower bound on the number of decks, as long as no deck repeats: N draws from m decks are all different
 * with probability at most prod (1 - i/m) <= exp(-N(N-1)/(2m)). Equally likely decks are the worst case. Let
 * M(N) = N(N-1)/(2 ln(1/delta)). Suppose that there are m decks. Then the statement "there are at least M(N)
 * decks" is ever wrong only if no deck repeats up to the first N with M(N) > m. This has probability at most
 * delta, whenever and however often the statement is made. If each deck is compared only with the first K
 * decks, the number of compared pairs, K(K-1)/2 + (N-K)K, replaces N(N-1)/2.
 *
 * Rounding of ln E: let u = 2^-53, and let log and log1p have relative errors of at most 4u. One
 * alternative's ln E is a sum S of N steps. A repeat adds at most -ln(1/D), so R repeats add at most P = R ln
 * D, and the other steps subtract at most P + |S|. So no partial sum is larger than M = P + |S|, and N
 * additions round by at most N u M (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd
 * edition, 2002, section 4.2). An alternative matters to E if |S| is at most |ln E| + 64, because the others
 * are below e^-62 of E. The steps themselves: those of repeats have errors of 8u (ln D + 64) each. A new
 * deck's ln(1 - q) has a relative error of at most 4u + u q/((1-q) |ln(1-q)|) <= 2^13 u, because 1 - q is at
 * least 2^-16 unless q is small; together at most 2^13 u M. p = d/D has a relative error of (ln D + 8) u,
 * which ln(1 - p) multiplies by p/(1-p); the sum of p/(1-p) is at most 2 N^2/D as long as N <= D/2, and
 * otherwise at most 2N (1 + ln N). All of this is below 2 (N + 2^13) u (M + 64 R + (ln D + 64) (sum of
 * p/(1-p)) + 64).
 *
 * Arratia, Goldstein and Gordon, Two moments suffice for Poisson approximations: the Chen-Stein method,
 * doi:10.1214/aop/1176991491. F. Garwood, Fiducial limits for the Poisson distribution, Biometrika 28 (1936)
 * 437.
 */
#include "fit/fit.h"

static const double birthday_decks[SB_BIRTHDAY_SEEDS] = { 0x1p16, 0x1p31, 0x1p32, 0x1p48 };

/* A share of copies, and the logarithm of the share of other decks. */
static const struct {
    double share, ln_rest;
} birthday_copies[SB_BIRTHDAY_COPIES] = {
    { 0.1, -0.10536051565782631 },
    { 0.01, -0.010050335853501442 },
    { 0.001, -0.0010005003335835335 },
};

static const double birthday_unit = 0x1p-53; /* u */

/* ln(1 - p). Below 2^-54, p^2/2 is less than half of the last bit of p, so -p is the nearest double. */
static double birthday_ln_new(double p)
{
    return p < 0x1p-54 ? -p : log1p(-p);
}

void sb_birthday_step(struct sb_birthday *birthday, uint64_t known, bool again)
{
    const double part = birthday->ln_part == 0 ? 1 : exp(birthday->ln_part);
    const double d = (double)known, p = d * exp(birthday->ln_pair);
    const double ln_fair = again ? 0 : birthday_ln_new(p);

    birthday->decks++;
    birthday->repeats += again;
    if (birthday->ln_part == 0)
        birthday->pairs += d;
    for (int i = 0; i < SB_BIRTHDAY_SEEDS && known; i++) {
        const double m = birthday_decks[i] * part, q = fmin(d / m, 1 - 1 / m);

        /* the share of compared decks is only an estimate, so q may seem to be below p; then the code skips
         * the step */
        if (birthday->ln_part < 0 && q <= p)
            continue;
        birthday->ln_e[i] += again ? log(q) - log(d) - birthday->ln_pair : log1p(-q) - ln_fair;
    }
    for (int i = 0; i < SB_BIRTHDAY_COPIES && known; i++) {
        const double share = birthday_copies[i].share;

        birthday->ln_e[SB_BIRTHDAY_SEEDS + i] += again ? log(1 - share + share / p) : birthday_copies[i].ln_rest;
    }
}

/* ln(1 - s + s e^x). */
static double birthday_ln_stake(double share, double x)
{
    return x < 30 ? log1p(share * expm1(x)) : log(share) + x + log1p((1 - share) / share * exp(-x));
}

void sb_birthday_follow(struct sb_birthday *birthday, bool hit, bool counted)
{
    static const double share[SB_BIRTHDAY_REPLAYS] = { 0.1, 0.01, 0.001, 0.0001 };
    const double before = birthday->ln_run;
    const double after = before - log(2) + (hit ? log1p(exp(birthday->ln_each)) - birthday->ln_each : 0);

    for (int i = 0; i < SB_BIRTHDAY_REPLAYS && counted; i++) {
        double *const ln_e = &birthday->ln_e[SB_BIRTHDAY_SEEDS + SB_BIRTHDAY_COPIES + i];

        *ln_e += birthday_ln_stake(share[i], after) - birthday_ln_stake(share[i], before);
        *ln_e -= 16 * birthday_unit * (fabs(*ln_e) + fabs(before) + fabs(after) + 1);
    }
    birthday->ln_run = hit ? after : 0;
}

double sb_birthday_seeds_low(const struct sb_birthday *birthday, double delta)
{
    return birthday->repeats ? 0 : birthday->pairs / -log(delta);
}

double sb_birthday_decks_needed(double seeds, double delta, double kept)
{
    const double pairs = seeds * -log(delta), most = kept * (kept - 1) / 2;

    if (pairs <= most)
        return ceil((1 + sqrt(1 + 8 * pairs)) / 2);
    return ceil(kept + (pairs - most) / kept);
}

double sb_birthday_ln_e(const struct sb_birthday *birthday)
{
    return sb_ln_sum(birthday->ln_e, SB_BIRTHDAY_ALTERNATIVES) - log(SB_BIRTHDAY_ALTERNATIVES);
}

double sb_birthday_range(const struct sb_birthday *birthday)
{
    const double decks = (double)birthday->decks, ln_d = fabs(birthday->ln_pair);
    const double share = decks * exp(birthday->ln_pair);
    const double odds = 2 * decks * (share <= 0.5 ? share : 1 + log(decks)); /* sum of p/(1-p) */

    return ((double)birthday->repeats + odds) * (ln_d + 64) + 64;
}

double sb_birthday_ln_e_error(const struct sb_birthday *birthday)
{
    const double size = sb_birthday_range(birthday) + fabs(sb_birthday_ln_e(birthday)) + 64;

    return birthday_unit * ((double)birthday->decks + 0x1p13) * 2 * size;
}

double sb_birthday_expected(uint64_t decks, double ln_pair)
{
    const double n = (double)decks;

    return n > 1 ? exp(log(n) + log(n - 1) - log(2) + ln_pair) : 0;
}

/* An upper bound on the sum of -ln(1 - t/D) over t < N, from the first terms of the series of the logarithm;
 * infinite if N >= D. */
static double birthday_mean(uint64_t decks, double ln_pair)
{
    const double n = (double)decks, share = exp(log(n) + ln_pair);

    if (decks < 2)
        return 0;
    if (share >= 1)
        return INFINITY;
    return sb_birthday_expected(decks, ln_pair) *
           (1 + (2 * n - 1) / n * share / 6 + share * share / (6 * (1 - share)) * n / (n - 1));
}

double sb_birthday_ln_p(const struct sb_birthday *birthday)
{
    const double r = (double)birthday->repeats, mean = birthday_mean(birthday->decks, birthday->ln_pair);
    double term = 1, sum = 1;

    if (birthday->repeats == 0)
        return 0;
    if (mean > r)
        return fmin(0, log(sb_chisq_p(2 * mean, 2 * r)));
    for (double k = r + 1; term > 1e-17 * sum; k++) {
        term *= mean / k;
        sum += term;
    }
    return fmin(0, sb_ln_poisson(r, mean) + log(sum));
}

/* The equation "tail probability of the count = alpha/2", which is solved for the mean. */
struct birthday_tail {
    double count, ln_alpha;
};

/* ln P(R >= r) - ln_alpha for a Poisson variable R, as a function of the logarithm of the mean. */
static double birthday_above(const void *state, double ln_mean)
{
    const struct birthday_tail *const tail = state;

    return log(sb_chisq_p(2 * exp(ln_mean), 2 * tail->count)) - tail->ln_alpha;
}

/* ln_alpha - ln P(R <= r), as a function of the logarithm of the mean. */
static double birthday_below(const void *state, double ln_mean)
{
    const struct birthday_tail *const tail = state;

    return tail->ln_alpha - sb_chisq_ln_q(2 * exp(ln_mean), 2 * tail->count + 2);
}

void sb_birthday_interval(uint64_t repeats, double alpha, double *low, double *high)
{
    const struct birthday_tail tail = { .count = (double)repeats, .ln_alpha = log(alpha / 2) };
    const double far = log(tail.count + 1 - 4 * tail.ln_alpha + sqrt(tail.count + 1) * 40);

    *low = repeats ? exp(sb_root_find(birthday_above, &tail, -700, log(tail.count), 1e-14)) : 0;
    *high = exp(sb_root_find(birthday_below, &tail, -700, far, 1e-14));
}

/* Runs the test on the tally of a sample. The total of this tally is the number of decks. Its only cell
 * counts repeats, and ln_p[0] is ln of the probability that the decks of a pair are equal. */
static enum sb_status birthday_run(const struct sb_tally *tally, double alpha, struct sb_finding *finding)
{
    double low, high;

    if (tally->members != 1 || tally->cells != 1 || !tally->ln_p)
        return SB_INVALID;
    const struct sb_birthday birthday = { .ln_pair = tally->ln_p[0],
                                          .decks = tally->total,
                                          .repeats = tally->count[0] };
    const double expected = sb_birthday_expected(birthday.decks, birthday.ln_pair);

    *finding = sb_finding_none(tally, "birthday");
    finding->value = (double)birthday.repeats;
    finding->least[0] = (struct sb_least_p) { .ln_factor = -birthday.ln_pair, .ln_share = birthday.ln_pair };
    if (tally->total < 2)
        return SB_OK;
    finding->ln_p = sb_birthday_ln_p(&birthday);
    finding->p = exp(finding->ln_p);
    sb_birthday_interval(birthday.repeats, alpha, &low, &high);
    finding->effect = fmax(0, finding->value / expected - 1);
    finding->effect_low = fmax(0, low / expected - 1);
    finding->effect_high = fmax(0, high / expected - 1);
    return SB_OK;
}

const struct sb_test_type sb_test_birthday = {
    .name = "birthday",
    .title = "whole decks that come up again, by Poisson's law",
    .cite = "Arratia, Goldstein, Gordon, doi:10.1214/aop/1176991491",
    .statistic = "repeat",
    .run = birthday_run,
};
