/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocates and frees evidence, and computes its fractions. */
#include "core/evidence.h"

enum sb_status sb_evidence_open(enum sb_by by, size_t n, size_t deal, struct sb_evidence *evidence)
{
    struct sb_evidence made = { .by = by, .n = n, .deal = deal, .cells = sb_cells(n, deal) };

    if (made.cells && sb_numbers_open(SB_NUMBERS_U64, made.cells, &made.counts))
        return SB_NO_MEMORY;
    if (!made.cells && by != SB_BY_SEEDS && sb_numbers_open(SB_NUMBERS_U64, n * deal, &made.matrix))
        return SB_NO_MEMORY;
    mpz_init(made.denominator);
    *evidence = made;
    return SB_OK;
}

const char *sb_by_name(enum sb_by by)
{
    return by == SB_BY_EXACT ? "exact" : by == SB_BY_SEEDS ? "seeds" : "sample";
}

void sb_evidence_close(struct sb_evidence *evidence)
{
    if (evidence->by == 0)
        return;
    sb_numbers_close(&evidence->counts);
    sb_numbers_close(&evidence->matrix);
    if (evidence->reach)
        mpz_clear(evidence->reach->deals);
    free(evidence->reach);
    if (evidence->inquiry)
        mpq_clear(evidence->inquiry->unresolved);
    free(evidence->inquiry);
    mpz_clear(evidence->denominator);
    *evidence = (struct sb_evidence) { 0 };
}

/* Sets `fraction` to number i divided by the denominator, in lowest terms. */
static void evidence_fraction(const struct sb_evidence *evidence, const struct sb_numbers *numbers, size_t i,
                              mpq_t fraction)
{
    sb_numbers_integer(numbers, i, mpq_numref(fraction));
    if (evidence->by == SB_BY_EXACT)
        mpz_set(mpq_denref(fraction), evidence->denominator);
    else
        sb_mpz_set_u64(mpq_denref(fraction), evidence->total);
    if (mpz_sgn(mpq_denref(fraction)) == 0) /* nothing was counted */
        mpz_set_ui(mpq_denref(fraction), 1);
    mpq_canonicalize(fraction);
}

void sb_evidence_fraction(const struct sb_evidence *evidence, size_t rank, mpq_t fraction)
{
    evidence_fraction(evidence, &evidence->counts, rank, fraction);
}

void sb_evidence_matrix_fraction(const struct sb_evidence *evidence, size_t item, size_t position, mpq_t fraction)
{
    evidence_fraction(evidence, &evidence->matrix, item * evidence->deal + position, fraction);
}

static double evidence_share(const struct sb_evidence *evidence, const struct sb_numbers *numbers, size_t i)
{
    mpq_t fraction;
    double share;

    if (numbers->form == SB_NUMBERS_SHARE)
        return numbers->share[i];
    if (sb_numbers_narrow(numbers) && evidence->total)
        return (double)sb_numbers_u64(numbers, i) / (double)evidence->total;
    if (evidence->by != SB_BY_EXACT) /* nothing was counted */
        return 0;
    mpq_init(fraction);
    evidence_fraction(evidence, numbers, i, fraction);
    share = mpq_get_d(fraction);
    mpq_clear(fraction);
    return share;
}

double sb_evidence_share(const struct sb_evidence *evidence, size_t rank)
{
    return evidence_share(evidence, &evidence->counts, rank);
}

double sb_evidence_matrix_share(const struct sb_evidence *evidence, size_t item, size_t position)
{
    return evidence_share(evidence, &evidence->matrix, item * evidence->deal + position);
}

/*
 * Evidence about decks with equal items. The law of arrangements is the law of permutations, added up over the
 * permutations that look the same. Cost: for each permutation, an unranking and a rank.
 *
 * Doubles are added up with compensation (core/numbers.h), because an arrangement may stand for millions of
 * permutations. Let u = 2^-53 be the largest relative error of a rounding. Such a sum of N positive terms adds at
 * most u + (N u)^2 to the relative error of the terms; 2 u leaves room for products of errors. If all items are
 * equal, no sum is needed: the only arrangement has probability 1.
 */

static const struct sb_multiset *arrange_multiset(const struct sb_evidence *evidence)
{
    return sb_item_multiset(evidence->names);
}

size_t sb_evidence_rows(const struct sb_evidence *evidence)
{
    const struct sb_multiset *const multiset = arrange_multiset(evidence);

    return multiset ? multiset->kinds : evidence->n;
}

size_t sb_evidence_item(const struct sb_evidence *evidence, size_t row)
{
    const struct sb_multiset *const multiset = arrange_multiset(evidence);

    return multiset ? multiset->member[multiset->begin[row]] : row;
}

size_t sb_evidence_copies(const struct sb_evidence *evidence, size_t row)
{
    const struct sb_multiset *const multiset = arrange_multiset(evidence);

    return multiset ? sb_multiset_copies(multiset, row) : 1;
}

double sb_evidence_fair(const struct sb_evidence *evidence, size_t row)
{
    return (double)sb_evidence_copies(evidence, row) / (double)evidence->n;
}

double sb_evidence_ratio(const struct sb_evidence *evidence, size_t row, double share)
{
    return share * (double)evidence->n / (double)sb_evidence_copies(evidence, row);
}

const char *sb_evidence_called(const struct sb_evidence *evidence, const char *whole)
{
    const struct sb_multiset *const groups = sb_item_groups(evidence->names);

    if (groups)
        return groups->groups == 1 ? "set" : "deal";
    return evidence->deal < evidence->n ? "deal" : whole;
}

void sb_evidence_unrank(const struct sb_evidence *evidence, size_t rank, sb_item a[])
{
    const struct sb_multiset *const multiset = arrange_multiset(evidence);

    if (multiset)
        sb_multiset_unrank(multiset, rank, a);
    else
        sb_permutation_unrank(evidence->n, evidence->deal, rank, a);
}

/* The sums of the numbers that look the same. */
struct arrange_sums {
    struct sb_numbers numbers;
    struct sb_sum *share; /* [numbers.size] the sums so far if they are doubles; owned; else NULL */
    mpz_t value;          /* scratch */
};

/* Starts sums of 0. The caller calls arrange_finish(). SB_NO_MEMORY. */
static enum sb_status arrange_open(enum sb_number_form form, size_t size, struct arrange_sums *sums)
{
    *sums = (struct arrange_sums) { .share = NULL };
    if (sb_numbers_open(form, size, &sums->numbers))
        return SB_NO_MEMORY;
    if (form == SB_NUMBERS_SHARE) {
        sums->share = calloc(size + 1, sizeof *sums->share);
        if (!sums->share) {
            sb_numbers_close(&sums->numbers);
            return SB_NO_MEMORY;
        }
    }
    mpz_init(sums->value);
    return SB_OK;
}

/* Adds number `from` of `all` to sum `to`. */
static void arrange_add(const struct sb_numbers *all, size_t from, struct arrange_sums *sums, size_t to)
{
    if (sums->share) {
        sb_sum_add(&sums->share[to], all->share[from]);
    } else if (sums->numbers.form == SB_NUMBERS_U64) {
        sums->numbers.u64[to] += sb_numbers_u64(all, from);
    } else {
        sb_numbers_integer(all, from, sums->value);
        mpz_add(sums->numbers.wide[to], sums->numbers.wide[to], sums->value);
    }
}

/* Replaces `numbers` by the sums. */
static void arrange_finish(struct arrange_sums *sums, struct sb_numbers *numbers)
{
    for (size_t i = 0; sums->share && i < sums->numbers.size; i++)
        sums->numbers.share[i] = sb_sum_value(&sums->share[i]);
    free(sums->share);
    mpz_clear(sums->value);
    sb_numbers_close(numbers);
    *numbers = sums->numbers;
}

/* Returns the form of sums. Sums of integers are at most the total, which has 64 bits unless it is 0. */
static enum sb_number_form arrange_form(const struct sb_evidence *evidence, const struct sb_numbers *numbers)
{
    if (numbers->form == SB_NUMBERS_SHARE)
        return SB_NUMBERS_SHARE;
    return evidence->total && sb_numbers_narrow(numbers) ? SB_NUMBERS_U64 : SB_NUMBERS_WIDE;
}

/* Replaces the rows of items by rows of kinds. */
static enum sb_status arrange_matrix(struct sb_evidence *evidence)
{
    const struct sb_multiset *const multiset = arrange_multiset(evidence);
    const size_t deal = evidence->deal;
    struct arrange_sums sums;

    if (evidence->matrix.form == SB_NUMBERS_NONE)
        return SB_OK;
    if (arrange_open(arrange_form(evidence, &evidence->matrix), multiset->kinds * deal, &sums))
        return SB_NO_MEMORY;
    for (size_t item = 0; item < evidence->n; item++)
        for (size_t j = 0; j < deal; j++)
            arrange_add(&evidence->matrix, item * deal + j, &sums, multiset->kind[item] * deal + j);
    arrange_finish(&sums, &evidence->matrix);
    return SB_OK;
}

/* Replaces the counts of permutations by counts of arrangements. */
static enum sb_status arrange_counts(struct sb_evidence *evidence)
{
    const struct sb_multiset *const multiset = arrange_multiset(evidence);
    const bool ranked = evidence->cells && evidence->deal == evidence->n && multiset->arrangements &&
                        evidence->counts.form != SB_NUMBERS_NONE;
    struct arrange_sums sums;
    sb_item a[SB_ARRANGED_MOST];

    if (arrange_open(ranked ? arrange_form(evidence, &evidence->counts) : SB_NUMBERS_NONE,
                     ranked ? multiset->arrangements : 0, &sums))
        return SB_NO_MEMORY;
    for (size_t rank = 0; ranked && rank < evidence->cells; rank++) {
        sb_permutation_unrank(evidence->n, evidence->n, rank, a);
        arrange_add(&evidence->counts, rank, &sums, sb_multiset_rank(multiset, a));
    }
    arrange_finish(&sums, &evidence->counts);
    evidence->cells = ranked ? multiset->arrangements : 0;
    return SB_OK;
}

/* Of a line of sets or hands, position j belongs to group kind[j]. So an item's row of the matrix of lines is its
 * column of the deck of groups, and what is missing to the whole is the share of the items that are not dealt. */
static enum sb_status group_matrix(struct sb_evidence *evidence)
{
    const struct sb_multiset *const groups = arrange_multiset(evidence);
    const size_t n = evidence->n, deal = evidence->deal, left = groups->groups;
    struct arrange_sums sums;

    if (evidence->matrix.form == SB_NUMBERS_NONE)
        return SB_OK;
    if (arrange_open(arrange_form(evidence, &evidence->matrix), groups->kinds * n, &sums))
        return SB_NO_MEMORY;
    for (size_t item = 0; item < n; item++) {
        for (size_t j = 0; j < deal; j++) {
            arrange_add(&evidence->matrix, item * deal + j, &sums, groups->kind[j] * n + item);
            if (deal < n)
                arrange_add(&evidence->matrix, item * deal + j, &sums, left * n + item);
        }
        if (deal == n)
            continue;
        if (sums.share)
            sums.share[left * n + item] = (struct sb_sum) { 1 - sb_sum_value(&sums.share[left * n + item]), 0 };
        else if (sums.numbers.form == SB_NUMBERS_U64)
            sums.numbers.u64[left * n + item] = evidence->total - sums.numbers.u64[left * n + item];
        else
            mpz_sub(sums.numbers.wide[left * n + item], evidence->denominator, sums.numbers.wide[left * n + item]);
    }
    arrange_finish(&sums, &evidence->matrix);
    return SB_OK;
}

/* Replaces the counts of lines by those of partitions. */
static enum sb_status group_counts(struct sb_evidence *evidence)
{
    const struct sb_multiset *const groups = arrange_multiset(evidence);
    const size_t n = evidence->n, deal = evidence->deal;
    const bool ranked = evidence->cells && groups->arrangements && evidence->counts.form != SB_NUMBERS_NONE;
    struct arrange_sums sums;
    sb_item line[SB_ARRANGED_MOST], deck[SB_ARRANGED_MOST];

    if (arrange_open(ranked ? arrange_form(evidence, &evidence->counts) : SB_NUMBERS_NONE,
                     ranked ? groups->arrangements : 0, &sums))
        return SB_NO_MEMORY;
    for (size_t rank = 0; ranked && rank < evidence->cells; rank++) {
        sb_permutation_unrank(n, deal, rank, line);
        for (size_t i = 0; i < n; i++)
            deck[i] = (sb_item)(n - 1); /* not dealt, unless it is in the line */
        for (size_t j = 0; j < deal; j++)
            deck[line[j]] = (sb_item)j;
        arrange_add(&evidence->counts, rank, &sums, sb_multiset_rank(groups, deck));
    }
    arrange_finish(&sums, &evidence->counts);
    evidence->cells = ranked ? groups->arrangements : 0;
    return SB_OK;
}

/* Replaces the sums by integers over the denominator 1. All items are equal, so each sum is 1. SB_NO_MEMORY. */
static enum sb_status arrange_certain(struct sb_evidence *evidence)
{
    struct sb_numbers *const sums[] = { &evidence->counts, &evidence->matrix };

    for (size_t k = 0; k < 2; k++) {
        struct sb_numbers one;

        if (sums[k]->form == SB_NUMBERS_NONE)
            continue;
        if (sb_numbers_open(SB_NUMBERS_U64, sums[k]->size, &one))
            return SB_NO_MEMORY;
        for (size_t i = 0; i < one.size; i++)
            one.u64[i] = 1;
        sb_numbers_close(sums[k]);
        *sums[k] = one;
    }
    mpz_set_ui(evidence->denominator, 1);
    evidence->total = 1;
    evidence->error = 0;
    return SB_OK;
}

enum sb_status sb_evidence_arrange(struct sb_evidence *evidence)
{
    const struct sb_multiset *const multiset = arrange_multiset(evidence);
    const double second = (double)evidence->cells * 0x1p-53;

    if (!multiset || evidence->arranged)
        return SB_OK;
    evidence->arranged = true;
    const bool lines = multiset->groups && evidence->by == SB_BY_EXACT; /* samples are of decks of groups */

    if (sb_evidence_matrix(evidence) || (lines ? group_matrix(evidence) : arrange_matrix(evidence)) ||
        (lines ? group_counts(evidence) : arrange_counts(evidence)))
        return SB_NO_MEMORY;
    evidence->deal = lines ? evidence->n : evidence->deal;
    if (evidence->counts.form != SB_NUMBERS_SHARE && evidence->matrix.form != SB_NUMBERS_SHARE)
        return SB_OK;
    evidence->error += 0x1p-52 + second * second;
    return multiset->kinds == 1 ? arrange_certain(evidence) : SB_OK;
}

/* Only a count below the smallest count so far, or above the largest count so far, can be farther from the
 * fair share. */
size_t sb_evidence_farthest(const struct sb_evidence *e)
{
    /* equal items have rows with other fair shares */
    const bool counted = !sb_item_multiset(e->names) && e->matrix.form == SB_NUMBERS_U64;
    const uint64_t *const counts = e->matrix.u64;
    uint64_t least = UINT64_MAX, most = 0;
    double worst = -1;
    size_t found = 0;

    for (size_t cell = 0; cell < sb_evidence_rows(e) * e->deal; cell++) {
        if (counted && counts[cell] >= least && counts[cell] <= most)
            continue;
        if (counted) {
            least = counts[cell] < least ? counts[cell] : least;
            most = counts[cell] > most ? counts[cell] : most;
        }
        const double off =
            fabs(sb_evidence_matrix_share(e, cell / e->deal, cell % e->deal) - sb_evidence_fair(e, cell / e->deal));

        if (off > worst)
            found = cell;
        worst = fmax(worst, off);
    }
    return found;
}

/*
 * Computes the matrix of items by positions from the counts by rank.
 *
 * Ranks are lexicographic, so all deals that begin with the same items are consecutive. The sum of the counts
 * of these deals is computed only once. It is added to the matrix, and it is also a term of the sum for the
 * beginning that is one item shorter. Cost: 2.7 additions for each permutation, for any n. With doubles, the
 * rounding error of each addition is summed as well (Knuth, The Art of Computer Programming, vol. 2, 4.2.2,
 * theorem B), so that a sum is as accurate as its terms.
 */

/* The sums so far, in the number type of the matrix. */
struct matrix_sums {
    const struct sb_evidence *evidence;
    size_t next; /* rank of the next deal */
    bool *used;  /* [n] which items are at the positions before the current one */
    double *low; /* [n * deal] sums of rounding errors: a sum of shares is matrix.share + low */
    struct sb_numbers matrix;
};

/* Handles the last three positions. Three items, a < b < c, have no positions yet, so six permutations
 * remain. Adds the counts of these permutations to the cells of the last three positions. Returns the sum of
 * the six counts. */
static uint64_t matrix_last(struct matrix_sums *sums)
{
    const size_t n = sums->evidence->n, deal = sums->evidence->deal;
    uint64_t abc[6], *cell[3]; /* abc acb bac bca cab cba */
    size_t found = 0;

    for (size_t item = 0; item < n && found < 3; item++)
        if (!sums->used[item])
            cell[found++] = sums->matrix.u64 + item * deal + deal - 3;
    for (size_t k = 0; k < 6; k++)
        abc[k] = sb_numbers_u64(&sums->evidence->counts, sums->next++);

    const uint64_t a = abc[0] + abc[1], b = abc[2] + abc[3], c = abc[4] + abc[5];

    cell[0][0] += a;
    cell[1][0] += b;
    cell[2][0] += c;
    cell[0][1] += abc[2] + abc[4];
    cell[1][1] += abc[0] + abc[5];
    cell[2][1] += abc[1] + abc[3];
    cell[0][2] += abc[3] + abc[5];
    cell[1][2] += abc[1] + abc[4];
    cell[2][2] += abc[0] + abc[2];
    return a + b + c;
}

/* Handles all deals that begin with the `depth` items chosen so far. Adds the counts of these deals to the
 * cells of the later positions. Returns the sum of the counts, which fits in 64 bits. */
static uint64_t matrix_counts(struct matrix_sums *sums, size_t depth)
{
    const size_t n = sums->evidence->n, deal = sums->evidence->deal;
    uint64_t all = 0;

    if (depth == deal)
        return sb_numbers_u64(&sums->evidence->counts, sums->next++);
    if (depth + 3 == n && deal == n)
        return matrix_last(sums);
    for (size_t item = 0; item < n; item++) {
        if (sums->used[item])
            continue;
        sums->used[item] = true;
        const uint64_t sum = matrix_counts(sums, depth + 1);

        sums->matrix.u64[item * deal + depth] += sum;
        all += sum;
        sums->used[item] = false;
    }
    return all;
}

/* Does the same for doubles. */
static double matrix_shares(struct matrix_sums *sums, size_t depth)
{
    const size_t n = sums->evidence->n, deal = sums->evidence->deal;
    double all = 0;

    if (depth == deal)
        return sums->evidence->counts.share[sums->next++];
    for (size_t item = 0; item < n; item++) {
        if (sums->used[item])
            continue;
        sums->used[item] = true;
        const double share = matrix_shares(sums, depth + 1), old = sums->matrix.share[item * deal + depth];
        const double new = old + share, taken = new - old;

        sums->matrix.share[item * deal + depth] = new;
        sums->low[item * deal + depth] += (old - (new - taken)) + (share - taken);
        all += share;
        sums->used[item] = false;
    }
    return all;
}

/* Does the same for integers whose sums may need more than 64 bits. Adds the sum of the counts to `all`. */
static void matrix_wide(struct matrix_sums *sums, size_t depth, mpz_t all)
{
    const size_t n = sums->evidence->n, deal = sums->evidence->deal;
    mpz_t sum;

    mpz_init(sum);
    if (depth == deal) {
        sb_numbers_integer(&sums->evidence->counts, sums->next++, sum);
        mpz_add(all, all, sum);
    }
    for (size_t item = 0; depth < deal && item < n; item++) {
        if (sums->used[item])
            continue;
        sums->used[item] = true;
        mpz_set_ui(sum, 0);
        matrix_wide(sums, depth + 1, sum);
        mpz_add(sums->matrix.wide[item * deal + depth], sums->matrix.wide[item * deal + depth], sum);
        mpz_add(all, all, sum);
        sums->used[item] = false;
    }
    mpz_clear(sum);
}

/* Computes the sums, whose arrays are open. */
static void matrix_fill(struct matrix_sums *sums)
{
    mpz_t all;

    switch (sums->matrix.form) {
    case SB_NUMBERS_U64:
        matrix_counts(sums, 0);
        break;
    case SB_NUMBERS_SHARE:
        matrix_shares(sums, 0);
        for (size_t i = 0; i < sums->matrix.size; i++)
            sums->matrix.share[i] += sums->low[i];
        break;
    default:
        mpz_init(all);
        matrix_wide(sums, 0, all);
        mpz_clear(all);
    }
}

enum sb_status sb_evidence_matrix(struct sb_evidence *evidence)
{
    const struct sb_numbers *const counts = &evidence->counts;
    const size_t size = evidence->n * evidence->deal;
    struct matrix_sums sums = { .evidence = evidence };
    enum sb_number_form form = counts->form == SB_NUMBERS_SHARE ? SB_NUMBERS_SHARE : SB_NUMBERS_WIDE;
    enum sb_status status = SB_NO_MEMORY;

    if (evidence->matrix.form || evidence->cells == 0)
        return SB_OK;
    if (sb_numbers_narrow(counts) && (evidence->total || evidence->by != SB_BY_EXACT))
        form = SB_NUMBERS_U64; /* the total fits in 64 bits */
    sums.used = calloc(evidence->n + 1, sizeof *sums.used);
    sums.low = calloc(form == SB_NUMBERS_SHARE ? size + 1 : 1, sizeof *sums.low);
    if (sums.used && sums.low)
        status = sb_numbers_open(form, size, &sums.matrix);
    if (status == SB_OK)
        matrix_fill(&sums);
    free(sums.used);
    free(sums.low);
    evidence->matrix = sums.matrix;
    return status;
}

/* Frees effect sizes, and says how small a p can be. */

double sb_least_ln_p(const struct sb_least_p *least, double samples)
{
    if (least->ln_share == 0)
        return -INFINITY;
    return fmin(0, least->ln_factor + (least->single ? log(samples) + least->ln_share : samples * least->ln_share));
}

double sb_finding_least(const struct sb_finding *finding, double samples, double alpha)
{
    double smallest = 0, able = 0;

    for (size_t i = 0; i < SB_LEAST_PARTS && (i == 0 || finding->least[i].ln_share != 0); i++) {
        const double ln_p = sb_least_ln_p(&finding->least[i], samples);

        able += ln_p < log(alpha);
        smallest = fmin(smallest, ln_p);
    }
    return fmin(0, smallest + log(fmax(1, able)));
}

void sb_effect_close(struct sb_effect *effect)
{
    mpq_clear(effect->total_variation_exact);
    free(effect->most_deal);
    free(effect->least_deal);
}

/* Frees a description of a known faulty shuffle. */

static void looks_like_free(char **name, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(name[i]);
    free(name);
}

void sb_looks_like_close(struct sb_looks_like *looks_like)
{
    looks_like_free(looks_like->equivalent, looks_like->equivalents);
    looks_like_free(looks_like->other, looks_like->others);
    free(looks_like->order);
    free(looks_like->scheme);
    *looks_like = (struct sb_looks_like) { .asked = false };
}
