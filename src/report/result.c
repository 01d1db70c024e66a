/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a result to a stream. Only this file looks up a format by name, and only this file checks the stream
 * for errors. */
#include "report/result.h"
#include "core/core.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { RESULT_NAMES_MOST = 16 }; /* more than there are formats, and figures of a result */

static const struct sb_result_format *result_own(const struct sb_result_type *type, const char *format)
{
    for (size_t i = 0; i < type->own_count; i++)
        if (strcmp(type->own[i].name, format) == 0)
            return &type->own[i];
    return NULL;
}

static bool result_has(const struct sb_result_type *type, const struct sb_format_type *format)
{
    return format->needs & ((type->page ? SB_PART_PAGE : 0U) | (type->html ? SB_PART_HTML : 0U) |
                            (type->json ? SB_PART_JSON : 0U) | (type->csv ? SB_PART_CSV : 0U) |
                            (type->cases ? SB_PART_CASES : 0U) | (type->svg ? SB_PART_SVG : 0U));
}

static const struct sb_format_type *result_find(const struct sb_result_type *type, const char *format)
{
    for (size_t i = 0; i < sb_format_types_count; i++)
        if (strcmp(sb_format_types[i]->name, format) == 0 && result_has(type, sb_format_types[i]))
            return sb_format_types[i];
    return NULL;
}

bool sb_result_has(const struct sb_result_type *type, const char *format)
{
    return format && (result_find(type, format) || result_own(type, format));
}

static const char *result_list(const char *const name[], size_t count, char text[SB_RESULT_FORMATS_ROOM])
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < count && used < SB_RESULT_FORMATS_ROOM; i++)
        used += (size_t)snprintf(text + used, SB_RESULT_FORMATS_ROOM - used, "%s%s",
                                 i == 0          ? ""
                                 : i + 1 < count ? ", "
                                                 : " or ",
                                 name[i]);
    return text;
}

const char *sb_result_formats(const struct sb_result_type *type, char text[SB_RESULT_FORMATS_ROOM])
{
    const char *name[RESULT_NAMES_MOST];
    size_t count = 0;

    for (size_t i = 0; i < sb_format_types_count && count < RESULT_NAMES_MOST; i++)
        if (result_has(type, sb_format_types[i]))
            name[count++] = sb_format_types[i]->name;
    return result_list(name, count, text);
}

const char *sb_result_figures(const struct sb_result_type *type, char text[SB_RESULT_FORMATS_ROOM])
{
    const char *name[RESULT_NAMES_MOST], *figure;
    size_t count = 0;

    while (type->figure && count + 1 < RESULT_NAMES_MOST && (figure = type->figure(count)) != NULL)
        name[count++] = figure;
    name[count++] = "terminal";
    return result_list(name, count, text);
}

bool sb_result_draws(const struct sb_result_type *type, const char *figure)
{
    const char *one;

    for (size_t i = 0; type->figure && (one = type->figure(i)) != NULL; i++)
        if (strcmp(one, figure) == 0)
            return true;
    return type->page && strcmp(figure, "terminal") == 0;
}

enum sb_status sb_result_write(const struct sb_result_type *type, const void *result, const char *format,
                               const struct sb_look *look, struct sb_error *error, FILE *stream)
{
    const char *const name = format ? format : "NULL";
    const struct sb_format_type *const found = result_find(type, name);
    const struct sb_result_format *const only = result_own(type, name);
    const struct sb_look own = look ? *look : (struct sb_look) { 0 };
    char formats[SB_RESULT_FORMATS_ROOM];
    enum sb_status status = SB_OK;

    if (!result || !stream)
        return sb_error_set(error, SB_INVALID, "%s is NULL: check the call that %s it",
                            result ? "the stream" : type->what, result ? "opened" : "made");
    if (!found && !only)
        return sb_error_set(error, SB_INVALID, "unknown format '%s' of %s: use %s", name, type->of,
                            sb_result_formats(type, formats));
    if (own.figure && !sb_result_draws(type, own.figure))
        return sb_error_set(error, SB_INVALID, "unknown figure '%.60s' of %s: use %s", own.figure, type->of,
                            sb_result_figures(type, formats));
    errno = 0;
    status = found ? found->write(type, result, &own, stream) : only->write(result, stream);
    if (status == SB_OK && (fflush(stream) || ferror(stream)))
        status = SB_IO;
    if (status == SB_IO)
        return sb_error_set(error, SB_IO, "cannot write %s: %s", type->what, strerror(errno ? errno : EIO));
    return status ? sb_error_memory(error, type->what) : SB_OK;
}

enum sb_status sb_result_text(const struct sb_result_type *type, const void *result, const char *format,
                              const struct sb_look *look, struct sb_error *error, char **text, size_t *length)
{
    struct sb_memory_text memory;
    enum sb_status status = sb_memory_text_open(&memory, error);

    if (status)
        return status;
    status = sb_result_write(type, result, format, look, error, memory.stream);
    return sb_memory_text_close(&memory, status, error, text, length);
}

void sb_cases_add(struct sb_cases *cases, struct sb_case one)
{
    if (cases->count == cases->room) {
        const size_t room = 2 * cases->room + 16;
        struct sb_case *const grown = one.text ? realloc(cases->list, room * sizeof *grown) : NULL;

        if (!grown) {
            cases->status = SB_NO_MEMORY;
            free(one.text);
            return;
        }
        cases->list = grown;
        cases->room = room;
    }
    if (one.text)
        cases->list[cases->count++] = one;
    else
        cases->status = SB_NO_MEMORY;
}
