/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts a subject, which becomes a named feed of permutations. */
#ifndef SB_SUBJECT_FEED_START_H
#define SB_SUBJECT_FEED_START_H

#include "core/core.h"
#include "subject/stream/bytes.h"

struct sb_mismatch;

/* How a feed waits for a subject that may be silent for long. */
struct sb_waiting {
    const volatile sig_atomic_t *stop;
    void (*idle)(void *state); /* called several times per second while no bytes arrive; may be NULL */
    void *idle_state;
    /* whether the feed of a file keeps track of the position in the file; if true, the feed starts at
     * `following.from` and may continue when the file grows */
    bool positions;
    struct sb_following following;
};

/*
 * Starts the subject without waiting. The feed's n and deal may be 0 until the first permutations arrive. For
 * a chained subject, the feed's permutations are the increments. The caller frees the feed. Errors: those of
 * sb_gate_new().
 */
enum sb_status sb_feed_start(const struct sb_subject *subject, const struct sb_waiting *waiting,
                             struct sb_error *error, struct sb_feed **feed);

/* Waits for the first permutations, and takes at most `most` of them. They are then in feed->items, and determine n.
 * Errors: those of sb_gate_new(). */
enum sb_status sb_feed_first(struct sb_feed *feed, uint64_t most, struct sb_error *error);

/* Does what sb_feed_start() and sb_feed_first() do. The caller frees the feed. */
enum sb_status sb_feed_open(const struct sb_subject *subject, const volatile sig_atomic_t *stop,
                            uint64_t most, struct sb_error *error, struct sb_feed **feed);

/* sb_subject_kind() returns the kind that a feed of the subject would have. sb_subject_name() returns the
 * name that the feed would have; for a scheme, it returns the text of the scheme. The caller frees the name.
 * NULL if memory runs out. */
const char *sb_subject_kind(const struct sb_subject *subject);
char *sb_subject_name(const struct sb_subject *subject);

/* Returns a hash of a command's words and of the folder in which it starts (FNV-1a, 64 bits), which identifies
 * the command even if its stored name is truncated. Returns 0 for other subjects. */
uint64_t sb_subject_words(const struct sb_subject *subject);

/*
 * Returns a hash (FNV-1a, 64 bits; never 0) of what the name of a feed leaves out: all words of a command, its
 * folder, the whole path of a file, and how the stream is read. Subjects that have the same name may be different
 * shuffles. The hash does not depend on the seed of a scheme.
 */
uint64_t sb_subject_identity(const struct sb_subject *subject);

/*
 * Compares the subject with a saved subject, which had this kind, name and hash of words. If there is a
 * difference, *differs receives both values. The name of the field in *differs is "draw", "rng" or the
 * subject's kind. Errors: SB_INVALID if a scheme cannot be parsed; SB_NO_MEMORY.
 */
enum sb_status sb_subject_differs(const struct sb_subject *subject, const char *kind, const char *name,
                                  uint64_t words, struct sb_error *error, struct sb_mismatch *differs);

/* Checks that the feed has read a permutation, and that n is at least 2. Error: SB_SUBJECT. */
enum sb_status sb_feed_check(const struct sb_feed *feed, struct sb_error *error);

/* Checks that the subject's options agree with each other, as far as this is possible before the start.
 * Errors: SB_INVALID, SB_TOO_LARGE, SB_NO_MEMORY. */
enum sb_status sb_subject_check(const struct sb_subject *subject, struct sb_error *error);

#endif
