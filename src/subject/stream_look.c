/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks at the start of a text before it is read: foreign formats are errors, a byte order mark is skipped, and the
 * first line with more than a comment shows whether the items are playing cards. From then on, each word is a playing
 * card.
 */
#include "core/core.h"
#include "core/text.h"
#include "subject/parts.h"

#include <stdlib.h>
#include <string.h>

enum { LOOK_MAGIC = 4 }; /* bytes that show what a file is; no deck of text is shorter */

void sb_text_classify(const struct sb_item_names *names, struct sb_text *text)
{
    text->labels.expected = !names;
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

/* From now on, items are playing cards. */
static void look_take(struct sb_stream *stream)
{
    struct sb_feed *const feed = &stream->feed;

    if (sb_item_names_new(sb_playing_cards_names(stream->notation), &stream->error, &feed->names))
        return;
    feed->n = SB_PLAYING_CARDS;
    feed->deal = feed->deal ? feed->deal : SB_PLAYING_CARDS;
    stream->base = 0;
    stream->named = true;
    sb_text_classify(feed->names, &stream->text);
}

/* Looks whether the next line has playing cards. Returns false if this needs more bytes. */
static bool look_decide(struct sb_stream *stream)
{
    char *const line = (char *)stream->buffer + (stream->at - stream->buffer);
    const size_t there = (size_t)(stream->end - stream->at), most = there < SB_TEXT_LOOK ? there : SB_TEXT_LOOK;
    char *const lf = memchr(line, '\n', most), *const end = lf ? lf : line + most, last = *end;
    const char *begin = line + sb_text_mark(line, (size_t)(end - line));
    bool enough;

    *end = '\0';
    begin += strspn(begin, " \t\r");
    enough = lf || stream->ended || most == SB_TEXT_LOOK || end - begin >= SB_CARDS_SNIFF || *begin == '#';
    if (enough && *begin && *begin != '#') {
        stream->undecided = false;
        stream->notation = sb_playing_cards_begin(begin);
    }
    *end = last;
    if (stream->notation)
        look_take(stream);
    return enough;
}

bool sb_text_look(struct sb_stream *stream)
{
    const char *const at = (const char *)stream->at;
    const size_t there = (size_t)(stream->end - stream->at);

    if (stream->begins) {
        const char *const foreign = sb_foreign(at, there);

        if (there < LOOK_MAGIC && !stream->ended)
            return false;
        stream->begins = false;
        stream->at += sb_text_mark(at, there);
        if (foreign)
            sb_stream_wrong(stream, "%s", foreign);
    }
    return stream->error.status || !stream->undecided || stream->at == stream->end || look_decide(stream);
}

static void look_blame(struct sb_stream *stream, const char *word)
{
    static const char *const like[] = {
        [SB_NOTATION_LETTERS] = "written as As Kd 10h",
        [SB_NOTATION_SYMBOLS] = "written as A\u2660 K\u2666",
        [SB_NOTATION_GLYPHS] = "the characters U+1F0A1 to U+1F0DE",
    };
    char *const shown = sb_sanitize_text(word, SB_LINE_SHOWN);

    if (sb_playing_cards_count(word))
        sb_stream_wrong(stream, "'%s' is in another notation: cards are %s, as in the first line", shown ? shown : "it",
                        like[stream->notation]);
    else
        sb_stream_wrong(stream,
                        "'%s' is none of 52 playing cards: begin a header with #, or name all cards with `cards` "
                        "\"AS 2S ...\"",
                        shown ? shown : "it");
    free(shown);
}

void sb_text_playing_cards(struct sb_stream *stream)
{
    const struct sb_text *const text = &stream->text;
    const char *const word = text->word + sb_text_mark(text->word, text->word_length);

    for (const char *at = word; *at && stream->error.status == SB_OK;) {
        enum sb_card_notation notation;
        const uint32_t card = sb_playing_card(at, &at, &notation);

        if (card == SB_PLAYING_CARDS || notation != stream->notation || text->word_length > SB_WORD_MOST ||
            (*at && notation != SB_NOTATION_GLYPHS))
            look_blame(stream, word);
        else
            sb_stream_push(stream, card);
    }
}
