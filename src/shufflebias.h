/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shufflebias tells whether a shuffle is fair, how far from fair it is, and how certain the answer is.
 *
 * A request is a command of the program with its options, and a result is what the command returns. The options have
 * the names of the command line (`shufflebias gate --help` lists those of a gate), and each value is a text as on the
 * command line. So another language needs to declare no struct.
 *
 *     struct sb_request *request = sb_request_new("gate");
 *     sb_set(request, "n", "5");
 *     sb_set_shuffle(request, my_shuffle, state);
 *     struct sb_result *result = sb_run(request);
 *     puts(result ? sb_get(result, "gates.0.sentence") : sb_error(request));
 *     sb_result_free(result);
 *     sb_request_free(request);
 *
 * The library never prints, exits or reads the environment, leaves GSL's error handler unchanged, and has no global
 * state. A request belongs to one thread at a time; different requests run in parallel. Numbers have a decimal point,
 * whatever locale the program has chosen. No pointer may be NULL, unless a comment gives NULL a meaning. Callbacks
 * return; none leaves by longjmp() or by an exception.
 *
 * The comments use these words:
 *
 *   deal              the first k cards of a shuffled deck of n, in their order; often k = n
 *   law               the probability of each possible result; the null law is the law of a fair shuffle
 *   draw              a random integer below a bound, or a method that makes such integers from words
 *   scheme            a built-in shuffle, its draw and its generator: "naive", "naive/modulo:15/mt19937"
 *   subject           the shuffle under test
 *   statistic         a function of a deal, such as the number of fixed points
 *   cell              a value of a statistic, or a group of values that are counted together
 *   member            one of several similar statistics, such as the position of one item
 *   rank              the index of a deal in the sorted list of all possible deals, from 0; also the number
 *                     of one of several processes that share the work
 *   fair share        the probability of a result if the shuffle is fair
 *   total variation   the smallest probability that must move to other results to make the law fair, 0..1
 *   evidence          what is known about a law: exact probabilities, or counts
 *   E                 the evidence against a fair shuffle; if the shuffle is fair, the probability that E
 *                     ever reaches 1/alpha is at most alpha
 *   bettor            a statistic that predicts each card from what came before, and bets on it
 *   look              a moment at which the gate or the watch checks its counts
 *
 * Examples are in share/doc/shufflebias/examples, and in data/examples of the source tree.
 */
#ifndef SHUFFLEBIAS_H
#define SHUFFLEBIAS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SB_API __attribute__((visibility("default")))

/* How a call ended. */
enum sb_status {
    SB_OK = 0,
    SB_INVALID,   /* an unknown name, a number out of range, or another wrong argument */
    SB_TOO_LARGE, /* a valid request that is too large to compute; the error's line states the limit */
    SB_NO_MEMORY, /* memory ran out; inside GMP that ends the process instead (docs/testing.md) */
    SB_IO,        /* a file cannot be read or written; the error's line says why */
    SB_STOPPED,   /* the run was stopped before there was anything to report */
    /* the shuffle under test failed: it yielded no permutation, exited with an error or returned an error, or
     * was silent too long */
    SB_SUBJECT,
    SB_BROKEN, /* a fault of this library: please report it */
};

/* Returns this library's version, such as "1.2.3". The string is static. Example: report_naive.c. */
SB_API const char *sb_version(void);

/*
 * Returns a property of entry `index`, counted from 0, of the lists of all families: "family" ("shuffle", "draw",
 * "rng", "statistic", "test" or "format"), "name" (as written in a scheme), "parameter" (the name of the number after
 * the colon), "title" (one line) or "cite". The strings are static. NULL: no such property, or beyond the last entry.
 * Example: report_naive.c.
 */
SB_API const char *sb_entry(size_t index, const char *property);

/* ---- requests ---- */

/* Opaque. */
struct sb_request;
struct sb_result;

/* Makes a request for a command of the program; "list", "lesson" and "playground" are none. NULL: there is no such
 * command, or not enough memory. The caller frees the request. Example: gate_gsl.c. */
SB_API struct sb_request *sb_request_new(const char *command);

/* Frees the request; NULL is allowed. Example: gate_gsl.c. */
SB_API void sb_request_free(struct sb_request *request);

/*
 * Sets an option; the request keeps a copy of the value. A flag is "1" or "0". These names are no options of the
 * command line: "scheme" (for reports and costs, one or more), "statistic" of a law, "permutation" of odds and "part"
 * of a merge (one or more), "file", "command" (a program; each further call adds an argument), "cwd" (the folder in
 * which it starts), "name" (of a function, or of a suite's subject), "size" (bytes of a function's items; 2 by
 * default), "seeds_first" and "seeds_count" (in place of the range "seeds" of a report). Error: SB_INVALID. Example:
 * report_naive.c.
 */
SB_API enum sb_status sb_set(struct sb_request *request, const char *name, const char *value);

/* Returns the value of an option as a text: what was set, or the default; NULL if it has none. Example:
 * deal_hands.c. */
SB_API const char *sb_option(const struct sb_request *request, const char *name);

/* Returns the status of the request's last call. Example: report_naive.c. */
SB_API enum sb_status sb_status(const struct sb_request *request);

/*
 * Returns the error of the request's last call: one line for people, in lower case, that says what is wrong and what to
 * do about it. The line puts names of options in backquotes: "`deal=4`: there are only 3 items". The string lives until
 * the request's next call. Example: report_naive.c.
 */
SB_API const char *sb_error(const struct sb_request *request);

/* Returns the first option that the error names, such as "deal"; or "". Example: report_naive.c. */
SB_API const char *sb_error_option(const struct sb_request *request);

/* Returns the value of that option in the error, such as "4"; or "". Example: report_naive.c. */
SB_API const char *sb_error_value(const struct sb_request *request);

/* ---- the shuffle under test ---- */

/*
 * A shuffle under test that draws its own random numbers. The function shuffles an array of n items, `size`
 * bytes each, in place. It returns 0; another value says that the shuffle failed: the library calls the function no
 * more, and the run ends with SB_SUBJECT.
 *
 * Items of 1, 2, 4 or 8 bytes are the unsigned integers 0..n-1 in increasing order; by default an item is a uint16_t.
 * Items of any other size are objects to move as a whole: the first two bytes are the item's number, an unsigned
 * integer, and the other bytes have a pattern that shows whether the object was moved as a whole. Example: gate_gsl.c.
 */
typedef int sb_own_shuffle(void *items, size_t n, size_t size, void *state);

/* The function is the subject of a gate, a watch or a report. Example: gate_gsl.c. */
SB_API void sb_set_shuffle(struct sb_request *request, sb_own_shuffle *shuffle, void *state);

/* The source of one shuffle's draws. Opaque; valid until the function sb_drawn_shuffle() returns. */
struct sb_draws;

/* Returns an integer in 0..bound-1; bound >= 1. Example: prove_own.c. */
SB_API uint32_t sb_draws_below(struct sb_draws *draws, uint32_t bound);

/* Returns a number in [0, 1), the middle of a cell. Proofs are much faster with integers: prefer sb_draws_below().
 * Example: prove_own.c. */
SB_API double sb_draws_uniform(struct sb_draws *draws);

/* A shuffle under test that takes all randomness from `draws`, otherwise like sb_own_shuffle. It keeps no state between
 * calls, and ends at some time if the draws are random. Example: prove_own.c. */
typedef int sb_drawn_shuffle(void *items, size_t n, size_t size, struct sb_draws *draws, void *state);

/* The function is the subject of a proof. Example: prove_own.c. */
SB_API void sb_set_draws(struct sb_request *request, sb_drawn_shuffle *shuffle, void *state);

/* Adds a gate to a suite, which is a gate, too: its run tests all gates added to it, "jobs" at a time, each with its
 * share of alpha and delta. The gate's "name" is its name in the result; it must live until the run has ended. Example:
 * gate_suite.c. */
SB_API enum sb_status sb_add(struct sb_request *suite, struct sb_request *gate);

/* ---- runs ---- */

/*
 * Something that happens during a run, in the thread that called sb_run(); with several jobs, in several threads:
 *
 *   progress   `done` of `total` shuffles of the subject `text` are complete
 *   bound      a gate rules out biases of a size or more so far, and its goal: "0.021 0.01"
 *   finished   a subject of a suite is done: "NAME: VERDICT"
 *   line       the program under test wrote `text` to its standard error
 *   alarm      of a watch; `text` is JSON
 *   note       a watch says what it waits for, or what it has lost
 *   idle       of a watch, several times a second
 *
 * A value other than 0 stops the run. Example: watch_deals.c.
 */
typedef int sb_event(void *state, const char *event, const char *text, uint64_t done, uint64_t total);

/* Sets the callback for all events of a run. Example: watch_deals.c. */
SB_API void sb_on(struct sb_request *request, sb_event *event, void *state);

/* Stops the run soon; a watch ends. Any thread and a signal's handler may call this. Example: watch_deals.c. */
SB_API void sb_stop(struct sb_request *request);

/* Makes a watch open its followed file again. Any thread and a signal's handler may call this. Example:
 * watch_deals.c. */
SB_API void sb_reopen(struct sb_request *request);

/* Where the process group of the program under test stands while it runs; 0 at other times. A signal's handler can
 * kill() the group before it ends the process. Example: gate_command.c. */
SB_API const volatile sig_atomic_t *sb_group(const struct sb_request *request);

/*
 * Runs the request. A run that was stopped has a result, "interrupted", if there is anything to report. NULL: an error,
 * sb_error() says which. The caller frees the result, which does not need the request. A merge writes a file; its
 * result has no formats. Example: gate_gsl.c.
 */
SB_API struct sb_result *sb_run(struct sb_request *request);

/* Shuffles the next deck of a request to "deal", and returns its `deal` items in 0..n-1, which live until the next
 * call. NULL: an error. Example: deal_hands.c. */
SB_API const uint32_t *sb_next(struct sb_request *request);

/* ---- results ---- */

/* Frees the result; NULL is allowed. Example: gate_gsl.c. */
SB_API void sb_result_free(struct sb_result *result);

/* Returns a value of the result by its place in the JSON, such as "reports.0.verdict", as a text; NULL if there is
 * none. The text lives as long as the result. Example: gate_gsl.c. */
SB_API const char *sb_get(struct sb_result *result, const char *path);

/* Returns a number of the result by its place in the JSON; NaN if there is none. Example: calculate.c. */
SB_API double sb_number(struct sb_result *result, const char *path);

/* How texts of the result look, from now on: "unicode", "colour" and "details" (the tables behind a verdict) are "1" or
 * "0", "columns" is the width of the terminal, and "figure" the figure of the format "svg" (docs/formats.md). Returns
 * whether the name is known. Example: text_in_memory.c. */
SB_API bool sb_look(struct sb_result *result, const char *name, const char *value);

/* Writes the result to an open stream, in a format of docs/formats.md. Error: SB_INVALID if the result has no such
 * format, SB_IO, SB_NO_MEMORY. Example: report_naive.c. */
SB_API enum sb_status sb_write(struct sb_result *result, const char *format, FILE *stream);

/* Returns the result in a format, followed by a zero byte; *length, which may be NULL, is the number of bytes before
 * it. The text lives until the next call with this result. NULL: an error. Example: text_in_memory.c. */
SB_API const char *sb_text(struct sb_result *result, const char *format, size_t *length);

/* Returns the error of the last sb_write() or sb_text(), one line for people. Example: text_in_memory.c. */
SB_API const char *sb_result_error(const struct sb_result *result);

/* ---- lessons and files ---- */

/* Returns the name of a page of the course, to which other pages link; page 0 is "index.html". NULL beyond the last
 * page. The string is static. Example: teach.c. */
SB_API const char *sb_lesson(size_t index);

/* Writes a page of the course as HTML; computes all its numbers, within seconds. Errors: SB_INVALID, SB_IO,
 * SB_NO_MEMORY. Example: teach.c. */
SB_API enum sb_status sb_lesson_page(size_t index, FILE *stream);

/* Returns whether the file begins like saved evidence; the file may be incomplete. Example: save_merge.c. */
SB_API bool sb_saved_is(const char *path);

/* ---- processes that share the work of reports: docs/long-runs.md ---- */

/*
 * One of the processes that share the work of reports. Each process fills one struct. Rank 0 calls sb_set_ranks() and
 * runs its reports, which are byte for byte the reports of a single process. Meanwhile all other ranks run
 * sb_ranks_help(). All ranks call `broadcast`, `sum`, `most`, `either`, `gather`, `open` and `close` in the same order.
 * The functions report no errors: if one rank is lost, the transport must end all ranks.
 *
 *     if (ranks.rank > 0)
 *         return sb_ranks_help(&ranks, NULL, 0);
 *     sb_set_ranks(request, &ranks);
 *     result = sb_run(request);
 *     sb_ranks_dismiss(&ranks);
 */
struct sb_ranks {
    unsigned rank, size; /* the number of this rank, 0..size-1; the number of ranks, at least 2 */
    void *state;         /* passed to the functions */
    /* Copies `size` bytes from rank 0 to all other ranks. The other ranks may have to wait a long time. */
    void (*broadcast)(void *state, void *bytes, size_t size);
    /*
     * These three functions combine the arrays of all ranks, element by element, into the array of rank 0:
     * `sum` adds, `most` takes the maximum, and `either` takes the bitwise or. The arrays of the other ranks
     * stay unchanged.
     */
    void (*sum)(void *state, uint64_t tally[], size_t count);
    void (*most)(void *state, uint8_t held[], size_t count);
    void (*either)(void *state, uint64_t bits[], size_t count);
    /*
     * Appends the bytes of all other ranks to the bytes of rank 0. The buffer of rank 0 has room for the
     * bytes of all ranks. `size` is the number of bytes of the calling rank. At rank 0 the function returns
     * the new number of bytes in the buffer; at the other ranks the returned value has no meaning.
     */
    size_t (*gather)(void *state, void *bytes, size_t size);
    /* Opens a counter that all ranks share, and sets the counter to `first`. Returns when all ranks have
     * called this function. */
    void (*open)(void *state, uint64_t first);
    /* Closes the counter. Returns when all ranks have called this function. */
    void (*close)(void *state);
    /* Adds `count` to the open counter and returns the counter's previous value. Only one thread of a rank
     * calls this function at a time. */
    uint64_t (*take)(void *state, uint64_t count);
};

/* Shares the work of a report among ranks; this process is rank 0. Example: above. */
SB_API void sb_set_ranks(struct sb_request *report, const struct sb_ranks *ranks);

/*
 * Computes the calling rank's part of all reports that rank 0 makes, on as many threads as rank 0's options
 * say. Every rank except rank 0 calls this function once. The function returns when rank 0 calls
 * sb_ranks_dismiss(). Errors, with a line in error[0..room-1], which may be NULL: SB_INVALID if rank 0 has another
 * version of the library; SB_NO_MEMORY, after which the other ranks wait indefinitely, so the caller must end those
 * ranks. Example: above.
 */
SB_API enum sb_status sb_ranks_help(const struct sb_ranks *ranks, char error[], size_t room);

/* Makes sb_ranks_help() return at the other ranks. Rank 0 calls this function once, after its last report. Example:
 * above. */
SB_API void sb_ranks_dismiss(const struct sb_ranks *ranks);

#ifdef __cplusplus
}
#endif

#endif
