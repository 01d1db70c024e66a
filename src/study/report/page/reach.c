/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of the deals that seeds reach: how many of all deals are reached, and how often each deal is
 * reached. */
#include "study/report/page/document.h"

#include "core/text.h"
#include "report/number.h"
#include "report/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Writes the number of all deals: in full if the full number is readable, else like 8.0658e67. */
static void reach_deals(const struct sb_reach *reach, struct sb_table *table)
{
    char *text = NULL;
    size_t size;
    FILE *const stream = sb_memory_stream_open(&text, &size);

    if (stream)
        mpz_out_str(stream, 10, reach->deals);
    if (!sb_memory_stream_close(stream, &text))
        table->status = SB_NO_MEMORY;
    else if (size <= 15)
        sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_grouped(strtoull(text, NULL, 10)).text);
    else
        sb_table_add(table, SB_INK_PLAIN, "%c.%.4se%zu", text[0], text + 1, size - 1);
    free(text);
}

/* Writes the number of reached deals: "8,123" or "about 8,123 (standard error 0.10%)". */
static void reach_reached(const struct sb_reach *reach, struct sb_table *table)
{
    const struct sb_number number = sb_number_grouped(reach->reached);

    if (reach->reached_error > 0)
        sb_table_add(table, SB_INK_STRONG, "about %s (standard error %s)", number.text,
                     sb_number_percent(reach->reached_error, 2).text);
    else
        sb_table_add(table, SB_INK_STRONG, "%s", number.text);
}

void sb_document_reach(const struct sb_report *report, struct sb_page *page)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const struct sb_reach *const reach = evidence->reach;
    const char *const what = evidence->deal < evidence->n ? "deals" : "permutations";
    struct sb_table table;

    sb_page_paragraph(page, SB_INK_STRONG,
                      "Seeds:", "one shuffle from each, %" PRIu64 " to %" PRIu64 ", generator %s%s.",
                      reach->first, reach->last, evidence->rng, evidence->interrupted ? ", ended early" : "");
    sb_table_open("lr", &table);
    sb_table_add(&table, SB_INK_STRONG, "by seeds");
    sb_table_add(&table, SB_INK_STRONG, "number");
    sb_table_add(&table, SB_INK_PLAIN, "seeds tried");
    sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_grouped(evidence->total).text);
    sb_table_add(&table, SB_INK_PLAIN, "%s that there are", what);
    reach_deals(reach, &table);
    sb_table_add(&table, SB_INK_PLAIN, "different %s reached", what);
    reach_reached(reach, &table);
    sb_table_add(&table, SB_INK_PLAIN, "  what as many fair shuffles would reach");
    sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_fixed(reach->reached_fair, 1).text);
    if (reach->most) {
        sb_table_add(&table, SB_INK_PLAIN, "seeds that lead to the most frequent");
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_grouped(reach->most).text);
    }
    if (reach->least_known) {
        sb_table_add(&table, SB_INK_PLAIN, "seeds that lead to the least frequent");
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_grouped(reach->least).text);
    }
    sb_table_print(&table, page);
    sb_table_close(&table);
}
