/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The option rows that several commands share: name, argument and help. */
#include "cli/shared_options.h"

static struct cli_option shared_text(enum cli_group group, const char *name, const char *argument,
                                     char **text, const char *help)
{
    return (
        struct cli_option) { .name = name, .argument = argument, .text = text, .help = help, .group = group };
}

static struct cli_option shared_flag(enum cli_group group, const char *name, int *flag, const char *help)
{
    return (struct cli_option) { .name = name, .flag = flag, .help = help, .group = group };
}

struct cli_option cli_option_n(char **text, const char *help)
{
    return (struct cli_option) {
        .letter = 'n', .argument = "N", .text = text, .help = help, .group = CLI_SHUFFLE
    };
}

struct cli_option cli_option_deal(char **text)
{
    return shared_text(CLI_SHUFFLE, "deal", "K", text, "deal only K of the N items (all)");
}

struct cli_option cli_option_cards(char **text)
{
    return shared_text(CLI_SHUFFLE, "cards", "\"A B C\"", text,
                       "the names of the items, in their order before the shuffle (numbers from 1)");
}

struct cli_option cli_option_seed(char **text)
{
    return shared_text(CLI_SHUFFLE, "seed", "SEED", text, "seed of SCHEME's generator (1)");
}

struct cli_option cli_option_draw(char **text)
{
    return shared_text(CLI_SHUFFLE, "draw", "DRAW", text, "the DRAW for a SCHEME without one (ideal)");
}

struct cli_option cli_option_rng(char **text)
{
    return shared_text(CLI_SHUFFLE, "rng", "RNG", text, "the RNG for a SCHEME without one (philox)");
}

struct cli_option cli_option_threads(char **text)
{
    return shared_text(CLI_PROGRAM, "threads", "T", text,
                       "number of threads, which does not affect the results (all processors)");
}

struct cli_option cli_option_profile(char **text)
{
    return shared_text(CLI_TEST, "profile", "PROFILE", text,
                       "'cards' adds statistics for 52 playing cards in new-deck order");
}

struct cli_option cli_option_checkpoint(char **text)
{
    return shared_text(CLI_RUNS, "checkpoint", "S", text,
                       "with --save or --resume: save every S seconds, and at the end (60)");
}

struct cli_option cli_option_counts(int *flag)
{
    return shared_flag(CLI_OUTPUT, "counts", flag,
                       "in JSON, list all counts even if there are more than 8 items");
}

struct cli_option cli_option_increments(int *flag)
{
    return shared_flag(CLI_TEST, "increments", flag,
                       "also test the permutations that turn each result into the next");
}

struct cli_option cli_option_quiet(int *flag)
{
    return shared_flag(CLI_PROGRAM, "quiet", flag, "show no progress line");
}

struct cli_option cli_option_help(void)
{
    return (
        struct cli_option) { .name = "help", .letter = 'h', .help = "show this help", .group = CLI_PROGRAM };
}

void cli_common_options(struct cli_common *common, struct cli_option options[])
{
    const struct cli_option rows[] = {
        cli_option_n(&common->n,
                     "number of items (3; if the input is text, the number of items on its first line)"),
        cli_option_deal(&common->deal),
        cli_option_seed(&common->seed),
        cli_option_draw(&common->draw),
        cli_option_rng(&common->rng),
    };

    cli_options_add(options, rows, sizeof rows / sizeof rows[0]);
}
