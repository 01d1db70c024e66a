/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Learns what the items are called from the first lines of whole decks: if the first line is no deck of numbers from 0
 * or 1, and the second line has the same words or numbers in another order, they are the items, sorted by their bytes,
 * or by value if all are numbers. A line of many words, or of many numbers, needs no second one.
 *
 * The first and the last word of a line may be a title instead, such as the date in "2024-01-01 Angie Changes Dakota".
 * So neither may be the same in more lines than chance explains. The result does not depend on where reads end.
 */
#include "core/core.h"
#include "core/text.h"
#include "subject/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEARNED_LOOK = 1 << 20, /* the most bytes to look at */
    LEARNED_ALONE = 16,     /* a line of this many different items is no sentence */
    LEARNED_SHOWN = 120,    /* the most bytes of the names in the message */
};

#define LEARNED_CHANCE 1e-6

static const char learned_digits[] = "0123456789";

size_t sb_stream_try(struct sb_stream *stream, char text[], size_t length)
{
    struct sb_stream saved = *stream;
    size_t deal = 0;

    text[length] = '\n';
    sb_text_drop(stream);
    stream->begins = stream->undecided = stream->learns = false;
    stream->error.status = SB_OK;
    stream->got = 0;
    stream->most = 1;
    stream->at = (const uint8_t *)text;
    stream->end = stream->at + length + 1;
    stream->reader->read(stream);
    if (stream->error.status == SB_OK && stream->count == 1)
        deal = stream->feed.deal;
    saved.raw = stream->raw; /* the parser may have moved these two */
    saved.raw_room = stream->raw_room;
    saved.items = stream->items;
    saved.items_room = stream->items_room;
    *stream = saved;
    text[length] = '\0';
    return deal;
}

/* Replaces the brackets around a line, and Python's quotation marks, by those of a list of names. */
static void learned_plain(char *line)
{
    const size_t length = strlen(line);
    char *end;

    if (line[0] != '[' || line[length - 1] != ']')
        return;
    line[0] = line[length - 1] = ' ';
    for (char *c = line; *c; c++)
        if (*c == '\'' && c[-1] == ' ' && (end = strpbrk(c + 1, "'\"")) && *end == '\'' && (end[1] == ',' || end[1] == ' '))
            *c = *end = '"', c = end;
}

/* Returns the words of the next line from *at on, or NULL if there is none or its words are no items; moves *at past the
 * line. Sets *more if the line is not complete. Skips empty lines and comments. */
static struct sb_item_names *learned_line(const struct sb_stream *stream, const char **at, bool *more)
{
    const char *const end = (const char *)stream->end;
    struct sb_item_names *names = NULL;

    while (*at < end) {
        const char *const begin = *at + strspn(*at, " \t\r"), *const lf = memchr(*at, '\n', (size_t)(end - *at));
        const char *const stop = lf ? lf : end;

        *more = !lf && !stream->ended;
        *at = lf ? lf + 1 : end;
        if (begin >= stop || *begin == '#')
            continue;
        char *const line = strndup(begin, (size_t)(stop - begin));

        for (size_t length = line ? strlen(line) : 0; length && strchr(" \t\r", line[length - 1]); length--)
            line[length - 1] = '\0';
        if (line)
            learned_plain(line);
        if (line && !*more && !strpbrk(line, "{}"))
            sb_item_names_new(line, NULL, &names);
        free(line);
        return names;
    }
    *more = !stream->ended;
    return NULL;
}

/* Whether a word may be an item: it is no number with a sign or a point, and no title or count such as "deck:", "[1]". */
static bool learned_is_item(const char *word, char separator)
{
    const bool number = word[strspn(word, "0123456789+-.")] == '\0';

    return number ? word[strspn(word, learned_digits)] == '\0'
                  : !strchr(":=", word[strlen(word) - 1]) &&
                        (separator || (!strchr("[(<", *word) && !strchr("])>", word[strlen(word) - 1])));
}

static bool learned_are_items(const struct sb_item_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        if (!learned_is_item(names->given[i], names->separator))
            return false;
    return names->n > 1 && names->distinct == names->n;
}

static bool learned_same(const struct sb_item_names *a, const struct sb_item_names *b)
{
    bool same = b && a->n == b->n && a->distinct == b->distinct && a->separator == b->separator;

    for (size_t i = 0; same && i < a->distinct; i++)
        same = strcmp(a->sorted[i].name, b->sorted[i].name) == 0;
    return same;
}

/* Returns how many of the names are numbers. */
static size_t learned_numbers(const struct sb_item_names *names)
{
    size_t numbers = 0;

    for (size_t i = 0; i < names->n; i++)
        numbers += names->given[i][strspn(names->given[i], learned_digits)] == '\0';
    return numbers;
}

/* Whether the lines after the first one have its words, and no word at either end that seems to stay there. Sets *more if
 * more bytes decide. */
static bool learned_agree(const struct sb_stream *stream, const struct sb_item_names *first, const char *at, bool *more)
{
    const size_t last = first->n - 1;
    bool begins = false, ends = false, alone = true;
    double chance = 1; /* that a fair shuffle leaves the item at an end there in each line */

    while ((!begins || !ends) && chance > LEARNED_CHANCE) {
        struct sb_item_names *const next = learned_line(stream, &at, more);
        const bool same = learned_same(first, next), over = !next && !*more && at == (const char *)stream->end;

        if (same) {
            begins = begins || strcmp(first->given[0], next->given[0]) != 0;
            ends = ends || strcmp(first->given[last], next->given[last]) != 0;
        }
        sb_item_names_free(next);
        if (!same)
            return over && (!alone || (first->n >= LEARNED_ALONE && learned_numbers(first) % first->n == 0));
        alone = false;
        chance /= (double)first->n;
    }
    return begins && ends;
}

/* Compares numbers by value, and else words by bytes. */
static int learned_compare(const void *x, const void *y)
{
    const char *const a = *(const char *const *)x, *const b = *(const char *const *)y;
    const size_t longer = strlen(a), other = strlen(b);

    return longer != other ? (longer > other) - (longer < other) : strcmp(a, b);
}

static struct sb_item_names *learned_sort(const struct sb_item_names *first)
{
    const char **const name = calloc(first->n, sizeof *name);
    struct sb_item_names *names = NULL;

    for (size_t i = 0; name && i < first->n; i++)
        name[i] = first->sorted[i].name;
    if (name && learned_numbers(first) == first->n)
        qsort(name, first->n, sizeof *name, learned_compare);
    if (name && sb_item_names_take(name, first->n, &names) == SB_OK)
        names->separator = first->separator;
    free(name);
    return names;
}

static void learned_tell(const struct sb_stream *stream)
{
    const struct sb_feed *const feed = &stream->feed;
    char names[LEARNED_SHOWN], text[2 * LEARNED_SHOWN + 80];
    sb_item first[LEARNED_SHOWN];
    const size_t shown = feed->n < LEARNED_SHOWN ? feed->n : LEARNED_SHOWN;

    for (size_t i = 0; i < shown; i++)
        first[i] = (sb_item)i;
    sb_item_notation(feed->names, feed->n, shown, first, names, sizeof names);
    snprintf(text, sizeof text, "%.120s: the first lines name %zu items, in sorted order: %s", stream->bytes->name, feed->n,
             names);
    if (stream->form.overheard)
        stream->form.overheard(stream->form.overheard_state, text);
}

static void learned_take(struct sb_stream *stream, const struct sb_item_names *first)
{
    struct sb_feed *const feed = &stream->feed;

    feed->names = learned_sort(first);
    if (!feed->names) {
        sb_error_memory(&stream->error, "the names of items");
        return;
    }
    feed->n = feed->deal = first->n;
    stream->base = 0;
    stream->named = true;
    sb_text_classify(feed->names, &stream->text);
    learned_tell(stream);
}

bool sb_text_learn(struct sb_stream *stream)
{
    const char *at = (const char *)stream->at;
    const size_t there = (size_t)(stream->end - stream->at), length = strcspn(at, "\n");
    const bool all = stream->ended || there >= LEARNED_LOOK;
    bool more = false;

    if (at[strspn(at, " \t\r")] == '#' || at[strspn(at, " \t\r")] == '\n')
        return true;
    if (at[length] != '\n' && !all)
        return false;
    char *const line = malloc(length + 2);

    stream->learns = line && sb_stream_try(stream, memcpy(line, at, length), length) == 0;
    free(line);
    if (!stream->learns)
        return true;
    struct sb_item_names *const first = learned_line(stream, &at, &more);
    const bool items = first && learned_are_items(first) && (!stream->form.n || stream->form.n == first->n);

    if (items && learned_agree(stream, first, at, &more))
        learned_take(stream, first);
    stream->learns = items && !stream->named && more && !all;
    sb_item_names_free(first);
    return !stream->learns;
}
