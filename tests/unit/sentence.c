/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sentences have no length limit, and a sentence that lost a part is not shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/page.h"

#include <stdlib.h>
#include <string.h>

static void a_long_sentence_is_whole(void **state)
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

static void an_empty_sentence_is_empty(void **state)
{
    struct sb_sentence s = { 0 };
    char *const text = sb_sentence_take(&s);

    assert_string_equal(text, "");
    free(text);
}

static void a_sentence_without_a_part_is_not_shown(void **state)
{
    struct sb_sentence s = { 0 };

    sb_sentence_add(&s, "biased, and ");
    s.lost = true;
    assert_null(sb_sentence_take(&s));
    assert_null(s.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_sentence_is_whole),
        cmocka_unit_test(an_empty_sentence_is_empty),
        cmocka_unit_test(a_sentence_without_a_part_is_not_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
