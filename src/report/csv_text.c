/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A spreadsheet runs a cell that begins with =, +, -, @, a tab or a carriage return as a formula. Such a text gets an
 * apostrophe, which marks it as text, unless it is a number.
 *
 * OWASP, CSV injection, https://owasp.org/www-community/attacks/CSV_Injection
 */
#include "report/csv_text.h"

#include "core/text.h"

#include <stdbool.h>
#include <string.h>

/* Returns whether the text is a decimal number with an optional sign and exponent. */
static bool csv_number(const char *text)
{
    static const char digits[] = "0123456789";

    text += *text == '-' || *text == '+';
    const size_t whole = strspn(text, digits);
    const size_t part = text[whole] == '.' ? strspn(text + whole + 1, digits) : 0;
    text += whole + (text[whole] == '.') + part;
    if (whole + part > 0 && (*text == 'e' || *text == 'E')) {
        text++;
        text += *text == '-' || *text == '+';
        text += strspn(text, digits);
    }
    return whole + part > 0 && *text == '\0';
}

void sb_csv_text(const char *text, FILE *stream)
{
    const bool quoted = strpbrk(text, ",\"\n\r"),
               formula = *text && strchr("=+-@\t\r", *text) && !csv_number(text);

    struct sb_log_text outside = { .rest = text };

    if (quoted)
        fputc('"', stream);
    if (formula)
        fputc('\'', stream);
    for (uint32_t point; (point = sb_log_text_next(&outside)) != 0;) {
        char bytes[4];

        if (point == '"')
            fputc('"', stream);
        fwrite(bytes, 1, sb_utf8_put(point, bytes), stream);
    }
    if (quoted)
        fputc('"', stream);
}
