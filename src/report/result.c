/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a result to a stream. Only this file looks up a format by name, and only this file checks the stream
 * for errors. */
#include "report/result.h"

#include "core/core.h"
#include "report/format/format.h"
#include "report/memory_text.h"

#include <errno.h>
#include <string.h>

/* Searches the formats that only this type has. Returns the format with this name, or NULL. */
static const struct sb_result_format *result_own(const struct sb_result_type *type, const char *format)
{
    for (size_t i = 0; i < type->own_count; i++)
        if (strcmp(type->own[i].name, format) == 0)
            return &type->own[i];
    return NULL;
}

static const struct sb_format_type *result_find(const struct sb_result_type *type, const char *format)
{
    for (size_t i = 0; i < sb_format_types_count; i++)
        if (strcmp(sb_format_types[i]->name, format) == 0 && sb_format_types[i]->has(type))
            return sb_format_types[i];
    return NULL;
}

bool sb_result_has(const struct sb_result_type *type, const char *format)
{
    return format && (result_find(type, format) || result_own(type, format));
}

const char *sb_result_formats(const struct sb_result_type *type, char text[SB_RESULT_FORMATS_ROOM])
{
    const char *last = NULL;
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < sb_format_types_count && used < SB_RESULT_FORMATS_ROOM; i++) {
        const struct sb_format_type *const format = sb_format_types[i];

        if (!format || !format->has(type))
            continue;
        if (last)
            used +=
                (size_t)snprintf(text + used, SB_RESULT_FORMATS_ROOM - used, "%s%s", used ? ", " : "", last);
        last = format->name;
    }
    if (last && used < SB_RESULT_FORMATS_ROOM)
        snprintf(text + used, SB_RESULT_FORMATS_ROOM - used, "%s%s", used ? " or " : "", last);
    return text;
}

/* Returns the name of figure `index`, or NULL. */
static const char *result_figure(const struct sb_result_type *type, size_t index)
{
    return type->figure ? type->figure(index) : NULL;
}

const char *sb_result_figures(const struct sb_result_type *type, char text[SB_RESULT_FORMATS_ROOM])
{
    const char *figure = result_figure(type, 0);
    size_t used = 0;

    for (size_t i = 1; figure && used < SB_RESULT_FORMATS_ROOM; i++) {
        used +=
            (size_t)snprintf(text + used, SB_RESULT_FORMATS_ROOM - used, "%s%s", used ? ", " : "", figure);
        figure = result_figure(type, i);
    }
    if (used < SB_RESULT_FORMATS_ROOM)
        snprintf(text + used, SB_RESULT_FORMATS_ROOM - used, "%sterminal", used ? " or " : "");
    return text;
}

bool sb_result_draws(const struct sb_result_type *type, const char *figure)
{
    const char *one;

    for (size_t i = 0; (one = result_figure(type, i)) != NULL; i++)
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
