/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact odds of given permutations. */

#include "report/page.h"
#include "study/results.h"

/* The request. */
struct odds_case {
    struct sb_shuffler shuffler;
    struct sb_law law;
    sb_item *item; /* [count * n]; the permutations; owned */
    struct sb_error *error;
};

void sb_odds_free(struct sb_odds *odds)
{
    if (!odds)
        return;
    for (size_t i = 0; odds->line && i < odds->count; i++) {
        free((char *)odds->line[i].permutation);
        free((char *)odds->line[i].count);
        free((char *)odds->line[i].probability);
    }
    free(odds->line);
    free(odds->denominator);
    free(odds);
}

static enum sb_status odds_read(const char *const permutations[], size_t count, struct odds_case *one, size_t *n)
{
    sb_item a[SB_ODDS_ITEMS_MOST];

    for (size_t i = 0; i < count; i++) {
        size_t items = 0;

        if (!permutations || !permutations[i])
            return sb_error_null(one->error, "the permutation");
        if (!sb_permutation_parse(permutations[i], SB_ODDS_ITEMS_MOST, a, &items))
            return sb_error_set(one->error, SB_INVALID,
                                "'%.60s' is no permutation of up to %d items: write each of them once, from "
                                "1, as 231 or 10.2.1.3.4.5.6.7.8.9",
                                permutations[i], SB_ODDS_ITEMS_MOST);
        if (i > 0 && items != *n)
            return sb_error_set(one->error, SB_INVALID,
                                "'%.60s' has %zu items, but the first permutation %zu: ask for them one by one",
                                permutations[i], items, *n);
        if (i == 0)
            one->item = calloc(count * items + 1, sizeof *one->item);
        *n = items;
        if (!one->item)
            return sb_error_memory(one->error, "the permutations");
        memcpy(one->item + i * items, a, items * sizeof *a);
    }
    return count ? SB_OK : sb_error_set(one->error, SB_INVALID, "name a permutation, as 231");
}

static enum sb_status odds_line(const struct odds_case *one, const mpz_t count, const mpz_t denominator, size_t index,
                                struct sb_odds *odds)
{
    struct sb_odds_line *const line = &odds->line[index];
    const size_t n = odds->n, room = 4 * n + 4;
    char *const notation = calloc(room, 1);
    mpq_t share;
    mpz_t deals;

    if (!notation)
        return SB_NO_MEMORY;
    mpq_init(share);
    mpz_init(deals);
    mpz_set(mpq_numref(share), count);
    mpz_set(mpq_denref(share), denominator);
    mpq_canonicalize(share);
    line->permutation = sb_item_notation(NULL, n, n, one->item + index * n, notation, room);
    line->count = sb_mpz_text(count);
    line->probability = sb_mpq_text(share);
    line->share = mpq_get_d(share);
    mpz_fac_ui(deals, n);
    mpz_mul(mpq_numref(share), mpq_numref(share), deals);
    mpq_canonicalize(share);
    line->ratio = mpq_get_d(share);
    if (!odds->denominator)
        odds->denominator = sb_mpz_text(denominator);
    mpq_clear(share);
    mpz_clear(deals);
    return line->count && line->probability && odds->denominator ? SB_OK : SB_NO_MEMORY;
}

static enum sb_status odds_compute(const struct odds_case *one, struct sb_odds *odds)
{
    double cost;
    const struct sb_engine_type *const engine = sb_engine_for(&one->law, SB_TASK_ODDS, &cost);
    mpz_t *const weight = sb_mpz_new(odds->count, 64);
    mpz_t denominator;
    enum sb_status status;

    if (isnan(cost) || !weight) {
        sb_mpz_free(weight, odds->count);
        return sb_error_memory(one->error, "the odds");
    }
    odds->engine = engine->name;
    mpz_init(denominator);
    status = cost == HUGE_VAL ? sb_engine_check_words(&one->law, one->error) : SB_OK;
    if (status == SB_OK)
        status = engine->odds(&one->law, one->item, odds->count, one->error, weight, denominator);
    for (size_t i = 0; i < odds->count && status == SB_OK; i++)
        if (odds_line(one, weight[i], denominator, i, odds))
            status = sb_error_memory(one->error, "the odds");
    mpz_clear(denominator);
    sb_mpz_free(weight, odds->count);
    return status;
}

static enum sb_status odds_make(struct odds_case *one, const struct sb_request *options, struct sb_odds *odds)
{
    enum sb_status status;

    odds->line = calloc(odds->count, sizeof *odds->line);
    if (!odds->line || sb_shuffler_open(odds->scheme.shuffle, odds->n, odds->n, &one->shuffler))
        return sb_error_memory(one->error, "the odds");
    one->law = sb_scheme_law(&odds->scheme, &one->shuffler, options);
    status = odds_compute(one, odds);
    sb_shuffler_close(&one->shuffler);
    return status;
}

enum sb_status sb_odds_new(const char *scheme, const char *const permutations[], size_t count,
                           const struct sb_request *options, struct sb_error *error, struct sb_odds **odds)
{
    struct odds_case one = { .error = error };
    struct sb_request settled = *options;
    struct sb_odds *made;

    settled.deal = 0; /* 0, because the permutations determine the number of items */
    enum sb_status status = sb_options_settle(&settled, error, &settled);

    if (status)
        return status;
    made = calloc(1, sizeof *made);
    if (!made)
        return sb_error_memory(error, "the odds");
    status = sb_scheme_parse(scheme, options->draw, options->rng, error, &made->scheme);
    if (status == SB_OK)
        status = odds_read(permutations, count, &one, &made->n);
    if (status == SB_OK)
        status = sb_scheme_check(&made->scheme, made->n, made->n, error);
    if (status == SB_OK) {
        made->count = count;
        status = odds_make(&one, options, made);
    }
    free(one.item);
    if (status)
        sb_odds_free(made);
    else
        *odds = made;
    return status;
}

static bool odds_cite(struct sb_template *template, const void *result)
{
    const char *const cite = ((const struct sb_odds *)result)->scheme.shuffle.type->cite;

    return json_object_set_new(template->names, "cite", json_string(cite ? cite : "")) == 0;
}

static void odds_page(const void *result, struct sb_page *page)
{
    sb_template_page("odds", &sb_odds_result, result, odds_cite, page);
}

#define O(field) SB_MEMBER(struct sb_odds, field)
#define L(field) SB_MEMBER(struct sb_odds_line, field)

static const struct sb_member odds_members[] = { O(n), O(engine), O(denominator), { .name = NULL } };
static const struct sb_member odds_line_members[] = { L(permutation), L(count), L(probability),
                                                      L(share),       L(ratio), { .name = NULL } };

static void odds_json(const void *result, struct sb_json *json)
{
    const struct sb_odds *const odds = result;

    sb_scheme_json(json, &odds->scheme, false);
    sb_json_members(json, odds_members, odds);
    sb_json_array(json, "permutations", false);
    for (size_t i = 0; i < odds->count; i++)
        sb_json_record(json, NULL, odds_line_members, &odds->line[i]);
    sb_json_close(json);
}

static void odds_csv(const void *result, FILE *stream)
{
    const struct sb_odds *const odds = result;

    fputs("scheme,n,permutation,count,denominator,probability,ratio\n", stream);
    for (size_t i = 0; i < odds->count; i++) {
        const struct sb_odds_line *const line = &odds->line[i];

        fprintf(stream, "%s,%zu,%s,%s,%s,%s", odds->scheme.name, odds->n, line->permutation, line->count,
                odds->denominator, sb_number_full(line->share).text);
        fprintf(stream, ",%s\n", sb_number_full(line->ratio).text);
    }
}

const struct sb_result_type sb_odds_result = {
    .what = "the odds",
    .of = "odds",
    .schema = "shufflebias.odds/1",
    .page = odds_page,
    .title = "shufflebias odds",
    .json = odds_json,
    .csv = odds_csv,
};
