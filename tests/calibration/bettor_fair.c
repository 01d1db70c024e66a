/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bettor on fair decks of 52, with fixed seeds. By Ville's inequality, the probability that its E ever reaches
 * 1/alpha is at most alpha, so of 400 runs at most 40 do at alpha = 0.1, on average. With other seeds, more than 60
 * would have a probability below 1 in 1000.
 */
#include "unit/test.h"

#include "bench/faulty_decks.h"
#include "fit/fit.h"
#include "study/report/report_result.h"
#include "study/results.h"

#include <math.h>

enum {
    RUNS = 400,
    DECKS = 200,
    ALARMS_MOST = 60,
    ROUNDS_RUNS = 100,
    ROUNDS_ITEMS = 7,
    ROUNDS_MORE = 2000,  /* decks after the first round */
    ROUNDS_FIRST = 1000, /* looks at each of these, */
    ROUNDS_LOOK = 64,    /* and later at these steps */
    ROUNDS_ALARMS_MOST = 20,
};

TEST(few_false_alarms)
{
    unsigned alarms = 0;

    for (unsigned seed = 1; seed <= RUNS; seed++) {
        struct faulty_decks decks;
        struct sb_bettor *bettor;
        double most = 0;

        faulty_begin(seed, &decks);
        assert_int_equal(sb_bettor_new(FAULTY_CARDS, &bettor), SB_OK);
        for (unsigned t = 0; t < DECKS; t++) {
            sb_item deck[FAULTY_CARDS];

            faulty_next(&faults[0], &decks, deck);
            sb_bettor_add(bettor, deck, 1);
            most = fmax(most, *sb_bettor_read(bettor).ln_e);
        }
        alarms += most >= log(10);
        sb_bettor_free(bettor);
    }
    assert_string_equal(faults[0].name, "fair");
    assert_true(alarms <= ALARMS_MOST);
}

static int deal_fair(void *items, size_t n, size_t size, void *state)
{
    sb_item deck[FAULTY_CARDS];
    uint16_t *const to = items;

    faulty_next(&faults[0], state, deck);
    for (size_t i = 0; i < n; i++)
        to[i] = (uint16_t)deck[i];
    return 0;
}

/* The p of a report, which looks now and then: below 0.1 in at most 60 of 400 reports, as above. */
TEST(small_p_is_rare)
{
    struct sb_request options;
    unsigned small = 0;

    sb_request_init(&options, SB_REPORT);
    options.statistics = "bettor";
    options.samples = DECKS;
    for (unsigned seed = 1; seed <= RUNS; seed++) {
        struct faulty_decks decks;
        const struct sb_subject subject = { .shuffle = deal_fair, .state = &decks, .n = FAULTY_CARDS };
        const struct sb_finding *bets = NULL;
        struct sb_reports *reports;
        struct sb_error error;

        faulty_begin(RUNS + seed, &decks);
        assert_int_equal(sb_reports_observe(&subject, &options, &error, &reports), SB_OK);
        for (size_t i = 0; i < reports->report->findings_count; i++)
            if (reports->report->findings[i].context)
                bets = &reports->report->findings[i];
        assert_non_null(bets);
        assert_true(bets->p > 0 && bets->p <= 1);
        small += bets->p <= 0.1;
        sb_reports_free(reports);
    }
    assert_true(small <= ALARMS_MOST);
}

/*
 * In rounds, as a watch bets, over the end of the first round: E reaches 10 in at most 10 of 100 runs, on average. With
 * other seeds, more than 20 would have a probability below 1 in 1000.
 */
TEST(few_false_alarms_in_rounds)
{
    unsigned alarms = 0;

    for (uint64_t seed = 1; seed <= ROUNDS_RUNS; seed++) {
        sb_item deck[ROUNDS_ITEMS] = { 0, 1, 2, 3, 4, 5, 6 };
        uint64_t random = seed;
        struct sb_bettor *bettor;
        double most = 0;

        assert_int_equal(sb_bettor_new(ROUNDS_ITEMS, &bettor), SB_OK);
        sb_bettor_begin_rounds(bettor);
        for (unsigned t = 1; t <= SB_BETTOR_ROUND + ROUNDS_MORE; t++) {
            for (size_t j = ROUNDS_ITEMS; j-- > 1;) { /* Fisher-Yates with Knuth's generator */
                random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                const size_t i = (size_t)((random >> 32) * (j + 1) >> 32);
                const sb_item swapped = deck[i];

                deck[i] = deck[j];
                deck[j] = swapped;
            }
            sb_bettor_add(bettor, deck, 1);
            if (t < ROUNDS_FIRST || t % ROUNDS_LOOK == 0)
                most = fmax(most, *sb_bettor_read(bettor).ln_e);
        }
        alarms += most >= log(10);
        sb_bettor_free(bettor);
    }
    assert_true(alarms <= ROUNDS_ALARMS_MOST);
}
