/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What can be computed without a test: the odds of two orders under the naive swap, how many shuffles show its
 * bias, the law of the number of descents of a fair shuffle, and what two shuffles cost.
 *
 *     cc calculate.c $(pkg-config --cflags --libs shufflebias) -lm -o calculate && ./calculate
 */
#include <shufflebias.h>

#include <math.h>
#include <string.h>

/* 123 has 4 of 27, and 231 has 5 of 27. */
static bool show_odds(const struct sb_options *options, struct sb_error *error)
{
    static const char *const orders[] = { "123", "231" };
    struct sb_odds_line line;
    struct sb_odds *odds;

    if (sb_odds_new("naive", orders, 2, options, error, &odds))
        return false;
    bool well = sb_odds_line_get(odds, 1, &line) && strcmp(line.probability, "5/27") == 0;
    well = well && sb_odds_write(odds, "text", NULL, error, stdout) == SB_OK;
    sb_odds_free(odds);
    return well;
}

/* The test of the order itself needs a few hundred shuffles. */
static bool show_plan(const struct sb_options *options, struct sb_error *error)
{
    const struct sb_aim aim = { .scheme = "naive" };
    struct sb_plan_line line;
    struct sb_plan *plan;

    if (sb_plan_new(&aim, options, error, &plan))
        return false;
    bool well = sb_plan_line_get(plan, 0, &line) && line.samples > 100;
    well = well && sb_plan_write(plan, "text", NULL, error, stdout) == SB_OK;
    sb_plan_free(plan);
    return well;
}

/* One of the six orders of three cards has no descent. */
static bool show_law(const struct sb_options *options, struct sb_error *error)
{
    struct sb_null_cell cell;
    struct sb_null_law *law;

    if (sb_null_law_new("descents", 0, options, error, &law))
        return false;
    bool well = sb_null_law_cell_get(law, 0, &cell) && fabs(cell.p - 1. / 6) < 1e-12;
    well = well && sb_null_law_write(law, "text", NULL, error, stdout) == SB_OK;
    sb_null_law_free(law);
    return well;
}

static bool show_costs(const struct sb_options *options, struct sb_error *error)
{
    static const char *const schemes[] = { "naive", "fisher-yates" };
    struct sb_options few = *options;
    struct sb_costs *costs;

    few.samples = 1000;
    if (sb_costs_new(schemes, 2, &few, error, &costs))
        return false;
    const bool well = sb_costs_write(costs, "text", NULL, error, stdout) == SB_OK;

    sb_costs_free(costs);
    return well;
}

int main(void)
{
    struct sb_options options;
    struct sb_error error = { .text = "" };

    sb_options_init(&options);
    if (show_odds(&options, &error) && show_plan(&options, &error) && show_law(&options, &error) &&
        show_costs(&options, &error))
        return 0;
    fprintf(stderr, "%s\n", error.text);
    return 1;
}
