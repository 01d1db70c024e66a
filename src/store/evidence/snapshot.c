/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counts of tallies at one moment, in memory and in JSON. The reader checks every value. */
#include "store/evidence/snapshot.h"

#include "core/core.h"
#include "report/json_writer.h"
#include "store/evidence/bettor_saved.h"
#include "store/json_field.h"
#include "tally/order.h"

#include <stdlib.h>
#include <string.h>

void sb_snapshot_close(struct sb_snapshot *snapshot)
{
    sb_counts_free(snapshot->counts, snapshot->counts_count);
    free(snapshot->places);
    sb_catalogue_saved_close(&snapshot->catalogue);
    *snapshot = (struct sb_snapshot) { .total = 0 };
}

enum sb_status sb_snapshot_take(const struct sb_tallies *tallies, uint64_t total,
                                struct sb_snapshot *snapshot)
{
    const size_t count = sb_tallies_counted(tallies), n = tallies->step.begun ? tallies->n : 0;
    struct sb_counts *const counts = sb_counts_copy(tallies->tally, count);
    sb_item *const places = n ? calloc(n, sizeof *places) : NULL;
    struct sb_catalogue_saved catalogue = { .present = false };

    if (!counts || (n && !places) || sb_catalogue_saved_take(tallies->catalogue, &catalogue)) {
        sb_counts_free(counts, counts ? count : 0);
        free(places);
        return SB_NO_MEMORY;
    }
    if (places)
        memcpy(places, tallies->step.place, n * sizeof *places);
    sb_snapshot_close(snapshot);
    *snapshot = (struct sb_snapshot) {
        .n = tallies->n,
        .total = total,
        .counts_count = count,
        .counts = counts,
        .places = places,
        .catalogue = catalogue,
        .watched = tallies->repeat,
        .birthday = tallies->birthday,
        .bet = tallies->bettor,
    };
    if (tallies->bettor)
        snapshot->wealth = *sb_bettor_wealth(tallies->bettor);
    return SB_OK;
}

void sb_snapshot_write_repeats(struct sb_json *json, const void *part)
{
    const struct sb_snapshot *const snapshot = part;
    const struct sb_birthday *const birthday = &snapshot->birthday;

    if (!snapshot->watched) {
        sb_json_null(json, "repeats");
        return;
    }
    sb_json_object(json, "repeats");
    sb_json_integer(json, "decks", birthday->decks);
    sb_json_integer(json, "repeats", birthday->repeats);
    sb_json_array(json, "ln_e", true);
    for (size_t i = 0; i < SB_BIRTHDAY_ALTERNATIVES; i++)
        sb_json_real(json, NULL, birthday->ln_e[i]);
    sb_json_close(json);
    if (birthday->pairs > 0)
        sb_json_real(json, "pairs", birthday->pairs);
    sb_json_close(json);
}

void sb_snapshot_write_bettor(struct sb_json *json, const void *part)
{
    const struct sb_snapshot *const snapshot = part;
    const struct sb_tallies *const tallies = snapshot->tallies;

    if (snapshot->bet)
        sb_bettor_saved_write(json, &snapshot->wealth);
    else if (tallies && tallies->bettor)
        sb_bettor_saved_write(json, sb_bettor_wealth(tallies->bettor));
}

void sb_snapshot_read_bettor(struct sb_json_field_reader *in, const json_t *object, void *part)
{
    struct sb_snapshot *const snapshot = part;

    snapshot->bet = sb_bettor_saved_read(in, object, snapshot->total, &snapshot->wealth);
}

void sb_snapshot_write(struct sb_json *json, const void *part)
{
    const struct sb_tallies *const tallies = ((const struct sb_snapshot *)part)->tallies;

    sb_counts_write_list(json, "tallies", tallies->tally, sb_tallies_counted(tallies));
    if (tallies->step.begun) {
        sb_json_array(json, "places", true);
        for (size_t i = 0; i < tallies->n && !ferror(json->stream); i++)
            sb_json_integer(json, NULL, tallies->step.place[i]);
        sb_json_close(json);
    } else {
        sb_json_null(json, "places");
    }
    sb_snapshot_write_repeats(
        json, &(struct sb_snapshot) { .watched = tallies->repeat, .birthday = tallies->birthday });
}

void sb_snapshot_read_repeats(struct sb_json_field_reader *in, const json_t *object, void *part)
{
    static const char *const fields[] = { "decks", "repeats", "ln_e", "pairs", NULL };
    const json_t *const repeats = json_object_get(object, "repeats"), *const pairs = json_object_get(
                                                                          repeats,
                                                                          "pairs"); /* compared pairs */
    struct sb_snapshot *const snapshot = part;
    struct sb_birthday *const birthday = &snapshot->birthday;
    double *const ln_e = birthday->ln_e;

    snapshot->watched = !json_is_null(repeats);
    if (!snapshot->watched || !sb_json_field_enter(in, "repeats", repeats, fields))
        return;
    birthday->decks = sb_json_field_integer(in, repeats, "decks", 0, snapshot->total);
    birthday->repeats = sb_json_field_integer(in, repeats, "repeats", 0, birthday->decks);
    birthday->pairs = json_number_value(pairs);
    if (pairs && !(birthday->pairs >= 0 && /* a pair may also include a deck that was kept, but not counted */
                   birthday->pairs <= (double)birthday->decks * SB_REPEATS_MOST))
        sb_json_field_fail(in, "pairs", "must be a number that so many decks make at most");
    if (json_unpack(json_object_get(repeats, "ln_e"), "[FFFF!]", &ln_e[0], &ln_e[1], &ln_e[2], &ln_e[3]))
        sb_json_field_fail(in, "ln_e", "must be four numbers");
    sb_json_field_leave(in);
}

static void snapshot_read_places(struct sb_json_field_reader *in, const json_t *object,
                                 struct sb_snapshot *snapshot)
{
    const size_t n = snapshot->n;
    const json_t *const array = json_object_get(object, "places");
    bool well = json_array_size(array) == n;

    if (json_is_null(array))
        return;
    snapshot->places = sb_json_field_room(in, n, sizeof snapshot->places[0]);
    for (size_t i = 0; snapshot->places && well && i < n; i++) {
        const json_t *const place = json_array_get(array, i);

        well = json_is_integer(place) && json_integer_value(place) >= 0 &&
               json_integer_value(place) < (json_int_t)n;
        snapshot->places[i] = well ? (sb_item)json_integer_value(place) : 0;
    }
    if (!well || (snapshot->places && !sb_permutation_valid(n, n, snapshot->places)))
        sb_json_field_fail(in, "places", "must be null or a permutation, from 0");
}

void sb_snapshot_write_catalogue(struct sb_json *json, const void *part)
{
    const struct sb_snapshot *const snapshot = part;

    if (snapshot->tallies)
        sb_catalogue_saved_write_current(json, snapshot->tallies->catalogue);
    else
        sb_catalogue_saved_write(json, &snapshot->catalogue);
}

void sb_snapshot_read_catalogue(struct sb_json_field_reader *in, const json_t *object, void *part)
{
    struct sb_snapshot *const snapshot = part;

    sb_catalogue_saved_read(in, object, snapshot->total, &snapshot->catalogue);
}

void sb_snapshot_read(struct sb_json_field_reader *in, const json_t *object, void *part)
{
    struct sb_snapshot *const snapshot = part;

    sb_counts_read_list(in, object, "tallies", SB_SNAPSHOT_STATISTICS_MOST, snapshot->total,
                        &snapshot->counts, &snapshot->counts_count);
    snapshot_read_places(in, object, snapshot);
    sb_snapshot_read_repeats(in, object, snapshot);
}

const char *sb_snapshot_types(const struct sb_snapshot *snapshot, const struct sb_statistic_type *type[],
                              size_t *count)
{
    size_t known = 0;

    for (size_t i = 0; i < snapshot->counts_count; i++) {
        const struct sb_statistic_type *const found = sb_statistic_find(snapshot->counts[i].statistic);
        bool twice = false;

        /* the statistics of increments follow from n, or are already in the list */
        if (snapshot->counts[i].lag)
            continue;
        for (size_t j = 0; j < known; j++)
            twice = twice || type[j] == found;
        if (!found || twice)
            return snapshot->counts[i].statistic;
        type[known++] = found;
    }
    *count = known;
    return NULL;
}

bool sb_snapshot_resume(const struct sb_snapshot *snapshot, struct sb_tallies *tallies)
{
    struct sb_tally *const tally = tallies->tally;

    if (snapshot->counts_count != sb_tallies_counted(tallies) ||
        snapshot->watched != (tallies->repeat != NULL) || snapshot->bet != (tallies->bettor != NULL) ||
        (snapshot->bet && (snapshot->wealth.round > 0) != (sb_bettor_wealth(tallies->bettor)->round > 0)) ||
        (snapshot->places && !tallies->increments) ||
        !sb_counts_lend(snapshot->counts, snapshot->counts_count, tally))
        return false;
    sb_observer_resume(tallies->observer, tally);
    if (tallies->increments)
        sb_observer_resume(tallies->increments, tally + tallies->statistics);
    if (tallies->lags)
        sb_lags_resume(tallies->lags, tally + sb_tallies_counted(tallies) - sb_lags_count(tallies->lags));
    if (snapshot->places) {
        memcpy(tallies->step.place, snapshot->places, tallies->n * sizeof snapshot->places[0]);
        tallies->step.begun = true;
    }
    if (snapshot->bet)
        sb_bettor_resume(tallies->bettor, &snapshot->wealth);
    sb_catalogue_saved_resume(&snapshot->catalogue, tallies->catalogue);
    tallies->birthday.decks = snapshot->birthday.decks;
    tallies->birthday.repeats = snapshot->birthday.repeats;
    tallies->birthday.pairs = snapshot->birthday.pairs;
    memcpy(tallies->birthday.ln_e, snapshot->birthday.ln_e, sizeof tallies->birthday.ln_e);
    sb_tallies_read(tallies);
    return true;
}
