/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page for people, as text for terminals, as Markdown or as HTML. Colours are SGR sequences (ECMA-48). The Markdown
 * is GitHub's, and every character with a special meaning is escaped. */
#include "report/page.h"
#include "core/text.h"

static char *page_format(struct sb_page *page, const char *format, va_list arguments)
{
    struct sb_sentence s = { 0 };

    sb_sentence_add_list(&s, format, arguments);
    char *const text = sb_sentence_take(&s);
    char *const folded = text ? sb_sanitize_page_text(text, page->look.unicode) : NULL;

    free(text);
    if (!folded)
        page->status = SB_NO_MEMORY;
    return folded;
}

size_t sb_page_width(const struct sb_page *page)
{
    const size_t columns = page->look.columns ? page->look.columns : SB_PAGE_WIDTH;

    return columns < SB_PAGE_LEAST ? SB_PAGE_LEAST : columns > SB_PAGE_MOST ? SB_PAGE_MOST : columns;
}

void sb_page_begin(struct sb_page *page)
{
    if (page->begun && !page->html && (page->markdown || !page->tight))
        fputc('\n', page->stream);
    page->begun = true;
}

/* Of each ink: the code of its colour sequence "\033[...m", its class in HTML, and its class in a terminal's window. */
static const struct {
    const char *code, *html, *terminal;
} page_inks[] = {
    [SB_INK_PLAIN] = { "0", "", "" },
    [SB_INK_STRONG] = { "1", "", "strong" },
    [SB_INK_FAINT] = { "2", "soft", "faint" },
    [SB_INK_OVER] = { "33", "over", "over" },
    [SB_INK_UNDER] = { "36", "under", "under" },
    [SB_INK_GOOD] = { "1;32", "good", "good" },
    [SB_INK_BAD] = { "1;31", "bad", "bad" },
    [SB_INK_DOUBT] = { "1;33", "doubt", "doubt" },
    [SB_INK_HEAT1] = { "0", "heat1", "" },
    [SB_INK_HEAT2] = { "0", "heat2", "" },
    [SB_INK_HEAT3] = { "0", "heat3", "" },
    [SB_INK_HEAT4] = { "0", "heat4", "" },
};

void sb_page_ink(const struct sb_page *page, enum sb_ink ink)
{
    if (page->look.colour && ink != SB_INK_PLAIN)
        fprintf(page->stream, "\033[%sm", page_inks[ink].code);
}

void sb_page_ink_off(const struct sb_page *page, enum sb_ink ink)
{
    if (page->look.colour && ink != SB_INK_PLAIN)
        fputs("\033[0m", page->stream);
}

const char *sb_page_class(enum sb_ink ink)
{
    return page_inks[ink].html;
}

const char *sb_page_terminal_class(const char *code, size_t length)
{
    for (size_t i = 0; i < sizeof page_inks / sizeof page_inks[0]; i++)
        if (strlen(page_inks[i].code) == length && strncmp(page_inks[i].code, code, length) == 0)
            return page_inks[i].terminal;
    return "";
}

void sb_page_escape(const struct sb_page *page, const char *text)
{
    if (page->html) {
        sb_markup_text(page->stream, text);
        return;
    }
    for (; *text; text++) {
        if (page->markdown && strchr("\\`*_[]<>|#&~$", *text))
            fputc('\\', page->stream);
        fputc(*text, page->stream);
    }
}

void sb_page_code_begin(struct sb_page *page)
{
    sb_page_begin(page);
    fputs(page->html ? "<pre>\n" : page->markdown ? "```text\n" : "", page->stream);
}

void sb_page_code(const struct sb_page *page, const char *text)
{
    if (page->html)
        sb_markup_text(page->stream, text);
    else
        fputs(text, page->stream);
}

void sb_page_code_end(const struct sb_page *page)
{
    fputs(page->html ? "</pre>\n" : page->markdown ? "```\n" : "", page->stream);
}

void sb_page_rule(const struct sb_page *page, bool twofold, size_t width)
{
    sb_page_ink(page, SB_INK_FAINT);
    for (size_t i = 0; i < width; i++)
        fputs(page->look.unicode ? twofold ? "\u2550" : "\u2500" : twofold ? "=" : "-", page->stream);
    sb_page_ink_off(page, SB_INK_FAINT);
    fputc('\n', page->stream);
}

static void page_fill(const struct sb_page *page, char *text, size_t column)
{
    char *state;

    for (char *word = strtok_r(text, " ", &state); word; word = strtok_r(NULL, " ", &state)) {
        const size_t width = sb_utf8_width(word);

        if (column > 0 && !page->markdown && column + 1 + width > sb_page_width(page)) {
            fputc('\n', page->stream);
            column = 0;
        }
        if (column > 0)
            fputc(' ', page->stream);
        sb_page_escape(page, word);
        column += (column > 0) + width;
    }
}

void sb_page_anchor(struct sb_page *page, const char *prefix, size_t number)
{
    page->anchor = prefix;
    page->anchor_number = number;
}

static void page_html_title(struct sb_page *page, unsigned level, const char *text)
{
    fprintf(page->stream, "<h%u", level);
    if (page->anchor)
        fprintf(page->stream, " id=\"%s-%zu\"", page->anchor, page->anchor_number);
    page->anchor = NULL;
    fputc('>', page->stream);
    sb_prose_title(text, page->stream);
    fprintf(page->stream, "</h%u>\n", level);
}

static void page_text_title(struct sb_page *page, unsigned level, char *text)
{
    const size_t width = sb_utf8_width(text), most = sb_page_width(page);

    sb_page_begin(page);
    if (page->markdown)
        fputs(level == 1 ? "# " : "## ", page->stream);
    else if (level > 1)
        fputc('\n', page->stream);
    sb_page_ink(page, SB_INK_STRONG);
    if (page->look.columns && width > most)
        page_fill(page, text, 0);
    else
        sb_page_escape(page, text);
    sb_page_ink_off(page, SB_INK_STRONG);
    fputc('\n', page->stream);
    if (!page->markdown)
        sb_page_rule(page, level == 1, width < most ? width : most);
}

void sb_page_title(struct sb_page *page, unsigned level, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    char *const text = page_format(page, format, arguments);
    va_end(arguments);
    if (text && page->html)
        page_html_title(page, level, text);
    else if (text)
        page_text_title(page, level, text);
    free(text);
}

static void page_html_paragraph(struct sb_page *page, enum sb_ink ink, const char *label, const char *text)
{
    fputs("<p>", page->stream);
    if (label) {
        fprintf(page->stream, "<strong class=\"%s\">", sb_page_class(ink));
        sb_prose(label, &page->explained, page->stream);
        fputs("</strong> ", page->stream);
    }
    sb_prose(text, &page->explained, page->stream);
    fputs("</p>\n", page->stream);
}

static void page_text_paragraph(struct sb_page *page, enum sb_ink ink, const char *label, char *text)
{
    const char *const bold = page->markdown ? "**" : "";

    sb_page_begin(page);
    if (label) {
        fputs(bold, page->stream);
        sb_page_ink(page, ink);
        sb_page_escape(page, label);
        sb_page_ink_off(page, ink);
        fputs(bold, page->stream);
    }
    page_fill(page, text, label ? sb_utf8_width(label) : 0);
    fputc('\n', page->stream);
}

void sb_page_paragraph(struct sb_page *page, enum sb_ink ink, const char *label, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    char *const text = page_format(page, format, arguments);
    va_end(arguments);
    if (text && page->html)
        page_html_paragraph(page, ink, label, text);
    else if (text)
        page_text_paragraph(page, ink, label, text);
    free(text);
}

/* The frame of a page: HTML that is also XML. The page contains its style, its script and a policy (Content Security
 * Policy Level 3, W3C). The policy forbids everything else, so the page makes no network requests. */

void sb_html_open(const char *title, const char *const styles[], FILE *stream, struct sb_html *html)
{
    *html = (struct sb_html) {
        .stream = stream,
        .page = { .stream = stream, .html = true, .look = { .unicode = true } },
    };
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n", stream);
    fprintf(stream, "<meta http-equiv=\"Content-Security-Policy\" content=\"%s\" />\n", sb_asset_policy);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n", stream);
    fputs("<meta name=\"generator\" content=\"shufflebias " SB_VERSION "\" />\n<title>", stream);
    sb_markup_text(stream, title);
    fprintf(stream, "</title>\n<style>%s</style>\n<style>%s</style>\n", sb_asset_figure_css, sb_asset_style_css);
    for (size_t i = 0; styles && styles[i]; i++)
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

void sb_html_command(const char *command, FILE *stream)
{
    fputs("<pre class=\"command\" tabindex=\"0\"><code>", stream);
    sb_markup_text(stream, command);
    fputs("</code></pre>\n", stream);
}
