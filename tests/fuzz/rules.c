/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rules for pages and JSON, which are read with Jansson alone, so that a fault of the library's own readers shows. */
#include "fuzz/fuzz.h"

#include "core/text.h"

#include <ctype.h>
#include <string.h>

enum { PAGE_DEPTH = 64, PAGE_TAG = 32 };

/* Tags of HTML that have no end. */
static bool tag_is_single(const char *name)
{
    static const char *const single[] = { "!doctype", "br", "col", "hr", "img", "input", "link", "meta" };

    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
        if (strcmp(name, single[i]) == 0)
            return true;
    return false;
}

/* Reads the name of the tag at `text`, in lower case. */
static void tag_name(const char *text, char name[PAGE_TAG])
{
    size_t length = 0;

    while (length + 1 < PAGE_TAG && text[length] && !strchr(" \t\r\n/>", text[length])) {
        name[length] = (char)tolower((unsigned char)text[length]);
        length++;
    }
    name[length] = '\0';
}

/* Returns the end of a tag, '>', after its quoted values. */
static const char *tag_end(const char *text)
{
    for (char quote = '\0'; *text && (quote || *text != '>'); text++)
        if (quote ? *text == quote : *text == '"' || *text == '\'')
            quote = quote ? '\0' : *text;
    return text;
}

/* Aborts unless each tag that begins also ends, in the right order. */
static void page_tags(const char *text)
{
    char open[PAGE_DEPTH][PAGE_TAG], name[PAGE_TAG];
    size_t depth = 0;

    while ((text = strchr(text, '<'))) {
        const bool closes = text[1] == '/';

        tag_name(text + 1 + closes, name);
        const char *const end = strncmp(text, "<!--", 4) == 0 ? strstr(text, "-->") : tag_end(text);

        fuzz_check(end && *end, "a tag has an end");
        if (closes)
            fuzz_check(depth > 0 && strcmp(open[--depth], name) == 0, "tags match");
        else if (end[-1] != '/' && text[1] != '!' && text[1] != '?' && !tag_is_single(name)) {
            fuzz_check(depth < PAGE_DEPTH, "tags are not too deep");
            strcpy(open[depth++], name);
            if (strcmp(name, "script") == 0 || strcmp(name, "style") == 0) {
                char close[PAGE_TAG + 3];

                snprintf(close, sizeof close, "</%s", name);
                text = strstr(end, close);
                fuzz_check(text, "a script has an end");
                continue;
            }
        }
        text = end;
    }
    fuzz_check(depth == 0, "each tag ends");
}

void page_check(const char *format, const char *text)
{
    if (strcmp(format, "html") == 0 || strcmp(format, "svg") == 0 || strcmp(format, "junit") == 0)
        page_tags(text);
    if (strcmp(format, "json") == 0) {
        json_t *const value = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

        fuzz_check(value, "the JSON can be read");
        json_decref(value);
    }
}

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
        return json_is_integer(one) == json_is_integer(other) ? json_equal((json_t *)one, (json_t *)other)
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
