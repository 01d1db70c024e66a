/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the lesson on chi-square shows of fair shuffles. All of it is exact, up to rounding:
 *
 *   chi-square-level DOF ALPHA     the value that chi-square exceeds with probability ALPHA
 *   chi-square-bins DOF WIDTH N    the probabilities of the N intervals [0, WIDTH], [WIDTH, 2 WIDTH], ...
 *   peeks EVERY LOOKS ALPHA        how often a test that looks after each EVERY shuffles accuses a fair shuffle at one
 *                                  of its first 1, 2, ... LOOKS looks: by `p` below ALPHA, and by `e`, E of 1/ALPHA
 *
 * The peeks are at two cards. Shuffles of two cards are coins: after t of them, h decks are as they were. share[h] is
 * the probability of h, and that no look has accused the shuffle yet. Each shuffle moves half of it from h to h + 1,
 * and each look takes away the h that the test accuses. Cost: (EVERY LOOKS)^2/2 additions.
 */
#include "core/system.h"
#include "core/text.h"
#include "fit/sequential.h"
#include "lesson/lesson.h"

/* Whether the p-value is below the level, or E above its reciprocal, if `heads` of `total` decks are as they were. */
static bool peek_by_p(size_t heads, size_t total, const struct sb_power_test *level)
{
    const double excess = 2 * (double)heads - (double)total;

    return excess * excess / (double)total > level->critical; /* the sum of (count - total/2)^2/(total/2) */
}

static bool peek_by_e(size_t heads, size_t total, const struct sb_power_test *level)
{
    const uint64_t count[] = { heads, total - heads };
    const struct sb_tally tally = { .members = 1, .cells = 2, .total = total, .count = count };
    struct sb_e_value e;

    sb_e_process(&tally, &e);
    return e.ln_e >= -log(level->alpha);
}

/* One more shuffle, the `total`-th. */
static void peek_shuffle(double share[], size_t total)
{
    for (size_t heads = total; heads > 0; heads--)
        share[heads] = (share[heads] + share[heads - 1]) / 2;
    share[0] /= 2;
}

/* A look. Returns the share of shuffles that it accuses, and takes them away. */
static double peek_look(double share[], size_t total,
                        bool (*accuses)(size_t heads, size_t total, const struct sb_power_test *level),
                        const struct sb_power_test *level)
{
    double accused = 0;

    for (size_t h = 0; 2 * h < total && (share[h] == 0 || accuses(h, total, level)); h++) {
        accused += share[h] + share[total - h];
        share[h] = share[total - h] = 0;
    }
    return accused;
}

/* Adds a number to an array, which may be NULL; frees the array if memory runs out. */
static void chance_add(json_t **array, double number)
{
    if (json_array_append_new(*array, json_real(number)) == 0)
        return;
    json_decref(*array);
    *array = NULL;
}

static json_t *peek_all(size_t every, size_t looks, double alpha,
                        bool (*accuses)(size_t heads, size_t total, const struct sb_power_test *level))
{
    const struct sb_power_test level = sb_power_test(1, alpha);
    double *const share = calloc(every * looks + 1, sizeof *share), accused = 0;
    json_t *all = share ? json_array() : NULL;

    if (share)
        share[0] = 1;
    for (size_t total = 1; all && total <= every * looks; total++) {
        peek_shuffle(share, total);
        if (total % every)
            continue;
        accused += peek_look(share, total, accuses, &level);
        chance_add(&all, accused);
    }
    free(share);
    return all;
}

static json_t *chance_bins(double dof, double width, size_t count)
{
    json_t *bins = json_array();

    for (size_t i = 0; bins && i < count; i++)
        chance_add(&bins, sb_chisq_q(width * (double)i, dof) - sb_chisq_q(width * (double)(i + 1), dof));
    return bins;
}

bool sb_chance(const char *name, char **words, json_t **json)
{
    double number[3] = { 0 };

    for (size_t i = 0; i < 3; i++) {
        const char *const word = strtok_r(NULL, " ", words);

        number[i] = word ? sb_decimal_read(word) : 0;
    }
    const size_t first = (size_t)number[0], second = (size_t)number[1];

    if (strcmp(name, "chi-square-level") == 0)
        *json = json_real(sb_power_test(number[0], number[1]).critical);
    else if (strcmp(name, "chi-square-bins") == 0)
        *json = chance_bins(number[0], number[1], (size_t)number[2]);
    else
        *json = json_pack("{s: o, s: o}", "p", peek_all(first, second, number[2], peek_by_p), "e",
                          peek_all(first, second, number[2], peek_by_e));
    return *json;
}
