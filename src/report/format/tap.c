/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Test Anything Protocol: one line per case. A block of YAML with the text follows a case that did not
 * pass. The text is a JSON string, which is valid YAML. The format is version 13, which readers of version 14
 * also accept. A `#` would begin a directive, so every `#` is escaped as in version 14.
 *
 * https://testanything.org/tap-version-13-specification.html
 */
#include "report/ci/cases.h"

#include "core/text.h"
#include "report/format/format.h"
#include "report/json_writer.h"

/* Writes the description of a case. Replaces line ends, and escapes every `#`, which could begin a
 * directive. */
static void tap_text(const char *text, FILE *stream)
{
    struct sb_log_text outside = { .rest = text };

    for (uint32_t point; (point = sb_log_text_next(&outside)) != 0;) {
        char bytes[4];

        if (point == '#' || point == '\\')
            fputc('\\', stream);
        if (point == '\n' || point == '\r' || point == '\t')
            point = ' ';
        fwrite(bytes, 1, sb_utf8_put(point, bytes), stream);
    }
}

static void tap_case(const struct sb_case *one, size_t number, FILE *stream)
{
    struct sb_json json = { .stream = stream };

    fprintf(stream, "%s %zu - ", one->end >= SB_CASE_FAILED ? "not ok" : "ok", number);
    tap_text(one->group, stream);
    fprintf(stream, ": %s%s%s\n", one->name, one->of,
            one->end == SB_CASE_SKIPPED ? " # SKIP not settled" : "");
    if (one->end < SB_CASE_FAILED)
        return;
    fputs("  ---\n  message: ", stream);
    sb_json_string(&json, NULL, one->text);
    fprintf(stream, "\n  severity: %s\n  ...\n", one->kind);
}

static void tap_document(const struct sb_cases *cases, FILE *stream)
{
    fputs("TAP version 13\n", stream);
    if (cases->title) {
        fputs("# ", stream);
        tap_text(cases->title, stream);
        fputc('\n', stream);
    }
    fprintf(stream, "1..%zu\n", cases->count);
    for (size_t i = 0; i < cases->count; i++)
        tap_case(&cases->list[i], i + 1, stream);
}

static bool tap_has(const struct sb_result_type *type)
{
    return type->cases;
}

static enum sb_status tap_write(const struct sb_result_type *type, const void *result,
                                const struct sb_look *look, FILE *stream)
{
    (void)look;
    return sb_cases_write(type, result, tap_document, stream);
}

const struct sb_format_type sb_format_tap = {
    .name = "tap",
    .title = "the Test Anything Protocol, a test per report",
    .cite = "TAP specification, version 13",
    .has = tap_has,
    .write = tap_write,
};
