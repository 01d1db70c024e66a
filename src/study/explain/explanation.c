/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frees an explanation, and writes the error lines of walks. */
#include "study/explain/explain.h"

#include "core/error.h"
#include "study/results.h"

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

enum sb_status sb_explain_fault(enum sb_status status, const struct sb_explain *explain,
                                struct sb_error *error)
{
    if (status == SB_INVALID)
        return sb_error_set(error, status, "%s: may draw again indefinitely: use another draw",
                            explain->name);
    return status == SB_NO_MEMORY ? sb_error_memory(error, "the paths")
                                  : sb_error_broken(error, explain->name);
}
