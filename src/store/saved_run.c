/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The object `run` of a file of evidence: what only the runs of one command have. */
#include "store/store.h"

#include "report/result.h"

#include <inttypes.h>

/* ---- a report: counts by rank, or else the matrix ---- */

static void report_read_counts(struct sb_json_field_reader *in, const json_t *object, void *record)
{
    const struct sb_evidence *const evidence = &((const struct sb_saved *)record)->evidence;
    const json_t *const counts = json_object_get(object, "counts");

    if (evidence->cells == 0)
        sb_json_field_fail(in, "counts", "must be missing, for orders are too many to be counted");
    else if (json_array_size(counts) != evidence->cells)
        sb_json_field_fail(in, "counts", "must be an array of a count for each order");
    else
        sb_counts_row(in, "counts", counts, 0, evidence->cells, evidence->total, false, evidence->counts.u64);
}

static void report_write_counts(struct sb_json *json, const void *record)
{
    const struct sb_evidence *const evidence = &((const struct sb_saved *)record)->evidence;

    if (evidence->cells == 0)
        return;
    sb_json_array(json, "counts", true);
    for (size_t rank = 0; rank < evidence->cells && !ferror(json->stream); rank++)
        sb_json_integer(json, NULL, evidence->counts.u64[rank]);
    sb_json_close(json);
}

static void report_read_matrix(struct sb_json_field_reader *in, const json_t *object, void *record)
{
    struct sb_evidence *const evidence = &((struct sb_saved *)record)->evidence;
    const json_t *const matrix = json_object_get(object, "matrix");
    const size_t n = evidence->n, deal = evidence->deal;
    char field[32];

    if (evidence->cells || json_array_size(matrix) != n)
        sb_json_field_fail(in, "matrix",
                           evidence->cells ? "must be missing" : "must be an array of a row for each item");
    for (size_t i = 0; i < n && in->status == SB_OK; i++) {
        const json_t *const row = json_array_get(matrix, i);

        snprintf(field, sizeof field, "matrix[%zu]", i);
        if (json_array_size(row) != deal)
            sb_json_field_fail(in, field, "must be an array of a count for each position");
        else
            sb_counts_row(in, field, row, 0, deal, evidence->total, deal < n, evidence->matrix.u64 + i * deal);
    }
    for (size_t j = 0; j < deal && in->status == SB_OK; j++) {
        uint64_t left = evidence->total;

        for (size_t i = 0; i < n && left <= evidence->total; i++)
            left -= evidence->matrix.u64[i * deal + j];
        if (left)
            sb_json_field_fail(in, "matrix", "must add up to the total for each position");
    }
}

static void report_write_matrix(struct sb_json *json, const void *record)
{
    const struct sb_evidence *const evidence = &((const struct sb_saved *)record)->evidence;

    if (evidence->cells)
        return;
    sb_json_array(json, "matrix", false);
    for (size_t item = 0; item < evidence->n && !ferror(json->stream); item++) {
        sb_json_array(json, NULL, true);
        for (size_t position = 0; position < evidence->deal; position++)
            sb_json_integer(json, NULL, evidence->matrix.u64[item * evidence->deal + position]);
        sb_json_close(json);
    }
    sb_json_close(json);
}

const struct sb_store_field sb_saved_report_fields[] = {
    { "counts", SB_STORE_PART, .optional = true, .read = report_read_counts, .write = report_write_counts },
    { "matrix", SB_STORE_PART, .optional = true, .read = report_read_matrix, .write = report_write_matrix },
    { .name = NULL },
};

/* ---- a gate: the looks, as four arrays that plotting programs can read directly ---- */

enum {
    GATE_LOOKS_MOST = 1 << 13, /* more than the number of looks at up to 2^63 permutations */
    GATE_LOOK_REALS = 3,
    GATE_DECK = 32, /* hexadecimal digits of a deck */
};

static const struct sb_store_field looks_fields[] = {
    { "total", .kind = SB_STORE_ELSEWHERE },
    { "ln_e", SB_STORE_ELSEWHERE, .at = offsetof(struct sb_gate_point, ln_e), .null = true },
    { "tv_low", SB_STORE_ELSEWHERE, .at = offsetof(struct sb_gate_point, tv_low) },
    { "tv_high", SB_STORE_ELSEWHERE, .at = offsetof(struct sb_gate_point, tv_high) },
    { .name = NULL },
};

/* Reads one of the three numbers of each look. If the row allows null, null means infinity. */
static void looks_read_numbers(struct sb_json_field_reader *in, const json_t *object,
                               const struct sb_store_field *field, const struct sb_saved *saved)
{
    const json_t *const array = json_object_get(object, field->name);
    bool well = json_array_size(array) == saved->points_count;

    for (size_t i = 0; well && i < saved->points_count; i++) {
        const json_t *const value = json_array_get(array, i);
        const double number = json_is_number(value) ? json_number_value(value) : HUGE_VAL;

        well = json_is_number(value) || (field->null && json_is_null(value));
        memcpy((char *)&saved->point[i] + field->at, &number, sizeof number);
    }
    if (!well)
        sb_json_field_fail(in, field->name, "must hold a number for each look");
}

/* Reads the looks up to the total. The looks of all runs come after the same numbers of permutations. Each
 * look in the file must come after one of these numbers. */
static void looks_read(struct sb_json_field_reader *in, const json_t *run, void *record)
{
    const json_t *const object = json_object_get(run, "looks"), *total;
    struct sb_saved *const saved = record;
    uint64_t next = sb_gate_next_look(0);

    if (!sb_store_enter(in, "looks", object, looks_fields))
        return;
    total = sb_json_field_array(in, object, "total", GATE_LOOKS_MOST);
    saved->point = sb_json_field_room(in, json_array_size(total), sizeof saved->point[0]);
    saved->points_count = saved->point ? json_array_size(total) : 0;
    for (size_t i = 1; i <= GATE_LOOK_REALS; i++)
        looks_read_numbers(in, object, &looks_fields[i], saved);
    for (size_t i = 0; in->status == SB_OK && i < saved->points_count; i++) {
        const json_t *const at = json_array_get(total, i);

        saved->point[i].total = next;
        if (!json_is_integer(at) || (uint64_t)json_integer_value(at) != next || next > saved->snapshot.total)
            sb_json_field_fail(in, "total", "must be where a gate looks, up to the total");
        next = sb_gate_next_look(next);
    }
    if (saved->snapshot.total > next)
        sb_json_field_fail(in, "total", "must go up to the total");
    sb_store_leave(in);
}

void sb_gate_looks_write(struct sb_json *json, const struct sb_gate_point point[], size_t count)
{
    sb_json_object(json, "looks");
    sb_json_array(json, "total", true);
    for (size_t i = 0; i < count; i++)
        sb_json_integer(json, NULL, point[i].total);
    sb_json_close(json);
    for (size_t k = 1; k <= GATE_LOOK_REALS; k++) {
        sb_json_array(json, looks_fields[k].name, true);
        for (size_t i = 0; i < count; i++)
            sb_json_real(json, NULL, *(const double *)(const void *)((const char *)&point[i] + looks_fields[k].at));
        sb_json_close(json);
    }
    sb_json_close(json);
}

static void looks_write(struct sb_json *json, const void *record)
{
    const struct sb_saved *const saved = record;

    sb_gate_looks_write(json, saved->point, saved->points_count);
}

static void decks_read(struct sb_json_field_reader *in, const json_t *run, void *record)
{
    const json_t *const value = json_object_get(run, "decks");
    const char *const text = json_is_string(value) ? json_string_value(value) : "-";
    const size_t length = strlen(text);
    struct sb_saved *const saved = record;
    char digits[GATE_DECK / 2 + 1] = "";
    bool well = length && strspn(text, "0123456789abcdef") == length && length % GATE_DECK == 0 &&
                length / GATE_DECK <= SB_REPEATS_CARRIED;

    saved->decks = sb_json_field_room(in, well ? length / GATE_DECK : 0, sizeof saved->decks[0]);
    for (size_t i = 0; saved->decks && well && i < length / GATE_DECK; i++) {
        struct sb_deck_key *const key = &saved->decks[saved->decks_count++];

        memcpy(digits, text + i * GATE_DECK, GATE_DECK / 2);
        key->high = strtoull(digits, NULL, 16);
        memcpy(digits, text + i * GATE_DECK + GATE_DECK / 2, GATE_DECK / 2);
        key->low = strtoull(digits, NULL, 16);
        well = key->high | key->low; /* a key is never zero: tally/order.h */
    }
    if (!well)
        sb_json_field_fail(in, "decks", "must be 32 hexadecimal digits for each deck");
}

static void decks_write(struct sb_json *json, const void *record)
{
    const struct sb_saved *const saved = record;
    FILE *const stream = saved->decks_count ? sb_json_value(json, "decks") : NULL;

    if (!stream)
        return;
    fputc('"', stream);
    for (size_t i = 0; i < saved->decks_count && !ferror(stream); i++)
        fprintf(stream, "%016" PRIx64 "%016" PRIx64, saved->decks[i].high, saved->decks[i].low);
    fputc('"', stream);
}

/* The rows of the fingerprints, which a gate and a watch have. */
#define FINGERPRINTS                                                                                           \
    { .name = "openings",                                                                                      \
      .kind = SB_STORE_LIST,                                                                                   \
      .item = SB_STORE_HASH,                                                                                   \
      .size = sizeof(uint64_t),                                                                                \
      .high = SB_FINGERPRINTS_MOST,                                                                            \
      .at = offsetof(struct sb_saved, fingerprints.hash),                                                      \
      .count = offsetof(struct sb_saved, fingerprints.count) },                                                \
    {                                                                                                          \
        .name = "uncounted", .kind = SB_STORE_INTEGER, .at = offsetof(struct sb_saved, fingerprints.uncounted) \
    }

static const char *const saved_seats[] = { "bridge", NULL };

#define SEATS                                                                                               \
    {                                                                                                       \
        .name = "seats", .kind = SB_STORE_CHOICE, .at = offsetof(struct sb_saved, seats), .optional = true, \
        .omitted = true, .choices = saved_seats                                                             \
    }

static const char *const gate_verdicts[] = { "inconclusive", "pass", "fail", NULL };

const struct sb_store_field sb_saved_gate_fields[] = {
    { "items", SB_STORE_TEXT, .at = offsetof(struct sb_saved, items), .optional = true, .omitted = true },
    SEATS,
    { "replays", SB_STORE_BOOL, .at = offsetof(struct sb_saved, replays) },
    { "run", SB_STORE_INTEGER, .at = offsetof(struct sb_saved, run), .low = 1, .null = true },
    { "share", SB_STORE_INTEGER, .at = offsetof(struct sb_saved, share), .low = 1, .most = "run", .null = true },
    { "verdict", SB_STORE_CHOICE, .at = offsetof(struct sb_saved, verdict), .null = true, .choices = gate_verdicts },
    { "carried", SB_STORE_INTEGER, .at = offsetof(struct sb_saved, carried) },
    { "looks", SB_STORE_PART, .read = looks_read, .write = looks_write },
    FINGERPRINTS,
    { "decks", SB_STORE_PART, .optional = true, .read = decks_read, .write = decks_write },
    { .name = NULL },
};

/* ---- a watch: the position in a log, and the levels that have started; levels that started at the same moment share
 * the tallies of that moment ---- */

static const struct sb_store_field position_fields[] = {
    { "inode", SB_STORE_HASH, .at = offsetof(struct sb_log_position, inode) },
    { "offset", SB_STORE_INTEGER, .at = offsetof(struct sb_log_position, offset) },
    { "zeros", SB_STORE_INTEGER, .at = offsetof(struct sb_log_position, zeros), .optional = true, .most = "offset" },
    { "head", SB_STORE_INTEGER, .at = offsetof(struct sb_log_position, head), .high = SB_LOG_POSITION_HEAD },
    { "hash", SB_STORE_HASH, .at = offsetof(struct sb_log_position, hash) },
    { .name = NULL },
};

static void position_read(struct sb_json_field_reader *in, const json_t *run, void *record)
{
    struct sb_saved *const saved = record;

    sb_store_read(in, "bookmark", json_object_get(run, "bookmark"), position_fields, &saved->position);
}

static void position_write(struct sb_json *json, const void *record)
{
    const struct sb_saved *const saved = record;

    if (saved->position.inode)
        sb_store_write_object(json, "bookmark", position_fields, &saved->position);
}

static void levels_read(struct sb_json_field_reader *in, const json_t *object, void *record)
{
    struct sb_watch_start *const start = record;
    const json_t *const levels = sb_json_field_array(in, object, "levels", SB_DETECTOR_LEVELS);

    for (size_t j = 0; j < json_array_size(levels); j++) {
        const json_t *const level = json_array_get(levels, j);
        const json_int_t k = json_is_integer(level) ? json_integer_value(level) : -1;

        if (k < 0 || k >= SB_DETECTOR_LEVELS || start->snapshot.total & ((UINT64_C(1) << k) - 1))
            sb_json_field_fail(in, "levels", "must be levels that start there");
        else
            start->levels |= UINT64_C(1) << k;
    }
}

static const struct sb_store_field start_fields[] = {
    { "start", SB_STORE_INTEGER, .at = offsetof(struct sb_watch_start, snapshot.total), .low = 1 },
    { "levels", SB_STORE_PART, .read = levels_read },
    { "tallies", SB_STORE_PART, .at = offsetof(struct sb_watch_start, snapshot), .read = sb_snapshot_read },
    { "places", .kind = SB_STORE_ELSEWHERE },
    { "repeats", .kind = SB_STORE_ELSEWHERE },
    { "bets", SB_STORE_LIST, .item = SB_STORE_REAL, .optional = true, .owned = true, .size = sizeof(double),
      .high = SB_BETTOR_WEALTHS + 2 * SB_OUTLIERS_MOST * SB_OUTLIER_SUMS, .at = offsetof(struct sb_watch_start, bet),
      .count = offsetof(struct sb_watch_start, bets) },
    { .name = NULL },
};

static void starts_read(struct sb_json_field_reader *in, const json_t *run, void *record)
{
    struct sb_saved *const saved = record;
    const json_t *const starts = sb_json_field_array(in, run, "starts", SB_DETECTOR_LEVELS);
    char name[32];

    saved->start = sb_json_field_room(in, json_array_size(starts), sizeof saved->start[0]);
    while (in->status == SB_OK && saved->starts < json_array_size(starts)) {
        struct sb_watch_start *const start = &saved->start[saved->starts];

        snprintf(name, sizeof name, "starts[%zu]", saved->starts);
        start->snapshot.n = saved->snapshot.n;
        sb_store_read(in, name, json_array_get(starts, saved->starts++), start_fields, start);
        snprintf(name + strlen(name), sizeof name - strlen(name), ".start");
        sb_json_field_within(in, name, start->snapshot.total, 1, saved->snapshot.total);
    }
}

static void starts_write_level(struct sb_json *json, const struct sb_snapshot *now, size_t bets,
                               const struct sb_detector_level *level)
{
    struct sb_counts then[SB_SNAPSHOT_STATISTICS_MOST];
    struct sb_snapshot start = { .counts = then, .counts_count = now->counts_count, .watched = now->watched };
    const double *bet = level->bet;
    size_t from = 0;

    for (size_t i = 0; i < now->counts_count; i++) {
        then[i] = now->counts[i];
        then[i].total = level->total[i];
        then[i].count = level->count + from;
        from += then[i].members * then[i].cells;
    }
    if (now->watched) {
        memcpy(start.birthday.ln_e, bet, sizeof start.birthday.ln_e);
        bet += SB_BIRTHDAY_ALTERNATIVES;
        bets -= SB_BIRTHDAY_ALTERNATIVES;
    }
    sb_snapshot_write(json, &start);
    if (!bets)
        return;
    sb_json_array(json, "bets", true);
    for (size_t i = 0; i < bets; i++)
        sb_json_real(json, NULL, bet[i]);
    sb_json_close(json);
}

static void starts_write(struct sb_json *json, const void *record)
{
    const struct sb_saved *const saved = record;
    const struct sb_detector_level *const level = saved->detector ? saved->detector->level : NULL;

    sb_json_array(json, "starts", false);
    for (unsigned k = 0; level && k < SB_DETECTOR_LEVELS; k++) {
        bool first = level[k].start > 0;

        for (unsigned j = 0; j < k; j++)
            first = first && level[j].start != level[k].start;
        if (!first)
            continue;
        sb_json_object(json, NULL);
        sb_json_integer(json, "start", level[k].start);
        sb_json_array(json, "levels", true);
        for (unsigned j = k; j < SB_DETECTOR_LEVELS; j++)
            if (level[j].start == level[k].start)
                sb_json_integer(json, NULL, j);
        sb_json_close(json);
        starts_write_level(json, &saved->snapshot, saved->detector->bets, &level[k]);
        sb_json_close(json);
    }
    sb_json_close(json);
}

const struct sb_store_field sb_saved_watch_fields[] = {
    SEATS,
    { "alarms", SB_STORE_INTEGER, .at = offsetof(struct sb_saved, alarms) },
    { "alarm_total", SB_STORE_INTEGER, .at = offsetof(struct sb_saved, alarm_total) },
    { "last", SB_STORE_INTEGER, .at = offsetof(struct sb_saved, last) },
    { "bookmark", SB_STORE_PART, .optional = true, .read = position_read, .write = position_write },
    FINGERPRINTS,
    { "starts", SB_STORE_PART, .read = starts_read, .write = starts_write },
    { .name = NULL },
};
