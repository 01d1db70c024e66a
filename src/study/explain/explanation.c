/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives an explanation's memory back. */
#include "study/explain/explanation.h"

#include <stdlib.h>

void sb_explain_free(struct sb_explain *explain)
{
    if (!explain)
        return;
    for (size_t i = 0; i < explain->paths_count; i++)
        free(explain->path[i].mass);
    for (size_t i = 0; i < explain->orders_count; i++)
        free(explain->order[i].mass);
    for (size_t i = 0; i < explain->notes_count; i++)
        free(explain->note[i].text);
    free(explain->path);
    free(explain->drawn);
    free(explain->order);
    free(explain->group);
    free(explain->walk);
    free(explain->step);
    free(explain->deck);
    free(explain->result);
    free(explain->mass);
    free(explain->total);
    free(explain->series);
    free(explain->name);
    free(explain->shuffle);
    free(explain->draw);
    free(explain);
}
