/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The feed of a stream waits for bytes, parses the bytes, and returns deals. The feed first returns all deals before an
 * error, and then reports the error. So the result does not depend on how the bytes are split into reads.
 */
#include "core/system.h"
#include "subject/parts.h"

#include <inttypes.h>

enum {
    STREAM_CHUNK = 1 << 16, /* bytes per read: the size of a pipe */
    STREAM_DEAL = 1 << 10,  /* initial room for a deal whose length is not known yet, in items */
    STREAM_BLOCK = 64,      /* observers classify this many deals side by side */
    STREAM_HEADER = 3,      /* learned names are as many as this, if they may be a header */
    STREAM_START = 12,      /* a shuffle of this many items hardly ever returns the order before it: 1 in 479,001,600 */
};

static void stream_drop(struct sb_stream *stream)
{
    stream->at = stream->end = stream->filled;
    stream->got = 0;
    stream->begins = !stream->width; /* what comes is the start of a file */
    sb_text_drop(stream);
}

/* Moves the bytes that are left to the start of the buffer, and makes room for a chunk after them. */
static bool stream_make_room(struct sb_stream *stream)
{
    const size_t unread = (size_t)(stream->end - stream->at), left = (size_t)(stream->filled - stream->at);

    /* a long line stays where it is: for moves from a place to itself, musl takes time */
    if (stream->at > stream->buffer)
        memmove(stream->buffer, stream->at, left);
    if (stream->room - left < STREAM_CHUNK) {
        uint8_t *const buffer = realloc(stream->buffer, 2 * stream->room + 1);

        if (!buffer)
            return false;
        stream->buffer = buffer;
        stream->room *= 2;
    }
    stream->at = stream->buffer;
    stream->end = stream->buffer + unread;
    stream->filled = stream->buffer + left;
    return true;
}

static enum sb_status stream_refill(struct sb_stream *stream, double deadline)
{
    struct sb_bytes *const bytes = stream->bytes;
    struct sb_lines *const lines = bytes->lines;
    size_t got;

    if (lines && lines->error.status) {
        stream->error = lines->error;
        return stream->error.status;
    }
    if (!stream_make_room(stream))
        return sb_error_memory(&stream->error, "a line");
    uint8_t *const to = stream->buffer + (stream->filled - stream->buffer);
    const enum sb_status status = bytes->read(bytes, (char *)to, STREAM_CHUNK, deadline, &got, &stream->error);

    if (status)
        return stream->error.status = status;
    stream->feed.seats = bytes->seats;
    if (bytes->gap)
        stream_drop(stream);
    stream->filled += got;
    to[got] = '\0';
    if (lines)
        stream->end += lines->replace(lines, (char *)stream->buffer + (stream->end - stream->buffer),
                                      (size_t)(stream->filled - stream->end), got == 0, deadline);
    else
        stream->end = stream->filled;
    stream->ended = got == 0 && !(lines && lines->error.status);
    return SB_OK;
}

/* Returns the most deals of a batch: as many whole blocks as fit, or fewer deals if not even a block fits. */
static size_t stream_fit(size_t deal)
{
    const size_t fit = deal && deal < STREAM_ITEMS ? STREAM_ITEMS / deal : 1;

    return fit < STREAM_BLOCK ? fit : fit - fit % STREAM_BLOCK;
}

static enum sb_status stream_name(struct sb_stream *stream, struct sb_error *error)
{
    return sb_item_names_numbers((uint32_t)stream->base, &stream->feed.names)
               ? sb_error_memory(error, "the names of items")
               : SB_OK;
}

static enum sb_status stream_sort(struct sb_stream *stream, const sb_item items[], struct sb_error *error)
{
    const struct sb_feed *const feed = &stream->feed;

    if (stream->form.ordered || stream->count == 0)
        return SB_OK;
    if (!stream->sorted && sb_sorted_lines_new(feed->names, feed->n, feed->deal, &stream->sorted))
        return sb_error_memory(error, "a stream");
    sb_sorted_lines_add(stream->sorted, items, stream->count);
    return SB_OK;
}

static enum sb_status stream_check_order(const struct sb_feed *feed, struct sb_error *error)
{
    const struct sb_stream *const stream = (const struct sb_stream *)feed;

    return sb_sorted_lines_check(stream->sorted, stream->bytes->name, error);
}

/* Improves the error in a line. Reads the rest of the line first, so that the error does not depend on how the bytes
 * are split into reads; but does not wait for more of a log. */
static void stream_blame_line(struct sb_stream *stream, double deadline)
{
    const struct sb_error error = stream->error;

    if (!stream->bytes->blame_line || !stream->bytes->faulty || stream->text.free || stream->notation)
        return;
    while (!sb_text_rest(stream) && !stream->ended && !stream->feed.position && !stream_refill(stream, deadline))
        continue;
    stream->error = error;
    stream->bytes->blame_line(stream);
    stream->bytes->blame_line = NULL; /* the next call returns the same error */
}

/* Reads the next deals, at most `most`, unless an error comes before them. */
static void stream_read(struct sb_stream *stream, size_t most)
{
    double deadline = 0;

    stream->count = 0;
    while (stream->error.status == SB_OK) {
        const size_t fit = stream_fit(stream->feed.deal);

        stream->most = most < fit ? most : fit;
        stream->reader->read(stream);
        if (stream->count == 0 && stream->ended && stream->error.status == SB_OK)
            stream->reader->finish(stream);
        if (stream->count || stream->ended || stream->error.status)
            break;
        if (deadline == 0) /* the timeout does not include the time between two calls */
            deadline = sb_clock_now() + sb_subject_timeout(&stream->form);
        stream_refill(stream, deadline);
    }
}

/* Whether the deal is the order before the shuffle. */
static bool stream_is_start(const struct sb_feed *feed, const sb_item items[])
{
    for (size_t i = 0; i < feed->deal; i++)
        if (items[i] != i)
            return false;
    return true;
}

/* If the first deal of the batch is the order before the shuffle, and the next deal is not, leaves the first one out:
 * it is a header with the numbers or the names of columns, or was printed before the shuffle. Names that were learned
 * are sorted, as are those of many headers. There even a few items are left out, whatever the next deal is: to drop a
 * deal for what it is itself favours no other deal. Returns the first deal that counts. */
static const sb_item *stream_skip_start(struct sb_stream *stream, size_t most)
{
    const struct sb_feed *const feed = &stream->feed;
    const bool alone = stream->count == 1, learned = stream->named && !stream->form.cards && !stream->notation;
    char line[200];

    if (feed->n < (learned ? STREAM_HEADER : STREAM_START) || feed->deal < feed->n || sb_item_multiset(feed->names) ||
        !stream_is_start(feed, stream->items))
        return stream->items;
    if (alone)
        stream_read(stream, most);
    if (stream->count == 0) { /* there is no second line */
        for (size_t i = 0; i < feed->deal; i++)
            stream->items[i] = (sb_item)i;
        stream->count = 1;
        return stream->items;
    }
    const sb_item *const second = alone ? stream->items : stream->items + feed->deal;

    if (!learned && stream_is_start(feed, second)) {
        stream->owed = alone;
        return stream->items;
    }
    stream->count -= !alone;
    if (stream->form.overheard) {
        snprintf(line, sizeof line, "%.120s: the first line is %s: it was left out", stream->bytes->name,
                 learned ? "sorted, as a header may be" : "the order before the shuffle");
        stream->form.overheard(stream->form.overheard_state, line);
    }
    return second;
}

static enum sb_status stream_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                  struct sb_error *error)
{
    struct sb_stream *const stream = (struct sb_stream *)feed;
    enum sb_status status = SB_OK;

    if (stream->owed)
        stream->count = 1; /* the first deal of the previous batch */
    else
        stream_read(stream, most);
    stream->owed = false;
    const sb_item *const first =
        stream->started || stream->count == 0 ? stream->items : stream_skip_start(stream, most);

    stream->started = stream->started || stream->count;
    if (stream->count == 0 && stream->error.status) {
        stream_blame_line(stream, sb_clock_now() + sb_subject_timeout(&stream->form));
        if (error)
            *error = stream->error;
        return stream->error.status;
    }
    *items = first;
    *count = stream->count;
    if (stream->count && !feed->names)
        status = stream_name(stream, error);
    return status ? status : stream_sort(stream, first, error);
}

/* Sets *position to the end of the last deal. So if the next line has an error, a run that resumes at this
 * position reads that line again. */
static void stream_position(const struct sb_feed *feed, struct sb_log_position *position)
{
    const struct sb_stream *const stream = (const struct sb_stream *)feed;
    const uint64_t left = (uint64_t)(stream->filled - stream->at);

    stream->bytes->position(stream->bytes, left + stream->text.line_bytes, position);
}

static void stream_where(const struct sb_feed *feed, const sb_item items[], char text[], size_t room)
{
    const struct sb_stream *const stream = (const struct sb_stream *)feed;
    struct sb_lines *const lines = stream->bytes->lines;
    const uint64_t line = stream->line[(size_t)(items - stream->items) / feed->deal];
    char when[SB_LINE_TIME] = "", after[48] = "";

    if (stream->begun)
        snprintf(after, sizeof after, " after byte %" PRIu64, stream->begun);
    if (lines)
        lines->when(lines, line, when);
    snprintf(text, room, "%s %" PRIu64 "%s of %.48s%s%s", stream->bytes->unit ? stream->bytes->unit : "line", line,
             after, stream->bytes->name, when[0] ? ", " : "", when);
}

static void stream_free_bytes(struct sb_bytes *bytes)
{
    if (bytes->lines)
        bytes->lines->free(bytes->lines);
    bytes->free(bytes);
}

static void stream_free(struct sb_feed *feed)
{
    struct sb_stream *const stream = (struct sb_stream *)feed;

    stream_free_bytes(stream->bytes);
    free(stream->buffer);
    free(stream->raw);
    free(stream->items);
    free(stream->line);
    free(stream->used);
    free(stream->header);
    sb_sorted_lines_free(stream->sorted);
    free(stream);
}

size_t sb_input_width(const char *input)
{
    static const char *const names[] = { "u8", "u16", "u32" };

    for (size_t i = 0; input && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(input, names[i]) == 0)
            return (size_t)1 << i;
    return 0;
}

static enum sb_status stream_check_binary(const struct sb_subject *form, struct sb_error *error)
{
    const size_t width = sb_input_width(form->input);

    if (form->cards || form->free)
        return sb_error_set(error, SB_INVALID, "`input=%s`: `%s` is for text: leave it out", form->input,
                            form->cards ? "cards" : "free");
    if (form->n == 0)
        return sb_error_set(error, SB_INVALID, "`input=%s` has no header: say `n=N`", form->input);
    if (width == 1 && form->n > 256)
        return sb_error_set(error, SB_INVALID, "`input=u8`: items of n = %zu do not fit a byte: use u16", form->n);
    if (width == 2 && form->n > 65536)
        return sb_error_set(error, SB_INVALID, "`input=u16`: items of n = %zu do not fit two bytes: use u32", form->n);
    return SB_OK;
}

static enum sb_status stream_check(const struct sb_subject *form, struct sb_error *error)
{
    if (sb_input_width(form->input)) {
        const enum sb_status status = stream_check_binary(form, error);

        if (status)
            return status;
    }
    if (form->n > SB_ITEMS_MOST)
        return sb_error_set(error, SB_INVALID, "`n=%zu`: %d items are the most", form->n, SB_ITEMS_MOST);
    if (form->n == 0 && !form->cards && (form->deal || form->free))
        return sb_error_set(error, SB_INVALID, "`%s`: say of how many items, `n=N`", form->deal ? "deal" : "free");
    if (form->cards && form->base)
        return sb_error_set(error, SB_INVALID, "`cards`: names have no `base`: leave it out");
    return SB_OK;
}

static enum sb_status stream_count(const struct sb_subject *form, struct sb_error *error, size_t *n)
{
    enum sb_status status = SB_OK;

    *n = form->n;
    if (form->cards)
        status = sb_item_names_count(form->cards, error, n);
    if (status == SB_OK && form->deal > *n)
        status = sb_error_deal(error, form->deal, *n);
    return status;
}

enum sb_status sb_stream_check(const struct sb_subject *form, struct sb_error *error)
{
    const enum sb_status status = stream_check(form, error);
    size_t n;

    return status ? status : stream_count(form, error, &n);
}

/* If the number of the first item is not given, the number is 0 for names. For permutations of numbers, the first deal
 * shows whether the number is 0, and for deals of fewer than n items, the first lines may. But later runs that go on with
 * a run would judge by other lines, so deals of such a run count from 0. */
static enum sb_status stream_settle(const struct sb_subject *form, struct sb_error *error, struct sb_stream *stream)
{
    size_t n;
    enum sb_status status = stream_count(form, error, &n);

    if (status == SB_OK && form->cards)
        status = sb_item_names_new(form->cards, error, &stream->feed.names);
    if (status)
        return status;
    stream->feed.n = n;
    stream->feed.deal = form->deal ? form->deal : n;
    stream->base = form->base ? form->base[0] - '0' : form->cards || stream->feed.deal < n ? 0 : -1;
    stream->named = form->cards;
    stream->begins = !stream->width;
    stream->undecided =
        stream->begins && !form->cards && !form->base && !form->free && (n == 0 || n == SB_PLAYING_CARDS);
    stream->heads = stream->begins && !form->free;
    stream->counts =
        stream->begins && !form->cards && !form->base && !form->free && !form->kept && stream->feed.deal < n;
    const bool titles = form->cards && (stream->feed.names->separator || stream->feed.names->short_all);

    stream->learns = stream->begins && (form->cards ? titles : !form->base && !form->free && stream->feed.deal == n);
    return SB_OK;
}

/* Allocates the buffers. Their sizes depend on the form. Before the next read, the buffer keeps an incomplete
 * binary record, or the start of the first line of text. */
static bool stream_room(struct sb_stream *stream)
{
    const size_t deal = stream->feed.deal ? stream->feed.deal : STREAM_DEAL;
    const bool binary = stream->reader == &sb_reader_binary;
    const struct sb_multiset *const multiset = sb_item_multiset(stream->feed.names);
    const size_t record = binary ? stream->width * deal : SB_TEXT_LOOK;

    stream->raw_room = deal + 1;
    stream->items_room = deal + STREAM_ITEMS;
    stream->room = record + STREAM_CHUNK;
    stream->buffer = calloc(stream->room + 1, 1);
    stream->raw = calloc(stream->raw_room, sizeof stream->raw[0]);
    stream->items = calloc(stream->items_room, sizeof stream->items[0]);
    stream->line = binary ? NULL : calloc(STREAM_ITEMS, sizeof stream->line[0]);
    stream->feed.where = binary ? NULL : stream_where;
    if (multiset)
        stream->used = calloc(multiset->kinds, sizeof stream->used[0]);
    stream->at = stream->end = stream->filled = stream->buffer;
    return stream->buffer && stream->raw && stream->items && (binary || stream->line) && (!multiset || stream->used);
}

enum sb_status sb_stream_new(struct sb_bytes *bytes, const struct sb_subject *form, struct sb_error *error,
                             struct sb_feed **feed)
{
    struct sb_stream *const stream = calloc(1, sizeof *stream);
    enum sb_status status;

    if (!stream) {
        stream_free_bytes(bytes);
        return sb_error_memory(error, "a stream");
    }
    stream->feed = (struct sb_feed) { .next = stream_next, .check_order = stream_check_order, .free = stream_free };
    stream->feed.position = bytes->position && !form->free ? stream_position : NULL;
    stream->bytes = bytes;
    stream->width = sb_input_width(form->input);
    stream->reader = stream->width ? &sb_reader_binary : &sb_reader_text;
    stream->form = *form;
    stream->started = form->once || stream->width;
    status = stream_check(form, error);
    if (status == SB_OK)
        status = stream_settle(form, error, stream);
    if (status == SB_OK && !stream_room(stream))
        status = sb_error_memory(error, "a stream");
    if (status) {
        sb_item_names_free(stream->feed.names);
        stream_free(&stream->feed);
        return status;
    }
    stream->text.free = form->free;
    stream->text.line = 1;
    sb_text_classify(stream->named ? stream->feed.names : NULL, &stream->text);
    sb_text_drop(stream);
    if (stream->feed.position) {
        struct sb_log_position position;

        stream_position(&stream->feed, &position);
        stream->begun = position.offset;
        stream->begins = stream->begins && stream->begun == 0;
        stream->heads = stream->heads && stream->begun == 0;
        stream->started = stream->started || stream->begun;
    }
    *feed = &stream->feed;
    return SB_OK;
}
