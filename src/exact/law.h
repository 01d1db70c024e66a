/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A request for an exact law: the input of every exact engine. */
#ifndef SB_EXACT_LAW_H
#define SB_EXACT_LAW_H

#include "core/evidence.h"
#include "draw/draw.h"
#include "shuffle/shuffle.h"

struct sb_law {
    const struct sb_shuffler *shuffler;
    /* the draw, whose law gives the weights of the answers; NULL if all answers are equally likely */
    const struct sb_draw *draw;
    uint64_t largest; /* the draw uses words in 0..largest; see sb_draw_largest() */
    /* number of threads; 0: one for each processor. The law does not depend on this number. */
    unsigned threads;
    const volatile sig_atomic_t *stop; /* may be NULL */
    sb_progress *progress;             /* may be NULL */
    void *progress_state;
    const char *subject; /* the name to pass to `progress` */
    bool fractions;      /* whether the law must not be in doubles */
    bool arranged;       /* whether the law will be added up to that of a deck with equal items */
};

static inline bool sb_law_stopped(const struct sb_law *law)
{
    return law->stop && *law->stop;
}

#endif
