/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figure `bars` in words, and its data. */
#include "study/figure/figure.h"

#include "report/markup.h"
#include "report/number.h"
#include "report/print.h"
#include "study/report/page/document.h"

void sb_figure_bars_describe(const struct sb_scene *scene, const struct sb_pair *pair, size_t count,
                             FILE *stream)
{
    const struct sb_report *const best = sb_pair_best(pair);
    const char *const what = best->evidence.deal < best->evidence.n ? "deal" : "permutation";
    const bool some = count < best->evidence.cells;

    fprintf(
        stream,
        "A bar for %s %s%s goes from the line of the fair share to the right if it comes up too often, and "
        "to the left if too rarely; a dot means neither.",
        some ? "each of the most and the least frequent" : "each", what, some ? "s" : "");
    if (pair->sampled && pair->sampled->rows_count)
        sb_print(stream, " Whiskers are the %s intervals of the sample, which hold for all together.",
                 sb_number_level(pair->sampled->alpha).text);
    if (best->evidence.by == SB_BY_SAMPLE)
        sb_print(stream, " A bar %s if the fair share lies in its interval at %s, all taken together%s.",
                 sb_scene_observed(scene, best) ? "shows what was observed, and is hatched" : "is grey",
                 sb_number_level(best->alpha).text,
                 sb_scene_observed(scene, best) ? ": the whole shows the bias, this bar by itself does not"
                                                : "");
}

/* Writes a table of a gate's permutations and counts. Unlike a report, a gate has no rows of its own. */
static void bars_counts(const struct sb_evidence *evidence, struct sb_html *html)
{
    sb_figure_data_open("bars", html);
    fputs("<th scope=\"col\">permutation</th><th scope=\"col\">count</th></tr></thead>\n<tbody>\n",
          html->stream);
    for (size_t rank = 0; rank < evidence->cells; rank++) {
        fputs("<tr><th scope=\"row\">", html->stream);
        sb_markup_text(html->stream, sb_exact_notation(evidence, rank).text);
        fprintf(html->stream, "</th><td>%s</td></tr>\n",
                sb_number_grouped(sb_numbers_u64(&evidence->counts, rank)).text);
    }
    sb_figure_data_close(html);
}

void sb_figure_bars_data(const struct sb_scene *scene, struct sb_html *html)
{
    if (scene->gate)
        bars_counts(&scene->pair.sampled->evidence, html);
    else
        sb_document_permutations(&scene->pair, &html->page);
}
