/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The watch: a gate without an end, for a shuffle in use. docs/watch.md */
#ifndef SHUFFLEBIAS_WATCHES_H
#define SHUFFLEBIAS_WATCHES_H

#include "shufflebias/basics.h"
#include "shufflebias/subjects.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An alarm of a watch. Opaque; valid until the callback sb_alarmed() returns. */
struct sb_alarm;

/*
 * Receives each alarm, in the thread that called sb_watch_new(). The watch continues if the callback returns
 * 0. Another value says that the callback failed: the watch saves its evidence, which has the alarm, and ends
 * with SB_STOPPED. To end the watch without an error, raise the stop flag.
 */
typedef int sb_alarmed(void *state, const struct sb_alarm *alarm);

/*
 * What a watch does. Fill the struct with sb_watch_options_init() and change what you need. The caller keeps
 * all strings and pointers alive until the call returns.
 */
struct sb_request {
    /*
     * The probability that a fair shuffle ever raises an alarm is at most alpha. With `window`, alpha has
     * another meaning: a fair shuffle raises on average at most one alarm in 1/alpha permutations. alpha is
     * in [1e-100, 1); the default is 1e-9.
     */
    double alpha;
    /* the highest probability that a bound on total variation is ever wrong; default 1e-6 */
    double delta;
    const char *profile; /* as in struct sb_request */
    bool increments;     /* as in struct sb_request */
    /* also detects changes that begin late; the watch may then raise several alarms */
    bool window;
    bool follow;               /* the subject is a file that other programs append to and may rotate */
    uint64_t limit;            /* the largest number of permutations in this run; 0: no limit */
    const char *save;          /* a file for the evidence, from which the next run resumes; or NULL */
    double checkpoint;         /* seconds between writes of `save`, above 0; default 60 */
    const char *metrics;       /* a file of metrics for Prometheus; or NULL */
    double interval;           /* seconds between writes of `metrics`, above 0; default 5 */
    sb_alarmed *alarmed;       /* receives alarms; this and all later pointers may be NULL */
    void *alarmed_state;       /* passed to alarmed */
    void (*idle)(void *state); /* sb_watch_new() calls this several times a second */
    void *idle_state;          /* passed to idle */
    /* receives messages: what the watch waits for, what it has lost, what it cannot write */
    sb_overheard *tell;
    void *tell_state;                  /* passed to tell */
    volatile sig_atomic_t *reopen;     /* nonzero makes the watch open a followed file again */
    const volatile sig_atomic_t *stop; /* nonzero ends the watch */
};

/* Sets every field to its default. Example: watch_deals.c. */
SB_API void sb_watch_options_init(struct sb_request *options);

/* The state of a watch at its end. Opaque and immutable. */
struct sb_watch;

/*
 * Watches a subject, in constant memory, until the subject ends, the stop flag is raised or the limit is
 * reached. A subject whose timeout is 0 may be silent indefinitely. The caller frees *watch with
 * sb_watch_free(). Errors: those of sb_gate_new(), but SB_STOPPED means that options->alarmed failed;
 * SB_INVALID also if options->save holds the evidence of another run. After SB_SUBJECT the file options->save
 * holds the evidence from before the failure. Example: watch_deals.c.
 */
SB_API enum sb_status sb_watch_new(const struct sb_subject *subject, const struct sb_request *options,
                                   struct sb_error *error, struct sb_watch **watch);

/* Frees the watch; NULL is allowed. Example: watch_deals.c. */
SB_API void sb_watch_free(struct sb_watch *watch);

/* The main numbers of a watch. The string `sentence` lives as long as the watch. */
struct sb_watch_summary {
    uint64_t total, alarms;       /* the numbers of permutations and alarms, including earlier runs */
    double ln_e, tv_low, tv_high; /* values as in struct sb_gate_summary, for all permutations */
    bool interrupted;             /* the stop flag ended the watch */
    const char *sentence;         /* the result in words */
};

/* Copies the summary. Example: watch_deals.c. */
SB_API void sb_watch_summary_get(const struct sb_watch *watch, struct sb_watch_summary *summary);

/*
 * Writes the watch as "text", "markdown", "json", "html" or "svg". Otherwise the function is like
 * sb_reports_write(). Example: watch_deals.c.
 */
SB_API enum sb_status sb_watch_write(const struct sb_watch *watch, const char *format,
                                     const struct sb_look *look, struct sb_error *error, FILE *stream);

/*
 * Writes the watch to memory in a format of sb_watch_write(). Otherwise the function is like
 * sb_reports_text(). Example: text_in_memory.c.
 */
SB_API enum sb_status sb_watch_text(const struct sb_watch *watch, const char *format,
                                    const struct sb_look *look, struct sb_error *error, char **text,
                                    size_t *length);

/* Writes an alarm; the format is "json". Errors: SB_INVALID, SB_IO, SB_NO_MEMORY. Example: watch_deals.c. */
SB_API enum sb_status sb_alarm_write(const struct sb_alarm *alarm, const char *format, struct sb_error *error,
                                     FILE *stream);

/* Writes an alarm to memory; otherwise like sb_alarm_write() and sb_reports_text(). Example: watch_deals.c. */
SB_API enum sb_status sb_alarm_text(const struct sb_alarm *alarm, const char *format, struct sb_error *error,
                                    char **text, size_t *length);

/* Returns the alarm in words. The string lives as long as the alarm. Example: watch_deals.c. */
SB_API const char *sb_alarm_sentence(const struct sb_alarm *alarm);

#ifdef __cplusplus
}
#endif

#endif
