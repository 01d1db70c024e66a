/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars to both sides of the uniform line: under to the left, over to the right. */
#ifndef SB_REPORT_BAR_H
#define SB_REPORT_BAR_H

#include <stdbool.h>
#include <stddef.h>

enum {
    SB_BAR_HALF_MOST = 24,                  /* columns of one side */
    SB_BAR_ROOM = 3 * SB_BAR_HALF_MOST + 1, /* bytes of one side, its 0 included */
};

/* The end of the axis for deviations (ratio - 1) up to `largest`: the next round number, at least 0.01. */
double sb_bar_scale(double largest);

/*
 * The two sides of the bar of one deviation, which is cut at -scale and scale: `left` padded with blanks to
 * `half` columns, `right` as long as it is. With unicode in eighths of a column to the right, and in what
 * there is to the left (an eighth, a half, a whole); else in whole columns of '#'. NaN gives no bar.
 */
void sb_bar_draw(double deviation, double scale, size_t half, bool unicode, char left[SB_BAR_ROOM],
                 char right[SB_BAR_ROOM]);

#endif
