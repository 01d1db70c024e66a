/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The argument about the shuffle by itself. Its text is written beforehand and supposes that all draws are uniform. If
 * a draw is not uniform, the page says so, and adds what the exact law says about positions and orders instead.
 */
#include "core/numbers.h"
#include "study/explain/explain.h"
#include "study/explain/explain_text.h"

#include <stdlib.h>
#include <string.h>

/* The cell of the matrix that is farthest from fair. */
struct uneven_cell {
    size_t item, position;
    mpq_t share, excess; /* its probability, and how far that is above 1/n */
};

static void uneven_get(const struct sb_evidence *evidence, size_t item, size_t position,
                       struct uneven_cell *cell)
{
    mpq_t fair;

    mpq_init(fair);
    mpq_set_ui(fair, 1, evidence->n);
    cell->item = item;
    cell->position = position;
    sb_evidence_matrix_fraction(evidence, item, position, cell->share);
    mpq_sub(cell->excess, cell->share, fair);
    mpq_clear(fair);
}

/* Finds the first cell that is farthest from fair. The comparison is exact: doubles would hide a small bias. */
static void uneven_find(const struct sb_evidence *evidence, struct uneven_cell *farthest)
{
    const size_t deal = evidence->deal;
    struct uneven_cell cell;
    mpq_t far, most;

    mpq_inits(cell.share, cell.excess, far, most, NULL);
    for (size_t i = 0; i < evidence->n * deal; i++) {
        uneven_get(evidence, i / deal, i % deal, &cell);
        mpq_abs(far, cell.excess);
        mpq_abs(most, farthest->excess);
        if (i == 0 || mpq_cmp(far, most) > 0)
            uneven_get(evidence, i / deal, i % deal, farthest);
    }
    mpq_clears(cell.share, cell.excess, far, most, NULL);
}

/* Says how often the item of the cell comes to its position; a long fraction is written as its distance from 1/n. */
static void uneven_position(const struct uneven_cell *cell, size_t n, struct sb_sentence *s)
{
    char *const text = sb_mpq_text(cell->share), number[32];

    s->lost = s->lost || !text;
    sb_sentence_number(fabs(mpq_get_d(cell->excess)), number);
    sb_sentence_add(s, " item %zu comes to position %zu with", cell->item + 1, cell->position + 1);
    if (text && strlen(text) <= SB_EXPLAIN_MASS_MOST)
        sb_sentence_add(s, " probability %s instead of 1/%zu.", text, n);
    else
        sb_sentence_add(s, " a probability that is %s %s 1/%zu.", number,
                        mpq_sgn(cell->excess) > 0 ? "above" : "below", n);
    free(text);
}

/* Says what the exact law says. */
static void uneven_law(const struct sb_explain *explain, const struct sb_evidence *evidence,
                       struct sb_sentence *s)
{
    struct uneven_cell cell = { .item = 0 };
    const size_t rarest = explain->group[explain->groups_count - 1].first;

    mpq_inits(cell.share, cell.excess, NULL);
    uneven_find(evidence, &cell);
    if (sb_explain_fair(explain))
        sb_sentence_add(s, " all orders are equally likely, too.");
    else if (mpq_sgn(cell.excess))
        uneven_position(&cell, evidence->n, s);
    else
        sb_sentence_add(s, " each item comes to each position equally often, but %s is likelier than %s.",
                        sb_explain_order_text(explain, explain->group[0].first).text,
                        sb_explain_order_text(explain, rarest).text);
    mpq_clears(cell.share, cell.excess, NULL);
}

void sb_explain_argue_shuffle(const struct sb_explain *explain, const struct sb_evidence *evidence, bool even,
                              struct sb_sentence *s)
{
    if (even) {
        sb_sentence_add(s, "%s", explain->why);
        return;
    }
    sb_sentence_add(s, "With uniform draws, this holds: %s", explain->why);
    if (evidence && explain->orders_count) {
        sb_sentence_add(s, " With the draws here, which are not uniform,");
        uneven_law(explain, evidence, s);
    } else {
        sb_sentence_add(s, " The draws here are not uniform, so it need not hold.");
    }
}
