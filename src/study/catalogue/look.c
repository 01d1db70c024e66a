/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the shuffles that permutations look like, by the law or by the positions.
 *
 * The catalogue knows some shuffles only by their matrices. Permutations from such a shuffle may fit another shuffle's
 * law of whole decks by accident. So, beyond a few items, the shuffles that were found by the law are compared with
 * those found by the positions.
 *
 * One name that is not rejected is still no fact if the permutations say little about it. The name is a fact only if:
 *
 *   - There are seven permutations or more. If half of all came from another shuffle, so many would look as if all came
 *     from the named one with probability 2^-7, which is below 1%. If all permutations that are possible under the
 * named shuffle are equally likely, that is all that there is to show. Otherwise there must be ten permutations.
 *   - Otherwise, the permutations are also 100 times as likely under the shuffle as under a law that deviates in a
 * single one of the statistics, and is otherwise fair. E of the statistic is the likelihood ratio of such a law. (The
 * likelihood of positions is compared with that of laws that deviate in the positions of a single item.) The factor is
 *     multiplied by the number of shuffles from which the likeliest was chosen. For example, a shuffle that gives only
 * even permutations fails soon because of `parity`, and by then fits several shuffles whose permutations are even.
 *   - If the shuffle is one of a series, such as riffles of any number, the permutations are more than 1,000^16 times
 * less likely under each other member. There are shuffles between each two members. The divergence grows with the
 * square of the distance, so a shuffle at a quarter of it is then 1,000 times less likely, too. The law of riffles
 * depends on a single statistic, so riffles and sorts by keys need not be likelier than a law that deviates in one.
 */
#include "study/catalogue/look.h"

enum { LOOK_ITEMS = 64 }; /* the most items whose positions are compared */

enum {
    LOOK_NAMED = 3,         /* the fewest permutations for a name if the possible ones are not equally likely */
    LOOK_LEAST_UNEVEN = 10, /* the fewest for a fact in that case */
    LOOK_LEAST = 7,         /* the fewest for a fact if they are equally likely */
    LOOK_FEW = 1000,        /* fewer permutations than these are said to be too few to be sure */
};

/*
 * Finds the shuffles by the positions: the biased shuffles, in one of their variants, whose matrix gives the observed
 * positions the largest likelihood, and of which the permutations are typical (look_typical.h). The likelihood treats
 * the positions of different items as independent, although they are not, so it only decides which shuffles are tried.
 * The positions must be more than 1,000 times as likely under the matrix as under the uniform matrix.
 *
 * A matrix is exact, or simulated if that would take too long. Exact matrices that differ by at most 1e-9 in each cell
 * count as equal. Inverting the decks transposes the matrix, and reversing the decks mirrors its columns.
 *
 * Cost: for 52 items, the engines need half a second to compute the matrices; then come up to eight simulations.
 */

/* the largest cost of one matrix, in nanoseconds, according to the engine's estimate */
static const double places_cost = 1e8;
static const double places_equal = 1e-9;

enum {
    PLACES_DECKS = 16384, /* decks from which a matrix is simulated */
    PLACES_TRIED = 10,    /* the most shuffles of which the permutations may be typical or not */
    PLACES_SHUFFLES = 64, /* the most shuffles */
};

/* A shuffle that the permutations may look like. */
struct place_shuffle {
    char scheme[SB_CATALOGUE_NAME];
    bool exact;
    double *share;          /* [n * n] its matrix; owned */
    double ln[SB_VARIANTS]; /* ln of the likelihood ratio of the positions in each variant */
};

/* A shuffle in one variant. */
struct place {
    size_t shuffle;
    unsigned variant;
    double ln; /* that of the shuffle in this variant */
};

struct places {
    size_t n;
    const struct sb_look_seen *seen;
    const struct sb_catalogue *catalogue; /* NULL: there are no laws of whole decks */
    double ln_e;
    size_t count;
    struct place_shuffle shuffle[PLACES_SHUFFLES];
    size_t found;                     /* number of shuffles of which the permutations are typical */
    struct place place[PLACES_TRIED]; /* [found] the likeliest first */
};

static double place_share(size_t n, const double share[], unsigned variant, size_t item, size_t position)
{
    const size_t at = variant & SB_VARIANT_REVERSED ? n - 1 - position : position;

    return share[variant & SB_VARIANT_INVERTED ? at * n + item : item * n + at];
}

static double place_ln(const struct places *places, const double share[], unsigned variant)
{
    const size_t n = places->n;
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            const double count = (double)sb_numbers_u64(&places->seen->evidence->matrix, i * n + j);
            const double p = place_share(n, share, variant, i, j);

            if (count > 0)
                sum += p > 0 ? count * log((double)n * p) : -HUGE_VAL;
        }
    return sum;
}

static enum sb_status place_simulate(const struct sb_scheme *scheme, size_t n, double share[])
{
    const struct sb_dealt dealt = { .scheme = scheme, .n = n, .deal = n, .seed = 1 };
    struct sb_feed *feed = NULL;
    struct sb_error error;
    enum sb_status status = sb_dealt_new(&dealt, &error, &feed);

    for (size_t left = PLACES_DECKS; left && status == SB_OK; left -= feed->count) {
        status = sb_feed_next(feed, left, &error);
        for (size_t i = 0; i < feed->count * n && status == SB_OK; i++)
            share[feed->items[i] * n + i % n]++;
    }
    sb_feed_free(feed);
    /* half a deck more, so that a place that has not come up is not impossible */
    for (size_t i = 0; i < n * n; i++)
        share[i] = (share[i] + 0.5 / (double)n) / (PLACES_DECKS + 0.5);
    return status;
}

static enum sb_status place_matrix(const struct sb_scheme *scheme, size_t n, struct sb_error *error,
                                   struct place_shuffle *shuffle)
{
    struct sb_shuffler shuffler;
    struct sb_evidence matrix = { 0 };
    struct sb_request options;
    double cost;

    sb_request_init(&options, SB_REPORT);
    if (sb_shuffler_open(scheme->shuffle, n, n, &shuffler))
        return SB_NO_MEMORY;
    const struct sb_law law = sb_scheme_law(scheme, &shuffler, &options);
    const struct sb_engine_type *const engine = sb_engine_for(&law, SB_TASK_MATRIX, &cost);

    shuffle->exact = cost <= places_cost && engine->matrix(&law, error, &matrix) == SB_OK;
    for (size_t i = 0; i < n * n && shuffle->exact; i++)
        shuffle->share[i] = sb_evidence_matrix_share(&matrix, i / n, i % n);
    sb_evidence_close(&matrix);
    sb_shuffler_close(&shuffler);
    return shuffle->exact ? SB_OK : place_simulate(scheme, n, shuffle->share);
}

/* What ln of a simulated matrix may lack. If M decks give the shares of C cells, the likelihood of N permutations loses
 * N C/(2M) nats on average, with a standard deviation of sqrt(N C/M). */
static double place_allowance(const struct places *places)
{
    const double lost = (double)places->seen->evidence->total * (double)(places->n * places->n) / PLACES_DECKS;

    return lost / 2 + 2 * sqrt(lost);
}

static enum sb_status places_add(struct places *places, const char *name, struct sb_error *error)
{
    struct place_shuffle *const shuffle = &places->shuffle[places->count];
    struct sb_scheme scheme;
    enum sb_status status;

    if (places->count == PLACES_SHUFFLES || sb_scheme_parse(name, NULL, NULL, NULL, &scheme) ||
        sb_scheme_check(&scheme, places->n, places->n, NULL))
        return SB_OK;
    for (size_t s = 0; s < places->count; s++)
        if (strcmp(places->shuffle[s].scheme, scheme.name) == 0)
            return SB_OK;
    snprintf(shuffle->scheme, sizeof shuffle->scheme, "%s", scheme.name);
    shuffle->share = calloc(places->n * places->n, sizeof shuffle->share[0]);
    if (!shuffle->share)
        return SB_NO_MEMORY;
    places->count++;
    status = place_matrix(&scheme, places->n, error, shuffle);
    for (unsigned v = 0; v < SB_VARIANTS; v++)
        shuffle->ln[v] = status == SB_OK
                             ? place_ln(places, shuffle->share, v) + (shuffle->exact ? 0 : place_allowance(places))
                             : -HUGE_VAL;
    return status == SB_NO_MEMORY ? status : SB_OK;
}

/* Returns the size of a shuffle buffer whose items come as early as the earliest observed item, compared with
 * its own position. */
static size_t places_buffer(const struct places *places)
{
    const size_t n = places->n;
    size_t early = 0;

    for (size_t item = 0; item < n; item++)
        for (size_t at = 0; at < item; at++)
            if (sb_numbers_u64(&places->seen->evidence->matrix, item * n + at) > 0 && item - at > early)
                early = item - at;
    return early + 1;
}

static enum sb_status places_add_all(struct places *places, struct sb_error *error)
{
    const size_t buffer = places_buffer(places);
    enum sb_status status = SB_OK;
    char name[SB_CATALOGUE_NAME];

    for (size_t i = 0; i < sb_shuffles_unnamed() && status == SB_OK; i++)
        if (sb_shuffle_types[i]->claim == SB_BIASED)
            status = places_add(places, sb_shuffle_types[i]->name, error);
    for (size_t i = 0; i < SB_CATALOGUE_NAMED && status == SB_OK; i++)
        status = places_add(places, sb_catalogue_named[i], error);
    for (unsigned packet = 2; packet <= SB_CATALOGUE_PACKETS && status == SB_OK; packet++) {
        snprintf(name, sizeof name, "overhand:%u", packet);
        status = places_add(places, name, error);
    }
    snprintf(name, sizeof name, "shuffle-buffer:%zu", buffer);
    /* some items come as early by accident in many shuffles; they would pass for a larger buffer */
    if (buffer > 1 && buffer <= places->n / 2 && status == SB_OK)
        status = places_add(places, name, error);
    return status;
}

/* The likeliest comes first; equally likely ones stay in the order of the list. */
static int place_compare(const void *a, const void *b)
{
    const struct place *const one = a, *const two = b;
    const size_t first = SB_VARIANTS * one->shuffle + one->variant, second = SB_VARIANTS * two->shuffle + two->variant;

    return one->ln != two->ln ? (one->ln < two->ln) - (one->ln > two->ln) : (first > second) - (first < second);
}

static bool places_named(const struct sb_looks_like *looks_like, const char *scheme)
{
    bool named = looks_like->scheme && strcmp(looks_like->scheme, scheme) == 0;

    for (size_t i = 0; i < looks_like->others; i++)
        named = named || sb_catalogue_look_is_of(looks_like->other[i], scheme);
    return named;
}

static enum sb_status places_find(struct places *places, double ln_least, const struct sb_looks_like *by_law)
{
    struct place all[PLACES_SHUFFLES * SB_VARIANTS];
    const size_t count = places->count * SB_VARIANTS;
    enum sb_status status = SB_OK;
    char name[SB_CATALOGUE_NAME];
    bool typical;

    for (size_t i = 0; i < count; i++) {
        const size_t s = i / SB_VARIANTS, v = i % SB_VARIANTS;

        all[i] = (struct place) { .shuffle = s, .variant = (unsigned)v, .ln = places->shuffle[s].ln[v] };
    }
    qsort(all, count, sizeof all[0], place_compare);
    for (size_t i = 0, tried = 0; i < count && tried < PLACES_TRIED && status == SB_OK; i++) {
        const char *const scheme = places->shuffle[all[i].shuffle].scheme;

        if (isinf(all[i].ln) || all[i].ln <= ln_least)
            break;
        sb_catalogue_name(scheme, all[i].variant, name);
        if (places_named(by_law, scheme) || sb_catalogue_look_refutes(places->catalogue, name, places->ln_e))
            continue;
        tried++;
        status = sb_typical_of_scheme(places->seen, scheme, all[i].variant, &typical);
        if (status || !typical)
            continue;
        if (places->found == 0)
            ln_least = fmax(ln_least, all[i].ln - SB_LOOK_LN_AGAINST);
        places->place[places->found++] = all[i];
    }
    return status;
}

static bool places_same(const struct places *places, const struct place *a, const struct place *b)
{
    const struct place_shuffle *const one = &places->shuffle[a->shuffle], *const two = &places->shuffle[b->shuffle];
    const size_t n = places->n;
    bool same = one->exact && two->exact;

    for (size_t i = 0; i < n * n && same; i++)
        same = fabs(place_share(n, one->share, a->variant, i / n, i % n) -
                    place_share(n, two->share, b->variant, i / n, i % n)) <= places_equal;
    return same;
}

/* Puts the first plain place that is the same as the likeliest before it. */
static void places_prefer_plain(struct places *places)
{
    for (size_t i = 1; i < places->found && places->place[0].variant; i++)
        if (places->place[i].variant == 0 && places_same(places, &places->place[0], &places->place[i])) {
            const struct place plain = places->place[i];

            places->place[i] = places->place[0];
            places->place[0] = plain;
        }
}

static enum sb_status places_name(const struct places *places, size_t from, struct sb_looks_like *looks_like)
{
    enum sb_status status = SB_OK;
    char name[SB_CATALOGUE_NAME];

    for (size_t i = from; i < places->found && status == SB_OK; i++) {
        const struct place_shuffle *const shuffle = &places->shuffle[places->place[i].shuffle];

        sb_catalogue_name(shuffle->scheme, places->place[i].variant, name);
        if (from && places_same(places, &places->place[0], &places->place[i]))
            status = sb_catalogue_look_also(name, looks_like);
        else if (from && places->place[i].shuffle == places->place[0].shuffle)
            looks_like->forms = true;
        else if (!places_named(looks_like, shuffle->scheme))
            status = sb_catalogue_look_other(name, looks_like);
    }
    return status;
}

/* Sets *ln to ln of the likelihood ratio of the shuffle that was found by its law, or to that of the positions, if
 * it is larger; -HUGE_VAL if none was found. */
static enum sb_status places_ln_law(struct places *places, const struct sb_looks_like *by_law, struct sb_error *error,
                                    double *ln)
{
    unsigned variant = 0;
    size_t s = 0;
    enum sb_status status = SB_OK;

    *ln = -HUGE_VAL;
    if (!by_law->scheme)
        return SB_OK;
    while (variant + 1 < SB_VARIANTS && strcmp(by_law->form, sb_catalogue_forms[variant]) != 0)
        variant++;
    while (s < places->count && strcmp(places->shuffle[s].scheme, by_law->scheme) != 0)
        s++;
    if (s == places->count)
        status = places_add(places, by_law->scheme, error);
    if (s < places->count)
        *ln = places->shuffle[s].ln[variant];
    *ln = fmax(*ln, by_law->ln_e);
    return status;
}

static double places_near(const struct places *places, const struct place *best)
{
    double ln_near = -HUGE_VAL;

    for (size_t s = 0; s < places->count; s++)
        if (sb_catalogue_look_series(places->shuffle[best->shuffle].scheme, places->shuffle[s].scheme))
            ln_near = fmax(ln_near, places->shuffle[s].ln[best->variant]);
    return ln_near;
}

static enum sb_status places_look(struct places *places, struct sb_error *error, struct sb_looks_like *looks_like)
{
    struct sb_looks_like named = { .asked = false };
    double ln_law;
    enum sb_status status = places_add_all(places, error);

    if (status == SB_OK)
        status = places_ln_law(places, looks_like, error, &ln_law);
    if (status == SB_OK)
        status = places_find(places, fmax(SB_LOOK_LN_AGAINST, ln_law - SB_LOOK_LN_AGAINST), looks_like);
    if (status || places->found == 0)
        return status;
    places_prefer_plain(places);
    const struct place *const best = &places->place[0];

    if (looks_like->scheme && best->ln < ln_law + SB_LOOK_LN_AGAINST)
        return places_name(places, 0, looks_like);
    status = sb_catalogue_look_named(places->shuffle[best->shuffle].scheme, best->variant, &named);
    named.by_positions = true;
    named.ln_tried = log((double)(places->count * SB_VARIANTS));
    named.ln_e = best->ln;
    named.ln_near = places_near(places, best);
    if (status == SB_OK)
        status = places_name(places, 1, &named);
    sb_looks_like_close(looks_like);
    *looks_like = named;
    return status;
}

/* Compares the positions with the matrices of shuffles. Adds the shuffles that are typical to those that were found by
 * the law, or replaces these if the positions are far likelier. `catalogue` may be NULL. */
static enum sb_status catalogue_look_positions(const struct sb_look_seen *seen, const struct sb_catalogue *catalogue,
                                               double ln_e, struct sb_error *error, struct sb_looks_like *looks_like)
{
    struct places *places;
    enum sb_status status;

    if (seen->evidence->n > LOOK_ITEMS || !sb_numbers_narrow(&seen->evidence->matrix))
        return SB_OK;
    places = calloc(1, sizeof *places);
    if (!places)
        return SB_NO_MEMORY;
    places->n = seen->evidence->n;
    places->seen = seen;
    places->catalogue = catalogue;
    places->ln_e = ln_e;
    status = places_look(places, error, looks_like);
    for (size_t s = 0; s < places->count; s++)
        free(places->shuffle[s].share);
    free(places);
    return status;
}

static const double look_ln_factor = 4.605170185988092; /* ln 100 */

/* *catalogue is to be freed. */
static enum sb_status look_ranks(const struct sb_look_seen *seen, double ln_e, struct sb_error *error,
                                 struct sb_catalogue **catalogue, struct sb_looks_like *looks_like)
{
    const struct sb_tally rank = {
        .statistic = "rank",
        .members = 1,
        .cells = seen->evidence->cells,
        .total = seen->evidence->total,
        .count = seen->evidence->counts.u64,
    };
    struct sb_e_value e;
    enum sb_status status = sb_catalogue_build(seen->evidence->n, SB_CATALOGUE_NAMES, error, catalogue);

    if (status || !*catalogue)
        return status;
    sb_catalogue_read(*catalogue, &rank);
    sb_e_process(&rank, &e);
    return sb_catalogue_look_law(*catalogue, fmax(ln_e, e.ln_e), seen, looks_like);
}

static enum sb_status look_tally(const struct sb_tally *tally, double *ln_most)
{
    struct sb_e_value *const e = calloc(tally->members + 1, sizeof *e);

    if (!e)
        return SB_NO_MEMORY;
    sb_e_process(tally, e);
    for (size_t member = 0; member < tally->members; member++)
        *ln_most = fmax(*ln_most, e[member].ln_e);
    free(e);
    return SB_OK;
}

/* Sets *ln_most to ln of the largest E of a single statistic. */
static enum sb_status look_statistics(const struct sb_look_seen *seen, bool positions, double *ln_most)
{
    const struct sb_tally places = {
        .statistic = "position",
        .members = seen->evidence->n,
        .cells = seen->evidence->n,
        .total = seen->evidence->total,
        .count = seen->evidence->matrix.u64,
    };
    enum sb_status status = SB_OK;

    *ln_most = 0;
    if (positions)
        return look_tally(&places, ln_most);
    for (size_t i = 0; i < seen->tallies && status == SB_OK; i++)
        status = look_tally(&seen->tally[i], ln_most);
    return status;
}

/* Returns whether the law of the scheme is that of a single statistic. */
static bool look_single(const char *name)
{
    struct sb_scheme scheme;

    return sb_scheme_parse(name, NULL, NULL, NULL, &scheme) == SB_OK && scheme.shuffle.type->form;
}

static enum sb_status look_judge(const struct sb_look_seen *seen, struct sb_looks_like *looks_like)
{
    const uint64_t total = seen->evidence->total;
    double ln_most;
    const enum sb_status status = look_statistics(seen, looks_like->by_positions, &ln_most);

    looks_like->few = total < LOOK_FEW;
    looks_like->sure = status == SB_OK && looks_like->others == 0 &&
                       total >= (looks_like->level ? LOOK_LEAST : LOOK_LEAST_UNEVEN) &&
                       looks_like->ln_e > looks_like->ln_near + 16 * SB_LOOK_LN_AGAINST &&
                       (looks_like->level || look_single(looks_like->scheme) ||
                        looks_like->ln_e > ln_most + looks_like->ln_tried + look_ln_factor);
    return status;
}

enum sb_status sb_catalogue_look(const struct sb_look_seen *seen, const struct sb_catalogue *catalogue, double ln_e,
                                 bool positions, struct sb_error *error, struct sb_looks_like *looks_like)
{
    const struct sb_evidence *const evidence = seen->evidence;
    struct sb_catalogue *ranks = NULL;
    enum sb_status status = SB_OK;

    if (evidence->n < 3 || evidence->deal < evidence->n || evidence->total == 0)
        return SB_OK;
    const bool ranked = evidence->n <= SB_CATALOGUE_RANKED && evidence->counts.form == SB_NUMBERS_U64;

    if (catalogue && sb_catalogue_by_rank(catalogue))
        catalogue = NULL;
    if (ranked)
        status = look_ranks(seen, ln_e, error, &ranks, looks_like);
    else if (catalogue)
        status = sb_catalogue_look_law(catalogue, ln_e, seen, looks_like);
    if (evidence->total < LOOK_NAMED && !looks_like->level)
        sb_looks_like_close(looks_like);
    if (status || evidence->total < LOOK_NAMED)
        positions = false;
    if (positions)
        status = catalogue_look_positions(seen, ranked ? ranks : catalogue, ln_e, error, looks_like);
    sb_catalogue_free(ranks);
    if (status == SB_OK && looks_like->scheme)
        status = look_judge(seen, looks_like);
    looks_like->asked = looks_like->scheme || (positions && evidence->n <= LOOK_ITEMS);
    return status == SB_NO_MEMORY ? sb_error_memory(error, "the name of a shuffle") : status;
}
