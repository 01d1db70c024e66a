/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The zoo: runs every statistic, or the user's test, on every biased shuffle. If the law of a shuffle is
 * known, the number of permutations that a statistic needs follows from the law; otherwise zoo_sample.c finds
 * the number by experiment.
 */
#include "study/zoo/zoo.h"

#include "core/error.h"
#include "core/level.h"
#include "study/results.h"
#include "tally/statistics.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* the largest number of deals of several cards for which the entrants that are fair by their law are found; among more
 * deals, no entrant is fair */
enum { ZOO_ACQUIT_CELLS = 120 };
/* for each run of a test on a biased shuffle, the number of runs on the fair shuffle */
enum { ZOO_FAIR_RUNS = 4 };

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

/* Chooses the columns, that is, the statistics. */
static enum sb_status zoo_columns(struct sb_zoo_run *run)
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

/* Returns whether a row, whose first number is that of the rank, is fair by its law, although its shuffle is biased in
 * general: the naive swap of two items is fair, and so is the first card after a rotation. */
static bool zoo_acquits(const struct sb_zoo_row *row)
{
    return row->exact && isinf(row->needed[0]);
}

/* Runs the statistics on all entrants. */
static enum sb_status zoo_statistics(struct sb_zoo_run *run)
{
    struct sb_zoo *const zoo = run->zoo;
    enum sb_status status = zoo_columns(run);
    const bool ranked = run->count && run->type[0] == &sb_statistic_rank;

    for (size_t i = 0; i < zoo->rows && status == SB_OK; i++) {
        struct sb_zoo_row *const row = &zoo->row[i];

        row->needed = calloc(zoo->columns + 1, sizeof row->needed[0]);
        if (!row->needed)
            return sb_error_memory(run->error, "the zoo");
        status = sb_zoo_of_law(&run->entrant[i], run->options, run->type, run->count, run->error, row);
        row->fair = row->fair || (ranked && zoo_acquits(row));
        if (run->options->progress)
            run->options->progress(run->options->progress_state, run->entrant[i].name, i, zoo->rows);
    }
    return status ? status : sb_zoo_sample(run);
}

/* Marks the entrants that are fair by their law. */
static enum sb_status zoo_acquit(struct sb_zoo_run *run)
{
    static const struct sb_statistic_type *const rank = &sb_statistic_rank;
    struct sb_zoo *const zoo = run->zoo;
    const size_t cells = sb_cells(zoo->n, zoo->deal);
    enum sb_status status = SB_OK;

    if (zoo->deal > 1 && cells > ZOO_ACQUIT_CELLS)
        return SB_OK;
    for (size_t i = 0; i < zoo->rows && status == SB_OK; i++) {
        double needed = NAN;
        struct sb_zoo_row law = { .needed = &needed };

        status = sb_zoo_of_law(&run->entrant[i], run->options, &rank, 1, run->error, &law);
        zoo->row[i].fair = zoo->row[i].fair || zoo_acquits(&law);
    }
    return status;
}

/* Runs the user's test on all entrants, from several seeds. */
static enum sb_status zoo_jury(struct sb_zoo_run *run)
{
    struct sb_zoo *const zoo = run->zoo;
    enum sb_status status = zoo_acquit(run);

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

static enum sb_status zoo_make(struct sb_zoo_run *run)
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
    struct sb_zoo_run run = { .options = &settled, .error = error };
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
