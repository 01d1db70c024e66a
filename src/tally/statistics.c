/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The statistics of a sampled report in addition to rank and position. If deals are counted by rank, the statistics of
 * the deals are derived from these counts; otherwise the sampler adds each deck to the tallies of these statistics.
 */
#include "tally/tally.h"

#include "core/system.h"
#include "core/text.h"

#include <pthread.h>
#include <stdatomic.h>

/* Converts between tallies and evidence. For deals counted by rank, the threads classify each distinct deal only once.
 * Cost for each distinct deal: an unranking, a classification, and an addition for each member. */

static enum sb_status tallied_cards(const struct sb_tally *tally, struct sb_evidence *evidence)
{
    const size_t kinds = tally->cells, deal = tally->members;

    if (sb_numbers_open(SB_NUMBERS_U64, kinds * deal, &evidence->matrix))
        return SB_NO_MEMORY;
    evidence->arranged = true;
    for (size_t j = 0; j < deal; j++)
        for (size_t kind = 0; kind < kinds; kind++)
            evidence->matrix.u64[kind * deal + j] = tally->count[j * kinds + kind];
    return SB_OK;
}

enum sb_status sb_evidence_tallied(const struct sb_tally tally[], size_t count, size_t n, size_t deal,
                                   struct sb_evidence *evidence)
{
    struct sb_evidence made = { .by = SB_BY_SAMPLE, .n = n, .deal = deal };

    mpz_init(made.denominator);
    for (size_t i = 0; i < count; i++) {
        const struct sb_tally *const one = &tally[i];
        const bool rank = strcmp(one->statistic, sb_statistic_rank.name) == 0;
        const size_t rows = rank ? 1 : one->members, columns = rank ? one->cells : deal;
        struct sb_numbers copy;

        made.total = one->total;
        if (strcmp(one->statistic, sb_statistic_card_at.name) == 0 && !one->lag) {
            if (tallied_cards(one, &made)) {
                sb_evidence_close(&made);
                return SB_NO_MEMORY;
            }
            continue;
        }
        if (one->first || (!rank && strcmp(one->statistic, sb_statistic_position.name) != 0))
            continue; /* merged cells, as for the positions of large decks, are not a matrix */
        if (sb_numbers_open(SB_NUMBERS_U64, rows * columns, &copy)) {
            sb_evidence_close(&made);
            return SB_NO_MEMORY;
        }
        for (size_t row = 0; row < rows; row++) /* without the column "not dealt" */
            memcpy(copy.u64 + row * columns, one->count + row * one->cells, columns * sizeof *copy.u64);
        if (rank) {
            made.cells = columns;
            made.counts = copy;
        } else {
            made.matrix = copy;
        }
    }
    *evidence = made;
    return SB_OK;
}

uint64_t *sb_evidence_positions(const struct sb_evidence *evidence)
{
    const size_t columns = evidence->deal + (evidence->deal < evidence->n);
    uint64_t *const count = calloc(evidence->n * columns + 1, sizeof *count);

    for (size_t i = 0; count && i < evidence->n; i++) {
        uint64_t dealt = 0;

        for (size_t j = 0; j < evidence->deal; j++) {
            count[i * columns + j] = evidence->matrix.u64[i * evidence->deal + j];
            dealt += count[i * columns + j];
        }
        if (columns > evidence->deal)
            count[i * columns + evidence->deal] = evidence->total - dealt;
    }
    return count;
}

enum { CLASSIFY_BLOCK = 8192 }; /* number of ranks that a thread takes at once */

/* State that the threads share. */
struct classify_run {
    const struct sb_evidence *evidence;
    struct sb_observer *observer; /* protected by the lock */
    /* first rank of the next block; a thread whose allocation fails takes no block */
    atomic_size_t next;
    pthread_mutex_t lock;
};

/* Adds each deal of a block of ranks as often as the deal occurred; a[deal] is scratch. */
static void classify_block(const struct sb_evidence *evidence, size_t first, struct sb_observer *observer, sb_item a[])
{
    const size_t left = evidence->cells - first, end = first + (left < CLASSIFY_BLOCK ? left : CLASSIFY_BLOCK);

    for (size_t rank = first; rank < end; rank++) {
        if (evidence->counts.u64[rank] == 0)
            continue;
        sb_permutation_unrank(evidence->n, evidence->deal, rank, a);
        sb_observer_add_times(observer, a, evidence->counts.u64[rank]);
    }
}

static void classify_work(void *state, size_t thread)
{
    struct classify_run *const run = state;
    sb_item *const a = calloc(run->evidence->deal + 1, sizeof *a);
    struct sb_observer *forked = NULL;

    if (a && sb_observer_fork(run->observer, &forked) == SB_OK) {
        size_t first;

        while ((first = atomic_fetch_add(&run->next, CLASSIFY_BLOCK)) < run->evidence->cells)
            classify_block(run->evidence, first, forked, a);
        pthread_mutex_lock(&run->lock);
        sb_observer_join(run->observer, forked);
        pthread_mutex_unlock(&run->lock);
    }
    sb_observer_free(forked);
    free(a);
}

enum sb_status sb_classify_counts(const struct sb_evidence *evidence, unsigned threads, struct sb_observer *observer)
{
    struct classify_run run = { .evidence = evidence, .observer = observer, .lock = PTHREAD_MUTEX_INITIALIZER };

    sb_threads_run(sb_threads_count(threads, evidence->cells / CLASSIFY_BLOCK), classify_work, &run);
    return run.next < evidence->cells ? SB_NO_MEMORY : SB_OK;
}

/* ---- statistics ---- */

const char sb_statistics_repeat[] = "repeat";

enum sb_status sb_statistics_unknown(const char *name, struct sb_error *error)
{
    struct sb_name_nearest nearest = { .name = name };
    char suggestion[128];

    for (size_t i = 0; i < sb_statistic_types_count; i++)
        sb_name_offer(&nearest, sb_statistic_types[i]->name);
    sb_name_offer(&nearest, sb_statistics_repeat);
    sb_name_offer(&nearest, sb_bettor_name);
    return sb_error_set(error, SB_INVALID,
                        "unknown statistic '%.60s': 'shufflebias list statistics' shows what there is%s", name,
                        sb_name_suggest(&nearest, suggestion, sizeof suggestion));
}

static bool statistics_begins(const char *names, size_t length, const char *name)
{
    return strlen(name) == length && strncmp(names, name, length) == 0;
}

/* Whether the list `names`, as in the options of a report, contains `name`; NULL stands for all names. */
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
        bool known =
            statistics_begins(names, length, sb_statistics_repeat) || statistics_begins(names, length, sb_bettor_name);

        for (size_t i = 0; i < sb_statistic_types_count; i++)
            known = known || statistics_begins(names, length, sb_statistic_types[i]->name);
        if (!known) {
            char name[64];

            snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), names);
            return sb_statistics_unknown(name, error);
        }
        names += length + (names[length] == ',');
    }
    return SB_OK;
}

static bool statistics_bettable(const struct sb_multiset *multiset, size_t n, size_t k)
{
    return (k == n || !multiset) && sb_bettor_can(multiset, n);
}

bool sb_statistics_bet(const char *names, const struct sb_multiset *multiset, size_t n, size_t k)
{
    return statistics_bettable(multiset, n, k) && statistics_named(names, sb_bettor_name);
}

enum sb_status sb_statistics_scheme_check(const char *names, struct sb_error *error)
{
    if (!names || !statistics_named(names, sb_bettor_name))
        return SB_OK;
    return sb_error_set(error, SB_INVALID,
                        "bettor is for streams, and the decks of a scheme are independent of each other: leave "
                        "it out");
}

enum sb_status sb_increments_check(const struct sb_multiset *multiset, size_t n, size_t k, struct sb_error *error)
{
    if (multiset && multiset->groups)
        return sb_error_set(error, SB_INVALID,
                            "`increments` needs whole permutations, not sets or hands: leave one of them out");
    if (k == n)
        return SB_OK;
    return sb_error_set(error, SB_INVALID,
                        "`increments` needs whole permutations, not %zu of %zu: leave one of them out", k, n);
}

/* Appends `name` to the text if `names` contain it; truncates the text if there is too little room. */
static void statistics_append(const char *names, const char *name, char text[SB_STATISTICS_NAMES])
{
    const size_t used = strlen(text);

    if (statistics_named(names, name))
        snprintf(text + used, SB_STATISTICS_NAMES - used, "%s%s", used ? "," : "", name);
}

const char *sb_statistics_names(const char *names, char text[SB_STATISTICS_NAMES])
{
    if (!names || !names[0])
        return names ? "none" : "all";
    text[0] = '\0';
    for (size_t i = 0; i < sb_statistic_types_count; i++)
        statistics_append(names, sb_statistic_types[i]->name, text);
    statistics_append(names, sb_statistics_repeat, text);
    return text;
}

bool sb_statistics_repeats(const char *name)
{
    return strcmp(name, sb_statistics_repeat) == 0;
}

/* Whether a statistic is requested: by name, by the profile, or because all statistics are requested. */
static bool statistics_join(const struct sb_request *options, const struct sb_multiset *multiset,
                            const struct sb_statistic_type *type, size_t n, size_t k)
{
    const char *const profile =
        options->statistics ? type->profile : options->profile; /* named statistics ignore the profile */

    if (type->profile && strcmp(type->profile, SB_STATISTIC_GATED) == 0 && multiset && multiset->groups)
        return false; /* sets and hands have no order */

    return (statistics_named(options->statistics, type->name) &&
            (sb_statistic_joins_equal(type, multiset, n, k) || sb_statistic_joins_profile(type, profile, n, k))) ||
           sb_statistic_joins_profile(type, options->profile, n, k);
}

/* Whether whole deals, sets or hands are compared with each other: there are too many to count each. */
static bool statistics_compares(const struct sb_multiset *multiset, size_t n, size_t k)
{
    return multiset ? multiset->groups && n <= SB_REPEATS_GROUPED &&
                          sb_statistic_cells(&sb_statistic_rank, multiset, n, k) == 0
                    : sb_cells(n, k) == 0;
}

enum sb_status sb_statistics_fit(const char *names, const struct sb_multiset *multiset, size_t n, size_t k,
                                 struct sb_error *error)
{
    if (n < 2 || !names)
        return SB_OK;
    for (size_t i = 0; i < sb_statistic_types_count; i++) {
        const struct sb_statistic_type *const type = sb_statistic_types[i];

        if (statistics_named(names, type->name) && type != &sb_statistic_rank &&
            (sb_statistic_members(type, multiset, n, k) == 0 || sb_statistic_cells(type, multiset, n, k) == 0))
            return sb_error_set(error, SB_INVALID,
                                "%s has no known law of %zu items out of %zu: use %s, or leave it out", type->name, k,
                                n, type->range);
    }
    if (statistics_named(names, sb_statistics_repeat) && !statistics_compares(multiset, n, k))
        return sb_error_set(
            error, SB_INVALID,
            "repeat is for deals, and sets and hands of at most %d items, that cannot be counted one by "
            "one: leave it out",
            SB_REPEATS_GROUPED);
    if (statistics_named(names, sb_bettor_name) && !statistics_bettable(multiset, n, k))
        return sb_error_set(error, SB_INVALID, "bettor is for %d to %d items, not %zu of %zu: leave it out",
                            SB_BETTOR_LEAST, SB_BETTOR_MOST, k, n);
    return SB_OK;
}

/* Chooses first the statistics of the deals and then those of the increments. The statistics of the
 * increments include "rank" and "position". */
static void statistics_choose(const struct sb_request *options, const struct sb_multiset *multiset, size_t n, size_t k,
                              struct sb_statistics *statistics)
{
    for (size_t i = 0; i < sb_statistic_types_count; i++) {
        const struct sb_statistic_type *const type = sb_statistic_types[i];

        if (type != &sb_statistic_rank && type != &sb_statistic_position &&
            statistics_join(options, multiset, type, n, k))
            statistics->type[statistics->types++] = type;
    }
    for (size_t i = 0; options->increments && i < sb_statistic_types_count; i++) {
        const struct sb_statistic_type *const type = sb_statistic_types[i];

        if (type == &sb_statistic_position || (type == &sb_statistic_rank && sb_cells(n, k)) ||
            (type != &sb_statistic_rank && statistics_join(options, NULL, type, n, k)))
            statistics->type[statistics->types + statistics->steps++] = type;
    }
}

enum sb_status sb_statistics_open(const struct sb_request *options, const struct sb_multiset *multiset, size_t n,
                                  size_t k, uint64_t total, struct sb_error *error, struct sb_statistics *statistics)
{
    enum sb_status status = SB_OK;

    *statistics = (struct sb_statistics) {
        .type = calloc(2 * sb_statistic_types_count + 1, sizeof statistics->type[0]),
    };
    if (!statistics->type)
        return sb_error_memory(error, "tallies");
    status = sb_statistics_fit(options->statistics, multiset, n, k, error);
    if (status == SB_OK && options->increments)
        status = sb_increments_check(multiset, n, k, error);
    if (status)
        return status;
    statistics_choose(options, multiset, n, k, statistics);
    return sb_tallies_open_sample(multiset, n, k, statistics->type, statistics->types, statistics->steps,
                                  statistics_named(options->statistics, sb_statistics_repeat) &&
                                      statistics_compares(multiset, n, k),
                                  total, error, &statistics->tallies);
}

enum sb_status sb_statistics_open_steps(const struct sb_request *options, size_t n, uint64_t total,
                                        struct sb_error *error, struct sb_statistics *statistics)
{
    *statistics = (struct sb_statistics) {
        .type = calloc(2 * sb_statistic_types_count + 1, sizeof statistics->type[0]),
    };
    if (!statistics->type)
        return sb_error_memory(error, "tallies");
    statistics_choose(options, NULL, n, n, statistics);
    memmove(statistics->type, statistics->type + statistics->types, statistics->steps * sizeof statistics->type[0]);
    statistics->types = 0;
    return sb_tallies_open_sample(NULL, n, n, statistics->type, 0, statistics->steps, false, total, error,
                                  &statistics->tallies);
}

void sb_statistics_close(struct sb_statistics *statistics)
{
    free(statistics->type);
    sb_tallies_close(&statistics->tallies);
    *statistics = (struct sb_statistics) { 0 };
}

size_t sb_statistics_seen(const struct sb_statistics *statistics, struct sb_tally tally[])
{
    const struct sb_tallies *const tallies = &statistics->tallies;
    size_t count = 0;

    if (tallies->observer && !tallies->ranked) {
        sb_observer_read(tallies->observer, tally);
        count = tallies->statistics;
    }
    if (!tallies->increments)
        return count;
    sb_observer_read(tallies->increments, tally + count);
    for (size_t i = 0; i < tallies->steps; i++)
        tally[count++].lag = 1;
    return count;
}

bool sb_statistics_resume(struct sb_statistics *statistics, const struct sb_counts counts[], size_t count)
{
    struct sb_tallies *const tallies = &statistics->tallies;
    /* used as scratch here; sb_tallies_read() has not filled it in yet */
    struct sb_tally *const tally = tallies->tally;

    if (sb_statistics_seen(statistics, tally) != count || !sb_counts_lend(counts, count, tally))
        return false;
    if (tallies->observer && !tallies->ranked)
        sb_observer_resume(tallies->observer, tally);
    if (tallies->increments)
        sb_observer_resume(tallies->increments, tally + count - tallies->steps);
    return true;
}

enum sb_status sb_statistics_read(const struct sb_evidence *evidence, unsigned threads,
                                  struct sb_statistics *statistics)
{
    struct sb_tallies *const tallies = &statistics->tallies;
    struct sb_birthday *const birthday = &tallies->birthday;

    if (tallies->observer && tallies->ranked && sb_classify_counts(evidence, threads, tallies->observer))
        return SB_NO_MEMORY;
    if (tallies->noted && !statistics->compared)
        sb_repeats_sample_count(tallies->noted, threads, &birthday->decks, &birthday->repeats);
    sb_tallies_read(tallies);
    return SB_OK;
}
