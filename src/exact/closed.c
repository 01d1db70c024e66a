/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact laws in closed form, by formulas instead of enumeration. For decks of 52 cards and more, this engine
 * gives effects, but not the probability of each deal. There are two forms. The first is riffles and sorts by
 * keys (closed_piles.c). The second is shuffles whose draws map one to one onto their deals: Fisher-Yates in all its
 * forms.
 *
 * Suppose that a shuffle is fair if its draws are uniform. Also suppose that a deal of k takes exactly one
 * draw for each of the bounds n-k+1 .. n. Then there are as many series of draws as deals. If the draws are
 * uniform, all series are equally likely, and so are all deals; so each deal has exactly one series. If the
 * draws are not uniform, let the ratio of a deal or of an answer be its probability divided by the uniform
 * probability. The ratio of a deal is the product of the ratios of its answers, and the draws are
 * independent. So the Kullback-Leibler divergence is the sum of the divergences of the draws. Chi-square per
 * shuffle, c, follows from the chi-square c_i of each draw: 1 + c is the product of all 1 + c_i. The most and
 * the least likely deal follow from the most and the least likely answer of each draw. Total variation is
 * computed in closed_product.c. Cost: n^2/2 steps for the laws of all draws, and the cost of total variation.
 */
#include "exact/engine.h"

enum { DRAWS_MOST = 20000 }; /* the largest n if the draws are not uniform; the cost is quadratic */

/* Answers each draw with a fixed answer, which depends only on the bound of the draw. */
struct draws_source {
    struct sb_source src;
    size_t n;
    const uint32_t *answer; /* [n + 1] fixed answer for each bound */
    uint8_t *met;           /* [n + 1] whether there has been a draw below this bound */
    bool odd;               /* whether the shuffle asked for an unexpected draw */
};

static uint32_t draws_choose(struct sb_source *src, uint32_t bound)
{
    struct draws_source *const source = (struct draws_source *)src;

    if (bound > source->n || source->met[bound]) {
        source->odd = true;
        /* this status ends shuffles that might loop indefinitely */
        src->status = SB_BROKEN;
        return 0;
    }
    source->met[bound] = 1;
    return source->answer[bound];
}

static uint64_t draws_bits(struct sb_source *src, unsigned bits)
{
    ((struct draws_source *)src)->odd = true;
    src->status = SB_BROKEN;
    return 0;
}

static void draws_again(struct sb_source *src)
{
    (void)draws_bits(src, 1);
}

static size_t draws_first(const struct sb_shuffler *shuffler)
{
    const size_t first = shuffler->n - shuffler->deal + 1;

    return first > 2 ? first : 2;
}

/* Runs the shuffle with answer[] as the answers. The result is deck->a. Sets *has to whether the shuffle made
 * exactly the expected draws. SB_NO_MEMORY. */
static enum sb_status draws_run(const struct sb_shuffler *shuffler, const uint32_t answer[], struct sb_deck *deck,
                                bool *has)
{
    struct draws_source source = {
        .src = { .choose = draws_choose, .bits = draws_bits, .again = draws_again },
        .n = shuffler->n,
        .answer = answer,
        .met = calloc(shuffler->n + 1, 1),
    };
    const size_t first = draws_first(shuffler);

    if (!source.met)
        return SB_NO_MEMORY;
    sb_shuffler_run(shuffler, deck, &source.src);
    for (size_t bound = 2; bound <= shuffler->n; bound++)
        source.odd = source.odd || source.met[bound] != (bound >= first);
    free(source.met);
    *has = !source.odd;
    return SB_OK;
}

/* Tests that the shuffle makes the expected draws if all answers are 0, if all are in the middle, and if all
 * are the largest. */
enum sb_status sb_draws_has(const struct sb_law *law, bool *has)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    uint32_t *const answer = calloc(shuffler->n + 1, sizeof *answer);
    struct sb_deck deck;
    const bool uniform = !law->draw || !law->draw->type->law;
    enum sb_status status = SB_OK;
    bool alike =
        shuffler->shuffle.type->claim == SB_UNIFORM && shuffler->n > 1 && (uniform || shuffler->n <= DRAWS_MOST);

    if (!answer || sb_deck_open(shuffler->n, shuffler->deal, &deck)) {
        free(answer);
        return SB_NO_MEMORY;
    }
    for (uint32_t kind = 0; kind < 3 && alike && status == SB_OK; kind++) {
        for (uint32_t bound = 2; bound <= shuffler->n; bound++)
            answer[bound] = (bound - 1) / 2 * kind + (bound - 1) % 2 * (kind / 2);
        status = draws_run(shuffler, answer, &deck, &alike);
    }
    sb_deck_close(&deck);
    free(answer);
    *has = alike;
    return status;
}

/* The results for the draws so far. Draws are added one after the other. */
struct draws {
    const struct sb_law *law;
    uint64_t *mass;           /* [n + 1] scratch: the number of words for each answer of a draw; owned */
    uint32_t *best, *worst;   /* [n + 1] the most and the least likely answer for each bound; owned */
    struct sb_factor *factor; /* [factors] the factors of the draws that are not uniform; owned */
    size_t factors;
    double ln_max, ln_min; /* ln of the largest and of the smallest ratio; ln_min may be -HUGE_VAL */
    struct sb_sum nats, ln_square;
    /* Three numbers of deals: those whose answers are all most likely, those whose answers are all least
     * likely, and those whose answers are all possible. UINT64_MAX if a number does not fit. */
    uint64_t most, least, possible;
};

static void draws_close(struct draws *draws)
{
    free(draws->mass);
    free(draws->best);
    free(draws->worst);
    free(draws->factor);
}

static enum sb_status draws_open(const struct sb_law *law, struct draws *draws)
{
    const size_t n = law->shuffler->n;

    *draws = (struct draws) {
        .law = law,
        .mass = calloc(n + 1, sizeof *draws->mass),
        .best = calloc(n + 1, sizeof *draws->best),
        .worst = calloc(n + 1, sizeof *draws->worst),
        .factor = calloc(n + 1, sizeof *draws->factor),
        .most = 1,
        .least = 1,
        .possible = 1,
    };
    if (draws->mass && draws->best && draws->worst && draws->factor)
        return SB_OK;
    draws_close(draws);
    return SB_NO_MEMORY;
}

/* Multiplies *total by count. Sets *total to UINT64_MAX if the product does not fit. */
static void draws_times(uint64_t *total, uint64_t count)
{
    if (*total == UINT64_MAX || __builtin_mul_overflow(*total, count, total))
        *total = UINT64_MAX;
}

/* Multiplies the numbers of deals by the numbers of answers of the draw below `bound`. Compares whole numbers of
 * words, because deviations that differ may be equal as doubles. */
static void draws_number(struct draws *draws, uint32_t bound)
{
    const uint64_t most = draws->mass[draws->best[bound]], least = draws->mass[draws->worst[bound]];
    uint32_t likely = 0, rare = 0, possible = 0;

    for (uint32_t j = 0; j < bound; j++) {
        likely += draws->mass[j] == most;
        rare += draws->mass[j] == least;
        possible += draws->mass[j] > 0;
    }
    draws_times(&draws->most, likely);
    draws_times(&draws->least, rare);
    draws_times(&draws->possible, possible);
}

/* Inserts the deviation of one answer in ascending order. Returns false if the factor is full. */
static bool draws_enter(struct sb_factor *factor, double deviation)
{
    size_t place = factor->count;

    while (place > 0 && factor->atom[place - 1].deviation > deviation)
        place--;
    if (place > 0 && factor->atom[place - 1].deviation == deviation) {
        factor->atom[place - 1].weight++;
        return true;
    }
    if (factor->count == SB_FACTOR_VALUES)
        return false;
    for (size_t i = factor->count++; i > place; i--)
        factor->atom[i] = factor->atom[i - 1];
    factor->atom[place] = (struct sb_atom) { deviation, 1 };
    return true;
}

/* Computes the factor of the draw below `bound`: each deviation from uniform, with the number of answers that
 * have this deviation. Also sets the most and the least likely answer of this draw, and multiplies the numbers of
 * deals. Returns false if the factor is full. */
static bool draws_factor(struct draws *draws, uint32_t bound, struct sb_factor *factor)
{
    const struct sb_draw *const draw = draws->law->draw;
    const sb_wide span = sb_wide_add(sb_wide_from(draws->law->largest), sb_wide_from(1));

    const uint32_t rest = sb_draw_wide(draw) ? sb_modulo_rest(draw->width, bound) : 0;

    draw->type->law(draw, draws->law->largest, bound, draws->mass);
    for (uint32_t j = 0; j < bound && sb_draw_wide(draw); j++)
        draws->mass[j] = 1 + (j < rest); /* which answer has more words than which; the numbers do not fit */
    factor->count = 0;
    for (uint32_t j = 0; j < bound; j++) {
        const uint64_t mass = draws->mass[j];
        const double deviation = sb_draw_wide(draw)
                                     ? ldexp(j < rest ? bound - rest : -(double)rest, -(int)draw->width)
                                     : sb_wide_difference(sb_wide_product(mass, bound), span) / sb_wide_double(span);

        if (mass > draws->mass[draws->best[bound]])
            draws->best[bound] = j;
        if (mass < draws->mass[draws->worst[bound]])
            draws->worst[bound] = j;
        if (j > 0 && mass == draws->mass[j - 1] && factor->count == 1)
            factor->atom[0].weight++;
        else if (!draws_enter(factor, deviation))
            return false;
    }
    draws_number(draws, bound);
    return true;
}

static void draws_add(struct draws *draws, uint32_t bound, struct sb_factor *factor)
{
    struct sb_atom *const atom = factor->atom, *const last = &atom[factor->count - 1];
    double nats = 0, square = 0;

    if (factor->count == 1)
        return;
    for (size_t v = 0; v < factor->count; v++) {
        atom[v].weight /= bound;
        nats += atom[v].weight * sb_closed_divergence(atom[v].deviation);
        square += atom[v].weight * atom[v].deviation * atom[v].deviation;
    }
    sb_sum_add(&draws->nats, nats);
    sb_sum_add(&draws->ln_square, log1p(square));
    draws->ln_max += log1p(last->deviation);
    draws->ln_min += log1p(atom->deviation);
    draws->factors++; /* `factor` is the next element of draws->factor */
}

static enum sb_status draws_scan(struct draws *draws)
{
    const struct sb_law *const law = draws->law;
    const size_t n = law->shuffler->n;

    for (size_t bound = draws_first(law->shuffler); bound <= n; bound++) {
        struct sb_factor *const factor = &draws->factor[draws->factors];

        if (sb_law_stopped(law))
            return SB_STOPPED;
        if (!law->draw || !law->draw->type->law) {
            draws_times(&draws->most, bound);
            draws_times(&draws->least, bound);
            draws_times(&draws->possible, bound);
            continue;
        }
        if (!draws_factor(draws, (uint32_t)bound, factor))
            return SB_TOO_LARGE;
        draws_add(draws, (uint32_t)bound, factor);
    }
    /* if there are impossible answers, the least likely deals are those with an impossible answer */
    if (draws->ln_min == -HUGE_VAL) {
        const uint64_t deals = sb_deals(n, law->shuffler->deal);

        draws->least = deals == UINT64_MAX ? UINT64_MAX : deals - draws->possible;
    }
    return SB_OK;
}

static sb_item *draws_deal(const struct sb_shuffler *shuffler, const uint32_t answer[])
{
    sb_item *const items = calloc(shuffler->deal + 1, sizeof *items);
    struct sb_deck deck;
    bool has;

    if (!items || sb_deck_open(shuffler->n, shuffler->deal, &deck)) {
        free(items);
        return NULL;
    }
    const enum sb_status status = draws_run(shuffler, answer, &deck, &has);
    for (size_t j = 0; j < shuffler->deal; j++)
        items[j] = deck.a[j];
    sb_deck_close(&deck);
    if (status == SB_OK)
        return items;
    free(items);
    return NULL;
}

static enum sb_status draws_conclude(struct draws *draws, struct sb_effect *effect)
{
    const struct sb_shuffler *const shuffler = draws->law->shuffler;
    struct sb_bracket bracket = { 0, 0 };
    struct sb_effect made = sb_closed_effect;
    const enum sb_status status =
        draws->factors ? sb_product_variation(draws->factor, draws->factors, draws->law, &bracket) : SB_OK;

    if (status)
        return status;
    mpq_init(made.total_variation_exact);
    mpq_set_si(made.total_variation_exact, draws->factors ? -1 : 0, 1);
    made.total_variation = bracket.low + (bracket.high - bracket.low) / 2;
    made.total_variation_error = fmax(0, (bracket.high - bracket.low) / 2);
    made.kl_bits = sb_sum_value(&draws->nats) / 0.69314718055994530942;
    made.chi2_per_sample = expm1(sb_sum_value(&draws->ln_square));
    made.max_excess = expm1(draws->ln_max);
    made.min_excess = expm1(draws->ln_min);
    made.max_ratio = 1 + made.max_excess;
    made.min_ratio = sb_closed_ratio(made.min_excess, draws->ln_min);
    made.most_total = draws->most < SIZE_MAX ? (size_t)draws->most : SIZE_MAX;
    made.least_total = draws->least < SIZE_MAX ? (size_t)draws->least : SIZE_MAX;
    made.most_deal = draws_deal(shuffler, draws->best);
    made.least_deal = draws_deal(shuffler, draws->worst);
    if (!made.most_deal || !made.least_deal) {
        sb_effect_close(&made);
        return SB_NO_MEMORY;
    }
    *effect = made;
    return SB_OK;
}

/* Computes the effects of the law; the caller closes the effects. SB_TOO_LARGE: the answers of a draw have
 * too many different probabilities. SB_NO_MEMORY. SB_STOPPED. */
static enum sb_status draws_effect(const struct sb_law *law, struct sb_effect *effect)
{
    struct draws draws;
    enum sb_status status = draws_open(law, &draws);

    if (status)
        return status;
    status = draws_scan(&draws);
    if (status == SB_OK)
        status = draws_conclude(&draws, effect);
    draws_close(&draws);
    return status;
}

/* ---- the engine ---- */

/* The cost of the law is negligible. Finding out whether the law has a closed form costs a few shuffles. */
static double closed_cost(const struct sb_law *law, enum sb_engine_task task)
{
    const struct sb_shuffler *const shuffler = law->shuffler;
    bool has = sb_piles_has(law);

    if (task == SB_TASK_LAW)
        return has && sb_piles_countable(law) ? 0 : HUGE_VAL;
    if (task != SB_TASK_EFFECT || (has && shuffler->deal < shuffler->n))
        return HUGE_VAL; /* sb_piles_effect() is for whole permutations */
    if (!has && sb_draws_has(law, &has))
        return NAN;
    return has ? 0 : HUGE_VAL;
}

static enum sb_status closed_fail(const struct sb_law *law, enum sb_status status, struct sb_error *error)
{
    if (status == SB_NO_MEMORY)
        return sb_error_memory(error, "the exact law");
    return sb_error_set(error, status, "%s: the exact law could not be had in closed form",
                        law->shuffler->shuffle.type->name);
}

static enum sb_status closed_law(const struct sb_law *law, struct sb_error *error, struct sb_evidence *evidence)
{
    struct sb_evidence made = { 0 };
    enum sb_status status = sb_evidence_open(SB_BY_EXACT, law->shuffler->n, law->shuffler->deal, &made);

    if (status == SB_OK)
        status = sb_piles_counts(law, &made);
    if (status) {
        sb_evidence_close(&made);
        return closed_fail(law, status, error);
    }
    *evidence = made;
    return SB_OK;
}

static enum sb_status closed_effect(const struct sb_law *law, struct sb_error *error, struct sb_effect *effect)
{
    const enum sb_status status = sb_piles_has(law) ? sb_piles_effect(law, effect) : draws_effect(law, effect);

    return status ? closed_fail(law, status, error) : SB_OK;
}

const struct sb_engine_type sb_engine_closed = {
    .name = "closed form",
    .cost = closed_cost,
    .law = closed_law,
    .effect = closed_effect,
};
