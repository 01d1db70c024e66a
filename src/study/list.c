/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the entries of all registries: shuffles, draws, generators, statistics, tests and formats. Also
 * returns the version. */
#include "core/calls.h"
#include "draw/draw.h"
#include "fit/fit.h"
#include "report/format/format.h"
#include "rng/rng.h"
#include "shuffle/shuffle.h"
#include "statistic/statistic.h"
#include "tally/tally.h"

const char *sb_version(void)
{
    return SB_VERSION;
}

static bool list_shuffle(size_t index, struct sb_entry *entry)
{
    if (index >= sb_shuffle_types_count)
        return false;
    const struct sb_shuffle_type *const type = sb_shuffle_types[index];
    *entry = (struct sb_entry) { "shuffle", type->name, type->parameter.name, type->title, type->cite };
    return true;
}

static bool list_draw(size_t index, struct sb_entry *entry)
{
    if (index >= sb_draw_types_count)
        return false;
    const struct sb_draw_type *const type = sb_draw_types[index];
    *entry = (struct sb_entry) { "draw", type->name, type->parameter.name, type->title, type->cite };
    return true;
}

static bool list_rng(size_t index, struct sb_entry *entry)
{
    struct sb_rng rng;
    const char *title;

    if (!sb_rng_get(index, &rng, &title))
        return false;
    *entry = (struct sb_entry) { "rng", rng.name, NULL, title, rng.type->cite };
    return true;
}

static const char list_repeat[] = "whole decks that come up again, where there are too many to count by rank";
static const char list_bettor[] = "cards of a stream that can be predicted from what came before them";

static bool list_statistic(size_t index, struct sb_entry *entry)
{
    if (index == sb_statistic_types_count)
        *entry = (struct sb_entry) { "statistic", sb_statistics_repeat, NULL, list_repeat, NULL };
    if (index == sb_statistic_types_count + 1)
        *entry = (struct sb_entry) { "statistic", sb_bettor_name, NULL, list_bettor, NULL };
    if (index >= sb_statistic_types_count)
        return index <= sb_statistic_types_count + 1;
    const struct sb_statistic_type *const type = sb_statistic_types[index];
    *entry = (struct sb_entry) { "statistic", type->name, NULL, type->title, type->cite };
    return true;
}

static bool list_test(size_t index, struct sb_entry *entry)
{
    if (index >= sb_test_types_count)
        return false;
    const struct sb_test_type *const type = sb_test_types[index];
    *entry = (struct sb_entry) { "test", type->name, NULL, type->title, type->cite };
    return true;
}

static bool list_format(size_t index, struct sb_entry *entry)
{
    if (index >= sb_format_types_count)
        return false;
    const struct sb_format_type *const type = sb_format_types[index];
    *entry = (struct sb_entry) { "format", type->name, NULL, type->title, type->cite };
    return true;
}

bool sb_entry_get(size_t index, struct sb_entry *entry)
{
    bool (*const families[])(size_t, struct sb_entry *) = { list_shuffle,   list_draw, list_rng,
                                                            list_statistic, list_test, list_format };
    struct sb_entry own;

    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++) {
        size_t members = 0;

        while (families[f](members, &own))
            if (members++ == index) {
                *entry = own;
                return true;
            }
        index -= members;
    }
    return false;
}
