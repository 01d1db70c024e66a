/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps that find the deck in a line: the text and its messages, the fields. */
#include "core/core.h"
#include "core/text.h"
#include "subject/parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
