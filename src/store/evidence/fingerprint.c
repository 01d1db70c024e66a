/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fingerprints of runs: FNV-1a of the first items. Fingerprints do not protect against deliberate
 * tampering. */
#include "store/evidence/fingerprint.h"

#include "report/result.h"
#include "store/json_field.h"

#include <string.h>

void sb_fingerprint_see(struct sb_fingerprint *fingerprint, const sb_item items[], size_t count, size_t deal)
{
    for (; count && fingerprint->decks < SB_FINGERPRINT_DECKS; count--, fingerprint->decks++)
        for (size_t i = 0; i < deal; i++)
            fingerprint->hash = (fingerprint->hash ^ *items++) * UINT64_C(1099511628211);
}

bool sb_fingerprints_have(const struct sb_fingerprints *fingerprints,
                          const struct sb_fingerprint *fingerprint)
{
    for (size_t i = 0; fingerprint->decks == SB_FINGERPRINT_DECKS && i < fingerprints->count; i++)
        if (fingerprints->hash[i] == fingerprint->hash)
            return true;
    return false;
}

void sb_fingerprints_add(struct sb_fingerprints *fingerprints, const struct sb_fingerprint *fingerprint)
{
    fingerprints->uncounted += fingerprint->adds ? fingerprint->decks : 0;
    if (fingerprint->decks < SB_FINGERPRINT_DECKS)
        return;
    if (fingerprints->count == SB_FINGERPRINTS_MOST) {
        fingerprints->count--;
        memmove(&fingerprints->hash[0], &fingerprints->hash[1],
                fingerprints->count * sizeof fingerprints->hash[0]);
    }
    fingerprints->hash[fingerprints->count++] = fingerprint->hash;
}

void sb_fingerprints_write(struct sb_json *json, const void *part)
{
    const struct sb_fingerprints *const fingerprints = part;

    sb_json_array(json, "openings", true);
    for (size_t i = 0; i < fingerprints->count; i++)
        sb_json_hash(json, NULL, fingerprints->hash[i]);
    sb_json_close(json);
    sb_json_integer(json, "uncounted", fingerprints->uncounted);
}

void sb_fingerprints_read(struct sb_json_field_reader *in, const json_t *object, void *part)
{
    struct sb_fingerprints *const fingerprints = part;
    const json_t *const array = sb_json_field_array(in, object, "openings", SB_FINGERPRINTS_MOST);

    for (size_t i = 0; array && i < json_array_size(array); i++)
        fingerprints->hash[fingerprints->count++] =
            sb_json_field_hash(in, "openings", json_array_get(array, i));
    if (in->schema != 1)
        fingerprints->uncounted = sb_json_field_integer(in, object, "uncounted", 0, INT64_MAX);
}
