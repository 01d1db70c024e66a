/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State and functions that the files of the stream share: from bytes to numbers to deals. */
#ifndef SB_SUBJECT_STREAM_STREAM_PARTS_H
#define SB_SUBJECT_STREAM_STREAM_PARTS_H

#include "subject/stream/stream.h"
#include "subject/stream/stream_layout.h"

enum {
    STREAM_CHUNK = 1 << 16,              /* bytes per read: the size of a pipe */
    STREAM_ITEMS = 1 << 14,              /* items per batch, or one deal: they fit into the nearest cache */
    STREAM_RAW_MOST = SB_ITEMS_MOST + 1, /* the most numbers kept of a deal: one too many shows the error */
    STREAM_DEAL = 1 << 16,               /* items of a deal for which there is room from the start */
    STREAM_HUGE = SB_ITEMS_MOST + 1,     /* a number above all items; its digits are not kept */
};

struct sb_stream;

/* Parses bytes into numbers. */
struct sb_reader {
    /* Reads deals from stream->at on until stream->count is stream->most, or something is wrong. Bytes before
     * stream->end that it leaves unread start a record. */
    void (*read)(struct sb_stream *stream);
    /* Called at the end of the bytes. */
    void (*finish)(struct sb_stream *stream);
    /* The place of the current deal: "line 7". */
    void (*where)(const struct sb_stream *stream, char text[], size_t room);
};

extern const struct sb_reader sb_reader_text, sb_reader_binary;

struct sb_card {
    const char *name;
    uint32_t item;
};

/* The names of the items. */
struct sb_cards {
    size_t count;
    char *text;           /* owned */
    struct sb_card *card; /* [count] sorted by name, which points into `text`; owned */
};

/* Reads form->cards. SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_cards_open(const char *names, struct sb_error *error, struct sb_cards *cards);
void sb_cards_close(struct sb_cards *cards);

/* The item of that name; SB_ITEMS_MOST if there is none. */
uint32_t sb_cards_find(const struct sb_cards *cards, const char *name);

/* The name of an item. */
const char *sb_cards_name(const struct sb_cards *cards, uint32_t item);

enum { SB_LABELS_MOST = 255 }; /* bytes of words before an integer */

/* Words among integers (stream_labels.c). */
struct sb_labels {
    char text[SB_LABELS_MOST + 1];  /* the words since the last integer, separated by blanks */
    char title[SB_LABELS_MOST + 1]; /* the words before the first permutation; ended by a 0 */
    char label[SB_LABELS_MOST + 1]; /* the words before each later integer of it; ended by a 0 */
    size_t length;                  /* of text; 0: no words */
    size_t word;                    /* the start of the last word in text */
    bool open;                      /* its last word continues */
    bool over;                      /* there were more words than fit */
    bool titles, title_alone;       /* the last word of text may end a title; that of `title` did */
    bool titled, labelled;          /* title and label are known */
    bool expected;                  /* sb_labels_check() has work to do at the next integer */
};

/* The class of a byte in a text. Most bytes are of the first classes. The classes after TEXT_SIGN leave a
 * line blank. */
enum sb_text_class {
    TEXT_WORD, /* a digit, or a character of a card's name */
    TEXT_BLANK,
    TEXT_OTHER,  /* separates words */
    TEXT_LETTER, /* among integers: an ASCII letter, or a byte from 128 */
    TEXT_SIGN,   /* or a point */
    TEXT_COMMENT,
    TEXT_LF,
    TEXT_CR,
    TEXT_CONTROL,
};

struct sb_text {
    uint8_t class[256];          /* enum sb_text_class of each byte */
    bool free;                   /* line ends are ignored */
    uint64_t line;               /* the line of the current byte, from 1 */
    size_t line_bytes;           /* bytes of the line before this chunk; once the line is wrong, all so far */
    enum sb_text_class last;     /* of the previous byte */
    bool comment, blank;         /* within a comment; only blanks in the line so far */
    uint32_t number;             /* the digits so far, up to STREAM_HUGE */
    char word[SB_CARD_MOST + 1]; /* with cards: the characters so far that fit */
    size_t word_length;          /* number of all characters */
    struct sb_labels labels;     /* only without cards */
};

/* Sets up parsing of names, or without cards of integers. */
void sb_text_open(const struct sb_cards *cards, bool free, struct sb_text *text);

struct sb_stream {
    struct sb_feed feed; /* n and deal are 0 until known */
    struct sb_bytes *bytes;
    const struct sb_reader *reader;
    double timeout;
    uint64_t begun;        /* bytes of the file before the first byte read; for messages */
    size_t width;          /* bytes of a binary item */
    int base;              /* -1 until the first deal has shown it */
    struct sb_error error; /* reported after the deals before it */
    bool ended;            /* there are no further bytes */

    uint8_t *buffer;         /* room for a binary record and a chunk; owned */
    const uint8_t *at, *end; /* the unread part of the buffer */
    uint64_t deals;          /* number of deals made so far */

    uint32_t *raw;   /* [raw_room] the numbers of the current deal as written; owned */
    size_t raw_room; /* grows up to STREAM_RAW_MOST */
    size_t got;      /* how many numbers there were; only STREAM_RAW_MOST are kept */

    sb_item *items;     /* [items_room], at least [most * deal]: the current batch; owned */
    size_t items_room;  /* grows for a long first deal */
    size_t count, most; /* deals in the batch, and the most */

    struct sb_layout layout;
    struct sb_text text;
    struct sb_cards cards;
};

/* Reports what is wrong with the current deal, which ends the stream. */
__attribute__((format(printf, 2, 3))) void sb_stream_wrong(struct sb_stream *stream, const char *format, ...);

/* Makes room for more numbers of a deal, twice as many, up to STREAM_RAW_MOST; or sets SB_NO_MEMORY, which ends
 * the stream. */
void sb_stream_grow(struct sb_stream *stream);

/* Adds a number. */
static inline void sb_stream_push(struct sb_stream *stream, uint32_t number)
{
    if (stream->got == stream->raw_room && stream->raw_room < STREAM_RAW_MOST)
        sb_stream_grow(stream);
    if (stream->got < stream->raw_room)
        stream->raw[stream->got] = number;
    stream->got++;
}

/* Reads records with the previous record's layout (stream_layout.h); returns how many. */
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

/* Processes a byte that is not in an integer, or the first of one: a letter, or the end of a word. */
void sb_labels_byte(struct sb_labels *labels, uint8_t byte, bool letter);

/* Checks the words before an integer, which is not added yet; then forgets them. */
void sb_labels_check(struct sb_stream *stream);

/* Checks the words after the last integer of a permutation; then forgets them. */
void sb_labels_end(struct sb_stream *stream);

/* Makes a deal from the current numbers, or reports what is wrong with them. The first deal determines what
 * was unknown. */
void sb_stream_deal(struct sb_stream *stream);

#endif
