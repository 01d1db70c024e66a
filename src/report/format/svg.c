/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format of one figure for slides and papers. */
#include "report/format/format.h"

static bool svg_has(const struct sb_result_type *type)
{
    return type->svg;
}

static enum sb_status svg_write(const struct sb_result_type *type, const void *result,
                                const struct sb_look *look, FILE *stream)
{
    type->svg(result, look->figure, stream);
    return SB_OK;
}

const struct sb_format_type sb_format_svg = {
    .name = "svg",
    .title = "one figure: bars of permutations, the tree of draws, or the matrix of items by positions",
    .cite = "SVG 1.1, W3C",
    .has = svg_has,
    .write = svg_write,
};
