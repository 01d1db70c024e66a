/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text from somebody else's program, made fit to be shown on a terminal and in a log of a CI system. */
#ifndef SB_SUBJECT_PROCESS_SANITIZE_TEXT_H
#define SB_SUBJECT_PROCESS_SANITIZE_TEXT_H

#include <stddef.h>

/*
 * A copy that does no harm: what sb_utf8_fold() replaces, and no workflow command; cut after `most` bytes,
 * and then it ends in "...". At most 2 most + 3 bytes; the caller frees it. NULL without memory.
 */
char *sb_sanitize_text(const char *text, size_t most);

#endif
