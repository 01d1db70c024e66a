/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the options of a call, which are a JSON object. */
#include "core/core.h"
#include "web/web.h"

#include <jansson.h>
#include <string.h>

/* The largest number that an option of this kind can hold. Numbers in JavaScript are exact up to 2^53. */
static json_int_t options_most(enum sb_web_kind kind)
{
    return kind == SB_WEB_UINT64 ? (json_int_t)1 << 53 : kind == SB_WEB_UINT32 ? UINT32_MAX : SIZE_MAX / 2;
}

static enum sb_status options_wrong(const struct sb_web_option *option, const char *wanted,
                                    struct sb_error *error)
{
    return sb_error_set(error, SB_INVALID, "`%s` must be %s", option->name, wanted);
}

static enum sb_status options_integer(const struct sb_web_option *option, const json_t *value,
                                      struct sb_error *error)
{
    const json_int_t number = json_integer_value(value);

    if (!json_is_integer(value) || number < 0)
        return options_wrong(option, "a whole number from 0", error);
    if (number > options_most(option->kind))
        return sb_error_set(error, SB_TOO_LARGE, "`%s = %" JSON_INTEGER_FORMAT "` is too large", option->name,
                            number);
    if (option->kind == SB_WEB_SIZE)
        *(size_t *)option->value = (size_t)number;
    else if (option->kind == SB_WEB_UINT32)
        *(uint32_t *)option->value = (uint32_t)number;
    else
        *(uint64_t *)option->value = (uint64_t)number;
    return SB_OK;
}

static enum sb_status options_store(const struct sb_web_option *option, const json_t *value,
                                    struct sb_error *error)
{
    switch (option->kind) {
    case SB_WEB_DOUBLE:
        if (!json_is_number(value))
            return options_wrong(option, "a number", error);
        *(double *)option->value = json_number_value(value);
        return SB_OK;
    case SB_WEB_BOOL:
        if (!json_is_boolean(value))
            return options_wrong(option, "true or false", error);
        *(bool *)option->value = json_is_true(value);
        return SB_OK;
    case SB_WEB_TEXT:
        if (!json_is_string(value))
            return options_wrong(option, "a text", error);
        *(const char **)option->value = json_string_value(value);
        return SB_OK;
    default:
        return options_integer(option, value, error);
    }
}

/* Returns an error that lists the names of all options. */
static enum sb_status options_unknown(const char *name, const struct sb_web_option options[], size_t count,
                                      struct sb_error *error)
{
    char names[256] = "";

    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(names);

        snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", options[i].name);
    }
    return sb_error_set(error, SB_INVALID, "unknown option '%.60s': use %s", name, names);
}

enum sb_status sb_web_options_read(const char *text, const struct sb_web_option options[], size_t count,
                                   struct sb_error *error, json_t **json)
{
    enum sb_status status = SB_OK;
    json_error_t fault;
    const char *name;
    json_t *value;

    *json = json_loads(text, JSON_REJECT_DUPLICATES, &fault);
    if (!json_is_object(*json))
        return sb_error_set(error, SB_INVALID, "the options must be a JSON object");
    json_object_foreach(*json, name, value)
    {
        size_t i = 0;

        while (i < count && strcmp(options[i].name, name) != 0)
            i++;
        status = i < count ? options_store(&options[i], value, error)
                           : options_unknown(name, options, count, error);
        if (status)
            break;
    }
    return status;
}
