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

static int law_run(poptContext context, const struct law_typed *typed)
{
    const char *const statistic = poptGetArg(context), *const format = typed->format ? typed->format : "text";
    struct cli_output output = { 0 };
    struct sb_error error = { 0 };
    struct sb_null_law *law = NULL;
    struct sb_options options;
    uint64_t member = 1;

    if (!statistic)
        return cli_usage("law", "name a statistic: 'shufflebias list statistics' shows them");
    if (poptPeekArg(context))
        return cli_usage("law", "one statistic at a time: leave '%s' out", poptPeekArg(context));
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
    const struct poptOption options[] = {
        { NULL, 'n', POPT_ARG_STRING, &typed.common.n, CLI_TEXT, "items (3)", "N" },
        { "deal", 0, POPT_ARG_STRING, &typed.common.deal, CLI_TEXT, "cards dealt of the N (all)", "K" },
        { "member", 0, POPT_ARG_STRING, &typed.member, CLI_TEXT,
          "the item, of a statistic that there is for each item (1)", "I" },
        { "format", 0, POPT_ARG_STRING, &typed.format, CLI_TEXT, "text, markdown, json or csv (text)",
          "FORMAT" },
        { NULL, 'o', POPT_ARG_STRING, &typed.file, CLI_TEXT, "write to FILE and not to standard output",
          "FILE" },
        { "help", CLI_HELP, POPT_ARG_NONE, NULL, CLI_HELP, "show this", NULL },
        POPT_TABLEEND,
    };
    const struct cli_syntax syntax = { "law", "[OPTION ...] STATISTIC", law_examples, options };
    poptContext context = poptGetContext(NULL, argc, argv, options, 0);
    int status = EXIT_DONE;

    if (cli_next_option(context, &syntax, &status) == -1)
        status = law_run(context, &typed);
    poptFreeContext(context);
    cli_texts_free(options);
    return status;
}
