/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lower bounds on total variation, against a search through fine grids of laws of two and three cells, and
 * against the definition: all sets of cells, where plain bisection solves for the divergence of coins.
 */
#include "unit/test.h"

#include "fit/sequential.h"

#include "fit/numeric.h"

#include <math.h>
#include <stdlib.h>

enum { CELLS_MOST = 5 };

struct trial {
    size_t cells;
    uint64_t count[CELLS_MOST];
    double q[CELLS_MOST]; /* all 0: equally likely */
    double ln_e;          /* any will do: it says how wide the bounds are */
};

static const struct trial trials[] = {
    { 2, { 50, 50 }, { 0 }, -1 },
    { 2, { 70, 30 }, { 0 }, 5 },
    { 2, { 0, 20 }, { 0 }, 9 },
    { 2, { 7000, 3000 }, { 0 }, 600 },
    { 2, { 60, 40 }, { 0.3, 0.7 }, 15 },
    { 2, { 30, 70 }, { 0.3, 0.7 }, 0 },
    { 3, { 100, 100, 100 }, { 0 }, -0.5 },
    { 3, { 100, 0, 0 }, { 0 }, 90 },
    { 3, { 500, 300, 200 }, { 0 }, 60 },
    { 3, { 2, 1, 0 }, { 0 }, 0.3 },
    { 3, { 500, 300, 200 }, { 0.5, 0.3, 0.2 }, -2 },
    { 3, { 500, 300, 200 }, { 0.2, 0.3, 0.5 }, 200 },
    { 3, { 10, 0, 900 }, { 0.1, 0.1, 0.8 }, 50 },
    { 3, { 0, 40, 2 }, { 0.9, 0.05, 0.05 }, 70 },
};
enum { TRIALS = sizeof trials / sizeof trials[0] };

static const double ln_level = 4;

static double q_of(const struct trial *trial, size_t cell)
{
    return trial->q[0] > 0 ? trial->q[cell] : 1 / (double)trial->cells;
}

static uint64_t total_of(const struct trial *trial)
{
    uint64_t total = 0;

    for (size_t i = 0; i < trial->cells; i++)
        total += trial->count[i];
    return total;
}

static double bound_of(const struct trial *trial)
{
    double ln_p[CELLS_MOST];
    const struct sb_tally tally = {
        .statistic = "x",
        .members = 1,
        .cells = trial->cells,
        .total = total_of(trial),
        .count = trial->count,
        .ln_p = trial->q[0] > 0 ? ln_p : NULL,
    };
    struct sb_e_value e;
    double low;

    for (size_t i = 0; i < trial->cells; i++)
        ln_p[i] = log(q_of(trial, i));
    sb_e_process(&tally, &e);
    e.ln_e = fmin(trial->ln_e, e.ln_best); /* no likelihood ratio is larger */
    assert_int_equal(sb_tv_low(&tally, &e, ln_level, &low), SB_OK);
    return low;
}

static double x_ln(double x, double y)
{
    return x > 0 ? x * log(x / y) : 0;
}

/* The radius by its definition: (ln(1/delta) + sum c ln p - ln Q)/t. */
static double radius(const struct trial *trial)
{
    const double total = (double)total_of(trial);
    double best = 0;

    for (size_t i = 0; i < trial->cells; i++)
        best += x_ln((double)trial->count[i], total * q_of(trial, i));
    return (ln_level + best - log(0.5 + 0.5 * exp(fmin(trial->ln_e, best)))) / total;
}

/* The least total variation of all laws s on a grid with KL(p||s) <= r. */
static double search(const struct trial *trial, double r, unsigned steps)
{
    const double total = (double)total_of(trial);
    double least = 1;

    for (unsigned i = 0; i <= steps; i++)
        for (unsigned j = 0; j <= (trial->cells == 3 ? steps - i : 0); j++) {
            const unsigned part[CELLS_MOST] = { i, trial->cells == 3 ? j : steps - i, steps - i - j };
            double kl = 0, tv = 0;

            for (size_t cell = 0; cell < trial->cells; cell++) {
                const double s = (double)part[cell] / steps;

                kl += x_ln((double)trial->count[cell] / total, s);
                tv += 0.5 * fabs(s - q_of(trial, cell));
            }
            if (kl <= r)
                least = fmin(least, tv);
        }
    return least;
}

/* The bound is never above the least total variation, and for two cells it is that. */
TEST(against_grids_of_laws)
{
    for (size_t i = 0; i < TRIALS; i++) {
        const unsigned steps = trials[i].cells == 2 ? 200000 : 1500;
        const double low = bound_of(&trials[i]), least = search(&trials[i], radius(&trials[i]), steps);

        assert_true(low <= least + 1e-9);
        if (trials[i].cells == 2)
            assert_true(low >= least - 3.0 / steps);
    }
}

TEST(no_knowledge)
{
    const struct trial nothing = { 3, { 0 }, { 0 }, 0 }, nothing_uneven = { 3, { 0 }, { 0.5, 0.3, 0.2 }, 0 };
    const struct trial single = { 1, { 10 }, { 0 }, 0 };
    const double ln_p[] = { log(0.5), -HUGE_VAL, log(0.5) };
    const struct sb_tally impossible = {
        .statistic = "x",
        .members = 1,
        .cells = 3,
        .total = 3,
        .count = (uint64_t[]) { 1, 1, 1 },
        .ln_p = ln_p,
    };
    struct sb_e_value e;
    double low;

    assert_true(bound_of(&nothing) == 0 && bound_of(&nothing_uneven) == 0 && bound_of(&single) == 0);
    sb_e_process(&impossible, &e);
    assert_int_equal(sb_tv_low(&impossible, &e, 1, &low), SB_OK);
    assert_true(low == 0);
}

/* Many and few, of keys that differ in all their bits or in few. */
TEST(sorted)
{
    enum { COUNT = 1000 };
    static struct sb_keyed item[COUNT], spare[COUNT];

    for (unsigned shift = 0; shift < 64; shift += 3) {
        const size_t count = shift % 2 ? COUNT : 20;
        uint64_t x = 1;

        for (size_t i = 0; i < count; i++) {
            x = x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            item[i] = (struct sb_keyed) { .key = x >> shift, .cell = i };
        }
        sb_order_falling(count, item, spare);
        for (size_t i = 1; i < count; i++)
            assert_true(item[i - 1].key > item[i].key ||
                        (item[i - 1].key == item[i].key && item[i - 1].cell < item[i].cell));
    }
    sb_order_falling(0, item, spare);
}
