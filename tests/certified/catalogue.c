/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The E of the catalogue, less the error that a gate takes off, is at most the true E of the same decks. */
#include "certified/exact_law.h"

#include "study/catalogue/look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Errors upwards are shares of the stated error, errors downwards of the largest loss by rounding down. */
static struct claim claim_worth = { "worth of a cell: above ln(p/q)", .absolute = 1 };
static struct claim claim_worth_low = { "worth of a cell: below ln(p/q)", .absolute = 1 };
static struct claim claim_e = { "sb_catalogue_read: ln E, above", .absolute = 1 };
static struct claim claim_e_low = { "sb_catalogue_read: ln E, below", .absolute = 1 };

enum { BITS = 192, DECKS = 1500 };

static const double law_error = 2e-12; /* as in tally/catalogue.c */

static struct sb_catalogue *build(size_t n, bool ranked)
{
    struct sb_catalogue *catalogue;
    struct sb_error error;

    assert_int_equal(sb_catalogue_build(n, ranked, &error, &catalogue), SB_OK);
    assert_non_null(catalogue);
    return catalogue;
}

/* Checks `excess`, a number that is at most `above` and at least -`below`. */
static void check_excess(struct claim *up, struct claim *down, const arb_t excess, double above, double below,
                         const double x[4])
{
    ARBS(share, by);

    arb_set_d(by, arb_is_negative(excess) ? below : above);
    arb_div(share, excess, by, BITS);
    certify_enclosed(arb_is_negative(excess) ? down : up, 0, share, x);
}

/* Sets ln[cell] to the worth of each cell, as a number. */
static void worths(const struct sb_candidate *candidate, size_t cells, arb_ptr ln)
{
    for (size_t i = 0; i < cells; i++)
        if (candidate->worth[i] == SB_WORTH_IMPOSSIBLE) {
            arb_neg_inf(ln + i);
        } else {
            arb_set_si(ln + i, (slong)candidate->worth[i]);
            arb_mul_2exp_si(ln + i, ln + i, -32);
        }
}

/* Checks the worths of a candidate against its law. For a fair deck, the mean of its likelihood ratio is at most 1,
 * even without the error that a gate takes off. */
static void check_candidate(const struct sb_candidate *candidate, size_t n)
{
    const size_t cells = sb_catalogue_cells(n, candidate->of);
    arb_ptr ratio = _arb_vec_init((slong)cells), ln = _arb_vec_init((slong)cells);
    ARBS(excess);

    exact_law(candidate, n, BITS, ratio);
    worths(candidate, cells, ln);
    for (size_t i = 0; i < cells; i++) {
        const double x[4] = { (double)n, (double)candidate->of, (double)i, (double)candidate->worth[i] };

        if (arb_is_zero(ratio + i)) {
            assert_true(candidate->worth[i] == SB_WORTH_IMPOSSIBLE);
            continue;
        }
        arb_log(excess, ratio + i, BITS);
        arb_sub(excess, ln + i, excess, BITS);
        check_excess(&claim_worth, &claim_worth_low, excess, law_error, SB_WORTH_UNIT + law_error, x);
    }
    exact_mean(n, candidate->of, ln, BITS, excess);
    arb_log(excess, excess, BITS);
    assert_true(arb_is_nonpositive(excess));
    _arb_vec_clear(ln, (slong)cells);
    _arb_vec_clear(ratio, (slong)cells);
}

static void check_candidates(size_t n, bool ranked)
{
    struct sb_catalogue *const catalogue = build(n, ranked);

    for (size_t k = 0; k < catalogue->count; k++) /* the four views of draws have the same worths */
        if (k == 0 || catalogue->candidate[k].worth != catalogue->candidate[k - 1].worth)
            check_candidate(&catalogue->candidate[k], n);
    sb_catalogue_free(catalogue);
}

TEST(laws_by_rank)
{
    for (size_t n = 2; n <= 5; n++)
        check_candidates(n, true);
}

TEST(laws_of_decks)
{
    static const size_t n[] = { 7, 13, 52, 256 };

    for (size_t i = 0; i < sizeof n / sizeof n[0]; i++)
        check_candidates(n[i], false);
}

/* The true ln of a candidate's ratio: the sum of count times ln(p/q). */
static void exact_ln_ratio(const struct sb_candidate *candidate, size_t n, const uint64_t count[], arb_t sum)
{
    const size_t cells = sb_catalogue_cells(n, candidate->of);
    arb_ptr ratio = _arb_vec_init((slong)cells);

    exact_law(candidate, n, BITS, ratio);
    arb_zero(sum);
    for (size_t i = 0; i < cells; i++) {
        if (count[i] == 0)
            continue;
        if (arb_is_zero(ratio + i)) {
            arb_neg_inf(sum);
            break;
        }
        arb_log(ratio + i, ratio + i, BITS);
        arb_addmul_ui(sum, ratio + i, (ulong)count[i], BITS);
    }
    _arb_vec_clear(ratio, (slong)cells);
}

/* Compares ln E with the true average of the ratios, where count[of] has the counts of each kind of cells. Rounding
 * down costs at most `lost`. */
static void check_e(const struct sb_catalogue *catalogue, uint64_t *const count[], double lost)
{
    double weights = 1;
    ARBS(sum, term, weight);

    arb_one(sum); /* the fair shuffle */
    for (size_t k = 0; k < catalogue->count; k++) {
        const struct sb_candidate *const candidate = &catalogue->candidate[k];

        exact_ln_ratio(candidate, catalogue->n, count[candidate->of], term);
        arb_exp(term, term, BITS);
        arb_set_d(weight, candidate->weight);
        arb_addmul(sum, term, weight, BITS);
        weights += candidate->weight;
    }
    arb_set_d(weight, weights);
    arb_div(sum, sum, weight, BITS);
    arb_log(sum, sum, BITS);
    arb_set_d(weight, catalogue->ln_e);
    arb_sub(sum, weight, sum, BITS);
    check_excess(
        &claim_e, &claim_e_low, sum, catalogue->ln_e_error, catalogue->ln_e_error + lost,
        (const double[4]) { (double)catalogue->n, (double)catalogue->decks, catalogue->ln_e, catalogue->ln_e_error });
}

/* Counts by rank of a random candidate, mixed with fair decks or not, up to 10^10 decks. */
TEST(e_by_rank)
{
    uint64_t seed = 70;

    for (size_t n = 3; n <= 5; n++) {
        struct sb_catalogue *const catalogue = build(n, true);
        const size_t cells = sb_cells(n, n);

        for (size_t i = 0; i < certify_cases(4); i++) {
            const struct sb_candidate *const from = &catalogue->candidate[random_below(&seed, catalogue->count)];
            const double decks = random_scale(&seed, 10, 1e10), fair = i % 2 ? random_share(&seed) : 0;
            uint64_t counts[120], *count[SB_CATALOGUE_COUNTS] = { [SB_COUNTS_RANKS] = counts };
            struct sb_tally rank = { .statistic = "rank", .members = 1, .cells = cells, .count = counts };

            for (size_t k = 0; k < cells; k++) {
                const double ratio =
                    from->worth[k] == SB_WORTH_IMPOSSIBLE ? 0 : exp((double)from->worth[k] * SB_WORTH_UNIT);

                rank.total += counts[k] = (uint64_t)(decks / (double)cells * (fair + (1 - fair) * ratio));
            }
            sb_catalogue_read(catalogue, &rank);
            check_e(catalogue, count, (double)rank.total * SB_WORTH_UNIT);
        }
        sb_catalogue_free(catalogue);
    }
}

/* A deck from the loop of Durstenfeld with draws below i+1 - skip, from one riffle, or a rotation. */
static void random_deck(uint64_t *seed, size_t kind, size_t n, sb_item a[])
{
    sb_item packet[2][SB_CATALOGUE_ITEMS];
    size_t size[2] = { 0, 0 }, at[2] = { 0, 0 }, cut = 0;

    for (size_t j = 0; j < n; j++)
        a[j] = (sb_item)j;
    if (kind == 1) { /* the coins say from which packet each card comes, and so where to cut */
        unsigned coin[SB_CATALOGUE_ITEMS];

        for (size_t j = 0; j < n; j++)
            cut += (coin[j] = (unsigned)random_below(seed, 2)) == 0;
        for (size_t j = 0; j < n; j++)
            packet[j >= cut][size[j >= cut]++] = (sb_item)j;
        for (size_t j = 0; j < n; j++)
            a[j] = packet[coin[j]][at[coin[j]]++];
        return;
    }
    if (kind == 2)
        cut = random_below(seed, n);
    for (size_t j = 0; j < n && kind == 2; j++)
        a[j] = (sb_item)((j + cut) % n);
    for (size_t i = n - 1; i > 0 && kind != 2; i--) {
        const size_t d = random_below(seed, kind == 3 ? i : i + 1);
        const sb_item held = a[i];

        a[i] = a[d];
        a[d] = held;
    }
}

/* Decks that are fair, riffled once, rotated, or from Sattolo's loop. */
TEST(e_of_decks)
{
    static const size_t items[] = { 7, 52, 100 };
    static sb_item decks[DECKS * SB_CATALOGUE_ITEMS];
    uint64_t seed = 71;

    for (size_t i = 0; i < certify_cases(12); i++) {
        const size_t n = items[i % 3], count = 1 + random_below(&seed, DECKS);
        struct sb_catalogue *const catalogue = build(n, false);
        uint64_t *counts[SB_CATALOGUE_COUNTS] = { NULL };

        for (size_t t = 0; t < count; t++)
            random_deck(&seed, i / 3 % 4, n, decks + t * n);
        sb_catalogue_add(catalogue, decks, count);
        for (size_t of = 0; of < SB_CATALOGUE_COUNTS; of++) {
            const size_t cells = catalogue->counts[of] ? sb_catalogue_cells(n, of) : 0;

            counts[of] = calloc(cells + 1, sizeof counts[of][0]);
            for (size_t k = 0; k < cells; k++)
                counts[of][k] = catalogue->counts[of][k];
        }
        sb_catalogue_read(catalogue, NULL);
        check_e(catalogue, counts, (double)(n * count) * SB_WORTH_UNIT);
        for (size_t of = 0; of < SB_CATALOGUE_COUNTS; of++)
            free(counts[of]);
        sb_catalogue_free(catalogue);
    }
}
