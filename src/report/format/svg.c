/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format for a picture in slides and papers: a figure of the result, or the result's text in a
 * terminal. */
#include "core/text.h"
#include "report/format/format.h"
#include "report/page.h"
#include "report/svg_terminal.h"

#include <stdlib.h>
#include <string.h>

static bool svg_has(const struct sb_result_type *type)
{
    return type->svg || type->page;
}

static enum sb_status svg_terminal(const struct sb_result_type *type, const void *result, FILE *stream)
{
    char *text = NULL;
    size_t size;
    struct sb_page page = { .stream = sb_memory_stream_open(&text, &size),
                            .look = { .unicode = true, .colour = true } };
    enum sb_status status = SB_NO_MEMORY;

    if (!page.stream)
        return status;
    type->page(result, &page);
    if (sb_memory_stream_close(page.stream, &text) && page.status == SB_OK) {
        sb_svg_terminal(text, stream);
        status = SB_OK;
    }
    free(text);
    return status;
}

static enum sb_status svg_write(const struct sb_result_type *type, const void *result,
                                const struct sb_look *look, FILE *stream)
{
    if (!type->svg || (look->figure && strcmp(look->figure, "terminal") == 0))
        return svg_terminal(type, result, stream);
    return type->svg(result, look->figure, stream);
}

const struct sb_format_type sb_format_svg = {
    .name = "svg",
    .title =
        "one figure: bars of permutations, the tree of draws, the matrix of items by positions, or the text",
    .cite = "SVG 1.1, W3C",
    .has = svg_has,
    .write = svg_write,
};
