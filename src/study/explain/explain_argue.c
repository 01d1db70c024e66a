/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The argument, with the numbers of this shuffle and this n: whether the series of draws can be divided evenly among
 * the orders; the bias of the bounded draw; and the number of orders that seeds can reach.
 *
 * If all D series are equally likely, an order to which c series lead has probability c/D. So all K orders can have
 * the same probability only if K divides D. K does not divide D if some prime occurs more often in the factorisation
 * of K than in that of D.
 */
#include "core/text.h"
#include "study/explain/explain.h"

/* Here the numbers are computed; the text, data/pages/argument.md, says what they mean. */

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

/* Returns the place that is farthest from fair. `sign` is 0 if all places are fair, as in an unfair law of a fair
 * matrix. */
static json_t *uneven_values(const struct sb_evidence *evidence)
{
    mpq_t excess, share;
    char number[32];
    json_t *values = NULL;

    mpq_inits(excess, share, NULL);
    const size_t cell = uneven_find(evidence, excess), item = cell / evidence->deal, position = cell % evidence->deal;

    sb_evidence_matrix_fraction(evidence, item, position, share);
    sb_sentence_number(fabs(mpq_get_d(excess)), number);
    char *const text = sb_mpq_text(share);

    if (text)
        values = json_pack("{s:i, s:I, s:I, s:s, s:s}", "sign", mpq_sgn(excess), "item", (json_int_t)item + 1,
                           "position", (json_int_t)position + 1, "excess", number, "share",
                           strlen(text) <= SB_EXPLAIN_MASS_MOST ? text : "");
    mpq_clears(excess, share, NULL);
    free(text);
    return values;
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

static json_t *words_values(const struct sb_law *law, const struct words_law *words)
{
    const uint32_t most = words_answers(words, words->most), least = words_answers(words, words->least);
    struct sb_sentence most_list = { 0 }, least_list = { 0 };
    char span[32], percent[32] = "", each_most[24], each_least[24]; /* JSON has no integers of 64 bits without a sign */
    json_t *values = NULL;

    words_span(law->largest, span);
    snprintf(each_most, sizeof each_most, "%llu", (unsigned long long)words->most);
    snprintf(each_least, sizeof each_least, "%llu", (unsigned long long)words->least);
    words_list(words, words->most, &most_list);
    words_list(words, words->least, &least_list);
    if (words->least)
        sb_sentence_number(100 * ((double)(words->most - words->least) / (double)words->least), percent);
    char *const most_text = sb_sentence_take(&most_list), *const least_text = sb_sentence_take(&least_list);

    if (most_text && least_text && words->bound)
        values = json_pack("{s:s, s:I, s:b, s:s, s:s, s:s, s:s, s:b, s:s}", "span", span, "bound",
                           (json_int_t)words->bound, "divisible", law->largest % words->bound == words->bound - 1,
                           "most", each_most, "most_list", most_text, "least", each_least, "least_list", least_text,
                           "between", most + least < words->bound, "percent", percent);
    free(most_text);
    free(least_text);
    return values;
}

/* Sets *even to whether every draw of the shuffle is uniform. Returns the bias of the bounded draw; null: none. */
static json_t *words_draw(const struct sb_law *law, bool *even)
{
    bool redraws;
    uint32_t most = 0;
    json_t *values = json_null();

    *even = true;
    if (!law->draw->type->law)
        return values;
    bool *const used = calloc(SB_COMPUTED_MOST + 1, sizeof *used);
    const bool surveyed = used && sb_explain_survey(law, used, &most, &redraws) == SB_OK;
    uint64_t *const room = calloc(most + 1, sizeof *room);

    if (!surveyed || !room) {
        values = NULL;
    } else if (most) {
        const struct words_law words = words_uneven(law, most, used, room);

        values = words_values(law, &words);
        *even = words.least == words.most;
    }
    free(used);
    free(room);
    return values;
}

/* Returns how many orders the seeds can reach: `items` is the fewest items that have more orders than seeds; 0: there
 * are more here, and one order in about `one_in` can come up. */
static json_t *seed_values(const struct sb_rng *rng, const mpz_t total)
{
    const uint64_t seeds = rng->type->seeds ? rng->type->seeds : UINT64_C(1) << 32;
    struct sb_number one_in = { "" }, orders = { "" };
    unsigned items = 0;
    mpz_t number;

    mpz_init(number);
    sb_mpz_set_u64(number, seeds);
    if (mpz_cmp(total, number) <= 0) {
        while (sb_deals(items, items) <= seeds) /* 64 bits hold them, since no generator has 20! seeds */
            items++;
        orders = sb_number_grouped(sb_deals(items, items));
    } else {
        const double ln_ratio = sb_mpz_ln_ratio(total, number);

        one_in = ln_ratio >= log(1e3) && ln_ratio < log(1e12) ? sb_number_grouped((uint64_t)llround(exp(ln_ratio)))
                                                              : sb_number_exp(ln_ratio);
    }
    mpz_clear(number);
    return json_pack("{s:s, s:b, s:s, s:i, s:s, s:s}", "rng", rng->name, "own", rng->type->seeds > 0, "seeds",
                     sb_number_grouped(seeds).text, "items", (int)items, "orders", orders.text, "one_in", one_in.text);
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
        mpz_set_ui(words, bound);
        if (law->draw->type->law) {
            sb_mpz_set_u64(words, law->largest);
            mpz_add_ui(words, words, 1);
        }
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

/* With two items, more series than orders may be fair. Then sets `text` to their number. SB_NO_MEMORY. */
static enum sb_status argue_two(const struct sb_law *of, char text[ARGUE_ROOM])
{
    struct sb_shuffler two;
    struct sb_law law = *of;
    struct sb_evidence evidence = { 0 };
    enum sb_status status = SB_OK;
    size_t draws;
    mpz_t series, each;

    if (sb_shuffler_open(of->shuffler->shuffle, 2, 2, &two))
        return SB_NO_MEMORY;
    law.shuffler = &two;
    law.progress = NULL;
    mpz_inits(series, each, NULL);
    argue_product(&law, series, each, &draws);
    if (mpz_cmp_ui(series, 2) > 0)
        status = sb_engine_law(&law, SB_COST_UNASKED, NULL, &evidence);
    if (evidence.cells && sb_numbers_compare(&evidence.counts, 0, 1) == 0)
        argue_number(series, text);
    if (evidence.cells)
        sb_evidence_close(&evidence);
    mpz_clears(series, each, NULL);
    sb_shuffler_close(&two);
    return status == SB_NO_MEMORY ? status : SB_OK;
}

static void argue_probability(const struct sb_explain_order *order, char text[ARGUE_ROOM])
{
    char number[32];

    sb_sentence_number(order->share, number);
    snprintf(text, ARGUE_ROOM, "%s", strlen(order->mass) <= SB_EXPLAIN_MASS_MOST ? order->mass : number);
}

/* Returns the part of the text about the numbers of series and orders. For shuffles not made of swaps, all
 * probabilities are multiples of one fraction. */
static const char *argue_part(const struct argue_case *one)
{
    const struct sb_explain *const explain = one->explain;

    if (explain->n < 2)
        return "one_order";
    if (!one->law->shuffler->steps)
        return explain->orders_count ? "parts" : NULL;
    return mpz_divisible_p(one->series, one->total) ? "even"
           : mpz_cmp(one->series, one->total) < 0   ? "too_few"
                                                    : "uneven";
}

/* Adds the numbers of series and orders to the values. SB_NO_MEMORY. */
static enum sb_status argue_count(const struct argue_case *one, const char *part, json_t *values)
{
    unsigned long often[2] = { 0, 0 }, prime = 0;
    char total[ARGUE_ROOM], series[ARGUE_ROOM], each[ARGUE_ROOM], over[ARGUE_ROOM] = "", two[ARGUE_ROOM] = "";
    const bool uneven = strcmp(part, "uneven") == 0;
    mpz_t quotient, rest;

    if (uneven || strcmp(part, "parts") == 0)
        prime = argue_prime(one, often);
    if (uneven && one->explain->deal == one->explain->n && one->explain->n > 2 && argue_two(one->law, two))
        return SB_NO_MEMORY;
    mpz_inits(quotient, rest, NULL);
    mpz_fdiv_qr(quotient, rest, one->series, one->total);
    argue_number(one->total, total);
    argue_number(one->series, series);
    argue_number(quotient, each);
    if (mpz_get_d(one->series) < 1e15)
        argue_number(rest, over);
    mpz_clears(quotient, rest, NULL);
    json_t *const numbers = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:I, s:I, s:I}", "what",
        one->law->draw->type->law ? "series of words" : "series of answers", "total", total, "total_text",
        one->total_text, "series", series, "series_text", one->series_text, "each", each, "over", over, "two", two,
        "prime", (json_int_t)prime, "in_orders", (json_int_t)often[0], "in_series", (json_int_t)often[1]);
    const bool well = json_object_update(values, numbers) == 0;

    json_decref(numbers);
    return well ? SB_OK : SB_NO_MEMORY;
}

/* Returns the values that all parts of the text share; NULL: no memory. */
static json_t *argue_values(struct argue_case *one)
{
    const struct sb_explain *const explain = one->explain;
    const bool known = explain->orders_count, uniform = one->law->shuffler->shuffle.type->claim == SB_UNIFORM;
    char most[ARGUE_ROOM] = "", least[ARGUE_ROOM] = "";
    struct sb_notation likelier = { "" }, rarest = { "" };
    json_t *const words = words_draw(one->law, &one->even);
    const bool fair = known ? argue_fair(explain) : one->even && uniform;
    const bool matrix = known && one->evidence && !fair && !one->even;
    json_t *const uneven = matrix ? uneven_values(one->evidence) : json_null();

    if (known) {
        const struct sb_explain_group *const last = &explain->group[explain->groups_count - 1];

        argue_probability(explain->group[0].order, most);
        argue_probability(last->order, least);
        likelier = sb_explain_order_text(explain, explain->group[0].first);
        rarest = sb_explain_order_text(explain, last->first);
    }
    return json_pack("{s:I, s:I, s:s, s:s, s:s, s:b, s:b, s:b, s:b, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "n",
                     (json_int_t)explain->n, "deal", (json_int_t)explain->deal, "why",
                     explain->scheme.shuffle.type->why, "draw", explain->scheme.draw_name, "draw_title",
                     one->law->draw->type->title, "even", one->even, "known", known && one->evidence, "orders", known,
                     "fair", fair, "most", most, "least", least, "likelier", likelier.text, "rarest", rarest.text,
                     "words", words, "uneven", uneven, "seed", seed_values(&explain->scheme.rng, one->total));
}

/* Adds a part of the text, unless `part` is NULL. SB_NO_MEMORY. */
static enum sb_status argue_note(const char *about, const char *part, json_t *values, struct sb_explain *explain)
{
    struct sb_sentence s = { 0 };

    if (!part)
        return SB_OK;
    sb_sentence_fill(&s, "argument", part, json_incref(values));
    char *const text = sb_sentence_take(&s);

    if (!text)
        return SB_NO_MEMORY;
    explain->note[explain->notes_count++] = (struct sb_explain_note) { about, text };
    return SB_OK;
}

enum sb_status sb_explain_argue(const struct sb_law *law, const struct sb_evidence *evidence,
                                struct sb_explain *explain)
{
    struct argue_case one = { .law = law, .evidence = evidence, .explain = explain };

    mpz_inits(one.total, one.series, NULL);
    argue_total(&one);
    argue_series(&one);
    const char *const part = argue_part(&one);
    json_t *const values = argue_values(&one);
    const bool draws = values && !json_is_null(json_object_get(values, "words"));
    enum sb_status status = values ? SB_OK : SB_NO_MEMORY;

    if (status == SB_OK && part)
        status = argue_count(&one, part, values);
    if (status == SB_OK)
        status = argue_note("shuffle", "shuffle", values, explain);
    if (status == SB_OK)
        status = argue_note("counting", part, values, explain);
    if (status == SB_OK)
        status = argue_note("draw", draws ? "draw" : NULL, values, explain);
    if (status == SB_OK)
        status = argue_note("seed", explain->n < 2 ? NULL : "seed", values, explain);
    json_decref(values);
    explain->total = sb_mpz_text(one.total);
    if (law->shuffler->steps)
        explain->series = sb_mpz_text(one.series);
    mpz_clears(one.total, one.series, NULL);
    return explain->total && (explain->series || !law->shuffler->steps) ? status : SB_NO_MEMORY;
}
