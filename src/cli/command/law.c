/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias law: the distribution of a statistic under a fair shuffle. */
#include "cli/shared_options.h"
#include "study/results.h"

#include <string.h>

static const char law_examples[] =
    "  shufflebias law descents -n 52     the number of descents of 52 fairly\n"
    "                                     shuffled cards\n"
    "  shufflebias law successor -n 5 --member 3\n"
    "                                     which item follows item 3\n"
    "  shufflebias law inversions -n 52 --deal 5\n"
    "                                     inversions among the first five cards\n"
    "  shufflebias law cycles -n 1000 --format json\n"
    "                                     cycles of 1,000 items, as JSON\n";

/* The options as typed; NULL for an option that was not typed. */
struct law_typed {
    struct cli_common common;
    struct cli_outputs outputs;
    char *member;
};

static int law_run(const char *const words[], struct law_typed *typed)
{
    const char *const statistic = words[0];
    struct sb_error error = { 0 };
    struct sb_null_law *law = NULL;
    struct sb_options options;
    size_t member = 1;

    if (!statistic)
        return cli_usage("law", "name a statistic: 'shufflebias list statistics' shows them");
    if (words[1])
        return cli_usage("law", "one statistic at a time: leave '%s' out", words[1]);
    sb_options_init(&options);
    if (!cli_common_settle("law", &typed->common, &options) ||
        (typed->member && !cli_size("law", "--member", typed->member, 1, UINT16_MAX, &member)))
        return EXIT_USAGE;
    /* cli_stop_flag() also installs the handler that removes unfinished outputs, so the call comes first */
    options.stop = cli_stop_flag();
    int status = cli_outputs_open(&typed->outputs);
    if (status)
        return status;
    status = sb_null_law_new(statistic, member - 1, &options, &error, &law)
                 ? cli_failed("law", &error)
                 : cli_outputs_write(&typed->outputs, law);
    sb_null_law_free(law);
    return status;
}

static int law_main(int argc, const char *argv[])
{
    struct law_typed typed = { .outputs = { .command = "law", .type = &sb_null_law_result } };
    struct cli_option options[CLI_OPTIONS_MOST] = {
        cli_option_n(&typed.common.n, "number of items (3)"),
        cli_option_deal(&typed.common.deal),
        { .name = "member",
          .argument = "I",
          .text = &typed.member,
          .help = "the item to show, if the statistic has one distribution per item, like 'successor' (1)" },
        cli_option_cards(&typed.common.cards),
        cli_option_help(),
        { .name = NULL },
    };
    const struct cli_syntax syntax = {
        .command = "law",
        .arguments = "[OPTION ...] STATISTIC",
        .examples = law_examples,
        .options = options,
    };
    int status = EXIT_DONE;

    cli_outputs_options(&typed.outputs, options);
    if (cli_options_read(&syntax, argc, argv, &status))
        status = law_run(argv + 1, &typed);
    cli_outputs_close(&typed.outputs);
    return status;
}

const struct cli_command_type cli_command_law = {
    .name = "law",
    .run = law_main,
    .example = { { "descents -n 52", "the distribution of a statistic under a fair shuffle" } },
};
