/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The laws of statistics after a fair shuffle: ln p has an error of at most 1e-11, as fit/e_process.c assumes.
 * The true laws come from recurrences of numbers that are not negative. */
#include "certified/certify.h"

#include "statistic/statistic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 384, ITEMS_MOST = 2000 };

/* Sets p[v] to the probability of the value v, for all v < values. */
typedef void exact_law(size_t n, size_t values, arb_ptr p);

static void divide_by_factorial(size_t n, size_t values, arb_ptr p)
{
    ARBS(factorial);

    arb_fac_ui(factorial, n, BITS);
    for (size_t v = 0; v < values; v++)
        arb_div(p + v, p + v, factorial, BITS);
}

/* Eulerian numbers: A(m, k) = (k+1) A(m-1, k) + (m-k) A(m-1, k-1). */
static void exact_descents(size_t n, size_t values, arb_ptr p)
{
    arb_one(p);
    for (size_t m = 2; m <= n; m++)
        for (size_t k = m < values ? m : values; k-- > 0;) {
            arb_mul_ui(p + k, p + k, k + 1, BITS);
            if (k > 0)
                arb_addmul_ui(p + k, p + k - 1, m - k, BITS);
        }
    divide_by_factorial(n, values, p);
}

/* A deck has one rising sequence more than its inverse has descents. */
static void exact_rises(size_t n, size_t values, arb_ptr p)
{
    exact_descents(n, values - 1, p + 1);
}

/* Stirling numbers of the first kind: c(m, k) = c(m-1, k-1) + (m-1) c(m-1, k). */
static void exact_cycles(size_t n, size_t values, arb_ptr p)
{
    arb_one(p);
    for (size_t m = 1; m <= n; m++)
        for (size_t k = m + 1 < values ? m + 1 : values; k-- > 0;) {
            arb_mul_ui(p + k, p + k, m - 1, BITS);
            if (k > 0)
                arb_add(p + k, p + k, p + k - 1, BITS);
        }
    divide_by_factorial(n, values, p);
}

/* Derangements D(0..n): D(m) = (m-1) (D(m-1) + D(m-2)). */
static void derangements(size_t n, arb_ptr d)
{
    arb_one(d);
    for (size_t m = 2; m <= n; m++) {
        arb_add(d + m, d + m - 1, d + m - 2, BITS);
        arb_mul_ui(d + m, d + m, m - 1, BITS);
    }
}

/* C(n, v) D(n-v) */
static void exact_fixed_points(size_t n, size_t values, arb_ptr p)
{
    arb_ptr d = _arb_vec_init((slong)n + 1);
    ARBS(choose);

    derangements(n, d);
    for (size_t v = 0; v < values && v <= n; v++) {
        arb_bin_uiui(choose, n, v, BITS);
        arb_mul(p + v, d + n - v, choose, BITS);
    }
    divide_by_factorial(n, values, p);
    _arb_vec_clear(d, (slong)n + 1);
}

/* C(n-1, v) (D(n-v) + D(n-v-1)) */
static void exact_adjacent(size_t n, size_t values, arb_ptr p)
{
    arb_ptr d = _arb_vec_init((slong)n + 1);
    ARBS(choose);

    derangements(n, d);
    for (size_t v = 0; v < values && v < n; v++) {
        arb_bin_uiui(choose, n - 1, v, BITS);
        arb_add(p + v, d + n - v, d + n - v - 1, BITS);
        arb_mul(p + v, p + v, choose, BITS);
    }
    divide_by_factorial(n, values, p);
    _arb_vec_clear(d, (slong)n + 1);
}

/* Mahonian numbers, as exact integers: the sum of uniform integers below 1, 2, ..., n. */
static void exact_inversions(size_t n, size_t values, arb_ptr p)
{
    fmpz *number = _fmpz_vec_init((slong)values), *sum = _fmpz_vec_init((slong)values + 1);

    fmpz_one(number);
    for (size_t m = 2; m <= n; m++) {
        const size_t last = m * (m - 1) / 2;

        for (size_t i = 0; i <= last; i++)
            fmpz_add(sum + i + 1, sum + i, number + i);
        for (size_t i = 0; i <= last; i++)
            fmpz_sub(number + i, sum + i + 1, sum + (i + 1 > m ? i + 1 - m : 0));
    }
    for (size_t v = 0; v < values; v++)
        arb_set_fmpz(p + v, number + v);
    divide_by_factorial(n, values, p);
    _fmpz_vec_clear(sum, (slong)values + 1);
    _fmpz_vec_clear(number, (slong)values);
}

/* A partition of n, row by row. */
struct partition {
    size_t rows, row[64];
};

/* Adds n!/(product of the hook lengths)^2, divided by n!, to p[first row]. */
static void add_hooks(size_t n, const struct partition *partition, arb_ptr p)
{
    ARBS(f);

    arb_fac_ui(f, n, BITS);
    for (size_t i = 0; i < partition->rows; i++)
        for (size_t j = 0; j < partition->row[i]; j++) {
            size_t below = 0;

            for (size_t k = i + 1; k < partition->rows; k++)
                below += partition->row[k] > j;
            arb_div_ui(f, f, partition->row[i] - j + below, BITS);
        }
    arb_addmul(p + partition->row[0], f, f, BITS);
}

static void walk_partitions(size_t n, size_t left, size_t longest, struct partition *partition, arb_ptr p)
{
    if (left == 0) {
        add_hooks(n, partition, p);
        return;
    }
    for (size_t length = 1; length <= longest && length <= left; length++) {
        partition->row[partition->rows++] = length;
        walk_partitions(n, left - length, length, partition, p);
        partition->rows--;
    }
}

/* Schensted: the squares of the numbers of tableaux, whose number is n!/(product of the hook lengths). */
static void exact_longest(size_t n, size_t values, arb_ptr p)
{
    struct partition partition = { .rows = 0 };

    walk_partitions(n, n, n, &partition, p);
    divide_by_factorial(n, values, p);
}

/* Half of the displacement is the sum of j over all steps, where j items have no place yet: 1 way to j + 1, 2j + 1 ways
 * to j, and j^2 ways to j - 1 (arXiv:1606.05538). ways[j * halves + s] counts the ways to j with the sum s. */
static void exact_displacement(size_t n, size_t values, arb_ptr p)
{
    const size_t halves = n * n / 4 + 1, size = (n + 2) * halves;
    arb_ptr ways = _arb_vec_init((slong)size), next = _arb_vec_init((slong)size);

    arb_one(ways);
    for (size_t step = 1; step <= n; step++) {
        _arb_vec_zero(next, (slong)size);
        for (size_t j = 0; j <= step && j <= n - step + 1; j++)
            for (size_t s = 0; s < halves; s++) {
                const arb_ptr from = ways + j * halves + s;

                if (arb_is_zero(from))
                    continue;
                if (s + j + 1 < halves)
                    arb_add(next + (j + 1) * halves + s + j + 1, next + (j + 1) * halves + s + j + 1, from, BITS);
                if (s + j < halves)
                    arb_addmul_ui(next + j * halves + s + j, from, 2 * j + 1, BITS);
                if (j > 0 && s + j - 1 < halves)
                    arb_addmul_ui(next + (j - 1) * halves + s + j - 1, from, j * j, BITS);
            }
        const arb_ptr held = ways;

        ways = next;
        next = held;
    }
    for (size_t s = 0; s < halves && 2 * s < values; s++)
        arb_set(p + 2 * s, ways + s);
    divide_by_factorial(n, values, p);
    _arb_vec_clear(next, (slong)size);
    _arb_vec_clear(ways, (slong)size);
}

static struct law {
    struct claim claim;
    exact_law *exact;
    size_t values_most; /* 0: values up to n */
    size_t n[5];
} laws[] = {
    { { "descents", .absolute = 1e-11 }, exact_descents, 0, { 5, 52, 1000, 1001, 2000 } },
    { { "rising-sequences", .absolute = 1e-11 }, exact_rises, 0, { 5, 52, 1000, 1001, 2000 } },
    { { "cycles", .absolute = 1e-11 }, exact_cycles, 0, { 5, 52, 1000, 1001, 2000 } },
    { { "records", .absolute = 1e-11 }, exact_cycles, 0, { 5, 52, 1000, 1001, 2000 } },
    { { "fixed-points", .absolute = 1e-11 }, exact_fixed_points, 0, { 5, 52, 1000, 1001, 2000 } },
    { { "adjacent", .absolute = 1e-11 }, exact_adjacent, 0, { 5, 52, 1000, 1001, 2000 } },
    { { "inversions", .absolute = 1e-11 }, exact_inversions, 1, { 2, 5, 13, 52, 100 } },
    { { "longest-increasing", .absolute = 1e-11 }, exact_longest, 0, { 2, 5, 13, 24, 30 } },
    { { "displacement", .absolute = 1e-11 }, exact_displacement, 1, { 2, 5, 13, 30, 52 } },
};

enum { LAWS = sizeof laws / sizeof laws[0] };

static const struct sb_statistic_type *find(const char *name)
{
    for (size_t i = 0; i < sb_statistic_types_count; i++)
        if (strcmp(sb_statistic_types[i]->name, name) == 0)
            return sb_statistic_types[i];
    fail_msg("no statistic %s", name);
    return NULL;
}

/* Compares the cells with the sums of the values that they hold. */
static void check_law(struct law *law, size_t n)
{
    const struct sb_statistic_type *const type = find(law->claim.function);
    const size_t cells = sb_statistic_cells(type, NULL, n, n), values = law->values_most ? cells : n + 1;
    const struct sb_window window = type->window ? type->window(n, n) : (struct sb_window) { .cells = cells };
    double *const ln_p = calloc(cells, sizeof *ln_p);
    arb_ptr p = _arb_vec_init((slong)values), cell = _arb_vec_init((slong)cells);

    assert_non_null(ln_p);
    assert_int_equal(sb_statistic_null_law(type, NULL, n, n, ln_p), SB_OK);
    law->exact(n, values, p);
    for (size_t v = 0; v < values; v++) {
        const arb_ptr to = cell + sb_window_cell(&window, v);

        arb_add(to, to, p + v, BITS);
    }
    for (size_t c = 0; c < cells; c++) {
        const double x[4] = { (double)n, (double)c, ln_p[c] };

        if (arb_is_zero(cell + c)) {
            assert_true(ln_p[c] == -HUGE_VAL);
            continue;
        }
        arb_log(cell + c, cell + c, BITS);
        certify_enclosed(&law->claim, ln_p[c], cell + c, x);
    }
    _arb_vec_clear(cell, (slong)cells);
    _arb_vec_clear(p, (slong)values);
    free(ln_p);
}

TEST(null_laws)
{
    for (size_t i = 0; i < LAWS; i++)
        for (size_t k = 0; k < sizeof laws[i].n / sizeof laws[i].n[0]; k++)
            check_law(&laws[i], laws[i].n[k]);
}
