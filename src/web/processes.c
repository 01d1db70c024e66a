/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file replaces src/study/zoo/process in the module, which cannot start commands. */
#include "core/core.h"
#include "study/zoo/zoo.h"

enum sb_status sb_zoo_ask(const struct sb_zoo_options *options, struct sb_feed *feed, struct sb_error *error,
                          bool *passed)
{
    (void)feed;
    (void)passed;
    return sb_error_set(error, SB_INVALID, "cannot run '%.200s': the WebAssembly module starts no commands",
                        options->test);
}
