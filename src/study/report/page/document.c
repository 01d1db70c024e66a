/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report as text: the run, a line per scheme if all schemes were reported, and then the details. */
#include "study/report/page/document.h"

#include "report/number.h"

#include <inttypes.h>
#include <string.h>

/* Returns the kinds of evidence. Sets *samples to the number of shuffles in each sampled report, or to 0 if
 * these numbers differ. */
static unsigned document_kinds(const struct sb_reports *reports, uint64_t *samples)
{
    unsigned kinds = 0;

    *samples = 0;
    for (size_t i = 0; i < reports->count; i++) {
        const struct sb_evidence *const evidence = &reports->report[i].evidence;

        if (evidence->by == SB_BY_SAMPLE)
            *samples = !(kinds & SB_BY_SAMPLE) || *samples == evidence->total ? evidence->total : 0;
        kinds |= evidence->by;
    }
    return kinds;
}

/* If the run was interrupted, says so. If only one report was interrupted, also writes how many of its
 * shuffles were counted. */
static void document_ended(const struct sb_reports *reports, struct sb_page *page)
{
    const struct sb_evidence *ended = NULL;
    bool one = true;

    for (size_t i = 0; i < reports->count; i++) {
        const struct sb_evidence *const evidence = &reports->report[i].evidence;

        if (!evidence->interrupted)
            continue;
        one = !ended && evidence->asked;
        ended = evidence;
    }
    if (ended && one)
        sb_page_paragraph(
            page, SB_INK_DOUBT, "Ended early:",
            "the run was interrupted, and this is what was counted until then: %s of %s shuffles.",
            sb_number_grouped(ended->total).text, sb_number_grouped(ended->asked).text);
    else if (ended || reports->interrupted)
        sb_page_paragraph(page, SB_INK_DOUBT, "Ended early:",
                          "the run was interrupted, and this is what was counted until then.");
}

/* Writes the title: "Bias report: n = 3, exact and 10,000,000 shuffles sampled, seed 1". */
void sb_document_head(const struct sb_reports *reports, struct sb_page *page)
{
    uint64_t total;
    const unsigned kinds = document_kinds(reports, &total);
    const bool exact = kinds & SB_BY_EXACT, sampled = kinds & SB_BY_SAMPLE;
    const bool read =
        sampled &&
        !reports->report[0].shuffle; /* the permutations come from outside, so the generator is unknown */
    char deal[48] = "", seed[32] = "", samples[64] = "";

    if (reports->deal < reports->n)
        snprintf(deal, sizeof deal, ", deals of %zu", reports->deal);
    if (sampled && !read)
        snprintf(seed, sizeof seed, ", seed %" PRIu64, reports->seed);
    if (total)
        snprintf(samples, sizeof samples, "%.40s shuffle%s ", sb_number_grouped(total).text,
                 total == 1 ? "" : "s");
    sb_page_title(page, 1, "%s: n = %zu%s%s%s%s%s%s%s%s",
                  reports->title ? reports->title
                  : reports->all ? "Bias report on every shuffle"
                                 : "Bias report",
                  reports->n, deal, exact || sampled ? ", " : "",
                  exact ? sb_exact_word(&reports->report[0].evidence) : "", exact && sampled ? " and " : "",
                  samples, sampled ? read ? "read" : "sampled" : "", seed,
                  kinds & SB_BY_SEEDS ? ", by seeds" : "");
    document_ended(reports, page);
}

/*
 * Writes the details of the requested schemes. If all schemes were reported, writes only the details of
 * biased schemes: those with an invisible bias (sb_pair_invisible()) if `invisible` is true, otherwise those
 * with a visible bias.
 */
static void document_details(const struct sb_reports *reports, bool invisible, struct sb_page *page)
{
    for (size_t i = 0; i < reports->count && page->status == SB_OK && !ferror(page->stream);) {
        struct sb_pair pair;

        i = sb_pair_next(reports, i, &pair);
        if (!reports->all || (sb_pair_invisible(&pair) == invisible &&
                              (sb_report_biased(pair.exact) || sb_report_biased(pair.sampled))))
            sb_document_detail(&pair, page);
    }
}

void sb_document_page(const void *result, struct sb_page *page)
{
    const struct sb_reports *const reports = result;

    sb_document_head(reports, page);
    if (reports->all)
        sb_document_summary(reports, page);
    document_details(reports, false, page);
    if (reports->all) /* biases that no sample shows come last */
        document_details(reports, true, page);
}
