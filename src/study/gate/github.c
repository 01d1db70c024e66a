/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Annotations of GitHub's workflows: a line for each subject that did not pass,
 *
 *     ::error title=shufflebias%3A naive::FAIL after 4,492 permutations: ...
 *
 * In these lines %, CR and LF are written as %25, %0D and %0A; in the title also ':' and ',' as %3A and %2C.
 * GitHub shows at most ten annotations of a step, so sb_suite_github() writes at most ten annotations.
 *
 * https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
#include "core/text.h"
#include "study/gate/gate_text.h"

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

enum sb_status sb_suite_github(const void *result, FILE *stream)
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
        fprintf(stream, "::%s title=shufflebias%%3A ",
                verdict == SB_VERDICT_INCONCLUSIVE ? "warning" : "error");
        github_text(item->name, true, stream);
        fputs("::", stream);
        github_text(item->gate ? item->gate->sentence : item->error.text, false, stream);
        fputc('\n', stream);
        left--;
    }
    return SB_OK;
}
