/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A value in JSON. A deck is an array of whole numbers or of words, or one string. The deck's text
 * is not longer than its JSON: commas between the items remain, and strings lose their quotation marks. The step [*]
 * of a path leads to each item of an array, so that a value has several decks; but if it leads to single items, as in
 * .queue[*].title, they are one deck.
 */
#include "core/system.h"
#include "subject/parts.h"

#include <errno.h>

enum { JSON_KEY = 80 }; /* bytes of a key, with its end */

static bool json_step(struct sb_json_path *json, const char **rest)
{
    const char *at = *rest;
    size_t length = 0, index = 0;

    if (*at == '[') {
        char *end = NULL;

        if (at[1] >= '0' && at[1] <= '9')
            index = strtoul(at + 1, &end, 10);
        else if (at[1] == '*')
            index = SIZE_MAX, end = (char *)at + 2;
        if (!end || *end != ']')
            return false;
        at = end + 1;
    } else {
        at += *at == '.';
        length = strcspn(at, ".[]\"");
        if (length == 0 || length >= JSON_KEY)
            return false;
        at += length;
    }
    json->step[json->count].start = (size_t)(at - json->path) - length;
    json->step[json->count].length = length;
    json->step[json->count].index = index;
    json->step[json->count].end = (size_t)(at - json->path);
    json->count++;
    *rest = at;
    return true;
}

enum sb_status sb_json_path_open(const char *path, const char *names, struct sb_error *error, struct sb_json_path *json)
{
    const char *rest = path;

    *json = (struct sb_json_path) { .path = path, .names = names, .titles = sb_item_names_separator(names) };
    json->titles = (char)(json->titles == '\n' ? ',' : json->titles);
    if (strcmp(path, ".") == 0)
        return SB_OK;
    while ((*rest == '.' || *rest == '[') && json->count < SB_JSON_STEPS_MOST && json_step(json, &rest))
        continue;
    if (json->count && !*rest)
        return SB_OK;
    return sb_error_set(
        error, SB_INVALID,
        "`json_path%s%.60s`: write keys and indices from 0, such as .deck or .hands[0].cards, or [*] for all",
        *path ? "=" : "", path);
}

static const char *json_kind(const json_t *value)
{
    return json_is_object(value)    ? "an object"
           : json_is_array(value)   ? "an array"
           : json_is_string(value)  ? "a string"
           : json_is_number(value)  ? "a number"
           : json_is_boolean(value) ? "true or false"
                                    : "null";
}

bool sb_json_path_all(const struct sb_json_path *json)
{
    for (size_t i = 0; i < json->count; i++)
        if (json->step[i].index == SIZE_MAX)
            return true;
    return false;
}

static const json_t *json_follow(const struct sb_json_path *json, size_t step, const json_t *value,
                                 struct sb_line *line)
{
    const size_t start = json->step[step].start, length = json->step[step].length, end = json->step[step].end;
    char key[JSON_KEY];

    snprintf(key, sizeof key, "%.*s", (int)length, json->path + start);
    const json_t *const next = length ? json_object_get(value, key) : json_array_get(value, json->step[step].index);

    if (!next)
        sb_line_reject(line, "there is no %.*s: correct `json_path`, or select the lines that have it with `match`",
                       (int)(end < 60 ? end : 60), json->path);
    return next;
}

/* Whether a character is part of a word. `names` are the items' names, whose characters are, too. */
static bool json_in_word(char c, const char *names)
{
    return sb_text_in_word(c) || strchr(names, c);
}

static size_t json_words(const char *text, const char *names)
{
    size_t words = 0;

    for (const char *c = text; *c; c++)
        words += json_in_word(*c, names) && (c == text || !json_in_word(c[-1], names));
    return words;
}

/* Counts the whole numbers in a text. The parser of numbers rejects signs and points beside digits. */
static size_t json_numbers(const char *text)
{
    size_t numbers = 0;

    for (const char *c = text; *c; c++)
        numbers += *c >= '0' && *c <= '9' && (c == text || !strchr("0123456789+-.", c[-1]));
    return numbers;
}

/* Whether a text can be one item: the parser finds one item in it, so that an array has as many items as the
 * deck. Without names, an item may have a label, as in card_7. */
static bool json_is_item(const char *text, const char *names)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 127 || strchr(",;#", *c))
            return false;
    return names ? json_words(text, names) == 1
                 : json_words(text, "") > 0 && json_numbers(text) <= 1 && sb_playing_cards_count(text) <= 1;
}

/* Whether a text can be a title that the stream learns (learned.c). If the stream learns none, it must not take the
 * text for several numbers. */
static bool json_is_title(const char *text)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return false;
    return json_numbers(text) <= 1 && sb_playing_cards_count(text) <= 1 &&
           strpbrk(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
}

/* Writes a title, in quotation marks if it has what may separate titles. The text has room: the title's JSON has marks,
 * too. */
static size_t json_title(const char *title, char *to)
{
    const bool quoted = strpbrk(title, "\t|;,") || strchr("\"[ ", *title);
    const char *const begin = to;

    if (quoted)
        *to++ = '"';
    for (; *title; title++) {
        if (quoted && *title == '"')
            *to++ = '"';
        *to++ = *title;
    }
    if (quoted)
        *to++ = '"';
    return (size_t)(to - begin);
}

/* Returns the item as text; NULL if it is no item. */
static const char *json_word(const json_t *item, char digits[32])
{
    if (!json_is_integer(item))
        return json_string_value(item);
    snprintf(digits, 32, "%" JSON_INTEGER_FORMAT, json_integer_value(item));
    return digits;
}

/* Returns what separates the items of an array: its items are titles if the names are, or if there are no names and an
 * item has a blank. */
static char json_titles(const json_t *array, const char *names, char titles)
{
    bool blank = false, may = true;

    for (size_t i = 0; !names && i < json_array_size(array); i++) {
        const char *const text = json_string_value(json_array_get(array, i));

        blank = blank || (text && strchr(text, ' '));
        may = may && text && json_is_title(text);
    }
    return !names && blank && may ? ',' : titles;
}

/* Writes an array as items with separators between them. After a blank, a word could be a title, which is no item. */
static enum sb_line_result json_items(const json_t *array, const struct sb_json_path *json, struct sb_line *line)
{
    const char titles = json_titles(array, json->names, json->titles);
    size_t used = 0;

    if (json_array_size(array) == 0)
        return sb_line_reject(line, "the array of `json_path` is empty: correct `json_path`");
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *const item = json_array_get(array, i);
        char digits[32];
        const char *const word = json_word(item, digits);

        if (!word)
            return sb_line_reject(line, "item %zu of the array is %s: items are whole numbers or words%s", i + 1,
                                  json_is_real(item) ? "not a whole number" : json_kind(item),
                                  json_is_array(item)    ? "; [*] in `json_path` leads to each array"
                                  : json_is_object(item) ? "; [*].KEY in `json_path` leads to a value of each object"
                                                         : "");
        if (titles ? word[strcspn(word, "\r\n")] != '\0' : !json_is_item(word, json->names))
            return sb_line_reject_text(line, "the item ", word, strlen(word), " is not one word: print one word");
        if (titles)
            used += json_title(word, line->text + used);
        else
            used = (size_t)(stpcpy(line->text + used, word) - line->text);
        line->text[used++] = titles ? titles : ',';
    }
    sb_line_keep(line, line->text, used - 1);
    return SB_LINE_TAKEN;
}

/* Returns where a name stands in the text of all names; SIZE_MAX: nowhere. */
static size_t json_place(const char *text, const struct sb_json_path *json)
{
    static const char between[] = " \t\r\n|;,\"";
    const size_t length = strlen(text);

    if (length == 0 || (!json->titles && strchr(text, ' ')))
        return SIZE_MAX;
    for (const char *at = strstr(json->names, text); at; at = strstr(at + 1, text))
        if ((at == json->names || strchr(between, at[-1])) && strchr(between, at[length]))
            return (size_t)(at - json->names);
    return SIZE_MAX;
}

/* Whether a key comes before another: by the order of the names, or else by bytes, as names that are learned. */
static bool json_before(const char *key, const char *other, const struct sb_json_path *json)
{
    const size_t at = json->names ? json_place(key, json) : 0, there = json->names ? json_place(other, json) : 0;

    return at != there ? at < there : strcmp(key, other) < 0;
}

/* Takes the values of an object, such as who gives a present to whom: an item for each key, in the order of the keys.
 */
static enum sb_line_result json_pairs(json_t *object, const struct sb_json_path *json, struct sb_line *line)
{
    json_t *const values = json_array(), *const keys = json_array();
    enum sb_line_result result = SB_LINE_REJECTED;
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        size_t at = 0;

        while (at < json_array_size(keys) && json_before(json_string_value(json_array_get(keys, at)), key, json))
            at++;
        json_array_insert_new(keys, at, json_string(key));
        json_array_insert(values, at, value);
    }
    if (json_array_size(values) == json_object_size(object) && json_array_size(keys) == json_object_size(object))
        result = json_items(values, json, line);
    else
        sb_line_reject(line, "not enough memory for the line: shorten it");
    json_decref(keys);
    json_decref(values);
    return result;
}

static enum sb_line_result json_deck(const json_t *value, const struct sb_json_path *json, struct sb_line *line)
{
    const char *const text = json_string_value(value);

    if (json_is_array(value))
        return json_items(value, json, line);
    if (json_object_size(value) > 0)
        return json_pairs((json_t *)value, json, line);
    if (!text)
        return sb_line_reject(line, "the value of `json_path` is %s: name an array of items, or a string",
                              json_kind(value));
    const size_t length = strlen(text);

    if (strspn(text, " \t") == length || text[strcspn(text, json->titles ? "\r\n" : "\r\n#")])
        return sb_line_reject_text(line, "the string ", text, length, " is not a deck: correct `json_path`");
    memcpy(line->text, text, length);
    sb_line_keep(line, line->text, length);
    return SB_LINE_TAKEN;
}

/* ---- an item in each value of an array ---- */

/* Returns a hash of the words of a text in any order. */
static uint64_t json_words_hash(const char *text)
{
    uint64_t sum = 0;

    for (size_t length; *(text += strspn(text, " \t")); text += length) {
        length = strcspn(text, " \t");
        sum += sb_hash_add(SB_HASH_EMPTY, text, length);
    }
    return sum;
}

/* Whether numbers and strings are the items of one deck, and not decks themselves: without names, strings with the same
 * words are decks. */
static bool json_are_items(const json_t *values, const struct sb_json_path *json)
{
    const char *const one = json_string_value(json_array_get(values, 0));
    const char *const other = json_string_value(json_array_get(values, 1));

    if (!json->names && one && strchr(one, ' ') && (!other || json_words_hash(one) == json_words_hash(other)))
        return false;
    for (size_t i = 0; i < json_array_size(values); i++) {
        const char *const text = json_string_value(json_array_get(values, i));

        if (text &&
            !(json->names ? json_place(text, json) != SIZE_MAX : json_is_item(text, NULL) || json_is_title(text)))
            return false;
    }
    return json_array_size(values) > 0;
}

/* Returns the items to which the rest of the path leads from the values of an array, which the caller frees; NULL if it
 * leads to decks, or memory runs out, or if one has no such item, which rejects the line. */
static json_t *json_gather(const struct sb_json_path *json, size_t from, const json_t *array, struct sb_line *line)
{
    json_t *const values = json_array();
    bool items = values != NULL;

    for (size_t i = from; i < json->count; i++)
        items = items && json->step[i].index != SIZE_MAX;
    for (size_t i = 0; i < json_array_size(array) && items; i++) {
        const json_t *value = json_array_get(array, i);

        for (size_t step = from; step < json->count && value; step++)
            value = json_follow(json, step, value, line);
        items = (json_is_integer(value) || json_is_string(value)) && json_array_append(values, (json_t *)value) == 0;
    }
    if (items && json_are_items(values, json))
        return values;
    json_decref(values);
    return NULL;
}

bool sb_json_path_gathers(const struct sb_json_path *json, const json_t *array)
{
    struct sb_line line = { .text = NULL };
    json_t *const items = json_gather(json, 1, array, &line);

    json_decref(items);
    return items;
}

static enum sb_line_result json_each_item(const struct sb_json_path *json, size_t from, const json_t *array,
                                          struct sb_line *line,
                                          enum sb_line_result (*each)(void *state, struct sb_line *line), void *state)
{
    const int end = (int)(json->step[from].end < 60 ? json->step[from].end : 60);
    enum sb_line_result result = SB_LINE_TAKEN;

    if (!json_is_array(array))
        return sb_line_reject(line, "%.*s%s%s: [*] stands for each item of an array", end - 3, json->path,
                              end > 3 ? " is " : "this is ", json_kind(array));
    json_t *const items = json_gather(json, from + 1, array, line);

    if (line->wrong[0])
        return SB_LINE_REJECTED;
    if (items) {
        result = json_items(items, json, line);
        json_decref(items);
        return result == SB_LINE_TAKEN ? each(state, line) : result;
    }
    for (size_t i = 0; i < json_array_size(array) && result == SB_LINE_TAKEN; i++)
        result = sb_json_path_each(json, from + 1, json_array_get(array, i), line, each, state);
    return result;
}

enum sb_line_result sb_json_path_each(const struct sb_json_path *json, size_t from, const json_t *value,
                                      struct sb_line *line,
                                      enum sb_line_result (*each)(void *state, struct sb_line *line), void *state)
{
    for (size_t i = from; i < json->count; i++) {
        if (json->step[i].index == SIZE_MAX)
            return json_each_item(json, i, value, line, each, state);
        value = json_follow(json, i, value, line);
        if (!value)
            return SB_LINE_REJECTED;
    }
    const enum sb_line_result result = json_deck(value, json, line);

    return result == SB_LINE_TAKEN ? each(state, line) : result;
}

static enum sb_line_result json_take(void *state, struct sb_line *line)
{
    return SB_LINE_TAKEN;
}

enum sb_line_result sb_json_path_take(const struct sb_json_path *json, struct sb_line *line)
{
    json_error_t fault;
    json_t *const top = sb_json_load_text(line->text, line->length, &fault);

    if (!top && errno == ENOMEM)
        return sb_line_reject(line, "not enough memory for the line: shorten it");
    if (!top)
        return sb_line_reject(line, "it is not JSON, from byte %d on: select the lines that are with `match`",
                              fault.position);
    const enum sb_line_result result =
        sb_json_path_all(json) ? sb_line_reject(line, "[*] gives several decks a line: leave `match` out, and do not "
                                                      "follow the log")
                               : sb_json_path_each(json, 0, top, line, json_take, NULL);

    json_decref(top);
    return result;
}
