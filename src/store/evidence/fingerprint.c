/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fingerprints of runs: FNV-1a of the first items. They do not protect against deliberate tampering. */
#include "store/evidence/fingerprint.h"

#include "report/json_writer.h"
#include "store/json_field.h"

#include <string.h>

void sb_fingerprint_see(struct sb_fingerprint *opening, const sb_item items[], size_t count, size_t deal)
{
    for (; count && opening->seen < SB_FINGERPRINT_DECKS; count--, opening->seen++)
        for (size_t i = 0; i < deal; i++)
            opening->hash = (opening->hash ^ *items++) * UINT64_C(1099511628211);
}

bool sb_fingerprints_have(const struct sb_fingerprints *openings, const struct sb_fingerprint *opening)
{
    for (size_t i = 0; opening->seen == SB_FINGERPRINT_DECKS && i < openings->count; i++)
        if (openings->hash[i] == opening->hash)
            return true;
    return false;
}

void sb_fingerprints_add(struct sb_fingerprints *openings, const struct sb_fingerprint *opening)
{
    openings->uncounted += opening->adds ? opening->seen : 0;
    if (opening->seen < SB_FINGERPRINT_DECKS)
        return;
    if (openings->count == SB_FINGERPRINTS_MOST) {
        openings->count--;
        memmove(&openings->hash[0], &openings->hash[1], openings->count * sizeof openings->hash[0]);
    }
    openings->hash[openings->count++] = opening->hash;
}

void sb_fingerprints_write(struct sb_json *json, const void *part)
{
    const struct sb_fingerprints *const openings = part;

    sb_json_array(json, "openings", true);
    for (size_t i = 0; i < openings->count; i++)
        sb_json_hash(json, NULL, openings->hash[i]);
    sb_json_close(json);
    sb_json_integer(json, "uncounted", openings->uncounted);
}

void sb_fingerprints_read(struct sb_json_field_reader *in, const json_t *object, void *part)
{
    struct sb_fingerprints *const openings = part;
    const json_t *const array = sb_json_field_array(in, object, "openings", SB_FINGERPRINTS_MOST);

    for (size_t i = 0; array && i < json_array_size(array); i++)
        openings->hash[openings->count++] = sb_json_field_hash(in, "openings", json_array_get(array, i));
    if (in->schema != 1)
        openings->uncounted = sb_json_field_integer(in, object, "uncounted", 0, INT64_MAX);
}
