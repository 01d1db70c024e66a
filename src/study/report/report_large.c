/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report on single large permutations. Each statistic of a permutation is tested by its own law. Each p is
 * conservative: under a fair shuffle, P(p <= x) <= x for every x. To ensure this:
 *
 *   - a two-sided p is twice the smaller one-sided p;
 *   - beyond the window of a law, or beyond the law's last cell, p is an upper bound of the tail;
 *   - the p of a family of statistics is the smallest p times the number of statistics; a series of
 *     permutations is treated in the same way;
 *   - the p of inversions includes the error of the normal law. The number of inversions is a nearly normal
 *     sum of independent numbers below 1, 2, ..., n. By Berry and Esseen, the normal law is off by at most
 *     0.56 sum E|X - mean|^3/sigma^3, where X runs over these numbers, and sigma is the standard deviation of
 *     their sum. A number below m is the whole part of a continuous uniform number in [0, m). So by Jensen's
 *     inequality E|X - mean|^3 is at most m^3/32. So the error is at most 0.95/sqrt(n). This bound is added
 *     to p once for each side. If the sub-Gaussian bound is smaller, p is that bound instead.
 *
 * I. G. Shevtsova, An improvement of convergence rate estimates in the Lyapunov theorem, Doklady Mathematics
 * 82 (2010) 862, for the 0.56.
 */

#include "study/report/report_result.h"
#include "study/run/run.h"

enum { LARGE_PERMUTATIONS = 100, LARGE_TESTS = 10 };

static const double large_shevtsova = 0.56;

static const char large_correction[] =
    "Bonferroni over the tests of a report: the smallest p times the number of tests is compared with alpha. "
    "Each p is that of the permutation with the smallest one, times the number of permutations; of eighths "
    "and sixty-fourths also of the pair with the smallest one, times the number of pairs. The p of "
    "inversions is that of the normal law, whose error of at most 0.95 over the square root of the number of "
    "items is added twice, or a sub-Gaussian bound.";

/* The data that the laws need at one n, and the findings so far. */
struct large_run {
    const struct sb_request *options;
    struct sb_error *error;
    struct sb_run loop;
    size_t n;
    double cycles[SB_STIRLING_CELLS]; /* ln p */
    double *descents;                 /* [window.cells] ln p; owned */
    struct sb_window window;          /* the values of the cells of `descents` */
    struct sb_large_counts counts;
    /* for each test, the finding on the permutation with the smallest p */
    struct sb_finding finding[LARGE_TESTS];
    size_t tests;
};

bool sb_report_is_large(const struct sb_feed *feed)
{
    return feed->deal == feed->n && feed->n > SB_PLACED_ITEMS_MOST;
}

static double large_cycles(const struct large_run *run, size_t value)
{
    double mean = 0;

    if (value + 1 < SB_STIRLING_CELLS)
        return sb_tails_cells(run->cycles, SB_STIRLING_CELLS, value);
    for (size_t i = run->n; i > 0; i--)
        mean += 1 / (double)i;
    return sb_tails_bits_above(mean, (double)value);
}

/* Returns ln p of a number of descents. The law of this number is the law of a sum of n independent uniform
 * numbers, rounded down. */
static double large_descents(const struct large_run *run, size_t value)
{
    const double n = (double)run->n, x = (double)value;
    const double off = fmax(0, fmax(x - n / 2, n / 2 - x - 1));
    const double inside = sb_tails_cells(run->descents, run->window.cells, sb_window_cell(&run->window, value));

    return fmin(inside, sb_tails_subgaussian(off / sqrt(n / 12)));
}

static double large_uniform(const struct large_run *run, size_t value)
{
    const double n = (double)run->n, x = (double)value;

    return fmin(0, log(2 * fmin(x, n - x + 1) / n));
}

static double large_inversions(const struct large_run *run, uint64_t value)
{
    const double n = (double)run->n, deviation = sqrt(n * (n - 1) * (2 * n + 5) / 72);
    const double z = fabs((double)value - n * (n - 1) / 4) / deviation;
    const double third = n * n * (n + 1) * (n + 1) / 4 / 32;
    const double error = large_shevtsova * third / (deviation * deviation * deviation);

    return fmin(fmin(0, log(erfc(z / sqrt(2)) + 2 * error)), sb_tails_subgaussian(z));
}

static void large_add(struct large_run *run, const char *statistic, const char *test, double value, double ln_tail)
{
    struct sb_finding *const finding = &run->finding[run->tests++];
    const double ln_p = fmax(ln_tail, -sb_ln_gamma((double)run->n + 1)); /* that of a single permutation */

    if (finding->statistic && finding->ln_p <= ln_p)
        return;
    *finding = (struct sb_finding) {
        .statistic = statistic,
        .test = test,
        .value = value,
        .dof = NAN,
        .ln_p = ln_p,
        .effect = NAN,
        .effect_low = NAN,
        .effect_high = NAN,
    };
}

/* Divides the items and the positions into `shares` shares each (large.h), and tests all pairs of a share of
 * items and a share of positions. Adds the smallest p times the number of pairs. */
static void large_pairs(struct large_run *run, const char *statistic, size_t shares, const uint32_t count[])
{
    double least = INFINITY, value = 0;

    for (size_t pair = 0; pair < shares * shares; pair++) {
        const double ln_p = sb_tails_hypergeometric(run->n, run->n / shares, count[pair]);

        value = ln_p < least ? count[pair] : value;
        least = fmin(least, ln_p);
    }
    large_add(run, statistic, "law", value, fmin(0, least + 2 * log((double)shares)));
}

static enum sb_status large_tally(void *state, const sb_item items[], size_t count)
{
    struct large_run *const run = state;
    const struct sb_large_counts *const c = &run->counts;

    for (size_t i = 0; i < count; i++) {
        if (sb_large_count(run->n, items + i * run->n, &run->counts))
            return sb_error_memory(run->error, "the counts of a permutation");
        run->tests = 0;
        large_pairs(run, "sixty-fourths", SB_LARGE_SHARES, c->sixty_fourths);
        large_pairs(run, "eighths", 8, c->eighths);
        large_add(run, "adjacent", "law", (double)c->adjacent, sb_tails_poisson(c->adjacent));
        large_add(run, "fixed-points", "law", (double)c->fixed_points, sb_tails_poisson(c->fixed_points));
        large_add(run, "cycles", "law", (double)c->cycles, large_cycles(run, c->cycles));
        large_add(run, "cycle-of-first", "law", (double)c->cycle_of_first, large_uniform(run, c->cycle_of_first));
        large_add(run, "records", "law", (double)c->records, large_cycles(run, c->records));
        large_add(run, "descents", "law", (double)c->descents, large_descents(run, c->descents));
        large_add(run, "rising-sequences", "law", (double)c->rising_sequences,
                  large_descents(run, c->rising_sequences - 1));
        large_add(run, "inversions", "normal", (double)c->inversions, large_inversions(run, c->inversions));
    }
    return SB_OK;
}

static enum sb_status large_conclude(struct large_run *run, struct sb_report *report)
{
    const double permutations = (double)run->loop.total;
    struct sb_report *const reports[] = { report };

    if (sb_evidence_tallied(NULL, 0, run->n, run->n, &report->evidence))
        return SB_NO_MEMORY;
    report->evidence.total = run->loop.total;
    report->evidence.interrupted = run->loop.interrupted;
    report->name = strdup(run->loop.feed->name);
    report->findings = calloc(LARGE_TESTS, sizeof *report->findings);
    report->alpha = run->options->alpha;
    report->correction = strdup(large_correction);
    report->p = report->ln_p = NAN;
    if (!report->name || !report->findings || !report->correction)
        return SB_NO_MEMORY;
    for (size_t i = 0; i < run->tests; i++) {
        struct sb_finding *const finding = &report->findings[report->findings_count++];

        *finding = run->finding[i];
        finding->ln_p = fmin(0, finding->ln_p + log(permutations));
        finding->p = exp(finding->ln_p);
    }
    return sb_report_conclude(reports, 1);
}

static enum sb_status large_check(const struct sb_request *options, size_t n, struct sb_error *error)
{
    const char *const field = options->increments ? "increments" : options->statistics ? "statistics" : NULL;

    if (!field)
        return SB_OK;
    return sb_error_set(error, SB_INVALID,
                        "`%s` is for reports on up to %d items, and these are %zu: leave it out, or use a gate", field,
                        SB_PLACED_ITEMS_MOST, n);
}

enum sb_status sb_report_large(struct sb_feed *feed, const struct sb_request *options, struct sb_error *error,
                               struct sb_report *report)
{
    static const struct sb_run_hooks hooks = { .tally = large_tally };
    struct large_run *const run = calloc(1, sizeof *run);
    enum sb_status status = large_check(options, feed->n, error);

    if (!run)
        return sb_error_memory(error, "a report");
    run->options = options;
    run->error = error;
    run->n = feed->n;
    run->loop = (struct sb_run) {
        .feed = feed,
        .stop = options->stop,
        .hooks = &hooks,
        .state = run,
        .error = error,
        .most = options->samples ? options->samples : LARGE_PERMUTATIONS,
        .progress = options->progress,
        .progress_state = options->progress_state,
    };
    run->window = sb_law_eulerian_window(run->n);
    run->descents = calloc(run->window.cells, sizeof *run->descents);
    if (status == SB_OK && !run->descents)
        status = sb_error_memory(error, "a report");
    if (status == SB_OK) {
        sb_law_eulerian(run->n, run->descents);
        sb_law_stirling(run->n, run->cycles);
        status = sb_run_loop(&run->loop);
    }
    if (status == SB_OK && large_conclude(run, report))
        status = sb_error_memory(error, "a report");
    free(run->descents);
    free(run);
    return status;
}

/*
 * The statistics of one large permutation. Inversions are counted by merge sort: when an item of the upper
 * half is merged, it has an inversion with each item of the lower half that is not merged yet. Cost: n log2 n
 * steps; 1.3 s at n = 10^7.
 *
 * D. E. Knuth, The Art of Computer Programming, vol. 3, 5.1.1 and 5.2.4.
 */

static uint64_t large_merge(const sb_item from[], size_t low, size_t middle, size_t high, sb_item to[])
{
    uint64_t inversions = 0;

    for (size_t i = low, j = middle, k = low; k < high; k++) {
        const bool upper = j < high && (i == middle || from[j] < from[i]);

        inversions += upper ? middle - i : 0;
        to[k] = upper ? from[j++] : from[i++];
    }
    return inversions;
}

static uint64_t large_count_inversions(size_t n, sb_item *one, sb_item *other)
{
    uint64_t inversions = 0;

    for (size_t width = 1; width < n; width *= 2) {
        sb_item *const merged = other;

        for (size_t low = 0; low < n; low += 2 * width) {
            const size_t middle = n - low < width ? n : low + width;

            inversions += large_merge(one, low, middle, n - middle < width ? n : middle + width, merged);
        }
        other = one;
        one = merged;
    }
    return inversions;
}

/* Divides the items and the positions into `shares` shares each (large.h), and counts how many items of each
 * share are at positions of each share. */
static void large_shares(size_t n, const sb_item a[], size_t shares, uint32_t count[])
{
    const size_t width = n / shares;

    for (size_t to = 0; to < shares; to++)
        for (size_t p = to * width; p < (to + 1) * width; p++) {
            const size_t from = a[p] / width;

            if (from < shares) /* the last n modulo `shares` items belong to no share */
                count[from * shares + to]++;
        }
}

static void large_pass(size_t n, const sb_item a[], struct sb_large_counts *counts)
{
    size_t above = 0;

    for (size_t p = 0; p < n; p++) {
        const size_t item = a[p];

        counts->fixed_points += item == p;
        counts->records += item >= above;
        above = item >= above ? item + 1 : above;
        counts->adjacent += p > 0 && item == (size_t)a[p - 1] + 1;
        counts->descents += p > 0 && item < a[p - 1];
    }
    counts->cycles = sb_permutation_cycles(n, a);
    counts->cycle_of_first = 1;
    for (size_t at = a[0]; at != 0; at = a[at])
        counts->cycle_of_first++;
}

enum sb_status sb_large_count(size_t n, const sb_item a[], struct sb_large_counts *counts)
{
    sb_item *const one = calloc(n + 1, sizeof *one), *const other = calloc(n + 1, sizeof *other);

    memset(counts, 0, sizeof *counts);
    counts->n = n;
    if (one && other) {
        for (size_t p = 0; p < n; p++)
            one[a[p]] = (sb_item)p;
        counts->rising_sequences = 1;
        for (size_t i = 1; i < n; i++)
            counts->rising_sequences += one[i] < one[i - 1];
        large_pass(n, a, counts);
        large_shares(n, a, 8, counts->eighths);
        large_shares(n, a, SB_LARGE_SHARES, counts->sixty_fourths);
        /* `one` is the inverse of `a`, and both have the same number of inversions */
        counts->inversions = large_count_inversions(n, one, other);
    }
    free(one);
    free(other);
    return one && other ? SB_OK : SB_NO_MEMORY;
}
