/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats for people: text of 100 columns for terminals, whose `look` says whether it is Unicode and has colours; GitHub's
 * Markdown, always in Unicode; one self-contained page for browsers; and a picture, of a figure or of the text. */
#include "core/text.h"
#include "report/format/format.h"
#include "report/page.h"

#include <stdlib.h>
#include <string.h>

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
    .needs = SB_PART_PAGE,
    .write = text_write,
};

static enum sb_status markdown_write(const struct sb_result_type *type, const void *result,
                                     const struct sb_look *look, FILE *stream)
{
    struct sb_page page = { .stream = stream, .markdown = true, .look = { .unicode = true } };

    type->page(result, &page);
    return page.status;
}

const struct sb_format_type sb_format_markdown = {
    .name = "markdown",
    .title = "the same as text, in Markdown with tables",
    .cite = "GitHub Flavored Markdown Spec 0.29",
    .needs = SB_PART_PAGE,
    .write = markdown_write,
};

static enum sb_status html_write(const struct sb_result_type *type, const void *result,
                                 const struct sb_look *look, FILE *stream)
{
    struct sb_html html = { .stream = stream };

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
    .needs = SB_PART_HTML | SB_PART_PAGE,
    .write = html_write,
};

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
    .needs = SB_PART_SVG | SB_PART_PAGE,
    .write = svg_write,
};
