/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias bench: what shuffles cost. */
#include "cli/cli.h"
#include "study/results.h"

const struct cli_command_type cli_command_bench = {
    .name = "bench",
    .of = SB_BENCH,
    .arguments = "[OPTION ...] [SCHEME ...]",
    .examples = {
        { "shufflebias bench", "all shuffles of 52 items" },
        { "shufflebias bench fisher-yates fisher-yates-forward --deal 9", "two shuffles that deal nine of 52 cards" },
        { "shufflebias bench redraw splice -n 1000 --decks 1e4", "two slow shuffles of 1,000 items" },
        { "shufflebias bench fisher-yates/modulo/mt19937 --format json",
          "another draw method and another generator, as JSON" },
    },
    .result = &sb_costs_result,
    .first = { { "bench", "the cost of each shuffle" } },
};
