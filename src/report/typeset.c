/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as books print them. The exponents are Unicode's superscript digits, so they need no markup. */
#include "report/typeset.h"

#include "report/markup.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* Writes an integer, such as "-09", as a superscript without leading zeros. */
static void typeset_raised(const char *digits, size_t length, char *text)
{
    static const char *const raised[] = { "\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                          "\u2075", "\u2076", "\u2077", "\u2078", "\u2079" };
    size_t i = 0;

    text[0] = '\0';
    if (length && digits[0] == '-')
        strcat(text, "\u207B");
    i += length && (digits[0] == '-' || digits[0] == '+');
    while (i + 1 < length && digits[i] == '0')
        i++;
    for (; i < length && isdigit((unsigned char)digits[i]); i++)
        strcat(text, raised[digits[i] - '0']);
}

void sb_typeset_power(int exponent, char text[SB_POWER_ROOM])
{
    char digits[16];
    const int length = snprintf(digits, sizeof digits, "%d", exponent);

    strcpy(text, "10");
    typeset_raised(digits, (size_t)length, text + 2);
}

static size_t typeset_digits(const char *text, size_t length)
{
    size_t count = 0;

    while (count < length && isdigit((unsigned char)text[count]))
        count++;
    return count;
}

/* The length of an integer with an optional sign; 0 if there is none, or if it has more than nine digits. */
static size_t typeset_integer(const char *text, size_t length)
{
    const size_t sign = length && (text[0] == '-' || text[0] == '+');
    const size_t digits = typeset_digits(text + sign, length - sign);

    return digits && digits <= 9 ? sign + digits : 0;
}

/* Returns whether a number may end before this text: the text is empty or begins with punctuation. */
static bool typeset_ends(const char *text, size_t length)
{
    if (length == 0 || (unsigned char)text[0] >= 0x80 || strchr(" ,;:)%/", text[0]))
        return true;
    return text[0] == '.' && (length == 1 || !isalnum((unsigned char)text[1]));
}

/* If the text begins with a number like "8.07e67", returns the number's length and sets *mantissa to the length
 * of the mantissa. Otherwise returns 0. */
static size_t typeset_scientific(const char *text, size_t length, size_t *mantissa)
{
    size_t used = typeset_digits(text, length);

    if (used == 0)
        return 0;
    if (used + 1 < length && text[used] == '.' && isdigit((unsigned char)text[used + 1]))
        used += 1 + typeset_digits(text + used + 1, length - used - 1);
    *mantissa = used;
    if (used == length || text[used] != 'e')
        return 0;
    const size_t exponent = typeset_integer(text + used + 1, length - used - 1);

    used += 1 + exponent;
    return exponent && typeset_ends(text + used, length - used) ? used : 0;
}

/* Writes one number like "8.07e67"; "1e9" becomes 10⁹. */
static void typeset_number(const char *text, size_t mantissa, size_t length, FILE *stream)
{
    char raised[SB_POWER_ROOM];

    typeset_raised(text + mantissa + 1, length - mantissa - 1, raised);
    if (mantissa != 1 || text[0] != '1')
        fprintf(stream, "%.*s\u00A0\u00D7\u00A0", (int)mantissa, text);
    fprintf(stream, "10%s", raised);
}

/* If the text begins with an exponent like "^31" or "^n", writes the exponent and returns its length. */
static size_t typeset_exponent(const char *text, size_t length, FILE *stream)
{
    char raised[SB_POWER_ROOM];
    const size_t digits = text[0] == '^' ? typeset_integer(text + 1, length - 1) : 0;

    if (text[0] != '^' || length < 2)
        return 0;
    if ((text[1] == 'm' || text[1] == 'n') && typeset_ends(text + 2, length - 2)) {
        fputs(text[1] == 'm' ? "\u1D50" : "\u207F", stream);
        return 2;
    }
    if (digits == 0 || !typeset_ends(text + 1 + digits, length - 1 - digits))
        return 0;
    typeset_raised(text + 1, digits, raised);
    fputs(raised, stream);
    return 1 + digits;
}

void sb_typeset(const char *text, size_t length, FILE *stream)
{
    size_t plain = 0; /* beginning of the text that is not written yet */

    for (size_t i = 0, used; i < length; i += used) {
        const bool begins =
            i == 0 || (unsigned char)text[i - 1] >= 0x80 || strchr(" (+<=/~", text[i - 1]) != NULL;
        size_t mantissa;
        const size_t number = begins ? typeset_scientific(text + i, length - i, &mantissa) : 0;

        used = 1;
        if (number) {
            sb_markup_part(stream, text + plain, i - plain);
            typeset_number(text + i, mantissa, number, stream);
            plain = i + (used = number);
        } else if (text[i] == '^' && i > plain && isalnum((unsigned char)text[i - 1])) {
            sb_markup_part(stream, text + plain, i - plain);
            plain = i;
            used = typeset_exponent(text + i, length - i, stream);
            plain += used;
            used += used == 0;
        }
    }
    sb_markup_part(stream, text + plain, length - plain);
}

void sb_typeset_cell(const char *text, FILE *stream)
{
    const size_t length = strlen(text);

    if (strspn(text, "0123456789./+-=% ") != length) {
        sb_typeset(text, length, stream);
        return;
    }
    for (size_t i = 0, used; i < length; i += used) {
        const size_t digits = typeset_digits(text + i, length - i);
        const bool whole = i == 0 || text[i - 1] != '.'; /* decimals are not grouped */

        used = digits ? digits : 1;
        if (text[i] == '-' && i == 0 && typeset_digits(text + 1, length - 1)) {
            fputs("\u2212", stream);
            continue;
        }
        for (size_t d = 0; d < used; d++) {
            if (whole && d > 0 && (digits - d) % 3 == 0)
                fputc(',', stream);
            fputc(text[i + d], stream);
        }
    }
}
