/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias odds: the exact probabilities of given permutations. */
#include "cli/cli.h"
#include "study/results.h"

static const char odds_examples[] = "  shufflebias odds naive 123 231 321\n"
                                    "                         three orders of three items\n"
                                    "  shufflebias odds naive 2.3.4.1.6.7.8.9.10.5\n"
                                    "                         an order of more than nine items is written with dots\n"
                                    "  shufflebias odds fisher-yates/modulo:15 123456 654321 --format json\n"
                                    "                         two orders of six items, as JSON\n";

static int odds_run(struct cli_line *line)
{
    const char *const *const words = line->words;
    struct sb_error error = { 0 };
    struct sb_odds *odds = NULL;

    if (!words[0])
        return cli_usage("odds", "name a scheme: 'shufflebias list shuffles' shows them");
    int status = cli_prepare(line);

    if (status)
        return status;
    const enum sb_status made =
        sb_odds_new(words[0], words + 1, cli_words_count(words + 1), &line->request, &error, &odds);

    status = cli_end(line, made, &error, odds);
    sb_odds_free(odds);
    return status;
}

const struct cli_command_type cli_command_odds = {
    .name = "odds",
    .of = SB_ODDS,
    .arguments = "[OPTION ...] SCHEME PERMUTATION ...",
    .examples = odds_examples,
    .result = &sb_odds_result,
    .run = odds_run,
    .example = { { "naive 123 231", "exact probabilities of given orders" } },
};
