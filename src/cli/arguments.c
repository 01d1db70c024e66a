/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads numbers and the options that commands share, and prints lines about wrong arguments. */
#include "cli/cli.h"

#include "core/core.h"
#include "core/text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int cli_usage(const char *command, const char *format, ...)
{
    char text[PATH_MAX + 1024], line[sizeof text + 256]; /* what is wrong with a path stands after it */
    va_list arguments;

    snprintf(text, sizeof text, "shufflebias %s: ", command);
    const size_t used = strlen(text);

    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - used, format, arguments);
    va_end(arguments);
    sb_sanitize_log_text(text, line, sizeof line); /* a file's name may contain any character */
    fprintf(stderr, "%s\n", line);
    return EXIT_USAGE;
}

bool cli_word_is_plain(const char *word)
{
    return word[0] && !strpbrk(word, " \t\n'\"\\$`&|;<>()*?[]#~=%!{}");
}

const char *cli_typed(const char *word, char typed[], size_t room)
{
    static const char mark[] = "'\\''"; /* ends the quotation, adds a quotation mark, and goes on */
    const char *const quote = cli_word_is_plain(word) ? "" : "'";
    size_t used = (size_t)snprintf(typed, room, "%s", quote);

    for (; *word && used + sizeof mark < room - 1; word++)
        used += (size_t)snprintf(typed + used, room - used, "%.*s", *word == '\'' ? 4 : 1,
                                 *word == '\'' ? mark : word);
    snprintf(typed + used, room - used, "%s", quote);
    return typed;
}

int cli_resumable(const char *command, const char *file)
{
    struct stat there;
    char typed[PATH_MAX];

    if (file && stat(file, &there) == 0)
        cli_usage(command, "interrupted: resume with --resume %s", cli_typed(file, typed, sizeof typed));
    return EXIT_INTERRUPTED;
}

int cli_say(const char *command, const char *line)
{
    char *const typed = cli_flags(line);

    cli_usage(command, "%s", typed ? typed : line);
    free(typed);
    return EXIT_USAGE;
}

int cli_failed(const char *command, const struct sb_error *error)
{
    if (error->status == SB_IO &&
        errno == EPIPE) /* the reader has closed the pipe: there is nothing to report */
        return EXIT_BROKEN;
    cli_say(command, error->text);
    if (error->status == SB_STOPPED)
        return EXIT_INTERRUPTED;
    return error->status == SB_INVALID || error->status == SB_TOO_LARGE ? EXIT_USAGE : EXIT_BROKEN;
}

/* Appends a decimal digit to the value. Returns false if the result does not fit. */
static bool arguments_append(uint64_t *value, unsigned digit)
{
    if (*value > (UINT64_MAX - digit) / 10)
        return false;
    *value = *value * 10 + digit;
    return true;
}

/* Reads an integer exactly, which may be written with a decimal point and a power of ten, such as 1.5e6.
 * Returns false if the text is not such a number, or if its value is not an integer. */
static bool arguments_read(const char *text, uint64_t *number)
{
    bool point = false, well = isdigit((unsigned char)*text);
    long shift = 0;
    uint64_t value = 0;

    for (; well && (isdigit((unsigned char)*text) || (*text == '.' && !point)); text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        well = arguments_append(&value, (unsigned)(*text - '0'));
        shift -= point;
    }
    if (well && (*text == 'e' || *text == 'E')) {
        text += text[1] == '+' ? 2 : 1;
        well = isdigit((unsigned char)*text);
        shift += strtol(text, (char **)&text, 10);
    }
    for (; well && value && shift > 0; shift--)
        well = arguments_append(&value, 0);
    for (; well && value && shift < 0; shift++) {
        well = value % 10 == 0;
        value /= 10;
    }
    *number = value;
    return well && *text == '\0';
}

bool cli_number_is(const char *text, uint64_t low, uint64_t high, uint64_t *number)
{
    uint64_t value;
    const bool is = arguments_read(text, &value) && value >= low && value <= high;

    if (is)
        *number = value;
    return is;
}

bool cli_number(const char *command, const char *option, const char *text, uint64_t low, uint64_t high,
                uint64_t *number)
{
    if (cli_number_is(text, low, high, number))
        return true;
    cli_usage(command, "%s %s: must be a whole number from %llu to %llu", option, text,
              (unsigned long long)low, (unsigned long long)high);
    return false;
}

bool cli_size(const char *command, const char *option, const char *text, size_t low, size_t high,
              size_t *number)
{
    uint64_t wide;

    if (!cli_number(command, option, text, low, high, &wide))
        return false;
    *number = (size_t)wide; /* fits, because the number is at most `high` */
    return true;
}

bool cli_power(const char *command, const char *option, const char *text, uint64_t low, uint64_t high,
               uint64_t *number)
{
    uint64_t exponent;

    if (strncmp(text, "2^", 2) != 0)
        return cli_number(command, option, text, low, high, number);
    if (cli_number_is(text + 2, 0, 63, &exponent) && UINT64_C(1) << exponent >= low &&
        UINT64_C(1) << exponent <= high) {
        *number = UINT64_C(1) << exponent;
        return true;
    }
    cli_usage(command, "%s %s: must be a whole number from %llu to %llu, or a power of two in that range",
              option, text, (unsigned long long)low, (unsigned long long)high);
    return false;
}

bool cli_share(const char *command, const char *option, const char *text, double *number)
{
    char *end = NULL;
    const double value = strtod(text, &end);

    if (end != text && *end == '\0' && value > 0 && value < 1) {
        *number = value;
        return true;
    }
    cli_usage(command, "%s %s: must be a number between 0 and 1", option, text);
    return false;
}

bool cli_seconds(const char *command, const char *option, const char *text, double *seconds)
{
    char *end = NULL;
    const double value = strtod(text, &end);

    if (end != text && *end == '\0' && value > 0 && value <= 1e9) {
        *seconds = value;
        return true;
    }
    cli_usage(command, "%s %s: must be a number of seconds above 0, up to 1e9", option, text);
    return false;
}

bool cli_alpha(const char *command, const char *option, const char *text, double *number)
{
    double alpha;

    if (!cli_share(command, option, text, &alpha))
        return false;
    if (alpha < 1e-100) {
        cli_usage(command, "%s %s: must be at least 1e-100 and below 1", option, text);
        return false;
    }
    *number = alpha;
    return true;
}

bool cli_common_settle(const char *command, const struct cli_common *common, struct sb_options *options)
{
    size_t n = options->n, deal = options->deal;
    uint64_t threads = options->threads;
    const uint64_t most = INT64_MAX;

    if (common->n && !cli_size(command, "-n", common->n, 0, common->most ? common->most : UINT16_MAX, &n))
        return false;
    if (common->cards) {
        struct sb_error error = { 0 };

        n = common->n ? n : 0;
        if (sb_item_names_count(common->cards, &error, &n)) {
            cli_failed(command, &error);
            return false;
        }
        options->cards = common->cards;
    }
    if (common->deal && n == 0) {
        cli_usage(command, "--deal %s: 0 items leave nothing to deal: drop --deal", common->deal);
        return false;
    }
    if ((common->deal && !cli_size(command, "--deal", common->deal, 1, n, &deal)) ||
        (common->samples && !cli_number(command, "--samples", common->samples, 1, most, &options->samples)) ||
        (common->seed && !cli_number(command, "--seed", common->seed, 0, most, &options->seed)) ||
        (common->threads && !cli_number(command, "--threads", common->threads, 1, 1024, &threads)))
        return false;
    options->n = n;
    options->deal = deal;
    options->threads = (unsigned)threads;
    options->draw = common->draw;
    options->rng = common->rng;
    return true;
}
