/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The format for browsers: one self-contained page. The page of a scheme has the verdict, figures and details; a
 * report on all shuffles has a grid of small figures, all alike ("small multiples"), as in Mike Bostock's "Will It
 * Shuffle?", and the statistics below. The page stays below 500 kB: all matrices together have at most
 * HTML_BLOCKS_MOST blocks, and the page says what it had to leave out. */
#include "statistic/statistic.h"
#include "study/figure/figure.h"
#include "study/gate/gate_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void html_figures(const struct sb_pair *pair, struct sb_html *html)
{
    const struct sb_scene scene = { .pair = *pair, .side = html->side, .brief = html->brief };

    sb_html_figures(&scene, html);
}

static void reproduce_quoted(struct sb_sentence *s, const char *text)
{
    for (; *text; text++)
        sb_sentence_add(s, *text == '\'' ? "'\\''" : "%c", *text);
}

/* Commas separate the names, because the page may break lines at blanks. */
static void reproduce_names(struct sb_sentence *s, const struct sb_item_names *names, const char *title)
{
    if (sb_item_names_given(names)) {
        for (size_t i = 0; i < names->n; i++) {
            sb_sentence_add(s, i ? "," : " --cards '");
            reproduce_quoted(s, names->given[i]);
        }
        sb_sentence_add(s, "'");
    }
    if (title) {
        sb_sentence_add(s, " --title '");
        reproduce_quoted(s, title);
        sb_sentence_add(s, "'");
    }
}

static void reproduce_integer(struct sb_sentence *s, const char *option, bool given, uint64_t value)
{
    if (given)
        sb_sentence_add(s, " %s %" PRIu64, option, value);
}

static void reproduce_flag(struct sb_sentence *s, const char *flag, bool given)
{
    if (given)
        sb_sentence_add(s, " %s", flag);
}

static void reproduce_word(struct sb_sentence *s, const char *option, const char *word)
{
    if (word)
        sb_sentence_add(s, " %s %s", option, word);
}

static void reproduce_evidence(const struct sb_reports *reports, unsigned kinds, struct sb_sentence *s)
{
    const struct sb_report *const first = &reports->report[0];
    const struct sb_reach *reach = NULL;
    const bool recorded = first->evidence.recorded;
    uint64_t samples = 0;
    bool increments = false;

    for (size_t i = 0; i < reports->count; i++) {
        const struct sb_evidence *const evidence = &reports->report[i].evidence;

        reach = reach ? reach : evidence->reach;
        if (!(evidence->by & kinds))
            continue;
        if (evidence->by == SB_BY_SAMPLE && evidence->total > samples)
            samples = evidence->total;
        for (size_t k = 0; k < reports->report[i].findings_count; k++)
            increments = increments || reports->report[i].findings[k].increments;
    }
    if (kinds & SB_BY_SEEDS && reach)
        sb_sentence_add(s, " --by seeds --seeds %" PRIu64 "..%" PRIu64, reach->first, reach->last);
    reproduce_flag(s, "--by exact", kinds == SB_BY_EXACT);
    reproduce_flag(s, "--by sample", kinds == SB_BY_SAMPLE && first->shuffle);
    reproduce_integer(s, "--samples", samples && !recorded, samples);
    reproduce_integer(s, "--seed", kinds & SB_BY_SAMPLE && first->shuffle, reports->seed);
    reproduce_flag(s, "--increments", increments);
    if ((kinds & SB_BY_SAMPLE || increments) && !recorded) {
        reproduce_word(s, "--statistics",
                       reports->statistics && !reports->statistics[0] ? "none" : reports->statistics);
        reproduce_word(s, "--profile", reports->profile);
    }
    if (first->alpha < 0.001 || first->alpha > 0.001)
        sb_sentence_add(s, " --alpha %.12g", first->alpha);
}

/* Returns whether the report is a proof: an exact law that is not that of a scheme. */
static bool reproduce_proof(const struct sb_report *report)
{
    return !report->shuffle && report->evidence.by == SB_BY_EXACT && !report->evidence.recorded;
}

static void reproduce_prove(const struct sb_reports *reports, struct sb_sentence *s)
{
    const struct sb_proof_terms *const proof = &reports->proof;

    sb_sentence_add(s, "shufflebias prove -n %zu", reports->n);
    reproduce_integer(s, "--cells", proof->cells, proof->cells);
    reproduce_integer(s, "--max-draws", proof->draws, proof->draws);
    reproduce_integer(s, "--max-paths", proof->paths, proof->paths);
    sb_sentence_add(s, " --format html --");
}

static void reproduce_reports(const struct sb_reports *reports, unsigned kinds, struct sb_sentence *s)
{
    const struct sb_report *const first = &reports->report[0];
    const bool deals = reports->deal < reports->n;

    if (first->evidence.part[0]) {
        sb_sentence_add(s, "shufflebias report FILE --format html");
        return;
    }
    if (reproduce_proof(first)) {
        reproduce_prove(reports, s);
        return;
    }
    sb_sentence_add(s, "shufflebias report");
    for (size_t i = 0; first->shuffle && !reports->all && i < reports->count;) {
        struct sb_pair pair;

        i = sb_pair_next(reports, i, &pair);
        if (sb_pair_best(&pair)->evidence.by & kinds)
            sb_sentence_add(s, " %s", sb_pair_best(&pair)->name);
    }
    reproduce_integer(s, "-n", first->shuffle || (deals && !first->evidence.recorded), reports->n);
    reproduce_names(s, reports->titled ? NULL : first->names, NULL);
    reproduce_integer(s, "--deal", deals, reports->deal);
    reproduce_flag(s, "--chained", reports->chained);
    reproduce_flag(s, "--ordered", reports->ordered);
    reproduce_evidence(reports, kinds, s);
    reproduce_names(s, NULL, reports->title);
    sb_sentence_add(s, " --format html%s", first->evidence.recorded ? " --matrix" : "");
}

static void reproduce_reports_note(const struct sb_report *first, FILE *stream)
{
    if (first->evidence.part[0]) {
        fprintf(stream, "<p>The file is the one that has %s of the run.</p>\n", first->evidence.part);
        return;
    }
    if (first->shuffle)
        return;
    fprintf(stream, "<p>What was %s: <code>", reproduce_proof(first) ? "proved" : "read");
    sb_markup_text(stream, first->name);
    fprintf(stream, "</code>, which goes behind it. It is the same page where that gives the same %s.</p>\n",
            reproduce_proof(first) ? "answers" : "permutations");
}

static const char *reproduce_profile(const struct sb_gate *gate)
{
    const char *profile = NULL;

    for (size_t i = 0; i < gate->lines_count && !profile; i++) {
        const struct sb_statistic_type *const type = sb_statistic_find(gate->line[i].statistic);

        profile = type ? type->profile : NULL;
    }
    return profile;
}

static void reproduce_subject(const struct sb_gate *gate, struct sb_sentence *s)
{
    sb_sentence_add(s, " --limit %" PRIu64 " -n %zu", gate->terms.limit, gate->n);
    reproduce_integer(s, "--seeds", gate->terms.seeds, gate->terms.seeds);
    reproduce_integer(s, "--deal", gate->deal < gate->n, gate->deal);
    reproduce_flag(s, "--chained", gate->chained);
    reproduce_flag(s, "--ordered", gate->ordered);
    reproduce_flag(s, "--increments", sb_gate_has_increments(gate));
    reproduce_word(s, "--profile", reproduce_profile(gate));
    reproduce_names(s, gate->names, gate->title);
    reproduce_integer(s, "--seed", strcmp(gate->kind, "scheme") == 0, gate->seed);
    sb_sentence_add(s, " --format html %s%s", strcmp(gate->kind, "command") == 0 ? "-- " : "",
                    strcmp(gate->name, "standard input") == 0 ? "-" : gate->name);
}

static void reproduce_gate(const struct sb_gate *gate, struct sb_sentence *s)
{
    const struct sb_gate_terms *const terms = &gate->terms;

    sb_sentence_add(s, "shufflebias gate --alpha %.12g --delta %.12g --exclude %.12g", terms->alpha, terms->delta,
                    terms->exclude);
    if (terms->tolerate > 0)
        sb_sentence_add(s, " --tolerate %.12g", terms->tolerate);
    if (gate->reported)
        sb_sentence_add(s, " --format html FILE");
    else
        reproduce_subject(gate, s);
}

static void reproduce_gate_note(const struct sb_gate *gate, FILE *stream)
{
    if (!gate->reported) {
        fputs("<p>The looks are at fixed numbers of permutations: the same permutations have the same "
              "verdict, on every machine.</p>\n",
              stream);
        return;
    }
    fprintf(stream, "<p>The file is the one that has %s of the run of <code>",
            gate->evidence.part[0] ? gate->evidence.part : "all");
    sb_markup_text(stream, gate->name);
    fprintf(stream, "</code>, n = %zu, seed %" PRIu64 ".</p>\n", gate->n, gate->seed);
}

static void reproduce_command(const struct sb_reports *reports, unsigned kinds, const struct sb_gate *gate,
                              struct sb_html *html)
{
    struct sb_sentence s = { 0 };

    if (reports)
        reproduce_reports(reports, kinds, &s);
    else
        reproduce_gate(gate, &s);
    char *const command = sb_sentence_take(&s);

    if (command)
        sb_html_command(command, html->stream);
    else
        html->page.status = SB_NO_MEMORY;
    free(command);
}

/* A command makes reports by seeds, or of the other kinds. A call of the library may make all kinds at once. */
static void html_reproduce_reports(const struct sb_reports *reports, struct sb_html *html)
{
    unsigned kinds = 0;

    for (size_t i = 0; i < reports->count; i++)
        kinds |= reports->report[i].evidence.by;
    if (!kinds)
        return;
    fputs("<h2>How to reproduce it</h2>\n", html->stream);
    if (kinds & ~(unsigned)SB_BY_SEEDS)
        reproduce_command(reports, kinds & ~(unsigned)SB_BY_SEEDS, NULL, html);
    if (kinds & SB_BY_SEEDS)
        reproduce_command(reports, SB_BY_SEEDS, NULL, html);
    reproduce_reports_note(&reports->report[0], html->stream);
}

void sb_html_reproduce_gate(const struct sb_gate *gate, struct sb_html *html)
{
    fputs("<h2>How to reproduce it</h2>\n", html->stream);
    reproduce_command(NULL, 0, gate, html);
    reproduce_gate_note(gate, html->stream);
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
    html_reproduce_reports(reports, html);
    sb_html_close(html);
}
