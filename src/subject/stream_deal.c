/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a record says beside its numbers, and the numbers as a deal; or an error in either. */
#include "core/text.h"
#include "subject/parts.h"

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

/* Whether a code point joins names: an arrow, or a comma of Chinese and Japanese texts. Other marks, such as
 * apostrophes and dashes, may be in a name. */
static bool labels_joins(uint32_t point)
{
    return (point >= 0x2190 && point <= 0x21FF) || (point >= 0x27F0 && point <= 0x27FF) || point == 0x3001 ||
           point == 0xFF0C;
}

char *sb_labels_cut(char *word)
{
    const char *at = word, *rest = word;

    for (uint32_t point; (point = sb_utf8_next(&rest)); at = rest)
        if (labels_joins(point)) {
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

enum {
    DEAL_SHOWN = 80,   /* the most bytes of a number or a name in a message */
    DEAL_MANY = 65536, /* from this many numbers in a line on, deal_overflows() looks at them */
    DEAL_WORDS = 40,   /* the most bytes of a line of words in a message */
};

void sb_stream_wrong(struct sb_stream *stream, const char *format, ...)
{
    char where[80], what[300];
    va_list arguments;

    va_start(arguments, format);
    sb_decimal_format_list(what, sizeof what, format, arguments);
    va_end(arguments);
    stream->reader->where(stream, where, sizeof where);
    sb_bytes_wrong(stream->bytes, where, what, stream->feed.position, &stream->error);
}

static const char *deal_show(const struct sb_stream *stream, uint32_t raw, char text[])
{
    if (stream->named)
        snprintf(text, DEAL_SHOWN, "'%s'", stream->feed.names->name[raw]);
    else if (stream->reader == &sb_reader_text && raw == STREAM_HUGE)
        snprintf(text, DEAL_SHOWN, "a number above %d", SB_ITEMS_MOST);
    else
        snprintf(text, DEAL_SHOWN, "%lu", (unsigned long)raw);
    return text;
}

static int deal_compare(const void *x, const void *y)
{
    const uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

    return (a > b) - (a < b);
}

/* Reports that the first permutation has other numbers than 0 1 2 ... or 1 2 3 ..., and shows how to name them. */
static void deal_blame_first(struct sb_stream *stream, uint32_t base, const char *shown)
{
    const size_t n = stream->got;
    char list[DEAL_SHOWN] = "";
    size_t used = 0;

    qsort(stream->raw, n, sizeof stream->raw[0], deal_compare);
    for (size_t j = 0; j < n && used < sizeof list; j++)
        used += (j && stream->raw[j] == stream->raw[j - 1]) || stream->raw[j] == STREAM_HUGE
                    ? sizeof list
                    : (size_t)snprintf(list + used, sizeof list - used, "%s%lu", j ? " " : "",
                                       (unsigned long)stream->raw[j]);
    sb_stream_wrong(stream,
                    "%s is not in %lu..%zu: name all items, as in `cards` \"%s\"; hands take `deal=%zu` `n=N`; report "
                    "reads a matrix with `matrix`",
                    shown, (unsigned long)base, n - 1 + base, used < sizeof list ? list : "A B C", n);
}

static void deal_blame_range(struct sb_stream *stream, size_t n, uint32_t base, uint32_t raw)
{
    const size_t last = n - 1 + base;
    const char *remedy = ", as the first one was counted: print the same items each time";
    char shown[DEAL_SHOWN];

    if (n == 1 && stream->deals == 0) {
        sb_stream_wrong(stream, "a single item: print all items of a permutation in one line, or say `free` `n=N`");
        return;
    }
    deal_show(stream, raw, shown);
    if (stream->got == n && stream->deals == 0) {
        deal_blame_first(stream, base, shown);
        return;
    }
    if (stream->got < n)
        remedy = base == 0 && raw == n ? ": if it counts from 1, say `base=1`" : ": correct `n` or `base`";
    sb_stream_wrong(stream, "%s is not in %lu..%zu%s", shown, (unsigned long)base, last, remedy);
}

static void deal_blame_repeat(struct sb_stream *stream, size_t n, uint32_t base)
{
    bool *const seen = calloc(n + 1, sizeof *seen);
    char twice[DEAL_SHOWN] = "", missing[DEAL_SHOWN];
    size_t gap = 0;

    if (!seen) {
        sb_error_memory(&stream->error, "a permutation");
        return;
    }
    for (size_t j = 0; j < stream->got; j++) {
        const uint32_t item = stream->raw[j] - base;

        if (seen[item] && !twice[0])
            deal_show(stream, stream->raw[j], twice);
        seen[item] = true;
    }
    while (seen[gap])
        gap++;
    free(seen);
    if (stream->got < n)
        sb_stream_wrong(stream, "%s comes twice: deal each item once at most", twice);
    else
        sb_stream_wrong(stream, "%s comes twice, and %s is missing: print each %s", twice,
                        deal_show(stream, (uint32_t)gap + base, missing),
                        stream->notation ? "card once" : "item once, or name equal items in `cards`");
}

static void deal_blame_words(struct sb_stream *stream)
{
    const struct sb_labels *const labels = &stream->text.labels;
    char words[SB_LABELS_MOST + 1] = "", *shown;

    memcpy(words, labels->text, labels->length);
    shown = sb_sanitize_text(words, DEAL_WORDS);
    sb_stream_wrong(stream,
                    "no numbers in '%s': name items with `cards` \"A B C\", in their order before the "
                    "shuffle; begin a header with #; lines of a log take `match`",
                    shown ? shown : "words");
    free(shown);
}

static void deal_blame_cards(struct sb_stream *stream, size_t deal)
{
    if (deal < SB_PLAYING_CARDS || stream->got > deal)
        sb_stream_wrong(stream, "%zu cards instead of %zu: print a deal a line", stream->got, deal);
    else
        sb_stream_wrong(stream,
                        "%zu cards instead of 52: hands take `deal=%zu` `n=52`; name the cards of another deck with "
                        "`cards` \"7S 8S ...\"",
                        stream->got, stream->got);
}

static void deal_blame_length(struct sb_stream *stream, size_t deal)
{
    const char *const items = stream->named ? "names" : "integers";

    if (stream->notation)
        deal_blame_cards(stream, deal);
    else if (stream->got == 0 && stream->text.labels.length)
        deal_blame_words(stream);
    else if (stream->got == 0)
        sb_stream_wrong(stream, "no %s: print a permutation a line%s, and comments after #", items,
                        stream->named ? "" : " (names need `cards`)");
    else if (deal == 0)
        sb_stream_wrong(stream, "%zu integers: a permutation has %d items at most", stream->got, SB_ITEMS_MOST);
    else
        sb_stream_wrong(stream,
                        "%zu %s instead of %zu: print a permutation a line, or say `free` `n=N` where "
                        "lines are broken",
                        stream->got, items, deal);
}

/* Whether a line already has too many numbers. If n is not known yet, some number is repeated for sure, because there
 * are more numbers than values up to the largest number. So a stream without newlines does not have to end first. */
static bool deal_overflows(const struct sb_stream *stream)
{
    uint32_t largest = 0;

    if (stream->got < DEAL_MANY || stream->feed.deal)
        return stream->got >= DEAL_MANY && stream->got > stream->feed.deal;
    for (size_t j = 0; j < stream->got; j++)
        largest = stream->raw[j] > largest ? stream->raw[j] : largest;
    return stream->got > (size_t)largest + 1;
}

void sb_stream_grow(struct sb_stream *stream)
{
    if (deal_overflows(stream)) {
        sb_stream_wrong(stream, "%zu items, and still no newline: end permutations with newlines, or say `free` `n=N`",
                        stream->got);
        return;
    }
    const size_t twice = 2 * stream->raw_room, room = twice < STREAM_RAW_MOST ? twice : STREAM_RAW_MOST;
    uint32_t *const raw = realloc(stream->raw, room * sizeof *raw);

    if (!raw) {
        sb_error_memory(&stream->error, "a permutation");
        return;
    }
    stream->raw = raw;
    stream->raw_room = room;
}

static bool deal_room(struct sb_stream *stream, size_t deal)
{
    if (deal + STREAM_ITEMS <= stream->items_room)
        return true;
    free(stream->items);
    stream->items_room = deal + STREAM_ITEMS;
    stream->items = calloc(stream->items_room, sizeof stream->items[0]);
    if (!stream->items)
        sb_error_memory(&stream->error, "a permutation");
    return stream->items;
}

static uint32_t deal_base(const struct sb_stream *stream)
{
    for (size_t j = 0; j < stream->got; j++)
        if (stream->raw[j] == 0)
            return 0;
    return 1;
}

/* Numbers the items with equal names in their order. Returns false, after reporting the error, if there are
 * more items of a name than the deck has. */
static bool deal_order(struct sb_stream *stream, size_t deal, sb_item items[])
{
    const struct sb_multiset *const multiset = stream->feed.names->multiset;
    char shown[DEAL_SHOWN];
    sb_item surplus;

    if (sb_multiset_order(multiset, deal, items, stream->used, &surplus))
        return true;
    sb_stream_wrong(stream, "more than %zu times %s: print each card as often as `cards` names it",
                    sb_multiset_copies(multiset, multiset->kind[surplus]), deal_show(stream, surplus, shown));
    return false;
}

void sb_stream_deal(struct sb_stream *stream)
{
    const bool known = stream->feed.deal > 0;
    const size_t deal = known ? stream->feed.deal : stream->got <= SB_ITEMS_MOST ? stream->got : 0;
    const size_t n = known ? stream->feed.n : deal;
    bool inside = true;

    if (stream->got == 0 || stream->got != deal) {
        deal_blame_length(stream, deal);
        return;
    }
    if (stream->error.status || !deal_room(stream, deal))
        return;
    sb_item *const items = stream->items + stream->count * deal;
    const uint32_t base = stream->base >= 0 ? (uint32_t)stream->base : deal_base(stream);
    for (size_t j = 0; j < deal; j++) {
        const uint32_t item = stream->raw[j] - base; /* a number below the base wraps to a number above n */

        inside &= item < n;
        items[j] = (sb_item)item;
    }
    for (size_t j = 0; !inside && j < deal; j++)
        if (stream->raw[j] - base >= n) {
            deal_blame_range(stream, n, base, stream->raw[j]);
            return;
        }
    if (stream->used && !deal_order(stream, deal, items))
        return;
    if (!sb_permutation_valid(n, deal, items)) {
        deal_blame_repeat(stream, n, base);
        return;
    }
    stream->feed.n = n;
    stream->feed.deal = deal;
    stream->base = (int)base;
    if (stream->line)
        stream->line[stream->count] = stream->text.line;
    stream->count++;
    stream->deals++;
    stream->got = 0;
}

/* ---- stream binary ---- */

/* Parses binary input: items of 1, 2 or 4 bytes, little-endian, one after another. */

static size_t binary_record(const struct sb_stream *stream)
{
    return stream->feed.deal * stream->width;
}

static void binary_record_read(struct sb_stream *stream)
{
    const uint8_t *at = stream->at;

    for (size_t j = 0; j < stream->feed.deal; j++) {
        uint32_t raw = 0;

        for (size_t byte = 0; byte < stream->width; byte++)
            raw |= (uint32_t)*at++ << (8 * byte);
        sb_stream_push(stream, raw);
    }
    sb_stream_deal(stream);
    if (stream->error.status == SB_OK)
        stream->at = at;
}

/* Reads a permutation of at most 64 items of a byte each, about three times as fast as binary_record_read(). Returns
 * whether it was one; if not, binary_record_read() reads it and says why. */
static bool binary_bytes_read(struct sb_stream *stream)
{
    const size_t n = stream->feed.n, deal = stream->feed.deal;
    const uint8_t *const bytes = stream->at;
    sb_item *const items = stream->items + stream->count * deal;
    uint64_t seen = 0;
    sb_item any = 0; /* the bits of all items */

    if (stream->width != 1 || n == 0 || n > 64 || stream->used || stream->base != 0 || stream->deals == 0)
        return false;
    const uint64_t whole = UINT64_MAX >> (64 - n);

#pragma GCC unroll 4
    for (size_t j = 0; j < deal; j++) {
        const sb_item item = bytes[j];

        items[j] = item;
        any |= item;
        seen |= UINT64_C(1) << item % 64;
    }
    if (any >= 64 || seen & ~whole || (deal == n ? seen != whole : (size_t)__builtin_popcountll(seen) != deal))
        return false;
    stream->at += deal;
    stream->count++;
    stream->deals++;
    return true;
}

static void binary_read(struct sb_stream *stream)
{
    const size_t record = binary_record(stream);

    while (stream->count < stream->most && (size_t)(stream->end - stream->at) >= record &&
           stream->error.status == SB_OK)
        if (!binary_bytes_read(stream))
            binary_record_read(stream);
}

static void binary_finish(struct sb_stream *stream)
{
    const size_t left = (size_t)(stream->end - stream->at);

    if (left)
        sb_stream_wrong(stream, "it ends after %zu of %zu bytes: was it cut off, or is `n` wrong?", left,
                        binary_record(stream));
}

static void binary_where(const struct sb_stream *stream, char text[], size_t room)
{
    const unsigned long long at = stream->begun + stream->deals * binary_record(stream);

    snprintf(text, room, "permutation %llu at byte %llu", (unsigned long long)stream->deals + 1, at);
}

const struct sb_reader sb_reader_binary = {
    .read = binary_read,
    .finish = binary_finish,
    .where = binary_where,
};
