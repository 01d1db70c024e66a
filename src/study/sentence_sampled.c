/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a sample shows about single deals, or about the places of single items. The sentence states only what the
 * intervals allow, which hold together for all deals, or for all places. Cost: a pass over the counts, and an interval
 * for each end of a row.
 */
#include "fit/fit.h"
#include "fit/numeric.h"
#include "study/sentence_parts.h"

#include <math.h>
#include <stdlib.h>

/* Deals of a sample, with their intervals: all, or the most and the least frequent ones. */
struct sentence_rows {
    const struct sb_row *row; /* [count] */
    size_t count;
    double cells; /* number of all deals */
};

/* Those deals for which the interval lies entirely on one side of the fair share. */
struct sentence_side {
    size_t rank[SB_SENTENCE_NAMES], total;
    double near, far; /* the excess with the smallest and the excess with the largest absolute value */
    const struct sb_row *surest; /* the deal whose interval is farthest from the fair share */
};

static struct sentence_side sentence_collect(const struct sentence_rows *rows, bool over)
{
    struct sentence_side side = { .total = 0 };
    double surest = 0;

    for (size_t i = 0; i < rows->count; i++) {
        const struct sb_row *const row = &rows->row[i];
        const double excess = row->ratio - 1;
        const double sure = over ? row->low * rows->cells - 1 : 1 - row->high * rows->cells;

        if (!(sure > 0))
            continue;
        if (side.total == 0 || fabs(excess) < fabs(side.near))
            side.near = excess;
        if (side.total == 0 || fabs(excess) > fabs(side.far))
            side.far = excess;
        if (sure > surest) {
            surest = sure;
            side.surest = row;
        }
        if (side.total < SB_SENTENCE_NAMES)
            side.rank[side.total] = row->rank;
        side.total++;
    }
    return side;
}

/* Adds what the sample shows about the deals on one side. Returns false if the sample shows nothing. */
static bool sentence_side(struct sb_sentence *s, const struct sb_evidence *e,
                          const struct sentence_rows *rows, bool over)
{
    struct sentence_side side = sentence_collect(rows, over);

    if (!side.surest)
        return false;
    const bool part = rows->count < e->cells;
    if (part) {
        side.rank[0] = side.surest->rank;
        side.total = 1;
        side.near = side.far = (over ? side.surest->low : side.surest->high) * rows->cells - 1;
    }
    sb_sentence_deals(s, e, side.rank, side.total, side.total);
    if (side.near <= -1 || (part && !over && side.surest->ratio == 0)) {
        sb_sentence_add(s, " did not come up");
        return true;
    }
    sb_sentence_add(s, side.total == 1 ? " comes up%s" : " come up%s", part ? " at least" : "");
    sb_sentence_amount(s, sb_sentence_excess(side.near), sb_sentence_excess(side.far), side.total,
                       part ? SB_SENTENCE_DOWN : SB_SENTENCE_NEAREST);
    return true;
}

bool sb_sentence_sampled_deals(struct sb_sentence *s, const struct sb_report *report)
{
    const struct sb_evidence *const e = &report->evidence;
    struct sentence_rows rows = { report->rows, report->rows_count, (double)e->cells };
    struct sb_row *own = NULL;

    /* beside an exact law, the table has the law's most and least likely deals, and not the sample's */
    if (rows.count < e->cells) {
        s->lost = s->lost || sb_rows_of(e, e, report->alpha, &own, &rows.count);
        rows.row = own;
    }
    if (s->lost)
        return false;
    const bool over = sentence_side(s, e, &rows, true);

    if (over)
        sb_sentence_add(s, "; ");
    const bool under = sentence_side(s, e, &rows, false);

    if (over && !under)
        s->used -= 2;
    free(own);
    return over || under;
}

/* In a row, only the largest and the smallest count can be farthest. */
bool sb_sentence_sampled_place(const struct sb_report *report, struct sb_sentence_place *place)
{
    const struct sb_evidence *const e = &report->evidence;
    const size_t rows = sb_evidence_rows(e);
    const double level = report->alpha / (double)(rows * e->deal);
    double farthest = 0;

    for (size_t row = 0; row < rows; row++) {
        const uint64_t *const count = e->matrix.u64 + row * e->deal;
        size_t end[2] = { 0, 0 };

        for (size_t j = 1; j < e->deal; j++) {
            end[0] = count[j] < count[end[0]] ? j : end[0];
            end[1] = count[j] > count[end[1]] ? j : end[1];
        }
        for (int i = 0; i < 2; i++) { /* of equally far cells, the first */
            const int side = i ^ (end[1] < end[0]);
            const double share = sb_evidence_matrix_share(e, row, end[side]);
            const double off = (side ? 1 : -1) * (share - sb_evidence_fair(e, row));
            double low, high;

            if (off <= farthest)
                continue;
            sb_binomial_interval(count[end[side]], e->total, level, &low, &high);
            const double excess = sb_evidence_ratio(e, row, side ? low : high) - 1;

            if (side ? excess <= 0 : excess >= 0)
                continue;
            farthest = off;
            *place = (struct sb_sentence_place) { row * e->deal + end[side], excess };
        }
    }
    return farthest > 0;
}
