/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fast parser reads exactly the records that have the layout of the model. The test knows how each record
 * was made, and so which of its bytes are items. Buffers start at the first record and end 7 bytes after the
 * last one, the most that the parser may load. So a sanitizer sees any other load.
 */
#include "unit/test.h"

#include "subject/parts.h"

#include <stdlib.h>
#include <string.h>

enum { LAYOUT_RECORDS = 40, LAYOUT_SPARE = 7 };

/* A record: `before`, the items with `between` after each but the last, and `after`. */
struct form {
    const char *before, *between, *after;
    uint8_t zero;
};

static const struct form forms[] = {
    { "", "", "", 0 },       { "", "", "", '0' },      { "", "", "\n", '0' },   { "", "", "\r\n", '0' },
    { "", ",", "\n", '0' },  { "", " ", "", '0' },     { "", ", ", "\n", '0' }, { "(", ",", ")\n", '0' },
    { "((", "", "\n", '1' }, { "  ", " , ", "", '1' },
};
enum { FORMS = sizeof forms / sizeof forms[0] };

static const size_t sizes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 17, 33, 62 };
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static struct sb_layout layout;

/* A fixed series of pseudorandom numbers (Knuth's MMIX constants). */
static uint32_t next_random(void)
{
    static uint64_t state = 1;

    state = state * 6364136223846793005 + 1442695040888963407;
    return (uint32_t)(state >> 33);
}

/* Writes a random permutation and its record; returns the record's bytes. at[j]: the place of item j. */
static size_t write_record(const struct form *form, size_t n, uint8_t *record, sb_item items[], size_t at[])
{
    size_t length = strlen(form->before);

    for (size_t i = 0; i < n; i++)
        items[i] = (sb_item)i;
    for (size_t i = n; i-- > 1;) {
        const size_t j = next_random() % (i + 1);
        const sb_item item = items[i];

        items[i] = items[j];
        items[j] = item;
    }
    memcpy(record, form->before, length);
    for (size_t i = 0; i < n; i++) {
        at[i] = length;
        record[length++] = (uint8_t)(form->zero + items[i]);
        if (i + 1 < n) {
            memcpy(record + length, form->between, strlen(form->between));
            length += strlen(form->between);
        }
    }
    memcpy(record + length, form->after, strlen(form->after));
    return length + strlen(form->after);
}

static size_t record_length(const struct form *form, size_t n)
{
    return strlen(form->before) + n + (n - 1) * strlen(form->between) + strlen(form->after);
}

/* The records of a form behind each other, in a block of their exact size. The caller frees them. */
static uint8_t *write_records(const struct form *form, size_t n, sb_item items[], size_t at[])
{
    const size_t length = record_length(form, n);
    uint8_t *const bytes = malloc(LAYOUT_RECORDS * length + LAYOUT_SPARE);

    assert_non_null(bytes);
    memset(bytes + LAYOUT_RECORDS * length, 0, LAYOUT_SPARE);
    for (size_t r = 0; r < LAYOUT_RECORDS; r++)
        assert_int_equal(write_record(form, n, bytes + r * length, items + r * n, at), length);
    return bytes;
}

static void learn_model(const struct form *form, size_t n)
{
    uint8_t model[SB_LAYOUT_MOST];
    sb_item items[SB_LAYOUT_MOST];
    size_t at[SB_LAYOUT_MOST];

    sb_layout_learn(model, write_record(form, n, model, items, at), n, form->zero, &layout);
}

TEST(records_of_the_same_layout_are_read)
{
    static sb_item expected[LAYOUT_RECORDS * SB_LAYOUT_MOST], items[LAYOUT_RECORDS * SB_LAYOUT_MOST];
    size_t at[SB_LAYOUT_MOST];

    for (size_t k = 0; k < FORMS * SIZES; k++) {
        const struct form *const form = &forms[k % FORMS];
        const size_t n = sizes[k / FORMS], length = record_length(form, n);

        if (length > SB_LAYOUT_MOST)
            continue;
        uint8_t *const bytes = write_records(form, n, expected, at);

        learn_model(form, n);
        for (size_t most = 0; most <= LAYOUT_RECORDS + 1; most++) {
            const size_t read = most < LAYOUT_RECORDS ? most : LAYOUT_RECORDS;

            memset(items, 255, sizeof items);
            assert_int_equal(sb_layout_read(&layout, bytes, bytes + LAYOUT_RECORDS * length, most, items), read);
            assert_memory_equal(items, expected, read * n * sizeof items[0]);
        }
        for (size_t cut = 1; cut <= length; cut++) /* the last record is not complete */
            assert_int_equal(
                sb_layout_read(&layout, bytes, bytes + LAYOUT_RECORDS * length - cut, LAYOUT_RECORDS, items),
                LAYOUT_RECORDS - 1);
        free(bytes);
    }
}

/* Changes each byte of one record: to a byte that is no item, to another item, and to its neighbours. */
TEST(a_record_of_another_layout_is_not_read)
{
    static sb_item expected[LAYOUT_RECORDS * SB_LAYOUT_MOST], items[LAYOUT_RECORDS * SB_LAYOUT_MOST];
    size_t at[SB_LAYOUT_MOST];

    for (size_t k = 0; k < FORMS * SIZES; k++) {
        const struct form *const form = &forms[k % FORMS];
        const size_t n = sizes[k / FORMS], length = record_length(form, n), wrong = k % LAYOUT_RECORDS;

        if (length > SB_LAYOUT_MOST)
            continue;
        uint8_t *const bytes = write_records(form, n, expected, at), *const record = bytes + wrong * length;

        learn_model(form, n);
        for (size_t b = 0; b < length; b++) {
            const uint8_t was = record[b];
            const uint8_t becomes[] = { 255, record[at[0]], record[at[n - 1]], (uint8_t)(was + 1), (uint8_t)(was - 1) };

            for (size_t i = 0; i < sizeof becomes; i++) {
                record[b] = becomes[i];
                if (becomes[i] != was)
                    assert_int_equal(
                        sb_layout_read(&layout, bytes, bytes + LAYOUT_RECORDS * length, LAYOUT_RECORDS, items), wrong);
            }
            record[b] = was;
        }
        assert_int_equal(sb_layout_read(&layout, bytes, bytes + LAYOUT_RECORDS * length, LAYOUT_RECORDS, items),
                         LAYOUT_RECORDS);
        free(bytes);
    }
}

/* Whether these bytes start with `text`, which they then leave behind. */
static bool starts_with(const uint8_t **at, const uint8_t *end, const char *text)
{
    const size_t length = strlen(text);
    const bool starts = (size_t)(end - *at) >= length && memcmp(*at, text, length) == 0;

    *at += starts ? length : 0;
    return starts;
}

/* The number of records of a form that follow each other, found byte by byte. */
static size_t count_records(const struct form *form, size_t n, const uint8_t *at, const uint8_t *end)
{
    for (size_t count = 0;; count++) {
        bool seen[SB_LAYOUT_MOST] = { false };

        if (!starts_with(&at, end, form->before))
            return count;
        for (size_t i = 0; i < n; i++) {
            const size_t item = at < end ? (uint8_t)(*at++ - form->zero) : n;

            if (item >= n || seen[item] || (i + 1 < n && !starts_with(&at, end, form->between)))
                return count;
            seen[item] = true;
        }
        if (!starts_with(&at, end, form->after))
            return count;
    }
}

/* Reads records of each form with the model of each other form, after the model of their own form. */
TEST(a_new_model_replaces_the_old_one)
{
    static sb_item expected[LAYOUT_RECORDS * SB_LAYOUT_MOST], items[LAYOUT_RECORDS * SB_LAYOUT_MOST];
    size_t at[SB_LAYOUT_MOST];

    for (size_t k = 0; k < FORMS * FORMS * 16; k++) {
        const struct form *const old = &forms[k % FORMS], *const new = &forms[k / FORMS % FORMS];
        const size_t n = 2 + k / (FORMS * FORMS) % 4, m = 2 + k / (FORMS * FORMS * 4);
        uint8_t *const bytes = write_records(old, n, expected, at);
        const uint8_t *const end = bytes + LAYOUT_RECORDS * record_length(old, n);

        learn_model(old, n);
        assert_int_equal(sb_layout_read(&layout, bytes, end, LAYOUT_RECORDS, items), LAYOUT_RECORDS);
        learn_model(new, m);
        assert_int_equal(sb_layout_read(&layout, bytes, end, 8 * LAYOUT_RECORDS, items),
                         count_records(new, m, bytes, end));
        free(bytes);
    }
}

TEST(some_records_are_no_models)
{
    const uint8_t uneven[] = "0 1  2\n", twice[] = "0 1 1 2\n", long_one[SB_LAYOUT_MOST + 1] = "0";
    const struct {
        const uint8_t *record;
        size_t length, n;
    } cases[] = { { uneven, 7, 3 }, { twice, 8, 3 },   { uneven, 7, 4 },
                  { uneven, 7, 0 }, { uneven, 7, 63 }, { long_one, SB_LAYOUT_MOST + 1, 1 } };
    sb_item items[SB_LAYOUT_MOST];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t bytes[2 * SB_LAYOUT_MOST] = { 0 };

        memcpy(bytes, cases[i].record, cases[i].length);
        learn_model(&forms[4], 3);
        sb_layout_learn(bytes, cases[i].length, cases[i].n, '0', &layout);
        assert_int_equal(sb_layout_read(&layout, bytes, bytes + cases[i].length, 1, items), 0);
    }
}
