/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars on both sides of the uniform line, which stands for a fair shuffle. A bar to the left means too rare,
 * and a bar to the right means too frequent. */
#ifndef SB_REPORT_BAR_H
#define SB_REPORT_BAR_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SB_BAR_HALF_MOST = 24,                  /* the most columns of one side */
    SB_BAR_ROOM = 3 * SB_BAR_HALF_MOST + 1, /* bytes of one side, including the terminating 0 */
};

/* Returns the end of the axis for deviations (ratio - 1) up to `largest`: the smallest round number that is
 * at least `largest` and at least 0.01. */
double sb_bar_scale(double largest);

/*
 * Draws the bar of a deviation as two texts, one for each side of the uniform line. The bar is cut at
 * `-scale` and at `scale`. `left` is padded with blanks to `half` columns; `right` is not padded. With
 * `unicode`, a bar to the right fills any number of eighths of its outermost column, and a bar to the left
 * fills one eighth, a half or the whole of its outermost column. Without `unicode`, bars consist of '#'. For
 * NaN there is no bar.
 */
void sb_bar_draw(double deviation, double scale, size_t half, bool unicode, char left[SB_BAR_ROOM],
                 char right[SB_BAR_ROOM]);

#endif
