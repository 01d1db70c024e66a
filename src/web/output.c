/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file replaces src/cli/system/output.c in the module. It writes a file under a temporary name, and renames the
 * file when everything is written. There are no locks and no signals. A host without files refuses to open the
 * temporary file.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool output_complain(const char *command, const char *path, int number)
{
    cli_usage(command, "cannot write '%s': %s%s", path ? path : "standard output", strerror(number),
              number == ENOENT ? ": make its folder, or name another file" : "");
    return false;
}

/* Whether the path leads to something that must be written in place, such as /dev/null. */
static bool output_in_place(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && !S_ISREG(about.st_mode);
}

bool cli_output_open(const char *command, const char *path, struct cli_output *output)
{
    *output = (struct cli_output) { 0 };
    if (!path || strcmp(path, "-") == 0) {
        output->stream = stdout;
        return true;
    }
    const size_t room = strlen(path) + sizeof SB_OUTPUT_TEMPORARY "new";

    output->path = strdup(path);
    if (!output_in_place(path)) {
        output->temporary = malloc(room);
        if (output->temporary)
            snprintf(output->temporary, room, "%s%s", path, SB_OUTPUT_TEMPORARY "new");
    }
    errno = 0;
    output->stream = fopen(output->temporary ? output->temporary : path, "w");
    if (output->stream && output->path)
        return true;
    output_complain(command, path, errno ? errno : ENOMEM);
    cli_output_drop(output);
    return false;
}

bool cli_file_nearest(const char *path, char nearest[], size_t room)
{
    (void)path;
    (void)nearest;
    (void)room;
    return false;
}

bool cli_output_folder(const char *command, const char *path)
{
    cli_usage(command, "cannot make the folder '%s': the WebAssembly module makes no folders", path);
    return false;
}

bool cli_output_same(const struct cli_output *one, const struct cli_output *other)
{
    return one->stream == other->stream || (one->path && other->path && strcmp(one->path, other->path) == 0);
}

bool cli_output_replaces(const struct cli_output *output, const char *path)
{
    (void)output;
    (void)path;
    return false;
}

bool cli_output_keep(const char *command, struct cli_output *output)
{
    bool well = !ferror(output->stream) && fflush(output->stream) == 0;

    if (output->path) {
        well = fclose(output->stream) == 0 && well;
        output->stream = NULL;
        well = well && (!output->temporary || rename(output->temporary, output->path) == 0);
        if (well) {
            free(output->temporary);
            output->temporary = NULL;
        }
    }
    if (!well && errno != EPIPE)
        output_complain(command, output->path, errno ? errno : EIO);
    return well;
}

void cli_output_drop(struct cli_output *output)
{
    if (output->stream && output->path)
        fclose(output->stream);
    if (output->temporary)
        unlink(output->temporary);
    free(output->temporary);
    free(output->path);
    *output = (struct cli_output) { 0 };
}

void cli_output_clean(const char *path)
{
    (void)path;
}

void cli_output_unlink(void)
{
}
