/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the item-by-position matrix of a shuffle that has the method `origin` (see shuffle/shuffle.h), which says
 * where a single item comes from. Each step has a matrix T, where T_qr is the probability that position q gets its item
 * from position r. The step turns the row p of an item into p'_q = sum_r T_qr p_r.
 *
 * A source tries all answers to the step's questions about one position, like an odometer. A question asks for one
 * draw, or for one number about many draws (enum sb_many). Suppose that each of m draws below a bound uses one of S
 * words. Let a be the number of words that give the answer 0, and let b = S - a be the number of all other words. Of
 * all S^m series of words, C(m,k) a^k b^(m-k) series have exactly k draws that are 0. In b^k a S^(m-k-1) series,
 * exactly k draws come before the first 0, for each k < m. In b^m series, no draw is 0. These numbers are the weights
 * of the answers. They are kept as long as the same question comes at the same depth.
 *
 * In doubles, a sum of m non-negative terms has a relative error of (m - 1)u, u = 2^-53. So the error bound
 * of a step is the sum of three parts: u for each series of answers, 6u for each question in the longest
 * series, and (n + 1)u for the product with p. The first two parts differ from position to position; the code
 * takes the position for which their sum is largest. These bounds leave room for the squares of u.
 *
 * Cost of a step: at most n^3 / 4 series of answers for all positions together, and n products for each entry
 * of T that is not 0. Memory: three matrices.
 */
#include "exact/engine.h"

/* ---- the answers to questions ---- */

enum { ORIGINS_DEPTH = 64 }; /* the largest number of questions in a series */

/* One question and its current answer. */
struct origin_question {
    int what; /* enum sb_many, or -1 for a single draw */
    uint32_t bound;
    size_t draws;
    size_t answers, answer;
    size_t room;   /* capacity of the arrays below */
    mpz_t *weight; /* [room] weight of each answer; owned */
    double *share; /* [room] weight / total of each answer, with a relative error up to 5 * 2^-53; owned */
    mpz_t total;   /* sum of the weights */
};

struct origins {
    struct sb_source src; /* must be the first member: a shuffle sees only this member */
    const struct sb_law *law;
    uint64_t *word; /* [word_room] the weights of the answers to a single draw; owned */
    size_t word_room;
    struct origin_question question[ORIGINS_DEPTH];
    size_t length, depth; /* number of questions in the series, and how many of them this call has answered */
    bool begun;
};

enum { ORIGINS_SINGLE = -1 };

static enum sb_status origins_grow(struct origin_question *question, size_t answers)
{
    if (answers <= question->room)
        return SB_OK;
    mpz_t *const weight = realloc(question->weight, answers * sizeof *weight);
    if (weight)
        question->weight = weight;
    double *const share = realloc(question->share, answers * sizeof *share);
    if (share)
        question->share = share;
    if (!weight || !share)
        return SB_NO_MEMORY;
    for (size_t k = question->room; k < answers; k++)
        mpz_init(weight[k]);
    question->room = answers;
    return SB_OK;
}

/* Sets origins->word to the weights of the answers to a single draw, and `total` to the sum of these weights. */
static enum sb_status origins_words(struct origins *origins, uint32_t bound, mpz_t total)
{
    if (bound > origins->word_room) {
        uint64_t *const word = realloc(origins->word, bound * sizeof *word);

        if (!word)
            return SB_NO_MEMORY;
        origins->word = word;
        origins->word_room = bound;
    }
    sb_mpz_set_u64(total, sb_weights_get(origins->law, bound, origins->word));
    mpz_add_ui(total, total, 1);
    return SB_OK;
}

/* Computes the weights of a question about many draws; a, b, m and S are as above. Before the call, question->total is
 * the sum of the weights for one draw. The function sets question->total to the sum for all draws. */
static void origins_many(struct origin_question *question, uint64_t zeros)
{
    const bool run = question->what == SB_RUN;
    const size_t m = question->draws;
    mpz_t a, b, power;

    mpz_inits(a, b, power, NULL);
    sb_mpz_set_u64(a, zeros);
    mpz_sub(b, question->total, a);
    mpz_set_ui(power, 1);
    /* first part of the weight: b^k a for a run, or C(m,k) a^k for zeros */
    for (size_t k = 0; k <= m; k++) {
        if (!run)
            mpz_bin_uiui(question->weight[k], m, k);
        else if (k < m)
            mpz_set(question->weight[k], a);
        else
            mpz_set_ui(question->weight[k], 1);
        mpz_mul(question->weight[k], question->weight[k], power);
        mpz_mul(power, power, run ? b : a);
    }
    mpz_set_ui(power, 1);
    for (size_t k = m; k-- > 0;) { /* second part: S^(m-k-1) for a run, or b^(m-k) for zeros */
        if (!run)
            mpz_mul(power, power, b);
        mpz_mul(question->weight[k], question->weight[k], power);
        if (run)
            mpz_mul(power, power, question->total);
    }
    mpz_pow_ui(question->total, question->total, m);
    mpz_clears(a, b, power, NULL);
}

static double origins_ratio(const mpz_t a, const mpz_t b)
{
    long a_exponent, b_exponent;
    const double a_part = mpz_get_d_2exp(&a_exponent, a), b_part = mpz_get_d_2exp(&b_exponent, b);

    return ldexp(a_part / b_part, (int)(a_exponent - b_exponent));
}

static enum sb_status origins_ask(struct origins *origins, struct origin_question *question, int what, uint32_t bound,
                                  size_t draws)
{
    const size_t answers = what == ORIGINS_SINGLE ? bound : draws + 1;

    question->answer = 0;
    if (question->answers && question->what == what && question->bound == bound && question->draws == draws)
        return SB_OK;
    question->answers = 0;
    if (origins_grow(question, answers) || origins_words(origins, bound, question->total))
        return SB_NO_MEMORY;
    question->what = what;
    question->bound = bound;
    question->draws = draws;
    if (what != ORIGINS_SINGLE)
        origins_many(question, origins->word[0]);
    question->answers = answers;
    for (size_t k = 0; k < answers; k++) {
        if (what == ORIGINS_SINGLE)
            sb_mpz_set_u64(question->weight[k], origins->word[k]);
        question->share[k] = origins_ratio(question->weight[k], question->total);
    }
    return SB_OK;
}

/* Returns the current answer to a question of the series, or the first answer to a new question. */
static size_t origins_answer(struct origins *origins, int what, uint32_t bound, size_t draws)
{
    struct origin_question *const question = &origins->question[origins->depth];

    if (origins->src.status == SB_OK && origins->depth == ORIGINS_DEPTH)
        origins->src.status = SB_BROKEN;
    if (origins->src.status == SB_OK && origins->depth == origins->length) {
        origins->src.status = origins_ask(origins, question, what, bound, draws);
        origins->length++;
    }
    if (origins->src.status)
        return 0;
    origins->depth++;
    return question->answer;
}

static uint32_t origins_choose(struct sb_source *self, uint32_t bound)
{
    return (uint32_t)origins_answer((struct origins *)self, ORIGINS_SINGLE, bound, 1);
}

static size_t origins_choose_many(struct sb_source *self, enum sb_many what, uint32_t bound, size_t count)
{
    return origins_answer((struct origins *)self, (int)what, bound, count);
}

static void origins_open(const struct sb_law *law, struct origins *origins)
{
    *origins = (struct origins) {
        .src = { .choose = origins_choose, .many = origins_choose_many },
        .law = law,
    };
    for (size_t d = 0; d < ORIGINS_DEPTH; d++)
        mpz_init(origins->question[d].total);
}

static void origins_close(struct origins *origins)
{
    for (size_t d = 0; d < ORIGINS_DEPTH; d++) {
        struct origin_question *const question = &origins->question[d];

        for (size_t k = 0; k < question->room; k++)
            mpz_clear(question->weight[k]);
        mpz_clear(question->total);
        free(question->weight);
        free(question->share);
    }
    free(origins->word);
}

static size_t origins_steps(const struct sb_shuffler *shuffler)
{
    const struct sb_shuffle *const shuffle = &shuffler->shuffle;

    if (shuffler->n < 2)
        return 0;
    return shuffle->type->steps ? shuffle->type->steps(shuffle, shuffler->n) : shuffler->n;
}

static bool origins_advance(struct origins *origins)
{
    while (origins->length > 0) {
        struct origin_question *const last = &origins->question[origins->length - 1];

        if (++last->answer < last->answers)
            return true;
        origins->length--;
    }
    return false;
}

/* Moves to the next series of answers about this step and this position, and sets *from to the position where
 * the item came from. Returns false after the last series; the next call may then be about another position.
 * Also returns false after an error, which is in src.status. */
static bool origins_next(struct origins *origins, size_t step, size_t position, size_t *from)
{
    const struct sb_shuffler *const shuffler = origins->law->shuffler;

    origins->begun = origins->begun ? origins_advance(origins) : true;
    if (!origins->begun || origins->src.status)
        return false;
    origins->depth = 0;
    *from = shuffler->shuffle.type->origin(&shuffler->shuffle, shuffler->n, step, position, &origins->src);
    return origins->src.status == SB_OK;
}

/* Sets `weight` and `total`, so that weight / total is the probability of the current series. */
static void origins_weigh(const struct origins *origins, mpz_t weight, mpz_t total)
{
    mpz_set_ui(weight, 1);
    mpz_set_ui(total, 1);
    for (size_t d = 0; d < origins->length; d++) {
        const struct origin_question *const question = &origins->question[d];

        mpz_mul(weight, weight, question->weight[question->answer]);
        mpz_mul(total, total, question->total);
    }
}

/* Returns the probability of the current series as a double, with a relative error of 6u or less for each
 * question, where u = 2^-53. */
static double origins_share(const struct origins *origins)
{
    double share = 1;

    for (size_t d = 0; d < origins->length; d++)
        share *= origins->question[d].share[origins->question[d].answer];
    return share;
}

/* ---- the matrix ---- */

/* Computes the matrix of one step, as counts [q * n + r] over one denominator. Starts with the last
 * positions, which have the most answers, so that the denominator reaches its final size early. */
static enum sb_status origins_step_integers(struct origins *origins, size_t step, struct sb_evidence *made)
{
    const size_t n = origins->law->shuffler->n;
    mpz_t weight, total;
    size_t from;

    mpz_inits(weight, total, NULL);
    sb_exact_clear(made);
    for (size_t q = n; q-- > 0 && !sb_law_stopped(origins->law);)
        while (origins_next(origins, step, q, &from)) {
            origins_weigh(origins, weight, total);
            sb_exact_add_wide(made, q * n + from, weight, total);
        }
    mpz_clears(weight, total, NULL);
    return origins->src.status;
}

/* Computes next = T * now, a product of matrices. Rows are positions, and columns are items. */
static void origins_multiply_integers(const struct sb_law *law, mpz_t step[], mpz_t now[], mpz_t next[])
{
    const size_t n = law->shuffler->n;

    for (size_t c = 0; c < n * n; c++)
        mpz_set_ui(next[c], 0);
    for (size_t q = 0; q < n && !sb_law_stopped(law); q++)
        for (size_t r = 0; r < n; r++)
            for (size_t i = 0; i < n && mpz_sgn(step[q * n + r]) != 0; i++)
                mpz_addmul(next[q * n + i], step[q * n + r], now[r * n + i]);
}

/* Applies all steps to the identity, which is in *now. After each step, *now and *next are exchanged. */
static enum sb_status origins_run_integers(struct origins *origins, struct sb_evidence *step, mpz_t **now, mpz_t **next,
                                           mpz_t denominator)
{
    const struct sb_law *const law = origins->law;
    const size_t steps = origins_steps(law->shuffler);
    enum sb_status status = SB_OK;

    for (size_t k = 0; k < steps && status == SB_OK; k++) {
        if (sb_law_pause(law, k, steps))
            return SB_STOPPED;
        status = origins_step_integers(origins, k, step);
        if (status == SB_OK)
            origins_multiply_integers(law, step->counts.wide, *now, *next);
        mpz_mul(denominator, denominator, step->denominator);
        mpz_t *const old = *now;
        *now = *next;
        *next = old;
    }
    return status == SB_OK && sb_law_stopped(law) ? SB_STOPPED : status;
}

enum sb_status sb_position_origins_integers(const struct sb_law *law, struct sb_evidence *evidence)
{
    const size_t n = evidence->n, deal = evidence->deal;
    struct sb_evidence step = { .by = SB_BY_EXACT, .cells = n * n };
    mpz_t *now = sb_mpz_new(n * n, 64), *next = sb_mpz_new(n * n, 64);
    enum sb_status status = now && next ? SB_OK : SB_NO_MEMORY;
    struct origins origins;

    if (status == SB_OK)
        status = sb_numbers_open(SB_NUMBERS_WIDE, n * n, &step.counts);
    if (status == SB_OK)
        status = sb_numbers_open(SB_NUMBERS_WIDE, n * deal, &evidence->matrix);
    mpz_init(step.denominator);
    origins_open(law, &origins);
    mpz_set_ui(evidence->denominator, 1);
    for (size_t i = 0; status == SB_OK && i < n; i++)
        mpz_set_ui(now[i * n + i], 1);
    if (status == SB_OK)
        status = origins_run_integers(&origins, &step, &now, &next, evidence->denominator);
    for (size_t c = 0; status == SB_OK && c < n * deal; c++)
        mpz_swap(evidence->matrix.wide[c], now[c % deal * n + c / deal]);
    origins_close(&origins);
    sb_evidence_close(&step);
    sb_mpz_free(now, n * n);
    sb_mpz_free(next, n * n);
    return status;
}

/* Computes the matrix of one step, [q * n + r]. Returns a bound on the relative error of the matrix entries,
 * in units of u. */
static double origins_step_doubles(struct origins *origins, size_t step, double made[])
{
    const size_t n = origins->law->shuffler->n;
    double error = 0;
    size_t from;

    for (size_t q = 0; q < n && !sb_law_stopped(origins->law); q++) {
        double terms = 0;
        size_t questions = 0;

        for (size_t r = 0; r < n; r++)
            made[q * n + r] = 0;
        while (origins_next(origins, step, q, &from)) {
            made[q * n + from] += origins_share(origins);
            questions = origins->length > questions ? origins->length : questions;
            terms++;
        }
        error = fmax(error, terms + 6 * (double)questions);
    }
    return error;
}

static void origins_multiply_doubles(const struct sb_law *law, const double step[], const double now[], double next[])
{
    const size_t n = law->shuffler->n;

    for (size_t q = 0; q < n && !sb_law_stopped(law); q++) {
        double *const row = next + q * n;

        for (size_t i = 0; i < n; i++)
            row[i] = 0;
        for (size_t r = 0; r < n; r++) {
            const double share = step[q * n + r];

            if (share == 0)
                continue;
            for (size_t i = 0; i < n; i++)
                row[i] += share * now[r * n + i];
        }
    }
}

enum sb_status sb_position_origins_doubles(const struct sb_law *law, struct sb_evidence *evidence)
{
    const size_t n = evidence->n, deal = evidence->deal, steps = origins_steps(law->shuffler);
    double *const step = calloc(n * n + 1, sizeof *step);
    double *now = calloc(n * n + 1, sizeof *now), *next = calloc(n * n + 1, sizeof *next);
    enum sb_status status = step && now && next ? SB_OK : SB_NO_MEMORY;
    struct origins origins;
    double roundings = 0;

    if (status == SB_OK)
        status = sb_numbers_open(SB_NUMBERS_SHARE, n * deal, &evidence->matrix);
    origins_open(law, &origins);
    for (size_t i = 0; status == SB_OK && i < n; i++)
        now[i * n + i] = 1;
    for (size_t k = 0; status == SB_OK && k < steps; k++) {
        double *const old = now;

        if (sb_law_pause(law, k, steps)) {
            status = SB_STOPPED;
            break;
        }
        roundings += origins_step_doubles(&origins, k, step) + (double)n + 1;
        origins_multiply_doubles(law, step, now, next);
        now = next;
        next = old;
        status = origins.src.status;
    }
    if (status == SB_OK && sb_law_stopped(law))
        status = SB_STOPPED;
    for (size_t c = 0; status == SB_OK && c < n * deal; c++)
        evidence->matrix.share[c] = fmin(1, now[c % deal * n + c / deal]);
    origins_close(&origins);
    free(step);
    free(now);
    free(next);
    evidence->error = roundings * 0x1p-53;
    return status;
}
