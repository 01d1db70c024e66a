/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The watch from C: a shuffle in C, and alarms that call a C function. */
#include "study/results.h"
#include "unit/test.h"

#include "core/calls.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A shuffle that turns naive after so many fair ones. */
struct turning {
    uint64_t random, fair;
};

/* Knuth's 64-bit linear congruential generator: a number below `bound`. */
static size_t below(uint64_t *state, size_t bound)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (size_t)((*state >> 33) % bound);
}

static int turning_shuffle(void *items, size_t n, size_t size, void *state)
{
    struct turning *const turning = state;
    const bool fair = turning->fair > 0;
    uint16_t *const a = items;

    assert_int_equal(size, sizeof a[0]);
    turning->fair -= fair;
    for (size_t i = 0; i < n; i++) {
        const size_t j = fair ? i + below(&turning->random, n - i) : below(&turning->random, n);
        const uint16_t item = a[i];

        a[i] = a[j];
        a[j] = item;
    }
    return 0;
}

/* What the alarms say. */
struct heard {
    unsigned alarms;
    bool well;
};

static int heard_alarm(void *state, const struct sb_alarm *alarm)
{
    struct heard *const heard = state;
    char text[8192] = "";
    FILE *const stream = fmemopen(text, sizeof text, "w");

    heard->alarms++;
    heard->well = stream && sb_alarm_write(alarm, "json", NULL, stream) == SB_OK &&
                  strstr(text, "\"schema\": \"shufflebias.alarm/1\"") &&
                  strstr(sb_alarm_sentence(alarm), "ALARM after ") == sb_alarm_sentence(alarm);
    assert_int_equal(sb_alarm_write(alarm, "text", NULL, stream), SB_INVALID);
    fclose(stream);
    return 0;
}

static struct sb_watch_summary watch(bool window, uint64_t fair, uint64_t limit, struct heard *heard)
{
    struct turning turning = { .random = 1, .fair = fair };
    const struct sb_subject subject = { .shuffle = turning_shuffle, .state = &turning };
    struct sb_watch_summary summary;
    struct sb_request options;
    struct sb_error error = { 0 };
    struct sb_watch *made = NULL;

    sb_request_init(&options, SB_WATCH);
    options.window = window;
    options.limit = limit;
    options.alarmed = heard_alarm;
    options.alarmed_state = heard;
    if (sb_watch_new(&subject, &options, &error, &made))
        fail_msg("%s", error.text);
    sb_watch_summary_get(made, &summary);
    summary.sentence = NULL; /* it goes with the watch */
    sb_watch_free(made);
    return summary;
}

/* A window sees what begins late; without one there is one alarm, of what was so from the first. */
TEST(alarms_are_heard)
{
    struct heard late = { 0 }, whole = { 0 }, first = { 0 };

    const struct sb_watch_summary windowed = watch(true, 50000, 60000, &late);

    assert_true(late.alarms >= 1 && late.well && windowed.alarms == late.alarms);
    assert_int_equal(watch(false, 50000, 60000, &whole).alarms, 0);
    assert_int_equal(whole.alarms, 0);
    assert_int_equal(watch(false, 0, 30000, &first).total, 30000);
    assert_true(first.alarms == 1 && first.well);
}

/* A watch has no lags, and says so. */
TEST(what_is_taken_for_granted_is_said)
{
    static const char *const said[] = { "The permutations are taken to be independent of each other: the steps",
                                        "those from each to the next alone were tested" };
    const struct sb_subject subject = { .scheme = "fisher-yates", .n = 3, .seed = 1 };

    for (size_t i = 0; i < 2; i++) {
        struct sb_watch_summary summary;
        struct sb_request options;
        struct sb_watch *made = NULL;

        sb_request_init(&options, SB_WATCH);
        options.limit = 100;
        options.increments = i == 1;
        assert_int_equal(sb_watch_new(&subject, &options, NULL, &made), SB_OK);
        sb_watch_summary_get(made, &summary);
        assert_non_null(strstr(summary.sentence, said[i]));
        assert_null(strstr(summary.sentence, said[1 - i]));
        sb_watch_free(made);
    }
}

/* Whoever wants an end while a scheme passes over what was dealt before has one, and all is as it was. */
TEST(a_stop_before_it_goes_on)
{
    char path[] = "/tmp/watch-XXXXXX";
    const int file = mkstemp(path);
    const struct sb_subject subject = { .scheme = "fisher-yates", .rng = "mt19937", .n = 3, .seed = 1 };
    volatile sig_atomic_t stop = 0;
    struct sb_request options;

    assert_true(file >= 0 && close(file) == 0 && unlink(path) == 0);
    sb_request_init(&options, SB_WATCH);
    options.limit = 1000;
    options.save = path;
    options.stop = &stop;
    for (unsigned run = 0; run < 3; run++) {
        struct sb_watch_summary summary;
        struct sb_error error = { 0 };
        struct sb_watch *made = NULL;

        stop = run == 1;
        if (sb_watch_new(&subject, &options, &error, &made))
            fail_msg("%s", error.text);
        sb_watch_summary_get(made, &summary);
        assert_int_equal(summary.interrupted, run == 1);
        assert_int_equal(summary.total, run < 2 ? 1000 : 2000);
        sb_watch_free(made);
    }
    unlink(path);
}

TEST(slips)
{
    struct turning turning = { .random = 1 };
    const struct sb_subject subject = { .shuffle = turning_shuffle, .state = &turning };
    struct sb_request options;
    struct sb_watch *made = NULL;

    sb_request_init(&options, SB_WATCH);
    options.follow = "FILE";
    assert_int_equal(sb_watch_new(&subject, &options, NULL, &made), SB_INVALID);
    assert_null(made);
    sb_watch_free(NULL);
}
