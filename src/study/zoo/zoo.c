/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The zoo: every biased shuffle against every statistic. Where no law is to be had each is run from a few
 * seeds, and of each statistic it is noted when its e-process, the average over its members, first reaches
 * 1/alpha at a look of the gate's; what counts is the median.
 *
 * Cost: that of a gate for each scheme and seed, which threads share out. The numbers do not depend on them.
 */
#include "study/zoo/zoo.h"

#include "core/error.h"
#include "core/level.h"
#include "core/system/threads.h"
#include "fit/sequential/e_process.h"
#include "gate/gate.h"
#include "study/study.h"
#include "tally/statistics.h"
#include "tally/tallies.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    ZOO_FAIR_RUNS = 4, /* of a test, on a fair shuffle, for each on one that is not */
    ZOO_MANY = 20,     /* items whose laws take time */
};

/* A zoo in the making. */
struct zoo_run {
    const struct sb_zoo_options *options;
    struct sb_error *error;
    struct sb_zoo_entrant *entrant;        /* [zoo->rows] owned */
    const struct sb_statistic_type **type; /* [count] owned */
    size_t count;
    struct sb_tallies laws; /* of the statistics, where they are computed once for all; else empty */
    struct sb_zoo *zoo;
};

void sb_zoo_options_init(struct sb_zoo_options *options)
{
    *options = (struct sb_zoo_options) {
        .n = 8,
        .seeds = 3,
        .alpha = 1e-6,
    };
}

static enum sb_status zoo_check(const struct sb_zoo_options *options, struct sb_error *error,
                                struct sb_zoo_options *settled)
{
    *settled = *options;
    if (options->n < 2 || options->n > SB_LAW_ITEMS_MOST)
        return sb_error_set(error, SB_INVALID, "`n = %zu`: use 2 to %d", options->n, SB_LAW_ITEMS_MOST);
    if (options->deal > options->n)
        return sb_error_deal(error, options->deal, options->n);
    if (sb_level_check("alpha", options->alpha, error))
        return SB_INVALID;
    if (options->seeds < 1 || options->seeds > 1000)
        return sb_error_set(error, SB_INVALID, "`seeds = %u` is out of range: use 1 to 1000", options->seeds);
    if (options->samples > INT64_MAX)
        return sb_error_set(error, SB_INVALID, "`samples = %" PRIu64 "` must be below 2^63",
                            options->samples);
    if (options->threads > 1024)
        return sb_error_set(error, SB_INVALID, "`threads = %u` is too large: use 1 to 1024",
                            options->threads);
    if (settled->deal == 0)
        settled->deal = options->n;
    if (settled->samples == 0)
        settled->samples = options->test ? 1000 : 20000;
    return SB_OK;
}

/* ln of the average E over the members of a tally; e has room for them. */
static double zoo_ln_e(const struct sb_tally *tally, struct sb_e_value e[])
{
    double most = -HUGE_VAL, sum = 0;

    if (tally->ln_e)
        return *tally->ln_e;
    sb_e_process(tally, e);
    for (size_t i = 0; i < tally->members; i++)
        most = fmax(most, e[i].ln_e);
    if (isinf(most))
        return most;
    for (size_t i = 0; i < tally->members; i++)
        sum += exp(e[i].ln_e - most);
    return most + log(sum / (double)tally->members);
}

/* Notes which statistics see it now; how many have not yet. */
static size_t zoo_look(const struct zoo_run *run, struct sb_tallies *tallies, uint64_t total,
                       struct sb_e_value e[], double seen[])
{
    size_t blind = 0;

    sb_tallies_read(tallies);
    for (size_t i = 0; i < tallies->count; i++) {
        if (isnan(seen[i]) && zoo_ln_e(&tallies->tally[i], e) >= -log(run->options->alpha))
            seen[i] = (double)total;
        blind += isnan(seen[i]);
    }
    return blind;
}

static bool zoo_stopped(const struct zoo_run *run)
{
    return run->options->stop && *run->options->stop;
}

/* Lets statistics look at the decks of a seed until all have seen or there were enough; seen[columns]. */
static enum sb_status zoo_watch(const struct zoo_run *run, struct sb_feed *feed, struct sb_error *error,
                                double seen[])
{
    const struct sb_zoo *const zoo = run->zoo;
    const unsigned what = zoo->columns > run->count ? SB_TALLIES_REPEATS : 0;
    struct sb_e_value *const e = calloc(zoo->n + 1, sizeof *e);
    struct sb_tallies tallies;
    uint64_t total = 0;
    enum sb_status status =
        run->laws.observer ? sb_tallies_fork(&run->laws, what, error, &tallies)
                           : sb_tallies_open(zoo->n, zoo->deal, run->type, run->count, what, error, &tallies);
    size_t blind = zoo->columns;

    if (status == SB_OK && !e)
        status = sb_error_memory(error, "the zoo");
    while (status == SB_OK && blind && total < zoo->samples) {
        const uint64_t next = sb_gate_next_look(total), look = next < zoo->samples ? next : zoo->samples;

        while (status == SB_OK && total < look) {
            const sb_item *items = NULL;
            size_t count = 0;

            status = feed->next(feed, (size_t)(look - total), &items, &count, error);
            if (status)
                break;
            sb_tallies_add(&tallies, items, count);
            total += count;
        }
        if (status == SB_OK && zoo_stopped(run))
            status = sb_error_set(error, SB_STOPPED, "stopped before all had been seen");
        if (status == SB_OK)
            blind = zoo_look(run, &tallies, total, e, seen);
    }
    sb_tallies_close(&tallies);
    free(e);
    return status;
}

/* Below 0, 0, above 0; what is not a number comes last. */
static int zoo_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

/* The medians of seen[seeds][columns]. */
static enum sb_status zoo_median(const struct sb_zoo *zoo, const double seen[], double median[])
{
    double *const one = calloc(zoo->seeds, sizeof *one);

    for (size_t column = 0; one && column < zoo->columns; column++) {
        for (size_t seed = 0; seed < zoo->seeds; seed++)
            one[seed] = seen[seed * zoo->columns + column];
        qsort(one, zoo->seeds, sizeof *one, zoo_order);
        median[column] = one[zoo->seeds / 2];
    }
    free(one);
    return one ? SB_OK : SB_NO_MEMORY;
}

/* The decks of an entrant from a seed, looked at. */
static enum sb_status zoo_try(const struct zoo_run *run, size_t at, uint64_t seed, struct sb_error *error,
                              double seen[])
{
    struct sb_feed *feed = NULL;
    enum sb_status status =
        sb_zoo_feed(&run->entrant[at], run->zoo->n, run->zoo->deal, seed, run->options->stop, error, &feed);

    if (status == SB_OK)
        status = zoo_watch(run, feed, error, seen);
    sb_feed_free(feed);
    return status;
}

/* What the threads share. */
struct zoo_sampling {
    const struct zoo_run *run;
    double *seen; /* [rows * seeds * columns] */
    size_t tasks;
    atomic_size_t next; /* task to be taken */
    pthread_mutex_t lock;
    enum sb_status worst; /* the first that was not SB_OK; under the lock, as is the run's error */
};

/* A thread's work: tasks until none is left. */
static void zoo_work(void *state, size_t thread)
{
    struct zoo_sampling *const sampling = state;
    const struct sb_zoo *const zoo = sampling->run->zoo;
    size_t task;

    (void)thread;
    while ((task = atomic_fetch_add(&sampling->next, 1)) < sampling->tasks) {
        struct sb_error error = { 0 };

        if (zoo->row[task / zoo->seeds].exact)
            continue;
        const enum sb_status status =
            zoo_stopped(sampling->run) ? sb_error_set(&error, SB_STOPPED, "stopped before all had been seen")
                                       : zoo_try(sampling->run, task / zoo->seeds, 1 + task % zoo->seeds,
                                                 &error, sampling->seen + task * zoo->columns);
        pthread_mutex_lock(&sampling->lock);
        if (status && !sampling->worst)
            sampling->worst = sb_error_set(sampling->run->error, status, "%s", error.text);
        pthread_mutex_unlock(&sampling->lock);
        if (status)
            break;
    }
}

/* All that have no law, from all seeds. */
static enum sb_status zoo_sample_all(struct zoo_run *run)
{
    struct sb_zoo *const zoo = run->zoo;
    const size_t tasks = zoo->rows * zoo->seeds;
    double *const seen = calloc(tasks * zoo->columns + 1, sizeof *seen);
    struct zoo_sampling sampling = {
        .run = run,
        .seen = seen,
        .tasks = tasks,
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };

    if (!seen)
        return sb_error_memory(run->error, "the zoo");
    for (size_t i = 0; i < tasks * zoo->columns; i++)
        seen[i] = NAN;
    sb_threads_run(sb_threads_count(run->options->threads, tasks), zoo_work, &sampling);
    for (size_t i = 0; i < zoo->rows && !sampling.worst; i++)
        if (!zoo->row[i].exact && zoo_median(zoo, seen + i * zoo->seeds * zoo->columns, zoo->row[i].needed))
            sampling.worst = sb_error_memory(run->error, "the zoo");
    free(seen);
    return sampling.worst;
}

/* The laws of many items take up to a second: they are computed once, and not by each thread for each seed.
 * Of few items there may be so few deals that they are counted by themselves, which a fork cannot do. */
static enum sb_status zoo_sample(struct zoo_run *run)
{
    const struct sb_zoo *const zoo = run->zoo;
    enum sb_status status = SB_OK;

    if (zoo->n >= ZOO_MANY)
        status = sb_tallies_open(zoo->n, zoo->deal, run->type, run->count, 0, run->error, &run->laws);
    if (status == SB_OK)
        status = zoo_sample_all(run);
    sb_tallies_close(&run->laws);
    return status;
}

/* Chooses the columns. */
static enum sb_status zoo_columns(struct zoo_run *run)
{
    struct sb_zoo *const zoo = run->zoo;

    run->type = calloc(sb_statistic_types_count + 1, sizeof *run->type);
    zoo->column = calloc(sb_statistic_types_count + 1, sizeof *zoo->column);
    if (!run->type || !zoo->column)
        return sb_error_memory(run->error, "the zoo");
    for (size_t i = 0; i < sb_statistic_types_count; i++)
        if (sb_statistic_joins(sb_statistic_types[i], zoo->n, zoo->deal)) {
            run->type[run->count] = sb_statistic_types[i];
            zoo->column[run->count++] = sb_statistic_types[i]->name;
        }
    zoo->columns = run->count;
    if (sb_cells(zoo->n, zoo->deal) == 0)
        zoo->column[zoo->columns++] = sb_statistics_repeat;
    return SB_OK;
}

/* The statistics on everybody. */
static enum sb_status zoo_statistics(struct zoo_run *run)
{
    struct sb_zoo *const zoo = run->zoo;
    enum sb_status status = zoo_columns(run);

    for (size_t i = 0; i < zoo->rows && status == SB_OK; i++) {
        zoo->row[i].needed = calloc(zoo->columns + 1, sizeof zoo->row[i].needed[0]);
        if (!zoo->row[i].needed)
            return sb_error_memory(run->error, "the zoo");
        status =
            sb_zoo_of_law(&run->entrant[i], run->options, run->type, run->count, run->error, &zoo->row[i]);
        if (run->options->progress)
            run->options->progress(run->options->progress_state, run->entrant[i].name, i, zoo->rows);
    }
    return status ? status : zoo_sample(run);
}

/* Somebody's test on everybody, from several seeds. */
static enum sb_status zoo_jury(struct zoo_run *run)
{
    struct sb_zoo *const zoo = run->zoo;
    enum sb_status status = SB_OK;

    for (size_t i = 0; i < zoo->rows && status == SB_OK; i++) {
        struct sb_zoo_row *const row = &zoo->row[i];
        const size_t runs = (size_t)zoo->seeds * (row->fair ? ZOO_FAIR_RUNS : 1);

        for (; row->runs < runs && status == SB_OK; row->runs++) {
            struct sb_feed *feed = NULL;
            bool passed = false;

            status = sb_zoo_feed(&run->entrant[i], zoo->n, zoo->deal, 1 + row->runs, run->options->stop,
                                 run->error, &feed);
            if (status == SB_OK)
                status = sb_zoo_ask(run->options, feed, run->error, &passed);
            row->passed += passed;
            sb_feed_free(feed);
        }
        if (run->options->progress)
            run->options->progress(run->options->progress_state, row->name, i, zoo->rows);
    }
    return status;
}

static enum sb_status zoo_make(struct zoo_run *run)
{
    const struct sb_zoo_options *const options = run->options;
    struct sb_zoo *const zoo = run->zoo;
    const enum sb_status status =
        sb_zoo_entrants(options->n, options->deal, run->error, &run->entrant, &zoo->rows);

    if (status)
        return status;
    zoo->n = options->n;
    zoo->deal = options->deal;
    zoo->alpha = options->alpha;
    zoo->samples = options->samples;
    zoo->seeds = options->seeds;
    zoo->test = options->test ? strdup(options->test) : NULL;
    zoo->row = calloc(zoo->rows + 1, sizeof *zoo->row);
    if (!zoo->row || (options->test && !zoo->test))
        return sb_error_memory(run->error, "the zoo");
    for (size_t i = 0; i < zoo->rows; i++) {
        zoo->row[i].name = strdup(run->entrant[i].name);
        zoo->row[i].fair = run->entrant[i].fair;
        if (!zoo->row[i].name)
            return sb_error_memory(run->error, "the zoo");
    }
    return options->test ? zoo_jury(run) : zoo_statistics(run);
}

enum sb_status sb_zoo_new(const struct sb_zoo_options *options, struct sb_error *error, struct sb_zoo **zoo)
{
    struct sb_zoo_options settled;
    struct zoo_run run = { .options = &settled, .error = error };
    enum sb_status status = zoo_check(options, error, &settled);

    if (status)
        return status;
    run.zoo = calloc(1, sizeof *run.zoo);
    if (!run.zoo)
        return sb_error_memory(error, "the zoo");
    status = zoo_make(&run);
    free(run.entrant);
    free(run.type);
    if (status)
        sb_zoo_free(run.zoo);
    else
        *zoo = run.zoo;
    return status;
}

void sb_zoo_free(struct sb_zoo *zoo)
{
    if (!zoo)
        return;
    for (size_t i = 0; zoo->row && i < zoo->rows; i++) {
        free(zoo->row[i].name);
        free(zoo->row[i].needed);
    }
    free(zoo->row);
    free(zoo->column);
    free(zoo->test);
    free(zoo);
}
