/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The law of one statistic under a fair shuffle: functions that read the cells of the law one by one. */
#include "study/law/null_law.h"
#include "study/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool sb_null_law_labelled(const struct sb_null_law *law)
{
    return law->equal ? law->equal->label != NULL : law->label != NULL;
}

char *sb_null_law_label(const struct sb_null_law *law, size_t index, char text[SB_NOTATION_ROOM])
{
    if (law->equal && law->equal->label)
        law->equal->label(law->names, law->deal, law->cell[index], text);
    else if (law->label)
        law->label(law->names, law->n, law->deal, law->member, law->cell[index], text);
    else
        sb_window_label(&law->window, law->cell[index], law->cell[index], text);
    return text;
}

bool sb_null_law_cell_get(const struct sb_null_law *law, size_t index, struct sb_null_cell *cell)
{
    if (index >= law->count)
        return false;
    *cell = (struct sb_null_cell) {
        .cell = law->cell[index],
        .p = exp(law->ln_p[index]),
        .ln_p = law->ln_p[index],
    };
    sb_null_law_label(law, index, cell->label);
    return true;
}

void sb_null_law_free(struct sb_null_law *law)
{
    if (!law)
        return;
    sb_item_names_free(law->names);
    free(law->cell);
    free(law->ln_p);
    free(law);
}
