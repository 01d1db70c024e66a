/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format for web pages and pull requests: what text says, in GitHub's Markdown and always in Unicode. */
#include "study/report/format.h"
#include "study/report/page/document.h"

static enum sb_status markdown_write(const struct sb_reports *reports, const struct sb_look *look,
                                     FILE *stream)
{
    struct sb_page page = { .stream = stream, .markdown = true, .look = { .unicode = true } };

    (void)look;
    return sb_document_write(reports, &page);
}

const struct sb_format_type sb_format_markdown = {
    .name = "markdown",
    .title = "the same as text, in Markdown with tables",
    .cite = "GitHub Flavored Markdown Spec 0.29",
    .write = markdown_write,
};
