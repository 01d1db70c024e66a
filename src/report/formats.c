/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formats of all results. A format is a constant of struct sb_format_type, and never computes anything. */
#include "core/text.h"
#include "report/page.h"

/* Writes elements of SVG 1.1 to a stream. The caller checks the stream for errors. */

/* `names` are those of the numbers, each followed by a zero byte. */
static void svg_begin(struct sb_svg *svg, const char *element, const char *class, const char *names,
                      const double number[])
{
    fprintf(svg->stream, "<%s class=\"%s\"", element, class);
    for (; *names; names += strlen(names) + 1)
        sb_markup_attribute(svg->stream, names, *number++);
}

void sb_svg_line(struct sb_svg *svg, const char *class, double x1, double y1, double x2, double y2)
{
    svg_begin(svg, "line", class, "x1\0y1\0x2\0y2\0", (const double[]) { x1, y1, x2, y2 });
    fputs("/>\n", svg->stream);
}

void sb_svg_circle(struct sb_svg *svg, const char *class, double x, double y, double radius)
{
    svg_begin(svg, "circle", class, "cx\0cy\0r\0", (const double[]) { x, y, radius });
    fputs("/>\n", svg->stream);
}

void sb_svg_hatch(struct sb_svg *svg, double x, double y, double width, double height, double step)
{
    for (double at = step; at < width + height; at += step) {
        /* from the point `at` to the right of the upper left corner down to the left, within the rectangle */
        const double top = fmax(at - width, 0), bottom = fmin(at, height);

        fputc('M', svg->stream);
        sb_markup_number(svg->stream, x + at - top);
        sb_markup_number(svg->stream, y + top);
        fputc('l', svg->stream);
        sb_markup_number(svg->stream, top - bottom);
        sb_markup_number(svg->stream, bottom - top);
    }
}

void sb_svg_rect(struct sb_svg *svg, const char *class, double x, double y, double width, double height)
{
    svg_begin(svg, "rect", class, "x\0y\0width\0height\0", (const double[]) { x, y, width, height });
    fputs("></rect>\n", svg->stream);
}

void sb_svg_text(struct sb_svg *svg, const char *class, double x, double y, const char *format, ...)
{
    char text[512];
    va_list arguments;

    va_start(arguments, format);
    sb_decimal_format_list(text, sizeof text, format, arguments);
    va_end(arguments);
    svg_begin(svg, "text", class, "x\0y\0", (const double[]) { x, y });
    fputs(">", svg->stream);
    sb_typeset(text, strlen(text), svg->stream);
    fputs("</text>\n", svg->stream);
}

/* Draws a terminal's window. Each line of text is a row, and each run of characters of one colour is a <text> element.
 * Every element states its start and its length, so that columns stay aligned in any monospaced font. Colours are SGR
 * sequences (ECMA-48). */

enum {
    TERMINAL_MARGIN = 18,
    TERMINAL_BAR = 30,  /* height of the window's title bar */
    TERMINAL_LINE = 18, /* height of a row */
    TERMINAL_RUN_MOST = 1024,
};

static const double terminal_column = 7.8; /* width of a character in px, at a font size of 13 px */

static void terminal_run(const char *run, const char *class, size_t column, double y, FILE *stream)
{
    if (strspn(run, " ") == strlen(run))
        return;
    fprintf(stream, "<text");
    sb_markup_attribute(stream, "x", TERMINAL_MARGIN + terminal_column * (double)column);
    sb_markup_attribute(stream, "y", y);
    sb_markup_attribute(stream, "textLength", terminal_column * (double)sb_utf8_width(run));
    fprintf(stream, " class=\"%s\">", class);
    sb_markup_text(stream, run);
    fputs("</text>\n", stream);
}

/* Writes the rows of the text to the stream, unless it is NULL. Returns their number, and sets *columns to the largest
 * width. */
static size_t terminal_rows(const char *text, FILE *stream, size_t *columns)
{
    const char *class = "";
    size_t row = 0, column = 0;

    for (*columns = 0; *text;) {
        const size_t length = strcspn(text, "\033\n");
        char run[TERMINAL_RUN_MOST];

        if (length) {
            const size_t taken = length < sizeof run ? length : sizeof run - 1;

            snprintf(run, sizeof run, "%.*s", (int)taken, text);
            if (stream)
                terminal_run(run, class, column, TERMINAL_BAR + TERMINAL_LINE * (double)(row + 1) - 4, stream);
            column += sb_utf8_width(run);
            *columns = column > *columns ? column : *columns;
            text += taken;
        } else if (*text == '\n') {
            text++;
            row++;
            column = 0;
        } else {
            const size_t code = strcspn(text, "m");

            class = sb_page_terminal_class(text + 2, code - 2);
            text += code + (text[code] == 'm');
        }
    }
    return row;
}

/* Writes an SVG document of the text. The text is well-formed UTF-8, its lines end in "\n", and its colours
 * are those of sb_page_ink(). */
static void svg_plain(const char *text, FILE *stream)
{
    static const char *const button[] = { "#ff5f57", "#febc2e", "#28c840" };
    size_t columns;
    const size_t rows = terminal_rows(text, NULL, &columns);

    fputs("<svg xmlns=\"http://www.w3.org/2000/svg\"", stream);
    sb_markup_attribute(stream, "width", 2 * TERMINAL_MARGIN + terminal_column * (double)columns);
    sb_markup_attribute(stream, "height", TERMINAL_BAR + TERMINAL_MARGIN + TERMINAL_LINE * (double)rows);
    fputs(">\n<style>text { font: 13px ui-monospace, Menlo, Consolas, \"DejaVu Sans Mono\", monospace; fill: "
          "#d4d7dc; white-space: pre; }\n.strong { font-weight: 600; fill: #fff; } .faint { fill: #8b929c; } "
          ".over { fill: #e5b454; } .under { fill: #56b6c2; }\n.good { font-weight: 600; fill: #6cc070; } "
          ".bad { font-weight: 600; fill: #f2777a; } .doubt { font-weight: 600; fill: #e5b454; }</style>\n"
          "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#1d2025\"/>\n",
          stream);
    for (int i = 0; i < 3; i++)
        fprintf(stream, "<circle cx=\"%d\" cy=\"16\" r=\"6\" fill=\"%s\"/>\n", TERMINAL_MARGIN + 2 + 20 * i, button[i]);
    terminal_rows(text, stream, &columns);
    fputs("</svg>\n", stream);
}

/* For programs. JSON: one object, whose first member names the schema, a file of data/schema/. Other programs rely on
 * the names and types of members, so any change requires a new schema number. CSV, for spreadsheets, R and pandas: one
 * table with a header line and a line per fact. Lines end in LF. */

static enum sb_status json_write(const struct sb_result_type *type, const void *result, const struct sb_look *look,
                                 FILE *stream)
{
    struct sb_json json = { .stream = stream };

    sb_json_object(&json, NULL);
    sb_json_string(&json, "schema", type->schema);
    sb_json_string(&json, "version", SB_VERSION);
    type->json(result, &json);
    sb_json_close(&json);
    fputc('\n', stream);
    return SB_OK;
}

const struct sb_format_type sb_format_json = {
    .name = "json",
    .title = "one JSON object, for programs: its schema is in data/schema",
    .cite = "RFC 8259",
    .needs = SB_PART_JSON,
    .write = json_write,
};

static enum sb_status csv_write(const struct sb_result_type *type, const void *result, const struct sb_look *look,
                                FILE *stream)
{
    type->csv(result, stream);
    return SB_OK;
}

const struct sb_format_type sb_format_csv = {
    .name = "csv",
    .title = "one flat table, a line per fact, for spreadsheets, R and pandas",
    .cite = "RFC 4180",
    .needs = SB_PART_CSV,
    .write = csv_write,
};

static size_t cases_group(const struct sb_cases *cases, size_t begin)
{
    size_t count = 0;

    while (begin + count < cases->count && strcmp(cases->list[begin + count].group, cases->list[begin].group) == 0)
        count++;
    return count;
}

static size_t cases_ended(const struct sb_case list[], size_t count, enum sb_case_end end)
{
    size_t ended = 0;

    for (size_t i = 0; i < count; i++)
        ended += list[i].end == end;
    return ended;
}

static enum sb_status cases_write(const struct sb_result_type *type, const void *result,
                                  void (*document)(const struct sb_cases *cases, FILE *stream), FILE *stream)
{
    struct sb_cases cases = { 0 };
    enum sb_status status;

    type->cases(result, &cases);
    status = cases.status;
    if (status == SB_OK)
        document(&cases, stream);
    for (size_t i = 0; i < cases.count; i++)
        free(cases.list[i].text);
    free(cases.list);
    return status;
}

/* JUnit's XML for CI systems, with a testsuite per subject and a testcase per case. The format has no official
 * definition; data/schema/junit.xsd is the subset that Jenkins, GitLab and GitHub all read. `message` has only the
 * first line of the text; the body has all of it, and the name of a testcase begins with that of the testsuite,
 * because some readers ignore the former. Characters that XML forbids are replaced. There is no time in it, so the
 * same result gives the same file. */

static void junit_attribute(const char *name, const char *text, FILE *stream)
{
    fprintf(stream, " %s=\"", name);
    sb_markup_text(stream, text);
    fputc('"', stream);
}

static void junit_counts(const struct sb_case list[], size_t count, FILE *stream)
{
    fprintf(stream, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\"", count, cases_ended(list, count, SB_CASE_FAILED),
            cases_ended(list, count, SB_CASE_BROKEN));
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
    sb_markup_text(stream, one->group);
    fprintf(stream, ": %s%s\">\n      <%s", one->name, one->of, element[one->end]);
    if (one->end != SB_CASE_PASSED) {
        if (one->end != SB_CASE_SKIPPED)
            fprintf(stream, " type=\"%s\"", one->kind);
        fputs(" message=\"", stream);
        sb_markup_part(stream, one->text, strcspn(one->text, "\n"));
        fputc('"', stream);
    }
    fputc('>', stream);
    sb_markup_text(stream, one->text);
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

        count = cases_group(cases, i);
        fputs("  <testsuite", stream);
        junit_attribute("name", list->group, stream);
        junit_counts(list, count, stream);
        fprintf(stream, " skipped=\"%zu\">\n", cases_ended(list, count, SB_CASE_SKIPPED));
        for (size_t j = 0; j < count; j++)
            junit_case(&list[j], stream);
        fputs("  </testsuite>\n", stream);
    }
    fputs("</testsuites>\n", stream);
}

static enum sb_status junit_write(const struct sb_result_type *type, const void *result, const struct sb_look *look,
                                  FILE *stream)
{
    return cases_write(type, result, junit_document, stream);
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
    fprintf(stream, ": %s%s%s\n", one->name, one->of, one->end == SB_CASE_SKIPPED ? " # SKIP not settled" : "");
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

static enum sb_status tap_write(const struct sb_result_type *type, const void *result, const struct sb_look *look,
                                FILE *stream)
{
    return cases_write(type, result, tap_document, stream);
}

const struct sb_format_type sb_format_tap = {
    .name = "tap",
    .title = "the Test Anything Protocol, a test per report",
    .cite = "TAP specification, version 13",
    .needs = SB_PART_CASES,
    .write = tap_write,
};

/* For people: text of 100 columns for terminals, whose `look` says whether it is Unicode and has colours; GitHub's
 * Markdown, always in Unicode; one self-contained page for browsers; and a picture, of a figure or of the text. */

static enum sb_status text_write(const struct sb_result_type *type, const void *result, const struct sb_look *look,
                                 FILE *stream)
{
    struct sb_page page = { .stream = stream, .look = *look };

    type->page(result, &page);
    return page.status;
}

const struct sb_format_type sb_format_text = {
    .name = "text",
    .title = "tables and bars for a terminal",
    .needs = SB_PART_PAGE,
    .write = text_write,
};

static enum sb_status markdown_write(const struct sb_result_type *type, const void *result, const struct sb_look *look,
                                     FILE *stream)
{
    struct sb_page page = { .stream = stream, .markdown = true, .look = { .unicode = true, .details = look->details } };

    type->page(result, &page);
    return page.status;
}

const struct sb_format_type sb_format_markdown = {
    .name = "markdown",
    .title = "the same as text, in Markdown with tables",
    .cite = "GitHub Flavored Markdown Spec 0.29",
    .needs = SB_PART_PAGE,
    .write = markdown_write,
};

static enum sb_status html_write(const struct sb_result_type *type, const void *result, const struct sb_look *look,
                                 FILE *stream)
{
    struct sb_html html = { .stream = stream };

    if (type->html) {
        type->html(result, &html);
    } else {
        sb_html_open(type->title, NULL, stream, &html);
        type->page(result, &html.page);
        sb_html_close(&html);
    }
    return html.page.status;
}

const struct sb_format_type sb_format_html = {
    .name = "html",
    .title = "one page for a browser, with figures; it loads nothing else",
    .cite = "HTML Living Standard; Content Security Policy Level 3",
    .needs = SB_PART_HTML | SB_PART_PAGE,
    .write = html_write,
};

static enum sb_status svg_terminal(const struct sb_result_type *type, const void *result, FILE *stream)
{
    char *text = NULL;
    size_t size;
    struct sb_page page = { .stream = sb_memory_stream_open(&text, &size),
                            .look = { .unicode = true, .colour = true } };
    enum sb_status status = SB_NO_MEMORY;

    if (!page.stream)
        return status;
    type->page(result, &page);
    if (sb_memory_stream_close(page.stream, &text) && page.status == SB_OK) {
        svg_plain(text, stream);
        status = SB_OK;
    }
    free(text);
    return status;
}

static enum sb_status svg_write(const struct sb_result_type *type, const void *result, const struct sb_look *look,
                                FILE *stream)
{
    if (!type->svg || (look->figure && strcmp(look->figure, "terminal") == 0))
        return svg_terminal(type, result, stream);
    return type->svg(result, look->figure, stream);
}

const struct sb_format_type sb_format_svg = {
    .name = "svg",
    .title = "one figure: bars of permutations, the tree of draws, the matrix of items by positions, or the text",
    .cite = "SVG 1.1, W3C",
    .needs = SB_PART_SVG | SB_PART_PAGE,
    .write = svg_write,
};
