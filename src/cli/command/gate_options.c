/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gate's options for one subject, from the command line or from a suite. */
#include "cli/shared_options.h"

void cli_asked_options(struct cli_asked *asked, struct cli_option options[])
{
    const struct cli_option rows[] = {
        { .name = "exclude",
          .argument = "TV",
          .text = &asked->exclude,
          .help = "pass only if the bias is smaller than TV, a total variation distance (0.01)" },
        { .name = "tolerate",
          .argument = "TV",
          .text = &asked->tolerate,
          .help = "fail only if the bias is larger than TV, a total variation distance (0)" },
        { .name = "limit",
          .argument = "M",
          .text = &asked->limit,
          .help = "stop after M permutations (2,000,000)" },
        { .name = "seeds",
          .argument = "M",
          .text = &asked->seeds,
          .help =
              "detect a seed that is too short: pass only if the shuffle can give at least M equally likely "
              "decks; M is a number or a power, such as 2^32" },
        cli_option_profile(&asked->profile),
        cli_option_increments(&asked->increments),
    };

    cli_options_add(options, rows, sizeof rows / sizeof rows[0]);
}

bool cli_asked_settle(const char *command, const struct cli_asked *asked, struct sb_gate_options *options)
{
    uint64_t zero;
    const bool tolerates = asked->tolerate && !cli_number_is(asked->tolerate, 0, 0, &zero);

    options->increments = options->increments || asked->increments;
    options->profile = asked->profile ? asked->profile : options->profile;
    options->tolerate = asked->tolerate ? 0 : options->tolerate;
    return (!asked->limit || cli_number(command, "--limit", asked->limit, 1, INT64_MAX, &options->limit)) &&
           (!asked->seeds || cli_power(command, "--seeds", asked->seeds, 1, INT64_MAX, &options->seeds)) &&
           (!asked->exclude || cli_share(command, "--exclude", asked->exclude, &options->exclude)) &&
           (!tolerates || cli_share(command, "--tolerate", asked->tolerate, &options->tolerate));
}
