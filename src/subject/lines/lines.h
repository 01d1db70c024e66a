/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stage between a source of bytes and the parser of a stream. The stage replaces each line by the deck in
 * the line: by some of the line's fields, by a group of a regular expression, or by a value in JSON; and it
 * replaces the names of playing cards by numbers from 0.
 *
 * Each line keeps its length: the deck comes first, and blanks fill the rest. So line numbers and positions
 * in a log are those of the source. Lines that are skipped become blank.
 */
#ifndef SB_SUBJECT_LINES_LINES_H
#define SB_SUBJECT_LINES_LINES_H

#include "subject/stream/bytes.h"

/* Where the deck is in a line, and how its items are written. */
struct sb_line_form {
    /* as in struct sb_subject; NULL: not given */
    const char *field, *separator, *match, *json_path;
    const char *names;                 /* as `cards` in struct sb_form; NULL: not given */
    bool cards;                        /* whether to look for playing cards in the first line */
    size_t n, deal;                    /* as in struct sb_form; 0: not given */
    const volatile sig_atomic_t *stop; /* the stop flag, which ends a match; may be NULL */
    double timeout;                    /* as in struct sb_form */
    sb_overheard *tell; /* receives a line about skipped lines, at the end of the bytes; may be NULL */
    void *state;
};

/* Whether the form says where the deck is in a line. */
bool sb_lines_extract(const struct sb_line_form *form);

/* Checks the options in a form. Errors: SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_lines_check(const struct sb_line_form *form, struct sb_error *error);

/*
 * Makes the stage. Takes ownership of `bytes`, even after a failure. The texts in the form are borrowed. If
 * the form extracts nothing, and the first line has no playing cards, the bytes pass unchanged and uncopied,
 * except that blanks replace a byte order mark. Errors: those of sb_lines_check(). read() returns SB_SUBJECT
 * for a line without a deck, if no line matches, and if a match takes too long; the line of the error names the
 * place. read() returns SB_STOPPED if the stop flag ends a match.
 */
enum sb_status sb_lines_new(struct sb_bytes *bytes, const struct sb_line_form *form, struct sb_error *error,
                            struct sb_bytes **lines);

#endif
