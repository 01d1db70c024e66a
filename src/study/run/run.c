/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The only loop that reads a feed and tallies its permutations; and the command line that makes a run again. */
#include "study/run/run.h"
#include "core/text.h"
#include "study/results.h"

/* Tallies the current batch of the feed, up to the total `until`. The rest of a larger batch stays there: the
 * batch that the feed started with has as many permutations as had arrived, and the looks may not depend on
 * that. An empty batch means that the feed has ended. */
static enum sb_status run_tally(struct sb_run *run, uint64_t until)
{
    struct sb_feed *const feed = run->feed;
    const size_t count = feed->count < until - run->total ? feed->count : (size_t)(until - run->total);
    enum sb_status status = SB_OK;

    if (count == 0)
        return SB_OK;
    if (run->hooks->tally)
        status = run->hooks->tally(run->state, feed->items, count);
    if (status)
        return status;
    run->total += count;
    feed->items += count * feed->deal;
    feed->count -= count;
    if (run->progress)
        run->progress(run->progress_state, feed->name, run->total, run->most);
    return run->hooks->save ? run->hooks->save(run->state) : SB_OK;
}

static enum sb_status run_gather(struct sb_run *run, uint64_t until)
{
    struct sb_feed *const feed = run->feed;
    enum sb_status status = SB_OK;

    while (status == SB_OK && run->total < until && !run->ended) {
        if (feed->count == 0)
            status = sb_feed_next(feed, until - run->total, run->error);
        if (status == SB_STOPPED) {
            feed->count = 0;
            run->interrupted = run->ended = true;
            return SB_OK;
        }
        if (status)
            return status;
        run->ended = feed->count == 0;
        status = run_tally(run, until);
        run->interrupted = run->stop && *run->stop;
        run->ended = run->ended || run->interrupted;
    }
    return status;
}

enum sb_status sb_run_loop(struct sb_run *run)
{
    enum sb_status status = SB_OK;

    while (status == SB_OK && !run->ended && run->total < run->most) {
        const bool looks = run->hooks->look && run->look < run->most;

        status = run_gather(run, looks ? run->look : run->most);
        if (status == SB_OK && run->hooks->look && run->total >= run->look)
            status = run->hooks->look(run->state);
    }
    return status;
}

enum sb_status sb_neighbours_add(struct sb_neighbours *neighbours, size_t n, size_t k, const sb_item items[],
                                 size_t count)
{
    for (size_t t = 0; t < count && neighbours->count < SB_NEIGHBOURS_MOST; t++) {
        if (!neighbours->key || neighbours->count == neighbours->room) {
            const size_t room = neighbours->room ? 2 * neighbours->room : 64;
            struct sb_deck_key *const key = realloc(neighbours->key, room * sizeof *key);

            if (!key)
                return SB_NO_MEMORY;
            neighbours->key = key;
            neighbours->room = room;
        }
        const struct sb_deck_key key = sb_deck_key(n, k, items + t * k);
        const struct sb_deck_key last = neighbours->last;

        neighbours->same += neighbours->count && last.high == key.high && last.low == key.low;
        neighbours->last = neighbours->key[neighbours->count++] = key;
    }
    return SB_OK;
}

void sb_neighbours_close(struct sb_neighbours *neighbours)
{
    free(neighbours->key);
    *neighbours = (struct sb_neighbours) { 0 };
}

bool sb_neighbours_stand_out(struct sb_neighbours *neighbours, double excess)
{
    enum { FAR = 5 }; /* distances, from a quarter to three quarters of the permutations */
    const struct sb_deck_key *const key = neighbours->key;
    const size_t count = neighbours->count;
    const double same = (double)neighbours->same;
    uint64_t distinct, most;
    double far = 0;

    if (same < 3)
        return false;
    for (size_t t = 0; t < FAR * count; t++) {
        const size_t one = t % count, other = (one + (t / count + 2) * count / 8) % count;

        far += (key[one].high == key[other].high && key[one].low == key[other].low) / (double)FAR;
    }
    sb_deck_key_count(neighbours->key, count, 1, &distinct, &most);
    if (distinct == 1) /* there is no other to compare with */
        return false;
    return same >= 0.9 * (double)(count - distinct) ||
           (same - far > 3 * sqrt(same) && same - far > excess * (double)count);
}

void sb_sentence_neighbours(struct sb_sentence *s, uint64_t same, uint64_t count, const char *each)
{
    sb_sentence_add(s, "%s of %s%s %ss are the same as the %s before", sb_number_grouped(same).text,
                    count == SB_NEIGHBOURS_MOST ? "the first " : "", sb_number_grouped(count).text, each, each);
}

void sb_sentence_neighbours_ask(struct sb_sentence *s, const char *each)
{
    sb_sentence_add(s, "Is the generator seeded anew each time from a clock, or is each %s printed twice? ", each);
}

static enum sb_status recognise_refuse(struct sb_recogniser *recogniser, struct sb_error *error)
{
    recogniser->repeated = true;
    return sb_error_set(error, SB_SUBJECT,
                        "%.100s: its first %d permutations are those of an earlier run that '%.200s' holds, "
                        "and would count twice: seed it anew in each run",
                        recogniser->name, SB_FINGERPRINT_DECKS, recogniser->path);
}

/* Adds the run's next `count` permutations, of `deal` items each. Ignores all permutations after the first
 * SB_FINGERPRINT_DECKS of the run. The hash is FNV-1a. */
static void recognise_see(struct sb_fingerprint *fingerprint, const sb_item items[], size_t count, size_t deal)
{
    for (; count && fingerprint->decks < SB_FINGERPRINT_DECKS; count--, fingerprint->decks++)
        for (size_t i = 0; i < deal; i++)
            fingerprint->hash = (fingerprint->hash ^ *items++) * UINT64_C(1099511628211);
}

/* Whether a run begins with the same SB_FINGERPRINT_DECKS permutations as one of the runs in `fingerprints`. */
static bool recognise_has(const struct sb_fingerprints *fingerprints, const struct sb_fingerprint *fingerprint)
{
    for (size_t i = 0; fingerprint->decks == SB_FINGERPRINT_DECKS && i < fingerprints->count; i++)
        if (fingerprints->hash[i] == fingerprint->hash)
            return true;
    return false;
}

static void recognise_take(struct sb_recogniser *recogniser, const sb_item **items, size_t *count)
{
    struct sb_feed *const inner = recogniser->inner;

    recognise_see(recogniser->own, inner->items, inner->count, inner->deal);
    *items = inner->items;
    *count = inner->count;
    inner->count = 0;
}

static bool recognise_first(const struct sb_recogniser *recogniser)
{
    return recogniser->own->adds && recogniser->own->decks < SB_FINGERPRINT_DECKS;
}

enum sb_status sb_recogniser_begin(struct sb_recogniser *recogniser, struct sb_error *error)
{
    struct sb_feed *const inner = recogniser->inner;

    if (!recognise_first(recogniser))
        return SB_OK;
    while (recognise_first(recogniser)) {
        enum sb_status status = SB_OK;
        const sb_item *items;
        size_t count;

        if (inner->count == 0)
            status = sb_feed_next(inner, SB_FINGERPRINT_DECKS - recogniser->own->decks, error);
        if (status == SB_OK && recogniser->stop && *recogniser->stop)
            status = sb_error_set(error, SB_STOPPED, "%s: stopped", inner->name);
        if (status || inner->count == 0)
            return status;
        recognise_take(recogniser, &items, &count);
        sb_tallies_remember(recogniser->tallies, items, count);
    }
    return recognise_has(recogniser->earlier, recogniser->own) ? recognise_refuse(recogniser, error) : SB_OK;
}

enum sb_status sb_recogniser_next(struct sb_feed *feed, size_t most, const sb_item **items, size_t *count,
                                  struct sb_error *error)
{
    struct sb_recogniser *const recogniser = (struct sb_recogniser *)feed;
    struct sb_feed *const inner = recogniser->inner;
    enum sb_status status = sb_recogniser_begin(recogniser, error);

    if (status == SB_OK && inner->count == 0 && !recognise_first(recogniser))
        status = sb_feed_next(inner, most, error);
    if (status == SB_OK)
        recognise_take(recogniser, items, count);
    return status;
}

enum sb_status sb_selection_check(const struct sb_multiset *multiset, size_t n, size_t deal, const char *profile,
                                  bool increments, struct sb_error *error)
{
    enum sb_status status = sb_tallies_check(n, error);

    if (status == SB_OK)
        status = sb_statistic_profile_check(profile, multiset, n, error);
    if (status == SB_OK && increments)
        status = sb_increments_check(multiset, n, deal, error);
    return status;
}

static size_t selection_cells(const struct sb_multiset *multiset, size_t n, size_t deal,
                              const struct sb_statistic_type *type)
{
    const size_t cells = sb_statistic_cells(type, multiset, n, deal);

    return !sb_statistic_merges(type, n) || cells < SB_TALLIES_CELLS_MOST ? cells : SB_TALLIES_CELLS_MOST;
}

static bool selection_joins(const struct sb_multiset *multiset, size_t n, size_t deal, const char *profile,
                            const struct sb_gate_terms *terms, const struct sb_statistic_type *type)
{
    const bool grouped = multiset && multiset->groups;
    const bool joins = sb_statistic_joins_equal(type, multiset, n, deal) ||
                       (!grouped && sb_statistic_joins_profile(type, SB_STATISTIC_GATED, n, deal));

    if (type == &sb_statistic_position || type == &sb_statistic_card_at)
        return joins;
    return (joins || (!multiset && sb_statistic_joins_profile(type, profile, n, deal))) &&
           (sb_gate_reaches(terms, selection_cells(multiset, n, deal, type)) ||
            (type != &sb_statistic_rank &&
             !sb_gate_reaches(terms, selection_cells(NULL, n, deal, &sb_statistic_position))));
}

size_t sb_selection_choose(const struct sb_multiset *multiset, size_t n, size_t deal, const char *profile,
                           const struct sb_gate_terms *terms, const struct sb_statistic_type *type[])
{
    size_t count = 0;

    for (size_t i = 0; i < sb_statistic_types_count; i++)
        if (selection_joins(multiset, n, deal, profile, terms, sb_statistic_types[i]))
            type[count++] = sb_statistic_types[i];
    return count;
}

bool sb_selection_repeats(const struct sb_multiset *multiset, size_t n, size_t deal,
                          const struct sb_statistic_type *first)
{
    if (multiset && (deal < n || sb_multiset_ln_arrangements(multiset) < 16 * log(2)))
        return false;
    return first && first != &sb_statistic_rank && sb_deals(n, deal) > 1 << 16;
}

bool sb_selection_replays(size_t n, size_t deal)
{
    return sb_deals(n, deal) >= 6;
}

bool sb_selection_bets(const struct sb_multiset *multiset, size_t n, size_t deal, const struct sb_statistic_type *first)
{
    return first && (deal == n ? first != &sb_statistic_rank : !multiset) && sb_bettor_can(multiset, n);
}

/* The command line that makes the page of a run again: what was given to the request, and its subject, quoted for a
 * shell. */

static void reproduce_word(struct sb_sentence *s, const char *word)
{
    const bool plain = sb_shell_plain(word);

    sb_sentence_add(s, plain ? " " : " '");
    for (; *word; word++)
        sb_sentence_add(s, *word == '\'' ? "'\\''" : "%c", *word);
    sb_sentence_add(s, plain ? "" : "'");
}

/* Whether the page depends on an option, and no other part of the line says it. */
static bool reproduce_says(const struct sb_option *option, bool terms)
{
    const char *const name = option->name;

    if (option->group == SB_GROUP_RUNS || option->group == SB_GROUP_PROGRAM)
        return false;
    if (option->group == SB_GROUP_OUTPUT)
        return strcmp(name, "title") == 0 || strcmp(name, "all-counts") == 0;
    if (terms && (strcmp(name, "alpha") == 0 || strcmp(name, "delta") == 0))
        return false;
    return strcmp(name, "suite") != 0 && strcmp(name, "jobs") != 0;
}

static void reproduce_options(const struct sb_request *request, bool terms, struct sb_sentence *s)
{
    for (size_t i = 0; i < sb_options_count; i++) {
        const struct sb_option *const option = &sb_options_table[i];
        const char *const given = option->of & request->of ? request->given[i] : NULL;

        if (!given || !reproduce_says(option, terms))
            continue;
        if (option->kind != SB_KIND_FLAG || *(const bool *)((const char *)request + option->at))
            sb_sentence_add(s, " %s%s", option->name[1] ? "--" : "-", option->name);
        if (option->kind != SB_KIND_FLAG)
            reproduce_word(s, given);
    }
}

char *sb_reproduce(const struct sb_request *request, const struct sb_gate_terms *terms,
                   const struct sb_subject *subject, const char *const words[], size_t count)
{
    struct sb_sentence s = { 0 };

    if (subject && subject->cwd) {
        sb_sentence_add(&s, "cd");
        reproduce_word(&s, subject->cwd);
        sb_sentence_add(&s, " && ");
    }
    sb_sentence_add(&s, "shufflebias %s", sb_request_command(request->of));
    if (terms) /* a suite and a ledger give a gate a share of theirs */
        sb_sentence_add(&s, " --alpha %.12g --delta %.12g", terms->alpha, terms->delta);
    reproduce_options(request, terms, &s);
    sb_sentence_add(&s, request->of == SB_WATCH ? " --save" : " --format html");
    if (request->of == SB_WATCH) /* the line resumes the watch */
        reproduce_word(&s, request->save ? request->save : "watch.json");
    for (size_t i = 0; i < count; i++)
        reproduce_word(&s, words[i]);
    if (subject && (subject->file || subject->scheme))
        reproduce_word(&s, subject->file ? subject->file : subject->scheme);
    else if (subject)
        sb_sentence_add(&s, subject->command ? " --" : " # with your function");
    for (size_t i = 0; subject && subject->command && subject->command[i]; i++)
        reproduce_word(&s, subject->command[i]);
    return sb_sentence_take(&s);
}

void sb_reproduce_html(const char *command, struct sb_html *html)
{
    if (!command)
        return;
    fputs("<h2>How to reproduce it</h2>\n", html->stream);
    sb_html_command(command, html->stream);
}
