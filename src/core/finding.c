/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frees effect sizes, and says how small a p can be. */
#include "core/finding.h"

#include <stdlib.h>

double sb_least_ln_p(const struct sb_least_p *least, double samples)
{
    if (least->ln_share == 0)
        return -INFINITY;
    return fmin(0, least->ln_factor +
                       (least->single ? log(samples) + least->ln_share : samples * least->ln_share));
}

double sb_finding_least(const struct sb_finding *finding, double samples, double alpha)
{
    double smallest = 0, able = 0;

    for (size_t i = 0; i < SB_LEAST_PARTS && (i == 0 || finding->least[i].ln_share != 0); i++) {
        const double ln_p = sb_least_ln_p(&finding->least[i], samples);

        able += ln_p < log(alpha);
        smallest = fmin(smallest, ln_p);
    }
    return fmin(0, smallest + log(fmax(1, able)));
}

void sb_effect_close(struct sb_effect *effect)
{
    mpq_clear(effect->total_variation_exact);
    free(effect->most_deal);
    free(effect->least_deal);
}
