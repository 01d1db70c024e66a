/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences as HTML: code, links, explained terms and typeset numbers. */
#include "report/prose.h"

#include "report/bibliography.h"
#include "report/glossary.h"
#include "report/markup.h"
#include "report/typeset.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* How identifiers in the text begin, and the beginning of the address that replaces this beginning. */
static const struct {
    const char *begins, *address;
} prose_links[] = {
    { "https://", "https://" },
    { "http://", "http://" },
    { "doi:", "https://doi.org/" },
    { "arXiv:", "https://arxiv.org/abs/" },
};

/* The length of the word, without the punctuation that ends the word. A DOI may end in a parenthesis that it
 * opened. */
static size_t prose_word(const char *text)
{
    size_t length = strcspn(text, " \n");
    const char *const ends = memchr(text, '(', length) ? ".,;:" : ".,;:)";

    while (length > 0 && strchr(ends, text[length - 1]))
        length--;
    return length;
}

static size_t prose_link(const char *text, size_t length, const char *before, size_t from, FILE *stream)
{
    /* the text of such a link is its address, which paper need not repeat */
    fprintf(stream, "<a%s href=\"%s", strncmp(text, "http", 4) == 0 ? " class=\"url\"" : "", before);
    sb_markup_part(stream, text + from, length - from);
    fputs("\">", stream);
    sb_markup_part(stream, text, length);
    fputs("</a>", stream);
    return length;
}

/* Writes the link with which the text begins. Returns its length, or 0 if there is none. */
static size_t prose_links_write(const char *text, FILE *stream)
{
    size_t length;
    const char *const address = sb_bibliography_find(text, &length);

    if (address)
        return prose_link(text, length, address, length, stream);
    for (size_t i = 0; i < sizeof prose_links / sizeof prose_links[0]; i++) {
        const size_t begins = strlen(prose_links[i].begins), word = prose_word(text);

        if (word > begins && strncmp(text, prose_links[i].begins, begins) == 0)
            return prose_link(text, word, prose_links[i].address, begins, stream);
    }
    return 0;
}

/* Writes the code, between backquotes, with which the text begins. Returns its length with both backquotes, or 0
 * if there is none. */
static size_t prose_code(const char *text, FILE *stream)
{
    const char *const end = text[0] == '`' ? strchr(text + 1, '`') : NULL;

    if (!end)
        return 0;
    fputs("<code>", stream);
    sb_markup_part(stream, text + 1, (size_t)(end - text - 1));
    fputs("</code>", stream);
    return (size_t)(end - text + 1);
}

/* Writes what needs markup at the beginning of a word. Returns its length, or 0 if nothing needs markup. */
static size_t prose_marked(const char *text, unsigned *explained, FILE *stream)
{
    size_t length = prose_code(text, stream);

    if (!length)
        length = prose_links_write(text, stream);
    if (!length && explained)
        length = sb_glossary_write(text, explained, stream);
    return length;
}

/* Returns whether text[at] ends a word of one letter, such as n. */
static bool prose_letter(const char *text, size_t at)
{
    return isalpha((unsigned char)text[at]) && (at == 0 || strchr(" (", text[at - 1]) != NULL);
}

/* Returns whether text[at] is a blank of an equation such as "n = 3", or of a product such as "3 \u00D7 2". */
static bool prose_equation(const char *text, size_t at)
{
    static const char times[] = "\u00D7";
    const size_t length = sizeof times - 1;

    if (at == 0 || text[at] != ' ')
        return false;
    if (strncmp(text + at + 1, times, length) == 0 ||
        (at >= length && strncmp(text + at - length, times, length) == 0))
        return true;
    return text[at - 1] == '=' ? at > 2 && text[at - 2] == ' ' && prose_letter(text, at - 3)
                               : text[at + 1] == '=' && text[at + 2] == ' ' && prose_letter(text, at - 1);
}

void sb_prose_title(const char *text, FILE *stream)
{
    for (size_t at = 0; text[at];) {
        size_t plain = 0;

        while (text[at + plain] && !prose_equation(text, at + plain))
            plain++;
        sb_markup_part(stream, text + at, plain);
        at += plain;
        if (text[at]) {
            fputs("\u00A0", stream);
            at++;
        }
    }
}

void sb_prose(const char *text, unsigned *explained, FILE *stream)
{
    const char *const start = text;
    bool begins = true; /* whether a word may begin here */

    while (*text) {
        const size_t marked = begins ? prose_marked(text, explained, stream) : 0;
        size_t plain = strcspn(text, " (\n`");

        if (marked == 0) {
            const bool equation = prose_equation(start, (size_t)(text - start) + plain);

            plain += text[plain] != '\0'; /* the separator, too */
            sb_typeset(text, plain - equation, stream);
            fputs(equation ? "\u00A0" : "", stream);
        }
        text += marked ? marked : plain;
        begins = marked == 0;
    }
}
