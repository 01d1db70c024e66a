/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report on permutations from outside the program: reads and tallies the permutations, or reads recorded counts, and
 * then continues as for any sample. */
#include "study/catalogue/look.h"
#include "study/run/run.h"

/*
 * A report on a stream tests the steps X[t-L]^-1 X[t] at the gate's lags L = 1, 2, 4, ..., 64 (tally/order.h).
 *
 * If a fair shuffle starts anew each time, the steps at each lag are independent and uniform. So each lag has the test
 * `merged`. The finding is that of the lag with the smallest p, times the number of tests: one test of the report.
 *
 * A biased shuffle that starts anew each time has steps that are not uniform either. But their law is the same at all
 * lags. So permutations are shown to depend on each other only if the steps at the lag of the finding also differ from
 * those at another lag: at the lag whose test has the median p, since most lags may be those of independence. This
 * second test is a chi-square test of two samples. The pairs overlap, and it allows for that: let h(x, y) be 1 if the
 * step from x to y is in a cell. By Hoeffding's decomposition, h(x, y) = q + a(x) + b(y) + g(x, y), where g has the
 * mean 0 given x and given y. All terms g(X[t-L], X[t]), of both lags, are uncorrelated. The sums of a(x) and of b(y)
 * are the same at both lags, except for at most 63 permutations at an end, and the covariances of a, b and g add up to
 * that of h. So with 64 steps or more, the covariances of the difference are at most those of two samples of
 * independent steps. Any of the 42 ordered pairs of lags may be compared, for each statistic, so p is multiplied by
 * their number.
 *
 * Cost: that of the gate's lags for the first LAGS_DECKS permutations, and a pass over the cells at the end. W.
 * Hoeffding, A class of statistics with asymptotically normal distribution, doi:10.1214/aoms/1177730196.
 */

enum {
    LAGS_DECKS = 1 << 17,  /* the permutations that take part: more would slow reports of a million by 10% */
    LAGS_STEPS_LEAST = 64, /* the fewest steps at the farthest lag for a test */
    LAGS_EXPECT = 40,      /* the fewest counts of both samples in a merged cell */
    LAGS_PAIRS = SB_LAGS * (SB_LAGS - 1),
};

struct report_lags {
    struct sb_lags *lags; /* owned; NULL: not tallied */
    uint64_t decks;       /* number of permutations that took part so far */
    bool found;
    struct sb_finding finding; /* if `found` */
};

static void report_lags_add(struct report_lags *lags, const sb_item items[], size_t count)
{
    const uint64_t left = LAGS_DECKS - lags->decks;

    if (!lags->lags || left == 0)
        return;
    count = count < left ? count : (size_t)left;
    sb_lags_add(lags->lags, items, count);
    lags->decks += count;
}

/* Returns ln p of the hypothesis that the steps of two tallies have the same law. */
static double lags_ln_p_same(const struct sb_tally *one, const struct sb_tally *other)
{
    const double ln_p = one->total && other->total ? sb_two_samples(one, other, 0, LAGS_EXPECT).ln_p : 0;

    return isnan(ln_p) ? 0 : ln_p;
}

static enum sb_status lags_test(const struct sb_tally tally[], size_t k, size_t types, double alpha,
                                struct sb_finding *finding)
{
    struct sb_finding each[SB_LAGS];
    size_t order[SB_LAGS]; /* the lags by their p, the smallest first */
    enum sb_status status = SB_OK;

    for (size_t l = 0; l < SB_LAGS && status == SB_OK; l++) {
        size_t at = l;

        status = sb_test_merged.run(&tally[l * types + k], alpha, &each[l]);
        each[l].lag = tally[l * types + k].lag;
        each[l].ln_p = isnan(each[l].ln_p) ? 0 : each[l].ln_p; /* a single cell */
        for (; at > 0 && each[order[at - 1]].ln_p > each[l].ln_p; at--)
            order[at] = order[at - 1];
        order[at] = l;
    }
    if (status)
        return status;
    *finding = each[order[0]];
    finding->dependent = lags_ln_p_same(&tally[order[0] * types + k], &tally[order[SB_LAGS / 2] * types + k]) +
                             log((double)(LAGS_PAIRS * types)) <
                         log(alpha);
    return SB_OK;
}

static enum sb_status report_lags_test(struct report_lags *lags, double alpha)
{
    struct sb_tally tally[SB_LAGS * SB_LAGS_STATISTICS];
    enum sb_status status = SB_OK;

    if (!lags->lags)
        return SB_OK;
    const size_t tests = sb_lags_count(lags->lags), types = tests / SB_LAGS;

    sb_lags_read(lags->lags, tally);
    if (tally[tests - 1].total < LAGS_STEPS_LEAST)
        return SB_OK;
    for (size_t k = 0; k < types && status == SB_OK; k++) {
        struct sb_finding finding;

        status = lags_test(tally, k, types, alpha / (double)tests, &finding);
        if (status == SB_OK && (k == 0 || finding.ln_p < lags->finding.ln_p))
            lags->finding = finding;
    }
    if (status)
        return status;
    lags->finding.ln_p = fmin(0, lags->finding.ln_p + log((double)tests));
    lags->finding.p = exp(lags->finding.ln_p);
    lags->found = true;
    return SB_OK;
}

static const uint64_t observe_samples = 2000000;

/* above the excess of equal neighbours in a chain of riffles of three cards, and below that in lines that come twice */
static const double observe_excess = 0.4;

/* The tallies of an observed report. */
struct observe_run {
    struct sb_run loop;
    struct sb_observer *observer; /* owned; counts deals by rank if few are possible, otherwise items by position */
    struct sb_tallies *tallies;   /* of the statistics; borrowed */
    struct sb_bettor *bettor;     /* owned; NULL: no bets */
    double ln_e;                  /* the largest ln E at a look */
    struct sb_tally most;         /* the bettor's tally at that look */
    struct report_lags lags;
    struct sb_report_outliers outliers;
    struct sb_neighbours neighbours;
    struct sb_catalogue *catalogue; /* owned; NULL: not tallied */
};

static enum sb_status observe_tally(void *state, const sb_item items[], size_t count)
{
    struct observe_run *const run = state;

    sb_observer_add(run->observer, items, count);
    if (run->outliers.of[0])
        sb_outliers_add(run->outliers.of[0], run->tallies->place + 1, items, count);
    sb_tallies_add(run->tallies, items, count);
    if (run->bettor)
        sb_bettor_add(run->bettor, items, count);
    report_lags_add(&run->lags, items, count);
    if (run->catalogue)
        sb_catalogue_add(run->catalogue, items, count);
    return sb_neighbours_add(&run->neighbours, run->loop.feed->n, run->loop.feed->deal, items, count)
               ? sb_error_memory(run->loop.error, "the permutations")
               : SB_OK;
}

/*
 * A report reads its stream to the end. Its test of the bettor uses the largest E of the bettor at any look
 * on the way (fit/fit.c). The looks take place after the same numbers of permutations as a gate's
 * looks. These numbers do not depend on how the stream arrives, so the same stream has the same p everywhere.
 * Compared with a maximum over all permutations, a maximum over fewer looks can only make p larger.
 *
 * Cost: 36 logarithms for each of about 400 looks.
 */
static enum sb_status observe_look(void *state)
{
    struct observe_run *const run = state;
    const uint64_t total = run->loop.total;

    if (run->bettor && total) {
        const struct sb_tally tally = sb_bettor_read(run->bettor);

        if (!run->most.statistic || *tally.ln_e > run->ln_e) {
            run->ln_e = *tally.ln_e;
            run->most = tally;
            run->most.ln_e = &run->ln_e;
        }
    }
    run->loop.look = run->bettor && total < SB_BETTOR_DECKS ? sb_gate_next_look(total) : UINT64_MAX;
    return SB_OK;
}

/* The bettor and the lags of `run` are open, or not wanted. `statistics` borrows what they found. */
static enum sb_status observe_evidence(struct observe_run *run, struct sb_feed *feed, uint64_t total,
                                       const struct sb_request *options, struct sb_error *error,
                                       struct sb_statistics *statistics, struct sb_evidence *evidence)
{
    static const struct sb_run_hooks hooks = { .tally = observe_tally, .look = observe_look };
    const size_t n = feed->n, deal = feed->deal;
    /* permutations that can be counted one by one are, for the statistics follow from their counts */
    const struct sb_multiset *const multiset = deal == n && !sb_cells(n, deal) ? sb_item_multiset(feed->names) : NULL;
    const size_t cells = multiset ? multiset->arrangements : sb_cells(n, deal);
    const struct sb_statistic_type *type[2];
    struct sb_tally tally[2];
    size_t types = 0;

    if (cells)
        type[types++] = &sb_statistic_rank;
    if (multiset)
        type[types++] = &sb_statistic_card_at;
    else if (!cells)
        type[types++] = &sb_statistic_position;
    enum sb_status status = sb_observer_new(multiset, n, deal, type, types, 0, false, error, &run->observer);

    run->tallies = &statistics->tallies;
    run->loop = (struct sb_run) {
        .feed = feed,
        .stop = options->stop,
        .hooks = &hooks,
        .state = run,
        .error = error,
        .look = run->bettor ? sb_gate_next_look(0) : UINT64_MAX,
        .most = total,
        .progress = options->progress,
        .progress_state = options->progress_state,
    };
    if (status == SB_OK)
        status = sb_run_loop(&run->loop);
    if (status == SB_OK) {
        observe_look(run);
        statistics->bettor = run->most.statistic ? &run->most : NULL;
        status = report_lags_test(&run->lags, options->alpha);
        statistics->lags = run->lags.found ? &run->lags.finding : NULL;
        sb_report_outliers_test(&run->outliers, run->loop.total, statistics);
        if (run->catalogue)
            sb_catalogue_read(run->catalogue, NULL);
        statistics->catalogue = run->catalogue;
        sb_observer_read(run->observer, tally);
        if (status || sb_evidence_tallied(tally, types, n, deal, evidence))
            status = sb_error_memory(error, "the tallies");
        else
            evidence->interrupted = run->loop.interrupted;
        evidence->ended = !run->loop.interrupted && run->loop.total < total;
    }
    sb_observer_free(run->observer);
    return status;
}

enum sb_status sb_report_arranged(const struct sb_scheme *scheme, const struct sb_request *options,
                                  struct sb_statistics *statistics, struct sb_error *error,
                                  struct sb_evidence *evidence)
{
    struct observe_run run = { .tallies = NULL };
    const struct sb_subject subject = {
        .scheme = scheme->name,
        .deal = options->deal,
        .seed = options->seed,
        .cards = options->cards,
        .grouping = options->grouping,
        .n = options->n,
    };
    struct sb_feed *feed = NULL;
    enum sb_status status = sb_feed_open(&subject, options->stop, options->samples, error, &feed);

    if (status)
        return status;
    status = observe_evidence(&run, feed, options->samples, options, error, statistics, evidence);
    sb_neighbours_close(&run.neighbours);
    sb_feed_free(feed);
    if (status)
        return status;
    evidence->rng = scheme->rng.name;
    evidence->seed = options->seed;
    evidence->asked = options->samples;
    if (sb_statistics_read(evidence, options->threads, statistics) == SB_OK)
        return SB_OK;
    sb_evidence_close(evidence);
    return sb_error_memory(error, "a report");
}

enum sb_status sb_report_outside(const char *name, const char *title, const struct sb_request *options,
                                 const struct sb_statistics *statistics, struct sb_report *report)
{
    struct sb_report *const reports[] = { report };

    report->evidence.names = report->names;
    report->name = strdup(name);
    report->title = title;
    report->counts = options->all_counts;
    report->alpha = options->alpha;
    report->p = report->ln_p = NAN;
    if (!report->name)
        return SB_NO_MEMORY;
    const enum sb_status status = sb_report_analyse(statistics, report);

    return status ? status : sb_report_conclude(reports, 1) ? SB_NO_MEMORY : sb_report_look_like(statistics, report);
}

enum sb_status sb_reports_one(struct sb_reports **reports)
{
    struct sb_reports *const made = calloc(1, sizeof *made);

    if (made)
        made->report = calloc(1, sizeof *made->report);
    if (!made || !made->report) {
        free(made);
        return SB_NO_MEMORY;
    }
    made->count = 1;
    *reports = made;
    return SB_OK;
}

/* A feed whose first permutation is awaited. */
struct observe_first {
    const struct sb_request *options;
    const struct sb_feed *feed;
    uint64_t total; /* number of permutations that the report asks for */
};

static void observe_first_wait(void *state)
{
    const struct observe_first *const first = state;
    const struct sb_request *const options = first->options;

    if (options->progress && first->feed->n == 0)
        options->progress(options->progress_state, first->feed->name, 0, first->total);
}

/* Looks for runs of lines that came again, unless they would if each line were drawn from those that came. */
static enum sb_status observe_replay(const struct sb_neighbours *lines, struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    const double total = (double)e->total, ln_pair = sb_deck_key_ln_pair(e->n, e->deal);
    enum sb_replay_bet bet[SB_REPLAY_TOGETHER];
    double pairs = 0;

    if (sb_item_multiset(report->names) || !sb_selection_replays(e->n, e->deal) || 2 * lines->same > lines->count)
        return SB_OK;
    struct sb_replay *const replay = sb_replay_new(-ln_pair);

    if (!replay)
        return SB_NO_MEMORY;
    for (size_t t = 0; t < lines->count; t += SB_REPLAY_TOGETHER)
        sb_replay_add(replay, lines->key + t, (size_t)fmin((double)(lines->count - t), SB_REPLAY_TOGETHER), bet);
    for (size_t rank = 0; rank < e->cells; rank++)
        pairs += (double)e->counts.u64[rank] / total * ((double)e->counts.u64[rank] - 1) / (total - 1);
    report->replay = sb_replay_longest(replay, fmin(-ln_pair, -log(pairs)));
    sb_replay_free(replay);
    return SB_OK;
}

static enum sb_status observe_tallied(struct sb_feed *feed, const struct sb_subject *subject, uint64_t total,
                                      const struct sb_request *options, struct sb_error *error,
                                      struct sb_report *report)
{
    const char *const title = subject->chained ? "the steps of a chain, in which each shuffles the one before" : NULL;
    struct observe_run run = { .tallies = NULL };
    const struct sb_multiset *const multiset = sb_item_multiset(report->names);
    struct sb_statistics statistics;
    enum sb_status status = sb_statistics_open(options, multiset, feed->n, feed->deal, total, error, &statistics);

    report->each = subject->chained ? "step" : subject->shuffle ? "permutation" : "line";
    if (status == SB_OK && sb_statistics_bet(options->statistics, multiset, feed->n, feed->deal) &&
        sb_bettor_new(sb_item_groups(report->names), feed->n, feed->deal, &run.bettor))
        status = sb_error_memory(error, "the bettor");
    if (status == SB_OK && feed->n >= 2)
        status = sb_lags_new(multiset, feed->n, feed->deal, true, error, &run.lags.lags);
    if (status == SB_OK && sb_report_outliers_open(options, &statistics.tallies, run.lags.lags, &run.outliers))
        status = sb_error_memory(error, "the outliers");
    if (status == SB_OK && feed->n > SB_CATALOGUE_RANKED && feed->deal == feed->n && !multiset)
        status = sb_catalogue_build(feed->n, SB_CATALOGUE_WHOLE, error, &run.catalogue);
    if (status == SB_OK)
        status = observe_evidence(&run, feed, total, options, error, &statistics, &report->evidence);
    if (status == SB_OK && observe_replay(&run.neighbours, report))
        status = sb_error_memory(error, "the lines that came again");
    report->compared = run.neighbours.count;
    if (!subject->chained && sb_neighbours_stand_out(&run.neighbours, observe_excess))
        report->same = run.neighbours.same;
    if (status == SB_OK && sb_report_outliers_describe(&run.outliers, run.loop.total, subject->chained, report))
        status = sb_error_memory(error, "a report");
    if (status == SB_OK && (sb_statistics_read(&report->evidence, options->threads, &statistics) ||
                            sb_report_outside(feed->name, title, options, &statistics, report)))
        status = sb_error_memory(error, "a report");
    sb_report_outliers_close(&run.outliers);
    sb_bettor_free(run.bettor);
    sb_lags_free(run.lags.lags);
    sb_neighbours_close(&run.neighbours);
    sb_catalogue_free(run.catalogue);
    sb_statistics_close(&statistics);
    return status;
}

static enum sb_status few_end(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                              struct sb_error *error)
{
    (void)feed, (void)most, (void)items, (void)error;
    *count = 0;
    return SB_OK;
}

enum sb_status sb_report_few(size_t n, const sb_item items[], size_t count, const struct sb_request *asked,
                             struct sb_error *error, double *ln_p)
{
    char name[] = "";
    const struct sb_subject subject = { .scheme = NULL };
    struct sb_feed feed = { .name = name, .items = items, .count = count, .n = n, .deal = n, .next = few_end };
    struct sb_report report = { .name = NULL };
    struct sb_request options;

    sb_request_init(&options, SB_REPORT);
    options.stop = asked->stop;
    options.threads = asked->threads;
    const enum sb_status status = sb_report_is_large(&feed)
                                      ? sb_report_large(&feed, &options, error, &report)
                                      : observe_tallied(&feed, &subject, count, &options, error, &report);

    *ln_p = status ? NAN : report.ln_p;
    sb_report_close(&report);
    return status;
}

static enum sb_status observe_report(const struct sb_subject *subject, const struct sb_request *options,
                                     struct sb_error *error, struct sb_report *report)
{
    const uint64_t total = options->samples ? options->samples : observe_samples;
    struct observe_first first = { .options = options, .total = total };
    const struct sb_waiting waiting = {
        .stop = options->stop,
        .idle = observe_first_wait,
        .idle_state = &first,
    };
    struct sb_feed *feed = NULL;
    enum sb_status status = sb_feed_start(subject, &waiting, error, &feed);

    if (status)
        return status;
    first.feed = feed;
    status = sb_feed_first(feed, total, error);
    if (status == SB_OK)
        status = sb_statistic_profile_check(options->profile, sb_item_multiset(feed->names), feed->n, error);
    if (status == SB_OK && sb_item_names_copy(feed->names, &report->names))
        status = sb_error_memory(error, "the names of items");
    if (status == SB_OK)
        status = options->fair              ? sb_report_fair(feed, total, options, error, report)
                 : sb_report_is_large(feed) ? sb_report_large(feed, options, error, report)
                                            : observe_tallied(feed, subject, total, options, error, report);
    /* lines that do not show the order of the draw are no evidence about the shuffle */
    if (status == SB_OK && strcmp(report->verdict, "biased") == 0)
        status = sb_feed_check_order(feed, error);
    sb_feed_free(feed);
    return status;
}

enum sb_status sb_reports_end(struct sb_reports *made, const struct sb_request *options, const char *title,
                              const struct sb_subject *subject, enum sb_status status, struct sb_error *error,
                              struct sb_reports **reports)
{
    made->n = made->report->evidence.n;
    made->deal = sb_items_dealt(made->report->evidence.names, made->report->evidence.deal);
    made->interrupted = made->report->evidence.interrupted;
    if (status == SB_OK)
        status = sb_reports_call(options, title, subject, NULL, 0, error, made);
    if (status)
        sb_reports_free(made);
    else
        *reports = made;
    return status;
}

enum sb_status sb_reports_observe(const struct sb_subject *subject, const struct sb_request *options,
                                  struct sb_error *error, struct sb_reports **reports)
{
    struct sb_request settled = *options;
    struct sb_reports *made;

    settled.n = settled.deal = 0; /* the subject has its own, and its own cards */
    settled.cards = NULL;
    settled.grouping = (struct sb_grouping) { .sets = false };
    const enum sb_status status = sb_options_settle(&settled, error, &settled);

    if (status || (options->fair && sb_fair_check(options, error)))
        return status ? status : SB_INVALID;
    if (subject->scheme)
        return sb_error_set(error, SB_INVALID,
                            "%s: a report is on schemes or on another subject: leave one of them out", subject->scheme);
    settled.samples = options->samples; /* 0 stays 0 here, and is not replaced by a scheme's default */
    if (sb_reports_one(&made))
        return sb_error_memory(error, "the reports");
    return sb_reports_end(made, &settled, subject->title ? subject->title : options->title, subject,
                          observe_report(subject, &settled, error, made->report), error, reports);
}

/* ---- a matrix of counts that another program recorded ---- */

/* The matrix of a deck with equal cards, as counts of the statistic `card-at`. */
struct recorded_cards {
    uint64_t *count; /* [deal * kinds] how often each kind was at each position; owned */
    double *ln_p;    /* [kinds] owned */
    struct sb_tally tally;
};

static enum sb_status recorded_cards_open(const struct sb_matrix_file *matrix, const struct sb_multiset *multiset,
                                          struct recorded_cards *cards)
{
    const size_t kinds = multiset->kinds;

    cards->count = calloc(matrix->deal * kinds, sizeof cards->count[0]);
    cards->ln_p = calloc(kinds, sizeof cards->ln_p[0]);
    if (!cards->count || !cards->ln_p ||
        sb_statistic_null_law(&sb_statistic_card_at, multiset, multiset->n, matrix->deal, cards->ln_p))
        return SB_NO_MEMORY;
    for (size_t item = 0; item < matrix->n; item++)
        for (size_t j = 0; j < matrix->deal; j++)
            cards->count[j * kinds + multiset->kind[item]] += matrix->count[item * matrix->deal + j];
    cards->tally = (struct sb_tally) {
        .statistic = sb_statistic_card_at.name,
        .each = sb_statistic_card_at.each,
        .members = matrix->deal,
        .cells = kinds,
        .total = matrix->total,
        .count = cards->count,
        .ln_p = cards->ln_p,
    };
    return SB_OK;
}

static enum sb_status recorded_report(struct sb_matrix_file *matrix, const struct sb_request *options,
                                      struct sb_report *report)
{
    const struct sb_multiset *const multiset = sb_item_multiset(matrix->names);
    const struct sb_tally tally = {
        .statistic = sb_statistic_position.name,
        .members = matrix->n,
        .cells = matrix->deal,
        .total = matrix->total,
        .count = matrix->count,
    };
    struct recorded_cards cards = { .count = NULL };
    const struct sb_statistics statistics = { .types = 1, .tallies = { .tally = &cards.tally, .count = 1 } };
    enum sb_status status = sb_evidence_tallied(&tally, 1, matrix->n, matrix->deal, &report->evidence);

    report->evidence.recorded = true;
    if (status == SB_OK && multiset)
        status = recorded_cards_open(matrix, multiset, &cards);
    report->names = matrix->names;
    matrix->names = NULL;
    if (status == SB_OK)
        status = sb_report_outside(matrix->name, "a matrix of counts", options, multiset ? &statistics : NULL, report);
    free(cards.count);
    free(cards.ln_p);
    return status;
}

static enum sb_status recorded_name(const char *cards, struct sb_error *error, struct sb_matrix_file *matrix)
{
    sb_item_names_free(matrix->names);
    matrix->names = NULL;
    const enum sb_status status = sb_item_names_new(cards, error, &matrix->names);

    if (status || matrix->names->n == matrix->n)
        return status;
    return sb_error_set(error, SB_INVALID, "`cards` has %zu names, and %s has %zu items: give a name for each",
                        matrix->names->n, matrix->name, matrix->n);
}

enum sb_status sb_reports_recorded(const char *path, const struct sb_request *options, struct sb_error *error,
                                   struct sb_reports **reports)
{
    struct sb_matrix_file matrix;
    struct sb_request settled = *options;
    struct sb_reports *made = NULL;

    /* options->deal belongs to the file's n, and need not fit the options' n, which is not used here */
    settled.deal = 0;
    settled.cards = NULL;
    enum sb_status status = sb_options_settle(&settled, error, &settled);

    if (status == SB_OK && !path)
        status = sb_error_null(error, "the file");
    if (status == SB_OK)
        status = sb_matrix_file_read(path, options->deal, options->stop, error, &matrix);
    if (status)
        return status;
    if (options->cards)
        status = recorded_name(options->cards, error, &matrix);
    if (status == SB_OK && sb_reports_one(&made))
        status = sb_error_memory(error, "a report");
    if (status == SB_OK && made) {
        if (recorded_report(&matrix, &settled, made->report))
            status = sb_error_memory(error, "a report");
        status = sb_reports_end(made, options, options->title, NULL, status, error, reports);
    }
    sb_matrix_file_close(&matrix);
    return status;
}
