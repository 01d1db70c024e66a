/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Matrices of 52 cards: doubles against integers within the error that the doubles state, integers against another
 * formula, and a sample. tests/property/engines.c has matrices of small decks, against the sum of the tree's law.
 */
#include "unit/test.h"

#include "exact/engine.h"
#include "known/ready_scheme.h"
#include "sample/sample.h"

#include <math.h>

TEST(doubles_keep_their_word)
{
    static const char *const text[] = { "naive",
                                        "fisher-yates/modulo:15",
                                        "sattolo/modulo",
                                        "planet-poker/multiply:7",
                                        "transpositions/modulo/minstd",
                                        "overhand",
                                        "riffle:7",
                                        "cut/modulo/randu",
                                        "sort-bubble",
                                        "splice/modulo:15" };

    for (size_t s = 0; s < sizeof text / sizeof text[0]; s++) {
        struct sb_evidence integers, doubles;
        struct ready_scheme ready;
        mpq_t exact, given;

        ready_open(text[s], 52, 52, &ready);
        assert_int_equal(sb_position_matrix(&ready.law, true, NULL, &integers), SB_OK);
        assert_int_equal(sb_position_matrix(&ready.law, false, NULL, &doubles), SB_OK);
        mpq_inits(exact, given, NULL);
        for (size_t c = 0; c < 52 * 52; c++) {
            sb_evidence_matrix_fraction(&integers, c / 52, c % 52, exact);
            mpq_set_d(given, doubles.matrix.share[c]);
            mpq_sub(given, given, exact);
            mpq_abs(given, given);
            if (mpq_get_d(given) > doubles.error * mpq_get_d(exact))
                fail_msg("%s: item %zu at %zu", text[s], c / 52, c % 52);
        }
        mpq_clears(exact, given, NULL);
        sb_evidence_close(&integers);
        sb_evidence_close(&doubles);
        sb_shuffler_close(&ready.shuffler);
    }
}

/*
 * Riffles at 52 cards, by digits: 7 riffles undone are a sort of the positions by digits to the base a = 2^7.
 * Position j with digit k holds item i where r of those before have a digit <= k, and i - r of those behind
 * one < k. S. Assaf, P. Diaconis and K. Soundararajan, A rule of thumb for riffle shuffling, arXiv:0908.3462.
 */
static void riffle_by_digits(size_t i, size_t j, mpz_t sum)
{
    const size_t n = 52, a = 128;
    mpz_t term, factor;

    mpz_inits(term, factor, NULL);
    mpz_set_ui(sum, 0);
    for (size_t k = 0; k < a; k++)
        for (size_t r = i + j < n ? 0 : i + j - (n - 1); r <= i && r <= j; r++) {
            const size_t powers[4][2] = {
                { k + 1, r }, { a - k - 1, j - r }, { k, i - r }, { a - k, n - 1 - j - (i - r) }
            };

            mpz_bin_uiui(term, j, r);
            mpz_bin_uiui(factor, n - 1 - j, i - r);
            mpz_mul(term, term, factor);
            for (size_t p = 0; p < 4; p++) {
                mpz_ui_pow_ui(factor, powers[p][0], powers[p][1]);
                mpz_mul(term, term, factor);
            }
            mpz_add(sum, sum, term);
        }
    mpz_clears(term, factor, NULL);
}

TEST(seven_riffles_of_52_cards)
{
    struct sb_evidence evidence;
    struct ready_scheme ready;
    mpz_t expected;

    ready_open("riffle:7", 52, 52, &ready);
    assert_int_equal(sb_position_matrix(&ready.law, true, NULL, &evidence), SB_OK);
    mpz_init(expected);
    mpz_ui_pow_ui(expected, 128, 52);
    assert_int_equal(mpz_cmp(evidence.denominator, expected), 0);
    for (size_t i = 0; i < 52; i += 17)
        for (size_t j = 0; j < 52; j += 3) {
            riffle_by_digits(i, j, expected);
            assert_int_equal(mpz_cmp(evidence.matrix.wide[i * 52 + j], expected), 0);
        }
    mpz_clear(expected);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&ready.shuffler);
}

/*
 * 20,000 sampled decks against matrices that are far from uniform, cell by cell: a count of N p' where p is
 * right has a probability of at most exp(-N KL(p', p)) (Chernoff), which must not be below e^-22. False
 * alarms: 2 * 2704 cells * 9 schemes * e^-22 < 1.4e-5.
 */
TEST(samples_agree_cell_by_cell)
{
    static const char *const text[] = { "overhand",      "riffle:2",        "cut",
                                        "rotate",        "splice/modulo:7", "fisher-yates-original/modulo:7",
                                        "naive-no-self", "sort-selection",  "sort-binary-insertion" };
    const double total = 20000;

    for (size_t s = 0; s < sizeof text / sizeof text[0]; s++) {
        struct sb_evidence exact, sampled;
        struct ready_scheme ready;

        ready_open(text[s], 52, 52, &ready);
        const struct sb_sample sample = {
            .recipe = { &ready.shuffler, &ready.scheme.draw, &ready.scheme.rng, 1, NULL },
            .total = (uint64_t)total,
        };
        assert_int_equal(sb_sample_tally(&sample, NULL, &sampled), SB_OK);
        assert_int_equal(sb_position_matrix(&ready.law, false, NULL, &exact), SB_OK);
        for (size_t c = 0; c < 52 * 52; c++) {
            const double p = exact.matrix.share[c], seen = (double)sampled.matrix.u64[c] / total;
            const double here = seen > 0 ? seen * log(seen / p) : 0;
            const double elsewhere = seen < 1 ? (1 - seen) * log((1 - seen) / (1 - p)) : 0;

            if (!(total * (here + elsewhere) <= 22))
                fail_msg("%s: item %zu at %zu", text[s], c / 52, c % 52);
        }
        sb_evidence_close(&exact);
        sb_evidence_close(&sampled);
        sb_shuffler_close(&ready.shuffler);
    }
}

extern const struct sb_engine_type sb_engine_position;

/* The last step of the naive swap from the back exchanges position 0 with any position, and a reservoir of one card is
 * Waterman's Algorithm R: each item is as likely as any other. Sattolo's shuffle puts each item but the first to
 * position 0 with the same probability. */
TEST(the_first_card_has_a_law)
{
    static const struct {
        const char *text;
        size_t least; /* the first item that can be dealt */
    } shuffle[] = { { "naive-backward", 0 }, { "reservoir", 0 }, { "sattolo", 1 } };
    static const size_t n[] = { 3, 10, 52, 300, SB_POSITION_FIRST_MOST };

    for (size_t s = 0; s < sizeof shuffle / sizeof shuffle[0]; s++)
        for (size_t k = 0; k < sizeof n / sizeof n[0]; k++) {
            struct sb_evidence evidence;
            struct ready_scheme ready;
            mpq_t share;

            ready_open(shuffle[s].text, n[k], 1, &ready);
            assert_int_equal(sb_engine_position.law(&ready.law, NULL, &evidence), SB_OK);
            assert_int_equal(evidence.cells, n[k]);
            mpq_init(share);
            for (size_t i = 0; i < n[k]; i++) {
                sb_evidence_fraction(&evidence, i, share);
                assert_int_equal(mpq_cmp_ui(share, i >= shuffle[s].least, n[k] - shuffle[s].least), 0);
            }
            mpq_clear(share);
            sb_evidence_close(&evidence);
            sb_shuffler_close(&ready.shuffler);
        }
}
