/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of decks that come again: the mean of E over all sequences of three decks of three items, and of two of four;
 * predictions and the longest run against a search through all earlier decks; a memory that forgets. */
#include "unit/test.h"

#include "core/core.h"
#include "statistic/statistic.h"
#include "tally/order.h"
#include "tally/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PREFIX_MOST = 64, STREAM = 1000, LONG = 100000 };

static uint64_t state = 1;

static uint64_t draw(uint64_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % below;
}

/* E of decks with these ranks. */
static double e_of(size_t n, const uint64_t rank[], size_t count)
{
    static const struct sb_statistic_type *const types[] = { &sb_statistic_position };
    struct sb_tallies tallies;
    struct sb_error error;
    double e;

    assert_int_equal(sb_tallies_open(NULL, n, n, types, 1, SB_TALLIES_REPLAY, &error, &tallies), SB_OK);
    for (size_t t = 0; t < count; t++) {
        sb_item deck[4];

        sb_permutation_unrank(n, n, rank[t], deck);
        sb_tallies_add(&tallies, deck, 1);
    }
    sb_tallies_read(&tallies);
    e = exp(*tallies.tally[tallies.count - 1].ln_e);
    sb_tallies_close(&tallies);
    return e;
}

/* Takes the mean over all sequences of `decks` decks after some that begin again, up to `again` decks in a row. */
static void mean_is_1(size_t n, uint64_t orders, size_t decks, size_t again, size_t then)
{
    uint64_t rank[PREFIX_MOST];
    size_t count = 0, sequences = 1;
    double sum = 0;

    while (count < 20)
        rank[count++] = draw(orders);
    for (size_t i = 0; i < again; i++, count++)
        rank[count] = rank[i];
    for (size_t i = 0; i < then; i++)
        rank[count++] = draw(orders);
    for (size_t i = 0; i < decks; i++)
        sequences *= orders;
    const double before = e_of(n, rank, count);

    for (size_t s = 0; s < sequences; s++) {
        size_t rest = s;

        for (size_t i = 0; i < decks; i++, rest /= orders)
            rank[count + i] = rest % orders;
        sum += e_of(n, rank, count + decks);
    }
    const double mean = sum / (double)sequences / before;

    assert_true(mean <= 1 + 1e-13 && mean > 1 - 1e-12);
    if (again == 12 && n == 3) /* two hits, of which each multiplies a stake by 7/2 */
        assert_true(before > 1 + 0.2 * (3.5 * 3.5 - 1) * 0.1 / 11);
}

TEST(the_mean_of_e_is_1)
{
    for (size_t again = 10; again <= 13; again++)
        for (size_t then = 0; then < 2; then++)
            mean_is_1(3, 6, 3, again, then);
    for (size_t again = 6; again <= 8; again++)
        mean_is_1(4, 24, 2, again, 0);
}

/* The place after the latest m decks in a row that equal the last m decks; 0: none. */
static size_t latest(const struct sb_deck_key key[], size_t count, size_t m)
{
    for (size_t at = count - 1; count >= m && at >= m; at--) {
        size_t i = 1;

        while (i <= m && key[at - i].high == key[count - i].high)
            i++;
        if (i > m)
            return at;
    }
    return 0;
}

/* Few decks, with runs that are copied. */
static void fill(struct sb_deck_key key[], size_t count, uint64_t decks)
{
    for (size_t t = 0; t < count; t++)
        key[t] = (struct sb_deck_key) { .high = draw(decks) * UINT64_C(0x123456789abcdef1) };
    for (size_t copies = 0; copies < count / 60; copies++) {
        const size_t length = 1 + (size_t)draw(30), most = count - length;
        const size_t from = (size_t)draw(most), to = (size_t)draw(most);

        memmove(key + to, key + from, length * sizeof key[0]);
    }
}

/* Returns how often the table had lost a place. */
static size_t predicts_as_a_search(uint64_t decks, size_t m)
{
    static struct sb_deck_key key[STREAM];
    /* the context is the least m with exp(m ln_decks) >= 2^24 */
    struct sb_replay *const replay = sb_replay_new(24 * log(2) / (double)m + 1e-9);
    struct sb_replay_run most = { 0 };
    size_t next = 0, length = 0, lost = 0;

    assert_non_null(replay);
    fill(key, STREAM, decks);
    for (size_t t = 0; t < STREAM; t++) {
        enum sb_replay_bet bet;

        sb_replay_add(replay, key + t, 1, &bet);
        lost += next && bet == SB_REPLAY_NONE;
        next = bet == SB_REPLAY_NONE ? 0 : next;
        const bool hit = next && key[next].high == key[t].high;

        assert_int_equal(bet, hit ? SB_REPLAY_HIT : next ? SB_REPLAY_MISS : SB_REPLAY_NONE);
        length = hit ? length + 1 : m;
        next = hit ? next + 1 : latest(key, t + 1, m);
        if (next && length > most.length)
            most = (struct sb_replay_run) { next - length + 1, t + 2 - length, length };
    }
    const struct sb_replay_run found = sb_replay_longest(replay, 100);

    assert_true(lost || found.length >= most.length);
    for (size_t i = 0; i < found.length; i++)
        assert_true(key[found.first - 1 + i].high == key[found.again - 1 + i].high);
    assert_true(found.first < found.again);
    assert_int_equal(sb_replay_longest(replay, 1e-3).length, 0);
    sb_replay_forget(replay);
    assert_int_equal(sb_replay_longest(replay, 100).length, 0);
    sb_replay_free(replay);
    return lost;
}

TEST(predictions_are_those_of_a_search)
{
    size_t lost = 0;

    for (size_t m = 1; m <= 5; m++)
        for (uint64_t decks = 2; decks <= 200; decks *= 3)
            lost += predicts_as_a_search(decks, m);
    assert_true(lost < 30); /* about one of 2^20 / STREAM, and what follows it */
}

/* Decks that come together have the bets of single ones, also where runs begin again after about 2^16 decks, of which
 * the memory lacks the oldest. */
TEST(together_or_one_by_one)
{
    enum { FAR = 1 << 16, FIRST = FAR + 4096 };
    struct sb_deck_key *const key = calloc(LONG, sizeof *key);
    struct sb_replay *const one = sb_replay_new(8.4), *const many = sb_replay_new(8.4); /* two decks */
    size_t hits = 0, near = 0;

    assert_true(key && one && many);
    for (size_t t = 0; t < LONG; t++) {
        const size_t apart = FAR - 300 + t / 8 % 400;

        key[t] = t > FIRST && t % 8 < 6 ? key[t - apart] : (struct sb_deck_key) { .high = draw(4447) << 20 };
        near += t > FIRST && t % 8 < 4 && apart < FAR - 150;
    }
    for (size_t t = 0, together; t < LONG; t += together) {
        enum sb_replay_bet bets[SB_REPLAY_TOGETHER], bet;

        together = 1 + (size_t)draw(SB_REPLAY_TOGETHER);
        together = together < LONG - t ? together : LONG - t;
        sb_replay_add(many, key + t, together, bets);
        for (size_t i = 0; i < together; i++) {
            sb_replay_add(one, key + t + i, 1, &bet);
            assert_int_equal(bet, bets[i]);
            hits += bet == SB_REPLAY_HIT;
        }
    }
    /* a place in the table is lost to another run with probability 1 - 1/e, and four of six decks are predicted */
    assert_true(hits > near / 4 && hits < near);
    sb_replay_free(one);
    sb_replay_free(many);
    free(key);
}
