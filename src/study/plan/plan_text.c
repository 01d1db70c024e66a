/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan as text and as CSV. Numbers in the text have blanks around them and no thousands separators, so that
 * a script can extract a number: `shufflebias plan naive | awk '$1 == "pearson" { print $2 }'`.
 */
#include "study/plan/plan_text.h"

#include "report/number.h"
#include "report/table.h"
#include "study/results.h"

#include <math.h>

/* Writes a number of shuffles: with all digits if it is below 10^15, otherwise with six digits. A number that need not
 * be an integer is a lower bound, and is rounded down. */
static struct sb_number plan_whole(double x)
{
    return x == floor(x) || isnan(x) ? x < 1e15 ? sb_number_fixed(x, 0) : sb_number_short(x, 6)
                                     : sb_number_fixed_down(x, x < 100 ? 2 : 0);
}

/* Returns whether the plan computes the size of a bias and not a number of shuffles. */
static bool plan_asks_size(const struct sb_plan *plan)
{
    return !plan->name && isnan(plan->detect);
}

static void plan_title(const struct sb_plan *plan, struct sb_page *page)
{
    if (plan->name)
        sb_page_title(page, 1, "Plan for %s with n = %zu", plan->name, plan->n);
    else
        sb_page_title(page, 1, "Plan for any bias with n = %zu", plan->n);
    if (plan->deal < plan->n)
        sb_page_paragraph(page, SB_INK_PLAIN, NULL, "Dealt of these: %zu", plan->deal);
}

/* Writes what the plan is about. Numbers of shuffles have no thousands separators here either. */
static void plan_question(const struct sb_plan *plan, struct sb_page *page)
{
    const unsigned long long samples = plan->samples;
    const struct sb_number alpha = sb_number_given(plan->alpha), power = sb_number_given(plan->power);

    if (plan_asks_size(plan)) {
        sb_page_paragraph(
            page, SB_INK_PLAIN, NULL,
            "The bias, in total variation from uniform, that Pearson's test at level %s sees with "
            "power %s in %llu shuffle%s:",
            alpha.text, power.text, samples, samples == 1 ? "" : "s");
        return;
    }
    if (plan->name)
        sb_page_paragraph(page, SB_INK_PLAIN, NULL,
                          "The fewest shuffles in which a test at level %s sees this bias with power %s:",
                          alpha.text, power.text);
    else
        sb_page_paragraph(
            page, SB_INK_PLAIN, NULL,
            "The fewest shuffles in which Pearson's test at level %s sees a total variation of %s "
            "from uniform with power %s:",
            alpha.text, sb_number_given(plan->detect).text, power.text);
    if (samples)
        sb_page_paragraph(page, SB_INK_PLAIN, NULL, "The column \"power\" is that of %llu shuffle%s.",
                          samples, samples == 1 ? "" : "s");
}

static void plan_titles(const struct sb_plan *plan, bool warnings, struct sb_table *table)
{
    sb_table_add(table, SB_INK_STRONG, "%s", plan->name ? "test" : "direction");
    sb_table_add(table, SB_INK_STRONG, "%s", plan_asks_size(plan) ? "total variation" : "shuffles");
    sb_table_add(table, SB_INK_STRONG, "per shuffle");
    sb_table_add(table, SB_INK_STRONG, "dof");
    sb_table_add(table, SB_INK_STRONG, "least expected");
    if (plan->samples && !plan_asks_size(plan))
        sb_table_add(table, SB_INK_STRONG, "power");
    if (warnings)
        sb_table_add(table, SB_INK_STRONG, "warning");
}

static void plan_table(const struct sb_plan *plan, struct sb_page *page)
{
    const bool power = plan->samples && !plan_asks_size(plan);
    bool warnings = false;
    struct sb_table table;

    for (size_t i = 0; i < plan->count; i++)
        warnings = warnings || plan->line[i].warning;
    sb_table_open(power ? warnings ? "lrrrrrl" : "lrrrrr" : warnings ? "lrrrrl" : "lrrrr", &table);
    plan_titles(plan, warnings, &table);
    for (size_t i = 0; i < plan->count; i++) {
        const struct sb_plan_line *const line = &plan->line[i];
        const struct sb_number answer =
            plan_asks_size(plan) ? sb_number_short(line->total_variation, 6) : plan_whole(line->samples);

        sb_table_add(&table, SB_INK_PLAIN, "%s", plan->name ? line->test : line->direction);
        sb_table_add(&table, SB_INK_STRONG, "%s", answer.text);
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_short(line->effect, 6).text);
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_fixed(line->dof, 0).text);
        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_short(line->expected_least, 3).text);
        if (power)
            sb_table_add(&table, SB_INK_PLAIN, "%s", sb_number_fixed(line->power, 4).text);
        if (warnings)
            sb_table_add(&table, SB_INK_DOUBT, "%s", line->warning ? line->warning : "");
    }
    sb_table_print(&table, page);
    sb_table_close(&table);
}

static void plan_notes(const struct sb_plan *plan, struct sb_page *page)
{
    sb_page_paragraph(
        page, SB_INK_PLAIN, NULL,
        "The noncentrality of a test is \"per shuffle\" times the number of shuffles; where the "
        "expected counts are small or the bias is large, that is an approximation.");
    if (plan->name && !plan->known)
        sb_page_paragraph(page, SB_INK_PLAIN, NULL,
                          "Of this law only the matrix is known: the tests of whole orders are left out.");
    else if (plan->name)
        sb_page_paragraph(
            page, SB_INK_PLAIN, NULL,
            "known-alternative: this very law against the uniform one, until it is 1/alpha times as "
            "likely, which takes at least this number of shuffles on average. At a power near 1, no test "
            "needs far fewer shuffles.");
    else
        sb_page_paragraph(
            page, SB_INK_PLAIN, NULL,
            "worst: half of the orders too rare, or more than half if the total variation is above 0.5, and "
            "the others too frequent, each kind by the same amount; no bias of that total variation is "
            "harder "
            "to see. typical: a bias in a random direction.");
}

static void plan_page(const void *result, struct sb_page *page)
{
    const struct sb_plan *const plan = result;

    plan_title(plan, page);
    plan_question(plan, page);
    plan_table(plan, page);
    plan_notes(plan, page);
}

static void plan_csv(const void *result, FILE *stream)
{
    const struct sb_plan *const plan = result;

    fputs("scheme,n,deal,statistic,test,direction,alpha,power,total_variation,samples,effect,dof\n", stream);
    for (size_t i = 0; i < plan->count; i++) {
        const struct sb_plan_line *const line = &plan->line[i];

        fprintf(stream, "%s,%zu,%zu,%s,%s,%s", plan->name ? plan->name : "", plan->n, plan->deal,
                line->statistic, line->test, line->direction ? line->direction : "");
        fprintf(stream, ",%s", sb_number_full(plan->alpha).text);
        fprintf(stream, ",%s", sb_number_full(isnan(line->power) ? plan->power : line->power).text);
        fprintf(stream, ",%s", sb_number_full(line->total_variation).text);
        fprintf(stream, ",%s", sb_number_full(line->samples).text);
        fprintf(stream, ",%s", sb_number_full(line->effect).text);
        fprintf(stream, ",%s\n", sb_number_full(line->dof).text);
    }
}

const struct sb_result_type sb_plan_result = {
    .what = "the plan",
    .of = "a plan",
    .schema = "shufflebias.plan/1",
    .page = plan_page,
    .title = "shufflebias plan",
    .json = sb_plan_json,
    .csv = plan_csv,
};

enum sb_status sb_plan_write(const struct sb_plan *plan, const char *format, const struct sb_look *look,
                             struct sb_error *error, FILE *stream)
{
    return sb_result_write(&sb_plan_result, plan, format, look, error, stream);
}

enum sb_status sb_plan_text(const struct sb_plan *plan, const char *format, const struct sb_look *look,
                            struct sb_error *error, char **text, size_t *length)
{
    return sb_result_text(&sb_plan_result, plan, format, look, error, text, length);
}
