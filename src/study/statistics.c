/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statistics of a sampled report beside rank and position. Where deals are counted by rank each that came
 * up is classified once, by all threads; else the sampler adds deck by deck.
 */
#include "study/statistics.h"

#include "core/error.h"
#include "core/name.h"
#include "statistic/statistic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENMP
#include <omp.h>
#endif

enum sb_status sb_statistics_unknown(const char *name, struct sb_error *error)
{
    struct sb_name_nearest nearest = { .name = name };
    char suggestion[128];

    for (size_t i = 0; i < sb_statistic_types_count; i++)
        sb_name_offer(&nearest, sb_statistic_types[i]->name);
    return sb_error_set(error, SB_INVALID,
                        "unknown statistic '%.60s': 'shufflebias list statistics' shows what there is%s",
                        name, sb_name_suggest(&nearest, suggestion, sizeof suggestion));
}

/* Whether the name, of `length` letters, stands first in the list of names. */
static bool statistics_begins(const char *names, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(names, name, length) == 0;
}

/* Whether a list of names with commas between has this one; NULL has all. */
static bool statistics_named(const char *names, const char *name)
{
    for (; names && *names; names += names[strcspn(names, ",")] == ',') {
        if (statistics_begins(names, strcspn(names, ","), name))
            return true;
        names += strcspn(names, ",");
    }
    return !names;
}

enum sb_status sb_statistics_check(const char *names, struct sb_error *error)
{
    while (names && *names) {
        const size_t length = strcspn(names, ",");
        bool known = false;

        for (size_t i = 0; i < sb_statistic_types_count; i++)
            known = known || statistics_begins(names, length, sb_statistic_types[i]->name);
        if (!known) {
            char name[64];

            snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
                     names);
            return sb_statistics_unknown(name, error);
        }
        names += length + (names[length] == ',');
    }
    return SB_OK;
}

enum sb_status sb_statistics_open(const char *names, const char *profile, size_t n, size_t k,
                                  struct sb_error *error, struct sb_statistics *statistics)
{
    *statistics = (struct sb_statistics) {
        .type = calloc(sb_statistic_types_count, sizeof statistics->type[0]),
        .tally = calloc(sb_statistic_types_count, sizeof statistics->tally[0]),
    };
    if (!statistics->type || !statistics->tally)
        return sb_error_memory(error, "tallies");
    for (size_t i = 0; i < sb_statistic_types_count; i++) {
        const struct sb_statistic_type *const type = sb_statistic_types[i];

        if (type != &sb_statistic_rank && type != &sb_statistic_position &&
            ((statistics_named(names, type->name) && sb_statistic_joins(type, n, k)) ||
             sb_statistic_joins_profile(type, profile, n, k)))
            statistics->type[statistics->count++] = type;
    }
    if (statistics->count == 0)
        return SB_OK;
    return sb_observer_new(n, k, statistics->type, statistics->count, 0, error, &statistics->observer);
}

void sb_statistics_close(struct sb_statistics *statistics)
{
    free(statistics->type);
    free(statistics->tally);
    sb_observer_free(statistics->observer);
    *statistics = (struct sb_statistics) { 0 };
}

/* One thread's share of the ranks, each of them so many times. */
static enum sb_status statistics_classify(const struct sb_evidence *evidence, size_t part, size_t parts,
                                          struct sb_observer *observer)
{
    const size_t end = evidence->cells * (part + 1) / parts;
    sb_item *const a = calloc(evidence->deal + 1, sizeof *a);

    for (size_t rank = evidence->cells * part / parts; a && rank < end; rank++) {
        if (evidence->count[rank] == 0)
            continue;
        sb_permutation_unrank(evidence->n, evidence->deal, rank, a);
        sb_observer_add_times(observer, a, evidence->count[rank]);
    }
    free(a);
    return a ? SB_OK : SB_NO_MEMORY;
}

static enum sb_status statistics_of_counts(const struct sb_evidence *evidence, unsigned threads,
                                           struct sb_observer *observer)
{
    enum { STATISTICS_SHARE_LEAST = 10000 }; /* ranks that are worth a thread */
    const size_t parts = threads && evidence->cells > STATISTICS_SHARE_LEAST ? threads : 1;
    int status = SB_OK; /* enum sb_status */

    if (parts == 1)
        return statistics_classify(evidence, 0, 1, observer);
#pragma omp parallel for num_threads((int)parts) schedule(static)
    for (size_t part = 0; part < parts; part++) {
        struct sb_observer *forked = NULL;
        enum sb_status done = sb_observer_fork(observer, &forked);

        if (done == SB_OK)
            done = statistics_classify(evidence, part, parts, forked);
#pragma omp critical
        if (done == SB_OK)
            sb_observer_join(observer, forked);
        else
            status = SB_NO_MEMORY;
        sb_observer_free(forked);
    }
    return (enum sb_status)status;
}

enum sb_status sb_statistics_read(const struct sb_evidence *evidence, unsigned threads,
                                  struct sb_statistics *statistics)
{
    enum sb_status status = SB_OK;

#ifdef _OPENMP
    threads = threads ? threads : (unsigned)omp_get_num_procs();
#endif
    if (statistics->count == 0)
        return SB_OK;
    if (evidence->cells)
        status = statistics_of_counts(evidence, threads, statistics->observer);
    if (status == SB_OK)
        sb_observer_read(statistics->observer, statistics->tally);
    return status;
}
