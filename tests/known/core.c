/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks against a recursive enumeration in lexicographic order; numbers of deals, validity, notation; integers of 128
 * bits; what errors name. */
#define SB_WIDE_PORTABLE /* integers of 128 bits as two words, as where the compiler has none */
#include "unit/test.h"

#include "core/core.h"
#include "core/numbers.h"

#include <gmp.h>
#include <string.h>

/* Visits the deals of k out of n in lexicographic order, by trying every item not yet used at each
 * position. */
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

/* Whatever the room, the text fits it, and what does not fit ends in three dots. */
TEST(test_notation_is_cut_where_there_is_no_room)
{
    const sb_item a[] = { 65534, 1, 65533, 2 };
    const char whole[] = "65535.2.65534.3";

    for (size_t room = 4; room <= sizeof whole + 3; room++) {
        char text[32];
        size_t length;

        memset(text, '#', sizeof text);
        sb_item_notation(NULL, 65535, 4, a, text, room);
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

/* ---- wide ---- */

/*
 * Integers of 128 bits made of two words, against GMP.
 */

enum { WIDE_CASES = 20000 };

static uint64_t wide_state = 1;

static uint64_t wide_word(void)
{
    wide_state ^= wide_state >> 12;
    wide_state ^= wide_state << 25;
    wide_state ^= wide_state >> 27;
    return wide_state * UINT64_C(2685821657736338717);
}

/* Of all sizes, and often near a power of two, where carries are. */
static sb_wide wide_any(void)
{
    const uint64_t kind = wide_word();
    sb_wide a = sb_wide_join(wide_word(), wide_word());

    if (kind >> 8 & 1)
        a = sb_wide_subtract(sb_wide_from(kind >> 9 & 3), sb_wide_from(2));
    return sb_wide_shift(a, (unsigned)(kind % 128));
}

static void wide_import(mpz_t number, sb_wide a)
{
    const uint64_t halves[2] = { sb_wide_low(a), sb_wide_high(a) };

    mpz_import(number, 2, -1, sizeof halves[0], 0, 0, halves);
}

/* Of a number modulo 2^128. */
static void wide_expect(const mpz_t expected, sb_wide a)
{
    mpz_t own, rest;

    mpz_inits(own, rest, NULL);
    wide_import(own, a);
    mpz_fdiv_r_2exp(rest, expected, 128);
    assert_int_equal(mpz_cmp(own, rest), 0);
    mpz_clears(own, rest, NULL);
}

TEST(operations_are_gmps)
{
    mpz_t a, b, c, d;

    mpz_inits(a, b, c, d, NULL);
    for (int i = 0; i < WIDE_CASES; i++) {
        const sb_wide x = wide_any(), y = wide_any();
        const unsigned bits = (unsigned)(wide_word() % 128);
        sb_wide rest;

        wide_import(a, x);
        wide_import(b, y);
        assert_int_equal(sb_wide_below(x, y), mpz_cmp(a, b) < 0);
        assert_int_equal(sb_wide_equal(x, y), mpz_cmp(a, b) == 0);
        assert_int_equal(sb_wide_is_zero(x), mpz_sgn(a) == 0);
        mpz_add(c, a, b);
        wide_expect(c, sb_wide_add(x, y));
        mpz_sub(c, a, b);
        wide_expect(c, sb_wide_subtract(x, y));
        mpz_mul(c, a, b);
        wide_expect(c, sb_wide_multiply(x, y));
        mpz_fdiv_q_2exp(c, a, bits);
        wide_expect(c, sb_wide_shift(x, bits));
        wide_import(c, sb_wide_from(sb_wide_low(x)));
        wide_import(d, sb_wide_from(sb_wide_low(y)));
        mpz_mul(c, c, d);
        wide_expect(c, sb_wide_product(sb_wide_low(x), sb_wide_low(y)));
        if (mpz_sgn(b) == 0)
            continue;
        mpz_fdiv_qr(c, d, a, b);
        wide_expect(c, sb_wide_divide(x, y, &rest));
        wide_expect(d, rest);
    }
    mpz_clears(a, b, c, d, NULL);
}

/* The nearest of all doubles: no neighbour is nearer, and of two at the same distance it is the even one. */
TEST(a_double_is_the_nearest)
{
    mpf_t exact, off, other;

    mpf_init2(exact, 256);
    mpf_init2(off, 256);
    mpf_init2(other, 256);
    for (int i = 0; i < WIDE_CASES; i++) {
        sb_wide x = wide_any();
        mpz_t a;

        if (i % 2) /* halfway between two */
            x = sb_wide_join(wide_word() >> 11 | UINT64_C(1) << 52, i % 4 == 1 ? UINT64_C(1) << 63 : 1);
        const double nearest = sb_wide_double(x), neighbours[] = { nextafter(nearest, 0), nextafter(nearest, 1e300) };

        mpz_init(a);
        wide_import(a, x);
        mpf_set_z(exact, a);
        mpz_clear(a);
        mpf_set_d(off, nearest);
        mpf_sub(off, off, exact);
        mpf_abs(off, off);
        for (int k = 0; k < 2; k++) {
            mpf_set_d(other, neighbours[k]);
            mpf_sub(other, other, exact);
            mpf_abs(other, other);
            assert_true(mpf_cmp(off, other) <= 0);
            if (mpf_cmp(off, other) == 0 && nearest > 0) {
                int exponent;

                assert_true(fmod(ldexp(frexp(nearest, &exponent), 53), 2) == 0);
            }
        }
        assert_true(sb_wide_difference(sb_wide_from(3), sb_wide_from(5)) == -2);
    }
    mpf_clears(exact, off, other, NULL);
}

/* ---- error ---- */

/* An error names fields of the public header between backquotes, and keeps the first of them with its value. */

/* The field and the value of a line. */
static void expect_field(const char *text, const char *field, const char *value)
{
    struct sb_error error = { .field = "before", .value = "before" };

    assert_int_equal(sb_error_set(&error, SB_INVALID, "%s", text), SB_INVALID);
    assert_string_equal(error.text, text);
    assert_string_equal(error.field, field);
    assert_string_equal(error.value, value);
}

TEST(the_first_field_is_kept)
{
    expect_field("`chained` needs whole permutations: leave `deal` out", "chained", "");
    expect_field("`deal=4`: there are only 3 items", "deal", "4");
    expect_field("naive: `n = 11` is too large: use n <= 10, or `deal=4`", "n", "11");
    expect_field("the last seed is `seeds_first = 5`", "seeds_first", "5");
    expect_field("a file of `sb_saved_new`, not of `save`", "save", "");
}

TEST(a_line_without_fields_has_none)
{
    expect_field("", "", "");
    expect_field("`", "", "");
    expect_field("cannot read 'a`b': no such file", "", "");
    expect_field("``, `N`, `n `, `n=`, `n = ` and `deal", "", "");
    expect_field("it is `", "", "");
    expect_field("cannot read '/tmp/a`n`b' and '`n`'", "", "");
    expect_field("odd names: '``' and `Deal`, but (`deal`) is one", "deal", "");
    assert_int_equal(sb_error_set(NULL, SB_IO, "`n` %d", 1), SB_IO);
}

TEST(a_long_value_is_cut)
{
    struct sb_error error = { 0 };
    char value[200];

    memset(value, 'x', sizeof value);
    value[sizeof value - 1] = '\0';
    sb_error_set(&error, SB_INVALID, "`cards=%s`", value);
    assert_string_equal(error.field, "cards");
    assert_int_equal(strlen(error.value), sizeof error.value - 1);
}
