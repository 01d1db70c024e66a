/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Known vectors: values of a function from published tables, other programs or high-precision arithmetic.
 * They are text in data/vectors, one vector per line:
 *
 *     KIND ARGUMENT... VALUE...
 *
 * A line that starts with # is a comment. Blank lines separate blocks, and each block with vectors has a
 * line "# Source: ..." above them.
 */
#ifndef TESTS_UNIT_VECTORS_H
#define TESTS_UNIT_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { VECTOR_FIELDS_MOST = 16 };

struct vector_field {
    const char *text; /* as in the file */
    double real;
    uint64_t whole;
};

struct vector {
    struct vector_field in[VECTOR_FIELDS_MOST], out[VECTOR_FIELDS_MOST];
    size_t ins, outs;
};

/*
 * A kind of vector, and how a test computes its values. `in` and `out` have a letter for each field: r a real number,
 * n a whole number, x one in hexadecimal; `in` also t for text, and e for a relative error that replaces `relative`
 * for this vector. A + at the end of one of the two repeats its last letter. A value - is unknown and not compared.
 */
struct vector_kind {
    const char *name; /* NULL: the end of a list of kinds */
    const char *in, *out;
    /* a real value may be off by the larger of absolute and relative * |expected| */
    double relative, absolute;
    /* how many vectors the test must compute */
    size_t least;
    /* whether the test computes this one; NULL: it computes all */
    bool (*covers)(const struct vector *vector);
    /* sets `real` or `whole` of each value */
    void (*compute)(const struct vector *vector, struct vector_field got[]);
};

/*
 * Compares each vector of the file data/vectors/NAME; a failure of the cmocka test lists every fault. Faults are a file
 * that cannot be read or has no vectors, a block without its source, a line that no kind describes, too few vectors of
 * a kind, another value than the computed one, and a value that would also agree with each of its digits changed.
 */
void vectors_check(const char *name, const struct vector_kind kinds[]);

#endif
