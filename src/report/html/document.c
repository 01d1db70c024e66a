/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frame of a page: HTML that is also XML. The page contains its style, its script and a policy (Content
 * Security Policy Level 3, W3C). The policy forbids everything else, so the page makes no network requests.
 */
#include "report/html/html.h"

#include "report/glossary.h"
#include "report/html/asset.h"
#include "report/markup.h"

enum { DOCUMENT_PATHS_MOST = 600 }; /* a path takes about 350 bytes */

void sb_html_open(const char *title, FILE *stream, struct sb_html *html)
{
    sb_html_open_styled(title, (const char *const[]) { NULL }, stream, html);
}

void sb_html_open_styled(const char *title, const char *const styles[], FILE *stream, struct sb_html *html)
{
    *html = (struct sb_html) {
        .stream = stream,
        .page = { .stream = stream, .html = true, .look = { .unicode = true } },
        .svg = { .stream = stream },
        .paths = DOCUMENT_PATHS_MOST,
    };
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n", stream);
    fprintf(stream, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\" />\n", sb_asset_policy);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n", stream);
    fputs("<meta name=\"generator\" content=\"shufflebias " SB_VERSION "\" />\n<title>", stream);
    sb_markup_text(stream, title);
    fprintf(stream, "</title>\n<style>%s</style>\n<style>%s</style>\n", sb_asset_figure_css,
            sb_asset_style_css);
    for (size_t i = 0; styles[i]; i++)
        fprintf(stream, "<style>%s</style>\n", styles[i]);
    fputs("</head>\n<body>\n<main>\n", stream);
}

void sb_html_close(struct sb_html *html)
{
    fputs("</main>\n", html->stream);
    sb_glossary_list(html->page.explained, html->stream);
    fprintf(html->stream,
            "<footer>Made by shufflebias " SB_VERSION
            ". The same command gives the same page.</footer>\n<script>%s</script>\n</body>\n</html>\n",
            sb_asset_script_js);
}
