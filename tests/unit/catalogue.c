/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue of known faulty shuffles: the draws of a deck in every view, the mean of every candidate's
 * likelihood ratio over all decks, biased draws, and a run that is saved and resumed. Its other laws are in
 * catalogue_laws.c.
 */
#include "unit/test.h"

#include "store/store.h"
#include "study/catalogue/look.h"
#include "unit/assert_near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Shared by the tests of the catalogue: all decks in an order of their own, and what one deck is worth. */

enum { DECK_MOST = 7, DECKS_MOST = 5040 };

static size_t factorial(size_t n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

/* The deck with this number in a counting that has nothing to do with ranks: Durstenfeld's loop on its digits. */
static void deck_of(size_t n, size_t number, size_t d[], sb_item a[])
{
    for (size_t j = 0; j < n; j++)
        a[j] = (sb_item)j;
    for (size_t i = n - 1; i > 0; i--) {
        d[i] = number % (i + 1);
        number /= i + 1;

        const sb_item swapped = a[i];

        a[i] = a[d[i]];
        a[d[i]] = swapped;
    }
}

static struct sb_catalogue *build(size_t n, bool ranked)
{
    struct sb_catalogue *catalogue;
    struct sb_error error;

    assert_int_equal(sb_catalogue_build(n, ranked, &error, &catalogue), SB_OK);
    assert_non_null(catalogue);
    return catalogue;
}

/* ln(p/q) of one deck for each candidate: ln_e of the candidates. */
static void read_deck(struct sb_catalogue *catalogue, const sb_item a[])
{
    const size_t n = catalogue->n;
    uint64_t count[720] = { 0 };
    const struct sb_tally rank = { .members = 1, .cells = factorial(n), .total = 1, .count = count };

    if (sb_catalogue_by_rank(catalogue)) {
        count[sb_permutation_rank(n, n, a)] = 1;
        sb_catalogue_read(catalogue, &rank);
        return;
    }
    catalogue->decks = 0;
    for (size_t k = 0; k < catalogue->count; k++)
        catalogue->candidate[k].sum = 0;
    sb_catalogue_add(catalogue, a, 1);
    sb_catalogue_read(catalogue, NULL);
}

/* The candidate of this name, or of this name among its equivalents. */
static const struct sb_candidate *find(const struct sb_catalogue *catalogue, const char *name)
{
    for (size_t k = 0; k < catalogue->count; k++) {
        const struct sb_candidate *const candidate = &catalogue->candidate[k];

        if (strcmp(candidate->name, name) == 0)
            return candidate;
        for (size_t i = 0; i < candidate->equivalents; i++)
            if (strcmp(candidate->equivalent[i], name) == 0)
                return candidate;
    }
    fail_msg("no candidate %s", name);
    return NULL;
}

/* Writes deck b down in a view: inverted, then read from its end; `forward`: of the mirror image of b. */
static void write_down(size_t n, const sb_item b[], size_t view, sb_item a[])
{
    sb_item c[DECK_MOST], e[DECK_MOST];

    for (size_t j = 0; j < n; j++)
        c[j] = view & SB_VIEW_FORWARD ? (sb_item)(n - 1 - b[n - 1 - j]) : b[j];
    for (size_t j = 0; j < n; j++) {
        if (view & SB_VIEW_INVERTED)
            e[c[j]] = (sb_item)j;
        else
            e[j] = c[j];
    }
    for (size_t j = 0; j < n; j++)
        a[j] = view & SB_VIEW_REVERSED ? e[n - 1 - j] : e[j];
}

TEST(draws_are_found_in_each_view)
{
    const size_t n = 6;
    uint32_t count[32], spare[32];
    sb_item a[DECK_MOST], b[DECK_MOST], place[DECK_MOST];
    size_t d[DECK_MOST];

    for (size_t number = 0; number < factorial(n); number++)
        for (size_t view = 0; view < SB_VIEWS; view++) {
            deck_of(n, number, d, b);
            write_down(n, b, view, a);
            for (size_t j = 0; j < n; j++)
                place[a[j]] = (sb_item)j;
            memset(count, 0, sizeof count);
            uint32_t *counts[SB_VIEWS] = { NULL };

            counts[view] = count;
            sb_deck_draws_count(n, a, place, counts, spare);
            for (size_t i = 1; i < n; i++)
                for (size_t x = 0; x <= i; x++)
                    assert_int_equal(count[sb_deck_draws_cell(i, x)], x == d[i]);
        }
}

/* Under a fair shuffle every candidate's ratio, and so their average, has mean 1: not more, and less only by rounding. */
TEST(means_are_one)
{
    static const struct {
        size_t n;
        bool ranked;
    } cases[] = { { 2, true }, { 3, true }, { 4, true }, { 5, true }, { 3, false }, { 6, false }, { 7, false } };
    sb_item a[DECK_MOST];
    size_t d[DECK_MOST];

    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        const size_t n = cases[c].n, decks = factorial(n);
        struct sb_catalogue *const catalogue = build(n, cases[c].ranked);
        double *const mean = calloc(catalogue->count + 1, sizeof *mean);

        assert_non_null(mean);
        for (size_t number = 0; number < decks; number++) {
            deck_of(n, number, d, a);
            read_deck(catalogue, a);
            for (size_t k = 0; k < catalogue->count; k++)
                mean[k] += exp(catalogue->candidate[k].ln_e) / (double)decks;
            mean[catalogue->count] += exp(catalogue->ln_e) / (double)decks;
        }
        for (size_t k = 0; k <= catalogue->count; k++) {
            assert_near(mean[k], 1, 1e-8);
            assert_true(mean[k] < 1 + 1e-13);
        }
        free(mean);
        sb_catalogue_free(catalogue);
    }
}

/* Of 256 words, one more gives each of the first 256 mod k answers below k. */
static double modulo_share(size_t k, size_t answer)
{
    return (double)(256 / k + (answer < 256 % k)) / 256;
}

TEST(biased_draws_have_their_law)
{
    static const char *const names[SB_VIEWS] = {
        "fisher-yates/modulo:8",
        "fisher-yates/modulo:8, inverted",
        "fisher-yates/modulo:8, reversed",
        "fisher-yates/modulo:8, inverted and reversed",
        "fisher-yates-forward/modulo:8",
        "fisher-yates-forward/modulo:8, inverted",
        "fisher-yates-forward/modulo:8, reversed",
        "fisher-yates-forward/modulo:8, inverted and reversed",
    };
    const size_t n = 7;
    struct sb_catalogue *const catalogue = build(n, false);
    sb_item a[DECK_MOST], b[DECK_MOST];
    size_t d[DECK_MOST];

    for (size_t view = 0; view < SB_VIEWS; view++) {
        const struct sb_candidate *const candidate = find(catalogue, names[view]);

        for (size_t number = 0; number < factorial(n); number++) {
            double ratio = 1;

            deck_of(n, number, d, b);
            write_down(n, b, view, a); /* the loop from the front is the mirror image, and draws i - d */
            for (size_t i = 1; i < n; i++)
                ratio *= (double)(i + 1) * modulo_share(i + 1, view & SB_VIEW_FORWARD ? i - d[i] : d[i]);
            read_deck(catalogue, a);
            assert_near(exp(candidate->ln_e), ratio, 1e-8);
        }
    }
    sb_catalogue_free(catalogue);
}

TEST(saved_sums_are_resumed)
{
    const size_t n = 7, decks = 1000;
    struct sb_catalogue *const whole = build(n, false), *const first = build(n, false), *const second = build(n, false),
                               *const other = build(52, false);
    struct sb_catalogue_saved saved = { .present = false };
    sb_item a[DECK_MOST];
    size_t d[DECK_MOST];

    for (size_t t = 0; t < decks; t++) {
        deck_of(n, t * 7919 % factorial(n), d, a);
        sb_catalogue_add(whole, a, 1);
        sb_catalogue_add(t < decks / 3 ? first : second, a, 1);
        if (t + 1 == decks / 3) {
            sb_catalogue_read(first, NULL);
            assert_int_equal(sb_catalogue_saved_take(first, &saved), SB_OK);
            assert_true(sb_catalogue_saved_fits(&saved, second));
            assert_false(sb_catalogue_saved_fits(&saved, other));
            sb_catalogue_saved_resume(&saved, second);
        }
    }
    sb_catalogue_read(whole, NULL);
    sb_catalogue_read(second, NULL);
    assert_int_equal(whole->decks, decks);
    assert_int_equal(second->decks, decks);
    assert_memory_equal(&whole->ln_e, &second->ln_e, sizeof whole->ln_e);
    free(saved.sum);
    sb_catalogue_free(whole);
    sb_catalogue_free(first);
    sb_catalogue_free(second);
    sb_catalogue_free(other);
}

/* Evidence of one catalogue is not resumed with another: every name counts, and their order. */
TEST(the_hash_has_all_names)
{
    char names[][2][3] = { { "a", "b" }, { "a", "c" }, { "b", "a" }, { "ab", "" } };
    uint64_t hash[4];

    for (size_t i = 0; i < 4; i++) {
        struct sb_candidate candidate[] = { { .name = names[i][0] }, { .name = names[i][1] } };

        hash[i] = sb_catalogue_hash(&(struct sb_catalogue) { .candidate = candidate, .count = 2 });
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(hash[i], hash[j]);
    }
}

/* ---- catalogue laws ---- */

/* The laws of the catalogue, against those of programs that the test runs on every series of answers. */

/* A program that deals one deck from `digits` digits below `base`, and the weight of a digit. */
struct program {
    const char *name;
    size_t n, digits, base;
    bool ranked;
    void (*deal)(size_t n, const size_t digit[], sb_item a[]);
};

static void swap_items(sb_item a[], size_t i, size_t j)
{
    const sb_item item = a[i];

    a[i] = a[j];
    a[j] = item;
}

static void deal_naive(size_t n, const size_t digit[], sb_item a[])
{
    for (size_t i = 0; i < n; i++)
        swap_items(a, i, digit[i]);
}

static void deal_naive_inverted(size_t n, const size_t digit[], sb_item a[])
{
    sb_item b[DECK_MOST];

    for (size_t j = 0; j < n; j++)
        b[j] = (sb_item)j;
    deal_naive(n, digit, b);
    for (size_t j = 0; j < n; j++)
        a[b[j]] = (sb_item)j;
}

static void deal_rotated(size_t n, const size_t digit[], sb_item a[])
{
    for (size_t j = 0; j < n; j++)
        a[j] = (sb_item)((j + digit[0]) % n);
}

/* One riffle: each place takes the next card of the packet that its coin says. */
static void deal_riffle(size_t n, const size_t digit[], sb_item a[])
{
    size_t packet[2] = { 0, n };

    for (size_t j = 0; j < n; j++)
        packet[1] -= digit[j];
    for (size_t j = 0; j < n; j++)
        a[j] = (sb_item)packet[digit[j]]++;
}

static void deal_riffle_reversed(size_t n, const size_t digit[], sb_item a[])
{
    deal_riffle(n, digit, a);
    for (size_t j = 0; j < n / 2; j++)
        swap_items(a, j, n - 1 - j);
}

/* Coins say where to cut. */
static void deal_cut(size_t n, const size_t digit[], sb_item a[])
{
    size_t cut = 0;

    for (size_t j = 0; j < n; j++)
        cut += digit[j];
    for (size_t j = 0; j < n; j++)
        a[j] = (sb_item)((j + cut) % n);
}

static void deal_cut_reversed(size_t n, const size_t digit[], sb_item a[])
{
    deal_cut(n, digit, a);
    for (size_t j = 0; j < n / 2; j++)
        swap_items(a, j, n - 1 - j);
}

/* Two bits for each card, a stable sort. */
static void deal_by_keys(size_t n, const size_t digit[], sb_item a[])
{
    size_t next = 0;

    for (size_t key = 0; key < 4; key++)
        for (size_t j = 0; j < n; j++)
            if (digit[j] == key)
                a[next++] = (sb_item)j;
}

/* Sattolo's loop and the loop that ends early, on one digit that counts all series of draws. */
static void deal_sattolo(size_t n, const size_t digit[], sb_item a[])
{
    size_t number = digit[0];

    for (size_t i = n - 1; i > 0; i--) {
        swap_items(a, i, number % i);
        number /= i;
    }
}

static void deal_early(size_t n, const size_t digit[], sb_item a[])
{
    size_t number = digit[0];

    for (size_t i = n - 1; i > 1; i--) {
        swap_items(a, i, number % (i + 1));
        number /= i + 1;
    }
}

/* Compares the candidate with the frequencies of all decks that the program can deal. */
static void compare(const struct program *program)
{
    const size_t n = program->n;
    struct sb_catalogue *const catalogue = build(n, program->ranked);
    const struct sb_candidate *const candidate = find(catalogue, program->name);
    double *const law = calloc(DECKS_MOST, sizeof *law);
    size_t digit[DECK_MOST] = { 0 }, series = 1, d[DECK_MOST];
    sb_item a[DECK_MOST];

    assert_non_null(law);
    for (size_t i = 0; i < program->digits; i++)
        series *= program->base;
    for (size_t s = 0; s < series; s++) {
        for (size_t i = 0, rest = s; i < program->digits; i++, rest /= program->base)
            digit[i] = rest % program->base;
        for (size_t j = 0; j < n; j++)
            a[j] = (sb_item)j;
        program->deal(n, digit, a);
        law[sb_permutation_rank(n, n, a)] += 1 / (double)series;
    }
    for (size_t number = 0; number < factorial(n); number++) {
        deck_of(n, number, d, a);
        read_deck(catalogue, a);
        assert_near(exp(candidate->ln_e), law[sb_permutation_rank(n, n, a)] * (double)factorial(n), 2e-8);
    }
    free(law);
    sb_catalogue_free(catalogue);
}

TEST(laws_are_those_enumerated)
{
    static const struct program programs[] = {
        { "naive", 4, 4, 4, true, deal_naive },
        { "naive, inverted", 4, 4, 4, true, deal_naive_inverted },
        { "rotate", 5, 1, 5, true, deal_rotated },
        { "sattolo", 5, 1, 24, true, deal_sattolo },
        { "riffle:1", 5, 5, 2, true, deal_riffle },
        { "sort-by-key:2", 5, 5, 4, true, deal_by_keys },
        { "sattolo", 7, 1, 720, false, deal_sattolo },
        { "fisher-yates-stops-early", 7, 1, 2520, false, deal_early },
        { "rotate", 7, 1, 7, false, deal_rotated },
        { "cut", 5, 5, 2, true, deal_cut },
        { "cut", 7, 7, 2, false, deal_cut },
        { "cut, inverted", 7, 7, 2, false, deal_cut },
        { "cut, reversed", 6, 6, 2, false, deal_cut_reversed },
        { "riffle:1", 7, 7, 2, false, deal_riffle },
        { "riffle:1, reversed", 7, 7, 2, false, deal_riffle_reversed },
        { "sort-by-key:2", 7, 7, 4, false, deal_by_keys },
        { "riffle:2, inverted", 7, 7, 4, false, deal_by_keys },
    };

    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        compare(&programs[i]);
}
