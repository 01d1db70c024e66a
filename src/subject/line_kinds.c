/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recognises the kind of a line that is no permutation, for the error line: a line that begins with its number, JSON,
 * letters without blanks. Most kinds are an edit of the line. If the parser reads the edited line, the remedy that
 * makes this edit works.
 */
#include "core/system.h"
#include "core/text.h"
#include "subject/parts.h"

enum {
    KIND_SHOWN = 40,  /* the most bytes of the line in a message */
    KIND_WORDS = 220, /* the most bytes of a message, without the bytes of the line */
    KIND_FIELDS = 6,  /* the last field at which the items may begin */
    KIND_LEAST = 3,   /* the fewest items that are no coincidence if n is unknown */
    KIND_PAST = 2,    /* bytes for the end of the line, and a byte of 0 */
};

static const char digits[] = "0123456789", separators[] = " \t,;|";

struct kind {
    struct sb_stream *stream;
    const char *line;                        /* the offending line, without blanks around it */
    bool over;                               /* whether the line is longer than SB_LINE_SEEN */
    bool ended;                              /* whether the line has an end */
    char text[2 * SB_LINE_SEEN + KIND_PAST]; /* the edited line */
    char what[KIND_WORDS];                   /* what the line is, and the remedy */
};

/* Returns how many items the parser finds in the edited line; 0 if the parser rejects the line. */
static size_t kind_reads(struct kind *kind)
{
    struct sb_stream *const stream = kind->stream;
    const size_t n = stream->feed.n, cards = stream->named ? 0 : sb_playing_cards_count(kind->text);

    if (cards && !stream->deals && (!n || n == SB_PLAYING_CARDS) &&
        cards == (stream->feed.deal ? stream->feed.deal : SB_PLAYING_CARDS))
        return cards;
    const size_t deal = stream->reader->reads(stream, kind->text, strlen(kind->text));

    return deal < KIND_LEAST && !n ? 0 : deal;
}

__attribute__((format(printf, 2, 3))) static bool kind_is(struct kind *kind, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    sb_decimal_format_list(kind->what, sizeof kind->what, format, arguments);
    va_end(arguments);
    return true;
}

/* ---- the last line ---- */

static bool kind_cut_off(struct kind *kind)
{
    return !kind->ended && kind->stream->ended && kind->stream->deals &&
           kind_is(kind, " is the last line, and it has no end: was it cut off? Leave it out, as sed '$d' does");
}

/* ---- JSON ---- */

static bool kind_json_object(struct kind *kind, json_t *top)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    char *const names = kind->stream->named ? sb_item_names_list(kind->stream->feed.names) : NULL;
    char path[SB_LINE_SHOWN + 2];
    struct sb_json_path json;
    const char *key;
    json_t *value;
    bool found = false;

    json_object_foreach(top, key, value)
    {
        struct sb_line line = { .text = kind->text, .length = strlen(kind->line) };

        memcpy(kind->text, kind->line, line.length + 1);
        if (json_is_array(value) && snprintf(path, sizeof path, ".%s", key) < (int)sizeof path &&
            key[strspn(key, plain)] == '\0' && sb_json_path_open(path, names, NULL, &json) == SB_OK &&
            sb_json_path_take(&json, &line) == SB_LINE_TAKEN && kind_reads(kind)) {
            found = true;
            break;
        }
    }
    free(names);
    return found
               ? kind_is(kind, " is a JSON object: say `json_path=%s`", path)
               : kind_is(
                     kind,
                     " is a JSON object: name the array of its items with `json_path`, as in .deck or .games[*].deck");
}

static bool kind_json(struct kind *kind)
{
    bool found = false;

    if (kind->line[0] == '[' && kind->line[1 + strspn(kind->line + 1, " \t")] == '{')
        return kind_is(kind,
                       " is a JSON array of objects: name the array of their items with `json_path`, as in [*].deck");
    if (kind->line[0] != '{')
        return false;
    if (kind->line[1] == '\0')
        return kind_is(kind, " begins JSON of several lines: name the array of its items with `json_path`, as in .deck "
                             "or .games[*].deck");
    json_t *const top = sb_json_load_text(kind->line, strlen(kind->line), NULL);

    if (top || kind->over)
        found = kind_json_object(kind, top);
    json_decref(top);
    return found;
}

/* ---- hand histories ---- */

/* The hands of a poker site. The board is no remedy: whether it is dealt depends on the hole cards. */
static bool kind_hand_history(struct kind *kind)
{
    static const char *const begins[] = {
        "PokerStars ", "Poker Hand #", "Full Tilt Poker ", "Winamax Poker ", "Dealt to ", "***** ", "*** "
    };

    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        if (strncmp(kind->line, begins[i], strlen(begins[i])) == 0)
            return kind_is(kind, " is from a hand history: say `match` 'Dealt to .*(\\[.*\\])' `deal=2` `n=52`");
    return false;
}

/* ---- separators ---- */

static bool kind_signs(struct kind *kind)
{
    for (const char *sign = "-+."; *sign && !kind->stream->named; sign++) {
        const char known[] = { '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', *sign, '\0' };
        const char *const first = strchr(kind->line, *sign);

        if (first && strchr(first + 1, *sign) && first > kind->line && kind->line[strspn(kind->line, known)] == '\0')
            return kind_is(kind, " has '%c' between its numbers: say `field=1-` `separator=%c`", *sign, *sign);
    }
    return false;
}

/* ---- edits ---- */

/* Each edit writes the edited line, and returns false if the line is not of this kind. */

static bool edit_copy(const char *line, char *text)
{
    memcpy(text, line, strlen(line) + 1);
    return true;
}

static bool edit_latin(const char *line, char *text)
{
    bool foreign = false;

    for (const char *rest = line; *rest;)
        foreign = sb_utf8_next(&rest) == SB_UTF8_REPLACEMENT || foreign;
    for (; *line; line++)
        text += sb_utf8_put((unsigned char)*line, text);
    *text = '\0';
    return foreign;
}

static bool edit_split(const char *line, char *text)
{
    if (strpbrk(line, " \t,;"))
        return false;
    while (*line) {
        const char *const begin = line;

        sb_utf8_next(&line);
        memcpy(text, begin, (size_t)(line - begin));
        text += line - begin;
        *text++ = ' ';
    }
    *text = '\0';
    return true;
}

/* Replaces a part wherever it is in the text by one that is not longer. */
static void edit_replace(char *text, const char *part, const char *by)
{
    char *end = text;

    while (*text) {
        const bool found = strncmp(text, part, strlen(part)) == 0;
        const size_t length = found ? strlen(by) : 1;

        memmove(end, found ? by : text, length);
        end += length;
        text += found ? strlen(part) : 1;
    }
    *end = '\0';
}

static const struct {
    bool (*edit)(const char *line, char *text);
    const char *replace[5]; /* pairs of what is replaced after the edit, and by what; NULL ends them */
    const char *what;
} kind_edits[] = {
    { edit_latin, { NULL }, " is not UTF-8: convert it, as with iconv -f LATIN1 -t UTF-8" },
    { edit_split, { NULL }, " has no blanks between its items: print them, as sed 's/./& /g' does" },
    { edit_copy, { ".0", "" }, " has decimal points: print whole numbers, as sed 's/\\.0//g' does" },
    { edit_copy,
      { ", ", ",", " ", "_" },
      " has blanks in its names: print _ instead, as sed 's/, */,/g; s/ /_/g' does" },
    { edit_copy, { "\u3001", "," }, " has the separator '\u3001': print commas, as sed 's/\u3001/,/g' does" },
};

static bool kind_edited(struct kind *kind)
{
    for (size_t i = 0; i < sizeof kind_edits / sizeof kind_edits[0]; i++) {
        const bool possible = kind_edits[i].edit(kind->line, kind->text);

        for (const char *const *part = kind_edits[i].replace; *part; part += 2)
            edit_replace(kind->text, part[0], part[1]);
        if (possible && strcmp(kind->text, kind->line) != 0 && kind_reads(kind))
            return kind_is(kind, "%s", kind_edits[i].what);
    }
    return false;
}

/* ---- fields ---- */

/* Whether the first bytes of the line are no item: words and numbers that end in a number or a mark, or a number alone
 * that may count the lines. A word alone may be an item that never moves. */
static bool kind_prefix(const struct kind *kind, size_t length, bool *alone)
{
    const char *const line = kind->line;
    const size_t number = strspn(line, digits);

    while (length > 0 && strchr(separators, line[length - 1]))
        length--;
    *alone = length == number && !kind->stream->named;
    if (*alone)
        return strtoull(line, NULL, 10) <= kind->stream->text.line;
    return kind->stream->named || (strspn(line, "0123456789 \t,;|") < length && strcspn(line, digits) < length &&
                                   strchr("0123456789:)]}>", line[length - 1]));
}

static bool kind_fields(struct kind *kind)
{
    static const struct {
        const char *text, *words;
    } ways[] = {
        { NULL, "" },
        { ",", " `separator=,`" },
        { ";", " `separator=';'`" },
        { ":", " `separator=:`" },
        { "|", " `separator='|'`" },
    };
    bool alone;

    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        for (size_t first = 2; first <= KIND_FIELDS; first++) {
            const struct sb_fields fields = { .first = first, .last = SIZE_MAX, .separator = ways[i].text };
            struct sb_line line = { .text = kind->text, .length = strlen(kind->line) };

            memcpy(kind->text, kind->line, line.length + 1);
            if (sb_fields_take(&fields, &line) == SB_LINE_TAKEN && kind_prefix(kind, line.cut, &alone) &&
                kind_reads(kind))
                return alone ? kind_is(kind,
                                       ": if its first number counts the lines, say `field=%zu-`%s; if not, "
                                       "print each item once",
                                       first, ways[i].words)
                             : kind_is(kind, " has its items from field %zu on: say `field=%zu-`%s", first, first,
                                       ways[i].words);
        }
    return false;
}

/* A word, and then all numbers in order: the titles of a table. */
static bool kind_titles(struct kind *kind)
{
    const char *const rest = strpbrk(kind->line, ",;\t");
    size_t items;

    if (!rest || kind->stream->named || kind->stream->deals ||
        strcspn(kind->line, digits) < (size_t)(rest - kind->line))
        return false;
    edit_copy(rest, kind->text);
    items = kind_reads(kind);
    for (size_t i = 0; i < items; i++)
        if (kind->stream->items[i] != i)
            return false;
    return items && kind_is(kind, " looks like the titles of a table: leave them out, as sed 1d does; report reads a "
                                  "matrix with `matrix`");
}

/* Writes the line without its first or its last field. Returns the number in that field; 0 if it is none. */
static unsigned long long counts_cut(const char *line, bool last, char order[])
{
    size_t gap = strcspn(line, separators), length;

    for (size_t at = gap; last && line[at]; at++)
        gap = strchr(separators, line[at]) ? at : gap;
    const char *const number = last ? line + gap + 1 : line;

    if (!line[gap] || (last ? number[strspn(number, digits)] != '\0' : strspn(number, digits) != gap))
        return 0;
    length = last ? gap : strlen(line) - gap - 1;
    memcpy(order, last ? line : line + gap + 1, length);
    while (length > 0 && strchr(separators, order[length - 1]))
        length--;
    order[length] = '\0';
    return strtoull(number, NULL, 10);
}

/* An order and how often it came, or the reverse. A count is larger than an item, unless the order is one word. */
static bool kind_counts(struct kind *kind)
{
    for (size_t way = 0; way < 4; way++) {
        const bool last = way & 1, split = way & 2;
        const char *const field = last ? "$NF" : "$1";
        char order[SB_LINE_SEEN + 1];
        const unsigned long long count = counts_cut(kind->line, last, order);

        if (!count || !(split ? edit_split : edit_copy)(order + strspn(order, separators), kind->text))
            continue;
        if (kind_reads(kind) && (split || count > strlen(order)))
            return kind_is(kind,
                           " is an order and its count: print each order as often as it came, as awk%s "
                           "'{c=%s; %s=\"\"; %swhile (c-- > 0) print}' does",
                           strchr(kind->line, ',') ? " -F," : "", field, field, split ? "gsub(/./, \"& \"); " : "");
    }
    return false;
}

void sb_line_kind_blame(struct sb_stream *stream)
{
    static bool (*const kinds[])(struct kind *) = { kind_json,   kind_hand_history, kind_cut_off, kind_signs,
                                                    kind_edited, kind_fields,       kind_titles,  kind_counts };
    const size_t bytes = stream->text.line_bytes;
    char *const begin = stream->text.seen + strspn(stream->text.seen, " \t"), *shown;
    struct kind *const kind = bytes ? calloc(1, sizeof *kind) : NULL;
    size_t length = strlen(begin);

    if (!kind)
        return;
    kind->over = bytes > SB_LINE_SEEN;
    kind->ended = kind->over || stream->text.seen[bytes - 1] == '\n';
    while (length > 0 && strchr(" \t\r\n", begin[length - 1]))
        length--;
    begin[length] = '\0';
    kind->stream = stream;
    kind->line = begin;
    for (size_t i = 0; length > 0 && i < (kind->over ? 1 : sizeof kinds / sizeof kinds[0]); i++)
        if (kinds[i](kind)) {
            shown = sb_sanitize_text(begin, KIND_SHOWN);
            sb_stream_wrong(stream, "'%s'%s", shown ? shown : "it", kind->what);
            free(shown);
            break;
        }
    free(kind);
}
