/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the entrants for which no exact law gives the numbers of permutations, each from several seeds. For
 * each statistic, finds the first of the gate's looks at which the e-process reaches 1/alpha. The e-process
 * of a statistic is the average of the e-processes of the statistic's members. The result is the median over
 * the seeds.
 *
 * Cost: a gate's cost for each entrant and seed. The threads share the work. The results do not depend on the
 * number of threads.
 */
#include "study/zoo/zoo.h"

#include "core/core.h"
#include "core/system.h"
#include "fit/sequential.h"
#include "gate/gate.h"
#include "study/run/run.h"
#include "tally/tally.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SAMPLE_MANY = 20 }; /* from this many items on, the computation of laws takes noticeable time */

/* Returns the logarithm of the average e-value over the members of a tally. e[] has room for all members. */
static double sample_ln_e(const struct sb_tally *tally, struct sb_e_value e[])
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

/* State that the threads share. */
struct sample_run {
    const struct sb_zoo_run *run;
    struct sb_tallies laws; /* the laws of the statistics, if they are computed only once; otherwise empty */
    double *needed;         /* [rows * seeds * columns] */
    size_t tasks;
    atomic_size_t next; /* index of the next task that no thread has taken */
    pthread_mutex_t lock;
    /* the first status other than SB_OK; `lock` protects this field and the run's error */
    enum sb_status worst;
};

/* A trial: one entrant from one seed. */
struct sample_trial {
    const struct sb_zoo_options *options;
    struct sb_run loop;
    struct sb_tallies tallies;
    struct sb_e_value *e; /* room for the members of a statistic; owned */
    /* [columns]; number of permutations until each statistic rejected; NaN: the statistic has not rejected
     * yet */
    double *needed;
};

static enum sb_status sample_tally(void *state, const sb_item items[], size_t count)
{
    struct sample_trial *const trial = state;

    sb_tallies_add(&trial->tallies, items, count);
    return SB_OK;
}

/* Returns the total at the next look. The last look is at the end of the trial. */
static uint64_t sample_next_look(const struct sample_trial *trial)
{
    const uint64_t look = sb_gate_next_look(trial->loop.total), most = trial->loop.most;

    return look < most ? look : most;
}

/* Sets `needed` for the statistics that now reject for the first time. */
static enum sb_status sample_look(void *state)
{
    struct sample_trial *const trial = state;
    const double ln_enough = -log(trial->options->alpha);
    bool all = true;

    sb_tallies_read(&trial->tallies);
    for (size_t i = 0; i < trial->tallies.count; i++) {
        if (isnan(trial->needed[i]) && sample_ln_e(&trial->tallies.tally[i], trial->e) >= ln_enough)
            trial->needed[i] = (double)trial->loop.total;
        all = all && !isnan(trial->needed[i]);
    }
    trial->loop.look = sample_next_look(trial);
    trial->loop.ended = trial->loop.ended || all;
    return SB_OK;
}

/* Opens the tallies of a trial. The caller closes the tallies, even after an error. */
static enum sb_status sample_trial_open(const struct sample_run *sampling, struct sb_error *error,
                                        struct sample_trial *trial)
{
    const struct sb_zoo_run *const run = sampling->run;
    const struct sb_zoo *const zoo = run->zoo;
    const unsigned what = zoo->columns > run->count ? SB_TALLIES_REPEATS : 0;

    trial->e = calloc(zoo->n + 1, sizeof *trial->e);
    if (!trial->e)
        return sb_error_memory(error, "the zoo");
    return sampling->laws.observer
               ? sb_tallies_fork(&sampling->laws, what, error, &trial->tallies)
               : sb_tallies_open(zoo->n, zoo->deal, run->type, run->count, what, error, &trial->tallies);
}

static enum sb_status sample_stopped(struct sb_error *error)
{
    return sb_error_set(error, SB_STOPPED, "stopped before all had been seen");
}

/* Runs the statistics on an entrant's decks from one seed, until all statistics have rejected or the limit is
 * reached. Sets needed[0..columns-1]. */
static enum sb_status sample_try(const struct sample_run *sampling, size_t at, uint64_t seed,
                                 struct sb_error *error, double needed[])
{
    static const struct sb_run_hooks hooks = { .tally = sample_tally, .look = sample_look };
    const struct sb_zoo_run *const run = sampling->run;
    const struct sb_zoo *const zoo = run->zoo;
    const volatile sig_atomic_t *const stop = run->options->stop;
    struct sample_trial trial = {
        .options = run->options,
        .loop = { .stop = stop,
                  .hooks = &hooks,
                  .state = &trial,
                  .error = error,
                  .look = 1,
                  .most = zoo->samples },
    };

    trial.needed = needed;
    enum sb_status status =
        sb_zoo_feed(&run->entrant[at], zoo->n, zoo->deal, seed, stop, error, &trial.loop.feed);

    if (status == SB_OK)
        status = sample_trial_open(sampling, error, &trial);
    if (status == SB_OK)
        status = sb_run(&trial.loop);
    if (status == SB_OK && trial.loop.interrupted)
        status = sample_stopped(error);
    sb_tallies_close(&trial.tallies);
    sb_feed_free(trial.loop.feed);
    free(trial.e);
    return status;
}

/* Compares two doubles; NaN comes last. */
static int sample_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

/* Sets median[] to the median of each column of seen[seeds][columns]. */
static enum sb_status sample_median(const struct sb_zoo *zoo, const double seen[], double median[])
{
    double *const one = calloc(zoo->seeds, sizeof *one);

    for (size_t column = 0; one && column < zoo->columns; column++) {
        for (size_t seed = 0; seed < zoo->seeds; seed++)
            one[seed] = seen[seed * zoo->columns + column];
        qsort(one, zoo->seeds, sizeof *one, sample_order);
        median[column] = one[zoo->seeds / 2];
    }
    free(one);
    return one ? SB_OK : SB_NO_MEMORY;
}

/* The work of a thread: takes tasks until all tasks are taken. */
static void sample_work(void *state, size_t thread)
{
    struct sample_run *const sampling = state;
    const struct sb_zoo *const zoo = sampling->run->zoo;
    const volatile sig_atomic_t *const stop = sampling->run->options->stop;
    size_t task;

    (void)thread;
    while ((task = atomic_fetch_add(&sampling->next, 1)) < sampling->tasks) {
        double *const needed = sampling->needed + task * zoo->columns;
        struct sb_error error = { 0 };

        if (zoo->row[task / zoo->seeds].exact)
            continue;
        const enum sb_status status =
            stop && *stop ? sample_stopped(&error)
                          : sample_try(sampling, task / zoo->seeds, 1 + task % zoo->seeds, &error, needed);
        pthread_mutex_lock(&sampling->lock);
        if (status && !sampling->worst)
            sampling->worst = sb_error_set(sampling->run->error, status, "%s", error.text);
        pthread_mutex_unlock(&sampling->lock);
        if (status)
            break;
    }
}

/* If there are many items, computes the laws once, because this takes up to a second. If there are few items,
 * each thread computes the laws for each seed. The reason: with few items the observer may tally whole deals,
 * and a copy (fork) of an observer cannot do this. */
static enum sb_status sample_laws(struct sample_run *sampling)
{
    const struct sb_zoo_run *const run = sampling->run;

    if (run->zoo->n < SAMPLE_MANY)
        return SB_OK;
    return sb_tallies_open(run->zoo->n, run->zoo->deal, run->type, run->count, 0, run->error,
                           &sampling->laws);
}

enum sb_status sb_zoo_sample(const struct sb_zoo_run *run)
{
    struct sb_zoo *const zoo = run->zoo;
    struct sample_run sampling = {
        .run = run,
        .tasks = zoo->rows * zoo->seeds,
        .lock = PTHREAD_MUTEX_INITIALIZER,
    };
    const size_t numbers = sampling.tasks * zoo->columns;

    sampling.worst = sample_laws(&sampling);
    sampling.needed = calloc(numbers + 1, sizeof *sampling.needed);
    if (!sampling.worst && !sampling.needed)
        sampling.worst = sb_error_memory(run->error, "the zoo");
    for (size_t i = 0; sampling.needed && !sampling.worst && i < numbers; i++)
        sampling.needed[i] = NAN;
    if (!sampling.worst)
        sb_threads_run(sb_threads_count(run->options->threads, sampling.tasks), sample_work, &sampling);
    for (size_t i = 0; i < zoo->rows && !sampling.worst; i++)
        if (!zoo->row[i].exact &&
            sample_median(zoo, sampling.needed + i * zoo->seeds * zoo->columns, zoo->row[i].needed))
            sampling.worst = sb_error_memory(run->error, "the zoo");
    sb_tallies_close(&sampling.laws);
    free(sampling.needed);
    return sampling.worst;
}
