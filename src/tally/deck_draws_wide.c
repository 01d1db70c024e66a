/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The draws of 64 decks at once. Compiled once per instruction set; SB_DECK_DRAWS names the resulting
 * function.
 *
 * Let B be the deck in the terms of deck_draws.c, and let C be the inverse of B. Both B and C lose their
 * largest item n-1 by the same rule: B becomes t B, where t exchanges the values n-1 and B(n-1), and C
 * becomes s C, where s exchanges n-1 and C(n-1). The two results are again inverse to each other, because
 * both take n-1 out of its cycle. So one pass over B yields the draws B(i) of the view, and also the draws
 * C(i) of the inverted view: C(i) is the position x with B(x) = i.
 *
 * Row x has B(x) of each deck, in one byte. The pass finds C(i) by comparing all rows up to row i with i, and
 * the counts are numbers of equal bytes. Cost for 64 decks: n^2 comparisons of a row.
 */
#include "tally/deck_draws_wide.h"

#include "core/vector.h"
#include "tally/deck_draws.h"

#include <string.h>

enum { DRAWS_VECTORS = SB_ROWS_DEALS / SB_VECTOR_BYTES }; /* vectors in a row */

/* A row of 64 bytes. */
struct draws_row {
    sb_vector8 part[DRAWS_VECTORS];
};

/* Row x of B, for this view of the decks (see deck_draws_turn() in deck_draws.c). */
static struct draws_row draws_turn(const struct sb_rows *rows, unsigned view, size_t x)
{
    const bool items = view >= SB_VIEW_FORWARD, positions = items != ((view & SB_VIEW_REVERSED) != 0);
    struct draws_row row;

    memcpy(&row, rows->item[positions ? rows->n - 1 - x : x], sizeof row);
    for (size_t u = 0; items && u < DRAWS_VECTORS; u++)
        row.part[u] = (uint8_t)(rows->n - 1) - row.part[u];
    return row;
}

static inline struct draws_row draws_all(uint8_t value)
{
    struct draws_row row;

    for (size_t u = 0; u < DRAWS_VECTORS; u++)
        row.part[u] = (sb_vector8) { 0 } + value;
    return row;
}

#if defined __AVX512BW__

/* Which bytes of a row equal those of the other row: one bit per deal. */
typedef __mmask64 draws_mask;

static inline draws_mask draws_equal(const struct draws_row *row, const struct draws_row *other)
{
    return _mm512_cmpeq_epi8_mask((__m512i)row->part[0], (__m512i)other->part[0]);
}

/* Returns the mask of the first `deals` deals. */
static inline draws_mask draws_first(size_t deals)
{
    return deals < SB_ROWS_DEALS ? (UINT64_C(1) << deals) - 1 : UINT64_MAX;
}

/* Returns how many deals are in both masks. */
static inline uint32_t draws_count(draws_mask mask, draws_mask other)
{
    return (uint32_t)__builtin_popcountll(mask & other);
}

/* Replaces those bytes of the row that are in the mask by the corresponding bytes of `by`. */
static inline void draws_replace(struct draws_row *row, draws_mask mask, const struct draws_row *by)
{
    row->part[0] = (sb_vector8)_mm512_mask_mov_epi8((__m512i)row->part[0], mask, (__m512i)by->part[0]);
}

#else

/* Which bytes of a row equal those of the other row: 255 or 0 per deal. */
typedef struct draws_row draws_mask;

static inline draws_mask draws_equal(const struct draws_row *row, const struct draws_row *other)
{
    draws_mask mask;

    for (size_t u = 0; u < DRAWS_VECTORS; u++)
        mask.part[u] = (sb_vector8)(row->part[u] == other->part[u]);
    return mask;
}

static inline draws_mask draws_first(size_t deals)
{
    uint8_t byte[SB_ROWS_DEALS] = { 0 };
    draws_mask mask;

    memset(byte, 255, deals);
    memcpy(&mask, byte, sizeof mask);
    return mask;
}

static inline uint32_t draws_count(draws_mask mask, draws_mask other)
{
#if defined __AVX2__
    const uint32_t low = (uint32_t)_mm256_movemask_epi8((__m256i)(mask.part[0] & other.part[0]));
    const uint32_t high = (uint32_t)_mm256_movemask_epi8((__m256i)(mask.part[1] & other.part[1]));

    return (uint32_t)__builtin_popcountll(low | (uint64_t)high << 32);
#else
    sb_vector8 sum = { 0 };
    uint64_t word[SB_VECTOR_BYTES / 8], total = 0;

    for (size_t u = 0; u < DRAWS_VECTORS; u++)
        sum += mask.part[u] & other.part[u] & 1;
    memcpy(word, &sum, sizeof word);
    for (size_t i = 0; i < SB_VECTOR_BYTES / 8; i++)
        total += word[i]; /* each byte is at most 64 */
    return (uint32_t)(total * UINT64_C(0x0101010101010101) >> 56);
#endif
}

static inline void draws_replace(struct draws_row *row, draws_mask mask, const struct draws_row *by)
{
    for (size_t u = 0; u < DRAWS_VECTORS; u++)
        row->part[u] = (row->part[u] & ~mask.part[u]) | (by->part[u] & mask.part[u]);
}

#endif

void SB_DECK_DRAWS(const struct sb_rows *rows, unsigned view, uint32_t count[], uint32_t inverted[])
{
    const size_t n = rows->n;
    const draws_mask deals = draws_first(rows->deals);
    struct draws_row to[SB_ROWS_ITEMS_MOST];

    for (size_t x = 0; x < n; x++)
        to[x] = draws_turn(rows, view, x);
    for (size_t i = n - 1; i > 0; i--) {
        const struct draws_row d = to[i], removed = draws_all((uint8_t)i);
        uint32_t *const draw = count + sb_deck_draws_cell(i, 0);
        uint32_t *const place = inverted + sb_deck_draws_cell(i, 0);

        for (size_t x = 0; x <= i; x++) {
            const struct draws_row value = draws_all((uint8_t)x);
            const draws_mask here = draws_equal(&to[x], &removed);

            place[x] += draws_count(here, deals);
            draw[x] += draws_count(draws_equal(&d, &value), deals);
            draws_replace(&to[x], here, &d);
        }
    }
}
