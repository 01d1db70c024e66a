/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks at the first lines of a text before they are read. Foreign formats are errors, and a byte order mark is
 * skipped.
 *
 * Playing cards: the first line with more than a comment shows whether the items are playing cards. From then on, each
 * word is a playing card.
 *
 * Letters: a line that is one word of different letters or digits, such as TOLZIJS, has them as its items.
 *
 * Names: if the first line is no deck of numbers from 0 or 1, and the second line has the same words or numbers, they
 * are the items, sorted by their bytes, or by value if all are numbers. A line of many words, or of many numbers, needs
 * no second one. The first and the last word of a line may be a title instead, such as the date in
 * "2024-01-01 Angie Changes Dakota", so neither may be the same in more lines than chance explains.
 *
 * Headers of tables are skipped, and deals of numbers count from 0 or from 1, as the first line with an end shows.
 *
 * The result does not depend on where reads end.
 */
#include "core/text.h"
#include "subject/parts.h"

enum {
    LEARNED_LOOK = 1 << 20, /* the most bytes to look at */
    LEARNED_ALONE = 16,     /* a line of this many different items is no sentence */
    LEARNED_SHOWN = 120,    /* the most bytes of the names in the message */
    BASE_LINES = 32,        /* the most lines that show from which number items count: a slow subject must not wait */
};

#define LEARNED_CHANCE 1e-6

static const char learned_digits[] = "0123456789";

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

/* ---- names ---- */

/* Whether a word may be an item: it is no number with a sign or a point, and no title or count such as "deck:", "[1]".
 * */
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

/* Whether the lines after the first one have its words, and no word at either end that seems to stay there. Sets *more
 * if more bytes decide. */
static bool learned_agree(const struct sb_stream *stream, const struct sb_item_names *first, const char *at, bool *more)
{
    const size_t last = first->n - 1;
    bool begins = false, ends = false, alone = true;
    double chance = 1; /* that a fair shuffle leaves the item at an end there in each line */

    while ((!begins || !ends) && chance > LEARNED_CHANCE) {
        struct sb_item_names *const next = sb_line_names(stream, &at, more);
        const bool same = learned_same(first, next);
        /* a line that has no items, because of a control byte, is no end */
        const bool over = !next && !*more && stream->ended && at == (const char *)stream->end;

        if (same && next) { /* `next`: for static analysers */
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
    snprintf(text, sizeof text, "%.120s: the first lines name %zu items, in sorted order: %s", stream->bytes->name,
             feed->n, names);
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

/* Looks what separates names in the first line. If it has too few of the separator of the list, it has its own. */
static void learned_separate(struct sb_stream *stream, const char *line, size_t length)
{
    char *const separator = &stream->feed.names->separator;
    char *const text = strndup(line, length);
    const char between = text ? sb_item_names_between(text) : ' ';
    size_t count = 1;

    for (const char *c = text; c && *c; c++)
        count += *c == *separator;
    if (between != ' ' && count < stream->feed.deal)
        *separator = between;
    else if (*separator == '\n')
        *separator = ',';
    free(text);
    stream->learns = false;
}

/* Looks whether the first line has the names, which are letters, without anything between them. */
static void learned_spell(struct sb_stream *stream, const char *line, size_t length)
{
    const struct sb_item_names *const names = stream->feed.names;
    size_t found = 0;

    while (length && strchr(" \t\r", line[length - 1]))
        length--;
    for (size_t i = 0; i < length; i++)
        found += sb_item_names_find(names, (const char[]) { line[i], '\0' }) < SB_ITEMS_MOST;
    stream->letters = length == found && found == stream->feed.deal;
    stream->learns = false;
}

/* Returns a copy of a line with room for its end, as the reader needs it; NULL: not enough memory. Bytes of 0 stay. */
static char *look_copy(const char *line, size_t length)
{
    char *const copy = calloc(length + 2, 1);

    return copy ? memcpy(copy, line, length) : NULL;
}

/* A line as a table: how many separators of CSV it has, whether a cell begins with a number, such as a date, and
 * whether a word has digits and letters. */
struct header_line {
    size_t separators;
    bool number, mixed;
};

static struct header_line header_line(const char *line, size_t length)
{
    struct header_line found = { 0 };
    bool letter = false, digits = false, letters = false; /* in the cell; in the word */

    for (size_t at = 0; at <= length; at++) {
        const char byte = at < length ? line[at] : ',';

        digits = digits || (byte >= '0' && byte <= '9');
        letters = letters || (sb_text_in_word(byte) && !(byte >= '0' && byte <= '9'));
        letter = letter || letters;
        found.number = found.number || (digits && !letter);
        found.mixed = found.mixed || (digits && letters);
        if (strchr(" \t\",;|", byte))
            digits = letters = false;
        if (!strchr(",;|\t", byte))
            continue;
        found.separators += at < length;
        letter = false;
    }
    return found;
}

/* Leaves the first line out: it is a header. */
static void look_skip(struct sb_stream *stream, size_t length)
{
    char text[200];

    snprintf(text, sizeof text, "%.120s: the first line is a header: it was left out", stream->bytes->name);
    if (stream->form.overheard)
        stream->form.overheard(stream->form.overheard_state, text);
    free(stream->header);
    stream->header = look_copy((const char *)stream->at, length);
    stream->header_length = length;
    stream->at += length + 1;
    stream->text.line++;
}

/* Looks whether the lines below the first one show the names, and the first one is a header with other words. Sets
 * *more if more bytes decide. */
static void learned_look_below(struct sb_stream *stream, const struct sb_item_names *first, const char *at, bool *more)
{
    const char *const line = (const char *)stream->at;
    const size_t length = strcspn(line, "\n");
    struct sb_item_names *const second = sb_line_names(stream, &at, more);
    bool header = second && !*more && learned_are_items(second) && second->n == first->n &&
                  header_line(line, length).separators + 1 == first->n;

    for (size_t i = 0; header && i < first->n; i++)
        header = sb_item_names_find(second, first->given[i]) == SB_ITEMS_MOST;
    if (header && learned_agree(stream, second, at, more)) {
        look_skip(stream, length);
        learned_take(stream, second);
    }
    sb_item_names_free(second);
}

/* Looks whether the next lines show the names, or what separates them. Returns false if this needs more bytes. */
static bool learned_look(struct sb_stream *stream)
{
    const char *at = (const char *)stream->at;
    const size_t there = (size_t)(stream->end - stream->at), length = strcspn(at, "\n");
    const bool all = stream->ended || there >= LEARNED_LOOK;
    bool more = false;

    if (at[strspn(at, " \t\r")] == '#' || at[strspn(at, " \t\r")] == '\n')
        return true;
    if (at[length] != '\n' && !all)
        return false;
    if (stream->named && stream->feed.names->separator)
        learned_separate(stream, at, length);
    else if (stream->named)
        learned_spell(stream, at, length);
    if (!stream->learns)
        return true;
    char *const line = look_copy(at, length);
    const size_t blanks = line ? strspn(line, " \t") : 0, word = line ? strcspn(line + blanks, " \t\r") : 0;
    const bool letters = line && strspn(line + blanks + word, " \t\r") == strlen(line + blanks + word) &&
                         sb_line_letters(line + blanks, word);

    stream->learns = line && (letters || stream->reader->reads(stream, line, length) == 0);
    free(line);
    if (!stream->learns)
        return true;
    struct sb_item_names *const first = sb_line_names(stream, &at, &more);
    const bool items = first && learned_are_items(first) && (!stream->form.n || stream->form.n == first->n);

    if (items && learned_agree(stream, first, at, &more)) {
        learned_take(stream, first);
        stream->letters = letters;
    } else if (items && !more) {
        learned_look_below(stream, first, at, &more);
    }
    stream->learns = items && !stream->named && more && !all;
    sb_item_names_free(first);
    return !stream->learns;
}

/* ---- headers ---- */

/* Whether a line is a deal of numbers, from 0 or from 1, or of cards. */
static bool header_deal(struct sb_stream *stream, char line[])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const int base = stream->base;
    bool reads = stream->undecided && sb_playing_cards_begin(line + strspn(line, " \t"));

    for (int from = 0; from < 2 && !reads && line[strcspn(line, letters)] == '\0'; from++) {
        stream->base = stream->counts ? from : base;
        reads = stream->reader->reads(stream, line, strlen(line)) > 0;
    }
    stream->base = base;
    return reads;
}

/* Whether the first of two lines is a header: no cell begins with a number, it is no deal and has no name, and the next
 * line is a deal, or has numbers in a table of as many cells. Words such as "c4" could be items, unless fields are cut
 * out of lines. */
static bool header_is(struct sb_stream *stream, char line[], char next[])
{
    const size_t length = strlen(line);
    const struct header_line first = header_line(line, length), second = header_line(next, strlen(next));

    if (strchr("#{[", line[strspn(line, " \t")]) ||
        (stream->undecided && sb_playing_cards_begin(line + strspn(line, " \t"))))
        return false;
    for (size_t i = 0; stream->named && i < stream->feed.names->n; i++)
        if (strstr(line, stream->feed.names->given[i]))
            return false;
    if (stream->named)
        return first.separators > 0 && stream->reader->reads(stream, next, strlen(next)) > 0;
    if (stream->form.field && header_deal(stream, next))
        return true; /* even if it reads "Ball 1 Ball 2" */
    return first.separators > 0 && !first.number && !first.mixed && !strpbrk(line, "=:[](){}<>") &&
           stream->reader->reads(stream, line, length) == 0 &&
           ((first.separators == second.separators && second.number) || header_deal(stream, next));
}

/* Leaves the first line out if it is a header. Returns false if this needs more bytes. */
static bool header_look(struct sb_stream *stream)
{
    const char *const begin = (const char *)stream->at, *const end = (const char *)stream->end;
    const char *const lf = memchr(begin, '\n', (size_t)(end - begin));
    const char *const stop = lf ? memchr(lf + 1, '\n', (size_t)(end - lf - 1)) : NULL;
    const bool all = stream->ended || end - begin >= LEARNED_LOOK;
    const size_t length = (size_t)((lf ? lf : end) - begin);
    bool letters = false;

    if (!lf && !all)
        return false;
    for (size_t i = 0; i < length; i++)
        letters = letters || (sb_text_in_word(begin[i]) && !(begin[i] >= '0' && begin[i] <= '9'));
    if (!letters || memchr(begin, '\0', length) || (!stop && all) ||
        (!stream->form.field && header_line(begin, length).separators == 0))
        return true;
    if (!stop)
        return false;
    char *const line = look_copy(begin, length), *const next = look_copy(lf + 1, (size_t)(stop - lf - 1));

    if (line && next && header_is(stream, line, next))
        look_skip(stream, length);
    free(line);
    free(next);
    return true;
}

bool sb_text_skip_header(struct sb_stream *stream)
{
    const size_t length = stream->header_length;

    for (;;) {
        const size_t there = (size_t)(stream->end - stream->at);

        if (memcmp(stream->at, stream->header, there < length ? there : length) != 0)
            return true;
        if (there <= length)
            return stream->ended || there == 0;
        if (stream->at[length] != '\n')
            return true;
        stream->at += length + 1;
        stream->text.line++;
    }
}

/* ---- the number of the first item ---- */

/* In deals of numbers whose first item's number is not given, the first line that has item 0, or item n, shows whether
 * it is 0 or 1. The most lines to look at are BASE_LINES, but LEARNED_LOOK bytes of a recording. If none shows it, it is
 * 1 in a long recording, since people count from 1, and else 0. Returns false if this needs more bytes. */
static bool base_look(struct sb_stream *stream)
{
    const char *at = (const char *)stream->at, *const end = (const char *)stream->end;
    bool from[2] = { true, true };
    const size_t most = stream->form.recorded ? SIZE_MAX : BASE_LINES;
    size_t lines = 0;

    for (const char *lf; lines < most && from[0] == from[1] && (lf = memchr(at, '\n', (size_t)(end - at)));
         at = lf + 1, lines++) {
        char *const line = look_copy(at, (size_t)(lf - at));

        for (int base = 0; base < 2 && line && line[strspn(line, " \t\r")] != '#'; base++) {
            stream->base = base;
            from[base] = stream->reader->reads(stream, line, (size_t)(lf - at)) > 0;
        }
        free(line);
    }
    stream->base = from[0] == from[1] ? lines > BASE_LINES : from[1];
    return from[0] != from[1] || lines == most || stream->ended || end - (const char *)stream->at >= LEARNED_LOOK;
}

/* ---- playing cards ---- */

/* From now on, items are playing cards. */
static void look_take_cards(struct sb_stream *stream)
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
        look_take_cards(stream);
    return enough;
}

bool sb_text_look(struct sb_stream *stream)
{
    const char *const at = (const char *)stream->at;
    const size_t there = (size_t)(stream->end - stream->at);

    if (stream->begins) {
        const char *const foreign = sb_foreign(at, there);

        if (there < SB_FOREIGN_BYTES && !stream->ended)
            return false;
        stream->begins = false;
        stream->at += sb_text_mark(at, there);
        if (foreign)
            sb_stream_wrong(stream, "%s", foreign);
    }
    if (stream->heads && !stream->error.status && stream->at < stream->end) {
        if (!header_look(stream))
            return false;
        stream->heads = false;
    }
    if (stream->undecided && !stream->error.status && stream->at < stream->end && !look_decide(stream))
        return false;
    if (stream->counts && !stream->named && !stream->error.status && stream->at < stream->end && !base_look(stream))
        return false;
    stream->counts = false;
    stream->learns = stream->learns && !stream->notation;
    return stream->error.status || !stream->learns || stream->at == stream->end || learned_look(stream);
}
