/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A crew of threads, each a member with memory of its own but for what they hand over at barriers. */
#ifndef TESTS_UNIT_CREW_THREADS_H
#define TESTS_UNIT_CREW_THREADS_H

#include "shufflebias.h"

#include <pthread.h>

/* Where members meet. */
struct house;

struct member {
    struct sb_crew crew;
    struct house *house;
    void (*work)(struct member *member);
    pthread_t thread;
};

/* Has all members of a crew of 2..4 do their work, this thread that of the first. */
void crew_run(unsigned size, void (*first)(struct member *member), void (*others)(struct member *member));

#endif
