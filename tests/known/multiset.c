/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decks with equal cards: the laws of their statistics against all arrangements, written one by one, and the number of
 * runs of 26 and 26 cards against the formula of Wald and Wolfowitz, Annals of Mathematical Statistics 11 (1940) 147,
 * section 4. Exact laws in doubles are added up within the error that the evidence states, by GMP's integers.
 */
#include "unit/test.h"

#include "core/evidence.h"
#include "statistic/statistic.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS_MOST = 10, CASES = 9 };

static const struct sb_statistic_type *find(const char *name)
{
    const struct sb_statistic_type *const type = sb_statistic_find(name);

    assert_non_null(type);
    return type;
}

/* All arrangements of a deck in lexicographic order, and what the statistics of each are. */
struct census {
    struct sb_item_names *names;
    const char *letters; /* the deck in its order before the shuffle, a letter for each card */
    size_t n, count;
    uint32_t runs[ITEMS_MOST + 1];
    uint32_t at[ITEMS_MOST][ITEMS_MOST]; /* [position][kind] */
};

/* Returns how many kinds come before the letter, in the order of the deck. */
static size_t kind_of(const char *letters, char letter)
{
    size_t kinds = 0;

    for (const char *c = letters; *c != letter; c++)
        kinds += !memchr(letters, *c, (size_t)(c - letters));
    return kinds;
}

/* Checks one arrangement, such as "ABA". */
static void check_one(struct census *census, const char *word)
{
    const struct sb_multiset *const multiset = census->names->multiset;
    const size_t n = census->n;
    sb_item a[ITEMS_MOST] = { 0 }, back[ITEMS_MOST];
    bool used[ITEMS_MOST] = { false };
    char text[SB_NOTATION_ROOM];
    uint32_t cell, runs = 1, at[ITEMS_MOST];

    for (size_t j = n; j-- > 0;) /* from the end, so that equal cards are not in their order */
        for (size_t i = 0; i < n; i++)
            if (!used[i] && census->letters[i] == word[j]) {
                a[j] = (sb_item)i;
                used[i] = true;
                break;
            }
    sb_statistic_rank.equal->classify(multiset, n, a, &cell);
    assert_int_equal(cell, census->count);
    sb_multiset_unrank(multiset, cell, back);
    assert_string_equal(sb_item_notation(census->names, n, n, back, text, sizeof text), word);
    for (size_t j = 1; j < n; j++)
        runs += word[j] != word[j - 1];
    find("runs")->equal->classify(multiset, n, a, &cell);
    assert_int_equal(cell, runs);
    find("card-at")->equal->classify(multiset, n, a, at);
    for (size_t j = 0; j < n; j++) {
        assert_int_equal(at[j], kind_of(census->letters, word[j]));
        census->at[j][at[j]]++;
    }
    census->runs[runs]++;
    census->count++;
}

/* Writes all arrangements, letter by letter, in the order of the kinds. */
static void write_all(struct census *census, char word[], size_t length, const char *left)
{
    char rest[ITEMS_MOST + 1];

    if (length == census->n) {
        word[length] = '\0';
        check_one(census, word);
        return;
    }
    for (const char *kind = census->letters; *kind; kind++) {
        const char *const c = strchr(left, *kind);

        if (!c || memchr(census->letters, *kind, (size_t)(kind - census->letters)))
            continue;
        word[length] = *c;
        memcpy(rest, left, (size_t)(c - left));
        strcpy(rest + (c - left), c + 1);
        write_all(census, word, length + 1, rest);
    }
}

/* Compares a null law with counts of arrangements. */
static void compare(const struct census *census, const struct sb_statistic_type *type, const uint32_t count[])
{
    const struct sb_multiset *const multiset = census->names->multiset;
    const size_t cells = type->equal->cells(multiset, census->n);
    double ln_p[ITEMS_MOST + 1];

    assert_in_range(cells, 1, ITEMS_MOST + 1);
    assert_int_equal(sb_statistic_null_law(type, multiset, census->n, census->n, ln_p), SB_OK);
    for (size_t cell = 0; cell < cells; cell++)
        assert_true(fabs(exp(ln_p[cell]) * (double)census->count - count[cell]) < 1e-9);
}

TEST(test_laws_are_the_shares_of_all_arrangements)
{
    static const char *const decks[CASES] = { "AAB",    "ABA",     "AABB",     "AAAB",      "ABCB",
                                              "AABBCC", "ABBCCCC", "ABCDEFFF", "AAAAABBBBB" };

    for (size_t d = 0; d < CASES; d++) {
        struct census census = { .letters = decks[d], .n = strlen(decks[d]) };
        char list[2 * ITEMS_MOST + 1] = "", word[ITEMS_MOST + 1];

        for (size_t i = 0; i < census.n; i++) {
            list[2 * i] = decks[d][i];
            list[2 * i + 1] = ' ';
        }
        assert_int_equal(sb_item_names_new(list, NULL, &census.names), SB_OK);
        assert_non_null(census.names->multiset);
        write_all(&census, word, 0, census.letters);
        assert_int_equal(census.names->multiset->arrangements, census.count);
        assert_true(fabs(exp(sb_multiset_ln_arrangements(census.names->multiset)) - (double)census.count) < 1e-6);
        compare(&census, find("runs"), census.runs);
        for (size_t j = 0; j < census.n; j++)
            compare(&census, find("card-at"), census.at[j]);
        sb_item_names_free(census.names);
    }
}

/* ln C(n, k) */
static double ln_choose(double n, double k)
{
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

TEST(test_runs_of_26_and_26)
{
    enum { M = 26, N = 2 * M };
    char list[2 * N + 1] = "";
    struct sb_item_names *names;
    double ln_p[N + 1], sum = 0;

    for (size_t i = 0; i < N; i++)
        strcat(list, i < M ? "R " : "B ");
    assert_int_equal(sb_item_names_new(list, NULL, &names), SB_OK);
    assert_int_equal(names->multiset->arrangements, 0); /* 495,918,532,948,104 are not counted one by one */
    assert_int_equal(find("runs")->equal->null_law(names->multiset, N, ln_p), SB_OK);
    for (int r = 0; r <= N; r++) {
        const int k = r / 2; /* 2k runs: 2 C(m-1,k-1)^2; 2k+1 runs: 2 C(m-1,k) C(m-1,k-1); of C(2m,m) decks */
        const double expected =
            r < 2 ? -HUGE_VAL
                  : log(2) + ln_choose(M - 1, r % 2 ? k : k - 1) + ln_choose(M - 1, k - 1) - ln_choose(N, M);

        if (r < 2 || (r % 2 && k > M - 1)) {
            assert_true(ln_p[r] == -HUGE_VAL);
            continue;
        }
        assert_true(fabs(ln_p[r] - expected) < 1e-11);
        sum += exp(ln_p[r]);
    }
    assert_true(fabs(sum - 1) < 1e-12);
    sb_item_names_free(names);
}

/* Eight decks of 52 cards: the mean number of runs is n - (sum of m (m-1)) / n, by linearity. */
TEST(test_runs_of_a_shoe)
{
    enum { KINDS = 52, COPIES = 8, N = KINDS * COPIES };
    uint32_t same[N];
    struct sb_multiset *multiset;
    double ln_p[N + 1], sum = 0, mean = 0;

    for (uint32_t i = 0; i < N; i++)
        same[i] = i % KINDS;
    assert_int_equal(sb_multiset_new(N, same, &multiset), SB_OK);
    assert_int_equal(find("runs")->equal->null_law(multiset, N, ln_p), SB_OK);
    for (int r = 0; r <= N; r++) {
        sum += exp(ln_p[r]);
        mean += r * exp(ln_p[r]);
    }
    assert_true(fabs(sum - 1) < 1e-11);
    assert_true(fabs(mean - (N - (double)KINDS * COPIES * (COPIES - 1) / N)) < 1e-8);
    sb_multiset_free(multiset);
}

/* Evidence about the permutations of `letters`, whose probabilities are doubles near 1/n! and are taken to be exact. */
static void shares_open(const char *letters, struct sb_item_names **names, struct sb_evidence *evidence)
{
    const size_t n = strlen(letters), cells = sb_cells(n, n);
    char list[2 * ITEMS_MOST + 1] = "";

    for (size_t i = 0; i < n; i++) {
        list[2 * i] = letters[i];
        list[2 * i + 1] = ' ';
    }
    assert_int_equal(sb_item_names_new(list, NULL, names), SB_OK);
    assert_int_equal(sb_evidence_open(SB_BY_EXACT, n, n, evidence), SB_OK);
    sb_numbers_close(&evidence->counts);
    sb_numbers_close(&evidence->matrix);
    evidence->matrix = (struct sb_numbers) { .form = SB_NUMBERS_NONE };
    assert_int_equal(sb_numbers_open(SB_NUMBERS_SHARE, cells, &evidence->counts), SB_OK);
    evidence->names = *names;
    evidence->total = 0;
    for (size_t rank = 0; rank < cells; rank++)
        evidence->counts.share[rank] = (1 + (double)(rank % 7) / 1024) / (double)cells;
}

/* Adds `share`, a multiple of 2^-100, to sum/2^100. */
static void add_exactly(mpz_t sum, double share)
{
    mpz_t term;

    mpz_init(term);
    mpz_set_d(term, ldexp(share, 100));
    mpz_add(sum, sum, term);
    mpz_clear(term);
}

/* 8! permutations show each place of the B: naive sums of as many doubles are wrong in the 13th digit. */
TEST(test_doubles_add_up_within_their_error)
{
    struct sb_item_names *names;
    struct sb_evidence evidence;
    mpz_t exact[9];

    shares_open("AAAAAAAAB", &names, &evidence);
    for (size_t at = 0; at < 9; at++)
        mpz_init(exact[at]);
    for (size_t rank = 0; rank < evidence.cells; rank++) {
        sb_item a[9];
        size_t at = 0;

        sb_permutation_unrank(9, 9, rank, a);
        while (a[at] != 8)
            at++;
        add_exactly(exact[at], evidence.counts.share[rank]);
    }
    assert_int_equal(sb_evidence_arrange(&evidence), SB_OK);
    assert_int_equal(evidence.cells, 9);
    assert_true(evidence.error > 0 && evidence.error < 1.01 * DBL_EPSILON); /* two roundings, and some more */
    /* the arrangements are in order: the first one has the B at the end */
    for (size_t at = 0; at < 9; at++) {
        mpz_t sum;

        mpz_init(sum);
        add_exactly(sum, evidence.counts.share[8 - at]);
        mpz_sub(sum, sum, exact[at]);
        assert_true(fabs(mpz_get_d(sum)) <= evidence.error * mpz_get_d(exact[at]));
        mpz_clear(sum);
        mpz_clear(exact[at]);
    }
    sb_evidence_close(&evidence);
    sb_item_names_free(names);
}

/* Whatever the shuffle, a deck of equal cards has one arrangement. */
TEST(test_the_only_arrangement_is_certain)
{
    struct sb_item_names *names;
    struct sb_evidence evidence;
    mpq_t share;

    mpq_init(share);
    shares_open("AAAAAA", &names, &evidence);
    assert_int_equal(sb_evidence_arrange(&evidence), SB_OK);
    assert_int_equal(evidence.cells, 1);
    assert_true(evidence.error == 0);
    sb_evidence_fraction(&evidence, 0, share);
    assert_int_equal(mpq_cmp_ui(share, 1, 1), 0);
    for (size_t j = 0; j < 6; j++) {
        sb_evidence_matrix_fraction(&evidence, 0, j, share);
        assert_int_equal(mpq_cmp_ui(share, 1, 1), 0);
    }
    mpq_clear(share);
    sb_evidence_close(&evidence);
    sb_item_names_free(names);
}
