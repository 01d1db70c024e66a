/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranks that are threads with their own memory, which exchange data only at barriers. */
#ifndef TESTS_UNIT_CREW_THREADS_H
#define TESTS_UNIT_CREW_THREADS_H

#include "core/calls.h"

#include <pthread.h>

/* Where members meet. */
struct house;

struct member {
    struct sb_ranks ranks;
    struct house *house;
    void (*work)(struct member *member);
    pthread_t thread;
};

/* Has all of 2 to 4 ranks do their work, this thread that of the first. */
void ranks_run(unsigned size, void (*first)(struct member *member), void (*others)(struct member *member));

#endif
