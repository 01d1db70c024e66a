/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cause of the bias of the shuffle that was found, and the fix, which is the pseudocode of a fair shuffle
 * or of a fair draw. */
#include "study/catalogue/catalogue_build.h"
#include "study/catalogue/catalogue_look.h"
#include "subject/subject.h"

#include <stdlib.h>
#include <string.h>

static const char look_draw_cause[] =
    "The number of random words is no multiple of the number of answers, so some answers have one word more "
    "than others. The fewer bits a word has, the more this matters.";
static const char look_draw_fix[] = "span = number of words - number of words mod k\n"
                                    "repeat\n"
                                    "    u = next word\n"
                                    "until u < span\n"
                                    "draw(k) = u mod k\n";

/* Appends a copy of a name to a list. */
static enum sb_status look_append(const char *name, char ***list, size_t *count)
{
    char **const longer = realloc(*list, (*count + 1) * sizeof *longer);

    if (!longer)
        return SB_NO_MEMORY;
    *list = longer;
    longer[*count] = strdup(name);
    return longer[(*count)++] ? SB_OK : SB_NO_MEMORY;
}

enum sb_status sb_catalogue_look_also(const char *name, struct sb_looks_like *looks_like)
{
    return look_append(name, &looks_like->equivalent, &looks_like->equivalents);
}

enum sb_status sb_catalogue_look_other(const char *name, struct sb_looks_like *looks_like)
{
    return look_append(name, &looks_like->other, &looks_like->others);
}

/* Returns the fair shuffle whose pseudocode is the fix. */
static const struct sb_shuffle_type *look_fair(void)
{
    for (size_t i = 0; i < sb_shuffle_types_count; i++)
        if (strcmp(sb_shuffle_types[i]->name, "fisher-yates") == 0)
            return sb_shuffle_types[i];
    return sb_shuffle_types[0];
}

enum sb_status sb_catalogue_look_named(const char *scheme, unsigned variant, struct sb_looks_like *looks_like)
{
    struct sb_scheme parsed;
    struct sb_error error;

    *looks_like = (struct sb_looks_like) {
        .asked = true,
        .scheme = strdup(scheme),
        .form = sb_catalogue_forms[variant],
    };
    if (!looks_like->scheme)
        return SB_NO_MEMORY;
    if (sb_scheme_parse(scheme, NULL, NULL, &error, &parsed))
        return SB_OK;
    if (parsed.draw.type->law) {
        looks_like->title = parsed.draw.type->title;
        looks_like->cause = look_draw_cause;
        looks_like->fix = look_draw_fix;
        return SB_OK;
    }
    looks_like->title = parsed.shuffle.type->title;
    looks_like->cause = parsed.shuffle.type->why;
    looks_like->fix = look_fair()->pseudocode;
    return SB_OK;
}
