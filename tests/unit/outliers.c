/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single unlikely decks and steps: the factors against their formula, the mean of E over all decks and over all pairs
 * of decks, and the products of a stream against products that the test computes deck by deck. */
#include "unit/test.h"

#include "statistic/statistic.h"
#include "tally/order.h"
#include "tally/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 4, ORDERS = 24, TYPES_MOST = 32, STREAM = 400, ITEMS_MOST = 70 };

static const long double eps[SB_OUTLIER_EPS] = { 0.1L, 0.01L, 0.001L, 0.0001L };

/* ln(1 - eps + eps f(p)), as docs/how-it-decides.md has it. */
static long double worth(long double p, size_t e)
{
    const long double ln_p = logl(p);
    const long double f = p > 0.9999L ? 0.5L - ln_p / 6 : (1 - p + p * ln_p) / (p * ln_p * ln_p);

    return logl(1 - eps[e] + eps[e] * f);
}

TEST(a_factor_is_its_formula)
{
    for (size_t e = 0; e < SB_OUTLIER_EPS; e++)
        for (double ln_p = 0; ln_p > -160; ln_p = ln_p * 1.3 - 0.01) {
            const double found = (double)sb_outlier_worth(ln_p, e) * SB_WORTH_UNIT;
            const double exact = (double)worth(expl((long double)ln_p), e);

            assert_true(found <= exact && found > exact - 2e-8);
        }
    assert_true(sb_outlier_worth(-HUGE_VAL, 0) > 0); /* impossible under a fair shuffle */
}

static bool is_number(const struct sb_statistic_type *type, size_t n)
{
    return type->classify && !type->label && sb_statistic_members(type, NULL, n, n) == 1 &&
           sb_statistic_cells(type, NULL, n, n) > 1;
}

/* The tails of one statistic, and the cell of each order. */
struct small {
    struct sb_outlier_law *law;
    uint32_t cell[ORDERS];
};

static size_t open_small(size_t n, size_t orders, struct small small[TYPES_MOST])
{
    size_t count = 0;

    for (size_t i = 0; i < sb_statistic_types_count; i++) {
        const struct sb_statistic_type *const type = sb_statistic_types[i];
        struct small *const one = &small[count];
        double ln_p[64] = { 0 };
        sb_item a[SMALL];

        if (!is_number(type, n))
            continue;
        const size_t cells = sb_statistic_cells(type, NULL, n, n);

        assert_int_equal(sb_statistic_null_law(type, NULL, n, n, ln_p), SB_OK);
        assert_int_equal(sb_outlier_law_new(ln_p, cells, 0, &one->law), SB_OK);
        for (size_t r = 0; r < orders; r++) {
            sb_permutation_unrank(n, n, r, a);
            type->classify(n, n, a, &one->cell[r]);
        }
        for (size_t r = 0; r < orders; r++) {
            size_t low = 0, high = 0;

            for (size_t k = 0; k < orders; k++) {
                low += one->cell[k] <= one->cell[r];
                high += one->cell[k] >= one->cell[r];
            }
            assert_float_equal(one->law->ln_tail[one->cell[r]], log((double)low / (double)orders), 1e-12);
            assert_float_equal(one->law->ln_tail[cells + one->cell[r]], log((double)high / (double)orders), 1e-12);
        }
        count++;
    }
    return count;
}

static double factor(const struct small *small, size_t order, size_t k)
{
    return exp((double)small->law->worth[small->cell[order] * SB_OUTLIER_SUMS + k] * SB_WORTH_UNIT);
}

/* The mean, over all pairs of decks, of the average of the products of decks and of steps. Each mean of a product is at
 * most 1, too. */
TEST(the_mean_over_all_decks_is_at_most_1)
{
    for (size_t n = 3; n <= SMALL; n++) {
        const size_t orders = n == 3 ? 6 : 24;
        struct small small[TYPES_MOST];
        const size_t count = open_small(n, orders, small);
        double sum = 0, pairs = (double)(orders * orders);
        sb_item a[SMALL], b[SMALL], place[SMALL];

        assert_true(count >= 8);
        for (size_t i = 0; i < count; i++)
            for (size_t k = 0; k < SB_OUTLIER_SUMS; k++) {
                double decks = 0, steps = 0;

                for (size_t x = 0; x < orders; x++)
                    for (size_t y = 0; y < orders; y++) {
                        sb_permutation_unrank(n, n, x, a);
                        sb_permutation_unrank(n, n, y, b);
                        for (size_t j = 0; j < n; j++)
                            place[a[j]] = (sb_item)j;
                        for (size_t j = 0; j < n; j++)
                            b[j] = place[b[j]];
                        decks += factor(&small[i], x, k) * factor(&small[i], y, k);
                        steps += factor(&small[i], (size_t)sb_permutation_rank(n, n, b), k);
                    }
                assert_true(decks <= pairs && steps <= pairs && decks > 0.8 * pairs);
                sum += decks + steps;
            }
        assert_true(sum <= 2 * (double)(count * SB_OUTLIER_SUMS) * pairs);
        for (size_t i = 0; i < count; i++)
            sb_outlier_law_free(small[i].law);
    }
}

/* Knuth's 64-bit linear congruential generator. */
static size_t below(uint64_t *state, size_t bound)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)(*state >> 33) % bound;
}

/* Fair decks, but deck 150 is nearly sorted, and deck 300 is deck 296 with its halves exchanged. */
static void fill(size_t n, sb_item decks[])
{
    uint64_t state = n;

    for (size_t t = 0; t < STREAM; t++) {
        sb_item *const a = decks + t * n;

        for (size_t i = 0; i < n; i++) {
            const size_t j = t == 149 ? i - (i % 5 == 4) : below(&state, i + 1);

            a[i] = a[j];
            a[j] = (sb_item)i;
        }
        for (size_t i = 0; t == 299 && i < n; i++)
            a[i] = (a - 4 * n)[(i + n / 2) % n];
    }
}

static uint32_t run(size_t n, const sb_item a[], bool end, bool down)
{
    uint32_t length = 1;

    if (end)
        while (length < n && (a[n - length - 1] > a[n - length]) == down)
            length++;
    else
        while (length < n && (a[length - 1] > a[length]) == down)
            length++;
    return length;
}

/* The cell of deck t; SIZE_MAX if the lag reaches back beyond the first deck. */
static size_t cell_of(const struct sb_outlier *of, size_t n, const sb_item decks[], size_t t)
{
    const sb_item *const b = decks + t * n;
    sb_item step[ITEMS_MOST], place[ITEMS_MOST];
    uint32_t cell;

    if (strcmp(of->statistic, "runs") == 0)
        return run(n, b, strstr(of->title, "end"), strstr(of->title, "fall"));
    if (of->lag > t)
        return SIZE_MAX;
    for (size_t j = 0; j < n; j++)
        place[of->lag ? (b - of->lag * n)[j] : j] = (sb_item)j;
    for (size_t j = 0; j < n; j++)
        step[j] = place[b[j]];
    sb_statistic_find(of->statistic)->classify(n, n, step, &cell);
    return cell;
}

static void check_family(const struct sb_outliers *family, size_t n, const sb_item decks[],
                         const struct sb_tally *tally)
{
    double sum = 0;
    size_t products = 0;

    for (size_t i = 0; i < family->count; i++) {
        const struct sb_outlier *const of = family->of[i];
        double least = log(1e-4);
        size_t number = 0;

        for (size_t k = 0; k < SB_OUTLIER_SUMS; k++) {
            double ln_e = 0;

            for (size_t t = 0; t < STREAM; t++) {
                const size_t cell = cell_of(of, n, decks, t);

                if (cell < SIZE_MAX)
                    ln_e += (double)of->law->worth[cell * SB_OUTLIER_SUMS + k] * SB_WORTH_UNIT;
                if (k == 0 && cell < SIZE_MAX && of->law->least[cell] < least) {
                    least = of->law->least[cell];
                    number = t + 1;
                }
            }
            if (!of->law->used[k / SB_OUTLIER_EPS])
                continue;
            sum += exp(ln_e);
            products++;
        }
        assert_int_equal(of->number, number);
        assert_true(number == 0 || memcmp(of->items, decks + (number - 1) * n, n * sizeof of->items[0]) == 0);
    }
    assert_true(products > 0);
    assert_true(fabs(*tally->ln_e - log(sum / (double)products)) < 1e-9 * fabs(*tally->ln_e) + 1e-9);
}

static size_t choose(size_t n, const struct sb_statistic_type *type[TYPES_MOST])
{
    size_t count = 0;

    for (size_t i = 0; i < sb_statistic_types_count; i++)
        if (sb_statistic_types[i] != &sb_statistic_rank && sb_statistic_joins(sb_statistic_types[i], n, n))
            type[count++] = sb_statistic_types[i];
    return count;
}

/* E of a fair stream ever reaches 20 with a probability of 5% at most, for decks and for steps: of 600 streams more
 * than 60 with a probability below 1e-6. */
TEST(fair_streams_rarely_have_outliers)
{
    enum { STREAMS = 600, DECKS = 200, ITEMS = 16, LOOK = 4 };
    const struct sb_statistic_type *type[TYPES_MOST];
    const size_t count = choose(ITEMS, type);
    uint64_t state = 1;
    size_t alarms[2] = { 0 };

    for (size_t stream = 0; stream < STREAMS; stream++) {
        struct sb_tallies tallies;
        bool alarm[2] = { false };
        sb_item decks[LOOK * ITEMS];

        assert_int_equal(
            sb_tallies_open(NULL, ITEMS, ITEMS, type, count, SB_TALLIES_LAGS | SB_TALLIES_OUTLIERS, NULL, &tallies),
            SB_OK);
        for (size_t t = 0; t < DECKS; t += LOOK) {
            for (size_t i = 0; i < LOOK * ITEMS; i++) {
                const size_t at = i % ITEMS, j = i - at + below(&state, at + 1);

                decks[i] = decks[j];
                decks[j] = (sb_item)at;
            }
            sb_tallies_add(&tallies, decks, LOOK);
            sb_outliers_read(tallies.outliers);
            sb_outliers_read(tallies.step_outliers);
            alarm[0] = alarm[0] || tallies.outliers->ln_e >= log(20);
            alarm[1] = alarm[1] || tallies.step_outliers->ln_e >= log(20);
        }
        alarms[0] += alarm[0];
        alarms[1] += alarm[1];
        sb_tallies_close(&tallies);
    }
    assert_in_range(alarms[0], 0, 60);
    assert_in_range(alarms[1], 0, 60);
}

/* E of two rounds: those of the decks of each round alone, by the shares of the stake. The first step of the second
 * round is the one from the last deck of the first. */
TEST(rounds)
{
    enum { ITEMS = 9, DECKS = SB_BETTOR_ROUND + 1000, BATCH = 60, FAULT = SB_BETTOR_ROUND + 500 };
    static sb_item decks[DECKS * ITEMS];
    const struct sb_statistic_type *type[TYPES_MOST];
    const size_t count = choose(ITEMS, type);
    struct sb_tallies all, alone[2];
    uint64_t state = 7;

    for (size_t i = 0; i < DECKS * ITEMS; i++) {
        const size_t at = i % ITEMS, j = i - at + below(&state, at + 1);

        decks[i] = decks[j];
        decks[j] = (sb_item)at;
    }
    memcpy(decks + (size_t)FAULT * ITEMS, decks + (size_t)(FAULT - 1) * ITEMS, ITEMS * sizeof decks[0]);
    assert_int_equal(sb_tallies_open(NULL, ITEMS, ITEMS, type, count, SB_TALLIES_OUTLIERS_ROUNDS, NULL, &all), SB_OK);
    for (size_t t = 0; t < DECKS; t += BATCH)
        sb_tallies_add(&all, decks + t * ITEMS, DECKS - t < BATCH ? DECKS - t : BATCH);
    sb_tallies_read(&all);
    for (size_t r = 0; r < 2; r++) {
        const size_t first = r * SB_BETTOR_ROUND, more = r ? DECKS - SB_BETTOR_ROUND : SB_BETTOR_ROUND;

        assert_int_equal(sb_tallies_open(NULL, ITEMS, ITEMS, type, count, SB_TALLIES_OUTLIERS, NULL, &alone[r]), SB_OK);
        sb_tallies_add(&alone[r], decks + first * ITEMS, more);
        sb_tallies_read(&alone[r]);
    }
    const double ln_e = log(exp(alone[0].outliers->ln_e) / 2 + exp(alone[1].outliers->ln_e) / 6 + 1.0 / 3);

    assert_true(fabs(all.outliers->ln_e - ln_e) < 1e-12);
    assert_int_equal(all.count, all.statistics + 2);
    for (size_t k = 0; k < all.outliers->bets; k++)
        assert_true(all.outliers->ln_bet[k] > -0.1 * 1000);
    assert_int_equal(sb_outliers_worst(all.step_outliers)->number, FAULT + 1);
    sb_tallies_close(&all);
    sb_tallies_close(&alone[0]);
    sb_tallies_close(&alone[1]);
}

/* Decks in batches of several sizes, in rows and one at a time, and steps at all lags. */
TEST(products_of_a_stream)
{
    static sb_item decks[STREAM * ITEMS_MOST];
    static const size_t sizes[] = { 20, 52, 70 };

    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t batch = 1; batch <= 64; batch += 21) {
            const size_t n = sizes[s];
            const struct sb_statistic_type *type[TYPES_MOST];
            struct sb_tallies tallies;
            const size_t count = choose(n, type);

            fill(n, decks);
            assert_int_equal(
                sb_tallies_open(NULL, n, n, type, count, SB_TALLIES_LAGS | SB_TALLIES_OUTLIERS, NULL, &tallies), SB_OK);
            for (size_t t = 0; t < STREAM; t += batch) {
                sb_tallies_add(&tallies, decks + t * n, STREAM - t < batch ? STREAM - t : batch);
                if (t % 3 == 0)
                    sb_tallies_read(&tallies);
            }
            sb_tallies_read(&tallies);
            check_family(tallies.outliers, n, decks, &tallies.tally[tallies.count - 2]);
            check_family(tallies.step_outliers, n, decks, &tallies.tally[tallies.count - 1]);
            assert_true(tallies.outliers->ln_e > 10);
            assert_int_equal(sb_outliers_worst(tallies.outliers)->number, 150);
            assert_int_equal(sb_outliers_worst(tallies.step_outliers)->number, 300);
            assert_int_equal(sb_outliers_worst(tallies.step_outliers)->lag, 4);
            sb_tallies_close(&tallies);
        }
}
