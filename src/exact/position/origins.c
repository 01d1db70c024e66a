/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tries all answers to the questions about one position, like an odometer. The weights of a question are kept
 * as long as the same question comes at the same depth. */
#include "exact/position/origins.h"

#include "core/evidence.h"
#include "exact/weights.h"

#include <math.h>
#include <stdlib.h>

enum { ORIGINS_SINGLE = -1 };

/* Makes room for the weights and shares of `answers` answers. */
static enum sb_status origins_grow(struct sb_origin_question *question, size_t answers)
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

/* Sets origins->word to the weights of the answers to a single draw, and `total` to the sum of these
 * weights. */
static enum sb_status origins_words(struct sb_origins *origins, uint32_t bound, mpz_t total)
{
    if (bound > origins->word_room) {
        uint64_t *const word = realloc(origins->word, bound * sizeof *word);

        if (!word)
            return SB_NO_MEMORY;
        origins->word = word;
        origins->word_room = bound;
    }
    sb_weights_total(origins->law, bound, origins->word, total);
    return SB_OK;
}

/* Computes the weights of a question about many draws; a, b, m and S are as in origins.h. Before the call,
 * question->total is the sum of the weights for one draw. The function sets question->total to the sum for
 * all draws. */
static void origins_many(struct sb_origin_question *question, uint64_t zeros)
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

/* Returns the quotient of two integers of any size. */
static double origins_ratio(const mpz_t a, const mpz_t b)
{
    long a_exponent, b_exponent;
    const double a_part = mpz_get_d_2exp(&a_exponent, a), b_part = mpz_get_d_2exp(&b_exponent, b);

    return ldexp(a_part / b_part, (int)(a_exponent - b_exponent));
}

/* Computes the answers of a new question, unless the previous question at this depth was the same. */
static enum sb_status origins_ask(struct sb_origins *origins, struct sb_origin_question *question, int what,
                                  uint32_t bound, size_t draws)
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
static size_t origins_answer(struct sb_origins *origins, int what, uint32_t bound, size_t draws)
{
    struct sb_origin_question *const question = &origins->question[origins->depth];

    if (origins->src.status == SB_OK && origins->depth == SB_ORIGINS_DEPTH)
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
    return (uint32_t)origins_answer((struct sb_origins *)self, ORIGINS_SINGLE, bound, 1);
}

static size_t origins_choose_many(struct sb_source *self, enum sb_many what, uint32_t bound, size_t count)
{
    return origins_answer((struct sb_origins *)self, (int)what, bound, count);
}

void sb_origins_open(const struct sb_law *law, struct sb_origins *origins)
{
    *origins = (struct sb_origins) {
        .src = { .choose = origins_choose, .many = origins_choose_many },
        .law = law,
    };
    for (size_t d = 0; d < SB_ORIGINS_DEPTH; d++)
        mpz_init(origins->question[d].total);
}

void sb_origins_close(struct sb_origins *origins)
{
    for (size_t d = 0; d < SB_ORIGINS_DEPTH; d++) {
        struct sb_origin_question *const question = &origins->question[d];

        for (size_t k = 0; k < question->room; k++)
            mpz_clear(question->weight[k]);
        mpz_clear(question->total);
        free(question->weight);
        free(question->share);
    }
    free(origins->word);
}

size_t sb_origins_steps(const struct sb_shuffler *shuffler)
{
    const struct sb_shuffle *const shuffle = &shuffler->shuffle;

    if (shuffler->n < 2)
        return 0;
    return shuffle->type->steps ? shuffle->type->steps(shuffle, shuffler->n) : shuffler->n;
}

/* Moves to the next series of answers. Returns false after the last series. */
static bool origins_advance(struct sb_origins *origins)
{
    while (origins->length > 0) {
        struct sb_origin_question *const last = &origins->question[origins->length - 1];

        if (++last->answer < last->answers)
            return true;
        origins->length--;
    }
    return false;
}

bool sb_origins_next(struct sb_origins *origins, size_t step, size_t position, size_t *from)
{
    const struct sb_shuffler *const shuffler = origins->law->shuffler;

    origins->begun = origins->begun ? origins_advance(origins) : true;
    if (!origins->begun || origins->src.status)
        return false;
    origins->depth = 0;
    *from = shuffler->shuffle.type->origin(&shuffler->shuffle, shuffler->n, step, position, &origins->src);
    return origins->src.status == SB_OK;
}

void sb_origins_weigh(const struct sb_origins *origins, mpz_t weight, mpz_t total)
{
    mpz_set_ui(weight, 1);
    mpz_set_ui(total, 1);
    for (size_t d = 0; d < origins->length; d++) {
        const struct sb_origin_question *const question = &origins->question[d];

        mpz_mul(weight, weight, question->weight[question->answer]);
        mpz_mul(total, total, question->total);
    }
}

double sb_origins_share(const struct sb_origins *origins)
{
    double share = 1;

    for (size_t d = 0; d < origins->length; d++)
        share *= origins->question[d].share[origins->question[d].answer];
    return share;
}
