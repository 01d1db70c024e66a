/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format for browsers: one self-contained page. The page of a scheme has the verdict, figures and details; a
 * report on all shuffles has a grid of small figures, all alike ("small multiples"), as in Mike Bostock's "Will It
 * Shuffle?", and the statistics below. The page stays below 500 kB: all matrices together have at most
 * HTML_BLOCKS_MOST blocks, and the page says what it had to leave out. */
#include "study/figure/figure.h"
#include "study/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void html_figures(const struct sb_pair *pair, struct sb_html *html)
{
    const struct sb_scene scene = { .pair = *pair, .side = html->side, .brief = html->brief };

    sb_html_figures(&scene, html);
}

enum {
    /* the most blocks of all matrices together; a single matrix has 60 blocks in each direction */
    HTML_BLOCKS_MOST = 3600,
    HTML_BLOCKS_SCHEME = 60, /* the details of a scheme take the space of this many blocks */
    HTML_SIDE_COARSE = 48,   /* side of a matrix whose blocks have several cells and so need longer labels */
    HTML_SIDE_LEAST = 6,
    HTML_CARDS_MOST = 32, /* the largest number of shuffles with small figures */
    /* the most schemes that are shown in full; if there are more schemes, all schemes have small figures */
    HTML_WHOLE_MOST = 6,
};

static size_t html_schemes(const struct sb_reports *reports)
{
    size_t schemes, biased;

    sb_pairs_count(reports, &schemes, &biased);
    return schemes;
}

static size_t html_side(const struct sb_reports *reports)
{
    const double schemes = (double)html_schemes(reports);
    const double blocks = HTML_BLOCKS_MOST / fmax(schemes, 1) - HTML_BLOCKS_SCHEME * (schemes > 1);
    const size_t side = (size_t)sqrt(fmax(blocks, HTML_SIDE_LEAST * HTML_SIDE_LEAST));

    return side < reports->n && side > HTML_SIDE_COARSE ? HTML_SIDE_COARSE : side;
}

static void html_numbers(const struct sb_pair *pair, struct sb_html *html)
{
    const struct sb_scene scene = { .pair = *pair, .side = html->side };

    /* without bars, a sentence says why there are no permutations */
    sb_document_numbers(pair, true, !sb_figure_find("bars", &scene), &html->page);
}

/* Writes one scheme. If `alone` is true, the page is about this scheme only, and has the title, which may be NULL. */
static void html_scheme(const struct sb_pair *pair, bool alone, const char *title, struct sb_html *html)
{
    const struct sb_report *const best = sb_pair_best(pair);

    fputs("<section>\n", html->stream);
    sb_page_title(&html->page, alone ? 1 : 2, "%s, n = %zu", alone && title ? title : best->name, best->evidence.n);
    fputs("<div class=\"verdict\">\n", html->stream);
    sb_document_verdicts(pair, &html->page);
    fputs("</div>\n", html->stream);
    if (best->title)
        sb_page_paragraph(&html->page, SB_INK_STRONG, best->name, "is %s.", best->title);
    html_figures(pair, html);
    html_numbers(pair, html);
    fputs("</section>\n", html->stream);
}

static void html_card(const struct sb_reports *reports, size_t index, const struct sb_pair *pair, struct sb_html *html)
{
    const struct sb_report *const best = sb_pair_best(pair);
    const char *const verdict = sb_pair_verdict(pair, best);

    const bool detailed = sb_document_detailed(reports, index);

    fputs("<article>\n<h2>", html->stream);
    if (detailed)
        fprintf(html->stream, "<a href=\"#%s-%zu\">", SB_DOCUMENT_ANCHOR, index);
    sb_markup_text(html->stream, best->name);
    fputs(detailed ? "</a></h2>\n" : "</h2>\n", html->stream);
    sb_page_paragraph(&html->page, sb_document_ink(verdict), verdict, "%s", "");
    html_figures(pair, html);
    fputs("</article>\n", html->stream);
}

/* If `invisible` is true, writes the details of the schemes with an invisible bias; these schemes come last
 * on the page. Otherwise, writes the details of the other biased schemes. */
static void html_details(const struct sb_reports *reports, bool invisible, size_t *numbers, struct sb_html *html)
{
    for (size_t i = 0, next; i < reports->count && !ferror(html->stream); i = next) {
        struct sb_pair pair;

        next = sb_pair_next(reports, i, &pair);
        if ((!sb_report_biased(pair.exact) && !sb_report_biased(pair.sampled)) ||
            sb_pair_invisible(&pair) != invisible || (*numbers)++ >= SB_DOCUMENT_DETAILS_MOST)
            continue;
        sb_page_anchor(&html->page, SB_DOCUMENT_ANCHOR, i);
        sb_document_title(&pair, &html->page);
        sb_document_verdicts(&pair, &html->page);
        html_numbers(&pair, html);
    }
}

static void html_left_out(size_t count, size_t most, const char *what, struct sb_html *html)
{
    if (count > most)
        sb_page_paragraph(&html->page, SB_INK_FAINT, NULL,
                          "There is no room here for the %s of %zu more: a report on fewer has them.", what,
                          count - most);
}

static void html_all(const struct sb_reports *reports, struct sb_html *html)
{
    size_t schemes, biased, cards = 0, numbers = 0;

    sb_pairs_count(reports, &schemes, &biased);
    fprintf(html->stream, "<p class=\"verdict\">Of %zu shuffles %zu are biased.</p>\n", schemes, biased);
    sb_page_paragraph(
        &html->page, SB_INK_PLAIN, NULL,
        "Each shuffle has two pictures; all have one scale. Bars show how often the permutations come up, if "
        "they can be counted: to the right of the fair share's line if too often, and to the left if too "
        "rarely, by up to 50%%. A longer bar ends in a point, and a bar without length is a dot. Squares "
        "show where each item, from the top, ends up, from the left.");
    fputs("<p class=\"steps\">Colours are for what is beyond its interval:", html->stream);
    sb_figure_matrix_key(html->stream);
    fputs("</p>\n", html->stream);
    html->brief = true;
    fputs("<div class=\"many\">\n", html->stream);
    for (size_t i = 0, next; i < reports->count && !ferror(html->stream); i = next, cards++) {
        struct sb_pair pair;

        next = sb_pair_next(reports, i, &pair);
        if (cards < HTML_CARDS_MOST)
            html_card(reports, i, &pair, html);
    }
    fputs("</div>\n", html->stream);
    html_left_out(cards, HTML_CARDS_MOST, "pictures", html);
    sb_document_table(reports, &html->page);
    html_details(reports, false, &numbers, html);
    html_details(reports, true, &numbers, html);
    html_left_out(numbers, SB_DOCUMENT_DETAILS_MOST, "numbers", html);
}

void sb_reports_html(const void *result, struct sb_html *html)
{
    const struct sb_reports *const reports = result;
    const size_t schemes = html_schemes(reports);

    sb_html_open(reports->title                        ? reports->title
                 : reports->all || reports->count == 0 ? "Bias report"
                                                       : reports->report[0].name,
                 html->stream, html);
    html->side = html_side(reports);
    if (schemes != 1)
        sb_document_head(reports, &html->page);
    const bool many = reports->all || schemes > HTML_WHOLE_MOST;

    if (many)
        html_all(reports, html);
    for (size_t i = 0; !many && i < reports->count && !ferror(html->stream);) {
        struct sb_pair pair;

        i = sb_pair_next(reports, i, &pair);
        html_scheme(&pair, schemes == 1, reports->title, html);
    }
    sb_reproduce_html(reports->command, html);
    sb_html_close(html);
}
