/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the catalogue for one n. */
#include "study/catalogue/look.h"

/* Biased draws, and the bits of the words from which they draw. */
static const struct {
    const char *name;
    unsigned bits;
} catalogue_draws[] = {
    { "modulo:8", 8 },   { "multiply:8", 8 },   { "modulo:15", 15 }, { "multiply:15", 15 },
    { "modulo:16", 16 }, { "multiply:16", 16 }, { "modulo:31", 31 }, { "multiply:31", 31 },
};

enum { CATALOGUE_DRAWS = sizeof catalogue_draws / sizeof catalogue_draws[0] };

static double catalogue_weight(bool usual, unsigned variant)
{
    return usual && variant == 0 ? 4 : 1;
}

/* Adds a candidate whose law has these ln(p/q); `of` is the kind of its cells. If `also` is not NULL, that scheme,
 * inverted, has the same law. SB_NO_MEMORY. */
static enum sb_status catalogue_add(struct sb_catalogue *catalogue, const char *scheme, bool usual, unsigned variant,
                                    size_t of, const double ln_ratio[], const char *also)
{
    const int64_t *const worth = sb_catalogue_table(catalogue, ln_ratio, sb_catalogue_cells(catalogue->n, of));
    char name[SB_CATALOGUE_NAME];
    enum sb_status status = worth ? sb_catalogue_candidate(catalogue, scheme, sb_catalogue_name(scheme, variant, name),
                                                           catalogue_weight(usual, variant), of, worth)
                                  : SB_NO_MEMORY;

    if (status == SB_OK && also)
        status = sb_catalogue_also(&catalogue->candidate[catalogue->count - 1],
                                   sb_catalogue_name(also, variant | SB_VARIANT_INVERTED, name));
    return status;
}

/*
 * Laws of whole decks in closed form.
 *
 *   Fisher-Yates with biased draws: exactly one series of draws leads to each deck. Let d[i] be the draw from
 *   0..i, and P(d[i]) its probability. Then p/q, the ratio of a deck's probability p to the fair probability
 *   q, is the product over i of (i+1) P(d[i]). Fisher-Yates from the front is the mirror image, with i - d[i]
 *   instead of d[i].
 *
 *   A shuffle of the registry may leave out steps of Fisher-Yates, or draw from only a part of 0..i. For such
 *   a shuffle, p/q is the same product. Examples are Sattolo's loop and the loop that stops early.
 *
 *   After K riffles, a deck that has r rising sequences has the probability C(2^K + n - r, n)/2^(nK) (Bayer
 *   and Diaconis, doi:10.1214/aoap/1177005705). So with m = 2^K, p/q = prod (1 + (n-r-i)/m) over i = 0 ..
 *   n-1. A stable sort by keys of K bits yields the inverse of a riffled deck; the inverse has r - 1
 *   descents. A deck that is read from its end has n+1-r rising sequences instead of r.
 *
 *   A rotation by k has probability 1/n in the shuffle `rotate`, and C(n, k)/2^n in `cut`, where k = n is the
 *   same rotation as k = 0. The inverse is the rotation by n-k, which has the same probability, so inverting
 *   the decks does not change either law. A rotation by k that is read from its end has the item k - 1 - j
 *   modulo n at position j. This permutation is its own inverse.
 *
 * A law is left out if its divergence from fair, over SB_CATALOGUE_DECKS decks, is below one nat.
 */

/* laws with a smaller divergence per deck are left out */
static const double decks_nats = 1.0 / SB_CATALOGUE_DECKS;

/* The catalogue while it is built. */
struct decks {
    struct sb_catalogue *catalogue;
    /* ln(p/q) of each cell of a law, and the same for the law's mirror image; owned */
    double *ln_ratio, *mirror;
    double *ln_eulerian; /* [n] ln of the law of the number of descents in a fair shuffle; owned */
    uint64_t *mass;      /* [n] number of words that give each answer of one draw; owned */
};

enum { DECKS_RIFFLES = 16 };

static double decks_divergence(const struct decks *decks)
{
    double nats = 0;

    for (size_t i = 1; i < decks->catalogue->n; i++)
        for (size_t d = 0; d <= i; d++) {
            const double ln_ratio = decks->ln_ratio[sb_deck_draws_cell(i, d)];

            nats += isinf(ln_ratio) ? 0 : exp(ln_ratio) * ln_ratio / (double)(i + 1);
        }
    return nats;
}

static enum sb_status decks_add_views(struct decks *decks, const char *scheme, bool usual, bool forward)
{
    const size_t n = decks->catalogue->n, cells = sb_deck_draws_cells(n);
    enum sb_status status = SB_OK;
    char name[SB_CATALOGUE_NAME];

    for (size_t i = 1; i < n; i++)
        for (size_t d = 0; d <= i; d++)
            decks->mirror[sb_deck_draws_cell(i, d)] = decks->ln_ratio[sb_deck_draws_cell(i, i - d)];
    const int64_t *const worth = sb_catalogue_table(decks->catalogue, forward ? decks->mirror : decks->ln_ratio, cells);

    for (unsigned v = 0; v < SB_VARIANTS && worth && status == SB_OK; v++)
        status = sb_catalogue_candidate(decks->catalogue, scheme, sb_catalogue_name(scheme, v, name),
                                        catalogue_weight(usual, v), v + (forward ? (size_t)SB_VIEW_FORWARD : 0), worth);
    return worth ? status : SB_NO_MEMORY;
}

static enum sb_status decks_add_draw(struct decks *decks, const char *text)
{
    static const char *const shuffles[] = { "fisher-yates", "fisher-yates-forward" };
    enum sb_status status = SB_OK;
    struct sb_scheme scheme;
    char name[SB_CATALOGUE_NAME];

    for (size_t s = 0; s < sizeof shuffles / sizeof shuffles[0] && status == SB_OK; s++) {
        snprintf(name, sizeof name, "%s/%.40s", shuffles[s], text);
        if (sb_scheme_parse(name, NULL, NULL, NULL, &scheme))
            return SB_OK;
        const uint64_t largest = sb_draw_largest(&scheme.draw, scheme.rng.largest);

        for (size_t i = 1; i < decks->catalogue->n; i++) {
            scheme.draw.type->law(&scheme.draw, largest, (uint32_t)(i + 1), decks->mass);
            for (size_t d = 0; d <= i; d++)
                decks->ln_ratio[sb_deck_draws_cell(i, d)] =
                    log((double)decks->mass[d] * (double)(i + 1) / ((double)largest + 1));
        }
        if (decks_divergence(decks) >= decks_nats)
            status = decks_add_views(decks, scheme.name, false, s == 1);
    }
    return status;
}

/* Returns whether each step exchanges the items at two positions i and j with j <= i, and i decreases from
 * step to step. If so, fills in the law of the draws. */
static bool decks_has_steps(struct decks *decks, const struct sb_shuffler *shuffler)
{
    size_t above = decks->catalogue->n;

    if (!shuffler->steps)
        return false;
    /* if no step has position i, the item there stays: d = i */
    for (size_t i = 1; i < decks->catalogue->n; i++)
        for (size_t d = 0; d <= i; d++)
            decks->ln_ratio[sb_deck_draws_cell(i, d)] = d < i ? -HUGE_VAL : log((double)(i + 1));
    for (size_t k = 0; k < shuffler->count; k++) {
        const struct sb_swap step = shuffler->steps[k];

        if (step.at_bound != 1 || step.at == 0 || step.at >= above || step.from + step.bound > step.at + 1)
            return false;
        above = step.at;
        for (size_t d = 0; d <= step.at; d++)
            decks->ln_ratio[sb_deck_draws_cell(step.at, d)] = d >= step.from && d < step.from + step.bound
                                                                  ? log((double)(step.at + 1) / (double)step.bound)
                                                                  : -HUGE_VAL;
    }
    return true;
}

static enum sb_status decks_add_steps(struct decks *decks, const struct sb_shuffle_type *type)
{
    const size_t n = decks->catalogue->n;
    const struct sb_shuffle shuffle = { .type = type, .parameter = type->parameter.standard };
    struct sb_shuffler shuffler;
    enum sb_status status = sb_shuffler_open(shuffle, n, n, &shuffler);

    if (status)
        return status;
    if (decks_has_steps(decks, &shuffler))
        status = decks_add_views(decks, type->name, true, false);
    sb_shuffler_close(&shuffler);
    return status;
}

static double decks_riffle(const struct decks *decks, unsigned riffles)
{
    const size_t n = decks->catalogue->n;
    const double packets = ldexp(1, (int)riffles);
    double nats = 0;

    for (size_t r = 1; r <= n; r++) {
        double ln_ratio = 0;

        for (size_t i = 0; i < n && !isinf(ln_ratio); i++) {
            const double change = ((double)n - (double)r - (double)i) / packets;

            ln_ratio = change > -1 ? ln_ratio + log1p(change) : -HUGE_VAL;
        }
        decks->ln_ratio[r - 1] = ln_ratio;
        nats += isinf(ln_ratio) ? 0 : exp(decks->ln_eulerian[r - 1] + ln_ratio) * ln_ratio;
    }
    return nats;
}

static enum sb_status decks_add_riffle(struct decks *decks, unsigned riffles)
{
    const size_t n = decks->catalogue->n;
    enum sb_status status = SB_OK;
    struct sb_scheme usual;
    char riffle[32], sort[32];

    if (decks_riffle(decks, riffles) < decks_nats)
        return SB_OK;
    for (size_t r = 0; r < n; r++)
        decks->mirror[r] = decks->ln_ratio[n - 1 - r];
    sb_scheme_parse("riffle", NULL, NULL, NULL, &usual);
    snprintf(riffle, sizeof riffle, "riffle:%u", riffles);
    snprintf(sort, sizeof sort, "sort-by-key:%u", riffles);
    for (unsigned v = 0; v < SB_VARIANTS && status == SB_OK; v++) {
        const bool inverted = v & SB_VARIANT_INVERTED, reversed = v & SB_VARIANT_REVERSED;

        status =
            catalogue_add(decks->catalogue, inverted ? sort : riffle, !inverted && riffles == usual.shuffle.parameter,
                          v & SB_VARIANT_REVERSED, inverted ? SB_COUNTS_DESCENTS : SB_COUNTS_RISES,
                          reversed ? decks->mirror : decks->ln_ratio, inverted ? riffle : sort);
    }
    return status;
}

/* Adds a law of rotations and the law's mirror image. ln_p[k] is ln of the probability of the rotation by k. */
static enum sb_status decks_add_rotations(struct decks *decks, const char *scheme, const double ln_p[])
{
    const size_t n = decks->catalogue->n;
    enum sb_status status = SB_OK;

    for (unsigned v = 0; v < SB_VARIANTS && status == SB_OK; v += SB_VARIANT_REVERSED) {
        for (size_t i = 0; i <= 2 * n; i++)
            decks->ln_ratio[i] = -HUGE_VAL;
        /* in a rotation that is read from its end, position j has item n-1-j + k */
        for (size_t k = 0; k < n; k++)
            decks->ln_ratio[v ? n + (n - 1 + k) % n : k] = ln_p[k] + sb_ln_gamma((double)n + 1);
        status = catalogue_add(decks->catalogue, scheme, true, v, SB_COUNTS_ROTATIONS, decks->ln_ratio, scheme);
    }
    return status;
}

static enum sb_status decks_add_cuts(struct decks *decks)
{
    const size_t n = decks->catalogue->n;
    double ln_p[SB_CATALOGUE_ITEMS];
    enum sb_status status;

    if (n < 3) /* with two items, every deck is both a rotation and the mirror image of a rotation */
        return SB_OK;
    for (size_t k = 0; k < n; k++)
        ln_p[k] = -log((double)n);
    status = decks_add_rotations(decks, "rotate", ln_p);
    for (size_t k = 0; k < n; k++)
        ln_p[k] = k == 0 ? log(2) - (double)n * log(2)
                         : sb_ln_gamma((double)n + 1) - sb_ln_gamma((double)k + 1) - sb_ln_gamma((double)(n - k) + 1) -
                               (double)n * log(2);
    return status ? status : decks_add_rotations(decks, "cut", ln_p);
}

static enum sb_status decks_add_all(struct decks *decks)
{
    enum sb_status status = SB_OK;

    for (size_t i = 0; i < sb_shuffles_unnamed() && status == SB_OK; i++)
        if (sb_shuffle_types[i]->claim == SB_BIASED)
            status = decks_add_steps(decks, sb_shuffle_types[i]);
    if (status == SB_OK)
        status = decks_add_cuts(decks);
    for (unsigned k = 1; k <= DECKS_RIFFLES && status == SB_OK; k++)
        status = decks_add_riffle(decks, k);
    for (size_t d = 0; d < CATALOGUE_DRAWS && status == SB_OK; d++)
        status = decks_add_draw(decks, catalogue_draws[d].name);
    return status;
}

static enum sb_status catalogue_build_decks(struct sb_catalogue *catalogue)
{
    const size_t n = catalogue->n, cells = sb_deck_draws_cells(n) + 2 * n + 1;
    struct decks decks = {
        .catalogue = catalogue,
        .ln_ratio = calloc(cells, sizeof *decks.ln_ratio),
        .mirror = calloc(cells, sizeof *decks.mirror),
        .ln_eulerian = calloc(n + 1, sizeof *decks.ln_eulerian),
        .mass = calloc(n + 1, sizeof *decks.mass),
    };
    enum sb_status status = SB_NO_MEMORY;

    if (decks.ln_ratio && decks.mirror && decks.ln_eulerian && decks.mass) {
        sb_law_eulerian(n, decks.ln_eulerian);
        status = decks_add_all(&decks);
    }
    free(decks.ln_ratio);
    free(decks.mirror);
    free(decks.ln_eulerian);
    free(decks.mass);
    return status;
}

/* The catalogue while it is built. */
struct ranks {
    struct sb_catalogue *catalogue;
    struct sb_error *error;
    size_t cells;
    double cost;     /* the largest cost of one law, in nanoseconds, according to the engine's estimate */
    double *law;     /* [count * cells] probabilities of each candidate's cells; owned */
    double *variant; /* [cells] scratch; owned */
    /* [cells] rank[r][v] is the rank of what variant v prints for the permutation of rank r; owned */
    sb_item (*rank)[SB_VARIANTS];
};

void sb_catalogue_print(size_t n, unsigned variant, const sb_item a[], sb_item printed[])
{
    for (size_t j = 0; j < n; j++) {
        const size_t at = variant & SB_VARIANT_INVERTED ? a[j] : j;

        printed[variant & SB_VARIANT_REVERSED ? n - 1 - at : at] = variant & SB_VARIANT_INVERTED ? (sb_item)j : a[j];
    }
}

/* Allocates the tables, and computes the ranks of what each variant prints. */
static enum sb_status ranks_open(struct ranks *ranks)
{
    const size_t n = ranks->catalogue->n;
    sb_item a[SB_CATALOGUE_RANKED], printed[SB_CATALOGUE_RANKED];

    ranks->variant = calloc(ranks->cells, sizeof ranks->variant[0]);
    ranks->rank = calloc(ranks->cells, sizeof ranks->rank[0]);
    if (!ranks->variant || !ranks->rank)
        return SB_NO_MEMORY;
    for (size_t rank = 0; rank < ranks->cells; rank++) {
        sb_permutation_unrank(n, n, rank, a);
        for (unsigned v = 0; v < SB_VARIANTS; v++) {
            sb_catalogue_print(n, v, a, printed);
            ranks->rank[rank][v] = (sb_item)sb_permutation_rank(n, n, printed);
        }
    }
    return SB_OK;
}

/*
 * The laws of shuffles of a few items, as probabilities by rank. The exact engines compute the laws of: each
 * biased shuffle of the registry, with its usual parameter and ideal draws; one to seven riffles; sorts by
 * keys of one to seven bits; and each fair shuffle, with biased draws. Laws that differ by at most 1e-12 form
 * one candidate. A law whose divergence from fair is below 1e-6 nats is left out, because tens of millions of
 * permutations would be needed to show such a bias.
 *
 * Cost: 10 to 50 ms.
 */

static const double ranks_cost = 2e7, ranks_cost_named = 1e9; /* in nanoseconds; the latter only after a fail */
static const double ranks_nats = 1e-6;                        /* laws with a smaller divergence are left out */
/* the largest difference between probabilities of laws that count as equal */
static const double ranks_equal = 1e-12;

static struct sb_candidate *ranks_find(const struct ranks *ranks, const double law[])
{
    for (size_t k = 0; k < ranks->catalogue->count; k++) {
        const double *const other = ranks->law + k * ranks->cells;
        size_t i = 0;

        while (i < ranks->cells && fabs(other[i] - law[i]) <= ranks_equal)
            i++;
        if (i == ranks->cells)
            return &ranks->catalogue->candidate[k];
    }
    return NULL;
}

static enum sb_status ranks_take(struct ranks *ranks, const char *scheme, bool usual, unsigned variant,
                                 const double law[])
{
    struct sb_candidate *const found = ranks_find(ranks, law);
    const size_t cells = ranks->cells, count = ranks->catalogue->count;
    double *const laws = found ? NULL : realloc(ranks->law, ((count + 1) * cells + 1) * sizeof *laws);
    double ln_ratio[720]; /* 6! */
    char name[SB_CATALOGUE_NAME];

    if (found)
        return sb_catalogue_also(found, sb_catalogue_name(scheme, variant, name));
    if (!laws)
        return SB_NO_MEMORY;
    ranks->law = laws;
    for (size_t i = 0; i < cells; i++) {
        laws[count * cells + i] = law[i];
        ln_ratio[i] = law[i] > 0 ? log(law[i] * (double)cells) : -HUGE_VAL;
    }
    return catalogue_add(ranks->catalogue, scheme, usual, variant, SB_COUNTS_RANKS, ln_ratio, NULL);
}

static enum sb_status ranks_add_law(struct ranks *ranks, const char *scheme, bool usual,
                                    const struct sb_evidence *evidence)
{
    enum sb_status status = SB_OK;
    double nats = 0;

    for (size_t rank = 0; rank < ranks->cells; rank++) {
        const double p = sb_evidence_share(evidence, rank);

        nats += p > 0 ? p * log(p * (double)ranks->cells) : 0;
    }
    for (unsigned v = 0; v < SB_VARIANTS && nats >= ranks_nats && status == SB_OK; v++) {
        for (size_t rank = 0; rank < ranks->cells; rank++)
            ranks->variant[ranks->rank[rank][v]] = sb_evidence_share(evidence, rank);
        status = ranks_take(ranks, scheme, usual, v, ranks->variant);
    }
    return status;
}

static enum sb_status ranks_add(struct ranks *ranks, const char *name, bool usual)
{
    const size_t n = ranks->catalogue->n;
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_evidence evidence = { 0 };
    struct sb_request options;
    enum sb_status status;

    if (sb_scheme_parse(name, NULL, NULL, NULL, &scheme) || sb_scheme_check(&scheme, n, n, NULL))
        return SB_OK;
    sb_request_init(&options, SB_REPORT);
    options.threads = 1;
    if (sb_shuffler_open(scheme.shuffle, n, n, &shuffler))
        return SB_NO_MEMORY;
    const struct sb_law law = sb_scheme_law(&scheme, &shuffler, &options);

    status = sb_engine_law(&law, ranks->cost, ranks->error, &evidence);
    if (status == SB_OK && evidence.cells == ranks->cells)
        status = ranks_add_law(ranks, scheme.name, usual, &evidence);
    sb_evidence_close(&evidence);
    sb_shuffler_close(&shuffler);
    return status == SB_NO_MEMORY ? status : SB_OK;
}

/* Adds the shuffles that are used only by their names, and whose law of whole decks can be told from others. A
 * buffer of n-1 items is too much like `planet-poker`, reversed: in both, the last item never comes first. */
static enum sb_status ranks_add_named(struct ranks *ranks)
{
    const size_t most = ranks->catalogue->n - 2;
    const struct {
        const char *name;
        size_t most;
    } sizes[] = { { "shuffle-buffer", most }, { "chunks", most }, { "overhand", SB_CATALOGUE_PACKETS } };
    enum sb_status status = SB_OK;
    char name[SB_CATALOGUE_NAME];

    for (size_t i = 0; i < SB_CATALOGUE_NAMED && status == SB_OK; i++)
        status = ranks_add(ranks, sb_catalogue_named[i], true);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t size = 2; size <= sizes[s].most && status == SB_OK; size++) {
            snprintf(name, sizeof name, "%s:%zu", sizes[s].name, size);
            if (strcmp(name, "overhand:5") != 0) /* the registry already has it */
                status = ranks_add(ranks, name, false);
        }
    return status;
}

enum { RANKS_RIFFLES = 7 };

/* Returns whether biased draws from words of this many bits are far enough from fair. The relative error of
 * each probability of each of the n draws is at most n/2^bits. */
static bool ranks_shows(size_t n, unsigned bits)
{
    const double items = (double)n, share = items * ldexp(1, -(int)bits);

    return items * share * share >= ranks_nats;
}

static enum sb_status ranks_add_draws(struct ranks *ranks, const char *shuffle)
{
    enum sb_status status = SB_OK;
    char name[SB_CATALOGUE_NAME];

    for (size_t d = 0; d < CATALOGUE_DRAWS && status == SB_OK; d++) {
        snprintf(name, sizeof name, "%.100s/%s", shuffle, catalogue_draws[d].name);
        if (ranks_shows(ranks->catalogue->n, catalogue_draws[d].bits))
            status = ranks_add(ranks, name, false);
    }
    return status;
}

static enum sb_status ranks_add_all(struct ranks *ranks)
{
    enum sb_status status = SB_OK;
    char name[SB_CATALOGUE_NAME];

    for (size_t i = 0; i < sb_shuffles_unnamed() && status == SB_OK; i++)
        if (sb_shuffle_types[i]->claim == SB_BIASED)
            status = ranks_add(ranks, sb_shuffle_types[i]->name, true);
    for (unsigned k = 1; k <= RANKS_RIFFLES && status == SB_OK; k++) {
        snprintf(name, sizeof name, "sort-by-key:%u", k);
        status = ranks_add(ranks, name, false);
        snprintf(name, sizeof name, "riffle:%u", k);
        if (status == SB_OK && k < RANKS_RIFFLES) /* the registry already has riffle:7 */
            status = ranks_add(ranks, name, false);
    }
    for (size_t i = 0; i < sb_shuffles_unnamed() && status == SB_OK; i++)
        if (sb_shuffle_types[i]->claim == SB_UNIFORM)
            status = ranks_add_draws(ranks, sb_shuffle_types[i]->name);
    return status;
}

/* `named` says whether to add shuffles that are used only by their names (by_name_only in shuffle.h). */
static enum sb_status catalogue_build_ranks(struct sb_catalogue *catalogue, bool named, struct sb_error *error)
{
    struct ranks ranks = {
        .catalogue = catalogue,
        .error = error,
        .cells = sb_cells(catalogue->n, catalogue->n),
        .cost = named ? ranks_cost_named : ranks_cost,
    };
    enum sb_status status = ranks_open(&ranks);

    if (status == SB_OK)
        status = ranks_add_all(&ranks);
    if (status == SB_OK && named)
        status = ranks_add_named(&ranks);
    free(ranks.law);
    free(ranks.variant);
    free(ranks.rank);
    return status;
}

enum sb_status sb_catalogue_build(size_t n, enum sb_catalogue_laws laws, struct sb_error *error,
                                  struct sb_catalogue **catalogue)
{
    enum sb_status status;

    *catalogue = NULL;
    if (n < 2 || n > (laws ? (size_t)SB_CATALOGUE_RANKED : SB_CATALOGUE_ITEMS))
        return SB_OK;
    *catalogue = sb_catalogue_new(n);
    if (!*catalogue)
        return sb_error_memory(error, "the catalogue");
    status =
        laws ? catalogue_build_ranks(*catalogue, laws == SB_CATALOGUE_NAMES, error) : catalogue_build_decks(*catalogue);
    if (status || (*catalogue)->count == 0) {
        sb_catalogue_free(*catalogue);
        *catalogue = NULL;
    }
    return status == SB_NO_MEMORY ? sb_error_memory(error, "the catalogue") : status;
}

const char *const sb_catalogue_named[SB_CATALOGUE_NAMED] = {
    "identity",
    "insertion",
    "fisher-yates-starts-late",
    "forward-stops-early",
    "fisher-yates/round",
    "fisher-yates-forward/round",
};

const char *const sb_catalogue_forms[SB_VARIANTS] = {
    [0] = "plain",
    [SB_VARIANT_INVERTED] = "inverted",
    [SB_VARIANT_REVERSED] = "reversed",
    [SB_VARIANT_INVERTED + SB_VARIANT_REVERSED] = "inverted and reversed",
};

char *sb_catalogue_name(const char *scheme, unsigned variant, char text[SB_CATALOGUE_NAME])
{
    snprintf(text, SB_CATALOGUE_NAME, "%.190s%s%s", scheme, variant ? ", " : "",
             variant ? sb_catalogue_forms[variant] : "");
    return text;
}
