/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate's findings as test cases. The subject's verdict is one case, which corresponds to the exit status:
 * this case succeeds only if the subject passed. Each statistic is another case. The case of a statistic
 * fails if the statistic is named as biased. The case is skipped if the statistic's bound is not below the
 * requested bound, unless the subject passed without that statistic.
 */
#include "report/ci/cases.h"

#include "core/text.h"
#include "report/number.h"
#include "report/print.h"
#include "study/gate/gate_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CASES_NAMED_MOST = 12 }; /* the most members of a statistic that are listed */

/* Returns the evidence about the statistic whose lines are line[begin..end-1]: the maxima of E and of both
 * bounds over these lines. */
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

/* Lists the members that are named as biased, and the most deviant cells of these members. */
static void cases_named(const struct sb_gate *gate, size_t begin, size_t end, FILE *stream)
{
    size_t named = 0;
    char what[SB_GATE_WHAT];

    for (size_t i = begin; i < end; i++)
        if (gate->line[i].rejected && named++ < CASES_NAMED_MOST) {
            sb_gate_what(gate, &gate->line[i], what);
            fprintf(stream, "named: %s\n", what);
        }
    if (named > CASES_NAMED_MOST)
        fprintf(stream, "and %zu more\n", named - CASES_NAMED_MOST);
    if (named && gate->jointly)
        fprintf(stream, "no single one is shown to be biased, but at least one of those that are named is\n");
    for (size_t i = 0; i < gate->cells_count; i++) {
        const struct sb_gate_cell *const cell = &gate->cell[i];

        if (cell->line >= begin && cell->line < end)
            fprintf(stream, "%s came up %s times instead of %s\n", cell->where,
                    sb_number_grouped(cell->count).text, sb_number_fixed(cell->expected, 1).text);
    }
}

static void cases_statistic(const struct sb_gate *gate, const char *group, size_t begin, size_t end,
                            struct sb_cases *cases)
{
    const struct sb_gate_line largest = cases_largest(gate, begin, end);
    const bool open =
        !largest.dependence && gate->verdict != SB_VERDICT_PASS && !(largest.tv_high < gate->terms.exclude);
    const bool tolerated = gate->terms.tolerate > 0 && largest.ln_e >= -log(gate->terms.alpha);
    struct sb_case one = {
        .group = group,
        .name = largest.dependence ? "dependence" : largest.statistic,
        .of = largest.lag && !largest.dependence ? " of increments" : "",
        .end = largest.rejected ? SB_CASE_FAILED
               : open           ? SB_CASE_SKIPPED
                                : SB_CASE_PASSED,
        .kind = largest.rejected ? "fail" : "inconclusive",
    };
    size_t size;
    FILE *const stream = sb_memory_stream_open(&one.text, &size);

    if (stream) {
        fprintf(stream, "%s: E = %s",
                largest.rejected ? "biased"
                : open           ? "not settled"
                : tolerated      ? "no bias as large as asked for"
                                 : "no bias shown",
                sb_number_exp(largest.ln_e).text);
        if (isfinite(largest.tv_high))
            sb_print(stream, ", total variation%s %s; asked for: below %s",
                     largest.merged ? " of groups of its values" : "",
                     sb_gate_bounds_range(largest.tv_low, largest.tv_high).text,
                     sb_number_given(gate->terms.exclude).text);
        fputc('\n', stream);
        cases_named(gate, begin, end, stream);
        if (!sb_memory_stream_close(stream, &one.text)) {
            free(one.text);
            one.text = NULL;
        }
    }
    sb_cases_add(cases, one);
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
                            .text = strdup(item->gate ? item->gate->sentence : item->error.text),
                        });
}

void sb_cases_suite(const void *result, struct sb_cases *cases)
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
