/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whole decks that come up again: which are remembered, and what is to be thought of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/repeat.h"
#include "fit/birthday.h"

#include <math.h>
#include <string.h>

enum { DECKS = 3000, ITEMS = 25 };

/* Knuth's 64-bit linear congruential generator, for decks of no importance. */
static uint32_t word(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* One of so many decks. */
static void deal(uint64_t which, size_t n, sb_item a[])
{
    uint64_t state = which;

    for (size_t i = 0; i < n; i++) {
        const size_t j = word(&state) % (i + 1);

        a[i] = a[j];
        a[j] = (sb_item)i;
    }
}

/* The set against all pairs, at a size whose ranks fit 64 bits and at one whose do not. */
static void decks_are_remembered(void **state)
{
    static sb_item deck[DECKS][ITEMS];

    (void)state;
    for (size_t n = 5; n <= ITEMS; n += 10) {
        struct sb_repeat *const repeat = sb_repeat_new(n, n);
        uint64_t random = 7, kept = 0;

        assert_non_null(repeat);
        for (size_t t = 0; t < DECKS; t++) {
            bool before = false;

            deal(word(&random) % 2000, n, deck[t]);
            for (size_t s = 0; s < t && !before; s++)
                before = memcmp(deck[s], deck[t], n * sizeof deck[t][0]) == 0;
            assert_int_equal(sb_repeat_see(repeat, deck[t]), before);
            kept += !before;
            assert_int_equal(sb_repeat_kept(repeat), kept);
        }
        sb_repeat_free(repeat);
    }
    sb_repeat_free(NULL);
}

/* Under a fair shuffle the mean of E over all series of decks is 1: here of five decks out of seven. */
static void mean_is_one(void **state)
{
    enum { KINDS = 7, LENGTH = 5 };
    double mean = 0;
    size_t series = 1;

    (void)state;
    for (size_t i = 0; i < LENGTH; i++)
        series *= KINDS;
    for (size_t code = 0; code < series; code++) {
        struct sb_birthday birthday = { .ln_pair = -log(KINDS) };
        bool seen[KINDS] = { false };
        uint64_t known = 0;
        size_t left = code;

        for (size_t i = 0; i < LENGTH; i++, left /= KINDS) {
            const size_t kind = left % KINDS;

            sb_birthday_step(&birthday, known, seen[kind]);
            known += !seen[kind];
            seen[kind] = true;
        }
        mean += exp(sb_birthday_ln_e(&birthday)) / (double)series;
    }
    assert_true(fabs(mean - 1) < 1e-12);
}

/* The likelihood ratios by their definition: new, new, again, new of 52! decks. */
static void likelihood_ratios(void **state)
{
    const double ln_deals = lgamma(53), m[] = { 0x1p16, 0x1p31, 0x1p32, 0x1p48 };
    struct sb_birthday birthday = { .ln_pair = -ln_deals };
    long double sum = 0;

    (void)state;
    assert_true(fabs(sb_birthday_ln_e(&birthday)) < 1e-15);
    sb_birthday_step(&birthday, 0, false);
    sb_birthday_step(&birthday, 1, false);
    sb_birthday_step(&birthday, 2, true);
    sb_birthday_step(&birthday, 2, false);
    for (int i = 0; i < 4; i++)
        sum += (1 - 1 / (long double)m[i]) * (2 / (long double)m[i]) * (1 - 2 / (long double)m[i]) / 4;
    assert_true(fabs(sb_birthday_ln_e(&birthday) - ((double)logl(sum) + ln_deals - log(2))) < 1e-11);
    assert_int_equal(birthday.decks, 4);
    assert_int_equal(birthday.repeats, 1);
}

/* More decks than there are in an alternative: E falls without ever being NaN, and comes back. */
static void alternatives_that_are_used_up(void **state)
{
    struct sb_birthday birthday = { .ln_pair = -lgamma(53) };

    (void)state;
    for (uint64_t d = 0; d < 200000; d++)
        sb_birthday_step(&birthday, d, false);
    assert_true(sb_birthday_ln_e(&birthday) < 0 && sb_birthday_ln_e(&birthday) > -2);
    sb_birthday_step(&birthday, 200000, true);
    assert_true(sb_birthday_ln_e(&birthday) > 100);
}

/* P(R >= r) of a Poisson variable by its terms; and the birthday problem: 23 people, 365 days, by 1 minus
 * the probability of none, exp(-253/365). */
static void poisson_tail(void **state)
{
    const struct sb_birthday people = { .ln_pair = -log(365), .decks = 23, .repeats = 1 };
    const struct sb_birthday three = { .ln_pair = -log(1e6), .decks = 1000, .repeats = 3 };
    const struct sb_birthday none = { .ln_pair = -log(1e6), .decks = 1000, .repeats = 0 };
    const double mean = 999 * 0.5e-3;

    (void)state;
    assert_true(fabs(exp(sb_birthday_ln_p(&people)) + expm1(-253.0 / 365)) < 1e-12);
    assert_true(fabs(exp(sb_birthday_ln_p(&three)) - (1 - exp(-mean) * (1 + mean + mean * mean / 2))) <
                1e-12);
    assert_true(sb_birthday_ln_p(&none) == 0);
}

/* The probability of a pair is 1/n! where decks are told apart by their ranks, and never below it. */
static void pairs(void **state)
{
    (void)state;
    assert_true(fabs(sb_repeat_ln_pair(10, 10) + log(3628800)) < 1e-12);
    assert_true(fabs(sb_repeat_ln_pair(52, 2) + log(52 * 51)) < 1e-12);
    assert_true(sb_repeat_ln_pair(52, 52) > -lgamma(53));
    assert_true(sb_repeat_ln_pair(52, 52) < -70);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decks_are_remembered), cmocka_unit_test(mean_is_one),
        cmocka_unit_test(likelihood_ratios),    cmocka_unit_test(alternatives_that_are_used_up),
        cmocka_unit_test(poisson_tail),         cmocka_unit_test(pairs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
