/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes one result to several files, each in its own format: --format, -o and --export. */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

static int outputs_unknown(const struct cli_outputs *outputs, const char *format)
{
    char formats[SB_RESULT_FORMATS_ROOM];

    return cli_usage(outputs->command, "unknown format '%s': use %s", format,
                     sb_result_formats(outputs->type, formats));
}

/* Opens one more output; returns the exit status. */
static int outputs_open(struct cli_outputs *outputs, const char *format, const char *path)
{
    struct cli_place *const last = &outputs->place[outputs->count];

    if (!sb_result_has(outputs->type, format))
        return outputs_unknown(outputs, format);
    if (!cli_output_open(outputs->command, path, &last->output))
        return EXIT_BROKEN;
    snprintf(last->format, sizeof last->format, "%s", format);
    outputs->count++;
    for (size_t i = 0; &outputs->place[i] < last; i++)
        if (cli_output_same(&outputs->place[i].output, &last->output))
            return cli_usage(outputs->command, "%s and %s would both go to %s: give each a file of its own",
                             outputs->place[i].format, format, path ? path : "standard output");
    return EXIT_DONE;
}

/* Checks that the requested figure exists and that an svg output will draw it; returns the exit status. */
static int outputs_figure(const struct cli_outputs *outputs)
{
    char figures[SB_RESULT_FORMATS_ROOM];

    if (!outputs->figure)
        return EXIT_DONE;
    if (!sb_result_draws(outputs->type, outputs->figure))
        return cli_usage(outputs->command, "unknown figure '%s': use %s", outputs->figure,
                         sb_result_figures(outputs->type, figures));
    for (size_t i = 0; i < outputs->count; i++)
        if (strcmp(outputs->place[i].format, "svg") == 0)
            return EXIT_DONE;
    return cli_usage(outputs->command, "--figure %s: only goes with the format svg", outputs->figure);
}

/* Opens the output of one option --export; returns the exit status. */
static int outputs_export(struct cli_outputs *outputs, const char *text)
{
    const char *const colon = strchr(text, ':');
    char format[64];

    if (!colon || !colon[1])
        return cli_usage(outputs->command, "--export %s: write FORMAT:FILE, as in json:report.json", text);
    snprintf(format, sizeof format, "%.*s", (int)(colon - text), text);
    return outputs_open(outputs, format, colon + 1);
}

int cli_outputs_open(struct cli_outputs *outputs, const struct sb_request *request)
{
    int status = EXIT_DONE;

    cli_stop_flag();
    outputs->figure = request->figure;
    outputs->details = request->details;
    for (size_t i = 0; i < request->exports.count && status == EXIT_DONE; i++)
        status = outputs_export(outputs, request->exports.text[i]);
    if (status == EXIT_DONE)
        status = outputs_open(outputs, request->format ? request->format : "text", request->output);
    return status ? status : outputs_figure(outputs);
}

int cli_outputs_spare(const struct cli_outputs *outputs, const struct cli_spared files[])
{
    for (; files->what; files++)
        for (size_t i = 0; files->path && i < outputs->count; i++)
            if (cli_output_replaces(&outputs->place[i].output, files->path))
                return cli_usage(outputs->command, "'%s' is %s, and cannot take the %s: name another file", files->path,
                                 files->what, outputs->place[i].format);
    return EXIT_DONE;
}

int cli_outputs_write(struct cli_outputs *outputs, const void *result)
{
    struct sb_error said = { 0 };
    int status = EXIT_DONE;

    for (size_t i = 0; i < outputs->count; i++) {
        struct cli_place *const place = &outputs->place[i];
        struct sb_look look = cli_look(place->output.stream);
        struct sb_error error = { 0 };

        look.figure = outputs->figure;
        look.details = outputs->details;
        const enum sb_status written =
            sb_result_write(outputs->type, result, place->format, &look, &error, place->output.stream);

        if (written && written != SB_IO && strcmp(said.text, error.text) == 0)
            continue; /* the same error in several formats needs only one line */
        if (written && written != SB_IO) {
            status = cli_failed(outputs->command, &error);
            said = error;
        } else if (!cli_output_keep(outputs->command, &place->output)) {
            status = EXIT_BROKEN;
        }
    }
    return status;
}

void cli_outputs_keep(struct cli_outputs *outputs, bool (*wanted)(const char *format))
{
    size_t kept = 0;

    for (size_t i = 0; i < outputs->count; i++)
        if (wanted(outputs->place[i].format))
            outputs->place[kept++] = outputs->place[i];
        else
            cli_output_drop(&outputs->place[i].output);
    outputs->count = kept;
}

void cli_outputs_close(struct cli_outputs *outputs)
{
    for (size_t i = 0; i < outputs->count; i++)
        cli_output_drop(&outputs->place[i].output);
    outputs->count = 0;
}

int cli_finish(const char *command, int status)
{
    struct cli_output standard = { .stream = stdout };

    return cli_output_keep(command, &standard) ? status : EXIT_BROKEN;
}
