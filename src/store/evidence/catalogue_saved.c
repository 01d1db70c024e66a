/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums are integers of 64 bits, which may exceed the range of JSON's numbers. So they are written as
 * hexadecimal digits in two's complement. If the hash of the candidates' names shows that another version
 * with a different catalogue saved the sums, the run continues without a catalogue.
 */
#include "store/evidence/catalogue_saved.h"

#include "report/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CATALOGUE_SUM_MOST (INT64_C(1) << 61)

enum { CATALOGUE_SUMS_MOST = 4096 };

void sb_catalogue_saved_close(struct sb_catalogue_saved *saved)
{
    free(saved->sum);
    *saved = (struct sb_catalogue_saved) { .present = false };
}

/* The number of sums to save. */
static size_t saved_sums(const struct sb_catalogue *catalogue)
{
    return sb_catalogue_by_rank(catalogue) ? 0 : catalogue->count;
}

enum sb_status sb_catalogue_saved_take(const struct sb_catalogue *catalogue, struct sb_catalogue_saved *saved)
{
    *saved = (struct sb_catalogue_saved) { .present = false };
    if (!catalogue)
        return SB_OK;
    *saved = (struct sb_catalogue_saved) {
        .present = true,
        .decks = catalogue->decks,
        .hash = sb_catalogue_hash(catalogue),
        .count = saved_sums(catalogue),
        .sum = calloc(catalogue->count, sizeof *saved->sum),
    };
    for (size_t k = 0; saved->sum && k < saved->count; k++)
        saved->sum[k] = catalogue->candidate[k].sum;
    return saved->sum ? SB_OK : SB_NO_MEMORY;
}

bool sb_catalogue_saved_fits(const struct sb_catalogue_saved *saved, const struct sb_catalogue *catalogue)
{
    return saved->present && saved->count == saved_sums(catalogue) &&
           saved->hash == sb_catalogue_hash(catalogue);
}

void sb_catalogue_saved_resume(const struct sb_catalogue_saved *saved, struct sb_catalogue *catalogue)
{
    if (!catalogue || !sb_catalogue_saved_fits(saved, catalogue))
        return;
    catalogue->decks = saved->decks;
    for (size_t k = 0; k < saved->count; k++)
        catalogue->candidate[k].sum = saved->sum[k];
}

static void saved_write_begin(struct sb_json *json, uint64_t decks, uint64_t hash)
{
    sb_json_object(json, "catalogue");
    sb_json_integer(json, "decks", decks);
    sb_json_hash(json, "names", hash);
    sb_json_array(json, "sums", true);
}

static void saved_write_end(struct sb_json *json)
{
    sb_json_close(json);
    sb_json_close(json);
}

void sb_catalogue_saved_write(struct sb_json *json, const struct sb_catalogue_saved *saved)
{
    if (!saved->present)
        return;
    saved_write_begin(json, saved->decks, saved->hash);
    for (size_t k = 0; k < saved->count; k++)
        sb_json_hash(json, NULL, (uint64_t)saved->sum[k]);
    saved_write_end(json);
}

void sb_catalogue_saved_write_current(struct sb_json *json, const struct sb_catalogue *catalogue)
{
    if (!catalogue)
        return;
    saved_write_begin(json, catalogue->decks, sb_catalogue_hash(catalogue));
    for (size_t k = 0; k < saved_sums(catalogue); k++)
        sb_json_hash(json, NULL, (uint64_t)catalogue->candidate[k].sum);
    saved_write_end(json);
}

void sb_catalogue_saved_read(struct sb_json_field_reader *in, const json_t *object, uint64_t total,
                             struct sb_catalogue_saved *saved)
{
    static const char *const fields[] = { "decks", "names", "sums", NULL };
    const json_t *const catalogue = json_object_get(object, "catalogue"), *sums;

    if (!catalogue || !sb_json_field_enter(in, "catalogue", catalogue, fields))
        return;
    saved->present = true;
    saved->hash = sb_json_field_hash(in, "names", json_object_get(catalogue, "names"));
    sums = sb_json_field_array(in, catalogue, "sums", CATALOGUE_SUMS_MOST);
    saved->count = json_array_size(sums);
    const uint64_t decks = saved->count == 0 ? 0 : total < SB_CATALOGUE_DECKS ? total : SB_CATALOGUE_DECKS;

    saved->decks = sb_json_field_integer(in, catalogue, "decks", decks, decks);
    saved->sum = sb_json_field_room(in, saved->count, sizeof saved->sum[0]);
    for (size_t k = 0; saved->sum && k < saved->count; k++) {
        const int64_t sum = (int64_t)sb_json_field_hash(in, "sums", json_array_get(sums, k));

        saved->sum[k] = sum;
        if (sum != SB_WORTH_IMPOSSIBLE && (sum < -CATALOGUE_SUM_MOST || sum > CATALOGUE_SUM_MOST))
            sb_json_field_fail(in, "sums", "must be at most 2^61 in size, or the impossible");
    }
    sb_json_field_leave(in);
}
