/* SPDX-License-Identifier: GPL-3.0-or-later */
/* C functions as subjects: their arguments and results, what they may not do, and callbacks that report failure. */
#include "unit/ask.h"

/* A gate on a function. */
static struct sb_request *ask_of(sb_own_shuffle *shuffle, void *state, const char *options)
{
    struct sb_request *const request = ask("gate", options);

    put(request, "name", "mine");
    sb_set_shuffle(request, shuffle, state);
    return request;
}

/* Sorted as unsigned integers of that size, each is itself. */
static int are_integers(void *items, size_t n, size_t size, void *state)
{
    for (size_t i = 0; i < n; i++) {
        const uint64_t number = size == 1   ? ((uint8_t *)items)[i]
                                : size == 2 ? ((uint16_t *)items)[i]
                                : size == 4 ? ((uint32_t *)items)[i]
                                            : ((uint64_t *)items)[i];

        *(bool *)state = *(bool *)state && number == i;
    }
    return 0;
}

TEST(small_items_are_integers)
{
    for (size_t size = 1; size <= 8; size *= 2) {
        bool are = true;
        struct sb_request *const request = ask_of(are_integers, &are, "n=200 limit=1");

        put(request, "size", (char[]) { (char)('0' + size), 0 });
        sb_result_free(answer(request));
        assert_true(are);
    }
}

/* Whatever the size of an item, the same draws make the same permutations. */
TEST(sizes_do_not_matter)
{
    char *first = NULL;

    for (int size = 1; size < 20; size++) {
        uint64_t word = 1;
        char text[8];
        struct sb_request *const request = ask_of(fair_shuffle, &word, "n=7 limit=500");

        snprintf(text, sizeof text, "%d", size);
        put(request, "size", text);
        struct sb_result *const result = answer(request);

        if (first)
            assert_string_equal(sb_text(result, "json", NULL), first);
        else
            first = strdup(sb_text(result, "json", NULL));
        sb_result_free(result);
    }
    free(first);
}

/* What a shuffle was given at its second call. */
struct given {
    unsigned calls, first;
};

/* The last item comes first. */
static int rotate(void *items, size_t n, size_t size, void *state)
{
    struct given *const given = state;

    if (++given->calls == 2)
        given->first = ((uint16_t *)items)[0];
    for (size_t i = n - 1; i > 0; i--)
        items_swap(items, size, i, i - 1);
    return 0;
}

TEST(each_begins_anew_or_goes_on)
{
    struct given anew = { 0 }, on = { 0 };

    sb_result_free(answer(ask_of(rotate, &anew, "n=4 deal=2 limit=2")));
    sb_result_free(answer(ask_of(rotate, &on, "n=4 chained=1 limit=2")));
    assert_true(anew.first == 0 && on.first == 3);
}

/* The first one overwrites the second at the third call. */
static int loses(void *items, size_t n, size_t size, void *calls)
{
    if (++*(unsigned *)calls == 3)
        memcpy((unsigned char *)items + size, items, size);
    return 0;
}

/* Moves all but the last byte of each item. */
static int tears(void *items, size_t n, size_t size, void *state)
{
    const unsigned char last = ((unsigned char *)items)[size - 1];

    items_swap(items, size, 0, 1);
    ((unsigned char *)items)[2 * size - 1] = ((unsigned char *)items)[size - 1];
    ((unsigned char *)items)[size - 1] = last;
    return 0;
}

static int counts_on(void *items, size_t n, size_t size, void *state)
{
    ((uint32_t *)items)[0] = 3000000000;
    return 0;
}

/* Leaves the items as they are, and fails at the third call. */
static int fails(void *items, size_t n, size_t size, void *calls)
{
    return ++*(unsigned *)calls == 3 ? -7 : 0;
}

TEST(broken_words_and_wrong_options_are_named)
{
    static const struct {
        sb_own_shuffle *shuffle;
        const char *options;
        enum sb_status status;
        const char *says;
    } cases[] = {
        { loses, "n=4", SB_SUBJECT, "mine, shuffle 3: item 0 stands twice, again at position 1" },
        { tears, "n=4 size=5", SB_SUBJECT, "mine, shuffle 1: no item stands at position 0 any more: move all 5 bytes" },
        { counts_on, "n=4 size=4", SB_SUBJECT, "no item stands at position 0" },
        { fails, "n=4", SB_SUBJECT,
          "mine, shuffle 3: the function returned -7, which says that it failed: return 0 after a shuffle" },
        { naive_shuffle, "n=300 size=1", SB_INVALID, "300 items do not differ in one byte each" },
        { naive_shuffle, "n=65537", SB_INVALID, "use a size of 4 or 8" },
        { naive_shuffle, "n=1000001 size=4", SB_TOO_LARGE, "use n <= 1000000" },
        { naive_shuffle, "size=9223372036854775807", SB_TOO_LARGE, "too many" },
        { naive_shuffle, "scheme=naive", SB_INVALID, "" },
        { naive_shuffle, "input=u8", SB_INVALID, "a function" },
        { naive_shuffle, "match=x", SB_INVALID, "a function" },
        { naive_shuffle, "json-path=.deck", SB_INVALID, "a function" },
        { naive_shuffle, "separator=;", SB_INVALID, "a function" },
        { naive_shuffle, "base=0", SB_INVALID, "a function" },
        { naive_shuffle, "free=1", SB_INVALID, "a function" },
        { naive_shuffle, "n=3 deal=4", SB_INVALID, "there are only 3 items" },
        { naive_shuffle, "n=1", SB_INVALID, "there is only one order" },
        { naive_shuffle, "n=3 deal=2 chained=1", SB_INVALID, "" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t word = 0;

        check_refused(ask_of(cases[i].shuffle, &word, cases[i].options), cases[i].status, cases[i].says);
    }
}

/* ---- callbacks that fail ---- */

TEST(a_shuffle_of_a_report)
{
    unsigned calls = 0;
    struct sb_request *const request = ask("report", "n=4 name=mine");

    sb_set_shuffle(request, fails, &calls);
    check_refused(request, SB_SUBJECT, "mine, shuffle 3: the function returned -7");
    assert_int_equal(calls, 3);
}

/* The other subject of the suite is judged all the same. */
TEST(a_subject_of_a_suite)
{
    unsigned calls = 0;
    struct sb_request *const suite = ask("gate", ""), *const one = ask_of(fails, &calls, "n=4 alpha=0.25"),
                             *const other = ask("gate", "scheme=naive name=naive alpha=0.5");

    assert_int_equal(sb_add(suite, one), SB_OK);
    assert_int_equal(sb_add(suite, other), SB_OK);
    struct sb_result *const result = answer(suite);

    check_value(result, "gates.0.verdict", "broken");
    assert_non_null(strstr(sb_text(result, "json", NULL), "the function returned -7"));
    check_value(result, "gates.1.verdict", "fail");
    assert_non_null(strstr(sb_text(result, "text", NULL), "one fails with probability 0.375 at")); /* halves of both */
    sb_result_free(result);
    sb_request_free(one);
    sb_request_free(other);
}

static int drawn_fails(void *items, size_t n, size_t size, struct sb_draws *draws, void *calls)
{
    sb_draws_below(draws, 2);
    return fails(items, n, size, calls);
}

TEST(a_proof)
{
    unsigned calls = 0;
    struct sb_request *const request = ask("prove", "name=mine");

    sb_set_draws(request, drawn_fails, &calls);
    check_refused(request, SB_SUBJECT, "mine: the function returned -7, which says that it failed");
    assert_int_equal(calls, 3);
}

static int alarm_stops(void *calls, const char *event, const char *text, uint64_t done, uint64_t total)
{
    if (strcmp(event, "alarm") != 0)
        return 0;
    assert_non_null(strstr(text, "\"shufflebias.alarm/1\""));
    ++*(unsigned *)calls;
    return 5;
}

/* The alarm ends the run, and is saved, so the next run knows of it and does not raise it again. */
TEST(an_alarm)
{
    const char *const path = scratch_name("alarm");
    unsigned calls = 0;

    for (int run = 0; run < 2; run++) {
        struct sb_request *const watch = ask("watch", run ? "scheme=naive limit=100" : "scheme=naive limit=20000");

        put(watch, "save", path);
        sb_on(watch, alarm_stops, &calls);
        struct sb_result *const result = answer(watch);

        check_value(result, "interrupted", run ? "false" : "true");
        check_value(result, "alarms", "1");
        assert_int_equal(calls, 1);
        sb_result_free(result);
    }
    remove(path);
}

/* A flag that is raised before the call: a function and a scheme yield a permutation all the same, a file does not. */
TEST(a_stop_flag)
{
    uint64_t word = 1;
    struct sb_request *const requests[] = { ask_of(fair_shuffle, &word, "n=4"), ask("gate", "scheme=naive"),
                                            ask("gate", "file=/dev/null n=4") };

    for (size_t i = 0; i < 3; i++) {
        sb_stop(requests[i]);
        if (i == 2) {
            check_refused(requests[i], SB_STOPPED, "");
            continue;
        }
        struct sb_result *const result = answer(requests[i]);

        check_value(result, "gates.0.interrupted", "true");
        check_value(result, "gates.0.total", "1");
        sb_result_free(result);
    }
}
