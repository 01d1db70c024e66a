/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A started subject: a feed of permutations with a name. */
#ifndef SB_SUBJECT_FEED_START_H
#define SB_SUBJECT_FEED_START_H

#include "core/feed.h"
#include "subject/stream/bytes.h"

struct sb_mismatch;

/* A started subject. */
struct sb_trial {
    struct sb_feed *feed; /* owned; a chained subject's feed gives the steps between permutations */
    char *name;           /* for people; owned */
    const char *kind;     /* "scheme", "command", "file" or "callback"; static */
    bool replays;         /* a restart gives the same permutations again */
    const sb_item
        *items; /* [count * feed->deal] its first permutations, valid until the next call of the feed */
    size_t count;
};

/* How to wait for a subject that may be silent for a long time. */
struct sb_waiting {
    const volatile sig_atomic_t *stop;
    void (*idle)(void *state); /* called several times per second while nothing arrives; may be NULL */
    void *idle_state;
    bool bookmarks; /* a file's trial has bookmarks; it begins at the one in `following`, and goes on beyond
                       the end where that is said there */
    struct sb_following following;
};

/*
 * Starts the subject without waiting: trial->count is 0, and the feed's n and deal may be 0 until
 * permutations arrive. The caller ends it with sb_trial_close(). Errors as sb_gate_new().
 */
enum sb_status sb_trial_start(const struct sb_subject *subject, const struct sb_waiting *waiting,
                              struct sb_error *error, struct sb_trial *trial);

/*
 * Starts the subject and waits for its first permutations, at most `most`, which determine n. The caller
 * ends it with sb_trial_close(). Errors as sb_gate_new().
 */
enum sb_status sb_trial_open(const struct sb_subject *subject, const volatile sig_atomic_t *stop, size_t most,
                             struct sb_error *error, struct sb_trial *trial);
void sb_trial_close(struct sb_trial *trial);

/* The kind that the subject would have once started, and its name if it is not a scheme. The caller frees the
 * name; NULL if memory runs out. */
const char *sb_subject_kind(const struct sb_subject *subject);
char *sb_subject_name(const struct sb_subject *subject);

/* A hash of a command's words, since its stored name may be truncated: FNV-1a of 64 bits; 0 for other
 * subjects. */
uint64_t sb_subject_words(const struct sb_subject *subject);

/*
 * In what the subject is another than the one that evidence was saved of, which had this kind, name and hash
 * of words: the field is its own kind, "--draw" or "--rng". SB_INVALID: a scheme that cannot be read;
 * SB_NO_MEMORY.
 */
enum sb_status sb_subject_differs(const struct sb_subject *subject, const char *kind, const char *name,
                                  uint64_t words, struct sb_error *error, struct sb_mismatch *differs);

/* SB_SUBJECT: there is no permutation, or too few items for a test. */
enum sb_status sb_trial_check(const struct sb_trial *trial, struct sb_error *error);

/* The next permutations, at most `most`: trial->items and trial->count, which is 0 at the end. */
enum sb_status sb_trial_next(struct sb_trial *trial, size_t most, struct sb_error *error);

/* Checks that the options fit together, as far as possible before the start. SB_INVALID, SB_TOO_LARGE,
 * SB_NO_MEMORY. */
enum sb_status sb_subject_check(const struct sb_subject *subject, struct sb_error *error);

#endif
