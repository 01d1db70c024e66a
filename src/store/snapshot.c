/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counts of tallies at one moment, and the fingerprints of runs, in memory and in JSON. The reader checks every
 * value; the writer sends each number straight to the stream.
 */
#include "report/result.h"
#include "store/store.h"

enum {
    SNAPSHOT_POWER_MOST = 1 << 12, /* no deck multiplies or divides a bettor's wealth by more than 2^(2^12) */
    SNAPSHOT_SUMS_MOST = 4096,     /* the most candidates of a catalogue */
};

#define SNAPSHOT_SUM_MOST (INT64_C(1) << 61)

/* ---- counts ---- */

void sb_counts_row(struct sb_json_field_reader *in, const char *field, const json_t *array, size_t from, size_t cells,
                   uint64_t total, bool less, uint64_t count[])
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

/* Reads `increments`, which tells whether steps are tallied, or else `lag` of a test of dependence. */
static void counts_read_lag(struct sb_json_field_reader *in, const json_t *object, void *record)
{
    struct sb_counts *const counts = record;
    const json_t *const increments = json_object_get(object, "increments");

    counts->dependence = !increments;
    if (counts->dependence) {
        counts->lag = (size_t)sb_json_field_integer(in, object, "lag", 1, SB_TALLIED_MOST);
        return;
    }
    counts->lag = json_is_true(increments);
    if (!json_is_boolean(increments))
        sb_json_field_fail(in, "increments", "must be true or false");
    if (json_object_get(object, "lag"))
        sb_json_field_fail(in, "lag", "must not stand beside increments");
}

static void counts_write_lag(struct sb_json *json, const void *record)
{
    const struct sb_counts *const counts = record;

    if (counts->dependence)
        sb_json_integer(json, "lag", counts->lag);
    else
        sb_json_bool(json, "increments", counts->lag > 0);
}

static void counts_read_cells(struct sb_json_field_reader *in, const json_t *object, void *record)
{
    struct sb_counts *const counts = record;
    const json_t *const array = sb_json_field_array(in, object, "counts", (size_t)SB_CELLS_MOST * 8);

    if (array && json_array_size(array) != counts->members * counts->cells)
        sb_json_field_fail(in, "counts", "must hold members times cells");
    counts->count = sb_json_field_room(in, json_array_size(array), sizeof counts->count[0]);
    for (size_t member = 0; in->status == SB_OK && member < counts->members; member++)
        sb_counts_row(in, "counts", array, member * counts->cells, counts->cells, counts->total, false,
                      counts->count + member * counts->cells);
}

static void counts_write_cells(struct sb_json *json, const void *record)
{
    const struct sb_counts *const counts = record;

    sb_json_array(json, "counts", true);
    for (size_t i = 0; i < counts->members * counts->cells; i++)
        sb_json_integer(json, NULL, counts->count[i]);
    sb_json_close(json);
}

static const struct sb_store_field counts_fields[] = {
    { "statistic", SB_STORE_TEXT, .at = offsetof(struct sb_counts, statistic) },
    { "increments", SB_STORE_PART, .read = counts_read_lag, .write = counts_write_lag },
    { "lag", .kind = SB_STORE_ELSEWHERE },
    { "total", SB_STORE_INTEGER, .at = offsetof(struct sb_counts, total) },
    { "members", SB_STORE_SIZE, .at = offsetof(struct sb_counts, members), .low = 1, .high = SB_TALLIED_MOST },
    { "cells", SB_STORE_SIZE, .at = offsetof(struct sb_counts, cells), .low = 1, .high = SB_CELLS_MOST },
    { "counts", SB_STORE_PART, .read = counts_read_cells, .write = counts_write_cells },
    { .name = NULL },
};

static void counts_read_list(struct sb_json_field_reader *in, const json_t *object, uint64_t total,
                             struct sb_counts **counts, size_t *count)
{
    const json_t *const array = sb_json_field_array(in, object, "tallies", SB_SNAPSHOT_STATISTICS_MOST);
    struct sb_counts *const made = sb_json_field_room(in, json_array_size(array), sizeof *made);
    char name[SB_JSON_FIELD_PLACE], its_total[SB_JSON_FIELD_PLACE];

    *counts = made;
    *count = 0;
    for (size_t i = 0; in->status == SB_OK && i < json_array_size(array); i++) {
        snprintf(name, sizeof name, "tallies[%zu]", i);
        snprintf(its_total, sizeof its_total, "%.100s.total", name);
        sb_store_read(in, name, json_array_get(array, i), counts_fields, &made[(*count)++]);
        sb_json_field_within(in, its_total, made[i].total, made[i].lag ? 0 : total, total);
    }
}

struct sb_counts *sb_counts_borrow(const struct sb_tally tally[], size_t count)
{
    struct sb_counts *const counts = calloc(count + 1, sizeof *counts);

    for (size_t i = 0; counts && i < count; i++)
        counts[i] = (struct sb_counts) {
            .statistic = (char *)tally[i].statistic,
            .lag = tally[i].lag,
            .dependence = tally[i].dependence,
            .total = tally[i].total,
            .members = tally[i].members,
            .cells = tally[i].cells,
            .count = (uint64_t *)tally[i].count,
        };
    return counts;
}

/* ---- the last permutation, and repeated decks ---- */

static void snapshot_read_places(struct sb_json_field_reader *in, const json_t *object, struct sb_snapshot *snapshot)
{
    const size_t n = snapshot->n;
    const json_t *const array = json_object_get(object, "places");
    bool well = json_array_size(array) == n;

    if (!array)
        return;
    snapshot->places = sb_json_field_room(in, n, sizeof snapshot->places[0]);
    for (size_t i = 0; snapshot->places && well && i < n; i++) {
        const json_t *const place = json_array_get(array, i);

        well = json_is_integer(place) && json_integer_value(place) >= 0 && json_integer_value(place) < (json_int_t)n;
        snapshot->places[i] = well ? (sb_item)json_integer_value(place) : 0;
    }
    if (!well || (snapshot->places && !sb_permutation_valid(n, n, snapshot->places)))
        sb_json_field_fail(in, "places", "must be a permutation, from 0");
}

static void snapshot_write_places(struct sb_json *json, const struct sb_snapshot *snapshot)
{
    if (!snapshot->places)
        return;
    sb_json_array(json, "places", true);
    for (size_t i = 0; i < snapshot->n && !ferror(json->stream); i++)
        sb_json_integer(json, NULL, snapshot->places[i]);
    sb_json_close(json);
}

static const struct sb_store_field repeats_fields[] = {
    { "decks", SB_STORE_INTEGER, .at = offsetof(struct sb_birthday, decks) },
    { "repeats", SB_STORE_INTEGER, .at = offsetof(struct sb_birthday, repeats), .most = "decks" },
    { "ln_e", SB_STORE_LIST, .item = SB_STORE_REAL, .at = offsetof(struct sb_birthday, ln_e), .size = sizeof(double),
      .low = SB_BIRTHDAY_ALTERNATIVES, .high = SB_BIRTHDAY_ALTERNATIVES, .what = "must be eleven numbers" },
    { "pairs", SB_STORE_REAL, .at = offsetof(struct sb_birthday, pairs), .optional = true, .omitted = true },
    { .name = NULL },
};

static void snapshot_read_repeats(struct sb_json_field_reader *in, const json_t *object, struct sb_snapshot *snapshot)
{
    const json_t *const repeats = json_object_get(object, "repeats");
    struct sb_birthday *const birthday = &snapshot->birthday;

    snapshot->watched = repeats;
    if (!snapshot->watched)
        return;
    sb_store_read(in, "repeats", repeats, repeats_fields, birthday);
    sb_json_field_within(in, "repeats.decks", birthday->decks, 0, snapshot->total);
    if (!(birthday->pairs >= 0 && /* a pair may also include a deck that was kept, but not counted */
          birthday->pairs <= (double)birthday->decks * SB_REPEATS_MOST))
        sb_json_field_fail(in, "repeats.pairs", "must be a number that so many decks make at most");
}

void sb_snapshot_read(struct sb_json_field_reader *in, const json_t *object, void *part)
{
    struct sb_snapshot *const snapshot = part;

    counts_read_list(in, object, snapshot->total, &snapshot->counts, &snapshot->counts_count);
    snapshot_read_places(in, object, snapshot);
    snapshot_read_repeats(in, object, snapshot);
}

void sb_snapshot_write(struct sb_json *json, const void *part)
{
    const struct sb_snapshot *const snapshot = part;

    sb_json_array(json, "tallies", false);
    for (size_t i = 0; i < snapshot->counts_count && !ferror(json->stream); i++)
        sb_store_write_object(json, NULL, counts_fields, &snapshot->counts[i]);
    sb_json_close(json);
    snapshot_write_places(json, snapshot);
    if (snapshot->watched)
        sb_store_write_object(json, "repeats", repeats_fields, &snapshot->birthday);
}

/* ---- the bettor: each wealth is a fraction of 17 digits, which is read back exactly, times a power of two, which may
 * be negative and is written in hexadecimal digits ---- */

#define BETTOR_LIST(member, kind_of_item)                                                           \
    .kind = SB_STORE_LIST, .item = (kind_of_item), .at = offsetof(struct sb_bettor_wealth, member), \
    .size = sizeof(double), .low = SB_BETTOR_WEALTHS, .high = SB_BETTOR_WEALTHS

static void bettor_check_round(struct sb_json_field_reader *in, const json_t *object, void *record)
{
    const struct sb_bettor_wealth *const is = record;
    const uint64_t round = is->decks ? (is->decks - 1) / SB_BETTOR_ROUND + 1 : 1;

    sb_json_field_within(in, "round", is->round, round, round);
}

/* What earlier rounds have won: null in the first round, and missing without rounds. */
static void bettor_read_won(struct sb_json_field_reader *in, const json_t *object, void *record)
{
    struct sb_bettor_wealth *const wealth = record;
    const json_t *const won = json_object_get(object, "won");

    wealth->ln_won = json_number_value(won);
    if (wealth->round > 1 ? !json_is_number(won) : !json_is_null(won))
        sb_json_field_fail(in, "won", "must be a number after the first round, and null in it");
}

static void bettor_write_won(struct sb_json *json, const void *record)
{
    const struct sb_bettor_wealth *const wealth = record;

    if (wealth->round)
        sb_json_real(json, "won", wealth->round > 1 ? wealth->ln_won : NAN);
}

static const struct sb_store_field bettor_fields[] = {
    { "decks", SB_STORE_INTEGER, .at = offsetof(struct sb_bettor_wealth, decks) },
    { "parts", BETTOR_LIST(part, SB_STORE_REAL) },
    { "powers", BETTOR_LIST(power, SB_STORE_HASH) },
    { "round", SB_STORE_INTEGER, .at = offsetof(struct sb_bettor_wealth, round), .low = 1, .optional = true,
      .omitted = true, .read = bettor_check_round },
    { "won", SB_STORE_PART, .optional = true, .read = bettor_read_won, .write = bettor_write_won },
    { .name = NULL },
};

void sb_snapshot_write_bettor(struct sb_json *json, const void *part)
{
    const struct sb_snapshot *const snapshot = part;

    if (snapshot->bet)
        sb_store_write_object(json, "bettor", bettor_fields, &snapshot->wealth);
}

void sb_snapshot_read_bettor(struct sb_json_field_reader *in, const json_t *object, void *part)
{
    struct sb_snapshot *const snapshot = part;
    const struct sb_bettor_wealth *const wealth = &snapshot->wealth;
    const uint64_t total = snapshot->total;
    const double most = fmin(SNAPSHOT_POWER_MOST * ((double)total + 1), 0x1p62); /* fits into int64_t */

    snapshot->bet = true;
    sb_store_read(in, "bettor", json_object_get(object, "bettor"), bettor_fields, &snapshot->wealth);
    sb_json_field_within(in, "bettor.decks", wealth->decks, total, total);
    for (size_t i = 0; in->status == SB_OK && i < SB_BETTOR_WEALTHS; i++)
        if (!(wealth->part[i] >= 0.5 && wealth->part[i] < 1 && fabs((double)wealth->power[i]) <= most))
            sb_json_field_fail(in, "bettor.parts",
                               "must hold a fraction from 0.5 for each wealth, and powers that decks can give");
}

/* ---- the catalogue: sums have 64 bits, more than numbers in JSON, and are written in hexadecimal digits ---- */

static const struct sb_store_field catalogue_fields[] = {
    { "decks", SB_STORE_INTEGER, .at = offsetof(struct sb_catalogue_saved, decks) },
    { "names", SB_STORE_HASH, .at = offsetof(struct sb_catalogue_saved, hash) },
    { "sums", SB_STORE_LIST, .item = SB_STORE_HASH, .owned = true, .size = sizeof(int64_t), .high = SNAPSHOT_SUMS_MOST,
      .at = offsetof(struct sb_catalogue_saved, sum), .count = offsetof(struct sb_catalogue_saved, count) },
    { .name = NULL },
};

void sb_snapshot_write_catalogue(struct sb_json *json, const void *part)
{
    const struct sb_snapshot *const snapshot = part;

    if (snapshot->catalogue.present)
        sb_store_write_object(json, "catalogue", catalogue_fields, &snapshot->catalogue);
}

void sb_snapshot_read_catalogue(struct sb_json_field_reader *in, const json_t *object, void *part)
{
    struct sb_snapshot *const snapshot = part;
    struct sb_catalogue_saved *const saved = &snapshot->catalogue;
    const uint64_t total = snapshot->total, most = total < SB_CATALOGUE_DECKS ? total : SB_CATALOGUE_DECKS;

    saved->present = true;
    sb_store_read(in, "catalogue", json_object_get(object, "catalogue"), catalogue_fields, saved);
    const uint64_t decks = saved->count == 0 ? 0 : most;

    sb_json_field_within(in, "catalogue.decks", saved->decks, decks, decks);
    for (size_t k = 0; in->status == SB_OK && k < saved->count; k++)
        if (saved->sum[k] != SB_WORTH_IMPOSSIBLE &&
            (saved->sum[k] < -SNAPSHOT_SUM_MOST || saved->sum[k] > SNAPSHOT_SUM_MOST))
            sb_json_field_fail(in, "catalogue.sums", "must be at most 2^61 in size, or the impossible");
}

static size_t catalogue_sums(const struct sb_catalogue *catalogue)
{
    return sb_catalogue_by_rank(catalogue) ? 0 : catalogue->count;
}

enum sb_status sb_catalogue_saved_take(const struct sb_catalogue *catalogue, struct sb_catalogue_saved *saved)
{
    if (!catalogue)
        return SB_OK;
    *saved = (struct sb_catalogue_saved) {
        .present = true,
        .decks = catalogue->decks,
        .hash = sb_catalogue_hash(catalogue),
        .count = catalogue_sums(catalogue),
        .sum = calloc(catalogue->count + 1, sizeof *saved->sum),
    };
    for (size_t k = 0; saved->sum && k < saved->count; k++)
        saved->sum[k] = catalogue->candidate[k].sum;
    return saved->sum ? SB_OK : SB_NO_MEMORY;
}

/* If the hash of the candidates' names shows that another version with a different catalogue saved the sums, the run
 * continues without a catalogue. */
bool sb_catalogue_saved_fits(const struct sb_catalogue_saved *saved, const struct sb_catalogue *catalogue)
{
    return saved->present && saved->count == catalogue_sums(catalogue) && saved->hash == sb_catalogue_hash(catalogue);
}

void sb_catalogue_saved_resume(const struct sb_catalogue_saved *saved, struct sb_catalogue *catalogue)
{
    if (!catalogue || !sb_catalogue_saved_fits(saved, catalogue))
        return;
    catalogue->decks = saved->decks;
    for (size_t k = 0; k < saved->count; k++)
        catalogue->candidate[k].sum = saved->sum[k];
}

/* ---- snapshots ---- */

void sb_snapshot_close(struct sb_snapshot *snapshot)
{
    if (snapshot->borrowed) {
        free(snapshot->counts);
    } else {
        sb_counts_free(snapshot->counts, snapshot->counts_count);
        free(snapshot->places);
    }
    free(snapshot->catalogue.sum);
    sb_outliers_saved_close(&snapshot->outliers);
    *snapshot = (struct sb_snapshot) { .total = 0 };
}

enum sb_status sb_snapshot_take(const struct sb_tallies *tallies, uint64_t total, struct sb_snapshot *snapshot)
{
    struct sb_snapshot made = {
        .n = tallies->n,
        .total = total,
        .borrowed = true,
        .counts_count = sb_tallies_counted(tallies),
        .counts = sb_counts_borrow(tallies->tally, sb_tallies_counted(tallies)),
        .places = tallies->step.begun && !tallies->near ? tallies->step.place : NULL,
        .watched = sb_tallies_repeated(tallies),
        .birthday = tallies->birthday,
        .bet = tallies->bettor,
    };

    if (!made.counts || sb_catalogue_saved_take(tallies->catalogue, &made.catalogue) ||
        sb_outliers_saved_take(tallies, total, &made.outliers)) {
        sb_snapshot_close(&made);
        return SB_NO_MEMORY;
    }
    if (tallies->bettor)
        made.wealth = *sb_bettor_wealth(tallies->bettor);
    sb_snapshot_close(snapshot);
    *snapshot = made;
    return SB_OK;
}

const char *sb_snapshot_types(const struct sb_snapshot *snapshot, const struct sb_statistic_type *type[], size_t *count)
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

    if (snapshot->counts_count != sb_tallies_counted(tallies) || snapshot->watched != sb_tallies_repeated(tallies) ||
        snapshot->bet != (tallies->bettor != NULL) ||
        (snapshot->bet && (snapshot->wealth.round > 0) != (sb_bettor_wealth(tallies->bettor)->round > 0)) ||
        (snapshot->places && !tallies->step.place) || !sb_counts_lend(snapshot->counts, snapshot->counts_count, tally))
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
    sb_outliers_saved_resume(&snapshot->outliers, tallies);
    tallies->place = snapshot->total;
    if (tallies->lags)
        sb_lags_begin(tallies->lags, snapshot->total);
    tallies->birthday.decks = snapshot->birthday.decks;
    tallies->birthday.repeats = snapshot->birthday.repeats;
    tallies->birthday.pairs = snapshot->birthday.pairs;
    memcpy(tallies->birthday.ln_e, snapshot->birthday.ln_e, sizeof tallies->birthday.ln_e);
    sb_tallies_read(tallies);
    return true;
}

/* ---- fingerprints: FNV-1a of the first items, which does not protect against deliberate tampering ---- */

void sb_fingerprints_add(struct sb_fingerprints *fingerprints, const struct sb_fingerprint *fingerprint)
{
    fingerprints->uncounted += fingerprint->adds ? fingerprint->decks : 0;
    if (fingerprint->decks < SB_FINGERPRINT_DECKS)
        return;
    if (fingerprints->count == SB_FINGERPRINTS_MOST) {
        fingerprints->count--;
        memmove(&fingerprints->hash[0], &fingerprints->hash[1], fingerprints->count * sizeof fingerprints->hash[0]);
    }
    fingerprints->hash[fingerprints->count++] = fingerprint->hash;
}
