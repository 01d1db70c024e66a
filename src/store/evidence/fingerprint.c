/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a run began: FNV-1a by items of its first permutations. Whoever wants to deceive himself can. */
#include "store/evidence/fingerprint.h"

#include "report/json_writer.h"
#include "store/json_field.h"

#include <string.h>

void sb_opening_see(struct sb_opening *opening, const sb_item items[], size_t count, size_t deal)
{
    for (; count && opening->seen < SB_OPENING; count--, opening->seen++)
        for (size_t i = 0; i < deal; i++)
            opening->hash = (opening->hash ^ *items++) * UINT64_C(1099511628211);
}

bool sb_openings_have(const struct sb_openings *openings, const struct sb_opening *opening)
{
    for (size_t i = 0; opening->seen == SB_OPENING && i < openings->count; i++)
        if (openings->hash[i] == opening->hash)
            return true;
    return false;
}

void sb_openings_add(struct sb_openings *openings, const struct sb_opening *opening)
{
    openings->uncounted += opening->adds ? opening->seen : 0;
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
    sb_json_integer(json, "uncounted", openings->uncounted);
}

void sb_openings_read_1(struct sb_field_reader *in, const json_t *object, struct sb_openings *openings)
{
    const json_t *const array = sb_field_array(in, object, "openings", SB_OPENINGS_MOST);

    for (size_t i = 0; array && i < json_array_size(array); i++)
        openings->hash[openings->count++] = sb_field_hash(in, "openings", json_array_get(array, i));
}

void sb_openings_read(struct sb_field_reader *in, const json_t *object, struct sb_openings *openings)
{
    sb_openings_read_1(in, object, openings);
    openings->uncounted = sb_field_integer(in, object, "uncounted", 0, INT64_MAX);
}
