/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs one shuffle of a peer along a path of answers.
 *
 * A peer cannot be stopped in the middle of a shuffle. So if a run has become useless, the oracle answers the
 * remaining questions at random until the deck comes. Random answers end redraw loops.
 *
 * The oracle tries numbers near the two ends of a cell, at a distance of at least 2^-48 from the borders of
 * the cell. Exactly at a border, the peer's product of a number u and an integer k may be rounded to the
 * other side. The distance grows from question to question. So if two questions get numbers of the same cell,
 * the first number is the smaller one at the low end, and the larger one at the high end. Cost: the shuffle
 * of the peer.
 */
#include "exact/oracle/oracle_run.h"

#include "core/core.h"

#include <stdlib.h>

static const double run_distance = 0x1p-48;

enum { RUN_PATIENCE = 1000 }; /* the oracle gives up after RUN_PATIENCE + 10 * draws_most questions */

double sb_oracle_number(uint32_t cell, uint32_t cells, size_t index, enum sb_oracle_end end)
{
    const double distance = (double)(index + 1) * run_distance, m = cells;

    if (end == SB_ORACLE_MIDDLE)
        return (cell + 0.5) / m;
    return end == SB_ORACLE_LOW ? cell / m + distance : (cell + 1) / m - distance;
}

double sb_oracle_run_number(const struct sb_oracle_run *run, size_t index)
{
    const struct sb_question *const question = &run->path[index];

    return sb_oracle_number(question->answer, question->bound, index,
                            index < run->high ? SB_ORACLE_HIGH : run->end);
}

uint32_t sb_oracle_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); /* Knuth's MMIX */
    return (uint32_t)(*state >> 32);
}

static uint32_t run_random(struct sb_oracle_run *run, uint32_t bound)
{
    return (uint32_t)((uint64_t)sb_oracle_random(&run->state) * bound >> 32);
}

/* Returns the answer to the next question. Appends the question to the path if it is not on the path yet. If
 * the run was cut or has strayed, the answer is random. */
static uint32_t run_answer(struct sb_oracle_run *run, uint32_t bound, bool number)
{
    const size_t index = run->passed;

    if (run->cut || run->strayed)
        return run_random(run, bound);
    if (index < run->length && run->path[index].bound == bound && run->path[index].number == number)
        return run->path[run->passed++].answer;
    if (index < run->length || run->fresh == SB_ORACLE_NONE) {
        run->strayed = true;
        run->stray = (struct sb_question) { .bound = bound, .number = number };
        return run_random(run, bound);
    }
    if (index == run->oracle->draws_most) {
        run->cut = true;
        return run_random(run, bound);
    }
    const uint32_t answer = run->fresh == SB_ORACLE_RANDOM ? run_random(run, bound) : 0;
    run->path[run->length++] = (struct sb_question) { bound, answer, number };
    run->numbers |= number;
    run->passed++;
    return answer;
}

/* Counts a question. Returns whether the question has more than one answer. */
static bool run_ask(struct sb_oracle_run *run, uint32_t bound)
{
    const volatile sig_atomic_t *const stop = run->oracle->stop;

    run->asked++;
    run->stopped |= stop && *stop;
    run->boundless |= bound == 0;
    run->endless |= run->asked > RUN_PATIENCE + 10 * (size_t)run->oracle->draws_most;
    run->draws.over = run->stopped || run->boundless || run->endless;
    return bound > 1;
}

static uint32_t run_below(struct sb_draws *draws, uint32_t bound)
{
    struct sb_oracle_run *const run = (struct sb_oracle_run *)draws;

    return run_ask(run, bound) ? run_answer(run, bound, false) : 0;
}

static double run_uniform(struct sb_draws *draws)
{
    struct sb_oracle_run *const run = (struct sb_oracle_run *)draws;
    const uint32_t cells = run->oracle->cells;
    const size_t index = run->passed;

    run_ask(run, cells);
    const uint32_t cell = run_answer(run, cells, true);
    return run->cut || run->strayed ? sb_oracle_number(cell, cells, 0, SB_ORACLE_MIDDLE)
                                    : sb_oracle_run_number(run, index);
}

/* Checks the deck and reports what is wrong with it. Sets the rank of a valid deck. */
static enum sb_status run_check(struct sb_oracle_run *run, struct sb_error *error)
{
    const size_t n = run->oracle->n;
    uint32_t seen = 0; /* one bit for each item; there are at most ten items */

    for (size_t i = 0; i < n; i++) {
        if (run->deck[i] >= n)
            return sb_error_set(error, SB_SUBJECT,
                                "%s: item %u at position %zu of a deck of %zu: items are 0 to %zu",
                                run->oracle->peer->name, run->deck[i], i, n, n - 1);
        if (seen >> run->deck[i] & 1)
            return sb_error_set(error, SB_SUBJECT,
                                "%s: item %u stands twice in a deck: it has to hold each item once",
                                run->oracle->peer->name, run->deck[i]);
        seen |= UINT32_C(1) << run->deck[i];
    }
    run->rank = sb_permutation_cell(n, n, run->deck);
    return SB_OK;
}

enum sb_status sb_oracle_run_once(struct sb_oracle_run *run, enum sb_oracle_fresh fresh,
                                  enum sb_oracle_end end, struct sb_error *error)
{
    struct sb_peer *const peer = run->oracle->peer;
    enum sb_status status;

    run->fresh = fresh;
    run->end = end;
    run->known = run->length;
    run->asked = run->passed = 0;
    run->cut = run->strayed = run->draws.over = run->numbers = false;
    for (size_t i = 0; i < run->length; i++)
        run->numbers |= run->path[i].number;
    status = peer->shuffle(peer, &run->draws, run->oracle->n, run->deck, error);
    if (run->stopped || status == SB_STOPPED)
        return sb_error_set(error, SB_STOPPED,
                            "%s: interrupted before a series of answers was counted: nothing is known yet",
                            peer->name);
    if (run->boundless)
        return sb_error_set(error, SB_SUBJECT, "%s: asked for a draw below 0: bounds are 1 or more",
                            peer->name);
    if (run->endless)
        return sb_error_set(error, SB_SUBJECT,
                            "%s: asked %zu times and dealt no deck, whatever the answers: does it end?",
                            peer->name, run->asked);
    if (status)
        return status;
    if (run->passed < run->length && !run->strayed) {
        run->strayed = true;
        run->stray = (struct sb_question) { .bound = 0 };
    }
    return run_check(run, error);
}

enum sb_status sb_oracle_run_open(const struct sb_oracle *oracle, struct sb_oracle_run *run)
{
    *run = (struct sb_oracle_run) {
        .draws = { .below = run_below, .uniform = run_uniform },
        .oracle = oracle,
        .path = calloc(oracle->draws_most, sizeof *run->path),
        .deck = calloc(oracle->n + 1, sizeof *run->deck),
        .state = 1,
    };
    if (run->path && run->deck)
        return SB_OK;
    sb_oracle_run_close(run);
    return SB_NO_MEMORY;
}

void sb_oracle_run_close(struct sb_oracle_run *run)
{
    free(run->path);
    free(run->deck);
    *run = (struct sb_oracle_run) { .state = 0 };
}
