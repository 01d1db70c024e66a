/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outliers in saved evidence: their sums, of 64 bits and in hexadecimal digits, and the least likely deck and step. */
#include "report/result.h"
#include "store/store.h"

enum {
    SAVED_FAMILIES = 2, /* of decks, and of steps */
    SAVED_SUMS_MOST = SAVED_FAMILIES * SB_OUTLIERS_MOST * SB_OUTLIER_SUMS,
};

static const struct sb_store_field outlier_fields[] = {
    { "statistic", SB_STORE_INTEGER, .at = offsetof(struct sb_outlier_saved, of) },
    { "deck", SB_STORE_INTEGER, .low = 1, .at = offsetof(struct sb_outlier_saved, deck) },
    { "cell", SB_STORE_INTEGER, .at = offsetof(struct sb_outlier_saved, cell) },
    { "alike", SB_STORE_INTEGER, .at = offsetof(struct sb_outlier_saved, alike) },
    { "items", SB_STORE_LIST, .item = SB_STORE_INTEGER, .owned = true, .size = sizeof(uint64_t),
      .high = SB_TALLIED_MOST, .at = offsetof(struct sb_outlier_saved, item),
      .count = offsetof(struct sb_outlier_saved, count) },
    { .name = NULL },
};

static const struct sb_store_field outliers_fields[] = {
    { "names", SB_STORE_HASH, .at = offsetof(struct sb_outliers_saved, hash) },
    { "sums", SB_STORE_LIST, .item = SB_STORE_HASH, .owned = true, .size = sizeof(int64_t), .high = SAVED_SUMS_MOST,
      .at = offsetof(struct sb_outliers_saved, sum), .count = offsetof(struct sb_outliers_saved, count) },
    { "round", SB_STORE_INTEGER, .low = 1, .optional = true, .omitted = true,
      .at = offsetof(struct sb_outliers_saved, round) },
    { "won", SB_STORE_LIST, .item = SB_STORE_REAL, .optional = true, .omitted = true, .owned = true,
      .size = sizeof(double), .high = SAVED_FAMILIES, .at = offsetof(struct sb_outliers_saved, won),
      .count = offsetof(struct sb_outliers_saved, wons) },
    { "least", SB_STORE_LIST, .item = SB_STORE_OBJECT, .fields = outlier_fields, .owned = true,
      .size = sizeof(struct sb_outlier_saved), .high = SAVED_FAMILIES, .at = offsetof(struct sb_outliers_saved, least),
      .count = offsetof(struct sb_outliers_saved, least_count) },
    { .name = NULL },
};

void sb_snapshot_write_outliers(struct sb_json *json, const void *part)
{
    const struct sb_snapshot *const snapshot = part;

    if (snapshot->outliers.present)
        sb_store_write_object(json, "outliers", outliers_fields, &snapshot->outliers);
}

void sb_snapshot_read_outliers(struct sb_json_field_reader *in, const json_t *object, void *part)
{
    struct sb_snapshot *const snapshot = part;
    struct sb_outliers_saved *const saved = &snapshot->outliers;

    saved->present = true;
    sb_store_read(in, "outliers", json_object_get(object, "outliers"), outliers_fields, saved);
    const uint64_t round = snapshot->total ? (snapshot->total - 1) / SB_BETTOR_ROUND + 1 : 1;

    if (saved->round || saved->wons) {
        sb_json_field_within(in, "outliers.round", saved->round, round, round);
        sb_json_field_within(in, "outliers.won", saved->wons, SAVED_FAMILIES, SAVED_FAMILIES);
    }
    for (size_t k = 0; in->status == SB_OK && k < saved->count; k++)
        if (saved->sum[k] < -SB_OUTLIER_SUM_MOST || saved->sum[k] > SB_OUTLIER_SUM_MOST)
            sb_json_field_fail(in, "outliers.sums", "must be at most 2^61 in size");
    for (size_t k = 0; in->status == SB_OK && k < saved->least_count; k++) {
        const struct sb_outlier_saved *const one = &saved->least[k];

        sb_json_field_within(in, "outliers.least.deck", one->deck, 1, snapshot->total);
        sb_json_field_within(in, "outliers.least.alike", one->alike, 0, snapshot->total);
        for (size_t j = 0; in->status == SB_OK && j < one->count; j++)
            sb_json_field_within(in, "outliers.least.items", one->item[j], 0, snapshot->n - 1);
    }
}

static struct sb_outliers *outliers_family(const struct sb_tallies *tallies, size_t f)
{
    return f == 0 ? tallies->outliers : tallies->step_outliers;
}

/* The statistic with this index, of decks and then of steps; NULL: none. */
static struct sb_outlier *outliers_at(const struct sb_tallies *tallies, size_t at)
{
    for (size_t f = 0; f < SAVED_FAMILIES; f++) {
        const struct sb_outliers *const family = outliers_family(tallies, f);

        if (!family)
            continue;
        if (at < family->count)
            return family->of[at];
        at -= family->count;
    }
    return NULL;
}

static uint64_t outliers_hash(const struct sb_tallies *tallies)
{
    return (tallies->outliers ? sb_outliers_hash(tallies->outliers) : 0) ^
           (tallies->step_outliers ? ~sb_outliers_hash(tallies->step_outliers) : 0);
}

static bool outliers_take_least(const struct sb_tallies *tallies, const struct sb_outlier *worst,
                                struct sb_outliers_saved *saved)
{
    struct sb_outlier_saved *const one = &saved->least[saved->least_count];

    if (!worst)
        return true;
    *one = (struct sb_outlier_saved) {
        .deck = worst->number,
        .cell = worst->cell,
        .alike = sb_outlier_alike(worst),
        .count = worst->deal,
        .item = calloc(worst->deal + 1, sizeof one->item[0]),
    };
    while (outliers_at(tallies, (size_t)one->of) != worst)
        one->of++;
    for (size_t j = 0; one->item && j < worst->deal; j++)
        one->item[j] = worst->items[j];
    saved->least_count++;
    return one->item;
}

enum sb_status sb_outliers_saved_take(const struct sb_tallies *tallies, uint64_t total, struct sb_outliers_saved *saved)
{
    if (!tallies->outliers && !tallies->step_outliers)
        return SB_OK;
    *saved = (struct sb_outliers_saved) {
        .present = true,
        .hash = outliers_hash(tallies),
        .least = calloc(SAVED_FAMILIES, sizeof saved->least[0]),
        .won = calloc(SAVED_FAMILIES, sizeof saved->won[0]),
    };
    for (size_t f = 0; saved->won && f < SAVED_FAMILIES; f++) {
        const struct sb_outliers *const family = outliers_family(tallies, f);

        if (!family || !family->round)
            continue;
        saved->round = family->round;
        saved->wons = SAVED_FAMILIES;
        saved->won[f] = family->ln_won;
    }
    while (outliers_at(tallies, saved->count / SB_OUTLIER_SUMS))
        saved->count += SB_OUTLIER_SUMS;
    saved->sum = calloc(saved->count + 1, sizeof saved->sum[0]);
    for (size_t k = 0; saved->sum && k < saved->count; k++)
        saved->sum[k] = outliers_at(tallies, k / SB_OUTLIER_SUMS)->sum[k % SB_OUTLIER_SUMS];
    return saved->sum && saved->least && saved->won &&
                   outliers_take_least(tallies, sb_outliers_worst(tallies->outliers), saved) &&
                   outliers_take_least(tallies, sb_outliers_worst(tallies->step_outliers), saved)
               ? SB_OK
               : SB_NO_MEMORY;
}

bool sb_outliers_saved_fit(const struct sb_outliers_saved *saved, const struct sb_tallies *tallies)
{
    const struct sb_outliers *const first = tallies->outliers ? tallies->outliers : tallies->step_outliers;
    bool fit = saved->present && first && (first->round > 0) == (saved->round > 0) &&
               saved->hash == outliers_hash(tallies) && saved->count % SB_OUTLIER_SUMS == 0 &&
               !outliers_at(tallies, saved->count / SB_OUTLIER_SUMS) &&
               (!saved->count || outliers_at(tallies, saved->count / SB_OUTLIER_SUMS - 1));

    for (size_t k = 0; fit && k < saved->least_count; k++) {
        const struct sb_outlier *const of = outliers_at(tallies, (size_t)saved->least[k].of);

        fit = of && saved->least[k].cell < of->law->cells && saved->least[k].count == of->deal;
    }
    return fit;
}

void sb_outliers_saved_resume(const struct sb_outliers_saved *saved, struct sb_tallies *tallies)
{
    if (!sb_outliers_saved_fit(saved, tallies))
        return;
    for (size_t k = 0; k < saved->count; k++)
        outliers_at(tallies, k / SB_OUTLIER_SUMS)->sum[k % SB_OUTLIER_SUMS] = saved->sum[k];
    for (size_t f = 0; f < saved->wons; f++) {
        struct sb_outliers *const family = outliers_family(tallies, f);

        if (!family)
            continue;
        family->round = saved->round;
        family->ln_won = saved->won[f];
    }
    for (size_t k = 0; k < saved->least_count; k++) {
        const struct sb_outlier_saved *const one = &saved->least[k];
        struct sb_outlier *const of = outliers_at(tallies, (size_t)one->of);

        of->least = of->law->least[one->cell];
        of->cell = (uint32_t)one->cell;
        of->number = one->deck;
        of->before = one->alike;
        for (size_t j = 0; j < one->count; j++)
            of->items[j] = (sb_item)one->item[j];
    }
}

void sb_outliers_saved_close(struct sb_outliers_saved *saved)
{
    sb_store_free(outliers_fields, saved);
}
