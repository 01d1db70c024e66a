/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library works in a thread with a small stack, as programs in other languages have them: 512 KiB are enough for decks
 * of up to 65,536 items, and 2 MiB for all others. Faults of the input are found there, too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lesson/lesson.h"
#include "study/results.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
enum { MORE = 4 }; /* frames are larger with the address sanitizer */
#elif defined __has_feature
#if __has_feature(address_sanitizer)
enum { MORE = 4 };
#else
enum { MORE = 1 };
#endif
#else
enum { MORE = 1 };
#endif

static const char *const schemes[] = { "naive", "sort-merge", "riffle", "fisher-yates/modulo:15/mt19937" };
static enum sb_status status[32]; /* how the calls of a thread ended */
static size_t calls;
static struct sb_error error;

static void note(enum sb_status ended)
{
    status[calls++] = ended;
}

static void *reports(void *state)
{
    static const size_t n[] = { 3, 9, 20, 52, 1000 };
    struct sb_request options;
    struct sb_reports *made;
    char *text;

    sb_request_init(&options, SB_REPORT);
    options.samples = 2000;
    for (size_t i = 0; i < sizeof n / sizeof n[0]; i++) {
        options.n = n[i];
        options.by = n[i] < 10 ? SB_BY_EXACT | SB_BY_SAMPLE : SB_BY_SAMPLE;
        note(sb_reports_new(schemes, sizeof schemes / sizeof schemes[0], &options, &error, &made));
        if (status[calls - 1])
            return NULL;
        note(sb_result_text(&sb_reports_result, made, i % 2 ? "html" : "text", NULL, &error, &text, NULL));
        sb_text_free(text);
        sb_reports_free(made);
    }
    return NULL;
}

static int rotate(void *items, size_t n, size_t size, void *state)
{
    unsigned *const by = state;
    unsigned char *const bytes = items;

    for (unsigned i = 0; i < *by % n; i++) {
        const unsigned char first = bytes[0];

        memmove(bytes, bytes + 1, n - 1);
        bytes[n - 1] = first;
    }
    ++*by;
    return 0;
}

static void *gates(void *state)
{
    unsigned by = 0;
    const struct sb_subject subjects[] = {
        { .scheme = "naive", .seed = 1 },
        { .scheme = "fisher-yates", .n = 52, .seed = 1 },
        { .scheme = "fisher-yates", .n = 60000, .seed = 1 },
        { .shuffle = rotate, .n = 5, .size = 1, .state = &by },
    };
    struct sb_request options;
    struct sb_request watch_options;
    struct sb_watch *watch;
    struct sb_gate *gate;
    char *text;

    sb_request_init(&options, SB_GATE);
    sb_request_init(&watch_options, SB_WATCH);
    for (size_t i = 0; i < sizeof subjects / sizeof subjects[0]; i++) {
        options.limit = subjects[i].n > 52 ? 20 : 5000;
        watch_options.limit = options.limit;
        note(sb_gate_new(&subjects[i], &options, &error, &gate));
        if (status[calls - 1])
            return NULL;
        note(sb_gate_text(gate, "text", NULL, &error, &text, NULL));
        sb_text_free(text);
        sb_gate_free(gate);
        if (subjects[i].n > 128)
            continue;
        note(sb_watch_new(&subjects[i], &watch_options, &error, &watch));
        if (status[calls - 1])
            return NULL;
        sb_watch_free(watch);
    }
    return NULL;
}

static void *calculations(void *state)
{
    static const char *const orders[] = { "2314" };
    const struct sb_aim aim = { .scheme = "naive" };
    struct sb_explain *explain;
    struct sb_null_law *law;
    struct sb_request options;
    struct sb_costs *costs;
    struct sb_odds *odds;
    struct sb_plan *plan;
    FILE *const nothing = fopen("/dev/null", "w");

    sb_request_init(&options, SB_REPORT);
    options.n = 4;
    options.samples = 100;
    note(sb_odds_new("naive", orders, 1, &options, &error, &odds));
    sb_odds_free(odds);
    note(sb_plan_new(&aim, &options, &error, &plan));
    sb_plan_free(plan);
    note(sb_null_law_new("inversions", 0, &options, &error, &law));
    sb_null_law_free(law);
    note(sb_explain_new("naive", "first", &options, &error, &explain));
    sb_explain_free(explain);
    note(sb_costs_new(schemes, 2, &options, &error, &costs));
    sb_costs_free(costs);
    note(sb_course_write(3, NULL, &error, nothing));
    fclose(nothing);
    return NULL;
}

/* A file whose first deck has an item twice; `state` is the number of items. */
static void *faulty_file(void *state)
{
    static const char path[] = "/tmp/shufflebias-small-stack";
    const size_t n = *(const size_t *)state;
    const struct sb_subject subject = { .file = path };
    struct sb_request options;
    struct sb_gate *gate;
    FILE *const file = fopen(path, "w");

    if (!file)
        return NULL;
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%zu ", i == 2 ? 1 : i);
    fputc('\n', file);
    fclose(file);
    sb_request_init(&options, SB_GATE);
    note(sb_gate_new(&subject, &options, &error, &gate));
    unlink(path);
    return NULL;
}

/* Calls a function in a thread with a stack of some KiB. */
static void call(void *(*function)(void *), void *state, size_t stack)
{
    pthread_attr_t attributes;
    pthread_t thread;

    calls = 0;
    error = (struct sb_error) { 0 };
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, stack * 1024 * MORE), 0);
    assert_int_equal(pthread_create(&thread, &attributes, function, state), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
}

static void calls_succeed(void **state)
{
    static void *(*const functions[])(void *) = { reports, gates, calculations };

    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        call(functions[i], NULL, 512);
        assert_string_equal(error.text, "");
        assert_true(calls > 4);
        for (size_t j = 0; j < calls; j++)
            assert_int_equal(status[j], SB_OK);
    }
}

static void a_fault_of_the_input_is_found(void **state)
{
    size_t n = 3;

    call(faulty_file, &n, 512);
    assert_int_equal(status[0], SB_SUBJECT);
    assert_non_null(strstr(error.text, "1 comes twice, and 2 is missing"));
    n = 65536;
    call(faulty_file, &n, 512);
    assert_non_null(strstr(error.text, "1 comes twice, and 2 is missing"));
    n = 65537;
    call(faulty_file, &n, 2048);
    assert_non_null(strstr(error.text, "1 comes twice, and 2 is missing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_succeed),
        cmocka_unit_test(a_fault_of_the_input_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
