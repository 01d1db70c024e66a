/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the stream share: bytes come in, numbers are read, deals go out. */
#ifndef SB_SUBJECT_STREAM_STREAM_PARTS_H
#define SB_SUBJECT_STREAM_STREAM_PARTS_H

#include "subject/stream/stream.h"
#include "subject/stream/stream_layout.h"

enum {
    STREAM_CHUNK = 1 << 16,              /* bytes read at a time: what a pipe holds */
    STREAM_ITEMS = 1 << 14,              /* items given at a time, or one deal: they fit the nearest cache */
    STREAM_RAW_MOST = SB_ITEMS_MOST + 1, /* numbers kept of one deal: one too many is enough to know */
    STREAM_HUGE = SB_ITEMS_MOST + 1,     /* a number above all items; its digits are not kept */
};

struct sb_stream;

/* How bytes become numbers. */
struct sb_reader {
    /* Reads deals from stream->at on until stream->count is stream->most, or something is wrong. Bytes before
     * stream->end that it leaves are the beginning of a record. */
    void (*read)(struct sb_stream *stream);
    /* There are no further bytes. */
    void (*finish)(struct sb_stream *stream);
    /* Where the deal at hand stands: "line 7". */
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
    struct sb_card *card; /* [count] in strcmp's order of names, which are in text; owned */
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
    char text[SB_LABELS_MOST + 1];  /* the words since the last integer, a blank between two */
    char title[SB_LABELS_MOST + 1]; /* those before the first permutation; ended by a 0 */
    char label[SB_LABELS_MOST + 1]; /* those before each later integer of it; ended by a 0 */
    size_t length;                  /* of text; 0: there is none */
    size_t word;                    /* where the last word begins in it */
    bool open;                      /* its last word goes on */
    bool over;                      /* there were more words than fit */
    bool titles, title_alone;       /* its last word may end a title; that of title did */
    bool titled, labelled;          /* title and label are known */
    bool expected;                  /* sb_labels_check() has work to do at the next integer */
};

/* What a byte is in a text. Most bytes are of the first classes; those after TEXT_SIGN leave a line
 * blank. */
enum sb_text_class {
    TEXT_WORD, /* a digit, or a character of a card's name */
    TEXT_BLANK,
    TEXT_OTHER,  /* separates */
    TEXT_LETTER, /* among integers: an ASCII letter, or a byte from 128 */
    TEXT_SIGN,   /* or a point */
    TEXT_COMMENT,
    TEXT_LF,
    TEXT_CR,
    TEXT_CONTROL,
};

struct sb_text {
    uint8_t class[256];          /* enum sb_text_class of each byte */
    bool free;                   /* the ends of lines are ignored */
    uint64_t line;               /* from 1; that of the byte at hand */
    size_t line_bytes;           /* of it, before this chunk; once it is found to be wrong, all so far */
    enum sb_text_class last;     /* of the byte before */
    bool comment, blank;         /* within a comment; nothing but blanks in the line so far */
    uint32_t number;             /* the digits so far, up to STREAM_HUGE */
    char word[SB_CARD_MOST + 1]; /* with cards: the characters so far, as far as they fit */
    size_t word_length;          /* all of them */
    struct sb_labels labels;     /* without cards */
};

/* Sets up the reading of names, or with no cards of integers. */
void sb_text_open(const struct sb_cards *cards, bool free, struct sb_text *text);

struct sb_stream {
    struct sb_feed feed; /* n is known where it is not 0, as is deal */
    struct sb_bytes *bytes;
    const struct sb_reader *reader;
    double timeout;
    uint64_t begun;        /* bytes of the file before the first that was read; for messages */
    size_t width;          /* bytes of a binary item */
    int base;              /* -1 until the first deal has shown it */
    struct sb_error error; /* with its status: after the deals before it */
    bool ended;            /* there are no further bytes */

    uint8_t *buffer;         /* [STREAM_BUFFER]; owned */
    const uint8_t *at, *end; /* in it: what is still to be read */
    uint64_t deals;          /* made so far */

    uint32_t *raw; /* [STREAM_RAW_MOST] the numbers of the deal at hand, as they stand; owned */
    size_t got;    /* how many there were; those beyond STREAM_RAW_MOST are not kept */

    sb_item *items;     /* [most * deal] of the batch at hand; owned */
    size_t count, most; /* deals in it, and at most */

    struct sb_layout layout;
    struct sb_text text;
    struct sb_cards cards;
};

/* Says what is wrong with the deal at hand; from then on there are no further ones. */
__attribute__((format(printf, 2, 3))) void sb_stream_wrong(struct sb_stream *stream, const char *format, ...);

/* One number more. */
static inline void sb_stream_push(struct sb_stream *stream, uint32_t number)
{
    if (stream->got < STREAM_RAW_MOST)
        stream->raw[stream->got] = number;
    stream->got++;
}

/* Reads what looks like the record before it (stream_layout.h); how many of them. */
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

/* One byte that is part of no integer, or the first of one: a letter, or what ends a word. */
void sb_labels_byte(struct sb_labels *labels, uint8_t byte, bool letter);

/* Judges the words before an integer, which is not pushed yet; then forgets them. */
void sb_labels_check(struct sb_stream *stream);

/* Judges the words after the last integer of a permutation; then forgets them. */
void sb_labels_end(struct sb_stream *stream);

/* Makes a deal out of the numbers at hand; the first one settles what was open. Otherwise says what is wrong.
 */
void sb_stream_deal(struct sb_stream *stream);

#endif
