/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Turns evidence into findings: the tests, the effects and the tables of a report on any subject, and on counts that
 * are not of orders. */
#include "study/gate/gate_page.h"
#include "study/report/report_result.h"

/* Counts that are not of orders, cell by cell: of a table of counts, or of the items of sets and hands. Each has an
 * interval and an exact p (fit/fit.h), with Bonferroni's correction for the number of cells. */

struct sb_counted *sb_counted_new(size_t count, const char *of, const char *before)
{
    struct sb_counted *const made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    made->of = of;
    made->before = before;
    made->count = count;
    made->cell = calloc(count + 1, sizeof *made->cell);
    if (made->cell)
        return made;
    free(made);
    return NULL;
}

void sb_counted_judge(struct sb_counted *made, uint64_t total, double alpha)
{
    const double cells = (double)made->count;

    for (size_t i = 0; i < made->count; i++) {
        struct sb_counted_cell *const cell = &made->cell[i];

        sb_binomial_interval(cell->count, total, alpha / cells, &cell->low, &cell->high);
        cell->share = (double)cell->count / (double)total;
        cell->ratio = cell->share / cell->fair;
        cell->ln_p = cell->fair > 0 && cell->fair < 1
                         ? fmin(0, sb_binomial_ln_p(cell->count, total, cell->fair) + log(cells))
                         : 0;
    }
}

const struct sb_counted_cell *sb_counted_extreme(const struct sb_counted *counted)
{
    const struct sb_counted_cell *extreme = NULL;

    for (size_t i = 0; i < counted->count; i++)
        if (!isnan(counted->cell[i].ln_p) && (!extreme || counted->cell[i].ln_p < extreme->ln_p))
            extreme = &counted->cell[i];
    return extreme;
}

void sb_counted_free(struct sb_counted *counted)
{
    for (size_t i = 0; counted && i < counted->count; i++)
        free(counted->cell[i].label);
    if (counted)
        free(counted->cell);
    free(counted);
}

enum { GROUPS_CELLS_MOST = 10000 };

/* Adds a cell. Error: SB_NO_MEMORY. */
static enum sb_status counted_add(struct sb_counted *counted, const char *label, uint64_t count, double fair)
{
    struct sb_counted_cell *const cell = &counted->cell[counted->count];

    cell->label = strdup(label);
    cell->count = count;
    cell->fair = fair;
    counted->count += cell->label != NULL;
    return cell->label ? SB_OK : SB_NO_MEMORY;
}

/* Adds how often each item was drawn, or was in each hand. */
static enum sb_status counted_items(const struct sb_evidence *e, struct sb_counted *counted)
{
    const struct sb_multiset *const groups = sb_item_groups(e->names);
    enum sb_status status = SB_OK;

    for (size_t cell = 0; cell < groups->groups * e->n && status == SB_OK; cell++) {
        const size_t group = cell / e->n;
        char item[SB_ITEM_ROOM], label[2 * SB_ITEM_ROOM + 4];
        const int used = snprintf(label, sizeof label, "%s", sb_item_words(e->names->places, cell % e->n, item));

        if (groups->groups > 1)
            snprintf(label + used, sizeof label - (size_t)used, " in %s",
                     sb_item_name(e->names, sb_evidence_item(e, group), item));
        status = counted_add(counted, label, e->matrix.u64[cell], sb_evidence_fair(e, group));
    }
    return status;
}

/* Adds how often each count of a kind came up. */
static enum sb_status counted_kinds(const struct sb_evidence *e, const struct sb_tally *tally,
                                    struct sb_counted *counted)
{
    const size_t kind = sb_kind_count_kind(tally->statistic);
    enum sb_status status = SB_OK;

    for (size_t i = 0; i < tally->members * tally->cells && status == SB_OK; i++) {
        const size_t cell = i % tally->cells;
        char number[24], label[3 * SB_ITEM_ROOM];

        if (!(tally->ln_p[cell] > -INFINITY))
            continue;
        snprintf(number, sizeof number, "%zu", cell);
        status = counted_add(counted, sb_kinds_words(e->names, kind, i / tally->cells, number, label), tally->count[i],
                             exp(tally->ln_p[cell]));
    }
    return status;
}

/* Counts where the items of sampled sets and hands went, and how many of a kind were dealt, unless there are very many
 * counts. `statistics` may be NULL. SB_NO_MEMORY. */
static enum sb_status report_count_groups(const struct sb_statistics *statistics, struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    const struct sb_multiset *const groups = sb_item_groups(e->names);
    const bool items = groups && e->matrix.form == SB_NUMBERS_U64;
    size_t cells = items ? groups->groups * e->n : 0;
    enum sb_status status = SB_OK;

    for (size_t i = 0; statistics && i < statistics->tallies.count; i++)
        if (sb_kind_count_kind(statistics->tallies.tally[i].statistic) < SB_KIND_COUNTS)
            cells += statistics->tallies.tally[i].members * statistics->tallies.tally[i].cells;
    if (!cells || cells > GROUPS_CELLS_MOST || !e->total)
        return SB_OK;
    report->counted = sb_counted_new(cells, groups && groups->groups == 1 ? "draw" : "deal", NULL);
    if (!report->counted)
        return SB_NO_MEMORY;
    report->counted->count = 0;
    if (items)
        status = counted_items(e, report->counted);
    for (size_t i = 0; statistics && i < statistics->tallies.count && status == SB_OK; i++)
        if (sb_kind_count_kind(statistics->tallies.tally[i].statistic) < SB_KIND_COUNTS)
            status = counted_kinds(e, &statistics->tallies.tally[i], report->counted);
    sb_counted_judge(report->counted, e->total, report->alpha);
    return status;
}

/* The tests of a report on a stream for single unlikely decks, and for single unlikely steps at its lags. Of many
 * values that are looked at, the smallest p is multiplied by their number. So p holds, whatever the values have to do
 * with each other. */

enum { OUTLIERS_LEAST = 128 }; /* the fewest permutations: the exact tests see single ones of fewer */

enum sb_status sb_report_outliers_open(const struct sb_request *options, const struct sb_tallies *tallies,
                                       struct sb_lags *lags, struct sb_report_outliers *outliers)
{
    if (options->statistics || !tallies->observer || tallies->ranked) /* ranks see single ones */
        return SB_OK;
    if (sb_outliers_new(tallies->deal, !tallies->multiset, &outliers->of[0]) || sb_observer_seek(tallies->observer))
        return SB_NO_MEMORY;
    sb_observer_join_outliers(tallies->observer, 0, outliers->of[0]);
    if (!lags)
        return SB_OK;
    if (sb_outliers_new(tallies->deal, false, &outliers->of[1]))
        return SB_NO_MEMORY;
    sb_lags_join(lags, outliers->of[1]);
    return SB_OK;
}

void sb_report_outliers_close(struct sb_report_outliers *outliers)
{
    sb_outliers_free(outliers->of[0]);
    sb_outliers_free(outliers->of[1]);
}

void sb_report_outliers_test(struct sb_report_outliers *outliers, uint64_t total, struct sb_statistics *statistics)
{
    static const char *const name[] = { sb_outliers_decks, sb_outliers_steps };

    for (size_t f = 0; f < SB_REPORT_OUTLIERS && total >= OUTLIERS_LEAST; f++) {
        const struct sb_outliers *const of = outliers->of[f];
        const struct sb_outlier *const worst = sb_outliers_worst(of);

        if (!of || !of->count)
            continue;
        const struct sb_tally tally = sb_outliers_tally(of, name[f], total);
        struct sb_finding *const finding = &outliers->finding[statistics->outliers_count++];

        *finding = sb_finding_none(&tally, "smallest");
        finding->outliers = true;
        finding->ln_p = sb_outliers_ln_p(of);
        finding->p = exp(finding->ln_p);
        finding->value = worst ? (double)(worst->law->low + worst->cell) : NAN;
    }
    statistics->outliers = outliers->finding;
}

enum sb_status sb_report_outliers_describe(const struct sb_report_outliers *outliers, uint64_t total, bool steps,
                                           struct sb_report *report)
{
    enum sb_status status = SB_OK;

    for (size_t f = 0; f < SB_REPORT_OUTLIERS && status == SB_OK && total >= OUTLIERS_LEAST; f++) {
        const struct sb_outlier *const worst = sb_outliers_worst(outliers->of[f]);

        if (worst)
            status = sb_odd_of(worst, report->names, steps, &report->odd[f]);
    }
    return status;
}

/* Sets the averages of a finding. A value beyond the cells counts as the last one. */
static void analyse_average(const struct sb_tally *tally, struct sb_finding *finding)
{
    double seen = 0, fair = 0, square = 0;

    if (!tally->number || tally->members != 1 || tally->lag || tally->first || tally->total == 0)
        return;
    for (size_t i = 0; i < tally->cells; i++) {
        const double value = (double)(tally->low + i), p = tally->ln_p ? exp(tally->ln_p[i]) : 1 / (double)tally->cells;

        seen += value * (double)tally->count[i] / (double)tally->total;
        fair += value * p;
        square += value * value * p;
    }
    if (fabs(seen - fair) < 3 * sqrt(fmax(0, square - fair * fair) / (double)tally->total))
        return;
    finding->average = seen;
    finding->average_fair = fair;
    finding->open = (tally->below && tally->count[0]) || (tally->above && tally->count[tally->cells - 1]);
}

enum sb_status sb_report_test(const struct sb_test_type *test, const struct sb_tally *tally, struct sb_report *report)
{
    struct sb_finding *const finding = &report->findings[report->findings_count];
    const enum sb_status status = test->run(tally, report->alpha, finding);

    finding->increments = tally->lag > 0;
    analyse_average(tally, finding);
    report->findings_count += status == SB_OK && (!isnan(finding->ln_p) || finding->least[0].ln_share != 0);
    return status;
}

/* Runs the tests of the registry that name this statistic or, if there are none, the tests for any statistic. */
static enum sb_status analyse_usual(const struct sb_tally *tally, struct sb_report *report)
{
    bool named = false;
    enum sb_status status = SB_OK;

    for (size_t i = 0; i < sb_test_types_count; i++)
        named = named || (sb_test_types[i]->statistic && strcmp(sb_test_types[i]->statistic, tally->statistic) == 0);
    for (size_t i = 0; i < sb_test_types_count && status == SB_OK; i++) {
        const struct sb_test_type *const test = sb_test_types[i];

        if (test->few ||
            (named ? !test->statistic || strcmp(test->statistic, tally->statistic) != 0 : !!test->statistic))
            continue;
        status = sb_report_test(test, tally, report);
    }
    return status;
}

/* Runs the usual tests of a tally. If none of them is reliable, because expected counts are too small, the exact test
 * of `few` takes their place. `few` has the same counts; NULL: there is no such test. */
static enum sb_status analyse_tally(const struct sb_tally *tally, const struct sb_tally *few, struct sb_report *report)
{
    const size_t first = report->findings_count;
    enum sb_status status = analyse_usual(tally, report);
    bool reliable = false;

    for (size_t i = first; i < report->findings_count; i++)
        reliable = reliable || sb_finding_reliable(&report->findings[i]);
    if (status || reliable || !few)
        return status;
    report->findings_count = first;
    return sb_report_test(&sb_test_exact, few, report);
}

/* Tests the counts by rank. If they are few, also tests whether too many of the samples are equal. */
static enum sb_status analyse_rank(const struct sb_tally *rank, struct sb_report *report)
{
    const size_t first = report->findings_count;
    const double ln_pair = -log((double)rank->cells);
    uint64_t repeats = rank->total;
    const struct sb_tally again = {
        .statistic = rank->statistic,
        .members = 1,
        .cells = 1,
        .total = rank->total,
        .count = &repeats,
        .ln_p = &ln_pair,
    };
    const struct sb_birthday equal = { .ln_pair = ln_pair, .decks = rank->total, .repeats = rank->total - 1 };
    const enum sb_status status = analyse_tally(rank, rank, report);

    if (status || report->findings_count == first || strcmp(report->findings[first].test, sb_test_exact.name) != 0 ||
        !(sb_birthday_ln_p(&equal) < log(report->alpha))) /* even if all are equal */
        return status;
    for (size_t cell = 0; cell < rank->cells; cell++)
        repeats -= rank->count[cell] > 0;
    return sb_report_test(&sb_test_birthday, &again, report);
}

static const struct sb_tally *analyse_ranks(const struct sb_statistics *statistics, size_t lag)
{
    for (size_t i = 0; i < statistics->tallies.count; i++)
        if (strcmp(statistics->tallies.tally[i].statistic, "rank") == 0 && statistics->tallies.tally[i].lag == lag)
            return &statistics->tallies.tally[i];
    return NULL;
}

static enum sb_status analyse_statistics(const struct sb_statistics *statistics, struct sb_report *report)
{
    enum sb_status status = SB_OK;

    for (size_t i = 0; statistics && i < statistics->tallies.count && status == SB_OK; i++) {
        struct sb_tally tally = statistics->tallies.tally[i];

        if (strcmp(tally.statistic, "position") == 0)
            tally.ranks = analyse_ranks(statistics, tally.lag);
        status = analyse_tally(&tally, sb_statistics_repeats(tally.statistic) ? NULL : &tally, report);
        /* how often each item is in each group: all of them together, and the one that stands out most */
        if (status == SB_OK && sb_item_groups(report->evidence.names) && strcmp(tally.statistic, "card-at") == 0)
            status = sb_report_test(&sb_test_matrix, &tally, report);
    }
    if (status == SB_OK && statistics && statistics->bettor)
        status = analyse_tally(statistics->bettor, NULL, report);
    if (status == SB_OK && statistics && statistics->lags)
        report->findings[report->findings_count++] = *statistics->lags;
    for (size_t i = 0; status == SB_OK && statistics && i < statistics->outliers_count; i++)
        report->findings[report->findings_count++] = statistics->outliers[i];
    return status;
}

/* Whether the exact test has run. */
static bool analyse_few(const struct sb_report *report)
{
    for (size_t i = 0; i < report->findings_count; i++)
        if (report->findings[i].test && strcmp(report->findings[i].test, sb_test_exact.name) == 0)
            return true;
    return false;
}

static enum sb_status analyse_tests(const struct sb_statistics *statistics, struct sb_report *report)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const size_t columns = evidence->deal + (evidence->deal < evidence->n);
    const size_t others = statistics ? statistics->tallies.count : 0;
    const bool different = !sb_item_multiset(evidence->names); /* else `card-at` takes the place of `position` */
    const bool undealt = different && columns > evidence->deal;
    uint64_t *const made = undealt ? sb_evidence_positions(evidence) : NULL;
    /* `made` may take half a gigabyte of memory; only the column "not dealt" requires it */
    const uint64_t *const positions = made ? made : evidence->matrix.u64;
    double *const ln_p = calloc(columns + 1, sizeof *ln_p); /* "not dealt" has another probability than the positions */
    const struct sb_tally rank = {
        .statistic = "rank",
        .members = 1,
        .cells = evidence->cells,
        .total = evidence->total,
        .count = evidence->counts.u64,
    };
    const struct sb_tally position = {
        .statistic = "position",
        .members = evidence->n,
        .cells = columns,
        .total = evidence->total,
        .count = positions,
        .ln_p = ln_p,
        .ranks = rank.cells ? &rank : NULL,
    };
    /* the places alone, without "not dealt", as in the table of places */
    const struct sb_tally placed = {
        .statistic = "position",
        .members = evidence->n,
        .cells = evidence->deal,
        .total = evidence->total,
        .count = evidence->matrix.u64,
        .ln_p = ln_p,
    };
    enum sb_status status = SB_OK;

    report->findings = calloc(sb_test_types_count * (5 + others), sizeof *report->findings);
    if ((undealt && !made) || !ln_p || !report->findings)
        status = SB_NO_MEMORY;
    else
        status = sb_statistic_null_law(&sb_statistic_position, NULL, evidence->n, evidence->deal, ln_p);
    if (status == SB_OK && evidence->total && rank.cells)
        status = analyse_rank(&rank, report);
    /* of single picks, the positions have the counts of the ranks: the pick that stands out most takes their place */
    if (status == SB_OK && evidence->total && columns && different && evidence->deal == 1 && rank.cells)
        status = analyse_few(report) ? SB_OK : sb_report_test(&sb_test_exact, &rank, report);
    else if (status == SB_OK && evidence->total && columns && different)
        status = analyse_tally(&position, &placed, report);
    if (status == SB_OK && evidence->total)
        status = analyse_statistics(statistics, report);
    free(made);
    free(ln_p);
    return status;
}

static void analyse_repeats(const struct sb_statistics *statistics, struct sb_report *report)
{
    if (statistics && statistics->tallies.noted)
        report->repeats = (struct sb_repeats) {
            .decks = statistics->tallies.birthday.decks,
            .repeats = statistics->tallies.birthday.repeats,
            .expected = sb_birthday_expected(statistics->tallies.birthday.decks, statistics->tallies.birthday.ln_pair),
        };
}

/* Returns how the tests share alpha, in words, which the caller frees; NULL if memory runs out. */
static char *analyse_correction(const struct sb_statistics *statistics, const struct sb_report *report)
{
    struct sb_sentence s = { 0 };

    sb_sentence_fill(&s, "report", "correction",
                     json_pack("{s:b, s:b, s:b, s:b, s:b}", "others",
                               statistics && statistics->types + statistics->steps, "lags",
                               statistics && statistics->lags, "few", analyse_few(report), "single",
                               report->evidence.deal == 1, "outliers", statistics && statistics->outliers_count));
    return sb_sentence_take(&s);
}

enum sb_status sb_report_analyse(const struct sb_statistics *statistics, struct sb_report *report)
{
    enum sb_status status =
        sb_evidence_arrange(&report->evidence) ? SB_NO_MEMORY : sb_evidence_matrix(&report->evidence);

    if (status == SB_OK && report->evidence.by == SB_BY_SAMPLE)
        status = analyse_tests(statistics, report);
    if (status == SB_OK && report->evidence.by == SB_BY_SEEDS && statistics->steps && report->evidence.total > 1) {
        report->findings = calloc(sb_test_types_count * (statistics->steps + 1), sizeof *report->findings);
        status = report->findings ? analyse_statistics(statistics, report) : SB_NO_MEMORY;
    }
    analyse_repeats(statistics, report);
    if (status == SB_OK && (report->evidence.by == SB_BY_SAMPLE || (statistics && statistics->steps)) &&
        !(report->correction = analyse_correction(statistics, report)))
        status = SB_NO_MEMORY;
    if (status == SB_OK && report->evidence.by == SB_BY_SAMPLE && !report->evidence.cells &&
        !sb_item_multiset(report->evidence.names))
        sb_places_find(&report->evidence, report->alpha, &report->places);
    if (status == SB_OK && report->evidence.by == SB_BY_SAMPLE)
        status = report_count_groups(statistics, report);
    if (status == SB_OK && report->evidence.cells && !report->has_effect) {
        status = sb_effect_of(&report->evidence, &report->effect);
        report->has_effect = status == SB_OK;
    }
    if (report->has_effect && report->evidence.by == SB_BY_EXACT && report->effect.kl_bits > 0)
        report->effect.shuffles_to_see = -log(report->alpha) / (report->effect.kl_bits * 0.69314718055994530942);
    return status;
}
