/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks through all paths that a shuffle's draws can take. Cost: one run of the shuffle per path. */
#include "exact/walk.h"

#include "core/evidence.h"

#include <stdlib.h>

uint64_t sb_walk_weight(const struct sb_walk_node *node, uint32_t answer)
{
    if (node->struck && node->struck[answer])
        return 0;
    return node->law ? node->law[answer] : 1;
}

/* Returns the first answer at or after `from` with a positive weight; the bound if no such answer exists. */
static uint32_t walk_next(const struct sb_walk_node *node, uint32_t from)
{
    while (from < node->bound && sb_walk_weight(node, from) == 0)
        from++;
    return from;
}

static uint64_t walk_random(struct sb_walk *walk)
{
    walk->state =
        walk->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); /* Knuth's MMIX */
    return walk->state >> 33;
}

void sb_walk_share(const struct sb_walk_node *node, mpq_t share)
{
    mpq_set_ui(share, 1, 1);
    if (node->forced)
        return;
    sb_mpz_set_u64(mpq_numref(share), sb_walk_weight(node, node->answer));
    sb_mpz_set_wide(mpq_denref(share), node->sum);
    mpq_canonicalize(share);
}

/* Takes the requested branch. If this is not possible, sets walk->lost. */
static void walk_follow(struct sb_walk *walk, struct sb_walk_node *node)
{
    const size_t depth = (size_t)(node - walk->node);
    const uint32_t wanted = depth < walk->steer_length ? walk->steer[depth] : node->bound;

    if (wanted < node->bound && sb_walk_weight(node, wanted))
        node->answer = wanted;
    else
        walk->lost = node;
}

/* Returns the branch number `skip`, counted from 0. A key may have 2^31 branches. */
static uint32_t walk_branch(const struct sb_walk_node *node, uint64_t skip)
{
    uint32_t answer;

    if (!node->law && !node->struck) /* all answers are branches */
        return (uint32_t)skip;
    answer = walk_next(node, 0);
    for (; skip > 0; skip--)
        answer = walk_next(node, answer + 1);
    return answer;
}

/* Chooses the branch of a new node: the first, a random one for an estimate, or the requested one. */
static void walk_enter(struct sb_walk *walk, struct sb_walk_node *node)
{
    /* each law has a positive weight, so there is a branch; the test is for static analysis, which cannot know this */
    const uint64_t skip = walk->random && node->children ? walk_random(walk) % node->children : 0;

    node->answer = walk_branch(node, skip);
    if (walk->steer)
        walk_follow(walk, node);
}

static uint32_t walk_fail(struct sb_walk *walk, enum sb_status status)
{
    walk->src.status = status;
    return 0;
}

/* Ends this run early; the next run uses what this run has shown. */
static uint32_t walk_retry(struct sb_walk *walk)
{
    walk->retry = true;
    return walk_fail(walk, SB_STOPPED);
}

static enum sb_status walk_find_law(struct sb_walk *walk, struct sb_walk_node *node)
{
    const struct sb_draw *const draw = walk->law->draw;
    const uint32_t bound = node->bound;

    if (!draw || !draw->type->law)
        return SB_OK;
    if (bound >= walk->law_bounds)
        return SB_BROKEN;
    if (!walk->laws[bound]) {
        walk->laws[bound] = calloc(bound, sizeof *walk->laws[bound]);
        if (!walk->laws[bound])
            return SB_NO_MEMORY;
        draw->type->law(draw, walk->law->largest, bound, walk->laws[bound]);
    }
    node->law = walk->laws[bound];
    return SB_OK;
}

/* Initialises the next node. Most walks are short, and would spend most of their time on all nodes. */
static void walk_open_node(struct sb_walk *walk)
{
    struct sb_walk_node *const node = &walk->node[walk->opened++];

    *node = (struct sb_walk_node) { 0 };
    mpz_inits(node->wide_num, node->wide_den, NULL);
}

static uint32_t walk_push(struct sb_walk *walk, uint32_t bound, bool key)
{
    struct sb_walk_node *const node = &walk->node[walk->length];
    enum sb_status status = SB_OK;

    if (walk->length == SB_WALK_DEPTH_MOST)
        return walk_fail(walk, SB_TOO_LARGE);
    if (walk->length == walk->opened)
        walk_open_node(walk);
    node->bound = bound;
    node->law = NULL;
    node->probing = walk->probes && !key;
    node->forced = false;
    node->sum = sb_wide_from(0);
    node->children = 0;
    free(node->struck);
    node->struck = walk->probes ? calloc(bound, 1) : NULL;
    if (!key)
        status = walk_find_law(walk, node);
    if (walk->probes && !node->struck)
        status = SB_NO_MEMORY;
    if (status)
        return walk_fail(walk, status);
    if (!node->law && !node->probing) {
        node->sum = sb_wide_from(bound);
        node->children = bound;
    }
    for (uint32_t j = 0; node->law && !node->probing && j < bound; j++) {
        node->sum = sb_wide_add(node->sum, sb_wide_from(node->law[j]));
        node->children += node->law[j] > 0;
    }
    if (node->probing)
        node->answer = walk_next(node, 0);
    else
        walk_enter(walk, node);
    if (walk->lost)
        return walk_fail(walk, SB_INVALID);
    walk->length++;
    walk->depth++;
    return node->answer;
}

/* Returns whether the last draw was a probe. If it was, and the shuffle now draws again or ends, without
 * rejecting the answer, then the answer is accepted. */
static bool walk_accepted(struct sb_walk *walk)
{
    return walk->depth > 0 && walk->depth == walk->length && walk->node[walk->depth - 1].probing;
}

static uint32_t walk_answer(struct sb_walk *walk, uint32_t bound, bool key)
{
    if (walk->src.status)
        return 0;
    if (walk->redraw) {
        walk->redraw = false;
        return walk->node[walk->depth - 1].answer;
    }
    if (walk_accepted(walk))
        return walk_retry(walk);
    if (walk->depth == walk->length)
        return walk_push(walk, bound, key);
    if (walk->node[walk->depth].bound != bound)
        return walk_fail(walk, SB_BROKEN); /* the shuffle did not repeat its draws */
    return walk->node[walk->depth++].answer;
}

static uint32_t walk_choose(struct sb_source *src, uint32_t bound)
{
    return walk_answer((struct sb_walk *)src, bound, false);
}

static uint64_t walk_bits(struct sb_source *src, unsigned bits)
{
    if (bits > 31)
        return walk_fail((struct sb_walk *)src, SB_TOO_LARGE);
    return walk_answer((struct sb_walk *)src, UINT32_C(1) << bits, true);
}

static void walk_again(struct sb_source *src)
{
    struct sb_walk *const walk = (struct sb_walk *)src;
    struct sb_walk_node *const node = &walk->node[walk->depth - 1];

    if (src->status)
        return;
    if (!walk->probes) { /* start again, with probes */
        walk->probes = true;
        walk->length = walk->settled = 0;
        (void)walk_retry(walk);
        return;
    }
    if (!walk_accepted(walk)) {
        (void)walk_fail(walk, SB_BROKEN);
        return;
    }
    node->struck[node->answer] = 1;
    node->answer = walk_next(node, node->answer + 1);
    walk->redraw = node->answer < node->bound;
    if (!walk->redraw)
        (void)walk_retry(walk);
}

/* Handles the end of a run at a probed node. Records whether the answer was accepted. Then probes the next
 * answer or, after the last answer, continues the path with the first accepted answer. */
static enum sb_status walk_probe(struct sb_walk *walk)
{
    if (walk->length == 0)
        return SB_OK;
    struct sb_walk_node *const node = &walk->node[walk->length - 1];
    if (node->answer < node->bound) {
        node->sum = sb_wide_add(node->sum, sb_wide_from(sb_walk_weight(node, node->answer)));
        node->children++;
        node->answer = walk_next(node, node->answer + 1);
    }
    if (node->answer < node->bound)
        return SB_OK;
    if (node->children == 0)
        return SB_INVALID; /* every answer was rejected, so there is no law */
    node->probing = false;
    walk_enter(walk, node);
    node->forced = node->children == 1;
    return walk->lost ? SB_INVALID : SB_OK;
}

/* Runs the shuffle along the path to the next leaf. */
enum sb_status sb_walk_run(struct sb_walk *walk)
{
    for (;;) {
        walk->src.status = SB_OK;
        walk->depth = 0;
        walk->redraw = walk->retry = false;
        sb_shuffler_run(walk->law->shuffler, &walk->deck, &walk->src);
        if (walk->src.status && !walk->retry)
            return walk->src.status;
        if (!walk->retry && !walk_accepted(walk))
            return SB_OK;
        const enum sb_status status = walk_probe(walk);
        if (status)
            return status;
    }
}

/* Moves to the next path. Returns false after the last path. */
bool sb_walk_advance(struct sb_walk *walk)
{
    for (; walk->length > 0; walk->length--) {
        struct sb_walk_node *const node = &walk->node[walk->length - 1];

        node->answer = walk_next(node, node->answer + 1);
        if (node->answer < node->bound) {
            if (walk->settled >= walk->length)
                walk->settled = walk->length - 1;
            return true;
        }
    }
    return false;
}

void sb_walk_close(struct sb_walk *walk)
{
    for (size_t i = 0; i < walk->opened; i++) {
        free(walk->node[i].struck);
        mpz_clears(walk->node[i].wide_num, walk->node[i].wide_den, NULL);
    }
    for (size_t i = 0; walk->laws && i < walk->law_bounds; i++)
        free(walk->laws[i]);
    free(walk->node);
    free(walk->laws);
    sb_deck_close(&walk->deck);
}

enum sb_status sb_walk_open(const struct sb_law *law, bool random, struct sb_walk *walk)
{
    const size_t n = law->shuffler->n, parameter = (size_t)law->shuffler->shuffle.parameter;

    *walk = (struct sb_walk) {
        .src = { .choose = walk_choose, .bits = walk_bits, .again = walk_again },
        .law = law,
        .law_bounds = (n > parameter ? n : parameter) + 3, /* no shuffle draws below a larger bound */
        .random = random,
        .state = 1,
    };
    walk->opened = 0; /* again, because clang's analyzer does not follow the assignment above to this field */
    walk->laws = calloc(walk->law_bounds, sizeof *walk->laws);
    walk->node = malloc(SB_WALK_DEPTH_MOST * sizeof *walk->node);
    if (walk->laws && walk->node && sb_deck_open(n, law->shuffler->deal, &walk->deck) == SB_OK)
        return SB_OK;
    sb_walk_close(walk);
    return SB_NO_MEMORY;
}
