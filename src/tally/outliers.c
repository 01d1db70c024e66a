/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Single decks that hardly ever come from a fair shuffle: a fault that spoils one deck in a thousand.
 *
 * Let p(X) be the probability that a fair deck has a value of a statistic as small as that of the deck X, or as large.
 * Under a fair shuffle, p is at most u with probability at most u, so f(p) has the mean 1 at most, where
 *
 *   f(p) = (1 - p + p ln p)/(p ln^2 p) = (e^u - 1 - u)/u^2 with u = -ln p,
 *
 * because f falls, and its integral from 0 to 1 is 1. So the product of 1 - eps + eps f(p) over the decks is a
 * supermartingale that starts at 1, and so is the average of such products over statistics, both tails, and
 * eps = 10^-1, ..., 10^-4. A fair deck costs a product about eps nats; a deck with p = 10^-40 multiplies it by
 * eps 10^36. No product has two factors from one deck.
 *
 * A product depends only on how often each value occurred. ln of the factor of each value (its worth) is tabulated in
 * units of 2^-32, rounded down, and sums of worths are integers. So the sums depend neither on the order of the decks
 * nor on rounding. ln p is raised by 10^-9, more than the errors of the laws. A worth is at most 2^8 nats, and a read
 * adds at most 2^20 times a worth above 0, which can only make a sum smaller.
 *
 * In a stream without an end, the products start anew in each round of a bettor, whose stakes are those of a bettor's
 * rounds (tally/bettor.c).
 *
 * A tail takes part only if its least p is below 10^-4, which the law decides, not the decks.
 *
 * Cost for each deck and statistic: an addition, and a comparison that finds the least likely deck. Cost of a read: an
 * addition for each value that is new or came up again, and each product.
 *
 * Vovk and Wang, E-values: calibration, combination and applications, doi:10.1214/20-AOS2020.
 */
#include "tally/tally.h"

/* The law of a statistic of an observer, and which of its cells are merged. */

static enum sb_status law_merge(size_t most, double ln_p[], struct sb_observe_part *part)
{
    const size_t cells = part->cells;
    double *const merged = calloc(cells, sizeof *merged);

    part->map = calloc(cells, sizeof part->map[0]);
    part->first = calloc(2 * most, sizeof part->first[0]);
    if (!merged || !part->map || !part->first) {
        free(merged);
        return SB_NO_MEMORY;
    }
    part->cells = sb_merge_cells(ln_p, cells, 1 / (double)most, part->map, merged);
    part->last = part->first + most;
    for (size_t cell = 0; cell < cells; cell++)
        if (ln_p[cell] > -HUGE_VAL)
            part->last[part->map[cell]] = (uint32_t)cell;
    for (size_t cell = cells; cell-- > 0;)
        if (ln_p[cell] > -HUGE_VAL)
            part->first[part->map[cell]] = (uint32_t)cell;
    if (part->cells == cells) { /* no cells were merged */
        free(part->map);
        free(part->first);
        part->map = part->first = part->last = NULL;
    }
    memcpy(ln_p, merged, part->cells * sizeof ln_p[0]);
    free(merged);
    return SB_OK;
}

/* Sets part->separate to whether members differ in their laws. */
static enum sb_status law_fair(const struct sb_fair *fair, double ln_p[], struct sb_observe_part *part)
{
    const size_t size = part->cells * sizeof ln_p[0];
    const enum sb_status status = sb_fair_null_law(fair, part->type, part->multiset, ln_p);

    for (size_t member = 1; status == SB_OK && member < part->members; member++)
        part->separate = part->separate || memcmp(ln_p, ln_p + member * part->cells, size) != 0;
    return status;
}

/* Counts the unmerged values of a number, too. */
enum sb_status sb_observe_seek(const double ln_p[], struct sb_observe_part *part)
{
    const struct sb_statistic_type *const type = part->type;
    const bool number = part->equal ? !part->equal->label : !type->label;
    const struct sb_window window =
        !part->equal && type->window ? type->window(part->n, part->deal) : (struct sb_window) { 0 };
    enum sb_status status;

    if (!number || part->members > 1)
        return SB_OK;
    status = sb_outlier_new(type->name, type->title, ln_p, part->cells, window.low, part->deal, &part->outlier);
    if (part->outlier) {
        part->outlier->law->below = window.below;
        part->outlier->law->above = window.above;
    }
    return status;
}

enum sb_status sb_observe_law(const struct sb_fair *fair, size_t most, bool fine, bool seek,
                              struct sb_observe_part *part)
{
    const bool merged = fine ? sb_statistic_merges(part->type, part->n) : part->type != &sb_statistic_rank;
    double *const ln_p = calloc((fair ? part->members : 1) * part->cells + 1, sizeof *ln_p);
    enum sb_status status = ln_p ? SB_OK : SB_NO_MEMORY;
    bool uniform = true;

    if (status == SB_OK)
        status = fair ? law_fair(fair, ln_p, part)
                      : sb_statistic_null_law(part->type, part->multiset, part->n, part->deal, ln_p);
    if (status == SB_OK && seek)
        status = sb_observe_seek(ln_p, part);
    /* a value that an intended law forbids keeps its cell */
    if (status == SB_OK && merged && most && (!fair || (!part->separate && part->cells > most)))
        status = law_merge(most, ln_p, part);
    if (status) {
        free(ln_p);
        return status;
    }
    for (size_t cell = 1; cell < (part->separate ? part->members : 1) * part->cells; cell++)
        uniform = uniform && ln_p[cell] == ln_p[0];
    part->separate = part->separate && !uniform;
    if (uniform)
        free(ln_p);
    else
        part->ln_p = ln_p;
    return SB_OK;
}

static const double outlier_law = 1e-9;          /* more than the error of ln p */
static const double outlier_rounding = 1e-12;    /* more than the rounding error of a worth */
static const double outlier_least = -9.21034037; /* ln 10^-4 */
static const double outlier_rare = -20.7232658;  /* ln 10^-9: ten million fair decks have 1/100 such deck */
static const double outlier_nats_most = 256;     /* the largest worth */
static const double outlier_unit = 0x1p-53;      /* the largest relative error of one rounding */

const double sb_outlier_share = 0.03;

const char sb_outliers_decks[] = "outliers", sb_outliers_steps[] = "step-outliers";

enum {
    OUTLIER_CELLS_MOST = 1 << 15, /* the most values of a statistic, for whose tables there is room */
    OUTLIER_GAINS_MOST = 1 << 20, /* the most decks of one value that a read adds to a growing product */
};

/* e^60 in SB_WORTH_UNIT: products that are smaller than the largest by this factor are lost in its rounding. */
static const int64_t outliers_far = INT64_C(60) << 32;

static const double outlier_eps[SB_OUTLIER_EPS] = { 1e-1, 1e-2, 1e-3, 1e-4 };

/* ---- laws ---- */

static double outlier_ln_add(double x, double y)
{
    const double most = fmax(x, y);

    return isinf(most) ? most : most + log1p(exp(fmin(x, y) - most));
}

/* ln f(p) for u = -ln p. */
static double outlier_ln_calibrated(double u)
{
    if (u < 1e-3)
        return log(0.5 + u / 6 + u * u / 24);
    if (u < 30)
        return log((expm1(u) - u) / (u * u));
    return u - 2 * log(u) + log1p(-(1 + u) * exp(-u));
}

int64_t sb_outlier_worth(double ln_tail, size_t eps)
{
    const double u = fmax(0, -ln_tail - outlier_law), e = outlier_eps[eps];
    const double ln_f = isinf(u) ? outlier_nats_most : outlier_ln_calibrated(u);
    const double ln = ln_f < 30 ? log1p(e * expm1(ln_f)) : log(e) + ln_f + log1p((1 - e) / e * exp(-ln_f));

    return (int64_t)floor((fmin(ln, outlier_nats_most) - outlier_rounding) / SB_WORTH_UNIT);
}

static void outlier_fill(const double ln_p[], struct sb_outlier_law *law)
{
    const size_t cells = law->cells;
    double *const tail[SB_TAILS] = { law->ln_tail, law->ln_tail + cells };
    double low = -HUGE_VAL, high = -HUGE_VAL;

    for (size_t i = 0; i < cells; i++) {
        tail[SB_TAIL_LOW][i] = low = outlier_ln_add(low, ln_p[i]);
        tail[SB_TAIL_HIGH][cells - 1 - i] = high = outlier_ln_add(high, ln_p[cells - 1 - i]);
    }
    for (size_t t = 0; t < SB_TAILS; t++)
        for (size_t i = 0; i < cells; i++)
            if (ln_p[i] > -HUGE_VAL && tail[t][i] < outlier_least)
                law->used[t] = true;
    for (size_t i = 0; i < cells; i++)
        for (size_t t = 0; t < SB_TAILS; t++) {
            law->least[i] = law->used[t] ? fmin(law->least[i], tail[t][i]) : law->least[i];
            for (size_t e = 0; e < SB_OUTLIER_EPS; e++)
                law->worth[(i * SB_TAILS + t) * SB_OUTLIER_EPS + e] = sb_outlier_worth(tail[t][i], e);
        }
}

enum sb_status sb_outlier_law_new(const double ln_p[], size_t cells, size_t low, struct sb_outlier_law **law)
{
    struct sb_outlier_law *const made = calloc(1, sizeof *made);

    if (!made)
        return SB_NO_MEMORY;
    *made = (struct sb_outlier_law) {
        .cells = cells,
        .low = low,
        .ln_tail = calloc(SB_TAILS * cells + 1, sizeof made->ln_tail[0]),
        .least = calloc(cells + 1, sizeof made->least[0]),
        .worth = calloc(SB_TAILS * SB_OUTLIER_EPS * cells + 1, sizeof made->worth[0]),
    };
    if (!made->ln_tail || !made->least || !made->worth) {
        sb_outlier_law_free(made);
        return SB_NO_MEMORY;
    }
    outlier_fill(ln_p, made);
    *law = made;
    return SB_OK;
}

void sb_outlier_law_free(struct sb_outlier_law *law)
{
    if (!law)
        return;
    free(law->ln_tail);
    free(law->least);
    free(law->worth);
    free(law);
}

/* ---- one statistic ---- */

enum sb_status sb_outlier_fork(const struct sb_outlier *of, struct sb_outlier **outlier)
{
    struct sb_outlier *const made = calloc(1, sizeof *made);

    if (!made)
        return SB_NO_MEMORY;
    *made = (struct sb_outlier) {
        .statistic = of->statistic,
        .title = of->title,
        .lag = of->lag,
        .deal = of->deal,
        .law = of->law,
        .forked = true,
        .fresh = calloc(2 * of->law->cells, sizeof made->fresh[0]),
        .least = outlier_least,
        .items = calloc(of->deal + 1, sizeof made->items[0]),
    };
    made->seen = made->fresh + of->law->cells;
    if (made->fresh && made->items) {
        *outlier = made;
        return SB_OK;
    }
    sb_outlier_free(made);
    return SB_NO_MEMORY;
}

enum sb_status sb_outlier_new(const char *statistic, const char *title, const double ln_p[], size_t cells, size_t low,
                              size_t deal, struct sb_outlier **outlier)
{
    struct sb_outlier of = { .statistic = statistic, .title = title, .deal = deal };
    enum sb_status status;

    *outlier = NULL;
    if (cells > OUTLIER_CELLS_MOST)
        return SB_OK;
    status = sb_outlier_law_new(ln_p, cells, low, &of.law);
    if (status)
        return status;
    if (of.law->used[SB_TAIL_LOW] || of.law->used[SB_TAIL_HIGH])
        status = sb_outlier_fork(&of, outlier);
    if (*outlier)
        (*outlier)->forked = false;
    else
        sb_outlier_law_free(of.law);
    return status;
}

void sb_outlier_free(struct sb_outlier *outlier)
{
    if (!outlier)
        return;
    if (!outlier->forked)
        sb_outlier_law_free(outlier->law);
    free(outlier->fresh);
    free(outlier->items);
    free(outlier);
}

void sb_outlier_keep(struct sb_outlier *outlier, uint32_t cell, uint64_t number, const sb_item items[])
{
    outlier->least = outlier->law->least[cell];
    outlier->cell = cell;
    outlier->number = number;
    memcpy(outlier->items, items, outlier->deal * sizeof items[0]);
}

static int64_t outlier_add(int64_t sum, int64_t worth, uint64_t count)
{
    if (worth > 0)
        sum += worth * (int64_t)(count < OUTLIER_GAINS_MOST ? count : OUTLIER_GAINS_MOST);
    else
        sum += worth * (int64_t)count; /* a loss is below 2^29 units */
    return sum < SB_OUTLIER_SUM_MOST ? sum > -SB_OUTLIER_SUM_MOST ? sum : -SB_OUTLIER_SUM_MOST : SB_OUTLIER_SUM_MOST;
}

/* Adds the worths of the decks since the last read. Most values of long laws are rare. */
static void outlier_settle(struct sb_outlier *outlier)
{
    const struct sb_outlier_law *const law = outlier->law;
    const uint64_t *const fresh = outlier->fresh;

    for (size_t i = 0; i < law->cells; i++) {
        while (i + 4 < law->cells && !(fresh[i] | fresh[i + 1] | fresh[i + 2] | fresh[i + 3]))
            i += 4;
        if (!fresh[i])
            continue;
        const int64_t *const worth = law->worth + i * SB_OUTLIER_SUMS;

        for (size_t k = 0; k < SB_OUTLIER_SUMS; k++)
            outlier->sum[k] = outlier_add(outlier->sum[k], worth[k], outlier->fresh[i]);
        outlier->seen[i] += outlier->fresh[i];
        outlier->fresh[i] = 0;
    }
}

/* ---- the lengths of runs at both ends of a deck: at least k with probability 1/k! ---- */

/* The number of items from a[0] on, in steps of `step`, that rise or, if `down` is set, fall. */
static uint32_t outliers_run(size_t deal, const sb_item *a, ptrdiff_t step, bool down)
{
    uint32_t length = 1;

    while (length < deal && (a[0] < a[step]) != down) {
        a += step;
        length++;
    }
    return length;
}

static enum sb_status outliers_open_runs(size_t deal, struct sb_outliers *outliers)
{
    static const char *const title[SB_OUTLIER_RUNS] = {
        "how many items rise at the start",
        "how many items fall at the start",
        "how many items rise at the end",
        "how many items fall at the end",
    };
    double *const ln_p = calloc(deal + 1, sizeof *ln_p);
    double ln_factorial = 0;
    enum sb_status status = ln_p ? SB_OK : SB_NO_MEMORY;

    for (size_t k = 0; ln_p && k <= deal; k++) {
        ln_factorial += k ? log((double)k) : 0; /* P(k) = 1/k! - 1/(k+1)! = k/(k+1)! */
        ln_p[k] = k == 0 ? -HUGE_VAL : k == deal ? -ln_factorial : -ln_factorial + log1p(-1 / ((double)k + 1));
    }
    for (size_t r = 0; status == SB_OK && r < SB_OUTLIER_RUNS; r++) {
        struct sb_outlier **const run = &outliers->run[r];

        status = r && outliers->run[0] ? sb_outlier_fork(outliers->run[0], run)
                                       : sb_outlier_new("runs", title[r], ln_p, deal + 1, 0, deal, run);
        if (*run)
            (*run)->title = title[r];
        sb_outliers_join(outliers, *run);
    }
    free(ln_p);
    return status;
}

void sb_outliers_add(struct sb_outliers *outliers, uint64_t number, const sb_item items[], size_t count)
{
    if (!outliers->run[0])
        return;
    const size_t deal = outliers->run[0]->deal;

    for (size_t d = 0; d < count; d++, items += deal, number++)
        for (size_t r = 0; r < SB_OUTLIER_RUNS; r++) {
            const bool end = r >= SB_OUTLIER_RUNS / 2;

            /* read backwards, the items at the end rise if they fall */
            sb_outlier_note(outliers->run[r],
                            outliers_run(deal, end ? items + deal - 1 : items, end ? -1 : 1, (r % 2 != 0) != end),
                            number, items);
        }
}

/* ---- a family ---- */

enum sb_status sb_outliers_new(size_t deal, bool runs, struct sb_outliers **outliers)
{
    struct sb_outliers *const made = calloc(1, sizeof *made);

    if (!made || (runs && outliers_open_runs(deal, made))) {
        sb_outliers_free(made);
        return SB_NO_MEMORY;
    }
    *outliers = made;
    return SB_OK;
}

void sb_outliers_free(struct sb_outliers *outliers)
{
    if (!outliers)
        return;
    for (size_t r = 1; r <= SB_OUTLIER_RUNS; r++) /* the first owns the law */
        sb_outlier_free(outliers->run[SB_OUTLIER_RUNS - r]);
    free(outliers->ln_bet);
    free(outliers);
}

void sb_outliers_join(struct sb_outliers *outliers, struct sb_outlier *outlier)
{
    if (outlier && outliers->count < SB_OUTLIERS_MOST)
        outliers->of[outliers->count++] = outlier;
}

/* The largest logarithm of a product, in SB_WORTH_UNIT. */
static int64_t outliers_most(const struct sb_outliers *outliers)
{
    int64_t most = -SB_OUTLIER_SUM_MOST;

    for (size_t i = 0; i < outliers->count; i++)
        for (size_t k = 0; k < SB_OUTLIER_SUMS; k++)
            if (outliers->of[i]->law->used[k / SB_OUTLIER_EPS] && outliers->of[i]->sum[k] > most)
                most = outliers->of[i]->sum[k];
    return most;
}

/* ln of the average of the products, whose number is set. Products that are too small to matter are not computed. */
static double outliers_average(struct sb_outliers *outliers, size_t *count)
{
    double sum = 0;
    size_t products = 0;

    for (size_t i = 0; i < outliers->count; i++)
        outlier_settle(outliers->of[i]);
    const int64_t most = outliers_most(outliers);

    for (size_t i = 0; i < outliers->count; i++)
        for (size_t k = 0; k < SB_OUTLIER_SUMS; k++) {
            const int64_t own = outliers->of[i]->sum[k];

            if (!outliers->of[i]->law->used[k / SB_OUTLIER_EPS])
                continue;
            if (own > most - outliers_far)
                sum += exp((double)(own - most) * SB_WORTH_UNIT);
            if (outliers->ln_bet)
                outliers->ln_bet[products] = (double)own * SB_WORTH_UNIT;
            products++;
        }
    *count = products;
    return products ? (double)most * SB_WORTH_UNIT + log(sum / (double)products) : 0;
}

enum sb_status sb_outliers_begin_rounds(struct sb_outliers *outliers)
{
    outliers_average(outliers, &outliers->bets);
    outliers->round = 1;
    outliers->ln_bet = calloc(outliers->bets + 1, sizeof outliers->ln_bet[0]);
    return outliers->ln_bet ? SB_OK : SB_NO_MEMORY;
}

void sb_outliers_round_next(struct sb_outliers *outliers)
{
    size_t products;

    if (!outliers)
        return;
    outliers->ln_won = sb_rounds_ln_won(outliers->round, outliers->ln_won, outliers_average(outliers, &products));
    outliers->round++;
    for (size_t i = 0; i < outliers->count; i++)
        memset(outliers->of[i]->sum, 0, sizeof outliers->of[i]->sum);
}

void sb_outliers_forget(struct sb_outliers *outliers)
{
    for (size_t i = 0; outliers && i < outliers->count; i++) {
        outliers->of[i]->least = outlier_least;
        outliers->of[i]->number = 0;
    }
}

void sb_outliers_read(struct sb_outliers *outliers)
{
    const double rounds = (double)outliers->round;
    size_t products;

    outliers->ln_e = outliers_average(outliers, &products);
    if (outliers->round)
        outliers->ln_e = sb_rounds_ln_e(outliers->round, outliers->ln_won, outliers->ln_e);
    outliers->ln_e_error = outlier_unit * (2 * (double)products + 64 + 8 * fabs(outliers->ln_e) +
                                           rounds * (64 + 32 * (fabs(outliers->ln_e) + log(rounds + 1))));
}

struct sb_tally sb_outliers_tally(const struct sb_outliers *outliers, const char *name, uint64_t total)
{
    return (struct sb_tally) {
        .statistic = name,
        .members = outliers->count ? 1 : 0,
        .total = total,
        .outliers = true,
        .share = sb_outlier_share,
        .ln_e = &outliers->ln_e,
        .ln_e_error = outliers->ln_e_error,
        .bets = outliers->bets,
        .ln_bet = outliers->ln_bet,
        .round = outliers->round ? SB_BETTOR_ROUND : 0,
    };
}

const struct sb_outlier *sb_outliers_worst(const struct sb_outliers *outliers)
{
    const struct sb_outlier *worst = NULL;

    for (size_t i = 0; outliers && i < outliers->count; i++)
        if (outliers->of[i]->number && (!worst || outliers->of[i]->least < worst->least))
            worst = outliers->of[i];
    return worst;
}

double sb_outliers_ln_p(const struct sb_outliers *outliers)
{
    const struct sb_outlier *const worst = sb_outliers_worst(outliers);
    double looked = 0;

    for (size_t i = 0; i < outliers->count; i++) {
        const struct sb_outlier *const of = outliers->of[i];

        for (size_t cell = 0; cell < of->law->cells; cell++)
            looked +=
                (double)(of->seen[cell] + of->fresh[cell]) * (of->law->used[SB_TAIL_LOW] + of->law->used[SB_TAIL_HIGH]);
    }
    return worst ? fmin(0, worst->least + log(looked)) : 0;
}

enum sb_tail sb_outlier_tail(const struct sb_outlier *outlier)
{
    const struct sb_outlier_law *const law = outlier->law;
    const double *const high = law->ln_tail + law->cells;

    return law->used[SB_TAIL_HIGH] && high[outlier->cell] <= outlier->least ? SB_TAIL_HIGH : SB_TAIL_LOW;
}

uint64_t sb_outlier_alike(const struct sb_outlier *outlier)
{
    const struct sb_outlier_law *const law = outlier->law;
    const double *const ln_tail = law->ln_tail + (size_t)sb_outlier_tail(outlier) * law->cells;
    uint64_t alike = outlier->before;

    for (size_t i = 0; i < law->cells; i++)
        alike += ln_tail[i] <= outlier_rare ? outlier->seen[i] + outlier->fresh[i] : 0;
    return alike;
}

uint64_t sb_outliers_hash(const struct sb_outliers *outliers)
{
    uint64_t hash = SB_HASH_EMPTY;

    for (size_t i = 0; i < outliers->count; i++) {
        const struct sb_outlier *const of = outliers->of[i];
        char name[256];

        snprintf(name, sizeof name, "%.100s %zu %zu", of->title, of->lag, of->law->cells);
        hash = sb_hash_add(hash, name, strlen(name) + 1);
    }
    return hash;
}
