/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which cells of a matrix are beyond chance: those whose exact binomial tail, at the fair share, is below half of
 * the level. The tails are added up term by term.
 */
#include "unit/test.h"

#include "fit/fit.h"

#include <math.h>

enum { N = 4, DEAL = 3, TOTAL = 200 };

/* P(X >= count), or P(X <= count) if `below`, of a binomial with TOTAL trials and probability 1/N. */
static double tail(uint64_t count, bool below)
{
    double sum = 0;

    for (uint64_t k = below ? 0 : count; k <= (below ? count : TOTAL); k++)
        sum += exp(lgamma(TOTAL + 1) - lgamma((double)k + 1) - lgamma((double)(TOTAL - k) + 1) +
                   (double)k * log(1.0 / N) + (double)(TOTAL - k) * log(1 - 1.0 / N));
    return sum;
}

static struct sb_evidence evidence_of(uint64_t matrix[N * DEAL])
{
    return (struct sb_evidence) { .n = N, .deal = DEAL, .total = TOTAL, .matrix = { .u64 = matrix } };
}

/* One cell has each count in turn, and all other cells have the fair share. */
TEST(a_cell_is_beyond_if_its_tail_is)
{
    const double levels[] = { 0.5, 0.05, 1e-3, 1e-9 };

    for (size_t i = 0; i < 4; i++)
        for (uint64_t count = 0; count <= TOTAL; count++) {
            uint64_t matrix[N * DEAL];
            struct sb_places places;
            const double half = levels[i] / (N * DEAL) / 2;
            const bool beyond = tail(count, count < TOTAL / N) < half;

            for (size_t cell = 0; cell < N * DEAL; cell++)
                matrix[cell] = TOTAL / N;
            matrix[5] = count;
            const struct sb_evidence evidence = evidence_of(matrix);

            sb_places_find(&evidence, levels[i], &places);
            assert_int_equal(places.cells, N * DEAL);
            assert_int_equal(places.beyond, beyond);
            assert_int_equal(places.count, beyond);
            if (beyond) {
                assert_int_equal(places.place[0].item, 1);
                assert_int_equal(places.place[0].position, 2);
                assert_int_equal(places.place[0].count, count);
                assert_true(fabs(places.place[0].share - (double)count / TOTAL) < 1e-15);
                assert_true(fabs(places.place[0].ratio - (double)count * N / TOTAL) < 1e-13);
            }
        }
}

/* The farthest cells come first, in either direction; of equally far cells, the first. */
TEST(the_farthest_cells_come_first)
{
    uint64_t matrix[N * DEAL] = { 50, 0, 120, 50, 200, 10, 90, 50, 100, 0, 50, 50 };
    const size_t order[] = { 4, 2, 1, 8, 9, 5, 6 };
    struct sb_places places;
    const struct sb_evidence evidence = evidence_of(matrix);

    sb_places_find(&evidence, 0.01, &places);
    assert_int_equal(places.beyond, 7);
    assert_true(places.count > 0 && places.count <= 7);
    for (size_t i = 0; i < places.count; i++)
        assert_int_equal(places.place[i].item * DEAL + places.place[i].position, order[i]);
}

TEST(an_empty_sample_shows_nothing)
{
    uint64_t matrix[N * DEAL] = { 0 };
    struct sb_evidence evidence = evidence_of(matrix);
    struct sb_places places;

    evidence.total = 0;
    sb_places_find(&evidence, 0.01, &places);
    assert_int_equal(places.cells, 0);
    assert_int_equal(places.beyond, 0);
}
