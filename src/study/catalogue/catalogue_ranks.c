/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The laws of shuffles of a few items, as probabilities by rank. The exact engines compute the laws of: each
 * biased shuffle of the registry, with its usual parameter and ideal draws; one to seven riffles; sorts by
 * keys of one to seven bits; and each fair shuffle, with biased draws. Laws that differ by at most 1e-12 form
 * one candidate. A law whose divergence from fair is below 1e-6 nats is left out, because tens of millions of
 * permutations would be needed to show such a bias.
 *
 * Cost: 10 to 50 ms.
 */
#include "exact/engine.h"
#include "study/catalogue/catalogue_build.h"
#include "study/results.h"
#include "subject/scheme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* the largest cost of one law, in nanoseconds, according to the engine's estimate */
static const double ranks_cost = 2e7;
static const double ranks_nats = 1e-6; /* laws with a smaller divergence are left out */
/* the largest difference between probabilities of laws that count as equal */
static const double ranks_equal = 1e-12;

enum { RANKS_RIFFLES = 7 };

/* The catalogue while it is built. */
struct ranks {
    struct sb_catalogue *catalogue;
    struct sb_error *error;
    size_t cells;
    double *law;     /* [count * cells] probabilities of each candidate's cells; owned */
    double *variant; /* [cells] scratch; owned */
    /* [cells] rank[r][v] is the rank of what variant v prints for the permutation of rank r; owned */
    sb_item (*rank)[SB_VARIANTS];
};

/* Allocates the tables. Computes the ranks of p, p^-1, p w and p^-1 w for each permutation p (the array `a`),
 * where w is the reversal. */
static enum sb_status ranks_open(struct ranks *ranks)
{
    const size_t n = ranks->catalogue->n;
    sb_item a[SB_CATALOGUE_RANKED], to[SB_VARIANTS][SB_CATALOGUE_RANKED] = { { 0 } };

    ranks->variant = calloc(ranks->cells, sizeof ranks->variant[0]);
    ranks->rank = calloc(ranks->cells, sizeof ranks->rank[0]);
    if (!ranks->variant || !ranks->rank)
        return SB_NO_MEMORY;
    for (size_t rank = 0; rank < ranks->cells; rank++) {
        sb_permutation_unrank(n, n, rank, a);
        for (size_t j = 0; j < n; j++) {
            to[0][j] = a[j];
            to[SB_VARIANT_INVERTED][a[j]] = (sb_item)j;
        }
        for (size_t j = 0; j < n; j++)
            for (unsigned v = 0; v < SB_VARIANT_REVERSED; v++)
                to[v + SB_VARIANT_REVERSED][j] = to[v][n - 1 - j];
        for (unsigned v = 0; v < SB_VARIANTS; v++)
            ranks->rank[rank][v] = (sb_item)sb_permutation_rank(n, n, to[v]);
    }
    return SB_OK;
}

/* Returns the candidate with this law, or NULL if there is none. */
static struct sb_candidate *ranks_find(const struct ranks *ranks, const double law[])
{
    for (size_t k = 0; k < ranks->catalogue->count; k++) {
        const double *const other = ranks->law + k * ranks->cells;
        size_t i = 0;

        while (i < ranks->cells && fabs(other[i] - law[i]) <= ranks_equal)
            i++;
        if (i == ranks->cells)
            return &ranks->catalogue->candidate[k];
    }
    return NULL;
}

/* Adds a candidate with this law. If a candidate with this law exists already, adds the name to that
 * candidate instead. */
static enum sb_status ranks_take(struct ranks *ranks, const char *scheme, bool usual, unsigned variant,
                                 const double law[])
{
    struct sb_candidate *const found = ranks_find(ranks, law);
    const size_t cells = ranks->cells, count = ranks->catalogue->count;
    double *const laws = found ? NULL : realloc(ranks->law, ((count + 1) * cells + 1) * sizeof *laws);
    double ln_ratio[720]; /* 6! */
    const int64_t *worth;
    char name[SB_CATALOGUE_NAME];

    sb_catalogue_name(scheme, variant, name);
    if (found)
        return sb_catalogue_also(found, name);
    if (!laws)
        return SB_NO_MEMORY;
    ranks->law = laws;
    for (size_t i = 0; i < cells; i++) {
        laws[count * cells + i] = law[i];
        ln_ratio[i] = law[i] > 0 ? log(law[i] * (double)cells) : -HUGE_VAL;
    }
    worth = sb_catalogue_table(ranks->catalogue, ln_ratio, cells);
    return worth ? sb_catalogue_candidate(ranks->catalogue, scheme, name, sb_catalogue_weight(usual, variant),
                                          SB_COUNTS_RANKS, worth)
                 : SB_NO_MEMORY;
}

/* Adds the law and its variants, unless the law is too close to fair. */
static enum sb_status ranks_add_law(struct ranks *ranks, const char *scheme, bool usual,
                                    const struct sb_evidence *evidence)
{
    enum sb_status status = SB_OK;
    double nats = 0;

    for (size_t rank = 0; rank < ranks->cells; rank++) {
        const double p = sb_evidence_share(evidence, rank);

        nats += p > 0 ? p * log(p * (double)ranks->cells) : 0;
    }
    for (unsigned v = 0; v < SB_VARIANTS && nats >= ranks_nats && status == SB_OK; v++) {
        for (size_t rank = 0; rank < ranks->cells; rank++)
            ranks->variant[ranks->rank[rank][v]] = sb_evidence_share(evidence, rank);
        status = ranks_take(ranks, scheme, usual, v, ranks->variant);
    }
    return status;
}

/* Adds the law of a scheme, unless the law is unknown or costs too much, or the scheme cannot shuffle n
 * items. */
static enum sb_status ranks_add(struct ranks *ranks, const char *name, bool usual)
{
    const size_t n = ranks->catalogue->n;
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_evidence evidence = { 0 };
    struct sb_options options;
    enum sb_status status;

    if (sb_scheme_parse(name, NULL, NULL, NULL, &scheme) || sb_scheme_check(&scheme, n, n, NULL))
        return SB_OK;
    sb_options_init(&options);
    options.threads = 1;
    if (sb_shuffler_open(scheme.shuffle, n, n, &shuffler))
        return SB_NO_MEMORY;
    const struct sb_law law = sb_scheme_law(&scheme, &shuffler, &options);

    status = sb_engine_law(&law, ranks_cost, ranks->error, &evidence);
    if (status == SB_OK && evidence.cells == ranks->cells)
        status = ranks_add_law(ranks, scheme.name, usual, &evidence);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
    return status == SB_NO_MEMORY ? status : SB_OK;
}

/* Returns whether biased draws from words of this many bits are far enough from fair. The relative error of
 * each probability of each of the n draws is at most n/2^bits. */
static bool ranks_shows(size_t n, unsigned bits)
{
    const double items = (double)n, share = items * ldexp(1, -(int)bits);

    return items * share * share >= ranks_nats;
}

static enum sb_status ranks_add_draws(struct ranks *ranks, const char *shuffle)
{
    enum sb_status status = SB_OK;
    char name[SB_CATALOGUE_NAME];

    for (size_t w = 0; w < SB_CATALOGUE_WORDS && status == SB_OK; w++)
        for (size_t d = 0; d < SB_CATALOGUE_BIASED_DRAWS && status == SB_OK; d++) {
            snprintf(name, sizeof name, "%.100s/%s:%u", shuffle, sb_catalogue_biased_draws[d],
                     sb_catalogue_words[w]);
            if (ranks_shows(ranks->catalogue->n, sb_catalogue_words[w]))
                status = ranks_add(ranks, name, false);
        }
    return status;
}

/* Adds the shuffles that are used only by their names, and whose law of whole decks can be told from others. A
 * buffer of n-1 items is too much like `planet-poker`, reversed: in both, the last item never comes first. */
static enum sb_status ranks_add_named(struct ranks *ranks)
{
    static const char *const with_sizes[] = { "shuffle-buffer", "chunks" };
    enum sb_status status = SB_OK;
    char name[SB_CATALOGUE_NAME];

    for (size_t i = 0; i < SB_CATALOGUE_NAMED && status == SB_OK; i++)
        status = ranks_add(ranks, sb_catalogue_named[i], true);
    for (size_t s = 0; s < sizeof with_sizes / sizeof with_sizes[0]; s++)
        for (size_t size = 2; size + 1 < ranks->catalogue->n && status == SB_OK; size++) {
            snprintf(name, sizeof name, "%s:%zu", with_sizes[s], size);
            status = ranks_add(ranks, name, false);
        }
    return status;
}

static enum sb_status ranks_add_all(struct ranks *ranks)
{
    enum sb_status status = SB_OK;
    char name[SB_CATALOGUE_NAME];

    for (size_t i = 0; i < sb_shuffles_unnamed() && status == SB_OK; i++)
        if (sb_shuffle_types[i]->claim == SB_BIASED)
            status = ranks_add(ranks, sb_shuffle_types[i]->name, true);
    for (unsigned k = 1; k <= RANKS_RIFFLES && status == SB_OK; k++) {
        snprintf(name, sizeof name, "sort-by-key:%u", k);
        status = ranks_add(ranks, name, false);
        snprintf(name, sizeof name, "riffle:%u", k);
        if (status == SB_OK && k < RANKS_RIFFLES) /* the registry already has riffle:7 */
            status = ranks_add(ranks, name, false);
    }
    for (size_t i = 0; i < sb_shuffles_unnamed() && status == SB_OK; i++)
        if (sb_shuffle_types[i]->claim == SB_UNIFORM)
            status = ranks_add_draws(ranks, sb_shuffle_types[i]->name);
    return status;
}

enum sb_status sb_catalogue_build_ranks(struct sb_catalogue *catalogue, bool named, struct sb_error *error)
{
    struct ranks ranks = {
        .catalogue = catalogue,
        .error = error,
        .cells = sb_cells(catalogue->n, catalogue->n),
    };
    enum sb_status status = ranks_open(&ranks);

    if (status == SB_OK)
        status = ranks_add_all(&ranks);
    if (status == SB_OK && named)
        status = ranks_add_named(&ranks);
    free(ranks.law);
    free(ranks.variant);
    free(ranks.rank);
    return status;
}
