/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every instruction set of this machine bets in the same way: the same wealths, bit for bit, and the same counts, which
 * are also those of a plain sum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "property/random_decks.h"
#include "tally/bettor_wide.h"

#include <math.h>
#include <string.h>

enum { KEYS = SB_BETTOR_MOST + 1, DECKS = 40, WEALTHS = SB_BETTOR_PAIR * SB_BETTOR_PSEUDO };

/* Counts before the decks; some of them are near the largest possible sum, 65,535 for each row. */
static uint16_t start[SB_BETTOR_PAIR][KEYS][SB_BETTOR_MOST] __attribute__((aligned(64)));
static uint16_t count[SB_BETTOR_PAIR][KEYS][SB_BETTOR_MOST] __attribute__((aligned(64)));

static void begin(size_t n)
{
    memset(start, 0, sizeof start);
    for (size_t k = 0; k < SB_BETTOR_PAIR; k++)
        for (size_t key = 0; key < KEYS; key++)
            for (size_t l = 0; l < n; l++)
                start[k][key][l] = (uint16_t)(l == key % n && key % 5 == 0 ? 60000 : random_below(60));
}

/* Bets on DECKS decks, which `seed` determines. If `plain`, checks wealth 0 against the formula. */
static void bet(size_t n, sb_bettor_play *play, uint64_t seed, bool plain, double part[], int64_t power[])
{
    static double inverse[SB_BETTOR_MOST];
    static struct sb_bettor_deck deck;
    uint16_t *row[SB_BETTOR_PAIR][SB_BETTOR_MOST];
    sb_item item[SB_BETTOR_MOST];
    double ln_wealth = 0;

    random_state = seed;
    memcpy(count, start, sizeof count);
    memset(inverse, 0, sizeof inverse);
    for (size_t i = 0; i < WEALTHS; i++) {
        part[i] = 0.5;
        power[i] = 1;
    }
    for (size_t i = 0; i < n; i++)
        inverse[i] = 1 / (double)(n - i);
    for (size_t d = 0; d < DECKS; d++) {
        memset(&deck, 0, sizeof deck);
        deck.n = n;
        deck.width = n % 2 ? (n + 7) / 8 * 8 : (n + 31) / 32 * 32;
        deck.inverse = inverse;
        random_deck(n, item);
        for (size_t i = 0; i < n; i++) {
            deck.label[i] = (uint16_t)item[i];
            deck.turn[item[i]] = (int16_t)i;
        }
        for (size_t k = 0; k < SB_BETTOR_PAIR; k++) {
            random_deck(n, item);
            for (size_t i = 0; i < n; i++)
                row[k][i] = count[k][item[i]];
            deck.row[k] = row[k];
        }
        for (size_t i = 0; plain && i < n; i++) {
            double sum = 0;

            for (size_t j = i; j < n; j++)
                sum += deck.row[0][i][deck.label[j]] + sb_bettor_pseudo[0];
            ln_wealth += log((deck.row[0][i][deck.label[i]] + sb_bettor_pseudo[0]) * (double)(n - i) / sum);
        }
        play(&deck, part, power);
    }
    if (plain)
        assert_true(fabs(log(part[0]) + log(2) * (double)power[0] - ln_wealth) <
                    1e-9 * (1 + fabs(ln_wealth)));
}

static void instruction_sets_agree(void **unused)
{
    static uint16_t counted[SB_BETTOR_PAIR][KEYS][SB_BETTOR_MOST];

    (void)unused;
    for (size_t n = 2; n <= SB_BETTOR_MOST; n += n < 70 ? 1 : 7) {
        double part[WEALTHS], other_part[WEALTHS];
        int64_t power[WEALTHS], other_power[WEALTHS];

        begin(n);
        bet(n, sb_bettor_play_get(0), n, true, part, power);
        memcpy(counted, count, sizeof counted);
        for (size_t i = 1; sb_bettor_play_get(i); i++) {
            bet(n, sb_bettor_play_get(i), n, false, other_part, other_power);
            assert_memory_equal(part, other_part, sizeof part);
            assert_memory_equal(power, other_power, sizeof power);
            assert_memory_equal(counted, count, sizeof counted);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(instruction_sets_agree) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
