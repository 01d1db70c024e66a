/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses text byte by byte. A few variables hold the state of a line, so a chunk of bytes may end anywhere. Most lines
 * are plain numbers, which text_numbers() reads faster. */

#include "core/text.h"
#include "subject/parts.h"

enum { TEXT_SHOWN = 20 }; /* the most bytes of an unknown name in a message */

void sb_text_drop(struct sb_stream *stream)
{
    struct sb_text *const text = &stream->text;

    text->line_bytes = text->word_length = 0;
    text->number = 0;
    text->last = TEXT_LF;
    text->comment = text->closed = text->bracket = text->waits = false;
    text->quote = '\0';
    text->blank = true;
    if (!stream->named)
        sb_labels_drop(stream);
}

static void text_word_ends(struct sb_stream *stream, uint8_t byte);

static void text_letter(struct sb_stream *stream, uint8_t byte)
{
    struct sb_text *const text = &stream->text;

    if (stream->letters && text->word_length)
        text_word_ends(stream, byte);
    if (!stream->named) {
        text->number = 10 * text->number + (byte - (uint32_t)'0');
        if (text->number > SB_ITEMS_MOST)
            text->number = STREAM_HUGE;
    } else if (text->word_length++ < SB_WORD_MOST) {
        text->word[text->word_length - 1] = (char)byte;
    }
}

static void text_blame_name(struct sb_stream *stream, const char *word)
{
    const struct sb_item_names *const names = stream->feed.names;
    char between[] = ", which '?' separates";
    char *const shown = sb_sanitize_text(word, TEXT_SHOWN);

    *strchr(between, '?') = (char)(names->separator == '\t' ? ' ' : names->separator);
    sb_stream_wrong(stream, "'%s' is none of the %zu names%s: correct `cards`%s", shown ? shown : "it", names->n,
                    names->separator ? between : "", stream->deals ? "" : ", or begin a header with #");
    free(shown);
}

static void text_deal(struct sb_stream *stream)
{
    if (!stream->named && (stream->got || stream->text.free))
        sb_labels_end(stream);
    if (stream->error.status == SB_OK)
        sb_stream_deal(stream);
}

/* Takes the names that an arrow or a comma beyond ASCII joins; such a symbol and "vs" may also stand alone. Returns
 * what is no name, or NULL. */
static const char *text_names(struct sb_stream *stream, char *word)
{
    const uint32_t item =
        strlen(word) <= SB_ITEM_NAME_MOST ? sb_item_names_find(stream->feed.names, word) : SB_ITEMS_MOST;

    if (item < SB_ITEMS_MOST) {
        sb_stream_push(stream, item);
        return NULL;
    }
    if (stream->got > 0 && (strcmp(word, "vs") == 0 || strcmp(word, "vs.") == 0))
        return NULL;
    char *const rest = sb_labels_cut(word);

    if (!rest)
        return word;
    const char *const unknown = *word ? text_names(stream, word) : NULL;

    return unknown || !*rest ? unknown : text_names(stream, rest);
}

/* Takes a word that `byte` ended. A colon ends a label, which is no name, as in "Blue: Ann Bob", or begins with a word
 * that is none, as in "Team A: Ann Bob". Such a word waits in text->word for the next one. */
static void text_name(struct sb_stream *stream, uint8_t byte)
{
    struct sb_text *const text = &stream->text;
    const bool waits = text->waits, may_wait = !stream->feed.names->separator && !stream->letters;

    text->waits = false;
    if (waits && byte == ':')
        return;
    if (waits)
        text->word[strcspn(text->word, " ")] = '\0';
    const char *const unknown = waits ? text->word : text_names(stream, text->word);

    if (!unknown || (byte == ':' && unknown == text->word && may_wait))
        return;
    text->waits = may_wait && !waits && byte == ' ' && strlen(unknown) == text->word_length;
    if (text->waits)
        text->word[text->word_length++] = ' ';
    else
        text_blame_name(stream, unknown);
}

static void text_word_ends(struct sb_stream *stream, uint8_t byte)
{
    struct sb_text *const text = &stream->text;

    if (text->labels.expected) {
        sb_labels_check(stream);
        if (stream->error.status)
            return;
    }
    text->word[text->word_length < SB_WORD_MOST ? text->word_length : SB_WORD_MOST] = '\0';
    if (stream->notation)
        sb_text_playing_cards(stream);
    else if (stream->named)
        text_name(stream, byte);
    else
        sb_stream_push(stream, text->number);
    text->number = 0;
    if (!text->waits)
        text->word_length = 0;
    if (text->free && stream->got == stream->feed.deal && stream->error.status == SB_OK)
        text_deal(stream);
}

/* No label may end with its line. */
static void text_waits_no_more(struct sb_stream *stream)
{
    if (stream->text.waits)
        text_word_ends(stream, '\n');
}

static void text_line_ends(struct sb_stream *stream)
{
    struct sb_text *const text = &stream->text;

    text_waits_no_more(stream);
    if (!text->free && (stream->got || !text->blank) && stream->error.status == SB_OK)
        text_deal(stream);
    if (stream->error.status)
        return;
    text->line++;
    text->comment = text->closed = text->bracket = false;
    text->blank = true;
}

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

static void text_takes(struct sb_stream *stream, uint8_t byte, enum sb_text_class class, enum sb_text_class last)
{
    struct sb_text *const text = &stream->text;

    if (class == TEXT_WORD && last != TEXT_SIGN)
        text_letter(stream, byte);
    else if ((class == TEXT_WORD && last == TEXT_SIGN) || (class == TEXT_SIGN && last == TEXT_WORD))
        sb_stream_wrong(stream, "a sign or a point beside a digit: print whole numbers from 0 or 1 on; lines of a "
                                "log take `match` or `field`");
    else if (class == TEXT_LETTER && last == TEXT_WORD && byte < 128)
        sb_stream_wrong(stream,
                        "the letter '%c' right after a digit: print items as decimal numbers, or name "
                        "every item with `cards`",
                        byte);
    else if (last == TEXT_WORD)
        text_word_ends(stream, byte);
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
            text_word_ends(stream, byte);
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

/* Whether titles may stand in brackets: none begins with one. */
static bool text_brackets(const struct sb_item_names *names)
{
    for (size_t i = 0; i < names->n; i++)
        if (names->given[i][0] == '[')
            return false;
    return true;
}

/* Returns the length of a word without the blanks at its end. */
static size_t text_trim(const char *word, size_t length)
{
    while (length && word[length - 1] == ' ')
        length--;
    return length;
}

/* The title before a separator: blanks around it do not count, and no bracket that ends the line. */
static void text_title_ends(struct sb_stream *stream, bool line)
{
    struct sb_text *const text = &stream->text;
    size_t length = text->word_length < SB_WORD_MOST ? text->word_length : SB_WORD_MOST;

    length = text_trim(text->word, length);
    if (line && text->bracket && length && text->word[length - 1] == ']')
        length = text_trim(text->word, length - 1);
    if (text->word_length <= SB_WORD_MOST)
        text->word_length = length;
    if (text->word_length)
        text_word_ends(stream, '\n');
    text->closed = false;
}

/* Reads a line of titles, which may have blanks: a separator ends each, and quotation marks protect a separator (RFC
 * 4180). */
static void text_title(struct sb_stream *stream, uint8_t byte)
{
    struct sb_text *const text = &stream->text;
    const bool start = text->word_length == 0 && !text->quote && !text->closed;
    const enum sb_text_class last = text->last;

    text->last = byte == '\n' ? TEXT_LF : byte == '\r' ? TEXT_CR : TEXT_WORD;
    if (text->comment && byte != '\n')
        return;
    if ((byte < ' ' && !strchr("\t\r\n", byte)) || byte == 127 || (last == TEXT_CR && byte != '\n')) {
        text->last = last;
        text_blame_byte(stream, byte);
    } else if (byte == '\n' || byte == '\r') {
        if (text->quote)
            sb_stream_wrong(stream, "a quotation mark is not closed: write two of them inside a title");
        else if (byte == '\n')
            text_title_ends(stream, true);
        if (byte == '\n' && stream->error.status == SB_OK)
            text_line_ends(stream);
    } else if (byte == (uint8_t)text->quote) {
        text->quote = '\0';
        text->closed = true;
    } else if (byte == (uint8_t)stream->feed.names->separator && !text->quote) {
        text_title_ends(stream, false);
    } else if ((byte == ' ' || byte == '\t') && start) {
        return;
    } else if (byte == '#' && text->blank) {
        text->comment = true;
    } else if (byte == '[' && text->blank && text_brackets(stream->feed.names)) {
        text->blank = false;
        text->bracket = true;
    } else {
        text->blank = false;
        if ((start && (byte == '"' || (byte == '\'' && text->bracket))) || (text->closed && byte == '"'))
            text->quote = (char)byte;
        if (!text->quote || !start)
            text_letter(stream, byte);
        text->closed = false;
    }
}

/* Reads a line of numbers between blanks and punctuation into items[deal], about six times as fast as text_byte().
 * Returns a pointer to the byte after the line. Returns NULL if the line is incomplete, is no valid deal or has
 * anything else: then text_byte() reads it. The byte of 0 after the bytes ends the loop. */
static const uint8_t *text_numbers(const struct sb_stream *stream, const uint8_t *at, sb_item items[])
{
    const uint8_t *const class = stream->text.class;
    const size_t n = stream->feed.n, deal = stream->feed.deal;
    const uint32_t base = (uint32_t)stream->base;
    uint64_t seen = 0;
    size_t count = 0;

    for (;; count++) {
        while (class[*at] == TEXT_BLANK || class[*at] == TEXT_OTHER)
            at++;
        if (class[*at] != TEXT_WORD || count == deal)
            break;
        uint32_t number = *at++ - (uint32_t)'0';

        while (class[*at] == TEXT_WORD && number <= SB_ITEMS_MOST)
            number = 10 * number + (*at++ - (uint32_t)'0');
        if (number - base >= n)
            return NULL;
        items[count] = number - base;
        seen |= UINT64_C(1) << (items[count] & 63);
    }
    at += *at == '\r';
    if (*at != '\n' || count != deal)
        return NULL;
    return (n <= 64 ? (size_t)__builtin_popcountll(seen) == deal : sb_permutation_valid(n, deal, items)) ? at + 1
                                                                                                         : NULL;
}

/* Reads the lines of numbers at the start of a line; stops before any other line. */
static void text_numbers_read(struct sb_stream *stream)
{
    struct sb_text *const text = &stream->text;

    if (stream->named || text->free || stream->feed.deal == 0 || text->labels.expected || text->labels.length)
        return;
    for (; stream->at < stream->end && stream->count < stream->most; text->line++) {
        const uint8_t *const next = text_numbers(stream, stream->at, stream->items + stream->count * stream->feed.deal);
        if (!next)
            break;
        stream->at = next;
        stream->line[stream->count] = text->line;
        stream->count++;
        stream->deals++;
    }
}

/* Adds the bytes from `begin` up to stream->at to the line. */
static void text_see(struct sb_stream *stream, const uint8_t *begin)
{
    struct sb_text *const text = &stream->text;
    const size_t length = (size_t)(stream->at - begin);
    const size_t room = text->line_bytes < SB_LINE_SEEN ? SB_LINE_SEEN - text->line_bytes : 0;
    const size_t kept = length < room ? length : room;

    memcpy(text->seen + SB_LINE_SEEN - room, begin, kept);
    text->seen[SB_LINE_SEEN - room + kept] = '\0';
    text->line_bytes += length;
}

bool sb_text_rest(struct sb_stream *stream)
{
    struct sb_text *const text = &stream->text;
    const uint8_t *const begin = stream->at;
    const uint8_t *const lf = memchr(begin, '\n', (size_t)(stream->end - begin));

    if (text->last == TEXT_LF || text->line_bytes > SB_LINE_SEEN)
        return true;
    stream->at = lf ? lf + 1 : stream->end;
    text_see(stream, begin);
    return lf;
}

/* Reads up to the end of the line, of the chunk or of the requested deals, but no more bytes than a line may have. The
 * results do not depend on where chunks end. */
static void text_line(struct sb_stream *stream)
{
    struct sb_text *const text = &stream->text;
    const size_t there = (size_t)(stream->end - stream->at), room = SB_LINE_MOST - text->line_bytes;
    const uint8_t *const begin = stream->at, *const end = begin + (text->free || there < room ? there : room);

    const bool titles = stream->named && stream->feed.names->separator;

    do {
        if (titles)
            text_title(stream, *stream->at++);
        else
            text_byte(stream, *stream->at++);
    } while (text->last != TEXT_LF && stream->at < end && stream->count < stream->most &&
             stream->error.status == SB_OK);
    if (text->free)
        return;
    if (stream->error.status || text->last != TEXT_LF) {
        text_see(stream, begin);
        if (stream->error.status == SB_OK && text->line_bytes == SB_LINE_MOST)
            sb_stream_wrong(stream, "longer than %d bytes: end permutations with newlines, or say `free` `n=N`",
                            SB_LINE_MOST);
        return;
    }
    text->line_bytes = 0;
}

static void text_read(struct sb_stream *stream)
{
    struct sb_text *const text = &stream->text;

    while (stream->at < stream->end && stream->count < stream->most && stream->error.status == SB_OK) {
        if (text->line_bytes == 0 && text->last == TEXT_LF) {
            if ((stream->begins || stream->undecided || stream->learns || stream->heads || stream->counts) &&
                !sb_text_look(stream))
                break;
            text_numbers_read(stream);
            if (stream->header && !sb_text_skip_header(stream))
                break;
        }
        if (stream->at < stream->end && stream->count < stream->most && stream->error.status == SB_OK)
            text_line(stream);
    }
}

static void text_finish(struct sb_stream *stream)
{
    struct sb_text *const text = &stream->text;

    if (text->last == TEXT_CR)
        text_blame_byte(stream, '\r');
    else if (stream->named && stream->feed.names->separator && !text->comment)
        text_title_ends(stream, true);
    else if (text->last == TEXT_WORD && !text->comment)
        text_word_ends(stream, '\n');
    text_waits_no_more(stream);
    text->last = TEXT_LF;
    if (text->free && !stream->named && stream->error.status == SB_OK)
        sb_labels_end(stream);
    if (stream->error.status)
        return;
    if (!text->free && (stream->got || !text->blank))
        text_deal(stream);
    else if (stream->got)
        sb_stream_wrong(stream, "it ends after %zu of %zu items: was it cut off, or is `n` wrong?", stream->got,
                        stream->feed.deal);
    if (stream->error.status)
        return;
    text->blank = true;
    text->line_bytes = 0;
}

static size_t text_reads(struct sb_stream *stream, char text[], size_t length)
{
    struct sb_stream saved = *stream;
    size_t deal = 0;

    text[length] = '\n';
    sb_text_drop(stream);
    stream->begins = stream->undecided = stream->learns = stream->heads = stream->counts = false;
    stream->error.status = SB_OK;
    stream->got = 0;
    stream->most = 1;
    stream->at = (const uint8_t *)text;
    stream->end = stream->at + length + 1;
    text_read(stream);
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

static void text_where(const struct sb_stream *stream, char text[], size_t room)
{
    const unsigned long long line = stream->text.line, begun = stream->begun;
    const char *const unit = stream->bytes->unit ? stream->bytes->unit : "line";

    if (begun)
        snprintf(text, room, "line %llu after byte %llu", line, begun);
    else
        snprintf(text, room, "%s %llu", unit, line);
}

const struct sb_reader sb_reader_text = {
    .read = text_read,
    .finish = text_finish,
    .reads = text_reads,
    .where = text_where,
};
