/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Total variation of a law whose ratio to uniform is a product of independent factors.
 *
 * Let R be the product and x = R - 1. Total variation is the mean of max(0, -x) under uniformity. An atom is a value of
 * a product of factors, with the probability of this value. The atoms of a product are sorted by x. To multiply the
 * product by another factor, the code makes a copy of the list of atoms for each value 1 + d of the factor. In this
 * copy, x becomes x + d (1 + x). Then the code merges the copies.
 *
 * If the product has up to 2^52 atoms, the result is exact, by meeting in the middle. As many factors as possible go
 * into two lists of up to 2^21 atoms each, and the remaining factors into an outer list. For each outer atom, one pass
 * through both lists finds all pairs with x < 0; the pass goes down in one list and up in the other. Cost: 2^21 merge
 * steps per list, and 2^22 steps per outer atom.
 *
 * If there are more atoms, the code thins out lists that become too long. This gives lower and upper bounds. The
 * function max(0, -x) is convex, also as a function of each factor. So replacing a range of neighbouring atoms by their
 * mean cannot raise the result. Replacing the range by two atoms at its ends, with the same mean, cannot lower the
 * result. For all ranges, weight times width^2 is below the same limit, as in optimal quantisation (P. F. Panter and W.
 * Dite, Proceedings of the IRE 39 (1951) 44). Cost: 2^25 merge steps for each bound.
 *
 * Meeting in the middle: E. Horowitz and S. Sahni, Journal of the ACM 21 (1974) 277, doi:10.1145/321812.321823.
 */
#include "exact/engine.h"

#include "core/system.h"

#include <stdatomic.h>

enum {
    PRODUCT_LIST_MOST = 1 << 21,  /* the largest number of atoms of a list for an exact result */
    PRODUCT_OUTER_MOST = 1 << 11, /* the largest number of atoms of the outer list */
    PRODUCT_WORK = 1 << 24,       /* approximate number of merge steps for a bound */
    /* For a bound, each list has up to PRODUCT_WORK / (number of factors) atoms. But this limit is never
     * above PRODUCT_THIN_MOST, and never below PRODUCT_THIN_LEAST. */
    PRODUCT_THIN_MOST = 1 << 17,
    PRODUCT_THIN_LEAST = 1 << 11,
};

const struct sb_effect sb_closed_effect = {
    .total_variation_fair = NAN,
    .shuffles_to_see = NAN,
    .kl_bits_fair = NAN,
    .chi2_per_sample_fair = NAN,
    .max_ratio_fair = NAN,
    .min_ratio_fair = NAN,
};

/* For small x, uses the series: the sum of (-x)^k / (k (k-1)) over k >= 2. */
double sb_closed_divergence(double x)
{
    double power = x * x, sum = 0;

    if (x == -1)
        return 1;
    if (fabs(x) > 0.1)
        return (1 + x) * log1p(x) - x;
    for (int k = 2; k < 18; k++, power *= -x)
        sum += power / (k * (k - 1));
    return sum;
}

double sb_closed_ratio(double excess, double ln_ratio)
{
    return excess < -0.9999 ? exp(ln_ratio) : 1 + excess;
}

struct product_list {
    size_t count;
    struct sb_atom *atom; /* [count] in ascending order of deviation; owned */
    double variance;      /* variance of the deviation */
    double limit;         /* the limit on weight times width^2 at the last thinning */
};

enum product_bound { PRODUCT_EXACT, PRODUCT_LOW, PRODUCT_HIGH };

static double product_times(double x, double d)
{
    return d == -1 ? -1 : x + d * (1 + x);
}

static enum sb_status product_open(struct product_list *list)
{
    *list = (struct product_list) { .count = 1, .atom = calloc(1, sizeof *list->atom) };
    if (!list->atom)
        return SB_NO_MEMORY;
    list->atom[0].weight = 1;
    return SB_OK;
}

/* Returns the copy of the list that has the smallest next atom, or factor->count if no copy has a next atom. */
static size_t product_least(const struct sb_factor *factor, const double next[])
{
    size_t least = 0;

    for (size_t v = 1; v < factor->count; v++)
        if (next[v] < next[least])
            least = v;
    return next[least] < INFINITY ? least : factor->count;
}

static enum sb_status product_multiply(struct product_list *list, const struct sb_factor *factor)
{
    struct sb_atom *const made = calloc(list->count * factor->count, sizeof *made);
    size_t head[SB_FACTOR_VALUES] = { 0 }, count = 0, v;
    double next[SB_FACTOR_VALUES], variance = 0;

    if (!made)
        return SB_NO_MEMORY;
    for (v = 0; v < factor->count; v++) {
        next[v] = product_times(list->atom[0].deviation, factor->atom[v].deviation);
        variance += factor->atom[v].weight * factor->atom[v].deviation * factor->atom[v].deviation;
    }
    while ((v = product_least(factor, next)) < factor->count) {
        const struct sb_atom atom = { next[v], list->atom[head[v]].weight * factor->atom[v].weight };

        if (count > 0 && made[count - 1].deviation == atom.deviation)
            made[count - 1].weight += atom.weight;
        else
            made[count++] = atom;
        head[v]++;
        next[v] =
            head[v] < list->count ? product_times(list->atom[head[v]].deviation, factor->atom[v].deviation) : INFINITY;
    }
    free(list->atom);
    list->atom = made;
    list->count = count;
    list->variance += variance * (1 + list->variance);
    return SB_OK;
}

/* Replaces from[0..count-1] by one or two atoms with the same total weight and mean. Returns the number of
 * new atoms. */
static size_t product_replace(const struct sb_atom from[], size_t count, enum product_bound bound, struct sb_atom to[2])
{
    const double first = from[0].deviation, width = from[count - 1].deviation - first;
    double weight = 0, beyond = 0; /* the sum of weight times (deviation - first) */

    for (size_t i = 0; i < count; i++) {
        weight += from[i].weight;
        beyond += from[i].weight * (from[i].deviation - first);
    }
    if (count == 1 || weight == 0 || width <= 0) {
        to[0] = (struct sb_atom) { first, weight };
        return 1;
    }
    if (bound == PRODUCT_LOW) {
        to[0] = (struct sb_atom) { first + beyond / weight, weight };
        return 1;
    }
    to[1] = (struct sb_atom) { first + width, beyond / width };
    to[0] = (struct sb_atom) { first, weight - to[1].weight };
    return 2;
}

/* Thins out a list in one pass. Each range is as long as the limit on weight times width^2 allows. This works
 * in place, since the pass never writes more atoms than it has read. */
static void product_thin_by(struct product_list *list, enum product_bound bound, double limit)
{
    size_t count = 0;

    for (size_t i = 0, end; i < list->count; i = end) {
        double weight = list->atom[i].weight;
        struct sb_atom to[2];

        for (end = i + 1; end < list->count; end++) {
            const double width = list->atom[end].deviation - list->atom[i].deviation;

            weight += list->atom[end].weight;
            if (weight * width * width > limit)
                break;
        }
        const size_t replaced = product_replace(list->atom + i, end - i, bound, to);
        for (size_t k = 0; k < replaced; k++)
            list->atom[count++] = to[k];
    }
    list->count = count;
}

static void product_thin(struct product_list *list, enum product_bound bound, size_t most)
{
    const double m = (double)most, normal = 33 * list->variance / (m * m * m);

    /* If a normal law is divided into ranges that all have weight times width^2 = limit, there are 3.2
     * (variance/limit)^(1/3) ranges. */
    list->limit = fmax(list->limit, fmax(normal, DBL_MIN));
    for (product_thin_by(list, bound, list->limit); list->count > most; product_thin_by(list, bound, list->limit))
        list->limit *= 2;
}

/* Computes the product of some factors. Unless `bound` is PRODUCT_EXACT, the list is thinned out to `most`
 * atoms after each multiplication. */
static enum sb_status product_list(const struct sb_factor factor[], size_t count, enum product_bound bound, size_t most,
                                   const struct sb_law *law, struct product_list *list)
{
    enum sb_status status = product_open(list);

    for (size_t i = 0; i < count && status == SB_OK; i++) {
        status = product_multiply(list, &factor[i]);
        if (status == SB_OK && bound != PRODUCT_EXACT)
            product_thin(list, bound, most);
        if (status == SB_OK && sb_law_stopped(law))
            status = SB_STOPPED;
    }
    return status;
}

/* Returns the sum of weight times max(0, -x) over all pairs of an atom of a and an atom of b. Here x is the
 * deviation of the product of the two atoms and the outer atom. */
static double product_meet(const struct product_list *a, const struct product_list *b, struct sb_atom outer)
{
    struct sb_sum total = { 0 }, weights = { 0 }, moments = { 0 }; /* sums over the atoms of b below the threshold */
    size_t below = 0;

    for (size_t i = a->count; i-- > 0;) {
        const double x = product_times(a->atom[i].deviation, outer.deviation);
        const double threshold = x > -1 ? -x / (1 + x) : INFINITY;

        for (; below < b->count && b->atom[below].deviation < threshold; below++) {
            sb_sum_add(&weights, b->atom[below].weight);
            sb_sum_add(&moments, b->atom[below].weight * b->atom[below].deviation);
        }
        sb_sum_add(&total, -a->atom[i].weight * (x * sb_sum_value(&weights) + (1 + x) * sb_sum_value(&moments)));
    }
    return outer.weight * sb_sum_value(&total);
}

/* State that the threads share. */
struct product_run {
    const struct product_list *list; /* [3] the two lists and the outer list */
    const struct sb_law *law;
    double *part;       /* [list[2].count] the sum for each outer atom */
    atomic_size_t next; /* index of the next outer atom to take */
};

static void product_work(void *state, size_t thread)
{
    struct product_run *const run = state;
    const struct product_list *const list = run->list;

    while (!sb_law_stopped(run->law)) {
        const size_t i = atomic_fetch_add(&run->next, 1);

        if (i >= list[2].count)
            break;
        run->part[i] = product_meet(&list[0], &list[1], list[2].atom[i]);
    }
}

/* Processes the outer atoms in parallel, but adds up the sums of these atoms in order, so the result does not
 * depend on the number of threads. */
static enum sb_status product_meet_all(const struct product_list list[3], const struct sb_law *law, double *variation)
{
    const size_t count = list[2].count;
    double *const part = calloc(count, sizeof *part);
    struct product_run run = { .list = list, .law = law, .part = part };
    struct sb_sum sum = { 0 };

    if (!part)
        return SB_NO_MEMORY;
    sb_threads_run(sb_threads_count(law->threads, count), product_work, &run);
    for (size_t i = 0; i < count; i++)
        sb_sum_add(&sum, part[i]);
    free(part);
    *variation = sb_sum_value(&sum);
    return sb_law_stopped(law) ? SB_STOPPED : SB_OK;
}

/* Returns how many factors, starting with `first`, have a product with at most `most` values. */
static size_t product_reach(const struct sb_factor factor[], size_t count, size_t first, double most)
{
    double values = 1;
    size_t end = first;

    while (end < count && values * (double)factor[end].count <= most)
        values *= (double)factor[end++].count;
    return end - first;
}

/* Computes total variation, or a bound on it. part[] is the number of factors in each of the three lists. */
static enum sb_status product_bound(const struct sb_factor factor[], const size_t part[3], enum product_bound bound,
                                    size_t most, const struct sb_law *law, double *variation)
{
    struct product_list list[3] = { 0 };
    enum sb_status status = SB_OK;

    for (size_t k = 0; k < 3 && status == SB_OK; factor += part[k++])
        status = product_list(factor, part[k], bound, most, law, &list[k]);
    if (status == SB_OK)
        status = product_meet_all(list, law, variation);
    for (size_t k = 0; k < 3; k++)
        free(list[k].atom);
    return status;
}

/* Computes bounds from the Bhattacharyya coefficient c, which is the mean of the square root of the ratio
 * under uniformity: 1 - c <= total variation <= sqrt(1 - c^2). These bounds are for laws that are so far from
 * uniform that the ratios exceed the range of doubles. L. Le Cam, Annals of Statistics 1 (1973) 38. */
static struct sb_bracket product_far(const struct sb_factor factor[], size_t count)
{
    double c = 1;

    for (size_t i = 0; i < count; i++) {
        double mean = 0;

        for (size_t v = 0; v < factor[i].count; v++)
            mean += factor[i].atom[v].weight * sqrt(1 + factor[i].atom[v].deviation);
        c *= mean;
    }
    return (struct sb_bracket) { 1 - c, sqrt(1 - c * c) };
}

enum sb_status sb_product_variation(const struct sb_factor factor[], size_t count, const struct sb_law *law,
                                    struct sb_bracket *bracket)
{
    double ln_values = 0, ln_most = 0, most = PRODUCT_LIST_MOST;
    struct sb_bracket made = { 0, 0 };
    enum sb_status status;

    for (size_t i = 0; i < count; i++) {
        ln_values += log((double)factor[i].count);
        ln_most += log1p(factor[i].atom[factor[i].count - 1].deviation);
    }
    if (ln_most > 300) {
        *bracket = product_far(factor, count);
        return SB_OK;
    }
    most = fmin(most, ceil(exp(ln_values / 2)));
    const size_t left = product_reach(factor, count, 0, most);
    const size_t right = product_reach(factor, count, left, most);
    const size_t part[3] = { left, right, count - left - right };
    if (product_reach(factor, count, left + right, PRODUCT_OUTER_MOST) == part[2]) {
        status = product_bound(factor, part, PRODUCT_EXACT, 0, law, &made.low);
        made.high = made.low;
    } else {
        const size_t halves[3] = { count / 2, count - count / 2, 0 };
        const double room = fmin(fmax(PRODUCT_WORK / (double)count, PRODUCT_THIN_LEAST), PRODUCT_THIN_MOST);

        status = product_bound(factor, halves, PRODUCT_LOW, (size_t)room, law, &made.low);
        if (status == SB_OK)
            status = product_bound(factor, halves, PRODUCT_HIGH, (size_t)room, law, &made.high);
    }
    if (status == SB_OK)
        *bracket = made;
    return status;
}
