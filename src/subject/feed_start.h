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
    bool
        positions; /* a file's feed knows its position: it starts at `following.from`, and may follow the file
                       beyond its end */
    struct sb_following following;
};

/*
 * Starts the subject without waiting: the feed's n and deal may be 0 until there are permutations. For a
 * chained subject, the permutations are the steps. The caller frees the feed. Errors as sb_gate_new().
 */
enum sb_status sb_feed_start(const struct sb_subject *subject, const struct sb_waiting *waiting,
                             struct sb_error *error, struct sb_feed **feed);

/*
 * Starts the subject and waits for its first permutations, at most `most`, which are in feed->items and
 * determine n. The caller frees the feed. Errors as sb_gate_new().
 */
enum sb_status sb_feed_open(const struct sb_subject *subject, const volatile sig_atomic_t *stop,
                            uint64_t most, struct sb_error *error, struct sb_feed **feed);

/* Returns the kind that a feed of the subject would have, and its name unless it is a scheme; the caller
 * frees the name. NULL if memory runs out. */
const char *sb_subject_kind(const struct sb_subject *subject);
char *sb_subject_name(const struct sb_subject *subject);

/* Returns a hash of a command's words, because its stored name may be truncated: FNV-1a of 64 bits; 0 for
 * other subjects. */
uint64_t sb_subject_words(const struct sb_subject *subject);

/*
 * Notes how the subject differs from the saved one, which had this kind, name and hash of words. The field is
 * the subject's kind, "draw" or "rng". SB_INVALID: a scheme that cannot be parsed; SB_NO_MEMORY.
 */
enum sb_status sb_subject_differs(const struct sb_subject *subject, const char *kind, const char *name,
                                  uint64_t words, struct sb_error *error, struct sb_mismatch *differs);

/* Checks that a permutation was read, and that its items can be tested. SB_SUBJECT. */
enum sb_status sb_feed_check(const struct sb_feed *feed, struct sb_error *error);

/* Checks that the options fit together, as far as possible before the start. SB_INVALID, SB_TOO_LARGE,
 * SB_NO_MEMORY. */
enum sb_status sb_subject_check(const struct sb_subject *subject, struct sb_error *error);

#endif
