/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An error names fields of the public header between backquotes, and keeps the first of them with its value. */
#include "unit/test.h"

#include "core/core.h"

#include <string.h>

/* The field and the value of a line. */
static void expect_field(const char *text, const char *field, const char *value)
{
    struct sb_error error = { .field = "before", .value = "before" };

    assert_int_equal(sb_error_set(&error, SB_INVALID, "%s", text), SB_INVALID);
    assert_string_equal(error.text, text);
    assert_string_equal(error.field, field);
    assert_string_equal(error.value, value);
}

TEST(the_first_field_is_kept)
{
    expect_field("`chained` needs whole permutations: leave `deal` out", "chained", "");
    expect_field("`deal=4`: there are only 3 items", "deal", "4");
    expect_field("naive: `n = 11` is too large: use n <= 10, or `deal=4`", "n", "11");
    expect_field("the last seed is `seeds_first = 5`", "seeds_first", "5");
    expect_field("a file of `sb_gate_saved_new`, not of `save`", "save", "");
}

TEST(a_line_without_fields_has_none)
{
    expect_field("", "", "");
    expect_field("`", "", "");
    expect_field("cannot read 'a`b': no such file", "", "");
    expect_field("``, `N`, `n `, `n=`, `n = ` and `deal", "", "");
    expect_field("it is `", "", "");
    expect_field("cannot read '/tmp/a`n`b' and '`n`'", "", "");
    expect_field("odd names: '``' and `Deal`, but (`deal`) is one", "deal", "");
    assert_int_equal(sb_error_set(NULL, SB_IO, "`n` %d", 1), SB_IO);
}

TEST(a_long_value_is_cut)
{
    struct sb_error error = { 0 };
    char value[200];

    memset(value, 'x', sizeof value);
    value[sizeof value - 1] = '\0';
    sb_error_set(&error, SB_INVALID, "`cards=%s`", value);
    assert_string_equal(error.field, "cards");
    assert_int_equal(strlen(error.value), sizeof error.value - 1);
}

/* What the program reads a line by: every name between backquotes, in its order. */
TEST(all_fields_are_found)
{
    const char *const text = "`a` and '`' and `b=1`, `c = x y`";
    struct sb_error_field field;

    assert_true(sb_error_field_next(text, &field));
    assert_ptr_equal(field.start, text);
    assert_ptr_equal(field.end, text + 3);
    assert_true(field.name_length == 1 && field.value_length == 0 && !field.stated);
    assert_true(sb_error_field_next(field.end, &field));
    assert_memory_equal(field.name, "b=1", 3);
    assert_true(field.value_length == 1 && !field.stated);
    assert_true(sb_error_field_next(field.end, &field));
    assert_memory_equal(field.value, "x y`", 4);
    assert_true(field.value_length == 3 && field.stated);
    assert_false(sb_error_field_next(field.end, &field));
}
