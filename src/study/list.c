/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists the entries of all registries: shuffles, draws, generators, statistics, tests and formats. Also
 * returns the version. */
#include "study/results.h"

const char *sb_version(void)
{
    return SB_VERSION;
}

/* Defines the function that copies entry `index` of a family. */
#define LIST_FAMILY(family, parameter_name)                                                          \
    static bool list_##family(size_t index, struct sb_entry *entry)                                  \
    {                                                                                                \
        if (index >= sb_##family##_types_count)                                                      \
            return false;                                                                            \
        const struct sb_##family##_type *const type = sb_##family##_types[index];                    \
        *entry = (struct sb_entry) { #family, type->name, parameter_name, type->title, type->cite }; \
        return true;                                                                                 \
    }

LIST_FAMILY(shuffle, type->parameter.name)
LIST_FAMILY(draw, type->parameter.name)
LIST_FAMILY(statistic, NULL)
LIST_FAMILY(test, NULL)
LIST_FAMILY(format, NULL)

static bool list_rng(size_t index, struct sb_entry *entry)
{
    struct sb_rng rng;
    const char *title;

    if (!sb_rng_get(index, &rng, &title))
        return false;
    *entry = (struct sb_entry) { "rng", rng.name, NULL, title, rng.type->cite };
    return true;
}

/* What is tested of whole streams, beside the statistics. */
static bool list_stream(size_t index, struct sb_entry *entry)
{
    const struct sb_entry entries[] = {
        { .name = sb_statistics_repeat,
          .title = "whole decks that come up again, where there are too many to count by rank" },
        { .name = sb_bettor_name, .title = "cards of a stream that can be predicted from what came before them" },
    };

    if (index >= sizeof entries / sizeof entries[0])
        return false;
    *entry = entries[index];
    entry->family = "statistic";
    return true;
}

bool sb_entry_get(size_t index, struct sb_entry *entry)
{
    bool (*const families[])(size_t, struct sb_entry *) = { list_shuffle, list_draw, list_rng,   list_statistic,
                                                            list_stream,  list_test, list_format };
    struct sb_entry own;

    for (size_t f = 0; f < sizeof families / sizeof families[0]; f++) {
        size_t members = 0;

        while (families[f](members, &own))
            if (members++ == index) {
                *entry = own;
                return true;
            }
        index -= members;
    }
    return false;
}

const char *sb_entry(size_t index, const char *property)
{
    struct sb_entry entry;

    if (!sb_entry_get(index, &entry))
        return NULL;
    const struct {
        const char *property, *text;
    } texts[] = {
        { "family", entry.family },       { "name", entry.name }, { "title", entry.title },
        { "parameter", entry.parameter }, { "cite", entry.cite },
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(property, texts[i].property) == 0)
            return texts[i].text;
    return NULL;
}

void sb_scheme_json(struct sb_json *json, const struct sb_scheme *scheme, bool cited)
{
    if (!scheme) {
        sb_json_null(json, "subject");
        return;
    }
    sb_json_object(json, "subject");
    sb_json_string(json, "name", scheme->name);
    sb_json_string(json, "title", scheme->shuffle.type->title);
    if (cited)
        sb_json_string(json, "cite", scheme->shuffle.type->cite);
    sb_json_string(json, "shuffle", scheme->shuffle_name);
    sb_json_string(json, "draw", scheme->draw_name);
    sb_json_close(json);
}
