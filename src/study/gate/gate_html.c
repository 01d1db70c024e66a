/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gate's findings as a page for browsers: the verdict, the curve and the other figures, and the
 * details. */
#include "study/gate/gate_text.h"

#include "report/html/html.h"
#include "study/figure/figure.h"
#include "study/report/reproduce.h"

enum {
    GATE_SIDE = 60,       /* blocks per side of the matrix if there is one subject */
    GATE_SIDE_SUITE = 10, /* blocks per side of each matrix if there are several subjects */
};

static void gate_figures(const struct sb_gate *gate, struct sb_html *html)
{
    const struct sb_report report = sb_gate_report(gate);
    const struct sb_scene scene = {
        .pair.sampled = &report,
        .gate = gate,
        .side = html->side,
        .brief = html->brief,
    };

    sb_html_figures(&scene, html);
}

static void gate_single(const struct sb_gate *gate, struct sb_html *html)
{
    html->side = GATE_SIDE;
    sb_page_title(&html->page, 1, "Is it fair? %s", sb_gate_title(gate));
    fputs("<div class=\"verdict\">\n", html->stream);
    sb_gate_sentence(gate, &html->page);
    fputs("</div>\n", html->stream);
    gate_figures(gate, html);
    sb_gate_detail(gate, &html->page);
    sb_html_reproduce_gate(gate, html);
}

static void gate_several(const struct sb_suite *suite, struct sb_html *html)
{
    html->side = GATE_SIDE_SUITE;
    html->brief = true;
    sb_page_title(&html->page, 1, "Are they fair?");
    sb_suite_page(suite, &html->page);
    fputs("<div class=\"many\">\n", html->stream);
    for (size_t i = 0; i < suite->count && !ferror(html->stream); i++) {
        if (!suite->item[i].gate)
            continue;
        fputs("<article>\n", html->stream);
        sb_page_anchor(&html->page, SB_SUITE_FIGURES, i);
        sb_page_title(&html->page, 2, "%s", suite->item[i].name);
        gate_figures(suite->item[i].gate, html);
        fputs("</article>\n", html->stream);
    }
    fputs("</div>\n", html->stream);
}

void sb_suite_html(const void *result, struct sb_html *html)
{
    const struct sb_suite *const suite = result;

    sb_html_open("shufflebias gate", html->stream, html);
    if (suite->count == 1 && suite->item[0].gate)
        gate_single(suite->item[0].gate, html);
    else
        gate_several(suite, html);
    sb_html_close(html);
}
