/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random streams, from fixed seeds. The reader must read the same permutations from every form of a stream.
 * It must read damaged text as a plain reader in this file reads it, wherever chunks end: byte by byte,
 * nothing takes the fast path.
 */
#include "unit/test.h"

#include "property/random_decks.h"
#include "unit/stream_script.h"

#include <stdio.h>

enum { TEXT_MOST = 4096, STYLES = 9, GAP_MOST = 32 };

/* One deal in the form of `shufflebias deal --output`; returns its bytes. */
static size_t write_deal(const sb_item a[], size_t n, const char *input, char text[])
{
    const size_t width = sb_input_width(input);
    size_t used = 0;

    for (size_t j = 0; j < n; j++) {
        if (width == 0)
            used += (size_t)sprintf(text + used, "%u%c", a[j], j + 1 < n ? ' ' : '\n');
        for (size_t byte = 0; byte < width; byte++)
            text[used++] = (char)(byte < 2 ? a[j] >> (8 * byte) : 0);
    }
    return used;
}

TEST(what_was_dealt_is_read)
{
    static const char *const inputs[] = { "text", "u8", "u16", "u32" };
    const size_t sizes[] = { 1, 2, 3, 5, 8, 10, 11, 52, 63, 64, 256, 257 };
    enum { DECKS = 40 };
    static char text[DECKS * 257 * 5];
    static sb_item items[DECKS * 257];

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t f = 0; f < 4; f++) {
            const char *const input = inputs[f];
            const size_t n = sizes[i], chunks[] = { 1, 1 + random_below(20), SIZE_MAX };
            const struct sb_subject form = { .input = input, .n = n, .timeout = 60 };
            size_t used = 0;

            if (sb_input_width(input) == 1 && n > 256)
                continue;
            for (size_t d = 0; d < DECKS; d++) {
                random_deck(n, items + d * n);
                used += write_deal(items + d * n, n, input, text + used);
            }
            for (size_t c = 0; c < 3; c++) {
                struct outcome outcome = outcome_read(text, used, &form, chunks[c], 1 + random_below(50));

                assert_int_equal(outcome.error.status, SB_OK);
                assert_int_equal(outcome.count, DECKS);
                assert_memory_equal(outcome.items, items, DECKS * n * sizeof items[0]);
                outcome_close(&outcome);
            }
        }
}

/* A line of n items with separators in the manner of `style`. */
static size_t write_line(size_t n, size_t base, size_t style, char text[])
{
    static const char *const styles[STYLES][4] = {
        /* before, after even positions, after odd ones, at the end */
        { "", " ", " ", "\n" },         { "[", ",", ",", "]\n" },
        { "", ", ", ", ", "\r\n" },     { "(", "\t", "\t", ") # deck 1\n" },
        { "0", " 0", " 0", "\n" },      { "", " ", " | ", "\n" },
        { "deck: ", " ", " ", "\n" },   { "c", " c", ",c", "\n" },
        { "ab =[", ", ", ", ", "]\n" },
    };
    size_t used = (size_t)sprintf(text, "%s", styles[style][0]);
    sb_item a[16];

    random_deck(n, a);
    for (size_t j = 0; j < n; j++)
        used += (size_t)sprintf(text + used, "%zu%s", a[j] + base, styles[style][j + 1 == n ? 3 : 1 + j % 2]);
    return used;
}

/* Lines that look alike, some of them spoilt in a byte or two. */
static size_t write_spoilt(size_t n, size_t base, char text[])
{
    static const char spoil[] = "0123456789 \n\t,#-+.\r[xc:\1\0\x80";
    const size_t style = random_below(STYLES), lines = random_below(30), slips = random_below(3);
    size_t used = 0;

    for (size_t line = 0; line < lines; line++)
        used += write_line(n, base, random_below(20) ? style : random_below(STYLES), text + used);
    for (size_t slip = 0; slip < slips && used > 0; slip++)
        text[random_below(used)] = spoil[random_below(sizeof spoil - 1)];
    if (used > 0 && random_below(4) == 0)
        used -= random_below(n);
    return used;
}

/* ---- the plain reader: line by line, all of it in memory ---- */

struct plain {
    size_t n, base, count, line; /* deals, and the line of the first slip, 0 without one */
    unsigned items[TEXT_MOST];
    char title[GAP_MOST], label[GAP_MOST]; /* the words before the first integer, and before the others */
};

/* What stands before each integer of a line, and after the last one: its words, and whether these may end a
 * title.
 */
struct gap {
    char words[GAP_MOST];
    bool marked;
};

static bool plain_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 128;
}

static struct gap plain_gap(const char *from, const char *to)
{
    struct gap gap = { .marked = true };
    size_t used = 0;

    for (const char *c = from; c < to && *c != '#'; c++)
        if (plain_letter(*c)) {
            if (used && !plain_letter(c[-1]))
                gap.words[used++] = ' ';
            gap.words[used++] = *c;
            gap.marked = c + 1 == to || (c > from && plain_letter(c[-1]));
        } else if (strchr(":=([{<", *c)) {
            gap.marked = true;
        } else if (strchr(",;", *c)) {
            gap.marked = used == 0;
        }
    return gap;
}

/* Whether no word of the line may be an item: the gaps before, between and after `count` integers. */
static bool plain_words(struct plain *plain, const struct gap gaps[], size_t count)
{
    const size_t title = strlen(gaps[0].words), label = strlen(gaps[1].words);

    if (gaps[count].words[0])
        return false;
    if (plain->count == 0) {
        strcpy(plain->title, gaps[0].words);
        strcpy(plain->label, count > 1 ? gaps[1].words : "");
        if (plain->label[0] && (label > title || strcmp(plain->title + title - label, plain->label) != 0 ||
                                (label < title && plain->title[title - label - 1] != ' ')))
            return false;
        if (!plain->label[0] && !gaps[0].marked)
            return false;
    }
    for (size_t j = 0; j < count; j++)
        if (strcmp(gaps[j].words, j ? plain->label : plain->title) != 0)
            return false;
    return true;
}

static bool plain_control(char c)
{
    return ((unsigned char)c < ' ' && c != '\t') || c == 127;
}

/* The integers of a line without its end, and what is between them; false for what must not be in it. */
static bool plain_integers(const char *line, size_t length, unsigned numbers[], struct gap gaps[], size_t *count,
                           bool *blank)
{
    const char *from = line;
    bool comment = false;

    *count = 0;
    *blank = true;
    for (size_t i = 0; i < length; i++) {
        const bool digit = line[i] >= '0' && line[i] <= '9';
        const bool after = i > 0 && line[i - 1] >= '0' && line[i - 1] <= '9';

        if (plain_control(line[i]))
            return false;
        comment = comment || line[i] == '#';
        if (comment)
            continue;
        *blank = *blank && (line[i] == ' ' || line[i] == '\t');
        if (digit && !after) {
            gaps[*count] = plain_gap(from, line + i);
            numbers[(*count)++] = 0;
        }
        if (digit)
            from = line + i + 1;
        if (after && plain_letter(line[i]) && (unsigned char)line[i] < 128)
            return false;
        if (digit && numbers[*count - 1] < 100000)
            numbers[*count - 1] = 10 * numbers[*count - 1] + (unsigned)(line[i] - '0');
        if (line[i] && strchr("+-.", line[i]) &&
            (after || (i + 1 < length && line[i + 1] >= '0' && line[i + 1] <= '9')))
            return false;
    }
    gaps[*count] = plain_gap(from, line + length);
    return true;
}

static bool plain_deal(struct plain *plain, const unsigned numbers[], size_t count)
{
    bool seen[64] = { false };

    if (count == 0 || (plain->n && count != plain->n))
        return false;
    if (plain->n == 0) {
        plain->n = count;
        plain->base = 1;
        for (size_t j = 0; j < count; j++)
            if (numbers[j] == 0)
                plain->base = 0;
    }
    for (size_t j = 0; j < count; j++) {
        const size_t item = numbers[j] - plain->base;

        if (numbers[j] < plain->base || item >= count || count > 64 || seen[item])
            return false;
        seen[item] = true;
        plain->items[plain->count * count + j] = (unsigned)item;
    }
    plain->count++;
    return true;
}

static void plain_read(const char text[], size_t length, struct plain *plain)
{
    static unsigned numbers[TEXT_MOST];
    static struct gap gaps[TEXT_MOST + 1];
    size_t line = 1;

    plain->n = plain->count = plain->line = 0;
    for (size_t from = 0; from < length; line++) {
        const char *const end = memchr(text + from, '\n', length - from);
        const size_t to = end ? (size_t)(end - text) : length;
        const size_t cr = end && to > from && text[to - 1] == '\r';
        size_t count;
        bool blank;

        if (!plain_integers(text + from, to - from - cr, numbers, gaps, &count, &blank) ||
            (!(blank && count == 0) &&
             (count == 0 || !plain_words(plain, gaps, count) || !plain_deal(plain, numbers, count)))) {
            plain->line = line;
            return;
        }
        from = to + 1;
    }
}

TEST(spoilt_text_is_read_as_a_plain_reader_does)
{
    static char text[TEXT_MOST];
    static struct plain plain;
    const struct sb_subject form = { .timeout = 60 };

    for (int times = 0; times < 20000; times++) {
        const size_t n = 1 + random_below(15), base = random_below(2), used = write_spoilt(n, base, text);
        struct outcome quick = outcome_read(text, used, &form, SIZE_MAX, 1000);
        struct outcome slow = outcome_read(text, used, &form, 1, 1 + random_below(3));
        char where[32];

        plain_read(text, used, &plain);
        snprintf(where, sizeof where, "script, line %zu: ", plain.line);
        if (!outcome_same(&quick, &slow))
            fail_msg("'%.*s': %zu '%s', byte by byte %zu '%s'", (int)used, text, quick.count, quick.error.text,
                     slow.count, slow.error.text);
        if (quick.count != plain.count || (quick.error.status != SB_OK) != (plain.line > 0) ||
            (plain.line && strncmp(quick.error.text, where, strlen(where)) != 0))
            fail_msg("'%.*s': %zu '%s' instead of %zu in line %zu", (int)used, text, quick.count, quick.error.text,
                     plain.count, plain.line);
        for (size_t i = 0; i < plain.count * plain.n; i++)
            assert_int_equal(quick.items[i], plain.items[i]);
        outcome_close(&quick);
        outcome_close(&slow);
    }
}
