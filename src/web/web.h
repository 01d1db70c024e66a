/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the WebAssembly module imports from its host, src/web/shufflebias.mjs, and what the module's files
 * share. */
#ifndef SB_WEB_WEB_H
#define SB_WEB_WEB_H

#include "study/results.h"

/*
 * The host shuffles n items of 16 bits in place with its own function. The function takes its draws from
 * `draws`; if `draws` is NULL, the function draws its own random numbers.
 */
__attribute__((import_module("host"), import_name("shuffle"))) void sb_web_host_shuffle(void *items, size_t n,
                                                                                        struct sb_draws *draws);

/*
 * Makes the host's function of this name the one that sb_web_host_shuffle() calls. Returns false if the host has no
 * function of this name. The name must stay where it is, because the host knows it by its address.
 */
__attribute__((import_module("host"), import_name("choose"))) bool sb_web_host_choose(const char *name);

/* The host learns that `done` of `total` shuffles are complete. Returns whether the work should stop. */
__attribute__((import_module("host"), import_name("progress"))) bool sb_web_host_progress(double done, double total);

/* Functions of the host under test: one that draws its own random numbers, and one that takes its draws from the
 * library. The state is the name of the function; NULL: the host has chosen the function. */
sb_own_shuffle sb_web_own_shuffle;
sb_drawn_shuffle sb_web_drawn_shuffle;

#endif
