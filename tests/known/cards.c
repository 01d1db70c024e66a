/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statistics of playing cards against published counts (data/vectors/cards.txt), and against all hands. */
#include "unit/test.h"

#include "statistic/statistic.h"
#include "unit/vectors.h"

#include <math.h>
#include <string.h>

enum { CARDS = 52, CLASSES = 9 };

static const struct sb_statistic_type *find(const char *name)
{
    const struct sb_statistic_type *const type = sb_statistic_find(name);

    assert_non_null(type);
    return type;
}

/* A deck that begins with these cards; the others follow in their order. */
static void stack(const sb_item top[], size_t count, sb_item deck[CARDS])
{
    bool used[CARDS] = { false };
    size_t at = 0;

    for (; at < count; at++) {
        deck[at] = top[at];
        used[top[at]] = true;
    }
    for (sb_item card = 0; card < CARDS; card++)
        if (!used[card])
            deck[at++] = card;
}

/* Counts all C(52,5) hands; the null law must be the same. */
static void compute_poker_hands(const struct vector *v, struct vector_field got[])
{
    const struct sb_statistic_type *const poker = find("poker");
    uint32_t count[CLASSES] = { 0 }, cell;
    double ln_p[CLASSES];
    sb_item a[5];

    assert_int_equal(sb_statistic_cells(poker, NULL, CARDS, 5), CLASSES);
    assert_int_equal(sb_statistic_null_law(poker, NULL, CARDS, 5, ln_p), SB_OK);
    for (a[0] = 0; a[0] < CARDS; a[0]++)
        for (a[1] = 0; a[1] < a[0]; a[1]++)
            for (a[2] = 0; a[2] < a[1]; a[2]++)
                for (a[3] = 0; a[3] < a[2]; a[3]++)
                    for (a[4] = 0; a[4] < a[3]; a[4]++) {
                        poker->classify(CARDS, 5, a, &cell);
                        count[cell]++;
                    }
    for (size_t i = 0; i < CLASSES; i++) {
        got[i].whole = count[i];
        assert_true(fabs(exp(ln_p[i]) * 2598960 / count[i] - 1) < 1e-14);
    }
}

/* Pascal's triangle in whole numbers. */
static uint64_t choose(size_t n, size_t k)
{
    uint64_t row[CARDS + 1] = { 1 };

    for (size_t i = 1; i <= n; i++)
        for (size_t j = i; j > 0; j--)
            row[j] += row[j - 1];
    return row[k];
}

static void compute_bridge_hands(const struct vector *v, struct vector_field got[])
{
    got[0].whole = choose(52, 13);
}

static void compute_suit_length(const struct vector *v, struct vector_field got[])
{
    double ln_p[14];

    assert_true(v->in[0].whole < 14);
    assert_int_equal(sb_statistic_null_law(find("suit-length"), NULL, CARDS, CARDS, ln_p), SB_OK);
    got[0].real = exp(ln_p[v->in[0].whole]);
}

TEST(known_vectors)
{
    static const struct vector_kind kinds[] = {
        { "poker-hands", .in = "", .out = "nnnnnnnnn", .least = 1, .compute = compute_poker_hands },
        { "bridge-hands", .in = "", .out = "n", .least = 1, .compute = compute_bridge_hands },
        { "suit-length", .in = "n", .out = "r", .absolute = 5e-5, .least = 1, .compute = compute_suit_length },
        { .name = NULL },
    };

    vectors_check("cards.txt", kinds);
}

/* One hand of each class, and the straights at both ends; 13 cards to a suit, from the ace. */
TEST(hands_by_name)
{
    static const struct {
        sb_item hand[5];
        const char *name;
    } expected[] = {
        { { 9, 12, 10, 0, 11 }, "straight flush" },
        { { 0, 1, 2, 3, 4 }, "straight flush" },
        { { 0, 13, 26, 39, 5 }, "four of a kind" },
        { { 3, 16, 29, 8, 21 }, "full house" },
        { { 0, 2, 4, 6, 9 }, "flush" },
        { { 0, 14, 2, 3, 4 }, "straight" },
        { { 22, 10, 11, 12, 0 }, "straight" },
        { { 12, 13, 1, 2, 3 }, "high card" },
        { { 5, 18, 31, 0, 1 }, "three of a kind" },
        { { 5, 18, 0, 13, 1 }, "two pairs" },
        { { 5, 18, 0, 1, 2 }, "pair" },
    };
    const struct sb_statistic_type *const poker = find("poker");

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        char label[SB_LABEL_ROOM];
        sb_item deck[CARDS];
        uint32_t cell;

        stack(expected[i].hand, 5, deck);
        poker->classify(CARDS, CARDS, deck, &cell);
        assert_string_equal(sb_statistic_label(poker, NULL, CARDS, CARDS, 0, cell, label), expected[i].name);
    }
}

/* C(13,c) C(39,13-c)/C(52,13). */
TEST(suit_lengths)
{
    const struct sb_statistic_type *const lengths = find("suit-length");
    double ln_p[14];

    assert_int_equal(sb_statistic_cells(lengths, NULL, CARDS, CARDS), 14);
    assert_int_equal(sb_statistic_members(lengths, NULL, CARDS, CARDS), 4);
    assert_int_equal(sb_statistic_cells(lengths, NULL, CARDS, 12), 0);
    assert_int_equal(sb_statistic_null_law(lengths, NULL, CARDS, CARDS, ln_p), SB_OK);
    for (size_t c = 0; c <= 13; c++) {
        const double p = (double)choose(13, c) * (double)choose(39, 13 - c) / (double)choose(52, 13);

        assert_true(fabs(exp(ln_p[c]) / p - 1) < 1e-13);
    }
}

/* A deck by hand: the king of the second suit on top of an otherwise new deck. */
TEST(places)
{
    const sb_item top = 25;
    uint32_t suit[CARDS], rank[CARDS], length[4];
    sb_item deck[CARDS];
    char label[SB_LABEL_ROOM];

    stack(&top, 1, deck);
    find("suit-at")->classify(CARDS, CARDS, deck, suit);
    find("rank-at")->classify(CARDS, CARDS, deck, rank);
    find("suit-length")->classify(CARDS, CARDS, deck, length);
    assert_int_equal(suit[0], 1);
    assert_int_equal(rank[0], 12);
    assert_string_equal(sb_statistic_label(find("rank-at"), NULL, CARDS, CARDS, 0, 12, label), "king");
    assert_string_equal(sb_statistic_label(find("suit-at"), NULL, CARDS, CARDS, 0, 1, label), "suit 2");
    assert_int_equal(suit[1], 0);
    assert_int_equal(rank[1], 0);
    assert_int_equal(suit[51], 3);
    assert_memory_equal(length, ((uint32_t[]) { 12, 1, 0, 0 }), sizeof length);
}

/* They are in play only where the profile is asked for, and of 52 cards. */
TEST(in_play)
{
    static const char *const name[] = { "suit-at", "rank-at", "poker", "suit-length" };

    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        assert_false(sb_statistic_joins(find(name[i]), CARDS, CARDS));
        assert_false(sb_statistic_joins_profile(find(name[i]), NULL, CARDS, CARDS));
        assert_true(sb_statistic_joins_profile(find(name[i]), "cards", CARDS, CARDS));
        assert_false(sb_statistic_joins_profile(find(name[i]), "cards", CARDS - 1, CARDS - 1));
    }
    assert_false(sb_statistic_joins_profile(find("cycles"), "cards", CARDS, CARDS));
    assert_int_equal(sb_statistic_profile_check(NULL, NULL, 3, NULL), SB_OK);
    assert_int_equal(sb_statistic_profile_check("cards", NULL, CARDS, NULL), SB_OK);
    assert_int_equal(sb_statistic_profile_check("cards", NULL, 51, NULL), SB_INVALID);
    assert_int_equal(sb_statistic_profile_check("dice", NULL, CARDS, NULL), SB_INVALID);
}
