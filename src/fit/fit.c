/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of counts: chi-square of cells, of merged cells and of two samples, the likelihood ratio and bets; and what
 * they share, a sum over cells and the finding of a chi-square statistic. */
#include "fit/fit.h"

enum sb_status sb_cells_add(const struct sb_tally *tally, double (*term)(const struct sb_cell *cell),
                            struct sb_cells_sum *sum)
{
    struct sb_sum value = { 0 };
    struct sb_cells_sum made = { .least = HUGE_VAL };

    for (size_t member = 0; member < tally->members; member++) {
        made.possible = 0;
        for (size_t i = 0; i < tally->cells; i++) {
            const struct sb_cell cell = sb_cell_get(tally, member, i);

            if (cell.expected > 0) {
                sb_sum_add(&value, term(&cell));
                made.least = fmin(made.least, cell.expected);
                made.possible++;
            } else if (cell.count > 0) {
                return SB_BROKEN;
            }
        }
    }
    made.value = sb_sum_value(&value);
    if (made.possible == 0) /* there are no members or no possible cells */
        made.least = 0;
    *sum = made;
    return SB_OK;
}

double sb_cell_pearson(const struct sb_cell *cell)
{
    return cell->excess * (cell->excess / cell->expected);
}

/* ln of the smallest probability of a sample: of the least likely cell or, of a matrix, of a deal. */
static double fit_ln_share(const struct sb_tally *tally, const struct sb_cells_sum *sum)
{
    const double n = (double)tally->members;
    const double deal = tally->cells == tally->members ? n : (double)tally->cells - 1;

    return n > 1 ? sb_ln_gamma(n - deal + 1) - sb_ln_gamma(n + 1) : log(sum->least / (double)tally->total);
}

struct sb_finding sb_finding_none(const struct sb_tally *tally, const char *test)
{
    return (struct sb_finding) {
        .statistic = tally->statistic,
        .test = test,
        .value = NAN,
        .dof = NAN,
        .p = NAN,
        .ln_p = NAN,
        .effect = NAN,
        .effect_low = NAN,
        .effect_high = NAN,
    };
}

struct sb_finding sb_finding_of(const struct sb_tally *tally, const char *test, double value, double dof,
                                const struct sb_cells_sum *sum, const struct sb_spread *spread, double alpha)
{
    struct sb_finding finding = sb_finding_none(tally, test);

    finding.value = tally->total ? value : NAN;
    finding.dof = dof;
    finding.expected_least = sum->least;
    finding.expected_needed = 5;
    if (dof <= 0) /* no number of deals would do */
        finding.expected_needed = 0;
    if (tally->total == 0 || dof <= 0)
        return finding;
    finding.least[0].ln_share = fit_ln_share(tally, sum);
    finding.ln_p = fmax(sb_chisq_ln_q(value, dof), (double)tally->total * finding.least[0].ln_share);
    finding.p = exp(finding.ln_p);
    sb_spread_interval(spread, (double)tally->total, alpha, &finding);
    /* the variance cannot be estimated from counts this small: a sample of two equal deals seems to have no
     * variance */
    if (!sb_finding_expects(&finding) && finding.p > alpha / 2)
        finding.effect_low = 0;
    return finding;
}

/*
 * Pearson's chi-square test of homogeneity: whether two samples have the same law. Cells with the counts a of n and b
 * of m add (a m - b n)^2 / (n m (a + b)). Neighbouring cells are merged until a + b is large enough; what is left at
 * the end joins the last merged cell. Of g merged cells, the sum is chi-square with g - 1 degrees of freedom.
 */

struct two_cells {
    double a, b;
};

static double two_term(struct two_cells cell, double n, double m)
{
    const double d = cell.a * m - cell.b * n;

    return d * d / (n * m * (cell.a + cell.b));
}

struct sb_finding sb_two_samples(const struct sb_tally *one, const struct sb_tally *other, size_t member, double least)
{
    const double n = (double)one->total, m = (double)other->total;
    struct sb_finding finding = sb_finding_none(one, "two-sample");
    struct two_cells now = { 0 }, last = { 0 };
    double value = 0, groups = 0;

    for (size_t i = member * one->cells; i < (member + 1) * one->cells; i++) {
        now.a += (double)one->count[i];
        now.b += (double)other->count[i];
        if (now.a + now.b < least)
            continue;
        value += two_term(now, n, m);
        groups++;
        last = now;
        now = (struct two_cells) { 0 };
    }
    if (groups < 2)
        return finding;
    if (now.a + now.b > 0) {
        value -= two_term(last, n, m);
        value += two_term((struct two_cells) { last.a + now.a, last.b + now.b }, n, m);
    }
    finding.value = value;
    finding.dof = groups - 1;
    finding.ln_p = sb_chisq_ln_q(value, groups - 1);
    finding.p = exp(finding.ln_p);
    return finding;
}

/*
 * Pearson's chi-square over the cells of one statistic.
 *
 * X2 = sum (O - E)^2/E over the possible cells. If every E is 5 or more, X2 is approximately chi-square, with
 * one degree of freedom fewer than there are possible cells. Cost: O(cells). Pearson, On the criterion that a
 * given system of deviations ..., Philosophical Magazine 50, 1900.
 */

static enum sb_status pearson_run(const struct sb_tally *tally, double alpha, struct sb_finding *finding)
{
    struct sb_spread spread;
    struct sb_cells_sum sum;
    enum sb_status status;

    if (tally->members != 1 || tally->cells == 0)
        return SB_INVALID;
    status = sb_cells_add(tally, sb_cell_pearson, &sum);
    if (status)
        return status;
    spread = sb_spread_cells(tally, 0);
    *finding =
        sb_finding_of(tally, "pearson", sum.value, sum.possible ? (double)(sum.possible - 1) : 0, &sum, &spread, alpha);
    return SB_OK;
}

const struct sb_test_type sb_test_pearson = {
    .name = "pearson",
    .title = "Pearson's chi-square over the cells of a statistic",
    .cite = "doi:10.1080/14786440009463897",
    .statistic = "rank",
    .run = pearson_run,
};

/*
 * The likelihood-ratio G over the cells of one statistic, with Williams' correction.
 *
 * G = 2 sum O ln(O/E) = 2 sum (O ln(O/E) + E - O), since the counts and their expectations have the same sum.
 * No term of the second form is negative, so nothing cancels. Under the null law, the mean of G exceeds the K
 * - 1 degrees of freedom by the factor
 *   q = 1 + (sum 1/p - 1)/(6 N (K-1)), which is 1 + (K+1)/(6 N) for K equally likely cells,
 * up to terms in 1/N^2. The value of the test is G/q, which is approximately chi-square with K - 1 degrees of
 * freedom. Cost: a logarithm for each cell. Wilks, doi:10.1214/aoms/1177732360. Williams,
 * doi:10.1093/biomet/63.1.33.
 *
 * The remaining error of the mean is K/(6 E^2) for K cells with expected counts E. So in units of the
 * standard deviation, sqrt(2 K), the error depends only on E / K^(1/4). p counts as reliable if this ratio is
 * at least 5. From this ratio on, measured p-values are uniform (docs/accuracy.md).
 *
 * The interval of the effect requires twice the expected count that p requires. If the expected counts are
 * smaller than that, cells that a biased law rarely reaches give G a bias that the interval does not allow
 * for. In experiments (tests/bench/effect_coverage.c), a 95% interval contained the true effect in 93% of the
 * samples whose expected counts were just large enough for p. With 5 shuffles for each of 720 cells, the
 * interval contained the true effect in only 55% of the samples.
 */

/* p requires an expected count of at least 5 K^(1/4) and at least 20. The interval of the effect requires
 * twice that count. */
static const double likelihood_ratio_needed = 5, likelihood_ratio_least = 20, likelihood_ratio_interval = 2;

static double likelihood_ratio_term(const struct sb_cell *cell)
{
    return 2 * sb_divergence(cell->count, cell->expected, cell->excess);
}

/* 1/E of a cell. The correction is a series in 1/E, which is useless for E below 1, so a smaller E counts as
 * 1. */
static double likelihood_ratio_inverse(const struct sb_cell *cell)
{
    return 1 / fmax(cell->expected, 1);
}

/* Williams' q; 1 if there is nothing to correct. */
static double likelihood_ratio_correction(const struct sb_tally *tally, size_t cells)
{
    const double total = (double)tally->total;
    struct sb_cells_sum inverse;

    if (tally->total == 0 || cells < 2 || sb_cells_add(tally, likelihood_ratio_inverse, &inverse))
        return 1;
    return 1 + (inverse.value - 1 / total) / (6 * ((double)cells - 1));
}

/*
 * The spread of G, for N samples of a law p. The mean of G is about 2 N KL + S - 1, where KL is the
 * divergence of p from the null law q, and S is the number of cells that p reaches. Let m2 and m3 be the
 * variance and the third central moment of ln(p/q) over samples. The slope is m2 - (S - 1)/N, where (S - 1)/N
 * is the part of m2 that the noise of the counts causes. The curve is 1 + m3/(2 m2).
 */
static struct sb_spread likelihood_ratio_spread(const struct sb_tally *tally, double value)
{
    const double total = (double)tally->total;
    struct sb_sum first = { 0 }, square = { 0 }, cube = { 0 }, inverse = { 0 };
    double reached = 0;

    if (tally->total == 0)
        return (struct sb_spread) { 0 };
    for (size_t i = 0; i < tally->cells; i++) {
        const struct sb_cell cell = sb_cell_get(tally, 0, i);

        if (!(cell.count > 0))
            continue;
        const double share = cell.count / total, ln = log(cell.count / cell.expected);

        reached++;
        sb_sum_add(&first, share * ln);
        sb_sum_add(&square, share * ln * ln);
        sb_sum_add(&cube, share * ln * ln * ln);
        sb_sum_add(&inverse, 1 / cell.count);
    }
    const double mean = sb_sum_value(&first), noise = reached - 1 + (sb_sum_value(&inverse) - 1 / total) / 6;
    const double variance = sb_sum_value(&square) - mean * mean;
    const double third = sb_sum_value(&cube) - 3 * mean * sb_sum_value(&square) + 2 * mean * mean * mean;

    return (struct sb_spread) {
        .effect = (value - noise) / total,
        .noise = noise,
        .trace = reached - 1,
        .slope = fmax(0, variance - (reached - 1) / total),
        .curve = variance > 0 ? 1 + 0.5 * third / variance : 1,
    };
}

static enum sb_status likelihood_ratio_run(const struct sb_tally *tally, double alpha, struct sb_finding *finding)
{
    struct sb_cells_sum sum;
    enum sb_status status;

    if (tally->members != 1 || tally->cells == 0)
        return SB_INVALID;
    status = sb_cells_add(tally, likelihood_ratio_term, &sum);
    if (status)
        return status;
    const double correction = likelihood_ratio_correction(tally, sum.possible);
    const struct sb_spread spread = likelihood_ratio_spread(tally, sum.value);

    *finding = sb_finding_of(tally, "likelihood-ratio", sum.value / correction,
                             sum.possible ? (double)(sum.possible - 1) : 0, &sum, &spread, alpha);
    if (sum.possible < 2)
        return SB_OK;
    finding->expected_needed = fmax(likelihood_ratio_least, likelihood_ratio_needed * sqrt(sqrt((double)sum.possible)));
    if (finding->expected_least < likelihood_ratio_interval * finding->expected_needed)
        finding->effect_low = finding->effect_high = NAN;
    return SB_OK;
}

const struct sb_test_type sb_test_likelihood_ratio = {
    .name = "likelihood-ratio",
    .title = "the likelihood-ratio G over the cells of a statistic, with Williams' correction",
    .cite = "doi:10.1093/biomet/63.1.33",
    .statistic = "rank",
    .run = likelihood_ratio_run,
};

/*
 * Pearson's chi-square over the cells of any statistic. Neighbouring cells are merged until each has an
 * expected count of 20 or more; only the null law decides which cells are merged. For a family of m members,
 * the finding is that of the member with the smallest p. This p is multiplied by m (Bonferroni), and the
 * interval of the effect has the level 1 - alpha/m. Cost: O(members * cells).
 *
 * The smallest p of many members is far out in its tail, where two cells are no longer nearly normal: of 52 cards by
 * two places, 1.75% of the corrected p were at most 1%. Of two cells, the p of the member with the largest chi-square
 * is therefore the exact one of the binomial law. It is never below the smallest exact p of all members, so
 * Bonferroni's bound holds for it.
 *
 * With few samples, all cells merge into one, and no degree of freedom is left. Then the finding has no
 * p-value and is not reliable. The expected_least of the finding is then the expected count of the less
 * likely cell if all cells were merged into two cells with probabilities as equal as possible.
 *
 * W. G. Cochran, Some methods for strengthening the common chi-square tests, Biometrics 10 (1954) 417,
 * requires an expected count of only 5. But all tests of a report divide alpha among them, and at such small
 * levels 5 is too low: for decks of 52 cards, false alarms were 1.3 times as frequent as alpha allows
 * (docs/accuracy.md).
 */

static const double merged_expected_least = 20;

/* The merged cells: which cells they contain, their law, and the counts of one member. */
struct merged_cells {
    size_t cells;
    uint32_t *map;   /* [tally->cells] for each cell, the index of the merged cell that contains this cell */
    double *ln_p;    /* [tally->cells] the law of the merged cells; only the first `cells` entries are used */
    uint64_t *count; /* [tally->cells] counts of the merged cells; only the first `cells` entries are used */
};

static void merged_close(struct merged_cells *merged)
{
    free(merged->map);
    free(merged->ln_p);
    free(merged->count);
}

static enum sb_status merged_open(const struct sb_tally *tally, struct merged_cells *merged)
{
    const size_t cells = tally->cells;

    *merged = (struct merged_cells) {
        .map = calloc(cells, sizeof *merged->map),
        .ln_p = calloc(cells, sizeof *merged->ln_p),
        .count = calloc(cells, sizeof *merged->count),
    };
    if (!merged->map || !merged->ln_p || !merged->count) {
        merged_close(merged);
        return SB_NO_MEMORY;
    }
    for (size_t i = 0; i < cells; i++)
        merged->ln_p[i] = tally->ln_p ? tally->ln_p[i] : -log((double)cells);
    merged->cells =
        sb_merge_cells(merged->ln_p, cells, merged_expected_least / (double)tally->total, merged->map, merged->ln_p);
    return SB_OK;
}

static enum sb_status merged_member(const struct sb_tally *tally, size_t member, double alpha,
                                    const struct merged_cells *merged, struct sb_finding *finding)
{
    const struct sb_tally one = {
        .statistic = tally->statistic,
        .members = 1,
        .cells = merged->cells,
        .total = tally->total,
        .count = merged->count,
        .ln_p = merged->ln_p,
    };

    memset(merged->count, 0, merged->cells * sizeof merged->count[0]);
    for (size_t i = 0; i < tally->cells; i++)
        merged->count[merged->map[i]] += tally->count[member * tally->cells + i];
    return sb_test_pearson.run(&one, alpha, finding);
}

/* The probability of the less likely cell if all cells are merged into two cells that are as equal as
 * possible; 0 if only one cell is possible. */
static double merged_half(const struct sb_tally *tally)
{
    double before = 0, half = 0;

    for (size_t i = 0; i + 1 < tally->cells && before < 0.5; i++) {
        before += tally->ln_p ? sb_exp(tally->ln_p[i]) : 1 / (double)tally->cells;
        half = fmax(half, fmin(before, 1 - before));
    }
    return half > 1e-12 ? half : 0;
}

/* ln of the exact p of the first of two merged cells, of one member. */
static double merged_ln_binomial(const struct sb_tally *tally, size_t member, const struct merged_cells *merged)
{
    uint64_t first = 0;

    for (size_t i = 0; i < tally->cells; i++)
        first += merged->map[i] == 0 ? tally->count[member * tally->cells + i] : 0;
    return sb_binomial_ln_p(first, tally->total, sb_exp(merged->ln_p[0]));
}

static enum sb_status merged_run(const struct sb_tally *tally, double alpha, struct sb_finding *finding)
{
    const double members = (double)tally->members;
    struct sb_finding worst = { .ln_p = INFINITY };
    struct merged_cells merged;
    enum sb_status status;
    size_t at = 0;

    if (tally->members == 0 || tally->cells == 0)
        return SB_INVALID;
    status = merged_open(tally, &merged);
    if (status)
        return status;
    for (size_t member = 0; member < tally->members && status == SB_OK; member++) {
        struct sb_finding one;

        status = merged_member(tally, member, alpha / members, &merged, &one);
        if (status == SB_OK && !(one.ln_p >= worst.ln_p)) {
            worst = one;
            at = member;
        }
    }
    if (status == SB_OK && tally->members > 1 && merged.cells == 2)
        worst.ln_p = merged_ln_binomial(tally, at, &merged);
    merged_close(&merged);
    if (status)
        return status;
    worst.test = "merged";
    if (worst.dof > 0) {
        worst.least[0].ln_factor = log(members);
        worst.ln_p = fmin(0, worst.ln_p + log(members));
        worst.p = tally->members > 1 ? exp(worst.ln_p) : worst.p;
    } else if (merged_half(tally) > 0) {
        worst.expected_least = (double)tally->total * merged_half(tally);
        worst.expected_needed = merged_expected_least;
        worst.value = NAN;
    }
    *finding = worst;
    return SB_OK;
}

const struct sb_test_type sb_test_merged = {
    .name = "merged",
    .title = "Pearson's chi-square, cells merged until each expects 20",
    .cite = "Cochran, Biometrics 10 (1954) 417",
    .run = merged_run,
};

/*
 * The test of a bettor (tally/order.h). If the shuffle is fair, the bettor's wealth E is a martingale that
 * starts at 1. By Ville's inequality, the probability that E ever reaches x is then at most 1/x. So p =
 * min(1, 1/max E) is a p-value: the probability that p is below a is at most a, whenever the maximum is
 * taken. The value of the test is ln max E, in nats. A bettor has no effect size.
 *
 * Ville, Étude critique de la notion de collectif, 1939. Shafer, Shen, Vereshchagin and Vovk, Test
 * martingales, Bayes factors and p-values, doi:10.1214/10-STS347.
 */

/* Runs the test on the tally of a bettor at the moment of its largest E. */
static enum sb_status betting_run(const struct sb_tally *tally, double alpha, struct sb_finding *finding)
{
    if (tally->members != 1 || !tally->ln_e)
        return SB_INVALID;
    *finding = sb_finding_none(tally, "betting");
    finding->context = tally->context;
    if (tally->total == 0)
        return SB_OK;
    finding->value = *tally->ln_e;
    finding->ln_p = fmin(0, -*tally->ln_e);
    finding->p = exp(finding->ln_p);
    return SB_OK;
}

const struct sb_test_type sb_test_betting = {
    .name = "betting",
    .title = "what bets on the next card have won, by Ville's inequality",
    .cite = "Shafer, Shen, Vereshchagin, Vovk, doi:10.1214/10-STS347",
    .statistic = "bettor",
    .run = betting_run,
};
