/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explains a shuffle: its algorithm, its tree of draws, the orders at the leaves of the tree, and why it is
 * fair or biased. If the tree has too many paths, the explanation leaves out the tree; if the law takes too
 * long to compute, the explanation leaves out the orders.
 */
#include "study/explain/explain.h"

#include "core/error.h"
#include "exact/engine.h"
#include "study/results.h"
#include "subject/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Computes the tree and the law. Skips the tree or the law if its computation would take too long. If the law
 * is skipped, `evidence` has no cells. */
static enum sb_status explain_collect(const struct sb_law *law, struct sb_error *error,
                                      struct sb_explain *explain, struct sb_evidence *evidence)
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

static enum sb_status explain_make(const struct sb_scheme *scheme, const char *path,
                                   const struct sb_options *options, struct sb_error *error,
                                   struct sb_explain *explain)
{
    const struct sb_shuffle_type *const type = scheme->shuffle.type;
    struct sb_evidence evidence = { 0 };
    struct sb_shuffler shuffler;

    explain->name = strdup(scheme->name);
    explain->shuffle = strdup(scheme->shuffle_name);
    explain->draw = strdup(scheme->draw_name);
    explain->title = type->title;
    explain->cite = type->cite;
    explain->pseudocode = type->pseudocode;
    explain->why = type->why;
    explain->n = options->n;
    explain->deal = options->deal;
    if (!explain->name || !explain->shuffle || !explain->draw ||
        sb_shuffler_open(scheme->shuffle, options->n, options->deal, &shuffler))
        return sb_error_memory(error, "the explanation");
    const struct sb_law law = sb_scheme_law(scheme, &shuffler, options);
    enum sb_status status = explain_collect(&law, error, explain, &evidence);

    if (status == SB_OK && path)
        status = sb_explain_walk(&law, path, error, explain);
    if (status == SB_OK &&
        sb_explain_argue(scheme, &law, sb_numbers_whole(&evidence.counts) ? &evidence : NULL, explain))
        status = sb_error_memory(error, "the argument");
    if (evidence.cells)
        sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
    return status;
}

enum sb_status sb_explain_new(const char *scheme, const char *path, const struct sb_options *options,
                              struct sb_error *error, struct sb_explain **explain)
{
    struct sb_explain *const made = calloc(1, sizeof *made);
    struct sb_options settled;
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
