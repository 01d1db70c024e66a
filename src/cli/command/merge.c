/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias merge: adds up the saved shards of a run. */
#include "cli/shared_options.h"

static const char merge_examples[] =
    "  shufflebias report naive --samples 1e11 --shard 1/2 --save a.json\n"
    "                         runs the first half on one machine\n"
    "  shufflebias report naive --samples 1e11 --shard 2/2 --save b.json\n"
    "                         runs the second half on another machine\n"
    "  shufflebias merge a.json b.json -o naive.json\n"
    "                         writes the same file that one undivided run saves\n"
    "  shufflebias report naive.json\n"
    "                         reports on the whole run\n"
    "  shufflebias merge --partial part*.json -o now.json\n"
    "                         adds up the parts that exist so far\n";

/* The options as typed; NULL for an option that was not typed. */
struct merge_typed {
    char *output, *threads;
    int partial, quiet;
};

static int merge_run(const char *const paths[], const struct merge_typed *typed)
{
    const struct cli_common common = { .threads = typed->threads };
    struct cli_progress_state progress;
    struct sb_options options;
    struct sb_error error = { 0 };
    enum sb_status status;
    size_t count = 0;

    while (paths && paths[count])
        count++;
    if (count == 0)
        return cli_usage(
            "merge", "name the files of the parts: 'shufflebias report --shard K/M --save FILE' makes them");
    if (!typed->output)
        return cli_usage("merge", "name the file to be written: -o FILE");
    sb_options_init(&options);
    if (!cli_common_settle("merge", &common, &options))
        return EXIT_USAGE;
    options.save = typed->output;
    options.stop = cli_stop_flag();
    options.progress = cli_progress;
    options.progress_state = &progress;
    cli_progress_begin(typed->quiet, &progress);
    status = sb_saved_merge(paths, count, typed->partial, &options, &error);
    cli_progress_end(&progress);
    return status ? cli_failed("merge", &error) : EXIT_DONE;
}

static int merge_main(int argc, const char *argv[])
{
    struct merge_typed typed = { 0 };
    const struct cli_option options[] = {
        { .name = "output",
          .letter = 'o',
          .argument = "FILE",
          .file = &typed.output,
          .help = "write this file, which must not exist yet" },
        { .name = "partial",
          .flag = &typed.partial,
          .help = "merge even if parts are missing or unfinished" },
        cli_option_threads(&typed.threads),
        cli_option_quiet(&typed.quiet),
        cli_option_help(),
        { .name = NULL },
    };
    const struct cli_syntax syntax = {
        .command = "merge",
        .arguments = "[OPTION ...] FILE ... -o FILE",
        .examples = merge_examples,
        .options = options,
    };
    int status = EXIT_DONE;

    if (cli_options_read(&syntax, argc, argv, &status))
        status = merge_run(argv + 1, &typed);
    return status;
}

const struct cli_command_type cli_command_merge = {
    .name = "merge",
    .run = merge_main,
    .example = { { "PART ... -o FILE", "combine the results of several machines" } },
};
