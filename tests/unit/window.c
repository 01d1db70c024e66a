/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Windows of values: which cell a value has, and the labels of cells. */
#include "unit/test.h"

#include "statistic/statistic.h"

TEST(a_window_is_six_and_a_half_deviations_wide)
{
    const struct sb_window large = sb_window_about(500, 10), small = sb_window_about(3, 1),
                           exact = sb_window_about(65, 10);

    assert_int_equal(large.low, 435); /* 500 - 65 to 500 + 65 */
    assert_int_equal(large.cells, 131);
    assert_true(large.below && large.above);
    assert_int_equal(small.low, 0);    /* no value is below 0 */
    assert_int_equal(small.cells, 11); /* 0 to the first integer above 9.5 */
    assert_true(!small.below && small.above);
    assert_int_equal(exact.low, 0);
    assert_true(!exact.below);
}

TEST(values_beyond_the_window_are_in_its_last_cells)
{
    const struct sb_window window = { .low = 10, .cells = 5, .below = true, .above = true };
    const uint32_t cells[] = { 0, 0, 1, 2, 3, 4, 4, 4 };

    assert_int_equal(sb_window_cell(&window, 0), 0);
    assert_int_equal(sb_window_cell(&window, SIZE_MAX), 4);
    for (size_t value = 9; value < 17; value++)
        assert_int_equal(sb_window_cell(&window, value), cells[value - 9]);
}

static void expect_label(const struct sb_window *window, size_t first, size_t last, const char *expected)
{
    char text[SB_WINDOW_ROOM];

    sb_window_label(window, first, last, text);
    assert_string_equal(text, expected);
}

TEST(labels_name_the_values)
{
    struct sb_window window = { .low = 480, .cells = 41, .below = true, .above = true };

    expect_label(&window, 0, 0, "480 or fewer");
    expect_label(&window, 0, 10, "490 or fewer");
    expect_label(&window, 1, 10, "481 to 490");
    expect_label(&window, 19, 19, "499");
    expect_label(&window, 30, 40, "510 or more");
    expect_label(&window, 40, 40, "520 or more");
    window.below = window.above = false;
    expect_label(&window, 0, 0, "480");
    expect_label(&window, 0, 40, "480 to 520");
    expect_label(&window, 40, 40, "520");
}
