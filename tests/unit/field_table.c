/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table of fields reads what it writes, and reports the place of each fault. */
#include "unit/test.h"

#include "report/result.h"
#include "store/fields.h"

#include <stdlib.h>
#include <string.h>

struct inner {
    double level;
};

struct pair {
    const char *name;
    uint64_t of;
};

struct record {
    const char *text, *kind;
    uint64_t number, hash, later, seed;
    size_t n, deal;
    bool flag;
    struct inner inner;
    double real[3];
    size_t pairs;
    struct pair *pair;
};

static const char *const kinds[] = { "round", "square", NULL };

static bool is_square(const void *record)
{
    return strcmp(((const struct record *)record)->kind, "square") == 0;
}

static const struct sb_store_field inner_fields[] = {
    { "level", SB_STORE_LEVEL, .at = offsetof(struct inner, level) },
    { .name = NULL },
};

static const struct sb_store_field pair_fields[] = {
    { "name", SB_STORE_TEXT, .at = offsetof(struct pair, name) },
    { "of", SB_STORE_INTEGER, .at = offsetof(struct pair, of), .high = 9 },
    { .name = NULL },
};

static const struct sb_store_field fields[] = {
    { "text", SB_STORE_TEXT, .at = offsetof(struct record, text), .null = true },
    { "kind", SB_STORE_CHOICE, .at = offsetof(struct record, kind), .choices = kinds },
    { "number", SB_STORE_INTEGER, .at = offsetof(struct record, number), .null = true, .optional = true },
    { "hash", SB_STORE_HASH, .at = offsetof(struct record, hash) },
    { "seed", SB_STORE_INTEGER, .at = offsetof(struct record, seed), .given = is_square },
    { "n", SB_STORE_SIZE, .at = offsetof(struct record, n), .high = 52 },
    { "deal", SB_STORE_SIZE, .at = offsetof(struct record, deal), .low = 1, .most = "n" },
    { "flag", SB_STORE_BOOL, .at = offsetof(struct record, flag) },
    { "inner", SB_STORE_OBJECT, .at = offsetof(struct record, inner), .fields = inner_fields },
    { "later", SB_STORE_INTEGER, .at = offsetof(struct record, later) },
    { "reals", SB_STORE_LIST, .item = SB_STORE_REAL, .at = offsetof(struct record, real), .size = sizeof(double),
      .low = 3, .high = 3 },
    { "pairs", SB_STORE_LIST, .item = SB_STORE_OBJECT, .fields = pair_fields, .owned = true, .optional = true,
      .omitted = true, .at = offsetof(struct record, pair), .count = offsetof(struct record, pairs),
      .size = sizeof(struct pair), .high = 2 },
    { "checksum", .kind = SB_STORE_ELSEWHERE },
    { .name = NULL },
};

static struct pair pairs[] = { { "one", 1 }, { "two", 2 } };

static const struct record sample = {
    .text = "a \"text\"",
    .kind = "square",
    .hash = 0xfedcba9876543210,
    .later = 5,
    .n = 52,
    .deal = 5,
    .flag = true,
    .inner = { 1e-3 },
    .real = { 0.5, -1, 2.5 },
    .pairs = 2,
    .pair = pairs,
};

/* The object that is written of a record. */
static json_t *written(const struct record *record)
{
    char *text = NULL;
    size_t length;
    struct sb_json json = { .stream = open_memstream(&text, &length) };
    json_t *object;

    assert_non_null(json.stream);
    sb_store_write_object(&json, NULL, fields, record);
    fclose(json.stream);
    object = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    assert_non_null(object);
    return object;
}

/* Reads an object, which it takes. */
static enum sb_status read_back(json_t *object, struct sb_error *error, struct record *record)
{
    struct sb_json_field_reader in = {
        .path = "file", .kind = "record", .article = "a record", .remedy = "restore it", .error = error
    };

    *record = (struct record) { 0 };
    sb_store_read(&in, "top", object, fields, record);
    json_decref(object);
    return in.status;
}

TEST(what_is_written_is_read)
{
    struct record record, round = { .kind = "round", .number = 7, .inner = { .level = 1e-100 } };
    struct sb_error error;

    assert_int_equal(read_back(written(&sample), &error, &record), SB_OK);
    assert_string_equal(record.text, sample.text);
    assert_ptr_equal(record.kind, kinds[1]);
    assert_true(record.hash == sample.hash && record.later == 5 && record.n == 52 && record.deal == 5);
    assert_true(record.flag && memcmp(&record.inner, &sample.inner, sizeof record.inner) == 0);
    assert_memory_equal(record.real, sample.real, sizeof record.real);
    assert_int_equal(record.pairs, 2);
    assert_string_equal(record.pair[1].name, "two");
    assert_int_equal(record.pair[1].of, 2);
    sb_store_free(fields, &record);
    assert_true(!record.text && !record.pair);
    sb_store_free(fields, &record);

    assert_int_equal(read_back(written(&round), &error, &record), SB_OK);
    assert_null(record.text);
    assert_ptr_equal(record.kind, kinds[0]);
    assert_true(record.number == 7 && record.n == 0 && record.deal == 0 && record.pairs == 0);
    sb_store_free(fields, &record);
}

/* Replaces a field of a sound object, or removes it where there is no value; the line names it. */
TEST(faults_have_their_places)
{
    static const struct {
        const char *field, *value, *line;
    } faults[] = {
        { "text", "7", "top.text must be a string or null" },
        { "kind", "\"oval\"", "top.kind must be one of round square" },
        { "kind", "\"round\"", "top.seed must be null" },
        { "number", "-1", "top.number must be an integer from 0 to 9223372036854775807" },
        { "hash", "\"12\"", "top.hash must be 16 hexadecimal digits" },
        { "hash", NULL, "top.hash must be 16 hexadecimal digits" },
        { "seed", "null", "top.seed must be an integer" },
        { "n", "53", "top.n must be an integer from 0 to 52" },
        { "n", "4", "top.deal must be an integer from 1 to 4" },
        { "deal", "0", "top.deal must be an integer from 1 to 52" },
        { "flag", "1", "top.flag must be true or false" },
        { "inner", "null", "top.inner. must be an object" },
        { "inner", "{\"level\": 0}", "top.inner.level must be a number from 1e-100 to 1" },
        { "inner", "{\"level\": 0.5, \"x\": 1}", "top.inner.x is no field of a record" },
        { "later", NULL, "top.later must be an integer" },
        { "reals", "7", "top.reals must be an array of at most 3" },
        { "reals", "[1, 2]", "top.reals has too few values" },
        { "reals", "[1, 2, null]", "top.reals must be numbers" },
        { "pairs", "[{}, {}, {}]", "top.pairs must be an array of at most 2" },
        { "pairs", "[{\"name\": \"x\", \"of\": 1}, {\"name\": \"y\", \"of\": 10}]",
          "top.pairs[1].of must be an integer from 0 to 9" },
        { "other", "1", "top.other is no field of a record" },
        { "bell\a~ \177", "1", "top.bell?~ ? is no field of a record" },
    };
    struct sb_error error;
    struct record record;

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        json_t *const object = written(&sample);

        if (faults[i].value)
            json_object_set_new(object, faults[i].field, json_loads(faults[i].value, JSON_DECODE_ANY, NULL));
        else
            json_object_del(object, faults[i].field);
        assert_int_equal(read_back(object, &error, &record), SB_IO);
        if (!strstr(error.text, faults[i].line))
            fail_msg("%s: %s", faults[i].line, error.text);
        sb_store_free(fields, &record);
    }
}
