/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The watch: a gate without an end, for a shuffle in use. docs/watch.md */
#ifndef SHUFFLEBIAS_WATCHES_H
#define SHUFFLEBIAS_WATCHES_H

#include "shufflebias/basics.h"
#include "shufflebias/subjects.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An alarm of a watch. Opaque; it lives until the callback that receives it returns. */
struct sb_alarm;

/* Receives each alarm in the thread that watches. The watch continues when the callback returns. */
typedef void sb_alarmed(void *state, const struct sb_alarm *alarm);

/*
 * What a watch does. Fill the struct with sb_watch_options_init() and change what you need. The caller keeps
 * all strings and pointers alive until the call returns.
 */
struct sb_watch_options {
    /*
     * A fair shuffle ever raises an alarm with at most this probability, or with `window` raises at most one
     * alarm in 1/alpha permutations on average; in [1e-100, 1); 1e-9.
     */
    double alpha;
    double delta; /* the bounds on total variation are ever wrong with at most this probability; 1e-6 */
    const char *profile; /* as in struct sb_gate_options */
    bool increments;     /* as in struct sb_gate_options */
    /* detects changes that begin late; the watch may then raise several alarms */
    bool window;
    bool follow;               /* the subject is a file that other programs append to and may rotate */
    uint64_t limit;            /* the most permutations to look at in this run; 0: no limit */
    const char *save;          /* file for the evidence; the next run resumes from it; or NULL */
    double checkpoint;         /* seconds between writes of that file, above 0; 60 */
    const char *metrics;       /* a file of metrics for Prometheus; or NULL */
    double interval;           /* seconds between writes of that file, above 0; 5 */
    sb_alarmed *alarmed;       /* receives alarms; may be NULL, as all pointers below */
    void *alarmed_state;       /* passed to alarmed */
    void (*idle)(void *state); /* the watch calls this in its thread several times a second or more */
    void *idle_state;          /* passed to idle */
    /* receives messages about what the watch waits for, has lost or cannot write */
    sb_overheard *tell;
    void *tell_state;                  /* passed to tell */
    volatile sig_atomic_t *reopen;     /* nonzero makes the watch open a followed file again */
    const volatile sig_atomic_t *stop; /* nonzero ends the watch */
};

/* Sets every field to its default. Example: watch_deals.c. */
SB_API void sb_watch_options_init(struct sb_watch_options *options);

/* The state of a watch at its end. Opaque and immutable. */
struct sb_watch;

/*
 * Watches a subject until the subject, the stop flag or the limit ends the watch, in constant memory. A
 * subject without a timeout of its own may be silent indefinitely. The caller frees *watch with
 * sb_watch_free(). Errors: those of sb_gate_new() except SB_STOPPED; SB_INVALID also if options->save holds
 * another run. After SB_SUBJECT the file options->save holds what came before. Example: watch_deals.c.
 */
SB_API enum sb_status sb_watch_new(const struct sb_subject *subject, const struct sb_watch_options *options,
                                   struct sb_error *error, struct sb_watch **watch);

/* Frees the watch; NULL is allowed. Example: watch_deals.c. */
SB_API void sb_watch_free(struct sb_watch *watch);

/* The main numbers. The sentence lives as long as the watch. */
struct sb_watch_summary {
    uint64_t total, alarms;       /* permutations and alarms, including those of earlier runs */
    double ln_e, tv_low, tv_high; /* values as in struct sb_gate_summary, for all permutations */
    bool interrupted;             /* the stop flag ended the watch */
    const char *sentence;         /* the result in words */
};

/* Copies the summary. Example: watch_deals.c. */
SB_API void sb_watch_summary_get(const struct sb_watch *watch, struct sb_watch_summary *summary);

/*
 * Writes the watch as "text", "markdown", "json", "html" or "svg". Otherwise it does what sb_reports_write()
 * does. Example: watch_deals.c.
 */
SB_API enum sb_status sb_watch_write(const struct sb_watch *watch, const char *format,
                                     const struct sb_look *look, struct sb_error *error, FILE *stream);

/* Writes an alarm; the format is "json". Errors: SB_INVALID, SB_IO, SB_NO_MEMORY. Example: watch_deals.c. */
SB_API enum sb_status sb_alarm_write(const struct sb_alarm *alarm, const char *format, struct sb_error *error,
                                     FILE *stream);

/* Returns the alarm in words. The string lives as long as the alarm. Example: watch_deals.c. */
SB_API const char *sb_alarm_sentence(const struct sb_alarm *alarm);

#ifdef __cplusplus
}
#endif

#endif
