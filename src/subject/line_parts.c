/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps that find the deck in a line: the text and its messages, the fields, a regular expression. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "core/system.h"
#include "core/text.h"
#include "subject/parts.h"

#include <pcre2.h>

enum sb_line_result sb_line_reject(struct sb_line *line, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    sb_decimal_format_list(line->wrong, sizeof line->wrong, format, arguments);
    va_end(arguments);
    return SB_LINE_REJECTED;
}

enum sb_line_result sb_line_reject_text(struct sb_line *line, const char *before, const char *text, size_t length,
                                        const char *after)
{
    char part[4 * SB_LINE_SHOWN] = "";
    char *shown;

    memcpy(part, text, length < sizeof part ? length : sizeof part - 1);
    shown = sb_sanitize_text(part, SB_LINE_SHOWN);
    sb_line_reject(line, "%s'%s'%s", before, shown ? shown : "...", after);
    free(shown);
    return SB_LINE_REJECTED;
}

void sb_line_keep(struct sb_line *line, const char *from, size_t length)
{
    line->cut += (size_t)(from - line->text);
    memmove(line->text, from, length);
    line->length = length;
    line->text[length] = '\0';
}

/* The fields of a line. Without a separator, fields are what blanks separate, as in awk: any number of blanks is one
 * separator, and blanks at the start of the line do not count. With a separator, each occurrence separates, as in cut,
 * so fields may be empty. */

/* Reads a number of a field, without a sign. Returns 0 if there is none. */
static size_t field_number(const char **text)
{
    char *end;
    const unsigned long number = **text >= '0' && **text <= '9' ? strtoul(*text, &end, 10) : 0;

    if (number)
        *text = end;
    return number < SIZE_MAX ? number : 0;
}

enum sb_status sb_fields_open(const char *field, const char *separator, char titles, struct sb_error *error,
                              struct sb_fields *fields)
{
    const char *rest = field;
    const size_t first = field_number(&rest);
    size_t last = first;

    if (*rest == '-') {
        rest++;
        last = *rest ? field_number(&rest) : SIZE_MAX;
    }
    if (first == 0 || last < first || *rest)
        return sb_error_set(error, SB_INVALID, "`field%s%.40s`: fields count from 1: use N, N- (up to the last) or N-M",
                            *field ? "=" : "", field);
    if (separator && (!*separator || strpbrk(separator, "\r\n")))
        return sb_error_set(error, SB_INVALID,
                            "`separator`: must be one or more characters of a line: use \\t for a tab, or leave it "
                            "out for blanks");
    *fields = (struct sb_fields) {
        .first = first,
        .last = last,
        .separator = separator && strcmp(separator, "\\t") == 0 ? "\t" : separator,
        .titles = { (char)(titles == '\n' ? ',' : titles) },
    };
    return SB_OK;
}

/* What separates the fields of a line, if no separator is given: the first that it has of these, unless it has blanks.
 * Quotation marks protect blanks and separators. */
static void field_guess(const char *line, struct sb_fields *fields)
{
    static const char *const guesses[] = { ";", ",", "|" };
    bool quote = false, found[] = { false, false, false };

    for (const char *c = line; *c; c++) {
        quote = quote != (*c == '"');
        if (!quote && (*c == ' ' || *c == '\t'))
            return;
        for (size_t i = 0; !quote && i < sizeof found / sizeof found[0]; i++)
            found[i] = found[i] || *c == guesses[i][0];
    }
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++)
        if (found[i]) {
            if (strchr(line, '"'))
                fields->titles[0] = guesses[i][0];
            else
                fields->separator = guesses[i];
            return;
        }
}

/* Numbers with '-' between them, such as 5-12-23. No item has a sign. */
static void field_hyphens(char *text)
{
    static const char known[] = "0123456789- \"";

    for (char *c = text + 1; text[strspn(text, known)] == '\0' && c[-1] && *c; c++)
        if (*c == '-' && c[-1] >= '0' && c[-1] <= '9' && c[1] >= '0' && c[1] <= '9')
            *c = ' ';
}

static char *field_end(const struct sb_fields *fields, char *at, char **next)
{
    if (!fields->separator && !fields->titles[0]) {
        char *const end = at + strcspn(at, " \t");

        *next = end + strspn(end, " \t");
        *next = **next ? *next : NULL;
        return end;
    }
    const char *const separator = fields->separator ? fields->separator : fields->titles;
    const char *close = fields->titles[0] && *at == '"' ? strchr(at + 1, '"') : NULL;

    while (close && close[1] == '"')
        close = strchr(close + 2, '"');
    char *const end = strstr(close ? close : at, separator);

    *next = end ? end + strlen(separator) : NULL;
    return end ? end : at + strlen(at);
}

enum sb_line_result sb_fields_take(const struct sb_fields *given, struct sb_line *line)
{
    struct sb_fields own = *given;
    const struct sb_fields *const fields = &own;

    if (!own.separator && !own.titles[0])
        field_guess(line->text, &own);
    char *at = line->text + (fields->separator ? 0 : strspn(line->text, " \t")), *end = at, *from = NULL;
    size_t count = 0;

    for (char *next = NULL; at && count < fields->last; at = next) {
        end = field_end(fields, at, &next);
        count++;
        if (count == fields->first)
            from = at;
        if (next && count >= fields->first && count < fields->last && !fields->titles[0])
            memset(end, ' ', (size_t)(next - end)); /* a separator between the fields to keep */
        if (!next)
            break;
    }
    if (!from)
        return sb_line_reject(line,
                              "there is no field %zu, only %zu: correct `field`, or select the lines that have it "
                              "with `match`",
                              fields->first, count);
    sb_line_keep(line, from, (size_t)(end - from));
    field_hyphens(line->text);
    return strspn(line->text, " \t") < line->length
               ? SB_LINE_TAKEN
               : sb_line_reject(line, "field %zu is empty: delete the line, or correct `field`", fields->first);
}

/*
 * The first group of a regular expression, found by PCRE2.
 *
 * PCRE2's own limit of steps holds for each place where a match may begin, so that the work on a line could still
 * grow with the square of its length. Therefore the patterns have callouts before each item (PCRE2_AUTO_CALLOUT),
 * which count the steps of the whole line, and look at the stop flag and the clock.
 */

enum {
    MATCH_NESTED_MOST = 100,      /* groups within groups; their compilation is recursive */
    MATCH_STEPS_MOST = 100000000, /* for a line; they take some seconds */
    MATCH_SCANNED = 16,           /* bytes that repetitions scan in the time of a step */
    MATCH_HEAP_MOST = 128 << 10,  /* KiB; a repeated group takes 0.4 KiB for each item of a line's deck */
    MATCH_CLOCK = 64,             /* steps from one look at the clock to the next */
};

struct sb_match {
    pcre2_code *utf8, *bytes; /* for lines that are UTF-8, and for others; NULL: the pattern is not of this kind */
    pcre2_match_context *context;
    pcre2_match_data *data;

    struct sb_match_limits *limits; /* those of the line being matched */
    uint64_t callouts;              /* in all lines */
    uint64_t steps;                 /* in this line */
    size_t at;                      /* place in the line of the last callout */
    bool stopped, late;             /* whether a callout ended the match */
};

/* Returns what has another meaning in GNU's extended regular expressions than in those of PCRE2, and sets
 * *remedy; NULL: there is nothing. */
static const char *match_of_gnu(const char *pattern, const char **remedy)
{
    for (const char *c = pattern; *c; c++) {
        if (*c == '\\' && c[1]) {
            *remedy = strchr("<>", c[1]) ? "\\b" : c[1] == '`' ? "^" : c[1] == '\'' ? "$" : NULL;
            if (*remedy)
                return c;
            c++;
        } else if (c[0] == '{' && c[1] == ',' && c[2] >= '0' && c[2] <= '9') {
            *remedy = "{0,";
            return c;
        }
    }
    return NULL;
}

static pcre2_code *match_compile(const char *pattern, uint32_t options, int *fault, size_t *place)
{
    pcre2_compile_context *const context = pcre2_compile_context_create(NULL);
    pcre2_code *code = NULL;

    *fault = PCRE2_ERROR_HEAP_FAILED;
    if (!context)
        return NULL;
    pcre2_set_parens_nest_limit(context, MATCH_NESTED_MOST);
    code = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
                         options | PCRE2_AUTO_CALLOUT | PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C,
                         fault, place, context);
    pcre2_compile_context_free(context);
    return code;
}

/* Compiles the pattern for both kinds of lines. A pattern that names characters beyond a byte is for UTF-8
 * alone, and a pattern that is not UTF-8 is for bytes alone. */
static enum sb_status match_compile_both(const char *pattern, struct sb_error *error, struct sb_match *match)
{
    int fault = 0, fault_bytes = 0;
    size_t place = 0, place_bytes = 0;
    char what[120] = "";

    match->utf8 = match_compile(pattern, PCRE2_UTF | PCRE2_UCP, &fault, &place);
    match->bytes = match_compile(pattern, PCRE2_NEVER_UTF, &fault_bytes, &place_bytes);
    if ((!match->utf8 && fault == PCRE2_ERROR_HEAP_FAILED) || (!match->bytes && fault_bytes == PCRE2_ERROR_HEAP_FAILED))
        return sb_error_memory(error, "a regular expression");
    if (match->utf8 || (fault < 0 && match->bytes)) /* below 0: the pattern is not UTF-8 */
        return SB_OK;
    if (fault < 0) {
        fault = fault_bytes;
        place = place_bytes;
    }
    pcre2_get_error_message(fault, (PCRE2_UCHAR *)what, sizeof what);
    return sb_error_set(error, SB_INVALID,
                        "`match`: '%.60s' is not a regular expression: %s, at byte %zu: correct it, and try "
                        "it with 'grep -P'",
                        pattern, what, place);
}

static enum sb_status match_check(const char *pattern, struct sb_error *error)
{
    const char *remedy = NULL;
    const char *const gnu = match_of_gnu(pattern, &remedy);
    const size_t length = strlen(pattern);

    if (length > SB_MATCH_PATTERN_MOST)
        return sb_error_set(error, SB_INVALID, "`match`: the pattern has %zu bytes: use at most %d", length,
                            SB_MATCH_PATTERN_MOST);
    return gnu ? sb_error_set(error, SB_INVALID, "`match`: '%.2s' has this meaning only for grep -E: write %s", gnu,
                              remedy)
               : SB_OK;
}

static bool match_is_late(struct sb_match_limits *limits)
{
    const double now = sb_clock_now();

    if (limits->found)
        limits->deadline = fmax(limits->deadline, now + limits->timeout);
    limits->found = false;
    return now >= limits->deadline;
}

static int match_step(pcre2_callout_block *block, void *state)
{
    struct sb_match *const match = state;
    const size_t at = block->current_position;
    struct sb_match_limits *const limits = match->limits;

    match->steps += 1 + (at > match->at ? at - match->at : match->at - at) / MATCH_SCANNED;
    match->at = at;
    match->stopped = limits->stop && *limits->stop;
    match->late = ++match->callouts % MATCH_CLOCK == 0 && match_is_late(limits);
    return match->stopped || match->late || match->steps > MATCH_STEPS_MOST ? PCRE2_ERROR_CALLOUT : 0;
}

static enum sb_status match_prepare(struct sb_error *error, struct sb_match *match)
{
    match->context = pcre2_match_context_create(NULL);
    match->data = pcre2_match_data_create(2, NULL); /* the match and the first group */
    if (!match->context || !match->data)
        return sb_error_memory(error, "a regular expression");
    pcre2_set_match_limit(match->context, MATCH_STEPS_MOST);
    pcre2_set_depth_limit(match->context, MATCH_STEPS_MOST); /* the heap limit is reached before */
    pcre2_set_heap_limit(match->context, MATCH_HEAP_MOST);
    pcre2_set_callout(match->context, match_step, match);
    return SB_OK;
}

enum sb_status sb_match_open(const char *pattern, struct sb_error *error, struct sb_match **match)
{
    struct sb_match *const made = calloc(1, sizeof *made);
    uint32_t groups = 0;
    enum sb_status status;

    if (!made)
        return sb_error_memory(error, "a regular expression");
    status = match_check(pattern, error);
    if (status == SB_OK)
        status = match_compile_both(pattern, error, made);
    if (status == SB_OK)
        status = match_prepare(error, made);
    if (status == SB_OK)
        pcre2_pattern_info(made->utf8 ? made->utf8 : made->bytes, PCRE2_INFO_CAPTURECOUNT, &groups);
    if (status == SB_OK && groups == 0)
        status =
            sb_error_set(error, SB_INVALID,
                         "`match`: '%.60s' has no group: put the deck into parentheses, as in 'deck: (.*)'", pattern);
    if (status)
        sb_match_close(made);
    else
        *match = made;
    return status;
}

void sb_match_close(struct sb_match *match)
{
    if (!match)
        return;
    pcre2_code_free(match->utf8);
    pcre2_code_free(match->bytes);
    pcre2_match_context_free(match->context);
    pcre2_match_data_free(match->data);
    free(match);
}

/* Matches a line. Returns a negative number of PCRE2 if the line does not match, or if this is not known. */
static int match_run(struct sb_match *match, const pcre2_code *code, const struct sb_line *line)
{
    match->steps = match->at = 0;
    match->stopped = match->late = false;
    return pcre2_match(code, (PCRE2_SPTR)line->text, line->length, 0, 0, match->data, match->context);
}

/* Says why it is not known whether a line matches. Such a line is never skipped. */
static enum sb_line_result match_fault(const struct sb_match *match, int fault, struct sb_line *line)
{
    char what[120] = "";

    if (match->stopped)
        return SB_LINE_STOPPED;
    if (match->late)
        return sb_line_reject(
            line, "no permutation for %g s, because `match` takes long: simplify `match`, or raise `timeout`",
            match->limits->timeout);
    if (fault == PCRE2_ERROR_NOMEMORY)
        return sb_line_reject(line, "not enough memory to match the line: shorten `match`");
    if (fault == PCRE2_ERROR_HEAPLIMIT || fault == PCRE2_ERROR_DEPTHLIMIT)
        return sb_line_reject(line, "`match` takes more than %d MiB in this line: repeat characters rather than groups",
                              MATCH_HEAP_MOST >> 10);
    if (fault == PCRE2_ERROR_CALLOUT || fault == PCRE2_ERROR_MATCHLIMIT)
        return sb_line_reject(line, "`match` takes more than %d steps in this line: use fewer repetitions such as .*",
                              MATCH_STEPS_MOST);
    pcre2_get_error_message(fault, (PCRE2_UCHAR *)what, sizeof what);
    return sb_line_reject(line, "`match` cannot be tried: %s: correct it", what);
}

static bool match_is_no_utf8(int fault)
{
    return fault <= PCRE2_ERROR_UTF8_ERR1 && fault >= PCRE2_ERROR_UTF8_ERR21;
}

enum sb_line_result sb_match_take(struct sb_match *match, struct sb_match_limits *limits, struct sb_line *line)
{
    const PCRE2_SIZE *const place = pcre2_get_ovector_pointer(match->data);
    int found = PCRE2_ERROR_UTF8_ERR1;

    match->limits = limits;
    if (match->utf8)
        found = match_run(match, match->utf8, line);
    if (match_is_no_utf8(found)) {
        if (!match->bytes)
            return sb_line_reject(line, "the line is not UTF-8, which `match` needs: convert it with iconv");
        found = match_run(match, match->bytes, line);
    }
    if (found == PCRE2_ERROR_NOMATCH)
        return SB_LINE_SKIPPED;
    if (found < 0)
        return match_fault(match, found, line);
    if (place[2] == PCRE2_UNSET)
        return SB_LINE_SKIPPED;
    sb_line_keep(line, line->text + place[2], place[3] - place[2]);
    return strspn(line->text, " \t") < line->length
               ? SB_LINE_TAKEN
               : sb_line_reject(line, "the group of `match` is empty: correct `match`");
}
