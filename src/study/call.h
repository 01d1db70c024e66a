/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests and results of callers of the library: what the files call*.c share. */
#ifndef SB_STUDY_CALL_H
#define SB_STUDY_CALL_H

#include "study/results.h"

/* A list of texts, followed by NULL. */
struct sb_call_texts {
    size_t count;
    const char **text;
};

/* What a caller of the library sets beside options. */
struct sb_call {
    struct sb_call_texts owned;   /* all values; the texts are owned */
    struct sb_call_texts schemes; /* or the statistic of a law */
    struct sb_call_texts words;   /* permutations, or parts */
    struct sb_call_texts program;
    const char *file, *name, *cwd;
    size_t size;
    sb_own_shuffle *shuffle;
    sb_drawn_shuffle *drawn;
    void *shuffle_state;
    sb_event *event;
    void *event_state;
    volatile sig_atomic_t stop, reopen, group;
    struct sb_request **gates; /* [gates_count] of a suite; borrowed */
    size_t gates_count;
    sb_suite_finished *finished; /* of a suite; may be NULL */
    void *finished_state;        /* passed to finished */
    const struct sb_ranks *ranks;
    struct sb_feed *dealt; /* the decks of sb_next(); owned */
    struct sb_error error;
};

struct sb_result {
    unsigned of;                       /* the command */
    const struct sb_result_type *type; /* NULL: the result has no formats */
    union {
        void *made; /* that of the command: */
        struct sb_reports *reports;
        struct sb_suite *suite;
        struct sb_watch *watch;
        struct sb_explain *explain;
        struct sb_odds *odds;
        struct sb_plan *plan;
        struct sb_null_law *law;
        struct sb_zoo *zoo;
        struct sb_costs *costs;
    };
    struct sb_look look;
    char *figure, *text;
    struct json_t *json;         /* the result in JSON, once a value was asked for */
    struct sb_call_texts values; /* the texts that sb_get() returned; owned */
    struct sb_error error;
};

/* Runs a request, whose callbacks are set; NULL: an error. A gate whose run fails has a result that says so. The caller
 * frees the result by sb_result_free(). */
struct sb_result *sb_call_run(struct sb_request *request, struct sb_error *error);

/* Returns the result in JSON, which the result owns; NULL after an error. */
struct json_t *sb_call_json(struct sb_result *result);

/* Appends a copy of a text, and returns the copy; NULL if memory runs out. */
const char *sb_call_texts_copy(struct sb_call_texts *texts, const char *text);

/* Frees the texts and the list. */
void sb_call_texts_free(struct sb_call_texts *texts);

/* The callbacks of a run; the state is a struct sb_call. */
sb_progress sb_call_progress;
sb_overheard sb_call_line, sb_call_note;
sb_alarmed sb_call_alarm;
sb_gate_bound sb_call_bound;
sb_suite_finished sb_call_finished;

/* Tells a watch's caller that the watch is idle. */
void sb_call_idle(void *call);

#endif
