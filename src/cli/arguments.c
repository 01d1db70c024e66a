/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was typed: numbers, the options that commands share, and the lines about slips in them. */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int cli_usage(const char *command, const char *format, ...)
{
    char line[2048];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    for (char *at = line; *at; at++)
        if ((*at > 0 && *at < ' ') || *at == 0x7F) /* a name of a file may hold anything */
            *at = '?';
    fprintf(stderr, "shufflebias %s: %s\n", command, line);
    return EXIT_USAGE;
}

int cli_resumable(const char *command, const char *file)
{
    struct stat there;

    if (file && stat(file, &there) == 0)
        cli_usage(command, "interrupted: go on with --resume %s", file);
    return EXIT_INTERRUPTED;
}

int cli_failed(const char *command, const struct sb_error *error)
{
    if (error->status == SB_STOPPED) {
        cli_usage(command, "%s", error->text);
        return EXIT_INTERRUPTED;
    }
    if (error->status == SB_IO &&
        errno == EPIPE) /* the reader has gone: nothing to say, nobody to say it to */
        return EXIT_BROKEN;
    cli_usage(command, "%s", error->text);
    return error->status == SB_INVALID || error->status == SB_TOO_LARGE ? EXIT_USAGE : EXIT_BROKEN;
}

static bool arguments_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* value * 10 + digit, if that fits. */
static bool arguments_append(uint64_t *value, unsigned digit)
{
    if (*value > (UINT64_MAX - digit) / 10)
        return false;
    *value = *value * 10 + digit;
    return true;
}

/* Digits, perhaps a point among them and a power of ten behind; read exactly, and whole or not at all. */
static bool arguments_read(const char *text, uint64_t *number)
{
    bool point = false, well = arguments_digit(*text);
    long shift = 0;
    uint64_t value = 0;

    for (; well && (arguments_digit(*text) || (*text == '.' && !point)); text++) {
        if (*text == '.') {
            point = true;
            continue;
        }
        well = arguments_append(&value, (unsigned)(*text - '0'));
        shift -= point;
    }
    if (well && (*text == 'e' || *text == 'E')) {
        text += text[1] == '+' ? 2 : 1;
        well = arguments_digit(*text);
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

/* Where the text of options[i] goes; NULL after the last option, and for those that have none. */
static char **arguments_text(const struct poptOption options[], size_t i)
{
    return options[i].argInfo == POPT_ARG_STRING ? options[i].arg : NULL;
}

enum { ARGUMENTS_SLIP = 1 }; /* no value of an option */

/* Whether an option that names a file for evidence was given as it may be, or not yet; its text was `before`.
 */
static bool arguments_kept(const struct cli_syntax *syntax, const struct poptOption *row, const char *before)
{
    char *const *const place = row->val == CLI_KEPT ? arguments_text(row, 0) : NULL;
    const char *const text = place ? *place : NULL;
    struct stat there;

    if (!text || text == before)
        return true;
    if (before)
        cli_usage(syntax->command, "--%s %s: there is --%s %s already: leave one out", row->longName, text,
                  row->longName, before);
    else if (!text[0] || strcmp(text, "-") == 0 || (stat(text, &there) == 0 && !S_ISREG(there.st_mode)))
        cli_usage(syntax->command, "--%s '%s': evidence is kept in a file: name one", row->longName, text);
    else
        return true;
    return false;
}

/* One step of popt's, which forgets the text of an option that is given again: the last one counts, but for
 * files of evidence: ARGUMENTS_SLIP after a line about them. */
static int arguments_step(poptContext context, const struct cli_syntax *syntax)
{
    const struct poptOption *const options = syntax->options;
    char *before[CLI_OPTIONS_MOST] = { NULL };
    int option;

    for (size_t i = 0; i < CLI_OPTIONS_MOST && (options[i].longName || options[i].shortName); i++)
        before[i] = arguments_text(options, i) ? *arguments_text(options, i) : NULL;
    option = poptGetNextOpt(context);
    for (size_t i = 0; i < CLI_OPTIONS_MOST && (options[i].longName || options[i].shortName); i++) {
        if (!arguments_kept(syntax, &options[i], before[i]))
            option = ARGUMENTS_SLIP;
        if (before[i] && before[i] != *arguments_text(options, i))
            free(before[i]);
    }
    return option;
}

void cli_options_add(struct poptOption options[], const struct poptOption rows[], size_t count)
{
    const struct poptOption end = POPT_TABLEEND;
    size_t used = 0;

    while (options[used].longName || options[used].shortName)
        used++;
    for (size_t i = 0; i < count && used + 1 < CLI_OPTIONS_MOST; i++)
        options[used++] = rows[i];
    options[used] = end;
}

void cli_texts_free(const struct poptOption options[])
{
    for (size_t i = 0; options[i].longName || options[i].shortName; i++)
        if (arguments_text(options, i))
            free(*arguments_text(options, i));
}

int cli_next_option(poptContext context, const struct cli_syntax *syntax, int *status)
{
    int option;

    do
        option = arguments_step(context, syntax);
    while (option == CLI_TEXT || option == CLI_KEPT);
    if (option == ARGUMENTS_SLIP) {
        *status = EXIT_USAGE;
        return -2;
    }
    if (option == CLI_HELP) {
        printf("Examples:\n%s\n", syntax->examples);
        poptSetOtherOptionHelp(context, syntax->arguments);
        poptPrintHelp(context, stdout, 0);
        *status = cli_finish(syntax->command, EXIT_DONE);
        return -2;
    }
    if (option < -1) {
        *status =
            cli_usage(syntax->command, "%s: %s; 'shufflebias %s --help' shows the options",
                      poptBadOption(context, POPT_BADOPTION_NOALIAS), poptStrerror(option), syntax->command);
        return -2;
    }
    return option;
}

bool cli_common_settle(const char *command, const struct cli_common *common, struct sb_options *options)
{
    uint64_t n = options->n, deal = options->deal, threads = options->threads;
    const uint64_t most = INT64_MAX;

    if (common->n && !cli_number(command, "-n", common->n, 0, UINT16_MAX, &n))
        return false;
    if (common->deal && n == 0) {
        cli_usage(command, "--deal %s: there is nothing to deal of 0 items: leave it out", common->deal);
        return false;
    }
    if ((common->deal && !cli_number(command, "--deal", common->deal, 1, n, &deal)) ||
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
