/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explains a shuffle: its algorithm, its tree of draws, unless it has too many paths, the orders at the leaves, unless
 * the law takes too long, and why it is fair or biased. */
#include "study/explain/explain.h"

#include <ctype.h>
#include <limits.h>

/* One path, step by step. First a walk follows the path, to find the probability of each answer. Then the shuffle runs
 * again with the same answers, and the deck is recorded: after each swap, if the shuffle is made of swaps, or whenever
 * it requests a draw, when the effect of the previous draw is complete. Cost: two runs, and one more per possible
 * answer if the shuffle redraws rejected answers. */

/* the most items for a shuffle that redraws, because each possible answer costs a run */
enum { WALK_REDRAWN_MOST = 300 };

/* Gives the shuffle the answers of a path, and records the deck after each answer. */
struct explain_recorder {
    struct sb_source src; /* must be the first member, because the shuffle has a pointer to this member */
    const struct sb_deck *deck;
    const struct sb_explain_draw *draw; /* [count] */
    size_t count, used;
    sb_item *after; /* [count * n] */
};

static uint32_t explain_record(struct sb_source *src, uint32_t bound)
{
    struct explain_recorder *const recorder = (struct explain_recorder *)src;
    const size_t n = recorder->deck->n, used = recorder->used;

    if (used > 0)
        memcpy(recorder->after + (used - 1) * n, recorder->deck->a, n * sizeof *recorder->after);
    if (used == recorder->count || recorder->draw[used].bound != bound)
        src->status = SB_BROKEN; /* the shuffle did not make the same draws as in the first run */
    return src->status ? 0 : recorder->draw[recorder->used++].answer;
}

static uint64_t explain_record_bits(struct sb_source *src, unsigned bits)
{
    return explain_record(src, UINT32_C(1) << bits); /* the walk has checked that bits < 32 */
}

/* Records the steps of a shuffle that is not made of swaps, one step per draw. The deck after the last step
 * is the result. */
static enum sb_status explain_walk_draws(const struct sb_law *law, struct sb_deck *deck, struct sb_explain *explain)
{
    const size_t n = explain->n, count = explain->walk_count;
    struct explain_recorder recorder = {
        .src = { .choose = explain_record, .bits = explain_record_bits },
        .deck = deck,
        .draw = explain->walk,
        .count = count,
        .after = explain->deck,
    };

    sb_shuffler_run(law->shuffler, deck, &recorder.src);
    if (recorder.src.status || recorder.used != count)
        return SB_BROKEN;
    if (count > 0)
        memcpy(explain->deck + (count - 1) * n, deck->a, n * sizeof *deck->a);
    for (size_t k = 0; k < count; k++)
        explain->step[k] = (struct sb_explain_step) { .first = k, .draws = 1 };
    return SB_OK;
}

static size_t explain_walk_answer(const struct sb_explain *explain, size_t bound, size_t *used)
{
    return bound < 2 ? 0 : explain->walk[(*used)++].answer;
}

static void explain_walk_swaps(const struct sb_law *law, struct sb_deck *deck, struct sb_explain *explain)
{
    const size_t n = explain->n;
    size_t used = 0;

    sb_deck_reset(deck);
    for (size_t k = 0; k < law->shuffler->count; k++) {
        const struct sb_swap *const swap = &law->shuffler->steps[k];
        struct sb_explain_step *const step = &explain->step[k];

        *step = (struct sb_explain_step) { .first = used, .swap = true };
        step->at = swap->at + explain_walk_answer(explain, swap->at_bound, &used);
        step->from = swap->from + explain_walk_answer(explain, swap->bound, &used);
        step->draws = used - step->first;
        const sb_item item = deck->a[step->at];

        deck->a[step->at] = deck->a[step->from];
        deck->a[step->from] = item;
        memcpy(explain->deck + k * n, deck->a, n * sizeof *deck->a);
    }
}

static enum sb_status explain_walk_open(struct sb_explain *explain, struct sb_explain_step *step)
{
    const size_t draws = step->first + step->draws;
    size_t *const seen = calloc(explain->orders_count + 1, sizeof *seen);

    if (!seen)
        return SB_NO_MEMORY;
    for (size_t i = 0; i < explain->paths_count; i++) {
        const struct sb_explain_path *const path = &explain->path[i];
        size_t same = 0;

        while (same < draws && same < path->length &&
               explain->drawn[path->first + same].answer == explain->walk[same].answer)
            same++;
        if (same == draws)
            seen[path->rank] = 1;
    }
    for (size_t r = 0; r < explain->orders_count; r++) {
        if (seen[r] && step->open < SB_EXPLAIN_OPEN_MOST)
            step->ranks[step->open] = r;
        step->open += seen[r];
    }
    free(seen);
    return SB_OK;
}

static enum sb_status explain_walk_take(const struct sb_law *law, const struct sb_walk *walk,
                                        struct sb_explain *explain)
{
    const size_t n = explain->n, steps = law->shuffler->steps ? law->shuffler->count : walk->length;
    enum sb_status status = SB_OK;
    struct sb_deck deck;

    explain->walk = calloc(walk->length + 1, sizeof *explain->walk);
    explain->step = calloc(steps + 1, sizeof *explain->step);
    explain->deck = calloc(steps * n + 1, sizeof *explain->deck);
    explain->result = calloc(n + 1, sizeof *explain->result);
    if (!explain->walk || !explain->step || !explain->deck || !explain->result || sb_deck_open(n, explain->deal, &deck))
        return SB_NO_MEMORY;
    explain->walk_count = walk->length;
    explain->steps_count = steps;
    status = sb_explain_take(walk, explain->walk, &explain->mass);
    if (law->shuffler->steps)
        explain_walk_swaps(law, &deck, explain);
    else if (status == SB_OK)
        status = explain_walk_draws(law, &deck, explain);
    memcpy(explain->result, walk->deck.a, n * sizeof *explain->result);
    for (size_t k = 0; k < steps; k++) {
        explain->step[k].whole = sb_permutation_valid(n, n, explain->deck + k * n);
        if (status == SB_OK && explain->paths_count && explain->orders_count)
            status = explain_walk_open(explain, &explain->step[k]);
    }
    sb_deck_close(&deck);
    explain->walked = true;
    return status;
}

static enum sb_status explain_walk_read(const char *path, struct sb_error *error, uint32_t **answers, size_t *count)
{
    *count = 0;
    *answers = calloc(strlen(path) + 1, sizeof **answers);
    if (!*answers)
        return sb_error_memory(error, "the path");
    for (const char *at = path; *at;) {
        char *end;
        const unsigned long long value = isdigit((unsigned char)*at) ? strtoull(at, &end, 10) : ULLONG_MAX;

        if (value > UINT32_MAX || (*end && (*end != ',' || !end[1])))
            return sb_error_set(error, SB_INVALID,
                                "'%.60s' is no path: write the answers with commas between, as 0,2,1", path);
        (*answers)[(*count)++] = (uint32_t)value;
        at = end + (*end == ',');
    }
    return SB_OK;
}

static enum sb_status explain_walk_lost(const struct sb_walk *walk, const char *path, struct sb_error *error)
{
    const size_t at = (size_t)(walk->lost - walk->node), number = at + 1;
    const uint32_t bound = walk->lost->bound;

    if (at >= walk->steer_length)
        return sb_error_set(error, SB_INVALID,
                            "path '%.60s' is too short: draw %zu is below %u, add an answer from 0 to %u", path, number,
                            bound, bound - 1);
    const uint32_t answer = walk->steer[at];

    if (answer >= bound)
        return sb_error_set(error, SB_INVALID, "path '%.60s': draw %zu is below %u and cannot be %u: use 0 to %u", path,
                            number, bound, answer, bound - 1);
    if (walk->lost->struck && walk->lost->struck[answer])
        return sb_error_set(error, SB_INVALID,
                            "path '%.60s': at draw %zu the answer %u is struck out and drawn again: use another", path,
                            number, answer);
    return sb_error_set(error, SB_INVALID, "path '%.60s': draw %zu never gives %u with these words: use another answer",
                        path, number, answer);
}

/* If the shuffle may reject answers, makes the walk try all answers of each draw before the path continues. Otherwise
 * the walk would not know which answers are rejected, and the probabilities along the path would be wrong. */
static enum sb_status explain_walk_prepare(struct sb_walk *walk, struct sb_error *error,
                                           const struct sb_explain *explain)
{
    bool *const used = calloc(SB_COMPUTED_MOST + 1, sizeof *used);
    uint32_t most;
    const bool known = used && sb_explain_survey(walk->law, used, &most, &walk->probes) == SB_OK;

    free(used);
    if (!known)
        return sb_error_memory(error, "the path");
    if (walk->probes && explain->n > WALK_REDRAWN_MOST)
        return sb_error_set(error, SB_TOO_LARGE,
                            "%s with `n = %zu` draws again too often to be followed: use n up to %d",
                            explain->scheme.name, explain->n, WALK_REDRAWN_MOST);
    return SB_OK;
}

static enum sb_status explain_walk_go(struct sb_walk *walk, const char *path, struct sb_error *error,
                                      struct sb_explain *explain)
{
    enum sb_status status = explain_walk_prepare(walk, error, explain);

    if (status)
        return status;
    status = sb_walk_run(walk);
    if (walk->lost)
        return explain_walk_lost(walk, path, error);
    if (status == SB_TOO_LARGE)
        return sb_error_set(error, status,
                            "%s with `n = %zu` has too many draws to follow one by one, or keys of more than "
                            "31 bits: use less",
                            explain->scheme.name, explain->n);
    if (status)
        return sb_explain_fault(status, explain, error);
    if (walk->steer && walk->steer_length > walk->length)
        return sb_error_set(error, SB_INVALID,
                            "path '%.60s' is too long: the shuffle ends after %zu draws, leave the rest out", path,
                            walk->length);
    status = explain_walk_take(walk->law, walk, explain);
    return status ? sb_explain_fault(status, explain, error) : SB_OK;
}

static enum sb_status explain_walk(const struct sb_law *law, const char *path, struct sb_error *error,
                                   struct sb_explain *explain)
{
    const bool first = strcmp(path, "first") == 0;
    uint32_t *answers = NULL;
    struct sb_walk walk;
    size_t count = 0;
    enum sb_status status = first ? SB_OK : explain_walk_read(path, error, &answers, &count);

    if (status == SB_OK && sb_walk_open(law, false, &walk))
        status = sb_error_memory(error, "the path");
    else if (status == SB_OK) {
        walk.steer = answers;
        walk.steer_length = count;
        status = explain_walk_go(&walk, path, error, explain);
        sb_walk_close(&walk);
    }
    free(answers);
    return status;
}

/* Computes the tree and the law. Skips the tree or the law if its computation would take too long. If the law
 * is skipped, `evidence` has no cells. */
static enum sb_status explain_collect(const struct sb_law *law, struct sb_error *error, struct sb_explain *explain,
                                      struct sb_evidence *evidence)
{
    const size_t cells = sb_cells(explain->n, explain->deal);
    enum sb_status status;

    if (cells == 0 || cells > SB_EXPLAIN_ORDERS_MOST)
        return SB_OK;
    status = sb_engine_law(law, SB_COST_UNASKED, error, evidence);
    if (status)
        return status;
    status = sb_explain_paths(law, explain);
    if (status == SB_OK && sb_numbers_whole(&evidence->counts))
        status = sb_explain_orders(law, evidence, explain);
    if (status == SB_OK && explain->orders_count)
        status = sb_evidence_matrix(evidence);
    return status ? sb_explain_fault(status, explain, error) : SB_OK;
}

static enum sb_status explain_make(const struct sb_scheme *scheme, const char *path, const struct sb_request *options,
                                   struct sb_error *error, struct sb_explain *explain)
{
    struct sb_evidence evidence = { 0 };
    struct sb_shuffler shuffler;

    explain->scheme = *scheme;
    explain->n = options->n;
    explain->deal = options->deal;
    if (sb_shuffler_open(scheme->shuffle, options->n, options->deal, &shuffler))
        return sb_error_memory(error, "the explanation");
    const struct sb_law law = sb_scheme_law(scheme, &shuffler, options);
    enum sb_status status = sb_engine_check_words(&law, error);

    if (status == SB_OK)
        status = explain_collect(&law, error, explain, &evidence);
    if (status == SB_OK && path)
        status = explain_walk(&law, path, error, explain);
    if (status == SB_OK && sb_explain_argue(&law, sb_numbers_whole(&evidence.counts) ? &evidence : NULL, explain))
        status = sb_error_memory(error, "the argument");
    if (evidence.cells)
        sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
    return status;
}

enum sb_status sb_explain_new(const char *scheme, const char *path, const struct sb_request *options,
                              struct sb_error *error, struct sb_explain **explain)
{
    struct sb_explain *const made = calloc(1, sizeof *made);
    struct sb_request settled;
    struct sb_scheme parsed;
    enum sb_status status;

    if (!made)
        return sb_error_memory(error, "the explanation");
    status = sb_options_settle(options, error, &settled);
    if (status == SB_OK)
        status = sb_scheme_parse(scheme, settled.draw, settled.rng, error, &parsed);
    if (status == SB_OK)
        status = sb_scheme_check(&parsed, settled.n, settled.deal, error);
    if (status == SB_OK)
        status = explain_make(&parsed, path, &settled, error, made);
    if (status)
        sb_explain_free(made);
    else
        *explain = made;
    return status;
}
