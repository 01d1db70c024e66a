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

/* Sets the options, a list of names and values that ends with NULL, runs the request and prints the result. */
static struct sb_result *calculate(const char *command, const char *const options[])
{
    struct sb_request *const request = sb_request_new(command);
    struct sb_result *result = NULL;
    enum sb_status status = request ? SB_OK : SB_NO_MEMORY;

    for (; status == SB_OK && *options; options += 2)
        status = sb_set(request, options[0], options[1]);
    if (status == SB_OK)
        result = sb_run(request);
    if (result)
        sb_write(result, "text", stdout);
    else if (request)
        fprintf(stderr, "%s\n", sb_error(request));
    sb_request_free(request);
    return result;
}

static bool show_odds(void)
{
    static const char *const options[] = {
        "scheme", "naive", "permutation", "123", "permutation", "231", NULL
    };
    struct sb_result *const odds = calculate("odds", options);
    const char *const probability = odds ? sb_get(odds, "permutations.1.probability") : NULL;
    const bool well = probability && strcmp(probability, "5/27") == 0;

    sb_result_free(odds);
    return well;
}

static bool show_plan(void)
{
    static const char *const options[] = { "scheme", "naive", NULL };
    struct sb_result *const plan = calculate("plan", options);
    const bool well = plan && sb_number(plan, "tests.0.samples") > 100;

    sb_result_free(plan);
    return well;
}

static bool show_law(void)
{
    static const char *const options[] = { "statistic", "descents", NULL };
    struct sb_result *const law = calculate("law", options);
    const bool well = law && fabs(sb_number(law, "p.0") - 1. / 6) < 1e-12;

    sb_result_free(law);
    return well;
}

static bool show_costs(void)
{
    static const char *const options[] = { "scheme", "naive", "scheme", "fisher-yates", "decks", "1000",
                                           "n",      "3",     NULL };
    struct sb_result *const costs = calculate("bench", options);

    sb_result_free(costs);
    return costs;
}

int main(void)
{
    return !(show_odds() && show_plan() && show_law() && show_costs());
}
