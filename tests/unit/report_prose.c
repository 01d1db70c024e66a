/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences and numbers of pages: powers, separators, code, links and explained terms. */
#include "unit/test.h"

#include "report/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE, PROSE, CELL, TITLE, COMMAND };

static void expect(int how, const char *text, const char *expected)
{
    char *written = NULL;
    size_t size;
    FILE *const stream = open_memstream(&written, &size);

    assert_non_null(stream);
    if (how == PROSE)
        sb_prose(text, NULL, stream);
    else if (how == CELL)
        sb_typeset_cell(text, stream);
    else if (how == TITLE)
        sb_prose_title(text, stream);
    else if (how == COMMAND)
        sb_html_command(text, stream);
    else
        sb_typeset(text, strlen(text), stream);
    fclose(stream);
    assert_string_equal(written, expected);
    free(written);
}

TEST(powers_have_raised_exponents)
{
    expect(NONE, "8.07e67", "8.07\u00A0\u00D7\u00A010\u2076\u2077");
    expect(NONE, "1e-09 at most", "10\u207B\u2079 at most");
    expect(NONE, "(E = 1.0e9).", "(E = 1.0\u00A0\u00D7\u00A010\u2079).");
    expect(NONE, "1+2.3e-7", "1+2.3\u00A0\u00D7\u00A010\u207B\u2077");
    expect(NONE, "2^31, n^n", "2\u00B3\u00B9, n\u207F");
    expect(NONE, "1/2^m", "1/2\u1D50");
    expect(NONE, "5.5e-4342937", "5.5\u00A0\u00D7\u00A010\u207B\u2074\u00B3\u2074\u00B2\u2079\u00B3\u2077");
}

TEST(names_stay_unchanged)
{
    static const char *const names[] = { "run-1e5.txt", "0x1e5", "1e5x", "a1e5", "e",           "1e",
                                         "1.e5",        "^",     "2^",   "2^x",  "1e1234567890" };

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        expect(NONE, names[i], names[i]);
}

TEST(cells_have_separators)
{
    expect(CELL, "1262050/302875106592253", "1,262,050/302,875,106,592,253");
    expect(CELL, "1164.01234", "1,164.01234");
    expect(CELL, "999", "999");
    expect(CELL, "-4.0", "\u22124.0");
    expect(CELL, "1234-5678", "1,234-5,678");
    expect(CELL, "2459/2520 = 0.97579", "2,459/2,520 = 0.97579");
    expect(CELL, "12345 x", "12345 x");
    expect(CELL, "6.7e7", "6.7\u00A0\u00D7\u00A010\u2077");
}

TEST(markup_is_escaped)
{
    expect(PROSE, "a<b & `c<d`", "a&lt;b &amp; <code>c&lt;d</code>");
    expect(PROSE, "one ` alone", "one ` alone");
    expect(
        PROSE, "https://example.org/?a=1&b=2.",
        "<a class=\"url\" href=\"https://example.org/?a=1&amp;b=2\">https://example.org/?a=1&amp;b=2</a>.");
    expect(PROSE, "(doi:10.1145/364520.364540)",
           "(<a href=\"https://doi.org/10.1145/364520.364540\">doi:10.1145/364520.364540</a>)");
}

TEST(equations_stay_on_one_line)
{
    expect(PROSE, "naive, n = 3", "naive, n\u00A0=\u00A03");
    expect(PROSE, "n = 3", "n\u00A0=\u00A03");
    expect(PROSE, "E = 1.2e9; (p = 1)", "E\u00A0=\u00A01.2\u00A0\u00D7\u00A010\u2079; (p\u00A0=\u00A01)");
    expect(PROSE, "3 \u00D7 2 = 6, an = 1", "3\u00A0\u00D7\u00A02 = 6, an = 1");
    expect(PROSE, "= 3, n =", "= 3, n =");
    expect(TITLE, "a<b, n = 3", "a&lt;b, n\u00A0=\u00A03");
    expect(TITLE, "run 1e5 `x`", "run 1e5 `x`");
}

TEST(options_stay_with_their_values)
{
    expect(COMMAND, "plan naive -n 4 --by exact",
           "<pre><code>plan naive <span class=\"word\">-n 4</span> <span class=\"word\">--by "
           "exact</span></code></pre>\n");
    expect(COMMAND, "gate --chained --deal 5 -- a <b",
           "<pre><code>gate <span class=\"word\">--chained</span> <span class=\"word\">--deal 5</span> "
           "<span class=\"word\">--</span> a &lt;b</code></pre>\n");
    expect(COMMAND, "prove --", "<pre><code>prove <span class=\"word\">--</span></code></pre>\n");
}

TEST(works_are_linked)
{
    expect(PROSE, "Mike Bostock, Will It Shuffle? (2012)",
           "Mike Bostock, <a href=\"https://bost.ocks.org/mike/shuffle/\">Will It Shuffle?</a> (2012)");
}

/* The terms that a text explains, as bits. */
static unsigned explained(const char *text)
{
    unsigned terms = 0;
    FILE *const stream = fopen("/dev/null", "w");

    assert_non_null(stream);
    sb_prose(text, &terms, stream);
    fclose(stream);
    return terms;
}

TEST(a_term_is_explained_once)
{
    unsigned terms = 0;
    char *written = NULL;
    size_t size;
    FILE *const stream = open_memstream(&written, &size);

    assert_non_null(stream);
    sb_prose("312 and 231", &terms, stream);
    fclose(stream);
    assert_string_equal(
        written, "<span class=\"term\" tabindex=\"0\" aria-describedby=\"word-order\" data-tip=\"An "
                 "order of the items: item 3 comes first, then item 1, then item 2.\">312</span> and 231");
    free(written);
}

TEST(a_count_is_no_order)
{
    assert_true(explained("(231, 312)") != 0 && explained("2341: of n!") != 0);
    assert_int_equal(
        explained("231 times, 312 permutations, 23, 331, 230, 12.3, 123,321, 3214567 shuffles, 123%"), 0);
    assert_int_equal(explained("x231 and 231x"), 0);
}

/* ---- sentence ---- */

/* Sentences have no length limit, and a sentence that lost a part is not shown. */

TEST(a_long_sentence_is_whole)
{
    enum { WORDS = 5000 };
    struct sb_sentence s = { 0 };
    char *text;

    for (int i = 0; i < WORDS; i++)
        sb_sentence_add(&s, "%04d ", i);
    text = sb_sentence_take(&s);
    assert_int_equal(strlen(text), 5 * WORDS);
    assert_memory_equal(text, "0000 0001 ", 10);
    assert_string_equal(text + 5 * (WORDS - 1), "4999 ");
    free(text);
    assert_null(s.text);
}

TEST(an_empty_sentence_is_empty)
{
    struct sb_sentence s = { 0 };
    char *const text = sb_sentence_take(&s);

    assert_string_equal(text, "");
    free(text);
}

TEST(a_sentence_without_a_part_is_not_shown)
{
    struct sb_sentence s = { 0 };

    sb_sentence_add(&s, "biased, and ");
    s.lost = true;
    assert_null(sb_sentence_take(&s));
    assert_null(s.text);
}
