/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tests of whether permutations are typical of a law, and their use on a law of permutations by rank. For K
 * possible ranks, the fit has the mean K - 1 and the variance 2(K - 1) + (sum 1/p - K^2 - 2K + 2)/N. */
#include "study/catalogue/look.h"

/*
 * Whether permutations are typical of a shuffle. A likelihood ratio says which of two shuffles fits better, and
 * never that one fits. So a shuffle is named only if three tests of its own law do not reject it. Each test has
 * a third of 1%, shared by Bonferroni among its cells or statistics:
 *
 *   cells       the count of each cell, by Chernoff's bound: P <= 2 exp(-D), where D is N times the relative entropy of
 *               the observed share from the cell's probability; a count in a cell that is impossible rejects;
 *   likelihood  z of the sum of ln(p/q) over the counts, where p is the law of the shuffle, q that of a fair one;
 *   fit         the sum of (count - N p)^2 / p, compared with the gamma law of the same mean and variance.
 */

/* A sum of which the mean and the variance under a law are known. */
struct typical_sum {
    double value, mean, variance;
};

static const double typical_level = 0.01 / 3; /* the level of each of the three tests */
static const double typical_same = 1e-9;      /* a smaller relative variance is a rounding error */

static double typical_divergence(double count, double total, double share)
{
    const double mean = total * share, rest = total - mean;

    if (mean <= 0)
        return count > 0 ? HUGE_VAL : 0;
    if (rest <= 0)
        return count < total ? HUGE_VAL : 0;
    return sb_divergence(count, mean, mean - count) + sb_divergence(total - count, rest, count - mean);
}

static bool typical_cells(double divergence, double tests)
{
    return divergence <= log(2 * tests / typical_level);
}

static bool typical_likelihood(const struct typical_sum *sum, double tests)
{
    const double away = fabs(sum->value - sum->mean);

    return away <= typical_same * (1 + fabs(sum->mean)) ||
           away <= sb_normal_upper(typical_level / tests / 2) * sqrt(sum->variance);
}

static bool typical_fit(const struct typical_sum *sum, double tests)
{
    if (sum->value <= sum->mean * (1 + typical_same))
        return true;
    if (sum->variance <= sum->mean * typical_same)
        return false;
    /* a gamma variable is a multiple of a chi-square variable, whose degrees of freedom need not be whole */
    return sb_chisq_q(2 * sum->mean * sum->value / sum->variance, 2 * sum->mean * sum->mean / sum->variance) >=
           typical_level / tests;
}

static double typical_places(const struct sb_evidence *evidence, const double p[])
{
    double count[SB_CATALOGUE_RANKED][SB_CATALOGUE_RANKED] = { { 0 } };
    double share[SB_CATALOGUE_RANKED][SB_CATALOGUE_RANKED] = { { 0 } };
    const size_t n = evidence->n;
    sb_item a[SB_CATALOGUE_RANKED];
    double most = 0;

    for (size_t rank = 0; rank < evidence->cells; rank++) {
        sb_permutation_unrank(n, n, rank, a);
        for (size_t j = 0; j < n; j++) {
            count[a[j]][j] += (double)evidence->counts.u64[rank];
            share[a[j]][j] += p[rank];
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) /* a sum of all probabilities may be 1 but for rounding */
            most = fmax(most, typical_divergence(count[i][j], (double)evidence->total,
                                                 share[i][j] > 1 - typical_same ? 1 : share[i][j]));
    return most;
}

bool sb_typical_of_law(const struct sb_evidence *evidence, const double p[])
{
    const double total = (double)evidence->total, all = (double)evidence->cells;
    const double places = (double)(evidence->n * evidence->n);
    struct typical_sum ln = { 0 }, fit = { 0 };
    double most = typical_places(evidence, p), possible = 0, inverse = 0, square = 0;

    for (size_t rank = 0; rank < evidence->cells; rank++) {
        const double count = (double)evidence->counts.u64[rank];
        const double ln_ratio = p[rank] > 0 ? log(p[rank] * all) : 0, away = count - total * p[rank];

        most = fmax(most, typical_divergence(count, total, p[rank]));
        if (p[rank] <= 0)
            continue;
        possible++;
        inverse += 1 / p[rank];
        fit.value += away * away / (total * p[rank]);
        ln.value += count * ln_ratio;
        ln.mean += total * p[rank] * ln_ratio;
        square += p[rank] * ln_ratio * ln_ratio;
    }
    ln.variance = fmax(0, total * square - ln.mean * ln.mean / total);
    fit.mean = possible - 1;
    fit.variance = 2 * (possible - 1) + (inverse - possible * possible - 2 * possible + 2) / total;
    return typical_cells(most, possible + places) && typical_likelihood(&ln, 1) && typical_fit(&fit, 1);
}

/*
 * Whether permutations are typical of a scheme, whose law of each tallied statistic is learnt from simulated decks.
 *
 * The decks come in batches, each of as many decks as there are permutations, but of 256 at most. A sum that is
 * computed for the permutations is computed for each batch, too, which gives its mean and variance, whatever the
 * dependence between the cells of one deck. The sum of ln(p/q) grows with the number of decks; the sum of (count - N
 * p)^2 / (N (p + 1/256)) does not. (Without 1/256, or one over the size of a batch, rare cells would decide.) M decks
 * know the law only up to a variance of N/M times that of N permutations. The cells of the permutations and of the
 * decks are compared as binomial counts, given their sum.
 *
 * The permutations may have a rare cell that no batch has. So the moments of both sums are at least those for
 * independent members, if half a deck more had come up in each cell.
 */

enum {
    DECKS_BATCH = 256,   /* the most decks of a batch */
    DECKS_BATCHES = 100, /* batches from which means and variances are computed */
    DECKS_LEAST = 20000, /* decks from which the law is learnt */
    DECKS_MOST = 100000, /* the same, if there are many permutations */
    DECKS_CELLS = 70000, /* statistics with more cells are left out */
    DECKS_AT_ONCE = 64,
    DECKS_SEED = 1852796261, /* any number that nobody uses for a seed */
};

/* One statistic: its cells are those from `begin` to before `end` in the arrays of all cells. */
struct decks_family {
    size_t begin, end, cells; /* `cells` per member */
    const uint64_t *count;    /* [end - begin] of the permutations; borrowed */
    const double *ln_p;       /* [cells] under fairness; NULL: all equally likely; borrowed */
};

/* An item at a position, and the share of decks to take with the item there, or elsewhere. One of the shares is 1. */
struct decks_place {
    size_t item, position;
    double there, elsewhere;
    double due; /* what the shares of the decks so far add up to, less the decks that were taken */
};

struct decks {
    const struct sb_look_seen *seen;
    unsigned variant;
    struct decks_place *place;       /* NULL: all decks are taken */
    size_t batch, total;             /* decks per batch, and from which the law is learnt */
    struct sb_observer *observer[2]; /* owned; the second one tallies positions; NULL: not needed */
    struct decks_family *family;     /* owned */
    size_t families, cells;
    uint64_t *so_far;  /* [cells] counts of the decks dealt so far; owned */
    uint32_t *law;     /* [cells] counts of the decks from which the law is learnt; owned */
    uint32_t *batches; /* [DECKS_BATCHES * cells] counts of each batch; owned */
    double *weight;    /* [cells] scratch; owned */
    sb_item *items;    /* [DECKS_AT_ONCE * n] the decks in this variant; owned */
};

static void decks_add_family(struct decks *decks, const struct sb_tally *tally)
{
    const size_t cells = tally->members * tally->cells;

    decks->family[decks->families++] = (struct decks_family) {
        .begin = decks->cells,
        .end = decks->cells + (cells <= DECKS_CELLS ? cells : 0),
        .cells = tally->cells,
        .count = tally->count,
        .ln_p = tally->ln_p,
    };
    decks->cells += cells <= DECKS_CELLS ? cells : 0;
}

static enum sb_status decks_open(struct decks *decks)
{
    const struct sb_look_seen *const seen = decks->seen;
    const struct sb_statistic_type *const position = &sb_statistic_position;
    const struct sb_tally places = {
        .members = seen->evidence->n,
        .cells = seen->evidence->n,
        .count = seen->evidence->matrix.u64,
    };
    bool placed = seen->evidence->matrix.form != SB_NUMBERS_U64;
    struct sb_error error;
    enum sb_status status = SB_OK;

    decks->family = calloc(seen->tallies + 1, sizeof decks->family[0]);
    if (!decks->family)
        return SB_NO_MEMORY;
    for (size_t i = 0; i < seen->tallies; i++) {
        decks_add_family(decks, &seen->tally[i]);
        placed = placed || strcmp(seen->tally[i].statistic, "position") == 0;
    }
    if (seen->observer)
        status = sb_observer_fork(seen->observer, &decks->observer[0]);
    if (status == SB_OK && !placed) {
        decks_add_family(decks, &places);
        status = sb_observer_new(NULL, seen->evidence->n, seen->evidence->n, &position, 1, 0, false, &error,
                                 &decks->observer[1]);
    }
    decks->so_far = calloc(decks->cells + 1, sizeof decks->so_far[0]);
    decks->batches = calloc(DECKS_BATCHES * decks->cells + 1, sizeof decks->batches[0]);
    decks->law = calloc(decks->cells + 1, sizeof decks->law[0]);
    decks->weight = calloc(decks->cells + 1, sizeof decks->weight[0]);
    decks->items = calloc(DECKS_AT_ONCE * seen->evidence->n, sizeof decks->items[0]);
    return status == SB_OK && decks->so_far && decks->law && decks->batches && decks->weight && decks->items
               ? SB_OK
               : SB_NO_MEMORY;
}

static void decks_close(struct decks *decks)
{
    sb_observer_free(decks->observer[0]);
    sb_observer_free(decks->observer[1]);
    free(decks->family);
    free(decks->so_far);
    free(decks->law);
    free(decks->batches);
    free(decks->weight);
    free(decks->items);
}

static enum sb_status decks_read(struct decks *decks, uint32_t since[])
{
    const size_t own = decks->observer[0] ? decks->seen->tallies : 0;
    struct sb_tally *const tally = calloc(decks->families + 1, sizeof *tally);

    if (!tally)
        return SB_NO_MEMORY;
    if (decks->observer[0])
        sb_observer_read(decks->observer[0], tally);
    if (decks->observer[1])
        sb_observer_read(decks->observer[1], tally + own);
    for (size_t f = 0; f < decks->families; f++) {
        const uint64_t *const count = tally[f].count; /* never NULL: each family is of an observer */
        const size_t begin = decks->family[f].begin;

        for (size_t i = begin; count && i < decks->family[f].end; i++) {
            since[i] = (uint32_t)(count[i - begin] - decks->so_far[i]);
            decks->so_far[i] = count[i - begin];
        }
    }
    free(tally);
    return SB_OK;
}

static bool decks_takes(struct decks_place *place, const sb_item a[])
{
    if (!place)
        return true;
    const double share = a[place->position] == place->item ? place->there : place->elsewhere;

    if (share >= 1)
        return true;
    place->due += share;
    if (place->due < 1)
        return false;
    place->due--;
    return true;
}

static enum sb_status decks_deal(struct decks *decks, struct sb_feed *feed, size_t count)
{
    const size_t n = decks->seen->evidence->n;
    enum sb_status status = SB_OK;
    struct sb_error error;

    while (count && status == SB_OK) {
        size_t taken = 0;

        status = sb_feed_next(feed, count < DECKS_AT_ONCE ? count : DECKS_AT_ONCE, &error);
        for (size_t t = 0; status == SB_OK && t < feed->count; t++)
            if (decks_takes(decks->place, feed->items + t * n))
                sb_catalogue_print(n, decks->variant, feed->items + t * n, decks->items + taken++ * n);
        for (size_t i = 0; status == SB_OK && taken && i < 2; i++)
            if (decks->observer[i])
                sb_observer_add(decks->observer[i], decks->items, taken);
        count -= taken;
    }
    return status;
}

static enum sb_status decks_simulate(struct decks *decks, struct sb_feed *feed)
{
    uint32_t *batch = decks->batches;
    enum sb_status status = decks_deal(decks, feed, decks->total);

    if (status == SB_OK)
        status = decks_read(decks, decks->law);
    for (size_t b = 0; b < DECKS_BATCHES && status == SB_OK; b++, batch += decks->cells) {
        status = decks_deal(decks, feed, decks->batch);
        if (status == SB_OK)
            status = decks_read(decks, batch);
    }
    return status;
}

static void decks_moments(const double value[], struct typical_sum *sum)
{
    double square = 0;

    sum->mean = 0;
    for (size_t b = 0; b < DECKS_BATCHES; b++)
        sum->mean += value[b] / DECKS_BATCHES;
    for (size_t b = 0; b < DECKS_BATCHES; b++)
        square += (value[b] - sum->mean) * (value[b] - sum->mean);
    sum->variance = square / (DECKS_BATCHES - 1);
}

/* Returns the probability of a cell, as if half a deck more had come up. */
static double decks_share(const struct decks *decks, size_t cell)
{
    return fmin(1, ((double)decks->law[cell] + 0.5) / (double)decks->total);
}

static bool decks_likely(const struct decks *decks, const struct decks_family *family)
{
    const double total = (double)decks->seen->evidence->total, all = (double)decks->total;
    const double times = total / (double)decks->batch;
    struct typical_sum sum = { 0 };
    double value[DECKS_BATCHES] = { 0 }, mean = 0, variance = 0;

    for (size_t i = family->begin; i < family->end; i++) {
        const size_t cell = (i - family->begin) % family->cells;
        const double ln_p = family->ln_p ? family->ln_p[cell] : -log((double)family->cells);

        decks->weight[i] = isinf(ln_p) ? 0 : log(((double)decks->law[i] + 0.5) / all) - ln_p;
        sum.value += (double)family->count[i - family->begin] * decks->weight[i];
        mean = (cell ? mean : 0) + decks_share(decks, i) * decks->weight[i];
        variance += decks_share(decks, i) * decks->weight[i] * decks->weight[i];
        variance -= cell + 1 == family->cells ? mean * mean : 0;
    }
    for (size_t b = 0; b < DECKS_BATCHES; b++)
        for (size_t i = family->begin; i < family->end; i++)
            value[b] += decks->batches[b * decks->cells + i] * decks->weight[i];
    decks_moments(value, &sum);
    sum.mean *= times;
    sum.variance *= times * (1 + times / DECKS_BATCHES); /* the mean is only that of the batches */
    sum.variance = fmax(sum.variance, total * variance);
    return typical_likelihood(&sum, (double)decks->families);
}

/* (count - N p)^2 / (N (p + 1/batch)) */
static double decks_term(const struct decks *decks, double count, double total, size_t cell)
{
    const double share = (double)decks->law[cell] / (double)decks->total, away = count - total * share;

    return away * away / (total * (share + 1 / (double)decks->batch));
}

static bool decks_fit(const struct decks *decks, const struct decks_family *family)
{
    const double total = (double)decks->seen->evidence->total, all = (double)decks->total;
    struct typical_sum sum = { 0 };
    double value[DECKS_BATCHES] = { 0 }, mean = 0, variance = 0;

    for (size_t i = family->begin; i < family->end; i++) {
        const double share = decks_share(decks, i), counts = total * share * (1 - share);
        const double weight = decks_term(decks, 1 + total * (double)decks->law[i] / all, total, i);

        mean += counts * weight;
        variance += (2 * counts * counts + counts) * weight * weight;
        sum.value += decks_term(decks, (double)family->count[i - family->begin], total, i);
        for (size_t b = 0; b < DECKS_BATCHES; b++)
            value[b] += decks_term(decks, decks->batches[b * decks->cells + i], (double)decks->batch, i);
    }
    decks_moments(value, &sum);
    sum.value *= (1 + (double)decks->batch / all) / (1 + total / all);
    sum.mean = fmax(sum.mean, mean);
    sum.variance = fmax(sum.variance, variance);
    return typical_fit(&sum, (double)decks->families);
}

static bool decks_cells(const struct decks *decks)
{
    const double total = (double)decks->seen->evidence->total, all = (double)decks->total;
    double most = 0;

    for (size_t f = 0; f < decks->families; f++)
        for (size_t i = decks->family[f].begin; i < decks->family[f].end; i++) {
            const double count = (double)decks->family[f].count[i - decks->family[f].begin];

            most = fmax(most, typical_divergence(count, count + (double)decks->law[i], total / (total + all)));
        }
    return typical_cells(most, (double)decks->cells);
}

static bool decks_typical(const struct decks *decks)
{
    bool typical = decks_cells(decks);

    for (size_t f = 0; f < decks->families && typical; f++)
        typical = decks->family[f].begin == decks->family[f].end ||
                  (decks_likely(decks, &decks->family[f]) && decks_fit(decks, &decks->family[f]));
    return typical;
}

static enum sb_status decks_decide(const struct sb_look_seen *seen, const char *scheme, unsigned variant,
                                   struct decks_place *place, bool *typical)
{
    const size_t n = seen->evidence->n;
    const uint64_t total = seen->evidence->total, four = total < DECKS_MOST / 4 ? 4 * total : DECKS_MOST;
    struct decks decks = {
        .seen = seen,
        .variant = variant,
        .place = place,
        .batch = total < DECKS_BATCH ? (size_t)total : DECKS_BATCH,
        .total = four < DECKS_LEAST ? DECKS_LEAST : (size_t)four,
    };
    struct sb_scheme parsed;
    struct sb_error error;
    struct sb_feed *feed = NULL;
    enum sb_status status;

    *typical = false;
    if (sb_scheme_parse(scheme, NULL, NULL, &error, &parsed) || sb_scheme_check(&parsed, n, n, &error))
        return SB_OK;
    const struct sb_dealt dealt = { .scheme = &parsed, .n = n, .deal = n, .seed = DECKS_SEED };

    status = sb_dealt_new(&dealt, &error, &feed);
    if (status == SB_OK)
        status = decks_open(&decks);
    if (status == SB_OK)
        status = decks_simulate(&decks, feed);
    if (status == SB_OK)
        *typical = decks_typical(&decks);
    decks_close(&decks);
    sb_feed_free(feed);
    return status == SB_NO_MEMORY ? status : SB_OK;
}

enum sb_status sb_typical_of_scheme(const struct sb_look_seen *seen, const char *scheme, unsigned variant,
                                    bool *typical)
{
    return decks_decide(seen, scheme, variant, NULL, typical);
}

static struct decks_place decks_most_unusual(const struct sb_evidence *evidence)
{
    const double n = (double)evidence->n, total = (double)evidence->total;
    struct decks_place place = { .there = 1, .elsewhere = 1 };
    double most = -1;

    for (size_t i = 0; i < evidence->n * evidence->n; i++) {
        const double count = (double)sb_numbers_u64(&evidence->matrix, i);
        const double divergence = typical_divergence(count, total, 1 / n);
        const double odds = count / (total - count) * (n - 1); /* of the place, over fair odds */

        if (divergence <= most)
            continue;
        most = divergence;
        place = (struct decks_place) {
            .item = i / evidence->n,
            .position = i % evidence->n,
            .there = fmin(1, odds),
            .elsewhere = fmin(1, 1 / odds),
        };
    }
    return place;
}

enum sb_status sb_typical_of_place(const struct sb_look_seen *seen, bool *typical)
{
    struct decks_place place;

    *typical = false;
    if (!sb_numbers_narrow(&seen->evidence->matrix))
        return SB_OK;
    place = decks_most_unusual(seen->evidence);
    /* if the item was always there, too few fair decks would be taken */
    return place.elsewhere < 1e-3 ? SB_OK : decks_decide(seen, "fisher-yates", 0, &place, typical);
}
