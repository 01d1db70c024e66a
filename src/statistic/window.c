/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes windows of values, and labels their cells. */
#include "statistic/window.h"

#include <math.h>
#include <stdio.h>

static const double window_deviations = 6.5;

struct sb_window sb_window_about(double mean, double deviation)
{
    const double low = fmax(0, floor(mean - window_deviations * deviation));
    const double high = ceil(mean + window_deviations * deviation);

    return (struct sb_window) {
        .low = (size_t)low,
        .cells = (size_t)(high - low) + 1,
        .below = low > 0,
        .above = true,
    };
}

void sb_window_label(const struct sb_window *window, size_t first, size_t last, char text[SB_WINDOW_ROOM])
{
    const size_t low = window->low + first, high = window->low + last;

    if (window->below && first == 0)
        snprintf(text, SB_WINDOW_ROOM, "%zu or fewer", high);
    else if (window->above && last + 1 == window->cells)
        snprintf(text, SB_WINDOW_ROOM, "%zu or more", low);
    else if (first < last)
        snprintf(text, SB_WINDOW_ROOM, "%zu to %zu", low, high);
    else
        snprintf(text, SB_WINDOW_ROOM, "%zu", low);
}
