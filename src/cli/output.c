/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that appear whole or not at all: opened before the work begins, under a temporary name in the same
 * folder, and renamed when all is written. What is no regular file (a pipe, /dev/null) is written in place.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool output_complain(const char *command, const char *path, int number)
{
    cli_usage(command, "cannot write '%s': %s", path ? path : "standard output", strerror(number));
    return false;
}

static bool output_open_beside(const char *path, struct cli_output *output)
{
    const size_t room = strlen(path) + sizeof ".XXXXXX";
    const mode_t mask = umask(0);

    umask(mask);
    output->temporary = calloc(room, 1);
    if (!output->temporary)
        return false;
    snprintf(output->temporary, room, "%s.XXXXXX", path);
    const int descriptor = mkstemp(output->temporary);
    if (descriptor < 0) {
        free(output->temporary);
        output->temporary = NULL;
        return false;
    }
    (void)fchmod(descriptor, 0666 & ~mask);
    output->stream = fdopen(descriptor, "w");
    return output->stream;
}

bool cli_output_open(const char *command, const char *path, struct cli_output *output)
{
    struct stat there;

    *output = (struct cli_output) { 0 };
    if (!path || strcmp(path, "-") == 0) {
        output->stream = stdout;
        return true;
    }
    output->path = strdup(path);
    errno = 0;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        output->stream = fopen(path, "w");
    else if (output->path)
        output_open_beside(path, output);
    if (output->stream)
        return true;
    output_complain(command, path, errno ? errno : ENOMEM);
    cli_output_drop(output);
    return false;
}

bool cli_output_keep(const char *command, struct cli_output *output)
{
    const bool file = output->path;
    const int before = errno; /* why an earlier write failed */
    bool well = !ferror(output->stream);
    int number = well ? 0 : before;

    if (well && fflush(output->stream)) {
        number = errno;
        well = false;
    }

    if (file) {
        if (fclose(output->stream)) {
            number = number ? number : errno;
            well = false;
        }
        output->stream = NULL;
        if (well && output->temporary && rename(output->temporary, output->path)) {
            number = errno;
            well = false;
        }
        if (well) {
            free(output->temporary);
            output->temporary = NULL;
        }
    }
    if (!well && number != EPIPE)
        output_complain(command, output->path, number ? number : EIO);
    return well;
}

int cli_finish(const char *command, int status)
{
    struct cli_output standard = { .stream = stdout };

    return cli_output_keep(command, &standard) ? status : EXIT_BROKEN;
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
