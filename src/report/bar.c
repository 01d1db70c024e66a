/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bars on both sides of the uniform line, which stands for a fair shuffle, on one linear scale. A bar to the
 * left means too rare, and a bar to the right means too frequent.
 *
 * For a column that is filled from the left, Unicode has blocks of one to seven eighths (U+2589..U+258F). For
 * a column that is filled from the right, Unicode has only the half and the eighth (U+2590, U+2595). So the
 * outer end of a bar to the left is rounded to a half, an eighth or a whole column.
 */
#include "report/bar.h"

#include <math.h>
#include <string.h>

double sb_bar_scale(double largest)
{
    static const double step[] = { 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 };
    const size_t steps = sizeof step / sizeof step[0];
    double unit = 0.01;

    if (!isfinite(largest))
        return unit;
    while (largest > 10 * unit)
        unit *= 10;
    for (size_t i = 0; i < steps; i++)
        if (largest <= step[i] * unit * (1 + 1e-9)) /* allows for rounding: 0.1 fits into 10 times 0.01 */
            return step[i] * unit;
    return 10 * unit;
}

static void bar_repeat(const char *glyph, size_t times, char text[])
{
    const size_t length = strlen(glyph);

    for (size_t i = 0; i < times; i++)
        memcpy(text + i * length, glyph, length);
    text[times * length] = '\0';
}

static void bar_right(size_t eighths, char text[])
{
    static const char *const part[] = { "",       "\u258F", "\u258E", "\u258D",
                                        "\u258C", "\u258B", "\u258A", "\u2589" };

    bar_repeat("\u2588", eighths / 8, text);
    strcat(text, part[eighths % 8]);
}

static void bar_left(size_t eighths, size_t half, char text[])
{
    static const size_t nearest[] = { 0, 1, 1, 4, 4, 4, 8, 8 };
    const size_t end = nearest[eighths % 8];
    const size_t whole = eighths / 8 + (end == 8);
    const char *const part = end == 1 ? "\u2595" : end == 4 ? "\u2590" : "";

    bar_repeat(" ", half - whole - (part[0] != '\0'), text);
    strcat(text, part);
    bar_repeat("\u2588", whole, text + strlen(text));
}

void sb_bar_draw(double deviation, double scale, size_t half, bool unicode, char left[SB_BAR_ROOM],
                 char right[SB_BAR_ROOM])
{
    const double length = isnan(deviation) ? 0 : fmin(fabs(deviation) / scale, 1) * (double)half;
    const size_t eighths = (size_t)lround(8 * length), whole = (size_t)lround(length);
    const bool under = deviation < 0;

    if (unicode) {
        bar_left(under ? eighths : 0, half, left);
        bar_right(under ? 0 : eighths, right);
        return;
    }
    bar_repeat(" ", half - (under ? whole : 0), left);
    bar_repeat("#", under ? whole : 0, left + strlen(left));
    bar_repeat("#", under ? 0 : whole, right);
}
