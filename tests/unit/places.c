/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single places: bets on cells against their formula, the mean of E over all sequences of decks, and the positions of
 * steps against a count that the test makes. */
#include "unit/test.h"

#include "fit/sequential.h"
#include "statistic/statistic.h"
#include "tally/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* E of a coin that shows heads with probability p: the average over g = 1, 10, ..., 10^5 of beta-binomial laws with
 * 2 g p and 2 g (1 - p), over the binomial law. */
static long double coin(double p, unsigned heads, unsigned tosses)
{
    long double sum = 0;

    for (int g = 0; g < 6; g++) {
        const long double a = 2 * powl(10, g), h = a * p, t = a * (1 - (long double)p), tails = tosses - heads;

        sum += expl(lgammal(h + heads) - lgammal(h) + lgammal(t + tails) - lgammal(t) - lgammal(a + tosses) +
                    lgammal(a) - heads * logl(p) - tails * log1pl(-(long double)p));
    }
    return sum / 6;
}

/* E of a row of equally likely cells, with a quarter of its stake on single cells. */
static double shared(const struct sb_tally *tally, size_t member)
{
    const struct sb_tally row = sb_tally_member(tally, member);
    const double cells = (double)tally->cells;
    struct sb_e_value e;
    double sum = 0;

    sb_e_process(&row, &e);
    for (size_t i = 0; i < row.cells; i++)
        sum += (double)coin(1 / cells, (unsigned)row.count[i], (unsigned)row.total);
    return 0.75 * exp(e.ln_e) + 0.25 * sum / cells;
}

TEST(bets_on_single_cells_have_their_formula)
{
    enum { MEMBERS = 3, CELLS = 20 };
    uint64_t count[MEMBERS * CELLS];
    struct sb_tally tally = { .members = MEMBERS, .cells = CELLS, .count = count };
    struct sb_single *single;

    for (unsigned never = 0; never < 2; never++) {
        tally.total = 0;
        for (size_t k = 0; k < CELLS; k++) {
            count[k] = k ? 40 + 5 * (k % 3) + k / 3 : never ? 0 : 150;
            tally.total += count[k];
        }
        for (size_t k = CELLS; k < MEMBERS * CELLS; k++)
            count[k] = count[(k + k / CELLS) % CELLS];
        assert_true(sb_single_joins(&tally));
        assert_int_equal(sb_single_new(&tally, &single), SB_OK);
        for (size_t m = 0; m < MEMBERS; m++) {
            const struct sb_tally row = sb_tally_member(&tally, m);
            struct sb_e_value e;
            double error = 0;

            sb_e_process(&row, &e);
            sb_single_share(single, &tally, m, &e.ln_e, &error);
            assert_true(fabs(e.ln_e - log(shared(&tally, m))) < 1e-9);
            assert_true(error > 0 && error < 1e-6);
        }
        sb_single_free(single);
    }
}

TEST(unremarkable_cells_count_as_0)
{
    enum { CELLS = 8 };
    uint64_t count[2 * CELLS] = { 5, 3, 4, 2, 6, 4, 5, 3, 3, 5, 4, 6, 2, 4, 3, 5 };
    const struct sb_tally tally = { .members = 2, .cells = CELLS, .total = 32, .count = count };
    struct sb_single *single;
    double ln_e = 2, error = 0;

    assert_int_equal(sb_single_new(&tally, &single), SB_OK);
    sb_single_share(single, &tally, 0, &ln_e, &error);
    assert_true(fabs(ln_e - 2 - log(0.75)) < 1e-15);
    sb_single_free(single);
}

enum { SMALL = 4, SEQUENCE = 3 };

/* E of each new process after these decks, averaged over its members. */
static void judge(size_t n, size_t decks, sb_item deck[][SMALL], double e[4])
{
    static const char *const name[] = { "descent-at", "descent-at-2" };
    uint64_t position[SMALL * SMALL] = { 0 }, step[SMALL * SMALL] = { 0 }, order[2][SMALL * 2] = { { 0 } };
    struct sb_e_value found[SMALL];
    sb_item place[SMALL];

    for (size_t t = 0; t < decks; t++) {
        for (size_t j = 0; j < n; j++) {
            position[deck[t][j] * n + j]++;
            if (t)
                step[place[deck[t][j]] * n + j]++;
        }
        for (size_t j = 0; j < n; j++)
            place[deck[t][j]] = (sb_item)j;
        for (size_t s = 0; s < 2; s++) {
            uint32_t cell[SMALL];

            sb_statistic_find(name[s])->classify(n, n, deck[t], cell);
            for (size_t m = 0; m + s + 1 < n; m++)
                order[s][2 * m + cell[m]]++;
        }
    }
    for (size_t i = 0; i < 2; i++) {
        const struct sb_tally matrix = { .members = n, .cells = n, .total = decks - i, .count = i ? step : position };
        const struct sb_tally pairs = { .members = n - 1 - i, .cells = 2, .total = decks, .count = order[i] };

        for (size_t m = 0; m < n; m++)
            e[i] += shared(&matrix, m) / (double)n;
        sb_e_process(&pairs, found);
        for (size_t m = 0; m < pairs.members; m++)
            e[2 + i] += exp(found[m].ln_e) / (double)pairs.members;
    }
}

/* Over all sequences of three decks of three items, and of two decks of four. */
TEST(the_mean_over_all_sequences_is_1)
{
    for (size_t n = 3; n <= SMALL; n++) {
        const size_t orders = n == 3 ? 6 : 24, decks = n == 3 ? 3 : 2, all = n == 3 ? 216 : 576;
        double e[4] = { 0 };

        for (size_t s = 0; s < all; s++) {
            sb_item deck[SEQUENCE][SMALL];

            for (size_t t = 0, rest = s; t < decks; t++, rest /= orders)
                sb_permutation_unrank(n, n, rest % orders, deck[t]);
            judge(n, decks, deck, e);
        }
        for (size_t i = 0; i < 4; i++)
            assert_true(fabs(e[i] / (double)all - 1) < 1e-9);
    }
}

/* Over all counts of a coin, which are too many for sequences. */
TEST(the_mean_of_a_coin_is_1)
{
    enum { TOSSES = 400 };

    for (size_t cells = 8; cells <= 128; cells *= 4) {
        const double p = 1 / (double)cells;
        long double mean = 0;

        for (unsigned heads = 0; heads <= TOSSES; heads++)
            mean +=
                coin(p, heads, TOSSES) * expl(lgammal(TOSSES + 1) - lgammal(heads + 1) - lgammal(TOSSES - heads + 1) +
                                              heads * logl(p) + (TOSSES - heads) * log1pl(-(long double)p));
        assert_true(fabsl(mean - 1) < 1e-9L);
    }
}

/* Knuth's 64-bit linear congruential generator. */
static size_t below(uint64_t *state, size_t bound)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(*state >> 33) % bound;
}

TEST(positions_of_steps)
{
    enum { ITEMS = 70, DECKS = 150 };
    static sb_item deck[DECKS][ITEMS];
    static const size_t sizes[] = { 6, 52, ITEMS };

    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const size_t n = sizes[s];
        const struct sb_statistic_type *const type[] = { &sb_statistic_position };
        static sb_item items[DECKS * ITEMS];
        uint64_t *const count = calloc(n * n, sizeof *count);
        uint64_t state = n;
        struct sb_tallies tallies;

        assert_non_null(count);
        for (size_t t = 0; t < DECKS; t++) {
            for (size_t i = 0; i < n; i++) {
                const size_t j = below(&state, i + 1);

                deck[t][i] = deck[t][j];
                deck[t][j] = (sb_item)i;
            }
            memcpy(items + t * n, deck[t], n * sizeof items[0]);
            for (size_t i = 0; t && i < n; i++)
                for (size_t j = 0; j < n; j++)
                    count[i * n + j] += deck[t - 1][i] == deck[t][j];
        }
        assert_int_equal(sb_tallies_open(NULL, n, n, type, 1, SB_TALLIES_LAGS, NULL, &tallies), SB_OK);
        for (size_t t = 0, some = 1; t < DECKS; t += some, some = some * 3 % 71) {
            some = some < DECKS - t ? some : DECKS - t;
            sb_tallies_add(&tallies, items + t * n, some);
        }
        sb_tallies_read(&tallies);
        assert_string_equal(tallies.tally[1].statistic, "position");
        assert_true(tallies.tally[1].dependence && tallies.tally[1].lag == 1 && tallies.tally[1].total == DECKS - 1);
        assert_memory_equal(tallies.tally[1].count, count, n * n * sizeof *count);
        sb_tallies_close(&tallies);
        free(count);
    }
}
