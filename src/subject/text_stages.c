/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "subject/text_stages.h"

#include "core/core.h"
#include "subject/gzip/gzip.h"
#include "subject/lines/lines.h"

#include <stdio.h>
#include <sys/stat.h>

static struct sb_line_form stages_form(const struct sb_subject *subject, const struct sb_form *form)
{
    return (struct sb_line_form) {
        .field = subject->field,
        .separator = subject->separator,
        .match = subject->match,
        .json_path = subject->json_path,
        .names = form->cards,
        .cards = !form->cards && form->base < 0 && !form->free,
        .n = form->n,
        .deal = form->deal,
        .timeout = form->timeout,
        .tell = subject->overheard,
        .state = subject->overheard_state,
    };
}

enum sb_status sb_text_stages_check(const struct sb_subject *subject, const struct sb_form *form,
                                    struct sb_error *error)
{
    const struct sb_line_form lines = stages_form(subject, form);
    const char *const name = lines.match       ? "match"
                             : lines.json_path ? "json_path"
                             : lines.field     ? "field"
                                               : "separator";

    if (!sb_lines_extract(&lines) && !lines.separator)
        return SB_OK;
    if (form->input != SB_INPUT_TEXT)
        return sb_error_set(error, SB_INVALID, "`%s`: is for text: leave it or `input=%s` out", name,
                            subject->input);
    if (form->free)
        return sb_error_set(error, SB_INVALID,
                            "`%s`: reads lines, which `free` ignores: leave one of them out", name);
    return sb_lines_check(&lines, error);
}

enum sb_status sb_text_stages_add(const struct sb_subject *subject, const struct sb_form *form,
                                  const volatile sig_atomic_t *stop, struct sb_error *error,
                                  struct sb_bytes **bytes)
{
    struct sb_line_form lines = stages_form(subject, form);
    enum sb_status status = SB_OK;

    lines.stop = stop;
    if (form->input != SB_INPUT_TEXT)
        return SB_OK;
    if (!(*bytes)->position)
        status = sb_gzip_new(*bytes, error, bytes);
    return status ? status : sb_lines_new(*bytes, &lines, error, bytes);
}

bool sb_file_is_gzip(const char *path)
{
    struct stat about;
    unsigned char magic[2];

    if (stat(path, &about) || !S_ISREG(about.st_mode))
        return false;
    FILE *const file = fopen(path, "re");
    const size_t got = file ? fread(magic, 1, sizeof magic, file) : 0;

    if (file)
        fclose(file);
    return sb_gzip_begins(magic, got);
}
