/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schemes: a shuffle, the draw that it uses and the generator behind, written SHUFFLE[:P][/DRAW[:W][/RNG]].
 */
#ifndef SB_SUBJECT_SCHEME_H
#define SB_SUBJECT_SCHEME_H

#include "draw/draw.h"
#include "exact/law.h"
#include "rng/rng.h"
#include "shuffle/shuffle.h"

enum { SB_SCHEME_ROOM = 192 }; /* bytes for a scheme's name, more than any has */

struct sb_scheme {
    struct sb_shuffle shuffle;
    struct sb_draw draw;
    struct sb_rng rng;
    char name[SB_SCHEME_ROOM];         /* as a whole, with `ideal` and `philox` left out */
    char shuffle_name[SB_SCHEME_ROOM]; /* with its parameter: "sort-by-key:53" */
    char draw_name[SB_SCHEME_ROOM];    /* likewise */
};

/*
 * Reads a scheme; draw and rng, for the parts that it leaves out, are NULL for "ideal" and "philox".
 * SB_INVALID: an unknown name (the line suggests others), a parameter out of its range, or a draw of more
 * bits than the words have.
 */
enum sb_status sb_scheme_parse(const char *text, const char *draw, const char *rng, struct sb_error *error,
                               struct sb_scheme *scheme);

/* Whether `draw` and `rng`, each of which may be NULL, can be those of schemes that name none. SB_INVALID. */
enum sb_status sb_scheme_defaults_check(const char *draw, const char *rng, struct sb_error *error);

/* Whether the scheme can deal so many of n items: an exact draw needs at least n different words, and a
 * shuffle that draws until an answer is new needs as many answers that can come. SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_scheme_check(const struct sb_scheme *scheme, size_t n, size_t deal, struct sb_error *error);

/* What is asked of the exact engines for a scheme; uses threads, stop and progress of the options. All is
 * borrowed. */
struct sb_law sb_scheme_law(const struct sb_scheme *scheme, const struct sb_shuffler *shuffler,
                            const struct sb_options *options);

#endif
