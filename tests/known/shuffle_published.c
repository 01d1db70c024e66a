/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exact laws of shuffles against what has been published, or can be said in a line, about them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "exact/tree.h"

#include <stdbool.h>
#include <string.h>

static struct sb_evidence law_with(const char *name, uint64_t parameter, size_t n)
{
    struct sb_shuffle shuffle = { .parameter = parameter };
    struct sb_shuffler shuffler;
    struct sb_evidence law;

    for (size_t i = 0; i < sb_shuffle_types_count; i++)
        if (strcmp(sb_shuffle_types[i]->name, name) == 0)
            shuffle.type = sb_shuffle_types[i];
    assert_non_null(shuffle.type);
    assert_int_equal(sb_shuffler_open(shuffle, n, n, &shuffler), SB_OK);
    assert_int_equal(sb_tree_law(&(struct sb_law) { .shuffler = &shuffler }, NULL, &law), SB_OK);
    sb_shuffler_close(&shuffler);
    assert_int_equal(law.counts.form, SB_NUMBERS_U64);
    return law;
}

static struct sb_evidence law_of(const char *name, size_t n)
{
    return law_with(name, 0, n);
}

static uint64_t power(uint64_t base, size_t exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/* The order is 123, 132, 213, 231, 312, 321. */
static void assert_three(const char *name, const uint64_t count[6], uint64_t total)
{
    struct sb_evidence law = law_of(name, 3);

    assert_int_equal(law.total, total);
    assert_memory_equal(law.counts.u64, count, 6 * sizeof count[0]);
    sb_evidence_close(&law);
}

static void test_three_items(void **state)
{
    (void)state;
    /* J. Atwood, The Danger of Naivete (2007): of 27, 132, 213 and 231 come five times, the others four. */
    assert_three("naive", (uint64_t[]) { 4, 5, 5, 5, 4, 4 }, 27);
    assert_three("naive-backward", (uint64_t[]) { 4, 5, 5, 4, 5, 4 }, 27); /* its mirror: 231 is 312 there */
    assert_three("fisher-yates", (uint64_t[]) { 1, 1, 1, 1, 1, 1 }, 6);
    /* The two 3-cycles, 231 and 312 (Sattolo 1986). */
    assert_three("sattolo", (uint64_t[]) { 0, 0, 0, 1, 1, 0 }, 2);
    /* 3 is never dealt last (Arkin et al. 1999). */
    assert_three("planet-poker", (uint64_t[]) { 0, 2, 0, 2, 2, 2 }, 8);
    assert_three("rotate", (uint64_t[]) { 1, 0, 0, 1, 1, 0 }, 3);
    /* Only i = 2 is done: a swap of the last with any. */
    assert_three("fisher-yates-stops-early", (uint64_t[]) { 1, 1, 0, 0, 0, 1 }, 3);
    /*
     * Two coins alike, 1/4 for each way, make a run of three: 123, or 321. Else, 1/4 each, the run is 12 or,
     * turned round, 21, and by halving 3 stays last with probability 1/2, or goes between or in front with
     * 1/4.
     */
    assert_three("sort-timsort", (uint64_t[]) { 6, 1, 2, 1, 1, 5 }, 16);
    /* The second item goes before or behind the first; then one coin, 1/4 in all, leaves the third last, or
     * two put it between or in front. */
    assert_three("sort-binary-insertion", (uint64_t[]) { 2, 1, 2, 1, 1, 1 }, 8);
    /* 1 is merged with 23 or with 32: first with one coin, 1/4 for each of 123 and 132, else with two. */
    assert_three("sort-merge", (uint64_t[]) { 2, 2, 1, 1, 1, 1 }, 8);
}

/* Sorts change: a title that names other people's says of which version. */
static void test_titles_have_versions(void **state)
{
    static const char *const said[][3] = {
        { "sort-timsort", "V8 7.0 to 11.3", "CPython to 3.12" },
        { "sort-binary-insertion", "V8 15.6", "below 16" },
        { "sort-merge", "glibc 2.36", "" },
    };
    struct sb_entry entry;
    size_t found = 0;

    (void)state;
    for (size_t i = 0; sb_entry_get(i, &entry); i++)
        for (size_t j = 0; j < sizeof said / sizeof said[0]; j++)
            if (strcmp(entry.name, said[j][0]) == 0) {
                assert_non_null(strstr(entry.title, said[j][1]));
                assert_non_null(strstr(entry.title, said[j][2]));
                found++;
            }
    assert_int_equal(found, sizeof said / sizeof said[0]);
}

/*
 * The naive swap, all in counts of n^n. The largest: OEIS A192053. The identity: the involution numbers, OEIS
 * A000085, Knuth, The Art of Computer Programming, vol. 2, 3rd ed., 3.4.2, exercise 18; the permutation n 1 2
 * ... n-1: 2^(n-1).
 */
static void test_naive_swap(void **state)
{
    static const uint64_t largest[] = { 1, 2, 5, 15, 47, 159, 543, 1931 };
    static const uint64_t involutions[] = { 1, 2, 4, 10, 26, 76, 232, 764 };

    (void)state;
    for (size_t n = 1; n <= 8; n++) {
        struct sb_evidence law = law_of("naive", n);
        sb_item last_first[8];
        uint64_t most = 0;

        for (size_t rank = 0; rank < law.cells; rank++)
            most = law.counts.u64[rank] > most ? law.counts.u64[rank] : most;
        for (size_t j = 0; j < n; j++)
            last_first[j] = (sb_item)(j == 0 ? n - 1 : j - 1);
        assert_int_equal(law.total, power(n, n));
        assert_int_equal(most, largest[n - 1]);
        assert_int_equal(law.counts.u64[0], involutions[n - 1]);
        assert_int_equal(law.counts.u64[sb_permutation_rank(n, n, last_first)], power(2, n - 1));
        sb_evidence_close(&law);
    }
}

/* Items and positions counted from the other end: the one naive swap is the other. */
static void test_naive_backward_is_the_mirror_of_naive(void **state)
{
    const size_t n = 6;
    struct sb_evidence forward = law_of("naive", n), backward = law_of("naive-backward", n);

    (void)state;
    for (size_t rank = 0; rank < forward.cells; rank++) {
        sb_item a[6], mirror[6];

        sb_permutation_unrank(n, n, rank, a);
        for (size_t j = 0; j < n; j++)
            mirror[j] = (sb_item)(n - 1 - a[n - 1 - j]);
        assert_int_equal(backward.counts.u64[sb_permutation_rank(n, n, mirror)], forward.counts.u64[rank]);
    }
    sb_evidence_close(&forward);
    sb_evidence_close(&backward);
}

static bool is_one_cycle(size_t n, const sb_item a[])
{
    size_t length = 1;

    for (size_t i = a[0]; i != 0; i = a[i])
        length++;
    return length == n;
}

/* Sattolo's algorithm gives every cycle of length n equally often, (n-1)! of them, and nothing else. */
static void test_sattolo_gives_the_cycles(void **state)
{
    (void)state;
    for (size_t n = 2; n <= 7; n++) {
        struct sb_evidence law = law_of("sattolo", n);

        assert_int_equal(law.total, sb_deals(n - 1, n - 1));
        for (size_t rank = 0; rank < law.cells; rank++) {
            sb_item a[7];

            sb_permutation_unrank(n, n, rank, a);
            assert_int_equal(law.counts.u64[rank], is_one_cycle(n, a) ? 1 : 0);
        }
        sb_evidence_close(&law);
    }
}

static uint64_t binomial(uint64_t n, uint64_t k)
{
    uint64_t product = 1;

    for (uint64_t i = 1; i <= k; i++) /* i divides the product of i consecutive numbers */
        product = product * (n - k + i) / i;
    return product;
}

/*
 * D. Bayer and P. Diaconis, Trailing the dovetail shuffle to its lair, Annals of Applied Probability 2 (1992)
 * 294, Theorem 1: a permutation with r rising sequences has C(s + n - r, n) of s^n; here it is the inverse,
 * with r - 1 descents.
 */
static void test_sort_by_key_is_an_inverse_riffle(void **state)
{
    (void)state;
    for (uint64_t bits = 1; bits <= 3; bits++)
        for (size_t n = 1; n <= 6; n++) {
            const size_t s = (size_t)1 << bits;
            struct sb_evidence law = law_with("sort-by-key", bits, n);

            assert_int_equal(power(s, n) % law.total, 0);
            for (size_t rank = 0; rank < law.cells; rank++) {
                sb_item a[6];
                uint64_t descents = 0;

                sb_permutation_unrank(n, n, rank, a);
                for (size_t j = 1; j < n; j++)
                    descents += a[j - 1] > a[j];
                assert_int_equal(law.counts.u64[rank] * (power(s, n) / law.total),
                                 descents < s ? binomial(s + n - 1 - descents, n) : 0);
            }
            sb_evidence_close(&law);
        }
}

/* The merge sort's matrix at n = 4 shows nothing, while 1234 is twice as likely as 1324; a rotation's never
 * does. */
static void test_a_uniform_matrix_proves_nothing(void **state)
{
    struct sb_evidence merge = law_of("sort-merge", 4), rotate = law_of("rotate", 4);
    mpq_t cell, quarter;

    (void)state;
    mpq_inits(cell, quarter, NULL);
    mpq_set_ui(quarter, 1, 4);
    assert_int_equal(sb_evidence_matrix(&merge), SB_OK);
    assert_int_equal(sb_evidence_matrix(&rotate), SB_OK);
    for (size_t item = 0; item < 4; item++)
        for (size_t position = 0; position < 4; position++) {
            sb_evidence_matrix_fraction(&merge, item, position, cell);
            assert_true(mpq_equal(cell, quarter));
            sb_evidence_matrix_fraction(&rotate, item, position, cell);
            assert_true(mpq_equal(cell, quarter));
        }
    assert_int_equal(merge.counts.u64[0], 2 * merge.counts.u64[2]); /* 1234, 1243, 1324 */
    mpq_clears(cell, quarter, NULL);
    sb_evidence_close(&merge);
    sb_evidence_close(&rotate);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_items),
        cmocka_unit_test(test_titles_have_versions),
        cmocka_unit_test(test_naive_swap),
        cmocka_unit_test(test_naive_backward_is_the_mirror_of_naive),
        cmocka_unit_test(test_sattolo_gives_the_cycles),
        cmocka_unit_test(test_sort_by_key_is_an_inverse_riffle),
        cmocka_unit_test(test_a_uniform_matrix_proves_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
