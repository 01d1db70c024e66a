/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sampler: the same seed gives the same counts for any number of threads, the dealer deals exactly the
 * decks that are tallied, the number of counted decks is as requested, and the stop flag ends the run with
 * the counts so far.
 */
#include "unit/test.h"

#include "core/evidence.h"
#include "sample/sample.h"
#include "study/results.h"
#include "subject/subject.h"

#include <stdlib.h>
#include <string.h>

/* Tallies of a scheme, of these blocks of the sample; the caller closes them. */
static struct sb_evidence tally_blocks(const char *text, size_t n, size_t deal, uint64_t total, unsigned threads,
                                       const struct sb_blocks *part)
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

TEST(counts_exactly_what_was_asked_for)
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

TEST(dealer_deals_what_is_tallied)
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
                assert_memory_equal(dealt.counts.u64, tallied.counts.u64, dealt.cells * sizeof dealt.counts.u64[0]);
            else
                assert_memory_equal(dealt.matrix.u64, tallied.matrix.u64, n * deal * sizeof dealt.matrix.u64[0]);
            sb_dealer_free(dealer);
            sb_evidence_close(&tallied);
            sb_evidence_close(&dealt);
        }
}

TEST(stop_flag_ends_it)
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
TEST(words_that_are_rejected_for_ever)
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
