/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses schemes, and makes the checks that need all three parts of a scheme. */
#include "core/text.h"
#include "sample/sample.h"
#include "subject/subject.h"

#include <inttypes.h>

/* A part of a scheme, split at its colon. */
struct scheme_part {
    char name[64];
    char number[64];
    bool has_number;
};

static enum sb_status scheme_cut(const char *text, size_t length, struct sb_error *error, struct scheme_part *part)
{
    const char *const colon = memchr(text, ':', length);
    const size_t name = colon ? (size_t)(colon - text) : length;
    const size_t number = colon ? length - name - 1 : 0;

    *part = (struct scheme_part) { .has_number = colon };
    if (name >= sizeof part->name || number >= sizeof part->number)
        return sb_error_set(error, SB_INVALID, "unknown name '%.40s...': 'shufflebias list' shows what there is", text);
    memcpy(part->name, text, name);
    if (colon)
        memcpy(part->number, colon + 1, number);
    return SB_OK;
}

static enum sb_status scheme_parameter(const struct scheme_part *part, const struct sb_parameter *parameter,
                                       struct sb_error *error, uint64_t *value)
{
    if (!part->has_number) {
        *value = parameter->standard;
        return SB_OK;
    }
    if (!parameter->name)
        return sb_error_set(error, SB_INVALID, "%s takes no number: leave ':%s' out", part->name, part->number);
    if (sb_name_number(part->number, value) && *value >= parameter->low && *value <= parameter->high)
        return SB_OK;
    return sb_error_set(error, SB_INVALID, "%s:%s: %s must be a whole number from %llu to %llu", part->name,
                        part->number, parameter->meaning, (unsigned long long)parameter->low,
                        (unsigned long long)parameter->high);
}

static enum sb_status scheme_unknown(const char *family, const struct sb_name_nearest *nearest, struct sb_error *error)
{
    char suggestion[256];

    sb_name_suggest(nearest, suggestion, sizeof suggestion);
    sb_error_set(error, SB_INVALID, "unknown %s '%s'%s%s", family, nearest->name, suggestion,
                 suggestion[0] ? "" : ": 'shufflebias list' shows what there is");
    return SB_INVALID;
}

static enum sb_status scheme_shuffle(const struct scheme_part *part, struct sb_error *error, struct sb_scheme *scheme)
{
    struct sb_name_nearest nearest = { .name = part->name };

    for (size_t i = 0; i < sb_shuffle_types_count; i++) {
        const struct sb_shuffle_type *const type = sb_shuffle_types[i];

        sb_name_offer(&nearest, type->name);
        if (strcmp(type->name, part->name) != 0)
            continue;
        scheme->shuffle.type = type;
        return scheme_parameter(part, &type->parameter, error, &scheme->shuffle.parameter);
    }
    return scheme_unknown("shuffle", &nearest, error);
}

static enum sb_status scheme_draw(const struct scheme_part *part, struct sb_error *error, struct sb_scheme *scheme)
{
    struct sb_name_nearest nearest = { .name = part->name };

    for (size_t i = 0; i < sb_draw_types_count; i++) {
        const struct sb_draw_type *const type = sb_draw_types[i];

        sb_name_offer(&nearest, type->name);
        if (strcmp(type->name, part->name) != 0)
            continue;
        scheme->draw.type = type;
        return scheme_parameter(part, &type->parameter, error, &scheme->draw.width);
    }
    return scheme_unknown("draw", &nearest, error);
}

static enum sb_status scheme_rng(const char *name, struct sb_error *error, struct sb_scheme *scheme)
{
    struct sb_name_nearest nearest = { .name = name };
    const char *title;
    struct sb_rng rng;

    for (size_t i = 0; sb_rng_get(i, &rng, &title); i++) {
        sb_name_offer(&nearest, rng.name);
        if (strcmp(rng.name, name) != 0)
            continue;
        scheme->rng = rng;
        return SB_OK;
    }
    return scheme_unknown("generator", &nearest, error);
}

static void scheme_write(const char *name, const struct sb_parameter *parameter, uint64_t value, char text[])
{
    if (parameter->name && value >= parameter->low && value <= parameter->high)
        snprintf(text, SB_SCHEME_ROOM / 3, "%s:%llu", name, (unsigned long long)value);
    else
        snprintf(text, SB_SCHEME_ROOM / 3, "%s", name);
}

static void scheme_name(struct sb_scheme *scheme)
{
    const bool plain_rng = strcmp(scheme->rng.name, "philox") == 0;
    const bool plain_draw = plain_rng && strcmp(scheme->draw.type->name, "ideal") == 0;

    scheme_write(scheme->shuffle.type->name, &scheme->shuffle.type->parameter, scheme->shuffle.parameter,
                 scheme->shuffle_name);
    scheme_write(scheme->draw.type->name, &scheme->draw.type->parameter, scheme->draw.width, scheme->draw_name);
    snprintf(scheme->name, sizeof scheme->name, "%.63s%s%.63s%s%.60s", scheme->shuffle_name, plain_draw ? "" : "/",
             plain_draw ? "" : scheme->draw_name, plain_rng ? "" : "/", plain_rng ? "" : scheme->rng.name);
}

static enum sb_status scheme_check_width(const struct sb_scheme *scheme, struct sb_error *error)
{
    const unsigned width = sb_words_width(scheme->rng.largest);

    if (scheme->draw.width <= width || sb_draw_wide(&scheme->draw))
        return SB_OK;
    if (!scheme->draw.type->parameter.name)
        return sb_error_set(error, SB_INVALID,
                            "%s needs words of %llu bits, and those of %s have %u: use another generator",
                            scheme->draw_name, (unsigned long long)scheme->draw.width, scheme->rng.name, width);
    return sb_error_set(error, SB_INVALID, "%s: the words of %s have %u bits: use %s:%u or fewer, or another generator",
                        scheme->draw_name, scheme->rng.name, width, scheme->draw.type->name, width);
}

enum sb_status sb_scheme_parse(const char *text, const char *draw, const char *rng, struct sb_error *error,
                               struct sb_scheme *scheme)
{
    struct sb_scheme made = { 0 };
    struct scheme_part part;

    if (!text)
        return sb_error_null(error, "the scheme");
    const size_t first = strcspn(text, "/");
    enum sb_status status = scheme_cut(text, first, error, &part);
    if (status == SB_OK)
        status = scheme_shuffle(&part, error, &made);
    if (status)
        return status;
    draw = draw ? draw : "ideal";
    rng = rng ? rng : "philox";
    if (text[first] == '/') {
        draw = text + first + 1;
        if (strchr(draw, '/'))
            rng = strchr(draw, '/') + 1;
    }
    status = scheme_cut(draw, strcspn(draw, "/"), error, &part);
    if (status == SB_OK)
        status = scheme_draw(&part, error, &made);
    if (status == SB_OK)
        status = scheme_rng(rng, error, &made);
    if (status)
        return status;
    scheme_name(&made);
    status = scheme_check_width(&made, error);
    if (status == SB_OK)
        *scheme = made;
    return status;
}

enum sb_status sb_scheme_defaults_check(const char *draw, const char *rng, struct sb_error *error)
{
    struct sb_scheme scheme;

    return sb_scheme_parse(sb_shuffle_types[0]->name, draw, rng, error, &scheme);
}

static size_t scheme_answers(const struct sb_scheme *scheme, size_t n)
{
    const struct sb_draw *const draw = &scheme->draw;
    uint64_t *const law = calloc(n, sizeof *law);
    size_t answers = 0;

    if (!law)
        return 0;
    draw->type->law(draw, sb_draw_largest(draw, scheme->rng.largest), (uint32_t)n, law);
    for (size_t j = 0; j < n; j++)
        answers += law[j] > 0;
    free(law);
    return answers;
}

/* Some shuffles repeat draws until an answer is new. Checks that such a shuffle can end. */
static enum sb_status scheme_check_end(const struct sb_scheme *scheme, size_t n, size_t deal, struct sb_error *error)
{
    const struct sb_shuffle *const shuffle = &scheme->shuffle;
    const size_t awaited = shuffle->type->awaits ? shuffle->type->awaits(shuffle, n, deal) : 0;
    const size_t answers = awaited ? scheme_answers(scheme, n) : n;

    if (awaited <= answers)
        return SB_OK;
    if (answers == 0)
        return sb_error_memory(error, "the law of a draw");
    return sb_error_set(error, SB_INVALID,
                        "%s never ends: it draws from %zu until %zu different answers have come, and only %zu "
                        "can: use another draw",
                        scheme->name, n, awaited, answers);
}

enum sb_status sb_scheme_check(const struct sb_scheme *scheme, size_t n, size_t deal, struct sb_error *error)
{
    const uint64_t largest = sb_draw_largest(&scheme->draw, scheme->rng.largest);

    if (n < 2)
        return SB_OK;
    if (scheme->draw.type->law)
        return scheme_check_end(scheme, n, deal, error);
    if (n - 1 <= largest)
        return SB_OK;
    return sb_error_set(error, SB_INVALID,
                        "%s: %s has only %llu different words, too few to draw from %zu: use n <= %llu", scheme->name,
                        scheme->draw.width ? scheme->draw_name : scheme->rng.name, (unsigned long long)largest + 1, n,
                        (unsigned long long)largest + 1);
}

struct sb_law sb_scheme_law(const struct sb_scheme *scheme, const struct sb_shuffler *shuffler,
                            const struct sb_request *options)
{
    return (struct sb_law) {
        .shuffler = shuffler,
        .draw = &scheme->draw,
        .largest = sb_draw_largest(&scheme->draw, scheme->rng.largest),
        .threads = options->threads,
        .stop = options->stop,
        .progress = options->progress,
        .progress_state = options->progress_state,
        .subject = scheme->name,
    };
}

/* ---- options ---- */

/* The defaults and the ranges of a report's options. */

enum { OPTIONS_ITEMS = 3 }; /* the default of n */

/*
 * Returns the default number of shuffles. The slower schemes make this many shuffles in about a second. If
 * deals are tallied by rank, and there are more than a million different deals, the default is 40 million
 * shuffles. If deals are tallied by rank, there are at most a million different deals, and n is at most 12,
 * the default is 10 million. In all other cases the default is 10^8/n shuffles, but at least 10 n, so that
 * each item is expected ten times at each position.
 */
static uint64_t options_samples(size_t n, size_t deal)
{
    const size_t cells = sb_cells(n, deal);
    const uint64_t items = 100000000 / (n + !n), expected = 10 * (uint64_t)n;

    if (cells > 1000000)
        return 40000000;
    if (cells && n <= 12)
        return 10000000;
    return items > expected ? items : expected;
}

/* The table of options has checked each option by itself. */
static enum sb_status options_check(const struct sb_request *made, struct sb_error *error)
{
    if (made->ranks && sb_ranks_check(made->ranks, error))
        return SB_INVALID;
    if (made->seed_range.count > INT64_MAX - made->seed_range.first)
        return sb_error_set(error, SB_INVALID,
                            "`seeds_first = %" PRIu64 "` and `seeds_count = %" PRIu64
                            "` go too far: the last seed must be below 2^63",
                            made->seed_range.first, made->seed_range.count);
    return SB_OK;
}

enum sb_status sb_options_settle(const struct sb_request *options, struct sb_error *error, struct sb_request *settled)
{
    const size_t items = options->of == SB_DEAL ? SB_ITEMS_MOST : SB_COMPUTED_MOST;
    struct sb_request made = *options;

    if ((made.cards || made.grouping.kinds) && made.n == OPTIONS_ITEMS)
        made.n = 0;
    const enum sb_status counted = sb_items_named(made.cards, made.grouping.kinds, &made.n, error);

    if (counted)
        return counted;
    if (made.n > items)
        return sb_error_set(error, SB_INVALID, "`n = %zu` is too large: use 0 to %zu", made.n, items);
    if (made.deal > made.n)
        return sb_error_deal(error, made.deal, made.n);
    if (options_check(&made, error) || sb_statistics_check(made.statistics, error) ||
        sb_statistic_profile_known(made.profile, error) || sb_scheme_defaults_check(made.draw, made.rng, error))
        return SB_INVALID;
    if (made.deal == 0)
        made.deal = made.n;
    if (made.samples == 0)
        made.samples = options_samples(made.n, made.deal);
    *settled = made;
    return SB_OK;
}
