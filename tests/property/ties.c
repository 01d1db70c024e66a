/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Equal items that get numbers. The numbering keeps the arrangement, and all numberings are equally likely:
 * chi-square below its quantile of 1 - 1e-6. The deals, and so the numbers, are the same in each run.
 */
#include "unit/test.h"

#include "subject/parts.h"
#include "tally/order.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

enum { CARDS = 5, DEALS = 24000 };

/* A feed of the same arrangements over and over: A A B B B, dealt in one order and in another. */
struct arrangements {
    struct sb_feed feed; /* must be the first member */
    size_t given;
    size_t end; /* the number of deals, after which the feed ends */
};

static const sb_item arranged[2][CARDS] = { { 0, 1, 2, 3, 4 }, { 4, 0, 3, 1, 2 } };
static const int kind_of[CARDS] = { 0, 0, 1, 1, 1 };
static size_t freed;

static enum sb_status arrangements_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                        struct sb_error *error)
{
    struct arrangements *const self = (struct arrangements *)feed;

    *count = most > 0 && self->given < self->end;
    assert_true(most <= 1);
    *items = arranged[self->given % 2];
    self->given += *count;
    return self->end == 13 && self->given == 13 ? SB_SUBJECT : SB_OK;
}

static void arrangements_position(const struct sb_feed *feed, struct sb_log_position *position)
{
    *position = (struct sb_log_position) { .offset = ((const struct arrangements *)feed)->given };
}

static void arrangements_free(struct sb_feed *feed)
{
    freed++;
}

static struct sb_feed *open_ties(struct arrangements *inner, size_t deal, size_t given, size_t end)
{
    struct sb_feed *feed;

    *inner = (struct arrangements) {
        .feed = { .name = strdup("arrangements"), .kind = "file", .n = CARDS, .deal = deal, .next = arrangements_next,
                  .position = given ? arrangements_position : NULL, .free = arrangements_free, },
        .given = given,
        .end = end,
    };
    freed = 0;
    assert_int_equal(sb_item_names_new("A A B B B", NULL, &inner->feed.names), SB_OK);
    assert_int_equal(sb_ties_new(&inner->feed, NULL, &feed), SB_OK);
    return feed;
}

/* Deals many decks, and counts how often each item comes to each position. */
static void count_items(size_t deal, double count[CARDS][CARDS])
{
    struct arrangements inner;
    struct sb_feed *const feed = open_ties(&inner, deal, 0, DEALS);

    for (size_t d = 0; d < DEALS; d++) {
        bool seen[CARDS] = { false };

        assert_int_equal(sb_feed_next(feed, 100, NULL), SB_OK);
        assert_int_equal(feed->count, 1);
        for (size_t j = 0; j < deal; j++) {
            const sb_item item = feed->items[j];

            assert_true(item < CARDS && !seen[item]);
            seen[item] = true;
            assert_int_equal(kind_of[item], kind_of[arranged[d % 2][j]]);
            if (d % 2 == 0)
                count[item][j]++;
        }
    }
    assert_int_equal(sb_feed_next(feed, 100, NULL), SB_OK);
    assert_int_equal(feed->count, 0);
    sb_feed_free(feed);
    assert_int_equal(freed, 1);
}

/* At each position, the items of the kind that is there are equally likely. The quantiles of chi-square with 1
 * and 2 degrees of freedom are 23.93 and 27.63. The 8 tests give one false alarm in 125,000 seeds. */
static void expect_equal_shares(size_t deal)
{
    double count[CARDS][CARDS] = { { 0 } };

    count_items(deal, count);
    for (size_t j = 0; j < deal; j++) {
        const double equal = kind_of[arranged[0][j]] ? 3 : 2, share = DEALS / 2 / equal;
        double sum = 0;

        for (size_t item = 0; item < CARDS; item++)
            if (kind_of[item] == kind_of[arranged[0][j]])
                sum += (count[item][j] - share) * (count[item][j] - share) / share;
        assert_true(sum < (equal > 2 ? 27.63 : 23.93));
    }
}

TEST(equal_items_are_numbered_at_random)
{
    expect_equal_shares(5);
    expect_equal_shares(3); /* A A B: two of five items are not dealt */
}

/* The next deal's numbers are independent of this deal's: the first items of two deals are 2 x 3 equal cells,
 * since the second arrangement begins with a B. The quantile of chi-square with 5 degrees of freedom is 35.89. */
TEST(deals_are_independent)
{
    struct arrangements inner;
    struct sb_feed *const feed = open_ties(&inner, CARDS, 0, DEALS);
    double count[CARDS][CARDS] = { { 0 } }, sum = 0;

    for (size_t d = 0; d < DEALS / 2; d++) {
        assert_int_equal(sb_feed_next(feed, 1, NULL), SB_OK);
        const sb_item first = feed->items[0];

        assert_int_equal(sb_feed_next(feed, 1, NULL), SB_OK);
        count[first][feed->items[0]]++;
    }
    for (size_t a = 0; a < 2; a++)
        for (size_t b = 2; b < CARDS; b++)
            sum += (count[a][b] - DEALS / 12.0) * (count[a][b] - DEALS / 12.0) / (DEALS / 12.0);
    assert_true(sum < 35.89);
    sb_feed_free(feed);
}

/* The first deals of a feed, as digits. */
static void first_deals(size_t given, char digits[6 * CARDS + 1])
{
    struct arrangements inner;
    struct sb_feed *const feed = open_ties(&inner, CARDS, given, given + 6);

    for (size_t d = 0; d < 6; d++) {
        assert_int_equal(sb_feed_next(feed, 1, NULL), SB_OK);
        for (size_t j = 0; j < CARDS; j++)
            *digits++ = (char)('0' + feed->items[j]);
    }
    *digits = '\0';
    sb_feed_free(feed);
}

TEST(numbers_depend_on_the_deals_and_the_position_alone)
{
    char first[6 * CARDS + 1], again[6 * CARDS + 1], later[6 * CARDS + 1];

    first_deals(0, first);
    first_deals(0, again);
    assert_string_equal(first, again);
    first_deals(2, first);
    first_deals(2, again);
    assert_string_equal(first, again);
    first_deals(4, later); /* the same arrangements at another place of a log */
    assert_string_not_equal(first, later);
}

TEST(a_feed_shows_what_the_inner_feed_shows)
{
    struct arrangements inner;
    struct sb_feed *feed = open_ties(&inner, 3, 12, 13);
    struct sb_log_position position;

    assert_string_equal(feed->name, "arrangements");
    assert_string_equal(feed->kind, "file");
    assert_int_equal(feed->n, CARDS);
    assert_int_equal(feed->deal, 3);
    assert_true(sb_item_names_given(feed->names));
    feed->position(feed, &position);
    assert_int_equal(position.offset, 12);
    assert_int_equal(sb_feed_next(feed, 0, NULL), SB_OK); /* asks for no deal */
    assert_int_equal(feed->count, 0);
    assert_int_equal(sb_feed_next(feed, 1, NULL), SB_SUBJECT); /* the inner feed's error */
    sb_feed_free(feed);
    feed = open_ties(&inner, 3, 0, 1);
    assert_null(feed->position);
    sb_feed_free(feed);
}

/* ---- deck key ---- */

/* Keys of decks: the polynomial at both points by GMP; the counts of equal keys by comparing all pairs. */

static uint64_t state = 1;

static uint64_t word(void)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * UINT64_C(2685821657736338717);
}

/* SplitMix64's mixing of bits (doi:10.1145/2714064.2660195). */
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* w_1 r^m + ... + w_m r modulo 2^61 - 1, of words of three items. */
static uint64_t polynomial(size_t n, size_t k, const sb_item deal[], const char *point)
{
    const unsigned long base = n <= 65536 ? 65536 : 1048576;
    mpz_t prime, r, at, w;

    mpz_inits(prime, r, at, w, NULL);
    mpz_ui_pow_ui(prime, 2, 61);
    mpz_sub_ui(prime, prime, 1);
    mpz_set_str(r, point, 16);
    for (size_t i = 0; i < k; i += 3) {
        mpz_set_ui(w, 0);
        for (size_t j = i + 3; j-- > i;) {
            mpz_mul_ui(w, w, base);
            mpz_add_ui(w, w, j < k ? deal[j] : 0);
        }
        mpz_add(at, at, w);
        mpz_mul(at, at, r);
        mpz_mod(at, at, prime);
    }
    const uint64_t value = mpz_get_ui(at);

    mpz_clears(prime, r, at, w, NULL);
    return value;
}

TEST(polynomials_are_gmps)
{
    static const size_t sizes[][2] = {
        { 21, 21 }, { 22, 22 },   { 23, 23 },      { 24, 24 },        { 52, 52 },
        { 53, 40 }, { 300, 300 }, { 65536, 5000 }, { 1000000, 7777 },
    };

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const size_t n = sizes[i][0], k = sizes[i][1];
        sb_item *const deal = calloc(k, sizeof *deal);

        assert_non_null(deal);
        for (size_t j = 0; j < k; j++) /* a hash needs no permutation; the largest item is the hardest */
            deal[j] = (sb_item)(j % 5 ? word() % n : n - 1);
        const struct sb_deck_key key = sb_deck_key(n, k, deal);

        assert_true(key.high == mix(polynomial(n, k, deal, "1dfa0b5833e984c1")));
        assert_true(key.low == mix(polynomial(n, k, deal, "01140079b8722e9d")));
        free(deal);
    }
}

/* Keys of which some are equal, or equal in one half, or equal in their leading bits. */
TEST(equal_keys_are_counted)
{
    enum { KEYS = 8000 }; /* more than fit in one hash table */
    static struct sb_deck_key key[KEYS];

    for (unsigned kind = 0; kind < 5; kind++) {
        uint64_t distinct = 0, most = 0, found, run;

        for (size_t i = 0; i < KEYS; i++) {
            key[i] = (struct sb_deck_key) { .high = word(), .low = word() };
            if (kind == 1)
                key[i] = (struct sb_deck_key) { .high = word() % 40, .low = word() % 40 };
            if (kind == 2)
                key[i].high >>= 24;
            if (kind == 4)
                key[i].high = 1;
            if (kind == 3 && i % 2)
                key[i] = key[word() % i];
        }
        for (size_t i = 0; i < KEYS; i++) {
            uint64_t before = 0, all = 0;

            for (size_t j = 0; j < KEYS; j++)
                if (key[j].high == key[i].high && key[j].low == key[i].low) {
                    before += j < i;
                    all++;
                }
            distinct += before == 0;
            most = all > most ? all : most;
        }
        sb_deck_key_count(key, KEYS, kind % 2 + 1, &found, &run);
        assert_true(found == distinct && run == most);
    }
}
