/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * This file replaces src/cli/system in the module, which has no signals, no terminal and no locks. The host's function
 * `progress` can stop the work. An output file is written under a temporary name and renamed when everything is
 * written; a host without files refuses to open the temporary file.
 */
#include "cli/cli.h"
#include "web/web.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* These variables are mutable and global, because the interface of signals has no state. */
static volatile sig_atomic_t console_stop, console_reopen, console_group;

void cli_standard_descriptors(void)
{
}

const volatile sig_atomic_t *cli_stop_flag(void)
{
    return &console_stop;
}

bool cli_interrupted(void)
{
    return console_stop;
}

volatile sig_atomic_t *cli_reopen_flag(void)
{
    return &console_reopen;
}

volatile sig_atomic_t *cli_group(size_t index)
{
    return &console_group;
}

unsigned cli_terminal_columns(FILE *stream)
{
    return 0;
}

struct sb_look cli_look(FILE *stream)
{
    return (struct sb_look) { .unicode = true };
}

void cli_progress_begin(bool quiet, struct cli_progress_state *state)
{
    *state = (struct cli_progress_state) { 0 };
}

void cli_progress(void *state, const char *subject, uint64_t done, uint64_t total)
{
    if (sb_web_host_progress((double)done, (double)total))
        console_stop = SIGINT;
}

void cli_progress_bound(void *state, double bound, double goal)
{
}

void cli_progress_end(struct cli_progress_state *state)
{
}

/* ---- output files ---- */

static bool console_complain(const char *command, const char *path, int number)
{
    cli_usage(command, "cannot write '%s': %s%s", path ? path : "standard output", strerror(number),
              number == ENOENT ? ": make its folder, or name another file" : "");
    return false;
}

/* Whether the path leads to something that must be written in place, such as /dev/null. */
static bool console_in_place(const char *path)
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
    if (!console_in_place(path)) {
        output->temporary = malloc(room);
        if (output->temporary)
            snprintf(output->temporary, room, "%s%s", path, SB_OUTPUT_TEMPORARY "new");
    }
    errno = 0;
    output->stream = fopen(output->temporary ? output->temporary : path, "w");
    if (output->stream && output->path)
        return true;
    console_complain(command, path, errno ? errno : ENOMEM);
    cli_output_drop(output);
    return false;
}

bool cli_file_nearest(const char *path, char nearest[], size_t room)
{
    return false;
}

bool cli_output_same(const struct cli_output *one, const struct cli_output *other)
{
    return one->stream == other->stream || (one->path && other->path && strcmp(one->path, other->path) == 0);
}

bool cli_output_replaces(const struct cli_output *output, const char *path)
{
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
        console_complain(command, output->path, errno ? errno : EIO);
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

void cli_output_unlink(void)
{
}
