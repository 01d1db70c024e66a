/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks whether the request to a gate is possible, and whether any saved evidence belongs to the request; and reads
 * the intended law of a gate or a watch, if it does not give all orders the same probability. */
#include "study/gate/gate_run.h"

#include <inttypes.h>

enum sb_status sb_gate_fair_open(const struct sb_request *options, size_t n, size_t deal,
                                 const struct sb_item_names *names, struct sb_error *error, struct sb_fair **fair)
{
    const enum sb_status status = sb_fair_new(options->fair, options, n, deal, names, error, fair);

    if (status || !options->save || !sb_fair_bets(*fair))
        return status;
    return sb_error_set(error, SB_INVALID,
                        "`save`: bets on the next of %zu items cannot be resumed: leave it out, or use n <= %d", n,
                        SB_FAIR_LISTED_MOST);
}

size_t sb_gate_fair_known(const struct sb_fair *fair, const struct sb_gate_terms *terms,
                          const struct sb_statistic_type *type[], size_t chosen)
{
    const bool ranked = chosen && type[0] == &sb_statistic_rank;
    size_t count = 0;

    if (!ranked && sb_fair_knows(fair, &sb_statistic_rank) && sb_gate_reaches(terms, sb_fair_orders(fair))) {
        memmove(type + 1, type, chosen * sizeof type[0]);
        type[0] = &sb_statistic_rank;
        chosen++;
    }
    for (size_t i = 0; i < chosen; i++)
        if (sb_fair_knows(fair, type[i]))
            type[count++] = type[i];
    return count;
}

enum sb_status sb_gate_fair_keep(const struct sb_fair *fair, bool weighed, struct sb_gate *gate)
{
    if (fair && !gate->fair && !(gate->fair = strdup(fair->words)))
        return SB_NO_MEMORY;
    for (size_t i = 0; i < gate->lines_count; i++)
        if (weighed && gate->line[i].context) {
            gate->context = strdup(gate->line[i].context);
            gate->line[i].context = gate->context;
            return gate->context ? SB_OK : SB_NO_MEMORY;
        }
    return SB_OK;
}

bool sb_gate_reported(const struct sb_gate_run *run)
{
    return run->saved && run->saved->asked.of == SB_REPORT;
}

/* The table of options has checked each option by itself. */
static enum sb_status check_terms(const struct sb_request *options, const struct sb_saved *saved,
                                  struct sb_error *error, struct sb_gate_terms *terms)
{
    /* whether the gate judges the counts of a report; if so, the gate uses all counts and needs no limit */
    const bool counted = saved && saved->asked.of == SB_REPORT;

    if (options->tolerate > options->exclude)
        return sb_error_set(error, SB_INVALID,
                            "`tolerate = %g` is above `max_bias = %g`, and a bias between them would have no "
                            "verdict: raise the latter",
                            options->tolerate, options->exclude);
    if (options->fair && sb_fair_check(options, error))
        return SB_INVALID;
    *terms = (struct sb_gate_terms) {
        .alpha = options->alpha,
        .delta = options->delta,
        .exclude = options->exclude,
        .tolerate = options->tolerate,
        .seeds = options->seeds,
        .limit = counted ? saved->asked.samples : options->limit,
    };
    return SB_OK;
}

static enum sb_status check_decks(const struct sb_gate_run *run, unsigned long long seeds)
{
    const struct sb_multiset *const multiset = run->feed ? sb_item_multiset(run->feed->names) : NULL;

    if (multiset && run->deal < run->n)
        return sb_error_set(run->error, SB_INVALID,
                            "`min_decks = %llu`: deals of a deck with equal cards are not compared with each "
                            "other: leave it out",
                            seeds);
    if (multiset && sb_multiset_ln_arrangements(multiset) < log((double)seeds) - 1e-9)
        return sb_error_set(run->error, SB_INVALID,
                            "`min_decks = %llu`: equal cards leave only %s different orders: ask for fewer", seeds,
                            sb_number_grouped((uint64_t)llround(exp(sb_multiset_ln_arrangements(multiset)))).text);
    if (sb_deals(run->n, run->deal) < seeds)
        return sb_error_set(run->error, SB_INVALID, "`min_decks = %llu`: there are only %llu orders: ask for fewer",
                            seeds, (unsigned long long)sb_deals(run->n, run->deal));
    return SB_OK;
}

/* Checks that the gate compares whole decks. Unless the evidence grows, also checks that the limit is at least
 * `needed`, the number of permutations that it takes to rule out a shuffle with fewer than terms->seeds decks. */
static enum sb_status check_seeds(const struct sb_gate_run *run, const struct sb_gate_terms *terms, bool compared,
                                  double needed)
{
    const unsigned long long seeds = terms->seeds;

    if (check_decks(run, seeds))
        return SB_INVALID;
    if (!compared)
        return sb_error_set(run->error, SB_INVALID, "`min_decks = %llu`: no whole decks are compared %s: leave it out",
                            seeds, sb_gate_reported(run) ? "in a report's evidence" : "where there are so few orders");
    if (!run->grows && needed > (double)terms->limit)
        return sb_error_set(run->error, SB_INVALID,
                            "`min_decks = %llu`: to rule out fewer takes %.0f permutations, more than the limit "
                            "of %llu: raise the limit, or ask for fewer seeds",
                            seeds, needed, (unsigned long long)terms->limit);
    return SB_OK;
}

enum sb_status sb_gate_seeds_check(const struct sb_gate_run *run, const struct sb_gate_terms *terms)
{
    /* a run that claims a share made this check before */
    if (terms->seeds == 0 || (run->claim.run && run->tallies.repeat))
        return SB_OK;
    return check_seeds(run, terms, run->tallies.repeat, run->gate->seeds_total);
}

enum sb_status sb_gate_seeds_ahead(const struct sb_gate_run *run, const struct sb_gate_terms *terms, uint64_t share)
{
    const struct sb_multiset *const multiset = sb_item_multiset(run->feed->names);
    struct sb_gate_terms own = *terms;
    const struct sb_statistic_type **type;
    bool compared;

    if (terms->seeds == 0)
        return SB_OK;
    type = calloc(sb_statistic_types_count + 1, sizeof *type);
    if (!type)
        return sb_error_memory(run->error, "the gate's tallies");
    if (run->options->ledger) {
        own.alpha = sb_gate_share(own.alpha, share);
        own.delta = sb_gate_share(own.delta, share);
    }
    if (run->grows && own.limit < SB_GATE_LIMIT)
        own.limit = SB_GATE_LIMIT;
    compared = sb_selection_choose(multiset, run->n, run->deal, run->options->profile, &own, type) > 0 &&
               sb_selection_repeats(multiset, run->n, run->deal, type[0]);
    free(type);
    own.limit = terms->limit;
    return check_seeds(run, &own, compared, sb_birthday_decks_needed((double)terms->seeds, own.delta, SB_REPEATS_MOST));
}

/* Makes the checks that need the number of items, which the feed of a scheme has at once. */
static enum sb_status check_scheme(const struct sb_subject *subject, const struct sb_request *options,
                                   const struct sb_gate_terms *terms, struct sb_error *error)
{
    struct sb_request asked = *options;
    struct sb_feed *feed = NULL;
    enum sb_status status = sb_feed_open(subject, NULL, 1, error, &feed);

    if (status)
        return status;
    const struct sb_gate_run run = {
        .subject = subject, .options = &asked, .error = error, .feed = feed, .n = feed->n, .deal = feed->deal
    };

    status = sb_selection_check(sb_item_multiset(feed->names), run.n, run.deal, options->profile, options->increments,
                                error);
    if (status == SB_OK)
        status = sb_gate_seeds_ahead(&run, terms, 1);
    sb_feed_free(feed);
    return status;
}

/* Checks that the ledger agrees with the options. A ledger that cannot be read is an error of the run. */
static enum sb_status check_ledger(const struct sb_request *options, size_t shares, struct sb_error *error)
{
    struct sb_request own = *options;
    struct sb_error wrong = { 0 };
    struct sb_ledger_claim claim;

    own.alpha /= (double)shares;
    own.delta /= (double)shares;
    const enum sb_status status = sb_ledger_begin(&own, &wrong, &claim);

    sb_ledger_end(&claim);
    return status == SB_INVALID ? sb_error_set(error, status, "%s", wrong.text) : SB_OK;
}

enum sb_status sb_gate_check(const struct sb_subject *subject, const struct sb_request *options, size_t shares,
                             struct sb_error *error)
{
    struct sb_gate_terms terms = { .alpha = 0 };

    if (options->evidence || sb_saved_resumes(options->save)) /* the run checks what belongs to the evidence */
        return SB_OK;
    enum sb_status status = check_terms(options, NULL, error, &terms);

    terms.alpha /= (double)shares;
    terms.delta /= (double)shares;
    if (status == SB_OK)
        status = sb_subject_check(subject, error);
    if (status == SB_OK)
        status = sb_statistic_profile_known(options->profile, error);
    if (status == SB_OK)
        status = check_ledger(options, shares, error);
    return status || !subject->scheme ? status : check_scheme(subject, options, &terms, error);
}

static enum sb_status check_reported(const struct sb_saved *saved, const struct sb_request *options,
                                     struct sb_error *error)
{
    if (options->save)
        return sb_error_set(
            error, SB_INVALID,
            "'%.200s' is a report's evidence, which a gate cannot resume: resume it with 'shufflebias report', "
            "and judge it then",
            saved->path);
    if (options->fair)
        return sb_error_set(
            error, SB_INVALID,
            "`fair`: '%.200s' is a report's evidence, which holds for any law but is judged by its own: "
            "gate the permutations themselves",
            saved->path);
    if (sb_request_given(options, "limit"))
        return sb_error_set(error, SB_INVALID,
                            "`limit=%llu`: '%.200s' is a report's evidence, and all that was counted is "
                            "looked at, once: leave it out",
                            (unsigned long long)options->limit, saved->path);
    if (saved->asked.n < 2)
        return sb_error_set(error, SB_INVALID,
                            "'%.200s' is evidence of `n = %zu`: there is only one order, and nothing to test",
                            saved->path, saved->asked.n);
    return SB_OK;
}

/* Whether no run adds to the evidence: the subject replays, and the run ended with the verdict "pass" or "fail", or
 * after as many permutations as its limit allows. */
static bool check_done(const struct sb_saved *saved)
{
    return saved->replays && saved->verdict &&
           (strcmp(saved->verdict, "inconclusive") != 0 || saved->snapshot.total >= saved->asked.limit);
}

/* Checks whether the run can resume. */
static enum sb_status check_resumes(const struct sb_saved *saved, const struct sb_request *options,
                                    const struct sb_subject *subject, struct sb_error *error)
{
    const char *const kind = saved->subject.kind;

    if (!sb_subject_given(subject))
        return sb_error_set(error, SB_INVALID, "'%.200s' is evidence of the %s '%.100s': %s", saved->path, kind,
                            saved->subject.name,
                            strcmp(kind, "command") == 0 ? "give it again, after '--'" : "name it again");
    if (!options->ledger == !saved->share)
        return sb_saved_current(saved, error);
    return sb_error_set(error, SB_INVALID,
                        options->ledger ? "'%.200s' was begun without a ledger: leave it out, or name another file"
                                        : "'%.200s' has a share of a ledger: name that ledger, too",
                        saved->path);
}

enum sb_status sb_gate_settle(const struct sb_request *options, const struct sb_saved *saved, struct sb_error *error,
                              struct sb_gate_terms *terms, struct sb_subject *subject, bool *tried)
{
    enum sb_status status = check_terms(options, saved, error, terms);

    *tried = !saved || (options->save && !check_done(saved));
    if (status == SB_OK && saved && saved->asked.of == SB_REPORT)
        status = check_reported(saved, options, error);
    if (status == SB_OK && saved)
        status = sb_saved_agrees(saved, options, NULL, error, subject);
    if (status == SB_OK && saved && *tried)
        status = check_resumes(saved, options, subject, error);
    if (status == SB_OK && !saved && options->save)
        status = sb_atomic_file_absent(options->save, NULL, error);
    return status;
}

enum {
    LARGE_SMALL = 10
    /* number of items at which every statistic that needs no profile has cells, except the statistics that
     * are only for large decks */
};

static bool large_lacks(const struct sb_statistic_type *type, size_t n, size_t deal)
{
    const size_t small = deal < n ? LARGE_SMALL / 2 : LARGE_SMALL;

    return type != &sb_statistic_rank && sb_statistic_joins(type, LARGE_SMALL, small) &&
           !sb_statistic_joins(type, n, deal);
}

/* What goes by earlier permutations: the steps from one to a later one, repeats and predictions have other laws if not
 * every order is equally likely. */
static const char *const fair_lacks[] = { "lags", "repeat", "bettor", "catalogue" };

enum sb_status sb_gate_leave_out(const struct sb_fair *fair, size_t n, size_t deal, struct sb_gate *gate)
{
    const size_t others = sizeof fair_lacks / sizeof fair_lacks[0];

    if (!fair && n <= SB_LAW_ITEMS_MOST)
        return SB_OK;
    gate->left_out = calloc(sb_statistic_types_count + others, sizeof *gate->left_out);
    if (!gate->left_out)
        return SB_NO_MEMORY;
    for (size_t i = 0; i < sb_statistic_types_count; i++) {
        const struct sb_statistic_type *const type = sb_statistic_types[i];

        if (fair ? sb_statistic_joins(type, n, deal) && !sb_fair_knows(fair, type) : large_lacks(type, n, deal))
            gate->left_out[gate->left_out_count++] = type->name;
    }
    for (size_t i = 0; fair && i < others; i++)
        if (strcmp(fair_lacks[i], sb_statistics_repeat) != 0 || !gate->watched)
            gate->left_out[gate->left_out_count++] = fair_lacks[i];
    return SB_OK;
}
