/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file replaces src/subject/process and src/study/zoo/process in the module, which cannot start
 * commands. */
#include "core/error.h"
#include "core/text/sanitize_text.h"
#include "study/zoo/zoo.h"
#include "subject/process/command_peer.h"

static enum sb_status processes_none(const char *command, struct sb_error *error)
{
    return sb_error_set(error, SB_INVALID, "cannot run '%.200s': the WebAssembly module starts no commands",
                        command);
}

enum sb_status sb_bytes_open_command(const char *const argv[], const struct sb_patience *patience,
                                     sb_overheard *overheard, void *state, struct sb_error *error,
                                     struct sb_bytes **bytes)
{
    (void)patience;
    (void)overheard;
    (void)state;
    (void)bytes;
    return processes_none(argv[0], error);
}

char *sb_command_name(const char *const command[])
{
    return sb_sanitize_text(command[0], 200);
}

enum sb_status sb_command_peer_open(const char *const command[], const struct sb_patience *patience,
                                    sb_overheard *overheard, void *state, struct sb_error *error,
                                    struct sb_peer **peer)
{
    (void)patience;
    (void)overheard;
    (void)state;
    (void)peer;
    return processes_none(command[0], error);
}

enum sb_status sb_zoo_ask(const struct sb_zoo_options *options, struct sb_feed *feed, struct sb_error *error,
                          bool *passed)
{
    (void)feed;
    (void)passed;
    return processes_none(options->test, error);
}
