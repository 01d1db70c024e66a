/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The zoo as text: a table with a row per shuffle. There is a column per statistic, with a letter as its
 * title; if there is a user's test, the columns show the test's results instead.
 */
#include "study/zoo/zoo_text.h"

#include "core/text/decimal.h"
#include "report/number.h"
#include "report/table.h"
#include "study/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ZOO_SHORT = 16 };

/* Writes a number in a few characters: 7, 950, 12k, 3M, 1.7e+18. */
static void zoo_short(double x, char text[ZOO_SHORT])
{
    static const char unit[] = " kMGT";
    double shown = x;
    size_t i = 0;

    for (; shown >= 999.5 && unit[i + 1]; i++)
        shown /= 1000;
    if (shown >= 999.5)
        sb_decimal_format(text, ZOO_SHORT, "%.1e", x);
    else if (i)
        sb_decimal_format(text, ZOO_SHORT, shown < 9.95 ? "%.1f%c" : "%.0f%c", shown, unit[i]);
    else
        sb_decimal_format(text, ZOO_SHORT, "%.0f", shown);
}

static void zoo_cell(const struct sb_zoo_row *row, double needed, struct sb_table *table)
{
    char text[ZOO_SHORT];

    if (isnan(needed) || isinf(needed)) {
        sb_table_add(table, row->fair ? SB_INK_GOOD : SB_INK_BAD, "%s", isnan(needed) ? "." : "never");
        return;
    }
    zoo_short(needed, text);
    sb_table_add(table, SB_INK_PLAIN, "%s", text);
}

/* Returns the letter that is the title of column i. */
static char zoo_letter(size_t i)
{
    return (char)(i < 26 ? 'a' + (int)i : 'A' + (int)(i - 26));
}

static void zoo_matrix(const struct sb_zoo *zoo, struct sb_page *page)
{
    char *const layout = calloc(zoo->columns + 3, 1);
    struct sb_table table;

    if (!layout) {
        page->status = SB_NO_MEMORY;
        return;
    }
    layout[0] = 'l';
    memset(layout + 1, 'r', zoo->columns);
    layout[zoo->columns + 1] = 'l';
    sb_table_open(layout, &table);
    sb_table_add(&table, SB_INK_STRONG, "shuffle");
    for (size_t i = 0; i < zoo->columns; i++)
        sb_table_add(&table, SB_INK_STRONG, "%c", zoo_letter(i));
    sb_table_add(&table, SB_INK_STRONG, "by");
    for (size_t i = 0; i < zoo->rows; i++) {
        const struct sb_zoo_row *const row = &zoo->row[i];

        sb_table_add(&table, SB_INK_STRONG, "%s", row->name);
        for (size_t j = 0; j < zoo->columns; j++)
            zoo_cell(row, row->needed[j], &table);
        sb_table_add(&table, SB_INK_FAINT, "%s", row->exact ? "law" : "runs");
    }
    sb_table_print(&table, page);
    sb_table_close(&table);
    free(layout);
}

static void zoo_legend(const struct sb_zoo *zoo, struct sb_page *page)
{
    char text[1024] = "";
    size_t laws = 0;

    for (size_t i = 0; i < zoo->rows; i++)
        laws += zoo->row[i].exact;
    for (size_t i = 0; i < zoo->columns; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%c %s", i ? ", " : "", zoo_letter(i),
                 zoo->column[i]);
    sb_page_paragraph(page, SB_INK_STRONG, "Statistics:", "%s.", text);
    if (laws)
        sb_page_paragraph(
            page, SB_INK_STRONG, "By the law:",
            "the number of permutations with which a chi-square test of level %s sees the bias every "
            "second time; \"never\" where the statistic's law is that of a fair shuffle.",
            sb_number_given(zoo->alpha).text);
    if (laws < zoo->rows)
        sb_page_paragraph(page, SB_INK_STRONG, "By runs:",
                          "the number of permutations at which the e-process of the statistic first reached "
                          "%s, the median of "
                          "%u seed%s; a \".\" where %s permutation%s not enough.",
                          sb_number_goal(zoo->alpha).text, zoo->seeds, zoo->seeds == 1 ? "" : "s",
                          sb_number_grouped(zoo->samples).text, zoo->samples == 1 ? " was" : "s were");
}

/* Writes the results of the user's test. */
static void zoo_verdicts(const struct sb_zoo *zoo, struct sb_page *page)
{
    struct sb_table table;
    size_t let_through = 0, unfair = 0;

    sb_table_open("lrl", &table);
    sb_table_add(&table, SB_INK_STRONG, "shuffle");
    sb_table_add(&table, SB_INK_STRONG, "passed");
    sb_table_add(&table, SB_INK_STRONG, "%s", "");
    for (size_t i = 0; i < zoo->rows; i++) {
        const struct sb_zoo_row *const row = &zoo->row[i];
        const bool missed = !row->fair && 2 * row->passed > row->runs;
        const char *const word = row->fair ? row->passed < row->runs ? "fair, and failed" : "fair"
                                 : missed  ? "let through"
                                           : "";

        let_through += missed;
        unfair += !row->fair;
        sb_table_add(&table, SB_INK_STRONG, "%s", row->name);
        sb_table_add(&table, SB_INK_PLAIN, "%zu of %zu", row->passed, row->runs);
        sb_table_add(&table, missed || (row->fair && row->passed < row->runs) ? SB_INK_BAD : SB_INK_GOOD,
                     "%s", word);
    }
    sb_table_print(&table, page);
    sb_table_close(&table);
    sb_page_paragraph(
        page, SB_INK_PLAIN, NULL,
        "Of %zu shuffles with a bias, or with too few decks, the test lets %zu through, in more "
        "than half of its runs.",
        unfair, let_through);
}

static void zoo_page(const void *result, struct sb_page *page)
{
    const struct sb_zoo *const zoo = result;
    char dealt[64] = "";

    if (zoo->deal < zoo->n)
        snprintf(dealt, sizeof dealt, ", %zu of them dealt", zoo->deal);
    if (zoo->test) {
        sb_page_title(page, 1, "A test in the zoo: n = %zu%s, %s permutation%s a run", zoo->n, dealt,
                      sb_number_grouped(zoo->samples).text, zoo->samples == 1 ? "" : "s");
        sb_page_paragraph(page, SB_INK_STRONG, "Test:", "%s", zoo->test);
        zoo_verdicts(zoo, page);
    } else {
        sb_page_title(page, 1, "The zoo: n = %zu%s, how many permutations it takes to see a bias", zoo->n,
                      dealt);
        zoo_matrix(zoo, page);
        zoo_legend(zoo, page);
    }
}

const struct sb_result_type sb_zoo_result = {
    .what = "the zoo",
    .of = "a zoo",
    .schema = "shufflebias.zoo/1",
    .page = zoo_page,
    .title = "shufflebias zoo",
    .json = sb_zoo_json,
    .csv = sb_zoo_csv,
};

enum sb_status sb_zoo_write(const struct sb_zoo *zoo, const char *format, const struct sb_look *look,
                            struct sb_error *error, FILE *stream)
{
    return sb_result_write(&sb_zoo_result, zoo, format, look, error, stream);
}

enum sb_status sb_zoo_text(const struct sb_zoo *zoo, const char *format, const struct sb_look *look,
                           struct sb_error *error, char **text, size_t *length)
{
    return sb_result_text(&sb_zoo_result, zoo, format, look, error, text, length);
}
