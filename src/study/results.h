/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The calls that make results, and write them. A call that makes a result returns an enum sb_status; the caller frees
 * the result, with the function of that name that ends in _free, which allows NULL.
 */
#ifndef SB_STUDY_RESULTS_H
#define SB_STUDY_RESULTS_H

#include "report/result.h"
#include "store/store.h"

/* Returns what a request says about a subject, of a saved run or of its own, without naming the subject. */
struct sb_subject sb_request_subject(const struct sb_request *request);

/* Sets how many items a line of a scheme's sets or hands has, and of how many. `settled` are the options asked for,
 * with their defaults. Error: SB_INVALID. */
enum sb_status sb_request_group(const struct sb_request *asked, struct sb_error *error, struct sb_request *settled);

/* Writes the object `subject` for a scheme, with its citation if `cited`; null for NULL. */
void sb_scheme_json(struct sb_json *json, const struct sb_scheme *scheme, bool cited);

/* Serves a rank other than 0 until rank 0 calls sb_ranks_dismiss(). */
enum sb_status sb_ranks_serve(const struct sb_ranks *ranks, struct sb_error *error);

/* Copies entry `index`, counted from 0, to *entry. */
bool sb_entry_get(size_t index, struct sb_entry *entry);

/* Makes the reports on schemes[0..count-1], each written SHUFFLE, SHUFFLE/DRAW or SHUFFLE/DRAW/RNG. */
enum sb_status sb_reports_new(const char *const schemes[], size_t count, const struct sb_request *options,
                              struct sb_error *error, struct sb_reports **reports);
/* Makes a report on a subject that is not a scheme. */
enum sb_status sb_reports_observe(const struct sb_subject *subject, const struct sb_request *options,
                                  struct sb_error *error, struct sb_reports **reports);

/* Makes a report on a matrix of counts that another program recorded. */
enum sb_status sb_reports_recorded(const char *path, const struct sb_request *options, struct sb_error *error,
                                   struct sb_reports **reports);

/* Makes a report on a table of counts. */
enum sb_status sb_reports_counted(const char *path, const struct sb_request *options, struct sb_error *error,
                                  struct sb_reports **reports);

void sb_reports_free(struct sb_reports *reports);

/* Tests the subject until the verdict is known, and ends the subject. */
enum sb_status sb_gate_new(const struct sb_subject *subject, const struct sb_request *options, struct sb_error *error,
                           struct sb_gate **gate);
void sb_gate_free(struct sb_gate *gate);

/* Runs the gate on cases[0..count-1]; count is at least 1. */
enum sb_status sb_suite_new(const struct sb_suite_case cases[], size_t count, unsigned jobs, struct sb_error *error,
                            struct sb_suite **suite);
void sb_suite_free(struct sb_suite *suite);

/* Watches a subject, in constant memory, until the subject ends, the stop flag is raised or the limit is reached. */
enum sb_status sb_watch_new(const struct sb_subject *subject, const struct sb_request *options, struct sb_error *error,
                            struct sb_watch **watch);
void sb_watch_free(struct sb_watch *watch);

/* Computes the exact law of a C function. */
enum sb_status sb_prove_callback(const char *name, sb_drawn_shuffle *shuffle, void *state,
                                 const struct sb_request *proof, struct sb_error *error, struct sb_reports **reports);

/* Computes the exact law of a program: command[] holds its name and arguments, then NULL. */
enum sb_status sb_prove_command(const char *const command[], const struct sb_request *proof, struct sb_error *error,
                                struct sb_reports **reports);

/* Makes the report of the run whose evidence is at `path`; with options->save, resumes the run first. The evidence must
 * agree with the options that were given, and with the scheme, which may be NULL. */
enum sb_status sb_reports_saved(const char *path, const char *scheme, const struct sb_request *options,
                                struct sb_error *error, struct sb_reports **reports);

/* Adds up shards of one run. */
enum sb_status sb_saved_merge(const char *const paths[], size_t count, bool partial, const struct sb_request *options,
                              struct sb_error *error);

/* Computes the exact odds of permutations[0..count-1]. */
enum sb_status sb_odds_new(const char *scheme, const char *const permutations[], size_t count,
                           const struct sb_request *options, struct sb_error *error, struct sb_odds **odds);
void sb_odds_free(struct sb_odds *odds);

/* Computes how many shuffles each test needs to detect the bias of aim->scheme. */
enum sb_status sb_plan_new(const struct sb_aim *aim, const struct sb_request *options, struct sb_error *error,
                           struct sb_plan **plan);
void sb_plan_free(struct sb_plan *plan);

/* Computes the law of the statistic named `statistic`, for the options n and deal. */
enum sb_status sb_null_law_new(const char *statistic, size_t member, const struct sb_request *options,
                               struct sb_error *error, struct sb_null_law **law);
void sb_null_law_free(struct sb_null_law *law);

/* Measures the costs of schemes[0..count-1] in the calling thread; if count is 0, of the shuffles of a report
 * without schemes. */
enum sb_status sb_costs_new(const char *const schemes[], size_t count, const struct sb_request *options,
                            struct sb_error *error, struct sb_costs **costs);
void sb_costs_free(struct sb_costs *costs);

/* Explains a scheme. */
enum sb_status sb_explain_new(const char *scheme, const char *path, const struct sb_request *options,
                              struct sb_error *error, struct sb_explain **explain);
void sb_explain_free(struct sb_explain *explain);

/* Runs all statistics, or your own test, on all biased shuffles and on a shuffle whose generator has a short seed. */
enum sb_status sb_zoo_new(const struct sb_request *options, struct sb_error *error, struct sb_zoo **zoo);
void sb_zoo_free(struct sb_zoo *zoo);

/* The types of results, by which sb_result_write() and sb_result_text() write them. */
extern const struct sb_result_type sb_alarm_result, sb_costs_result, sb_explain_result, sb_null_law_result,
    sb_odds_result, sb_plan_result, sb_reports_result, sb_suite_result, sb_watch_result, sb_zoo_result;

/* ---- run/run.c ---- */

/* Returns the command line that makes a page again: of words[0..count-1], or of a subject. `terms` are those of a gate,
 * or NULL. The caller frees the text. NULL: no memory. */
char *sb_reproduce(const struct sb_request *request, const struct sb_gate_terms *terms,
                   const struct sb_subject *subject, const char *const words[], size_t count);

struct sb_html;
/* Writes the end of a page; nothing if the command is NULL. */
void sb_reproduce_html(const char *command, struct sb_html *html);

/* ---- results that tests read ---- */

/* Odds, which own all memory to which their fields point, except static strings. */
struct sb_odds {
    struct sb_scheme scheme;
    const char *engine; /* name of the engine; static */
    size_t n;
    char *denominator;         /* the common denominator of all counts, in decimal digits */
    size_t count;              /* number of permutations */
    struct sb_odds_line *line; /* [count]; the lines' strings are also owned */
};

/* The law of a statistic under a fair shuffle. */
struct sb_null_law {
    const struct sb_statistic_type *type;
    /* name, title and citation of the statistic, and how its law is computed; static */
    const char *statistic, *title, *cite, *obtained;
    size_t n, deal;
    /* index of the statistic's member (one law per item, for example), and number of members */
    size_t member, members;
    double mean, variance;              /* of the statistic; NaN if its values are not numbers */
    size_t count;                       /* number of cells that can occur */
    struct sb_window window;            /* the values of the cells, if the values are numbers */
    size_t *cell;                       /* [count] indexes of the cells that can occur, increasing; owned */
    double *ln_p;                       /* [count] ln of the probability of each cell that can occur; owned */
    struct sb_item_names *names;        /* what the items are called; owned; NULL: numbers from 1 */
    const struct sb_multiset *multiset; /* which items are equal; borrowed from `names`; NULL: all differ */
    struct sb_fair *fair;               /* the intended law; owned; NULL: all deals are equally likely */
};

enum { SB_PLAN_LINES_MOST = 4, SB_PLAN_POINTS = 41 };

/* A test that tolerates a relative deviation of each count. Shares are those of the expected count. */
struct sb_plan_tolerance {
    const char *statistic;        /* "position" or "rank"; static; NULL: no such test */
    double tolerance;             /* the tolerated share */
    double cells;                 /* number of counts */
    double expected, least, most; /* the expected count, and the counts that pass */
    double cell_alarm;            /* the probability that one count of a fair shuffle does not pass */
    double alarm_low, alarm_high; /* bounds on the probability that a fair shuffle fails */
    double tolerance_needed; /* the smallest tolerance at which a fair shuffle fails with probability alpha at most */
    double samples_needed;   /* about how many shuffles have this at the tolerance */
    double seen_over, seen_under; /* how far off a cell must be for its own count to fail with the power */
    double missed;                /* while no cell is so far off, the test passes with the power; NaN: it never does */
    double fails_low, fails_high; /* bounds on the probability that the scheme fails; NaN without one */
};

/* A plan. A number that is unknown or does not apply is NaN. */
struct sb_plan {
    bool named;                  /* whether there is a scheme */
    struct sb_scheme scheme;     /* if named; otherwise without a name */
    char *fair;                  /* the intended law in words; owned; NULL: all orders are equally likely */
    char engine[SB_ENGINE_ROOM]; /* name of the engine that found the law; empty if there is no scheme */
    bool known;                  /* whether the whole law is known; false if only the matrix is known */
    size_t n, deal;
    size_t cells;     /* number of possible deals, if each can be tallied separately; 0 if there are too many */
    double alpha;     /* the level of every test */
    double power;     /* the requested power */
    double detect;    /* the requested total variation; NaN if there is none */
    uint64_t samples; /* the requested number of shuffles; 0 if there is none */
    struct sb_plan_tolerance tolerance;
    size_t count;
    struct sb_plan_line line[SB_PLAN_LINES_MOST];
    struct sb_spread spread[SB_PLAN_LINES_MOST];
    size_t points;
    double point[SB_PLAN_POINTS]; /* [points] numbers of shuffles, and the power of each test there */
    double curve[SB_PLAN_LINES_MOST][SB_PLAN_POINTS];
};

/* An exact law against an intended law, over the orders that the latter allows. */
struct sb_plan_fair {
    size_t possible;        /* number of these orders */
    double least;           /* the smallest of their intended probabilities */
    double total_variation; /* of all orders */
    double forbidden;       /* the probability of all other orders */
    double kl;              /* Kullback-Leibler divergence in nats */
    struct sb_spread pearson, likelihood_ratio;
};

/* Compares a scheme with options->fair, and sets *words, which the caller frees. Errors: SB_INVALID if the laws are
 * equal; SB_TOO_LARGE; those of sb_fair_new(). */
enum sb_status sb_plan_fair(const char *scheme, const struct sb_request *options, struct sb_error *error,
                            struct sb_plan_fair *made, char **words);

/* The most nanoseconds that the computation of a matrix may take. */
#define SB_PLAN_MATRIX_COST 1e10

struct sb_law;

/* Plans a test with a tolerance of the form STATISTIC:T, which *test becomes, for any shuffle; and adds how often a
 * scheme with this law fails. Errors: SB_INVALID, SB_TOO_LARGE, SB_STOPPED, SB_NO_MEMORY. */
enum sb_status sb_plan_tolerance(struct sb_plan *plan, const char *text, struct sb_error *error,
                                 struct sb_tolerance *test);
enum sb_status sb_plan_tolerance_law(struct sb_plan *plan, const struct sb_law *law, const struct sb_tolerance *test,
                                     struct sb_error *error);

/* Requests and results of callers of the library: what the files call*.c share. */

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
