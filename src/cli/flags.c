/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The names of options, as users type them. The library's error lines contain names of fields and of functions; the
 * program replaces these names by options and commands. */
#include "cli/cli.h"

#include "core/core.h"
#include "core/text.h"
#include "study/gate/gate_page.h"
#include "study/report/report_result.h"

#include <stdlib.h>
#include <string.h>

const struct sb_option *cli_option_next(const struct cli_command_type *type, const struct sb_option *row)
{
    const struct sb_option *const end = sb_options_table + sb_options_count;

    for (row = row ? row + 1 : sb_options_table; row < end; row++)
        if (row->of & type->of)
            return row;
    return NULL;
}

bool cli_option_is_long(const struct sb_option *row)
{
    return row->name[1];
}

char cli_option_letter(const struct sb_option *row)
{
    return cli_option_is_long(row) ? row->letter : row->name[0];
}

/* What users call a field that no option sets. */
static const struct {
    const char *field, *typed;
} flags_table[] = {
    { "command", "command" }, { "cwd", "key 'cwd'" },          { "file", "file" },
    { "scheme", "scheme" },   { "shards", "number of parts" }, { "version", "version" },
};

/* Writes what the user types for a field. Returns false if there is no such field: a line may contain
 * backquotes that are part of a file's name. */
static bool flags_write(const struct sb_error_field *field, FILE *stream)
{
    char name[64];
    const char *typed = NULL;

    snprintf(name, sizeof name, "%.*s", field->name_length, field->name);
    const struct sb_option *const option = sb_option_find(~0U, name);

    for (size_t i = 0; !typed && i < sizeof flags_table / sizeof flags_table[0]; i++)
        typed = strcmp(flags_table[i].field, name) == 0 ? flags_table[i].typed : NULL;
    if (!typed && !option)
        return false;
    if (field->stated)
        fprintf(stream, "%s = ", name);
    else
        fprintf(stream, "%s%s%s",
                typed                        ? ""
                : cli_option_is_long(option) ? "--"
                                             : "-",
                typed ? typed : option->name, field->value_length ? " " : "");
    fprintf(stream, "%.*s", field->value_length, field->value);
    return true;
}

char *cli_flags(const char *line)
{
    struct sb_error_field field;
    char *typed = NULL;
    size_t size = 0;
    FILE *const stream = sb_memory_stream_open(&typed, &size);

    if (!stream)
        return NULL;
    while (sb_error_field_next(line, &field)) {
        fprintf(stream, "%.*s", (int)(field.start - line), line);
        line = field.end;
        if (!flags_write(&field, stream)) {
            putc(*field.start, stream);
            line = field.start + 1;
        }
    }
    fputs(line, stream);
    if (sb_memory_stream_close(stream, &typed))
        return typed;
    free(typed);
    return NULL;
}

/* Replaces fields by options in place. If memory runs out, the text stays unchanged. */
static void flags_replace(char **text)
{
    char *const typed = *text ? cli_flags(*text) : NULL;

    if (!typed)
        return;
    free(*text);
    *text = typed;
}

void cli_flags_reports(struct sb_reports *reports)
{
    for (size_t i = 0; i < reports->count; i++) {
        flags_replace(&reports->report[i].sentence);
        flags_replace(&reports->report[i].warning);
    }
}

void cli_flags_suite(struct sb_suite *suite)
{
    for (size_t i = 0; i < suite->count; i++) {
        struct sb_suite_item *const item = &suite->item[i];
        char *const typed = cli_flags(item->error.text);

        if (typed)
            snprintf(item->error.text, sizeof item->error.text, "%s", typed);
        free(typed);
        if (item->gate) {
            flags_replace(&item->gate->sentence);
            flags_replace(&item->gate->details);
        }
    }
}
