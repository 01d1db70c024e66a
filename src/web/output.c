/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file replaces src/cli/system/output.c in the module. The only output is standard output, which the
 * host collects. */
#include "cli/cli.h"

#include <errno.h>
#include <string.h>

static bool output_none(const char *command, const char *path)
{
    cli_usage(command, "cannot write '%s': the WebAssembly module has no files", path);
    return false;
}

bool cli_output_open(const char *command, const char *path, struct cli_output *output)
{
    *output = (struct cli_output) { 0 };
    if (path && strcmp(path, "-") != 0)
        return output_none(command, path);
    output->stream = stdout;
    return true;
}

bool cli_output_folder(const char *command, const char *path)
{
    return output_none(command, path);
}

bool cli_output_same(const struct cli_output *one, const struct cli_output *other)
{
    return one->stream == other->stream;
}

bool cli_output_keep(const char *command, struct cli_output *output)
{
    if (!ferror(output->stream) && fflush(output->stream) == 0)
        return true;
    cli_usage(command, "cannot write standard output: %s", strerror(errno));
    return false;
}

int cli_finish(const char *command, int status)
{
    struct cli_output standard = { .stream = stdout };

    return cli_output_keep(command, &standard) ? status : EXIT_BROKEN;
}

void cli_output_drop(struct cli_output *output)
{
    *output = (struct cli_output) { 0 };
}

void cli_output_clean(const char *path)
{
    (void)path;
}

void cli_output_unlink(void)
{
}
