/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses text byte by byte. A few variables hold the state of a line, so a chunk of bytes may end anywhere.
 * Two other parsers are faster: stream_layout.c reads lines with the previous line's layout, and
 * stream_numbers.c reads lines of plain numbers.
 */
#include "core/text.h"
#include "subject/stream/stream_parts.h"

#include <stdio.h>
#include <stdlib.h>

enum { TEXT_SHOWN = 20 }; /* the most bytes of an unknown name in a message */

void sb_text_open(const struct sb_item_names *names, bool free, struct sb_text *text)
{
    *text = (struct sb_text) {
        .free = free,
        .line = 1,
        .last = TEXT_LF,
        .blank = true,
        .labels = { .expected = !names },
    };
    for (int byte = 0; byte < 128; byte++)
        text->class[byte] = byte < ' ' || byte == 127 ? TEXT_CONTROL : TEXT_OTHER;
    for (int byte = '0'; byte <= '9'; byte++)
        text->class[byte] = TEXT_WORD;
    if (!names)
        text->class['+'] = text->class['-'] = text->class['.'] = TEXT_SIGN;
    for (int letter = 'a'; letter <= 'z'; letter++)
        text->class[letter] = text->class[letter - 'a' + 'A'] = names ? TEXT_WORD : TEXT_LETTER;
    for (int byte = 128; byte < 256; byte++)
        text->class[byte] = names ? TEXT_WORD : TEXT_LETTER;
    for (size_t i = 0; names && i < names->n; i++)
        for (const char *c = names->given[i]; *c; c++)
            text->class[(uint8_t)*c] = TEXT_WORD;
    text->class[' '] = text->class['\t'] = TEXT_BLANK;
    text->class['#'] = TEXT_COMMENT;
    text->class['\n'] = TEXT_LF;
    text->class['\r'] = TEXT_CR;
}

void sb_text_drop(struct sb_stream *stream)
{
    struct sb_text *const text = &stream->text;

    text->line_bytes = text->word_length = 0;
    text->number = 0;
    text->last = TEXT_LF;
    text->comment = false;
    text->blank = true;
    if (!stream->named)
        sb_labels_drop(stream);
}

/* Adds a character to a number or a name. */
static void text_letter(struct sb_stream *stream, uint8_t byte)
{
    struct sb_text *const text = &stream->text;

    if (!stream->named) {
        text->number = 10 * text->number + (byte - (uint32_t)'0');
        if (text->number > SB_ITEMS_MOST)
            text->number = STREAM_HUGE;
    } else if (text->word_length++ < SB_ITEM_NAME_MOST) {
        text->word[text->word_length - 1] = (char)byte;
    }
}

/* The item with the completed name. If there is no such item, reports an error. */
static uint32_t text_card(struct sb_stream *stream)
{
    struct sb_text *const text = &stream->text;
    uint32_t item = SB_ITEMS_MOST;

    text->word[text->word_length < SB_ITEM_NAME_MOST ? text->word_length : SB_ITEM_NAME_MOST] = '\0';
    if (text->word_length <= SB_ITEM_NAME_MOST)
        item = sb_item_names_find(stream->feed.names, text->word);
    if (item == SB_ITEMS_MOST) {
        char *const shown = sb_sanitize_text(text->word, TEXT_SHOWN);

        sb_stream_wrong(stream, "'%s' is none of the %zu names: correct `cards`%s", shown ? shown : "it",
                        stream->feed.names->n, stream->deals ? "" : ", or begin a header with #");
        free(shown);
    }
    text->word_length = 0;
    return item;
}

/* Makes a deal from the current numbers, which end here. */
static void text_deal(struct sb_stream *stream)
{
    if (!stream->named && (stream->got || stream->text.free))
        sb_labels_end(stream);
    if (stream->error.status == SB_OK)
        sb_stream_deal(stream);
}

static void text_word_ends(struct sb_stream *stream)
{
    struct sb_text *const text = &stream->text;

    if (text->labels.expected) {
        sb_labels_check(stream);
        if (stream->error.status)
            return;
    }
    sb_stream_push(stream, stream->named ? text_card(stream) : text->number);
    text->number = 0;
    if (text->free && stream->got == stream->feed.deal && stream->error.status == SB_OK)
        text_deal(stream);
}

static void text_line_ends(struct sb_stream *stream)
{
    struct sb_text *const text = &stream->text;

    if (!text->free && (stream->got || !text->blank))
        text_deal(stream);
    if (stream->error.status)
        return;
    text->line++;
    text->comment = false;
    text->blank = true;
}

/* Reports a control byte. Names what it is probably part of. */
static void text_blame_byte(struct sb_stream *stream, uint8_t byte)
{
    const bool cr = stream->text.last == TEXT_CR;
    const char *what = ": print text, or say `input=u8`, u16 or u32";

    if (cr)
        what = " with no 0x0a after it: end lines in 0x0a";
    else if (byte == 0x1B)
        what = ", which begins a colour code: print without colours";
    else if (byte == 0x1F)
        what = ", which begins gzip data: only gzip data may come before it, so put it first";
    else if (byte == 0)
        what = ", as in UTF-16: print UTF-8 or ASCII, or say `input=u8`, u16 or u32";
    sb_stream_wrong(stream, "a control byte 0x%02x%s", cr ? '\r' : byte, what);
}

/* Processes a byte outside comments. The previous byte has class `last`. */
static void text_takes(struct sb_stream *stream, uint8_t byte, enum sb_text_class class,
                       enum sb_text_class last)
{
    struct sb_text *const text = &stream->text;

    if (class == TEXT_WORD && last != TEXT_SIGN)
        text_letter(stream, byte);
    else if ((class == TEXT_WORD && last == TEXT_SIGN) || (class == TEXT_SIGN && last == TEXT_WORD))
        sb_stream_wrong(stream,
                        "a sign or a point beside a digit: print whole numbers from 0 or 1 on; lines of a "
                        "log take `match` or `field`");
    else if (class == TEXT_LETTER && last == TEXT_WORD && byte < 128)
        sb_stream_wrong(stream,
                        "the letter '%c' right after a digit: print items as decimal numbers, or name "
                        "every item with `cards`",
                        byte);
    else if (last == TEXT_WORD)
        text_word_ends(stream);
    if (class == TEXT_LETTER || last == TEXT_LETTER || (class == TEXT_OTHER && text->labels.length))
        sb_labels_byte(&text->labels, byte, class == TEXT_LETTER);
    text->comment = class == TEXT_COMMENT;
    text->blank = text->blank && (class == TEXT_BLANK || class >= TEXT_COMMENT);
}

static void text_byte(struct sb_stream *stream, uint8_t byte)
{
    struct sb_text *const text = &stream->text;
    const enum sb_text_class class = text->class[byte], last = text->last;

    if (class <= TEXT_BLANK && last <= TEXT_OTHER && !text->comment) { /* true for most bytes */
        text->last = class;
        if (class == TEXT_WORD) {
            text->blank = false;
            text_letter(stream, byte);
        } else if (last == TEXT_WORD) {
            text_word_ends(stream);
        }
        return;
    }
    if (class == TEXT_CONTROL || (last == TEXT_CR && class != TEXT_LF)) {
        text_blame_byte(stream, byte);
        return;
    }
    text->last = class;
    if (!text->comment)
        text_takes(stream, byte, class, last);
    if (class == TEXT_LF && stream->error.status == SB_OK)
        text_line_ends(stream);
}

/* Whether a line can be the model of the next lines. For this, all items must have one digit. */
static bool text_has_model(const struct sb_stream *stream)
{
    return !stream->named && stream->feed.n == stream->feed.deal && stream->feed.n > 0 &&
           stream->feed.n + (size_t)stream->base <= 10;
}

/*
 * Reads up to the end of the line, of the chunk or of the requested deals, but no more bytes than a line may
 * have. The results do not depend on where chunks end.
 */
static void text_line(struct sb_stream *stream)
{
    struct sb_text *const text = &stream->text;
    const size_t there = (size_t)(stream->end - stream->at), room = SB_LINE_MOST - text->line_bytes;
    const uint8_t *const begin = stream->at, *const end = begin + (text->free || there < room ? there : room);
    const uint64_t deals = stream->deals;

    do
        text_byte(stream, *stream->at++);
    while (text->last != TEXT_LF && stream->at < end && stream->count < stream->most &&
           stream->error.status == SB_OK);
    if (text->free)
        return;
    text->line_bytes += (size_t)(stream->at - begin);
    if (stream->error.status)
        return;
    if (text->last != TEXT_LF) {
        if (text->line_bytes == SB_LINE_MOST)
            sb_stream_wrong(stream,
                            "longer than %d bytes: end permutations with newlines, or say `free` `n=N`",
                            SB_LINE_MOST);
        return;
    }
    /* a line without a deal is no model, even if a comment in it has the form of a deal */
    if (text->line_bytes == (size_t)(stream->at - begin) && stream->deals > deals && text_has_model(stream))
        sb_layout_learn(begin, text->line_bytes, stream->feed.n, (uint8_t)('0' + stream->base),
                        &stream->layout);
    text->line_bytes = 0;
}

static void text_read(struct sb_stream *stream)
{
    struct sb_text *const text = &stream->text;

    while (stream->at < stream->end && stream->count < stream->most && stream->error.status == SB_OK) {
        const bool fresh = text->line_bytes == 0 && text->last == TEXT_LF;

        if (fresh)
            text->line += text_has_model(stream) ? sb_stream_quick(stream) : sb_numbers_read(stream);
        if (stream->at < stream->end && stream->count < stream->most)
            text_line(stream);
    }
}

static void text_finish(struct sb_stream *stream)
{
    struct sb_text *const text = &stream->text;

    if (text->last == TEXT_CR)
        text_blame_byte(stream, '\r');
    else if (text->last == TEXT_WORD && !text->comment)
        text_word_ends(stream);
    text->last = TEXT_LF;
    if (text->free && !stream->named && stream->error.status == SB_OK)
        sb_labels_end(stream);
    if (stream->error.status)
        return;
    if (!text->free && (stream->got || !text->blank))
        text_deal(stream);
    else if (stream->got)
        sb_stream_wrong(stream, "it ends after %zu of %zu items: was it cut off, or is `n` wrong?",
                        stream->got, stream->feed.deal);
    if (stream->error.status)
        return;
    text->blank = true;
    text->line_bytes = 0;
}

static void text_where(const struct sb_stream *stream, char text[], size_t room)
{
    const unsigned long long line = stream->text.line, begun = stream->begun;

    if (begun)
        snprintf(text, room, "line %llu after byte %llu", line, begun);
    else
        snprintf(text, room, "line %llu", line);
}

const struct sb_reader sb_reader_text = {
    .read = text_read,
    .finish = text_finish,
    .where = text_where,
};
