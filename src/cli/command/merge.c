/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias merge: the parts of a run, each in a file of its own, are added up. */
#include "cli/cli.h"

static const char merge_examples[] =
    "  shufflebias report naive --samples 1e11 --shard 1/2 --save a.json    on one machine\n"
    "  shufflebias report naive --samples 1e11 --shard 2/2 --save b.json    on another\n"
    "  shufflebias merge a.json b.json -o naive.json      what a run that was not divided would have saved\n"
    "  shufflebias report naive.json\n"
    "  shufflebias merge --partial part*.json -o now.json    what there is so far\n";

/* As typed. */
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

int cli_merge(int argc, const char *argv[])
{
    struct merge_typed typed = { 0 };
    const struct cli_option options[] = {
        { "output", 'o', "the file to be written, which is not there yet", "FILE", .file = &typed.output },
        { "partial", 0, "also where parts are missing, or not at their ends", NULL, .flag = &typed.partial },
        { "threads", 0, "for decks that are compared with each other (all processors)", "T",
          .text = &typed.threads },
        { "quiet", 0, "no progress line", NULL, .flag = &typed.quiet },
        { "help", 'h', "show this", NULL, .text = NULL },
        { .name = NULL },
    };
    const struct cli_syntax syntax = { "merge", "[OPTION ...] FILE ... -o FILE", merge_examples, options };
    int status = EXIT_DONE;

    if (cli_options_read(&syntax, argc, argv, &status))
        status = merge_run(argv + 1, &typed);
    return status;
}
