/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library works in a thread with a small stack, as programs in other languages have them: 512 KiB are enough for
 * decks of up to 65,536 items, and 2 MiB for all others. Faults of the input are found there, too.
 */
#include "unit/ask.h"

#include <pthread.h>

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

static const struct call {
    const char *command, *options, *format; /* "text" if NULL */
} calls[] = {
    { "report", "scheme=naive scheme=sort-merge scheme=riffle scheme=fisher-yates/modulo:15/mt19937 by=both n=9",
      NULL },
    { "report", "scheme=naive scheme=sort-merge scheme=riffle scheme=fisher-yates/modulo:15/mt19937 n=20 by=sample",
      "html" },
    { "report", "scheme=naive scheme=sort-merge n=52 by=sample", "html" },
    { "report", "scheme=naive scheme=riffle n=1000 by=sample", NULL },
    { "gate", "scheme=naive limit=5000", NULL },
    { "gate", "scheme=fisher-yates n=52 limit=5000", NULL },
    { "gate", "scheme=fisher-yates n=60000 limit=20", NULL },
    { "watch", "scheme=naive limit=5000", NULL },
    { "watch", "scheme=fisher-yates n=52 limit=5000", NULL },
    { "odds", "scheme=naive permutation=2314", NULL },
    { "plan", "scheme=naive n=4", NULL },
    { "law", "statistic=inversions n=4", NULL },
    { "explain", "scheme=naive n=4 step=1", NULL },
    { "bench", "scheme=naive scheme=riffle decks=100", NULL },
};

static void *make_call(void *state)
{
    const struct call *const call = state;
    struct sb_request *const request = ask(call->command, call->options);

    if (strcmp(call->command, "report") == 0)
        put(request, "samples", "2000");
    struct sb_result *const result = answer(request);

    assert_non_null(sb_text(result, call->format ? call->format : "text", NULL));
    sb_result_free(result);
    return NULL;
}

static void *gate_on_a_function(void *state)
{
    uint64_t word = 1;
    struct sb_request *const request = ask("gate", "n=5 size=1 limit=5000");

    sb_set_shuffle(request, fair_shuffle, &word);
    sb_result_free(answer(request));
    return NULL;
}

static void *write_page(void *state)
{
    FILE *const null = fopen("/dev/null", "w");

    assert_int_equal(sb_lesson_page(3, null), SB_OK);
    fclose(null);
    return NULL;
}

/* A file whose first deck has an item twice; `state` is the number of items. */
static void *faulty_file(void *state)
{
    const char *const path = scratch_name("faulty");
    const size_t n = *(const size_t *)state;
    struct sb_request *const request = ask("gate", "");
    FILE *const file = fopen(path, "w");

    assert_non_null(file);
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%zu ", i == 2 ? 1 : i);
    fputc('\n', file);
    fclose(file);
    put(request, "file", path);
    check_refused(request, SB_SUBJECT, "1 comes twice, and 2 is missing");
    remove(path);
    return NULL;
}

/* Calls a function in a thread with a stack of some KiB. */
static void run(void *(*function)(void *), const void *state, size_t stack)
{
    pthread_attr_t attributes;
    pthread_t thread;

    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, stack * 1024 * MORE), 0);
    assert_int_equal(pthread_create(&thread, &attributes, function, (void *)state), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_attr_destroy(&attributes), 0);
}

TEST(calls_succeed)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        run(make_call, &calls[i], 512);
    run(gate_on_a_function, NULL, 512);
    run(write_page, NULL, 512);
}

TEST(a_fault_of_the_input_is_found)
{
    run(faulty_file, &(size_t) { 3 }, 512);
    run(faulty_file, &(size_t) { 65536 }, 512);
    run(faulty_file, &(size_t) { 65537 }, 2048);
}
