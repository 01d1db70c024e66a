/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that GMP lacks: arrays of integers, conversions and logarithms. */
#define _DEFAULT_SOURCE /* for lgamma_r() */

#include "core/draws.h"
#include "core/evidence.h"

mpz_t *sb_mpz_new(size_t count, size_t bits)
{
    mpz_t *const made = calloc(count + 1, sizeof *made);

    for (size_t i = 0; made && i < count; i++)
        mpz_init2(made[i], bits);
    return made;
}

void sb_mpz_free(mpz_t number[], size_t count)
{
    for (size_t i = 0; number && i < count; i++)
        mpz_clear(number[i]);
    free(number);
}

void sb_mpz_set_u64(mpz_t value, uint64_t narrow)
{
    mpz_import(value, 1, 1, sizeof narrow, 0, 0, &narrow);
}

uint64_t sb_mpz_get_u64(const mpz_t value)
{
    uint64_t low = 0;
    mpz_t rest;

    mpz_init(rest);
    mpz_fdiv_r_2exp(rest, value, 64);
    mpz_export(&low, NULL, 1, sizeof low, 0, 0, rest);
    mpz_clear(rest);
    return low;
}

void sb_mpz_set_wide(mpz_t value, sb_wide narrow)
{
    const uint64_t halves[2] = { sb_wide_low(narrow), sb_wide_high(narrow) };

    mpz_import(value, 2, -1, sizeof halves[0], 0, 0, halves);
}

double sb_mpz_ln_ratio(const mpz_t numerator, const mpz_t denominator)
{
    signed long above, below;
    const double one = mpz_get_d_2exp(&above, numerator), other = mpz_get_d_2exp(&below, denominator);

    return log(one / other) + (double)(above - below) * 0.69314718055994530942;
}

char *sb_mpz_text(const mpz_t number)
{
    char *const text = malloc(mpz_sizeinbase(number, 10) + 2); /* plus a sign and the closing 0 */

    if (text)
        mpz_get_str(text, 10, number);
    return text;
}

char *sb_mpq_text(const mpq_t fraction)
{
    char *const text = malloc(mpz_sizeinbase(mpq_numref(fraction), 10) + mpz_sizeinbase(mpq_denref(fraction), 10) + 3);

    if (text)
        mpq_get_str(text, 10, fraction);
    return text;
}

/* Allocates and frees lists of numbers in several forms, and reads their integers. */

enum sb_status sb_numbers_open(enum sb_number_form form, size_t size, struct sb_numbers *numbers)
{
    struct sb_numbers made = { .form = form, .size = size };
    bool had = true;

    switch (form) {
    case SB_NUMBERS_NONE:
        break;
    case SB_NUMBERS_U32:
        had = (made.u32 = calloc(size + 1, sizeof *made.u32));
        break;
    case SB_NUMBERS_U64:
        had = (made.u64 = calloc(size + 1, sizeof *made.u64));
        break;
    case SB_NUMBERS_WIDE:
        had = (made.wide = sb_mpz_new(size, 64));
        break;
    case SB_NUMBERS_SHARE:
        had = (made.share = calloc(size + 1, sizeof *made.share));
        break;
    }
    if (had)
        *numbers = made;
    return had ? SB_OK : SB_NO_MEMORY;
}

void sb_numbers_close(struct sb_numbers *numbers)
{
    switch (numbers->form) {
    case SB_NUMBERS_NONE:
        break;
    case SB_NUMBERS_U32:
        free(numbers->u32);
        break;
    case SB_NUMBERS_U64:
        free(numbers->u64);
        break;
    case SB_NUMBERS_WIDE:
        sb_mpz_free(numbers->wide, numbers->size);
        break;
    case SB_NUMBERS_SHARE:
        free(numbers->share);
        break;
    }
    *numbers = (struct sb_numbers) { .form = SB_NUMBERS_NONE };
}

void sb_numbers_integer(const struct sb_numbers *numbers, size_t i, mpz_t value)
{
    if (numbers->form == SB_NUMBERS_WIDE)
        mpz_set(value, numbers->wide[i]);
    else
        sb_mpz_set_u64(value, sb_numbers_u64(numbers, i));
}

/* Turns random words into bits, or into integers below a bound without bias. */

unsigned sb_words_width(uint64_t largest)
{
    return largest == UINT64_MAX ? 64 : 63 - (unsigned)__builtin_clzll(largest + 1);
}

static uint64_t words_whole(struct sb_words *words, unsigned width)
{
    const uint64_t mask = sb_words_mask(width);
    uint64_t word = sb_words_next(words);
    uint32_t rejected = 0;

    while (word > mask) {
        if (!sb_words_reject(words, &rejected))
            return 0;
        word = sb_words_next(words);
    }
    return word;
}

uint64_t sb_words_bits(struct sb_words *words, unsigned width)
{
    const unsigned whole = sb_words_width(words->largest);
    uint64_t bits = 0;

    for (; width > whole; width -= whole) /* in this loop whole < 64, so the shift is defined */
        bits = bits << (whole & 63) | words_whole(words, whole);
    return bits << (width & 63) |
           /* if width is 64, `bits` is 0, so shifting it by 0 instead of 64 makes no difference */
           words_whole(words, whole) >> (whole - width);
}

uint64_t sb_words_below(struct sb_words *words, uint64_t bound)
{
    /* floor((largest + 1) / bound), without the overflow of largest + 1 */
    const uint64_t share = words->largest / bound + (words->largest % bound == bound - 1);
    uint64_t place;
    uint32_t rejected = 0;

    if (share == 0) /* the bound is 1 and there are 2^64 words */
        return 0;
    do
        place = sb_words_next(words) / share;
    while (place >= bound && sb_words_reject(words, &rejected));
    return place < bound ? place : 0;
}

/* Merges unlikely cells with their neighbours. Cost: an exponential per cell, and a logarithm per merged
 * cell. */

/* A probability that is below `least` by at most this relative difference counts as `least`. */
static const double merge_rounding = 1e-9;

size_t sb_merge_cells(const double ln_p[], size_t cells, double least, uint32_t map[], double merged[])
{
    size_t count = 0;
    struct sb_sum p = { 0 }; /* probability of the merged cell under construction */

    for (size_t cell = 0; cell < cells; cell++) {
        sb_sum_add(&p, sb_exp(ln_p[cell]));
        map[cell] = (uint32_t)count;
        if (sb_sum_value(&p) < least * (1 - merge_rounding) && (cell + 1 < cells || count > 0))
            continue;
        merged[count++] = log(sb_sum_value(&p));
        p = (struct sb_sum) { 0 };
    }
    for (size_t cell = cells;
         /* the last cells are too unlikely for a merged cell of their own */
         cell-- > 0 && map[cell] == count;)
        map[cell] = (uint32_t)count - 1;
    if (sb_sum_value(&p) > 0)
        merged[count - 1] = log(exp(merged[count - 1]) + sb_sum_value(&p));
    return count;
}

double sb_ln_gamma(double x)
{
    int sign;

    return lgamma_r(x, &sign);
}

double sb_ln_choose(double n, double k)
{
    return k > n ? -HUGE_VAL : sb_ln_gamma(n + 1) - sb_ln_gamma(k + 1) - sb_ln_gamma(n - k + 1);
}

/* Adds probabilities over one denominator. Cost: one addition for each probability, and a pass over all
 * counts when the denominator grows. */

bool sb_exact_add(struct sb_evidence *evidence, size_t rank, uint64_t num, uint64_t den)
{
    const uint64_t old = evidence->total;

    if (old == 0 || old % den != 0) {
        const uint64_t factor = old ? den / sb_gcd(old, den) : den;

        if (__builtin_mul_overflow(old ? old : 1, factor, &evidence->total)) {
            evidence->total = old;
            return false;
        }
        for (size_t i = 0; i < evidence->cells; i++)
            evidence->counts.u64[i] *= factor; /* no overflow: a count <= the denominator < 2^64 */
    }
    evidence->counts.u64[rank] += num * (evidence->total / den);
    return true;
}

enum sb_status sb_exact_widen(struct sb_evidence *evidence)
{
    struct sb_numbers wide;

    if (sb_numbers_open(SB_NUMBERS_WIDE, evidence->cells, &wide))
        return SB_NO_MEMORY;
    for (size_t i = 0; i < evidence->cells; i++)
        sb_mpz_set_u64(wide.wide[i], evidence->counts.u64[i]);
    sb_mpz_set_u64(evidence->denominator, evidence->total ? evidence->total : 1);
    sb_numbers_close(&evidence->counts);
    evidence->counts = wide;
    evidence->total = 0;
    return SB_OK;
}

void sb_exact_add_wide(struct sb_evidence *evidence, size_t rank, const mpz_t num, const mpz_t den)
{
    mpz_t factor;

    mpz_init(factor);
    if (!mpz_divisible_p(evidence->denominator, den)) {
        mpz_gcd(factor, evidence->denominator, den);
        mpz_divexact(factor, den, factor);
        mpz_mul(evidence->denominator, evidence->denominator, factor);
        for (size_t i = 0; i < evidence->cells; i++)
            mpz_mul(evidence->counts.wide[i], evidence->counts.wide[i], factor);
    }
    mpz_divexact(factor, evidence->denominator, den);
    mpz_addmul(evidence->counts.wide[rank], factor, num);
    mpz_clear(factor);
}

void sb_exact_clear(struct sb_evidence *evidence)
{
    for (size_t i = 0; i < evidence->cells; i++)
        if (evidence->counts.form == SB_NUMBERS_WIDE)
            mpz_set_ui(evidence->counts.wide[i], 0);
        else
            evidence->counts.u64[i] = 0;
    evidence->total = 0;
    mpz_set_ui(evidence->denominator, 1);
}

bool sb_exact_finish(struct sb_evidence *evidence)
{
    uint64_t narrow = 0;
    mpz_t sum;

    if (evidence->counts.form != SB_NUMBERS_WIDE) {
        for (size_t i = 0; i < evidence->cells; i++)
            narrow += evidence->counts.u64[i];
        sb_mpz_set_u64(evidence->denominator, evidence->total);
        return narrow == evidence->total;
    }
    mpz_init(sum);
    for (size_t i = 0; i < evidence->cells; i++)
        mpz_add(sum, sum, evidence->counts.wide[i]);
    const bool whole = mpz_cmp(sum, evidence->denominator) == 0;
    mpz_clear(sum);
    return whole;
}

enum sb_status sb_exact_narrow(struct sb_evidence *evidence)
{
    struct sb_numbers narrow;

    if (mpz_sizeinbase(evidence->denominator, 2) > 64)
        return SB_OK;
    if (sb_numbers_open(SB_NUMBERS_U64, evidence->cells, &narrow))
        return SB_NO_MEMORY;
    for (size_t rank = 0; rank < evidence->cells; rank++)
        narrow.u64[rank] = sb_mpz_get_u64(evidence->counts.wide[rank]);
    sb_numbers_close(&evidence->counts);
    evidence->counts = narrow;
    evidence->total = sb_mpz_get_u64(evidence->denominator);
    return SB_OK;
}

/* Brings 64-bit counts and their denominator to lowest terms; returns the sum of the counts. */
static uint64_t exact_lower(struct sb_evidence *evidence)
{
    uint64_t divisor = evidence->total ? evidence->total : 1, sum = 0;

    for (size_t i = 0; i < evidence->cells && divisor > 1; i++)
        divisor = sb_gcd(divisor, evidence->counts.u64[i]);
    for (size_t i = 0; i < evidence->cells; i++)
        sum += evidence->counts.u64[i] /= divisor;
    evidence->total = evidence->total ? evidence->total / divisor : 1;
    return sum;
}

/* Brings GMP counts and their denominator to lowest terms, and sets `sum` to the sum of the counts. */
static void exact_lower_wide(struct sb_evidence *evidence, mpz_t sum)
{
    mpz_t divisor;

    mpz_init_set(divisor, evidence->denominator);
    for (size_t i = 0; i < evidence->cells; i++)
        mpz_gcd(divisor, divisor, evidence->counts.wide[i]);
    for (size_t i = 0; i < evidence->cells; i++) {
        mpz_divexact(evidence->counts.wide[i], evidence->counts.wide[i], divisor);
        mpz_add(sum, sum, evidence->counts.wide[i]);
    }
    mpz_divexact(evidence->denominator, evidence->denominator, divisor);
    mpz_clear(divisor);
}

void sb_exact_settle(struct sb_evidence *evidence, mpq_t missing)
{
    mpz_t sum;

    mpz_init(sum);
    if (evidence->counts.form == SB_NUMBERS_WIDE) {
        exact_lower_wide(evidence, sum);
    } else {
        sb_mpz_set_u64(sum, exact_lower(evidence));
        sb_mpz_set_u64(evidence->denominator, evidence->total);
    }
    mpz_sub(mpq_numref(missing), evidence->denominator, sum);
    mpz_set(mpq_denref(missing), evidence->denominator);
    mpq_canonicalize(missing);
    mpz_clear(sum);
}

struct sb_tally sb_tally_member(const struct sb_tally *tally, size_t member)
{
    struct sb_tally one = *tally;

    one.members = 1;
    one.count += member * tally->cells;
    one.small = NULL;
    one.ln_p = tally->separate ? tally->ln_p + member * tally->cells : tally->ln_p;
    one.separate = false;
    return one;
}
