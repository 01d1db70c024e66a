/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps that find the deck in a line: the text and its messages, the fields, the playing cards. */
#include "core/core.h"
#include "core/text.h"
#include "subject/parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum sb_line_result sb_line_reject(struct sb_line *line, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    sb_decimal_format_list(line->wrong, sizeof line->wrong, format, arguments);
    va_end(arguments);
    return SB_LINE_REJECTED;
}

enum sb_line_result sb_line_reject_text(struct sb_line *line, const char *before, const char *text, size_t length,
                                        const char *after)
{
    char part[4 * SB_LINE_SHOWN] = "";
    char *shown;

    memcpy(part, text, length < sizeof part ? length : sizeof part - 1);
    shown = sb_sanitize_text(part, SB_LINE_SHOWN);
    sb_line_reject(line, "%s'%s'%s", before, shown ? shown : "...", after);
    free(shown);
    return SB_LINE_REJECTED;
}

void sb_line_keep(struct sb_line *line, const char *from, size_t length)
{
    line->cut += (size_t)(from - line->text);
    memmove(line->text, from, length);
    line->length = length;
    line->text[length] = '\0';
}

/* The fields of a line. Without a separator, fields are what blanks separate, as in awk: any number of blanks is one
 * separator, and blanks at the start of the line do not count. With a separator, each occurrence separates, as in cut,
 * so fields may be empty. */

/* Reads a number of a field, without a sign. Returns 0 if there is none. */
static size_t field_number(const char **text)
{
    char *end;
    const unsigned long number = **text >= '0' && **text <= '9' ? strtoul(*text, &end, 10) : 0;

    if (number)
        *text = end;
    return number < SIZE_MAX ? number : 0;
}

enum sb_status sb_fields_open(const char *field, const char *separator, struct sb_error *error,
                              struct sb_fields *fields)
{
    const char *rest = field;
    const size_t first = field_number(&rest);
    size_t last = first;

    if (*rest == '-') {
        rest++;
        last = *rest ? field_number(&rest) : SIZE_MAX;
    }
    if (first == 0 || last < first || *rest)
        return sb_error_set(error, SB_INVALID, "`field%s%.40s`: fields count from 1: use N, N- (up to the last) or N-M",
                            *field ? "=" : "", field);
    if (separator && (!*separator || strpbrk(separator, "\r\n")))
        return sb_error_set(error, SB_INVALID,
                            "`separator`: must be one or more characters of a line: use \\t for a tab, or leave it "
                            "out for blanks");
    *fields = (struct sb_fields) {
        .first = first,
        .last = last,
        .separator = separator && strcmp(separator, "\\t") == 0 ? "\t" : separator,
    };
    return SB_OK;
}

static char *field_end(const struct sb_fields *fields, char *at, char **next)
{
    if (!fields->separator) {
        char *const end = at + strcspn(at, " \t");

        *next = end + strspn(end, " \t");
        *next = **next ? *next : NULL;
        return end;
    }
    char *const end = strstr(at, fields->separator);

    *next = end ? end + strlen(fields->separator) : NULL;
    return end ? end : at + strlen(at);
}

enum sb_line_result sb_fields_take(const struct sb_fields *fields, struct sb_line *line)
{
    char *at = line->text + (fields->separator ? 0 : strspn(line->text, " \t")), *end = at, *from = NULL;
    size_t count = 0;

    for (char *next = NULL; at && count < fields->last; at = next) {
        end = field_end(fields, at, &next);
        count++;
        if (count == fields->first)
            from = at;
        if (next && count >= fields->first && count < fields->last)
            memset(end, ' ', (size_t)(next - end)); /* a separator between the fields to keep */
        if (!next)
            break;
    }
    if (!from)
        return sb_line_reject(line,
                              "there is no field %zu, only %zu: correct `field`, or select the lines that have it "
                              "with `match`",
                              fields->first, count);
    sb_line_keep(line, from, (size_t)(end - from));
    return strspn(line->text, " \t") < line->length
               ? SB_LINE_TAKEN
               : sb_line_reject(line, "field %zu is empty: correct `field`", fields->first);
}

/* ---- playing cards ---- */

/* Lines of playing cards. Words consist of letters, digits and bytes from 128; all other characters separate words. A
 * card is at least as long as its number and a blank, or stands alone between separators, so that the numbers fit in
 * the place of the cards. */

/* Bytes of a line, after blanks, that are enough to see whether its first words are cards. */
enum { CARDS_SNIFF = 1 << 12 };

static bool cards_letter(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 128;
}

static const char *cards_word(const char *at)
{
    while (*at && *at != '#' && !cards_letter(*at))
        at++;
    return *at == '#' ? at + strlen(at) : at;
}

static const char *cards_word_end(const char *at)
{
    while (cards_letter(*at))
        at++;
    return at;
}

bool sb_line_has_content(const struct sb_line *line)
{
    const char first = line->text[strspn(line->text, " \t\r")];

    return first && first != '#';
}

static bool cards_are(const char *word, enum sb_card_notation *notation)
{
    const char *const end = cards_word_end(word);
    const char *at = word;

    while (sb_playing_card(at, &at, notation) < SB_PLAYING_CARDS)
        if (at == end || *notation != SB_NOTATION_GLYPHS)
            return at == end;
    return false;
}

size_t sb_line_cards_count(const char *text)
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

/* Only words that end in the first bytes count, even in a complete line, so that the decision does not depend
 * on where a read ends. */
void sb_line_cards_decide(struct sb_line_cards *cards, const struct sb_line *line, bool complete)
{
    const char *const begin = line->text + strspn(line->text, " \t\r");

    if (!complete && line->text + line->length - begin < CARDS_SNIFF)
        return;
    const char *const first = cards_word(begin), *const first_end = cards_word_end(first);
    const char *const second = cards_word(first_end), *const second_end = cards_word_end(second);
    enum sb_card_notation other;

    cards->possible = false;
    cards->on = *first && first_end - begin < CARDS_SNIFF && cards_are(first, &cards->notation) &&
                (!*second || second_end - begin >= CARDS_SNIFF || cards_are(second, &other));
}

static enum sb_line_result cards_reject_word(const struct sb_line_cards *cards, struct sb_line *line, const char *word,
                                             size_t length)
{
    static const char *const like[] = {
        [SB_NOTATION_NONE] = "",
        [SB_NOTATION_LETTERS] = ": cards are written as As Kd 10h, as in the first line",
        [SB_NOTATION_SYMBOLS] = ": cards are written as A\u2660 K\u2666, as in the first line",
        [SB_NOTATION_GLYPHS] = ": cards are the characters U+1F0A1 to U+1F0DE, as in the first line",
    };
    enum sb_card_notation notation = SB_NOTATION_NONE;
    char after[160];

    if (cards_are(word, &notation)) {
        snprintf(after, sizeof after, " is in another notation%s", like[cards->notation]);
        return sb_line_reject_text(line, "", word, length, after);
    }
    snprintf(after, sizeof after,
             " is none of 52 playing cards: begin a header with #, or name all cards with `cards` \"AS 2S ...\"");
    return sb_line_reject_text(line, "", word, length, after);
}

static enum sb_line_result cards_reject_repeat(struct sb_line *line, uint64_t seen, size_t count, const char *word,
                                               size_t length)
{
    static const char ranks[] = "A23456789TJQK", suits[] = "shdc";
    char after[80] = " comes twice: deal each card once at most";

    for (uint32_t card = 0; count >= SB_PLAYING_CARDS && card < SB_PLAYING_CARDS; card++)
        if (!(seen >> card & 1)) {
            snprintf(after, sizeof after, " comes twice, and %c%c is missing: print each card once", ranks[card % 13],
                     suits[card / 13]);
            break;
        }
    return sb_line_reject_text(line, "", word, length, after);
}

static enum sb_line_result cards_check_count(const struct sb_line_cards *cards, struct sb_line *line, size_t count)
{
    const size_t wanted = cards->deal ? cards->deal : SB_PLAYING_CARDS;

    if (count == wanted)
        return SB_LINE_TAKEN;
    if (cards->deal || count > wanted)
        return sb_line_reject(line, "%zu cards instead of %zu: print a deal a line", count, wanted);
    return sb_line_reject(line,
                          "%zu cards instead of 52: hands take `deal=%zu` `n=52`; name the cards of another "
                          "deck with `cards` \"7S 8S ...\"",
                          count, count);
}

/* A line whose cards are being replaced. */
struct cards_pass {
    uint64_t seen; /* one bit for each card */
    size_t count;
    const char *twice; /* copy of the first card that came twice; NULL: none */
    char copy[16];
};

/* Replaces the cards of a word, which ends at `end`. Returns false if a part of the word is not a card of the
 * line's notation. */
static bool cards_replace(const struct sb_line_cards *cards, char *word, const char *end, struct cards_pass *pass)
{
    const char *at = word;

    while (at < end) {
        char *const card_at = word + (at - word);
        enum sb_card_notation notation;
        const uint32_t card = sb_playing_card(at, &at, &notation);
        const size_t length = (size_t)(at - card_at);
        char digits[16];

        if (card == SB_PLAYING_CARDS || notation != cards->notation || at > end ||
            (at < end && notation != SB_NOTATION_GLYPHS))
            return false;
        if (pass->seen >> card & 1 && !pass->twice) {
            memcpy(pass->copy, card_at, length);
            pass->twice = pass->copy;
        }
        pass->seen |= UINT64_C(1) << card;
        pass->count++;
        memset(card_at, ' ', length);
        memcpy(card_at, digits, (size_t)snprintf(digits, sizeof digits, "%u", (unsigned)card));
    }
    return true;
}

/* Blanks the signs up to the next word or comment: the number parser would take a dash beside a number for a sign. */
static void cards_blank_signs(char *at)
{
    for (; *at && *at != '#' && !cards_letter(*at); at++)
        if (*at == '-' || *at == '+' || *at == '.')
            *at = ' ';
}

enum sb_line_result sb_line_cards_take(const struct sb_line_cards *cards, struct sb_line *line)
{
    struct cards_pass pass = { .count = 0 };
    char *at = line->text;

    for (char *word; *(word = line->text + (cards_word(at) - line->text)); at = word) {
        char *const end = word + (cards_word_end(word) - word);
        char copy[4 * SB_LINE_SHOWN] = "";
        const size_t length = (size_t)(end - word);

        cards_blank_signs(at);
        memcpy(copy, word, length < sizeof copy ? length : sizeof copy - 1);
        if (!cards_replace(cards, word, end, &pass))
            return cards_reject_word(cards, line, copy, strlen(copy));
        word = end;
    }
    cards_blank_signs(at);
    if (pass.twice)
        return cards_reject_repeat(line, pass.seen, pass.count, pass.twice, strlen(pass.twice));
    return cards_check_count(cards, line, pass.count);
}
