/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences have no length limit, and a sentence that lost a part is not shown. */
#include "unit/test.h"

#include "report/page.h"

#include <stdlib.h>
#include <string.h>

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
