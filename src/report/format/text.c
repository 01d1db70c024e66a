/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format for terminals: aligned text of 100 columns. `look` says whether the text is Unicode or ASCII,
 * and whether the text has colours. */
#include "report/format/format.h"
#include "report/page.h"

static bool text_has(const struct sb_result_type *type)
{
    return type->page;
}

static enum sb_status text_write(const struct sb_result_type *type, const void *result,
                                 const struct sb_look *look, FILE *stream)
{
    struct sb_page page = { .stream = stream, .look = *look };

    type->page(result, &page);
    return page.status;
}

const struct sb_format_type sb_format_text = {
    .name = "text",
    .title = "tables and bars for a terminal",
    .has = text_has,
    .write = text_write,
};
