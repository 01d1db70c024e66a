/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The legend of matrices that stand side by side. A colour means the same deviation in all of them. */
#include "study/figure/figure.h"

void sb_figure_matrix_key(FILE *stream)
{
    static const char *const step[][2] = {
        { "u4", "over 50% too rare" },
        { "u3", "over 20%" },
        { "u2", "over 5%" },
        { "u1", "less" },
        { "e", "fair" },
        { "o1", "less" },
        { "o2", "over 5%" },
        { "o3", "over 20%" },
        { "o4", "over 50% too frequent" },
    };

    for (size_t i = 0; i < sizeof step / sizeof step[0]; i++)
        fprintf(stream, " <span class=\"key\"><span class=\"step %s\"></span>%s</span>", step[i][0],
                step[i][1]);
}
