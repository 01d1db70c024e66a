/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format for web pages and pull requests: the content of the format `text`, in GitHub's Markdown and
 * always in Unicode. */
#include "report/format/format.h"
#include "report/page.h"

static bool markdown_has(const struct sb_result_type *type)
{
    return type->page;
}

static enum sb_status markdown_write(const struct sb_result_type *type, const void *result,
                                     const struct sb_look *look, FILE *stream)
{
    struct sb_page page = { .stream = stream, .markdown = true, .look = { .unicode = true } };

    (void)look;
    type->page(result, &page);
    return page.status;
}

const struct sb_format_type sb_format_markdown = {
    .name = "markdown",
    .title = "the same as text, in Markdown with tables",
    .cite = "GitHub Flavored Markdown Spec 0.29",
    .has = markdown_has,
    .write = markdown_write,
};
