/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The watch from C: a shuffle in C, and alarms that call a C function. */
#include "unit/ask.h"

/* A shuffle that turns naive after so many fair ones. */
struct turning {
    uint64_t word, fair;
};

static int turning_shuffle(void *items, size_t n, size_t size, void *state)
{
    struct turning *const turning = state;

    if (turning->fair == 0)
        return naive_shuffle(items, n, size, &turning->word);
    turning->fair--;
    return fair_shuffle(items, n, size, &turning->word);
}

/* Counts alarms that are JSON. */
static int heard_alarm(void *alarms, const char *event, const char *text, uint64_t done, uint64_t total)
{
    if (strcmp(event, "alarm") == 0) {
        assert_non_null(strstr(text, "\"schema\": \"shufflebias.alarm/1\""));
        assert_non_null(strstr(text, "\"sentence\": \"ALARM after "));
        ++*(unsigned *)alarms;
    }
    return 0;
}

/* The number of alarms. */
static unsigned watch(const char *options, uint64_t fair)
{
    struct turning turning = { .word = 1, .fair = fair };
    unsigned alarms = 0;
    struct sb_request *const request = ask("watch", options);

    sb_set_shuffle(request, turning_shuffle, &turning);
    sb_on(request, heard_alarm, &alarms);
    struct sb_result *const result = answer(request);

    assert_true(sb_number(result, "alarms") == alarms);
    sb_result_free(result);
    return alarms;
}

/* A window sees what begins late; without one there is one alarm, of what was so from the first. */
TEST(alarms_are_heard)
{
    assert_true(watch("window=1 limit=60000", 50000) >= 1);
    assert_int_equal(watch("limit=60000", 50000), 0);
    assert_int_equal(watch("limit=30000", 0), 1);
}

/* A watch has no lags, and says so. */
TEST(what_is_taken_for_granted_is_said)
{
    static const char *const said[] = { "The permutations are taken to be independent of each other: the steps",
                                        "those from each to the next alone were tested" };

    for (size_t i = 0; i < 2; i++) {
        struct sb_result *const result = answer(
            ask("watch", i ? "scheme=fisher-yates n=3 limit=100 increments=1" : "scheme=fisher-yates n=3 limit=100"));

        assert_non_null(strstr(sb_get(result, "sentence"), said[i]));
        assert_null(strstr(sb_get(result, "sentence"), said[1 - i]));
        sb_result_free(result);
    }
}

/* Whoever wants an end while a scheme passes over what was dealt before has one, and all is as it was. */
TEST(a_stop_before_it_goes_on)
{
    const char *const path = scratch_name("watch");

    for (unsigned run = 0; run < 3; run++) {
        struct sb_request *const request = ask("watch", "scheme=fisher-yates rng=mt19937 n=3 limit=1000");

        put(request, "save", path);
        if (run == 1)
            sb_stop(request);
        struct sb_result *const result = answer(request);

        check_value(result, "interrupted", run == 1 ? "true" : "false");
        check_value(result, "total", run < 2 ? "1000" : "2000");
        sb_result_free(result);
    }
    remove(path);
}

/* Notes after how many permutations the first alarm came. */
static int heard_first(void *first, const char *event, const char *text, uint64_t done, uint64_t total)
{
    const char *const at = strcmp(event, "alarm") == 0 ? strstr(text, "\"total\": ") : NULL;

    if (at && *(unsigned long *)first == 0)
        *(unsigned long *)first = strtoul(at + strlen("\"total\": "), NULL, 10);
    return 0;
}

/* The evidence since every start of a window goes on where a run has ended: the first alarm comes after as many
 * permutations in one run as in twenty. */
TEST(a_window_goes_on)
{
    const char *const path = scratch_name("watch");
    unsigned long first[2] = { 0, 0 };

    for (unsigned parts = 0; parts < 2; parts++) {
        for (unsigned run = 0; run < (parts ? 20 : 1); run++) {
            struct sb_request *const request = ask("watch", "scheme=naive n=3 window=1");

            put(request, "limit", parts ? "512" : "10240");
            put(request, "save", path);
            sb_on(request, heard_first, &first[parts]);
            sb_result_free(answer(request));
        }
        remove(path);
    }
    assert_in_range(first[0], 513, 10239);
    assert_int_equal(first[1], first[0]);
}

TEST(a_function_is_not_followed)
{
    struct turning turning = { .word = 1 };
    struct sb_request *const request = ask("watch", "follow=FILE");

    sb_set_shuffle(request, turning_shuffle, &turning);
    check_refused(request, SB_INVALID, "");
}
