/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tallies that are saved as JSON and loaded continue as if they had never been interrupted. */
#include "unit/test.h"

#include "report/result.h"
#include "store/fields.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

enum { ALL = 3000, FIRST = 1234 };

/* Rotations, every third one turned round: few different decks, which come up again. */
static sb_item *decks(size_t n)
{
    sb_item *const items = calloc(ALL * n, sizeof *items);

    assert_non_null(items);
    for (size_t d = 0; d < ALL; d++)
        for (size_t i = 0; i < n; i++)
            items[d * n + i] = (sb_item)((i * (d % 3 ? 1 : n - 1) + d * d / 7) % n);
    return items;
}

static void open_tallies(size_t n, bool small, struct sb_tallies *tallies)
{
    const struct sb_statistic_type *const types[] = { small ? &sb_statistic_rank : &sb_statistic_position,
                                                      sb_statistic_find("descents"), sb_statistic_find("cycles") };
    const unsigned what = SB_TALLIES_INCREMENTS | (small ? 0 : SB_TALLIES_REPEATS);
    struct sb_error error;

    assert_int_equal(sb_tallies_open(NULL, n, n, types, 3, what, &error, tallies), SB_OK);
}

/* An object with what the tallies have seen, and a field of its owner's. */
static json_t *written(struct sb_tallies *tallies)
{
    char *text = NULL;
    size_t length;
    struct sb_json json = { .stream = open_memstream(&text, &length) };
    struct sb_snapshot now = { .total = 0 };
    json_t *object;

    assert_non_null(json.stream);
    sb_tallies_read(tallies);
    sb_json_object(&json, NULL);
    sb_json_integer(&json, "mine", 42);
    assert_int_equal(sb_snapshot_take(tallies, 0, &now), SB_OK);
    sb_snapshot_write(&json, &now);
    sb_snapshot_close(&now);
    sb_json_close(&json);
    fclose(json.stream);
    object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    assert_non_null(object);
    return object;
}

static enum sb_status read_back(json_t *object, size_t n, uint64_t total, struct sb_error *error,
                                struct sb_snapshot *seen)
{
    struct sb_json_field_reader in = {
        .path = "house.json", .kind = "evidence", .article = "evidence", .remedy = "restore it", .error = error
    };

    *seen = (struct sb_snapshot) { .n = n, .total = total };
    sb_snapshot_read(&in, object, seen);
    json_decref(object);
    return in.status;
}

TEST(test_another_shape_is_refused)
{
    const struct sb_statistic_type *const types[] = { &sb_statistic_position };
    sb_item *const items = decks(12);
    struct sb_tallies first, other;
    struct sb_snapshot seen = { 0 };
    struct sb_error error;

    open_tallies(12, false, &first);
    sb_tallies_add(&first, items, 1);
    sb_tallies_read(&first);
    assert_int_equal(sb_snapshot_take(&first, 1, &seen), SB_OK);
    assert_int_equal(sb_tallies_open(NULL, 12, 12, types, 1, 0, &error, &other), SB_OK);
    assert_false(sb_snapshot_resume(&seen, &other));
    sb_tallies_close(&other);
    open_tallies(4, true, &other);
    assert_false(sb_snapshot_resume(&seen, &other));
    sb_tallies_close(&other);
    sb_tallies_close(&first);
    sb_snapshot_close(&seen);
    free(items);
}

/* What was saved of 100 items while their positions were counted in groups is not taken for their own cells.
 */
TEST(test_merged_positions_are_refused)
{
    const struct sb_statistic_type *const types[] = { &sb_statistic_position };
    sb_item *const items = decks(100);
    struct sb_tallies first, other;
    struct sb_snapshot seen = { 0 };
    struct sb_error error;

    assert_int_equal(sb_tallies_open(NULL, 100, 100, types, 1, SB_TALLIES_COARSE, &error, &first), SB_OK);
    sb_tallies_add(&first, items, 1);
    sb_tallies_read(&first);
    assert_in_range(first.tally[0].cells, 2, SB_TALLIES_CELLS_MOST);
    assert_int_equal(sb_snapshot_take(&first, 1, &seen), SB_OK);
    assert_int_equal(sb_tallies_open(NULL, 100, 100, types, 1, 0, &error, &other), SB_OK);
    assert_int_equal(other.tally[0].cells, 100);
    assert_false(sb_snapshot_resume(&seen, &other));
    sb_tallies_close(&other);
    sb_tallies_close(&first);
    sb_snapshot_close(&seen);
    free(items);
}

/* Each fault, alone in a sound object, has its place. */
TEST(test_nothing_is_believed)
{
    static const struct {
        const char *field, *value, *line;
    } faults[] = {
        { "tallies", "{}", "tallies must be an array" },
        { "tallies", "[7]", "tallies[0]. must be an object" },
        { "places", "[0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", "places must be null or a permutation" },
        { "places", "[1, 2, 3]", "places must be" },
        { "places", "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 65548]", "places must be" },
        { "repeats", "7", "repeats. must be an object" },
        { "repeats", "{\"decks\": 1235, \"repeats\": 0, \"ln_e\": [0, 0, 0, 0]}", "repeats.decks must be" },
        { "repeats", "{\"decks\": 9, \"repeats\": 10, \"ln_e\": [0, 0, 0, 0]}", "repeats.repeats must be" },
        { "repeats", "{\"decks\": 9, \"repeats\": 1, \"ln_e\": [0, 0, 0]}", "repeats.ln_e must be" },
    };
    sb_item *const items = decks(12);
    struct sb_tallies first;

    open_tallies(12, false, &first);
    sb_tallies_add(&first, items, FIRST);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        json_t *const object = written(&first);
        struct sb_error error = { 0 };
        struct sb_snapshot seen;

        json_object_set_new(object, faults[i].field, json_loads(faults[i].value, JSON_DECODE_ANY, NULL));
        assert_int_equal(read_back(object, 12, FIRST, &error, &seen), SB_IO);
        if (!strstr(error.text, faults[i].line))
            fail_msg("%s: %s", faults[i].line, error.text);
        sb_snapshot_close(&seen);
    }
    sb_tallies_close(&first);
    free(items);
}

/* Reads a bettor of one deck, all of whose wealths are 1/2 times this power of two. */
static enum sb_status read_power(json_int_t power)
{
    json_t *const top = json_object(), *const bettor = json_object();
    json_t *const parts = json_array(), *const powers = json_array();
    struct sb_error error = { 0 };
    struct sb_json_field_reader in = {
        .path = "house.json", .kind = "evidence", .article = "evidence", .remedy = "restore it", .error = &error
    };
    struct sb_snapshot snapshot = { .total = 1 };

    for (size_t i = 0; i < SB_BETTOR_WEALTHS; i++) {
        json_array_append_new(parts, json_real(0.5));
        json_array_append_new(powers, json_integer(power));
    }
    json_object_set_new(bettor, "decks", json_integer(1));
    json_object_set_new(bettor, "parts", parts);
    json_object_set_new(bettor, "powers", powers);
    json_object_set_new(bettor, "round", json_integer(1));
    json_object_set_new(bettor, "won", json_null());
    json_object_set_new(top, "bettor", bettor);
    sb_snapshot_read_bettor(&in, top, &snapshot);
    json_decref(top);
    return in.status;
}

/* A deck multiplies or divides a wealth by at most 2^4096, and there is room for another. */
TEST(test_a_bettor_cannot_win_too_much)
{
    assert_int_equal(read_power(1), SB_OK);
    assert_int_equal(read_power(-4096), SB_OK);
    assert_int_equal(read_power(8192), SB_OK);
    assert_int_equal(read_power(8193), SB_IO);
    assert_int_equal(read_power(-8193), SB_IO);
}

/* A person who reads the file finds the four numbers of repeats in one line. */
TEST(test_repeats_are_in_one_line)
{
    const struct sb_birthday birthday = { .decks = 9, .repeats = 1, .ln_e = { 0.5, 1.5, 2.5, 3.5 } };
    char *text = NULL;
    size_t length;
    struct sb_json json = { .stream = open_memstream(&text, &length) };

    assert_non_null(json.stream);
    sb_json_object(&json, NULL);
    sb_snapshot_write_repeats(&json, &(struct sb_snapshot) { .watched = true, .birthday = birthday });
    sb_json_close(&json);
    fclose(json.stream);
    assert_non_null(strstr(text, "[0.5, 1.5, 2.5, 3.5]"));
    free(text);
}
