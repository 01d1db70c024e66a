/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that all statistics share. */
#include "statistic/statistic.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const struct sb_statistic_type *sb_statistic_find(const char *name)
{
    for (size_t i = 0; i < sb_statistic_types_count; i++)
        if (strcmp(sb_statistic_types[i]->name, name) == 0)
            return sb_statistic_types[i];
    return NULL;
}

bool sb_statistic_joins(const struct sb_statistic_type *type, size_t n, size_t k)
{
    enum { STATISTIC_DEALS_FEW = 6 };

    if (type->profile || sb_statistic_members(type, NULL, n, k) == 0 || sb_statistic_cells(type, NULL, n, k) < 2)
        return false;
    if (type == &sb_statistic_position && k == n && n > SB_PLACED_ITEMS_MOST)
        return false;
    return type == &sb_statistic_rank || type == &sb_statistic_position ||
           (k > 1 && sb_deals(n, k) > STATISTIC_DEALS_FEW);
}

size_t sb_statistic_members(const struct sb_statistic_type *type, const struct sb_multiset *multiset, size_t n,
                            size_t k)
{
    if (multiset && type->equal)
        return type->equal->members(multiset, k);
    return type->members ? type->members(n, k) : type->classify != NULL;
}

size_t sb_statistic_cells(const struct sb_statistic_type *type, const struct sb_multiset *multiset, size_t n, size_t k)
{
    if (multiset && type->equal)
        return type->equal->cells(multiset, k);
    if (type->cells)
        return type->cells(n, k);
    return type->window ? type->window(n, k).cells : 0;
}

enum sb_status sb_statistic_null_law(const struct sb_statistic_type *type, const struct sb_multiset *multiset, size_t n,
                                     size_t k, double ln_p[])
{
    const struct sb_statistic_equal *const equal = multiset ? type->equal : NULL;
    const size_t cells = sb_statistic_cells(type, multiset, n, k);

    if (equal && equal->null_law)
        return equal->null_law(multiset, k, ln_p);
    if (!equal && type->null_law)
        return type->null_law(n, k, ln_p);
    for (size_t cell = 0; cell < cells; cell++)
        ln_p[cell] = -log((double)cells);
    return SB_OK;
}

bool sb_statistic_joins_equal(const struct sb_statistic_type *type, const struct sb_multiset *multiset, size_t n,
                              size_t k)
{
    if (multiset && multiset->groups && !type->equal) /* of groups, only their members have a meaning */
        return false;
    if (!multiset || !type->equal)
        return sb_statistic_joins(type, n, k) && !(multiset && type == &sb_statistic_position);
    return sb_statistic_members(type, multiset, n, k) > 0 && sb_statistic_cells(type, multiset, n, k) > 1;
}

bool sb_statistic_joins_profile(const struct sb_statistic_type *type, const char *profile, size_t n, size_t k)
{
    return profile && type->profile && strcmp(type->profile, profile) == 0 &&
           sb_statistic_members(type, NULL, n, k) > 0 && sb_statistic_cells(type, NULL, n, k) > 1;
}

enum sb_status sb_statistic_profile_known(const char *profile, struct sb_error *error)
{
    if (!profile || strcmp(profile, "cards") == 0)
        return SB_OK;
    return sb_error_set(error, SB_INVALID, "unknown profile '%.60s': there is cards", profile);
}

enum sb_status sb_statistic_profile_check(const char *profile, const struct sb_multiset *multiset, size_t n,
                                          struct sb_error *error)
{
    const enum sb_status status = sb_statistic_profile_known(profile, error);

    if (status || !profile)
        return status;
    if (n != SB_CARDS)
        return sb_error_set(error, SB_INVALID, "the profile cards is of %d playing cards, not of %zu: leave it out",
                            SB_CARDS, n);
    if (multiset)
        return sb_error_set(
            error, SB_INVALID,
            "the profile cards is of whole decks of %d different cards: leave it out, and name suits by "
            "`kinds`",
            SB_CARDS);
    return SB_OK;
}

bool sb_statistic_merges(const struct sb_statistic_type *type, size_t n)
{
    return type != &sb_statistic_rank && n > type->unmerged;
}

char *sb_statistic_label(const struct sb_statistic_type *type, const struct sb_item_names *names, size_t n, size_t k,
                         size_t member, size_t cell, char text[SB_LABEL_ROOM])
{
    if (sb_item_multiset(names) && type->equal) {
        if (type->equal->label)
            type->equal->label(names, k, cell, text);
        else
            snprintf(text, SB_LABEL_ROOM, "%zu", cell);
    } else if (type->label) {
        type->label(names, n, k, member, cell, text);
    } else if (type->window) {
        const struct sb_window window = type->window(n, k);

        sb_window_label(&window, cell, cell, text);
    } else {
        snprintf(text, SB_LABEL_ROOM, "%zu", cell);
    }
    return text;
}

/* Makes windows of values, and labels their cells. */

static const double window_deviations = 6.5;

struct sb_window sb_window_about(double mean, double deviation)
{
    const double low = fmax(0, floor(mean - window_deviations * deviation));
    const double high = ceil(mean + window_deviations * deviation);

    return (struct sb_window) {
        .low = (size_t)low,
        .cells = (size_t)(high - low) + 1,
        .below = low > 0,
        .above = true,
    };
}

void sb_window_label(const struct sb_window *window, size_t first, size_t last, char text[SB_WINDOW_ROOM])
{
    const size_t low = window->low + first, high = window->low + last;

    if (window->below && first == 0)
        snprintf(text, SB_WINDOW_ROOM, "%zu or fewer", high);
    else if (window->above && last + 1 == window->cells)
        snprintf(text, SB_WINDOW_ROOM, "%zu or more", low);
    else if (first < last)
        snprintf(text, SB_WINDOW_ROOM, "%zu to %zu", low, high);
    else
        snprintf(text, SB_WINDOW_ROOM, "%zu", low);
}
