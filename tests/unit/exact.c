/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact laws: by which engine, how draws and redraws weigh, and how a computation is stopped. */
#include "unit/ask.h"

/* A report on the exact law alone. */
static struct sb_request *exact(const char *scheme, const char *options)
{
    struct sb_request *const request = ask("report", options);

    put(request, "scheme", scheme);
    put(request, "by", "exact");
    return request;
}

TEST(the_quickest_engine_is_taken_and_named)
{
    static const char *const engines[][3] = {
        { "naive", "n=1", "tree" },
        { "naive", "n=3", "tree" },
        { "naive", "n=7", "convolve" },
        { "naive", "n=12 deal=4", "deals" },
        { "naive", "n=52 deal=3", "deals" },
        { "naive", "n=52 deal=1", "position" },
        { "naive", "n=52 deal=4", "position" }, /* of 6,497,400 deals, the matrix alone */
        { "sort-merge", "n=4", "tree" },
        { "sort-by-key:31", "n=6 deal=2", "closed form" },
        { "riffle:7", "n=52", "closed form, position" }, /* the effects, and the matrix */
    };

    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++)
        check_answer(exact(engines[i][0], engines[i][1]), "reports.0.evidence.engine", engines[i][2]);
}

TEST(draws_weigh_the_branches)
{
    static const char *const laws[][4] = {
        /* 16 words: 6, 5, 5 of them for a bound of 3 and 8, 8 for a bound of 2. Position 2 is drawn first. */
        { "fisher-yates/modulo:4", "n=3", "[\"40\",\"40\",\"40\",\"48\",\"40\",\"48\"]", "256" },
        /* Bound 2 from 64-bit words: 2^63 each way, beyond 64 bits for the sum. */
        { "fisher-yates/modulo", "n=2", "[\"9223372036854775808\",\"9223372036854775808\"]", "18446744073709551616" },
        { "redraw", "n=3", "[\"1\",\"1\",\"1\",\"1\",\"1\",\"1\"]", "6" },
        { "redraw", "n=3 deal=2", "[\"1\",\"1\",\"1\",\"1\",\"1\",\"1\"]", "6" },
        /*
         * Words 0..15 modulo 3 are 0 six times, 1 and 2 five times each. P(123) = 6/16 * 5/10, P(132) the same,
         * P(213) = P(312) = 5/16 * 6/11, P(231) = P(321) = 5/16 * 5/11; the common multiple of 160 and 176 is 1760.
         */
        { "redraw/modulo:4", "n=3", "[\"330\",\"330\",\"300\",\"250\",\"300\",\"250\"]", "1760" },
    };

    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        struct sb_result *const result = answer(exact(laws[i][0], laws[i][1]));

        assert_string_equal(sb_get(result, "reports.0.evidence.counts"), laws[i][2]);
        assert_string_equal(sb_get(result, "reports.0.evidence.denominator"), laws[i][3]);
        sb_result_free(result);
    }
}

/* Of the 12^12 series of draws of the naive swap, 2^11 give the rarest order (Goldstein and Moews,
 * doi:10.1007/s00010-003-2680-0). */
TEST(a_single_order)
{
    struct sb_result *const result = answer(ask("odds", "scheme=naive permutation=12.1.2.3.4.5.6.7.8.9.10.11"));

    check_value(result, "engine", "single");
    assert_string_equal(sb_get(result, "denominator"), "8916100448256");
    assert_string_equal(sb_get(result, "permutations.0.count"), "2048");
    sb_result_free(result);
}

static int stop_at_once(void *stopped, const char *event, const char *text, uint64_t done, uint64_t total)
{
    *(bool *)stopped = *(bool *)stopped || strcmp(event, "progress") == 0;
    return *(bool *)stopped;
}

TEST(long_walks_can_be_stopped)
{
    static const char *const laws[][2] = {
        { "naive", "n=10 threads=2" }, /* convolve */
        { "naive", "n=52 deal=3" },    /* deals */
    };

    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++) {
        bool stopped = false;
        struct sb_request *const request = exact(laws[i][0], laws[i][1]);

        sb_on(request, stop_at_once, &stopped);
        struct sb_result *const result = sb_run(request);

        if (result || sb_status(request) != SB_STOPPED || !stopped)
            fail_msg("%s: %s", laws[i][1], result ? sb_text(result, "json", NULL) : sb_error(request));
        sb_request_free(request);
    }
}
