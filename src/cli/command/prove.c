/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shufflebias prove: the exact law of an outside program's shuffle. */
#include "cli/shared_options.h"
#include "study/report/report_result.h"

#include <string.h>

static const char prove_examples[] =
    "  shufflebias prove -n 3 -- ./my-shuffle 3\n"
    "                         for each draw, my-shuffle prints 'draw K' and reads a\n"
    "                         number below K; at the end it prints its result, as in\n"
    "                         'deck 2 0 1'\n"
    "  shufflebias prove -n 3 -- node data/adapters/prove.js data/articles/naive.js 3\n"
    "                         a shuffle in JavaScript that calls Math.random()\n"
    "  shufflebias prove -n 6 -- python3 data/adapters/prove.py 6\n"
    "                         Python's random.shuffle()\n";

/* The options as typed; NULL for an option that was not typed. */
struct prove_typed {
    struct cli_outputs outputs;
    char *n, *cells, *draws, *paths, *timeout;
    int counts, quiet;
    const char **command; /* the words after "--", followed by NULL */
};

static bool prove_settle(const struct prove_typed *typed, struct sb_proof *proof)
{
    size_t n = proof->n;
    uint64_t cells = 0, draws = proof->draws;

    if ((typed->n && !cli_size("prove", "-n", typed->n, 0, 10, &n)) ||
        (typed->cells && !cli_number("prove", "--cells", typed->cells, 1, 65536, &cells)) ||
        (typed->draws && !cli_number("prove", "--max-draws", typed->draws, 1, 1000000, &draws)) ||
        (typed->paths && !cli_number("prove", "--max-paths", typed->paths, 1, INT64_MAX, &proof->paths)) ||
        (typed->timeout && !cli_seconds("prove", "--timeout", typed->timeout, &proof->timeout)))
        return false;
    proof->n = n;
    proof->cells = (uint32_t)cells;
    proof->draws = (uint32_t)draws;
    proof->counts = typed->counts;
    return true;
}

static int prove_verdict(const struct sb_reports *reports)
{
    struct sb_summary summary = { .verdict = "inconclusive" };

    sb_reports_summary(reports, 0, &summary);
    if (sb_reports_interrupted(reports))
        return EXIT_INTERRUPTED;
    if (strcmp(summary.verdict, "biased") == 0)
        return EXIT_BIASED;
    return strcmp(summary.verdict, "uniform") == 0 ? EXIT_DONE : EXIT_INCONCLUSIVE;
}

static int prove_run(struct prove_typed *typed, struct sb_proof *proof)
{
    struct cli_progress_state progress;
    struct sb_error error = { 0 };
    struct sb_reports *reports = NULL;
    int status;

    /* cli_stop_flag() also installs the handler that removes unfinished outputs, so the call comes first */
    proof->stop = cli_stop_flag();
    proof->group = cli_group(0);
    status = cli_outputs_open(&typed->outputs);
    if (status)
        return status;
    cli_progress_begin(typed->quiet, &progress);
    proof->progress = cli_progress;
    proof->overheard = cli_stderr_relay;
    proof->progress_state = proof->overheard_state = &progress;
    const enum sb_status made = sb_prove_command(typed->command, proof, &error, &reports);
    cli_progress_end(&progress);
    if (!made)
        cli_flags_reports(reports);
    status = made ? cli_failed("prove", &error) : cli_outputs_write(&typed->outputs, reports);
    if (status == EXIT_DONE)
        status = prove_verdict(reports);
    sb_reports_free(reports);
    return status;
}

static int prove_read(const char *const words[], struct prove_typed *typed)
{
    struct sb_proof proof;

    const char *const word = words[0];
    if (word)
        return cli_usage("prove",
                         "unexpected '%s': the command goes after '--', as in: prove -n 3 -- ./my-shuffle 3",
                         word);
    if (!typed->command || !typed->command[0])
        return cli_usage("prove", "name a command after '--', as in: prove -n 3 -- ./my-shuffle 3");
    sb_proof_init(&proof);
    return prove_settle(typed, &proof) ? prove_run(typed, &proof) : EXIT_USAGE;
}

static int prove_main(int argc, const char *argv[])
{
    struct prove_typed typed = { .outputs = { .command = "prove", .type = &sb_reports_result } };
    struct cli_option options[CLI_OPTIONS_MOST] = {
        cli_option_n(&typed.n, "number of items, 0 to 10 (3); the command must use the same number"),
        { .name = "cells",
          .argument = "M",
          .text = &typed.cells,
          .help =
              "if the command requests a number in [0, 1), answer with one of M equally spaced numbers; by "
              "default, M is the least common multiple of 1 to N" },
        { .name = "max-draws",
          .argument = "D",
          .text = &typed.draws,
          .help = "end a series of random draws after D draws, and count the series as unresolved (1,000)" },
        { .name = "max-paths",
          .argument = "P",
          .text = &typed.paths,
          .help = "refuse a shuffle with more than P possible series of random draws (1,000,000)" },
        { .name = "timeout",
          .argument = "S",
          .text = &typed.timeout,
          .help = "fail if the command requests no draw and prints no deck for S seconds (60)" },
        cli_option_counts(&typed.counts),
        cli_option_quiet(&typed.quiet),
        cli_option_help(),
        { .name = NULL },
    };
    const struct cli_syntax syntax = { "prove", "[OPTION ...] -- COMMAND [ARGUMENT ...]", prove_examples,
                                       options };

    cli_outputs_options(&typed.outputs, options);
    typed.command = cli_command_split(&argc, argv);
    int status = EXIT_DONE;

    if (cli_options_read(&syntax, argc, argv, &status))
        status = prove_read(argv + 1, &typed);
    cli_outputs_close(&typed.outputs);
    return status;
}

const struct cli_command_type cli_command_prove = {
    .name = "prove",
    .run = prove_main,
    .example = { { "-n 3 -- ./my-shuffle", "exact probabilities of your shuffle" } },
};
