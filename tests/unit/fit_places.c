/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of a sampled matrix that are farthest from their fair share, against the intervals of all cells. */
#include "unit/test.h"

#include "fit/fit.h"
#include "fit/numeric.h"

/* A matrix of n items in one position, which then takes 1/n of all samples. */
static struct sb_evidence open_matrix(size_t n, uint64_t total)
{
    struct sb_evidence evidence;

    assert_int_equal(sb_evidence_open(SB_BY_SAMPLE, n, 1, &evidence), SB_OK);
    sb_numbers_close(&evidence.matrix);
    assert_int_equal(sb_numbers_open(SB_NUMBERS_U64, n, &evidence.matrix), SB_OK);
    evidence.total = total;
    return evidence;
}

/* Twenty items, expected 500 times: the more extreme the count, the earlier in the list, which holds 12 of the 13
 * that deviate; of equal distances the first. */
TEST(the_farthest_first)
{
    static const uint64_t count[20] = { 500, 501, 499, 510, 490, 505, 495, 700,  300, 800,
                                        200, 710, 290, 900, 100, 720, 280, 1000, 0,   690 };
    static const size_t order[] = { 17, 18, 13, 14, 9, 10, 15, 16, 11, 12, 7, 8 };
    struct sb_evidence evidence = open_matrix(20, 10000);
    struct sb_places places;

    for (size_t i = 0; i < 20; i++)
        evidence.matrix.u64[i] = count[i];
    sb_places_find(&evidence, 0.01, &places);
    assert_true(places.cells == 20 && places.beyond == 13 && places.count == SB_PLACES_MOST);
    for (size_t i = 0; i < places.count; i++) {
        double low, high;

        sb_binomial_interval(count[order[i]], 10000, 0.01 / 20, &low, &high);
        assert_int_equal(places.place[i].item, order[i]);
        assert_true(places.place[i].low == low && places.place[i].high == high);
        assert_true(high < 0.05 || low > 0.05);
    }
    sb_evidence_close(&evidence);
}

TEST(nothing_to_place)
{
    struct sb_evidence evidence = open_matrix(20, 0);
    struct sb_places places;

    sb_places_find(&evidence, 0.01, &places);
    assert_true(places.cells == 0 && places.count == 0);
    evidence.total = 5;
    evidence.deal = 0; /* shuffles of no cards */
    sb_places_find(&evidence, 0.01, &places);
    assert_true(places.cells == 0 && places.count == 0);
    sb_evidence_close(&evidence);
}
