/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs one shuffle of a peer along a path of answers.
 *
 * A peer cannot be stopped in the middle of a shuffle. So if a run has become useless, the oracle answers the remaining
 * questions at random until the deck comes. Random answers end redraw loops.
 *
 * The oracle tries numbers near the two ends of a cell, at a distance of at least 2^-48 from the borders of the cell.
 * Exactly at a border, the peer's product of a number u and an integer k may be rounded to the other side. The distance
 * grows from question to question. So if two questions get numbers of the same cell, the first number is the smaller
 * one at the low end, and the larger one at the high end. Cost: the shuffle of the peer.
 *
 * The known part of the tree of questions is an array of nodes with links to their parents. For each depth, there is a
 * list of the questions that still have answers to try. The next answer to give is the one with the fewest questions
 * before it, or one of several such answers. So an infinite tree, such as the tree of a shuffle with a redraw loop, is
 * explored from the root, where most of the probability is. Cost: 24 bytes per question; O(1) to find the next branch,
 * and O(length) to find the path to the branch.
 */
#include "exact/oracle.h"

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

    return sb_oracle_number(question->answer, question->bound, index, index < run->high ? SB_ORACLE_HIGH : run->end);
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
    run->p /= bound;
    if (index < run->length && run->path[index].bound == bound && run->path[index].number == number)
        return run->path[run->passed++].answer;
    if (index < run->length || run->fresh == SB_ORACLE_NONE) {
        run->strayed = true;
        run->stray = (struct sb_question) { .bound = bound, .number = number };
        return run_random(run, bound);
    }
    if (index == run->oracle->draws_most ||
        (run->fresh == SB_ORACLE_FIRST && run->p * (double)run->oracle->paths_most < SB_ORACLE_NEGLIGIBLE)) {
        run->cut = true;
        return run_random(run, bound);
    }
    const uint32_t answer = run->fresh == SB_ORACLE_RANDOM ? run_random(run, bound) : 0;
    run->path[run->length++] = (struct sb_question) { bound, answer, number };
    run->numbers |= number;
    run->passed++;
    return answer;
}

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

static enum sb_status run_check(struct sb_oracle_run *run, struct sb_error *error)
{
    const size_t n = run->oracle->n;
    uint32_t seen = 0; /* one bit for each item; there are at most ten items */

    for (size_t i = 0; i < n; i++) {
        if (run->deck[i] >= n)
            return sb_error_set(error, SB_SUBJECT, "%s: item %u at position %zu of a deck of %zu: items are 0 to %zu",
                                run->oracle->peer->name, run->deck[i], i, n, n - 1);
        if (seen >> run->deck[i] & 1)
            return sb_error_set(error, SB_SUBJECT, "%s: item %u stands twice in a deck: it has to hold each item once",
                                run->oracle->peer->name, run->deck[i]);
        seen |= UINT32_C(1) << run->deck[i];
    }
    run->rank = sb_permutation_cell(n, n, run->deck);
    return SB_OK;
}

enum sb_status sb_oracle_run_once(struct sb_oracle_run *run, enum sb_oracle_fresh fresh, enum sb_oracle_end end,
                                  struct sb_error *error)
{
    struct sb_peer *const peer = run->oracle->peer;
    enum sb_status status;

    run->fresh = fresh;
    run->end = end;
    run->known = run->length;
    run->p = 1;
    run->asked = run->passed = 0;
    run->cut = run->strayed = run->draws.over = run->numbers = false;
    for (size_t i = 0; i < run->length; i++)
        run->numbers |= run->path[i].number;
    status = peer->shuffle(peer, &run->draws, run->oracle->n, run->deck, error);
    if (run->stopped || status == SB_STOPPED)
        return sb_error_set(error, SB_STOPPED,
                            "%s: interrupted before a series of answers was counted: nothing is known yet", peer->name);
    if (run->boundless)
        return sb_error_set(error, SB_SUBJECT, "%s: asked for a draw below 0: bounds are 1 or more", peer->name);
    if (run->endless)
        return sb_error_set(error, SB_SUBJECT,
                            "%s: asked %zu times and dealt no deck, whatever the answers: does it end?", peer->name,
                            run->asked);
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

/* ---- the tree of questions ---- */

enum sb_status sb_oracle_tree_open(uint32_t draws_most, struct sb_oracle_tree *tree)
{
    *tree = (struct sb_oracle_tree) {
        .open = malloc(draws_most * sizeof *tree->open),
        .open_p = calloc(draws_most, sizeof *tree->open_p),
        .depths = draws_most,
        .shallowest = draws_most,
    };
    for (size_t i = 0; tree->open && i < draws_most; i++)
        tree->open[i] = SB_ORACLE_ROOT;
    return tree->open && tree->open_p ? SB_OK : SB_NO_MEMORY;
}

void sb_oracle_tree_close(struct sb_oracle_tree *tree)
{
    free(tree->node);
    free(tree->open);
    free(tree->open_p);
    *tree = (struct sb_oracle_tree) { .node = NULL };
}

static enum sb_status tree_reserve(struct sb_oracle_tree *tree, size_t count)
{
    struct sb_oracle_node *node;
    size_t room = tree->room ? tree->room : 1024;

    if (count <= tree->room)
        return SB_OK;
    if (count > SB_ORACLE_NODES_MOST)
        return SB_NO_MEMORY;
    while (room < count)
        room *= 2;
    node = realloc(tree->node, room * sizeof *node);
    if (!node)
        return SB_NO_MEMORY;
    tree->node = node;
    tree->room = room;
    return SB_OK;
}

enum sb_status sb_oracle_tree_add(struct sb_oracle_tree *tree, const struct sb_oracle_run *run,
                                  struct sb_oracle_branch branch, struct sb_oracle_branch *last)
{
    double p = 1;

    if (tree_reserve(tree, tree->count + run->length - run->known))
        return SB_NO_MEMORY;
    for (size_t depth = 0; depth < run->known; depth++)
        p /= run->path[depth].bound;
    for (size_t depth = run->known; depth < run->length; depth++) {
        const struct sb_question *const question = &run->path[depth];
        struct sb_oracle_node *const node = &tree->node[tree->count];

        *node = (struct sb_oracle_node) {
            .parent = branch,
            .bound = question->bound,
            .next = 1,
            .number = question->number,
        };
        if (node->bound > 1) {
            node->after = tree->open[depth];
            tree->open[depth] = (uint32_t)tree->count;
            if (depth < tree->shallowest)
                tree->shallowest = depth;
        }
        tree->waiting += node->bound - 1;
        p /= node->bound;
        tree->open_p[depth] += p * (node->bound - 1);
        branch = (struct sb_oracle_branch) { (uint32_t)tree->count++, 0 };
    }
    *last = branch;
    return SB_OK;
}

/* The sum stops when it is large enough, so it costs O(1) as long as the shallowest questions have most of it. The
 * shallowest depth counts in full, although some of its branches may have been followed. */
static bool tree_negligible(const struct sb_oracle_tree *tree)
{
    double p = 0;

    for (size_t depth = tree->shallowest; depth < tree->depths && p < SB_ORACLE_NEGLIGIBLE; depth++)
        p += tree->open_p[depth];
    return p < SB_ORACLE_NEGLIGIBLE;
}

bool sb_oracle_tree_next(struct sb_oracle_tree *tree, struct sb_oracle_branch *branch)
{
    while (tree->shallowest < tree->depths && tree->open[tree->shallowest] == SB_ORACLE_ROOT)
        tree->shallowest++;
    if (tree->shallowest == tree->depths || tree_negligible(tree))
        return false;
    uint32_t *const open = &tree->open[tree->shallowest];
    struct sb_oracle_node *const node = &tree->node[*open];

    *branch = (struct sb_oracle_branch) { *open, node->next++ };
    tree->waiting--;
    if (node->next == node->bound)
        *open = node->after;
    return true;
}

void sb_oracle_tree_path(const struct sb_oracle_tree *tree, struct sb_oracle_branch branch, struct sb_oracle_run *run)
{
    size_t length = 0;

    for (uint32_t node = branch.node; node != SB_ORACLE_ROOT; node = tree->node[node].parent.node)
        length++;
    run->length = length;
    while (length > 0) {
        const struct sb_oracle_node *const node = &tree->node[branch.node];

        run->path[--length] = (struct sb_question) { node->bound, branch.answer, node->number };
        branch = node->parent;
    }
}
