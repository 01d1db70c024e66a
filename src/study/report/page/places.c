/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a table of those cells of a sampled matrix for which the interval excludes the fair share. */
#include "study/report/page/document.h"

#include "report/number.h"
#include "report/table.h"

#include <math.h>

static void places_table(const struct sb_report *report, struct sb_page *page)
{
    static const char *const title[] = { "item", "position", "count", "ratio" };
    const double n = (double)report->evidence.n;
    struct sb_table table;
    char item[SB_ITEM_ROOM];

    sb_table_open("rrrrrb", &table);
    for (size_t c = 0; c < sizeof title / sizeof title[0]; c++)
        sb_table_add(&table, SB_INK_STRONG, "%s", title[c]);
    sb_table_add(&table, SB_INK_STRONG, "%s interval", sb_number_level(report->alpha).text);
    sb_table_bar(&table, NAN);
    for (size_t i = 0; i < report->places.count; i++) {
        const struct sb_place *const place = &report->places.place[i];

        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_item_name(report->evidence.names, place->item, item));
        sb_table_add(&table, SB_INK_PLAIN, "%zu", place->position + 1);
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_grouped(place->count).text);
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_ratio(place->ratio).text);
        sb_table_add(
            &table, SB_INK_PLAIN, "%s",
            sb_number_range(sb_number_ratio_down(n * place->low), sb_number_ratio_up(n * place->high)).text);
        sb_table_bar(&table, place->ratio - 1);
    }
    sb_table_print(&table, page);
    sb_table_close(&table);
}

void sb_document_places(const struct sb_report *report, struct sb_page *page)
{
    const struct sb_places *const places = &report->places;

    if (places->cells == 0)
        return;
    sb_page_paragraph(page, SB_INK_STRONG, "Places beyond their intervals:",
                      "%s of %s%s. The intervals hold together for all places.",
                      sb_number_grouped(places->beyond).text, sb_number_grouped(places->cells).text,
                      places->count < places->beyond ? "; those that are farthest off" : "");
    if (places->count)
        places_table(report, page);
}
