/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples: exactly as many decks are counted as were asked for, and the dealer deals exactly the decks that are
 * counted. */
#include "unit/ask.h"

/* Evidence by position or by rank, as JSON. */
static const char *counted(struct sb_result *report)
{
    const char *const counts = sb_get(report, "reports.0.evidence.counts");

    return counts ? counts : sb_get(report, "reports.0.matrix");
}

TEST(counts_exactly_what_was_asked_for)
{
    static const char *const totals[] = { "1", "2", "63", "64", "65", "65535", "65536", "65537", "200000" };

    for (size_t i = 0; i < sizeof totals / sizeof totals[0]; i++)
        for (size_t n = 0; n <= 7; n++) {
            struct sb_request *const request = ask("report", "scheme=naive by=sample threads=2");
            char *end, items[] = { (char)('0' + n), 0 };
            uint64_t sum = 0;

            put(request, "n", items);
            put(request, "samples", totals[i]);
            struct sb_result *const result = answer(request);

            for (const char *c = counted(result); *c; c = end) {
                c += strcspn(c, "0123456789");
                sum += strtoull(c, &end, 10);
            }
            assert_int_equal(sum, strtoull(totals[i], NULL, 10));
            sb_result_free(result);
        }
}

/* Ranks of up to seven cards by Lehmer's code. */
static size_t rank_of(size_t n, size_t deal, const uint32_t items[])
{
    size_t rank = 0;

    for (size_t i = 0; i < deal; i++) {
        size_t smaller = items[i];

        for (size_t j = 0; j < i; j++)
            smaller -= items[j] < items[i];
        rank = rank * (n - i) + smaller;
    }
    return rank;
}

TEST(the_dealer_deals_what_is_counted)
{
    enum { DECKS = 70000 };
    static const char *const schemes[] = { "naive", "fisher-yates-forward", "splice", "naive/modulo:15",
                                           "sattolo/ideal/mt19937" };
    static const size_t shapes[][2] = { { 5, 5 }, { 7, 3 }, { 20, 2 } };

    for (size_t k = 0; k < 15; k++) {
        static uint64_t count[5040];
        const size_t n = shapes[k / 5][0], deal = shapes[k / 5][1];
        char options[64], path[64];
        struct sb_request *const dealer = ask("deal", "seed=7"), *const report =
                                                                     ask("report", "by=sample threads=2 seed=7");

        snprintf(options, sizeof options, "%zu", n);
        put(dealer, "n", options);
        put(report, "n", options);
        snprintf(options, sizeof options, "%zu", deal);
        put(dealer, "deal", options);
        put(report, "deal", options);
        put(dealer, "scheme", schemes[k % 5]);
        put(report, "scheme", schemes[k % 5]);
        put(report, "samples", "70000");
        memset(count, 0, sizeof count);
        for (size_t d = 0; d < DECKS; d++)
            count[rank_of(n, deal, sb_next(dealer))]++;
        struct sb_result *const result = answer(report);

        for (size_t rank = 0; snprintf(path, sizeof path, "reports.0.evidence.counts.%zu", rank), sb_get(result, path);
             rank++)
            assert_int_equal(strtoull(sb_get(result, path), NULL, 10), count[rank]);
        sb_request_free(dealer);
        sb_result_free(result);
    }
}
