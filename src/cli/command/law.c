/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias law: what a fair shuffle makes of a statistic. */
#include "cli/cli.h"

#include <string.h>

static const char law_examples[] =
    "  shufflebias law descents -n 52                    how many descents 52 fairly shuffled cards have\n"
    "  shufflebias law successor -n 5 --member 3         who follows item 3\n"
    "  shufflebias law inversions -n 52 --deal 5         of the first five cards\n"
    "  shufflebias law cycles -n 1000 --format json\n";

/* The options as typed; NULL where they were not. */
struct law_typed {
    struct cli_common common;
    char *member, *format, *file;
};

static int law_write(const struct sb_null_law *law, const char *format, struct cli_output *output)
{
    const struct sb_look look = cli_look(output->stream);
    struct sb_error error = { 0 };
    const enum sb_status written = sb_null_law_write(law, format, &look, &error, output->stream);

    if (written && written != SB_IO)
        return cli_failed("law", &error);
    return cli_output_keep("law", output) ? EXIT_DONE : EXIT_BROKEN;
}

static bool law_format_known(const char *format)
{
    return strcmp(format, "text") == 0 || strcmp(format, "markdown") == 0 || strcmp(format, "json") == 0 ||
           strcmp(format, "csv") == 0;
}

static int law_run(const char *const words[], const struct law_typed *typed)
{
    const char *const statistic = words[0], *const format = typed->format ? typed->format : "text";
    struct cli_output output = { 0 };
    struct sb_error error = { 0 };
    struct sb_null_law *law = NULL;
    struct sb_options options;
    uint64_t member = 1;

    if (!statistic)
        return cli_usage("law", "name a statistic: 'shufflebias list statistics' shows them");
    if (words[1])
        return cli_usage("law", "one statistic at a time: leave '%s' out", words[1]);
    if (!law_format_known(format))
        return cli_usage("law", "unknown format '%s': use text, markdown, json or csv", format);
    sb_options_init(&options);
    if (!cli_common_settle("law", &typed->common, &options) ||
        (typed->member && !cli_number("law", "--member", typed->member, 1, UINT16_MAX, &member)))
        return EXIT_USAGE;
    options.stop = cli_stop_flag(); /* before there is a file to be left behind */
    if (!cli_output_open("law", typed->file, &output))
        return EXIT_BROKEN;
    const int status = sb_null_law_new(statistic, member - 1, &options, &error, &law)
                           ? cli_failed("law", &error)
                           : law_write(law, format, &output);
    cli_output_drop(&output);
    sb_null_law_free(law);
    return status;
}

int cli_law(int argc, const char *argv[])
{
    struct law_typed typed = { 0 };
    const struct cli_option options[] = {
        { NULL, 'n', "items (3)", "N", .text = &typed.common.n },
        { "deal", 0, "cards dealt of the N (all)", "K", .text = &typed.common.deal },
        { "member", 0, "the item, of a statistic that there is for each item (1)", "I",
          .text = &typed.member },
        { "format", 0, "text, markdown, json or csv (text)", "FORMAT", .text = &typed.format },
        { NULL, 'o', "write to FILE and not to standard output", "FILE", .text = &typed.file },
        { "help", 'h', "show this", NULL, .text = NULL },
        { .name = NULL },
    };
    const struct cli_syntax syntax = { "law", "[OPTION ...] STATISTIC", law_examples, options };
    int status = EXIT_DONE;

    if (cli_options_read(&syntax, argc, argv, &status))
        status = law_run(argv + 1, &typed);
    return status;
}
