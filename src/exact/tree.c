/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the exact law of a shuffle by trying every answer to each draw.
 *
 * A run of the shuffle is a path from the root of a tree to a leaf: a node is a draw, and its branches are
 * the answers. A branch has an integer weight; its probability is this weight divided by the sum of the
 * weights at the node. The mass (probability) of a leaf is the product of the probabilities of the branches on its
 * path, and is added to the deal at the end of the path. Counts have the least common denominator of all leaves so far.
 *
 * Cost: one run of the shuffle per path, and a product for each node that changed since the previous path. The estimate
 * of the number of paths is from Knuth, Estimating the efficiency of backtrack programs,
 * doi:10.1090/S0025-5718-1975-0373371-6.
 */
#include "exact/engine.h"

/* ---- a walk through all paths ---- */

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
    walk->state = walk->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); /* Knuth's MMIX */
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

/* ---- the law ---- */

enum { TREE_PROBES = 64, TREE_PROGRESS = 1 << 16 };

/* Nanoseconds per leaf: tree_leaf_narrow if the product of the sums of weights on a path fits in 64 bits,
 * tree_leaf_wide if not. */
static const double tree_leaf_narrow = 100, tree_leaf_wide = 200;

/* Estimates the number of leaves, which are the ends of paths, and the largest product of the sums of weights
 * on a path. SB_NO_MEMORY; SB_INVALID: a path redraws indefinitely. */
static enum sb_status tree_probe(const struct sb_law *law, double *leaves, double *largest)
{
    enum sb_status status = SB_OK;
    struct sb_walk walk;

    *leaves = 0;
    *largest = 1;
    if (sb_walk_open(law, true, &walk))
        return SB_NO_MEMORY;
    for (int k = 0; k < TREE_PROBES && *leaves < HUGE_VAL && status == SB_OK; k++) {
        double product = 1, sums = 1;

        walk.length = 0;
        status = sb_walk_run(&walk);
        for (size_t i = 0; i < walk.length; i++) {
            product *= walk.node[i].children;
            sums *= sb_wide_double(walk.node[i].sum);
        }
        *leaves += product / TREE_PROBES;
        *largest = fmax(*largest, sums);
    }
    sb_walk_close(&walk);
    if (status == SB_NO_MEMORY || status == SB_INVALID)
        return status;
    *leaves = status ? HUGE_VAL : *leaves;
    return SB_OK;
}

double sb_tree_leaves(const struct sb_law *law)
{
    double leaves, largest;
    const enum sb_status status = tree_probe(law, &leaves, &largest);

    return status == SB_NO_MEMORY ? NAN : status ? HUGE_VAL : leaves;
}

static double tree_cost(const struct sb_law *law, enum sb_engine_task task)
{
    double leaves, largest;

    if (task == SB_TASK_MATRIX || task == SB_TASK_EFFECT || sb_cells(law->shuffler->n, law->shuffler->deal) == 0)
        return HUGE_VAL;
    const enum sb_status status = tree_probe(law, &leaves, &largest);

    if (status == SB_NO_MEMORY)
        return NAN;
    if (status || leaves > SB_LEAVES_MOST)
        return HUGE_VAL;
    return leaves * (largest < 0x1p64 ? tree_leaf_narrow : tree_leaf_wide);
}

static bool tree_settle(struct sb_walk *walk)
{
    for (size_t i = walk->settled; i < walk->length; i++) {
        struct sb_walk_node *const node = &walk->node[i];
        const uint64_t num = i ? node[-1].num : 1, den = i ? node[-1].den : 1;

        node->num = num;
        node->den = den;
        if (node->forced)
            continue;
        if (sb_wide_high(node->sum) || __builtin_mul_overflow(den, sb_wide_low(node->sum), &node->den))
            return false;
        node->num = num * sb_walk_weight(node, node->answer); /* num <= den */
    }
    walk->settled = walk->length;
    return true;
}

static void tree_settle_wide(struct sb_walk *walk)
{
    for (size_t i = walk->settled; i < walk->length; i++) {
        struct sb_walk_node *const node = &walk->node[i];

        sb_mpz_set_u64(node->wide_num, node->forced ? 1 : sb_walk_weight(node, node->answer));
        sb_mpz_set_wide(node->wide_den, node->forced ? sb_wide_from(1) : node->sum);
        if (i > 0) {
            mpz_mul(node->wide_num, node->wide_num, node[-1].wide_num);
            mpz_mul(node->wide_den, node->wide_den, node[-1].wide_den);
        }
    }
    walk->settled = walk->length;
}

static enum sb_status tree_leaf(struct sb_walk *walk, struct sb_evidence *evidence)
{
    const struct sb_walk_node *const last = walk->length ? &walk->node[walk->length - 1] : NULL;
    const size_t rank = sb_permutation_cell(evidence->n, evidence->deal, walk->deck.a);

    if (!last)
        return sb_exact_add(evidence, rank, 1, 1) ? SB_OK : SB_BROKEN;
    if (evidence->counts.form != SB_NUMBERS_WIDE) {
        if (tree_settle(walk) && sb_exact_add(evidence, rank, last->num, last->den))
            return SB_OK;
        walk->settled = 0;
        if (sb_exact_widen(evidence))
            return SB_NO_MEMORY;
    }
    tree_settle_wide(walk);
    sb_exact_add_wide(evidence, rank, last->wide_num, last->wide_den);
    return SB_OK;
}

static enum sb_status tree_grow(struct sb_walk *walk, struct sb_evidence *evidence)
{
    const struct sb_law *const law = walk->law;
    const double expected = law->progress ? fmin(sb_tree_leaves(law), SB_LEAVES_MOST) : 0;
    uint64_t leaves = 0;
    bool more = true;

    while (more) {
        const bool probed = walk->probes;
        enum sb_status status = sb_walk_run(walk);

        if (walk->probes && !probed) { /* the walk has started again */
            sb_exact_clear(evidence);
            leaves = 0;
        }
        if (status == SB_OK)
            status = tree_leaf(walk, evidence);
        if (status == SB_OK && ++leaves > SB_LEAVES_MOST)
            status = SB_TOO_LARGE;
        if (status == SB_OK && leaves % TREE_PROGRESS == 0 && law->progress)
            law->progress(law->progress_state, law->subject, leaves, (uint64_t)expected);
        if (status == SB_OK && sb_law_stopped(law))
            status = SB_STOPPED;
        if (status)
            return status;
        more = sb_walk_advance(walk);
    }
    return sb_exact_finish(evidence) ? SB_OK : SB_BROKEN;
}

enum sb_status sb_tree_law(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    const char *const name = shuffler->shuffle.type->name;
    struct sb_evidence made = { 0 };
    struct sb_walk walk;
    enum sb_status status;

    if (sb_cells(shuffler->n, shuffler->deal) == 0)
        return sb_error_set(error, SB_TOO_LARGE, "%s: `n = %zu` has too many deals to count: use n <= 10 or `deal`",
                            name, shuffler->n);
    if (sb_evidence_open(SB_BY_EXACT, shuffler->n, shuffler->deal, &made))
        return sb_error_memory(error, "the exact law");
    double leaves, largest;
    status = tree_probe(law, &leaves, &largest);
    if (status == SB_OK)
        status = leaves > SB_LEAVES_MOST ? SB_TOO_LARGE : sb_walk_open(law, false, &walk);
    if (status == SB_OK) {
        status = tree_grow(&walk, &made);
        sb_walk_close(&walk);
    }
    if (status == SB_OK) {
        *evidence = made;
        return SB_OK;
    }
    sb_evidence_close(&made);
    if (status == SB_TOO_LARGE)
        return sb_error_set(error, status,
                            "%s: `n = %zu` has more than %d series of draws: use a smaller n or `by=sample`", name,
                            shuffler->n, SB_LEAVES_MOST);
    if (status == SB_INVALID)
        return sb_error_set(error, status, "%s: may draw again indefinitely: use another draw", name);
    return sb_engine_fail(law, status, error);
}

static enum sb_status tree_odds(const struct sb_law *law, const sb_item a[], size_t count, struct sb_error *error,
                                mpz_t weight[], mpz_t denominator)
{
    const size_t n = law->shuffler->n;
    struct sb_evidence whole;
    const enum sb_status status = sb_tree_law(law, error, &whole);

    if (status == SB_TOO_LARGE)
        return sb_error_set(error, status,
                            "%s: n = %zu is too large for the whole law, which a shuffle that is not made of swaps "
                            "needs: use fewer items",
                            law->subject, n);
    if (status)
        return status;
    for (size_t i = 0; i < count; i++)
        sb_numbers_integer(&whole.counts, sb_permutation_cell(n, n, a + i * n), weight[i]);
    mpz_set(denominator, whole.denominator);
    sb_evidence_close(&whole);
    return SB_OK;
}

const struct sb_engine_type sb_engine_tree = {
    .name = "tree",
    .cost = tree_cost,
    .law = sb_tree_law,
    .odds = tree_odds,
};
