/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The laws of the catalogue, against those of programs that the test runs on every series of answers. */
#include "unit/test.h"

#include "unit/assert_near.h"
#include "unit/catalogue_decks.h"

#include <stdlib.h>

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
