/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The number of permutations that a statistic needs to show the bias of a known law: that with which the chi-square
 * test at level alpha has a power of 1/2. The noncentrality per permutation is sum (p - q)^2/q over the statistic's
 * cells, merged like those of the gate, where p is a cell's probability under the law, and q that under a fair
 * shuffle. For `position`, the test is that of the whole matrix. Of several members, such as one per item, the number
 * is the smallest, each tested at level alpha divided by their number. A statistic whose law is that of a fair shuffle
 * never shows the bias.
 *
 * The law's probabilities are added up deal by deal, in units of 2^-60. The rounding error is far smaller than the
 * bias of any scheme.
 */
#include "core/system.h"

#include "study/run/run.h"
#include "study/zoo/zoo.h"

static const double law_power = 0.5;
static const double law_parts = 0x1p60;
static const double law_rounding = 1e-24; /* noncentrality per permutation that rounding alone may cause */

/* Returns the noncentrality per permutation of one member. Sets *cells to the number of cells that can occur. */
static double law_effect(const struct sb_tally *tally, size_t member, size_t *cells)
{
    double sum = 0;

    *cells = 0;
    for (size_t i = 0; i < tally->cells; i++) {
        const struct sb_cell cell = sb_cell_get(tally, member, i);

        if (cell.expected > 0)
            sum += cell.excess * (cell.excess / cell.expected) / (double)tally->total;
        *cells += cell.expected > 0;
    }
    return sum;
}

static double law_shuffles(double dof, double alpha, double effect)
{
    const struct sb_power_test test = sb_power_test(dof, alpha);

    return dof > 0 && effect > law_rounding ? sb_power_shuffles(&test, law_power, effect) : INFINITY;
}

static double law_needed(const struct sb_tally *tally, double alpha)
{
    const double members = (double)tally->members;
    const bool matrix = tally->members > 1 && !tally->first && /* `first` is NULL if no cells are merged */
                        sb_statistic_find(tally->statistic) == &sb_statistic_position;
    double all = 0, fewest = INFINITY;
    size_t cells = 0;

    for (size_t member = 0; member < tally->members; member++) {
        const double effect = law_effect(tally, member, &cells);

        all += effect;
        if (!matrix)
            fewest = fmin(fewest, law_shuffles((double)cells - 1, alpha / members, effect));
    }
    if (matrix)
        return law_shuffles((members - 1) * ((double)cells - 1), alpha, all * (members - 1) / members);
    return fewest;
}

static enum sb_status law_tally(const struct sb_evidence *evidence, struct sb_observer *observer)
{
    sb_item *const a = calloc(evidence->deal + 1, sizeof *a);

    for (size_t rank = 0; a && rank < evidence->cells; rank++) {
        const uint64_t parts = (uint64_t)llround(sb_evidence_share(evidence, rank) * law_parts);

        sb_permutation_unrank(evidence->n, evidence->deal, rank, a);
        if (parts)
            sb_observer_add_times(observer, a, parts);
    }
    free(a);
    return a ? SB_OK : SB_NO_MEMORY;
}

static enum sb_status law_read(const struct sb_evidence *evidence, double alpha,
                               const struct sb_statistic_type *const types[], size_t count, struct sb_error *error,
                               struct sb_zoo_row *row)
{
    struct sb_tally *const tally = calloc(count + 1, sizeof *tally);
    struct sb_observer *observer = NULL;
    enum sb_status status = tally ? SB_OK : SB_NO_MEMORY;

    if (status == SB_OK)
        status = sb_observer_new(NULL, evidence->n, evidence->deal, types, count, SB_TALLIES_CELLS_MOST, false, error,
                                 &observer);
    if (status == SB_OK)
        status = law_tally(evidence, observer);
    if (status == SB_OK) {
        sb_observer_read(observer, tally);
        for (size_t i = 0; i < count; i++)
            row->needed[i] = law_needed(&tally[i], alpha);
        row->exact = true;
    }
    sb_observer_free(observer);
    free(tally);
    return status;
}

enum sb_status sb_zoo_of_law(const struct sb_request *options, const struct sb_statistic_type *const types[],
                             size_t count, struct sb_error *error, struct sb_zoo_row *row)
{
    const struct sb_scheme *const scheme = &row->scheme;
    struct sb_shuffler shuffler;
    struct sb_evidence evidence = { 0 };
    enum sb_status status;

    if (row->bits || sb_cells(options->n, options->deal) == 0)
        return SB_OK;
    if (sb_shuffler_open(scheme->shuffle, options->n, options->deal, &shuffler))
        return sb_error_memory(error, "the steps of a shuffle");
    struct sb_law law = sb_scheme_law(scheme, &shuffler, options);

    law.progress = NULL;
    status = sb_engine_law(&law, SB_COST_UNASKED, error, &evidence);
    if (status == SB_OK && evidence.cells && !sb_evidence_partial(&evidence))
        status = law_read(&evidence, options->alpha, types, count, error, row);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
    return status == SB_NO_MEMORY ? sb_error_memory(error, "the exact law") : status;
}

/* The entrants of the zoo: a fair shuffle; all biased shuffles of the registry, with ideal draws; a fair shuffle with
 * biased draws; and one whose generator gets a new short seed for each deck. A shuffle that is biased only for deals
 * takes part only in deals. */

static const struct {
    const char *scheme;
    unsigned bits;
} entrants_more[] = {
    { "fisher-yates/modulo:8", 0 },
    { "fisher-yates/modulo:15", 0 },
    { "fisher-yates", 16 },
    { "fisher-yates", 32 },
};

enum { ENTRANTS_MORE = sizeof entrants_more / sizeof entrants_more[0] };

static void entrants_add(const char *scheme, unsigned bits, bool fair, size_t n, size_t deal, struct sb_zoo_row row[],
                         size_t *count)
{
    struct sb_zoo_row *const next = &row[*count];

    next->bits = bits;
    next->fair = fair;
    if (sb_scheme_parse(scheme, NULL, NULL, NULL, &next->scheme) || sb_scheme_check(&next->scheme, n, deal, NULL))
        return;
    if (bits)
        snprintf(next->name, sizeof next->name, "%.40s, seeds of %u bits", next->scheme.name, bits);
    else
        snprintf(next->name, sizeof next->name, "%.90s", next->scheme.name);
    ++*count;
}

enum sb_status sb_zoo_rows(size_t n, size_t deal, struct sb_error *error, struct sb_zoo_row **rows, size_t *count)
{
    struct sb_zoo_row *const made = calloc(sb_shuffles_unnamed() + ENTRANTS_MORE + 1, sizeof *made);

    if (!made)
        return sb_error_memory(error, "the zoo");
    *count = 0;
    entrants_add("fisher-yates", 0, true, n, deal, made, count);
    for (size_t i = 0; i < sb_shuffles_unnamed(); i++)
        if (sb_shuffle_types[i]->claim == SB_BIASED || (sb_shuffle_types[i]->claim == SB_BIASED_DEALS && deal < n))
            entrants_add(sb_shuffle_types[i]->name, 0, false, n, deal, made, count);
    for (size_t i = 0; i < ENTRANTS_MORE; i++)
        entrants_add(entrants_more[i].scheme, entrants_more[i].bits, false, n, deal, made, count);
    *rows = made;
    return SB_OK;
}

enum sb_status sb_zoo_feed(const struct sb_zoo_row *row, size_t n, size_t deal, uint64_t seed,
                           const volatile sig_atomic_t *stop, struct sb_error *error, struct sb_feed **feed)
{
    const struct sb_dealt dealt = { &row->scheme, n, deal, seed, stop, .bits = row->bits };

    return sb_dealt_new(&dealt, error, feed);
}

/* Runs the entrants for which no exact law gives the numbers, each from several seeds. For each statistic, finds the
 * first of the gate's looks at which the average of its members' e-processes reaches 1/alpha, and takes the median
 * over the seeds. Cost: that of a gate for each entrant and seed. The threads share the work, and do not affect the
 * results. */

enum { SAMPLE_MANY = 20 }; /* from this many items on, the computation of laws takes noticeable time */

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
    const struct sb_request *options;
    struct sb_run loop;
    struct sb_tallies tallies;
    struct sb_e_value *e; /* room for the members of a statistic; owned */
    /* [columns]; number of permutations until each statistic rejected; NaN: the statistic has not rejected yet */
    double *needed;
};

static enum sb_status sample_tally(void *state, const sb_item items[], size_t count)
{
    struct sample_trial *const trial = state;

    sb_tallies_add(&trial->tallies, items, count);
    return SB_OK;
}

static enum sb_status sample_look(void *state)
{
    struct sample_trial *const trial = state;
    const double ln_enough = -log(trial->options->alpha);
    const uint64_t next = sb_gate_next_look(trial->loop.total), most = trial->loop.most;
    bool all = true;

    sb_tallies_read(&trial->tallies);
    for (size_t i = 0; i < trial->tallies.count; i++) {
        if (isnan(trial->needed[i]) && sample_ln_e(&trial->tallies.tally[i], trial->e) >= ln_enough)
            trial->needed[i] = (double)trial->loop.total;
        all = all && !isnan(trial->needed[i]);
    }
    trial->loop.look = next < most ? next : most;
    trial->loop.ended = trial->loop.ended || all;
    return SB_OK;
}

static enum sb_status sample_stopped(struct sb_error *error)
{
    return sb_error_set(error, SB_STOPPED, "stopped before all had been seen");
}

/* Runs the statistics on an entrant's decks from one seed, until all statistics have rejected or the limit is
 * reached. Sets needed[0..columns-1]. */
static enum sb_status sample_try(const struct sample_run *sampling, size_t at, uint64_t seed, struct sb_error *error,
                                 double needed[])
{
    static const struct sb_run_hooks hooks = { .tally = sample_tally, .look = sample_look };
    const struct sb_zoo_run *const run = sampling->run;
    const struct sb_zoo *const zoo = run->zoo;
    const volatile sig_atomic_t *const stop = run->options->stop;
    const unsigned what = zoo->columns > run->count ? SB_TALLIES_REPEATS : 0;
    struct sample_trial trial = {
        .options = run->options,
        .loop = { .stop = stop, .hooks = &hooks, .state = &trial, .error = error, .look = 1, .most = zoo->samples },
        .e = calloc(zoo->n + 1, sizeof *trial.e),
    };

    trial.needed = needed;
    enum sb_status status = sb_zoo_feed(&zoo->row[at], zoo->n, zoo->deal, seed, stop, error, &trial.loop.feed);

    if (status == SB_OK && !trial.e)
        status = sb_error_memory(error, "the zoo");
    else if (status == SB_OK && sampling->laws.observer)
        status = sb_tallies_fork(&sampling->laws, what, error, &trial.tallies);
    else if (status == SB_OK)
        status = sb_tallies_open(NULL, zoo->n, zoo->deal, run->type, run->count, what, error, &trial.tallies);
    if (status == SB_OK)
        status = sb_run_loop(&trial.loop);
    if (status == SB_OK && trial.loop.interrupted)
        status = sample_stopped(error);
    sb_tallies_close(&trial.tallies);
    sb_feed_free(trial.loop.feed);
    free(trial.e);
    return status;
}

static int sample_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    return (x > y) - (x < y);
}

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

static void sample_work(void *state, size_t thread)
{
    struct sample_run *const sampling = state;
    const struct sb_zoo *const zoo = sampling->run->zoo;
    const volatile sig_atomic_t *const stop = sampling->run->options->stop;
    size_t task;

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
    return sb_tallies_open(NULL, run->zoo->n, run->zoo->deal, run->type, run->count, 0, run->error, &sampling->laws);
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
