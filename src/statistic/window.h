/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of a statistic whose values are counts: one cell for each value in a window. The first and the
 * last cell may also hold all values beyond the window. So the number of cells need not grow with the number
 * of items.
 */
#ifndef SB_STATISTIC_WINDOW_H
#define SB_STATISTIC_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sb_window {
    size_t low, cells; /* cell c holds the value low + c */
    /* whether the first cell also holds all smaller values, and the last all larger values */
    bool below, above;
};

/* Returns the window from 6.5 standard deviations below the mean to 6.5 above the mean. Under a normal law,
 * all but 1 in 10^10 values are in this window. */
struct sb_window sb_window_about(double mean, double deviation);

/* Returns the cell of a value. */
static inline uint32_t sb_window_cell(const struct sb_window *window, size_t value)
{
    const size_t cell = value > window->low ? value - window->low : 0;

    return (uint32_t)(cell < window->cells ? cell : window->cells - 1);
}

/* Writes the label of the values in cells first..last, such as "499", "480 to 490", "480 or fewer", "520 or
 * more". */
enum { SB_WINDOW_ROOM = 64 };
void sb_window_label(const struct sb_window *window, size_t first, size_t last, char text[SB_WINDOW_ROOM]);

#endif
