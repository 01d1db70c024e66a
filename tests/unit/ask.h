/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The public interface in tests: a request with its options in one line, and its result or its error.
 *
 *     struct sb_result *const result = answer(ask("report", "scheme=naive n=3 by=exact"));
 *
 *     assert_string_equal(sb_get(result, "reports.0.verdict"), "biased");
 *     sb_result_free(result);
 */
#ifndef TESTS_UNIT_ASK_H
#define TESTS_UNIT_ASK_H

#include "shufflebias.h"
#include "unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sets an option that the request has. */
static inline void put(struct sb_request *request, const char *name, const char *value)
{
    if (sb_set(request, name, value))
        fail_msg("%s", sb_error(request));
}

/* A request with these options, "name=value" with blanks between. */
static inline struct sb_request *ask(const char *command, const char *options)
{
    struct sb_request *const request = sb_request_new(command);
    char copy[512], *rest = copy;

    assert_non_null(request);
    assert_true((size_t)snprintf(copy, sizeof copy, "%s", options) < sizeof copy);
    for (char *option; (option = strtok_r(rest, " ", &rest));) {
        char *const value = strchr(option, '=');

        assert_non_null(value);
        *value = '\0';
        put(request, option, value + 1);
    }
    return request;
}

/* Runs the request and frees it. The caller frees the result. */
static inline struct sb_result *answer(struct sb_request *request)
{
    struct sb_result *const result = sb_run(request);

    if (!result)
        fail_msg("%s", sb_error(request));
    sb_request_free(request);
    return result;
}

/* Checks that the request ends without a result, with this status and a line that holds the words; frees it. */
static inline void check_refused(struct sb_request *request, enum sb_status status, const char *words)
{
    assert_null(sb_run(request));
    if (sb_status(request) != status || !strstr(sb_error(request), words))
        fail_msg("status %d, '%s' lacks '%s'", (int)sb_status(request), sb_error(request), words);
    sb_request_free(request);
}

/* Checks that a value of the result begins with a text. */
static inline void check_value(struct sb_result *result, const char *path, const char *start)
{
    const char *const value = sb_get(result, path);

    if (!value || strncmp(value, start, strlen(start)) != 0)
        fail_msg("%s is '%s' and not '%s'", path, value ? value : "(none)", start);
}

/* The same of a request, which is run and freed. */
static inline void check_answer(struct sb_request *request, const char *path, const char *start)
{
    struct sb_result *const result = answer(request);

    check_value(result, path, start);
    sb_result_free(result);
}

/* A name for a file that does not exist, in memory where the system has a folder for that. The test removes the
 * file. */
static inline const char *scratch_name(const char *name)
{
    static char paths[4][96];
    static unsigned next;
    char *const path = paths[next++ % 4];

    snprintf(path, sizeof paths[0], "%s/shufflebias-%ld-%s", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm",
             (long)getpid(), name);
    remove(path);
    return path;
}

/* ---- shuffles in C; the state is the word of xorshift64*, Vigna, doi:10.1145/2845077 ---- */

static inline size_t word_below(uint64_t *word, size_t bound)
{
    *word ^= *word >> 12;
    *word ^= *word << 25;
    *word ^= *word >> 27;
    return (size_t)((*word * UINT64_C(2685821657736338717) >> 32) * bound >> 32);
}

static inline void items_swap(void *items, size_t size, size_t i, size_t j)
{
    unsigned char *const a = (unsigned char *)items + i * size, *const b = (unsigned char *)items + j * size;

    for (size_t k = 0; k < size; k++) {
        const unsigned char byte = a[k];

        a[k] = b[k];
        b[k] = byte;
    }
}

static inline int fair_shuffle(void *items, size_t n, size_t size, void *word)
{
    for (size_t i = n; i > 1; i--)
        items_swap(items, size, i - 1, word_below(word, i));
    return 0;
}

static inline int naive_shuffle(void *items, size_t n, size_t size, void *word)
{
    for (size_t i = 0; i < n; i++)
        items_swap(items, size, i, word_below(word, n));
    return 0;
}

static inline int naive_drawn(void *items, size_t n, size_t size, struct sb_draws *draws, void *state)
{
    for (size_t i = 0; i < n; i++)
        items_swap(items, size, i, sb_draws_below(draws, (uint32_t)n));
    return 0;
}

#endif
