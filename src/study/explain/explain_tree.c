/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects all paths of a shuffle's tree of draws. Cost: a run of the shuffle per path. At most SB_EXPLAIN_PATHS_MOST
 * paths are stored. */
#include "study/explain/explain.h"

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

static enum sb_status explain_paths_add(const struct sb_walk *walk, struct sb_explain *explain)
{
    const size_t draws = explain->draws_count + walk->length;
    struct sb_explain_draw *const drawn = realloc(explain->drawn, (draws + 1) * sizeof *drawn);

    if (!drawn)
        return SB_NO_MEMORY;
    explain->drawn = drawn;
    struct sb_explain_path *const path = &explain->path[explain->paths_count++];
    *path = (struct sb_explain_path) {
        .first = explain->draws_count,
        .length = walk->length,
        .rank = sb_permutation_cell(explain->n, explain->deal, walk->deck.a),
    };
    explain->draws_count = draws;
    return sb_explain_take(walk, explain->drawn + path->first, &path->mass);
}

static enum sb_status explain_paths_go(struct sb_walk *walk, struct sb_explain *explain)
{
    enum sb_status status = SB_OK;

    do {
        const bool probed = walk->probes;

        status = sb_walk_run(walk);
        if (walk->probes && !probed) /* the walk has started again, so the paths so far are dropped */
            explain_paths_clear(explain);
        if (!explain->path)
            explain->path = calloc(SB_EXPLAIN_PATHS_MOST, sizeof *explain->path);
        if (status == SB_OK && explain->paths_count == SB_EXPLAIN_PATHS_MOST)
            status = SB_TOO_LARGE;
        if (status == SB_OK)
            status = explain->path ? explain_paths_add(walk, explain) : SB_NO_MEMORY;
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

/* Computes for each order the number of paths that lead to it, and its probability. Orders that agree in both form a
 * group. If all paths are equally likely and the shuffle is made of swaps, the number of all paths is the product of
 * the bounds, and the number of paths to an order is this product times its probability. Cost: one sort of the orders.
 * */

/* Returns the number of all paths of a shuffle that is made of swaps and has ideal draws, so that all paths
 * are equally likely. Returns 0 for any other shuffle, and if the number has more than 64 bits. */
static uint64_t explain_orders_paths(const struct sb_law *law)
{
    uint64_t product = 1;

    if (!law->shuffler->steps || law->draw->type->law)
        return 0;
    for (size_t i = 0; i < law->shuffler->count; i++) {
        const struct sb_swap *const step = &law->shuffler->steps[i];

        if (__builtin_mul_overflow(product, (uint64_t)step->at_bound, &product) ||
            __builtin_mul_overflow(product, (uint64_t)step->bound, &product))
            return 0;
    }
    return product;
}

static enum sb_status explain_orders_one(const struct sb_evidence *evidence, size_t rank, uint64_t paths,
                                         struct sb_explain_order *order)
{
    mpq_t mass;
    mpz_t all;

    mpq_init(mass);
    sb_evidence_fraction(evidence, rank, mass);
    order->mass = sb_mpq_text(mass);
    order->share = mpq_get_d(mass);
    order->ratio = order->share * (double)evidence->cells;
    mpz_init(all);
    sb_mpz_set_u64(all, paths);
    mpz_mul(mpq_numref(mass), mpq_numref(mass), all);
    mpz_clear(all);
    mpq_canonicalize(mass);
    if (paths)
        order->paths = sb_mpz_get_u64(mpq_numref(mass));
    mpq_clear(mass);
    return order->mass ? SB_OK : SB_NO_MEMORY;
}

/* An element of the array in which the orders are sorted. */
struct explain_place {
    const struct sb_evidence *evidence;
    const struct sb_explain_order *order;
    size_t rank;
};

static int explain_orders_compare(const void *a, const void *b)
{
    const struct explain_place *const one = a, *const other = b;
    const int likelier = sb_numbers_compare(&one->evidence->counts, other->rank, one->rank);

    if (likelier)
        return likelier;
    if (one->order->paths != other->order->paths)
        return one->order->paths < other->order->paths ? 1 : -1;
    return (one->rank > other->rank) - (one->rank < other->rank);
}

static enum sb_status explain_orders_group(const struct sb_evidence *evidence, struct sb_explain *explain)
{
    const size_t count = explain->orders_count;
    struct explain_place *const place = calloc(count, sizeof *place);

    explain->group = calloc(count, sizeof *explain->group);
    if (!place || !explain->group) {
        free(place);
        return SB_NO_MEMORY;
    }
    for (size_t r = 0; r < count; r++)
        place[r] = (struct explain_place) { evidence, &explain->order[r], r };
    qsort(place, count, sizeof *place, explain_orders_compare);
    for (size_t i = 0; i < count; i++) {
        const struct explain_place *const before = i ? &place[i - 1] : NULL;

        if (!before || sb_numbers_compare(&evidence->counts, before->rank, place[i].rank) != 0 ||
            before->order->paths != place[i].order->paths)
            explain->group[explain->groups_count++] =
                (struct sb_explain_group) { .first = place[i].rank, .order = place[i].order };
        explain->group[explain->groups_count - 1].orders++;
    }
    free(place);
    return SB_OK;
}

enum sb_status sb_explain_orders(const struct sb_law *law, const struct sb_evidence *evidence,
                                 struct sb_explain *explain)
{
    const uint64_t paths = explain->paths_count ? 0 : explain_orders_paths(law);

    explain->order = calloc(evidence->cells, sizeof *explain->order);
    if (!explain->order)
        return SB_NO_MEMORY;
    explain->orders_count = evidence->cells;
    explain->paths_known = explain->paths_count || paths;
    for (size_t r = 0; r < evidence->cells; r++)
        if (explain_orders_one(evidence, r, paths, &explain->order[r]))
            return SB_NO_MEMORY;
    for (size_t i = 0; i < explain->paths_count; i++)
        explain->order[explain->path[i].rank].paths++;
    return explain_orders_group(evidence, explain);
}

void sb_explain_free(struct sb_explain *explain)
{
    if (!explain)
        return;
    explain_paths_clear(explain);
    for (size_t i = 0; i < explain->orders_count; i++)
        free(explain->order[i].mass);
    for (size_t i = 0; i < explain->notes_count; i++)
        free(explain->note[i].text);
    free(explain->order);
    free(explain->group);
    free(explain->walk);
    free(explain->step);
    free(explain->deck);
    free(explain->result);
    free(explain->mass);
    free(explain->total);
    free(explain->series);
    free(explain);
}

enum sb_status sb_explain_fault(enum sb_status status, const struct sb_explain *explain, struct sb_error *error)
{
    if (status == SB_INVALID)
        return sb_error_set(error, status, "%s: may draw again indefinitely: use another draw", explain->scheme.name);
    return status == SB_NO_MEMORY ? sb_error_memory(error, "the paths") : sb_error_broken(error, explain->scheme.name);
}

/* Surveys the draws of a shuffle in a single run, of at most 10^5 draws: answers each draw with 0, and a rejected
 * answer with the next larger integer. The survey misses bounds that only other paths use; no built-in shuffle has
 * such bounds. */

enum { SURVEY_DRAWS_MOST = 100000 };

struct explain_survey {
    struct sb_source src; /* must be the first member, because the shuffle has a pointer to this member */
    bool *used;           /* [SB_COMPUTED_MOST + 1]; whether each bound is used */
    size_t draws;
    uint32_t answer;
    bool again, redraws; /* `again`: the last answer was rejected; `redraws`: some answer was rejected */
};

static uint32_t explain_survey_choose(struct sb_source *src, uint32_t bound)
{
    struct explain_survey *const survey = (struct explain_survey *)src;

    survey->used[bound] = true;
    survey->answer = survey->again ? (survey->answer + 1) % bound : 0;
    survey->again = false;
    if (++survey->draws > SURVEY_DRAWS_MOST)
        src->status = SB_STOPPED;
    return src->status ? 0 : survey->answer;
}

static uint64_t explain_survey_bits(struct sb_source *src, unsigned bits)
{
    return 0;
}

static void explain_survey_again(struct sb_source *src)
{
    struct explain_survey *const survey = (struct explain_survey *)src;

    survey->again = survey->redraws = true;
}

enum sb_status sb_explain_survey(const struct sb_law *law, bool used[], uint32_t *most, bool *redraws)
{
    struct explain_survey survey = {
        .src = { .choose = explain_survey_choose, .bits = explain_survey_bits, .again = explain_survey_again },
    };
    const struct sb_shuffler *const shuffler = law->shuffler;
    struct sb_deck deck;

    survey.used = used;
    if (sb_deck_open(shuffler->n, shuffler->deal, &deck))
        return SB_NO_MEMORY;
    sb_shuffler_run(shuffler, &deck, &survey.src);
    sb_deck_close(&deck);
    *redraws = survey.redraws;
    *most = 0;
    for (uint32_t bound = 2; bound <= SB_COMPUTED_MOST; bound++)
        *most = used[bound] ? bound : *most;
    return SB_OK;
}
