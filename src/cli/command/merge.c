/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias merge: adds up the saved shards of a run. */
#include "cli/cli.h"
#include "study/results.h"

static int merge_run(struct cli_line *line)
{
    return line->request.output ? cli_run(line) : cli_usage("merge", "name the file to be written: -o FILE");
}

const struct cli_command_type cli_command_merge = {
    .name = "merge",
    .of = SB_MERGE,
    .arguments = "[OPTION ...] FILE ... -o FILE",
    .examples = {
        { "shufflebias report naive --samples 1e11 --shard 1/2 --save a.json", "runs the first half on one machine" },
        { "shufflebias report naive --samples 1e11 --shard 2/2 --save b.json",
          "runs the second half on another machine" },
        { "shufflebias merge a.json b.json -o naive.json", "writes the same file that one undivided run saves" },
        { "shufflebias report naive.json", "reports on the whole run" },
        { "shufflebias merge --partial part*.json -o now.json", "adds up the parts that exist so far" },
    },
    .word = "name the files of the parts: 'shufflebias report --shard K/M --save FILE' makes them",
    .run = merge_run,
    .first = { { "merge PART ... -o FILE", "combine the results of several machines" } },
};
