/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evidence about decks with equal items. The law of arrangements is the law of permutations, added up over the
 * permutations that look the same. Cost: for each permutation, an unranking and a rank.
 *
 * Doubles are added up with compensation (core/sum.h), because an arrangement may stand for millions of
 * permutations. Let u = 2^-53 be the largest relative error of a rounding. Such a sum of N positive terms adds at
 * most u + (N u)^2 to the relative error of the terms; 2 u leaves room for products of errors. If all items are
 * equal, no sum is needed: the only arrangement has probability 1.
 */
#include "core/evidence.h"
#include "core/sum.h"

#include <math.h>
#include <stdlib.h>

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

    if (!multiset)
        return SB_OK;
    if (sb_evidence_matrix(evidence) || arrange_matrix(evidence) || arrange_counts(evidence))
        return SB_NO_MEMORY;
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
    const uint64_t *const counts =
        !sb_item_multiset(e->names) && e->matrix.form == SB_NUMBERS_U64 ? e->matrix.u64 : NULL;
    uint64_t least = UINT64_MAX, most = 0;
    double worst = -1;
    size_t found = 0;

    for (size_t cell = 0; cell < sb_evidence_rows(e) * e->deal; cell++) {
        if (counts && counts[cell] >= least && counts[cell] <= most)
            continue;
        if (counts) {
            least = counts[cell] < least ? counts[cell] : least;
            most = counts[cell] > most ? counts[cell] : most;
        }
        const double off = fabs(sb_evidence_matrix_share(e, cell / e->deal, cell % e->deal) -
                                sb_evidence_fair(e, cell / e->deal));

        if (off > worst)
            found = cell;
        worst = fmax(worst, off);
    }
    return found;
}
