/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias odds: the exact probabilities of given permutations. */
#include "cli/cli.h"
#include "study/results.h"

const struct cli_command_type cli_command_odds = {
    .name = "odds",
    .of = SB_ODDS,
    .arguments = "[OPTION ...] SCHEME PERMUTATION ...",
    .examples = {
        { "shufflebias odds naive 123 231 321", "three orders of three items" },
        { "shufflebias odds naive 2.3.4.1.6.7.8.9.10.5", "an order of more than nine items is written with dots" },
        { "shufflebias odds fisher-yates/modulo:15 123456 654321 --format json", "two orders of six items, as JSON" },
    },
    .word = "name a scheme: 'shufflebias list shuffles' shows them",
    .result = &sb_odds_result,
    .first = { { "odds naive 123 231", "exact probabilities of given orders" } },
};
