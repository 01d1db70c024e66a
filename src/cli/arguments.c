/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts of options as values, and lines about wrong arguments. */
#include "cli/cli.h"
#include "core/text.h"
#include "study/gate/gate_page.h"
#include "study/report/report_result.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

/* The names of options, as users type them. The library's error lines contain names of fields and of functions; the
 * program replaces these names by options and commands. */

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

int cli_usage(const char *command, const char *format, ...)
{
    char text[PATH_MAX + 1024], line[sizeof text + 256]; /* what is wrong with a path stands after it */
    const int used = snprintf(text, sizeof text, "shufflebias %s: ", command);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + used, sizeof text - (size_t)used, format, arguments);
    va_end(arguments);
    sb_sanitize_log_text(text, line, sizeof line); /* a file's name may contain any character */
    fprintf(stderr, "%s\n", line);
    return EXIT_USAGE;
}

const char *cli_typed(const char *word, char typed[], size_t room)
{
    static const char mark[] = "'\\''"; /* ends the quotation, adds a quotation mark, and goes on */
    const char *const quote = sb_shell_plain(word) ? "" : "'";
    size_t used = (size_t)snprintf(typed, room, "%s", quote);

    for (; *word && used + sizeof mark < room - 1; word++)
        used += (size_t)snprintf(typed + used, room - used, "%.*s", *word == '\'' ? 4 : 1, *word == '\'' ? mark : word);
    snprintf(typed + used, room - used, "%s", quote);
    return typed;
}

int cli_resumable(const char *command, const char *file)
{
    struct stat there;
    char typed[PATH_MAX];

    if (file && stat(file, &there) == 0)
        cli_usage(command, "interrupted: resume with --save %s", cli_typed(file, typed, sizeof typed));
    return EXIT_INTERRUPTED;
}

int cli_say(const char *command, const char *line)
{
    char *const typed = cli_flags(line);

    cli_usage(command, "%s", typed ? typed : line);
    free(typed);
    return EXIT_USAGE;
}

int cli_failed(const char *command, const struct sb_error *error)
{
    if (error->status == SB_IO && errno == EPIPE) /* the reader has closed the pipe: there is nothing to report */
        return EXIT_BROKEN;
    cli_say(command, error->text);
    if (error->status == SB_STOPPED)
        return EXIT_INTERRUPTED;
    return error->status == SB_INVALID || error->status == SB_TOO_LARGE ? EXIT_USAGE : EXIT_BROKEN;
}

/* Prints a line about the text of an option; returns false. */
static bool arguments_wrong(const char *where, const struct sb_option *option, const char *text,
                            const struct sb_wrong *wrong)
{
    return cli_refuse(where, "%s%s%s%s: %s", cli_option_is_long(option) ? "--" : "-", option->name,
                      *text || option->kind != SB_KIND_TEXT ? " " : "", wrong->part ? wrong->text : text, wrong->why);
}

bool cli_set(const char *where, struct sb_request *request, const struct sb_option *option, const char *text)
{
    struct sb_wrong wrong;

    return sb_request_set(request, option, text, &wrong) || arguments_wrong(where, option, text, &wrong);
}

bool cli_set_given(const char *where, struct sb_request *request)
{
    for (size_t i = 0; i < sb_options_count; i++) {
        const struct sb_option *const option = &sb_options_table[i];

        if (request->given[i] && option->kind != SB_KIND_LIST && option->kind != SB_KIND_SIZE &&
            !cli_set(where, request, option, request->given[i]))
            return false;
    }
    return true;
}

bool cli_settle_within(const char *where, struct sb_request *request, const char *name, uint64_t low, uint64_t high)
{
    const struct sb_option *const option = sb_option_find(request->of, name);
    const char *const text = sb_request_given(request, name);
    struct sb_wrong wrong;

    return !text || sb_request_set_within(request, option, text, low, high, &wrong) ||
           arguments_wrong(where, option, text, &wrong);
}

bool cli_settle_items(const char *where, struct sb_request *request, bool named)
{
    const struct sb_option *const n = sb_option_find(request->of, "n");
    const char *const deal = sb_request_given(request, "deal");

    if (n && !cli_settle_within(where, request, "n", n->low, n->high))
        return false;
    if (named && (sb_request_given(request, "cards") || request->grouping.kinds)) {
        struct sb_error error = { 0 };

        request->n = sb_request_given(request, "n") ? request->n : 0;
        if (sb_items_named(request->cards, request->grouping.kinds, &request->n, &error)) {
            cli_failed(where, &error);
            return false;
        }
    }
    if (deal && request->n == 0)
        return cli_refuse(where, "--deal %s: 0 items leave nothing to deal: drop --deal", deal);
    return cli_settle_within(where, request, "deal", 1, request->n);
}
