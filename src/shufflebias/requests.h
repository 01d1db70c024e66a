/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A request is a command with its options, and a result is what the command returns. Each command of the program is a
 * request, with the same options under the same names (`shufflebias gate --help` lists those of a gate), and each value
 * is a text as on the command line. No struct has to be declared in another language.
 *
 *     struct sb_request *request = sb_request_new("gate");
 *     sb_set(request, "n", "5");
 *     sb_set_shuffle(request, my_shuffle, state);
 *     struct sb_result *result = sb_run(request);
 *     puts(result ? sb_get(result, "gates.0.sentence") : sb_error(request));
 *     sb_result_free(result);
 *     sb_request_free(request);
 *
 * A request belongs to one thread at a time; different requests run in parallel.
 */
#ifndef SHUFFLEBIAS_REQUESTS_H
#define SHUFFLEBIAS_REQUESTS_H

#include "shufflebias/basics.h"
#include "shufflebias/proofs.h"
#include "shufflebias/subjects.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sb_request;
struct sb_result;

/* Makes a request for a command of the program, such as "gate"; "list", "lesson" and "playground" are none. NULL: there is no such
 * command, or not enough memory. The caller frees the request. Example: requests.c. */
SB_API struct sb_request *sb_request_new(const char *command);
/* Frees a request, which may be NULL. Example: requests.c. */
SB_API void sb_request_free(struct sb_request *request);

/*
 * Sets an option; the request keeps a copy of the value. A flag is "1" or "0". Names that the command line has no option for:
 * "scheme" (for reports and costs, one or more), "statistic" of a law, "permutation" of odds and "part" of a merge (one or
 * more), "file", "command" (a program; each further call adds an argument), "cwd" (the folder in which it starts), "name" (of
 * a function), "size" (bytes of its items), "seeds_first" and "seeds_count" (in place of the range "seeds" of a
 * report). Returns SB_INVALID, with an error, if there is no such option or the value is wrong. Example: requests.c. */
SB_API enum sb_status sb_set(struct sb_request *request, const char *name, const char *value);

/* The shuffle under test is a function: for a gate, a watch or a report. Example: requests.c. */
SB_API void sb_set_shuffle(struct sb_request *request, sb_own_shuffle *shuffle, void *state);

/* The shuffle to prove is a function that asks for its draws. Example: requests.c. */
SB_API void sb_set_draws(struct sb_request *request, sb_drawn_shuffle *shuffle, void *state);

/*
 * Something that happens during a run, in the thread that called sb_run(): "progress" (done of total shuffles of the subject
 * `text` are complete), "line" (the program under test wrote `text` to its standard error), "alarm" of a watch (`text` is
 * JSON), "note" (a watch says what it waits for or has lost). A value other than 0 stops the run.
 */
typedef int sb_event(void *state, const char *event, const char *text, uint64_t done, uint64_t total);

/* Sets the function that hears of events. Example: requests.c. */
SB_API void sb_on(struct sb_request *request, sb_event *event, void *state);

/* Stops the run soon. Any thread and a signal's handler may call this. Example: requests.c. */
SB_API void sb_stop(struct sb_request *request);

/* Runs the request. NULL: sb_error() says why. The caller frees the result, which does not need the request. A merge writes a
 * file; its result has no formats. Example: requests.c. */
SB_API struct sb_result *sb_run(struct sb_request *request);

/* Frees a result, which may be NULL. Example: requests.c. */
SB_API void sb_result_free(struct sb_result *result);

/* Shuffles the next deck of a request to "deal", an array of `deal` items in 0..n-1, which lives until the next call. NULL: an error. Example: requests.c. */
SB_API const uint32_t *sb_next(struct sb_request *request);

/* Returns the status of the request's last call. Example: requests.c. */
SB_API enum sb_status sb_status(const struct sb_request *request);

/* Returns the error of the request's last call, one line for people. The text lives until the request's next call. Example: requests.c. */
SB_API const char *sb_error(const struct sb_request *request);

/* Returns the first option that the line of the error names, or "". The text lives until the request's next call. Example: requests.c. */
SB_API const char *sb_error_option(const struct sb_request *request);

/* Returns the value of this option, or "". The text lives until the request's next call. Example: requests.c. */
SB_API const char *sb_error_value(const struct sb_request *request);

/* Returns the value of an option as a text: what was set, or the default; NULL if it has none. Example: requests.c. */
SB_API const char *sb_option(const struct sb_request *request, const char *name);

/* How texts of the result look, from now on: "unicode" and "colour" are "1" or "0", "columns" is the width of the terminal, and
 * "figure" the figure of "svg" (docs/formats.md). Returns whether the name is known. Example: requests.c. */
SB_API bool sb_look(struct sb_result *result, const char *name, const char *value);

/* Returns the result in a format, followed by a zero byte; *length, which may be NULL, is the number of bytes before it. The text
 * lives until the next call with this result. NULL: sb_result_error() says why. Example: requests.c. */
SB_API const char *sb_text(struct sb_result *result, const char *format, size_t *length);

/* Writes the result to an open stream. Example: requests.c. */
SB_API enum sb_status sb_write(struct sb_result *result, const char *format, FILE *stream);

/* Returns the error of the last text or write of a result, one line for people. Example: requests.c. */
SB_API const char *sb_result_error(const struct sb_result *result);

/* Returns a value of the result by its place in the JSON, such as "reports.0.verdict", as a text; NULL if there is none. The text
 * lives as long as the result. Example: requests.c. */
SB_API const char *sb_get(struct sb_result *result, const char *path);

/* Returns a number of the result by its place in the JSON; NaN if there is none. Example: requests.c. */
SB_API double sb_number(struct sb_result *result, const char *path);

#ifdef __cplusplus
}
#endif

#endif
