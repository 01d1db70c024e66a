/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first field in which two runs differ. */
#include "subject/mismatch.h"

#include "core/core.h"
#include "core/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char differs_none[] = "not given";

void sb_mismatch_text(struct sb_mismatch *differs, const char *field, const char *was, const char *is)
{
    if (differs->field || (was && is ? strcmp(was, is) == 0 : was == is))
        return;
    differs->field = field;
    snprintf(differs->was, sizeof differs->was, "%s", was ? was : differs_none);
    snprintf(differs->is, sizeof differs->is, "%s", is ? is : differs_none);
}

void sb_mismatch_integer(struct sb_mismatch *differs, const char *field, uint64_t was, uint64_t is)
{
    if (differs->field || was == is)
        return;
    differs->field = field;
    snprintf(differs->was, sizeof differs->was, "%" PRIu64, was);
    snprintf(differs->is, sizeof differs->is, "%" PRIu64, is);
}

void sb_mismatch_real(struct sb_mismatch *differs, const char *field, double was, double is)
{
    if (differs->field || was == is)
        return;
    differs->field = field;
    sb_decimal_format(differs->was, sizeof differs->was, "%.15g", was);
    sb_decimal_format(differs->is, sizeof differs->is, "%.15g", is);
}

void sb_mismatch_bool(struct sb_mismatch *differs, const char *field, bool was, bool is)
{
    sb_mismatch_text(differs, field, was ? "given" : NULL, is ? "given" : NULL);
}

void sb_mismatch_scheme(struct sb_mismatch *differs, const struct sb_scheme *was, const struct sb_scheme *is,
                        const char *typed)
{
    if (strcmp(was->name, is->name) == 0)
        return;
    if (typed && strcmp(typed, was->shuffle_name) != 0)
        sb_mismatch_text(differs, "scheme", was->name, is->name);
    sb_mismatch_text(differs, "draw", was->draw_name, is->draw_name);
    sb_mismatch_text(differs, "rng", was->rng.name, is->rng.name);
}

enum sb_status sb_mismatch_say(const struct sb_mismatch *differs, const char *path, const char *remedy,
                               struct sb_error *error)
{
    if (!differs->field)
        return SB_OK;
    sb_error_set(error, SB_INVALID, "`%s` %.100s: differs from that of '%.200s', %.100s: %s", differs->field,
                 differs->is, path, differs->was, remedy);
    if (error) /* the value may contain a backquote, so it is not between the backquotes above */
        snprintf(error->value, sizeof error->value, "%.95s", differs->is);
    return SB_INVALID;
}
