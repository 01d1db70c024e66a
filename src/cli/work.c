/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What most commands do before and after their work. */
#include "cli/cli.h"
#include "study/call.h"

size_t cli_words_count(const char *const words[])
{
    size_t count = 0;

    while (words[count])
        count++;
    return count;
}

int cli_begin(struct cli_line *line)
{
    const bool shown = sb_option_find(line->type->of, "quiet") && !line->request.quiet;
    const int status = line->type->result ? cli_outputs_open(&line->outputs, &line->request) : EXIT_DONE;

    line->request.stop = cli_stop_flag();
    line->request.progress = cli_progress;
    line->request.overheard = cli_stderr_relay;
    line->request.progress_state = line->request.overheard_state = &line->progress;
    line->request.group = cli_group(0);
    if (!status)
        cli_progress_begin(!shown, &line->progress);
    return status;
}

int cli_prepare(struct cli_line *line)
{
    if (!cli_settle_items(line->type->name, &line->request, true) || !cli_settle(line->type->name, &line->request))
        return EXIT_USAGE;
    return cli_begin(line);
}

int cli_end(struct cli_line *line, enum sb_status made, const struct sb_error *error, const void *result)
{
    cli_progress_end(&line->progress);
    return made ? cli_failed(line->type->name, error) : cli_outputs_write(&line->outputs, result);
}

int cli_run(struct cli_line *line)
{
    /* `odds` has a scheme before its words */
    const size_t count = cli_words_count(line->words), schemes = line->type->of == SB_ODDS;
    struct sb_call call = {
        .schemes = { schemes ? schemes : count, line->words },
        .words = { count - schemes, line->words + schemes },
        .program.text = line->program,
    };
    struct sb_error error = { 0 };
    int status = cli_prepare(line);

    if (status)
        return status;
    line->request.call = &call;
    struct sb_result *const result = sb_call_run(&line->request, &error);

    if (result && result->type == &sb_reports_result)
        cli_flags_reports(result->reports);
    status = cli_end(line, result ? SB_OK : error.status, &error, result ? result->made : NULL);
    if (status == EXIT_DONE && line->type->verdict)
        status = line->type->verdict(result->made);
    sb_result_free(result);
    return status;
}
