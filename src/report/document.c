/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What people are told: what was run, a line per scheme where it was all of them, then the details. */
#include "report/document.h"

#include "report/number.h"

#include <inttypes.h>
#include <string.h>

enum sb_ink sb_document_ink(const char *verdict)
{
    if (strncmp(verdict, "biased", 6) == 0)
        return SB_INK_BAD;
    return strcmp(verdict, "inconclusive") == 0 ? SB_INK_DOUBT : SB_INK_GOOD;
}

const char *sb_document_deal(const struct sb_notation *notation)
{
    return notation->text[0] ? notation->text : "()";
}

/* How many shuffles each sampled report has; 0 where there are none or they differ. */
static uint64_t document_samples(const struct sb_reports *reports, bool *exact, bool *sampled)
{
    uint64_t total = 0;

    *exact = *sampled = false;
    for (size_t i = 0; i < reports->count; i++) {
        const struct sb_evidence *const evidence = &reports->report[i].evidence;

        if (evidence->by == SB_BY_EXACT) {
            *exact = true;
            continue;
        }
        total = !*sampled || total == evidence->total ? evidence->total : 0;
        *sampled = true;
    }
    return total;
}

/* Bias report: n = 3, exact, and 10,000,000 sampled shuffles each, seed 1 */
static void document_title(const struct sb_reports *reports, struct sb_page *page)
{
    bool exact, sampled;
    const uint64_t total = document_samples(reports, &exact, &sampled);
    char deal[48] = "", seed[32] = "", samples[64] = "";

    if (reports->deal < reports->n)
        snprintf(deal, sizeof deal, ", deals of %zu", reports->deal);
    if (sampled)
        snprintf(seed, sizeof seed, ", seed %" PRIu64, reports->seed);
    if (total)
        snprintf(samples, sizeof samples, "%.40s shuffles ", sb_number_grouped(total).text);
    sb_page_title(page, 1, "%s: n = %zu%s%s%s%s%s%s%s",
                  reports->all ? "Bias report on every shuffle" : "Bias report", reports->n, deal,
                  exact || sampled ? ", " : "", exact ? "exact" : "", exact && sampled ? " and " : "",
                  samples, sampled ? "sampled" : "", seed);
    if (reports->interrupted)
        sb_page_paragraph(page, SB_INK_DOUBT, "Ended early:",
                          "the run was interrupted, and this is what was counted until then.");
}

enum sb_status sb_document_write(const struct sb_reports *reports, struct sb_page *page)
{
    document_title(reports, page);
    if (reports->all)
        sb_document_summary(reports, page);
    for (size_t i = 0; i < reports->count && page->status == SB_OK && !ferror(page->stream);) {
        struct sb_pair pair;

        i = sb_pair_next(reports, i, &pair);
        if (!reports->all || sb_report_biased(pair.exact) || sb_report_biased(pair.sampled))
            sb_document_detail(&pair, page);
    }
    if (page->status != SB_OK)
        return page->status;
    return fflush(page->stream) == 0 && !ferror(page->stream) ? SB_OK : SB_IO;
}
