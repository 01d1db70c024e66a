/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Evidence with given counts, and exact fractions as text. */
#ifndef TESTS_UNIT_EVIDENCE_COUNTS_H
#define TESTS_UNIT_EVIDENCE_COUNTS_H

#include "core/evidence.h"
#include "core/numbers.h"

#include <gmp.h>

static inline struct sb_evidence open_counts(enum sb_by by, size_t n, size_t deal, const uint64_t count[])
{
    struct sb_evidence evidence;

    assert_int_equal(sb_evidence_open(by, n, deal, &evidence), SB_OK);
    for (size_t i = 0; i < evidence.cells; i++) {
        evidence.counts.u64[i] = count[i];
        evidence.total += count[i];
    }
    sb_mpz_set_u64(evidence.denominator, evidence.total);
    return evidence;
}

static inline void assert_fraction(const mpq_t fraction, const char *expected)
{
    char text[200];

    assert_true(mpz_sizeinbase(mpq_numref(fraction), 10) + mpz_sizeinbase(mpq_denref(fraction), 10) + 3 < sizeof text);
    assert_string_equal(mpq_get_str(text, 10, fraction), expected);
}

#endif
