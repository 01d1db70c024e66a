/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects all paths of a shuffle's tree of draws. Cost: a run of the shuffle per path. At most
 * SB_EXPLAIN_PATHS_MOST paths are stored.
 */
#include "core/numbers.h"
#include "exact/engine.h"
#include "study/explain/explain.h"

#include <stdlib.h>
#include <string.h>

/* Converts a node of the walk into a draw. `share` is the probability of the answer. */
static struct sb_explain_draw explain_paths_draw(const struct sb_walk_node *node, mpq_srcptr share)
{
    const uint64_t weight = sb_walk_weight(node, node->answer);
    struct sb_explain_draw draw = { .bound = node->bound, .answer = node->answer, .even = true };

    for (uint32_t j = 0; draw.even && !node->forced && j < node->bound; j++)
        draw.even = sb_walk_weight(node, j) == weight || sb_walk_weight(node, j) == 0;
    gmp_snprintf(draw.share, sizeof draw.share, "%Qd", share);
    return draw;
}

enum sb_status sb_explain_take(const struct sb_walk *walk, struct sb_explain_draw draw[], char **mass)
{
    mpq_t product, share;

    mpq_inits(product, share, NULL);
    mpq_set_ui(product, 1, 1);
    for (size_t i = 0; i < walk->length; i++) {
        sb_walk_share(&walk->node[i], share);
        mpq_mul(product, product, share);
        draw[i] = explain_paths_draw(&walk->node[i], share);
    }
    *mass = sb_mpq_text(product);
    mpq_clears(product, share, NULL);
    return *mass ? SB_OK : SB_NO_MEMORY;
}

static void explain_paths_clear(struct sb_explain *explain)
{
    for (size_t i = 0; i < explain->paths_count; i++)
        free(explain->path[i].mass);
    free(explain->path);
    free(explain->drawn);
    explain->path = NULL;
    explain->drawn = NULL;
    explain->paths_count = explain->draws_count = 0;
}

/* Makes room for another path with this many draws. Doubles a capacity that is used up. */
static enum sb_status explain_paths_grow(struct sb_explain *explain, size_t draws, size_t room[2])
{
    if (explain->paths_count == room[0]) {
        room[0] = 2 * room[0] + 32;
        struct sb_explain_path *const path = realloc(explain->path, room[0] * sizeof *path);

        if (!path)
            return SB_NO_MEMORY;
        explain->path = path;
    }
    if (!explain->drawn || explain->draws_count + draws > room[1]) {
        room[1] = 2 * room[1] + draws + 32;
        struct sb_explain_draw *const drawn = realloc(explain->drawn, room[1] * sizeof *drawn);

        if (!drawn)
            return SB_NO_MEMORY;
        explain->drawn = drawn;
    }
    return SB_OK;
}

/* Adds the path that the walk has just finished. */
static enum sb_status explain_paths_add(const struct sb_walk *walk, struct sb_explain *explain,
                                        size_t room[2])
{
    const enum sb_status status = explain_paths_grow(explain, walk->length, room);

    if (status)
        return status;
    struct sb_explain_path *const path = &explain->path[explain->paths_count++];
    *path = (struct sb_explain_path) {
        .first = explain->draws_count,
        .length = walk->length,
        .rank = sb_permutation_cell(explain->n, explain->deal, walk->deck.a),
    };
    explain->draws_count += walk->length;
    return sb_explain_take(walk, explain->drawn + path->first, &path->mass);
}

static enum sb_status explain_paths_go(struct sb_walk *walk, struct sb_explain *explain)
{
    size_t room[2] = { 0, 0 };
    enum sb_status status = SB_OK;

    do {
        const bool probed = walk->probes;

        status = sb_walk_run(walk);
        if (walk->probes && !probed) { /* the walk has started again, so the paths so far are dropped */
            explain_paths_clear(explain);
            room[0] = room[1] = 0;
        }
        if (status == SB_OK && explain->paths_count == SB_EXPLAIN_PATHS_MOST)
            status = SB_TOO_LARGE;
        if (status == SB_OK)
            status = explain_paths_add(walk, explain, room);
    } while (status == SB_OK && sb_walk_advance(walk));
    return status;
}

enum sb_status sb_explain_paths(const struct sb_law *law, struct sb_explain *explain)
{
    struct sb_walk walk;

    if (sb_tree_leaves(law) > SB_EXPLAIN_PATHS_MOST)
        return SB_OK;
    if (sb_walk_open(law, false, &walk))
        return SB_NO_MEMORY;
    const enum sb_status status = explain_paths_go(&walk, explain);

    sb_walk_close(&walk);
    if (status)
        explain_paths_clear(explain);
    explain->even = true;
    for (size_t i = 1; i < explain->paths_count; i++)
        explain->even = explain->even && strcmp(explain->path[i].mass, explain->path[0].mass) == 0;
    return status == SB_TOO_LARGE ? SB_OK : status; /* too many paths: the tree is left out */
}
