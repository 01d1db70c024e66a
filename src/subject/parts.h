/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the source files of this folder share: the stages between a subject's bytes and its feed. Only tests include
 * this header from elsewhere. */
#ifndef SB_SUBJECT_PARTS_H
#define SB_SUBJECT_PARTS_H

#include "subject/subject.h"

#include <dirent.h>
#include <limits.h>

/* Makes a feed of a function in C, which the feed calls once for each permutation. The subject has a name, 2 <= n and 1
 * <= deal
 * <= n. The caller frees the feed. Errors: SB_INVALID, SB_TOO_LARGE, SB_NO_MEMORY. next() returns SB_SUBJECT if the
 * function returns a value other than 0, or if an item is missing after a shuffle. */
enum sb_status sb_callback_new(const struct sb_subject *subject, struct sb_error *error, struct sb_feed **feed);

/* Makes a feed of the increments X[t-1]^-1 X[t] of the permutations X[0], X[1], ... of `inner`. Takes ownership of
 * `inner`, even after an error. The first permutation is only the start of the first increment. Errors, after which
 * *feed is NULL: SB_INVALID, also from next(), if a deal has fewer than n items; SB_NO_MEMORY. */
enum sb_status sb_chained_new(struct sb_feed *inner, struct sb_error *error, struct sb_feed **feed);

/* Tells equal items apart at random. If a shuffle is fair, each arrangement of a deck with equal items stands for
 * equally many permutations, so an arrangement whose equal items are numbered at random is a fair permutation: the laws
 * of all statistics hold, and nothing that the arrangement shows is lost. */

/*
 * Makes a feed with the deals of `inner`, whose names have equal items (sb_item_multiset()). The numbers of
 * equal items come from a generator of its own, whose seed is a hash of all earlier deals. So a subject has
 * the same permutations in each run, and runs with different deals have independent numbers. Takes ownership
 * of `inner`, even after a failure. SB_NO_MEMORY; *feed is then NULL.
 */
enum sb_status sb_ties_new(struct sb_feed *inner, struct sb_error *error, struct sb_feed **feed);

/* Makes a feed of the same deals, whose items are called by their kinds. Takes ownership of `inner`, even after a
 * failure; *feed is then NULL. Errors: SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_kinds_new(struct sb_feed *inner, const char *kinds, struct sb_error *error, struct sb_feed **feed);

/* Makes a feed of decks of groups from the lines of `inner`, which are sets or hands. The grouping is settled, and
 * borrowed text. Takes ownership of `inner`, even after a failure. SB_NO_MEMORY; *feed is then NULL. next() also
 * returns SB_INVALID if items have equal names. */
enum sb_status sb_groups_new(struct sb_feed *inner, const struct sb_grouping *grouping, struct sb_error *error,
                             struct sb_feed **feed);

enum { SB_FOREIGN_BYTES = 4 }; /* bytes that show what a file is; no deck of text is shorter */

/* Returns what the bytes are and what to do, for an error line, or NULL if they may be text. Looks at the first
 * SB_FOREIGN_BYTES only. */
const char *sb_foreign(const char bytes[], size_t length);

/* Returns the length of a byte order mark at the start of a line, or 0. Any line may have a mark, because logs
 * that follow one another may each begin with one. */
static inline size_t sb_text_mark(const char text[], size_t length)
{
    return length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* Whether a character belongs to a word: letters, digits and bytes from 128. */
static inline bool sb_text_in_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 128;
}

/* ---- matrix.c: tables of counts ---- */

/* Returns what separates the fields of a line: a tab, a semicolon, a comma or a blank. */
char sb_grid_separator(const char *line);

/* Splits off the next field, without blanks and quotes around it; NULL if there is none. */
char *sb_grid_cut(char **rest, char separator);

/* Returns whether a word is a common name for a row or a column of sums. */
bool sb_grid_is_sum(const char *word);

/* Reports what is wrong at the place `where`. `again` tells whether the next start reads this place again. */
void sb_bytes_wrong(struct sb_bytes *bytes, const char *where, const char *what, bool again, struct sb_error *error);

/* Reads all bytes as a text, in which '?' takes the place of bytes of 0. The caller frees the text. SB_INVALID: the
 * bytes show that the file is no text; SB_NO_MEMORY; and the errors of bytes->read(). */
enum sb_status sb_bytes_text(struct sb_bytes *bytes, struct sb_error *error, char **text);

enum {
    SB_PLAYING_CARDS = 52,
    SB_PLAYING_RANKS = 13,
    SB_PLAYING_SUITS = 4,
};

enum sb_card_notation {
    SB_NOTATION_NONE,
    SB_NOTATION_LETTERS, /* As Kd 10h Th */
    SB_NOTATION_SYMBOLS, /* A♠ K♦ */
    SB_NOTATION_GLYPHS,  /* the characters from U+1F0A1 on */
};

/* Reads a card at the start of the text. Sets *end to the end of the card. Returns 0..51: ace to king of
 * spades, hearts, diamonds, clubs; SB_PLAYING_CARDS if there is no card. */
uint32_t sb_playing_card(const char *text, const char **end, enum sb_card_notation *notation);

/* Counts the cards in a text that has only cards; 0 if it has anything else. */
size_t sb_playing_cards_count(const char *text);

enum { SB_CARDS_SNIFF = 1 << 12 }; /* bytes of a line that are enough to see whether its first words are cards */

/* Returns the notation of a line whose first two words are cards, or its only word; SB_NOTATION_NONE for all other
 * lines. The line begins after blanks. */
enum sb_card_notation sb_playing_cards_begin(const char *line);

/* Returns the names of the 52 playing cards, separated by blanks. */
const char *sb_playing_cards_names(enum sb_card_notation notation);

/* Recognises lines that are sorted: the numbers of a lottery in ascending order, hole cards with the high card first, a
 * bridge deal whose hands are sorted. Such lines show which items were drawn, but not in which order. */

struct sb_sorted_lines;

/* Begins with no lines. `names` may be NULL. The caller frees *made. SB_NO_MEMORY. */
enum sb_status sb_sorted_lines_new(const struct sb_item_names *names, size_t n, size_t deal,
                                   struct sb_sorted_lines **made);

/* Takes the next lines, items[count * deal]. Cost: a few comparisons for each line, until the lines so far are
 * not sorted; then nothing. */
void sb_sorted_lines_add(struct sb_sorted_lines *sorted, const sb_item items[], size_t count);

/* Checks that chance would sort the lines so far with probability 1e-6 or more. Otherwise the lines do not show the
 * order of the draw, and every test of that order would reject a fair shuffle. `sorted` may be NULL; `name` is the
 * subject's. Error: SB_SUBJECT. */
enum sb_status sb_sorted_lines_check(const struct sb_sorted_lines *sorted, const char *name, struct sb_error *error);

void sb_sorted_lines_free(struct sb_sorted_lines *sorted);

/* State and functions that the source files of the stream share. The functions turn bytes into numbers, and
 * numbers into deals. */

enum {
    /* items per batch, unless a single deal has more; a batch fits into the first-level cache */
    STREAM_ITEMS = 1 << 13,
    /* the most numbers that are kept of a deal; a single number too many is enough to detect the error */
    STREAM_RAW_MOST = SB_ITEMS_MOST + 1,
    STREAM_HUGE = SB_ITEMS_MOST + 1, /* stands for any number above all items */
};

struct sb_stream;

struct sb_reader {
    /* Reads deals from stream->at on, until stream->count is stream->most, the bytes end, or there is an
     * error. The bytes that are then left before stream->end, if any, are the start of a record. */
    void (*read)(struct sb_stream *stream);
    /* Handles the end of the bytes. */
    void (*finish)(struct sb_stream *stream);
    /* Returns how many items are in a line, text[length]; 0 if they are no deal. There is room for a byte after the
     * text, and for the 0 that ends it. NULL: there are no lines. */
    size_t (*reads)(struct sb_stream *stream, char text[], size_t length);
    /* Writes the place of the current deal, such as "line 7". */
    void (*where)(const struct sb_stream *stream, char text[], size_t room);
};

extern const struct sb_reader sb_reader_text, sb_reader_binary;

enum { SB_LABELS_MOST = 255 }; /* the most bytes of the words before an integer */

/* Words among integers (stream_deal.c). */
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
    bool expected;         /* whether labels_check() must run at the next integer */
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

enum { SB_TEXT_LOOK = 1 << 16 }; /* the most bytes of a line to look at before they are read */

enum { SB_WORD_MOST = 511 }; /* the most bytes of a word: over 7 for each of 52 playing cards without blanks */

enum { SB_LINE_SEEN = 4096 }; /* the most bytes of a line that is no deal, to find out its kind */

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
    char word[SB_WORD_MOST + 1];
    size_t word_length;          /* number of characters of the word so far, including those that do not fit */
    bool waits;                  /* whether the word so far is no name, and may begin a label */
    char quote;                  /* the quotation mark that began the title so far, and has not ended it; 0: none */
    bool closed;                 /* whether the last byte was a quotation mark that ended a title */
    bool bracket;                /* whether the line began with a bracket, as in ['Blue Train', 'So What'] */
    struct sb_labels labels;     /* used only if items are integers */
    char seen[SB_LINE_SEEN + 1]; /* the current line of `line_bytes` bytes, as far as it fits; for messages */
};

/* Processes a byte that is not in an integer, or is the first byte of an integer. `letter` tells whether the byte is a
 * letter; any other byte ends a word. */
void sb_labels_byte(struct sb_labels *labels, uint8_t byte, bool letter);

/* Checks the words before an integer. */
void sb_labels_check(struct sb_stream *stream);

/* Checks the words at the end of a permutation. */
void sb_labels_end(struct sb_stream *stream);

/* Cuts a text at its first arrow or its first comma beyond ASCII. Returns the rest after this symbol; NULL: none. */
char *sb_labels_cut(char *word);

/* Drops the words of an incomplete line. */
void sb_labels_drop(struct sb_stream *stream);

/* Drops an incomplete line: the next byte begins a line. */
void sb_text_drop(struct sb_stream *stream);

/* Sets the classes of bytes for names, or for integers if `names` is NULL. */
void sb_text_classify(const struct sb_item_names *names, struct sb_text *text);

/* Looks at the next line before it is read: at the first bytes of a file, and for playing cards. Returns false if this
 * needs more bytes. */
bool sb_text_look(struct sb_stream *stream);

/* Whether a line is a word of different letters and digits, each of which is an item. */
bool sb_line_letters(const char *line, size_t length);

/* Returns the words of the next line from *at on, or NULL if there is none or its words are no items; moves *at past
 * the line. Sets *more if the line is not complete. Skips empty lines and comments. The caller frees the names. */
struct sb_item_names *sb_line_names(const struct sb_stream *stream, const char **at, bool *more);

/* Skips lines that repeat the header, as in tables that were joined. Returns false if this needs more bytes. */
bool sb_text_skip_header(struct sb_stream *stream);

/* Takes text.word as playing cards: several if they are the characters of Unicode. A byte order mark may come first. */
void sb_text_playing_cards(struct sb_stream *stream);

/* After an error, reads on in the line. Returns whether this is enough to blame it: up to its end, or over SB_LINE_SEEN
 * bytes. */
bool sb_text_rest(struct sb_stream *stream);

/* Replaces the error in a line by what is wrong with all lines of its kind, and the remedy. Leaves the error unchanged
 * if the kind is unknown. */
void sb_line_kind_blame(struct sb_stream *stream);

struct sb_stream {
    struct sb_feed feed; /* n and deal are 0 until they are known */
    struct sb_bytes *bytes;
    const struct sb_reader *reader;
    struct sb_subject form; /* how the stream is read; its strings are borrowed */
    uint64_t begun;         /* number of bytes in the file before the first byte read; for messages */
    size_t width;           /* bytes of a binary item */
    int base;               /* number of the first item; -1 until the first deal shows this number */
    struct sb_error error;  /* an error, which the feed reports after all deals that come before the error */
    bool ended;             /* whether all bytes have been read */

    uint8_t *buffer;         /* [room + 1]; owned */
    size_t room;             /* a binary record, or the start of a line, and a chunk */
    const uint8_t *at, *end; /* the unread part of the buffer */
    const uint8_t *filled;   /* end of all bytes; those from `end` on are a line without its end, for bytes->lines */
    uint64_t deals;          /* number of deals so far */

    uint32_t *raw;   /* [raw_room]; the numbers of the current deal as written; owned */
    size_t raw_room; /* capacity of `raw`, which grows up to STREAM_RAW_MOST */
    size_t got;      /* how many numbers the current deal has so far; `raw` keeps at most STREAM_RAW_MOST */

    sb_item *items;     /* [items_room]; the current batch; owned; items_room >= most * deal */
    size_t items_room;  /* capacity of `items`, which grows for a long first deal */
    size_t count, most; /* number of deals in the batch, and its maximum */
    uint64_t *line;     /* [STREAM_ITEMS] the line of each deal in the batch; owned; NULL: binary items */

    struct sb_text text;
    uint32_t *used;                 /* [kinds] scratch for names that are equal; owned; NULL: all names differ */
    struct sb_sorted_lines *sorted; /* owned; NULL: not begun, or any order is meant */
    bool started;                   /* whether the first line was compared with the order before the shuffle */
    bool owed;                      /* whether the next batch is the order before the shuffle, which came twice */
    bool named;                     /* whether the bytes have the names in feed.names, and not numbers */
    bool begins;                    /* whether the first bytes of a text are still to be looked at */
    bool heads;                     /* whether the first line may be a header of words, as in CSV */
    char *header;                   /* the line of names above a table, without its end; owned; NULL: none */
    size_t header_length;
    bool counts;    /* whether the next lines show from which number a deal's items count */
    bool letters;   /* whether each letter of a word is an item, as in TOLZIJS */
    bool learns;    /* whether the first lines may show what the items are called */
    bool undecided; /* whether the next line with more than a comment shows whether items are playing cards */
    enum sb_card_notation notation; /* of playing cards, if the first line showed them; else SB_NOTATION_NONE */
};

__attribute__((format(printf, 2, 3))) void sb_stream_wrong(struct sb_stream *stream, const char *format, ...);

/* Doubles the room for the numbers of a deal, up to STREAM_RAW_MOST. If memory runs out, sets SB_NO_MEMORY,
 * which ends the stream. */
void sb_stream_grow(struct sb_stream *stream);

static inline void sb_stream_push(struct sb_stream *stream, uint32_t number)
{
    if (stream->got == stream->raw_room && stream->raw_room < STREAM_RAW_MOST)
        sb_stream_grow(stream);
    if (stream->got < stream->raw_room)
        stream->raw[stream->got] = number;
    stream->got++;
}

/* Makes a deal from the current numbers, or reports an error in the numbers. The first deal determines n,
 * deal and the base if they were unknown. */
void sb_stream_deal(struct sb_stream *stream);

enum {
    SB_LINE_WRONG = 300, /* bytes of a message */
    SB_LINE_SHOWN = 24,  /* the most bytes of a line's text in a message */
    SB_JSON_STEPS_MOST = 16,
    SB_MATCH_PATTERN_MOST = 4096, /* bytes of a regular expression */
    SB_MATCH_LINE_MOST = 1 << 20, /* bytes of a line to match */
    SB_JSON_LINE_MOST = 1 << 24,  /* bytes of a line of JSON, which takes up to 80 times as much memory */
};

/* A line without its end. No step makes the text longer. */
struct sb_line {
    char *text; /* text[length] is 0 */
    size_t length;
    size_t cut;                /* bytes of the line that steps have removed before the text */
    char wrong[SB_LINE_WRONG]; /* what is wrong with the line, and the remedy */
};

enum sb_line_result {
    SB_LINE_TAKEN,
    SB_LINE_SKIPPED,
    SB_LINE_REJECTED, /* line->wrong says why */
    SB_LINE_STOPPED,  /* the stop flag is raised */
};

/* Writes line->wrong, and returns SB_LINE_REJECTED. */
__attribute__((format(printf, 2, 3))) enum sb_line_result sb_line_reject(struct sb_line *line, const char *format, ...);

/* Like sb_line_reject(), for a format with one %s, which stands for a part of the line. The part is made safe
 * to show. */
enum sb_line_result sb_line_reject_text(struct sb_line *line, const char *before, const char *text, size_t length,
                                        const char *after);

/* Replaces the text by the `length` bytes at `from`, which are in the text. */
void sb_line_keep(struct sb_line *line, const char *from, size_t length);

/* ---- the fields between separators ---- */

struct sb_fields {
    size_t first, last;    /* the fields to keep, from 1; `last` may be SIZE_MAX */
    const char *separator; /* NULL: blanks, any number of them; borrowed */
    char titles[2];        /* what separates the titles that the fields are; titles[0] is 0 if they are none */
};

/* `titles`: what separates titles, as in struct sb_item_names. The separators between titles remain, and quotation
 * marks protect separators. */
enum sb_status sb_fields_open(const char *field, const char *separator, char titles, struct sb_error *error,
                              struct sb_fields *fields);
enum sb_line_result sb_fields_take(const struct sb_fields *fields, struct sb_line *line);

/* ---- line_parts.c: the first group of a regular expression ---- */

struct sb_match;

struct sb_match_limits {
    const volatile sig_atomic_t *stop; /* the stop flag; may be NULL */
    double deadline;                   /* as sb_clock_now() counts */
    double timeout;                    /* seconds to wait for the next deck */
    bool found;                        /* whether a line since the last look at the clock has a deck */
};

/* Compiles a regular expression of PCRE2. In lines that are UTF-8, a character is that of UTF-8; in other lines, a
 * byte. The caller closes *match. Errors: SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_match_open(const char *pattern, struct sb_error *error, struct sb_match **match);
void sb_match_close(struct sb_match *match); /* may be NULL */

/* Replaces the text by the group. Rejects a line for which the match takes too long or too much memory. Returns
 * SB_LINE_STOPPED if the stop flag is raised. */
enum sb_line_result sb_match_take(struct sb_match *match, struct sb_match_limits *limits, struct sb_line *line);

/* ---- line_json.c: a value in a line of JSON ---- */

struct json_t; /* Jansson's */

struct sb_json_path {
    const char *path;  /* borrowed */
    const char *names; /* the items' names, as in `cards`; NULL: not given; borrowed */
    char titles;       /* what separates items that are titles; 0: they are words */
    size_t count;
    struct {
        size_t start, length; /* place of the key in `path`; length 0: the step is an index */
        size_t index, end;    /* `index`: SIZE_MAX is each item; `end`: end of the step in `path` */
    } step[SB_JSON_STEPS_MOST];
};

/* Parses a path such as .deck, .game.hands[0] or a single point, which stands for the whole line. Error: SB_INVALID. */
enum sb_status sb_json_path_open(const char *path, const char *names, struct sb_error *error,
                                 struct sb_json_path *json);
enum sb_line_result sb_json_path_take(const struct sb_json_path *json, struct sb_line *line);

/* Follows the path from its step `from` on, and calls `each` with each value that it leads to, until a line is not
 * taken. The text of the line has room for the text of the value. */
enum sb_line_result sb_json_path_each(const struct sb_json_path *json, size_t from, const struct json_t *value,
                                      struct sb_line *line,
                                      enum sb_line_result (*each)(void *state, struct sb_line *line), void *state);

/* Whether the path has [*], which stands for each item of an array. */
bool sb_json_path_all(const struct sb_json_path *json);

/* Whether a path that begins with [*] leads from the values of an array to the items of one deck. */
bool sb_json_path_gathers(const struct sb_json_path *json, const struct json_t *array);

/* ---- file_formats.c: files whose decks are not one a line ---- */

enum { SB_FILE_LOOK = 1 << 16 }; /* the most bytes that show the format of a file */

enum sb_file_look { SB_FILE_NO, SB_FILE_MORE, SB_FILE_YES }; /* MORE: more bytes could show the format */

/* The records of a file, and the lines that they become. */
struct sb_records {
    struct sb_subject form; /* how the file is read; its strings are borrowed */
    const char *text;       /* [there] the bytes that are not taken yet, and a 0; borrowed */
    size_t there;
    bool ended;    /* whether no bytes follow */
    uint64_t line; /* number of the first line of the text */

    char *made; /* [length] the lines that were made of the last record; owned */
    size_t length, room;
    bool lacking;         /* whether memory ran out */
    struct sb_line wrong; /* wrong.wrong[0] is not 0 if the record is wrong */

    /* JSON */
    struct sb_json_path path; /* count 0 and no `path`: not opened yet */
    size_t first;             /* the first step of the path for a value: 1 if the array is taken item by item */
    bool inside, comma;       /* whether the text is in such an array; whether a comma must come next */
    struct json_t *items;     /* values of this array that may be the items of one deck; owned; NULL: they are not */
    size_t items_length;      /* bytes of their text */
    size_t scanned, depth;    /* bytes of the value that are known not to end it; open brackets after these bytes */
    bool quoted, escaped;     /* whether these bytes end in a string, and after a backslash in it */

    /* bridge */
    char board[24]; /* the board of the next deal; empty: unknown */
    uint64_t last;  /* a hash of the last deal and its board */
};

/* A format of files. */
struct sb_file_format {
    const char *name;         /* "a JSON document" */
    const char *const *seats; /* [4] what it calls four hands; NULL: nothing */
    /* Whether a text that begins with these bytes, after which there is a 0, has this format. */
    enum sb_file_look (*begins)(const struct sb_subject *form, const char *text, size_t length);
    /* Takes the next record: adds a line for each of its decks. Returns the bytes of the record; 0 if it is not
     * complete. */
    size_t (*take)(struct sb_records *records);
};

extern const struct sb_file_format sb_file_json;

/* Adds text to the lines. */
void sb_records_put(struct sb_records *records, const char *text, size_t length);

/* Puts the stage before the bytes, unless the subject says where the deck is in a line. Takes ownership of `bytes`,
 * even after a failure. The source must have no positions. Error: SB_NO_MEMORY. */
enum sb_status sb_formats_new(struct sb_bytes *bytes, const struct sb_subject *form, struct sb_error *error,
                              struct sb_bytes **plain);

/* A stage that decompresses gzip data (RFC 1952) if the bytes begin with its magic number, 1f 8b. Several members may
 * follow one another, as after `cat 2.gz 1.gz`, and plain bytes after them pass unchanged, as after `cat 1.gz log`. All
 * other bytes pass unchanged and uncopied, except the first ones. */

bool sb_gzip_begins(const unsigned char bytes[], size_t count);

/* Makes the stage. Takes ownership of `bytes`, even after a failure. The source must have no positions, because a
 * position in compressed data is none in the text. Error: SB_NO_MEMORY. read() returns SB_SUBJECT if the data is
 * damaged or truncated, after all bytes before the fault; the line of the error says how much was read. */
enum sb_status sb_gzip_new(struct sb_bytes *bytes, struct sb_error *error, struct sb_bytes **plain);

/* Positions in a log with rotated files. These functions find the file that a position refers to, and the
 * file that comes next. */

/* The first bytes of a file at the time of reading, so that positions stay valid even if the file changes. If a program
 * that keeps its place in the file goes on after a truncation, the file begins with bytes of 0, which say nothing. */
struct sb_log_position_head {
    uint64_t inode;
    uint64_t zeros; /* number of bytes of 0 before the head */
    size_t had;
    unsigned char byte[SB_LOG_POSITION_HEAD]; /* [had] the bytes that have been read */
};

/*
 * Functions that return an int return 0 or an errno. A missing file is not a failure: the function returns 0 and sets
 * the descriptor to -1. A failure leaves the outputs unchanged. Callers must not treat a failure like a missing file.
 */

/* Reads the first bytes of an open file after `zeros`, as far as they are before `offset`. */
int sb_log_position_open_head(int descriptor, uint64_t zeros, uint64_t offset, struct sb_log_position_head *head);

/* Takes bytes that were read at `offset`, and adds to the head the bytes that belong to the head. */
void sb_log_position_add(struct sb_log_position_head *head, uint64_t offset, const char bytes[], size_t count);

/* Returns the position after `offset` bytes of the file. The head may have more bytes, which were read after the
 * position: they, too, show whether a file is the same. */
struct sb_log_position sb_log_position_of(const struct sb_log_position_head *head, uint64_t offset);

/* Sets *fits to whether an open file is the file of the position: it has the same head, and is long enough. */
int sb_log_position_fits(int descriptor, const struct sb_log_position *position, bool *fits);

/* Opens the file of the position. This is the file FILE at `path`, or FILE.0, FILE.1 and so on. Skips files
 * without read permission. */
int sb_log_position_find(const char *path, const struct sb_log_position *position, int *descriptor);

/*
 * Opens the successor of the file with this inode, that is, the first later file with content, or else the first later
 * file. If the file with this inode is now FILE.2, FILE.1 and FILE are later, or FILE.3, FILE.4, ... and FILE where the
 * numbers rise with time. In all other cases the successor is the file at `path`. Sets *descriptor to -1 if there is no
 * successor, or if another program is renaming files. Sets *beside to whether the file with this inode is there under
 * such a name. If not, files between that file and the successor may be gone.
 */
int sb_log_position_next(const char *path, ino_t inode, int *descriptor, bool *beside);

/* Opens a regular file for reading, without blocking. If the path is not a regular file, the file is treated
 * as missing. */
int sb_log_position_open(const char *path, int *descriptor);

enum {
    SB_STDERR_RELAY_LINE = 400, /* the most bytes of a line to keep */
    SB_STDERR_RELAY_LINES = 10, /* the most lines to relay before the end */
};

/* Initialise the struct as { .tell = ..., .state = ..., }. */
struct sb_stderr_relay {
    sb_overheard *tell; /* the callback that receives the lines; may be NULL */
    void *state;
    uint64_t lines; /* number of lines so far */
    size_t length;  /* length of the incomplete line; SB_STDERR_RELAY_LINE + 1 if the line is too long */
    char line[SB_STDERR_RELAY_LINE + 2];
    char last[SB_STDERR_RELAY_LINE + 2]; /* the last complete line that was not relayed */
};

/* Takes the next bytes of standard error, and relays all lines that are now complete. */
void sb_stderr_relay_take(struct sb_stderr_relay *relay, const char text[], size_t length);

/* Relays an incomplete line; then says how many lines were left out, and relays the last of them. */
void sb_stderr_relay_end(struct sb_stderr_relay *relay);

#endif
