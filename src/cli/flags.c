/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library's error lines contain names of struct fields and of functions. The program replaces these names
 * by options and commands. */
#include "cli/cli.h"

#include "core/core.h"
#include "core/text.h"
#include "study/gate/gate_text.h"
#include "study/report/report_result.h"

#include <stdlib.h>
#include <string.h>

/* The text that replaces the name of each field or function; NULL stands for "--" and the name of the
 * field. */
static const struct {
    const char *field, *typed;
} flags_table[] = {
    /* fields that an option sets */
    { "alpha", NULL },
    { "base", NULL },
    { "by", NULL },
    { "cards", NULL },
    { "cells", NULL },
    { "chained", NULL },
    { "checkpoint", NULL },
    { "deal", NULL },
    { "delta", NULL },
    { "draw", NULL },
    { "draws", "--max-draws" },
    { "exclude", NULL },
    { "field", NULL },
    { "follow", NULL },
    { "free", NULL },
    { "increments", NULL },
    { "input", NULL },
    { "json_path", "--json-path" },
    { "key", NULL },
    { "ledger", NULL },
    { "limit", NULL },
    { "match", NULL },
    { "metrics", NULL },
    { "n", "-n" },
    { "once", NULL },
    { "ordered", NULL },
    { "partial", NULL },
    { "paths", "--max-paths" },
    { "power", NULL },
    { "profile", NULL },
    { "rng", NULL },
    { "samples", NULL },
    { "save", NULL },
    { "saved", "--resume" },
    { "seed", NULL },
    { "seeds", NULL },
    { "separator", NULL },
    { "shard", NULL },
    { "statistics", NULL },
    { "timeout", NULL },
    { "tolerate", NULL },
    { "window", NULL },
    /* fields that no option sets */
    { "command", "command" },
    { "cwd", "key 'cwd'" },
    { "file", "file" },
    { "scheme", "scheme" },
    { "shards", "number of parts" },
    { "version", "version" },
    /* functions that a command calls */
    { "sb_gate_saved_new", "'shufflebias gate'" },
    { "sb_reports_saved", "'shufflebias report --resume'" },
    { "sb_saved_new", "'shufflebias report'" },
    { "sb_watch_new", "'shufflebias watch --save'" },
};

/* Writes what the user types for a field. Returns false if there is no such field: a line may contain
 * backquotes that are part of a file's name. */
static bool flags_write(const struct sb_error_field *field, FILE *stream)
{
    size_t i = 0;

    while (strncmp(flags_table[i].field, field->name, (size_t)field->name_length) != 0 ||
           flags_table[i].field[field->name_length])
        if (++i == sizeof flags_table / sizeof flags_table[0])
            return false;
    if (field->stated)
        fprintf(stream, "%.*s = ", field->name_length, field->name);
    else if (flags_table[i].typed)
        fprintf(stream, "%s%s", flags_table[i].typed, field->value_length ? " " : "");
    else
        fprintf(stream, "--%s%s", flags_table[i].field, field->value_length ? " " : "");
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
        if (item->gate)
            flags_replace(&item->gate->sentence);
    }
}
