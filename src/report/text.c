/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sentences that grow, and numbers as text, for people and for programs. Each addition to a sentence is formatted
 * twice, the first time only to measure its length.
 *
 * A p-value p below the smallest double is written as m 10^e, with x = ln p / ln 10, e = floor(x) and m = 10^(x-e).
 */
#include "core/text.h"
#include "report/page.h"

#include <float.h>
#include <inttypes.h>

static bool sentence_grow(struct sb_sentence *s, size_t length)
{
    const size_t room = 2 * (s->used + length) + 64;
    char *grown;

    if (s->used + length < s->room)
        return true;
    grown = realloc(s->text, room);
    if (!grown)
        return false;
    s->text = grown;
    s->room = room;
    return true;
}

void sb_sentence_add_list(struct sb_sentence *s, const char *format, va_list arguments)
{
    va_list again;

    va_copy(again, arguments);
    const int length = sb_decimal_format_list(NULL, 0, format, again);
    va_end(again);
    if (length >= 0 && sentence_grow(s, (size_t)length))
        s->used += (size_t)sb_decimal_format_list(s->text + s->used, s->room - s->used, format, arguments);
    else
        s->lost = true;
}

void sb_sentence_add(struct sb_sentence *s, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    sb_sentence_add_list(s, format, arguments);
    va_end(arguments);
}

char *sb_sentence_take(struct sb_sentence *s)
{
    char *const text = s->lost ? NULL : s->text ? s->text : strdup("");

    if (s->lost)
        free(s->text);
    *s = (struct sb_sentence) { 0 };
    return text;
}

void sb_sentence_close(struct sb_sentence *s)
{
    free(s->text);
    *s = (struct sb_sentence) { 0 };
}

void sb_sentence_number(double x, char text[32])
{
    if (x == 0 || (x >= 1e-4 && x < 999.5))
        sb_decimal_format(text, 32, "%.3g", x);
    else
        snprintf(text, 32, "%.31s", sb_number_short(x, 3).text);
}

void sb_text_free(char *text)
{
    free(text);
}

int sb_print(FILE *stream, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    const locale_t before = sb_decimal_begin();
    const int length = vfprintf(stream, format, arguments);
    sb_decimal_end(before);
    va_end(arguments);
    return length;
}

static const char number_none[] = "\xE2\x80\x93"; /* an en dash */

struct sb_number sb_number_full(double x)
{
    struct sb_number number = { "" };

    if (!isfinite(x))
        return number;
    /* writes -0.0 as 0, without a minus sign */
    sb_decimal_format(number.text, sizeof number.text, "%.17g", x == 0 ? 0.0 : x);
    if (!strpbrk(number.text, ".e"))
        strcat(number.text, ".0");
    return number;
}

static struct sb_number number_power(double x, int decimals)
{
    struct sb_number number = { "" };
    double exponent = floor(x), mantissa = pow(10, x - exponent);

    if (mantissa >= 10 - 0.5 * pow(10, -decimals)) { /* such a mantissa would be rounded to 10 */
        mantissa = 1;
        exponent++;
    }
    sb_decimal_format(number.text, sizeof number.text, "%.*fe%.0f", decimals, mantissa, exponent);
    return number;
}

static double number_log10(double p, double ln_p)
{
    return p >= DBL_MIN ? log10(p) : ln_p / log(10);
}

struct sb_number sb_number_full_p(double p, double ln_p)
{
    return p >= 0 && p < DBL_MIN && isfinite(ln_p) ? number_power(number_log10(p, ln_p), 5) : sb_number_full(p);
}

struct sb_number sb_number_p(double p, double ln_p)
{
    struct sb_number number;

    if (!isfinite(p))
        return sb_number_fixed(p, 0);
    if (p < 1e-4 && (p >= DBL_MIN || isfinite(ln_p)))
        return number_power(number_log10(p, ln_p), 1);
    sb_decimal_format(number.text, sizeof number.text, "%.3g", p);
    return number;
}

struct sb_number sb_number_exp(double x)
{
    struct sb_number number = { "infinite" };

    if (isnan(x))
        return sb_number_fixed(x, 0);
    if (isinf(x) && x > 0)
        return number;
    if (x < log(1e-4) || x >= log(1e4))
        return isinf(x) ? sb_number_fixed(0, 0) : number_power(x / log(10), 1);
    sb_decimal_format(number.text, sizeof number.text, exp(x) < 999.5 ? "%.3g" : "%.0f", exp(x));
    return number;
}

struct sb_number sb_number_short(double x, int digits)
{
    const double size = fabs(x);

    if (!isfinite(x) || x == 0)
        return sb_number_fixed(x, 0);
    if (size < 1e-5 || size >= 1e12) {
        struct sb_number number = number_power(log10(size), digits - 1);

        if (x < 0) {
            memmove(number.text + 1, number.text, strlen(number.text) + 1);
            number.text[0] = '-';
        }
        return number;
    }
    const int decimals = digits - 1 - (int)floor(log10(size));

    return sb_number_fixed(x, decimals > 0 ? decimals : 0);
}

struct sb_number sb_number_fixed(double x, int decimals)
{
    struct sb_number number = { "" };

    if (isfinite(x))
        sb_decimal_format(number.text, sizeof number.text, "%.*f", decimals, x == 0 ? 0.0 : x);
    else
        snprintf(number.text, sizeof number.text, "%s", number_none);
    return number;
}

/* share of the last digit that counts as a rounding error */
static const double number_slack = 1e-6;

static double number_down(double x, double unit)
{
    return floor(x / unit + number_slack) * unit;
}

static double number_up(double x, double unit)
{
    return ceil(x / unit - number_slack) * unit;
}

static double number_unit(double x, int digits)
{
    return pow(10, floor(log10(x)) - digits + 1);
}

struct sb_number sb_number_short_down(double x, int digits)
{
    return sb_number_short(x > 0 ? number_down(x, number_unit(x, digits)) : x, digits);
}

struct sb_number sb_number_short_up(double x, int digits)
{
    return sb_number_short(x > 0 ? number_up(x, number_unit(x, digits)) : x, digits);
}

struct sb_number sb_number_general_up(double x, int digits)
{
    struct sb_number number = { .text = "" };

    sb_decimal_format(number.text, sizeof number.text, "%.*g", digits,
                      x > 0 ? number_up(x, number_unit(x, digits)) : x);
    return number;
}

struct sb_number sb_number_fixed_down(double x, int decimals)
{
    return sb_number_fixed(number_down(x, pow(10, -decimals)), decimals);
}

struct sb_number sb_number_fixed_up(double x, int decimals)
{
    return sb_number_fixed(number_up(x, pow(10, -decimals)), decimals);
}

struct sb_number sb_number_given(double x)
{
    struct sb_number number = { "" };

    for (int digits = 6; digits <= 17; digits++) {
        sb_decimal_format(number.text, sizeof number.text, "%.*g", digits, x);
        if (sb_decimal_read(number.text) == x)
            break;
    }
    return number;
}

struct sb_number sb_number_goal(double alpha)
{
    const double goal = 1 / alpha;

    if (goal < 10 || goal >= 1e15)
        return sb_number_short_up(goal, goal < 10 ? 3 : 2);
    return sb_number_grouped((uint64_t)ceil(goal * (1 - 1e-15) - number_slack));
}

struct sb_number sb_number_percent(double x, int decimals)
{
    struct sb_number number = sb_number_fixed(100 * x, decimals);

    if (isfinite(x))
        strcat(number.text, "%");
    return number;
}

struct sb_number sb_number_power(int exponent)
{
    struct sb_number number = { "" };

    if (exponent >= 0 && exponent <= 4)
        return sb_number_grouped((uint64_t)pow(10, exponent));
    sb_decimal_format(number.text, sizeof number.text, exponent < 0 && exponent >= -3 ? "%g" : "10^%.0f",
                      exponent < 0 && exponent >= -3 ? pow(10, exponent) : exponent);
    return number;
}

struct sb_number sb_number_level(double alpha)
{
    struct sb_number number = { "" };

    if (alpha < 1e-11) { /* no interval has the level 100% */
        sb_decimal_format(number.text, sizeof number.text, "100(1-%.12g)%%", alpha);
        return number;
    }
    number = sb_number_fixed(100 * (1 - alpha), 10);
    size_t length = strlen(number.text);

    while (number.text[length - 1] == '0')
        length--;
    length -= number.text[length - 1] == '.';
    number.text[length] = '\0';
    strcat(number.text, "%");
    return number;
}

struct sb_number sb_number_ratio(double x)
{
    const double off = fabs(x - 1);

    if (off > 1e-12 && off < 5e-5) { /* a deviation below 1e-12 is only a rounding error of x */
        const struct sb_number power = number_power(log10(off), 1);
        struct sb_number number;

        snprintf(number.text, sizeof number.text, "1%c%.40s", x > 1 ? '+' : '-', power.text);
        return number;
    }
    if (x == 0 || (x > 0 && x < 5e-5))
        return sb_number_short(x, 2);
    return x < 1000 ? sb_number_fixed(x, 4) : sb_number_short(x, 6);
}

struct sb_number sb_number_range(struct sb_number low, struct sb_number high)
{
    struct sb_number number;

    if (strcmp(low.text, number_none) == 0 && strcmp(high.text, number_none) == 0)
        return low;
    snprintf(number.text, sizeof number.text, "%.150s%s%.150s", low.text, number_none, high.text);
    return number;
}

struct sb_number sb_number_grouped(uint64_t x)
{
    struct sb_number number;
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%" PRIu64, x);
    size_t used = 0;

    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            number.text[used++] = ',';
        number.text[used++] = digits[i];
    }
    number.text[used] = '\0';
    return number;
}

double sb_bar_scale(double largest)
{
    static const double step[] = { 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 };
    const size_t steps = sizeof step / sizeof step[0];
    double unit = 0.01;

    if (!isfinite(largest))
        return unit;
    while (largest > 10 * unit)
        unit *= 10;
    for (size_t i = 0; i < steps; i++)
        if (largest <= step[i] * unit * (1 + 1e-9)) /* allows for rounding: 0.1 fits into 10 times 0.01 */
            return step[i] * unit;
    return 10 * unit;
}

int sb_number_share_decimals(double cells)
{
    const int digits = cells <= 24 ? 5 : cells <= 1000 ? 4 : 3;
    const int decimals = digits - 1 - (int)floor(log10(100 / fmax(cells, 1)));

    return decimals < 2 ? 2 : decimals;
}

void sb_exact_number(const struct sb_numbers *numbers, size_t i, FILE *stream)
{
    if (sb_numbers_whole(numbers) && sb_numbers_narrow(numbers))
        fprintf(stream, "%" PRIu64, sb_numbers_u64(numbers, i));
    else if (sb_numbers_whole(numbers))
        mpz_out_str(stream, 10, numbers->wide[i]);
}

const char *sb_exact_word(const struct sb_evidence *evidence)
{
    return sb_evidence_partial(evidence) ? "in part" : "exact";
}

struct sb_notation sb_exact_notation(const struct sb_evidence *evidence, size_t rank)
{
    struct sb_notation notation;
    sb_item a[64];

    sb_evidence_unrank(evidence, rank, a);
    sb_item_notation(evidence->names, evidence->n, evidence->deal, a, notation.text, sizeof notation.text);
    return notation;
}

struct sb_number sb_exact_fraction(mpq_srcptr fraction, size_t digits)
{
    struct sb_number written = { "" };

    if (mpq_sgn(fraction) >= 0 &&
        mpz_sizeinbase(mpq_numref(fraction), 10) + mpz_sizeinbase(mpq_denref(fraction), 10) <= digits)
        mpq_get_str(written.text, 10, fraction);
    return written;
}

struct sb_number sb_exact_over(const struct sb_evidence *evidence, size_t rank)
{
    struct sb_number written = { "" };
    mpq_t fraction;

    if (!sb_numbers_whole(&evidence->counts))
        return written;
    mpq_init(fraction);
    sb_numbers_integer(&evidence->counts, rank, mpq_numref(fraction));
    mpz_set(mpq_denref(fraction), evidence->denominator);
    written = sb_exact_fraction(fraction, 16);
    mpq_clear(fraction);
    return written;
}

struct sb_number sb_exact_cell(const struct sb_evidence *evidence, size_t item, size_t position)
{
    struct sb_number written = { "" };
    mpq_t fraction;

    if (evidence->matrix.form == SB_NUMBERS_SHARE)
        return written;
    mpq_init(fraction);
    sb_evidence_matrix_fraction(evidence, item, position, fraction);
    written = sb_exact_fraction(fraction, 16);
    mpq_clear(fraction);
    return written;
}
