/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * E-processes: the likelihood ratio of a Dirichlet-multinomial mixture against the null law q of K cells that
 * can occur. For counts c of t deals and a concentration of A = g K, let
 *   E_g = Gamma(A)/Gamma(A+t) * prod Gamma(A q_i + c_i)/Gamma(A q_i) / prod q_i^c_i.
 * The e-process is the average of E_g over g in {1, 10, 10^2, 10^3, 10^4, 10^5} and, if K > 6, also g = 0.1.
 * This average is a martingale of mean 1 under q.
 *
 * Let a_i = A q_i, k_i = a_i + c_i, m_i = q_i (A+t) and x_i = m_i - k_i = q_i t - c_i; x_i does not depend on
 * A. Stirling's formula for each Gamma, with its remainder `rest`, gives
 *   ln E_g = sum (x_i - (k_i - 1/2) ln(m_i/k_i) + rest(k_i) - rest(a_i))
 *            - (K-1)/2 ln(1 + t/A) - rest(A+t) + rest(A).
 * In this form all large terms have cancelled. For A = 0 the sum of x_i - k_i ln(m_i/k_i) is
 *   ln_best = sum c_i ln(c_i/(q_i t)).
 *
 * Cost: 7 or 8 logarithms for each pair of count and probability that is not in a small table of recent
 * pairs. A fair shuffle gives few distinct counts, so a thousand members of a thousand cells take only a few
 * logarithms per member.
 *
 * M. Lindon and A. Malek, Anytime-valid inference for multinomial count data, arXiv:2011.03567.
 */
#include "fit/sequential.h"

#include <float.h>

enum {
    E_MIXTURE = 7,           /* the largest number of concentrations: 10^5, 10^4, ... per cell */
    E_FEW = 6,               /* up to this many cells, the least concentration is 1 per cell */
    E_TERMS = 1 + E_MIXTURE, /* number of terms: one for ln_best, and one for each ln E_g */
    E_ROWS_MOST = 512,       /* the most rows of the table; a power of two */
    E_RESTS_BITS = 11,       /* log2 of the number of entries in the cache of struct e_rests */
};

/* Replaces a probability that underflows, since its cell is still possible. */
static const double e_probability_floor = 1e-300;

/* A row of the table: the terms of a cell with this count and probability. */
struct e_row {
    uint64_t count;
    double p;             /* probability under the null law; 0 if the row is empty */
    double term[E_TERMS]; /* 0 from the number of concentrations on */
};

/* Stirling's remainders of A p, for the concentrations A of a law with this number of cells. They do not
 * depend on the counts, so they are the same at all looks. */
struct e_rests {
    double p, cells; /* both 0 if unused */
    double rest[E_MIXTURE];
};

/* The values that all members share, and the table. */
struct sb_e_table {
    const struct sb_tally *tally;
    size_t cells_even;               /* number of cells, if all are equally likely; else 0 */
    double total;                    /* number of deals, times `share` */
    double share;                    /* the factor of each count: 1 or 1/2 */
    double cells;                    /* number of possible cells */
    size_t count;                    /* number of concentrations */
    double concentration[E_MIXTURE]; /* A */
    double p;                        /* the probability for which `a` and `rest` were computed */
    double a[E_MIXTURE];             /* A p for each concentration A */
    double rest[E_MIXTURE];          /* Stirling's remainder of a */
    size_t rows;                     /* number of rows, a power of two */
    struct e_row row[E_ROWS_MOST];   /* [rows] the table, indexed by the last bits of the count */
    struct e_rests *rests;           /* [2^E_RESTS_BITS] by hash of the probability; NULL: not kept */
};

/* A table that is kept, in one piece with its cache. */
struct e_kept {
    struct sb_e_table table;
    struct e_rests rests[1 << E_RESTS_BITS];
};

static double e_probability(const struct sb_tally *tally, size_t cell)
{
    if (!tally->ln_p)
        return 1 / (double)tally->cells;
    return isinf(tally->ln_p[cell]) ? 0 : fmax(exp(tally->ln_p[cell]), e_probability_floor);
}

/* Whether the rows of the table are valid for this tally. All tallies that share a table have the same share. */
static bool e_table_fits(const struct sb_e_table *table, const struct sb_tally *tally, double share)
{
    return !tally->ln_p && table->cells_even == tally->cells && table->total == share * (double)tally->total;
}

static void e_table_open(const struct sb_tally *tally, double share, struct sb_e_table *table)
{
    const bool fits = e_table_fits(table, tally, share);
    size_t cells = 0;

    table->tally = tally;
    if (fits)
        return;
    for (size_t i = 0; i < tally->cells; i++)
        cells += e_probability(tally, i) > 0;
    table->cells_even = tally->ln_p ? 0 : tally->cells;
    table->share = share;
    table->total = share * (double)tally->total;
    table->cells = (double)cells;
    table->count = cells > E_FEW ? E_MIXTURE : E_MIXTURE - 1;
    for (size_t g = 0; g < table->count; g++)
        table->concentration[g] = table->cells * pow(10, 5 - (double)g);
    table->p = 0;
    table->rows = 1;
    while (table->rows < E_ROWS_MOST && table->rows < tally->members * tally->cells)
        table->rows *= 2;
    for (size_t i = 0; i < table->rows; i++) {
        table->row[i].count = 0;
        table->row[i].p = 0;
    }
}

/* ln((k + excess)/k), with full precision. `expected` is k + excess, computed without cancellation.
 * `expected` is used if k + excess is at most k/2. */
static double e_ln_ratio(double excess, double k, double expected)
{
    return excess > -0.5 * k ? log1p(excess / k) : log(expected / k);
}

/* Sets the values that depend only on the probability of a cell. */
static void e_table_set_probability(struct sb_e_table *table, double p)
{
    struct e_rests *kept = NULL;

    table->p = p;
    for (size_t g = 0; g < table->count; g++)
        table->a[g] = table->concentration[g] * p;
    if (table->rests) {
        uint64_t bits;

        memcpy(&bits, &p, sizeof bits);
        kept = &table->rests[bits * UINT64_C(0x9E3779B97F4A7C15) >> (64 - E_RESTS_BITS)];
        if (kept->p == p && kept->cells == table->cells) {
            memcpy(table->rest, kept->rest, sizeof table->rest);
            return;
        }
    }
    for (size_t g = 0; g < table->count; g++)
        table->rest[g] = sb_stirling_rest(table->a[g]);
    if (kept) {
        *kept = (struct e_rests) { .p = p, .cells = table->cells };
        memcpy(kept->rest, table->rest, table->count * sizeof kept->rest[0]);
    }
}

static void e_row_fill(struct sb_e_table *table, uint64_t count, double p, struct e_row *row)
{
    const double total = table->total;
    const double c = table->share * (double)count, excess = p * total - c;

    if (table->p != p)
        e_table_set_probability(table, p);
    row->p = p;
    row->count = count;
    row->term[0] = count ? excess - c * e_ln_ratio(excess, c, p * total) : excess;
    for (size_t g = table->count; g < E_MIXTURE; g++)
        row->term[1 + g] = 0;
    for (size_t g = 0; g < table->count; g++) {
        const double k = table->a[g] + c;
        const double ln_ratio = e_ln_ratio(excess, k, p * (table->concentration[g] + total));

        row->term[1 + g] = excess - (k - 0.5) * ln_ratio + sb_stirling_rest(k) - table->rest[g];
    }
}

/* Adds up the terms of all cells of a member. Returns false if a cell that cannot occur has a count. */
static bool e_sum(struct sb_e_table *table, size_t member, double sum[E_TERMS])
{
    const struct sb_tally *const tally = table->tally;
    const uint64_t *const count = tally->count + member * tally->cells;
    double p = e_probability(tally, 0);

    for (size_t i = 0; i < tally->cells; i++) {
        struct e_row *const row = &table->row[count[i] & (table->rows - 1)];

        if (tally->ln_p)
            p = e_probability(tally, i);
        if (p == 0) {
            if (count[i])
                return false;
            continue;
        }
        if (row->p != p || row->count != count[i]) /* an empty row has p = 0 */
            e_row_fill(table, count[i], p, row);
        for (size_t j = 0; j < E_TERMS; j++) /* a constant number of terms makes the code fast */
            sum[j] += row->term[j];
    }
    return true;
}

/* Returns an array [members] of the sums that e_sum() would compute. The caller frees the array. NULL if the counts are
 * not small, the cells are few or not equally likely, or memory is short; in these cases the caller uses e_sum(). */
static double (*e_sum_small(struct sb_e_table *table))[E_TERMS]
{
    const struct sb_tally *const tally = table->tally;
    double term[SB_SMALL_COUNT_MOST + 1][E_TERMS], (*sums)[E_TERMS];

    if (!tally->small || tally->ln_p || table->count < E_MIXTURE || tally->members == 0)
        return NULL;
    const size_t most = sb_small_counts_largest(tally);

    if (most > SB_SMALL_COUNT_MOST)
        return NULL;
    sums = calloc(tally->members, sizeof *sums);
    if (!sums)
        return NULL;
    for (size_t count = 0; count <= most; count++) {
        struct e_row row;

        e_row_fill(table, count, e_probability(tally, 0), &row);
        memcpy(term[count], row.term, sizeof term[count]);
    }
    sb_small_counts_sum(tally->small, tally->members, tally->cells, most, term, sums);
    return sums;
}

static void e_process(struct sb_e_table *table, const struct sb_tally *tally, double taken, struct sb_e_value e[])
{
    const double total = taken * (double)tally->total;
    double common[E_MIXTURE] = { 0 };

    e_table_open(tally, taken, table);
    double(*const sums)[E_TERMS] = e_sum_small(table);

    for (size_t g = 0; g < table->count; g++) {
        const double a = table->concentration[g];

        common[g] = sb_stirling_rest(a) - sb_stirling_rest(a + total) - 0.5 * (table->cells - 1) * log1p(total / a);
    }
    for (size_t member = 0; member < tally->members; member++) {
        double sum[E_TERMS] = { 0 }, most = -HUGE_VAL, share = 0;

        if (sums) {
            memcpy(sum, sums[member], sizeof sum);
        } else if (!e_sum(table, member, sum)) {
            e[member] = (struct sb_e_value) { .ln_e = HUGE_VAL, .ln_best = HUGE_VAL };
            continue;
        }
        for (size_t g = 0; g < table->count; g++) {
            sum[1 + g] += common[g];
            most = fmax(most, sum[1 + g]);
        }
        for (size_t g = 0; g < table->count; g++)
            share += exp(sum[1 + g] - most);
        e[member] = (struct sb_e_value) { .ln_e = most + log(share / (double)table->count), .ln_best = sum[0] };
    }
    free(sums);
}

/* The same, also if members have laws of their own. */
static void e_process_members(struct sb_e_table *table, const struct sb_tally *tally, double taken,
                              struct sb_e_value e[])
{
    if (!tally->separate) {
        e_process(table, tally, taken, e);
        return;
    }
    for (size_t member = 0; member < tally->members; member++) {
        const struct sb_tally one = sb_tally_member(tally, member);

        e_process(table, &one, taken, &e[member]);
    }
    table->tally = NULL; /* the member's view ends here */
}

struct sb_e_table *sb_e_table_new(void)
{
    struct e_kept *const made = calloc(1, sizeof *made);

    if (!made)
        return NULL;
    made->table.rests = made->rests;
    return &made->table;
}

void sb_e_table_free(struct sb_e_table *table)
{
    free(table); /* the first member of struct e_kept */
}

void sb_e_process_by(struct sb_e_table *table, const struct sb_tally *tally, struct sb_e_value e[])
{
    e_process_members(table, tally, 1, e);
}

/* Computes the e-values with a new table, which is not kept. */
static void e_process_alone(const struct sb_tally *tally, double taken, struct sb_e_value e[])
{
    struct sb_e_table table; /* e_table_open() empties its rows */

    table.cells_even = 0;
    table.count = 0;
    table.rows = 1;
    table.row[0] = (struct e_row) { 0 }; /* for static analysers */
    table.share = table.total = 0;
    table.rests = NULL;
    e_process_members(&table, tally, taken, e);
}

void sb_e_process(const struct sb_tally *tally, struct sb_e_value e[])
{
    e_process_alone(tally, 1, e);
}

void sb_e_process_half(const struct sb_tally *tally, struct sb_e_value e[])
{
    e_process_alone(tally, 0.5, e);
}

/*
 * How far rounding can move an e-value, so that no decision rests on it. Let u = 2^-53, and let log, log1p
 * and exp have relative errors of at most 4u. In the notation of e_process.c, with T deals, K cells,
 * probabilities p of relative error d, L = -ln of the least probability, and A >= K/10:
 *
 * One term f(x, k) = x - (k - 1/2) ln(1 + x/k) + rest(k) - rest(a). Its slopes are df/dx = (x + 1/2)/m and
 * df/dk = (1 - 1/(2k)) x/m - ln(1 + x/k).
 *   If x > -k/2, then m = k + x >= k/2 and |x| <= m. The error of x is at most (d + 2u)(pT + |x|), and that of
 *   k is (d + 2u) k.
 *   So they move f by at most (4 d + 8u)(|x| + 1). The operations round by 16u (|x| + 1).
 *   If x <= -k/2, then m is computed by itself, with the error (d + 3u) m, k <= 2|x|, and |ln(m/k)| <= L. So all
 *   errors together move f by at most (4 d + 20u L + 16u)(|x| + 1).
 *   Each `rest` has an error of at most 2e-15 < 20u, and 9u of its value, which is at most 2 + L/2.
 * The sum of all |x| is at most X = T sqrt(2 KL(c/T||q)) = sqrt(2 T ln_best), by Pinsker's inequality. So the
 * errors of the terms are at most (4 d + (32 + 20 L) u) X + K (128 + 32 L) u + 4 d K.
 *
 * Their sum. An addition of K terms has an error of at most (K - 1) u times the sum of the terms' sizes. In each
 * term, x - k ln(1 + x/k) is not negative and falls as k rises, so these parts add up to at most their sum for
 * k = c, which is ln_best. What is left of a term is ln(m/k)/2 + rest(k) - rest(a). It is at most H = ln(1 + T)/2 +
 * 3/2 L + 4, because |ln(m/k)| <= L + ln(1 + T). If all cells are equally likely, then rest(a) < 0.6, ln(m/k) <=
 * ln(1 + 10 T/K), and the k/m add up to K, so that the ln(k/m) above 0 add up to at most K/e; then H = ln(1 + 10
 * T/K)/2 + 2 is enough on average. So the error is at most K u (ln_best + K H).
 *
 * The rest: (K-1)/2 ln(1 + t/A), the remainders of A and the average over the concentrations round by at most 16u
 * (ln_best + K H + 8).
 *
 * d is the error of exp(ln_p), and of ln_p itself: laws are tested to 1e-11. For equally likely cells, d = u.
 *
 * N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 2002, sections 3.1 and 4.2.
 */

static const double error_unit = DBL_EPSILON / 2; /* u */
static const double error_law = 1e-11;            /* d, unless all cells are equally likely */

struct sb_e_error sb_e_process_error(const struct sb_tally *tally)
{
    const double total = (double)tally->total, cells = (double)tally->cells, u = error_unit;
    const double law = tally->ln_p ? error_law : u;
    double least = 0;

    for (size_t i = 0; tally->ln_p && i < (tally->separate ? tally->members : 1) * tally->cells; i++)
        least = isinf(tally->ln_p[i]) ? least : fmax(least, -tally->ln_p[i]);
    if (!tally->ln_p)
        least = log(cells + 1);
    const double size =
        tally->ln_p ? 0.5 * log1p(total) + 1.5 * least + 4 : 0.5 * log1p(10 * total / fmax(cells, 1)) + 2; /* H */

    return (struct sb_e_error) {
        .fixed = u * cells * ((cells + 16) * size + 128 + 32 * least) + 4 * law * cells + 128 * u,
        .per_best = u * (cells + 16),
        .deviation = (4 * law + (32 + 20 * least) * u) * sqrt(2 * total),
    };
}

double sb_e_error_of(const struct sb_e_error *error, const struct sb_e_value *e)
{
    if (isinf(e->ln_e))
        return 0;
    return error->fixed + error->per_best * e->ln_best + error->deviation * sqrt(e->ln_best + 1);
}

/*
 * Bets on single cells of a matrix: "card 1 is never on top", "the bottom card stays in one deck of ten". The e-process
 * of a row learns all its cells at once, and pays for the noise of each. So a quarter of the stake of a row goes to its
 * single cells, in equal parts. Each is a coin that shows heads with the probability 1/K, and E of a coin is that of
 * e_process.c for two cells: a mixture over the probability of heads, which learns the cell from the earlier decks.
 *
 * E of the row becomes 3/4 E + 1/4 (average of E over the cells). An average of martingales of mean 1, with fixed
 * weights, is a martingale of mean 1, no matter how cells depend on each other. A product of bets on several cells of
 * one deck would not be: the product of n M[i][place of i] has the mean n^n perm(M)/n!, which is at least 1 for any
 * matrix M whose rows and columns add up to 1 (van der Waerden).
 *
 * E of a coin is at most e to the power of its largest likelihood ratio, t KL(c/t || 1/K), which is largest for the
 * smallest or the largest count. If even these have less than ten nats, all coins count as 0, which can only make E
 * smaller.
 *
 * Cost: a pass over the counts; if a count is remarkable, two terms for each count that occurs.
 */

enum {
    SINGLE_CELLS_LEAST = 8, /* of fewer, the row learns soon enough */
    SINGLE_CELLS_MOST = 128,
    SINGLE_RANGE_MOST = 1 << 16, /* of the counts; beyond, the rows say enough */
};

static const double single_stake = 0.25, single_nats_least = 10;

struct sb_single {
    uint64_t least, most; /* the counts that occur are between these */
    double *ln_e;         /* [most - least + 1] of a coin, by its count; owned; NULL: all count as 0 */
    double error;         /* an upper bound on the errors of these */
};

bool sb_single_joins(const struct sb_tally *tally)
{
    return !tally->ln_e && !tally->ln_p && !tally->first && tally->members > 1 && tally->cells >= SINGLE_CELLS_LEAST &&
           tally->cells <= SINGLE_CELLS_MOST;
}

/* ln of the largest likelihood ratio of a coin. */
static double single_nats(const struct sb_tally *tally, uint64_t count)
{
    const double total = (double)tally->total, p = 1 / (double)tally->cells, c = (double)count, tails = total - c;

    return (c > 0 ? c * log(c / (p * total)) : 0) + (tails > 0 ? tails * log(tails / ((1 - p) * total)) : 0);
}

/* Computes E of the counts that occur, which ln_e[] marks by 1. */
static enum sb_status single_fill(const struct sb_tally *tally, struct sb_single *single)
{
    const size_t range = (size_t)(single->most - single->least + 1);
    const double ln_p[2] = { -log((double)tally->cells), log1p(-1 / (double)tally->cells) };
    uint64_t *const count = calloc(2 * range, sizeof *count);
    struct sb_e_value *const e = calloc(range, sizeof *e);
    struct sb_tally coins = { .cells = 2, .total = tally->total, .count = count, .ln_p = ln_p };

    for (size_t i = 0; count && e && i < range; i++)
        if (single->ln_e[i] > 0) {
            count[2 * coins.members] = single->least + i;
            count[2 * coins.members++ + 1] = tally->total - single->least - i;
        }
    if (coins.members)
        sb_e_process(&coins, e);
    const struct sb_e_error error = sb_e_process_error(&coins);

    for (size_t k = 0; k < coins.members; k++) {
        single->ln_e[count[2 * k] - single->least] = e[k].ln_e;
        single->error = fmax(single->error, sb_e_error_of(&error, &e[k]));
    }
    free(count);
    free(e);
    return coins.members ? SB_OK : SB_NO_MEMORY;
}

enum sb_status sb_single_new(const struct sb_tally *tally, struct sb_single **single)
{
    struct sb_single *const made = calloc(1, sizeof *made);
    const size_t cells = tally->members * tally->cells;
    uint64_t least = UINT64_MAX, most = 0;
    enum sb_status status = SB_OK;

    if (!made)
        return SB_NO_MEMORY;
    for (size_t i = 0; i < cells; i++) {
        least = tally->count[i] < least ? tally->count[i] : least;
        most = tally->count[i] > most ? tally->count[i] : most;
    }
    made->least = least;
    made->most = most;
    if (made->most - made->least < SINGLE_RANGE_MOST &&
        fmax(single_nats(tally, made->least), single_nats(tally, made->most)) > single_nats_least) {
        made->ln_e = calloc((size_t)(made->most - made->least + 1), sizeof made->ln_e[0]);
        for (size_t i = 0; made->ln_e && i < cells; i++)
            made->ln_e[tally->count[i] - made->least] = 1;
        status = made->ln_e ? single_fill(tally, made) : SB_NO_MEMORY;
    }
    if (status)
        sb_single_free(made);
    else
        *single = made;
    return status;
}

void sb_single_free(struct sb_single *single)
{
    if (!single)
        return;
    free(single->ln_e);
    free(single);
}

void sb_single_share(const struct sb_single *single, const struct sb_tally *tally, size_t member, double *ln_e,
                     double *error)
{
    const uint64_t *const count = tally->count + member * tally->cells;
    const double own = *ln_e + log1p(-single_stake);
    double most = own, sum = 0;

    if (!single->ln_e) {
        *ln_e = own;
        return;
    }
    for (size_t i = 0; i < tally->cells; i++)
        most = fmax(most, single->ln_e[count[i] - single->least]);
    for (size_t i = 0; i < tally->cells; i++)
        sum += exp(single->ln_e[count[i] - single->least] - most);
    *ln_e = most + log(exp(own - most) + single_stake * sum / (double)tally->cells);
    *error = fmax(*error, single->error) + DBL_EPSILON * (2 * (double)tally->cells + 64 + 8 * fabs(most));
}

/* a - b of unsigned numbers. */
static double cell_difference(uint64_t a, uint64_t b)
{
    return a < b ? -(double)(b - a) : (double)(a - b);
}

struct sb_cell sb_cell_get(const struct sb_tally *tally, size_t member, size_t cell)
{
    const uint64_t count = tally->count[member * tally->cells + cell];
    struct sb_cell got = { .count = (double)count };

    if (!tally->ln_p) {
        const double cells = (double)tally->cells;

        got.expected = (double)tally->total / cells;
        got.excess =
            cell_difference(tally->total / tally->cells, count) + (double)(tally->total % tally->cells) / cells;
        return got;
    }
    const double ln_p = tally->ln_p[(tally->separate ? member * tally->cells : 0) + cell];

    if (tally->expected)
        got.expected = tally->expected[cell];
    else if (ln_p > -HUGE_VAL && tally->total)
        got.expected = fmax((double)tally->total * exp(ln_p), sb_cell_floor);
    got.excess = got.expected - got.count;
    return got;
}
