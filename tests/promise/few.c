/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports on a few fair shuffles, at alpha = 0.05 and 0.001: one list, five lists, and a table of which of ten cards
 * lay on top. The second report is only made if the first one calls the shuffle biased. At the smaller alpha the tests
 * are the same or fewer, each with the same p or half of it. So the corrected p is at most smaller by the number of
 * tests, times 2, and that is less than 0.05/0.001.
 */
#include "promise/promise.h"
#include "study/report/report_result.h"
#include "study/results.h"

#include <string.h>
#include <unistd.h>

struct few_setting {
    size_t n;
    uint64_t samples;
    bool table;     /* a matrix of single cards, from a file */
    bool no_orders; /* see laws.c */
};

static const double few_alpha[] = { 0.05, 0.001 };

static struct sb_reports *few_lists(const struct promise_case *one, uint64_t index, struct sb_request *options)
{
    const struct few_setting *const set = one->about;
    struct promise_random random = promise_seed(9, index);
    const struct sb_subject subject = {
        .name = "fair",
        .shuffle = promise_fair,
        .state = &random,
        .n = set->n,
    };
    struct sb_reports *reports;
    struct sb_error error;

    options->samples = set->samples;
    promise_no_orders = set->no_orders;
    promise_check(sb_reports_observe(&subject, options, &error, &reports), one, &error);
    promise_no_orders = false;
    return reports;
}

/* Writes the counts of cards. The largest count comes first, so that no line is the sum of the lines above. All cards
 * are alike for the tests. */
static void few_write(const char *path, const struct few_setting *set, uint64_t index)
{
    struct promise_random random = promise_seed(10, index);
    uint64_t count[64] = { 0 };
    FILE *const file = fopen(path, "w");
    size_t most = 0;

    for (uint64_t i = 0; i < set->samples; i++)
        count[promise_below(&random, set->n)]++;
    for (size_t i = 0; i < set->n; i++)
        most = count[i] > count[most] ? i : most;
    fprintf(file, "%llu\n", (unsigned long long)count[most]);
    for (size_t i = 0; i < set->n; i++)
        if (i != most)
            fprintf(file, "%llu\n", (unsigned long long)count[i]);
    fclose(file);
}

static struct sb_reports *few_table(const struct promise_case *one, uint64_t index, struct sb_request *options)
{
    char folder[64], path[96];
    struct sb_reports *reports;
    struct sb_error error;

    promise_folder(folder);
    snprintf(path, sizeof path, "%s/table", folder);
    few_write(path, one->about, index);
    options->deal = 1;
    promise_check(sb_reports_recorded(path, options, &error, &reports), one, &error);
    unlink(path);
    rmdir(folder);
    return reports;
}

static bool few_biased(const struct promise_case *one, uint64_t index, double alpha)
{
    const struct few_setting *const set = one->about;
    struct sb_request options;

    sb_request_init(&options, SB_REPORT);
    options.alpha = alpha;
    options.threads = 1;
    struct sb_reports *const reports = (set->table ? few_table : few_lists)(one, index, &options);
    const bool biased = strcmp(reports->report->verdict, "biased") == 0;

    sb_reports_free(reports);
    return biased;
}

static void few_trial(const struct promise_case *one, uint64_t index, double outcome[])
{
    outcome[0] = few_biased(one, index, few_alpha[0]);
    outcome[1] = outcome[0] > 0 && few_biased(one, index, few_alpha[1]);
}

#define FEW(...)                                                                                   \
    .line = { { .promise = "a fair shuffle is called biased, alpha = 0.05", .allowed = 0.05 },     \
              { .promise = "a fair shuffle is called biased, alpha = 0.001", .allowed = 0.001 } }, \
    .trial = few_trial, .about = &(const struct few_setting)                                       \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static const struct promise_case cases[] = {
    { "few-10", "one list of 10", 100000, 10, FEW(.n = 10, .samples = 1, .no_orders = true) },
    { "few-52", "one list of 52", 100000, 20, FEW(.n = 52, .samples = 1) },
    { "few-300", "one list of 300", 100000, 10, FEW(.n = 300, .samples = 1) },
    { "few-800", "one list of 800", 100000, 2, FEW(.n = 800, .samples = 1) },
    { "few-8-five", "five lists of 8", 100000, 20, FEW(.n = 8, .samples = 5) },
    { "few-52-thirty", "thirty lists of 52", 5000, 10, FEW(.n = 52, .samples = 30) },
    { "few-table", "a table of ten cards, 20 draws", 100000, 50, FEW(.n = 10, .samples = 20, .table = true) },
};

const struct promise_part promise_few = { .title = "Reports on few data",
                                          .count = sizeof cases / sizeof cases[0],
                                          .cases = cases };
