/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tallies of permutations, and of their increments: an increment is the step from one permutation to the
 * next. If a fair shuffle starts afresh each time, its increments are also fair and independent. No increment
 * leads to the first permutation of a series, so a series has one increment fewer than permutations.
 */
#include "tally/tally.h"

enum {
    TALLIES_REPEATS = SB_TALLIES_REPEATS | SB_TALLIES_REPEATS_PART,
    TALLIES_BETTOR = SB_TALLIES_BETTOR | SB_TALLIES_BETTOR_ROUNDS,
    TALLIES_TOGETHER = SB_REPLAY_TOGETHER, /* number of deals that are compared with earlier deals in one batch */
    TALLIES_SMALL = 64,     /* the most items for which the steps between deals are classified together */
    TALLIES_NEAR_LEAST = 6, /* of fewer items, lags count the rank of a step */
    TALLIES_NEAR_MOST = SB_BETTOR_MOST,
    TALLIES_PACKED = 16, /* the most items that fit in 64 bits */
};

static const double tallies_near_share = 0.01;   /* of alpha, for the positions of steps */
static const double tallies_replay_share = 0.01; /* of alpha, for runs of decks if single decks repeat by chance */

static enum sb_status tallies_room(struct sb_error *error, struct sb_tallies *tallies)
{
    tallies->tally =
        calloc(tallies->statistics + tallies->steps + SB_LAGS * SB_LAGS_STATISTICS + 6, sizeof tallies->tally[0]);
    if (!tallies->tally)
        return sb_error_memory(error, "tallies");
    if (tallies->steps && sb_increment_open(tallies->n, &tallies->step))
        return sb_error_memory(error, "increments");
    return SB_OK;
}

static enum sb_status tallies_observe(const struct sb_tallies *tallies, const struct sb_statistic_type *const types[],
                                      size_t count, unsigned what, struct sb_error *error,
                                      struct sb_observer **observer)
{
    const size_t n = tallies->n, deal = tallies->deal;

    return sb_observer_new(tallies->multiset, n, deal, types, count, SB_TALLIES_CELLS_MOST, !(what & SB_TALLIES_COARSE),
                           error, observer);
}

static enum sb_status tallies_open_repeat(unsigned what, struct sb_error *error, struct sb_tallies *tallies)
{
    const size_t n = tallies->n, deal = tallies->deal;
    const double ln_pair =
        tallies->multiset ? sb_deck_key_ln_pair_equal(tallies->multiset) : sb_deck_key_ln_pair(n, deal);

    if (!(what & (TALLIES_REPEATS | SB_TALLIES_REPLAY)))
        return SB_OK;
    if (what & SB_TALLIES_REPLAY) {
        tallies->birthday.ln_each = log(exp(ln_pair) + (double)n * 0x1p-61); /* one word of a key is compared */
        tallies->replay = sb_replay_new(-tallies->birthday.ln_each);
    }
    if (what & SB_TALLIES_REPEATS_PART) {
        tallies->repeat = sb_repeats_stream_new_part(n, deal);
        tallies->birthday.ln_pair = sb_repeats_stream_ln_pair_part(n, deal);
        tallies->birthday.ln_part = -SB_REPEATS_PART * log(2);
    } else if (what & SB_TALLIES_REPEATS) {
        tallies->repeat = sb_repeats_stream_new(n, deal);
        tallies->birthday.ln_pair = ln_pair;
    }
    if (tallies->multiset)
        tallies->scratch = calloc(deal + tallies->multiset->kinds, sizeof tallies->scratch[0]);
    return !(what & TALLIES_REPEATS) == !tallies->repeat && !(what & SB_TALLIES_REPLAY) == !tallies->replay &&
                   (!tallies->multiset || tallies->scratch)
               ? SB_OK
               : sb_error_memory(error, "decks to be remembered");
}

static void tallies_drop_empty(struct sb_outliers **outliers)
{
    if (!*outliers || (*outliers)->count)
        return;
    sb_outliers_free(*outliers);
    *outliers = NULL;
}

/* Steps from whole decks to the next one only have outliers. The last deck is kept for a run that resumes. */
static enum sb_status tallies_open_next(struct sb_error *error, struct sb_tallies *tallies)
{
    const size_t n = tallies->n;
    const enum sb_status status =
        tallies->deal < n ? SB_OK : sb_lags_new(tallies->multiset, n, n, true, error, &tallies->lags);

    if (status || !tallies->lags)
        return status;
    sb_lags_only_next(tallies->lags);
    if (sb_outliers_new(tallies->deal, false, &tallies->step_outliers))
        return sb_error_memory(error, "the outliers");
    sb_lags_join(tallies->lags, tallies->step_outliers);
    tallies_drop_empty(&tallies->step_outliers);
    if (tallies->step_outliers)
        return !tallies->steps && sb_increment_open(n, &tallies->step) ? sb_error_memory(error, "increments") : SB_OK;
    sb_lags_free(tallies->lags);
    tallies->lags = NULL;
    return SB_OK;
}

/* Whole decks whose items all differ, or are told apart, also have runs at their ends. */
static enum sb_status tallies_open_outliers(unsigned what, struct sb_error *error, struct sb_tallies *tallies)
{
    const bool rounds = what & SB_TALLIES_OUTLIERS_ROUNDS;

    if (!(what & SB_TALLIES_OUTLIERS) && !rounds)
        return SB_OK;
    const enum sb_status status = rounds ? tallies_open_next(error, tallies) : SB_OK;

    if (status)
        return status;
    if (sb_outliers_new(tallies->deal, !tallies->multiset, &tallies->outliers) ||
        (tallies->lags && !rounds && sb_outliers_new(tallies->deal, false, &tallies->step_outliers)))
        return sb_error_memory(error, "the outliers");
    sb_observer_join_outliers(tallies->observer, 0, tallies->outliers);
    if (tallies->lags && !rounds)
        sb_lags_join(tallies->lags, tallies->step_outliers);
    tallies_drop_empty(&tallies->outliers);
    tallies_drop_empty(&tallies->step_outliers);
    if (rounds && ((tallies->outliers && sb_outliers_begin_rounds(tallies->outliers)) ||
                   (tallies->step_outliers && sb_outliers_begin_rounds(tallies->step_outliers))))
        return sb_error_memory(error, "the outliers");
    return SB_OK;
}

enum sb_status sb_tallies_check(size_t n, struct sb_error *error)
{
    if (n <= SB_TALLIED_MOST)
        return SB_OK;
    return sb_error_set(error, SB_TOO_LARGE, "`n = %zu` is too large for tallies of many permutations: use n <= %d", n,
                        SB_TALLIED_MOST);
}

/* Whether lags also count from which position to which position each item goes in the step to the next permutation. */
static bool tallies_near(const struct sb_multiset *multiset, size_t n, size_t deal)
{
    return deal == n && n >= TALLIES_NEAR_LEAST && n <= TALLIES_NEAR_MOST && !(multiset && multiset->groups);
}

enum sb_status sb_tallies_open(const struct sb_multiset *multiset, size_t n, size_t deal,
                               const struct sb_statistic_type *const types[], size_t count, unsigned what,
                               struct sb_error *error, struct sb_tallies *tallies)
{
    static const struct sb_statistic_type *const near[] = { &sb_statistic_position };
    const bool increments = what & SB_TALLIES_INCREMENTS;
    enum sb_status status;

    *tallies = (struct sb_tallies) {
        .n = n,
        .deal = deal,
        .multiset = multiset,
        .statistics = count,
        .near = !increments && what & SB_TALLIES_LAGS && tallies_near(multiset, n, deal),
    };
    tallies->steps = increments ? count : tallies->near;
    status = tallies_room(error, tallies);
    if (status == SB_OK)
        status = tallies_observe(tallies, types, count, what, error, &tallies->observer);
    if (status == SB_OK && tallies->steps)
        status = tallies_observe(tallies, increments ? types : near, tallies->steps, what, error, &tallies->increments);
    if (status == SB_OK && what & SB_TALLIES_LAGS)
        status = sb_lags_new(multiset, n, deal, !increments, error, &tallies->lags);
    if (status == SB_OK)
        status = tallies_open_repeat(what, error, tallies);
    if (status == SB_OK && what & TALLIES_BETTOR && sb_bettor_new(multiset, n, deal, &tallies->bettor))
        status = sb_error_memory(error, "the bettor");
    if (status == SB_OK)
        status = tallies_open_outliers(what, error, tallies);
    if (status == SB_OK && what & SB_TALLIES_BETTOR_ROUNDS)
        sb_bettor_begin_rounds(tallies->bettor);
    if (status == SB_OK)
        sb_tallies_read(tallies);
    return status;
}

enum sb_status sb_tallies_open_fair(const struct sb_fair *fair, const struct sb_multiset *multiset,
                                    const struct sb_statistic_type *const types[], size_t count, unsigned what,
                                    struct sb_error *error, struct sb_tallies *tallies)
{
    enum sb_status status;

    *tallies = (struct sb_tallies) { .n = fair->n, .deal = fair->deal, .multiset = multiset, .statistics = count };
    status = tallies_room(error, tallies);
    if (status == SB_OK)
        status = sb_observer_new_fair(fair, multiset, types, count, SB_TALLIES_CELLS_MOST, !(what & SB_TALLIES_COARSE),
                                      error, &tallies->observer);
    if (status == SB_OK && what & SB_TALLIES_REPEATS) {
        status = tallies_open_repeat(what & (SB_TALLIES_REPEATS | SB_TALLIES_REPLAY), error, tallies);
        tallies->birthday.ln_pair = -sb_fair_ln_orders(fair);
        tallies->birthday.ln_each = log(exp(tallies->birthday.ln_pair) + (double)fair->n * 0x1p-61);
    }
    if (status == SB_OK && sb_fair_bets(fair) && sb_weigher_new(fair, &tallies->weigher))
        status = sb_error_memory(error, "the bets on weights");
    if (status == SB_OK)
        sb_tallies_read(tallies);
    return status;
}

enum sb_status sb_tallies_open_sample(const struct sb_multiset *multiset, size_t n, size_t deal,
                                      const struct sb_statistic_type *const types[], size_t count, size_t steps,
                                      bool repeats, uint64_t total, struct sb_error *error, struct sb_tallies *tallies)
{
    enum sb_status status;

    *tallies = (struct sb_tallies) {
        .n = n,
        .deal = deal,
        .multiset = multiset,
        .ranked = sb_cells(n, deal) > 0,
        .statistics = count,
        .steps = steps,
    };
    status = tallies_room(error, tallies);
    if (status == SB_OK && count)
        status = sb_observer_new(multiset, n, deal, types, count, 0, false, error, &tallies->observer);
    if (status == SB_OK && steps)
        status = sb_observer_new(NULL, n, deal, types + count, steps, 0, false, error, &tallies->increments);
    if (status || !repeats || tallies->ranked)
        return status;
    tallies->noted = sb_repeats_sample_new(multiset, n, deal, total);
    tallies->birthday.ln_pair = multiset ? sb_deck_key_ln_pair_equal(multiset) : sb_deck_key_ln_pair(n, deal);
    return tallies->noted ? SB_OK : sb_error_memory(error, "tallies");
}

enum sb_status sb_tallies_fork(const struct sb_tallies *of, unsigned what, struct sb_error *error,
                               struct sb_tallies *tallies)
{
    enum sb_status status;

    *tallies = (struct sb_tallies) {
        .n = of->n,
        .deal = of->deal,
        .multiset = of->multiset,
        .noted = of->noted,
        .forked = true,
        .statistics = of->ranked ? 0 : of->statistics,
        .steps = of->steps,
    };
    status = tallies_room(error, tallies);
    if (status)
        return status;
    if ((tallies->statistics && sb_observer_fork(of->observer, &tallies->observer)) ||
        (of->increments && sb_observer_fork(of->increments, &tallies->increments)))
        return sb_error_memory(error, "tallies");
    status = tallies_open_repeat(what, error, tallies);
    if (status == SB_OK)
        sb_tallies_read(tallies);
    return status;
}

void sb_tallies_forget_repeats(struct sb_tallies *tallies)
{
    if (!tallies->forked)
        sb_repeats_sample_free(tallies->noted);
    tallies->noted = NULL;
}

void sb_tallies_close(struct sb_tallies *tallies)
{
    sb_outliers_free(tallies->outliers);
    sb_outliers_free(tallies->step_outliers);
    sb_observer_free(tallies->observer);
    sb_observer_free(tallies->increments);
    sb_increment_close(&tallies->step);
    sb_lags_free(tallies->lags);
    sb_repeats_stream_free(tallies->repeat);
    sb_replay_free(tallies->replay);
    sb_bettor_free(tallies->bettor);
    sb_weigher_free(tallies->weigher);
    sb_catalogue_free(tallies->catalogue);
    sb_tallies_forget_repeats(tallies);
    free(tallies->tally);
    free(tallies->scratch);
    *tallies = (struct sb_tallies) { .count = 0 };
}

/* If `counted` is set, adds the steps that lead to these deals; otherwise only remembers the last deal. */
static void tallies_step(struct sb_tallies *tallies, const sb_item items[], size_t count, bool counted)
{
    const size_t n = tallies->n;
    sb_item steps[TALLIES_TOGETHER * TALLIES_SMALL];
    size_t held = 0;

    for (size_t i = 0; i < count; i++) {
        if (!sb_increment_take(&tallies->step, items + i * n) || !counted)
            continue;
        if (n > TALLIES_SMALL)
            sb_observer_add(tallies->increments, tallies->step.items, 1);
        else
            memcpy(steps + held++ * n, tallies->step.items, n * sizeof steps[0]);
    }
    if (held)
        sb_observer_add(tallies->increments, steps, held);
}

/* Keys of decks for runs of decks: four bits for each item. */
static void tallies_packed(size_t deal, const sb_item items[], size_t count, struct sb_deck_key key[])
{
    for (size_t i = 0; i < count; i++, items += deal) {
        uint64_t packed = deal % 2 ? items[0] : 0;

        for (size_t j = deal % 2; j < deal; j += 2)
            packed = packed << 8 | items[j] << 4 | items[j + 1];
        key[i] = (struct sb_deck_key) { .high = packed };
    }
}

static struct sb_deck_key tallies_key(const struct sb_tallies *tallies, const sb_item deck[])
{
    const size_t deal = tallies->deal;
    sb_item surplus;

    if (tallies->multiset) {
        memcpy(tallies->scratch, deck, deal * sizeof deck[0]);
        sb_multiset_order(tallies->multiset, deal, tallies->scratch, tallies->scratch + deal, &surplus);
        deck = tallies->scratch;
    }
    if (tallies->repeat)
        return sb_repeats_stream_key(tallies->repeat, deck);
    if (tallies->n > TALLIES_PACKED)
        return sb_deck_key(tallies->n, deal, deck);
    struct sb_deck_key key;

    tallies_packed(deal, deck, 1, &key);
    return key;
}

static void tallies_keys(const struct sb_tallies *tallies, const sb_item items[], size_t count,
                         struct sb_deck_key key[])
{
    if (!tallies->multiset && !tallies->repeat && tallies->n <= TALLIES_PACKED) {
        tallies_packed(tallies->deal, items, count, key);
        return;
    }
    for (size_t i = 0; i < count; i++)
        key[i] = tallies_key(tallies, items + i * tallies->deal);
}

static void tallies_replay(struct sb_tallies *tallies, const struct sb_deck_key key[], size_t count, bool counted)
{
    enum sb_replay_bet bet[TALLIES_TOGETHER];

    sb_replay_add(tallies->replay, key, count, bet);
    for (size_t i = 0; i < count; i++)
        if (bet[i] != SB_REPLAY_NONE)
            sb_birthday_follow(&tallies->birthday, bet[i] == SB_REPLAY_HIT, counted);
}

static void tallies_repeat(struct sb_tallies *tallies, const sb_item items[], size_t count, bool counted)
{
    struct sb_deck_key key[TALLIES_TOGETHER];

    if (count == 0) /* for compilers */
        return;
    tallies_keys(tallies, items, count, key);
    if (tallies->replay)
        tallies_replay(tallies, key, count, counted);
    if (!tallies->repeat)
        tallies->birthday.decks += counted ? count : 0;
    for (size_t i = 0; i < count && tallies->repeat; i++) {
        const uint64_t kept = sb_repeats_stream_kept(tallies->repeat);

        if (!sb_repeats_stream_wants(tallies->repeat, key[i]))
            continue;
        const bool again = sb_repeats_stream_add(tallies->repeat, key[i]);

        if (counted)
            sb_birthday_step(&tallies->birthday, kept, again);
    }
}

/* Processes what depends on earlier permutations: steps and repeats. If `counted` is set, counts steps and
 * repeats; otherwise only remembers the permutations. */
static void tallies_compare(struct sb_tallies *tallies, const sb_item items[], size_t count, bool counted)
{
    if (!tallies->increments && !sb_tallies_repeated(tallies))
        return;
    for (size_t done = 0, deals; done < count; done += deals, items += deals * tallies->deal) {
        deals = count - done < TALLIES_TOGETHER ? count - done : TALLIES_TOGETHER;
        if (tallies->increments)
            tallies_step(tallies, items, deals, counted);
        if (sb_tallies_repeated(tallies))
            tallies_repeat(tallies, items, deals, counted);
    }
}

static void tallies_add(struct sb_tallies *tallies, const sb_item items[], size_t count)
{
    if (tallies->observer && !tallies->ranked)
        sb_observer_add(tallies->observer, items, count);
    if (tallies->lags)
        sb_lags_add(tallies->lags, items, count);
    if (tallies->catalogue)
        sb_catalogue_add(tallies->catalogue, items, count);
    if (tallies->bettor)
        sb_bettor_add(tallies->bettor, items, count);
    if (tallies->weigher)
        sb_weigher_add(tallies->weigher, items, count);
    if (tallies->outliers)
        sb_outliers_add(tallies->outliers, tallies->place + 1, items, count);
    if (tallies->noted)
        sb_repeats_sample_note(tallies->noted, tallies->place, items, count);
    tallies->place += count;
    tallies_compare(tallies, items, count, true);
    if (!tallies->increments && tallies->step.place)
        sb_increment_take(&tallies->step, items + (count - 1) * tallies->deal);
}

void sb_tallies_add(struct sb_tallies *tallies, const sb_item items[], size_t count)
{
    const struct sb_outliers *const outliers = tallies->outliers ? tallies->outliers : tallies->step_outliers;

    while (outliers && outliers->round && outliers->round * SB_BETTOR_ROUND - tallies->place < count) {
        const size_t left = (size_t)(outliers->round * SB_BETTOR_ROUND - tallies->place);

        if (left)
            tallies_add(tallies, items, left);
        sb_outliers_round_next(tallies->outliers);
        sb_outliers_round_next(tallies->step_outliers);
        items += left * tallies->deal;
        count -= left;
    }
    if (count)
        tallies_add(tallies, items, count);
}

void sb_tallies_remember(struct sb_tallies *tallies, const sb_item items[], size_t count)
{
    if (tallies->lags)
        sb_lags_remember(tallies->lags, items, count);
    if (tallies->bettor)
        sb_bettor_learn(tallies->bettor, items, count);
    tallies_compare(tallies, items, count, false);
}

bool sb_tallies_remember_last(struct sb_tallies *tallies)
{
    if (!tallies->lags || !tallies->step.begun)
        return true;
    sb_item *const last = calloc(tallies->n, sizeof *last);

    for (size_t i = 0; last && i < tallies->n; i++)
        last[tallies->step.place[i]] = (sb_item)i;
    if (last)
        sb_lags_remember(tallies->lags, last, 1);
    free(last);
    return last;
}

void sb_tallies_leave_outliers(struct sb_tallies *tallies)
{
    sb_outliers_free(tallies->outliers);
    sb_outliers_free(tallies->step_outliers);
    tallies->outliers = tallies->step_outliers = NULL;
    sb_tallies_read(tallies);
}

static struct sb_tally tallies_repeats(const struct sb_tallies *tallies)
{
    const struct sb_birthday *const birthday = &tallies->birthday;

    return (struct sb_tally) {
        .statistic = "repeat",
        .members = 1,
        .cells = tallies->noted ? 1 : 0,
        .total = birthday->decks,
        .share = tallies->noted || tallies->repeat ? 0 : tallies_replay_share,
        .count = tallies->noted ? &birthday->repeats : NULL,
        .ln_p = tallies->noted ? &birthday->ln_pair : NULL,
        .ln_e = tallies->noted ? NULL : &tallies->ln_e,
        .ln_e_error = tallies->noted ? 0 : sb_birthday_ln_e_error(birthday),
        .bets = tallies->noted ? 0 : SB_BIRTHDAY_ALTERNATIVES,
        .ln_bet = tallies->noted ? NULL : birthday->ln_e,
        .bet_range = tallies->noted ? 0 : sb_birthday_range(birthday),
    };
}

struct sb_replay_run sb_tallies_replay(const struct sb_tallies *tallies)
{
    return tallies->replay ? sb_replay_longest(tallies->replay, -tallies->birthday.ln_each)
                           : (struct sb_replay_run) { 0 };
}

size_t sb_tallies_counted(const struct sb_tallies *tallies)
{
    return tallies->count - (sb_tallies_repeated(tallies) ? 1 : 0) - (tallies->bettor ? 1 : 0) -
           (tallies->weigher ? 1 : 0) - (tallies->catalogue ? 1 : 0) - (tallies->outliers ? 1 : 0) -
           (tallies->step_outliers ? 1 : 0);
}

void sb_tallies_take_catalogue(struct sb_tallies *tallies, struct sb_catalogue *catalogue)
{
    tallies->catalogue = catalogue;
    sb_tallies_read(tallies);
}

void sb_tallies_read(struct sb_tallies *tallies)
{
    struct sb_tally *next = tallies->tally;

    if (tallies->observer) {
        sb_observer_read(tallies->observer, next);
        next += tallies->statistics;
    }
    if (tallies->noted)
        *next++ = tallies_repeats(tallies);
    if (tallies->increments) {
        sb_observer_read(tallies->increments, next);
        for (size_t i = 0; i < tallies->steps; i++, next++) {
            next->lag = 1;
            next->dependence = tallies->near;
            next->share = tallies->near ? tallies_near_share : 0;
        }
    }
    if (tallies->lags) {
        sb_lags_read(tallies->lags, next);
        next += sb_lags_count(tallies->lags);
    }
    if (sb_tallies_repeated(tallies)) {
        tallies->ln_e = sb_birthday_ln_e(&tallies->birthday);
        *next++ = tallies_repeats(tallies);
    }
    if (tallies->bettor)
        *next++ = sb_bettor_read(tallies->bettor);
    if (tallies->weigher)
        *next++ = sb_weigher_read(tallies->weigher);
    if (tallies->catalogue) {
        const struct sb_tally *const first = tallies->tally;

        sb_catalogue_read(tallies->catalogue, strcmp(first->statistic, "rank") == 0 ? first : NULL);
        *next++ = sb_catalogue_tally(tallies->catalogue, first->total);
    }
    if (tallies->outliers) {
        sb_outliers_read(tallies->outliers);
        *next++ = sb_outliers_tally(tallies->outliers, sb_outliers_decks, tallies->tally->total);
    }
    if (tallies->step_outliers) {
        sb_outliers_read(tallies->step_outliers);
        *next++ = sb_outliers_tally(tallies->step_outliers, sb_outliers_steps, tallies->tally->total);
    }
    tallies->count = (size_t)(next - tallies->tally);
}

bool sb_tallies_wanted(const struct sb_tallies *tallies)
{
    return (tallies->observer && !tallies->ranked) || tallies->increments || tallies->noted;
}

void sb_tallies_begin(struct sb_tallies *tallies, uint64_t first)
{
    tallies->place = first;
    tallies->step.begun = false;
}

void sb_tallies_join(struct sb_tallies *tallies, const struct sb_tallies *forked)
{
    if (forked->observer)
        sb_observer_join(tallies->observer, forked->observer);
    if (forked->increments)
        sb_observer_join(tallies->increments, forked->increments);
}

void sb_tallies_meet(struct sb_tallies *tallies, const struct sb_ranks *ranks)
{
    if (tallies->observer && !tallies->ranked)
        sb_observer_meet(tallies->observer, ranks);
    if (tallies->increments)
        sb_observer_meet(tallies->increments, ranks);
}

/* ---- copies ---- */

void sb_counts_free(struct sb_counts counts[], size_t count)
{
    for (size_t i = 0; counts && i < count; i++) {
        free(counts[i].statistic);
        free(counts[i].count);
    }
    free(counts);
}

bool sb_counts_lend(const struct sb_counts counts[], size_t count, struct sb_tally tally[])
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(counts[i].statistic, tally[i].statistic) != 0 || counts[i].lag != tally[i].lag ||
            counts[i].dependence != tally[i].dependence || counts[i].members != tally[i].members ||
            counts[i].cells != tally[i].cells)
            return false;
    for (size_t i = 0; i < count; i++) {
        tally[i].count = counts[i].count;
        tally[i].total = counts[i].total;
    }
    return true;
}
