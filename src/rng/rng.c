/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of all generators, and the functions that generators share. A type is either a single generator or a
 * group of several generators. */
#include "rng/rng.h"

#include <stdlib.h>

enum sb_status sb_rng_open(const struct sb_rng *self, uint64_t seed, struct sb_words **words)
{
    const struct sb_rng_type *const type = self->type;
    struct sb_words *const stream = calloc(1, type->size + self->extra);

    if (!stream)
        return SB_NO_MEMORY;
    *stream = (struct sb_words) { .largest = self->largest, .next = type->next };
    if (type->prepare)
        type->prepare(self, stream);
    const enum sb_status status = type->reseed(stream, seed);
    if (status)
        free(stream);
    else
        *words = stream;
    return status;
}

void sb_rng_close(struct sb_words *words)
{
    free(words);
}

enum sb_status sb_rng_reseed_32(struct sb_words *words, uint64_t seed)
{
    ((struct sb_rng_state *)words)->state = (uint32_t)seed;
    return SB_OK;
}

/* Sets *rng to generator m of one type. Returns false if m is beyond the last. */
static bool rng_member(const struct sb_rng_type *type, size_t m, struct sb_rng *rng, const char **title)
{
    *rng = (struct sb_rng) { .type = type, .name = type->name, .largest = type->largest };
    *title = type->title;
    return type->member ? type->member(m, rng, title) : m == 0;
}

bool sb_rng_get(size_t index, struct sb_rng *rng, const char **title)
{
    struct sb_rng found;
    const char *line;

    for (size_t t = 0; t < sb_rng_types_count; t++)
        for (size_t m = 0; rng_member(sb_rng_types[t], m, &found, &line); m++)
            if (index-- == 0) {
                *rng = found;
                *title = line;
                return true;
            }
    return false;
}
