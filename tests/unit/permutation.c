/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks against a recursive enumeration in lexicographic order; numbers of deals, validity, notation. */
#include "unit/test.h"

#include "core/core.h"

#include <string.h>

/* Visits the deals of k out of n in lexicographic order, by trying every item not yet used at each position.
 */
struct walk {
    size_t n, k;
    sb_item a[8];
    uint64_t visited;
};

static void walk_visit(struct walk *walk)
{
    sb_item again[8] = { 0 };

    assert_int_equal(sb_permutation_rank(walk->n, walk->k, walk->a), walk->visited);
    sb_permutation_unrank(walk->n, walk->k, walk->visited, again);
    assert_memory_equal(again, walk->a, walk->k * sizeof again[0]);
    walk->visited++;
}

static void walk_from(struct walk *walk, size_t position, unsigned used)
{
    if (position == walk->k) {
        walk_visit(walk);
        return;
    }
    for (size_t item = 0; item < walk->n; item++)
        if (!(used >> item & 1)) {
            walk->a[position] = (sb_item)item;
            walk_from(walk, position + 1, used | 1U << item);
        }
}

TEST(test_rank_and_unrank_follow_the_lexicographic_order)
{
    for (size_t n = 0; n <= 7; n++)
        for (size_t k = 0; k <= n; k++) {
            struct walk walk = { .n = n, .k = k };

            walk_from(&walk, 0, 0);
            assert_int_equal(sb_deals(n, k), walk.visited);
            assert_int_equal(sb_cells(n, k), walk.visited);
        }
}

/* Up to 16 items, ranks below 2^28 are divided by a multiplication, larger ranks by a division. */
TEST(test_unrank_undoes_rank_on_both_sides_of_2_to_the_28)
{
    for (size_t n = 12; n <= 16; n++)
        for (uint64_t rank = 0; rank < UINT64_C(1) << 29; rank += rank % 2 ? 1 : (1 << 17) - 3) {
            const uint64_t asked = rank % sb_deals(n, n);
            sb_item a[16];

            sb_permutation_unrank(n, n, asked, a);
            assert_true(sb_permutation_valid(n, n, a));
            assert_true(sb_permutation_rank(n, n, a) == asked);
        }
}

TEST(test_rank_of_large_decks)
{
    sb_item a[20], b[20];

    for (sb_item i = 0; i < 20; i++)
        a[i] = (sb_item)(19 - i);
    assert_true(sb_permutation_rank(20, 20, a) == UINT64_C(2432902008176640000) - 1); /* the last of 20! */
    sb_permutation_unrank(20, 20, UINT64_C(2432902008176640000) - 1, b);
    assert_memory_equal(a, b, sizeof a);

    /* the last deal of 3 out of 65535 is 65534 65533 65532 */
    a[0] = 65534, a[1] = 65533, a[2] = 65532;
    assert_true(sb_permutation_rank(65535, 3, a) == UINT64_C(65535) * 65534 * 65533 - 1);
}

TEST(test_number_of_deals)
{
    assert_true(sb_deals(0, 0) == 1);
    assert_true(sb_deals(52, 5) == 311875200); /* 5 cards of 52 in order: 52 51 50 49 48 */
    assert_true(sb_deals(20, 20) == UINT64_C(2432902008176640000));
    assert_true(sb_deals(21, 21) == UINT64_MAX); /* 21! = 5.1e19, 2^64 = 1.8e19 */
    assert_true(sb_deals(65535, 65535) == UINT64_MAX);
    assert_true(sb_deals(65535, 4) == UINT64_C(18443929474263023640)); /* 65535 65534 65533 65532 */
    assert_true(sb_deals(65535, 5) == UINT64_MAX);
}

TEST(test_number_of_cells_is_limited)
{
    assert_int_equal(sb_cells(10, 10), 3628800);
    assert_int_equal(sb_cells(11, 11), 0);
    assert_int_equal(sb_cells(11, 6), 332640); /* 11 10 9 8 7 6 */
    assert_int_equal(sb_cells(52, 4), 0);      /* 6497400 */
    assert_int_equal(sb_cells(65535, 1), 65535);
    assert_int_equal(sb_cells(65535, 65535), 0);
}

TEST(test_validity)
{
    static sb_item all[SB_ITEMS_MOST];
    const sb_item fair[] = { 1, 2, 0 }, twice[] = { 1, 2, 1 }, beyond[] = { 1, 3, 0 };

    assert_true(sb_permutation_valid(3, 3, fair));
    assert_true(sb_permutation_valid(0, 0, fair));
    assert_false(sb_permutation_valid(3, 3, twice));
    assert_true(sb_permutation_valid(3, 2, twice)); /* as a deal of two */
    assert_false(sb_permutation_valid(3, 3, beyond));
    assert_true(sb_permutation_valid(4, 3, beyond));
    for (size_t i = 0; i < SB_ITEMS_MOST; i++)
        all[i] = (sb_item)(SB_ITEMS_MOST - 1 - i);
    assert_true(sb_permutation_valid(SB_ITEMS_MOST, SB_ITEMS_MOST, all));
    all[0] = all[SB_ITEMS_MOST - 1];
    assert_false(sb_permutation_valid(SB_ITEMS_MOST, SB_ITEMS_MOST, all));
}

TEST(test_notation_is_from_one)
{
    const sb_item three[] = { 1, 2, 0 }, ten[] = { 9, 1, 0 };
    char text[SB_NOTATION_ROOM];

    assert_string_equal(sb_permutation_notation(3, 3, three, text, sizeof text), "231");
    assert_string_equal(sb_permutation_notation(9, 2, three, text, sizeof text), "23");
    assert_string_equal(sb_permutation_notation(10, 3, ten, text, sizeof text), "10.2.1");
    assert_string_equal(sb_permutation_notation(0, 0, three, text, sizeof text), "");
}

/* Whatever the room, the text fits it, and what does not fit ends in three dots. */
TEST(test_notation_is_cut_where_there_is_no_room)
{
    const sb_item a[] = { 65534, 1, 65533, 2 };
    const char whole[] = "65535.2.65534.3";

    for (size_t room = 4; room <= sizeof whole + 3; room++) {
        char text[32];
        size_t length;

        memset(text, '#', sizeof text);
        sb_permutation_notation(65535, 4, a, text, room);
        length = strlen(text);
        assert_true(length < room);
        for (size_t i = room; i < sizeof text; i++)
            assert_int_equal(text[i], '#');
        if (strcmp(text, whole) != 0) {
            assert_true(length >= 3);
            assert_string_equal(text + length - 3, "...");
            assert_memory_equal(text, whole, length - 3);
            assert_true(room < sizeof whole);
        }
    }
}
