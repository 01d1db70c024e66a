/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of draws, drawn with lines: one row per path, with the root on the left. A row omits the draws
 * that its path shares with the path in the row above.
 */
#include "study/explain/explain_text.h"

#include "study/explain/explain_paths_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TREE_LABEL_ROOM = SB_EXPLAIN_SHARE_ROOM + 16 };

/* The characters of which the lines consist. */
struct tree_lines {
    const char *first_of_many, *only, *next, *last, *past, *dash;
};

static const struct tree_lines tree_unicode = {
    .first_of_many = "\u252C\u2500",
    .only = "\u2500\u2500",
    .next = "\u251C\u2500",
    .last = "\u2514\u2500",
    .past = "\u2502 ",
    .dash = "\u2500",
};

static const struct tree_lines tree_ascii = {
    .first_of_many = "+-",
    .only = "--",
    .next = "+-",
    .last = "`-",
    .past = "| ",
    .dash = "-",
};

/* Returns whether a later path branches off from the given path at this depth. */
static bool tree_more(const struct sb_explain *explain, size_t path, size_t depth)
{
    for (size_t next = path + 1; next < explain->paths_count; next++) {
        const size_t common = sb_path_common(explain, path, next);

        if (common <= depth)
            return common == depth;
    }
    return false;
}

/* Writes the answer, such as "0". If the answers are not equally likely, also writes the probability: "0
 * (3/8)". Returns the width. */
static size_t tree_label(const struct sb_explain_draw *draw, char text[TREE_LABEL_ROOM])
{
    if (draw->even)
        return (size_t)snprintf(text, TREE_LABEL_ROOM, "%" PRIu32, draw->answer);
    return (size_t)snprintf(text, TREE_LABEL_ROOM, "%" PRIu32 " (%s)", draw->answer, draw->share);
}

static size_t tree_width(const struct sb_explain *explain, size_t depth)
{
    char text[TREE_LABEL_ROOM];
    size_t width = 0;

    for (size_t i = 0; i < explain->paths_count; i++) {
        const size_t one =
            depth < explain->path[i].length ? tree_label(sb_path_draw(explain, i, depth), text) : 0;

        width = one > width ? one : width;
    }
    return width;
}

static void tree_repeat(const char *piece, size_t count, FILE *stream)
{
    for (; count > 0; count--)
        fputs(piece, stream);
}

/* Writes one draw of a row; `common` is the number of draws that the row shares with the row above. */
static void tree_piece(const struct sb_explain *explain, size_t path, size_t depth, size_t common, bool first,
                       const struct tree_lines *lines, FILE *stream)
{
    const size_t width = tree_width(explain, depth);
    char text[TREE_LABEL_ROOM];

    if (depth >= explain->path[path].length) {
        tree_repeat(" ", 3 + width, stream);
        return;
    }
    const bool more = tree_more(explain, path, depth);

    if (!first && depth < common) {
        fputs(more ? lines->past : "  ", stream);
        tree_repeat(" ", width + 1, stream);
        return;
    }
    if (!first && depth == common)
        fputs(more ? lines->next : lines->last, stream);
    else
        fputs(more ? lines->first_of_many : lines->only, stream);
    const size_t used = tree_label(sb_path_draw(explain, path, depth), text);

    fputs(text, stream);
    tree_repeat(depth + 1 < explain->path[path].length ? lines->dash : " ", width + 1 - used, stream);
}

static void tree_rows(const struct sb_explain *explain, struct sb_page *page)
{
    const struct tree_lines *const lines = page->look.unicode ? &tree_unicode : &tree_ascii;
    const size_t depth = sb_path_depth(explain);

    sb_page_code_begin(page);
    for (size_t i = 0; i < explain->paths_count; i++) {
        const struct sb_explain_path *const path = &explain->path[i];
        const size_t common = i ? sb_path_common(explain, i - 1, i) : 0;

        fputs("    ", page->stream);
        for (size_t d = 0; d < depth; d++)
            tree_piece(explain, i, d, common, i == 0, lines, page->stream);
        const enum sb_ink ink =
            explain->orders_count ? sb_explain_ink(&explain->order[path->rank]) : SB_INK_PLAIN;

        sb_page_ink(page, ink);
        fprintf(page->stream, " %s", sb_explain_order_text(explain, path->rank).text);
        sb_page_ink_off(page, ink);
        fprintf(page->stream, explain->even ? "\n" : "  %s\n", path->mass);
    }
    sb_page_code_end(page);
}

void sb_explain_tree(const struct sb_explain *explain, struct sb_page *page)
{
    const size_t count = explain->paths_count;

    sb_page_title(page, 2, "Its tree of draws");
    if (count == 0) {
        sb_page_paragraph(
            page, SB_INK_PLAIN, NULL,
            "There are more than %d paths, or more than %d orders: too many to follow them one by "
            "one.",
            SB_EXPLAIN_PATHS_MOST, SB_EXPLAIN_ORDERS_MOST);
    } else if (explain->draws_count == 0) {
        sb_page_paragraph(page, SB_INK_PLAIN, NULL, "There is no draw, and so a single path, to %s.",
                          sb_explain_order_text(explain, explain->path[0].rank).text);
    } else if (count > SB_EXPLAIN_DRAWN_MOST) {
        sb_page_paragraph(page, SB_INK_PLAIN, NULL,
                          "The tree has %zu paths, too many to draw it here; a smaller n has fewer.", count);
    } else {
        sb_page_paragraph(
            page, SB_INK_PLAIN, NULL,
            "A row is a path, %zu in all: the answers of its draws from left to right, then the "
            "order that they lead to%s%s.",
            count, explain->even ? ". Each has the probability " : ", and the path's probability",
            explain->even ? explain->path[0].mass : "");
        tree_rows(explain, page);
    }
}
