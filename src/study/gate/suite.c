/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A suite: the gate on several subjects, in sequence or in parallel. Each of `count` subjects has 1/count of alpha and
 * delta, so by the union bound these bound the error probabilities of the whole, even if the subjects depend on each
 * other. With a ledger, each subject is a run of it and takes its share from it. The findings do not depend on how
 * many gates run at once. */
#include "core/system.h"
#include "core/text.h"
#include "study/figure/figure.h"
#include "study/gate/gate_page.h"
#include "study/gate/gate_run.h"

enum { SUITE_NAME = 200 }; /* the most bytes of a name */

static struct sb_request suite_options(const struct sb_suite_case *one)
{
    struct sb_request options;

    sb_request_init(&options, SB_GATE);
    return one->options ? *one->options : options;
}

static bool suite_again(char *const name[], size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (name[i] && name[j] && strcmp(name[i], name[j]) == 0)
            return true;
    return false;
}

/* Rejects repeated names. Results have the names without control characters, and cut, so these must differ. */
static enum sb_status suite_check_names(const struct sb_suite_case cases[], size_t count, struct sb_error *error)
{
    char **const name = calloc(count, sizeof *name);
    enum sb_status status = SB_OK;

    if (!name)
        return sb_error_memory(error, "a suite");
    for (size_t i = 0; status == SB_OK && i < count; i++) {
        name[i] = cases[i].name ? sb_sanitize_text(cases[i].name, SUITE_NAME) : NULL;
        if (cases[i].name && !name[i])
            status = sb_error_memory(error, "a suite");
        else if (suite_again(name, i))
            status =
                sb_error_set(error, SB_INVALID, "two subjects are called '%s': give each a name of its own", name[i]);
    }
    for (size_t i = 0; i < count; i++)
        free(name[i]);
    free(name);
    return status;
}

/* Before any gate runs, rejects impossible options. Each gate has 1/shares of alpha and delta. */
static enum sb_status suite_check(const struct sb_suite_case cases[], size_t count, size_t shares,
                                  struct sb_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const struct sb_request options = suite_options(&cases[i]);
        struct sb_error wrong = { 0 };

        if (!(fmin(options.alpha, options.delta) >= 1e-100 * (double)count))
            return sb_error_set(error, SB_INVALID,
                                "alpha and delta must be at least 1e-100 for each of %zu subjects: ask for more",
                                count);
        for (size_t j = 0; options.save && j < i; j++)
            if (cases[j].options && cases[j].options->save && strcmp(cases[j].options->save, options.save) == 0)
                return sb_error_set(error, SB_INVALID, "'%.200s' is the evidence of two subjects: save each elsewhere",
                                    options.save);
        const enum sb_status status = sb_gate_check(cases[i].subject, &options, shares, &wrong);

        if (status)
            return cases[i].name ? sb_error_set(error, status, "subject '%.200s': %.300s", cases[i].name, wrong.text)
                                 : sb_error_set(error, status, "%s", wrong.text);
    }
    return SB_OK;
}

static char *suite_name(const struct sb_suite_case *asked, const struct sb_gate *gate)
{
    if (asked->name || gate)
        return sb_sanitize_text(asked->name ? asked->name : sb_gate_title(gate), SUITE_NAME);
    char *const own = sb_subject_name(asked->subject), *const name = own ? sb_sanitize_text(own, SUITE_NAME) : NULL;

    free(own);
    return name;
}

static bool suite_has_ledger(const struct sb_suite_case cases[], size_t count)
{
    const char *const ledger = suite_options(&cases[0]).ledger;

    for (size_t i = 0; i < count; i++)
        if (!ledger || !suite_options(&cases[i]).ledger || strcmp(suite_options(&cases[i]).ledger, ledger) != 0)
            return false;
    return true;
}

/* State that the threads share. */
struct suite_run {
    const struct sb_suite_case *cases;
    struct sb_suite *suite;
    size_t shares;
    atomic_size_t next; /* next subject to take */
};

static void suite_try(struct suite_run *run, size_t index)
{
    const struct sb_suite_case *const asked = &run->cases[index];
    struct sb_suite_item *const item = &run->suite->item[index];
    struct sb_request options = suite_options(asked);

    if (run->shares > 1) {
        options.alpha /= (double)run->shares;
        options.delta /= (double)run->shares;
        options.given[sb_option_find(SB_GATE, "alpha") - sb_options_table] = "a share"; /* not that of saved evidence */
        options.given[sb_option_find(SB_GATE, "delta") - sb_options_table] = "a share";
    }
    if (sb_gate_new(asked->subject, &options, &item->error, &item->gate)) {
        item->gate = NULL;
        item->alpha = options.ledger ? 0 : options.alpha;
    }
    item->name = suite_name(asked, item->gate);
    if (asked->finished && item->name)
        asked->finished(asked->finished_state, item);
}

static void suite_work(void *state, size_t thread)
{
    struct suite_run *const run = state;
    size_t i;

    while ((i = atomic_fetch_add(&run->next, 1)) < run->suite->count)
        suite_try(run, i);
}

static enum sb_status suite_run(const struct sb_suite_case cases[], size_t count, size_t shares, unsigned jobs,
                                struct sb_error *error, struct sb_suite **suite)
{
    struct sb_suite *const made = calloc(1, sizeof *made);

    if (made)
        made->item = calloc(count, sizeof *made->item);
    if (!made || !made->item) {
        free(made);
        return sb_error_memory(error, "a suite");
    }
    made->count = count;
    struct suite_run run = {
        .cases = cases,
        .suite = made,
        .shares = shares,
    };

    sb_threads_run(jobs < count ? jobs : count, suite_work, &run);
    for (size_t i = 0; i < count; i++)
        if (!made->item[i].name || (!made->item[i].gate && made->item[i].error.status == SB_NO_MEMORY)) {
            sb_suite_free(made);
            return sb_error_memory(error, "a suite");
        }
    *suite = made;
    return SB_OK;
}

enum sb_status sb_suite_new(const struct sb_suite_case cases[], size_t count, unsigned jobs, struct sb_error *error,
                            struct sb_suite **suite)
{
    if (!cases)
        return sb_error_null(error, "the list of cases");
    if (count == 0)
        return sb_error_set(error, SB_INVALID, "a suite of no subjects: give one or more");
    const size_t shares = suite_has_ledger(cases, count) ? 1 : count;
    enum sb_status status = suite_check_names(cases, count, error);

    if (status == SB_OK)
        status = suite_check(cases, count, shares, error);
    return status ? status : suite_run(cases, count, shares, jobs, error, suite);
}

void sb_suite_free(struct sb_suite *suite)
{
    if (!suite)
        return;
    for (size_t i = 0; i < suite->count; i++) {
        sb_gate_free(suite->item[i].gate);
        free(suite->item[i].name);
    }
    free(suite->item);
    free(suite);
}

/* The gate's findings on several subjects as text: the overall result, a line for each subject, and the findings on
 * those that did not pass; for a single subject, the page of sb_gate_page(). */

/*
 * Annotations of GitHub's workflows: a line for each subject that did not pass,
 *
 *     ::error title=shufflebias%3A naive::FAIL after 4,492 permutations: ...
 *
 * In these lines %, CR and LF are written as %25, %0D and %0A; in the title also ':' and ',' as %3A and %2C.
 * GitHub shows at most ten annotations of a step, so suite_github() writes at most ten annotations.
 *
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */

enum { GITHUB_MOST = 10 };

static void github_text(const char *text, bool property, FILE *stream)
{
    struct sb_log_text outside = { .rest = text };

    for (uint32_t point; (point = sb_log_text_next(&outside)) != 0;) {
        char bytes[4];

        if (point == '%' || point == '\r' || point == '\n' || (property && (point == ':' || point == ',')))
            fprintf(stream, "%%%02X", (unsigned)point);
        else
            fwrite(bytes, 1, sb_utf8_put(point, bytes), stream);
    }
}

/* Returns the verdict of a subject and what folds below it, or why there is none; the caller frees it. NULL: no
 * memory. */
static char *suite_words(const struct sb_suite_item *item)
{
    struct sb_sentence s = { 0 };

    if (item->gate)
        sb_sentence_add(&s, "%s\n%s", item->gate->sentence, item->gate->details);
    else
        sb_sentence_add(&s, "%s", item->error.text);
    return sb_sentence_take(&s);
}

static enum sb_status suite_github(const void *result, FILE *stream)
{
    const struct sb_suite *const suite = result;
    size_t left = 0;

    for (size_t i = 0; i < suite->count; i++)
        left += sb_suite_item_verdict(&suite->item[i]) != SB_VERDICT_PASS;
    for (size_t i = 0, shown = 0; i < suite->count && left > 0; i++) {
        const struct sb_suite_item *const item = &suite->item[i];
        const enum sb_verdict verdict = sb_suite_item_verdict(item);

        if (verdict == SB_VERDICT_PASS)
            continue;
        if (++shown == GITHUB_MOST && left > 1) {
            fprintf(stream, "::error title=shufflebias::%zu more subjects did not pass\n", left);
            break;
        }
        fprintf(stream, "::%s title=shufflebias%%3A ", verdict == SB_VERDICT_INCONCLUSIVE ? "warning" : "error");
        github_text(item->name, true, stream);
        fputs("::", stream);
        char *const words = suite_words(item);

        if (!words)
            return SB_NO_MEMORY;
        github_text(words, false, stream);
        free(words);
        fputc('\n', stream);
        left--;
    }
    return SB_OK;
}

/* The gate's findings as test cases. The case of the verdict succeeds only if the subject passed, as the exit status
 * says. Each statistic is another case: it fails if the statistic is named as biased, and is skipped if its bound is
 * not below the requested one, unless the subject passed without it. */

enum { CASES_NAMED_MOST = 12 }; /* the most members of a statistic that are listed */

static struct sb_gate_line cases_largest(const struct sb_gate *gate, size_t begin, size_t end)
{
    struct sb_gate_line largest = gate->line[begin];

    for (size_t i = begin + 1; i < end; i++) {
        const struct sb_gate_line *const line = &gate->line[i];

        largest.ln_e = fmax(largest.ln_e, line->ln_e);
        largest.tv_low = fmax(largest.tv_low, line->tv_low);
        largest.tv_high = fmax(largest.tv_high, line->tv_high);
        largest.rejected = largest.rejected || line->rejected;
    }
    return largest;
}

static void cases_named(const struct sb_gate *gate, size_t begin, size_t end, struct sb_sentence *s)
{
    size_t named = 0;
    char what[SB_GATE_WHAT];

    for (size_t i = begin; i < end; i++)
        if (gate->line[i].rejected && named++ < CASES_NAMED_MOST) {
            sb_gate_what(gate, &gate->line[i], what);
            sb_sentence_add(s, "named: %s\n", what);
        }
    if (named > CASES_NAMED_MOST)
        sb_sentence_add(s, "and %zu more\n", named - CASES_NAMED_MOST);
    if (named && gate->jointly)
        sb_sentence_add(s, "no single one is shown to be biased, but at least one of those that are named is\n");
    for (size_t i = 0; i < gate->cells_count; i++) {
        const struct sb_gate_cell *const cell = &gate->cell[i];

        if (cell->line >= begin && cell->line < end)
            sb_sentence_add(s, "%s came up %s times instead of %s\n", cell->where, sb_number_grouped(cell->count).text,
                            sb_number_fixed(cell->expected, 1).text);
    }
}

static void cases_statistic(const struct sb_gate *gate, const char *group, size_t begin, size_t end,
                            struct sb_cases *cases)
{
    const struct sb_gate_line largest = cases_largest(gate, begin, end);
    const bool open =
        !largest.dependence && gate->verdict != SB_VERDICT_PASS && !(largest.tv_high < gate->terms.exclude);
    const bool tolerated = gate->terms.tolerate > 0 && largest.ln_e >= -log(gate->terms.alpha);
    const char *const of = !largest.lag                    ? ""
                           : !largest.dependence           ? " of increments"
                           : gate->line[begin].members > 1 ? " of positions"
                                                           : "";
    struct sb_sentence s = { 0 };

    sb_sentence_add(&s, "%s: E = %s",
                    largest.rejected ? "biased"
                    : open           ? "not settled"
                    : tolerated      ? "no bias as large as asked for"
                                     : "no bias shown",
                    sb_number_exp(largest.ln_e).text);
    if (isfinite(largest.tv_high))
        sb_sentence_add(
            &s, ", total variation%s %s; asked for: below %s", largest.merged ? " of groups of its values" : "",
            sb_gate_bounds_range(largest.tv_low, largest.tv_high).text, sb_number_given(gate->terms.exclude).text);
    sb_sentence_add(&s, "\n");
    cases_named(gate, begin, end, &s);
    sb_cases_add(cases, (struct sb_case) {
                            .group = group,
                            .name = largest.dependence ? "dependence" : largest.statistic,
                            .of = of,
                            .end = largest.rejected ? SB_CASE_FAILED
                                   : open           ? SB_CASE_SKIPPED
                                                    : SB_CASE_PASSED,
                            .kind = largest.rejected ? "fail" : "inconclusive",
                            .text = sb_sentence_take(&s),
                        });
}

static void cases_verdict(const struct sb_suite_item *item, struct sb_cases *cases)
{
    static const enum sb_case_end end[] = {
        [SB_VERDICT_PASS] = SB_CASE_PASSED,
        [SB_VERDICT_FAIL] = SB_CASE_FAILED,
        [SB_VERDICT_INCONCLUSIVE] = SB_CASE_FAILED,
        [SB_VERDICT_BROKEN] = SB_CASE_BROKEN,
    };
    const enum sb_verdict verdict = sb_suite_item_verdict(item);

    sb_cases_add(cases, (struct sb_case) {
                            .group = item->name,
                            .name = "verdict",
                            .of = "",
                            .end = end[verdict],
                            .kind = sb_verdict_name(verdict),
                            .text = suite_words(item),
                        });
}

static void cases_suite(const void *result, struct sb_cases *cases)
{
    const struct sb_suite *const suite = result;

    for (size_t s = 0; s < suite->count; s++) {
        const struct sb_suite_item *const item = &suite->item[s];

        cases_verdict(item, cases);
        for (size_t i = 0, next; item->gate && i < item->gate->lines_count; i = next) {
            next = sb_gate_family_end(item->gate, i);
            cases_statistic(item->gate, item->name, i, next, cases);
        }
    }
}

enum { SUITE_VERDICTS = SB_VERDICT_BROKEN + 1 };

/* For each verdict, its colour and label, and the words that follow the number of subjects with this verdict. */
static const struct {
    enum sb_ink ink;
    const char *label, *counted;
} suite_shown[SUITE_VERDICTS] = {
    [SB_VERDICT_PASS] = { SB_INK_GOOD, "PASS", "passed" },
    [SB_VERDICT_FAIL] = { SB_INK_BAD, "FAIL", "failed" },
    [SB_VERDICT_INCONCLUSIVE] = { SB_INK_DOUBT, "INCONCLUSIVE", "left it open" },
    [SB_VERDICT_BROKEN] = { SB_INK_BAD, "BROKEN", "broke" },
};

static void suite_sentence(const struct sb_suite *suite, struct sb_page *page)
{
    static const enum sb_verdict order[] = { SB_VERDICT_PASS, SB_VERDICT_FAIL, SB_VERDICT_INCONCLUSIVE,
                                             SB_VERDICT_BROKEN };
    const enum sb_verdict worst = sb_suite_verdict(suite);
    const double most = sb_suite_alpha(suite);
    size_t counted[SUITE_VERDICTS] = { 0 };
    char text[256] = "", label[32];
    char alpha[96] = "";
    int used = 0;

    for (size_t i = 0; i < suite->count; i++)
        counted[sb_suite_item_verdict(&suite->item[i])]++;
    if (!isnan(most))
        snprintf(alpha, sizeof alpha, ". Where all are fair, one fails with probability %.30s at most",
                 sb_number_general_up(most, 3).text);
    for (size_t k = 0; k < sizeof order / sizeof order[0]; k++)
        if (counted[order[k]])
            used += snprintf(text + used, sizeof text - (size_t)used, "%s%zu %s", used ? ", " : "", counted[order[k]],
                             suite_shown[order[k]].counted);
    snprintf(label, sizeof label, "%s:", suite_shown[worst].label);
    sb_page_paragraph(page, suite_shown[worst].ink, label, "of %zu subject%s %s%s.", suite->count,
                      suite->count == 1 ? "" : "s", text, alpha);
}

/* Writes the row of subject `index`. On a page in HTML, its name links to the findings or, after a pass, to the
 * figures. */
static void suite_row(const struct sb_suite_item *item, size_t index, bool html, struct sb_table *table)
{
    static const char none[] = "\xE2\x80\x93"; /* an en dash */
    const enum sb_verdict verdict = sb_suite_item_verdict(item);
    const struct sb_gate *const gate = item->gate;

    sb_table_add(table, SB_INK_PLAIN, "%s", item->name);
    if (html)
        sb_table_link(table, verdict == SB_VERDICT_PASS ? SB_SUITE_FIGURES : SB_SUITE_FINDINGS, index);
    sb_table_add(table, suite_shown[verdict].ink, "%s", suite_shown[verdict].label);
    if (!gate) {
        for (int column = 0; column < 5; column++)
            sb_table_add(table, SB_INK_PLAIN, "%s", none);
        return;
    }
    sb_table_row(table, "%zu|%s|%s|%s|%s", gate->n, sb_number_grouped(gate->total).text, sb_number_exp(gate->ln_e).text,
                 html ? sb_gate_bounds(gate, gate->tv_low, gate->tv_high).text
                      : sb_gate_bounds_range(gate->tv_low, gate->tv_high).text,
                 sb_number_given(gate->terms.exclude).text);
}

static void suite_item(const struct sb_suite_item *item, struct sb_page *page)
{
    if (item->gate)
        sb_gate_page(item->gate, page);
    else
        sb_page_paragraph(page, SB_INK_BAD, "BROKEN:", "%s.", item->error.text);
}

static void suite_table(const struct sb_suite *suite, struct sb_page *page)
{
    struct sb_table table;

    sb_table_begin(&table, "llrrrrr", "subject|verdict|n|permutations|E|TV|below");
    for (size_t i = 0; i < suite->count; i++)
        suite_row(&suite->item[i], i, page->html, &table);
    sb_table_end(&table, page);
}

static void suite_page(const void *result, struct sb_page *page)
{
    const struct sb_suite *const suite = result;

    if (suite->count == 1) {
        suite_item(&suite->item[0], page);
        return;
    }
    suite_sentence(suite, page);
    suite_table(suite, page);
    for (size_t i = 0; i < suite->count; i++)
        if (sb_suite_item_verdict(&suite->item[i]) != SB_VERDICT_PASS) {
            sb_page_anchor(page, SB_SUITE_FINDINGS, i);
            sb_page_title(page, 2, "%s", suite->item[i].name);
            suite_item(&suite->item[i], page);
        }
}

/* Writes the table for the summary of a job on GitHub. */
static enum sb_status suite_summary(const void *result, FILE *stream)
{
    const struct sb_suite *const suite = result;
    struct sb_page page = { .stream = stream, .markdown = true, .look = { .unicode = true } };

    sb_page_title(&page, 2, "shufflebias gate");
    suite_sentence(suite, &page);
    suite_table(suite, &page);
    for (size_t i = 0; i < suite->count; i++) {
        const struct sb_suite_item *const item = &suite->item[i];

        if (sb_suite_item_verdict(item) != SB_VERDICT_PASS)
            sb_page_paragraph(&page, SB_INK_STRONG, item->name, "%s",
                              item->gate ? item->gate->sentence : item->error.text);
    }
    return page.status;
}

static const struct sb_result_format suite_own[] = {
    { .name = "github", .write = suite_github },
    { .name = "github-summary", .write = suite_summary },
};

enum { GATE_SIDE_SUITE = 10 }; /* blocks per side of each matrix if there are several subjects */

static void gate_single(const struct sb_gate *gate, struct sb_html *html)
{
    sb_page_title(&html->page, 1, "Is it fair? %s", sb_gate_title(gate));
    fputs("<div class=\"verdict\">\n", html->stream);
    sb_gate_sentence(gate, &html->page);
    fputs("</div>\n", html->stream);
    sb_gate_figures(gate, html);
    sb_gate_detail(gate, &html->page);
    sb_reproduce_html(gate->command, html);
    if (!gate->reported)
        fputs(
            "<p>The looks are at fixed numbers of permutations: the same permutations have the same verdict, on every "
            "machine.</p>\n",
            html->stream);
}

static void gate_several(const struct sb_suite *suite, struct sb_html *html)
{
    html->side = GATE_SIDE_SUITE;
    html->brief = true;
    sb_page_title(&html->page, 1, "Are they fair?");
    suite_page(suite, &html->page);
    sb_figure_many_key(html);
    fputs("<div class=\"many\">\n", html->stream);
    for (size_t i = 0; i < suite->count && !ferror(html->stream); i++) {
        if (!suite->item[i].gate)
            continue;
        fputs("<article>\n", html->stream);
        sb_page_anchor(&html->page, SB_SUITE_FIGURES, i);
        sb_page_title(&html->page, 2, "%s", suite->item[i].name);
        sb_gate_figures(suite->item[i].gate, html);
        fputs("</article>\n", html->stream);
    }
    fputs("</div>\n", html->stream);
}

static void suite_html(const void *result, struct sb_html *html)
{
    const struct sb_suite *const suite = result;

    sb_html_open("shufflebias gate", NULL, html->stream, html);
    if (suite->count == 1 && suite->item[0].gate)
        gate_single(suite->item[0].gate, html);
    else
        gate_several(suite, html);
    sb_html_close(html);
}

const struct sb_result_type sb_suite_result = {
    .what = "the verdict",
    .of = "a verdict",
    .schema = "shufflebias.gate/2",
    .page = suite_page,
    .html = suite_html,
    .json = sb_suite_json,
    .cases = cases_suite,
    .svg = sb_suite_svg,
    .figure = sb_suite_figure,
    .own = suite_own,
    .own_count = sizeof suite_own / sizeof suite_own[0],
};
