/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JUnit's XML for CI systems, with a testsuite per subject and a testcase per case. The format has no
 * official definition. data/schema/junit.xsd describes the subset that Jenkins, GitLab and GitHub all read.
 * The attribute `message` has only the first line of the text. The body of a testcase has the whole text,
 * because some readers ignore the attribute. The name of a testcase begins with the name of the testsuite,
 * because some readers ignore the testsuite. Any text gives well-formed output: characters that XML forbids
 * are replaced. The output contains no time, so the same result gives the same file.
 */
#include "core/text.h"

#include "report/format/format.h"
#include "report/result.h"

#include <string.h>

/* Writes `length` bytes of text for a body or for an attribute in double quotes. */
static void junit_text(const char *text, size_t length, FILE *stream)
{
    struct sb_log_text outside = { .rest = text };

    for (uint32_t point; outside.rest < text + length && (point = sb_log_text_next(&outside)) != 0;) {
        char bytes[4];

        if (point == '&')
            fputs("&amp;", stream);
        else if (point == '<')
            fputs("&lt;", stream);
        else if (point == '>') /* escaped because "]]>" is forbidden */
            fputs("&gt;", stream);
        else if (point == '"')
            fputs("&quot;", stream);
        else if (point == '\r') /* a reader would take this byte for a line end */
            fputs("&#13;", stream);
        else
            fwrite(bytes, 1, sb_utf8_put(point, bytes), stream);
    }
}

static void junit_attribute(const char *name, const char *text, FILE *stream)
{
    fprintf(stream, " %s=\"", name);
    junit_text(text, strlen(text), stream);
    fputc('"', stream);
}

static void junit_counts(const struct sb_case list[], size_t count, FILE *stream)
{
    fprintf(stream, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", count,
            sb_cases_ended(list, count, SB_CASE_FAILED), sb_cases_ended(list, count, SB_CASE_BROKEN));
}

static void junit_case(const struct sb_case *one, FILE *stream)
{
    static const char *const element[] = {
        [SB_CASE_PASSED] = "system-out",
        [SB_CASE_SKIPPED] = "skipped",
        [SB_CASE_FAILED] = "failure",
        [SB_CASE_BROKEN] = "error",
    };

    fputs("    <testcase", stream);
    junit_attribute("classname", one->group, stream);
    fputs(" name=\"", stream);
    junit_text(one->group, strlen(one->group), stream);
    fprintf(stream, ": %s%s\">\n      <%s", one->name, one->of, element[one->end]);
    if (one->end != SB_CASE_PASSED) {
        if (one->end != SB_CASE_SKIPPED)
            fprintf(stream, " type=\"%s\"", one->kind);
        fputs(" message=\"", stream);
        junit_text(one->text, strcspn(one->text, "\n"), stream);
        fputc('"', stream);
    }
    fputc('>', stream);
    junit_text(one->text, strlen(one->text), stream);
    fprintf(stream, "</%s>\n    </testcase>\n", element[one->end]);
}

static void junit_document(const struct sb_cases *cases, FILE *stream)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", stream);
    junit_attribute("name", cases->title ? cases->title : "shufflebias", stream);
    junit_counts(cases->list, cases->count, stream);
    fputs(">\n", stream);
    for (size_t i = 0, count; i < cases->count; i += count) {
        const struct sb_case *const list = &cases->list[i];

        count = sb_cases_group(cases, i);
        fputs("  <testsuite", stream);
        junit_attribute("name", list->group, stream);
        junit_counts(list, count, stream);
        fprintf(stream, " skipped=\"%zu\">\n", sb_cases_ended(list, count, SB_CASE_SKIPPED));
        for (size_t j = 0; j < count; j++)
            junit_case(&list[j], stream);
        fputs("  </testsuite>\n", stream);
    }
    fputs("</testsuites>\n", stream);
}

static enum sb_status junit_write(const struct sb_result_type *type, const void *result,
                                  const struct sb_look *look, FILE *stream)
{
    return sb_cases_write(type, result, junit_document, stream);
}

const struct sb_format_type sb_format_junit = {
    .name = "junit",
    .title = "JUnit's XML, a testcase per report: data/schema/junit.xsd",
    .needs = SB_PART_CASES,
    .write = junit_write,
};

/*
 * The Test Anything Protocol: one line per case. A block of YAML with the text follows a case that did not
 * pass. The text is a JSON string, which is valid YAML. The format is version 13, which readers of version 14
 * also accept. A `#` would begin a directive, so every `#` is escaped as in version 14.
 *
 * https://testanything.org/tap-version-13-specification.html
 */

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

static enum sb_status tap_write(const struct sb_result_type *type, const void *result,
                                const struct sb_look *look, FILE *stream)
{
    return sb_cases_write(type, result, tap_document, stream);
}

const struct sb_format_type sb_format_tap = {
    .name = "tap",
    .title = "the Test Anything Protocol, a test per report",
    .cite = "TAP specification, version 13",
    .needs = SB_PART_CASES,
    .write = tap_write,
};
