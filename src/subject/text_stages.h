/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands between a subject's bytes and the parser of text: gzip/, then lines/. */
#ifndef SB_SUBJECT_TEXT_STAGES_H
#define SB_SUBJECT_TEXT_STAGES_H

#include "subject/stream/stream.h"

/* Checks the options that say where the deck is in a line. Errors: SB_INVALID, SB_NO_MEMORY. */
enum sb_status sb_text_stages_check(const struct sb_subject *subject, const struct sb_form *form,
                                    struct sb_error *error);

/* Puts the stages before *bytes, if the input is text. `stop` is the stop flag, or NULL. Call sb_text_stages_check()
 * first. Frees *bytes after a failure. Error: SB_NO_MEMORY. */
enum sb_status sb_text_stages_add(const struct sb_subject *subject, const struct sb_form *form,
                                  const volatile sig_atomic_t *stop, struct sb_error *error,
                                  struct sb_bytes **bytes);

/* Whether a path is a regular file with gzip data. */
bool sb_file_is_gzip(const char *path);

#endif
