/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a command that deals once has printed since its last start. */
#ifndef SB_SUBJECT_PROCESS_ONCE_OUTPUT_H
#define SB_SUBJECT_PROCESS_ONCE_OUTPUT_H

#include "core/core.h"

#include <stdbool.h>
#include <stdint.h>

/* Initialise the struct as { .record = ... } at each start. */
struct sb_once_output {
    size_t record;   /* bytes of a permutation if the output is binary; 0: it is text */
    uint64_t length; /* bytes so far, without the byte order mark of text */
    char last;       /* the last byte; 0: no output yet */
    bool spoke;      /* whether there is more than blank lines and comments */
    bool comment;    /* whether the last byte is in a comment */
    bool gzip;       /* whether the output begins as gzip data does */
};

/* Notes the next bytes, at least 1. Removes a byte order mark with which text begins, and returns the length that is
 * left. */
size_t sb_once_output_take(struct sb_once_output *output, char bytes[], size_t length);

/* Checks an output that has ended. SB_SUBJECT if there is no permutation or half of one. `name` names the command. */
enum sb_status sb_once_output_check(const struct sb_once_output *output, const char *name,
                                    struct sb_error *error);

#endif
