/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The texts of options as values, and lines about wrong arguments. */
#include "cli/cli.h"

#include "core/core.h"
#include "core/text.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
