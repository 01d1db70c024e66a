/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evidence about decks with equal items. The law of arrangements is the law of permutations, added up over the
 * permutations that look the same. Cost: for each permutation, an unranking and a rank.
 */
#include "core/evidence.h"

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

/* Adds number `from` of `all` to number `to` of `sum`. `value` is scratch. */
static void arrange_add(const struct sb_numbers *all, size_t from, struct sb_numbers *sum, size_t to,
                        mpz_t value)
{
    if (sum->form == SB_NUMBERS_SHARE) {
        sum->share[to] += all->share[from];
    } else if (sum->form == SB_NUMBERS_U64) {
        sum->u64[to] += sb_numbers_u64(all, from);
    } else {
        sb_numbers_integer(all, from, value);
        mpz_add(sum->wide[to], sum->wide[to], value);
    }
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
    struct sb_numbers sum;
    mpz_t value;

    if (evidence->matrix.form == SB_NUMBERS_NONE)
        return SB_OK;
    if (sb_numbers_open(arrange_form(evidence, &evidence->matrix), multiset->kinds * deal, &sum))
        return SB_NO_MEMORY;
    mpz_init(value);
    for (size_t item = 0; item < evidence->n; item++)
        for (size_t j = 0; j < deal; j++)
            arrange_add(&evidence->matrix, item * deal + j, &sum, multiset->kind[item] * deal + j, value);
    mpz_clear(value);
    sb_numbers_close(&evidence->matrix);
    evidence->matrix = sum;
    return SB_OK;
}

/* Replaces the counts of permutations by counts of arrangements. */
static enum sb_status arrange_counts(struct sb_evidence *evidence)
{
    const struct sb_multiset *const multiset = arrange_multiset(evidence);
    const bool ranked = evidence->cells && evidence->deal == evidence->n && multiset->arrangements &&
                        evidence->counts.form != SB_NUMBERS_CENSUS &&
                        evidence->counts.form != SB_NUMBERS_NONE;
    struct sb_numbers sum = { .form = SB_NUMBERS_NONE };
    sb_item a[SB_ARRANGED_MOST];
    mpz_t value;

    if (ranked && sb_numbers_open(arrange_form(evidence, &evidence->counts), multiset->arrangements, &sum))
        return SB_NO_MEMORY;
    mpz_init(value);
    for (size_t rank = 0; ranked && rank < evidence->cells; rank++) {
        sb_permutation_unrank(evidence->n, evidence->n, rank, a);
        arrange_add(&evidence->counts, rank, &sum, sb_multiset_rank(multiset, a), value);
    }
    mpz_clear(value);
    sb_numbers_close(&evidence->counts);
    evidence->counts = sum;
    evidence->cells = ranked ? multiset->arrangements : 0;
    return SB_OK;
}

enum sb_status sb_evidence_arrange(struct sb_evidence *evidence)
{
    if (!arrange_multiset(evidence))
        return SB_OK;
    if (sb_evidence_matrix(evidence) || arrange_matrix(evidence))
        return SB_NO_MEMORY;
    return arrange_counts(evidence);
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
