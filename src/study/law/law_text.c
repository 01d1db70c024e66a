/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the law of a statistic as text, as CSV (RFC 4180) and as JSON (RFC 8259; data/schema/law-1.json).
 * Impossible cells are left out. If there are very many cells, the text shows only the middle of the law.
 */
#include "study/law/null_law.h"

#include "report/bar.h"
#include "report/csv_text.h"
#include "report/json_writer.h"
#include "report/number.h"
#include "report/page.h"
#include "report/table.h"
#include "study/results.h"

#include <float.h>
#include <math.h>

enum {
    NULL_LAW_ROWS_MOST = 1000, /* the most rows of the table in the text */
    NULL_LAW_HALF = 24,        /* width of the longest bar, in columns */
};

/* Returns the index of the first of the `rows` cells that the text shows. The likeliest cells are in the
 * middle of the law. */
static size_t null_law_first(const struct sb_null_law *law, size_t rows)
{
    size_t first = 0, last = law->count - 1;

    while (last - first >= rows) /* drops the less likely of the two end cells */
        if (law->ln_p[first] < law->ln_p[last])
            first++;
        else
            last--;
    return first;
}

/* Writes a probability with twelve digits. If the probability is below DBL_MIN, computes the digits from ln
 * p. */
static struct sb_number null_law_p(double ln_p)
{
    const double p = exp(ln_p);

    return p < DBL_MIN ? sb_number_full_p(p, ln_p) : sb_number_short(p, 12);
}

static void null_law_table(const struct sb_null_law *law, size_t rows, struct sb_page *page)
{
    const size_t first = null_law_first(law, rows);
    double most = -HUGE_VAL;
    struct sb_table table;

    for (size_t i = first; i < first + rows; i++)
        most = fmax(most, law->ln_p[i]);
    sb_table_open("rrl", &table);
    sb_table_add(&table, SB_INK_STRONG, "%s", sb_null_law_labelled(law) ? "cell" : law->statistic);
    sb_table_add(&table, SB_INK_STRONG, "probability");
    sb_table_add(&table, SB_INK_STRONG, "%s", "");
    for (size_t i = first; i < first + rows; i++) {
        char left[SB_BAR_ROOM], right[SB_BAR_ROOM], label[SB_NOTATION_ROOM];

        sb_bar_draw(exp(law->ln_p[i] - most), 1, NULL_LAW_HALF, page->look.unicode, left, right);
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_null_law_label(law, i, label));
        sb_table_add(&table, SB_INK_PLAIN, "%s", null_law_p(law->ln_p[i]).text);
        sb_table_add(&table, SB_INK_FAINT, "%s", right);
    }
    sb_table_print(&table, page);
    if (table.status)
        page->status = table.status;
    sb_table_close(&table);
}

static void null_law_page(const void *result, struct sb_page *page)
{
    const struct sb_null_law *const law = result;
    const size_t rows = law->count < NULL_LAW_ROWS_MOST ? law->count : NULL_LAW_ROWS_MOST;

    sb_page_title(page, 1, "Law of %s, n = %zu", law->statistic, law->n);
    page->tight = true;
    sb_page_paragraph(page, SB_INK_STRONG, "Statistic:", "%s, when the shuffle is fair.", law->title);
    if (law->deal < law->n)
        sb_page_paragraph(page, SB_INK_STRONG, "Dealt:", "%zu of these items.", law->deal);
    if (law->members > 1 && !law->each && law->names)
        sb_page_paragraph(page, SB_INK_STRONG, "Item:", "%s, of %zu.", law->names->name[law->member],
                          law->members);
    else if (law->members > 1)
        sb_page_paragraph(page, SB_INK_STRONG, law->each ? "Member:" : "Item:", "%zu of %zu.",
                          law->member + 1, law->members);
    sb_page_paragraph(page, SB_INK_STRONG, "Source:", "%s", law->cite);
    sb_page_paragraph(page, SB_INK_STRONG, "Obtained:", "%s.", law->obtained);
    if (isfinite(law->mean))
        sb_page_paragraph(page, SB_INK_STRONG, "Mean:", "%.12g, variance %.12g.", law->mean, law->variance);
    page->tight = false;
    null_law_table(law, rows, page);
    if (rows < law->count)
        sb_page_paragraph(page, SB_INK_PLAIN, NULL, "%s of %s cells, the likeliest; CSV and JSON have all.",
                          sb_number_grouped(rows).text, sb_number_grouped(law->count).text);
}

static void null_law_csv(const void *result, FILE *stream)
{
    const struct sb_null_law *const law = result;

    fputs("statistic,n,deal,member,cell,label,p,ln_p\n", stream);
    for (size_t i = 0; i < law->count; i++) {
        char label[SB_NOTATION_ROOM];

        fprintf(stream, "%s,%zu,%zu,%zu,%zu,", law->statistic, law->n, law->deal, law->member + 1,
                law->cell[i]);
        sb_csv_text(sb_null_law_label(law, i, label), stream);
        fprintf(stream, ",%s,%s\n", sb_number_full(exp(law->ln_p[i])).text,
                sb_number_full(law->ln_p[i]).text);
    }
}

static void null_law_json_labels(const struct sb_null_law *law, struct sb_json *json)
{
    char label[SB_NOTATION_ROOM];

    sb_json_array(json, "labels", true);
    for (size_t i = 0; i < law->count; i++)
        sb_json_string(json, NULL, sb_null_law_label(law, i, label));
    sb_json_close(json);
}

static void null_law_json(const void *result, struct sb_json *json)
{
    const struct sb_null_law *const law = result;

    sb_json_string(json, "statistic", law->statistic);
    sb_json_string(json, "title", law->title);
    sb_json_string(json, "cite", law->cite);
    sb_json_integer(json, "n", law->n);
    sb_json_integer(json, "deal", law->deal);
    sb_json_integer(json, "member", law->member + 1);
    sb_json_integer(json, "members", law->members);
    sb_json_string(json, "obtained", law->obtained);
    sb_json_real(json, "mean", law->mean);
    sb_json_real(json, "variance", law->variance);
    sb_json_array(json, "cells", true);
    for (size_t i = 0; i < law->count; i++)
        sb_json_integer(json, NULL, law->cell[i]);
    sb_json_close(json);
    null_law_json_labels(law, json);
    sb_json_array(json, "p", true);
    for (size_t i = 0; i < law->count; i++)
        sb_json_real(json, NULL, exp(law->ln_p[i]));
    sb_json_close(json);
    sb_json_array(json, "ln_p", true);
    for (size_t i = 0; i < law->count; i++)
        sb_json_real(json, NULL, law->ln_p[i]);
    sb_json_close(json);
}

const struct sb_result_type sb_null_law_result = {
    .what = "the law",
    .of = "a law",
    .schema = "shufflebias.law/1",
    .page = null_law_page,
    .title = "shufflebias law",
    .json = null_law_json,
    .csv = null_law_csv,
};

enum sb_status sb_null_law_write(const struct sb_null_law *law, const char *format,
                                 const struct sb_look *look, struct sb_error *error, FILE *stream)
{
    return sb_result_write(&sb_null_law_result, law, format, look, error, stream);
}

enum sb_status sb_null_law_text(const struct sb_null_law *law, const char *format, const struct sb_look *look,
                                struct sb_error *error, char **text, size_t *length)
{
    return sb_result_text(&sb_null_law_result, law, format, look, error, text, length);
}
