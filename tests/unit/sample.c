/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sampler: the same seed gives the same counts for any number of threads, the dealer deals exactly the
 * decks that are tallied, the number of counted decks is as requested, and the stop flag ends the run with
 * the counts so far.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/evidence.h"
#include "sample/sample.h"
#include "subject/subject.h"

#include <stdlib.h>
#include <string.h>

/* Tallies of a scheme, of these blocks of the sample; the caller closes them. */
static struct sb_evidence tally_blocks(const char *text, size_t n, size_t deal, uint64_t total,
                                       unsigned threads, const struct sb_blocks *part)
{
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_evidence evidence;
    struct sb_error error;

    assert_int_equal(sb_scheme_parse(text, NULL, NULL, &error, &scheme), SB_OK);
    assert_int_equal(sb_shuffler_open(scheme.shuffle, n, deal, &shuffler), SB_OK);
    const struct sb_sample sample = {
        .recipe = { &shuffler, &scheme.draw, &scheme.rng, 7, NULL },
        .total = total,
        .part = part,
        .threads = threads,
    };
    assert_int_equal(sb_sample_tally(&sample, &error, &evidence), SB_OK);
    sb_shuffler_close(&shuffler);
    return evidence;
}

static struct sb_evidence tally(const char *text, size_t n, size_t deal, uint64_t total, unsigned threads)
{
    return tally_blocks(text, n, deal, total, threads, NULL);
}

static void same_for_any_number_of_threads(void **state)
{
    const char *const schemes[] = { "fisher-yates", "inside-out", "sort-by-key:2", "naive/modulo:15" };

    for (size_t i = 0; i < 4; i++) {
        struct sb_evidence one = tally(schemes[i], 5, 5, 300001, 1);

        for (unsigned threads = 2; threads <= 4; threads++) {
            struct sb_evidence many = tally(schemes[i], 5, 5, 300001, threads);

            assert_memory_equal(one.counts.u64, many.counts.u64, one.cells * sizeof one.counts.u64[0]);
            sb_evidence_close(&many);
        }
        sb_evidence_close(&one);
    }
}

/* Decks too many to be counted by rank, with all sizes of blocks: whole and dealt in part. */
static void matrices_too(void **state)
{
    static const size_t deals[] = { 52, 9 };

    for (size_t i = 0; i < 2; i++) {
        struct sb_evidence one = tally("fisher-yates-forward", 52, deals[i], 100001, 1);
        struct sb_evidence many = tally("fisher-yates-forward", 52, deals[i], 100001, 3);
        uint64_t sum = 0;

        for (size_t k = 0; k < 52 * deals[i]; k++)
            sum += one.matrix.u64[k];
        assert_int_equal(sum, 100001 * deals[i]);
        assert_memory_equal(one.matrix.u64, many.matrix.u64, 52 * deals[i] * sizeof one.matrix.u64[0]);
        sb_evidence_close(&one);
        sb_evidence_close(&many);
    }
}

static void counts_exactly_what_was_asked_for(void **state)
{
    const uint64_t totals[] = { 1, 2, 63, 64, 65, 65535, 65536, 65537, 200000 };

    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++)
        for (size_t n = 0; n <= 8; n++) {
            struct sb_evidence evidence = tally("naive", n, n, totals[i], 2);
            uint64_t sum = 0;

            for (size_t rank = 0; rank < evidence.cells; rank++)
                sum += evidence.counts.u64[rank];
            assert_int_equal(sum, totals[i]);
            assert_int_equal(evidence.total, totals[i]);
            assert_false(evidence.interrupted);
            sb_evidence_close(&evidence);
        }
}

/* Seven parts of a sample, each by itself: decks side by side and in plain C, counted by rank and as a
 * matrix, their last block cut short. More parts than blocks in the last. */
static void parts_add_up_to_the_whole(void **state)
{
    static const struct {
        const char *scheme;
        size_t n;
        uint64_t total;
    } samples[] = {
        { "naive", 5, 600001 }, { "sort-bubble", 4, 300001 }, { "naive", 52, 100001 }, { "splice", 40, 30000 }
    };
    enum { PARTS = 7 };

    for (size_t s = 0; s < 4; s++) {
        const size_t n = samples[s].n;
        const struct sb_blocks all = sb_blocks_all(n, samples[s].total);
        struct sb_evidence whole = tally(samples[s].scheme, n, n, samples[s].total, 2);
        const size_t cells = whole.cells ? whole.cells : n * n;
        uint64_t *const left = whole.cells ? whole.counts.u64 : whole.matrix.u64;

        for (uint64_t k = 1; k <= PARTS; k++) {
            const struct sb_blocks blocks = sb_blocks_part(all, k, PARTS);
            struct sb_evidence part =
                tally_blocks(samples[s].scheme, n, n, samples[s].total, 1 + (unsigned)k % 3, &blocks);

            assert_int_equal(part.total, sb_blocks_decks(blocks, n, samples[s].total));
            assert_false(part.interrupted);
            whole.total -= part.total;
            for (size_t i = 0; i < cells; i++)
                left[i] -= part.cells ? part.counts.u64[i] : part.matrix.u64[i];
            sb_evidence_close(&part);
        }
        assert_int_equal(whole.total, 0);
        for (size_t i = 0; i < cells; i++)
            assert_int_equal(left[i], 0);
        sb_evidence_close(&whole);
    }
}

static void dealer_deals_what_is_tallied(void **state)
{
    const char *const schemes[] = { "naive", "fisher-yates-forward", "splice", "naive/modulo:15",
                                    "sattolo/ideal/mt19937" };
    const size_t shapes[][2] = { { 5, 5 }, { 7, 3 }, { 20, 2 }, { 16, 16 } };

    for (size_t i = 0; i < 5; i++)
        for (size_t s = 0; s < 4; s++) {
            const size_t n = shapes[s][0], deal = shapes[s][1];
            struct sb_evidence tallied = tally(schemes[i], n, deal, 70000, 2), dealt;
            struct sb_request options;
            struct sb_dealer *dealer;

            sb_request_init(&options, SB_REPORT);
            options.n = n;
            options.deal = deal;
            options.seed = 7;
            assert_int_equal(sb_evidence_open(SB_BY_SAMPLE, n, deal, &dealt), SB_OK);
            assert_int_equal(sb_dealer_new(schemes[i], &options, NULL, &dealer), SB_OK);
            for (size_t k = 0; k < 70000; k++) {
                const uint32_t *items;

                assert_int_equal(sb_dealer_next(dealer, &items), SB_OK);
                if (dealt.cells)
                    dealt.counts.u64[sb_permutation_rank(n, deal, items)]++;
                for (size_t j = 0; dealt.cells == 0 && j < deal; j++)
                    dealt.matrix.u64[items[j] * deal + j]++;
            }
            if (dealt.cells)
                assert_memory_equal(dealt.counts.u64, tallied.counts.u64,
                                    dealt.cells * sizeof dealt.counts.u64[0]);
            else
                assert_memory_equal(dealt.matrix.u64, tallied.matrix.u64,
                                    n * deal * sizeof dealt.matrix.u64[0]);
            sb_dealer_free(dealer);
            sb_evidence_close(&tallied);
            sb_evidence_close(&dealt);
        }
}

static void stop_flag_ends_it(void **state)
{
    const volatile sig_atomic_t stop = 1;
    struct sb_request options;
    struct sb_reports *reports = NULL;
    struct sb_error error;
    const char *const scheme = "naive";

    sb_request_init(&options, SB_REPORT);
    options.stop = &stop;
    assert_int_equal(sb_reports_new(&scheme, 1, &options, &error, &reports), SB_STOPPED);
    assert_null(reports);
}

/*
 * GSL's transputer from 2^29: 1664525 is 5 modulo 8, so its states are 5 2^29 and 2^29 in turn, and its
 * words, 1 less, begin with the bits 100 and 000. Of the whole 31 bits the first is too large, and the second
 * begins with 00, which Lemire's draw below 3 rejects.
 */
static void words_that_are_rejected_for_ever(void **state)
{
    const char *const text = "naive/lemire:2/transputer";
    struct sb_request options;
    struct sb_dealer *dealer;
    struct sb_reports *reports = NULL;
    struct sb_error error;
    const uint32_t *items;

    sb_request_init(&options, SB_REPORT);
    options.seed = 536870912;
    options.by = SB_BY_SAMPLE;
    options.samples = 100;
    assert_int_equal(sb_reports_new(&text, 1, &options, &error, &reports), SB_INVALID);
    assert_non_null(strstr(error.text, "gives the same few answers over and over: take another seed"));
    assert_null(reports);
    assert_int_equal(sb_dealer_new(text, &options, &error, &dealer), SB_OK);
    assert_int_equal(sb_dealer_next(dealer, &items), SB_BROKEN);
    assert_int_equal(sb_dealer_next(dealer, &items), SB_BROKEN);
    sb_dealer_free(dealer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_for_any_number_of_threads),    cmocka_unit_test(matrices_too),
        cmocka_unit_test(counts_exactly_what_was_asked_for), cmocka_unit_test(parts_add_up_to_the_whole),
        cmocka_unit_test(dealer_deals_what_is_tallied),      cmocka_unit_test(stop_flag_ends_it),
        cmocka_unit_test(words_that_are_rejected_for_ever),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
