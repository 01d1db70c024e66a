/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format for terminals: aligned text of 100 columns, in Unicode or ASCII, coloured or not, as `look`
 * says. */
#include "study/report/format.h"
#include "study/report/page/document.h"

static enum sb_status text_write(const struct sb_reports *reports, const struct sb_look *look, FILE *stream)
{
    struct sb_page page = { .stream = stream };

    if (look)
        page.look = *look;
    return sb_document_write(reports, &page);
}

const struct sb_format_type sb_format_text = {
    .name = "text",
    .title = "tables and bars for a terminal",
    .write = text_write,
};
