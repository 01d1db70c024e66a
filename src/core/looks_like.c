/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frees a description of a known faulty shuffle. */
#include "core/looks_like.h"

#include <stdlib.h>

static void looks_like_free(char **name, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(name[i]);
    free(name);
}

void sb_looks_like_close(struct sb_looks_like *looks_like)
{
    looks_like_free(looks_like->equivalent, looks_like->equivalents);
    looks_like_free(looks_like->other, looks_like->others);
    free(looks_like->order);
    free(looks_like->scheme);
    *looks_like = (struct sb_looks_like) { .asked = false };
}
