/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of permutations: the exact law and the sample side by side, and a bar around the fair share. */
#include "study/report/page/document.h"

#include "report/number.h"
#include "report/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void permutations_titles(const struct sb_pair *pair, struct sb_table *table)
{
    const struct sb_evidence *const evidence = &sb_pair_best(pair)->evidence;

    sb_table_add(table, SB_INK_STRONG, "%s", evidence->deal < evidence->n ? "deal" : "permutation");
    if (pair->exact) {
        sb_table_add(table, SB_INK_STRONG,
                     evidence->reach                 ? "seeds"
                     : sb_evidence_partial(evidence) ? "at least"
                                                     : "exact");
        if (!pair->sampled)
            sb_table_add(table, SB_INK_STRONG, "share");
        sb_table_add(table, SB_INK_STRONG, "ratio");
    }
    if (pair->sampled) {
        sb_table_add(table, SB_INK_STRONG, "count");
        sb_table_add(table, SB_INK_STRONG, "share");
        sb_table_add(table, SB_INK_STRONG, pair->exact ? "ratio seen" : "ratio");
        sb_table_add(table, SB_INK_STRONG, "%s interval", sb_number_level(pair->sampled->alpha).text);
    }
    sb_table_bar(table, NAN);
}

static void permutations_exact(const struct sb_pair *pair, const struct sb_row *row, struct sb_table *table)
{
    const struct sb_evidence *const evidence = &pair->exact->evidence;
    const struct sb_fraction fraction = sb_exact_over(evidence, row->rank);
    const int decimals = sb_number_share_decimals((double)evidence->cells);

    if (evidence->reach)
        sb_table_add(table, SB_INK_PLAIN, "%" PRIu64, evidence->counts.u64[row->rank]);
    else if (fraction.text[0])
        sb_table_add(table, SB_INK_PLAIN, "%s", fraction.text);
    else
        sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_percent(row->share, decimals + 3).text);
    if (!pair->sampled)
        sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_percent(row->share, decimals).text);
    sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_ratio(row->ratio).text);
}

/* Returns a useful number of decimals for one end of an interval. */
static int permutations_decimals(double ratio, double cells)
{
    return ratio >= 100 ? 0 : cells > 1000 ? 2 : 4;
}

/* Shows the interval of the ratio, rounded outwards, so that a reader sees at once whether the interval contains 1. */
static void permutations_sampled(const struct sb_report *report, size_t rank, struct sb_table *table)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const struct sb_row *const row = sb_report_row(report, rank);
    const double cells = (double)evidence->cells,
                 share = evidence->total ? sb_evidence_share(evidence, rank) : NAN;
    const double low = row ? row->low * cells : NAN, high = row ? row->high * cells : NAN;

    sb_table_add(table, SB_INK_PLAIN, "%" PRIu64, evidence->counts.u64[rank]);
    sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_percent(share, sb_number_share_decimals(cells)).text);
    sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_ratio(row ? row->ratio : share * cells).text);
    sb_table_add(table, SB_INK_PLAIN, "%s",
                 sb_number_range(sb_number_fixed_down(low, permutations_decimals(low, cells)),
                                 sb_number_fixed_up(high, permutations_decimals(high, cells)))
                     .text);
}

/* Writes a line in place of the omitted rows. */
static void permutations_gap(size_t left_out, size_t columns, struct sb_table *table)
{
    sb_table_add(table, SB_INK_FAINT, "\u2026 %s more", sb_number_grouped(left_out).text);
    for (size_t c = 1; c < columns; c++)
        sb_table_add(table, SB_INK_PLAIN, "%s", "");
}

static void permutations_fill(const struct sb_pair *pair, size_t columns, struct sb_table *table)
{
    const struct sb_report *const best = sb_pair_best(pair);
    const size_t shown = best->rows_count, cells = best->evidence.cells;

    permutations_titles(pair, table);
    for (size_t i = 0; i < shown; i++) {
        const struct sb_row *const row = &best->rows[i];
        const struct sb_notation notation = sb_exact_notation(&best->evidence, row->rank);

        if (i == shown / 2 && shown < cells)
            permutations_gap(cells - shown, columns, table);
        sb_table_add(table, SB_INK_PLAIN, "%s", sb_document_deal(&notation));
        if (pair->exact)
            permutations_exact(pair, row, table);
        if (pair->sampled)
            permutations_sampled(pair->sampled, row->rank, table);
        sb_table_bar(table, row->ratio - 1);
    }
}

/* Says what stands in place of the counts. Nothing, if another table does. */
static void permutations_uncounted(const struct sb_pair *known, const struct sb_evidence *evidence,
                                   const char *what, struct sb_page *page)
{
    if (evidence->reach) /* another table shows what is known of the permutations */
        return;
    if (evidence->by == SB_BY_SAMPLE && evidence->matrix.form == SB_NUMBERS_NONE)
        return; /* the evidence is of single large permutations */
    if (known->exact && known->exact->has_effect)
        sb_page_paragraph(page, SB_INK_STRONG, "Too many to list:",
                          "the effects below are those of the whole law, which is known in closed form.");
    else if (sb_item_multiset(evidence->names) && evidence->deal < evidence->n)
        sb_page_paragraph(
            page, SB_INK_STRONG, "Deals with equal items:",
            "even a fair shuffle gives some of them more often than others, so only the matrix of "
            "items by positions is shown.");
    else
        sb_page_paragraph(page, SB_INK_STRONG,
                          evidence->recorded ? "Not counted one by one:" : "Too many to count one by one:",
                          "of these %ss only the matrix of items by positions is known.", what);
}

void sb_document_permutations(const struct sb_pair *known, struct sb_page *page)
{
    const struct sb_pair counted = sb_pair_counted(known), *const pair = &counted;
    const struct sb_evidence *const evidence = &sb_pair_best(pair)->evidence;
    const char *const columns = !pair->sampled ? "lrrrb" : pair->exact ? "lrrrrrrb" : "lrrrrb";
    const char *const what = evidence->deal < evidence->n ? "deal" : "permutation";
    const double cells = (double)evidence->cells;
    struct sb_table table;

    if (!evidence->cells) {
        permutations_uncounted(known, evidence, what, page);
        return;
    }
    sb_page_paragraph(page, SB_INK_STRONG, evidence->deal < evidence->n ? "Deals." : "Permutations.",
                      "A fair shuffle gives each %s %s; a ratio is a share over that.", what,
                      sb_number_percent(1 / cells, sb_number_share_decimals(cells)).text);
    sb_table_open(columns, &table);
    permutations_fill(pair, strlen(columns), &table);
    sb_table_print(&table, page);
    sb_table_close(&table);
}
