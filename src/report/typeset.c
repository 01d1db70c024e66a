/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as books print them. The exponents are Unicode's superscript digits, so they need no markup. */
#include "core/text.h"
#include "report/page.h"

#include <ctype.h>
#include <strings.h>

static const char typeset_digits[] = "0123456789";

/* Writes an integer, which may have a sign and zeros before it, as an exponent. */
static void typeset_raised(const char *integer, size_t length, FILE *stream)
{
    static const char *const raised[] = { "\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                          "\u2075", "\u2076", "\u2077", "\u2078", "\u2079" };
    size_t i = integer[0] == '-' || integer[0] == '+';

    fputs(integer[0] == '-' ? "\u207B" : "", stream);
    while (i + 1 < length && integer[i] == '0')
        i++;
    for (; i < length; i++)
        fputs(raised[integer[i] - '0'], stream);
}

static size_t typeset_integer(const char *text)
{
    const size_t sign = text[0] == '-' || text[0] == '+', digits = strspn(text + sign, typeset_digits);

    return digits && digits <= 9 ? sign + digits : 0;
}

/* Returns whether a number may end before this text: the text is empty or begins with punctuation. */
static bool typeset_ends(const char *text)
{
    return (unsigned char)text[0] >= 0x80 || strchr(" ,;:)%/", text[0]) ||
           (text[0] == '.' && !isalnum((unsigned char)text[1]));
}

/* If the text begins with a number like "8.07e67", writes the number and returns its length. Otherwise returns 0. */
static size_t typeset_scientific(const char *text, FILE *stream)
{
    size_t mantissa = strspn(text, typeset_digits);

    if (mantissa && text[mantissa] == '.' && isdigit((unsigned char)text[mantissa + 1]))
        mantissa += 1 + strspn(text + mantissa + 1, typeset_digits);
    const size_t exponent = mantissa && text[mantissa] == 'e' ? typeset_integer(text + mantissa + 1) : 0;

    if (!exponent || !typeset_ends(text + mantissa + 1 + exponent))
        return 0;
    if (mantissa != 1 || text[0] != '1')
        fprintf(stream, "%.*s\u00A0\u00D7\u00A0", (int)mantissa, text);
    fputs("10", stream);
    typeset_raised(text + mantissa + 1, exponent, stream);
    return mantissa + 1 + exponent;
}

/* If the text begins with an exponent like "^31" or "^n", writes the exponent and returns its length. */
static size_t typeset_exponent(const char *text, FILE *stream)
{
    const size_t digits = text[0] == '^' ? typeset_integer(text + 1) : 0;

    if (text[0] == '^' && (text[1] == 'm' || text[1] == 'n') && typeset_ends(text + 2)) {
        fputs(text[1] == 'm' ? "\u1D50" : "\u207F", stream);
        return 2;
    }
    if (digits == 0 || !typeset_ends(text + 1 + digits))
        return 0;
    typeset_raised(text + 1, digits, stream);
    return 1 + digits;
}

void sb_typeset(const char *text, size_t length, FILE *stream)
{
    size_t plain = 0; /* characters before text + i that are not written yet */

    for (size_t i = 0, used; i < length; i += used ? used : 1) {
        const unsigned char before = i ? (unsigned char)text[i - 1] : ' ';
        const bool number = isdigit((unsigned char)text[i]) && (before >= 0x80 || strchr(" (+<=/~", before));
        const bool power = text[i] == '^' && plain && isalnum(before);

        if (number || power) {
            sb_markup_part(stream, text + i - plain, plain);
            plain = 0;
        }
        used = number ? typeset_scientific(text + i, stream) : power ? typeset_exponent(text + i, stream) : 0;
        plain += used == 0;
    }
    sb_markup_part(stream, text + length - plain, plain);
}

void sb_typeset_cell(const char *text, FILE *stream)
{
    const size_t length = strlen(text);

    if (strspn(text, "0123456789./+-=% ") != length) {
        sb_typeset(text, length, stream);
        return;
    }
    for (size_t i = 0, used; i < length; i += used) {
        const size_t digits = strspn(text + i, typeset_digits);
        const bool whole = i == 0 || text[i - 1] != '.'; /* decimals are not grouped */

        used = digits ? digits : 1;
        if (text[i] == '-' && i == 0 && isdigit((unsigned char)text[1])) {
            fputs("\u2212", stream);
            continue;
        }
        for (size_t d = 0; d < used; d++) {
            if (whole && d > 0 && (digits - d) % 3 == 0)
                fputc(',', stream);
            fputc(text[i + d], stream);
        }
    }
}

void sb_markup_text(FILE *stream, const char *text)
{
    sb_markup_part(stream, text, SIZE_MAX);
}

void sb_markup_part(FILE *stream, const char *text, size_t length)
{
    const char *const start = text;

    for (uint32_t point, last = 0, before = 0; (size_t)(text - start) < length && (point = sb_utf8_next(&text)) != 0;
         before = last, last = point) {
        char bytes[4];

        if (sb_log_text_begins(before, last, point))
            fprintf(stream, "&#%u;", point);
        else if (point == '&')
            fputs("&amp;", stream);
        else if (point == '<')
            fputs("&lt;", stream);
        else if (point == '>')
            fputs("&gt;", stream);
        else if (point == '"')
            fputs("&quot;", stream);
        else
            fwrite(bytes, 1, sb_utf8_put(sb_utf8_unsafe(point) || point == '\r' ? SB_UTF8_REPLACEMENT : point, bytes),
                   stream);
    }
}

void sb_markup_number(FILE *stream, double x)
{
    /* adding 0.0 turns -0.0 into 0.0, so no minus sign is written */
    sb_print(stream, " %.12g", round(100 * x) / 100 + 0.0);
}

void sb_markup_attribute(FILE *stream, const char *name, double x)
{
    sb_print(stream, " %s=\"%.12g\"", name, round(100 * x) / 100 + 0.0);
}

/* The glossary. A term on a page shows its explanation when the pointer is over it and when it has the focus, which a
 * tap gives it. The style sheet shows the explanation, so no script is needed. The list at the end of the page serves
 * paper and screen readers. */

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
    if (length < GLOSSARY_ITEMS_LEAST || items != (1U << (length + 1)) - 2 || isalnum((unsigned char)text[length]) ||
        strchr("%-/^!", text[length] ? text[length] : '%') ||
        (strchr(".,", text[length]) && isdigit((unsigned char)text[length + 1])))
        return 0;
    for (size_t i = 0; text[length] == ' ' && i < sizeof counted / sizeof counted[0]; i++)
        if (strncmp(text + length + 1, counted[i], strlen(counted[i])) == 0)
            return 0;
    return length;
}

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
    { "order", "231", "An order of the items: item 2 comes first, then item 3, then item 1.", glossary_order },
    { "factorial", "n!",
      "n factorial, the number of orders of n items: n \u00D7 (n\u00A0\u2212\u00A01) \u00D7 \u2026 \u00D7 1. "
      "For three items it is 3 \u00D7 2 \u00D7 1\u00A0=\u00A06.",
      glossary_factorial },
    { "variation", "total variation",
      "How far a shuffle is from fair, from 0 to 1: the share of all shuffles that would have to end in "
      "another order to make it fair.",
      NULL },
    { "evidence", "evidence against a fair shuffle",
      "E is what a bet against the shuffle has made of a stake of 1. With a fair shuffle it reaches 1,000 at "
      "most once in 1,000 runs, on average.",
      NULL },
    { "kl", "Kullback-Leibler divergence",
      "How many bits of evidence against a fair shuffle each shuffle gives, on average. It is 0 if the shuffle is "
      "fair.",
      NULL },
    { "dof", "dof", "Degrees of freedom: how many counts can vary freely. Of six counts with a known total it is five.",
      NULL },
    { "effect", "effect",
      "How strong the bias is in each shuffle: what a test's value has beyond chance, divided by the number of "
      "shuffles.",
      NULL },
    { "alpha", "alpha", "The largest accepted probability that a fair shuffle is called biased.", NULL },
    { "corrected-p", "corrected p",
      "The probability that any of the tests would give so strong a sign of bias if the shuffle were fair.", NULL },
};

enum { GLOSSARY_COUNT = sizeof glossary / sizeof glossary[0] };

static size_t glossary_match(size_t term, const char *text)
{
    const size_t length = strlen(glossary[term].name);

    if (glossary[term].find)
        return glossary[term].find(text);
    return strncasecmp(text, glossary[term].name, length) == 0 && !isalnum((unsigned char)text[length]) ? length : 0;
}

static void glossary_spell(const char *order, size_t length, FILE *stream)
{
    fprintf(stream, "An order of the items: item %c comes first", order[0]);
    for (size_t i = 1; i < length; i++)
        fprintf(stream, ", then item %c", order[i]);
    fputc('.', stream);
}

/* If the text begins with a term whose bit is not set in *explained, writes the term with its explanation, sets
 * the bit and returns the term's length. Otherwise writes nothing and returns 0. The text must begin at the
 * beginning of a word. */
static size_t glossary_write(const char *text, unsigned *explained, FILE *stream)
{
    for (size_t i = 0; i < GLOSSARY_COUNT; i++) {
        const size_t length = *explained & 1U << i ? 0 : glossary_match(i, text);

        if (length == 0)
            continue;
        *explained |= 1U << i;
        fprintf(stream, "<span class=\"term\" tabindex=\"0\" aria-describedby=\"word-%s\" data-tip=\"", glossary[i].id);
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

/* The titles of known works and their addresses; and how identifiers in the text begin, and the beginning of the
 * address that replaces this beginning. */
static const struct {
    const char *begins, *address;
    bool identifier;
} prose_links[] = {
    { "https://", "https://", true },
    { "http://", "http://", true },
    { "doi:", "https://doi.org/", true },
    { "arXiv:", "https://arxiv.org/abs/", true },
    { "The Danger of Na\u00EFvet\u00E9", "https://blog.codinghorror.com/the-danger-of-naivete/", false },
    { "Algorithm 235", "https://doi.org/10.1145/364520.364540", false },
    { "Doing the Microsoft Shuffle", "https://www.robweir.com/blog/2010/02/microsoft-random-browser-ballot.html",
      false },
    { "Will It Shuffle?", "https://bost.ocks.org/mike/shuffle/", false },
    { "ECMA-262", "https://tc39.es/ecma262/", false },
    { "Getting things sorted in V8", "https://v8.dev/blog/array-sort", false },
    { "comp.lang.c FAQ", "https://c-faq.com/lib/randrange.html", false },
    { "OEIS A152960", "https://oeis.org/A152960", false },
    { "The bias of three pseudo-random shuffles", "https://dml.mathdoc.fr/item/GDZPPN00203316X/", false },
    { "The Art of Computer Programming", "https://www-cs-faculty.stanford.edu/~knuth/taocp.html", false },
    { "Sequential Tests of Statistical Hypotheses", "https://doi.org/10.1214/aoms/1177731118", false },
    { "Game-Theoretic Statistics and Safe Anytime-Valid Inference", "https://arxiv.org/abs/2210.01948", false },
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

static size_t prose_link(const char *text, FILE *stream)
{
    for (size_t i = 0; i < sizeof prose_links / sizeof prose_links[0]; i++) {
        const size_t begins = strlen(prose_links[i].begins);
        const size_t length = prose_links[i].identifier ? prose_word(text) : begins;

        if (strncmp(text, prose_links[i].begins, begins) != 0 || (prose_links[i].identifier && length <= begins))
            continue;
        /* the text of such a link is its address, which paper need not repeat */
        fprintf(stream, "<a%s href=\"%s", strncmp(text, "http", 4) == 0 ? " class=\"url\"" : "",
                prose_links[i].address);
        sb_markup_part(stream, text + begins, length - begins);
        fputs("\">", stream);
        sb_markup_part(stream, text, length);
        fputs("</a>", stream);
        return length;
    }
    return 0;
}

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

static size_t prose_marked(const char *text, unsigned *explained, FILE *stream)
{
    size_t length = prose_code(text, stream);

    if (!length)
        length = prose_link(text, stream);
    if (!length && explained)
        length = glossary_write(text, explained, stream);
    return length;
}

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
    if (strncmp(text + at + 1, times, length) == 0 || (at >= length && strncmp(text + at - length, times, length) == 0))
        return true;
    return text[at - 1] == '=' ? at > 2 && text[at - 2] == ' ' && prose_letter(text, at - 3)
                               : text[at + 1] == '=' && text[at + 2] == ' ' && prose_letter(text, at - 1);
}

void sb_prose_title(const char *text, FILE *stream)
{
    for (size_t from = 0, at = 0; at == 0 || text[at - 1]; at++)
        if (!text[at] || prose_equation(text, at)) {
            sb_markup_part(stream, text + from, at - from);
            fputs(text[at] ? "\u00A0" : "", stream);
            from = at + 1;
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
