/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Computes how many shuffles it takes to show a bias. The bias is that of a scheme's exact law, or is given
 * by its size. */
#include "report/page.h"
#include "study/results.h"

/*
 * What a plan needs to know of a scheme's exact law p against an intended law q that is not uniform. With Pearson's
 * terms Y = e/sqrt(q), where e is the unit vector of an order, the mean of Y less that under q is M = (p - q)/sqrt(q),
 * and the covariance of Y is S = diag(p/q) - (p/sqrt(q)) (p/sqrt(q))'; struct sb_spread has |M|^2, tr S, tr S^2 and
 * M'SM. For the likelihood ratio, M'SM is the variance of ln(p/q). Cost: a pass over the orders.
 */

static void plan_fair_sums(const double p[], const double q[], size_t orders, struct sb_plan_fair *made)
{
    struct sb_sum variation = { 0 }, forbidden = { 0 }, effect = { 0 }, kl = { 0 }, ratio = { 0 }, square = { 0 };
    struct sb_sum second = { 0 }, third = { 0 }, slope = { 0 }, mean = { 0 }, ln_square = { 0 };

    for (size_t i = 0; i < orders; i++) {
        const double d = p[i] - q[i], r = q[i] > 0 ? p[i] / q[i] : 0, ln = r > 0 ? log(r) : 0;

        sb_sum_add(&variation, fabs(d) / 2);
        if (q[i] <= 0) {
            sb_sum_add(&forbidden, p[i]);
            continue;
        }
        made->possible++;
        made->least = fmin(made->least, q[i]);
        sb_sum_add(&effect, d * d / q[i]);
        sb_sum_add(&kl, p[i] * ln);
        sb_sum_add(&ln_square, p[i] * ln * ln);
        sb_sum_add(&ratio, r);
        sb_sum_add(&square, r * r);
        sb_sum_add(&second, p[i] * r);
        sb_sum_add(&third, p[i] * r * r);
        sb_sum_add(&mean, d * r);
        sb_sum_add(&slope, d * d * r / q[i]);
    }
    const double s2 = sb_sum_value(&second), m = sb_sum_value(&mean), dof = (double)made->possible - 1;

    made->total_variation = sb_sum_value(&variation);
    made->forbidden = sb_sum_value(&forbidden);
    made->kl = sb_sum_value(&kl);
    made->pearson = (struct sb_spread) {
        .effect = sb_sum_value(&effect),
        .noise = sb_sum_value(&ratio) - s2,
        .trace = sb_sum_value(&square) - 2 * sb_sum_value(&third) + s2 * s2,
        .slope = fmax(0, sb_sum_value(&slope) - m * m),
    };
    made->likelihood_ratio = (struct sb_spread) {
        .effect = 2 * made->kl,
        .noise = dof,
        .trace = dof,
        .slope = fmax(0, sb_sum_value(&ln_square) - made->kl * made->kl),
    };
}

enum sb_status sb_plan_fair(const char *scheme, const struct sb_request *options, struct sb_error *error,
                            struct sb_plan_fair *made, char **words)
{
    const size_t n = options->n;
    struct sb_fair *law = NULL, *fair = NULL;
    enum sb_status status = SB_OK;

    *made = (struct sb_plan_fair) { .least = 1 };
    if (n > SB_FAIR_LISTED_MOST || options->deal < n)
        status = sb_error_set(error, SB_TOO_LARGE,
                              "`fair`: a plan needs the probabilities of all orders of both laws: use n <= %d without "
                              "`deal`",
                              SB_FAIR_LISTED_MOST);
    if (status == SB_OK)
        status = sb_fair_new(options->fair, options, n, n, NULL, error, &fair);
    if (status == SB_OK)
        status = sb_fair_new(scheme, options, n, n, NULL, error, &law);
    if (status == SB_OK)
        plan_fair_sums(law->p, fair->p, fair->orders, made);
    if (status == SB_OK && made->total_variation < 1e-12) /* the rounding errors of 8! terms */
        status = sb_error_set(error, SB_INVALID, "no number of shuffles would show a bias: %s has the law `fair = %s`",
                              scheme, options->fair);
    if (status == SB_OK && !(*words = strdup(fair->words)))
        status = sb_error_memory(error, "a plan");
    sb_fair_free(law);
    sb_fair_free(fair);
    return status;
}

static void plan_json_whole(struct sb_json *json, const char *key, double x)
{
    if (x >= 0 && x < 9007199254740992.0 && x == floor(x))
        sb_json_integer(json, key, (uint64_t)x);
    else
        sb_json_real(json, key, x);
}

#define P(field) SB_MEMBER(struct sb_plan, field)
#define L(field) SB_MEMBER(struct sb_plan_line, field)

static const struct sb_member plan_terms[] = { P(alpha), P(power), P(detect), { .name = NULL } };
static const struct sb_member plan_test[] = { L(statistic), L(test), L(direction), { .name = NULL } };
static const struct sb_member plan_sizes[] = { L(total_variation), L(samples), L(effect), L(dof), { .name = NULL } };
#define T(field) SB_MEMBER(struct sb_plan_tolerance, field)

static const struct sb_member plan_tolerance[] = {
    T(statistic),  T(tolerance), T(cells),      T(expected),         T(least),          T(most),
    T(cell_alarm), T(alarm_low), T(alarm_high), T(tolerance_needed), T(samples_needed), T(seen_over),
    T(seen_under), T(missed),    T(fails_low),  T(fails_high),       { .name = NULL }
};
static const struct sb_member plan_numbers[] = { L(effect), L(dof),     L(expected_least),
                                                 L(power),  L(warning), { .name = NULL } };

/* Whether the power of this test is known for every number of shuffles. */
static bool plan_curved(const struct sb_plan_line *line)
{
    return line->effect > 0 && isfinite(line->samples) && strcmp(line->test, "known-alternative") != 0;
}

/* Computes the power of all tests for numbers of shuffles around those of the plan, equally far apart as logarithms. */
static void plan_curves(struct sb_plan *plan)
{
    double least = INFINITY, most = 0;

    for (size_t i = 0; i < plan->count; i++) {
        least = plan_curved(&plan->line[i]) ? fmin(least, fmax(plan->line[i].samples / 30, 1)) : least;
        most = plan_curved(&plan->line[i]) ? fmax(most, plan->line[i].samples * 3) : most;
    }
    for (size_t k = 0; k < SB_PLAN_POINTS && most > 0; k++) {
        const double total = round(least * pow(most / least, (double)k / (SB_PLAN_POINTS - 1)));

        if (plan->points == 0 || total > plan->point[plan->points - 1])
            plan->point[plan->points++] = total;
    }
    for (size_t i = 0; i < plan->count; i++) {
        const struct sb_plan_line *const line = &plan->line[i];
        const struct sb_power_test test = sb_power_test(isnan(line->dof) ? 1 : line->dof, plan->alpha);

        for (size_t k = 0; k < plan->points && plan_curved(line); k++)
            plan->curve[i][k] = isnan(line->dof) ? -expm1(plan->point[k] * log1p(-fmin(line->effect, 1)))
                                                 : sb_power_spread_at(&test, &plan->spread[i], plan->point[k]);
    }
}

static void plan_json(const void *result, struct sb_json *json)
{
    const struct sb_plan *const plan = result;

    sb_scheme_json(json, plan->named ? &plan->scheme : NULL, false);
    sb_json_integer(json, "n", plan->n);
    sb_json_integer(json, "deal", plan->deal);
    sb_json_string(json, "fair", plan->fair);
    sb_json_string(json, "engine", plan->named ? plan->engine : NULL);
    sb_json_members(json, plan_terms, plan);
    sb_json_known(json, "samples", plan->samples, plan->samples);
    sb_json_record(json, "tolerance", plan_tolerance, plan->tolerance.statistic ? &plan->tolerance : NULL);
    sb_json_reals(json, "curve_samples", plan->point, plan->points);
    sb_json_array(json, "tests", false);
    for (size_t i = 0; i < plan->count; i++) {
        sb_json_object(json, NULL);
        sb_json_members(json, plan_test, &plan->line[i]);
        sb_json_real(json, "total_variation", plan->line[i].total_variation);
        plan_json_whole(json, "samples", plan->line[i].samples);
        sb_json_members(json, plan_numbers, &plan->line[i]);
        sb_json_reals(json, "curve", plan->curve[i], plan_curved(&plan->line[i]) ? plan->points : 0);
        sb_json_close(json);
    }
    sb_json_close(json);
}

static void plan_page(const void *result, struct sb_page *page)
{
    sb_template_page("plan", &sb_plan_result, result, NULL, page);
}

static void plan_csv(const void *result, FILE *stream)
{
    const struct sb_plan *const plan = result;

    if (plan->tolerance.statistic) {
        fputs("scheme,n,deal,samples", stream);
        for (const struct sb_member *member = plan_tolerance; member->name; member++)
            fprintf(stream, ",%s", member->name);
        fprintf(stream, "\n%s,%zu,%zu,%llu,", plan->scheme.name, plan->n, plan->deal,
                (unsigned long long)plan->samples);
        sb_csv_members(plan_tolerance, &plan->tolerance, stream);
        fputc('\n', stream);
        return;
    }
    fputs("scheme,n,deal,statistic,test,direction,alpha,power,total_variation,samples,effect,dof\n", stream);
    for (size_t i = 0; i < plan->count; i++) {
        const struct sb_plan_line *const line = &plan->line[i];

        fprintf(stream, "%s,%zu,%zu,", plan->scheme.name, plan->n, plan->deal);
        sb_csv_members(plan_test, line, stream);
        fprintf(stream, ",%s,%s,", sb_number_full(plan->alpha).text,
                sb_number_full(isnan(line->power) ? plan->power : line->power).text);
        sb_csv_members(plan_sizes, line, stream);
        fputc('\n', stream);
    }
}

const struct sb_result_type sb_plan_result = {
    .what = "the plan",
    .of = "a plan",
    .schema = "shufflebias.plan/1",
    .page = plan_page,
    .title = "shufflebias plan",
    .json = plan_json,
    .csv = plan_csv,
};

static const double plan_power_standard = 0.9;
/* if an expected count is below this, chi-square is not a good approximation */
static const double plan_expected_least = 5;

/* If the total variation is at least this, the plan is only rough, because the law of the statistic differs too much
 * from a noncentral chi-square, even if its variance is right. Below this value, the power in experiments was at least
 * the planned power less 0.01, for all shuffles with n = 3, 4 and 5 (docs/plan.md). */
static const double plan_large = 0.2;

/* Below this total variation, the variance is that of the noncentral law, and doubles may not show how it differs. */
static const double plan_small = 1e-5;

enum { PLAN_SPREAD_MOST = 362880 }; /* 9!: the most deals over which the variance of the matrix is computed */

static const char plan_few[] = "expected counts below 5";
static const char plan_blind[] = "blind: the matrix is uniform";
static const char plan_even[] = "the matrix is uniform as far as doubles can tell";
static const char plan_none[] = "too few shuffles for any";
static const char plan_any[] = "any: the level is this high";
static const char plan_rough[] = "rough: not a small bias";

/* Adds `line`, which describes a chi-square test with line.dof degrees of freedom. `least` is the smallest probability
 * of a cell under a fair shuffle. `known` is the spread of the statistic; NULL: near that of a fair shuffle. */
static void plan_add(struct sb_plan *plan, struct sb_plan_line line, const struct sb_spread *known, double least)
{
    const struct sb_power_test test = sb_power_test(line.dof, plan->alpha);
    const struct sb_spread usual = { line.effect, line.dof, line.dof, line.effect, 1 },
                           *const spread = known && line.total_variation >= plan_small ? known : &usual;

    line.samples = sb_power_spread_shuffles(&test, plan->power, spread);
    line.power = plan->samples && line.effect > 0 ? sb_power_spread_at(&test, spread, (double)plan->samples) : NAN;
    line.expected_least = line.samples * least;
    if (line.effect == 0)
        line.warning = plan_blind;
    else if (line.expected_least < plan_expected_least)
        line.warning = plan_few;
    else if (line.total_variation >= plan_large)
        line.warning = plan_rough;
    plan->spread[plan->count] = *spread;
    plan->line[plan->count++] = line;
}

/* Adds the line for the test against a known alternative. This test needs no approximation, and therefore no
 * warning. */
static void plan_add_known(struct sb_plan *plan, double total_variation, double kl)
{
    plan->line[plan->count++] = (struct sb_plan_line) {
        .statistic = "rank",
        .test = "known-alternative",
        .total_variation = total_variation,
        .samples = sb_power_known(plan->alpha, kl),
        .effect = kl,
        .dof = NAN,
        .expected_least = NAN,
        .power = NAN,
    };
}

static enum sb_status plan_add_matrix(struct sb_plan *plan, const struct sb_evidence *evidence, double tv)
{
    const double n = (double)plan->n, k = (double)plan->deal;
    const struct sb_plan_line line = {
        .statistic = "position",
        .test = "matrix",
        .total_variation = tv,
        .effect = sb_power_matrix(evidence),
        .dof = (n - 1) * (k < n ? k : n - 1), /* if k < n, "not dealt" is an additional column */
    };
    const bool known = evidence->cells && evidence->cells <= PLAN_SPREAD_MOST;
    struct sb_spread spread;

    if (known && sb_law_spread_matrix(evidence, line.effect, &spread))
        return SB_NO_MEMORY;
    plan_add(plan, line, known ? &spread : NULL, 1 / n);
    if (line.effect == 0 && evidence->matrix.form == SB_NUMBERS_SHARE)
        plan->line[plan->count - 1].warning = plan_even;
    return SB_OK;
}

/* Adds the lines for an exact law. `effect` is NULL if only the matrix is known. SB_NO_MEMORY. */
static enum sb_status plan_of_law(struct sb_plan *plan, const struct sb_evidence *evidence,
                                  const struct sb_effect *effect)
{
    const double cells = (double)evidence->cells;
    const double tv = effect ? effect->total_variation : NAN, kl = effect ? effect->kl_bits * log(2) : NAN;
    struct sb_plan_line line = { .statistic = "rank", .total_variation = tv, .dof = cells - 1 };
    struct sb_spread spread;
    enum sb_status status = SB_OK;

    plan->known = effect;
    if (effect && evidence->cells) {
        line.test = "pearson";
        line.effect = effect->chi2_per_sample;
        spread = sb_law_spread_pearson(evidence, line.effect);
        plan_add(plan, line, &spread, 1 / cells);
        line.test = "likelihood-ratio";
        line.effect = 2 * kl;
        spread = sb_law_spread_likelihood_ratio(evidence, line.effect);
        plan_add(plan, line, &spread, 1 / cells);
    }
    if (evidence->matrix.form != SB_NUMBERS_NONE)
        status = plan_add_matrix(plan, evidence, tv);
    if (effect)
        plan_add_known(plan, tv, kl);
    return status;
}

/* Adds the lines for an exact law against an intended one. If the scheme may give what that forbids, the first such
 * order decides. */
static enum sb_status plan_of_fair(struct sb_plan *plan, const struct sb_request *options, struct sb_error *error)
{
    struct sb_plan_fair fair;
    const enum sb_status status = sb_plan_fair(plan->scheme.name, options, error, &fair, &plan->fair);
    struct sb_plan_line line = { .statistic = "rank", .total_variation = fair.total_variation, .dof = NAN };

    if (status)
        return status;
    plan->known = true;
    strcpy(plan->engine, "sum over all orders");
    if (fair.forbidden > 0) {
        line.test = "forbidden";
        line.samples = fmax(1, ceil(log1p(-plan->power) / log1p(-fmin(fair.forbidden, 1))));
        line.effect = fair.forbidden;
        line.expected_least = NAN;
        line.power = plan->samples ? -expm1((double)plan->samples * log1p(-fmin(fair.forbidden, 1))) : NAN;
        plan->line[plan->count++] = line;
        return SB_OK;
    }
    line.dof = (double)fair.possible - 1;
    line.test = "pearson";
    line.effect = fair.pearson.effect;
    plan_add(plan, line, &fair.pearson, fair.least);
    line.test = "likelihood-ratio";
    line.effect = fair.likelihood_ratio.effect;
    plan_add(plan, line, &fair.likelihood_ratio, fair.least);
    plan_add_known(plan, fair.total_variation, fair.kl);
    return SB_OK;
}

/* Returns an error if there is no bias to detect, or if the bias is unknown: doubles do not show a bias that is
 * smaller than their rounding errors. */
static enum sb_status plan_refuse_fair(const struct sb_law *law, const struct sb_evidence *evidence,
                                       const struct sb_effect *effect, struct sb_error *error)
{
    const bool proven = law->shuffler->shuffle.type->claim == SB_UNIFORM && !law->draw->type->law;
    const bool doubles = effect ? sb_effect_rounded(evidence, effect) : evidence->matrix.form == SB_NUMBERS_SHARE;
    const double rounding = /* the largest rounding error of a ratio */
        effect && doubles ? 2 * (evidence->error + DBL_EPSILON) : 0;

    if (effect ? effect->chi2_per_sample > rounding * rounding : sb_power_matrix(evidence) > 0)
        return SB_OK;
    if (proven || (effect && !doubles))
        return sb_error_set(error, SB_INVALID, "no number of shuffles would show a bias: %s is uniform at `n = %zu`",
                            law->subject, evidence->n);
    if (effect)
        return sb_error_set(
            error, SB_TOO_LARGE,
            "doubles show no bias of %s at `n = %zu`, but it may be too small for them: use a smaller n", law->subject,
            evidence->n);
    return sb_error_set(error, SB_TOO_LARGE,
                        "%s at `n = %zu` has a uniform matrix%s, and no more is known: use a smaller n or `deal`",
                        law->subject, evidence->n, doubles ? " as far as doubles can tell" : "");
}

/* Computes the effects of the law. Sets *known to whether the effects are known; if so, the caller closes *effect. */
static enum sb_status plan_effect(const struct sb_law *law, struct sb_evidence *evidence, struct sb_error *error,
                                  struct sb_effect *effect, bool *known)
{
    enum sb_status status = sb_engine_effect(law, error, evidence, effect, known);

    if (status == SB_TOO_LARGE && evidence->matrix.form != SB_NUMBERS_NONE)
        return SB_OK;
    if (status == SB_OK && !*known && evidence->cells) {
        status = sb_effect_of(evidence, effect);
        *known = status == SB_OK;
    }
    return status;
}

static enum sb_status plan_law(struct sb_plan *plan, const struct sb_law *law, struct sb_error *error)
{
    struct sb_evidence evidence = { 0 };
    struct sb_effect effect;
    bool known;
    enum sb_status status = sb_engine_evidence(law, SB_COST_MINUTES, SB_PLAN_MATRIX_COST, error, &evidence);

    if (status)
        return status;
    if (evidence.cells && sb_evidence_matrix(&evidence)) {
        sb_evidence_close(&evidence);
        return sb_error_memory(error, "a matrix");
    }
    status = plan_effect(law, &evidence, error, &effect, &known);
    strcpy(plan->engine, evidence.engine);
    if (status == SB_OK)
        status = plan_refuse_fair(law, &evidence, known ? &effect : NULL, error);
    if (status == SB_OK)
        status = plan_of_law(plan, &evidence, known ? &effect : NULL) ? sb_error_memory(error, "a plan") : SB_OK;
    if (known)
        sb_effect_close(&effect);
    sb_evidence_close(&evidence);
    return status;
}

/* `test` is the test with a tolerance, or NULL. */
static enum sb_status plan_of_scheme(struct sb_plan *plan, const char *text, const struct sb_request *options,
                                     const struct sb_tolerance *test, struct sb_error *error)
{
    struct sb_scheme *const scheme = &plan->scheme;
    struct sb_shuffler shuffler;
    enum sb_status status = sb_scheme_parse(text, options->draw, options->rng, error, scheme);

    if (status == SB_OK)
        status = sb_scheme_check(scheme, plan->n, plan->deal, error);
    if (status)
        return status;
    plan->named = true;
    if (options->fair)
        return plan_of_fair(plan, options, error);
    if (sb_shuffler_open(scheme->shuffle, plan->n, plan->deal, &shuffler))
        return sb_error_memory(error, "a plan");
    const struct sb_law law = sb_scheme_law(scheme, &shuffler, options);
    status = test ? sb_plan_tolerance_law(plan, &law, test, error) : plan_law(plan, &law, error);
    sb_shuffler_close(&shuffler);
    return status;
}

/* Adds the line for a bias of size plan->detect: the bias of this size that is hardest to detect, if `worst`
 * is true, or else a bias in a random direction. If no size is given, computes how large the bias must be for
 * plan->samples shuffles to show it. */
static void plan_add_direction(struct sb_plan *plan, bool worst)
{
    const double cells = (double)plan->cells;
    struct sb_plan_line line = {
        .statistic = "rank",
        .test = "pearson",
        .direction = worst ? "worst" : "typical",
        .total_variation = plan->detect,
        .dof = cells - 1,
    };

    if (isnan(plan->detect)) {
        const struct sb_power_test test = sb_power_test(line.dof, plan->alpha);
        const double seen = sb_power_noncentrality(&test, plan->power) / (double)plan->samples;

        line.total_variation = worst ? sb_power_worst_tv(seen, cells) : sb_power_typical_tv(seen, cells);
    }
    line.effect = worst ? sb_power_worst(line.total_variation, cells) : sb_power_typical(line.total_variation, cells);
    plan_add(plan, line, NULL, 1 / cells);
    if (isnan(plan->detect)) { /* sets the number of shuffles again, because rounding might have added 1 */
        struct sb_plan_line *const last = &plan->line[plan->count - 1];

        last->samples = (double)plan->samples;
        last->power = NAN;
        last->expected_least = last->samples / cells;
        if (isnan(last->total_variation))
            last->warning = plan_none;
        else if (last->total_variation == 0) /* the power is at most the level */
            last->warning = plan_any;
        else if (last->expected_least < plan_expected_least)
            last->warning = plan_few;
    }
}

static enum sb_status plan_of_size(struct sb_plan *plan, struct sb_error *error)
{
    const double most = 1 - 1 / (double)plan->cells;

    if (plan->cells == 0)
        return sb_error_set(error, SB_TOO_LARGE,
                            "`n = %zu` has too many orders to count one by one: use n <= 10 or `deal`", plan->n);
    if (plan->cells == 1)
        return sb_error_set(error, SB_INVALID, "no number of shuffles would show a bias: `n = %zu` has only one order",
                            plan->n);
    if (plan->detect > most)
        return sb_error_set(error, SB_INVALID, "a total variation of %g is too large: of %zu orders it is at most %g",
                            plan->detect, plan->cells, most);
    plan_add_direction(plan, true);
    plan_add_direction(plan, false);
    return SB_OK;
}

static enum sb_status plan_check(const struct sb_aim *aim, const struct sb_request *options, struct sb_error *error)
{
    if (!(aim->power >= 0 && aim->power < 1))
        return sb_error_set(error, SB_INVALID, "`power = %g` must lie between 0 and 1", aim->power);
    if (!(aim->detect >= 0 && aim->detect <= 1))
        return sb_error_set(error, SB_INVALID, "a total variation of %g must lie between 0 and 1", aim->detect);
    if (aim->scheme && aim->detect > 0)
        return sb_error_set(error, SB_INVALID, "`detect=%g`: %s has its own bias: leave one of them out", aim->detect,
                            aim->scheme);
    if (options->fair && (!aim->scheme || options->tolerance))
        return sb_error_set(error, SB_INVALID, "`fair = %.60s`: a plan is for a scheme that should have this law: %s",
                            options->fair, aim->scheme ? "leave `tolerance` out" : "name a scheme");
    if (options->fair && sb_fair_check(options, error))
        return SB_INVALID;
    if (options->tolerance && aim->detect > 0)
        return sb_error_set(error, SB_INVALID,
                            "`detect=%g`: `tolerance` says which bias it sees: leave one of them out", aim->detect);
    if (!aim->scheme && aim->detect == 0 && options->samples == 0 && !options->tolerance)
        return sb_error_set(
            error, SB_INVALID,
            "name a scheme, or the size of a bias with `detect`, or a number of shuffles with `samples`");
    return SB_OK;
}

enum sb_status sb_plan_new(const struct sb_aim *aim, const struct sb_request *options, struct sb_error *error,
                           struct sb_plan **plan)
{
    struct sb_tolerance test;
    struct sb_request settled;
    struct sb_plan *made;
    enum sb_status status = plan_check(aim, options, error);

    if (status == SB_OK)
        status = sb_options_settle(options, error, &settled);
    if (status)
        return status;
    made = calloc(1, sizeof *made);
    if (!made)
        return sb_error_memory(error, "a plan");
    made->n = settled.n;
    made->deal = settled.deal;
    made->cells = sb_cells(settled.n, settled.deal);
    made->alpha = settled.alpha;
    made->power = aim->power > 0 ? aim->power : plan_power_standard;
    made->detect = aim->detect > 0 ? aim->detect : NAN;
    /* not from `settled`, because 0 must stay 0 and not become the default of a report */
    made->samples = options->samples;
    made->tolerance.fails_low = made->tolerance.fails_high = NAN;
    if (options->tolerance)
        status = sb_plan_tolerance(made, options->tolerance, error, &test);
    if (status == SB_OK && aim->scheme)
        status = plan_of_scheme(made, aim->scheme, &settled, options->tolerance ? &test : NULL, error);
    else if (status == SB_OK && !options->tolerance)
        status = plan_of_size(made, error);
    if (status == SB_OK)
        plan_curves(made);
    if (status)
        sb_plan_free(made);
    else
        *plan = made;
    return status;
}

void sb_plan_free(struct sb_plan *plan)
{
    if (plan)
        free(plan->fair);
    free(plan);
}
