/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How statistics change if a deck is relabelled, reversed or inverted: relations that hold for every
 * statistic, and the symmetries of some. */
#include "unit/test.h"

#include "property/metamorphic.h"
#include "statistic/statistic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 60, FEW = 6 };

/* The statistic's cells of all members. The caller frees them. */
static uint32_t *cells_of(const struct sb_statistic_type *type, size_t n, size_t k, const sb_item a[])
{
    uint32_t *const cell = calloc(sb_statistic_members(type, NULL, n, k) + 1, sizeof *cell);

    assert_non_null(cell);
    type->classify(n, k, a, cell);
    return cell;
}

/* Counts the cells of all deals of k out of n, each of them turned or, for TURNS, relabelled; compares the
 * shares of every member with the null law. */
static void compare_law(const struct sb_statistic_type *type, size_t n, size_t k, enum turn turn)
{
    const size_t members = sb_statistic_members(type, NULL, n, k), cells = sb_statistic_cells(type, NULL, n, k),
                 deals = sb_cells(n, k);
    uint64_t *const count = calloc(members * cells + 1, sizeof *count);
    double *const ln_p = calloc(cells + 1, sizeof *ln_p);
    sb_item name[FEW];

    assert_true(count && ln_p);
    random_deck(n, name);
    for (size_t rank = 0; rank < deals; rank++) {
        sb_item a[FEW], b[FEW];

        sb_permutation_unrank(n, k, rank, a);
        if (turn == TURNS)
            rename_deal(k, name, a, b);
        else
            turn_deal(turn, n, k, a, b);
        uint32_t *const cell = cells_of(type, n, k, b);

        for (size_t member = 0; member < members; member++)
            count[member * cells + cell[member]]++;
        free(cell);
    }
    for (size_t member = 0; member < members; member++) {
        assert_int_equal(sb_statistic_null_law(type, NULL, n, k, ln_p), SB_OK);
        for (size_t i = 0; i < cells; i++)
            if (!(fabs((double)count[member * cells + i] - (double)deals * exp(ln_p[i])) < 1e-9 * (double)deals))
                fail_msg("%s, deals of %zu of %zu, member %zu, cell %zu, turn %d", type->name, k, n, member, i,
                         (int)turn);
    }
    free(ln_p);
    free(count);
}

/* If each deal is as likely as any other, so is each turned deal: the null law of every statistic does not
 * change when all decks are relabelled, reversed or inverted. */
TEST(laws_of_turned_decks)
{
    for (size_t s = 0; s < sb_statistic_types_count; s++)
        for (size_t n = 2; n <= FEW; n++)
            for (size_t k = 1; k <= n; k++)
                for (enum turn turn = 0; turn <= TURNS; turn++)
                    if (sb_statistic_cells(sb_statistic_types[s], NULL, n, k) &&
                        (k == n || (turn != TURN_INVERTED && turn != TURN_MIRRORED)))
                        compare_law(sb_statistic_types[s], n, k, turn);
}

/* If item i becomes item name[i], row i of the matrix becomes row name[i]. */
TEST(relabelling_permutes_the_rows)
{
    for (int trial = 0; trial < 300; trial++) {
        const size_t n = 2 + random_below(ITEMS - 1), k = 1 + random_below(n);
        sb_item a[ITEMS], b[ITEMS], name[ITEMS];

        random_deck(n, a);
        random_deck(n, name);
        rename_deal(k, name, a, b);
        uint32_t *const before = cells_of(&sb_statistic_position, n, k, a);
        uint32_t *const after = cells_of(&sb_statistic_position, n, k, b);

        for (size_t i = 0; i < n; i++)
            assert_int_equal(after[name[i]], before[i]);
        free(before);
        free(after);
    }
}

/* Reversing the deck reverses the columns of the matrix; inverting it transposes the matrix. */
TEST(turning_turns_the_matrix)
{
    for (int trial = 0; trial < 300; trial++) {
        const size_t n = 2 + random_below(ITEMS - 1);
        sb_item a[ITEMS], b[ITEMS];

        random_deck(n, a);
        uint32_t *const before = cells_of(&sb_statistic_position, n, n, a);

        turn_deal(TURN_REVERSED, n, n, a, b);
        uint32_t *const reversed = cells_of(&sb_statistic_position, n, n, b);

        turn_deal(TURN_INVERTED, n, n, a, b);
        uint32_t *const inverted = cells_of(&sb_statistic_position, n, n, b);

        for (size_t i = 0; i < n; i++) {
            assert_int_equal(reversed[i], n - 1 - before[i]);
            assert_int_equal(inverted[before[i]], i);
        }
        free(before);
        free(reversed);
        free(inverted);
    }
}

/* What a turn does to the cell of a statistic with one member: nothing, or it turns the order of all cells
 * around. */
struct symmetry {
    const char *statistic;
    enum turn turn;
    bool around;
};

static const struct symmetry symmetries[] = {
    { "fixed-points", TURN_INVERTED, false },
    { "fixed-points", TURN_ROTATED, false },
    { "fixed-points", TURN_MIRRORED, false },
    { "cycles", TURN_INVERTED, false },
    { "cycles", TURN_ROTATED, false },
    { "cycles", TURN_MIRRORED, false },
    { "cycle-of-first", TURN_INVERTED, false },
    { "parity", TURN_INVERTED, false },
    { "parity", TURN_ROTATED, false },
    { "parity", TURN_MIRRORED, false },
    { "inversions", TURN_INVERTED, false },
    { "inversions", TURN_ROTATED, false },
    { "inversions", TURN_MIRRORED, false },
    { "inversions", TURN_REVERSED, true },
    { "inversions", TURN_COMPLEMENT, true },
    { "descents", TURN_ROTATED, false },
    { "descents", TURN_REVERSED, true },
    { "descents", TURN_COMPLEMENT, true },
    { "rising-sequences", TURN_ROTATED, false },
    { "longest-increasing", TURN_INVERTED, false },
    { "longest-increasing", TURN_ROTATED, false },
    { "longest-increasing", TURN_MIRRORED, false },
    { "displacement", TURN_INVERTED, false },
    { "displacement", TURN_ROTATED, false },
    { "displacement", TURN_MIRRORED, false },
    { "adjacent", TURN_ROTATED, false },
};

TEST(symmetries_hold)
{
    for (size_t s = 0; s < sizeof symmetries / sizeof symmetries[0]; s++)
        for (int trial = 0; trial < 200; trial++) {
            const struct sb_statistic_type *const type = sb_statistic_find(symmetries[s].statistic);
            const size_t n = 2 + random_below(ITEMS - 1);
            sb_item a[ITEMS], b[ITEMS];

            assert_non_null(type);
            if (sb_statistic_cells(type, NULL, n, n) == 0)
                continue;
            random_deck(n, a);
            turn_deal(symmetries[s].turn, n, n, a, b);
            uint32_t *const before = cells_of(type, n, n, a), *const after = cells_of(type, n, n, b);
            const size_t expected =
                symmetries[s].around ? sb_statistic_cells(type, NULL, n, n) - 1 - before[0] : before[0];

            if (after[0] != expected)
                fail_msg("%s of a deck of %zu, turn %d: cell %u becomes %u", type->name, n, (int)symmetries[s].turn,
                         before[0], after[0]);
            free(before);
            free(after);
        }
}
