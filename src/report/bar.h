/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars on both sides of the uniform line: a bar to the left means too rare, a bar to the right too
 * frequent. */
#ifndef SB_REPORT_BAR_H
#define SB_REPORT_BAR_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SB_BAR_HALF_MOST = 24,                  /* columns of one side */
    SB_BAR_ROOM = 3 * SB_BAR_HALF_MOST + 1, /* bytes of one side, including the terminating 0 */
};

/* The end of the axis for deviations (ratio - 1) up to `largest`: the next larger round number, but at least
 * 0.01. */
double sb_bar_scale(double largest);

/*
 * Draws both sides of the bar of a deviation. The bar is cut at -scale and at scale. `left` is padded with
 * blanks to `half` columns; `right` is not padded. With `unicode`, the right side fills any number of eighths
 * of its last column, and the left side fills one eighth, a half or the whole; otherwise both sides consist
 * of '#'. For NaN there is no bar.
 */
void sb_bar_draw(double deviation, double scale, size_t half, bool unicode, char left[SB_BAR_ROOM],
                 char right[SB_BAR_ROOM]);

#endif
