/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue of known faulty shuffles: the draws of a deck in every view, the mean of every candidate's
 * likelihood ratio over all decks, and a run that is saved and resumed. tests/certified/catalogue.c has its laws.
 */
#include "unit/test.h"

#include "known/assert_near.h"
#include "store/store.h"
#include "study/catalogue/look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shared by the tests of the catalogue: all decks in an order of their own, and what one deck is worth. */

enum { DECK_MOST = 7 };

static size_t factorial(size_t n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

/* The deck with this number in a counting that has nothing to do with ranks: Durstenfeld's loop on its digits. */
static void deck_of(size_t n, size_t number, size_t d[], sb_item a[])
{
    for (size_t j = 0; j < n; j++)
        a[j] = (sb_item)j;
    for (size_t i = n - 1; i > 0; i--) {
        d[i] = number % (i + 1);
        number /= i + 1;

        const sb_item swapped = a[i];

        a[i] = a[d[i]];
        a[d[i]] = swapped;
    }
}

static struct sb_catalogue *build(size_t n, bool ranked)
{
    struct sb_catalogue *catalogue;
    struct sb_error error;

    assert_int_equal(sb_catalogue_build(n, ranked, &error, &catalogue), SB_OK);
    assert_non_null(catalogue);
    return catalogue;
}

/* ln(p/q) of one deck for each candidate: ln_e of the candidates. */
static void read_deck(struct sb_catalogue *catalogue, const sb_item a[])
{
    const size_t n = catalogue->n;
    uint64_t count[720] = { 0 };
    const struct sb_tally rank = { .members = 1, .cells = factorial(n), .total = 1, .count = count };

    if (sb_catalogue_by_rank(catalogue)) {
        count[sb_permutation_rank(n, n, a)] = 1;
        sb_catalogue_read(catalogue, &rank);
        return;
    }
    catalogue->decks = 0;
    for (size_t k = 0; k < catalogue->count; k++)
        catalogue->candidate[k].sum = 0;
    sb_catalogue_add(catalogue, a, 1);
    sb_catalogue_read(catalogue, NULL);
}

/* Writes deck b down in a view: inverted, then read from its end; `forward`: of the mirror image of b. */
static void write_down(size_t n, const sb_item b[], size_t view, sb_item a[])
{
    sb_item c[DECK_MOST], e[DECK_MOST];

    for (size_t j = 0; j < n; j++)
        c[j] = view & SB_VIEW_FORWARD ? (sb_item)(n - 1 - b[n - 1 - j]) : b[j];
    for (size_t j = 0; j < n; j++) {
        if (view & SB_VIEW_INVERTED)
            e[c[j]] = (sb_item)j;
        else
            e[j] = c[j];
    }
    for (size_t j = 0; j < n; j++)
        a[j] = view & SB_VIEW_REVERSED ? e[n - 1 - j] : e[j];
}

TEST(draws_are_found_in_each_view)
{
    const size_t n = 6;
    uint32_t count[32], spare[32];
    sb_item a[DECK_MOST], b[DECK_MOST], place[DECK_MOST];
    size_t d[DECK_MOST];

    for (size_t number = 0; number < factorial(n); number++)
        for (size_t view = 0; view < SB_VIEWS; view++) {
            deck_of(n, number, d, b);
            write_down(n, b, view, a);
            for (size_t j = 0; j < n; j++)
                place[a[j]] = (sb_item)j;
            memset(count, 0, sizeof count);
            uint32_t *counts[SB_VIEWS] = { NULL };

            counts[view] = count;
            sb_deck_draws_count(n, a, place, counts, spare);
            for (size_t i = 1; i < n; i++)
                for (size_t x = 0; x <= i; x++)
                    assert_int_equal(count[sb_deck_draws_cell(i, x)], x == d[i]);
        }
}

/* Under a fair shuffle every candidate's ratio, and so their average, has mean 1: not more, and less only by
 * rounding. */
TEST(means_are_one)
{
    static const struct {
        size_t n;
        bool ranked;
    } cases[] = { { 2, true }, { 3, true }, { 4, true }, { 5, true }, { 3, false }, { 6, false }, { 7, false } };
    sb_item a[DECK_MOST];
    size_t d[DECK_MOST];

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const size_t n = cases[c].n, decks = factorial(n);
        struct sb_catalogue *const catalogue = build(n, cases[c].ranked);
        double *const mean = calloc(catalogue->count + 1, sizeof *mean);

        assert_non_null(mean);
        for (size_t number = 0; number < decks; number++) {
            deck_of(n, number, d, a);
            read_deck(catalogue, a);
            for (size_t k = 0; k < catalogue->count; k++)
                mean[k] += exp(catalogue->candidate[k].ln_e) / (double)decks;
            mean[catalogue->count] += exp(catalogue->ln_e) / (double)decks;
        }
        for (size_t k = 0; k <= catalogue->count; k++) {
            assert_near(mean[k], 1, 1e-8);
            assert_true(mean[k] < 1 + 1e-13);
        }
        free(mean);
        sb_catalogue_free(catalogue);
    }
}

/* Two worths of 2^60 nearly cancel out: the doubles lose what is left, 127 units, but the error says so. */
TEST(rounding_is_within_the_error)
{
    static const int64_t worth[] = { (INT64_C(1) << 60) + 127, -(INT64_C(1) << 60) };
    static const uint64_t count[] = { 1, 1 };
    const struct sb_tally rank = { .members = 1, .cells = 2, .total = 2, .count = count };
    struct sb_catalogue *const catalogue = sb_catalogue_new(2);

    assert_non_null(catalogue);
    assert_int_equal(sb_catalogue_candidate(catalogue, "x", "x", 1, SB_COUNTS_RANKS, worth), SB_OK);
    sb_catalogue_read(catalogue, &rank);
    const double exact = log1p(expm1((double)(worth[0] + worth[1]) * SB_WORTH_UNIT) / 2);

    assert_true(fabs(catalogue->ln_e - exact) > 1e-9);
    assert_true(fabs(catalogue->ln_e - exact) <= catalogue->ln_e_error);
    assert_true(catalogue->ln_e_error < 1e-6);
    sb_catalogue_free(catalogue);
}

TEST(saved_sums_are_resumed)
{
    const size_t n = 7, decks = 1000;
    struct sb_catalogue *const whole = build(n, false), *const first = build(n, false), *const second = build(n, false),
                               *const other = build(52, false);
    struct sb_catalogue_saved saved = { .present = false };
    sb_item a[DECK_MOST];
    size_t d[DECK_MOST];

    for (size_t t = 0; t < decks; t++) {
        deck_of(n, t * 7919 % factorial(n), d, a);
        sb_catalogue_add(whole, a, 1);
        sb_catalogue_add(t < decks / 3 ? first : second, a, 1);
        if (t + 1 == decks / 3) {
            sb_catalogue_read(first, NULL);
            assert_int_equal(sb_catalogue_saved_take(first, &saved), SB_OK);
            assert_true(sb_catalogue_saved_fits(&saved, second));
            assert_false(sb_catalogue_saved_fits(&saved, other));
            sb_catalogue_saved_resume(&saved, second);
        }
    }
    sb_catalogue_read(whole, NULL);
    sb_catalogue_read(second, NULL);
    assert_int_equal(whole->decks, decks);
    assert_int_equal(second->decks, decks);
    assert_memory_equal(&whole->ln_e, &second->ln_e, sizeof whole->ln_e);
    free(saved.sum);
    sb_catalogue_free(whole);
    sb_catalogue_free(first);
    sb_catalogue_free(second);
    sb_catalogue_free(other);
}

/* Evidence of one catalogue is not resumed with another: every name counts, and their order. */
TEST(the_hash_has_all_names)
{
    char names[][2][3] = { { "a", "b" }, { "a", "c" }, { "b", "a" }, { "ab", "" } };
    uint64_t hash[4];

    for (size_t i = 0; i < 4; i++) {
        struct sb_candidate candidate[] = { { .name = names[i][0] }, { .name = names[i][1] } };

        hash[i] = sb_catalogue_hash(&(struct sb_catalogue) { .candidate = candidate, .count = 2 });
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(hash[i], hash[j]);
    }
}
