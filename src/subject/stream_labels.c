/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words among integers. A word may be an item, for example the hexadecimal number "fa" or the card "ace".
 * The parser ignores a word only where it cannot be an item. Such a word is one of two kinds:
 *
 *   - a title: every permutation has the same word before its first integer, as in "deck: 0 2 1";
 *   - a label: every integer has the same word before it, as in "card0 card2 card1".
 *
 * A single letter is a title only if a mark such as a colon follows. A word is not a title if a comma
 * follows. So the A in `A 2 1 3` and the joker in `"joker", 2, 1, 3` count as items, because a biased shuffle
 * may leave an item in the same place every time. Symbols beyond ASCII, such as arrows, are not words. Cost:
 * a comparison for each integer that follows a word.
 */
#include "core/text.h"
#include "subject/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABELS_SHOWN = 20 }; /* the most bytes of a word in a message */

/* Whether a code point beyond ASCII is a number or belongs to one: a superscript, a fraction, a sign, a fraction
 * stroke, the empty set, infinity. Such a character may be an item, and changes the number beside it. */
static bool labels_counts(uint32_t point)
{
    static const uint32_t points[] = { 0xAA,   0xB2,   0xB3,   0xB9,   0xBA,   0xBC,   0xBD,   0xBE,
                                       0x2044, 0x2205, 0x2212, 0x2215, 0x221E, 0xFF0B, 0xFF0D, 0xFF0F };

    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++)
        if (point == points[i])
            return true;
    return false;
}

/* Whether a code point beyond ASCII separates words. Punctuation, arrows, operators and lines separate words. */
static bool labels_separates(uint32_t point)
{
    static const uint32_t ranges[][2] = {
        { 0xA0, 0xBF },                                             /* punctuation of Latin-1 */
        { 0xD7, 0xD7 },     { 0xF7, 0xF7 },     { 0x2000, 0x206F }, /* blanks, dashes, quotation marks */
        { 0x2190, 0x23FF },                                         /* arrows, operators, brackets */
        { 0x2500, 0x257F },                                         /* box-drawing characters, as in tables */
        { 0x27C0, 0x27FF }, { 0x2900, 0x2BFF },                     /* operators, brackets, arrows */
        { 0x3000, 0x303F },                                         /* Chinese, Japanese and Korean punctuation */
        { 0xFE10, 0xFE6F }, { 0xFEFF, 0xFEFF },                     /* the byte order mark */
        { 0xFF01, 0xFF0F }, { 0xFF1A, 0xFF20 }, { 0xFF3B, 0xFF40 }, { 0xFF5B, 0xFF65 },
    };

    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (point >= ranges[i][0] && point <= ranges[i][1])
            return !labels_counts(point);
    return false;
}

static bool labels_has_number(const char *word)
{
    for (uint32_t point; (point = sb_utf8_next(&word));)
        if (labels_counts(point))
            return true;
    return false;
}

static bool labels_only_separate(const char *word)
{
    for (uint32_t point; (point = sb_utf8_next(&word));)
        if (!labels_separates(point))
            return false;
    return true;
}

char *sb_labels_cut(char *word)
{
    const char *at = word, *rest = word;

    for (uint32_t point; (point = sb_utf8_next(&rest)); at = rest)
        if (point >= 128 && labels_separates(point)) {
            word[at - word] = '\0';
            return word + (rest - word);
        }
    return NULL;
}

/* Says what the byte after a word shows: 1 means that the word may be a title, -1 that the word must be an
 * item, and 0 that the byte does not decide. */
static int labels_mark(uint8_t byte)
{
    return byte == 0 ? 0 : strchr(":=([{<0123456789", byte) ? 1 : strchr(",;", byte) ? -1 : 0;
}

static void labels_close(struct sb_labels *labels, uint8_t byte)
{
    const char *const word = labels->text + labels->word, *rest = word;

    labels->open = false;
    labels->text[labels->length] = '\0';
    if (!labels->over && labels_only_separate(word)) {
        labels->length = labels->word ? labels->word - 1 : 0;
    } else {
        sb_utf8_next(&rest); /* skips one letter; *rest then tells whether there is a second letter */
        labels->titles = !labels_has_number(word) && (labels_mark(byte) > 0 || (labels_mark(byte) == 0 && *rest));
    }
    labels->text[labels->length] = '\0';
}

void sb_labels_byte(struct sb_labels *labels, uint8_t byte, bool letter)
{
    if (!letter) {
        if (labels->open)
            labels_close(labels, byte);
        else if (labels_mark(byte))
            labels->titles = labels_mark(byte) > 0;
        return;
    }
    if (!labels->open) {
        if (labels->length && labels->length < SB_LABELS_MOST)
            labels->text[labels->length++] = ' ';
        labels->word = labels->length;
        labels->open = labels->expected = true;
    }
    labels->over = labels->over || labels->length == SB_LABELS_MOST;
    if (!labels->over)
        labels->text[labels->length++] = (char)byte;
}

static void labels_blame(struct sb_stream *stream, const char *words)
{
    char first[SB_LABELS_MOST + 1] = "";
    char *shown;

    memcpy(first, words, strcspn(words, " "));
    shown = sb_sanitize_text(first, LABELS_SHOWN);
    sb_stream_wrong(stream,
                    stream->deals ? "'%s' is not a number: print items as whole numbers (a title before them ends in "
                                    "':'), or name every item with `cards`"
                                  : "'%s' is not a number: print items as whole numbers (a title before them ends in "
                                    "':'), name every item with `cards`, or say which columns they are, as `field=2-7`",
                    shown ? shown : "a word");
    free(shown);
}

static void labels_blame_title(struct sb_stream *stream)
{
    const struct sb_labels *const labels = &stream->text.labels;
    char *const first = sb_sanitize_text(labels->title, LABELS_SHOWN);
    char *const now = sb_sanitize_text(labels->text, LABELS_SHOWN);

    if (!first || !now)
        sb_stream_wrong(stream, "begins in other words than the first permutation: begin all alike");
    else if (!labels->length || !labels->title[0])
        sb_stream_wrong(stream,
                        "'%s' comes before the numbers of only some lines: begin a header with #, or name "
                        "every item with `cards`",
                        labels->length ? now : first);
    else
        sb_stream_wrong(stream,
                        "begins with '%s', and the first permutation with '%s': begin all with the same "
                        "title, or name every item with `cards`",
                        now, first);
    free(first);
    free(now);
}

static bool labels_end_in(const char *title, const char *label)
{
    const size_t length = strlen(title), tail = strlen(label);

    return tail <= length && strcmp(title + length - tail, label) == 0 &&
           (tail == length || title[length - tail - 1] == ' ');
}

static void labels_check_title(struct sb_stream *stream)
{
    struct sb_labels *const labels = &stream->text.labels;

    if (labels->titled) {
        if (strcmp(labels->text, labels->title) != 0)
            labels_blame_title(stream);
        return;
    }
    memcpy(labels->title, labels->text, sizeof labels->title);
    labels->title_alone = labels->titles || labels->length == 0;
    labels->titled = true;
}

static void labels_check_label(struct sb_stream *stream)
{
    struct sb_labels *const labels = &stream->text.labels;

    if (labels->labelled) {
        if (strcmp(labels->text, labels->label) != 0)
            labels_blame(stream, labels->length ? labels->text : labels->label);
        return;
    }
    memcpy(labels->label, labels->text, sizeof labels->label);
    labels->labelled = true;
    if (labels->length == 0 ? labels->title_alone : labels_end_in(labels->title, labels->label))
        return;
    labels_blame(stream, labels->title_alone ? labels->label : labels->title);
}

void sb_labels_check(struct sb_stream *stream)
{
    struct sb_labels *const labels = &stream->text.labels;

    labels->text[labels->length] = '\0';
    if (labels->over)
        sb_stream_wrong(stream, "more than %d bytes of words before a number: print permutations alone",
                        SB_LABELS_MOST);
    else if (stream->got == 0)
        labels_check_title(stream);
    else
        labels_check_label(stream);
    labels->length = 0;
    labels->expected = !labels->labelled || labels->label[0];
}

void sb_labels_end(struct sb_stream *stream)
{
    struct sb_labels *const labels = &stream->text.labels;

    if (labels->open)
        labels_close(labels, '\n');
    if (labels->length && (stream->got || stream->text.free))
        labels_blame(stream, labels->text);
    else if (labels->titled && !labels->labelled && !labels->title_alone)
        labels_blame(stream, labels->title);
    labels->length = 0;
    labels->expected = !labels->titled || labels->title[0];
}

void sb_labels_drop(struct sb_stream *stream)
{
    struct sb_labels *const labels = &stream->text.labels;

    if (stream->deals == 0) /* the incomplete line was the first, and teaches nothing */
        labels->titled = labels->labelled = false;
    labels->open = labels->over = false;
    labels->length = 0;
    labels->expected = !labels->titled || labels->title[0];
}
