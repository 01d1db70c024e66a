/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frees effect sizes. */
#include "core/finding.h"

#include <stdlib.h>

void sb_effect_close(struct sb_effect *effect)
{
    mpq_clear(effect->total_variation_exact);
    free(effect->most_deal);
    free(effect->least_deal);
}
