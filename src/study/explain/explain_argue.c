/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The argument, with the numbers of this shuffle and this n: whether the series of draws can be divided evenly among
 * the orders; the bias of the bounded draw; and the number of orders that seeds can reach.
 *
 * If all D series are equally likely, an order to which c series lead has probability c/D. So all K orders can have
 * the same probability only if K divides D. K does not divide D if some prime occurs more often in the factorisation
 * of K than in that of D.
 */
#include "core/numbers.h"
#include "core/text.h"
#include "exact/engine.h"
#include "study/explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The argument about the shuffle by itself. Its text is written beforehand and supposes that all draws are uniform. If
 * a draw is not uniform, the page says so, and adds what the exact law says about positions and orders instead. */

/* Returns whether all orders, which are known, have the same probability. */
static bool argue_fair(const struct sb_explain *explain)
{
    return strcmp(explain->group[0].order->mass, explain->group[explain->groups_count - 1].order->mass) == 0;
}

/* Finds the first cell of the matrix that is farthest from fair, and how far above 1/n it is. The comparison is
 * exact: doubles would hide a small bias. */
static size_t uneven_find(const struct sb_evidence *evidence, mpq_t excess)
{
    const size_t deal = evidence->deal;
    size_t found = 0;
    mpq_t fair, off, far, most;

    mpq_inits(fair, off, far, most, NULL);
    mpq_set_ui(fair, 1, evidence->n);
    for (size_t i = 0; i < evidence->n * deal; i++) {
        sb_evidence_matrix_fraction(evidence, i / deal, i % deal, off);
        mpq_sub(off, off, fair);
        mpq_abs(far, off);
        if (mpq_cmp(far, most) <= 0)
            continue;
        found = i;
        mpq_set(excess, off);
        mpq_set(most, far);
    }
    mpq_clears(fair, off, far, most, NULL);
    return found;
}

static void uneven_position(const struct sb_evidence *evidence, size_t cell, const mpq_t excess, struct sb_sentence *s)
{
    const size_t n = evidence->n, item = cell / evidence->deal, position = cell % evidence->deal;
    char number[32];
    mpq_t share;

    mpq_init(share);
    sb_evidence_matrix_fraction(evidence, item, position, share);
    char *const text = sb_mpq_text(share);

    mpq_clear(share);
    s->lost = s->lost || !text;
    sb_sentence_number(fabs(mpq_get_d(excess)), number);
    sb_sentence_add(s, " item %zu comes to position %zu with", item + 1, position + 1);
    if (text && strlen(text) <= SB_EXPLAIN_MASS_MOST)
        sb_sentence_add(s, " probability %s instead of 1/%zu.", text, n);
    else
        sb_sentence_add(s, " a probability that is %s %s 1/%zu.", number, mpq_sgn(excess) > 0 ? "above" : "below", n);
    free(text);
}

static void uneven_law(const struct sb_explain *explain, const struct sb_evidence *evidence, struct sb_sentence *s)
{
    const size_t rarest = explain->group[explain->groups_count - 1].first;
    mpq_t excess;

    mpq_init(excess);
    const size_t cell = uneven_find(evidence, excess);

    if (argue_fair(explain))
        sb_sentence_add(s, " all orders are equally likely, too.");
    else if (mpq_sgn(excess))
        uneven_position(evidence, cell, excess, s);
    else
        sb_sentence_add(s, " each item comes to each position equally often, but %s is likelier than %s.",
                        sb_explain_order_text(explain, explain->group[0].first).text,
                        sb_explain_order_text(explain, rarest).text);
    mpq_clear(excess);
}

/* Writes the first part of the argument: what is known of the shuffle by itself. `even` says whether every draw is
 * uniform; `evidence`, which needs a matrix, may be NULL. */
static void explain_argue_shuffle(const struct sb_explain *explain, const struct sb_evidence *evidence, bool even,
                                  struct sb_sentence *s)
{
    if (even) {
        sb_sentence_add(s, "%s", explain->scheme.shuffle.type->why);
        return;
    }
    sb_sentence_add(s, "With uniform draws, this holds: %s", explain->scheme.shuffle.type->why);
    if (evidence && explain->orders_count) {
        sb_sentence_add(s, " With the draws here, which are not uniform,");
        uneven_law(explain, evidence, s);
    } else {
        sb_sentence_add(s, " The draws here are not uniform, so it need not hold.");
    }
}

/* The two causes of bias outside the shuffle: the bounded draw, because more words may lead to one answer than to
 * another, and the seed, because there cannot be more different decks than seeds. The search for an uneven draw starts
 * at the largest bound. Cost: O(bound) for each bound. */

enum { WORDS_LISTED_MOST = 6 };

/* How many words give each answer below a bound. */
struct words_law {
    uint32_t bound;
    const uint64_t *law;  /* [bound] */
    uint64_t least, most; /* the smallest and the largest number of words of an answer */
};

static struct words_law words_get(const struct sb_law *law, uint32_t bound, uint64_t *room)
{
    struct words_law words = { .bound = bound, .law = room };

    law->draw->type->law(law->draw, law->largest, bound, room);
    words.least = words.most = room[0];
    for (uint32_t j = 1; j < bound; j++) {
        words.least = room[j] < words.least ? room[j] : words.least;
        words.most = room[j] > words.most ? room[j] : words.most;
    }
    return words;
}

static uint32_t words_answers(const struct words_law *words, uint64_t count)
{
    uint32_t answers = 0;

    for (uint32_t j = 0; j < words->bound; j++)
        answers += words->law[j] == count;
    return answers;
}

static void words_list(const struct words_law *words, uint64_t count, struct sb_sentence *s)
{
    const uint32_t answers = words_answers(words, count);
    uint32_t listed = 0;

    if (answers > WORDS_LISTED_MOST) {
        sb_sentence_add(s, "%u of the answers", answers);
        return;
    }
    for (uint32_t j = 0; j < words->bound; j++)
        if (words->law[j] == count)
            sb_sentence_add(s, "%s%u", listed++ == 0 ? "" : listed == answers ? " and " : ", ", j);
}

static void words_span(uint64_t largest, char text[32])
{
    const unsigned bits = largest == UINT64_MAX ? 64 : (unsigned)__builtin_ctzll(largest + 1);

    if (largest == sb_words_mask(bits ? bits : 1) && bits > 20)
        snprintf(text, 32, "2^%u", bits);
    else
        snprintf(text, 32, "%llu", (unsigned long long)largest + 1);
}

static struct words_law words_uneven(const struct sb_law *law, uint32_t most, const bool used[], uint64_t *room)
{
    struct words_law words = { .bound = 0 };

    for (uint32_t bound = most; bound > 1 && words.least == words.most; bound--)
        if (used[bound])
            words = words_get(law, bound, room);
    return words;
}

static void words_say(const struct sb_law *law, const struct sb_explain *explain, const struct words_law *words,
                      struct sb_sentence *s)
{
    char span[32], percent[32];

    words_span(law->largest, span);
    sb_sentence_add(s, "%s makes each answer from one of %s words (%s).", explain->scheme.draw_name, span,
                    law->draw->type->title);
    if (words->least == words->most) {
        sb_sentence_add(s, " Every bound here divides that number, so the draw adds no bias of its own.");
        return;
    }
    const bool divisible = law->largest % words->bound == words->bound - 1;

    sb_sentence_add(s, " A draw below %u %s share them out evenly: %llu words give each of ", words->bound,
                    divisible ? "does not" : "cannot", (unsigned long long)words->most);
    words_list(words, words->most, s);
    sb_sentence_add(s, ", and %llu each of ", (unsigned long long)words->least);
    words_list(words, words->least, s);
    if (words_answers(words, words->most) + words_answers(words, words->least) < words->bound)
        sb_sentence_add(s, ", with numbers in between for the others");
    if (words->least) {
        sb_sentence_number(100 * ((double)(words->most - words->least) / (double)words->least), percent);
        sb_sentence_add(s, "; the former come up %s%% more often.", percent);
    } else {
        sb_sentence_add(s, "; the latter never come up.");
    }
}

/* Writes the bias of the bounded draw; returns whether every draw of the shuffle is uniform. */
static bool words_draw(const struct sb_law *law, const struct sb_explain *explain, struct sb_sentence *s)
{
    if (!law->draw->type->law)
        return true;
    bool *const used = calloc(SB_COMPUTED_MOST + 1, sizeof *used), redraws;
    uint32_t most = 0;
    bool even = true;

    s->lost = !used || sb_explain_survey(law, used, &most, &redraws) || s->lost;
    uint64_t *const room = calloc(most + 1, sizeof *room);

    s->lost = s->lost || !room;
    if (most && room) {
        const struct words_law words = words_uneven(law, most, used, room);

        words_say(law, explain, &words, s);
        even = words.least == words.most;
    }
    free(used);
    free(room);
    return even;
}

static void words_seed(const struct sb_scheme *scheme, const mpz_t total, const struct sb_explain *explain,
                       struct sb_sentence *s)
{
    const uint64_t own = scheme->rng.type->seeds, seeds = own ? own : UINT64_C(1) << 32;
    mpz_t number;

    if (explain->n < 2)
        return;
    mpz_init(number);
    sb_mpz_set_u64(number, seeds);

    if (own)
        sb_sentence_add(s, "%s has %s seeds,", scheme->rng.name, sb_number_grouped(seeds).text);
    else
        sb_sentence_add(s, "A seed of 32 bits has 4,294,967,296 values,");
    sb_sentence_add(s, " and whatever the shuffle, each leads to one deck.");
    if (mpz_cmp(total, number) <= 0) {
        unsigned items =
            1; /* the fewest with more orders than seeds; 64 bits hold them, since no generator has 20! seeds */

        while (sb_deals(items, items) <= seeds)
            items++;
        sb_sentence_add(s, " That is enough for all orders here;");
        sb_sentence_add(s, explain->deal < explain->n ? " for whole decks, from" : " from");
        sb_sentence_add(s, " %u items on, which have %u! = %s orders,", items, items,
                        sb_number_grouped(sb_deals(items, items)).text);
        sb_sentence_add(s, " it is not, and some can never come up.");
    } else {
        const double ln_ratio = sb_mpz_ln_ratio(total, number);
        const bool grouped = ln_ratio >= log(1e3) && ln_ratio < log(1e12);

        sb_sentence_add(s, " At most one order in about %s can come up at all.",
                        grouped ? sb_number_grouped((uint64_t)llround(exp(ln_ratio))).text
                                : sb_number_exp(ln_ratio).text);
    }
    mpz_clear(number);
}

enum { ARGUE_ROOM = 96 };

/* The numbers that the argument compares. */
struct argue_case {
    const struct sb_law *law;
    const struct sb_evidence *evidence; /* may be NULL */
    struct sb_explain *explain;
    mpz_t total, series;         /* number of orders; number of equally likely series, 0 if unknown */
    char total_text[ARGUE_ROOM]; /* "3! = 6" */
    char series_text[ARGUE_ROOM];
    bool even; /* whether every draw is uniform */
};

/* Writes all digits, a power of two, or "1.71e89". */
static void argue_number(const mpz_t number, char text[ARGUE_ROOM])
{
    if (mpz_get_d(number) < 1e15) {
        gmp_snprintf(text, ARGUE_ROOM, "%Zd", number);
    } else if (mpz_popcount(number) == 1) {
        snprintf(text, ARGUE_ROOM, "2^%zu", mpz_sizeinbase(number, 2) - 1);
    } else {
        long twos;
        const double part = mpz_get_d_2exp(&twos, number), ten = log10(part) + (double)twos * log10(2);
        const double exponent = floor(ten + 1 - log10(9.995)); /* 9.995 is rounded to 10.00 */

        sb_decimal_format(text, ARGUE_ROOM, "%.2fe%.0f", pow(10, ten - exponent), exponent);
    }
}

static void argue_formula(const char *formula, const mpz_t number, char text[ARGUE_ROOM])
{
    char value[ARGUE_ROOM];

    argue_number(number, value);
    if (!formula[0] || strcmp(formula, value) == 0)
        snprintf(text, ARGUE_ROOM, "%s%.60s", strchr(value, 'e') ? "about " : "", value);
    else
        snprintf(text, ARGUE_ROOM, "%.48s %s %.24s", formula, strchr(value, 'e') ? "or about" : "=", value);
}

static void argue_total(struct argue_case *one)
{
    const size_t n = one->explain->n, deal = one->explain->deal;
    char formula[ARGUE_ROOM] = "";
    mpz_t rest;

    mpz_init(rest);
    mpz_fac_ui(one->total, n);
    mpz_fac_ui(rest, n - deal);
    mpz_divexact(one->total, one->total, rest);
    mpz_clear(rest);
    if (deal == n && n > 2)
        snprintf(formula, sizeof formula, "%zu!", n);
    argue_formula(formula, one->total, one->total_text);
}

/* Sets `words` to the number of equally likely words from which a draw answers; `bound` for an ideal draw. */
static void argue_words(const struct sb_law *law, size_t bound, mpz_t words)
{
    mpz_set_ui(words, bound);
    if (bound > 1 && law->draw->type->law) {
        sb_mpz_set_u64(words, law->largest);
        mpz_add_ui(words, words, 1);
    }
}

/* For a shuffle made of swaps: sets `series` to the product of the draws' numbers of words, `each` to the
 * first of these numbers, and *draws to the number of draws. Returns whether these numbers are all equal. */
static bool argue_product(const struct sb_law *law, mpz_t series, mpz_t each, size_t *draws)
{
    bool alike = true;
    mpz_t words;

    mpz_init(words);
    mpz_set_ui(series, 1);
    *draws = 0;
    for (size_t i = 0; i < 2 * law->shuffler->count; i++) {
        const struct sb_swap *const step = &law->shuffler->steps[i / 2];
        const size_t bound = i % 2 ? step->bound : step->at_bound;

        if (bound < 2)
            continue;
        argue_words(law, bound, words);
        if (*draws == 0)
            mpz_set(each, words);
        alike = alike && mpz_cmp(each, words) == 0;
        mpz_mul(series, series, words);
        ++*draws;
    }
    mpz_clear(words);
    return alike;
}

/* Computes the number of equally likely series. For a shuffle made of swaps this is the product over all
 * draws; for other shuffles it is the law's denominator, if the denominator is known. */
static void argue_series(struct argue_case *one)
{
    char formula[ARGUE_ROOM] = "", value[ARGUE_ROOM];
    size_t draws = 0;
    mpz_t each;

    mpz_init(each);
    if (one->law->shuffler->steps) {
        const bool alike = argue_product(one->law, one->series, each, &draws);

        argue_number(each, value);
        if (mpz_cmp(one->series, one->total) == 0)
            snprintf(formula, sizeof formula, "%.*s", (int)strcspn(one->total_text, " "), one->total_text);
        else if (alike && draws > 1)
            snprintf(formula, sizeof formula, strchr(value, '^') ? "(%.30s)^%zu" : "%.30s^%zu", value, draws);
    } else if (one->evidence) {
        mpz_set(one->series, one->evidence->denominator);
    }
    argue_formula(formula, one->series, one->series_text);
    mpz_clear(each);
}

/* Returns the smallest prime that divides the number of orders more often than the number of series, or 0 if
 * there is none. Sets often[] to how often the prime occurs in the factorisation of each number. */
static unsigned long argue_prime(const struct argue_case *one, unsigned long often[2])
{
    unsigned long found = 0;
    mpz_t prime, rest;

    mpz_inits(prime, rest, NULL);
    mpz_set_ui(prime, 2);
    for (; !found && mpz_cmp_ui(prime, one->explain->n) <= 0; mpz_nextprime(prime, prime)) {
        often[0] = mpz_remove(rest, one->total, prime);
        often[1] = mpz_remove(rest, one->series, prime);
        if (often[0] > often[1])
            found = mpz_get_ui(prime);
    }
    mpz_clears(prime, rest, NULL);
    return found;
}

static void argue_division(const struct argue_case *one, struct sb_sentence *s)
{
    mpz_t quotient, rest;

    if (mpz_get_d(one->series) >= 1e15)
        return;
    mpz_inits(quotient, rest, NULL);
    mpz_fdiv_qr(quotient, rest, one->series, one->total);
    char each[ARGUE_ROOM], over[ARGUE_ROOM], series[ARGUE_ROOM], total[ARGUE_ROOM];

    argue_number(quotient, each); /* the quotient fits, because the number of series has few digits */
    argue_number(rest, over);
    argue_number(one->series, series);
    argue_number(one->total, total);
    sb_sentence_add(s, " %s = %s \u00D7 %s + %s:", series, each, total, over);
    sb_sentence_add(s, " %s for each, and %s left over.", each, over);
    mpz_clears(quotient, rest, NULL);
}

/* With two items, more series than orders may be fair. */
static void argue_two(const struct argue_case *one, struct sb_sentence *s)
{
    struct sb_shuffler two;
    struct sb_law law = *one->law;
    struct sb_evidence evidence = { 0 };
    char text[ARGUE_ROOM];
    size_t draws;
    mpz_t series, each;

    if (sb_shuffler_open(one->law->shuffler->shuffle, 2, 2, &two)) {
        s->lost = true;
        return;
    }
    law.shuffler = &two;
    law.progress = NULL;
    mpz_inits(series, each, NULL);
    argue_product(&law, series, each, &draws);
    argue_number(series, text);
    if (mpz_cmp_ui(series, 2) > 0 && sb_engine_law(&law, SB_COST_UNASKED, NULL, &evidence) == SB_NO_MEMORY)
        s->lost = true;
    if (evidence.cells && sb_numbers_compare(&evidence.counts, 0, 1) == 0)
        sb_sentence_add(s,
                        " That there are more series than orders is no harm in itself: with n = 2, %s series lead to 2 "
                        "orders, half of them to each, and that is fair.",
                        text);
    if (evidence.cells)
        sb_evidence_close(&evidence);
    mpz_clears(series, each, NULL);
    sb_shuffler_close(&two);
}

static void argue_uneven(const struct argue_case *one, const char *what, struct sb_sentence *s)
{
    unsigned long often[2] = { 0, 0 };

    if (mpz_cmp(one->series, one->total) < 0) {
        sb_sentence_add(s, "There %s %s %s, and %s orders: that is not enough for all of them.",
                        mpz_cmp_ui(one->series, 1) == 0 ? "is only" : "are", one->series_text, what, one->total_text);
        return;
    }
    const unsigned long prime = argue_prime(one, often);

    sb_sentence_add(s, "There are %s %s, all equally likely, and %s orders; but the first number", one->series_text,
                    what, one->total_text);
    sb_sentence_add(s, " cannot be shared out evenly among the second:");
    if (often[1] == 0)
        sb_sentence_add(s, " the prime %lu divides the orders, and not the series.", prime);
    else
        sb_sentence_add(s, " the prime %lu divides the orders %lu times, and the series only %lu times.", prime,
                        often[0], often[1]);
    argue_division(one, s);
    if (one->explain->deal == one->explain->n && one->explain->n > 2)
        argue_two(one, s);
}

static void argue_probability(const struct sb_explain_order *order, char text[ARGUE_ROOM])
{
    char number[32];

    sb_sentence_number(order->share, number);
    snprintf(text, ARGUE_ROOM, "%s", strlen(order->mass) <= SB_EXPLAIN_MASS_MOST ? order->mass : number);
}

static void argue_extremes(const struct sb_explain *explain, struct sb_sentence *s)
{
    char most[ARGUE_ROOM], least[ARGUE_ROOM];

    argue_probability(explain->group[0].order, most);
    argue_probability(explain->group[explain->groups_count - 1].order, least);
    sb_sentence_add(s, "The likeliest order has probability %s, the rarest %s", most, least);
}

static void argue_even(const struct argue_case *one, const char *what, struct sb_sentence *s)
{
    const struct sb_explain *const explain = one->explain;
    const bool uniform = one->even && one->law->shuffler->shuffle.type->claim == SB_UNIFORM;
    const bool fair = explain->orders_count ? argue_fair(explain) : uniform;
    const bool single = mpz_cmp(one->series, one->total) == 0;
    char text[ARGUE_ROOM];
    mpz_t each;

    mpz_init(each);
    mpz_divexact(each, one->series, one->total);
    argue_number(each, text);
    mpz_clear(each);
    sb_sentence_add(s, "There are %s %s, all equally likely, and %s orders", one->series_text, what, one->total_text);
    if (fair && single)
        sb_sentence_add(s, ": one for each.");
    else if (fair)
        sb_sentence_add(s, ": %s for each.", text);
    else if (explain->orders_count) {
        sb_sentence_add(s, ". They could be shared out evenly, %s for each, but they are not. ", text);
        argue_extremes(explain, s);
        sb_sentence_add(s, ".");
    } else
        sb_sentence_add(s, ". They could be shared out evenly; whether they are, counting does not say.");
}

/* Writes the argument for shuffles not made of swaps: all probabilities are multiples of one fraction. */
static void argue_parts(const struct argue_case *one, struct sb_sentence *s)
{
    const struct sb_explain *const explain = one->explain;
    unsigned long often[2] = { 0, 0 };
    char total[ARGUE_ROOM], parts[ARGUE_ROOM];

    argue_number(one->total, total);
    argue_number(one->series, parts);
    if (argue_fair(explain)) {
        sb_sentence_add(s, "Each of the %s orders has probability 1/%s.", total, total);
        return;
    }
    argue_extremes(explain, s);
    sb_sentence_add(s, "; a fair share is 1/%s.", total);
    const unsigned long prime = argue_prime(one, often);

    if (prime == 0)
        return;
    sb_sentence_add(s, " Every probability here is a multiple of 1/%s, and 1/%s is none:", parts, total);
    if (often[1] == 0)
        sb_sentence_add(s, " the prime %lu divides %s, and not %s.", prime, total, parts);
    else
        sb_sentence_add(s, " the prime %lu divides %s more often than %s.", prime, total, parts);
}

static void argue_counting(const struct argue_case *one, struct sb_sentence *s)
{
    const char *const what = one->law->draw->type->law ? "series of words" : "series of answers";

    if (one->explain->n < 2)
        sb_sentence_add(s, "With n = %zu there is one order only, and nothing to draw.", one->explain->n);
    else if (!one->law->shuffler->steps && one->explain->orders_count)
        argue_parts(one, s);
    else if (one->law->shuffler->steps && mpz_divisible_p(one->series, one->total))
        argue_even(one, what, s);
    else if (one->law->shuffler->steps)
        argue_uneven(one, what, s);
}

enum sb_status sb_explain_argue(const struct sb_scheme *scheme, const struct sb_law *law,
                                const struct sb_evidence *evidence, struct sb_explain *explain)
{
    static const char *const about[SB_EXPLAIN_NOTES_MOST] = { "shuffle", "counting", "draw", "seed" };
    struct argue_case one = { .law = law, .evidence = evidence, .explain = explain };
    struct sb_sentence s[SB_EXPLAIN_NOTES_MOST] = { 0 };
    bool whole;

    mpz_inits(one.total, one.series, NULL);
    argue_total(&one);
    argue_series(&one);
    one.even = words_draw(law, explain, &s[2]);
    explain_argue_shuffle(explain, evidence, one.even, &s[0]);
    argue_counting(&one, &s[1]);
    words_seed(scheme, one.total, explain, &s[3]);
    explain->total = sb_mpz_text(one.total);
    if (law->shuffler->steps)
        explain->series = sb_mpz_text(one.series);
    whole = explain->total && (explain->series || !law->shuffler->steps);
    mpz_clears(one.total, one.series, NULL);
    for (size_t i = 0; i < SB_EXPLAIN_NOTES_MOST; i++) {
        char *const text = sb_sentence_take(&s[i]);

        whole = whole && text;
        if (text && *text)
            explain->note[explain->notes_count++] = (struct sb_explain_note) { about[i], text };
        else
            free(text);
    }
    return whole ? SB_OK : SB_NO_MEMORY;
}
