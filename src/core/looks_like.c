/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frees a description of a known faulty shuffle. */
#include "core/looks_like.h"

#include <stdlib.h>

void sb_looks_like_close(struct sb_looks_like *looks_like)
{
    for (size_t i = 0; i < looks_like->equivalents; i++)
        free(looks_like->equivalent[i]);
    free(looks_like->equivalent);
    free(looks_like->next);
    free(looks_like->scheme);
    *looks_like = (struct sb_looks_like) { .asked = false };
}
