/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans a test with a tolerance: how often it fails by chance, and which bias it misses. Cost: bisections over binomial
 * tails. */
#include "core/text.h"
#include "study/results.h"

/* What the bisections look for. */
struct tolerance_state {
    struct sb_tolerance test;
    double p, counts, level; /* the fair probability of a cell, the number of counts, and a probability */
    bool over;
};

static bool tolerance_holds(const void *state, double share)
{
    const struct tolerance_state *const s = state;
    struct sb_tolerance test = s->test;

    sb_tolerance_set(share, test.total, &test);
    return s->counts * sb_tolerance_outside(&test, s->p) <= s->level;
}

static bool tolerance_sees(const void *state, double share)
{
    const struct tolerance_state *const s = state;

    return sb_tolerance_outside(&s->test, s->p * (s->over ? 1 + share : 1 - share)) >= s->level;
}

/* Whether a bias of this size may fail with more than the level, if all cells have it. */
static bool tolerance_fails(const void *state, double share)
{
    const struct tolerance_state *const s = state;
    const double over = sb_tolerance_outside(&s->test, fmin(1, s->p * (1 + share)));

    return s->counts * fmax(over, sb_tolerance_outside(&s->test, s->p * (1 - share))) > s->level;
}

/* Computes what holds for any shuffle. */
static enum sb_status tolerance_of_any(struct sb_plan *plan, const struct sb_tolerance *test)
{
    struct sb_plan_tolerance *const t = &plan->tolerance;
    struct tolerance_state state = { .test = *test, .p = 1 / test->cells, .counts = t->cells, .level = plan->alpha };
    const double z = sb_normal_upper(fmin(0.4, plan->alpha / (2 * t->cells)));

    t->expected = test->total / test->cells;
    t->least = test->low;
    t->most = test->high;
    t->cell_alarm = sb_tolerance_outside(test, state.p);
    t->tolerance_needed = sb_tolerance_bisect(tolerance_holds, &state, 0, test->cells);
    t->samples_needed = ceil(z * z * (1 / state.p - 1) / (t->tolerance * t->tolerance));
    state.level = 1 - plan->power;
    t->missed = tolerance_fails(&state, 0) ? NAN : sb_tolerance_bisect(tolerance_fails, &state, 0, 1);
    state.level = plan->power;
    t->seen_under = sb_tolerance_bisect(tolerance_sees, &state, 0, 1);
    state.over = true;
    t->seen_over = sb_tolerance_bisect(tolerance_sees, &state, 0, test->cells - 1);
    return sb_tolerance_alarm(test, &t->alarm_low, &t->alarm_high);
}

static int tolerance_compare(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;

    return (a > b) - (a < b);
}

/* Bounds the probability that a scheme fails, by its most conspicuous cell and by the sum over all cells. */
static void tolerance_of_cells(double share[], size_t count, const struct sb_tolerance *test,
                               struct sb_plan_tolerance *t)
{
    double sum = 0, most = 0, outside = 0;

    if (count)
        qsort(share, count, sizeof *share, tolerance_compare);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || share[i] > share[i - 1])
            outside = sb_tolerance_outside(test, share[i]);
        sum += outside;
        most = fmax(most, outside);
    }
    t->fails_low = most;
    t->fails_high = fmin(1, sum);
}

enum sb_status sb_plan_tolerance_law(struct sb_plan *plan, const struct sb_law *law, const struct sb_tolerance *test,
                                     struct sb_error *error)
{
    const bool rank = strcmp(plan->tolerance.statistic, "rank") == 0;
    struct sb_evidence evidence = { 0 };
    enum sb_status status = sb_engine_evidence(law, SB_COST_MINUTES, SB_PLAN_MATRIX_COST, error, &evidence);

    if (status)
        return status;
    const size_t count = rank ? evidence.cells : plan->n * plan->deal;
    double *const share = calloc(count + 1, sizeof *share);

    strcpy(plan->engine, evidence.engine);
    if (!share || (!rank && evidence.cells && sb_evidence_matrix(&evidence)))
        status = sb_error_memory(error, "a plan");
    else if (count == 0 || (!rank && evidence.matrix.form == SB_NUMBERS_NONE))
        status = sb_error_set(error, SB_TOO_LARGE,
                              "%s at `n = %zu`: the probabilities of %ss are not known: use a "
                              "smaller n or `deal`",
                              law->subject, plan->n, plan->tolerance.statistic);
    for (size_t i = 0; share && status == SB_OK && i < count; i++)
        share[i] = rank ? sb_evidence_share(&evidence, i)
                        : sb_evidence_matrix_share(&evidence, i / plan->deal, i % plan->deal);
    if (share && status == SB_OK)
        tolerance_of_cells(share, count, test, &plan->tolerance);
    free(share);
    sb_evidence_close(&evidence);
    return status;
}

/* Reads STATISTIC:T. */
static enum sb_status tolerance_read(struct sb_plan *plan, const char *text, struct sb_error *error)
{
    static const struct {
        const char *name, *statistic;
    } names[] = { { "position:", "position" }, { "rank:", "rank" }, { "order:", "rank" } };
    struct sb_plan_tolerance *const t = &plan->tolerance;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(text, names[i].name, strlen(names[i].name)) == 0 &&
            sb_decimal_whole(text + strlen(names[i].name), &t->tolerance) && t->tolerance > 0 && t->tolerance <= 1)
            t->statistic = names[i].statistic;
    if (!t->statistic)
        return sb_error_set(error, SB_INVALID,
                            "`tolerance` %.60s: write position:T or rank:T, with T above 0 and at most 1, as in "
                            "position:0.05",
                            text);
    if (!plan->samples)
        return sb_error_set(error, SB_INVALID,
                            "`tolerance` %.60s: say how many shuffles the test counts with `samples`", text);
    if (plan->n < 2)
        return sb_error_set(error, SB_INVALID, "`n = %zu` has only one order: use 2 items or more", plan->n);
    return SB_OK;
}

enum sb_status sb_plan_tolerance(struct sb_plan *plan, const char *text, struct sb_error *error,
                                 struct sb_tolerance *test)
{
    struct sb_plan_tolerance *const t = &plan->tolerance;
    const enum sb_status status = tolerance_read(plan, text, error);

    if (status)
        return status;
    *test = (struct sb_tolerance) { .columns = (double)plan->deal, .cells = (double)plan->n };
    if (t->statistic && strcmp(t->statistic, "rank") == 0) { /* `t->statistic`: for static analysers */
        test->columns = test->cells = 1;
        for (size_t i = 0; i < plan->deal; i++)
            test->cells *= (double)(plan->n - i);
    }
    if (!(test->cells < 1e300))
        return sb_error_set(error, SB_TOO_LARGE, "`n = %zu` has too many orders for a tolerance: use position",
                            plan->n);
    t->cells = test->columns * test->cells;
    sb_tolerance_set(t->tolerance, (double)plan->samples, test);
    return tolerance_of_any(plan, test) ? sb_error_memory(error, "a plan") : SB_OK;
}
