/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps that find the deck in a line. Each step replaces the line's text by a part of it, in place. */
#ifndef SB_SUBJECT_LINES_LINE_PARTS_H
#define SB_SUBJECT_LINES_LINE_PARTS_H

#include "core/calls.h"
#include "subject/lines/playing_cards.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SB_LINE_WRONG = 300, /* bytes of a message */
    SB_LINE_SHOWN = 24,  /* the most bytes of a line's text in a message */
    SB_JSON_STEPS_MOST = 16,
    SB_MATCH_PATTERN_MOST = 4096, /* bytes of a regular expression */
    SB_MATCH_LINE_MOST = 1 << 20, /* bytes of a line to match */
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
__attribute__((format(printf, 2, 3))) enum sb_line_result sb_line_reject(struct sb_line *line,
                                                                         const char *format, ...);

/* Like sb_line_reject(), for a format with one %s, which stands for a part of the line. The part is made safe
 * to show. */
enum sb_line_result sb_line_reject_text(struct sb_line *line, const char *before, const char *text,
                                        size_t length, const char *after);

/* Replaces the text by the `length` bytes at `from`, which are in the text. */
void sb_line_keep(struct sb_line *line, const char *from, size_t length);

/* ---- line_field.c: fields between separators ---- */

struct sb_fields {
    size_t first, last;    /* the fields to keep, from 1; `last` may be SIZE_MAX */
    const char *separator; /* NULL: blanks, any number of them; borrowed */
};

/* Parses "N", "N-" or "N-M", as cut(1) does. Error: SB_INVALID. */
enum sb_status sb_fields_open(const char *field, const char *separator, struct sb_error *error,
                              struct sb_fields *fields);
enum sb_line_result sb_fields_take(const struct sb_fields *fields, struct sb_line *line);

/* ---- line_match.c: the first group of a regular expression ---- */

struct sb_match;

/* When to give up a match. */
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
enum sb_line_result sb_match_take(struct sb_match *match, struct sb_match_limits *limits,
                                  struct sb_line *line);

/* ---- line_json.c: a value in a line of JSON ---- */

struct sb_json_path {
    const char *path;  /* borrowed */
    const char *names; /* the items' names, separated by blanks or commas; NULL: not given; borrowed */
    size_t count;
    struct {
        size_t start, length; /* place of the key in `path`; length 0: the step is an index */
        size_t index, end;    /* `end`: end of the step in `path` */
    } step[SB_JSON_STEPS_MOST];
};

/* Parses a path such as .deck, .game.hands[0] or a single point, which stands for the whole line. Error:
 * SB_INVALID. */
enum sb_status sb_json_path_open(const char *path, const char *names, struct sb_error *error,
                                 struct sb_json_path *json);
enum sb_line_result sb_json_path_take(const struct sb_json_path *json, struct sb_line *line);

/* ---- line_cards.c: a line of cards ---- */

struct sb_line_cards {
    bool possible; /* whether the next line decides if the stream has playing cards */
    bool on;       /* whether the stream has playing cards */
    enum sb_card_notation notation;
    size_t deal; /* cards of a deal; 0: all 52 */
};

/* Whether the line has more than blanks and a comment. */
bool sb_line_has_content(const struct sb_line *line);

/* Counts the cards in a text that has only cards; 0 if it has anything else. */
size_t sb_line_cards_count(const char *text);

/* Decides by a line with content: the stream has playing cards if the line's first two words are cards, or
 * its only word. If the line is not complete, and too short to decide, cards->possible stays true. */
void sb_line_cards_decide(struct sb_line_cards *cards, const struct sb_line *line, bool complete);

/* Replaces cards by numbers from 0. Rejects a word that is not a card or a repeated card, and a wrong number
 * of cards. */
enum sb_line_result sb_line_cards_take(const struct sb_line_cards *cards, struct sb_line *line);

#endif
