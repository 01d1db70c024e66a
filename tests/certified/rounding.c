/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rounding never helps to fail a shuffle: the E of repeats and of a bettor, less the rounding error that the
 * program takes off, is at most the true E of the same random series. */
#include "certified/exact_e.h"

#include "fit/fit.h"
#include "tally/order.h"

#include <math.h>
#include <string.h>

static struct claim claim_repeats = { "sb_birthday_ln_e_error", .absolute = 1 }; /* times the program's own bound */
static struct claim claim_bettor = { "sb_bettor_error", .absolute = 1 };         /* times the program's own bound */

static struct claim claim_rounds = { "sb_bettor_error, rounds", .absolute = 1 };

/* Checks |got - truth| <= error. */
static void check_error(struct claim *claim, double got, double error, const arb_t truth, const double x[4])
{
    ARBS(share, by);

    arb_set_d(by, got);
    arb_sub(share, truth, by, 256);
    arb_set_d(by, error);
    arb_div(share, share, by, 256);
    certify_enclosed(claim, 0, share, x);
}

/* A series of decks from a generator with a few thousand to 2^40 seeds, one in ten of them compared with
 * fewer decks. */
static void repeats_of_series(uint64_t seed)
{
    static const double decks[SB_BIRTHDAY_ALTERNATIVES] = { 0x1p16, 0x1p31, 0x1p32, 0x1p48, 0.1, 0.01, 0.001 };
    const double cards = 8 + (double)random_below(&seed, 45), seeds = random_scale(&seed, 1e3, 0x1p40);
    struct sb_birthday birthday = { .ln_pair = -lgamma(cards + 1) };
    arb_t ratio[SB_BIRTHDAY_ALTERNATIVES], each, sum;
    uint64_t known = 0;

    arb_init(each);
    arb_init(sum);
    arb_set_d(each, birthday.ln_pair);
    arb_exp(each, each, 256);
    for (size_t i = 0; i < SB_BIRTHDAY_ALTERNATIVES; i++) {
        arb_init(ratio[i]);
        arb_one(ratio[i]);
    }
    for (size_t t = 0; t < 6000; t++) {
        const bool again = random_share(&seed) * seeds < (double)known;

        sb_birthday_step(&birthday, known, again);
        for (size_t i = 0; i < SB_BIRTHDAY_ALTERNATIVES && known; i++)
            exact_repeat(decks[i], each, (double)known, again, ratio[i]);
        known += !again;
    }
    for (size_t i = 0; i < SB_BIRTHDAY_ALTERNATIVES; i++) {
        arb_add(sum, sum, ratio[i], 256);
        arb_clear(ratio[i]);
    }
    arb_div_ui(sum, sum, SB_BIRTHDAY_ALTERNATIVES, 256);
    arb_log(sum, sum, 256);
    check_error(&claim_repeats, sb_birthday_ln_e(&birthday), sb_birthday_ln_e_error(&birthday), sum,
                (const double[4]) { cards, seeds, (double)birthday.repeats, sb_birthday_ln_e(&birthday) });
    arb_clear(sum);
    arb_clear(each);
}

TEST(repeats)
{
    for (uint64_t seed = 1; seed <= certify_cases(12); seed++)
        repeats_of_series(seed);
}

enum { ITEMS = SB_BETTOR_MOST };

static uint16_t rows[SB_BETTOR_PAIR][ITEMS][ITEMS];

/* Multiplies wealth[] by the factors m (N + a)/(sum over the cards left of (N + a)) of one deck in one
 * context. */
static void exact_deck(const struct sb_bettor_deck *deck, size_t k, arb_t wealth[SB_BETTOR_PSEUDO])
{
    ARBS(factor);

    for (size_t i = 0; i < deck->n; i++) {
        const uint16_t *const row = deck->row[k][i];
        uint64_t sum = 0;

        for (size_t label = 0; label < deck->n; label++)
            sum += deck->turn[label] >= (int16_t)i ? row[label] : 0;
        for (size_t a = 0; a < SB_BETTOR_PSEUDO; a++) {
            const uint64_t pseudo = (uint64_t)sb_bettor_pseudo[a], left = deck->n - i;

            arb_set_ui(factor, (ulong)(left * (row[deck->label[i]] + pseudo)));
            arb_div_ui(factor, factor, (ulong)(sum + left * pseudo), 256);
            arb_mul(wealth[a], wealth[a], factor, 256);
        }
    }
}

/* A series of decks in one pair of contexts: card i of each deck has the key i. Fair decks, or decks that
 * come one of two ways. */
static void bets_on_series(size_t n, size_t decks, bool fair, uint64_t seed)
{
    struct sb_bettor_wealth wealth = { .decks = decks };
    double inverse[ITEMS + 4] = { 0 }, ln_wealth[SB_BETTOR_WEALTHS];
    static struct sb_bettor_deck deck;
    arb_t exact[SB_BETTOR_PAIR][SB_BETTOR_PSEUDO], ln;
    size_t best;

    arb_init(ln);
    memset(rows, 0, sizeof rows);
    sb_bettor_stakes(&wealth);
    deck = (struct sb_bettor_deck) { .n = n, .width = (n + 15) / 16 * 16, .inverse = inverse };
    for (size_t k = 0; k < SB_BETTOR_PAIR; k++) {
        for (size_t i = 0; i < n; i++)
            deck.row[k][i] = rows[k][i];
        for (size_t a = 0; a < SB_BETTOR_PSEUDO; a++) {
            arb_init(exact[k][a]);
            arb_one(exact[k][a]);
        }
    }
    for (size_t i = 0; i < n; i++)
        inverse[i] = 1 / (double)(n - i);
    for (size_t t = 0; t < decks; t++) {
        for (size_t i = 0; i < n; i++)
            deck.label[i] = (uint16_t)i;
        for (size_t i = fair || t % 2 ? n : 0; i-- > 1;) {
            const size_t j = random_below(&seed, fair ? i + 1 : 2);
            const uint16_t held = deck.label[i];

            deck.label[i] = deck.label[j];
            deck.label[j] = held;
        }
        for (size_t i = 0; i < n; i++)
            deck.turn[deck.label[i]] = (int16_t)i;
        for (size_t k = 0; k < SB_BETTOR_PAIR; k++)
            exact_deck(&deck, k, exact[k]);
        sb_bettor_play(&deck, wealth.part, wealth.power);
    }
    sb_bettor_average(&wealth, ln_wealth, &best);
    for (size_t i = 0; i < SB_BETTOR_PAIR * SB_BETTOR_PSEUDO; i++) {
        const arb_ptr wealth_i = exact[i / SB_BETTOR_PSEUDO][i % SB_BETTOR_PSEUDO];

        arb_log(ln, wealth_i, 256);
        check_error(&claim_bettor, ln_wealth[i], sb_bettor_error(&wealth, n, ln_wealth[i]), ln,
                    (const double[4]) { (double)n, (double)decks, ln_wealth[i] });
        arb_clear(wealth_i);
    }
    arb_clear(ln);
}

TEST(bets)
{
    bets_on_series(6, certify_cases(3000), true, 1);
    bets_on_series(6, certify_cases(3000), false, 2);
    bets_on_series(52, certify_cases(50), true, 3);
    bets_on_series(128, certify_cases(10), false, 4);
}

/* E of several rounds: sum over j < k of E_j/(j (j+1)) + E_k/(k (k+1)) + 1/(k+1), for random E of each round. */
TEST(rounds)
{
    uint64_t seed = 6;

    for (size_t i = 0; i < certify_cases(30); i++) {
        const size_t count = 1 + random_below(&seed, 2000);
        struct sb_bettor_wealth wealth = { .round = 1 };
        double ln_e = 0;
        ARBS(sum, term);

        for (ulong k = 1; k <= count; k++) {
            if (k > 1)
                sb_bettor_round_next(ln_e, &wealth);
            ln_e = random_scale(&seed, 1, 200) * (random_below(&seed, 4) ? -1 : 1);
            arb_set_d(term, ln_e);
            arb_exp(term, term, 256);
            arb_div_ui(term, term, k * (k + 1), 256);
            arb_add(sum, sum, term, 256);
        }
        arb_set_ui(term, count + 1);
        arb_inv(term, term, 256);
        arb_add(sum, sum, term, 256);
        arb_log(sum, sum, 256);
        const double got = sb_rounds_ln_e(wealth.round, wealth.ln_won, ln_e);

        check_error(&claim_rounds, got, sb_bettor_error(&wealth, 0, got), sum,
                    (const double[4]) { (double)count, got });
    }
}
