/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A report against an intended law. Each statistic whose law is known is tested by Pearson's chi-square or, of few
 * permutations, by the exact test. If members have laws of their own, the finding is that of the member with the
 * smallest p, times the number of members. A value that the law forbids makes p 0. Ratios, matrices and effects are
 * about a uniform law, and are left out.
 *
 * If the law is known by a sample alone, or that of some statistics, these are tested by a comparison of two samples
 * (fit/fit.c). The second one is a table of counts, or a scheme's, which is as large as the first, but has
 * FAIR_SAMPLE_LEAST to FAIR_SAMPLE_MOST permutations, and another seed.
 *
 * Of a scheme of up to SB_FAIR_LISTED_MOST items, the exact law itself is compared with the intended one.
 */
#include "study/gate/gate_page.h"
#include "study/gate/gate_run.h"
#include "study/report/report_result.h"

static const char fair_correction[] = "Bonferroni over the tests of a report: the smallest p times the number of tests "
                                      "is compared with alpha. The p of a "
                                      "statistic with several members is the smallest one, times their number.";

enum {
    FAIR_SAMPLES = 100000, /* shuffles of a scheme, if the number is not given */
    FAIR_SAMPLE_LEAST = 100000,
    FAIR_SAMPLE_MOST = 1000000,
    FAIR_EXPECTED_LEAST = 10, /* the fewest expected counts of the smaller of two samples in a merged cell */
};

struct fair_run {
    struct sb_run loop;
    struct sb_fair *fair;         /* owned */
    struct sb_observer *observer; /* of statistics whose law is known; owned */
    struct sb_weigher *weigher;   /* owned; NULL: no weights, or few items */
    struct sb_tally *tally;       /* [count + others] owned, with the counts of both observers */
    size_t count;
    /* the other statistics, if there is a sample of the law: their observer, and that of the sample; owned */
    struct sb_observer *other, *sample;
    struct sb_tally *sampled; /* [others] owned */
    size_t others;
    double *ln_p; /* the logarithms of the shares of the sample, for the words; owned */
};

static enum sb_status fair_tally(void *state, const sb_item items[], size_t count)
{
    struct fair_run *const run = state;

    sb_observer_add(run->observer, items, count);
    if (run->others)
        sb_observer_add(run->other, items, count);
    if (run->weigher)
        sb_weigher_add(run->weigher, items, count);
    return SB_OK;
}

static enum sb_status fair_open(const struct sb_multiset *multiset, struct sb_error *error, struct fair_run *run)
{
    const struct sb_statistic_type **const type = calloc(2 * sb_statistic_types_count + 1, sizeof *type);
    const struct sb_statistic_type **const other = type ? type + sb_statistic_types_count : NULL;
    const struct sb_fair *const fair = run->fair;
    enum sb_status status = SB_OK;

    run->tally = calloc(2 * sb_statistic_types_count + 1, sizeof *run->tally);
    run->sampled = calloc(sb_statistic_types_count + 1, sizeof *run->sampled);
    if (!type || !run->tally || !run->sampled)
        status = sb_error_memory(error, "a report");
    for (size_t i = 0; type && status == SB_OK && i < sb_statistic_types_count; i++) {
        if (!sb_statistic_joins_equal(sb_statistic_types[i], multiset, fair->n, fair->deal))
            continue;
        if (sb_fair_knows(fair, sb_statistic_types[i]))
            type[run->count++] = sb_statistic_types[i];
        else if (sb_fair_sampled(fair))
            other[run->others++] = sb_statistic_types[i];
    }
    if (status == SB_OK)
        status = sb_observer_new_fair(fair, multiset, type, run->count, 0, false, error, &run->observer);
    if (status == SB_OK && run->others)
        status = sb_observer_new(NULL, fair->n, fair->deal, other, run->others, 0, false, error, &run->other);
    if (status == SB_OK && run->others)
        status = sb_observer_new(NULL, fair->n, fair->deal, other, run->others, 0, false, error, &run->sample);
    if (status == SB_OK && sb_fair_bets(fair) && sb_weigher_new(fair, &run->weigher))
        status = sb_error_memory(error, "a report");
    free(type);
    return status;
}

static enum sb_status fair_sample_scheme(const struct fair_run *run, const struct sb_request *options,
                                         struct sb_error *error)
{
    const uint64_t total = run->loop.total, few = total < FAIR_SAMPLE_LEAST ? FAIR_SAMPLE_LEAST : total;
    uint64_t left = few > FAIR_SAMPLE_MOST ? FAIR_SAMPLE_MOST : few;
    struct sb_request asked;
    struct sb_feed *feed = NULL;
    enum sb_status status;

    sb_request_init(&asked, SB_DEAL);
    asked.n = run->fair->n;
    asked.deal = run->fair->deal;
    asked.seed = INT64_MAX - options->seed; /* not that of the scheme on trial */
    asked.stop = options->stop;
    status = sb_scheme_feed(run->fair->scheme, &asked, error, &feed);
    while (status == SB_OK && left && !(options->stop && *options->stop)) {
        status = sb_feed_next(feed, left, error);
        if (status)
            break;
        sb_observer_add(run->sample, feed->items, feed->count);
        left -= feed->count;
    }
    sb_feed_free(feed);
    return status || !left ? status : sb_error_set(error, SB_STOPPED, "%s: stopped", run->fair->scheme);
}

/* Tallies the sample of the intended law. */
static enum sb_status fair_sample(const struct fair_run *run, const struct sb_request *options, struct sb_error *error)
{
    const struct sb_fair *const fair = run->fair;
    sb_item a[SB_LAW_ITEMS_MOST];

    if (!run->others)
        return SB_OK;
    for (size_t i = 0; fair->counted && i < fair->orders; i++)
        if (fair->p[i] > 0) {
            sb_fair_order(fair, NULL, i, a);
            sb_observer_add_times(run->sample, a, (uint64_t)fair->p[i]);
        }
    return fair->counted ? SB_OK : fair_sample_scheme(run, options, error);
}

/* Reads the tallies of two samples. For the words, the shares of the second sample stand for the law: a value that never
 * came up there is not forbidden, so that half a count is added to each. */
static enum sb_status fair_read_samples(struct fair_run *run)
{
    struct sb_tally *const tally = run->tally + run->count;
    size_t cells = 0, from = 0;

    if (!run->others)
        return SB_OK;
    sb_observer_read(run->other, tally);
    sb_observer_read(run->sample, run->sampled);
    for (size_t i = 0; i < run->others; i++)
        cells += tally[i].members * tally[i].cells;
    run->ln_p = calloc(cells + 1, sizeof run->ln_p[0]);
    if (!run->ln_p)
        return SB_NO_MEMORY;
    for (size_t i = 0; i < run->others; i++) {
        const double total = (double)run->sampled[i].total + 0.5 * (double)tally[i].cells;

        tally[i].ln_p = run->ln_p + from;
        tally[i].separate = true;
        tally[i].expected = NULL;
        for (size_t j = 0; j < tally[i].members * tally[i].cells; j++)
            run->ln_p[from++] = log(((double)run->sampled[i].count[j] + 0.5) / total);
    }
    return SB_OK;
}

/* Compares two samples, and adds the finding of the member with the smallest p, if there is one. */
static void fair_find_sampled(const struct sb_tally *tally, const struct sb_tally *sampled, struct sb_report *report)
{
    const double n = (double)tally->total, m = (double)sampled->total;
    struct sb_finding finding = sb_finding_none(tally, "two-sample");

    for (size_t member = 0; n > 0 && m > 0 && member < tally->members; member++) {
        const struct sb_finding found =
            sb_two_samples(tally, sampled, member, FAIR_EXPECTED_LEAST * (n + m) / fmin(n, m));

        if (isnan(finding.ln_p) || found.ln_p < finding.ln_p)
            finding = found;
    }
    if (isnan(finding.ln_p))
        return;
    finding.ln_p = fmin(0, finding.ln_p + log((double)tally->members));
    finding.p = exp(finding.ln_p);
    report->findings[report->findings_count++] = finding;
}

/* Runs a test on each member that has a law of its own. */
static enum sb_status fair_test(const struct sb_test_type *test, const struct sb_tally *tally, double alpha,
                                struct sb_finding *finding)
{
    const double members = (double)tally->members;
    enum sb_status status = SB_OK;

    if (!tally->separate)
        return test->run(tally, alpha, finding);
    for (size_t member = 0; member < tally->members && status == SB_OK; member++) {
        const struct sb_tally one = sb_tally_member(tally, member);
        struct sb_finding found;

        status = test->run(&one, alpha / members, &found);
        if (status == SB_OK && (member == 0 || isnan(finding->ln_p) || found.ln_p < finding->ln_p))
            *finding = found;
    }
    finding->ln_p = fmin(0, finding->ln_p + log(members)); /* NaN stays NaN */
    finding->p = exp(finding->ln_p);
    for (size_t i = 0; i < SB_LEAST_PARTS; i++)
        finding->least[i].ln_factor += log(members);
    return status;
}

/* Whether a value came up that the law forbids; Pearson's test may merge its cell with others. */
static bool fair_forbidden(const struct sb_tally *tally)
{
    for (size_t i = 0; i < tally->members * tally->cells; i++)
        if (tally->count[i] && sb_cell_get(tally, i / tally->cells, i % tally->cells).expected <= 0)
            return true;
    return false;
}

/* Tests a statistic, and adds the finding if it can have a p-value. */
static enum sb_status fair_find(const struct sb_tally *tally, struct sb_report *report)
{
    const struct sb_test_type *const usual = strcmp(tally->statistic, "rank") == 0 ? &sb_test_pearson : &sb_test_merged;
    struct sb_finding finding = sb_finding_none(tally, "exact");
    enum sb_status status = SB_OK;

    finding.p = 0;
    finding.ln_p = -INFINITY;
    if (!fair_forbidden(tally))
        status = fair_test(usual, tally, report->alpha, &finding);
    if (status == SB_OK && !sb_finding_reliable(&finding))
        status = fair_test(&sb_test_exact, tally, report->alpha, &finding);
    if (status == SB_OK && (!isnan(finding.ln_p) || finding.least[0].ln_share != 0))
        report->findings[report->findings_count++] = finding;
    return status;
}

static enum sb_status fair_find_bets(struct sb_weigher *weigher, struct sb_report *report)
{
    struct sb_tally tally = sb_weigher_read(weigher);

    tally.context = "another law"; /* its own context ends with the weigher */
    return sb_test_betting.run(&tally, report->alpha, &report->findings[report->findings_count++]);
}

/* Names the cells of the statistic with the smallest p that deviate most. */
static enum sb_status fair_say_cells(const struct fair_run *run, struct sb_report *report, struct sb_sentence *s)
{
    const struct sb_finding *const worst = sb_report_worst(report);
    const struct sb_gate_terms terms = { .alpha = report->alpha, .delta = report->alpha, .exclude = 0.5 };
    struct sb_gate gate;

    if (sb_gate_open(&terms, run->tally, run->count + run->others, &gate))
        return SB_NO_MEMORY;
    gate.n = run->fair->n;
    gate.deal = run->fair->deal;
    gate.names = report->names;
    gate.fair = run->fair->words;
    for (size_t i = 0; i < gate.lines_count; i++)
        gate.line[i].rejected = worst && strcmp(gate.line[i].statistic, worst->statistic) == 0;
    sb_gate_list_cells(run->tally, run->count + run->others, &gate);
    sb_gate_label_cells(run->tally, run->count + run->others, &gate);
    if (gate.cells_count)
        sb_sentence_add(s, ": ");
    sb_sentence_cells(s, &gate);
    gate.names = NULL; /* the report owns them, and the law its words */
    gate.fair = NULL;
    sb_gate_close(&gate);
    return SB_OK;
}

static const double fair_rounding = 1e-12; /* more than the rounding errors of the sum of 8! differences */

/* Replaces the sentence, which speaks of a fair shuffle. That of too few permutations stays. */
static enum sb_status fair_say(const struct fair_run *run, struct sb_report *report)
{
    const bool known = !isnan(report->fair_tv);
    struct sb_sentence s = { 0 };
    enum sb_status status = SB_OK;

    if (known)
        report->verdict = report->fair_tv > fair_rounding ? "biased" : "no bias seen";
    if (!known && report->findings_count == 0)
        report->verdict = "inconclusive";
    else if (strcmp(report->verdict, "inconclusive") == 0)
        return SB_OK;
    if (strcmp(report->verdict, "biased") == 0) {
        if (known)
            sb_sentence_add(&s, "the exact law is not %s (total variation %s)", run->fair->words,
                            sb_number_short(report->fair_tv, 3).text);
        else
            sb_sentence_add(&s, "this is not %s", run->fair->words);
        status = fair_say_cells(run, report, &s);
    } else if (strcmp(report->verdict, "inconclusive") == 0) {
        sb_sentence_add(&s, "%s permutation%s too few for a test", sb_number_grouped(report->evidence.total).text,
                        report->evidence.total == 1 ? " is" : "s are");
    } else if (known) {
        sb_sentence_add(&s, "the exact law is the intended one: %s", run->fair->words);
    } else {
        sb_sentence_add(&s, "no deviation from %s was seen in %s permutation%s", run->fair->words,
                        sb_number_grouped(report->evidence.total).text, report->evidence.total == 1 ? "" : "s");
    }
    sb_sentence_add(&s, ".");
    free(report->sentence);
    report->sentence = sb_sentence_take(&s);
    return report->sentence ? status : SB_NO_MEMORY;
}

/* Lists what is not tested. */
static enum sb_status fair_leave_out(const struct fair_run *run, struct sb_report *report)
{
    struct sb_gate gate = { .name = NULL };

    if (sb_gate_leave_out(run->fair, run->fair->n, run->fair->deal, &gate))
        return SB_NO_MEMORY;
    for (size_t i = 0; i < gate.left_out_count; i++) {
        bool tested = false;

        for (size_t k = 0; k < run->others; k++)
            tested = tested || strcmp(run->tally[run->count + k].statistic, gate.left_out[i]) == 0;
        if (!tested)
            gate.left_out[report->left_out_count++] = gate.left_out[i];
    }
    report->left_out = gate.left_out;
    return SB_OK;
}

static enum sb_status fair_findings(struct fair_run *run, struct sb_report *report)
{
    enum sb_status status = SB_OK;

    for (size_t i = 0; i < run->count && run->loop.total && status == SB_OK; i++)
        status = fair_find(&run->tally[i], report);
    for (size_t i = 0; i < run->others; i++)
        fair_find_sampled(&run->tally[run->count + i], &run->sampled[i], report);
    return status || !run->weigher ? status : fair_find_bets(run->weigher, report);
}

static enum sb_status fair_conclude(struct fair_run *run, const struct sb_request *options, struct sb_report *report)
{
    struct sb_report *const reports[] = { report };

    if (sb_evidence_tallied(NULL, 0, run->fair->n, run->fair->deal, &report->evidence))
        return SB_NO_MEMORY;
    sb_observer_read(run->observer, run->tally);
    report->evidence.total = run->loop.total;
    report->evidence.interrupted = run->loop.interrupted;
    report->evidence.names = report->names;
    if (!report->name)
        report->name = strdup(run->loop.feed->name);
    report->fair = strdup(run->fair->words);
    report->findings = calloc(run->count + run->others + 1, sizeof *report->findings);
    report->alpha = options->alpha;
    report->correction = strdup(fair_correction);
    report->p = report->ln_p = NAN;
    if (!report->name || !report->fair || !report->findings || !report->correction || fair_read_samples(run) ||
        fair_leave_out(run, report) || fair_findings(run, report))
        return SB_NO_MEMORY;
    report->fair_sample = run->others ? run->sampled[0].total : 0;
    return sb_report_conclude(reports, 1) ? SB_NO_MEMORY : fair_say(run, report);
}

/* Sets report->fair_tv, if the report is on a scheme whose exact law is known. */
static enum sb_status fair_compare(const struct sb_fair *fair, const struct sb_request *options, struct sb_error *error,
                                   struct sb_report *report)
{
    struct sb_error own = { 0 };
    struct sb_request asked = *options;
    struct sb_fair *exact = NULL;
    double sum = 0;

    report->fair_tv = NAN;
    if (!report->shuffle || !fair->p || fair->order || sb_fair_sampled(fair) || fair->deal < fair->n ||
        sb_item_multiset(report->names))
        return SB_OK;
    asked.of = SB_GATE; /* exact laws alone */
    const enum sb_status status = sb_fair_new(report->name, &asked, fair->n, fair->n, NULL, &own, &exact);

    if (status)
        return status == SB_STOPPED || status == SB_NO_MEMORY ? sb_error_set(error, status, "%s", own.text) : SB_OK;
    for (size_t rank = 0; rank < fair->orders; rank++)
        sum += fabs(exact->p[rank] - fair->p[rank]);
    report->fair_tv = sum / 2;
    sb_fair_free(exact);
    return SB_OK;
}

enum sb_status sb_report_fair(struct sb_feed *feed, uint64_t total, const struct sb_request *options,
                              struct sb_error *error, struct sb_report *report)
{
    static const struct sb_run_hooks hooks = { .tally = fair_tally };
    struct fair_run run = { .fair = NULL };
    enum sb_status status;

    status = sb_fair_new(options->fair, options, feed->n, feed->deal, report->names, error, &run.fair);
    run.loop = (struct sb_run) {
        .feed = feed,
        .stop = options->stop,
        .hooks = &hooks,
        .state = &run,
        .error = error,
        .look = UINT64_MAX,
        .most = total,
        .progress = options->progress,
        .progress_state = options->progress_state,
    };
    if (status == SB_OK)
        status = fair_compare(run.fair, options, error, report);
    if (status == SB_OK)
        status = fair_open(sb_item_multiset(report->names), error, &run);
    if (status == SB_OK)
        status = sb_run_loop(&run.loop);
    if (status == SB_OK)
        status = fair_sample(&run, options, error);
    if (status == SB_OK && fair_conclude(&run, options, report))
        status = sb_error_memory(error, "a report");
    sb_observer_free(run.observer);
    sb_observer_free(run.other);
    sb_observer_free(run.sample);
    sb_weigher_free(run.weigher);
    free(run.tally);
    free(run.sampled);
    free(run.ln_p);
    sb_fair_free(run.fair);
    return status;
}

static enum sb_status fair_scheme(const char *text, const struct sb_request *options, struct sb_error *error,
                                  struct sb_report *report)
{
    const uint64_t total = options->samples ? options->samples : FAIR_SAMPLES;
    struct sb_subject subject = sb_request_subject(options);
    struct sb_scheme scheme;
    struct sb_feed *feed = NULL;
    enum sb_status status = sb_scheme_parse(text, options->draw, options->rng, error, &scheme);

    if (status)
        return status;
    subject.scheme = text;
    subject.n = options->n;
    subject.deal = options->deal;
    report->title = scheme.shuffle.type->title;
    report->cite = scheme.shuffle.type->cite;
    report->name = strdup(scheme.name);
    report->shuffle = strdup(scheme.shuffle_name);
    report->draw = strdup(scheme.draw_name);
    report->rng = strdup(scheme.rng.name);
    if (!report->name || !report->shuffle || !report->draw || !report->rng)
        return sb_error_memory(error, "a report");
    status = sb_feed_open(&subject, options->stop, total, error, &feed);
    if (status)
        return status;
    if (sb_item_names_copy(feed->names, &report->names))
        status = sb_error_memory(error, "the names of items");
    if (status == SB_OK)
        status = sb_report_fair(feed, total, options, error, report);
    report->evidence.rng = scheme.rng.name;
    report->evidence.seed = options->seed;
    report->evidence.asked = total;
    sb_feed_free(feed);
    return status;
}

enum sb_status sb_reports_fair(const char *const schemes[], size_t count, const struct sb_request *options,
                               struct sb_error *error, struct sb_reports **reports)
{
    const char *const none = options->by                 ? "by"
                             : options->save             ? "save"
                             : options->shard.of         ? "shard"
                             : options->seed_range.count ? "seeds"
                                                         : NULL;
    struct sb_request settled;
    struct sb_reports *made;
    enum sb_status status = sb_options_settle(options, error, &settled);

    if (status || sb_fair_check(options, error))
        return status ? status : SB_INVALID;
    if (none)
        return sb_error_set(error, SB_INVALID,
                            "`fair` and `%s`: a report against an intended law samples, and adds the exact law of few "
                            "items: leave one of them out",
                            none);
    if (count == 0)
        return sb_error_set(error, SB_INVALID, "`fair = %.60s`: name the schemes to compare with this law",
                            options->fair);
    settled.samples = options->samples; /* 0 stays 0 */
    made = calloc(1, sizeof *made);
    if (made)
        made->report = calloc(count, sizeof *made->report);
    if (!made || !made->report) {
        free(made);
        return sb_error_memory(error, "the reports");
    }
    made->n = settled.n;
    made->deal = settled.deal;
    made->seed = settled.seed;
    for (size_t i = 0; status == SB_OK && i < count; i++) {
        made->count = i + 1; /* sb_reports_free() closes also one that is not complete */
        status = fair_scheme(schemes[i], &settled, error, &made->report[i]);
        made->interrupted = made->interrupted || made->report[i].evidence.interrupted;
    }
    if (status == SB_OK)
        status = sb_reports_call(&settled, settled.title, NULL, schemes, count, error, made);
    if (status)
        sb_reports_free(made);
    else
        *reports = made;
    return status;
}
