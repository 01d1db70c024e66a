/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Watches, as a C program runs them; all but those of "bounds" on a fair shuffle.
 *
 * Without a window, a watch ever raises an alarm with a probability of at most alpha.
 *
 * With a window, the first alarm comes after 1/alpha permutations or more, on average. The sum behind an alarm
 * is at most tau on average at any stopping time tau (docs/how-it-decides.md). With tau = min(first alarm, T), the
 * probability of an alarm within T permutations is at most alpha T. After an alarm each level
 * waits for its length and starts anew, so the next alarm also comes within T permutations with a probability of at
 * most alpha T. Each watch here has 2T permutations: the first line counts the watches with an alarm within the first
 * T. Of these watches, the second line counts those with a second alarm within T permutations after the first.
 */
#include "promise/promise.h"
#include "study/watch/watch.h"

#include <math.h>
#include <unistd.h>

struct watch_setting {
    size_t n, deal;
    double alpha;
    uint64_t within; /* T */
    const char *cards;
    bool window, increments;
    unsigned restarts; /* the watch is saved and resumed this many times */
};

/* The first two alarms. */
struct alarms {
    uint64_t total[2], count;
};

static int alarmed(void *state, const struct sb_alarm *alarm)
{
    struct alarms *const alarms = state;

    if (alarms->count < 2)
        alarms->total[alarms->count] = alarm->watch->total;
    alarms->count++;
    return 0;
}

/* One run of a watch. */
static void watch(const struct promise_case *one, struct promise_random *random, uint64_t limit, const char *save,
                  struct alarms *alarms)
{
    const struct watch_setting *const set = one->about;
    const struct sb_subject subject = {
        .name = "fair",
        .shuffle = promise_fair,
        .state = random,
        .n = set->n,
        .deal = set->deal,
        .cards = set->cards,
    };
    struct sb_request options;
    struct sb_error error;
    struct sb_watch *watch;

    sb_request_init(&options, SB_WATCH);
    options.alpha = set->alpha;
    options.window = set->window;
    options.increments = set->increments;
    options.limit = limit;
    options.save = save;
    options.alarmed = alarmed;
    options.alarmed_state = alarms;
    promise_check(sb_watch_new(&subject, &options, &error, &watch), one, &error);
    sb_watch_free(watch);
}

static void watch_trial(const struct promise_case *one, uint64_t index, double outcome[])
{
    const struct watch_setting *const set = one->about;
    const uint64_t limit = set->window ? 2 * set->within : set->within;
    struct promise_random random = promise_seed(5, index);
    struct alarms alarms = { .count = 0 };
    char folder[64], save[96], lock[104];

    if (set->restarts == 0) {
        watch(one, &random, limit, NULL, &alarms);
    } else {
        promise_folder(folder);
        snprintf(save, sizeof save, "%s/watch", folder);
        snprintf(lock, sizeof lock, "%s.lock", save);
        for (unsigned i = 0; i <= set->restarts; i++)
            watch(one, &random, limit / (set->restarts + 1), save, &alarms);
        unlink(save);
        unlink(lock);
        rmdir(folder);
    }
    outcome[0] = alarms.count > 0 && alarms.total[0] <= set->within;
    if (set->window && outcome[0] > 0)
        outcome[1] = alarms.count > 1 && alarms.total[1] - alarms.total[0] <= set->within;
}

/* Whether a bound on the total variation of promise_biased(), which is 0.3, is wrong at the end. */
static void bounds_trial(const struct promise_case *one, uint64_t index, double outcome[])
{
    struct promise_random random = promise_seed(9, index);
    const struct sb_subject subject = { .name = "biased", .shuffle = promise_biased, .state = &random, .n = 3 };
    struct sb_request options;
    struct sb_error error;
    struct sb_watch *watch;

    sb_request_init(&options, SB_WATCH);
    options.delta = 0.05;
    options.limit = 2000;
    promise_check(sb_watch_new(&subject, &options, &error, &watch), one, &error);
    outcome[0] = watch->gate.tv_low > 0.3 || watch->gate.tv_high < 0.3;
    sb_watch_free(watch);
}

#define WINDOW(t, ...)                                                                        \
    .line = { { .promise = "an alarm within T permutations", .allowed = 1e-4 * (t) },         \
              { .promise = "the next alarm within T permutations", .allowed = 1e-4 * (t) } }, \
    .trial = watch_trial, .about = &(const struct watch_setting)                              \
    {                                                                                         \
        .alpha = 1e-4, .window = true, .within = (t), __VA_ARGS__                             \
    }
#define EVER(t, ...)                                                                   \
    .line = { { .promise = "an alarm ever", .allowed = 0.05 } }, .trial = watch_trial, \
    .about = &(const struct watch_setting)                                             \
    {                                                                                  \
        .alpha = 0.05, .within = (t), __VA_ARGS__                                      \
    }

static const struct promise_case cases[] = {
    { "window-3", "3 items, `--window`, T = 1,000", 85000, 200, WINDOW(1000, .n = 3) },
    { "window-3-long", "3 items, `--window`, T = 5,000", 10000, 0, WINDOW(5000, .n = 3) },
    { "window-increments", "4 items, `--window --increments`, T = 1,000", 400, 0,
      WINDOW(1000, .n = 4, .increments = true) },
    { "window-equal", "cards A A B B, `--window`, T = 1,000", 1400, 0, WINDOW(1000, .cards = "A A B B") },
    { "window-hand", "5 cards of 52, `--window`, T = 1,000", 100, 0, WINDOW(1000, .n = 52, .deal = 5) },
    { "window-8", "8 items, with the bettor, `--window`, T = 1,000", 500, 4, WINDOW(1000, .n = 8) },
    { "window-restarts", "3 items, `--window`, 3 restarts, T = 1,000", 2500, 0, WINDOW(1000, .n = 3, .restarts = 3) },
    { "window-52", "52 items, `--window`, T = 1,000", 100, 0, WINDOW(1000, .n = 52) },
    { "watch-3", "3 items, 20,000 permutations", 4000, 40, EVER(20000, .n = 3) },
    { "watch-8", "8 items, 140,000 permutations, three rounds of the bettor", 150, 0, EVER(140000, .n = 8) },
    { "watch-restarts", "8 items, 3 restarts, 2,000 permutations", 1000, 20, EVER(2000, .n = 8, .restarts = 3) },
    { .name = "bounds",
      .setting = "3 items, even orders up by 0.3, 2,000 permutations",
      .full = 10000,
      .brief = 40,
      .line = { { .promise = "a bound on total variation is wrong", .allowed = 0.05 } },
      .trial = bounds_trial },
};

const struct promise_part promise_watches = { .title = "Watches",
                                              .count = sizeof cases / sizeof cases[0],
                                              .cases = cases };
