/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of the 52 playing cards, in three notations: rank and letter, rank and symbol, and the characters
 * of Unicode's block Playing Cards (The Unicode Standard, 22.9). Ranks are A 2 3 4 5 6 7 8 9 10 (or T) J Q K;
 * upper and lower case are equal, and so are black and white symbols. Selectors of emoji and text style,
 * U+FE0E and U+FE0F, are ignored. Cards may follow each other without blanks, as in AcKd7h. Jokers and knights are not
 * among the 52 cards.
 */
#include "core/text.h"
#include "subject/parts.h"

/* Returns 0..12 for a rank, and moves *text past the rank; SB_PLAYING_RANKS if there is none. */
static uint32_t cards_rank(const char **text)
{
    static const char ranks[] = "A23456789TJQK";
    const char c = **text, upper = (char)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    const char *const found = c ? strchr(ranks, upper) : NULL;

    if (c == '1' && (*text)[1] == '0') {
        *text += 2;
        return 9;
    }
    *text += found != NULL;
    return found ? (uint32_t)(found - ranks) : SB_PLAYING_RANKS;
}

/* Returns 0..3 for a suit, and moves *text past the suit; 4 if there is none. */
static uint32_t cards_suit(const char **text, enum sb_card_notation *notation)
{
    static const uint32_t symbols[2][4] = {
        { 0x2660, 0x2665, 0x2666, 0x2663 }, /* spades, hearts, diamonds, clubs */
        { 0x2664, 0x2661, 0x2662, 0x2667 },
    };
    static const char letters[] = "SHDCshdc";
    const char *after = *text;
    const uint32_t point = sb_utf8_next(&after);
    const char *const letter = point && point < 128 ? strchr(letters, (int)point) : NULL;
    uint32_t suit = letter ? (uint32_t)(letter - letters) % 4 : 4;

    for (uint32_t i = 0; i < 4; i++)
        if (point == symbols[0][i] || point == symbols[1][i])
            suit = i;
    *notation = letter ? SB_NOTATION_LETTERS : SB_NOTATION_SYMBOLS;
    if (suit < 4)
        *text = after;
    return suit;
}

/* Returns 0..51 for a character of the block Playing Cards; SB_PLAYING_CARDS for any other character. */
static uint32_t cards_glyph(uint32_t point)
{
    const uint32_t suit = (point - 0x1F0A0) / 16, place = point % 16; /* 1 ace, 11 jack, 12 knight, 13 queen */

    if (point < 0x1F0A0 || suit > 3 || place == 0 || place == 12 || place > 14)
        return SB_PLAYING_CARDS;
    return SB_PLAYING_RANKS * suit + (place < 12 ? place - 1 : place - 2);
}

static void cards_skip_style(const char **text)
{
    const char *after = *text;
    const uint32_t point = sb_utf8_next(&after);

    if (point == 0xFE0E || point == 0xFE0F)
        *text = after;
}

uint32_t sb_playing_card(const char *text, const char **end, enum sb_card_notation *notation)
{
    const char *after = text;
    uint32_t card = cards_glyph(sb_utf8_next(&after));

    *notation = SB_NOTATION_GLYPHS;
    if (card == SB_PLAYING_CARDS) {
        after = text;
        const uint32_t rank = cards_rank(&after);
        const uint32_t suit = rank < SB_PLAYING_RANKS ? cards_suit(&after, notation) : 4;

        card = suit < 4 ? SB_PLAYING_RANKS * suit + rank : SB_PLAYING_CARDS;
    }
    if (card < SB_PLAYING_CARDS)
        cards_skip_style(&after);
    *end = after;
    return card;
}

/* Characters are named like symbols. */
const char *sb_playing_cards_names(enum sb_card_notation notation)
{
    if (notation == SB_NOTATION_LETTERS)
        return "AS 2S 3S 4S 5S 6S 7S 8S 9S 10S JS QS KS "
               "AH 2H 3H 4H 5H 6H 7H 8H 9H 10H JH QH KH "
               "AD 2D 3D 4D 5D 6D 7D 8D 9D 10D JD QD KD "
               "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC";
    return "A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠ "
           "A♥ 2♥ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥ 10♥ J♥ Q♥ K♥ "
           "A♦ 2♦ 3♦ 4♦ 5♦ 6♦ 7♦ 8♦ 9♦ 10♦ J♦ Q♦ K♦ "
           "A♣ 2♣ 3♣ 4♣ 5♣ 6♣ 7♣ 8♣ 9♣ 10♣ J♣ Q♣ K♣";
}

/* ---- lines of playing cards: sb_text_in_word() says what separates words ---- */

static const char *cards_word(const char *at)
{
    while (*at && *at != '#' && !sb_text_in_word(*at))
        at++;
    return *at == '#' ? at + strlen(at) : at;
}

static const char *cards_word_end(const char *at)
{
    while (sb_text_in_word(*at))
        at++;
    return at;
}

static bool cards_are(const char *word, enum sb_card_notation *notation)
{
    const char *const end = cards_word_end(word);
    const char *at = word;

    while (at < end)
        if (sb_playing_card(at, &at, notation) == SB_PLAYING_CARDS)
            return false;
    return at == end;
}

size_t sb_playing_cards_count(const char *text)
{
    size_t count = 0;

    for (const char *at = cards_word(text); *at; at = cards_word(at)) {
        enum sb_card_notation notation;

        if (!cards_are(at, &notation))
            return 0;
        for (const char *const end = cards_word_end(at); at < end; count++)
            sb_playing_card(at, &at, &notation);
    }
    return count;
}

/* Only words that end in the first bytes of the line count, so that the result does not depend on where a read ends. */
enum sb_card_notation sb_playing_cards_begin(const char *line)
{
    const char *const first = cards_word(line), *const first_end = cards_word_end(first);
    const char *const second = cards_word(first_end), *const second_end = cards_word_end(second);
    enum sb_card_notation notation = SB_NOTATION_NONE, other;

    return *first && first_end - line < SB_CARDS_SNIFF && cards_are(first, &notation) &&
                   (!*second || second_end - line >= SB_CARDS_SNIFF || cards_are(second, &other))
               ? notation
               : SB_NOTATION_NONE;
}

/* ---- the words of a text ---- */

static void cards_blame(struct sb_stream *stream, const char *word)
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

        if (card == SB_PLAYING_CARDS || notation != stream->notation || text->word_length > SB_WORD_MOST)
            cards_blame(stream, word);
        else
            sb_stream_push(stream, card);
    }
}
