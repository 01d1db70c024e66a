/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of reports, for terminals, in Markdown and for browsers: an overview of many schemes, and the details of
 * each scheme: its verdict, permutations, matrix, effect sizes and tests. */
#include "core/text.h"
#include "study/catalogue/look.h"
#include "study/figure/figure.h"
#include "study/gate/gate_page.h"

#include <ctype.h>
#include <inttypes.h>

enum { DETAIL_CELLS_MOST = 100 }; /* of more counts, the page lists only those that stand out */

static void detail_exact(const struct sb_evidence *evidence, struct sb_page *page)
{
    const size_t digits = mpz_sgn(evidence->denominator) ? mpz_sizeinbase(evidence->denominator, 10) : 0;
    struct sb_sentence s = { 0 };

    if (digits > 19) /* beyond 64 bits */
        sb_sentence_add(&s, ", a denominator of about %zu digits", digits);
    else if (digits)
        sb_sentence_add(&s, ", denominator %s", sb_number_grouped(sb_mpz_get_u64(evidence->denominator)).text);
    else if (evidence->matrix.form != SB_NUMBERS_NONE)
        sb_sentence_add(&s, ", in doubles with a relative error of at most %s",
                        sb_number_short(evidence->error, 2).text);
    if (evidence->inquiry)
        sb_sentence_add(&s, ", %s series of answers", sb_number_grouped(evidence->inquiry->paths).text);
    sb_page_paragraph(page, SB_INK_STRONG, sb_evidence_partial(evidence) ? "In part:" : "Exact:", "engine %s%s.",
                      evidence->engine, s.text ? s.text : "");
    page->status = s.lost ? SB_NO_MEMORY : page->status;
    sb_sentence_close(&s);
}

static void detail_origin(const struct sb_pair *pair, struct sb_page *page)
{
    const struct sb_report *const best = sb_pair_best(pair);

    page->tight = true;
    if (best->fair)
        sb_page_paragraph(page, SB_INK_STRONG, "Fair means:", "%s.", best->fair);
    if (best->fair_sample)
        sb_page_paragraph(page, SB_INK_STRONG,
                          "Compared with:", "%s permutations of this law, in the tests of two samples.",
                          sb_number_grouped(best->fair_sample).text);
    if (best->cite)
        sb_page_paragraph(page, SB_INK_STRONG, "Source:", "%s", best->cite);
    if (pair->exact && pair->exact->evidence.by == SB_BY_EXACT)
        detail_exact(&pair->exact->evidence, page);
    if (pair->sampled) {
        const struct sb_evidence *const evidence = &pair->sampled->evidence;
        const struct sb_number total = sb_number_grouped(evidence->total);
        const char *const many = evidence->total == 1 ? "" : "s";

        if (evidence->rng)
            sb_page_paragraph(page, SB_INK_STRONG, "Sampled:", "%s shuffle%s%s%s, generator %s, seed %" PRIu64 ".",
                              total.text, many, evidence->part[0] ? ", " : "", evidence->part, evidence->rng,
                              evidence->seed);
        else
            sb_page_paragraph(page, SB_INK_STRONG, evidence->recorded ? "Recorded:" : "Read:", "%s %s%s.", total.text,
                              pair->sampled->counted ? pair->sampled->counted->of : "permutation", many);
    }
    page->tight = false;
    const struct sb_gate gate = { .fair = best->fair,
                                  .left_out = best->left_out,
                                  .left_out_count = best->left_out_count };

    sb_gate_left_out(&gate, page);
}

static void detail_tests(const struct sb_report *report, struct sb_page *page)
{
    const uint64_t total = report ? report->evidence.total : 0;
    struct sb_table table;
    char again[40], bets[40];

    if (!report || report->findings_count == 0)
        return;
    sb_table_begin(&table, "llrrrrr", "test|statistic|value|dof|p|effect|%s interval",
                   sb_number_level(report->alpha).text);
    for (size_t i = 0; i < report->findings_count; i++) {
        const struct sb_finding *const finding = &report->findings[i];

        sb_table_row(&table, "%s|%s|%s|%s", finding->test, sb_finding_title(finding).text,
                     (isnan(finding->dof) && !finding->context ? sb_number_fixed(finding->value, 0)
                                                               : sb_number_short(finding->value, 5))
                         .text,
                     sb_number_fixed(finding->dof, 0).text);
        sb_table_add(&table, SB_INK_PLAIN, sb_finding_reliable(finding) || isnan(finding->ln_p) ? "%s" : "(%s)",
                     sb_number_p(finding->p, finding->ln_p).text);
        sb_table_row(
            &table, "%s|%s", sb_number_short(finding->effect, 3).text,
            sb_number_range(sb_number_short_down(finding->effect_low, 3), sb_number_short_up(finding->effect_high, 3))
                .text);
    }
    sb_table_end(&table, page);
    snprintf(again, sizeof again, "Whole %ss that came up again:", sb_evidence_called(&report->evidence, "deck"));
    if (report->repeats.decks)
        sb_page_paragraph(
            page, SB_INK_STRONG, again, "%s of %s that were compared; of a fair shuffle at most %s on average.",
            sb_number_grouped(report->repeats.repeats).text, sb_number_grouped(report->repeats.decks).text,
            sb_number_short(report->repeats.expected, 2).text);
    snprintf(bets, sizeof bets, "Bets on the next %s:", sb_evidence_called(&report->evidence, "card"));
    for (size_t i = 0; i < report->findings_count; i++)
        if (report->findings[i].context)
            sb_page_paragraph(page, SB_INK_STRONG, bets,
                              "best predicted from %s. They multiplied a stake by %s at most, over the first "
                              "%s permutations.",
                              report->findings[i].context, sb_number_exp(report->findings[i].value).text,
                              sb_number_grouped(total < SB_BETTOR_DECKS ? total : SB_BETTOR_DECKS).text);
    for (size_t i = 0; i < SB_REPORT_OUTLIERS; i++) {
        struct sb_sentence s = { 0 };

        sb_sentence_odd(&s, &report->odd[i]);
        if (s.used)
            sb_page_paragraph(page, SB_INK_STRONG, i ? "The least likely step:" : "The least likely deck:", "%s.",
                              s.text);
        sb_sentence_close(&s);
    }
    if (report->correction)
        sb_page_paragraph(page, SB_INK_STRONG, "Several tests:", "%s", report->correction);
}

/* Returns the first letter of a sentence, as a capital unless the sentence begins with the name of an item: `a` and `A`
 * may be different cards. */
static char detail_capital(const struct sb_item_names *names, const char *sentence)
{
    for (size_t i = 0; sb_item_names_given(names) && i < names->n; i++)
        if (strncmp(sentence, names->name[i], strlen(names->name[i])) == 0)
            return sentence[0];
    return (char)toupper((unsigned char)sentence[0]);
}

static void detail_verdict(const struct sb_report *report, bool both, struct sb_page *page)
{
    const bool law = report->has_effect || report->evidence.cells || report->evidence.reach;
    const char *const from = report->evidence.by == SB_BY_SAMPLE ? "By the sample"
                             : law                               ? "By the exact law"
                                                                 : "By the exact matrix";
    const char *const sentence = report->sentence ? report->sentence : "";
    const struct sb_pair pair = { .exact = report };
    const char *const verdict = report->evidence.by == SB_BY_SAMPLE ? report->verdict : sb_pair_verdict(&pair, report);
    const struct sb_item_names *const names =
        sb_item_groups(report->evidence.names) ? report->evidence.names->places : report->evidence.names;
    char label[64], first[2] = { detail_capital(names, sentence) };

    if (report->warning)
        sb_page_paragraph(page, SB_INK_DOUBT, "Warning:", "%s", report->warning);
    snprintf(label, sizeof label, "%s: %.30s.", both ? from : "Verdict", verdict);
    sb_page_paragraph(page, sb_document_ink(verdict), label, "%s%s", first, sentence[0] ? sentence + 1 : "");
    sb_looks_like_page(&report->looks_like, page);
}

static void places_table(const struct sb_report *report, struct sb_page *page)
{
    struct sb_table table;
    char item[SB_ITEM_ROOM];

    sb_table_begin(&table, "rrrrrb", "item|position|count|ratio|%s interval|", sb_number_level(report->alpha).text);
    for (size_t i = 0; i < report->places.count; i++) {
        const struct sb_place *const place = &report->places.place[i];

        sb_table_add(&table, SB_INK_PLAIN, "%s", sb_item_name(report->evidence.names, place->item, item));
        sb_table_row(&table, "%zu|%s|%s|%s", place->position + 1, sb_number_grouped(place->count).text,
                     sb_number_ratio(place->ratio).text,
                     sb_document_interval(place->low, place->high, (double)report->evidence.n).text);
        sb_table_bar(&table, place->ratio - 1);
    }
    sb_table_end(&table, page);
}

static void detail_places(const struct sb_report *report, struct sb_page *page)
{
    const struct sb_places *const places = &report->places;

    if (places->cells == 0)
        return;
    sb_page_paragraph(page, SB_INK_STRONG,
                      "Places beyond their intervals:", "%s of %s%s. The intervals hold together for all places.",
                      sb_number_grouped(places->beyond).text, sb_number_grouped(places->cells).text,
                      places->count < places->beyond ? "; those that are farthest off" : "");
    if (places->count)
        places_table(report, page);
}

/* Answers the first question about a lottery. */
static void detail_extreme(const struct sb_report *report, const struct sb_counted_cell *cell, struct sb_page *page)
{
    const double expected = cell->fair * (double)report->evidence.total;

    sb_page_paragraph(
        page, SB_INK_STRONG, "Does anything come up too often, or too rarely?",
        "%s. Farthest off: %s, %s time%s instead of %s; p = %s after correction for the %s counts.",
        cell->ln_p < log(report->alpha) ? "Yes" : "No", cell->label, sb_number_grouped(cell->count).text,
        cell->count == 1 ? "" : "s",
        (expected < 1000 ? sb_number_fixed(expected, 1) : sb_number_grouped((uint64_t)round(expected))).text,
        sb_number_p(exp(cell->ln_p), cell->ln_p).text, sb_number_grouped(report->counted->count).text);
}

/* Lists the cells of a table of counts: all, or those that stand out most. */
static void detail_counted(const struct sb_report *report, struct sb_page *page)
{
    const struct sb_counted *const counted = report->counted;
    const bool groups = sb_item_groups(report->evidence.names);
    const double total = (double)report->evidence.total;
    struct sb_table table;

    if (!counted)
        return;
    const struct sb_counted_cell *const extreme = sb_counted_extreme(counted);

    if (!report->evidence.recorded && extreme)
        detail_extreme(report, extreme, page);
    sb_table_begin(&table, "lrrrrrb", "%s|count|expected|ratio|%s interval|corrected p|",
                   counted->before ? counted->before
                   : groups        ? "item"
                                   : "",
                   sb_number_level(report->alpha).text);
    for (size_t i = 0; i < counted->count; i++) {
        const struct sb_counted_cell *const cell = &counted->cell[i];

        const bool beyond = cell->ln_p < log(report->alpha);

        if (counted->count > DETAIL_CELLS_MOST && !beyond && cell != extreme)
            continue;
        sb_table_add(&table, beyond ? SB_INK_DOUBT : SB_INK_PLAIN, "%s", cell->label);
        sb_table_row(&table, "%s|%s|%s|%s|%s", sb_number_grouped(cell->count).text,
                     sb_number_fixed(cell->fair * total, 1).text, sb_number_ratio(cell->ratio).text,
                     isnan(cell->low) ? "" : sb_document_interval(cell->low, cell->high, 1 / cell->fair).text,
                     beyond || cell == extreme ? sb_number_p(exp(cell->ln_p), cell->ln_p).text : "");
        sb_table_bar(&table, cell->ratio - 1);
    }
    if (counted->count > DETAIL_CELLS_MOST)
        sb_page_paragraph(page, SB_INK_STRONG,
                          "Counts beyond their intervals:", "of %s counts; JSON and CSV have all of them.",
                          sb_number_grouped(counted->count).text);
    sb_table_end(&table, page);
}

static void detail_reach(const struct sb_report *report, struct sb_page *page)
{
    const struct sb_evidence *const evidence = &report->evidence;
    const struct sb_reach *const reach = evidence->reach;
    const char *const what = evidence->deal < evidence->n ? "deals" : "permutations"; /* seeds have no sets */
    long exponent;
    const double mantissa = mpz_get_d_2exp(&exponent, reach->deals);
    const struct sb_number deals = exponent <= 50 ? sb_number_grouped(sb_mpz_get_u64(reach->deals))
                                                  : sb_number_exp(log(mantissa) + (double)exponent * log(2));
    struct sb_table table;

    sb_page_paragraph(page, SB_INK_STRONG, "Seeds:", "one shuffle from each, %" PRIu64 " to %" PRIu64 ", generator %s.",
                      reach->first, reach->last, evidence->rng);
    sb_table_begin(&table, "lr", "by seeds|number");
    sb_table_row(&table, "seeds tried|%s", sb_number_grouped(evidence->total).text);
    sb_table_row(&table, "%s that there are|%s", what, deals.text);
    sb_table_add(&table, SB_INK_PLAIN, "different %s reached", what);
    if (reach->reached_error > 0)
        sb_table_add(&table, SB_INK_STRONG, "about %s (standard error %s)", sb_number_grouped(reach->reached).text,
                     sb_number_percent(reach->reached_error, 2).text);
    else
        sb_table_add(&table, SB_INK_STRONG, "%s", sb_number_grouped(reach->reached).text);
    sb_table_row(&table, "  what as many fair shuffles would reach|%s", sb_number_fixed(reach->reached_fair, 1).text);
    if (reach->most)
        sb_table_row(&table, "seeds that lead to the most frequent|%s", sb_number_grouped(reach->most).text);
    if (reach->least_known)
        sb_table_row(&table, "seeds that lead to the least frequent|%s", sb_number_grouped(reach->least).text);
    sb_table_end(&table, page);
}

/* Writes a scheme: its verdicts, its figures on a page for browsers, and its numbers. There, figures take the place of
 * the matrix, and bars that of the permutations. `html` is NULL on other pages. */
static void document_scheme(const struct sb_pair *pair, struct sb_page *page, struct sb_html *html)
{
    const struct sb_report *const best = sb_pair_best(pair);
    const struct sb_scene scene = { .pair = *pair, .side = html ? html->side : 0 };

    sb_page_title(page, 2, "%s%s%s", best->name, best->title ? ": " : "", best->title ? best->title : "");
    fputs(html ? "<div class=\"verdict\">\n" : "", page->stream);
    if (pair->exact)
        detail_verdict(pair->exact, pair->sampled, page);
    if (pair->sampled)
        detail_verdict(pair->sampled, pair->exact, page);
    fputs(html ? "</div>\n" : "", page->stream);
    if (html && !html->brief)
        sb_html_figures(&scene, html);
    if (html) /* a page of several schemes folds the numbers */
        fprintf(
            page->stream,
            "<details class=\"printed\"%s><summary>Numbers and tests</summary>\n<div class=\"beside\">\n<section>\n",
            html->alone ? " open=\"open\"" : "");
    detail_origin(pair, page);
    if (best->evidence.reach)
        detail_reach(best, page);
    if (!html || !sb_figure_find("bars", &scene)) /* without bars, a sentence says why there are no permutations */
        sb_document_permutations(pair, page);
    if (!html && !(!pair->exact && pair->sampled->counted && pair->sampled->counted->count <= DETAIL_CELLS_MOST))
        sb_document_matrix(pair->sampled && best->evidence.matrix.form == SB_NUMBERS_NONE ? pair->sampled : best, page);
    if (pair->sampled) {
        detail_counted(pair->sampled, page);
        detail_places(pair->sampled, page);
    }
    sb_document_effects(pair, page);
    fputs(html ? "</section>\n<section>\n" : "", page->stream);
    detail_tests(pair->exact, page);
    detail_tests(pair->sampled, page);
    fputs(html ? "</section>\n</div>\n</details>\n" : "", page->stream);
}

static void document_head(const struct sb_reports *reports, struct sb_page *page)
{
    bool ended = reports->interrupted;
    char deal[48] = "";

    for (size_t i = 0; i < reports->count; i++)
        ended = ended || reports->report[i].evidence.interrupted;
    if (reports->deal < reports->n)
        snprintf(deal, sizeof deal, ", deals of %zu", reports->deal);
    sb_page_title(page, 1, "%s: n = %zu%s",
                  reports->title ? reports->title
                  : reports->all ? "Bias report on every shuffle"
                                 : "Bias report",
                  reports->n, deal);
    if (ended)
        sb_page_paragraph(page, SB_INK_DOUBT,
                          "Ended early:", "the run was interrupted, and this is what was counted until then.");
}

/* Writes the details of all schemes or, after an overview, of those with a visible or with an invisible bias. */
static void document_details(const struct sb_reports *reports, bool overview, bool invisible, struct sb_page *page,
                             struct sb_html *html)
{
    for (size_t i = 0, next, biased = 0; i < reports->count && page->status == SB_OK && !ferror(page->stream);
         i = next) {
        struct sb_pair pair;

        next = sb_pair_next(reports, i, &pair);
        const bool detailed = sb_pair_detailed(&pair, &biased);

        if (overview && (!sb_pair_biased(&pair) || sb_pair_invisible(&pair) != invisible || (html && !detailed)))
            continue;
        if (overview)
            sb_page_anchor(page, SB_DOCUMENT_ANCHOR, i);
        document_scheme(&pair, page, html);
    }
}

/*
 * The page for browsers. A report on many shuffles begins with a grid of small figures, all alike ("small multiples"),
 * as in Mike Bostock's "Will It Shuffle?". The page stays below 500 kB: all matrices together have at most
 * HTML_BLOCKS_MOST blocks, and the page says what it had to leave out.
 */
enum {
    HTML_BLOCKS_MOST = 3600,
    HTML_BLOCKS_SCHEME = 60, /* the details of a scheme take the space of this many blocks */
    HTML_SIDE_COARSE = 48,   /* side of a matrix whose blocks have several cells and so need longer labels */
    HTML_SIDE_LEAST = 6,
    HTML_CARDS_MOST = 32, /* the largest number of shuffles with small figures */
    /* the most schemes that are shown in full; if there are more schemes, all schemes have small figures */
    HTML_WHOLE_MOST = 6,
};

static size_t html_side(const struct sb_reports *reports, size_t schemes)
{
    const double blocks = HTML_BLOCKS_MOST / fmax((double)schemes, 1) - HTML_BLOCKS_SCHEME * (schemes > 1);
    const size_t side = (size_t)sqrt(fmax(blocks, HTML_SIDE_LEAST * HTML_SIDE_LEAST));

    return side < reports->n && side > HTML_SIDE_COARSE ? HTML_SIDE_COARSE : side;
}

/* `detailed`: whether the scheme, whose first report has this index, has details. */
static void html_card(const struct sb_pair *pair, bool detailed, size_t index, struct sb_html *html)
{
    const struct sb_report *const best = sb_pair_best(pair);
    const struct sb_scene scene = { .pair = *pair, .side = html->side, .brief = true };
    const char *const verdict = sb_pair_verdict(pair, best);

    fputs("<article>\n<h2>", html->stream);
    if (detailed)
        fprintf(html->stream, "<a href=\"#%s-%zu\">", SB_DOCUMENT_ANCHOR, index);
    sb_markup_text(html->stream, best->name);
    fputs(detailed ? "</a></h2>\n" : "</h2>\n", html->stream);
    sb_page_paragraph(&html->page, sb_document_ink(verdict), verdict, "%s", "");
    sb_html_figures(&scene, html);
    fputs("</article>\n", html->stream);
}

static void html_left_out(size_t count, size_t most, const char *what, struct sb_page *page)
{
    if (count > most)
        sb_page_paragraph(page, SB_INK_FAINT, NULL,
                          "There is no room here for the %s of %zu more: a report on fewer has them.", what,
                          count - most);
}

static void html_cards(const struct sb_reports *reports, size_t schemes, struct sb_html *html)
{
    sb_figure_many_key(html);
    fputs("<div class=\"many\">\n", html->stream);
    for (size_t i = 0, next, cards = 0, biased = 0; i < reports->count && cards < HTML_CARDS_MOST; i = next, cards++) {
        struct sb_pair pair;

        next = sb_pair_next(reports, i, &pair);
        html_card(&pair, sb_pair_detailed(&pair, &biased), i, html);
    }
    fputs("</div>\n", html->stream);
    html_left_out(schemes, HTML_CARDS_MOST, "pictures", &html->page);
}

static void document_write(const struct sb_reports *reports, struct sb_page *page, struct sb_html *html)
{
    size_t schemes, biased;

    sb_pairs_count(reports, &schemes, &biased);
    const bool overview = reports->all || (html && schemes > HTML_WHOLE_MOST);

    document_head(reports, page);
    if (overview)
        sb_page_paragraph(page, biased ? SB_INK_BAD : SB_INK_GOOD, "Verdict:", "biased: %zu of %zu shuffles.", biased,
                          schemes);
    if (html) {
        html->side = html_side(reports, schemes);
        html->brief = overview;
        html->alone = schemes == 1;
    }
    if (html && overview)
        html_cards(reports, schemes, html);
    if (overview)
        sb_document_table(reports, page);
    if (overview && !html && !page->look.details) {
        struct sb_sentence next = { 0 };

        sb_sentence_fill(&next, "report", "next", json_object());
        sb_page_paragraph(page, SB_INK_FAINT, NULL, "%s", next.text ? next.text : "");
        sb_sentence_close(&next);
        return;
    }
    document_details(reports, overview, false, page, html);
    if (overview) /* biases that no sample shows come last */
        document_details(reports, overview, true, page, html);
    if (html && overview)
        html_left_out(biased, SB_DOCUMENT_DETAILS_MOST, "numbers", page);
}

void sb_reports_page(const void *result, struct sb_page *page)
{
    document_write(result, page, NULL);
}

void sb_reports_html(const void *result, struct sb_html *html)
{
    const struct sb_reports *const reports = result;

    sb_html_open(reports->title                        ? reports->title
                 : reports->all || reports->count == 0 ? "Bias report"
                                                       : reports->report[0].name,
                 NULL, html->stream, html);
    document_write(reports, &html->page, html);
    sb_reproduce_html(reports->command, html);
    sb_html_close(html);
}
