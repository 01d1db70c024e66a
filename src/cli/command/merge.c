/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias merge: adds up the saved shards of a run. */
#include "cli/cli.h"
#include "study/results.h"

static const char merge_examples[] = "  shufflebias report naive --samples 1e11 --shard 1/2 --save a.json\n"
                                     "                         runs the first half on one machine\n"
                                     "  shufflebias report naive --samples 1e11 --shard 2/2 --save b.json\n"
                                     "                         runs the second half on another machine\n"
                                     "  shufflebias merge a.json b.json -o naive.json\n"
                                     "                         writes the same file that one undivided run saves\n"
                                     "  shufflebias report naive.json\n"
                                     "                         reports on the whole run\n"
                                     "  shufflebias merge --partial part*.json -o now.json\n"
                                     "                         adds up the parts that exist so far\n";

static int merge_run(struct cli_line *line)
{
    const size_t count = cli_words_count(line->words);
    struct sb_error error = { 0 };

    if (count == 0)
        return cli_usage("merge",
                         "name the files of the parts: 'shufflebias report --shard K/M --save FILE' makes them");
    if (!line->request.output)
        return cli_usage("merge", "name the file to be written: -o FILE");
    const int status = cli_prepare(line);

    if (status)
        return status;
    line->request.save = line->request.output;
    return cli_end(line, sb_saved_merge(line->words, count, line->request.partial, &line->request, &error), &error,
                   NULL);
}

const struct cli_command_type cli_command_merge = {
    .name = "merge",
    .of = SB_MERGE,
    .arguments = "[OPTION ...] FILE ... -o FILE",
    .examples = merge_examples,
    .run = merge_run,
    .example = { { "PART ... -o FILE", "combine the results of several machines" } },
};
