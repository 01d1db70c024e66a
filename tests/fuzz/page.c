/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "core/calls.h"
#include "core/core.h"
#include "fuzz/entry_name.h"
#include "fuzz/fuzz.h"
#include "lesson/lesson.h"
#include "report/result.h"
#include "study/results.h"

#include <gmp.h>
#include <math.h>
#include <string.h>

/* ---- lesson ---- */

/*
 * Explanations and lessons: each page is written without a fault, its tags match or its JSON can be read, and
 * the same request writes the same page.
 */
/* Explains a scheme; returns the text, or NULL after an error. */
static char *explain(const char *scheme, const char *path, const struct sb_request *options, const char *format)
{
    const struct sb_look look = { .unicode = true, .columns = 80 };
    struct sb_error error = { .status = SB_OK };
    struct sb_explain *made;
    char *text = NULL;
    size_t length;

    if (sb_explain_new(scheme, path, options, &error, &made)) {
        fuzz_check(error.text[0], "an error has a line");
        return NULL;
    }
    fuzz_check(sb_result_text(&sb_explain_result, made, format, &look, &error, &text, &length) == SB_OK &&
                   strlen(text) == length,
               "an explanation can be written");
    sb_explain_free(made);
    return text;
}

static void explain_check(struct fuzz *fuzz, const char *format)
{
    struct sb_request options;
    char scheme[64], path[32];

    sb_request_init(&options, SB_REPORT);
    options.n = fuzz_byte(fuzz) % 6;
    options.deal = options.n ? fuzz_byte(fuzz) % (options.n + 1) : 0;
    options.threads = 1;
    fuzz_text(fuzz, scheme, sizeof scheme);
    fuzz_text(fuzz, path, sizeof path);
    char *const one = explain(scheme, path[0] ? path : NULL, &options, format);
    char *const other = explain(scheme, path[0] ? path : NULL, &options, format);

    fuzz_check(!one == !other && (!one || strcmp(one, other) == 0), "the same request writes the same page");
    if (one)
        page_check(format, one);
    free(one);
    free(other);
}

/* Writes a page of the course that takes no long computation. */
static void course_check(size_t index)
{
    struct sb_error error = { .status = SB_OK };
    size_t pages = 0, length;
    char *text = NULL;

    while (sb_lesson(pages))
        pages++;
    index = index % 3 ? pages - index % 3 : 0; /* the index, the worksheet and the teacher's notes */
    FILE *const stream = open_memstream(&text, &length);

    fuzz_check(stream && sb_course_write(index, NULL, &error, stream) == SB_OK && fclose(stream) == 0,
               "a page can be written");
    page_check("html", text);
    free(text);
}

static void part_lesson(struct fuzz *fuzz)
{
    static const char *const explained[] = { "text", "markdown", "json", "html", "svg" };
    const unsigned how = fuzz_byte(fuzz);

    if (how < 255)
        explain_check(fuzz, explained[how % 5]);
    else
        course_check(fuzz_byte(fuzz));
}

/* ---- calculation ---- */

/*
 * Odds, plans, laws of fair shuffles and costs, each in all its formats: the odds of all permutations add up to 1, and
 * so does a law; a plan's number of shuffles has the power that was asked for.
 */
enum { CALCULATION_NAME = 128, CALCULATION_ORDERS = 24, CALCULATION_FORMATS = 6 };

static const char *const formats[CALCULATION_FORMATS] = { "text", "markdown", "json", "csv", "html", "svg" };

/* Aborts unless a result can be written in each format, by the function of its type. */
#define CHECK_WRITTEN(type, result)                                                                            \
    for (size_t i = 0; i < CALCULATION_FORMATS; i++) {                                                         \
        char *text = NULL;                                                                                     \
                                                                                                               \
        fuzz_check(sb_result_text(&(type), result, formats[i], NULL, &error, &text, NULL) == SB_OK && text[0], \
                   "a result can be written");                                                                 \
        page_check(formats[i], text);                                                                          \
        sb_text_free(text);                                                                                    \
    }

static bool refused(enum sb_status status, const struct sb_error *error)
{
    fuzz_check(status == SB_OK || ((status == SB_INVALID || status == SB_TOO_LARGE) && error->text[0]),
               "a request is met, or refused with a reason");
    return status != SB_OK;
}

/* Writes all permutations of n items in lexicographic order, n <= 4; returns their number. */
static size_t all_orders(size_t n, char order[CALCULATION_ORDERS][8])
{
    size_t count = 0;

    for (unsigned code = 0; code < 256; code++) {
        unsigned seen = 0;

        for (size_t i = 0; i < n; i++)
            seen |= 1U << (code >> 2 * (n - 1 - i) & 3);
        if (seen + 1 != 1U << n || code >> 2 * n)
            continue;
        for (size_t i = 0; i < n; i++)
            order[count][i] = (char)('1' + (code >> 2 * (n - 1 - i) & 3));
        order[count++][n] = '\0';
    }
    return count;
}

static void check_odds(struct fuzz *fuzz)
{
    const size_t n = 1 + fuzz_byte(fuzz) % 4;
    char scheme[CALCULATION_NAME] = "", order[CALCULATION_ORDERS][8];
    const char *permutations[CALCULATION_ORDERS];
    const size_t count = all_orders(n, order);
    struct sb_request options;
    struct sb_error error;
    struct sb_odds *odds;
    mpq_t sum, one;

    entry_scheme(fuzz, scheme, sizeof scheme);
    for (size_t i = 0; i < count; i++)
        permutations[i] = order[i];
    sb_request_init(&options, SB_REPORT);
    options.threads = 1;
    if (refused(sb_odds_new(scheme, permutations, count, &options, &error, &odds), &error))
        return;
    mpq_inits(sum, one, NULL);
    for (size_t i = 0; i < count; i++) {
        fuzz_check(mpq_set_str(one, odds->line[i].probability, 10) == 0, "a permutation has odds");
        fuzz_check(fabs(mpq_get_d(one) - odds->line[i].share) <= 1e-12 && mpq_sgn(one) >= 0, "a share is the odds");
        mpq_add(sum, sum, one);
    }
    fuzz_check(mpq_cmp_ui(sum, 1, 1) == 0, "odds add up to 1");
    mpq_clears(sum, one, NULL);
    CHECK_WRITTEN(sb_odds_result, odds)
    sb_odds_free(odds);
}

static void check_plan(struct fuzz *fuzz)
{
    char scheme[CALCULATION_NAME] = "";
    struct sb_aim aim;
    struct sb_request options;
    struct sb_error error;
    struct sb_plan *plan;

    aim = (struct sb_aim) { 0 };
    sb_request_init(&options, SB_REPORT);
    options.threads = 1;
    options.n = fuzz_byte(fuzz) % 7;
    options.deal = options.n ? fuzz_byte(fuzz) % (options.n + 1) : 0;
    options.samples = fuzz_byte(fuzz) % 2 ? fuzz_number(fuzz, 4) : 0;
    options.alpha = ldexp(1, -1 - (int)fuzz_byte(fuzz));
    aim.detect = fuzz_byte(fuzz) / 255.0;
    aim.power = (1 + fuzz_byte(fuzz)) / 257.0;
    if (fuzz_byte(fuzz) % 2) {
        entry_scheme(fuzz, scheme, sizeof scheme);
        aim.scheme = scheme;
        aim.detect = 0;
    }
    if (refused(sb_plan_new(&aim, &options, &error, &plan), &error))
        return;
    for (size_t i = 0; i < plan->count; i++) {
        const struct sb_plan_line line = plan->line[i];

        fuzz_check(!(line.total_variation < 0) && !(line.total_variation > 1), "total variation is in 0..1");
        fuzz_check(!(line.samples < 1) && !(line.power < 0) && !(line.power > 1), "a power is a probability");
        if (options.samples && line.samples <= (double)options.samples && strcmp(line.test, "known-alternative") != 0)
            fuzz_check(isnan(line.power) || line.power >= aim.power * (1 - 1e-6), "enough shuffles have the power");
    }
    CHECK_WRITTEN(sb_plan_result, plan)
    sb_plan_free(plan);
}

static void check_law(struct fuzz *fuzz)
{
    char statistic[CALCULATION_NAME] = "";
    struct sb_request options;
    struct sb_null_law *law;
    struct sb_error error;
    double sum = 0;

    entry_name(fuzz, "statistic", statistic, sizeof statistic);
    sb_request_init(&options, SB_REPORT);
    options.n = fuzz_byte(fuzz) % 2 ? 52 : fuzz_byte(fuzz) % 24;
    options.deal = options.n ? fuzz_byte(fuzz) % (options.n + 1) : 0;
    if (refused(sb_null_law_new(statistic, fuzz_byte(fuzz), &options, &error, &law), &error))
        return;
    for (size_t i = 0; i < law->count; i++) {
        fuzz_check(law->ln_p[i] <= 1e-12, "a probability is at most 1");
        fuzz_check(i == 0 || law->cell[i] > law->cell[i - 1], "cells are in order");
        sum += exp(law->ln_p[i]);
    }
    fuzz_check(fabs(sum - 1) <= 1e-9, "a law adds up to 1");
    CHECK_WRITTEN(sb_null_law_result, law)
    sb_null_law_free(law);
}

static void check_costs(struct fuzz *fuzz)
{
    char scheme[CALCULATION_NAME] = "";
    const char *const schemes[] = { scheme };
    struct sb_request options;
    struct sb_costs *costs;
    struct sb_error error;

    entry_scheme(fuzz, scheme, sizeof scheme);
    sb_request_init(&options, SB_REPORT);
    options.n = fuzz_byte(fuzz) % 20;
    options.deal = options.n ? fuzz_byte(fuzz) % (options.n + 1) : 0;
    options.samples = 1 + fuzz_byte(fuzz);
    if (refused(sb_costs_new(schemes, 1, &options, &error, &costs), &error))
        return;
    CHECK_WRITTEN(sb_costs_result, costs)
    sb_costs_free(costs);
}

static void part_calculation(struct fuzz *fuzz)
{
    static void (*const checks[])(struct fuzz *) = { check_odds, check_plan, check_law, check_costs };

    checks[fuzz_byte(fuzz) % (sizeof checks / sizeof checks[0])](fuzz);
}

FUZZ_TARGET(part_lesson, part_calculation)
