/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact laws of shuffles against published values (data/vectors/shuffle_laws.txt, naive_swap.txt) and values
 * that follow from their definition in a line.
 */
#include "unit/test.h"

#include "exact/engine.h"
#include "study/results.h"
#include "unit/vectors.h"

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

static void compute_law(const struct vector *v, struct vector_field got[])
{
    struct sb_evidence law = law_of(v->in[0].text, 3);

    got[0].whole = law.total;
    for (size_t rank = 0; rank < 6; rank++)
        got[1 + rank].whole = law.counts.u64[rank];
    sb_evidence_close(&law);
}

TEST(test_three_items)
{
    static const struct vector_kind kinds[] = {
        { "law", .in = "t", .out = "nnnnnnn", .least = 10, .compute = compute_law },
        { .name = NULL },
    };

    vectors_check("shuffle_laws.txt", kinds);
}

/* Sorts change: a title that names other people's says of which version. */
TEST(test_titles_have_versions)
{
    static const char *const said[][3] = {
        { "sort-timsort", "V8 7.0 to 11.3", "CPython to 3.12" },
        { "sort-binary-insertion", "V8 15.6", "below 16" },
        { "sort-merge", "glibc 2.36", "" },
    };
    struct sb_entry entry;
    size_t found = 0;

    for (size_t i = 0; sb_entry_get(i, &entry); i++)
        for (size_t j = 0; j < sizeof said / sizeof said[0]; j++)
            if (strcmp(entry.name, said[j][0]) == 0) {
                assert_non_null(strstr(entry.title, said[j][1]));
                assert_non_null(strstr(entry.title, said[j][2]));
                found++;
            }
    assert_int_equal(found, sizeof said / sizeof said[0]);
}

/* The counts add up to n^n, of which the permutation n 1 2 ... n-1 has 2^(n-1). */
static void compute_naive(const struct vector *v, struct vector_field got[])
{
    const size_t n = (size_t)v->in[0].whole;
    struct sb_evidence law = law_of("naive", n);
    sb_item last_first[8];
    uint64_t most = 0;

    for (size_t rank = 0; rank < law.cells; rank++)
        most = law.counts.u64[rank] > most ? law.counts.u64[rank] : most;
    for (size_t j = 0; j < n; j++)
        last_first[j] = (sb_item)(j == 0 ? n - 1 : j - 1);
    assert_int_equal(law.total, power(n, n));
    assert_int_equal(law.counts.u64[sb_permutation_rank(n, n, last_first)], power(2, n - 1));
    got[0].whole = law.counts.u64[0];
    got[1].whole = most;
    sb_evidence_close(&law);
}

static bool up_to_eight(const struct vector *v)
{
    return v->in[0].whole >= 1 && v->in[0].whole <= 8;
}

TEST(test_naive_swap)
{
    static const struct vector_kind kinds[] = {
        { "naive", .in = "n", .out = "nn", .least = 8, .covers = up_to_eight, .compute = compute_naive },
        { .name = NULL },
    };

    vectors_check("naive_swap.txt", kinds);
}

/* Items and positions counted from the other end: the one naive swap is the other. */
TEST(test_naive_backward_is_the_mirror_of_naive)
{
    const size_t n = 6;
    struct sb_evidence forward = law_of("naive", n), backward = law_of("naive-backward", n);

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
TEST(test_sattolo_gives_the_cycles)
{
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
TEST(test_sort_by_key_is_an_inverse_riffle)
{
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
TEST(test_a_uniform_matrix_proves_nothing)
{
    struct sb_evidence merge = law_of("sort-merge", 4), rotate = law_of("rotate", 4);
    mpq_t cell, quarter;

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
