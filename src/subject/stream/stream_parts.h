/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State and functions that the source files of the stream share. The functions turn bytes into numbers, and
 * numbers into deals. */
#ifndef SB_SUBJECT_STREAM_STREAM_PARTS_H
#define SB_SUBJECT_STREAM_STREAM_PARTS_H

#include "subject/stream/sorted_lines.h"
#include "subject/stream/stream.h"
#include "subject/stream/stream_layout.h"

enum {
    /* items per batch, unless a single deal has more; a batch fits into the first-level cache */
    STREAM_ITEMS = 1 << 13,
    /* the most numbers that are kept of a deal; a single number too many is enough to detect the error */
    STREAM_RAW_MOST = SB_ITEMS_MOST + 1,
    STREAM_HUGE = SB_ITEMS_MOST + 1, /* stands for any number above all items */
};

struct sb_stream;

/* Parses bytes into numbers. */
struct sb_reader {
    /* Reads deals from stream->at on, until stream->count is stream->most, the bytes end, or there is an
     * error. The bytes that are then left before stream->end, if any, are the start of a record. */
    void (*read)(struct sb_stream *stream);
    /* Handles the end of the bytes. */
    void (*finish)(struct sb_stream *stream);
    /* Writes the place of the current deal, such as "line 7". */
    void (*where)(const struct sb_stream *stream, char text[], size_t room);
};

extern const struct sb_reader sb_reader_text, sb_reader_binary;

enum { SB_LABELS_MOST = 255 }; /* the most bytes of the words before an integer */

/* Words among integers (stream_labels.c). */
struct sb_labels {
    char text[SB_LABELS_MOST + 1];  /* the words since the last integer, separated by blanks */
    char title[SB_LABELS_MOST + 1]; /* the words before the first integer of the first permutation */
    char label[SB_LABELS_MOST + 1]; /* the words before each later integer of the first permutation */
    size_t length;                  /* length of `text`; 0: no words */
    size_t word;                    /* offset of the last word in `text` */
    bool open;                      /* the last word of `text` is not complete yet */
    bool over;                      /* there were more words than fit into `text` */
    /* `titles`: whether the last word of `text` may end a title; `title_alone`: whether `title` is empty, or
     * the last word of `title` may end a title */
    bool titles, title_alone;
    bool titled, labelled; /* `titled`: whether `title` is known; `labelled`: whether `label` is known */
    bool expected;         /* whether sb_labels_check() must run at the next integer */
};

/* The class of a byte in a text. The first classes are the most frequent. A line with only TEXT_BLANK and
 * classes after TEXT_SIGN is a blank line. */
enum sb_text_class {
    TEXT_WORD, /* a digit, or a character of a card's name */
    TEXT_BLANK,
    TEXT_OTHER,  /* separates words */
    TEXT_LETTER, /* if items are integers: an ASCII letter, or a byte from 128 */
    TEXT_SIGN,   /* a sign or a point */
    TEXT_COMMENT,
    TEXT_LF,
    TEXT_CR,
    TEXT_CONTROL,
};

struct sb_text {
    uint8_t class[256]; /* enum sb_text_class of each byte */
    bool free;          /* whether line ends are ignored */
    uint64_t line;      /* number of the current line; the first is line 1 */
    /* number of bytes of the current line in earlier chunks; after an error in the line, number of all bytes
     * of the line so far */
    size_t line_bytes;
    enum sb_text_class last; /* class of the previous byte */
    /* `comment`: whether the byte is in a comment; `blank`: whether the line so far is blank */
    bool comment, blank;
    uint32_t number; /* the number formed by the digits so far, at most STREAM_HUGE */
    /* if items have names: the characters of the word so far, as far as they fit */
    char word[SB_ITEM_NAME_MOST + 1];
    size_t word_length;      /* number of characters of the word so far, including those that do not fit */
    struct sb_labels labels; /* used only if items are integers */
};

/* Sets up the parsing of names, or of integers if `names` is NULL. */
void sb_text_open(const struct sb_item_names *names, bool free, struct sb_text *text);

/* Forgets an incomplete line. */
void sb_text_drop(struct sb_stream *stream);

struct sb_stream {
    struct sb_feed feed; /* n and deal are 0 until they are known */
    struct sb_bytes *bytes;
    const struct sb_reader *reader;
    double timeout;
    uint64_t begun;        /* number of bytes in the file before the first byte read; for messages */
    size_t width;          /* bytes of a binary item */
    int base;              /* number of the first item; -1 until the first deal shows this number */
    struct sb_error error; /* an error, which the feed reports after all deals that come before the error */
    bool ended;            /* whether all bytes have been read */

    uint8_t *buffer;         /* room for a binary record and a chunk; owned */
    const uint8_t *at, *end; /* the unread part of the buffer */
    uint64_t deals;          /* number of deals so far */

    uint32_t *raw;   /* [raw_room]; the numbers of the current deal as written; owned */
    size_t raw_room; /* capacity of `raw`, which grows up to STREAM_RAW_MOST */
    size_t got;      /* how many numbers the current deal has so far; `raw` keeps at most STREAM_RAW_MOST */

    sb_item *items;     /* [items_room]; the current batch; owned; items_room >= most * deal */
    size_t items_room;  /* capacity of `items`, which grows for a long first deal */
    size_t count, most; /* number of deals in the batch, and its maximum */

    struct sb_layout layout;
    struct sb_text text;
    uint32_t *used; /* [kinds] scratch for names that are equal; owned; NULL: all names differ */
    struct sb_sorted_lines *sorted; /* owned; NULL: not begun, or any order is meant */
    bool ordered;                   /* whether any order is meant */
    bool named;                     /* whether the bytes have the names in feed.names, and not numbers */
};

/* Reports an error in the current deal, and ends the stream. */
__attribute__((format(printf, 2, 3))) void sb_stream_wrong(struct sb_stream *stream, const char *format, ...);

/* Doubles the room for the numbers of a deal, up to STREAM_RAW_MOST. If memory runs out, sets SB_NO_MEMORY,
 * which ends the stream. */
void sb_stream_grow(struct sb_stream *stream);

/* Adds a number to the current deal. */
static inline void sb_stream_push(struct sb_stream *stream, uint32_t number)
{
    if (stream->got == stream->raw_room && stream->raw_room < STREAM_RAW_MOST)
        sb_stream_grow(stream);
    if (stream->got < stream->raw_room)
        stream->raw[stream->got] = number;
    stream->got++;
}

/* Reads records with the layout of an earlier record (stream_layout.h); returns the number of records. */
static inline size_t sb_stream_quick(struct sb_stream *stream)
{
    const size_t count =
        sb_layout_read(&stream->layout, stream->at, stream->end, stream->most - stream->count,
                       stream->items + stream->count * stream->feed.deal);

    stream->at += count * stream->layout.length;
    stream->count += count;
    stream->deals += count;
    return count;
}

/*
 * Reads lines that are plain numbers between separators, from the start of a line on. Stops before an
 * incomplete line, a line with other content, or a line that is not a valid deal. The general parser must
 * read such a line. Returns the number of lines. May load up to 7 bytes after stream->end, but ignores these
 * bytes.
 */
size_t sb_numbers_read(struct sb_stream *stream);

/* Processes a byte that is not in an integer, or is the first byte of an integer. `letter` tells whether the
 * byte is a letter; any other byte ends a word. */
void sb_labels_byte(struct sb_labels *labels, uint8_t byte, bool letter);

/* Checks the words before an integer, and then clears the words. The caller adds the integer afterwards. */
void sb_labels_check(struct sb_stream *stream);

/* Checks the words after the last integer of a permutation, and then clears the words. */
void sb_labels_end(struct sb_stream *stream);

/* Forgets the words of an incomplete line. */
void sb_labels_drop(struct sb_stream *stream);

/* Makes a deal from the current numbers, or reports an error in the numbers. The first deal determines n,
 * deal and the base if they were unknown. */
void sb_stream_deal(struct sb_stream *stream);

#endif
