/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two tests that decide about a pass: of sets of equally likely cells, and of coins (further below).
 *
 * Whether counts rule out that the true law s of K equally likely cells is at a total variation of x or more from
 * fair. That is so if, for each m from 1 to K - 1, it is ruled out that S = {s > 1/K} has m cells.
 *
 * Let q = m/K and theta = q + x. Of t deals, a(S) are in the set S. By what factor are the deals likelier under the law
 * with the probability theta in S, evenly spread within S and outside of S, than under a fair shuffle? For a set S that
 * is drawn at random among all of m cells, this is
 *   F_m = mean over S of (theta/q)^a(S) ((1-theta)/(1-q))^(t-a(S))
 *       = e^(-t KL(q||theta)) times the mean over S of the product over S of z_i,
 * where KL(q||theta) = q ln(q/theta) + (1-q) ln((1-q)/(1-theta)), z_i = c^(count_i - t/K), and c = theta (1-q)/(q
 * (1-theta)). If s is at a distance of x or more, F_m of the number m of its cells ever falls to the level delta with
 * probability at most delta (docs/how-it-decides.md, "Why a pass holds").
 *
 * The mean of the products over the subsets of j of the first i cells is A(i, j) = ((i-j) A(i-1, j) + j z_i A(i-1,
 * j-1))/i. The product of all z_i is 1, so m may be replaced by K - m if each z_i is replaced by 1/z_i. The mean is at
 * least 1, because the mean of the logarithms is 0; so m is open as long as t KL(q||theta) < ln(1/delta).
 *
 * Alternatively, m is settled if the coins of all sets of m cells are (above): if that of the m fullest cells
 * is. Most of delta is for F, since F falls to it much sooner unless s is biased or m is far from K/2.
 *
 * Rounding: let u = 2^-53. All terms of A are positive, so it has a relative error of at most (4K + 8 h) u, where h is
 * the sum of the sizes of the m logarithms of the z_i, at most m times the largest. They and t KL(q||theta) are sums of
 * terms with relative errors of at most 16u, if 1 - theta is at least x/64; otherwise m is left to the coin.
 * `sets_error` is 2^15 u, and covers all of this for at most 1,000 cells. If A overflows, m is open. As the largest z_i
 * come first, what is lost by underflow is multiplied only by factors below 1, and the mean at the end is at least 1.
 *
 * Cost: K min(m, K-m) steps for each m and member, at the looks at which F of K/2 is low enough; at the others and if
 * it is not, those of K/2 for the member whose counts vary most.
 */
#include "fit/sequential.h"

/*
 * Tests of coins. A coin shows heads with probability s. Of t tosses, `a` were heads. To test whether s is
 * theta or more, take any v < theta and
 *   L_v = (v/theta)^a ((1-v)/(1-theta))^(t-a).
 * A toss multiplies L_v by 1 - (s-theta)(theta-v)/(theta(1-theta)) on average. This factor is at most 1 if s
 * is theta or more. So an average E of several L_v, with fixed steps theta - v, is a supermartingale that
 * starts at 1. By Ville's inequality, E ever reaches 1/delta with probability at most delta. For every step,
 * L_v falls as `a` rises, and rises with theta.
 *
 * The steps theta - v are 1, 1/sqrt 2, 1/2, ..., 2^-8 and then 2^-9, 2^-10, ..., with equal weights. These
 * steps do not depend on the bias that the gate must exclude. So the bound is valid for biases of every size,
 * even if the size is chosen after looking at the permutations. The bound that decides a pass gives most of the
 * weight to three steps near the best one for the size that it has to exclude, x. Of t fair deals, the fullest
 * cells have about q + b/sqrt(t), where b = (sum of sqrt(q_i (1-q_i)))/sqrt(2 pi). A coin is settled at a distance
 * of sqrt(ln(1/delta)/(2t)) from this, about; so x = (b + w)/sqrt(t), with w = sqrt(ln(1/delta)/2), and
 * the best step is x w/(w + b). For 56 cells at 0.02 this saves 8% of the deals.
 *
 * A lower bound on E between two sets: let each set be a point (a, theta). On the line between both points,
 * `a` and theta change linearly. ln(v/theta) is a concave function of theta, so it is above its chord.
 * ln((1-v)/(1-theta)) is convex, so it is above its tangent in the middle. Hence ln L_v is above a quadratic
 * function, whose minimum is known. If v = 0 or theta reaches 1, the bound is L_v of the larger `a` and the
 * smaller theta.
 *
 * Rounding: let u = 2^-53, b = t - a and s = theta - v. The logarithm of L_v has the parts a ln(1 - s/theta)
 * and b ln(1 + s/(1-theta)); let G be the sum of their sizes. Its slope in theta is a s/(theta v) + b
 * s/((1-theta)(1-v)), and G is at most this slope, because |ln(1 - s/theta)| <= s/v and ln(1 + s/(1-theta))
 * <= s/(1-theta). Each operation changes a part by a few u of its size, or theta by a few u. So the computed
 * L_v is the true L_v at a theta that is off by at most 32u. The sum of the at most 32 terms and the comparison with
 * ln(29/delta) add an error of (128 + 4 ln(29/delta)) u, while the slope there is at least G >= ln(29/delta)
 * > 3. So all in all a bound is too small by less than 100u, or 1.2e-14, and by the error of q, at most 1e-11
 * (fit/e_process.c). The error of sb_root_find() only makes it larger.
 *
 * Terms that cannot matter are not computed. A comparison of E with 1/delta begins with the best step and
 * ends as soon as the terms so far suffice. ln L_v is a concave function of v with its maximum at v = a/t. So
 * from the best step to larger steps, ln L_v falls ever faster. If a step's L_v is less than 2^-60 of that of
 * the next smaller step, then all larger steps together are too small to change the last bit of the sum,
 * which is added up from the largest step on.
 *
 * Cost: two logarithms for most sets, two logarithms for each of about five steps for sets near the bound,
 * and two logarithms per step to raise a bound.
 */

enum {
    COIN_FINE = 17, /* the number of steps 1, 1/sqrt 2, ..., 2^-8 */
    COIN_TUNED = SB_TV_COIN_STEPS_MOST - SB_TV_COIN_STEPS,
    COIN_NEAR = 3, /* steps on each side of the best step that sb_tv_coin_settles_soon() adds up */
};

/* ln 2^60 and the logarithm of the largest ratio of two weights, rounded up: terms that are smaller than another term
 * by this factor are together below half of its last bit. */
static const double coin_far = 48;

static const double coin_tuned = 0.8; /* the weight of the steps for one size */

/* A sum of terms that exceeds 1/delta by this share exceeds 1/delta in any order of addition. */
static const double coin_margin = 1e-9;

/* If the best term is smaller than 1/delta by more than this factor (in nats), the other terms hardly make up
 * for it. */
static const double coin_hopeless = 1;

/* The error of a root, and the first step by which a root that was found too low is raised. */
static const double coin_root_error = 1e-14;

void sb_tv_coin_open(const struct sb_tally *tally, double ln_level, struct sb_tv_coin *coin)
{
    const double share = tally->lag ? 0.5 : 1;

    *coin = (struct sb_tv_coin) {
        .ln_level = ln_level + (tally->lag ? log(2) : 0) + log(SB_TV_COIN_STEPS),
        .share = share,
        .total = share * (double)tally->total,
    };
    for (int j = 0; j < SB_TV_COIN_STEPS; j++)
        coin->step[j] = exp2(-0.5 * (j + fmax(0, j + 1 - COIN_FINE)));
    coin->steps = SB_TV_COIN_STEPS;
}

/* The total variation of t fair deals from their law, times sqrt(t), on average. */
static double coin_fair(const struct sb_tally *tally)
{
    double sum = 0;

    for (size_t i = 0; i < tally->cells; i++) {
        const double q = tally->ln_p ? exp(tally->ln_p[i]) : 1 / (double)tally->cells;

        sum += sqrt(q * fmax(0, 1 - q));
    }
    return sum / sqrt(8 * atan(1));
}

void sb_tv_coin_tune(const struct sb_tally *tally, double size, struct sb_tv_coin *coin)
{
    static const double share[COIN_TUNED] = { 0.25, 0.5, 0.25 }, factor[COIN_TUNED] = { 1.25, 1, 0.8 };
    const double width = sqrt((coin->ln_level - log(SB_TV_COIN_STEPS)) / 2);
    const double best = size * width / (width + sqrt(coin->share) * coin_fair(tally));

    for (size_t j = 0; j < coin->steps; j++)
        coin->ln_weight[j] = log(1 - coin_tuned);
    for (int k = 0; k < COIN_TUNED; k++) {
        size_t j = coin->steps++;

        for (; j > 0 && coin->step[j - 1] < factor[k] * best; j--) {
            coin->step[j] = coin->step[j - 1];
            coin->ln_weight[j] = coin->ln_weight[j - 1];
        }
        coin->step[j] = factor[k] * best;
        coin->ln_weight[j] = log(coin_tuned * share[k] * SB_TV_COIN_STEPS);
    }
}

/* ln L_v for one step. If the step is larger than theta, v is 0. */
static double coin_ln_term(const struct sb_tv_coin *coin, size_t j, double count, double theta)
{
    const double step = coin->step[j] < theta ? coin->step[j] : theta, tails = coin->total - count;
    const double heads = count > 0 ? count * log1p(-step / theta) : 0;

    return heads + tails * log1p(step / (1 - theta)) + coin->ln_weight[j];
}

/* The step that is best for this set: the first that is at most theta - count/total. */
static size_t coin_best_step(const struct sb_tv_coin *coin, struct sb_tv_set set, double bound)
{
    const double gap = set.q + bound - set.count / coin->total;
    size_t best = 0;

    while (best + 1 < coin->steps && coin->step[best] > gap)
        best++;
    return best;
}

/* ln(E delta) of a set at theta = q + bound; rises with the bound. Infinite for theta >= 1, since no
 * probability is above 1. */
static double coin_ln_e(const struct sb_tv_coin *coin, struct sb_tv_set set, double bound)
{
    const double theta = set.q + bound;
    const size_t best = coin_best_step(coin, set, bound);
    double term[SB_TV_COIN_STEPS_MOST + 1]; /* a sentinel follows the last term */
    size_t first = coin->steps;

    if (theta >= 1)
        return HUGE_VAL;
    term[first] = -HUGE_VAL;
    do {
        first--;
        term[first] = coin_ln_term(coin, first, set.count, theta);
    } while (first > 0 && (first >= best || term[first] > term[first + 1] - coin_far));
    return sb_ln_sum(term + first, coin->steps - first) - coin->ln_level;
}

/* The step in place k of the order best, best + 1, best - 1, best + 2, ...; coin->steps if no step is there. */
static size_t coin_step_near(const struct sb_tv_coin *coin, size_t best, size_t k)
{
    const size_t distance = (k + 1) / 2;

    if (k % 2)
        return best + distance < coin->steps ? best + distance : coin->steps;
    return distance <= best ? best - distance : coin->steps;
}

bool sb_tv_coin_settles(const struct sb_tv_coin *coin, struct sb_tv_set set, double bound)
{
    const double theta = set.q + bound;
    const size_t best = coin_best_step(coin, set, bound);
    double term[SB_TV_COIN_STEPS_MOST], sum = 0;

    if (theta >= 1)
        return true;
    if (theta <= set.count / coin->total) /* then E is below 1 */
        return false;
    for (size_t k = 0; k < 2 * coin->steps; k++) {
        const size_t j = coin_step_near(coin, best, k);

        if (j == coin->steps)
            continue;
        term[j] = coin_ln_term(coin, j, set.count, theta);
        if (term[j] >= coin->ln_level)
            return true;
        sum += exp(term[j] - coin->ln_level);
        if (sum >= 1 + coin_margin)
            return true;
    }
    return sb_ln_sum(term, coin->steps) >= coin->ln_level;
}

/* The least value of c0 + c1 x + c2 x^2 for 0 <= x <= 1. */
static double coin_least_quadratic(double c0, double c1, double c2)
{
    if (c2 > 0 && c1 < 0 && -c1 < 2 * c2)
        return c0 - c1 * c1 / (4 * c2);
    return fmin(c0, c0 + c1 + c2);
}

/* A lower bound on ln L_v at every point between two sets, for one step. */
static double coin_least_term(const struct sb_tv_coin *coin, size_t j, struct sb_tv_set one, struct sb_tv_set other,
                              double bound)
{
    const double from = one.q + bound, to = other.q + bound, step = coin->step[j];

    if (to >= 1 || step >= from)
        return coin_ln_term(coin, j, other.count, from);
    const double rest = 1 - 0.5 * (from + to), heads = log1p(-step / from);
    const double heads_rise = log1p(-step / to) - heads;
    const double tails_rise = step / (rest * (rest + step)) * (to - from);
    const double tails = log1p(step / rest) - 0.5 * tails_rise;
    const double a = one.count, b = coin->total - a, rise = other.count - one.count;

    return coin->ln_weight[j] + coin_least_quadratic(a * heads + b * tails,
                                                     a * heads_rise + b * tails_rise + rise * (heads - tails),
                                                     rise * (heads_rise - tails_rise));
}

/* Tries the best term alone first, then with its neighbours. */
bool sb_tv_coin_settles_soon(const struct sb_tv_coin *coin, struct sb_tv_set one, struct sb_tv_set other, double bound,
                             double margin)
{
    const double goal = coin->ln_level + margin;
    const size_t best = coin_best_step(coin, other, bound);
    double sum = 0;

    if (one.q + bound >= 1)
        return true;
    for (size_t k = 0; k <= 2 * COIN_NEAR; k++) {
        const size_t j = coin_step_near(coin, best, k);

        if (j == coin->steps)
            continue;
        const double term = coin_least_term(coin, j, one, other, bound);

        if (term >= goal)
            return true;
        if (k == 0 && term < goal - coin_hopeless)
            return false;
        sum += exp(term - goal);
        if (sum >= 1 + coin_margin)
            return true;
    }
    return false;
}

bool sb_tv_coin_settles_part(const struct sb_tv_coin *coin, struct sb_tv_set one, struct sb_tv_set other, double bound)
{
    double term[SB_TV_COIN_STEPS_MOST];

    if (sb_tv_coin_settles_soon(coin, one, other, bound, 0))
        return true;
    for (size_t j = 0; j < coin->steps; j++)
        term[j] = coin_least_term(coin, j, one, other, bound);
    return sb_ln_sum(term, coin->steps) >= coin->ln_level;
}

struct coin_root {
    const struct sb_tv_coin *coin;
    struct sb_tv_set set;
};

static double coin_rising(const void *state, double bound)
{
    const struct coin_root *const root = state;

    return coin_ln_e(root->coin, root->set, bound);
}

double sb_tv_coin_raise(const struct sb_tv_coin *coin, struct sb_tv_set set, double bound)
{
    const struct coin_root root = { .coin = coin, .set = set };
    const double most = 1 - set.q;
    double raised = sb_root_find(coin_rising, &root, bound, most, coin_root_error);

    /* if E rises by many orders of magnitude, the search may end below the root (fit/fit.h) */
    for (double step = coin_root_error; raised < most && coin_rising(&root, raised) < 0; step *= 2)
        raised += step;
    return fmin(raised, most);
}

static const double sets_part = 0.8; /* of delta, for F; the rest is for the coins */
static const double sets_work = 1e9; /* the most steps */
static const double sets_error = 0x1p-38;

struct sets {
    const uint64_t *count; /* [cells] in descending order */
    size_t cells;
    double total, exclude, ln_level;
    struct sb_tv_coin coin;
    double *mean, *z; /* [cells] scratch */
};

bool sb_tv_sets_join(const struct sb_tally *tally)
{
    const double cells = (double)tally->cells;

    return !tally->ln_p && !tally->lag && tally->cells > 1 &&
           (double)tally->members * cells * cells * cells < sets_work;
}

double sb_tv_sets_ln_rest(double ln_level)
{
    return ln_level - log(1 - sets_part);
}

struct sets_fair {
    double freedom, ln_level;
};

static double sets_evidence(const void *state, double ln_size)
{
    const struct sets_fair *const fair = state;
    const double size = exp(ln_size), s = sqrt(1 + 4 * size / fair->freedom);

    return log((0.5 * size - 0.5 * fair->freedom * (s - 1 - log(0.5 + 0.5 * s)) + 0.5 * log(s)) / fair->ln_level);
}

/*
 * For many deals, F of half the cells is the mean of e^(<u,W> - l/2) over all u of length sqrt(l) in K - 1 dimensions,
 * where l = 4 t x^2, and W is a normal vector, of length sqrt(K-1). This is a Bessel function, here by Debye's
 * expansion (DLMF 10.41.3).
 */
double sb_tv_sets_fair(double cells, double ln_level, double exclude)
{
    const struct sets_fair fair = { .freedom = cells - 1, .ln_level = ln_level - log(sets_part) };

    return exp(sb_root_find(sets_evidence, &fair, -5, 40, 1e-6)) / (4 * exclude * exclude);
}

/* Returns the mean over all sets of m <= cells/2 cells of the products of z. */
static double sets_mean(const struct sets *sets, size_t m)
{
    double *const mean = sets->mean;

    memset(mean, 0, (m + 1) * sizeof mean[0]);
    mean[0] = 1;
    for (size_t i = 1; i <= sets->cells; i++) {
        const double part = 1 / (double)i, z = sets->z[i - 1] * part;

        for (size_t j = i < m ? i : m; j > 0; j--)
            mean[j] = (double)(i - j) * part * mean[j] + (double)j * z * mean[j - 1];
        mean[0] = 1;
    }
    return mean[m];
}

/* Whether F of m is at most the level. */
static bool sets_fall(const struct sets *sets, size_t m)
{
    const double cells = (double)sets->cells, x = sets->exclude, q = (double)m / cells, theta = q + x;

    if (1 - theta < x / 64)
        return false;
    const double inside = q * log1p(-x / theta), outside = (1 - q) * log1p(x / (1 - theta));
    const double evidence = sets->total * (inside + outside), step = log1p(x / q) + log1p(x / (1 - theta));
    const size_t few = m < sets->cells - m ? m : sets->cells - m;
    const double sign = few == m ? step : -step, mean = sets->total / cells;
    const double range = (double)sets->count[0] - (double)sets->count[sets->cells - 1];
    const double error =
        sets_error * (sets->total * (fabs(inside) + outside) + cells + (double)few * step * (range + mean));

    if (evidence < sets->ln_level)
        return false;
    for (size_t i = 0; i < sets->cells; i++) /* in descending order */
        sets->z[i] = exp(sign * ((double)sets->count[few == m ? i : sets->cells - 1 - i] - mean));
    return evidence - log(sets_mean(sets, few)) >= sets->ln_level + error;
}

/* Whether it is ruled out that m cells, of which the fullest have this count, are up. */
static bool sets_settle(const struct sets *sets, size_t m, uint64_t count)
{
    const struct sb_tv_set set = { .count = (double)count, .q = (double)m / (double)sets->cells };

    return sb_tv_coin_settles(&sets->coin, set, sets->exclude - SB_TV_HIGH_ERROR) || sets_fall(sets, m);
}

static int sets_compare(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

    return (one < other) - (one > other);
}

/* Whether all m are ruled out, or, if `half` is set, cells/2; sorts the counts. Begins with the m that are hardest. */
static bool sets_settle_member(struct sets *sets, const uint64_t count[], uint64_t sorted[], bool half)
{
    const size_t middle = sets->cells / 2;
    uint64_t sum = 0, below;

    memcpy(sorted, count, sets->cells * sizeof sorted[0]);
    qsort(sorted, sets->cells, sizeof sorted[0], sets_compare);
    sets->count = sorted;
    for (size_t i = 0; i < middle; i++)
        sum += sorted[i];
    below = sum;
    bool settled = sets_settle(sets, middle, sum);

    for (size_t m = middle + 1; !half && settled && m < sets->cells; m++)
        settled = sets_settle(sets, m, sum += sorted[m - 1]);
    for (size_t m = middle; !half && settled && m-- > 1;)
        settled = sets_settle(sets, m, below -= sorted[m]);
    return settled;
}

/* The member whose counts vary most: that with the largest sum of squares. */
static size_t sets_hardest(const struct sb_tally *tally)
{
    double most = -1;
    size_t hardest = 0;

    for (size_t member = 0; member < tally->members; member++) {
        double sum = 0;

        for (size_t i = 0; i < tally->cells; i++) {
            const double count = (double)tally->count[member * tally->cells + i];

            sum += count * count;
        }
        if (sum > most) {
            most = sum;
            hardest = member;
        }
    }
    return hardest;
}

enum sb_status sb_tv_sets_exclude(const struct sb_tally *tally, double ln_level, double exclude, bool *excluded)
{
    const size_t cells = tally->cells, hardest = sets_hardest(tally);
    struct sets sets = {
        .cells = cells,
        .total = (double)tally->total,
        .exclude = exclude,
        .ln_level = ln_level - log(sets_part),
        .mean = calloc(2 * cells, sizeof(double)),
    };
    uint64_t *const sorted = calloc(cells, sizeof sorted[0]);

    if (!sets.mean || !sorted) {
        free(sets.mean);
        free(sorted);
        return SB_NO_MEMORY;
    }
    sets.z = sets.mean + cells;
    sb_tv_coin_open(tally, sb_tv_sets_ln_rest(ln_level), &sets.coin);
    *excluded = sets_settle_member(&sets, tally->count + hardest * cells, sorted, true);
    for (size_t member = 0; *excluded && member < tally->members; member++)
        *excluded = sets_settle_member(&sets, tally->count + member * cells, sorted, false);
    free(sets.mean);
    free(sorted);
    return SB_OK;
}
