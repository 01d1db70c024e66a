/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias explain: how a shuffle works, and why it is fair or biased. */
#include "cli/cli.h"

const struct cli_command_type cli_command_explain = {
    .name = "explain",
    .of = SB_EXPLAIN,
    .arguments = "[OPTION ...] SCHEME",
    .examples = {
        { "shufflebias explain naive",
          "why the naive swap is biased: 27 paths cannot be divided evenly among six orders" },
        { "shufflebias explain fisher-yates -n 4", "24 paths lead to 24 orders" },
        { "shufflebias explain naive --path 0,2,1", "one path, swap by swap" },
        { "shufflebias explain fisher-yates/modulo:15 -n 6", "a fair shuffle with biased draws" },
    },
    .notes = "A draw is one random number below a bound. A path is one possible series of\n"
             "draws, from the first to the last.\n",
    .word = "name a scheme: 'shufflebias list shuffles' shows them",
    .single = "scheme",
    .result = &sb_explain_result,
    .first = { { "explain naive", "why a shuffle is fair or biased" } },
};
