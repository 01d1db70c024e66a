/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gate's options for one subject, from the command line or from a suite. */
#include "cli/cli.h"

#include <string.h>

bool cli_asked_settle(const char *command, const struct cli_asked *asked, struct sb_gate_options *options)
{
    const bool tolerates = asked->tolerate && strcmp(asked->tolerate, "0") != 0;

    options->increments = options->increments || asked->increments;
    options->profile = asked->profile ? asked->profile : options->profile;
    options->tolerate = asked->tolerate ? 0 : options->tolerate;
    return (!asked->limit || cli_number(command, "--limit", asked->limit, 1, INT64_MAX, &options->limit)) &&
           (!asked->seeds || cli_power(command, "--seeds", asked->seeds, 1, INT64_MAX, &options->seeds)) &&
           (!asked->exclude || cli_share(command, "--exclude", asked->exclude, &options->exclude)) &&
           (!tolerates || cli_share(command, "--tolerate", asked->tolerate, &options->tolerate));
}
