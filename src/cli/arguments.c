/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was typed: numbers, the options that commands share, and the lines about slips in them. */
#include "cli/cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int cli_usage(const char *command, const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "shufflebias %s: ", command);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return EXIT_USAGE;
}

int cli_failed(const char *command, const struct sb_error *error)
{
    if (error->status == SB_STOPPED)
        return EXIT_INTERRUPTED;
    if (error->status == SB_IO &&
        errno == EPIPE) /* the reader has gone: nothing to say, nobody to say it to */
        return EXIT_BROKEN;
    cli_usage(command, "%s", error->text);
    return error->status == SB_INVALID || error->status == SB_TOO_LARGE ? EXIT_USAGE : EXIT_BROKEN;
}

/* Digits alone are read exactly; anything else as a double, which must be whole and exact. */
static bool arguments_read(const char *text, uint64_t *number)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    if (text[strspn(text, "0123456789")] == '\0') {
        errno = 0;
        *number = strtoull(text, &end, 10);
        return errno == 0;
    }
    if (text[strspn(text, "0123456789.eE+")] != '\0')
        return false;
    const double value = strtod(text, &end);
    if (*end || value != floor(value) || value > 9.2e18)
        return false;
    *number = (uint64_t)value;
    return true;
}

bool cli_number(const char *command, const char *option, const char *text, uint64_t low, uint64_t high,
                uint64_t *number)
{
    uint64_t value;

    if (arguments_read(text, &value) && value >= low && value <= high) {
        *number = value;
        return true;
    }
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

int cli_next_option(poptContext context, const struct cli_syntax *syntax, int *status)
{
    const int option = poptGetNextOpt(context);

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

void cli_common_free(struct cli_common *common)
{
    free(common->n);
    free(common->deal);
    free(common->samples);
    free(common->seed);
    free(common->draw);
    free(common->rng);
    free(common->threads);
}
