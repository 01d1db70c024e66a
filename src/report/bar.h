/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bars on both sides of the uniform line: too rare to the left, too frequent to the right. */
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
 * Draws both sides of the bar of a deviation, which is cut at -scale and scale: `left` is padded with
 * blanks to `half` columns, `right` is not padded. With unicode, the right side has a resolution of an
 * eighth of a column, and the left side of an eighth, a half or a whole; without it, both consist of '#'.
 * NaN gives no bar.
 */
void sb_bar_draw(double deviation, double scale, size_t half, bool unicode, char left[SB_BAR_ROOM],
                 char right[SB_BAR_ROOM]);

#endif
