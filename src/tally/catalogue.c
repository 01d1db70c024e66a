/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the likelihood ratio of each candidate (the law of a known faulty shuffle), and the average of
 * these ratios. Let the next permutation have the probability p under a candidate, and q under a fair
 * shuffle. Given all earlier permutations, the next factor of the candidate's ratio then has mean sum q (p/q)
 * = sum p <= 1 under a fair shuffle. So each ratio is a nonnegative supermartingale that starts at 1, and so
 * is the average, which is therefore an e-process.
 *
 * A worth ln(p/q) is below ln 256! < 2^11, and SB_CATALOGUE_DECKS is 2^18, so a sum of worths in units of
 * 2^-32 stays below 2^61. A deck has at most 255 cells, so rounding down reduces ln of the ratio by at most
 * 255 2^-32 for each deck, and by at most 0.016 in all.
 *
 * The error of ln E: a worth is above ln(p/q) by at most catalogue_law, the error of the laws, where rounding down does
 * not make up for that. Counts of decks are multiplied and added up as integers. Sums over ranks are rounded: K
 * additions have an error of at most K 2^-53 times the sum of the sizes of the terms (N. J. Higham, Accuracy and
 * Stability of Numerical Algorithms, 2nd edition, 2002, section 4.2). The average over the candidates has only positive
 * terms.
 *
 * Draws of a deck: Durstenfeld's loop makes B = t[n-1] t[n-2] .. t[1], where t[i] exchanges i and d[i] <= i. Of these
 * factors only t[n-1] moves n-1, so B(n-1) = d[n-1]. Multiplying B by t[n-1] from the left removes this factor, and the
 * same step then yields d[n-2], and so on. The multiplication exchanges two values of B and two positions of the
 * inverse C of B. In the same terms it is the step of C, whose draw is C(n-1). So one pass over B and C yields the
 * draws of both. Exactly one series of draws leads to each permutation (R. Durstenfeld, doi:10.1145/364520.364540), so
 * the probability of a permutation is the product of the probabilities of its draws.
 *
 * Cost: for each deck, two reads, two writes and two counts for each item and each pair of views, and two passes for
 * the rising sequences and the descents. Cost of sb_catalogue_read(): a multiplication for each cell of each candidate.
 */
#include "tally/order.h"

static const double catalogue_share = 0.05;   /* share of alpha */
static const double catalogue_law = 2e-12;    /* the largest error of ln(p/q) */
static const double catalogue_unit = 0x1p-53; /* the largest relative error of one rounding */

enum { CATALOGUE_PAIRS = SB_VIEWS / 2 }; /* a view that is not inverted, and the same view inverted */

size_t sb_catalogue_cells(size_t n, size_t of)
{
    if (of == SB_COUNTS_RANKS)
        return sb_cells(n, n);
    if (of == SB_COUNTS_ROTATIONS)
        return 2 * n + 1;
    return of < SB_VIEWS ? sb_deck_draws_cells(n) : n;
}

struct sb_catalogue *sb_catalogue_new(size_t n)
{
    struct sb_catalogue *const made = calloc(1, sizeof *made);

    if (made)
        made->n = n;
    return made;
}

static void catalogue_close_candidate(struct sb_candidate *candidate)
{
    for (size_t i = 0; i < candidate->equivalents; i++)
        free(candidate->equivalent[i]);
    free(candidate->equivalent);
    free(candidate->scheme);
    free(candidate->name);
}

void sb_catalogue_free(struct sb_catalogue *catalogue)
{
    if (!catalogue)
        return;
    for (size_t i = 0; i < catalogue->count; i++)
        catalogue_close_candidate(&catalogue->candidate[i]);
    for (size_t i = 0; i < catalogue->tables; i++)
        free(catalogue->table[i]);
    for (size_t of = 0; of < SB_CATALOGUE_COUNTS; of++)
        free(catalogue->counts[of]);
    free(catalogue->touched);
    free(catalogue->candidate);
    free(catalogue->table);
    free(catalogue);
}

const int64_t *sb_catalogue_table(struct sb_catalogue *catalogue, const double ln_ratio[], size_t cells)
{
    int64_t **const table = realloc(catalogue->table, (catalogue->tables + 1) * sizeof *table);
    int64_t *const worth = calloc(cells + 1, sizeof *worth);

    if (table)
        catalogue->table = table;
    if (!table || !worth) {
        free(worth);
        return NULL;
    }
    for (size_t i = 0; i < cells; i++)
        worth[i] = isinf(ln_ratio[i]) ? SB_WORTH_IMPOSSIBLE : (int64_t)floor(ln_ratio[i] / SB_WORTH_UNIT);
    return table[catalogue->tables++] = worth;
}

static enum sb_status catalogue_open_counts(struct sb_catalogue *catalogue, size_t of)
{
    const size_t n = catalogue->n;

    if (of == SB_COUNTS_RANKS)
        return SB_OK;
    if (!catalogue->touched)
        catalogue->touched = calloc(sb_deck_draws_cells(n) + 2 * n + 1, sizeof catalogue->touched[0]);
    if (!catalogue->counts[of])
        catalogue->counts[of] = calloc(sb_catalogue_cells(n, of), sizeof catalogue->counts[of][0]);
    return catalogue->touched && catalogue->counts[of] ? SB_OK : SB_NO_MEMORY;
}

enum sb_status sb_catalogue_candidate(struct sb_catalogue *catalogue, const char *scheme, const char *name,
                                      double weight, size_t of, const int64_t *worth)
{
    if (catalogue->count == catalogue->room) {
        const size_t room = 2 * catalogue->room + 16;
        struct sb_candidate *const candidate = realloc(catalogue->candidate, room * sizeof *candidate);

        if (!candidate)
            return SB_NO_MEMORY;
        catalogue->candidate = candidate;
        catalogue->room = room;
    }
    struct sb_candidate *const made = &catalogue->candidate[catalogue->count];

    *made = (struct sb_candidate) {
        .name = strdup(name),
        .scheme = strdup(scheme),
        .weight = weight,
        .of = of,
        .worth = worth,
    };
    catalogue->count++;
    return made->name && made->scheme ? catalogue_open_counts(catalogue, of) : SB_NO_MEMORY;
}

enum sb_status sb_catalogue_also(struct sb_candidate *candidate, const char *name)
{
    char **const equivalent = realloc(candidate->equivalent, (candidate->equivalents + 1) * sizeof *equivalent);

    if (!equivalent)
        return SB_NO_MEMORY;
    candidate->equivalent = equivalent;
    equivalent[candidate->equivalents] = strdup(name);
    return equivalent[candidate->equivalents++] ? SB_OK : SB_NO_MEMORY;
}

bool sb_catalogue_by_rank(const struct sb_catalogue *catalogue)
{
    return catalogue->count && catalogue->candidate[0].of == SB_COUNTS_RANKS;
}

/* The number of j with a[j+1] < a[j]. */
static size_t catalogue_descents(size_t n, const sb_item a[])
{
    size_t descents = 0;

    for (size_t j = 0; j + 1 < n; j++)
        descents += a[j + 1] < a[j];
    return descents;
}

/* Returns the deck's cell of the kind SB_COUNTS_ROTATIONS. Each loop ends at the first item that does not
 * fit. For most decks, this takes one or two steps. */
static size_t catalogue_rotation(size_t n, const sb_item a[])
{
    const size_t k = a[0];
    size_t up = 1, down = 1;

    while (up < n && a[up] == (k + up) % n)
        up++;
    while (down < n && a[down] == (k + n - down) % n)
        down++;
    return up == n ? k : down == n ? n + k : 2 * n;
}

/* Undoes the reversals of a view. Let w(j) = n-1-j. The pair (x, y) of inverse permutations becomes (w x w, w y w) if
 * both items and positions were reversed, (x w, w y) if only the positions were reversed, and (w x, y w) if only the
 * items were reversed. x[] is read backwards already if the positions are reversed, and y[] if the items are. */
static void catalogue_turn(size_t n, const uint16_t x[], const uint16_t y[], bool items, bool positions, uint16_t to[],
                           uint16_t from[])
{
    const uint16_t last = (uint16_t)(n - 1);

    for (size_t j = 0; j < n; j++)
        to[j] = items ? (uint16_t)(last - x[j]) : x[j];
    for (size_t j = 0; j < n; j++)
        from[j] = positions ? (uint16_t)(last - y[j]) : y[j];
}

/* The pairs of views are processed side by side, because each step of a pair waits for the previous step. */
void sb_deck_draws_count(size_t n, const sb_item a[], const sb_item place[], uint32_t *const count[SB_VIEWS],
                         uint32_t spare[])
{
    /* of 16 bits, since a byte might be part of anything, and be read again after each write */
    uint16_t to[CATALOGUE_PAIRS][SB_DECK_DRAWS_MOST], from[CATALOGUE_PAIRS][SB_DECK_DRAWS_MOST];
    uint16_t deck[2][SB_DECK_DRAWS_MOST], inverse[2][SB_DECK_DRAWS_MOST]; /* read forwards and backwards */
    uint32_t *plain[CATALOGUE_PAIRS], *inverted[CATALOGUE_PAIRS];

    for (size_t j = 0; j < n; j++) {
        deck[0][j] = deck[1][n - 1 - j] = (uint16_t)a[j];
        inverse[0][j] = inverse[1][n - 1 - j] = (uint16_t)place[j];
    }
    for (size_t k = 0; k < CATALOGUE_PAIRS; k++) {
        const size_t view = 2 * k; /* SB_VIEW_INVERTED is 1 */

        plain[k] = count[view] ? count[view] : spare;
        inverted[k] = count[view | SB_VIEW_INVERTED] ? count[view | SB_VIEW_INVERTED] : spare;
        const bool items = view >= SB_VIEW_FORWARD, positions = items != ((view & SB_VIEW_REVERSED) != 0);

        catalogue_turn(n, deck[positions], inverse[items], items, positions, to[k], from[k]);
    }
    for (size_t i = n - 1; i > 0; i--) {
        const size_t row = sb_deck_draws_cell(i, 0);

        for (size_t k = 0; k < CATALOGUE_PAIRS; k++) {
            const uint16_t d = to[k][i], x = from[k][i];

            plain[k][row + d]++;
            inverted[k][row + x]++;
            to[k][x] = d;
            from[k][d] = x;
        }
    }
}

void sb_catalogue_add(struct sb_catalogue *catalogue, const sb_item items[], size_t count)
{
    const size_t n = catalogue->n;
    const uint64_t left = SB_CATALOGUE_DECKS - catalogue->decks;
    uint32_t *const *const counts = catalogue->counts;
    sb_item place[SB_CATALOGUE_ITEMS];

    if (sb_catalogue_by_rank(catalogue))
        return;
    if (count > left)
        count = (size_t)left;
    catalogue->decks += count;
    for (size_t t = 0; t < count; t++, items += n) {
        for (size_t j = 0; j < n; j++)
            place[items[j]] = (sb_item)j;
        sb_deck_draws_count(n, items, place, counts, catalogue->touched);
        /* another rising sequence begins with each item x+1 that lies before item x */
        if (counts[SB_COUNTS_RISES])
            counts[SB_COUNTS_RISES][catalogue_descents(n, place)]++;
        if (counts[SB_COUNTS_DESCENTS])
            counts[SB_COUNTS_DESCENTS][catalogue_descents(n, items)]++;
        if (counts[SB_COUNTS_ROTATIONS])
            counts[SB_COUNTS_ROTATIONS][catalogue_rotation(n, items)]++;
    }
}

/* Adds counts[c] * worth[c] to the candidate's sum, for each c in cell[0..cells-1]. The sum of the other cells does not
 * matter if one of them is impossible, and then it may wrap around. */
static void catalogue_sum_cells(struct sb_candidate *candidate, const uint32_t counts[], const uint32_t cell[],
                                size_t cells)
{
    uint64_t sum = (uint64_t)candidate->sum;
    bool impossible = candidate->sum == SB_WORTH_IMPOSSIBLE;

    for (size_t i = 0; i < cells; i++) {
        const int64_t worth = candidate->worth[cell[i]];

        impossible |= worth == SB_WORTH_IMPOSSIBLE;
        sum += counts[cell[i]] * (uint64_t)worth;
    }
    candidate->sum = impossible ? SB_WORTH_IMPOSSIBLE : (int64_t)sum;
}

/* Adds the worths of the decks since the last sb_catalogue_read() to each candidate's sum, and sets the
 * counts of these decks to 0. */
static void catalogue_sum_decks(struct sb_catalogue *catalogue)
{
    for (size_t of = 0; of < SB_CATALOGUE_COUNTS; of++) {
        uint32_t *const counts = catalogue->counts[of];
        const size_t cells = counts ? sb_catalogue_cells(catalogue->n, of) : 0;
        size_t touched = 0;

        for (size_t i = 0; i < cells; i++)
            if (counts[i])
                catalogue->touched[touched++] = (uint32_t)i;
        for (size_t k = 0; touched && k < catalogue->count; k++)
            if (catalogue->candidate[k].of == of)
                catalogue_sum_cells(&catalogue->candidate[k], counts, catalogue->touched, touched);
        if (touched)
            memset(counts, 0, cells * sizeof counts[0]);
    }
    for (size_t k = 0; k < catalogue->count; k++) {
        struct sb_candidate *const candidate = &catalogue->candidate[k];

        candidate->ln_e = candidate->sum == SB_WORTH_IMPOSSIBLE ? -HUGE_VAL : (double)candidate->sum * SB_WORTH_UNIT;
    }
}

/* Sets ln_e of each candidate from the tally of the rank. Returns the largest sum of the sizes of the terms. */
static double catalogue_sum_ranks(struct sb_catalogue *catalogue, const struct sb_tally *rank)
{
    double largest = 0;

    for (size_t k = 0; k < catalogue->count; k++) {
        struct sb_candidate *const candidate = &catalogue->candidate[k];
        double sum = 0, size = 0;

        for (size_t i = 0; i < rank->cells && !isinf(sum); i++) {
            const double term = (double)rank->count[i] * (double)candidate->worth[i];

            if (rank->count[i] == 0)
                continue;
            sum = candidate->worth[i] == SB_WORTH_IMPOSSIBLE ? -HUGE_VAL : sum + term;
            size += fabs(term);
        }
        candidate->ln_e = sum * SB_WORTH_UNIT;
        largest = isinf(sum) ? largest : fmax(largest, size * SB_WORTH_UNIT);
    }
    return largest;
}

void sb_catalogue_read(struct sb_catalogue *catalogue, const struct sb_tally *rank)
{
    /* `weight` starts at the weight of the fair shuffle, which is in the average so that E is never 0 */
    double most = 0, sum, weight = 1, size = 0, law = 0;

    if (!sb_catalogue_by_rank(catalogue)) {
        catalogue_sum_decks(catalogue);
        law = (double)catalogue->n * (double)catalogue->decks;
    } else if (rank) {
        size = catalogue_sum_ranks(catalogue, rank);
        law = (double)rank->total;
    }
    for (size_t k = 0; k < catalogue->count; k++)
        most = fmax(most, catalogue->candidate[k].ln_e);
    sum = exp(-most);
    for (size_t k = 0; k < catalogue->count; k++) {
        sum += catalogue->candidate[k].weight * exp(catalogue->candidate[k].ln_e - most);
        weight += catalogue->candidate[k].weight;
    }
    catalogue->ln_e = most + log(sum / weight);
    catalogue->ln_e_error =
        catalogue_law * law + catalogue_unit * (size * ((double)sb_cells(catalogue->n, catalogue->n) + 2) +
                                                2 * (double)catalogue->count + 64 + 8 * fabs(catalogue->ln_e));
}

struct sb_tally sb_catalogue_tally(const struct sb_catalogue *catalogue, uint64_t total)
{
    return (struct sb_tally) {
        .statistic = "catalogue",
        .members = catalogue->count ? 1 : 0,
        .total = total,
        .share = catalogue_share,
        .ln_e = &catalogue->ln_e,
        .ln_e_error = catalogue->ln_e_error,
    };
}

uint64_t sb_catalogue_hash(const struct sb_catalogue *catalogue)
{
    uint64_t hash = SB_HASH_EMPTY;

    for (size_t k = 0; k < catalogue->count; k++)
        hash = sb_hash_add(hash, catalogue->candidate[k].name, strlen(catalogue->candidate[k].name) + 1);
    return hash;
}
