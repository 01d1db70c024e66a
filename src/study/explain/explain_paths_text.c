/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The paths of a tree of draws. Each function costs O(length) per path. */
#include "study/explain/explain_paths_text.h"

#include "study/explain/explain_text.h"
#include "study/report/page/document.h"

#include <inttypes.h>
#include <string.h>

enum {
    PATHS_ROOM = 256,     /* bytes for the answers of a path; more than the longest path of a figure needs */
    PATHS_DEAL_MOST = 16, /* more items than a deal with at most 8! orders can have */
};

const struct sb_explain_draw *sb_path_draw(const struct sb_explain *explain, size_t path, size_t depth)
{
    return &explain->drawn[explain->path[path].first + depth];
}

size_t sb_path_common(const struct sb_explain *explain, size_t one, size_t other)
{
    size_t same = 0;

    while (same < explain->path[one].length && same < explain->path[other].length &&
           sb_path_draw(explain, one, same)->answer == sb_path_draw(explain, other, same)->answer)
        same++;
    return same;
}

size_t sb_path_depth(const struct sb_explain *explain)
{
    size_t depth = 0;

    for (size_t i = 0; i < explain->paths_count; i++)
        depth = explain->path[i].length > depth ? explain->path[i].length : depth;
    return depth;
}

size_t sb_path_answers(const struct sb_explain *explain, size_t path, char text[], size_t room)
{
    size_t length = 0;

    text[0] = '\0';
    for (size_t d = 0; d < explain->path[path].length && length < room; d++)
        length += (size_t)snprintf(text + length, room - length, "%s%" PRIu32, d ? "," : "",
                                   sb_path_draw(explain, path, d)->answer);
    return length;
}

void sb_path_list(const struct sb_explain *explain, size_t rank, FILE *stream)
{
    char text[PATHS_ROOM];

    for (size_t i = 0; i < explain->paths_count; i++)
        if (explain->path[i].rank == rank) {
            sb_path_answers(explain, i, text, sizeof text);
            fprintf(stream, " %s", text);
        }
}

struct sb_notation sb_explain_order_text(const struct sb_explain *explain, size_t rank)
{
    sb_item a[PATHS_DEAL_MOST];
    struct sb_notation notation;

    sb_permutation_unrank(explain->n, explain->deal, rank, a);
    sb_permutation_notation(explain->n, explain->deal, a, notation.text, sizeof notation.text);
    if (notation.text[0] == '\0')
        strcpy(notation.text, sb_document_deal(&notation));
    return notation;
}

enum sb_ink sb_explain_ink(const struct sb_explain_order *order)
{
    return order->ratio > 1 + 1e-12 ? SB_INK_OVER : order->ratio < 1 - 1e-12 ? SB_INK_UNDER : SB_INK_PLAIN;
}
