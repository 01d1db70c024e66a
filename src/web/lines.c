/* SPDX-License-Identifier: GPL-3.0-or-later */
/* This file replaces src/subject/text_stages.c, lines and gzip in the module, which tests functions rather than
 * logs, and would be a tenth larger with regular expressions. */
#include "core/core.h"
#include "subject/text_stages.h"

enum sb_status sb_text_stages_check(const struct sb_subject *subject, const struct sb_form *form,
                                    struct sb_error *error)
{
    const char *const name = subject->match       ? "match"
                             : subject->json_path ? "json_path"
                             : subject->field     ? "field"
                                                  : "separator";

    (void)form;
    if (!subject->match && !subject->json_path && !subject->field && !subject->separator)
        return SB_OK;
    return sb_error_set(error, SB_INVALID,
                        "`%s`: the WebAssembly module reads no logs: use the native program", name);
}

enum sb_status sb_text_stages_add(const struct sb_subject *subject, const struct sb_form *form,
                                  const volatile sig_atomic_t *stop, struct sb_error *error,
                                  struct sb_bytes **bytes)
{
    (void)subject;
    (void)form;
    (void)stop;
    (void)error;
    (void)bytes;
    return SB_OK;
}

bool sb_file_is_gzip(const char *path)
{
    (void)path;
    return false;
}
