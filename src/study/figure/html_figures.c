/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures on a page. Each figure has a description and a collapsed table of its data. Cost: O(cells). */
#include "study/figure/figure.h"

#include "report/prose.h"
#include "study/explain/explanation.h"

#include <stdlib.h>

void sb_figure_data_open(const char *figure, struct sb_html *html)
{
    fprintf(html->stream,
            "<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"table\"><table "
            "class=\"%s-data\">\n<thead><tr>",
            figure);
}

void sb_figure_data_close(struct sb_html *html)
{
    fputs("</tbody></table></div>\n", html->stream);
}

/* Writes how to read the figure and, on a screen only, what a reader can do with it. */
static void html_caption(const struct sb_figure_type *figure, const struct sb_scene *scene,
                         struct sb_html *html)
{
    char *const text = sb_figure_description(figure, scene);

    if (!text) {
        html->page.status = SB_NO_MEMORY;
        return;
    }
    fputs("<figcaption>", html->stream);
    sb_prose(text, &html->page.explained, html->stream);
    if (figure->hint)
        fprintf(html->stream, "<span class=\"screen\"> %s</span>", figure->hint);
    fputs("</figcaption>\n", html->stream);
    free(text);
}

void sb_html_figure(const struct sb_figure_type *figure, const struct sb_scene *scene, struct sb_html *html)
{
    fprintf(html->stream, "<figure class=\"of-%s\">\n", figure->name);
    sb_figure_write(figure, scene, 0, 0, &html->svg);
    if (!html->brief) {
        html_caption(figure, scene, html);
    }
    fprintf(html->stream, "<details><summary>Data%s</summary>\n", html->brief ? "" : " of this figure");
    figure->data(scene, html);
    fputs("</details>\n</figure>\n", html->stream);
}

/* Returns whether the page has room for the scheme's tree. If not, writes a sentence about this. */
static bool figures_room(const struct sb_explain *tree, struct sb_html *html)
{
    if (tree->paths_count > html->paths) {
        sb_page_paragraph(
            &html->page, SB_INK_FAINT, "Its tree of draws",
            "does not fit on a page of so many schemes: a report on this scheme alone shows it.");
        return false;
    }
    html->paths -= tree->paths_count;
    return true;
}

void sb_html_figures(const struct sb_scene *scene, struct sb_html *html)
{
    fputs("<div class=\"figures\">\n", html->stream);
    for (size_t i = 0; i < sb_figure_types_count; i++) {
        const struct sb_figure_type *const figure = sb_figure_types[i];

        if (!figure->has(scene) || (html->brief && figure->single))
            continue;
        if (figure != &sb_figure_tree || figures_room(scene->pair.exact->tree, html))
            sb_html_figure(figure, scene, html);
    }
    fputs("</div>\n", html->stream);
}
