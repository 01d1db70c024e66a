/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the order of permutations has to do with a fail: many of them equal the one before; or each is a shuffle of the
 * one before, as if the shuffle started from the last result; or nothing, since the same permutations in another order
 * fail as well.
 *
 * The steps of a chain are the permutations of a faulty shuffle. But every dependence on the last permutation shows in
 * the steps, also if a program only sees to it that the first card is never the same twice. So the steps are those of
 * a chain only if they are not typical of a law that is fair but for one place (catalogue/look_typical.h), and if they
 * are not one step time and again, with others between that hardly repeat, as if each second permutation were made
 * from the one before.
 *
 * Two permutations of a faulty shuffle that starts anew differ by a step that is not fair, either, whichever two they
 * are. So the bettor, or the lags, are tried on the permutations in another order, which takes neighbours far apart. If
 * ln E is at least half as large there, permutations do not depend on each other.
 *
 * If a few permutations settle nothing, a report judges them: it has the exact law of a single list, whereas the gate
 * counts most values of a statistic together.
 *
 * All of this has no part in the verdict. Cost: a key of each of the first 65,536 permutations, and for up to 128 items
 * a copy; after a fail, what the statistics cost once more.
 */
#include "study/catalogue/look.h"
#include "study/gate/gate_page.h"
#include "study/gate/gate_run.h"

enum {
    STEPS_ITEMS = SB_BETTOR_MOST, /* the most items, as simulations take time */
    STEPS_LEAST = 7,              /* the fewest permutations to say that each is the same */
    STEPS_FEW = 100,              /* the most permutations that a gate shows to a report */
    STEPS_ROOM = 1 << 23,         /* the most items of permutations with more than STEPS_ITEMS */
};

/* a chain of riffles of three or four cards has many equal neighbours, too, but other steps show that it is one */
static const double steps_excess = 0.2;

static const double steps_ln_p = -13.815510557964274; /* ln 1e-6 */

struct sb_gate_steps {
    struct sb_neighbours neighbours;
    size_t n, deal;
    sb_item *items;    /* [room * deal] the first permutations; owned; NULL: none */
    size_t room, most; /* for how many permutations there is room, and for how many at most */
};

enum sb_status sb_gate_steps_open(struct sb_gate_run *run)
{
    const size_t n = run->n, few = STEPS_ROOM / n < STEPS_FEW ? STEPS_ROOM / n : STEPS_FEW;
    const struct sb_multiset *const multiset = run->tallies.multiset;

    if (!run->feed || run->subject->chained || run->subject->scheme || (multiset && !multiset->groups) || run->fair)
        return SB_OK;
    run->steps = calloc(1, sizeof *run->steps);
    if (!run->steps)
        return sb_error_memory(run->error, "the steps between permutations");
    run->steps->n = n;
    run->steps->deal = run->deal;
    run->steps->most = n <= STEPS_ITEMS ? SB_NEIGHBOURS_MOST : few;
    return SB_OK;
}

void sb_gate_steps_free(struct sb_gate_steps *steps)
{
    if (!steps)
        return;
    sb_neighbours_close(&steps->neighbours);
    free(steps->items);
    free(steps);
}

enum sb_status sb_gate_steps_add(struct sb_gate_steps *steps, const sb_item items[], size_t count)
{
    if (!steps)
        return SB_OK;
    const size_t deal = steps->deal, before = steps->neighbours.count;
    const enum sb_status status = sb_neighbours_add(&steps->neighbours, steps->n, deal, items, count);
    const size_t after = steps->neighbours.count < steps->most ? steps->neighbours.count : steps->most;

    if (status || before >= after)
        return status;
    while (steps->room < after) {
        const size_t twice = steps->room ? 2 * steps->room : 8, room = twice < steps->most ? twice : steps->most;
        sb_item *const more = realloc(steps->items, room * deal * sizeof *more);

        if (!more)
            return SB_NO_MEMORY;
        steps->items = more;
        steps->room = room;
    }
    memcpy(steps->items + before * deal, items, (after - before) * deal * sizeof *items);
    return SB_OK;
}

bool sb_gate_steps_wait(const struct sb_gate_steps *steps)
{
    return steps && steps->neighbours.same && steps->neighbours.count < STEPS_LEAST;
}

/* Returns the line with the most evidence, if all rejected lines test for dependence or are a bettor that uses earlier
 * permutations; else NULL. Sets *last to whether one of them goes by the last permutation. */
static const struct sb_gate_line *steps_blame(const struct sb_gate *gate, bool *last)
{
    const struct sb_gate_line *most = NULL;

    *last = false;
    for (size_t i = 0; i < gate->lines_count; i++) {
        const struct sb_gate_line *const line = &gate->line[i];

        if (!line->rejected || line->outliers)
            continue;
        if (!line->dependence && (!line->context || sb_bettor_single(line->context)))
            return NULL;
        *last = *last || (line->dependence ? line->lag == 1 : sb_bettor_last(line->context));
        most = !most || line->ln_e > most->ln_e ? line : most;
    }
    return most;
}

/* The number nearest below 0.618 times `count` that has no factor in common with it. */
static size_t steps_stride(size_t count)
{
    size_t stride = (size_t)(0.618 * (double)count);

    while (sb_gcd(count, stride) > 1)
        stride--;
    return stride;
}

/* Computes ln E of a line of the lags from tallies of the same kind. */
static enum sb_status steps_line(struct sb_gate_run *run, struct sb_tallies *tallies, const struct sb_gate_line *line,
                                 double *ln_e)
{
    struct sb_gate gate;
    enum sb_status status = SB_OK;

    sb_tallies_read(tallies);
    if (sb_gate_open(&run->gate->terms, tallies->tally, tallies->count, &gate))
        return SB_NO_MEMORY;
    status = sb_gate_look(tallies->tally, tallies->count, &gate);
    for (size_t i = 0; i < gate.lines_count; i++)
        if (gate.line[i].lag == line->lag && gate.line[i].member == line->member &&
            strcmp(gate.line[i].statistic, line->statistic) == 0)
            *ln_e = gate.line[i].ln_e;
    sb_gate_close(&gate);
    return status;
}

/* Computes ln E of a line for the permutations in another order. */
static enum sb_status steps_elsewhere(struct sb_gate_run *run, const struct sb_gate_line *line, double *ln_e)
{
    const size_t n = run->steps->n, deal = run->steps->deal, count = run->steps->neighbours.count;
    const bool bets = line->context;
    struct sb_tallies tallies = { .count = 0 };
    struct sb_bettor *bettor = NULL;
    const size_t stride = steps_stride(count);
    size_t at = 0;
    enum sb_status status =
        bets ? sb_bettor_new(run->tallies.multiset, n, deal, &bettor)
             : sb_tallies_open(run->tallies.multiset, n, deal, NULL, 0, SB_TALLIES_LAGS, run->error, &tallies);

    for (size_t t = 0; t < count && !status; t++, at = (at + stride) % count) {
        if (bets)
            sb_bettor_add(bettor, run->steps->items + at * deal, 1);
        else
            sb_tallies_add(&tallies, run->steps->items + at * deal, 1);
    }
    *ln_e = bets && !status ? *sb_bettor_read(bettor).ln_e : -HUGE_VAL;
    if (!bets && !status)
        status = steps_line(run, &tallies, line, ln_e);
    sb_bettor_free(bettor);
    sb_tallies_close(&tallies);
    return status;
}

/* Whether a step comes time and again, and the others hardly repeat. */
static bool steps_one(struct sb_deck_key key[], size_t count)
{
    uint64_t distinct, most;

    sb_deck_key_count(key, count, 1, &distinct, &most);
    return most >= 5 && 3 * most >= count && 3 * distinct >= count;
}

/* Whether to take a step. Of the steps from a permutation to an equal one only a fair share is taken, so that there are
 * as many as of any other step; `due` is what this share has added up to. */
static bool steps_takes(const struct sb_increment *step, double *due)
{
    for (size_t j = 0; j < step->n; j++)
        if (step->items[j] != j) {
            *due += 1 / ((double)sb_deals(step->n, step->n) - 1);
            return true;
        }
    if (*due < 1)
        return false;
    (*due)--;
    return true;
}

/* Sets *chain to whether the steps are those of a chain: all, or only those that steps_takes() takes. */
static enum sb_status steps_chain(struct sb_gate_run *run, bool all, bool *chain)
{
    const size_t types = run->tallies.statistics, n = run->steps->n, count = run->steps->neighbours.count;
    struct sb_tally *const tally = calloc(types + 1, sizeof *tally);
    struct sb_increment step = { .n = 0 };
    struct sb_observer *observer = NULL;
    struct sb_evidence evidence = { 0 };
    struct sb_look_seen seen = { .evidence = &evidence, .tally = tally, .tallies = types };
    bool placed = true;
    size_t steps = 0;
    double due = 0;
    enum sb_status status = tally ? sb_observer_fork(run->tallies.observer, &observer) : SB_NO_MEMORY;

    if (status == SB_OK)
        status = sb_increment_open(n, &step);
    for (size_t t = 0; t < count && status == SB_OK; t++)
        if (sb_increment_take(&step, run->steps->items + t * n) && (all || steps_takes(&step, &due))) {
            sb_observer_add(observer, step.items, 1);
            run->steps->neighbours.key[steps++] = sb_deck_key(n, n, step.items);
        }
    if (status == SB_OK) {
        sb_observer_read(observer, tally);
        status = sb_evidence_tallied(tally, types, n, n, &evidence);
    }
    seen.observer = observer;
    if (status == SB_OK && steps)
        status = sb_typical_of_place(&seen, &placed);
    *chain = status == SB_OK && !placed && !steps_one(run->steps->neighbours.key, steps);
    sb_evidence_close(&evidence);
    sb_increment_close(&step);
    sb_observer_free(observer);
    free(tally);
    return status;
}

/* Sets gate->again. The order of the keys is lost. */
static void steps_again(struct sb_gate_run *run)
{
    struct sb_neighbours *const lines = &run->steps->neighbours;
    const struct sb_multiset *const groups = run->tallies.multiset;
    struct sb_birthday birthday = {
        .ln_pair = groups ? sb_deck_key_ln_pair_equal(groups) : sb_deck_key_ln_pair(run->n, run->deal),
        .decks = lines->count,
    };
    uint64_t distinct, most;

    if (lines->count == 0)
        return;
    sb_deck_key_count(lines->key, lines->count, 1, &distinct, &most);
    birthday.repeats = lines->count - distinct;
    if (birthday.repeats && sb_birthday_ln_p(&birthday) < steps_ln_p)
        run->gate->again = birthday.repeats;
    run->gate->again_fair = sb_birthday_expected(birthday.decks, birthday.ln_pair);
}

/* Counts the lines whose single item is one of the last g lines. Sets *fair to their mean number by chance: the number
 * of different items in those lines over n, added up. */
static uint64_t steps_count_within(const struct sb_gate_steps *steps, size_t g, double *fair)
{
    uint64_t again = 0;
    size_t different = 0;

    *fair = 0;
    for (size_t t = 1; t < steps->neighbours.count; t++) {
        const size_t from = t > g ? t - g : 0;
        bool seen[STEPS_ITEMS] = { false };

        different = 0;
        for (size_t i = from; i < t; i++) {
            different += !seen[steps->items[i]];
            seen[steps->items[i]] = true;
        }
        again += seen[steps->items[t]];
        *fair += (double)different / (double)steps->n;
    }
    return again;
}

/* Sets gate->within to the number of lines within which an item comes back most strikingly often or rarely. */
static void steps_within(struct sb_gate_run *run)
{
    enum { WITHIN_MOST = 16 };
    struct sb_gate *const gate = run->gate;
    double farthest = 0;

    for (size_t g = 1; run->deal == 1 && run->steps->items && g <= WITHIN_MOST && g < run->n; g++) {
        double fair;
        const uint64_t again = steps_count_within(run->steps, g, &fair);
        const double z = fabs((double)again - fair) / sqrt(fair * (1 - fair / (double)gate->compared));

        if (!(z > farthest))
            continue;
        farthest = z;
        gate->within = g;
        gate->within_again = again;
        gate->within_fair = fair;
    }
}

enum sb_status sb_gate_steps_judge(struct sb_gate_run *run)
{
    struct sb_gate *const gate = run->gate;
    bool last, chain = false;
    double ln_e = 0;
    enum sb_status status = SB_OK;

    if (!run->steps || gate->verdict != SB_VERDICT_FAIL)
        return SB_OK;
    gate->same = run->steps->neighbours.same;
    gate->compared = run->steps->neighbours.count;
    /* or whole decks came up again, soon enough for a fail, and always in the next line */
    const bool same = sb_neighbours_stand_out(&run->steps->neighbours, steps_excess) ||
                      (gate->same > 1 && gate->same == gate->repeats && sb_gate_repeats_rejected(gate));
    const struct sb_gate_line *const line = steps_blame(gate, &last);

    steps_again(run);
    gate->order = same ? SB_ORDER_SAME : SB_ORDER_UNKNOWN;
    if (!line || run->n > STEPS_ITEMS || !run->steps->items)
        return SB_OK;
    if (!same)
        status = steps_elsewhere(run, line, &ln_e);
    if (status == SB_OK && !same && ln_e >= 0.5 * line->ln_e)
        gate->order = SB_ORDER_ANY;
    else if (status == SB_OK && last && run->deal == run->n && !run->tallies.multiset)
        status = steps_chain(run, !same, &chain);
    gate->order = chain ? SB_ORDER_CHAIN : gate->order;
    if (status == SB_OK && gate->order == SB_ORDER_UNKNOWN)
        steps_within(run);
    return status;
}

enum sb_status sb_gate_steps_report(struct sb_gate_run *run)
{
    const struct sb_gate_steps *const steps = run->steps;
    struct sb_gate *const gate = run->gate;
    struct sb_error error;
    double ln_p = 0;

    if (!steps || gate->verdict != SB_VERDICT_INCONCLUSIVE || gate->terms.tolerate > 0 || gate->total > STEPS_FEW ||
        gate->total != steps->neighbours.count || steps->most < gate->total || run->deal < run->n ||
        run->tallies.multiset)
        return SB_OK;
    const enum sb_status status =
        sb_report_few(steps->n, steps->items, steps->neighbours.count, run->options, run->error, &ln_p);

    if (status == SB_OK && ln_p < steps_ln_p && sb_feed_check_order(run->feed, &error) == SB_OK)
        gate->report_ln_p = ln_p;
    return status;
}
