/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of how far a law is from uniform: the effect sizes, exact and sampled side by side, and the most
 * and least likely deals. */
#include "study/report/page/document.h"

#include "core/text.h"
#include "report/number.h"
#include "report/table.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The effect sizes that are simple numbers. */
static const struct {
    const char *title;
    size_t offset; /* offset of the double in struct sb_effect */
    size_t fair;   /* offset of the same effect for fair shuffles */
    bool ratio;
} effects_line[] = {
    { "Kullback-Leibler divergence, bits", offsetof(struct sb_effect, kl_bits),
      offsetof(struct sb_effect, kl_bits_fair), false },
    { "chi-square per shuffle", offsetof(struct sb_effect, chi2_per_sample),
      offsetof(struct sb_effect, chi2_per_sample_fair), false },
    { "largest ratio", offsetof(struct sb_effect, max_ratio), offsetof(struct sb_effect, max_ratio_fair),
      true },
    { "smallest ratio", offsetof(struct sb_effect, min_ratio), offsetof(struct sb_effect, min_ratio_fair),
      true },
};

/* Adds a total variation that is known up to `error`, with enough digits for rounding to add little to the error. */
static void effects_within(double variation, double error, struct sb_table *table)
{
    const double digits = variation > error ? ceil(log10(variation / error)) + 2 : 0;
    const struct sb_number decimal = sb_number_short(variation, (int)fmin(fmax(digits, 5), 17));
    const double rounding = fabs(sb_decimal_read(decimal.text) - variation);

    sb_table_add(table, SB_INK_PLAIN, "%s, to within %s", decimal.text,
                 sb_number_short_up(error + rounding, 2).text);
}

static void effects_variation(const struct sb_report *report, struct sb_table *table)
{
    const struct sb_effect *const effect = &report->effect;
    const struct sb_number decimal = sb_number_short(effect->total_variation, 5);

    if (report->evidence.by == SB_BY_SAMPLE) {
        sb_table_add(table, SB_INK_PLAIN, "%s", decimal.text);
        return;
    }
    const struct sb_fraction fraction = sb_exact_fraction(effect->total_variation_exact, 20);

    if (effect->total_variation_error > 0)
        effects_within(effect->total_variation, effect->total_variation_error, table);
    else if (fraction.text[0] && !strchr(fraction.text, '/')) /* "0" needs no decimal number */
        sb_table_add(table, SB_INK_PLAIN, "%s", fraction.text);
    else
        sb_table_add(table, SB_INK_PLAIN, "%s%s%s", fraction.text, fraction.text[0] ? " = " : "",
                     decimal.text);
}

static struct sb_number effects_number(const struct sb_report *report, size_t offset, bool ratio)
{
    const double value = *(const double *)((const char *)&report->effect + offset);

    return ratio ? sb_number_ratio(value) : sb_number_short(value, 5);
}

/* Lists deals as "132 213 231 and 4 more"; the caller frees the text. Returns NULL if memory runs out. */
static char *effects_list(const struct sb_evidence *evidence, const size_t rank[], size_t count, size_t total)
{
    char *text = NULL;
    size_t size;
    FILE *const stream = sb_memory_stream_open(&text, &size);

    if (!stream)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const struct sb_notation notation = sb_exact_notation(evidence, rank[i]);

        fprintf(stream, "%s%s", i ? sb_item_separator(evidence->names) : "", sb_document_deal(&notation));
    }
    if (total > count)
        fprintf(stream, " and %s more", sb_number_grouped(total - count).text);
    if (sb_memory_stream_close(stream, &text))
        return text;
    free(text);
    return NULL;
}

/* Names the most or least likely deal of a law whose deals have no ranks, and says how many other deals are
 * equally likely. */
static char *effects_one(const struct sb_evidence *evidence, const sb_item deal[], size_t total)
{
    char text[SB_NOTATION_ROOM], *line = NULL;
    size_t size;
    FILE *const stream = sb_memory_stream_open(&line, &size);

    if (!stream)
        return NULL;
    fputs(sb_item_notation(evidence->names, evidence->n, evidence->deal, deal, text, sizeof text), stream);
    if (total == SIZE_MAX)
        fputs(" and many more", stream);
    else if (total > 1)
        fprintf(stream, " and %s more", sb_number_grouped(total - 1).text);
    if (sb_memory_stream_close(stream, &line))
        return line;
    free(line);
    return NULL;
}

static void effects_extremes(const struct sb_report *report, struct sb_page *page)
{
    const struct sb_effect *const effect = &report->effect;
    const struct sb_evidence *const evidence = &report->evidence;
    char *const most = effect->most_deal
                           ? effects_one(evidence, effect->most_deal, effect->most_total)
                           : effects_list(evidence, effect->most, effect->most_count, effect->most_total);
    char *const least = effect->least_deal
                            ? effects_one(evidence, effect->least_deal, effect->least_total)
                            : effects_list(evidence, effect->least, effect->least_count, effect->least_total);
    const bool uniform = effect->most_deal ? mpq_sgn(effect->total_variation_exact) == 0
                                           : effect->most_total == evidence->cells;

    const bool counted = evidence->by == SB_BY_SAMPLE; /* counts do not show which deals are likely */

    if (!most || !least) {
        page->status = SB_NO_MEMORY;
    } else if (uniform) {
        sb_page_paragraph(page, SB_INK_STRONG,
                          counted ? "All came up equally often." : "All are equally likely.", "%s", "");
    } else {
        sb_page_paragraph(page, SB_INK_STRONG, counted ? "Most frequent:" : "Most likely:", "%s", most);
        page->tight = true;
        sb_page_paragraph(page, SB_INK_STRONG, counted ? "Least frequent:" : "Least likely:", "%s", least);
        page->tight = false;
    }
    free(most);
    free(least);
}

static const char *effects_kind(const struct sb_evidence *evidence)
{
    return evidence->by == SB_BY_EXACT ? sb_exact_word(evidence) : evidence->reach ? "by seeds" : "sampled";
}

/* If an exact law is biased, writes how many shuffles it takes to show the bias. */
static void effects_sight(const struct sb_report *const side[], size_t sides, struct sb_table *table)
{
    if (!(side[0]->effect.shuffles_to_see > 0))
        return;
    sb_table_add(table, SB_INK_PLAIN, "shuffles to see it at alpha = %.12g", side[0]->alpha);
    for (size_t s = 0; s < sides; s++) {
        const double shuffles = ceil(side[s]->effect.shuffles_to_see);

        if (shuffles > 0 && shuffles < 1e15)
            sb_table_add(table, SB_INK_PLAIN, "%s", sb_number_grouped((uint64_t)shuffles).text);
        else
            sb_table_add(table, SB_INK_PLAIN, "%s", shuffles > 0 ? sb_number_short(shuffles, 3).text : "");
    }
}

/* Writes, below a sampled effect, the effect's average for the same number of fair shuffles. */
static void effects_fair(const struct sb_report *const side[], size_t sides, size_t offset, bool ratio,
                         struct sb_table *table)
{
    bool counted = false;

    for (size_t s = 0; s < sides; s++)
        counted = counted || side[s]->evidence.by != SB_BY_EXACT;
    if (!counted)
        return;
    sb_table_add(table, SB_INK_PLAIN, "  what a fair shuffle would show");
    for (size_t s = 0; s < sides; s++)
        sb_table_add(table, SB_INK_PLAIN, "%s",
                     side[s]->evidence.by == SB_BY_EXACT ? "" : effects_number(side[s], offset, ratio).text);
}

/* Writes the titles of the columns, which are exact, sampled or both, and then the rows. */
static void effects_columns(const struct sb_report *const side[], size_t sides, struct sb_table *table)
{
    sb_table_add(table, SB_INK_STRONG, "effect");
    for (size_t s = 0; s < sides; s++)
        sb_table_add(table, SB_INK_STRONG, "%s", effects_kind(&side[s]->evidence));
    sb_table_add(table, SB_INK_PLAIN, "total variation from uniform");
    for (size_t s = 0; s < sides; s++)
        effects_variation(side[s], table);
    effects_fair(side, sides, offsetof(struct sb_effect, total_variation_fair), false, table);
    for (size_t i = 0; i < sizeof effects_line / sizeof effects_line[0]; i++) {
        sb_table_add(table, SB_INK_PLAIN, "%s", effects_line[i].title);
        for (size_t s = 0; s < sides; s++)
            sb_table_add(table, SB_INK_PLAIN, "%s",
                         effects_number(side[s], effects_line[i].offset, effects_line[i].ratio).text);
        effects_fair(side, sides, effects_line[i].fair, effects_line[i].ratio, table);
    }
    effects_sight(side, sides, table);
}

void sb_document_effects(const struct sb_pair *pair, struct sb_page *page)
{
    const struct sb_report *side[2];
    struct sb_table table;
    size_t sides = 0;

    if (pair->exact && pair->exact->has_effect)
        side[sides++] = pair->exact;
    if (pair->sampled && pair->sampled->has_effect)
        side[sides++] = pair->sampled;
    if (sides == 0)
        return;
    sb_table_open(sides == 2 ? "lrr" : "lr", &table);
    effects_columns(side, sides, &table);
    sb_table_print(&table, page);
    sb_table_close(&table);
    const struct sb_evidence *const evidence = &side[0]->evidence;

    /* otherwise the extremes are unknown */
    if (!sb_evidence_partial(evidence) && (evidence->by == SB_BY_EXACT || evidence->total))
        effects_extremes(side[0], page);
}
