/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the WebAssembly module imports from its host, src/web/shufflebias.mjs, and what the module's files
 * share. */
#ifndef SB_WEB_WEB_H
#define SB_WEB_WEB_H

#include "core/calls.h"

/*
 * The host shuffles n items of 16 bits in place with its own function. The function takes its draws from
 * `draws`; if `draws` is NULL, the function draws its own random numbers.
 */
__attribute__((import_module("host"), import_name("shuffle"))) void
sb_web_host_shuffle(void *items, uint32_t n, struct sb_draws *draws);

/*
 * Makes the host's function of this name the one that sb_web_host_shuffle() calls. Returns false if the host has no
 * function of this name.
 */
__attribute__((import_module("host"), import_name("choose"))) bool sb_web_host_choose(const char *name);

/* The host learns that `done` of `total` shuffles are complete. Returns whether the work should stop. */
__attribute__((import_module("host"), import_name("progress"))) bool sb_web_host_progress(double done,
                                                                                          double total);

/* The flag that ends the work early. */
extern volatile sig_atomic_t sb_web_stop;

/* Tells the host how many shuffles are complete, and raises sb_web_stop if the host wants to stop. */
sb_progress sb_web_progress;

enum sb_web_kind {
    SB_WEB_SIZE,   /* size_t */
    SB_WEB_UINT32, /* uint32_t */
    SB_WEB_UINT64, /* uint64_t */
    SB_WEB_DOUBLE, /* double */
    SB_WEB_BOOL,   /* bool */
    SB_WEB_TEXT,   /* const char *, which lives as long as the JSON */
};

/* An option: its name in the JSON object, and the variable that receives its value. */
struct sb_web_option {
    const char *name;
    enum sb_web_kind kind;
    void *value;
};

struct json_t;

/*
 * Reads a JSON object into the variables of `options`; a variable whose name is missing keeps its value. The
 * caller releases *json with json_decref() when the texts are no longer needed, also after an error. Errors:
 * SB_INVALID for an unknown name, a value of the wrong type or a negative integer; SB_TOO_LARGE for an
 * integer that is too large.
 */
enum sb_status sb_web_options_read(const char *text, const struct sb_web_option options[], size_t count,
                                   struct sb_error *error, struct json_t **json);

#endif
