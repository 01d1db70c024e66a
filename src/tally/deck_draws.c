/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Durstenfeld's loop makes B = t[n-1] t[n-2] .. t[1], where t[i] exchanges i and d[i] <= i. Of these factors
 * only t[n-1] moves n-1, so B(n-1) = d[n-1]. Multiplying B by t[n-1] from the left removes this factor, and
 * the same step then yields d[n-2], and so on. The multiplication exchanges two values of B and two positions
 * of the inverse of B, so the function keeps both permutations up to date.
 *
 * Exactly one series of draws leads to each permutation (R. Durstenfeld, doi:10.1145/364520.364540), so the
 * probability of a permutation is the product of the probabilities of its draws.
 *
 * Cost: for each item two reads, two writes and a count.
 */
#include "tally/deck_draws.h"

#include "core/system.h"
#include "tally/deck_draws_wide.h"

#include <string.h>

/* The permutation whose draws are counted, and the inverse of this permutation. */
struct deck_draws {
    uint8_t to[SB_DECK_DRAWS_MOST], from[SB_DECK_DRAWS_MOST];
};

/*
 * Undoes the reversals of a view. Let w(j) = n-1-j. The pair (x, y) of inverse permutations becomes (w x w, w
 * y w) if both items and positions were reversed, (x w, w y) if only the positions were reversed, and (w x, y
 * w) if only the items were reversed.
 */
static void deck_draws_turn(size_t n, const sb_item x[], const sb_item y[], bool items, bool positions,
                            uint8_t to[], uint8_t from[])
{
    for (size_t j = 0; j < n; j++) {
        const size_t p = x[positions ? n - 1 - j : j], q = y[items ? n - 1 - j : j];

        to[j] = (uint8_t)(items ? n - 1 - p : p);
        from[j] = (uint8_t)(positions ? n - 1 - q : q);
    }
}

void sb_deck_draws_count(size_t n, const sb_item a[], const sb_item place[], enum sb_deck_view view,
                         uint32_t count[])
{
    const bool forward = view >= SB_VIEW_FORWARD, inverted = view & SB_VIEW_INVERTED;
    const bool reversed = view & SB_VIEW_REVERSED;
    struct deck_draws b;
    size_t row = sb_deck_draws_cell(n - 1, 0);

    memset(b.to, 0, n); /* only for the analyzer: a permutation sets every element */
    memset(b.from, 0, n);
    deck_draws_turn(n, a, place, forward, forward != reversed, inverted ? b.from : b.to,
                    inverted ? b.to : b.from);
    for (size_t i = n - 1; i > 0; i--) {
        const uint8_t d = b.to[i], x = b.from[i];

        count[row + d]++;
        b.to[x] = d;
        b.from[d] = x;
        row -= i;
    }
}

sb_deck_draws_rows *sb_deck_draws_get(size_t index)
{
    static sb_deck_draws_rows *const version[] = {
        sb_deck_draws_plain,
#if defined __x86_64__ || defined __i386__
        sb_deck_draws_avx2,
        sb_deck_draws_avx512,
#endif
    };
    const size_t count = sb_instruction_sets();

    return index < count ? version[count - 1 - index] : NULL;
}
