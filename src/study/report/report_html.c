/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The format for browsers: one self-contained page. The page of a scheme starts with the verdict, followed by
 * figures and details. A report on all shuffles has a grid of small figures, one per shuffle and all alike
 * ("small multiples"), as in Mike Bostock's "Will It Shuffle?", with the statistics below. The page stays
 * below 500 kB: all matrices together have at most HTML_BLOCKS_MOST blocks, and the page says what it had to
 * leave out.
 */
#include "report/html/html.h"

#include "report/markup.h"
#include "study/figure/figure.h"
#include "study/report/page/document.h"
#include "study/report/report_format.h"
#include "study/report/reproduce.h"

#include <math.h>

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

static void html_verdicts(const struct sb_pair *pair, struct sb_html *html)
{
    fputs("<div class=\"verdict\">\n", html->stream);
    sb_document_verdicts(pair, &html->page);
    fputs("</div>\n", html->stream);
}

static void html_figures(const struct sb_pair *pair, struct sb_html *html)
{
    const struct sb_scene scene = { .pair = *pair, .side = html->side, .brief = html->brief };

    sb_html_figures(&scene, html);
}

/* Writes the details below the figures of one scheme. */
static void html_numbers(const struct sb_pair *pair, struct sb_html *html)
{
    if (sb_pair_best(pair)->evidence.reach)
        sb_document_reach(sb_pair_best(pair), &html->page);
    if (!sb_figure_find("bars", &(struct sb_scene) { .pair = *pair, .side = html->side }))
        /* writes a sentence that says why there are no permutations */
        sb_document_permutations(pair, &html->page);
    if (pair->sampled)
        sb_document_places(pair->sampled, &html->page);
    sb_document_effects(pair, &html->page);
    sb_document_tests(pair->exact, &html->page);
    sb_document_tests(pair->sampled, &html->page);
    sb_document_origin(pair, &html->page);
}

/* Writes one scheme. If `alone` is true, the page is about this scheme only, and has the title, which may be NULL. */
static void html_scheme(const struct sb_pair *pair, bool alone, const char *title, struct sb_html *html)
{
    const struct sb_report *const best = sb_pair_best(pair);

    fputs("<section>\n", html->stream);
    sb_page_title(&html->page, alone ? 1 : 2, "%s, n = %zu", alone && title ? title : best->name,
                  best->evidence.n);
    html_verdicts(pair, html);
    if (best->title)
        sb_page_paragraph(&html->page, SB_INK_STRONG, best->name, "is %s.", best->title);
    html_figures(pair, html);
    html_numbers(pair, html);
    fputs("</section>\n", html->stream);
}

/* Writes the small figures of one shuffle, for a report on all shuffles. The title links to the scheme's
 * details. `index` is the scheme's first report. */
static void html_card(const struct sb_reports *reports, size_t index, const struct sb_pair *pair,
                      struct sb_html *html)
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

/* Writes a sentence such as "Of 33 shuffles 22 are biased." */
static void html_sum(const struct sb_reports *reports, struct sb_html *html)
{
    size_t schemes, biased;

    sb_pairs_count(reports, &schemes, &biased);
    fprintf(html->stream, "<p class=\"verdict\">Of %zu shuffles %zu are biased.</p>\n", schemes, biased);
}

/* Writes the legend of the matrices' colours. */
static void html_steps(FILE *stream)
{
    fputs("<p class=\"steps\">Colours are for what is beyond its interval:", stream);
    sb_figure_matrix_key(stream);
    fputs("</p>\n", stream);
}

/* If `invisible` is true, writes the details of the schemes with an invisible bias; these schemes come last
 * on the page. Otherwise, writes the details of the other biased schemes. */
static void html_details(const struct sb_reports *reports, bool invisible, size_t *numbers,
                         struct sb_html *html)
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

/* Says what a page with too many schemes leaves out. */
static void html_left_out(size_t count, size_t most, const char *what, struct sb_html *html)
{
    if (count > most)
        sb_page_paragraph(&html->page, SB_INK_FAINT, NULL,
                          "There is no room here for the %s of %zu more: a report on fewer has them.", what,
                          count - most);
}

static void html_all(const struct sb_reports *reports, struct sb_html *html)
{
    html_sum(reports, html);
    sb_page_paragraph(&html->page, SB_INK_PLAIN, NULL,
                      "Each shuffle has two pictures; all have one scale. Bars show how often the "
                      "permutations come up, if they can "
                      "be counted: to the right of the fair share's line if too often, and to the left if "
                      "too rarely, by up to 50%%. "
                      "A longer bar ends in a point, and a bar without length is a dot. Squares show where "
                      "each item, from the "
                      "top, ends up, from the left.");
    html_steps(html->stream);
    html->brief = true;
    fputs("<div class=\"many\">\n", html->stream);
    size_t cards = 0, numbers = 0;

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
    sb_html_reproduce_reports(reports, html);
    sb_html_close(html);
}
