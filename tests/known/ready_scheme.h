/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scheme made ready for an exact engine. */
#ifndef SB_TESTS_READY_SCHEME_H
#define SB_TESTS_READY_SCHEME_H

#include "exact/engine.h"
#include "subject/subject.h"

/* A law, and what the law borrows. */
struct ready_scheme {
    struct sb_scheme scheme;
    struct sb_shuffler shuffler;
    struct sb_law law;
};

/* Opens the scheme of this text for n items, of which `deal` are dealt. The caller closes `ready->shuffler`. */
static inline void ready_open(const char *text, size_t n, size_t deal, struct ready_scheme *ready)
{
    assert_int_equal(sb_scheme_parse(text, NULL, NULL, NULL, &ready->scheme), SB_OK);
    assert_int_equal(sb_shuffler_open(ready->scheme.shuffle, n, deal, &ready->shuffler), SB_OK);
    ready->law = (struct sb_law) {
        .shuffler = &ready->shuffler,
        .draw = &ready->scheme.draw,
        .largest = sb_draw_largest(&ready->scheme.draw, ready->scheme.rng.largest),
    };
}

#endif
