/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schemes: a shuffle, its draw and its generator, written SHUFFLE[:P][/DRAW[:W][/RNG]]. */
#ifndef SB_SUBJECT_SCHEME_H
#define SB_SUBJECT_SCHEME_H

#include "draw/draw.h"
#include "exact/engine.h"
#include "rng/rng.h"
#include "shuffle/shuffle.h"

enum { SB_SCHEME_ROOM = 192 }; /* bytes that are enough for any scheme's name */

struct sb_scheme {
    struct sb_shuffle shuffle;
    struct sb_draw draw;
    struct sb_rng rng;
    char name[SB_SCHEME_ROOM]; /* name of the whole scheme; leaves out the defaults `ideal` and `philox` */
    char shuffle_name[SB_SCHEME_ROOM]; /* name of the shuffle with its parameter, such as "sort-by-key:53" */
    char draw_name[SB_SCHEME_ROOM];    /* name of the draw with its parameter */
};

/*
 * Parses a scheme. `draw` and `rng` replace the parts that the scheme leaves out; NULL stands for "ideal" or
 * "philox". Error: SB_INVALID if a name is unknown (the error line suggests other names), a parameter is out
 * of range, or the draw needs more bits than the generator's words have.
 */
enum sb_status sb_scheme_parse(const char *text, const char *draw, const char *rng, struct sb_error *error,
                               struct sb_scheme *scheme);

/* Checks `draw` and `rng`, the defaults for schemes that name no draw or no generator. Each may be NULL.
 * Error: SB_INVALID. */
enum sb_status sb_scheme_defaults_check(const char *draw, const char *rng, struct sb_error *error);

/* Checks that the scheme can deal `deal` of n items. An exact draw requires a generator with at least n
 * different words. A shuffle that draws until an answer is new requires enough possible answers. Errors:
 * SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_scheme_check(const struct sb_scheme *scheme, size_t n, size_t deal, struct sb_error *error);

/* Makes the request with which the exact engines compute the law of a scheme. Uses only these options:
 * threads, stop and progress. The request borrows all pointers. */
struct sb_law sb_scheme_law(const struct sb_scheme *scheme, const struct sb_shuffler *shuffler,
                            const struct sb_options *options);

#endif
