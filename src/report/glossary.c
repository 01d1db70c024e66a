/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The glossary. A term on a page shows its explanation when the pointer is over it and when it has the focus,
 * which a tap gives it. The style sheet shows the explanation, so no script is needed. The list at the end of the
 * page serves paper and screen readers.
 */
#include "report/glossary.h"

#include "report/markup.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { GLOSSARY_ITEMS_LEAST = 3, GLOSSARY_ITEMS_MOST = 9 };

/* The length of the order, such as 231, with which the text begins; 0 if there is none. A number that counts
 * something, as in "231 times", is not an order. */
static size_t glossary_order(const char *text)
{
    static const char *const counted[] = { "times",  "permutations", "shuffles", "paths", "orders", "decks",
                                           "series", "of",           "runs",     "cards", "items",  "seeds" };
    unsigned items = 0;
    size_t length = 0;

    for (; length < GLOSSARY_ITEMS_MOST && isdigit((unsigned char)text[length]); length++)
        items |= 1U << (text[length] - '0');
    if (length < GLOSSARY_ITEMS_LEAST || items != (1U << (length + 1)) - 2 ||
        isalnum((unsigned char)text[length]) || strchr("%-/^!", text[length] ? text[length] : '%') ||
        (strchr(".,", text[length]) && isdigit((unsigned char)text[length + 1])))
        return 0;
    for (size_t i = 0; text[length] == ' ' && i < sizeof counted / sizeof counted[0]; i++)
        if (strncmp(text + length + 1, counted[i], strlen(counted[i])) == 0)
            return 0;
    return length;
}

/* The length of a factorial, such as n! or 3!. */
static size_t glossary_factorial(const char *text)
{
    size_t length = 0;

    while (isdigit((unsigned char)text[length]))
        length++;
    length += length == 0 && text[0] == 'n';
    return length && text[length] == '!' ? length + 1 : 0;
}

/* A term. `find` returns the length of the term at the beginning of a text, or 0; if `find` is NULL, the term is
 * `name`, in small or capital letters. */
static const struct {
    const char *id, *name, *explanation;
    size_t (*find)(const char *text);
} glossary[] = {
    { "order", "231", "An order of the items: item 2 comes first, then item 3, then item 1.",
      glossary_order },
    { "factorial", "n!",
      "n factorial, the number of orders of n items: n \u00D7 (n\u00A0\u2212\u00A01) \u00D7 \u2026 \u00D7 1. "
      "For three "
      "items it is "
      "3 \u00D7 2 \u00D7 1\u00A0=\u00A06.",
      glossary_factorial },
    { "variation", "total variation",
      "How far a shuffle is from fair, from 0 to 1: the share of all shuffles that would have to end in "
      "another order "
      "to make it fair.",
      NULL },
    { "evidence", "evidence against a fair shuffle",
      "E is what a bet against the shuffle has made of a stake of 1. With a fair shuffle it reaches 1,000 at "
      "most once in 1,000 runs, on average.",
      NULL },
    { "alpha", "alpha", "The largest accepted probability that a fair shuffle is called biased.", NULL },
    { "corrected-p", "corrected p",
      "The probability that any of the tests would give so strong a sign of bias if the shuffle were fair.",
      NULL },
};

enum { GLOSSARY_COUNT = sizeof glossary / sizeof glossary[0] };

static size_t glossary_match(size_t term, const char *text)
{
    const size_t length = strlen(glossary[term].name);

    if (glossary[term].find)
        return glossary[term].find(text);
    return strncasecmp(text, glossary[term].name, length) == 0 && !isalnum((unsigned char)text[length])
               ? length
               : 0;
}

/* Writes the explanation of this order: "item 2 comes first, then item 3, then item 1". */
static void glossary_spell(const char *order, size_t length, FILE *stream)
{
    fprintf(stream, "An order of the items: item %c comes first", order[0]);
    for (size_t i = 1; i < length; i++)
        fprintf(stream, ", then item %c", order[i]);
    fputc('.', stream);
}

size_t sb_glossary_write(const char *text, unsigned *explained, FILE *stream)
{
    for (size_t i = 0; i < GLOSSARY_COUNT; i++) {
        const size_t length = *explained & 1U << i ? 0 : glossary_match(i, text);

        if (length == 0)
            continue;
        *explained |= 1U << i;
        fprintf(stream, "<span class=\"term\" tabindex=\"0\" aria-describedby=\"word-%s\" data-tip=\"",
                glossary[i].id);
        if (glossary[i].find == glossary_order)
            glossary_spell(text, length, stream);
        else
            sb_markup_text(stream, glossary[i].explanation);
        fprintf(stream, "\">%.*s</span>", (int)length, text);
        return length;
    }
    return 0;
}

void sb_glossary_list(unsigned explained, FILE *stream)
{
    if (!explained)
        return;
    fputs("<aside class=\"glossary\" aria-labelledby=\"words\">\n<h2 id=\"words\">Words on this "
          "page</h2>\n<dl>\n",
          stream);
    for (size_t i = 0; i < GLOSSARY_COUNT; i++)
        if (explained & 1U << i) {
            fprintf(stream, "<dt>%s</dt><dd id=\"word-%s\">", glossary[i].name, glossary[i].id);
            sb_markup_text(stream, glossary[i].explanation);
            fputs("</dd>\n", stream);
        }
    fputs("</dl>\n</aside>\n", stream);
}
