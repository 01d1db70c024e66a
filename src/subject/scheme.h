/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schemes: a shuffle, its draw and its generator, written SHUFFLE[:P][/DRAW[:W][/RNG]]. */
#ifndef SB_SUBJECT_SCHEME_H
#define SB_SUBJECT_SCHEME_H

#include "draw/draw.h"
#include "exact/law.h"
#include "rng/rng.h"
#include "shuffle/shuffle.h"

enum { SB_SCHEME_ROOM = 192 }; /* bytes for a scheme's name, enough for every name */

struct sb_scheme {
    struct sb_shuffle shuffle;
    struct sb_draw draw;
    struct sb_rng rng;
    char name[SB_SCHEME_ROOM];         /* name of the whole scheme, without `ideal` and `philox` */
    char shuffle_name[SB_SCHEME_ROOM]; /* name of the shuffle with its parameter: "sort-by-key:53" */
    char draw_name[SB_SCHEME_ROOM];    /* name of the draw with its parameter */
};

/*
 * Parses a scheme. `draw` and `rng` are for the parts that the scheme leaves out; NULL stands for "ideal" and
 * "philox". SB_INVALID: an unknown name (the line suggests others), a parameter out of its range, or a draw
 * of more bits than the words have.
 */
enum sb_status sb_scheme_parse(const char *text, const char *draw, const char *rng, struct sb_error *error,
                               struct sb_scheme *scheme);

/* Checks `draw` and `rng`, defaults for schemes that name none; each may be NULL. SB_INVALID. */
enum sb_status sb_scheme_defaults_check(const char *draw, const char *rng, struct sb_error *error);

/* Checks that the scheme can deal `deal` of n items. An exact draw needs at least n different words; a
 * shuffle that draws until an answer is new needs that many possible answers. SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_scheme_check(const struct sb_scheme *scheme, size_t n, size_t deal, struct sb_error *error);

/* Makes the request to the exact engines for a scheme; uses threads, stop and progress of the options.
 * Borrows everything. */
struct sb_law sb_scheme_law(const struct sb_scheme *scheme, const struct sb_shuffler *shuffler,
                            const struct sb_options *options);

#endif
