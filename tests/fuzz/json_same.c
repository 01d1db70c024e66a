/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of JSON, read with Jansson alone, so that a fault of the library's own readers shows. */
#include "fuzz/json_same.h"

#include "core/text.h"
#include "report/json_writer.h"

#include <stdlib.h>
#include <string.h>

static bool json_ignored(const char *key, const char *const ignored[])
{
    for (size_t i = 0; ignored[i]; i++)
        if (strcmp(key, ignored[i]) == 0)
            return true;
    return false;
}

/* Returns whether each field of an object is the same in the other. A missing field is null. */
static bool json_within(const json_t *one, const json_t *other, const char *const ignored[])
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)one, key, value)
    {
        const json_t *const there = json_object_get(other, key);

        if (!json_ignored(key, ignored) && !json_same(value, there ? there : json_null(), ignored))
            return false;
    }
    return true;
}

/* Returns whether a text is the other, or is the other after the reader made it safe to show. */
static bool json_shown(const char *one, const char *other)
{
    char *const safe = sb_sanitize_page_text(other, true);
    const bool same = strcmp(one, other) == 0 || (safe && strcmp(one, safe) == 0);

    free(safe);
    return same;
}

bool json_same(const json_t *one, const json_t *other, const char *const ignored[])
{
    if (json_is_number(one) && json_is_number(other))
        return json_is_integer(one) == json_is_integer(other)
                   ? json_equal((json_t *)one, (json_t *)other)
                   : json_number_value(one) == json_number_value(other);
    if (json_is_string(one) && json_is_string(other))
        return json_shown(json_string_value(one), json_string_value(other)) ||
               json_shown(json_string_value(other), json_string_value(one));
    if (json_is_object(one) && json_is_object(other))
        return json_within(one, other, ignored) && json_within(other, one, ignored);
    if (!json_is_array(one) || !json_is_array(other))
        return json_equal((json_t *)one, (json_t *)other);
    for (size_t i = 0; i < json_array_size(one); i++)
        if (!json_same(json_array_get(one, i), json_array_get(other, i), ignored))
            return false;
    return json_array_size(one) == json_array_size(other);
}

char *json_record(const char *schema, const struct sb_store_field fields[], const void *record)
{
    char *text = NULL;
    size_t size = 0;
    struct sb_json json = { .stream = open_memstream(&text, &size) };

    if (!json.stream)
        abort();
    sb_json_object(&json, NULL);
    sb_json_string(&json, "schema", schema);
    sb_store_write(&json, fields, record);
    sb_json_close(&json);
    if (fclose(json.stream))
        abort();
    return text;
}
