/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a run began: FNV-1a by items of its first permutations. Whoever wants to deceive himself can. */
#include "study/opening.h"

#include "report/json_writer.h"
#include "study/field.h"

#include <string.h>

bool sb_opening_see(struct sb_opening *opening, const struct sb_openings *before, const sb_item items[],
                    size_t count, size_t deal)
{
    if (opening->seen == SB_OPENING)
        return true;
    for (; count && opening->seen < SB_OPENING; count--, opening->seen++)
        for (size_t i = 0; i < deal; i++)
            opening->hash = (opening->hash ^ *items++) * UINT64_C(1099511628211);
    for (size_t i = 0; opening->seen == SB_OPENING && i < before->count; i++)
        if (before->hash[i] == opening->hash)
            return false;
    return true;
}

void sb_openings_add(struct sb_openings *openings, const struct sb_opening *opening)
{
    if (opening->seen < SB_OPENING)
        return;
    if (openings->count == SB_OPENINGS_MOST) {
        openings->count--;
        memmove(&openings->hash[0], &openings->hash[1], openings->count * sizeof openings->hash[0]);
    }
    openings->hash[openings->count++] = opening->hash;
}

void sb_openings_write(struct sb_json *json, const struct sb_openings *openings)
{
    sb_json_array(json, "openings", true);
    for (size_t i = 0; i < openings->count; i++)
        sb_json_hash(json, NULL, openings->hash[i]);
    sb_json_close(json);
}

void sb_openings_read(struct sb_field_reader *in, const json_t *object, struct sb_openings *openings)
{
    const json_t *const array = sb_field_array(in, object, "openings", SB_OPENINGS_MOST);

    for (size_t i = 0; array && i < json_array_size(array); i++)
        openings->hash[openings->count++] = sb_field_hash(in, "openings", json_array_get(array, i));
}
