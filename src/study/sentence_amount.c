/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of deals, and amounts, as people say them. */
#include "core/text.h"
#include "report/number.h"
#include "study/sentence_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sb_sentence_deals(struct sb_sentence *s, const struct sb_evidence *evidence, const size_t ranks[],
                       size_t count, size_t total)
{
    const size_t shown = total <= SB_SENTENCE_NAMES ? count : 1;
    sb_item *const a = calloc(evidence->deal + 1, sizeof *a);
    char text[SB_NOTATION_ROOM];

    s->lost = s->lost || !a;
    for (size_t i = 0; a && i < shown; i++) {
        const char *const before = i == 0 ? "" : i + 1 == total ? " and " : ", ";

        sb_evidence_unrank(evidence, ranks[i], a);
        sb_sentence_add(s, "%s%s", before,
                        sb_item_notation(evidence->names, evidence->n, evidence->deal, a, text, sizeof text));
    }
    if (shown < total)
        sb_sentence_add(s, " and %zu %s", total - shown, total - shown == 1 ? "other" : "others");
    free(a);
}

/* Writes the excess over the fair share as people say it: "11%", "0.53%". */
static void sentence_percent(double excess, enum sb_sentence_rounding rounding, char text[32])
{
    const double percent = 100 * fabs(excess);
    /* the share of a last digit that is rounded up */
    const double up = rounding == SB_SENTENCE_DOWN ? 0 : 0.5;

    if (percent >= 0.1 - 0.001 * up) {
        const int decimals = percent >= 10 - 0.1 * up ? 0 : percent >= 1 - 0.01 * up ? 1 : 2;
        const struct sb_number number = rounding == SB_SENTENCE_DOWN ? sb_number_fixed_down(percent, decimals)
                                                                     : sb_number_fixed(percent, decimals);

        snprintf(text, 32, "%.30s%%", number.text);
    } else if (rounding == SB_SENTENCE_DOWN) {
        snprintf(text, 32, "%.30s%%", sb_number_short_down(percent, 2).text);
    } else if (percent >= 1e-4) {
        sb_decimal_format(text, 32, "%.2g%%", percent);
    } else {
        snprintf(text, 32, "%.30s%%", sb_number_short(percent, 2).text);
    }
}

/* Writes how many times as often, or as rarely. */
static void sentence_times(double times, enum sb_sentence_rounding rounding, char text[32])
{
    const double unit = pow(10, floor(log10(times)) - 2); /* of the last digit that is written */

    sb_sentence_number(rounding == SB_SENTENCE_DOWN ? floor(times / unit + 1e-6) * unit : times, text);
}

void sb_sentence_amount(struct sb_sentence *s, struct sb_sentence_size near, struct sb_sentence_size far,
                        size_t total, enum sb_sentence_rounding rounding)
{
    const bool often = far.excess > 0;
    const bool times = far.excess >= 1 || (far.excess < -0.9 && near.ratio > 0 && far.ratio > 0);
    char from[32], to[32];

    if (times) {
        sentence_times(often ? near.ratio : 1 / near.ratio, rounding, from);
        sentence_times(often ? far.ratio : 1 / far.ratio, rounding, to);
    } else {
        sentence_percent(near.excess, rounding, from);
        sentence_percent(far.excess, rounding, to);
    }
    sb_sentence_add(s, " %s", from);
    if (strcmp(from, to) != 0)
        sb_sentence_add(s, " to %s", to);
    if (times)
        sb_sentence_add(s, often ? " times as often as %s should" : " times as rarely as %s should",
                        total == 1 ? "it" : "they");
    else
        sb_sentence_add(s, " too %s", often ? "often" : "rarely");
}
