/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bias report: from schemes to evidence, from evidence to findings, from findings to a verdict. */
#include "study/explain/explain.h"
#include "study/report/report_result.h"

/* the most items for which an unrequested exact matrix is computed; this takes milliseconds */
enum { REPORT_UNASKED_MOST = 200 };

enum { REPORT_ARRANGED = 1000000 }; /* shuffles for decks with equal items, unless asked */

/* One scheme at one n, ready to run. */
struct report_case {
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    const struct sb_request *options;
    struct sb_error *error;
    /* whether the scheme is part of a report on all shuffles; such a report leaves out schemes without a law */
    bool unnamed;
    struct sb_saved *saved;             /* saved evidence to resume; NULL if there is none */
    const struct sb_multiset *multiset; /* which items are equal; borrowed; NULL: all differ */
};

static struct sb_law report_law(const struct report_case *one)
{
    return sb_scheme_law(&one->scheme, &one->shuffler, one->options);
}

/* Sets *ready to whether computing the exact law, or a part of it, takes at most about a second. Error:
 * SB_NO_MEMORY. */
static enum sb_status report_ready(const struct sb_law *law, bool *ready)
{
    double cost;

    if (law->shuffler->n <= REPORT_UNASKED_MOST)
        return sb_engine_possible(law, SB_COST_UNASKED, ready);
    (void)sb_engine_for(law, SB_TASK_LAW, &cost);
    *ready = cost <= SB_COST_UNASKED;
    return isnan(cost) ? SB_NO_MEMORY : SB_OK;
}

/* Sets *wanted to whether to report the exact law: on request, or if no kind of evidence was requested and it is
 * quick. A report on all shuffles leaves out laws that cannot be computed. */
static enum sb_status report_wants_exact(const struct report_case *one, bool *wanted)
{
    const struct sb_law law = report_law(one);
    enum sb_status status = SB_OK;

    *wanted = one->options->by & SB_BY_EXACT;
    if (!one->options->by)
        status = report_ready(&law, wanted);
    else if (*wanted && one->unnamed)
        status = sb_engine_possible(&law, SB_COST_UNLIMITED, wanted);
    return status ? sb_error_memory(one->error, "the exact law") : SB_OK;
}

static enum sb_status report_evidence(const struct report_case *one, enum sb_by by, struct sb_statistics *statistics,
                                      struct sb_evidence *evidence)
{
    struct sb_law law = report_law(one);

    const bool groups = one->multiset && one->multiset->groups;

    law.arranged = one->multiset && one->multiset->kinds > 1;
    /* of deals with equal items the report shows the matrix alone, so the law is not worth a wait */
    const bool brief = one->multiset && !groups && law.shuffler->deal < law.shuffler->n && sb_engine_finds_matrix(&law);
    const double limit = !(one->options->by & SB_BY_EXACT) || brief ? SB_COST_UNASKED
                         : one->unnamed                             ? SB_COST_MINUTES
                                                                    : SB_COST_UNLIMITED;

    if (by == SB_BY_SEEDS)
        return sb_seeds_evidence(&one->scheme, &one->shuffler, one->options, statistics, one->error, evidence);
    if (by == SB_BY_EXACT)
        return sb_engine_evidence(&law, limit, SB_COST_UNLIMITED, one->error, evidence);
    if (one->multiset)
        return sb_report_arranged(&one->scheme, one->options, statistics, one->error, evidence);
    const struct sb_sampling sampling = { &one->scheme, &one->shuffler, one->options, one->saved };

    return sb_sampled(&sampling, statistics, one->error, evidence);
}

/* Makes the tree of draws behind the law, with the tree's orders. Sets *tree to NULL if the tree is too large
 * for a figure. The caller frees *tree. Errors: SB_NO_MEMORY, SB_INVALID, SB_BROKEN. */
static enum sb_status report_tree(const struct sb_law *law, const struct sb_evidence *evidence,
                                  struct sb_explain **tree)
{
    *tree = NULL;
    if (evidence->n > SB_EXPLAIN_FIGURE_ITEMS || !sb_numbers_whole(&evidence->counts) ||
        sb_tree_leaves(law) > SB_EXPLAIN_FIGURE_PATHS)
        return SB_OK;
    struct sb_explain *const made = calloc(1, sizeof *made);

    if (!made)
        return SB_NO_MEMORY;
    made->n = evidence->n;
    made->deal = evidence->deal;
    enum sb_status status = sb_explain_paths(law, made);
    if (status == SB_OK)
        status = sb_explain_orders(law, evidence, made);
    if (status == SB_OK && made->draws_count && made->paths_count <= SB_EXPLAIN_FIGURE_PATHS)
        *tree = made;
    else
        sb_explain_free(made);
    return status;
}

/* Fills in a report: computes evidence of one kind and everything that follows from this evidence. `statistics` must
 * not have tallied any decks yet. */
static enum sb_status report_fill(const struct report_case *one, enum sb_by by, struct sb_statistics *statistics,
                                  struct sb_report *report)
{
    const struct sb_scheme *const scheme = &one->scheme;
    const struct sb_law law = report_law(one);
    enum sb_status status;

    *report = (struct sb_report) {
        .title = scheme->shuffle.type->title,
        .cite = scheme->shuffle.type->cite,
        .counts = one->options->all_counts,
        .alpha = one->options->alpha,
        .proven = scheme->shuffle.type->claim == SB_UNIFORM && !scheme->draw.type->law,
        .whole_only = scheme->shuffle.type->claim == SB_BIASED_DEALS && one->options->deal == one->options->n,
        .p = NAN,
        .ln_p = NAN,
        .name = strdup(scheme->name),
        .shuffle = strdup(scheme->shuffle_name),
        .draw = strdup(scheme->draw_name),
        .rng = by == SB_BY_EXACT ? NULL : strdup(scheme->rng.name),
    };
    if (!report->name || !report->shuffle || !report->draw || (by != SB_BY_EXACT && !report->rng))
        return sb_error_memory(one->error, "a report");
    status = report_evidence(one, by, statistics, &report->evidence);
    /* the probabilities of single deals may not show the effects */
    if (status == SB_OK && by == SB_BY_EXACT && !one->multiset)
        status = sb_engine_effect(&law, one->error, &report->evidence, &report->effect, &report->has_effect);
    if (status == SB_OK)
        status = sb_grouping_open(&one->options->grouping, one->options->cards, one->options->n, one->options->deal,
                                  one->error, &report->names);
    if (status)
        return status;
    report->evidence.names = report->names;
    status = sb_report_analyse(statistics, report);
    if (status == SB_OK && by == SB_BY_EXACT && !one->multiset)
        status = report_tree(&law, &report->evidence, &report->tree);
    return status == SB_BROKEN ? sb_error_broken(one->error, scheme->name)
           : status            ? sb_error_memory(one->error, "a report")
                               : SB_OK;
}

/* Returns how many items a deck shows. The deck of sets and hands has all items, with their groups. */
static size_t report_dealt(const struct sb_multiset *multiset, const struct sb_request *options)
{
    return multiset && multiset->groups ? options->n : options->deal;
}

static bool report_stopped(const struct sb_request *options)
{
    return options->stop && *options->stop;
}

static enum sb_status report_append(const struct report_case *one, enum sb_by by, struct sb_reports *reports,
                                    struct sb_report *made[], size_t *count)
{
    const struct sb_request *const options = one->options;
    struct sb_report *const report = &reports->report[reports->count];
    struct sb_statistics statistics = { 0 };
    enum sb_status status = SB_OK;

    if (by == SB_BY_SAMPLE)
        status = sb_statistics_open(options, one->multiset, options->n, report_dealt(one->multiset, options),
                                    options->samples, one->error, &statistics);
    if (by == SB_BY_SEEDS && options->increments)
        status = sb_statistics_open_steps(options, options->n, options->samples, one->error, &statistics);
    if (status == SB_OK)
        status = report_fill(one, by, &statistics, report);
    sb_statistics_close(&statistics);
    if (status) {
        sb_report_close(report);
        return status;
    }
    made[(*count)++] = report;
    reports->count++;
    return SB_OK;
}

/* Reads a scheme, and makes it ready to run. */
static enum sb_status report_open(struct report_case *one, const char *text)
{
    const struct sb_request *const options = one->options;
    enum sb_status status = sb_scheme_parse(text, options->draw, options->rng, one->error, &one->scheme);

    if (status == SB_OK)
        status = sb_scheme_check(&one->scheme, options->n, options->deal, one->error);
    if (status == SB_OK && sb_shuffler_open(one->scheme.shuffle, options->n, options->deal, &one->shuffler))
        status = sb_error_memory(one->error, "the steps of a shuffle");
    return status;
}

static enum sb_status report_add(struct report_case *one, const char *text, struct sb_reports *reports)
{
    const struct sb_request *const options = one->options;
    struct sb_report *made[3];
    size_t count = 0, seeds;
    bool exact;
    enum sb_status status = report_open(one, text);

    if (status)
        return status;
    status = report_wants_exact(one, &exact);
    if (status == SB_OK && exact)
        status = report_append(one, SB_BY_EXACT, reports, made, &count);
    if (status == SB_OK && (!options->by || options->by & SB_BY_SAMPLE))
        status = report_append(one, SB_BY_SAMPLE, reports, made, &count);
    if (count > 0 && sb_report_conclude(made, count))
        status = sb_error_memory(one->error, "a report");
    seeds = count;
    if (status == SB_OK && options->by & SB_BY_SEEDS && !report_stopped(options))
        status = report_append(one, SB_BY_SEEDS, reports, made, &count);
    if (count > seeds && sb_report_conclude(&made[seeds], 1))
        status = sb_error_memory(one->error, "a report");
    sb_shuffler_close(&one->shuffler);
    return status;
}

static enum sb_status report_check_exact(struct report_case *one)
{
    const struct sb_law law = report_law(one);
    struct sb_evidence evidence = { 0 };
    enum sb_status status = SB_OK;
    bool possible;

    if (sb_engine_possible(&law, SB_COST_UNLIMITED, &possible))
        return sb_error_memory(one->error, "the exact law");
    if (!possible)
        status = sb_engine_law(&law, HUGE_VAL, one->error, &evidence); /* this call only sets the error */
    sb_evidence_close(&evidence);
    return status;
}

/* Parses all schemes before the work starts, so that a mistake in the last scheme does not waste the work on
 * the first scheme. */
static enum sb_status report_check(const char *const schemes[], size_t count, const struct sb_request *options,
                                   struct sb_error *error)
{
    enum sb_status status = SB_OK;

    for (size_t i = 0; i < count && status == SB_OK; i++) {
        struct report_case one = { .options = options, .error = error };

        status = report_open(&one, schemes[i]);
        if (status)
            break;
        if (options->shard.of && !one.scheme.rng.type->seek)
            status = sb_error_set(error, SB_INVALID,
                                  "`shard`: %s cannot skip ahead to a part: use philox, or leave `shard` out",
                                  one.scheme.rng.name);
        if (status == SB_OK && options->by & SB_BY_SEEDS)
            status = sb_seeds_check(options, &one.scheme.rng, error);
        if (status == SB_OK && options->by & SB_BY_EXACT)
            status = report_check_exact(&one);
        sb_shuffler_close(&one.shuffler);
    }
    return status;
}

static enum sb_status report_all(const char *const schemes[], size_t count, const struct sb_request *options,
                                 const struct sb_multiset *multiset, struct sb_saved *saved, struct sb_error *error,
                                 struct sb_reports *reports)
{
    const bool all = reports->all;
    enum sb_status status = SB_OK;

    reports->report = calloc(3 * count + 1, sizeof *reports->report);
    if (!reports->report)
        return sb_error_memory(error, "the reports");

    for (size_t i = 0; i < count && status == SB_OK && !report_stopped(options); i++) {
        struct report_case one = {
            .options = options,
            .error = error,
            .unnamed = all,
            .saved = saved,
            .multiset = multiset,
        };

        status = report_add(&one, all ? sb_shuffle_types[i]->name : schemes[i], reports);
    }
    /* if all is done and saved, a later stop changes neither the report nor the file */
    const bool saved_whole = options->save && reports->count == 1 && !reports->report[0].evidence.interrupted;

    reports->interrupted = report_stopped(options) && !saved_whole;
    if ((status == SB_OK || status == SB_STOPPED) && reports->interrupted)
        status = reports->count ? SB_OK : sb_error_set(error, SB_STOPPED, "stopped before anything was counted");
    return status;
}

/* Checks that the options save at most one sample. If the options save a sample, requests no evidence except
 * the sample. */
static enum sb_status report_check_save(size_t count, const struct sb_saved *saved, struct sb_request *options,
                                        struct sb_error *error)
{
    if (!options->save && options->shard.of && !saved)
        return sb_error_set(error, SB_INVALID,
                            "`shard`: a part must be saved, so that it can be merged with the others: set `save`");
    if (!options->save)
        return SB_OK;
    if (count != 1)
        return sb_error_set(error, SB_INVALID, "`save`: name one scheme, and save each to a file of its own");
    if (options->by && options->by != SB_BY_SAMPLE)
        return sb_error_set(error, SB_INVALID, "`save`: only a sample can be saved: leave `by` out");
    options->by = SB_BY_SAMPLE;
    return SB_OK;
}

/* Checks that decks with equal items, and the statistics, suit the other options. Sets the default number of samples of
 * decks with equal items. */
static enum sb_status report_check_decks(const struct sb_request *asked, const struct sb_multiset *multiset,
                                         struct sb_error *error, struct sb_request *settled)
{
    enum sb_status status = SB_OK;

    if (multiset && (settled->save || settled->shard.of || settled->by & SB_BY_SEEDS))
        return sb_error_set(error, SB_INVALID,
                            "equal cards, sets and hands cannot have `%s`: leave it out, or use a gate",
                            settled->save       ? "save"
                            : settled->shard.of ? "shard"
                                                : "by=seeds");
    if (multiset && asked->samples == 0 && settled->samples > REPORT_ARRANGED)
        settled->samples = REPORT_ARRANGED;
    status = sb_statistic_profile_check(settled->profile, multiset, settled->n, error);
    if (status || (settled->by && !(settled->by & SB_BY_SAMPLE) && !settled->increments))
        return status;
    status = sb_statistics_scheme_check(settled->statistics, error);
    if (status == SB_OK)
        status = sb_statistics_fit(settled->statistics, multiset, settled->n, report_dealt(multiset, settled), error);
    if (status == SB_OK && settled->increments)
        status = sb_increments_check(multiset, settled->n, report_dealt(multiset, settled), error);
    return status;
}

static enum sb_status report_begin(const char *const schemes[], size_t count, const struct sb_request *options,
                                   struct sb_saved *saved, struct sb_error *error, struct sb_reports **reports)
{
    const char *const file = saved ? saved->path : NULL;
    struct sb_request settled;
    struct sb_item_names *names = NULL;
    struct sb_reports *made = NULL;
    enum sb_status status = sb_options_settle(options, error, &settled);

    if (status == SB_OK && count == 0 && options->samples == 0 && settled.samples / 10 >= 10 * settled.n)
        settled.samples /= 10; /* a table of all shuffles takes a second, too */
    if (status == SB_OK)
        status = report_check_save(count, saved, &settled, error);
    if (status == SB_OK)
        status = sb_request_group(options, error, &settled);
    if (status == SB_OK)
        status = sb_grouping_open(&settled.grouping, settled.cards, settled.n, settled.deal, error, &names);
    if (status == SB_OK)
        status = report_check_decks(options, sb_item_multiset(names), error, &settled);
    if (status == SB_OK)
        status = report_check(schemes, count, &settled, error);
    if (status == SB_OK && !(made = calloc(1, sizeof *made)))
        status = sb_error_memory(error, "the reports");
    if (status == SB_OK && made) {
        made->all = count == 0;
        made->n = settled.n;
        made->deal = settled.deal;
        made->seed = settled.seed;
        status = sb_reports_call(&settled, settled.title, NULL, saved ? &file : schemes, count, error, made);
        if (status == SB_OK)
            status = report_all(schemes, made->all ? sb_shuffles_unnamed() : count, &settled, sb_item_multiset(names),
                                saved, error, made);
    }
    sb_item_names_free(names);
    if (status)
        sb_reports_free(made);
    else
        *reports = made;
    return status;
}

enum sb_status sb_reports_new(const char *const schemes[], size_t count, const struct sb_request *options,
                              struct sb_error *error, struct sb_reports **reports)
{
    if (!schemes && count > 0)
        return sb_error_null(error, "the scheme");
    if (options->fair)
        return sb_reports_fair(schemes, count, options, error, reports);
    return report_begin(schemes, count, options, NULL, error, reports);
}

enum sb_status sb_reports_saved(const char *path, const char *scheme, const struct sb_request *options,
                                struct sb_error *error, struct sb_reports **reports)
{
    struct sb_request own = *options, settled;
    struct sb_saved *saved = NULL;
    enum sb_status status = sb_saved_new(path, SB_REPORT, options->save, NULL, error, &saved);

    if (status)
        return status;
    sb_request_fill(&own, &saved->asked);
    struct sb_subject subject = sb_request_subject(&own);

    subject.scheme = scheme;
    subject.n = own.n;
    subject.deal = own.deal;
    status = sb_saved_agrees(saved, &own, NULL, error, &subject);
    if (status == SB_OK)
        status = sb_options_settle(&own, error, &settled);
    if (status == SB_OK) {
        const char *const name = saved->scheme.name;

        own.by = SB_BY_SAMPLE;
        own.draw = own.rng = NULL;
        status = report_begin(&name, 1, &own, saved, error, reports);
    }
    sb_saved_free(saved);
    return status;
}
