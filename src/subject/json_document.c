/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON (RFC 8259) whose decks are not one a line: values over several lines, one after another; and arrays of decks,
 * which are taken item by item, so that only one item is in memory. A scan of brackets and strings finds where a value
 * ends; Jansson reads the value.
 */
#include "core/system.h"
#include "subject/parts.h"

#include <errno.h>

static const char json_blanks[] = " \t\r\n";

/* ---- the first bytes ---- */

/* Whether the first line ends within its value. */
static enum sb_file_look document_is_open(const char *text, size_t length)
{
    const char *const lf = memchr(text, '\n', length);
    size_t depth = 0;
    bool quoted = false;

    for (const char *c = text; c < (lf ? lf : text + length); c++) {
        if (*c == '\\' && quoted)
            c++;
        else if (*c == '"')
            quoted = !quoted;
        else if (!quoted && strchr("[{", *c) && *c)
            depth++;
        else if (!quoted && strchr("]}", *c) && *c && depth-- <= 1)
            return SB_FILE_NO;
    }
    return lf ? SB_FILE_YES : SB_FILE_MORE;
}

/* Whether an array begins with an array of JSON with two items or more: an array of a program that leaves out the
 * commas is text. */
static enum sb_file_look document_is_nested(const char *first)
{
    const size_t length = strcspn(first, "]");

    if (!first[length])
        return SB_FILE_MORE;
    json_t *const inner = sb_json_load_text(first, length + 1, NULL);
    const bool nested = json_array_size(inner) > 1;

    json_decref(inner);
    return nested ? SB_FILE_YES : SB_FILE_NO;
}

static enum sb_file_look document_begins(const struct sb_subject *form, const char *text, size_t length)
{
    const char *const path = form->json_path, *const top = text + strspn(text, json_blanks);
    const char *const first = *top ? top + 1 + strspn(top + 1, json_blanks) : top;

    if (path && strstr(path, "[*]"))
        return SB_FILE_YES;
    if (!*top || (*top == '[' && !*first))
        return SB_FILE_MORE;
    if (*top != '[' && (*top != '{' || !path))
        return SB_FILE_NO;
    if (*top == '[' && *first == '[' && (!path || strcmp(path, ".") == 0))
        return document_is_nested(first);
    if (*top == '[' && *first == '{' && path && path[0] == '.' && path[1])
        return SB_FILE_YES;
    if (!path && top[1 + strspn(top + 1, " \t\r")] != '\n')
        return SB_FILE_NO;
    return document_is_open(top, length - (size_t)(top - text));
}

/* ---- values ---- */

/* Returns the bytes of the value at the start of the text; 0 if they are not complete. The scan goes on where it
 * ended. */
static size_t document_scan(struct sb_records *records, const char *text, size_t length)
{
    for (size_t i = records->scanned; i < length; i++) {
        const char c = text[i];

        records->scanned = i + 1;
        if (records->escaped) {
            records->escaped = false;
        } else if (records->quoted) {
            records->escaped = c == '\\';
            records->quoted = c != '"';
            if (c == '"' && records->depth == 0)
                return i + 1;
        } else if (c == '"') {
            records->quoted = true;
        } else if (c == '[' || c == '{') {
            records->depth++;
        } else if (c == ']' || c == '}') {
            if (records->depth <= 1)
                return records->depth || i == 0 ? i + 1 : i;
            records->depth--;
        } else if (records->depth == 0 && i && (c == ',' || strchr(json_blanks, c))) {
            return i;
        }
    }
    return records->ended && records->depth == 0 && !records->quoted ? length : 0;
}

static enum sb_line_result document_put(void *state, struct sb_line *line)
{
    struct sb_records *const records = state;

    sb_records_put(records, line->text, line->length);
    sb_records_put(records, "\n", 1);
    return SB_LINE_TAKEN;
}

/* Names an array in an object, for a message. */
static void document_blame_object(struct sb_records *records, json_t *object)
{
    const char *key, *found = NULL;
    json_t *value;

    json_object_foreach(object, key, value) if (!found && json_is_array(value) && key[strcspn(key, ".[]\"`'")] == '\0')
        found = key;
    sb_line_reject(&records->wrong,
                   "this is a JSON object: name the array of its items with `json_path`, such as %s%.40s",
                   found ? "." : ".deck", found ? found : "");
}

/* Makes a line of each deck in the value, whose text has `length` bytes. */
static void document_put_decks(struct sb_records *records, size_t from, const json_t *value, size_t length)
{
    struct sb_line *const line = &records->wrong;

    line->text = malloc(length + 1);
    records->lacking = !line->text;
    if (line->text)
        sb_json_path_each(&records->path, from, value, line, document_put, records);
    free(line->text);
    line->text = NULL;
}

/* Makes lines of the values that were kept. */
static void document_end_items(struct sb_records *records)
{
    json_t *const items = records->items;

    records->items = NULL;
    if (json_array_size(items))
        document_put_decks(records, 0, items, records->items_length);
    json_decref(items);
}

/* Keeps a value of an array that the path gives a name with [*], if the first two can be items of one deck, as the
 * titles of a queue. Returns false if the value has decks of its own. */
static bool document_keep(struct sb_records *records, json_t *value, size_t length)
{
    if (!records->items)
        return false;
    records->items_length += length + 1;
    records->lacking = records->lacking || json_array_append(records->items, value) != 0;
    if (json_array_size(records->items) == 2 && !sb_json_path_gathers(&records->path, records->items))
        document_end_items(records);
    return true;
}

/* Makes a line of each deck in the value. */
static void document_decks(struct sb_records *records, const char *text, size_t length)
{
    json_error_t fault;
    json_t *const value = sb_json_load_text(text, length, &fault);
    struct sb_line *const line = &records->wrong;

    if (!value && errno == ENOMEM)
        records->lacking = true;
    else if (!value)
        sb_line_reject(line, "this value is not JSON, from its byte %d on: correct the file", fault.position);
    if (!value)
        return;
    if (!records->form.json_path && json_is_object(value))
        document_blame_object(records, value);
    else if (!records->inside || !document_keep(records, value, length))
        document_put_decks(records, records->inside ? records->first : 0, value, length);
    json_decref(value);
}

/* ---- arrays that are taken item by item ---- */

static void document_open(struct sb_records *records)
{
    const char *const path = records->form.json_path;

    if (records->path.path)
        return;
    sb_json_path_open(path ? path : ".", records->form.cards, NULL, &records->path);
    records->first = records->path.count && records->path.step[0].index == SIZE_MAX;
}

/* Whether the array at the start of the text is taken item by item: the path says so, or has a key for its items, or
 * the items are arrays. */
static bool document_is_series(const struct sb_records *records, char first)
{
    if (records->path.count)
        return records->first || (records->path.step[0].length && first == '{');
    return first == '[' || first == '{';
}

/* Takes a bracket or a comma of such an array. Returns its bytes; 0 if a value comes next. */
static size_t document_mark(struct sb_records *records, const char *at)
{
    const bool comma = records->comma;

    if (!records->inside) {
        records->inside = *at == '[' && document_is_series(records, at[1 + strspn(at + 1, json_blanks)]);
        records->comma = false;
        records->items_length = 0;
        if (records->inside && records->first && records->form.deal != 1 && !(records->items = json_array()))
            records->lacking = true;
        return records->inside;
    }
    if (*at == ']') {
        records->inside = false;
        document_end_items(records);
    } else if (comma == (*at == ',')) {
        records->comma = false;
    } else {
        sb_line_reject(&records->wrong, "this array is not JSON: there must be one comma between its values");
    }
    return *at == ']' || *at == ',';
}

static size_t document_take(struct sb_records *records)
{
    const size_t blanks = strspn(records->text, json_blanks);
    const char *const at = records->text + blanks;
    const size_t left = records->there - blanks;

    document_open(records);
    if (left && *at == '\0')
        sb_line_reject(&records->wrong, "a control byte 0x00: print text, without NUL bytes");
    if (!records->wrong.wrong[0] && left == 0 && records->ended && records->inside)
        sb_line_reject(&records->wrong, "the JSON ends within an array: was the file cut off?");
    if (records->wrong.wrong[0] || blanks)
        return blanks;
    if (left == 0 || (!records->inside && !records->ended && !at[1 + strspn(at + 1, json_blanks)]))
        return 0;
    const size_t mark = records->scanned ? 0 : document_mark(records, at);

    if (mark || records->wrong.wrong[0])
        return mark;
    const size_t length = document_scan(records, at, left);

    if (length == 0 && records->ended)
        sb_line_reject(&records->wrong, "the JSON ends within a value: was the file cut off?");
    if (length == 0)
        return 0;
    document_decks(records, at, length);
    records->scanned = records->depth = 0;
    records->comma = records->inside;
    return length;
}

const struct sb_file_format sb_file_json = {
    .name = "a JSON document",
    .begins = document_begins,
    .take = document_take,
};
