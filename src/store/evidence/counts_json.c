/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts in JSON. The reader checks everything; the writer sends each number straight to the stream. */
#include "store/evidence/counts_json.h"

#include "core/core.h"
#include "report/json_writer.h"
#include "store/json_field.h"

#include <stdlib.h>
#include <string.h>

void sb_counts_row(struct sb_json_field_reader *in, const char *field, const json_t *array, size_t from,
                   size_t cells, uint64_t total, bool less, uint64_t count[])
{
    uint64_t left = total;

    for (size_t i = 0; i < cells; i++) {
        const json_t *const value = json_array_get(array, from + i);

        count[i] = json_is_integer(value) ? (uint64_t)json_integer_value(value) : UINT64_MAX;
        if (count[i] > left) {
            sb_json_field_fail(in, field, "must be integers from 0 that add up to the total for each member");
            return;
        }
        left -= count[i];
    }
    if (left && !less)
        sb_json_field_fail(in, field, "must add up to the total for each member");
}

static const char *const counts_fields[] = { "statistic", "increments", "lag",    "total",
                                             "members",   "cells",      "counts", NULL };

static void counts_read(struct sb_json_field_reader *in, const json_t *object, uint64_t total,
                        struct sb_counts *counts)
{
    const json_t *array;

    counts->statistic = sb_json_field_string(in, object, "statistic", false);
    counts->dependence = !json_object_get(object, "increments");
    if (counts->dependence)
        counts->lag = sb_json_field_size(in, object, "lag", 1, SB_TALLIED_MOST);
    else
        counts->lag = sb_json_field_bool(in, object, "increments");
    if (!counts->dependence && json_object_get(object, "lag"))
        sb_json_field_fail(in, "lag", "must not stand beside increments");
    counts->total = sb_json_field_integer(in, object, "total", counts->lag ? 0 : total, total);
    counts->members = sb_json_field_size(in, object, "members", 1, SB_TALLIED_MOST);
    counts->cells = sb_json_field_size(in, object, "cells", 1, SB_CELLS_MOST);
    array = sb_json_field_array(in, object, "counts", (size_t)SB_CELLS_MOST * 8);
    if (array && json_array_size(array) != counts->members * counts->cells)
        sb_json_field_fail(in, "counts", "must hold members times cells");
    counts->count = sb_json_field_room(in, array ? json_array_size(array) : 0, sizeof counts->count[0]);
    for (size_t member = 0; in->status == SB_OK && member < counts->members; member++)
        sb_counts_row(in, "counts", array, member * counts->cells, counts->cells, counts->total, false,
                      counts->count + member * counts->cells);
}

void sb_counts_write(struct sb_json *json, const struct sb_tally *tally)
{
    sb_json_object(json, NULL);
    sb_json_string(json, "statistic", tally->statistic);
    if (tally->dependence)
        sb_json_integer(json, "lag", tally->lag);
    else
        sb_json_bool(json, "increments", tally->lag > 0);
    sb_json_integer(json, "total", tally->total);
    sb_json_integer(json, "members", tally->members);
    sb_json_integer(json, "cells", tally->cells);
    sb_json_array(json, "counts", true);
    for (size_t i = 0; i < tally->members * tally->cells; i++)
        sb_json_integer(json, NULL, tally->count[i]);
    sb_json_close(json);
    sb_json_close(json);
}

void sb_counts_read_list(struct sb_json_field_reader *in, const json_t *object, const char *field,
                         size_t most, uint64_t total, struct sb_counts **counts, size_t *count)
{
    const json_t *const array = sb_json_field_array(in, object, field, most);
    struct sb_counts *const made = sb_json_field_room(in, array ? json_array_size(array) : 0, sizeof *made);

    *counts = made;
    *count = 0;
    for (size_t i = 0; in->status == SB_OK && i < json_array_size(array); i++) {
        const json_t *const one = json_array_get(array, i);

        if (!sb_json_field_enter_at(in, field, i, one, counts_fields))
            return;
        counts_read(in, one, total, &made[(*count)++]);
        sb_json_field_leave(in);
    }
}

void sb_counts_write_list(struct sb_json *json, const char *field, const struct sb_tally tally[],
                          size_t count)
{
    sb_json_array(json, field, false);
    for (size_t i = 0; i < count && !ferror(json->stream); i++)
        sb_counts_write(json, &tally[i]);
    sb_json_close(json);
}
