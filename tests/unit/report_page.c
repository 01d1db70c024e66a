/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties of reports as text, Markdown and CSV, whatever they contain. For their look, see tests/golden. */
#include "unit/ask.h"

#include <math.h>
#include <signal.h>

static const char *const schemes[] = {
    "scheme=naive n=3 by=both samples=27000",
    "scheme=fisher-yates n=3 by=both samples=27000",
    "n=3 samples=20000",                           /* all schemes */
    "scheme=fisher-yates n=0 by=exact",            /* an empty deck */
    "scheme=fisher-yates n=5 deal=2 samples=1000", /* hands */
    "scheme=naive n=13 samples=1300",              /* a matrix without a table */
    "scheme=sort-by-key:53 n=2 by=exact",          /* beyond 64 bits */
    "scheme=sattolo n=9 by=exact",                 /* counts that are not listed */
    "scheme=fisher-yates n=1 samples=1 by=sample", /* numbers that do not exist */
};

enum { ALL = 2 }; /* whose table is as wide as the longest name makes it */

enum { SCHEMES = sizeof schemes / sizeof schemes[0], REPORTS = SCHEMES + 1 };

static const char hostile[] = "a\"b\\c|<d>*_`\x1B[31m\xFF,\xC3\xA9";

/* The report on a scheme or, last, on a function whose name wants escaping in every format. */
static struct sb_result *report(size_t index)
{
    static uint64_t word = 1;
    struct sb_request *const request = ask("report", index < SCHEMES ? schemes[index] : "n=2 samples=1");

    if (index == SCHEMES) {
        put(request, "name", hostile);
        sb_set_shuffle(request, fair_shuffle, &word);
    }
    return answer(request);
}

static const char *text_of(struct sb_result *result, const char *format, bool unicode, bool colour)
{
    assert_true(sb_look(result, "unicode", unicode ? "1" : "0") && sb_look(result, "colour", colour ? "1" : "0"));
    const char *const text = sb_text(result, format, NULL);

    if (!text)
        fail_msg("%s", sb_result_error(result));
    return text;
}

/* The formats that every report has, from `*at` on; NULL behind the last. */
static const char *next_format(size_t *at)
{
    for (const char *family; (family = sb_entry(*at, "family")); ++*at)
        if (strcmp(family, "format") == 0)
            return sb_entry((*at)++, "name");
    return NULL;
}

/* Code points, since none here is wide. */
static size_t columns(const char *line, size_t length)
{
    size_t width = 0;

    for (size_t i = 0; i < length; i++)
        width += ((unsigned char)line[i] & 0xC0) != 0x80;
    return width;
}

static void check_lines(const char *text, size_t most)
{
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        const size_t length = strcspn(line, "\n");

        assert_int_equal(line[length], '\n');
        assert_in_range(columns(line, length), 0, most);
        assert_true(length == 0 || line[length - 1] != ' ');
    }
}

/* Colours are switched off again, and take no room. */
static void check_colours(const char *colour, const char *plain)
{
    bool on = false;

    for (; *colour; colour++)
        if (*colour == '\x1B') {
            const bool off = strncmp(colour, "\x1B[0m", 4) == 0;

            assert_true(on == off);
            on = !off;
            colour = strchr(colour, 'm');
        } else {
            assert_int_equal(*colour, *plain++);
        }
    assert_true(*plain == '\0' && !on);
}

TEST(text_fits_100_columns_in_ascii_and_in_colour)
{
    for (size_t i = 0; i < REPORTS; i++) {
        struct sb_result *const result = report(i);
        const char *const ascii = text_of(result, "text", false, false);

        check_lines(ascii, i == ALL ? 120 : 100);
        for (const char *c = ascii; *c; c++)
            assert_true(*c == '\n' || (*c >= ' ' && *c <= '~'));
        char *const plain = strdup(text_of(result, "text", true, false));

        check_lines(plain, i == ALL ? 120 : 100);
        check_colours(text_of(result, "text", true, true), plain);
        free(plain);
        sb_result_free(result);
    }
}

TEST(no_format_prints_a_nan)
{
    for (size_t i = SCHEMES - 1; i < REPORTS; i++) {
        struct sb_result *const result = report(i);
        size_t at = 0;

        for (const char *format; (format = next_format(&at));) {
            const char *const text = sb_text(result, format, NULL);

            if (!text) /* a figure of what does not exist */
                continue;
            assert_null(strstr(text, "nan"));
            assert_null(strstr(text, "inf,"));
            assert_null(strstr(text, "(null)"));
        }
        sb_result_free(result);
    }
}

/* Cells between unescaped bars: as many in every row of a table. */
TEST(markdown_tables_are_rectangular)
{
    for (size_t i = 0; i < REPORTS; i++) {
        struct sb_result *const result = report(i);
        const char *const text = text_of(result, "markdown", true, false);
        size_t expected = 0, rows = 0;

        for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
            size_t bars = 0;

            for (const char *c = line; *c != '\n'; c++)
                bars += *c == '|' && (c == line || c[-1] != '\\');
            if (*line != '|')
                expected = 0;
            else if (expected == 0)
                expected = bars;
            assert_int_equal(*line == '|' ? bars : 0, expected);
            rows += *line == '|';
        }
        assert_true(rows >= 3); /* there is a table */
        sb_result_free(result);
    }
}

/* Fields of the record at *at, which steps behind it, by RFC 4180. */
static size_t csv_fields(const char **at)
{
    bool quoted = false;
    size_t fields = 1;
    const char *c = *at;

    for (; *c && (quoted || *c != '\n'); c++) {
        if (*c == '"')
            quoted = !quoted;
        fields += !quoted && *c == ',';
    }
    *at = *c ? c + 1 : c;
    return fields;
}

TEST(csv_is_rectangular)
{
    for (size_t i = 0; i < REPORTS; i++) {
        struct sb_result *const result = report(i);
        const char *at = text_of(result, "csv", true, false);
        size_t records = 0;

        for (; *at; records++)
            assert_int_equal(csv_fields(&at), 19);
        assert_true(records > 3);
        sb_result_free(result);
    }
}

static void check_contains(const char *text, const char *words)
{
    if (!strstr(text, words))
        fail_msg("'%s' is missing in: %s", words, text);
}

TEST(hostile_names_are_escaped)
{
    struct sb_result *const result = report(SCHEMES);

    check_contains(text_of(result, "markdown", true, false), "a\"b\\\\c\\|\\<d\\>\\*\\_\\`\uFFFD\\[31m\uFFFD,\u00E9");
    check_contains(text_of(result, "csv", true, false), "\"a\"\"b\\c|<d>*_`\uFFFD[31m\uFFFD,\u00E9\",sample,2,2,");
    sb_result_free(result);
}

TEST(csv_says_what_was_found)
{
    struct sb_result *const result = report(0);
    const char *const csv = text_of(result, "csv", true, false);

    check_contains(csv, "\nnaive,exact,3,3,permutation,132,,,,5,27,0.18518518518518517,1.1111111111111112,,,,,,\n");
    check_contains(csv, "\nnaive,exact,3,3,matrix,,,2,1,10,27,0.37037037037037035,,,,,,,\n");
    check_contains(csv, "\nnaive,sample,3,3,verdict,biased,,,,,,,,,,,,");
    sb_result_free(result);
}

/* What cannot be written where nobody reads, as on a full disk, or to a stream for reading, fails in every format. */
TEST(failed_writes_are_noticed)
{
    struct sb_result *const result = report(0);
    size_t at = 0;

    signal(SIGPIPE, SIG_IGN);
    for (const char *format; (format = next_format(&at));) {
        int ends[2];

        assert_int_equal(pipe(ends), 0);
        close(ends[0]);
        FILE *const broken = fdopen(ends[1], "w"), *const closed = fopen("/dev/null", "r");

        assert_true(broken && closed);
        assert_int_equal(sb_write(result, format, broken), SB_IO);
        assert_int_equal(sb_write(result, format, closed), SB_IO);
        fclose(broken);
        fclose(closed);
    }
    sb_result_free(result);
}
