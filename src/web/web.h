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
__attribute__((import_module("host"), import_name("shuffle"))) void sb_web_host_shuffle(void *items, uint32_t n,
                                                                                        struct sb_draws *draws);

/*
 * Makes the host's function of this name the one that sb_web_host_shuffle() calls. Returns false if the host has no
 * function of this name.
 */
__attribute__((import_module("host"), import_name("choose"))) bool sb_web_host_choose(const char *name);

/* The host learns that `done` of `total` shuffles are complete. Returns whether the work should stop. */
__attribute__((import_module("host"), import_name("progress"))) bool sb_web_host_progress(double done, double total);

/* The flag that ends the work early. */
extern volatile sig_atomic_t sb_web_stop;

/* Tells the host how many shuffles are complete, and raises sb_web_stop if the host wants to stop. */
sb_progress sb_web_progress;

#endif
