/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format for browsers: one self-contained page. For a result without HTML of its own, the format uses the
 * result's page for people. */
#include "report/format/format.h"
#include "report/page.h"

static bool html_has(const struct sb_result_type *type)
{
    return type->html || type->page;
}

static enum sb_status html_write(const struct sb_result_type *type, const void *result,
                                 const struct sb_look *look, FILE *stream)
{
    struct sb_html html = { .stream = stream };

    (void)look;
    if (type->html) {
        type->html(result, &html);
    } else {
        sb_html_open(type->title, stream, &html);
        type->page(result, &html.page);
        sb_html_close(&html);
    }
    return html.page.status ? html.page.status : html.svg.status;
}

const struct sb_format_type sb_format_html = {
    .name = "html",
    .title = "one page for a browser, with figures; it asks nobody for anything",
    .cite = "HTML Living Standard; Content Security Policy Level 3",
    .has = html_has,
    .write = html_write,
};
