/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A started subject: a feed of permutations with a name. */
#ifndef SB_SUBJECT_FEED_START_H
#define SB_SUBJECT_FEED_START_H

#include "core/feed.h"
#include "subject/stream/bytes.h"

struct sb_mismatch;

/* How a feed waits for a subject that may be silent for long. */
struct sb_waiting {
    const volatile sig_atomic_t *stop;
    void (*idle)(void *state); /* called several times per second while nothing arrives; may be NULL */
    void *idle_state;
    bool bookmarks; /* a file's feed has bookmarks; it begins at the one in `following`, and goes on beyond
                       the end where that is said there */
    struct sb_following following;
};

/*
 * Starts the subject and does not wait: the feed's n and deal may be 0 until there are permutations. Of a
 * chained subject these are the steps. The caller frees the feed. Errors as sb_gate_new().
 */
enum sb_status sb_feed_start(const struct sb_subject *subject, const struct sb_waiting *waiting,
                             struct sb_error *error, struct sb_feed **feed);

/*
 * Starts the subject and waits for its first permutations, at most `most`, from which n is known: they are
 * in feed->items. The caller frees the feed. Errors as sb_gate_new().
 */
enum sb_status sb_feed_open(const struct sb_subject *subject, const volatile sig_atomic_t *stop,
                            uint64_t most, struct sb_error *error, struct sb_feed **feed);

/* The kind that a feed of the subject would have, and its name if it is no scheme; the caller frees that.
 * NULL without memory. */
const char *sb_subject_kind(const struct sb_subject *subject);
char *sb_subject_name(const struct sb_subject *subject);

/* A hash of a command's words, since its stored name may be truncated: FNV-1a of 64 bits; 0 for other
 * subjects. */
uint64_t sb_subject_words(const struct sb_subject *subject);

/*
 * In what the subject is another than the one that evidence was saved of, which had this kind, name and hash
 * of words: the field is its own kind, "draw" or "rng". SB_INVALID: a scheme that cannot be read;
 * SB_NO_MEMORY.
 */
enum sb_status sb_subject_differs(const struct sb_subject *subject, const char *kind, const char *name,
                                  uint64_t words, struct sb_error *error, struct sb_mismatch *differs);

/* Whether a permutation was read, and there is anything to be tested about its items. SB_SUBJECT. */
enum sb_status sb_feed_check(const struct sb_feed *feed, struct sb_error *error);

/* Checks that the options fit together, as far as possible before the start. SB_INVALID, SB_TOO_LARGE,
 * SB_NO_MEMORY. */
enum sb_status sb_subject_check(const struct sb_subject *subject, struct sb_error *error);

#endif
